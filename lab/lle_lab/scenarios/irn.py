# SPDX-License-Identifier: GPL-2.0
"""Does RDMA need a lossless network? NICs that go back, or repeat lost packets.

Flows of measured sizes begin at random times between random hosts of a fat tree, and use LOAD of
the hosts' links, as in "Revisiting Network Support for RDMA" (SIGCOMM 2018), section 4.1: 40
Gbit/s, 2 us, a buffer of 240 KB for each port of a switch, a window of the bytes that are under way
on the longest path (110 packets). The paper has 54 hosts, and sizes of its own. Arms:

gbn+pfc     NICs go back to a lost packet, switches pause them (RoCE)
gbn         the same without pauses
irn         NICs repeat lost packets only
irn+pfc     the same with pauses

Go-back-N has no window, and with pauses a time-out that they do not reach. Without pauses it may
collapse. Means are those of flows that have ended.
"""
from lle_lab import FatTree, Integer, ListOf, Size, ecn, headroom, keys, metrics, pattern

RTO_HIGH_US, RTO_LOW_US = 320, 100


class Irn(FatTree):
    ARMS = ListOf("gbn+pfc,gbn,irn,irn+pfc", "gbn+pfc gbn irn irn+pfc",
                  "how losses are repaired or avoided")
    RATE = keys.RATE("40gbit")
    DELAY = keys.DELAY("2us")
    PORT_BUFFER = Size("240k", "20k", "16m", "shared buffer of a switch, for each of its ports")
    CDF = keys.CDF("web-search")
    LOAD = keys.LOAD(0.7)
    WINDOW = Integer(110, 1, 1024, "packets of a flow that IRN has under way")
    MTU = keys.MTU(1000)
    MS = keys.MS(10)
    MARK = keys.MARK("arrival")
    BUFFER = property(lambda self: self.K * self.PORT_BUFFER)
    PFC = property(lambda self: keys.Word("on" if self.arm.endswith("+pfc") else "off"))

    def limits(self):
        self.limit("PORT_BUFFER", 2 * headroom(self.RATE, self.DELAY, self.MTU), "16m",
                   "half of it is headroom")

    def port(self):
        port = f"buffer {self.BUFFER} reaction 0 prio-pfc 3:{self.PFC}"
        # of "Congestion Control for Large-Scale RDMA Deployments", section 5.2
        return port if self.CC == "none" else \
            f"{port} wred 3 kmin 5kb kmax 200kb pmax 1% {ecn(self.MARK)}"

    def nic(self):
        nic = super().nic()
        if self.arm.startswith("irn"):
            return nic | {"rto_us": RTO_HIGH_US, "irn": 1, "window": self.WINDOW,
                          "rto_low_us": RTO_LOW_US}
        return nic | {"rto_us": 100000 if self.PFC else RTO_HIGH_US}

    def flows(self):
        return pattern("poisson", hosts=self.hosts, rate=int(self.RATE), load=self.LOAD,
                       cdf=keys.FLOW_SIZES / f"{self.CDF}.csv", duration=self.MS * 10**6,
                       seed=self.SEED)

    def seconds(self):
        # until the last flows have ended, too
        return (10 * self.MS + 20) / 1e3

    def busy(self):
        return self.MS / 1e3

    def metrics(self, run):
        yield from super().metrics(run)
        yield from metrics.slowdown_metrics(
            metrics.slowdowns(run, self.K, self.RATE, self.DELAY, self.MTU))
        yield "timeouts", int(run.hosts.timeouts.sum())

    def compare(self, m):
        for arm in self.ARMS:
            if arm.startswith("irn"):
                yield from metrics.ratio(f"{arm}.repeats_per_drop", m[f"{arm}.retransmitted"],
                                         m[f"{arm}.dropped"])
            if arm != "gbn+pfc":
                yield from metrics.ratio(f"{arm}.slowdown_mean_ratio",
                                         m.get(f"{arm}.slowdown_mean"),
                                         m.get("gbn+pfc.slowdown_mean"))

    def expectations(self, m):
        for arm in self.ARMS:
            yield f"{arm}.lost_bytes == 0"
            if arm.endswith("+pfc"):
                yield f"{arm}.dropped == 0"
        if self.MS < 2 or not self.defaults("K RATE DELAY PORT_BUFFER CDF LOAD WINDOW MARK MTU"):
            return
        for arm in self.ARMS:
            if arm != "gbn":
                yield f"{arm}.unfinished == 0"
        if "gbn+pfc" in self.ARMS:
            yield "gbn+pfc.retransmitted == 0"
        if "gbn" in self.ARMS:
            yield "gbn.dropped > 0"
        if "irn" in self.ARMS:
            yield "irn.dropped > 0"
            # 1.003 to 1.014 with the 12 seeds of selftests/lab/grid.sh
            yield "irn.repeats_per_drop < 1.05"
        if "gbn" in self.ARMS and "irn" in self.ARMS:
            yield f"irn.retransmitted < {m['gbn.retransmitted']}"
            yield f"irn.slowdown_mean < {m['gbn.slowdown_mean']}"
