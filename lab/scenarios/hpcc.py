#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes a run of the lab as files of HPCC's ns-3, to the folder hpcc of the run.

Usage: hpcc.py FOLDER

topology.txt  nodes, switches, links; switches; SRC DST RATE DELAY ERROR_RATE
flow.txt      number of flows; SRC DST PG DPORT SIZE START_S
fct.txt       SIP DIP SPORT DPORT SIZE START_NS FCT_NS STANDALONE_FCT_NS of each
              flow that has ended, in the order of their ends
pfc.txt       TIME_NS NODE NODE_TYPE PORT TYPE of each pause (type 1) and resume
              (0) that a port receives; needs PAUSES=yes

Nodes have the numbers of their names, such as h5 and s16, if all differ, else
hosts and then switches have 0, 1 and so on. The fields are those of qp_finish() and
get_pfc() in simulation/scratch/third.cc of
alibaba-edu/High-Precision-Congestion-Control.
"""
import collections
import csv
import json
import os
import re
import sys

HEADERS = 82            # of a packet on the link, as in collective.py
PFC_BYTES = 60          # of a PFC frame, as in bounds.py
SPORT = 10000           # of the first flow of a host
DPORT = "100"
DIGITS = re.compile(r"[a-z]+(\d+)")


class Run:
    """Files of a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.testbed = json.loads(self.text("testbed.json"))
        self.payload = int(os.environ.get("MTU") or
                           json.loads(self.text("result.json"))["keys"].get("MTU", 1500))
        self.qdiscs = json.loads(self.text("stats.json"))["qdiscs"]
        self.of_dev = {q["node"] if q["role"] == "host" else q["dev"]: q for q in self.qdiscs}
        self.flows = self.rows("flows.csv")
        self.node = self.numbered()
        self.name = {host["address"]: host["name"] for host in self.testbed["hosts"]}
        asked = self.text("flows")
        begin = re.match("# from ([0-9]+)\n", asked)
        self.begin_ns = int(begin[1]) if begin else 0
        dports = [re.search("# dport ([0-9]+)", line) for line in asked.splitlines()
                  if line and not line.startswith(("#", "storm"))]
        for flow, found in zip(self.flows, dports):
            flow["dport"] = found[1] if found else DPORT

    def text(self, name):
        with open(os.path.join(self.folder, name), encoding="ascii") as file:
            return file.read()

    def rows(self, name):
        """Lines of a table; none if there is no such file."""
        try:
            return list(csv.DictReader(self.text(name).splitlines()))
        except FileNotFoundError:
            return []

    def numbered(self):
        """{name: number of the node}"""
        names = [node["name"] for kind in ("hosts", "switches") for node in self.testbed[kind]]
        numbers = [int(found[1]) for found in map(DIGITS.fullmatch, names) if found]
        if len(set(numbers)) < len(names):
            numbers = range(len(names))
        return dict(zip(names, numbers))

    def path(self, src, dst):
        """The qdiscs that send on the path from one host to another."""
        switches = {switch["name"]: switch for switch in self.testbed["switches"]}
        qdisc = self.of_dev[src]
        while True:
            yield qdisc
            if qdisc["peer"] == dst:
                return
            qdisc = self.of_dev[switches[qdisc["peer"]]["forward"][dst]]


def rate(qdisc):
    """Bit/s of the link of a qdisc."""
    return 8 * qdisc["options"]["rate"]


def wire_ns(qdisc):
    """From the first bit of a PFC frame sent to the last one received."""
    options = qdisc["options"]
    return options["delay"] + round((PFC_BYTES + options["overhead"]) * 10**9 / options["rate"])


def topology(run):
    switches = [run.node[switch["name"]] for switch in run.testbed["switches"]]
    senders = [run.of_dev[host["name"]] for host in run.testbed["hosts"]]
    seen = collections.Counter()
    for port in (port for switch in run.testbed["switches"] for port in switch["ports"]):
        q = run.of_dev[port["dev"]]
        seen[q["node"], q["peer"]] += 1
        # once for each link, also where links are parallel
        if q["role"] == "fabric" and seen[q["node"], q["peer"]] > seen[q["peer"], q["node"]]:
            senders.append(q)
    yield f"{len(run.node)} {len(switches)} {len(senders)}"
    yield " ".join(map(str, switches))
    for q in senders:
        yield (f"{run.node[q['node']]} {run.node[q['peer']]} {rate(q) / 1e9:g}Gbps "
               f"{q['options']['delay']}ns 0")


def start_ns(run, flow):
    return run.begin_ns + int(flow["start_ns"])


def ends(run, flow):
    return [run.node[run.name[flow[end]]] for end in ("src", "dst")]


def began(run):
    """Flows that have begun, in this order."""
    return sorted((flow for flow in run.flows if int(flow["start_ns"]) >= 0),
                  key=lambda flow: int(flow["start_ns"]))


def flows(run):
    found = began(run)
    yield str(len(found))
    for flow in found:
        ns = start_ns(run, flow)
        yield "{} {} {} {} {} {}.{:09}".format(
            *ends(run, flow), flow["prio"], flow["dport"], flow["size"], *divmod(ns, 10**9))


def address(node):
    """The IP address of a node, in hexadecimal."""
    return f"{0x0b000001 + node // 256 * 0x10000 + node % 256 * 0x100:08x}"


def standalone_ns(run, flow):
    """As in HPCC: a round trip of one packet, then all bytes at the lowest rate."""
    path = list(run.path(*(run.name[flow[end]] for end in ("src", "dst"))))
    size = int(flow["size"])
    packets = -(-size // run.payload)
    trip = sum(2 * q["options"]["delay"] + run.payload * 8 * 10**9 // rate(q) for q in path)
    return trip + (size + packets * HEADERS) * 8 * 10**9 // min(map(rate, path))


def completions(run):
    ports, lines = collections.Counter(), []
    for flow in began(run):
        sport = SPORT + ports[flow["src"]]
        ports[flow["src"]] += 1
        acked = int(flow["acked_ns"])
        if acked < 0:
            continue
        sip, dip = map(address, ends(run, flow))
        lines.append((acked, f"{sip} {dip} {sport} {flow['dport']} {flow['size']} "
                      f"{start_ns(run, flow)} {acked - int(flow['start_ns'])} "
                      f"{standalone_ns(run, flow)}"))
    for _, line in sorted(lines):
        yield line


def pauses(run):
    timeline = run.rows("timeline.csv")
    if not timeline:
        return
    zero = int(timeline[0]["time_ns"]) - run.begin_ns
    found = []
    for row in run.rows("pauses.csv"):
        at, qdisc = int(row["time_us"]) * 1000 - zero, run.of_dev[row["port"]]
        if row["direction"] == "rx":
            receiver = (run.node[qdisc["node"]], 1, row["port"].rsplit("p", 1)[1])
        elif qdisc["role"] == "edge":   # hosts have no trace: what a switch sends arrives
            receiver = (run.node[qdisc["peer"]], 0, 1)
            at += wire_ns(qdisc)
        else:
            continue
        found.append((at, *receiver, int(row["event"] == "pause")))
    for line in sorted(found, key=lambda line: line[0]):
        yield " ".join(map(str, line))


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, end="", file=sys.stderr)
        return 1
    run = Run(sys.argv[1])
    folder = os.path.join(run.folder, "hpcc")
    os.makedirs(folder, exist_ok=True)
    for name, printed in (("topology", topology), ("flow", flows), ("fct", completions),
                          ("pfc", pauses)):
        with open(os.path.join(folder, f"{name}.txt"), "w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in printed(run))
    return 0


if __name__ == "__main__":
    sys.exit(main())
