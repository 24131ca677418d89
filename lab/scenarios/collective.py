#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Metrics of collective operations, from flows, testbed.json, flows.csv and
stats.json in this folder:

job_us        time from the start of the slowest job to its end
ideal_us      the same in a network where only the links of hosts limit flows:
              each host sends its flows in the order in which they may start
straggler_us  the most time that a host ends after the median host of its job
paused_us     time that priority 3 was paused, summed over links; links.csv has it
              for each link: from, to, us
"""
import collections
import csv
import heapq
import json
import os
import re
import statistics

PAYLOAD = int(os.environ["MTU"])
HEADERS = 82         # of a packet on the link: 14 + 20 + 8 + 12 + 4 + 4 + 20 bytes
RETH = 16            # of the first packet of a message, in addition
TX_PRIO = 3
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9}

Flow = collections.namedtuple("Flow", "start size src dst after job")


def quantity(text):
    """Parses a rate or a time of tc(8): bit/s or ns."""
    number, unit = re.fullmatch(r"([\d.]+)([a-z]+)", text).groups()
    return float(number) * UNITS[unit]


NS_BYTE = 8e9 / quantity(os.environ["RATE"])
DELAY_NS = quantity(os.environ["DELAY"])


def numbers(text):
    """The list of "after": "1,4-6"."""
    for part in text.split(","):
        first, _, end = part.partition("-")
        yield from range(int(first), int(end or first) + 1)


def parse(line):
    words, _, comment = line.partition("#")
    words = words.split()
    after = list(numbers(words[6])) if words[5:6] == ["after"] else []
    return Flow(int(words[0]), int(words[1]), words[2], words[3], after,
                int(comment.split()[1]))


def wire_ns(size):
    """Time of a message on a link."""
    return (size + -(-size // PAYLOAD) * HEADERS + RETH) * NS_BYTE


class Network:
    """Paths between hosts, as the switches forward."""

    def __init__(self, testbed):
        self.hosts = {host["address"]: host for host in testbed["hosts"]}
        self.switches = {switch["name"]: switch for switch in testbed["switches"]}
        self.peers = {port["dev"]: port["peer"] for switch in testbed["switches"]
                      for port in switch["ports"]}

    def links(self, src, dst):
        """Number of links from one host to another."""
        name, at, count = self.hosts[dst]["name"], self.hosts[src]["peer"], 1
        while at != name:
            at = self.peers[self.switches[at]["forward"][name]]
            count += 1
        return count

    def delay_ns(self, flow):
        """From the last bit sent to its arrival; switches store and forward."""
        links = self.links(flow.src, flow.dst)
        last = flow.size - (-(-flow.size // PAYLOAD) - 1) * PAYLOAD
        first = RETH if flow.size <= PAYLOAD else 0
        return links * DELAY_NS + (links - 1) * (last + HEADERS + first) * NS_BYTE


def begins(flows, n, sent, ended):
    """When flow @n may begin: START_NS after its inputs and earlier messages."""
    received = [ended[a - 1] for a in flows[n].after if flows[a - 1].dst == flows[n].src]
    before = [sent[a - 1] for a in flows[n].after if flows[a - 1].src == flows[n].src]
    return max(max(received, default=0) + flows[n].start, *before, 0)


def ideal(flows, network):
    """End of each flow, in ns: flows take their hosts' links in order of start."""
    sent, ended = {}, {}
    sends, receives = collections.defaultdict(float), collections.defaultdict(float)
    waiters = collections.defaultdict(list)
    waits = [len(flow.after) for flow in flows]
    for n, flow in enumerate(flows):
        for first in flow.after:
            waiters[first - 1].append(n)
    ready = [(flow.start, n) for n, flow in enumerate(flows) if not flow.after]
    heapq.heapify(ready)
    while ready:
        at, n = heapq.heappop(ready)
        flow, ns = flows[n], wire_ns(flows[n].size)
        sent[n] = max(at, sends[flow.src]) + ns
        sends[flow.src] = sent[n]
        ended[n] = max(sent[n] + network.delay_ns(flow), receives[flow.dst] + ns)
        receives[flow.dst] = ended[n]
        for w in waiters[n]:
            waits[w] -= 1
            if waits[w]:
                continue
            heapq.heappush(ready, (begins(flows, w, sent, ended), w))
    return [ended[n] for n in range(len(flows))]


def of_jobs(flows, ends):
    """The longest job, and the latest host behind the median host, in us."""
    jobs, hosts = collections.defaultdict(float), collections.defaultdict(dict)
    for flow, end in zip(flows, ends):
        jobs[flow.job] = max(jobs[flow.job], end)
        of_job = hosts[flow.job]
        for host in (flow.src, flow.dst):
            of_job[host] = max(of_job.get(host, 0), end)
    behind = max(max(h.values()) - statistics.median(h.values()) for h in hosts.values())
    return max(jobs.values()) / 1e3, behind / 1e3


def links(stats):
    """Time that priority TX_PRIO of each sender of a link was paused, us."""
    for qdisc in stats["qdiscs"]:
        for prio in qdisc["prios"]:
            if prio["prio"] == TX_PRIO:
                yield qdisc["node"], qdisc["peer"], prio["rx_pause_duration"]


def main():
    with open("../flows" if os.path.exists("../flows") else "flows", encoding="ascii") as file:
        flows = [parse(line) for line in file]
    with open("testbed.json", encoding="utf-8") as file:
        testbed = json.load(file)
    with open("stats.json", encoding="utf-8") as file:
        stats = json.load(file)
    with open("flows.csv", encoding="ascii") as file:
        ends = [int(row["last_ns"]) for row in csv.DictReader(file)]
    paused = sorted(links(stats), key=lambda link: -link[2])
    with open("links.csv", "w", encoding="ascii") as file:
        file.writelines(f"{a},{b},{us}\n" for a, b, us in paused)
    network = Network(testbed)
    if min(ends) >= 0:
        job_us, behind_us = of_jobs(flows, ends)
        print(f"job_us {job_us:.3f}\nstraggler_us {behind_us:.3f}")
    print(f"ideal_us {of_jobs(flows, ideal(flows, network))[0]:.3f}")
    print(f"paused_us {sum(us for _, _, us in paused):.0f}")


if __name__ == "__main__":
    main()
