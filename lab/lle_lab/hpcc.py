# SPDX-License-Identifier: GPL-2.0
"""Writes a run as files of HPCC's ns-3, to the folder hpcc of the run:

topology.txt  nodes, switches, links; switches; SRC DST RATE DELAY ERROR_RATE;
              the file of an import, if it was one of HPCC
flow.txt      number of flows; SRC DST PG DPORT SIZE START_S
fct.txt       SIP DIP SPORT DPORT SIZE START_NS FCT_NS STANDALONE_FCT_NS of each
              flow that has ended, in the order of their ends
pfc.txt       TIME_NS NODE NODE_TYPE PORT TYPE of each pause (type 1) that a
              port receives and that begins, and of each resume (0) that ends
              one; needs PAUSES=yes

Nodes have the numbers of their names, such as h5 and s16, if all differ, else hosts and then
switches have 0, 1 and so on. Links of a node are its ports 1, 2 and so on, in the order of
topology.txt. The fields are those of qp_finish() and get_pfc() in
simulation/scratch/third.cc of alibaba-edu/High-Precision-Congestion-Control.
"""
import collections
import csv
import json
import re

from .bounds import PFC_BYTES
from .metrics import HEADERS

SPORT = 10000           # of the first flow from a host to another
DPORT = "100"
DIGITS = re.compile(r"[a-z]+(\d+)")


class Run:
    """Files of a run without arms. payload, headers: bytes of a packet."""

    def __init__(self, folder, payload, headers):
        self.folder, self.payload, self.headers = folder, payload, headers
        self.testbed = json.loads(self.text("testbed.json"))
        self.switches = {switch["name"]: switch for switch in self.testbed["switches"]}
        self.qdiscs = json.loads(self.text("stats.json"))["qdiscs"]
        self.of_dev = {q["node"] if q["role"] == "host" else q["dev"]: q for q in self.qdiscs}
        self.flows = self.rows("flows.csv")
        self.node = self.numbered()
        self.name = {host["address"]: host["name"] for host in self.testbed["hosts"]}
        asked = self.text("plan/arms/1/flows")
        begin = re.match("# from ([0-9]+)\n", asked)
        self.begin_ns = int(begin[1]) if begin else 0
        asked = [line for line in asked.splitlines()
                 if line and not line.startswith(("#", "storm"))]
        for flow, line in zip(self.flows, asked):
            # of the file, where importers have noted them
            for name, default in ("dport", DPORT), ("size", flow["size"]):
                found = re.search(rf"#.* {name} ([0-9]+)", line)
                flow[name] = found[1] if found else default

    def text(self, name):
        return (self.folder / name).read_text(encoding="ascii")

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
        qdisc = self.of_dev[src]
        while True:
            yield qdisc
            if qdisc["peer"] == dst:
                return
            qdisc = self.of_dev[self.switches[qdisc["peer"]]["forward"][dst]]

    def start_ns(self, flow):
        return self.begin_ns + int(flow["start_ns"])

    def ends(self, flow):
        """Names of the sender and of the receiver."""
        return [self.name[flow[end]] for end in ("src", "dst")]

    def began(self):
        """Flows that have begun, in this order."""
        return sorted((flow for flow in self.flows if int(flow["start_ns"]) >= 0),
                      key=lambda flow: int(flow["start_ns"]))


def rate(qdisc):
    """Bit/s of the link of a qdisc."""
    return 8 * qdisc["options"]["rate"]


def wire_ns(qdisc):
    """From the first bit of a PFC frame sent to the last one received."""
    options = qdisc["options"]
    return options["delay"] + round((PFC_BYTES + options["overhead"]) * 10**9 / options["rate"])


def topology(run):
    """The lines of topology.txt."""
    try:
        return run.text("hpcc/topology.txt").splitlines()
    except FileNotFoundError:
        return list(links(run))


def links(run):
    switches = [run.node[name] for name in run.switches]
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


