# SPDX-License-Identifier: GPL-2.0
"""Hosts send as much as their links carry, most to any host, a part to few: hot spots with RCM.

All hosts of a fat tree send messages at random times, as much as their links carry: most to any
host (background), HOT_SHARE to an eighth of the hosts (hot), more than these can receive. Messages
between two hosts share a queue pair, and the rate that DCQCN has found for it; with QP=100us until
it has been idle for that long. Figure 8 of "Regional Congestion Mitigation". Throughput is that of
the last two thirds of MS ms, the mean of RUNS runs with different hot hosts. MS=1.5,4.5,12 measures
three windows of the same messages; metrics of the last one have no prefix. paused_share is the part
of that time in which ports of switches were paused.
"""
from lle_lab import Numbers, Time, keys, metrics, pattern, payload_bps
from lle_lab import numpy as np
from lle_lab.plots import INK, grouped_bars, picture

from . import _rcm as rcm

KINDS = "background", "hot"


class RcmHotspot(rcm.RcmFatTree):
    RUNS = keys.RUNS(3)
    LOAD = keys.LOAD("1.0")
    HOT_SHARE = keys.HOT_SHARE(0.15)
    SIZE = keys.SIZE(32768)
    BUF = keys.BUF(150)
    MS = Numbers(4.5, 0.1, 1000, "ms that messages begin, multiples of the first one")
    QP = Time("pair", "0us", "1s", "idle time after which a message has a queue pair of its own",
              other="pair")

    # a bin is a third of the first window; a run is long enough for its last messages to arrive
    bin_us = property(lambda self: round(self.MS[0] * 1000 / 3))
    bins = property(lambda self: round(3 * self.MS[-1] / self.MS[0]))
    period = property(lambda self: 8 * self.bins)

    def limits(self):
        for before, ms in zip(self.MS, self.MS[1:]):
            times = ms / self.MS[0]
            if ms <= before or (times - int(times + 0.5))**2 > 1e-12:
                self.refuse("MS", "not multiples of the first one, each larger than the one before")
        super().limits()

    def nic(self):
        run_us = self.period * self.bin_us
        return super().nic() | {
            "window": 0,
            # messages of two runs must not share a queue pair
            "pair_us": run_us // 2 if self.QP == "pair" else self.QP // 1000,
            # bins after the last window are not read; each message has all bins
            "bin_us": self.bin_us, "bins": (self.RUNS - 1) * self.period + self.bins,
            # a gap has one NAK: the time-out repairs reordered retransmissions
            "rto_us": run_us // 3}

    def flows(self):
        for run in range(self.RUNS):
            yield from pattern("poisson", hosts=self.hosts, rate=payload_bps(self.RATE, self.MTU),
                               load=self.LOAD, hot=(self.hosts + 4) // 8, hot_share=self.HOT_SHARE,
                               size=self.SIZE, start=run * self.period * self.bin_us * 1000,
                               duration=f"{self.MS[-1]}e6", seed=self.SEED * 1000 + run)

    def seconds(self):
        return self.RUNS * self.period * self.bin_us / 1e6

    def busy(self):
        return (self.RUNS - 1) * self.period * self.bin_us / 1e6 + self.MS[-1] / 1e3

    def windows(self):
        """Yields the prefixes of a window's metrics, and a third of it in bins."""
        for text, ms in zip(self.texts["MS"].split(","), self.MS):
            prefixes = [f"of_{text.replace('.', '_')}ms."] if len(self.MS) > 1 else []
            yield prefixes + [""] * (ms == self.MS[-1]), round(ms / self.MS[0])

    def paused_share(self, run, third):
        """Mean part of the last two thirds of a window in which ports of switches were paused."""
        starts, ends = ([(number * self.period + bins) * self.bin_us for number in range(self.RUNS)]
                        for bins in (third, 3 * third))
        begin = run.timeline.time_ns.min().item()
        # hosts have addresses as names
        rows = [(at - begin, port, ns) for at, port, _, _, ns, *_ in run.timeline.rows()
                if "." not in port]
        paused_us, ports = 0, set()
        for edge, sign in [(end, 1) for end in ends] + [(start, -1) for start in starts]:
            # paused_ns is cumulative
            last = {port: ns for at, port, ns in rows if at <= edge * 1e3}
            ports |= set(last)
            paused_us += sign * sum(last.values()) / 1e3
        return paused_us / len(ports) / sum(end - start for start, end in zip(starts, ends))

    def metrics(self, run):
        yield from super().metrics(run)
        flows, bytes = run.flows, run.bins.bytes
        start_us, last_us = flows.start_ns / 1e3, flows.last_ns / 1e3
        number = (start_us / self.bin_us / self.period).astype(int)
        hot = np.array(["# hot" in line for line in self.flows()])
        rows = {"background": ~hot, "hot": hot}
        for prefixes, third in self.windows():
            share = self.paused_share(run, third)
            payload = {kind: [int(bytes[rows[kind] & (number == i),
                                        i * self.period + third:i * self.period + 3 * third].sum())
                              for i in range(self.RUNS)] for kind in KINDS}
            us = 2 * third * self.bin_us
            each = {kind: [self.gbps(n / self.hosts, us) for n in payload[kind]] for kind in KINDS}
            for prefix in prefixes:
                for kind in KINDS:
                    yield f"{prefix}{kind}_gbps", metrics.fixed(sum(each[kind]) / self.RUNS, 3)
                yield f"{prefix}paused_share", metrics.fixed(share, 4)
        for kind in KINDS:
            for i, value in enumerate(each[kind]):
                yield f"runs.{i}.{kind}_gbps", metrics.fixed(value, 3)
        total = sum(payload["background"]) + sum(payload["hot"])
        yield "all_gbps", metrics.fixed(self.gbps(total / self.hosts / self.RUNS, us), 3)
        # without messages of the first bin of a run
        used = (start_us >= (number * self.period + 1) * self.bin_us) & (last_us >= 0)
        took = {kind: (last_us - start_us)[rows[kind] & used].tolist() for kind in KINDS}
        for kind, times in [*took.items(), ("all", took["background"] + took["hot"])]:
            if times:
                yield f"latency_us.{kind}.mean", metrics.fixed(sum(times) / len(times), 3)
                yield f"latency_us.{kind}.p99", metrics.fixed(rcm.percentile(times, 0.99), 3)
                yield f"latency_us.{kind}.max", metrics.fixed(max(times), 3)

    def compare(self, m):
        for kind in KINDS:
            yield from self.gains(m, f"{kind}_gbps", f"{kind}_gain_pct")
            for (prefix, *_), _ in self.windows():
                if prefix:
                    yield from self.gains(m, f"{prefix}{kind}_gbps", f"{prefix}{kind}_gain_pct")

    def expectations(self, m):
        measured = (self.K <= 12 and self.BUF in (100, 150)
                    and self.defaults("RATE DELAY MTU LOAD HOT_SHARE SIZE"))
        for arm in self.ARMS:
            yield f"{arm}.dropped == 0"
            if measured:
                yield f"{arm}.unfinished == 0"
                yield f"{arm}.stuck_holds == 0"
                # messages end before the next run
                yield f"{arm}.latency_us.all.max < {(self.period - self.bins) * self.bin_us}"
                yield f"{arm}.reorder_share <= 0.002"
        if (measured and {"dcqcn", "rcm+dcqcn"} <= set(self.ARMS) and 0.75 <= self.MS[-1] <= 12
                and self.defaults("QP KMIN KMAX PMAX")):
            # percent; K=6: 5.2 at least
            yield f"rcm+dcqcn.background_gain_pct > {8 if self.K == 4 else 0}"
            yield "rcm+dcqcn.hot_gain_pct >= -5"
            if self.K in (4, 6) and self.MS == [1.5]:
                yield f"rcm+dcqcn.background_gbps >= {75 if self.K == 4 else 77}"

    @picture("Throughput of each host, mean latency of messages, and the gain over dcqcn; in the "
             "paper, background gains 12.2 %.", panels=3, beside=3, ratio=0.8)
    def hotspot(self, axes, results):
        def bars(ax, metric, kinds, label):
            grouped_bars(ax, kinds, {
                arm: [results.metrics.get(f"{arm}.{metric.format(kind)}") for kind in kinds]
                for arm in results.arms})
            ax.set(ylabel=label)

        bars(axes[0], "{}_gbps", [*KINDS, "all"], "received (Gbit/s)")
        bars(axes[1], "latency_us.{}.mean", [*KINDS, "all"], "mean latency (µs)")
        bars(axes[2], "{}_gain_pct", KINDS, "gain (%)")
        axes[2].hlines(12.2, -0.45, 0.45, color=INK)
