# SPDX-License-Identifier: GPL-2.0
"""Thousands of senders to one host: with LDCP, windows are below one packet.

N senders begin at once, and never end, so windows of LDCP are below one packet. They share 1000
hosts, since a bridge has at most 1023 ports. The queue does not count in the first third of the
time, in which the initial burst drains.
"""
from lle_lab import Integer, keys

from . import _ldcp as ldcp


class LdcpIncast(ldcp.LongFlows):
    ARMS = ldcp.ARMS("ldcp-roce,dcqcn,dcqcn+pfc")
    N = Integer(1000, 1, 10000, "flows")
    BUFFER = keys.BUFFER("256m")
    S = keys.S(0.06)

    FLOWS = property(lambda self: self.N)
    hosts = property(lambda self: min(self.N, 1000) + 1)

    def nic(self):
        # RTO: three RTTs of LDCP with a window of 1/64; others: that of a full buffer
        ldcp_us = self.RTT * 192 // 1000
        return super().nic() | {"rto_us": ldcp_us if self.arm.startswith("ldcp") else 100000}

    def flows(self):
        return self.long_flows(apart_ns=0)

    def metrics(self, run):
        yield from ldcp.losses(run)
        yield from self.queue_lengths(run)
        yield from self.rates(run)

    def bound_kb(self):
        """The largest queue that N senders of LDCP may keep, in KB."""
        return (self.thresholds()[1] + self.N * ldcp.FRAME / 16) / 1000

    def expectations(self, m):
        measured = self.defaults("RATE RTT MODE MARK BUFFER QUEUES") and self.S >= 0.03
        for arm in self.ARMS:
            if arm in ldcp.LDCP:
                yield from self.expect_ldcp(arm, m)
                # over TCP with N=300 S=0.03: utilisation 0.996, queue_p99_kb 112 to 115
                if measured and 300 <= self.N <= (4000 if arm == "ldcp-roce" else 1000):
                    yield f"{arm}.utilisation >= 0.90"
                    yield f"{arm}.queue_p99_kb <= {self.bound_kb():.1f}"
            elif arm == "dctcp" and measured and self.N <= 1000:
                yield "dctcp.loss.other == 0"
                yield "dctcp.loss.stable == 0"
