# SPDX-License-Identifier: GPL-2.0
"""A victim shares a link with flows to a bottleneck; RCM leaves it the rest of the link.

Four hosts of a switch send to one far away, two on one path and two on another. A fifth, the
victim, sends to another host on the first path. Backpressure leaves it 25 Gbit/s, although the
link has 50 for it. Figure 7 of "Regional Congestion Mitigation".

The victim's destination is in another pod (PLACE=pod), in the same, or beside that of the others.
Throughput is measured during MS ms, without the first 40 us. Flows have more to send than that,
and end. LOSS percent of the congestion notifications are lost.
"""
from lle_lab import Topology, address, flow, keys, metrics, payload_bps
from lle_lab.plots import LIGHT, grouped_bars, picture

from . import _rcm as rcm


class RcmVictim(rcm.Rcm):
    ARMS = rcm.ARMS("pfc,rcm")
    FLOWS = keys.FLOWS(1)
    PLACE = keys.PLACE("pod")
    LOSS = keys.LOSS(0)
    MS = keys.MS(2)
    PAUSES = keys.PAUSES("yes")

    # further sources, at the switch of the destination; the most pauses between switches after MS
    XS, PAUSES_AFTER = 0, 0
    # senders that DCQCN has cut recover in milliseconds, so flows end later
    overtime = property(lambda self: self.seconds() if self.dcqcn else 0)

    def network(self):
        net = Topology()
        # one switch, which h3 and h4 leave on another path
        net.switches("e0", "e0b with e0", "a0", "a5", "c0", "c5", "b0", "b5", "e1")
        for host, switch in enumerate("e0 e0 e0b e0b e0 e1".split(), 1):
            net.host(f"h{host}", switch)
        net.path("e0 a0 c0 b0 e1")
        net.path("e0b a5 c5 b5 e1")
        if self.PLACE == "pod":
            net.switches("x0", "e2")
            net.path("c0 x0 e2")
        elif self.PLACE == "same":
            net.switches("e2")
            net.path("a0 e2")
        net.host("h7", "e1" if self.PLACE == "beside" else "e2")
        for i in range(self.XS):
            net.host(f"h{8 + i}", "e1")
        return self.network_of(net)

    def nic(self):
        return super().nic() | {"window": 0, "bin_us": self.MS, "bins": 1000}

    def flows(self):
        """1.5 times as much as MS takes at 25 percent of a link, the victim's at 50."""
        pairs = [(src, 6, 25) for src in (1, 2, 3, 4)] + [(5, 7, 50)]
        for src, dst, percent in pairs + [(8 + i, 6, 25) for i in range(self.XS)]:
            bits = payload_bps(self.RATE, self.MTU) * percent / 100 * self.MS * 1.5e-3
            yield from [flow(src, dst, bits / 8 / self.FLOWS)] * self.FLOWS

    def seconds(self):
        return 5 * self.MS / 1e3

    def pauses_in_time(self, run):
        """Pauses between switches during MS: when flows end, others get more at once."""
        until_ns = run.start_ns + self.MS * 10**6
        fabric = {q["dev"] for q in run.qdiscs("fabric")}
        return sum(port in fabric and (direction, event) == ("tx", "pause") and ns < until_ns
                   for ns, port, direction, _, event in run.pauses.rows())

    def metrics(self, run):
        def gbps(wanted):
            return metrics.gbps(run, self.MTU, wanted, 40, self.MS * 1000)

        yield from self.losses(run)
        yield "fabric_pauses_in_time", self.pauses_in_time(run)
        yield from metrics.flow_times(run)
        yield "victim_gbps", gbps(lambda src, _: src == address(5))
        used = gbps(lambda _, dst: dst == address(6))
        yield "bottleneck_util", metrics.fixed(used * 1e9 / self.RATE, 4)
        for i in (1, 2, 3, 4):
            yield f"source_gbps.S{i}", gbps(lambda src, _, i=i: src == address(i))

    def bottleneck_least(self):
        return 0.94

    def victim_least(self, arm):
        """Gbit/s. With DCQCN and LOSS=10, 40 runs had 44.86 to 63.4."""
        return 44 if "dcqcn" in arm else 45 if self.LOSS else 49

    def expectations(self, m):
        for arm in self.ARMS:
            yield f"{arm}.dropped == 0"
            yield f"{arm}.out_of_order == 0"
            if self.defaults("BUF RATE DELAY MTU") and self.FLOWS <= 16 and self.LOSS <= 10:
                yield from self.findings(arm)

    def findings(self, arm):
        yield f"{arm}.stuck_holds == 0"
        yield f"{arm}.unfinished == 0"
        if arm == "pfc":
            yield "pfc.victim_gbps <= 27"
        if arm not in ("rcm", "rcm+dcqcn"):
            return
        yield f"{arm}.victim_gbps >= {self.victim_least(arm)}"
        if self.LOSS:
            yield f"{arm}.notifications.lost > 0"
        elif arm == "rcm":
            yield "rcm.bottleneck_util >= 0.99"
            yield "rcm.fabric_pauses_in_time == 0"
            yield f"rcm.pauses.fabric <= {self.PAUSES_AFTER}"
        else:
            yield f"{arm}.bottleneck_util >= {self.bottleneck_least()}"

    @picture("What the victim and the four sources of the congestion get.")
    def shares(self, ax, results):
        # labels with an underscore are not in the legend
        names = {"the victim": "victim_gbps", "S1 to S4": "source_gbps.S1",
                 **{f"_S{i}": f"source_gbps.S{i}" for i in (2, 3, 4)}}
        grouped_bars(ax, results.arms, {label: results.of_arms(name)
                                        for label, name in names.items()}, ["C1"] + [LIGHT] * 4)
        ax.set(ylabel="received (Gbit/s)")
