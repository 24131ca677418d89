# SPDX-License-Identifier: GPL-2.0
"""Long flows of TCP or RoCEv2 to one host: queue, utilisation and fairness with LDCP.

FLOWS long flows from as many hosts to one. Measures the queue at its port, the utilisation of the
link, and the fairness of the flows.
"""
from lle_lab import Integer, Scenario, keys, metrics

from . import _ldcp as ldcp


class LdcpSteady(ldcp.LongFlows):
    ARMS = ldcp.ARMS("ldcp,dctcp,cubic")
    FLOWS = Integer(8, 1, 900, "long flows")
    RATE = keys.RATE("10gbit")
    RTT = keys.RTT("40us")
    IW = Integer("", 1, ldcp.WINDOW_MAX, "packets of the initial window")
    S = keys.S(0.5)
    PARTS = Scenario.PARTS

    hosts = property(lambda self: self.FLOWS + 1)

    def flows(self):
        return self.long_flows()

    def metrics(self, run):
        yield from ldcp.losses(run)
        if not self.tcp:
            yield from metrics.marks(run)
        yield from self.queue_lengths(run)
        yield from self.rates(run)

    def compare(self, m):
        for part in ldcp.QUANTILES:
            yield from metrics.ratio(f"queue_{part}_of_dctcp", m.get(f"ldcp.queue_{part}_kb"),
                                     m.get(f"dctcp.queue_{part}_kb"))

    def even_least(self, rtts, most):
        """Minimum of Jain's index: its distance from 1 is proportional to 1/S. If one flow in ten
        starves, it is 0.9."""
        return min(1 - rtts * 1e-9 * self.RTT / self.S, most)

    def seen_least(self, m):
        """Minimum of marks that TCP senders count: packets that arrive twice count once. Packets of
        the first RTT that are not ECN capable hide the marks of others."""
        hidden = 2 * self.iw * self.FLOWS if self.iw > 3 else 0
        return m["ldcp.marked.switch"] - m["ldcp.retransmitted"] - hidden

    def expect_long(self, arm):
        """With less than two packets of the BDP per flow, the queue has no bound of its own."""
        if 2 * self.FLOWS >= self.window:
            yield f"{arm}.utilisation >= 0.99"
            yield f"{arm}.jain >= {self.even_least(400, 0.95):.6g}"
        elif self.window >= 33:
            yield f"{arm}.queue_p99_bdp <= 0.6"
            yield f"{arm}.utilisation >= 0.99"
            yield f"{arm}.jain >= {self.even_least(60, 0.99):.6g}"
        else:
            yield f"{arm}.utilisation >= 0.97"
            yield f"{arm}.jain >= 0.95"

    def is_long(self):
        """A long run, with as many flows as were measured. 256 flows of TCP with a BDP of 33
        packets use 0.967 to 0.969 of the link, and no more with a smaller minimum of the window.
        Those of RoCEv2 use all of it, by the same rule: TCP sets the time to the next packet when
        it sends one, from the ACK before, and RoCEv2 when the ACK of that packet arrives."""
        return self.is_measured() and 2 <= self.FLOWS <= 3.5 * self.window \
            and self.iw <= self.window and self.S * 1e9 >= 1000 * self.RTT

    def expectations(self, m):
        # samples of the queue must be dense
        dense = 8000 * self.sample_us() <= self.RTT and self.defaults("QUEUES")
        for arm in self.ARMS:
            if dense and (arm.startswith("dcqcn") or arm == "ldcp-roce"):
                # packets of LDCP's first RTT are not ECN capable
                yield from metrics.expect_marks(
                    m, f"{arm}.", self.FLOWS * self.iw if arm == "ldcp-roce" else 0)
            if arm in ldcp.LDCP:
                yield from self.expect_ldcp(arm, m)
                if self.is_long():
                    yield from self.expect_long(arm)
        # DCTCP's smallest window has two packets
        if self.FLOWS >= self.window and self.is_measured() and "queue_p99_of_dctcp" in m:
            yield "queue_p50_of_dctcp <= 0.25"
            yield "queue_p99_of_dctcp <= 0.25"
        # at lower rates, packets are under way when counters are read
        if "ldcp" in self.ARMS and self.RATE >= 10**9:
            yield f"ldcp.marked.seen >= {self.seen_least(m)}"
