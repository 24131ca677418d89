# SPDX-License-Identifier: GPL-2.0
"""Hosts of a group send flows of measured sizes to each other: how long flows take with RCM.

Hosts of a fat tree are in 12 groups, of at least 4, which are drawn. For MS ms, flows of measured
sizes (CDF) begin at random between hosts of a group, and use LOAD of the hosts' links; then there
are DRAIN ms for the rest. Figure 9 of "Regional Congestion Mitigation". Mice have less than 1 MB,
elephants more than 10 MB. With ELEPHANTS=no these are left out: how fast mice would be if elephants
did not delay them at all.
"""
from lle_lab import Integer, OneOf, keys, metrics, pattern, payload_bps
from lle_lab.plots import INK, grouped_bars, picture

from . import _rcm as rcm

# from, less than
SIZES = {"below_100k": (0, 1e5), "100k_to_1m": (1e5, 1e6), "1m_to_10m": (1e6, 1e7),
         "mice": (0, 1e6), "elephants": (1e7 + 1, 1e18), "all": (0, 1e18)}
DRAWN = {"below_100k": "< 100 KB", "100k_to_1m": "< 1 MB", "1m_to_10m": "< 10 MB",
         "elephants": "elephants"}


def said(us):
    """A time above a bar."""
    return f"{us:.1f} µs" if us < 100 else f"{us:.0f} µs" if us < 10000 else f"{us / 1000:.1f} ms"


class RcmFct(rcm.RcmFatTree):
    CDF = keys.CDF("enterprise")
    LOAD = keys.LOAD(0.6)
    ELEPHANTS = OneOf("yes", "yes no", "flows of more than 10 MB are sent")
    MS = keys.MS(20)
    DRAIN = keys.DRAIN(300)
    LAS_QEQ = Integer(20, 0, 255, "young bytes of a flow in Q_eq of 15 KB, of arms with LAS")

    def nic(self):
        return super().nic() | {"window": 0, "bin_us": 0, "rto_us": 4000}

    def flows(self):
        flows = pattern("poisson", hosts=self.hosts, groups=min(self.hosts // 4, 12),
                        rate=payload_bps(self.RATE, self.MTU), load=self.LOAD,
                        cdf=keys.FLOW_SIZES / f"{self.CDF}.csv", duration=f"{self.MS}e6",
                        seed=self.SEED)
        return (line for line in flows if self.ELEPHANTS or int(line.split()[1]) <= 1e7)

    def seconds(self):
        return (self.MS + self.DRAIN) / 1e3

    def busy(self):
        return self.MS / 1e3

    def metrics(self, run):
        yield from super().metrics(run)
        flows = run.flows
        ended = flows.last_ns >= 0
        took_us = ((flows.last_ns - flows.start_ns) / 1e3)[ended]
        for name, (least, below) in SIZES.items():
            times = took_us[(least <= flows.size[ended]) & (flows.size[ended] < below)].tolist()
            yield f"fct_us.{name}.flows", len(times)
            if times:
                yield f"fct_us.{name}.mean", metrics.fixed(sum(times) / len(times), 3)
                yield f"fct_us.{name}.p99", metrics.fixed(rcm.percentile(times, 0.99), 3)

    def compare(self, m):
        yield from self.gains(m, "fct_us.mice.mean", "fct_gain_pct.mice_mean", -1)
        yield from self.gains(m, "fct_us.mice.p99", "fct_gain_pct.mice_p99", -1)
        yield from self.gains(m, "fct_us.elephants.mean", "fct_gain_pct.elephant_mean", -1)

    def expectations(self, m):
        measured = self.K <= 12 and self.defaults("BUF RATE DELAY MTU LOAD")
        for arm in self.ARMS:
            yield f"{arm}.dropped == 0"
            if measured and self.DRAIN >= 300:
                yield f"{arm}.unfinished == 0"
                yield f"{arm}.stuck_holds == 0"
        # of one run: the largest of about ten elephants decides their mean
        if (measured and self.MS >= 5 and self.defaults("CDF ELEPHANTS DRAIN KMIN KMAX PMAX")
                and {"dcqcn", "rcm+dcqcn"} <= set(self.ARMS)):
            yield "rcm+dcqcn.fct_gain_pct.mice_mean >= -6"
            yield "rcm+dcqcn.fct_gain_pct.mice_p99 >= -50"
            yield "rcm+dcqcn.fct_gain_pct.elephant_mean >= -20"

    @picture("Mean and 99 % completion times by size of the flow, as parts of dcqcn's, or of the "
             "first arm's; in the paper, mice take less than 0.9 of DCQCN's mean.",
             panels=2, beside=2, ratio=0.6)
    def fct(self, axes, results):
        for ax, what, name in zip(axes, ("mean", "p99"), ("mean", "99 %")):
            times = {arm: [results.metrics.get(f"{arm}.fct_us.{size}.{what}") for size in DRAWN]
                     for arm in results.arms}
            base = times["dcqcn" if "dcqcn" in times else results.arms[0]]
            grouped_bars(ax, list(DRAWN.values()), {
                arm: [us / first if us and first else None for us, first in zip(row, base)]
                for arm, row in times.items()})
            for bars, row in zip(ax.containers, times.values()):
                ax.bar_label(bars, [said(us) if us else "" for us in row], rotation=90, padding=3)
            ax.axhline(1, color=INK, linewidth=0.5)
            ax.set(ylabel=f"{name} (parts)")
            ax.margins(y=0.35)
