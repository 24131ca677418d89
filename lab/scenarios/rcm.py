#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Metrics of scenarios about RCM, from files in the folder of an arm:

rcm.py microburst PORT   from bins.csv, flows.csv, congested.csv: when CFR
                         identified the burst at PORT, and throughput of it and
                         of the incasts
rcm.py hotspot           from ../flows, flows.csv, bins.csv: throughput of
                         background and hot flows in the last two thirds of
                         windows; from timeline.csv, the time that switches were
                         paused
rcm.py fct               from flows.csv: completion times by size
rcm.py burst ARM         a line "ARM,us,burst,incast" each us of the first run:
                         Gbit/s of the burst, and of each incast; us since the
                         burst began
"""
import csv
import os
import re
import sys

PAYLOAD = int(os.environ["MTU"])  # bytes of a packet
FRAME = PAYLOAD + 82              # bytes of that packet on the link
UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "k": 1e3, "m": 1e6, "g": 1e9}
SMOOTH_US, DRAWN_US = 4, 2   # 1 us has 11 packets: too few for a rate
CUT_GBPS, LOW_GBPS = 40, 25  # output of the burst: cut; its fair share
BURST_US, AFTER_US, BEFORE_END_US = 20, 6, 2
# after that, isolated packets may be marked: a full link has a queue for ever
WITHIN_US = 100


def quantity(text):
    """Parses a rate or a time of tc(8): bit/s or us."""
    number, unit = re.match(r"([\d.]+)([a-z]+)", text).groups()
    return float(number) * UNITS[unit.removesuffix("bit")]


def read(name):
    """Rows without the head, one at a time: millions of messages take GBs."""
    with open(name, encoding="ascii") as file:
        next(file)
        yield from csv.reader(file)


def statistics(name, values):
    """Prints mean, minimum and maximum; the mean has the bare name."""
    if values:
        print(f"{name} {sum(values) / len(values):.3f}")
        print(f"{name}_min {min(values):.3f}\n{name}_max {max(values):.3f}")


def gbps(payload_bytes, us):
    """Throughput on the link, with headers."""
    return payload_bytes * 8 * FRAME / PAYLOAD / us / 1e3


class Run:
    """One burst: bins of one us, of it and of all incasts, from its first byte on."""

    def __init__(self, number, period, incasts, burst, at_us):
        self.link_us = FRAME * 8e6 / quantity(os.environ["RATE"])
        delay_us = quantity(os.environ["DELAY"])
        # one switch forwards the first packet, after it has arrived there
        self.first_us = at_us + 2 * delay_us + self.link_us
        # a packet that is received at a time began to leave before
        self.late_us = delay_us + self.link_us
        bins = slice(number * period, (number + 1) * period)
        self.origin_us = number * period
        self.burst = burst[bins]
        self.incasts = [sum(flow[t] for flow in incasts)
                        for t in range(bins.start, bins.stop)]

    def since_first(self, t):
        """When the last switch sent the bytes of bin t, in us from the first byte."""
        return self.origin_us + t - self.late_us - self.first_us

    def rate(self, bins, t, width=1):
        return gbps(sum(bins[t:t + width]), width)

    def when(self, condition):
        """The first bin of the burst that meets a condition; None: never."""
        came = [t for t, size in enumerate(self.burst) if size]
        if not came:
            return None
        began = came[0]
        # at most the length of the burst
        ends = min(came[-1] - SMOOTH_US, began + BURST_US)
        return next((self.since_first(t) for t in range(began + 1, ends)
                     if condition(t)), None)

    def after(self, bins):
        """Mean rate from AFTER_US until the burst would have ended."""
        wanted = [t for t in range(len(bins))
                  if AFTER_US <= self.since_first(t) < BURST_US - BEFORE_END_US]
        return gbps(sum(bins[t] for t in wanted), len(wanted)) if wanted else 0

    def delayed(self):
        """Maximum of delayed bytes of incasts within WITHIN_US, over the burst's
        bytes."""
        at = int(self.first_us - self.origin_us)
        calm = sum(self.incasts[at - 50:at]) / 50
        late = most = 0
        for size in self.incasts[at:at + WITHIN_US]:
            late += calm - size
            most = max(most, late)
        return most / sum(self.burst) if any(self.burst) else 0


def cut_us(run, sent):
    """When the burst first gets less than CUT_GBPS for a us, or None. @sent: times of
    its packets, in us since the first byte."""
    mine = [at for at in sent if 0 <= at - run.first_us < BURST_US + 2]
    most = CUT_GBPS * 1e3 / 8 / FRAME  # packets in a us
    for n, at in enumerate(mine):
        if at > mine[-1] - 1 or at - run.first_us > BURST_US - 1:
            break
        if sum(at < other <= at + 1 for other in mine[n:]) <= most:
            return at - run.first_us
    return None


def all_runs(period):
    flows = {row[0]: row for row in read("flows.csv")}
    bins = {row[0]: [int(n) for n in row[1:]] for row in read("bins.csv")}
    ids = sorted(flows, key=int)
    for number in range(int(os.environ["RUNS"])):
        *incasts, burst = ids[number * 5:number * 5 + 5]
        yield Run(number, period, [bins[i] for i in incasts], bins[burst],
                  int(flows[burst][5]) / 1e3)


def burst(arm):
    run = next(all_runs(int(os.environ["PERIOD"])))
    for t in range(len(run.burst) - DRAWN_US):
        print(f"{arm},{run.since_first(t) + DRAWN_US / 2:.1f},"
              f"{run.rate(run.burst, t, DRAWN_US):.2f},"
              f"{run.rate(run.incasts, t, DRAWN_US) / 4:.2f}")


def microburst(port):
    with open("start", encoding="ascii") as file:
        start_us = int(file.read()) / 1e3
    found = [(int(row[0]) / 1e3 - start_us, int(row[5]))
             for row in read("congested.csv") if row[1] == port]
    period = int(os.environ["PERIOD"])
    runs = list(all_runs(period))
    decisions, others, before = [], 0, 0
    for run in runs:
        mine = [(at, identified) for at, identified in found
                if run.origin_us <= at < run.origin_us + period]
        if mine:
            decisions.append(mine[0][0] - run.first_us)
            others += mine[-1][1] - before - 1
            before = mine[-1][1]
    with open("burst", encoding="ascii") as file:
        # the capture has packets after the wire
        sent = [float(line.split()[0]) / 1e3 - start_us - runs[0].late_us
                for line in file]
    cuts = [cut_us(run, sent) for run in runs]
    lows = [run.when(lambda t, run=run: run.rate(run.burst, t, SMOOTH_US) <= LOW_GBPS)
            for run in runs]
    backs = [run.when(lambda t, run=run:
                      run.rate(run.incasts, t, SMOOTH_US) >= 0.95 * 75)
             for run in runs]
    print(f"identified_runs {len(decisions)}\nidentified_others {others}")
    print(f"cut_runs {sum(cut is not None for cut in cuts)}")
    print(f"low_runs {sum(low is not None for low in lows)}")
    statistics("decision_us", decisions)
    statistics("first_cut_us", [cut for cut in cuts if cut is not None])
    statistics("low_us", [low for low in lows if low is not None])
    statistics("incast_recover_us", [back for back in backs if back is not None])
    statistics("burst_gbps_after", [run.after(run.burst) for run in runs])
    statistics("incast_gbps_after", [run.after(run.incasts) for run in runs])
    statistics("delayed_share", [run.delayed() for run in runs])


def percentile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def paused_share(windows):
    """Mean part of these windows, in us, in which switch ports were paused."""
    rows = [(int(row[0]), row[1], int(row[4])) for row in read("timeline.csv")]
    begin = min(row[0] for row in rows)
    paused_us, ports = 0, set()
    for edge, sign in [(end, 1) for _, end in windows] + [(start, -1) for start, _ in windows]:
        # paused_ns is cumulative; hosts have addresses as names
        last = {port: ns for at, port, ns in rows
                if at - begin <= edge * 1e3 and "." not in port}
        ports |= set(last)
        paused_us += sign * sum(last.values()) / 1e3
    return paused_us / len(ports) / sum(end - start for start, end in windows)


def hotspot():
    """Throughput of each host in the last two thirds of windows of a run."""
    bin_us = quantity(os.environ["BIN"])
    period, hosts = int(os.environ["PERIOD"]), int(os.environ["HOSTS"])
    runs = int(os.environ["RUNS"])
    # in bins, which are thirds of the first window
    windows = os.environ["MS"].split(",")
    thirds = {ms: round(float(ms) / float(windows[0])) for ms in windows}
    payload = {(kind, ms): [0] * runs for kind in ("background", "hot") for ms in windows}
    took = {kind: [] for kind in ("background", "hot")}
    with open("../flows", encoding="ascii") as file:
        kinds = ["hot" if "# hot" in line else "background" for line in file]
    for kind, flow, bins in zip(kinds, read("flows.csv"), read("bins.csv")):
        start, last = int(flow[5]) / 1e3, int(flow[7]) / 1e3
        run = int(start / bin_us / period)
        first = run * period + 1
        for ms, third in thirds.items():
            payload[kind, ms][run] += sum(map(int, bins[first + third:first + 3 * third]))
        if start >= first * bin_us and last >= 0:
            took[kind].append(last - start)
    for ms, third in thirds.items():
        prefixes = [f"of_{ms.replace('.', '_')}ms."] if len(windows) > 1 else []
        if ms == windows[-1]:
            prefixes.append("")
        share = paused_share([((run * period + third) * bin_us, (run * period + 3 * third) * bin_us)
                              for run in range(runs)])
        each = {kind: [gbps(n / hosts, 2 * third * bin_us) for n in payload[kind, ms]]
                for kind in took}
        for prefix in prefixes:
            for kind, values in each.items():
                print(f"{prefix}{kind}_gbps {sum(values) / runs:.3f}")
            print(f"{prefix}paused_share {share:.4f}")
    for kind, values in each.items():
        for run, value in enumerate(values):
            print(f"runs.{run}.{kind}_gbps {value:.3f}")
    everything = sum(sum(numbers) for (_, ms), numbers in payload.items() if ms == windows[-1])
    print(f"all_gbps {gbps(everything / hosts / runs, 2 * thirds[windows[-1]] * bin_us):.3f}")
    for kind, times in [*took.items(), ("all", sum(took.values(), []))]:
        if not times:
            continue
        print(f"latency_us.{kind}.mean {sum(times) / len(times):.3f}")
        print(f"latency_us.{kind}.p99 {percentile(times, 0.99):.3f}")
        print(f"latency_us.{kind}.max {max(times):.3f}")


SIZES = {  # from, less than
    "below_100k": (0, 1e5), "100k_to_1m": (1e5, 1e6), "1m_to_10m": (1e6, 1e7),
    "mice": (0, 1e6), "elephants": (1e7 + 1, 1e18), "all": (0, 1e18)}


def fct():
    flows = [(int(row[4]), (int(row[7]) - int(row[5])) / 1e3)
             for row in read("flows.csv") if int(row[7]) >= 0]
    for name, (least, below) in SIZES.items():
        times = [took for size, took in flows if least <= size < below]
        print(f"fct_us.{name}.flows {len(times)}")
        if times:
            print(f"fct_us.{name}.mean {sum(times) / len(times):.3f}")
            print(f"fct_us.{name}.p99 {percentile(times, 0.99):.3f}")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
