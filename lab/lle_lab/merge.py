# SPDX-License-Identifier: GPL-2.0
"""Merges the results of the parts of a network. Each part, in a kernel of its own, has its nodes,
and the other ends of its links. So each node's counters come from its part, and what a flow's
sender or receiver counts comes from theirs."""
import collections
import csv
import json
import pathlib

from .errors import Failed

# columns of flows.csv that the receiver counts; the others are the sender's
OF_RECEIVER = {"first_ns", "last_ns", "received", "ooo", "dup", "naks", "marked", "cnps_sent"}
# the same, of flows that the receiver reads
OF_READER = OF_RECEIVER | {"start_ns", "acked_ns"}
# the same, of flows by TCP
OF_TCP_RECEIVER = {"last_ns", "received", "ooo"}

# members that number a port of a switch, and those that name it
NAME_OF_SLOT = {"ingress_slot": "ingress", "egress_slot": "egress", "slot": "ifname"}


def read_json(path):
    return json.loads(path.read_text())


def write_json(path, data):
    path.write_text(json.dumps(data, separators=(",", ":")) + "\n")


def read_csv(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


def write_csv(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


class Merge:
    """Merges the files of one run. parts: folders, in order of parts."""

    def __init__(self, parts, out):
        self.parts = parts
        self.out = out
        self.testbed = read_json(parts[0] / "testbed.json")
        # several bridges may form a switch
        self.part_of_switch = {switch["number"]: switch["part"] - 1
                               for switch in self.testbed["switches"]}
        self.switch = {}
        # ports of switches, in the order in which they were made
        self.ports = collections.defaultdict(list)
        # a port is named by its device, a host by its address
        self.part_of = {host["address"]: host["part"] - 1 for host in self.testbed["hosts"]}
        for switch in self.testbed["switches"]:
            for port in switch["ports"]:
                self.switch[port["dev"]] = switch["number"]
                self.part_of[port["dev"]] = switch["part"] - 1

    def all(self, name, read):
        return [read(part / name) for part in self.parts]

    def has(self, name):
        return (self.parts[0] / name).exists()

    def describe(self):
        for node in self.testbed["switches"] + self.testbed["hosts"]:
            del node["part"]
        write_json(self.out / "testbed.json", self.testbed)

    def stats(self):
        files = self.all("stats.json", read_json)
        qdiscs = [qdisc for file in files for qdisc in file["qdiscs"]]
        order = {host["name"]: i for i, host in enumerate(self.testbed["hosts"], 1)}
        qdiscs.sort(key=lambda qdisc: (order.get(qdisc["node"], 0), qdisc["ifindex"]))
        write_json(self.out / "stats.json", {**files[0], "qdiscs": qdiscs})
        for qdisc in qdiscs:
            self.ports[self.switch.get(qdisc["dev"])].append(qdisc["dev"])

    def flows(self, name):
        files = self.all(name, read_csv)
        head = files[0][0]
        src, dst = head.index("src"), head.index("dst")
        verb = head.index("verb") if "verb" in head else None
        rows = [head]
        for i, row in enumerate(files[0][1:], 1):
            sender, receiver = (files[self.part_of[row[end]]][i] for end in (src, dst))
            of_receiver = (OF_TCP_RECEIVER if verb is None else
                           OF_READER if row[verb] == "read" else OF_RECEIVER)
            rows.append([(receiver if counter in of_receiver else sender)[column]
                         for column, counter in enumerate(head)])
        write_csv(self.out / name, rows)

    def bins(self):
        receivers = [row[2] for row in read_csv(self.parts[0] / "flows.csv")[1:]]
        files = self.all("bins.csv", read_csv)
        rows = [files[self.part_of[receivers[i]]][i + 1] for i in range(len(files[0]) - 1)]
        write_csv(self.out / "bins.csv", [files[0][0], *rows])

    def lines(self, name, column):
        """Lines that all parts have, each from the part of the host or port in a column."""
        files = self.all(name, read_csv)
        rows = [files[self.part_of[row[column]]][i] for i, row in enumerate(files[0][1:], 1)]
        write_csv(self.out / name, [files[0][0], *rows])

    def switch_of(self, item):
        """The number of the switch of an object, which may name its port only."""
        return self.switch[item["ifname"]] if "ifname" in item else item["switch"]

    def objects(self, name, key):
        """Objects of ports or switches, in the order of a key."""
        items = [item for part, file in enumerate(self.all(name, read_json))
                 for item in file if self.part_of_switch[self.switch_of(item)] == part]
        write_json(self.out / name, [self.named(item) for item in sorted(items, key=key)])

    def named(self, item):
        """Names the ports in what a switch has found: it knows those of its own part."""
        if isinstance(item, list):
            return [self.named(value) for value in item]
        if not isinstance(item, dict):
            return item
        named = {}
        for member, value in item.items():
            named[member] = self.named(value)
            name = NAME_OF_SLOT.get(member)
            if name and name not in item:
                named[name] = self.ports[item["switch"]][value]
        return named

    def timeline(self):
        """Each part takes its samples when its ports change."""
        # up to millions of lines, which csv would take apart and put together
        rows = []
        for part, path in enumerate(part / "timeline.csv" for part in self.parts):
            with path.open() as file:
                head = next(file)
                rows += (row for row in file if self.part_of[row.split(",", 2)[1]] == part)
        rows.sort(key=lambda row: int(row[:row.index(",")]))
        with (self.out / "timeline.csv").open("w") as file:
            file.write(head)
            file.writelines(rows)

    def happened(self, name):
        """Lines of events, which begin with their time."""
        files = self.all(name, read_csv)
        rows = [(int(row[0]), i, row) for i, file in enumerate(files) for row in file[1:]]
        rows.sort(key=lambda row: row[:2])
        write_csv(self.out / name, [files[0][0], *(row for _, _, row in rows)])

    def common(self, name):
        """A file that a program writes in each part, which knows the state of all."""
        texts = self.all(name, pathlib.Path.read_text)
        if len(set(texts)) != 1:
            raise Failed(f"lle-lab: parts have different files {name}; see {self.out}")
        (self.out / name).write_text(texts[0])

    def captures(self):
        """Packets of a host or of a port: only its part has them."""
        for part in self.parts:
            for path in part.glob("*.pcap"):
                (self.out / path.name).write_bytes(path.read_bytes())

    def run(self):
        self.stats()
        for name in filter(self.has, ("flows.csv", "tcp.csv")):
            self.flows(name)
        self.bins()
        self.lines("hosts.csv", 0)
        self.timeline()
        self.objects("deadlocks.json", lambda item: item["found_ns"])
        for name in "switches.json", "watchdogs.json", "congestion.json":
            self.objects(name, self.switch_of)
        if self.has("queue.csv"):
            self.lines("queue.csv", 1)
        for name in filter(self.has, ("start", "runs.csv", "waits.dot")):
            self.common(name)
        for name in filter(self.has, ("events.csv", "pauses.csv", "congested.csv")):
            self.happened(name)
        self.captures()
        self.describe()


def merge(out):
    """Merges the folders parts/1, parts/2 and so on of a run. With arms, each of these has a
    folder for each arm, and so does the run after this. Raises Failed."""
    parts = sorted(out.glob("parts/*"), key=lambda path: int(path.name))
    arms = [path.parent.name for path in parts[0].glob("*/testbed.json")]
    for arm in arms:
        (out / arm).mkdir()
        Merge([part / arm for part in parts], out / arm).run()
    if not arms:
        Merge(parts, out).run()
    for name in "uptime", "release":
        (out / name).write_bytes((parts[0] / name).read_bytes())
