# SPDX-License-Identifier: GPL-2.0
"""A microburst shares a full link with four flows: how soon RCM cuts it.

Four hosts send to one over a link that they share and fill; then another host sends to it for
20 us, over another link. Figure 6 of "Regional Congestion Mitigation", RUNS times, with random
phases. LOSS percent of the congestion notifications are lost.
"""
from lle_lab import Draws, Topology, address, flow, keys, metrics, payload_bps
from lle_lab.plots import mark, picture

from . import _rcm as rcm

# times of a run in us: length, sending time of the four hosts, and the burst
PERIOD, INCAST, AT, BURST = 400, 300, 100, 20
SMOOTH_US, DRAWN_US = 4, 2      # 1 us has 11 packets: too few for a rate
CUT_GBPS, LOW_GBPS = 40, 25     # output of the burst: cut; its fair share
AFTER_US, BEFORE_END_US = 6, 2
# after that, isolated packets may be marked: a full link has a queue for ever
WITHIN_US = 100
PORT = "s3p1"


class Burst:
    """One burst: bytes in bins of one us, of it and of all incasts. Times are us since its first
    byte has arrived at the last switch, which then forwards the packet."""

    def __init__(self, scenario, run, number):
        self.gbps = scenario.gbps
        first, bins = 5 * number, run.bins.bytes[:, number * PERIOD:(number + 1) * PERIOD]
        self.burst = bins[first + 4].tolist()
        self.incasts = bins[first:first + 4].sum(axis=0).tolist()
        delay_us = scenario.DELAY / 1e3
        self.frame = scenario.MTU + metrics.HEADERS
        link_us = self.frame * 8e6 / scenario.RATE
        self.origin_us = number * PERIOD
        self.first_us = int(run.flows.start_ns[first + 4]) / 1e3 + 2 * delay_us + link_us
        # a packet that is received at a time began to leave before
        self.late_us = delay_us + link_us

    def since_first(self, t):
        """When the last switch sent the bytes of bin t."""
        return self.origin_us + t - self.late_us - self.first_us

    def rate(self, bins, t, width):
        return self.gbps(sum(bins[t:t + width]), width)

    def when(self, condition):
        """The first bin of the burst that meets a condition; None: never."""
        came = [t for t, size in enumerate(self.burst) if size]
        if not came:
            return None
        # at most the length of the burst
        end = min(came[-1] - SMOOTH_US, came[0] + BURST)
        return next((self.since_first(t) for t in range(came[0] + 1, end) if condition(t)), None)

    def low(self):
        """When the burst gets no more than its fair share."""
        return self.when(lambda t: self.rate(self.burst, t, SMOOTH_US) <= LOW_GBPS)

    def recovered(self):
        """When incasts get 95 % of the rest of the link."""
        return self.when(lambda t: self.rate(self.incasts, t, SMOOTH_US) >= 0.95 * 75)

    def after(self, bins):
        """Mean rate from AFTER_US until the burst would have ended."""
        wanted = [size for t, size in enumerate(bins)
                  if AFTER_US <= self.since_first(t) < BURST - BEFORE_END_US]
        return self.gbps(sum(wanted), len(wanted)) if wanted else 0

    def delayed(self):
        """The most delayed bytes of incasts within WITHIN_US, over the burst's bytes."""
        at = int(self.first_us - self.origin_us)
        calm = sum(self.incasts[at - 50:at]) / 50
        late = most = 0
        for size in self.incasts[at:at + WITHIN_US]:
            late += calm - size
            most = max(most, late)
        return most / sum(self.burst) if any(self.burst) else 0

    def cut(self, sent):
        """When the burst first gets less than CUT_GBPS for a us, or None. sent: times of packets in
        us since the start of flows."""
        mine = [at for at in sent if 0 <= at - self.first_us < BURST + 2]
        most = CUT_GBPS * 1e3 / 8 / self.frame      # packets in a us
        for n, at in enumerate(mine):
            if at > mine[-1] - 1 or at - self.first_us > BURST - 1:
                break
            if sum(at < other <= at + 1 for other in mine[n:]) <= most:
                return at - self.first_us
        return None


def statistics(name, values):
    """Mean, minimum and maximum of those that are not None; the mean has the bare name."""
    values = [value for value in values if value is not None]
    if values:
        yield name, metrics.fixed(sum(values) / len(values), 3)
        yield f"{name}_min", metrics.fixed(min(values), 3)
        yield f"{name}_max", metrics.fixed(max(values), 3)


