# SPDX-License-Identifier: GPL-2.0
"""Long flows while messages come and go: the part of the remaining rate that they keep.

FLOWS long flows, while messages of SIZE BDP begin at random, and use LOAD of the link. Measures the
part of the remaining rate that long flows get.
"""
from lle_lab import Integer, Number, keys

from . import _ldcp as ldcp

# minimum of seeds 1 to 10 less their range, for LOAD up to 0.1
KEPT = {("churn", "ldcp-roce"): 0.978, ("churn", "ldcp"): 0.982,
        ("lowq", "ldcp-roce"): 0.904, ("lowq", "ldcp"): 0.917}


class LdcpChurn(ldcp.LongFlows):
    ARMS = ldcp.ARMS("ldcp-roce,dctcp")
    FLOWS = Integer(8, 1, 900, "long flows")
    LOAD = keys.LOAD(0.1)
    SIZE = Number(1, 0.01, 100, "of a message, in BDP")

    hosts = property(lambda self: self.FLOWS + 17)

    def nic(self):
        return super().nic() | {"rto_us": self.RTT * 20 // 1000}

    def flows(self):
        yield from self.long_flows()
        yield from self.messages([self.SIZE], self.LOAD)

    def metrics(self, run):
        yield from ldcp.losses(run)
        yield from self.queue_lengths(run)
        yield from self.rates(run)
        yield from self.message_times(run, self.texts["SIZE"])

    def expectations(self, m):
        measured = self.defaults("FLOWS SIZE RATE RTT MODE MARK BUFFER QUEUES") and self.LOAD <= 0.3
        for arm in self.ARMS:
            yield from self.expect_messages(arm, m)
            if arm not in ldcp.LDCP:
                continue
            yield from self.expect_ldcp(arm, m)
            if measured:
                yield f"{arm}.overdue == 0"
                if self.LOAD <= 0.1 and self.S >= 0.05:
                    yield f"{arm}.kept >= {KEPT[self.PROFILE, arm]}"
