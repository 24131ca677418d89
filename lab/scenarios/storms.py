#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Metrics of the scenario storm, from files in the folder of its run: storms.py
<PLAN

PLAN has lines "SEED HOST ALONE WATCHED END", times in us; see storm.sh. Prints
metrics, and writes storms.csv, a line a seed, and received.csv: throughput
around the first death, over that before.
"""
import array
import csv
import json
import math
import os
import statistics
import sys

PRIO = 3
BEFORE_MS = 20   # before a death, for the throughput without a storm
STALLED_MS = 50  # a host that sends no byte in the last of them is stalled
WITHIN_MS = 20   # after the detection time, victims must have recovered
SMOOTH_MS = 4    # averaging time of received.csv
BACK = 0.95      # of the throughput before, for a victim that has recovered
DEAD_MS, DETECTION_MS, RESTORATION_MS = (
    int(os.environ[key]) for key in ("DEAD", "DETECTION", "RESTORATION"))


def read_csv(name):
    with open(name, encoding="ascii") as file:
        return list(csv.DictReader(file))


class Run:
    """Data of a run; times are ms since its start."""

    def __init__(self):
        with open("testbed.json", encoding="ascii") as file:
            self.hosts = json.load(file)["hosts"]
        with open("start", encoding="ascii") as file:
            self.start_ms = int(file.read()) / 1e6
        self.flows = [(flow["src"], flow["dst"]) for flow in read_csv("flows.csv")]
        with open("bins.csv", encoding="ascii") as file:
            next(file)
            self.bins = [array.array("L", map(int, line.split(",")[1:])) for line in file]
        with open("storms.json", encoding="ascii") as file:
            self.events = [json.loads(line) for line in file]
        for event in self.events:
            event["ms"] = event["time_ns"] / 1e6 - self.start_ms
        self.edges = self.read_edges()

    def read_edges(self):
        """By port: its pauses and resumes, as pairs of that and a time."""
        edges = {}
        for pause in read_csv("pauses.csv"):
            port = edges.setdefault(pause["port"], [("resume", 0)])
            if pause["direction"] == "rx" and int(pause["prio"]) == PRIO and \
                    pause["event"] != port[-1][0]:
                port.append((pause["event"], int(pause["time_us"]) / 1e3 - self.start_ms))
        return edges

    def of(self, host):
        """Numbers of the flows from and to a host."""
        return {i for i, flow in enumerate(self.flows) if host["address"] in flow}

    def others(self, host):
        """Numbers of all other flows."""
        return set(range(len(self.flows))) - self.of(host)

    def received(self, flows, start, end):
        """Bytes per ms, the mean of whole bins within this time."""
        start, end = math.ceil(start), math.floor(end)
        return sum(sum(self.bins[i][start:end]) for i in flows) / (end - start)

    def share(self, flows, died, start, end):
        """Throughput over that before a death; 0 if there was none before."""
        before = self.received(flows, died - BEFORE_MS, died)
        return self.received(flows, start, end) / before if before else 0

    def stalled(self, dead, end):
        """Share of the other hosts that send no byte."""
        alive = {self.flows[i][0] for i in self.others(dead)
                 if self.received([i], end - STALLED_MS, end)}
        return 1 - len(alive) / (len(self.hosts) - 1)

    def last_arrival(self, flows, start, end):
        """End of the last ms in this time with bytes of these flows."""
        return max((ms + 1 for i in flows for ms in range(math.floor(start), math.floor(end))
                    if self.bins[i][ms]), default=start)

    def told(self, status, start, end):
        return [e for e in self.events if e["status"] == status and start <= e["ms"] < end]

    def since(self, edge, event):
        """Time from the last such edge at the port of an event to the event."""
        return event["ms"] - max(ms for what, ms in self.edges[event["ifname"]]
                                 if what == edge and ms <= event["ms"])


class Death:
    """A NIC that dies in its seed's turn, first without watchdogs."""

    def __init__(self, run, line):
        seed, host, *times = map(int, line.split())
        self.run, self.seed, self.host = run, seed, run.hosts[host - 1]
        self.alone, self.watched, self.end = (us / 1000 for us in times)
        self.others = run.others(self.host)

    def origin_correct(self):
        """Do watchdogs report this NIC, and no other?"""
        told = self.run.told("stormed", self.alone, self.end)
        return [(e["ifname"], e["prio"], e["peer_mac"]) for e in told] == \
            [(self.host["peer_dev"], PRIO, self.host["mac"])]

    def slowest(self, start, end):
        """The smallest share of the throughput before, of the other hosts."""
        return min(self.run.share(self.others & self.run.of(host), self.watched, start, end)
                   for host in self.run.hosts if host != self.host)

    def back(self, detected):
        """Time from the detection until the victims have recovered."""
        return next((ms for ms in range(DEAD_MS) if BACK <= self.run.share(
            self.others, self.watched, detected + ms, detected + ms + 2)), None)

    def line(self):
        """A row of storms.csv."""
        run = self.run
        repaired = self.watched + DEAD_MS
        with_ = self.watched + DETECTION_MS + WITHIN_MS, repaired
        line = {
            "seed": self.seed, "host": self.host["name"],
            "detected": None, "restored": None,
            "detect_ms": None, "stuck_ms": None, "restore_ms": None, "back_ms": None,
            "origin_correct": int(self.origin_correct()),
            # time until the last byte arrives from one living host at another
            "stalled_ms": run.last_arrival(
                self.others, self.alone, self.alone + DEAD_MS) - self.alone,
            "stalled_without": run.stalled(self.host, self.alone + DEAD_MS),
            "victims_with": run.share(self.others, self.watched, *with_),
            "slowest_with": self.slowest(*with_),
            "repaired": run.share(run.of(self.host), self.watched,
                                  repaired + RESTORATION_MS + WITHIN_MS, self.end)}
        for event in run.told("stormed", self.watched, self.end)[:1]:
            line["detected"] = event["ms"] - self.watched
            line["detect_ms"] = run.since("pause", event)
            # time that the port is paused while a packet waits
            line["stuck_ms"] = (event["time_ns"] - event["since_ns"]) / 1e6
            line["back_ms"] = self.back(event["ms"])
        for event in run.told("operational", self.watched, self.end)[:1]:
            line["restored"] = event["ms"] - self.watched
            line["restore_ms"] = run.since("resume", event)
        # pauses.csv has whole us
        return {name: round(value, 3) if isinstance(value, float) else value
                for name, value in line.items()}

    def received(self):
        """Rows of received.csv: flows, time, and share over SMOOTH_MS."""
        to_host = {i for i, (_, dst) in enumerate(self.run.flows)
                   if dst == self.host["address"]}
        for who, flows, died, end in (
                ("others_without", self.others, self.alone, self.watched - BEFORE_MS),
                ("others_with", self.others, self.watched, self.end),
                ("host_with", to_host, self.watched, self.end)):
            for ms in range(-BEFORE_MS, int(end - died) - SMOOTH_MS):
                yield who, ms + SMOOTH_MS / 2, self.run.share(
                    flows, died, died + ms, died + ms + SMOOTH_MS)


def write_csv(name, head, lines):
    with open(name, "w", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *lines])


def print_spread(name, values):
    """Prints nothing if an event is missing: expectations fail."""
    if None not in values:
        for what in (min, statistics.median, max):
            print(f"{name}.{what.__name__} {what(values):.3f}")


def main():
    run = Run()
    deaths = [Death(run, line) for line in sys.stdin]
    lines = [death.line() for death in deaths]
    columns = {name: [line[name] for line in lines] for name in lines[0]}
    write_csv("storms.csv", columns, zip(*columns.values()))
    write_csv("received.csv", ("who", "ms", "share"), deaths[0].received())

    print("hosts_died", len(set(columns["host"])))
    print("stalled_share_without", min(columns["stalled_without"]))
    print("storms", sum(event["status"] == "stormed" for event in run.events))
    print("origin_correct", sum(columns["origin_correct"]))
    for name in ("stalled_ms", "detect_ms", "stuck_ms", "restore_ms", "back_ms"):
        print_spread(name, columns[name])
    print("victim_throughput_with", min(columns["victims_with"]))
    print("slowest_victim_with", min(columns["slowest_with"]))
    print("repaired_throughput", min(columns["repaired"]))


if __name__ == "__main__":
    main()
