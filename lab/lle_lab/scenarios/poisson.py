# SPDX-License-Identifier: GPL-2.0
"""Flows of measured sizes begin at random times between hosts of a fat tree.

Sizes are as measured in a data centre (CDF: a file of lab/flow-sizes). Flows use LOAD of the
hosts' links; HOT_SHARE of them go to HOT hot hosts. No packet is lost. A slowdown is the completion
time of a flow over that of the flow alone.
"""
from lle_lab import FatTree, Integer, ecn, keys, metrics, pattern, seconds_needed



class Poisson(FatTree):
    CDF = keys.CDF("web-search")
    LOAD = keys.LOAD(0.4)
    HOT = Integer(2, 1, lambda s: s.hosts - 1, "hot hosts")
    HOT_SHARE = keys.HOT_SHARE(0)
    MS = keys.MS(4)

    def port(self):
        return (f"buffer {self.BUFFER} reaction 0 prio-pfc 3:{self.PFC} "
                f"wred 3 kmin 100kb kmax 400kb pmax 20% {ecn(self.MARK)}")

    def nic(self):
        return super().nic() | {"ack_every": 16}

    def flows(self):
        return pattern("poisson", hosts=self.hosts, rate=int(self.RATE), load=self.LOAD,
                       cdf=keys.FLOW_SIZES / f"{self.CDF}.csv", hot=self.HOT,
                       hot_share=self.HOT_SHARE, duration=self.MS * 10**6, seed=self.SEED)

    def seconds(self):
        # until the last flows have ended, too
        return (5 * self.MS + 20) / 1e3

    def metrics(self, run):
        yield from metrics.losses(run)
        yield "marked", run.total("ecn_marked")
        yield from metrics.flow_times(run)
        yield from metrics.slowdown_metrics(
            metrics.slowdowns(run, self.K, self.RATE, self.DELAY, self.MTU))

    def expectations(self, m):
        yield "lost_bytes == 0"
        if self.PFC:
            yield "dropped == 0"
            needed = seconds_needed(self.flows(), max, self.RATE, self.DELAY, self.MTU)
            if needed <= self.seconds():
                yield "unfinished == 0"
                yield "retransmitted == 0"
        # a port rounds down to a nanosecond
        if self.DELAY >= 1000:
            yield "slowdown_min >= 0.999"
        # some small flow meets no other
        if self.LOAD <= 0.4 and self.defaults("K RATE DELAY BUFFER MTU"):
            yield "slowdown_min < 1.01"