def flow(run):
    found = run.began()
    yield str(len(found))
    for line in found:
        yield "{} {} {} {} {} {}.{:09}".format(
            *map(run.node.get, run.ends(line)), line["prio"], line["dport"], line["size"],
            *divmod(run.start_ns(line), 10**9))


def address(node):
    """The IP address of a node, in hexadecimal."""
    return f"{0x0b000001 + node // 256 * 0x10000 + node % 256 * 0x100:08x}"


def standalone_ns(run, line):
    """As in HPCC: a round trip of one packet, then all bytes at the lowest rate."""
    path = list(run.path(*run.ends(line)))
    size = int(line["size"])
    packets = -(-size // run.payload)
    trip = sum(2 * q["options"]["delay"] + run.payload * 8 * 10**9 // rate(q) for q in path)
    return trip + (size + packets * run.headers) * 8 * 10**9 // min(map(rate, path))


def fct(run):
    ports, lines = collections.Counter(), []
    for line in run.began():
        sport = SPORT + ports[line["src"], line["dst"]]
        ports[line["src"], line["dst"]] += 1
        acked = int(line["acked_ns"])
        if acked < 0:
            continue
        sip, dip = (address(run.node[name]) for name in run.ends(line))
        lines.append((acked, f"{sip} {dip} {sport} {line['dport']} {line['size']} "
                      f"{run.start_ns(line)} {acked - int(line['start_ns'])} "
                      f"{standalone_ns(run, line)}"))
    for _, text in sorted(lines):
        yield text


def ports(run, lines):
    """{qdisc of a switch: number of its port} by the links of topology.txt."""
    found, seen = {}, collections.Counter()
    waiting = collections.defaultdict(list)     # qdiscs of parallel links
    for switch in run.testbed["switches"]:
        for dev in (port["dev"] for port in switch["ports"]):
            q = run.of_dev[dev]
            waiting[run.node[q["node"]], run.node[q["peer"]]].append(dev)
    for line in lines:
        ends = tuple(map(int, line.split()[:2]))
        for a, b in (ends, ends[::-1]):
            seen[a] += 1
            if waiting[a, b]:
                found[waiting[a, b].pop(0)] = seen[a]
    return found


def pfc(run):
    number = ports(run, topology(run)[2:])
    timeline = run.rows("timeline.csv")
    if not timeline:
        return
    zero = int(timeline[0]["time_ns"]) - run.begin_ns
    found, paused = [], collections.defaultdict(bool)
    for row in run.rows("pauses.csv"):
        at, qdisc = int(row["time_ns"]) - zero, run.of_dev[row["port"]]
        begins = row["event"] == "pause"
        if row["direction"] == "rx":
            receiver = (run.node[qdisc["node"]], 1, number[row["port"]])
        elif qdisc["role"] == "edge":   # hosts have no trace: what a switch sends arrives
            receiver = (run.node[qdisc["peer"]], 0, 1)
            at += wire_ns(qdisc)
        else:
            continue
        # no refreshes
        if begins != paused[receiver, row["prio"]]:
            paused[receiver, row["prio"]] = begins
            found.append((at, *receiver, int(begins)))
    for line in sorted(found, key=lambda line: line[0]):
        yield " ".join(map(str, line))


def export(folder, payload, headers=HEADERS, topology_lines=()):
    """Writes the files. payload, headers: bytes of a packet; topology_lines: of topology.txt, whose
    nodes are those of the run. The topology.txt of an earlier call stays."""
    run = Run(folder, payload, headers)
    (folder / "hpcc").mkdir(exist_ok=True)
    if topology_lines:
        write(run, "topology", topology_lines)
    for lines in topology, flow, fct, pfc:
        write(run, lines.__name__, lines(run))


def write(run, name, lines):
    (run.folder / f"hpcc/{name}.txt").write_text("".join(f"{line}\n" for line in lines),
                                                encoding="ascii")