class RcmMicroburst(rcm.Rcm):
    CAPTURE = keys.CAPTURE(PORT)
    CONGESTED = keys.CONGESTED("yes")
    ARMS = rcm.ARMS("pfc,dcqcn,rcm,rcm+dcqcn")
    RUNS = keys.RUNS(20)
    LOSS = keys.LOSS(0)

    def network(self):
        net = Topology()
        net.switches("s1", "s2", "s3")
        for host, switch in enumerate("s1 s1 s1 s1 s2 s3".split(), 1):
            net.host(f"h{host}", switch)
        net.path("s1 s3")
        net.path("s2 s3")
        return self.network_of(net)

    def nic(self):
        return super().nic() | {"window": 0, "bin_us": 1, "bins": self.RUNS * PERIOD}

    def flows(self):
        bps = payload_bps(self.RATE, self.MTU)
        for run in range(self.RUNS):
            draws = Draws(self.SEED * 100003 + run)
            begin_ns = run * PERIOD * 1000
            for src in (1, 2, 3, 4):
                yield flow(src, 6, bps * INCAST // 32000000, begin_ns + draws.draw(2000),
                           bps=bps // 4)
            yield flow(5, 6, bps * BURST // 8000000, begin_ns + AT * 1000 + draws.draw(2000))

    def seconds(self):
        return self.RUNS * PERIOD / 1e6

    def identified(self, run, bursts):
        """When CFR identified each burst at the last switch, and how many other flows it did."""
        start_us = run.start_ns / 1e3
        rows = run.table("congested.csv").rows()
        found = [(ns / 1e3 - start_us, identified)
                 for ns, port, _, _, _, identified in rows if port == PORT]
        decisions, others, before = [], 0, 0
        for burst in bursts:
            mine = [(at, identified) for at, identified in found
                    if burst.origin_us <= at < burst.origin_us + PERIOD]
            if mine:
                decisions.append(mine[0][0] - burst.first_us)
                others += mine[-1][1] - before - 1
                before = mine[-1][1]
        return decisions, others

    def cuts(self, run, bursts):
        """When each burst was cut, or None: from its packets in the capture, after the wire."""
        start_us = run.start_ns / 1e3
        sent = [ns / 1e3 - start_us - bursts[0].late_us
                for ns, _ in run.frames(PORT, f"src host {address(5)}")]
        return [burst.cut(sent) for burst in bursts]

    def metrics(self, run):
        yield from self.losses(run)
        yield from self.ends(run)
        bursts = [Burst(self, run, number) for number in range(self.RUNS)]
        decisions, cuts = [], []
        if self.CONGESTED:
            decisions, others = self.identified(run, bursts)
            yield "identified_runs", len(decisions)
            yield "identified_others", others
        if PORT in self.CAPTURE:
            cuts = self.cuts(run, bursts)
            yield "cut_runs", sum(cut is not None for cut in cuts)
        lows = [burst.low() for burst in bursts]
        yield "low_runs", sum(low is not None for low in lows)
        yield from statistics("decision_us", decisions)
        yield from statistics("first_cut_us", cuts)
        yield from statistics("low_us", lows)
        yield from statistics("incast_recover_us", [burst.recovered() for burst in bursts])
        yield from statistics("burst_gbps_after", [burst.after(burst.burst) for burst in bursts])
        yield from statistics("incast_gbps_after", [burst.after(burst.incasts) for burst in bursts])
        yield from statistics("delayed_share", [burst.delayed() for burst in bursts])

    def expectations(self, m):
        for arm in self.ARMS:
            yield f"{arm}.dropped == 0"
            yield f"{arm}.out_of_order == 0"
            if self.defaults("BUF RATE DELAY MTU LOSS"):
                yield from self.findings(arm)

    def findings(self, arm):
        yield f"{arm}.unfinished == 0"
        yield f"{arm}.stuck_holds == 0"
        if arm in ("pfc", "dcqcn") and PORT in self.CAPTURE:
            yield f"{arm}.cut_runs == 0"
        if arm not in ("rcm", "rcm+dcqcn"):
            return
        if self.CONGESTED:
            # not before its first byte has arrived
            yield f"{arm}.decision_us_min >= 0"
            yield f"{arm}.decision_us_max <= 2.5"
            yield f"{arm}.identified_runs == {self.RUNS}"
            yield f"{arm}.identified_others == 0"
        if PORT in self.CAPTURE:
            yield f"{arm}.cut_runs == {self.RUNS}"
            yield f"{arm}.first_cut_us_max <= 4"
        yield f"{arm}.low_runs == {self.RUNS}"
        yield f"{arm}.low_us_max <= 6"
        yield f"{arm}.burst_gbps_after_max <= 25"
        yield f"{arm}.burst_gbps_after_min >= 15"
        yield f"{arm}.incast_gbps_after_min >= 71"
        yield f"{arm}.delayed_share_max <= 1.02"

    @picture("What leaves the last switch: of the burst, and of each of the four others (dashed).")
    def burst(self, ax, results):
        for number, arm in enumerate(results.arms):
            first = Burst(self, results[arm], 0)
            spans = range(PERIOD - DRAWN_US)
            us = [first.since_first(t) + DRAWN_US / 2 for t in spans]
            ax.plot(us, [first.rate(first.burst, t, DRAWN_US) for t in spans], f"C{number}",
                    label=arm)
            ax.plot(us, [first.rate(first.incasts, t, DRAWN_US) / 4 for t in spans],
                    f"C{number}--", alpha=0.7)
        mark(ax, 0, "the burst comes")
        mark(ax, BURST, "it has come")
        ax.set(xlim=(-10, 60), ylim=(0, 70), xlabel="time since the first byte of the burst (µs)",
               ylabel="output (Gbit/s)")
