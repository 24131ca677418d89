#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes play.html of a lab run, in the current folder: a replay of the run.

It is one file without links. Reads testbed.json, stats.json and flows of the
run, and timeline.csv, events.csv and deadlocks.json of each arm, or of the run
itself. Writes nothing without a timeline of the network in testbed.json.
"""
import base64
import csv
import html
import json
import os
import pathlib
import zlib

import testbed

HERE = pathlib.Path(__file__).parent
LIMIT = 1_900_000   # bytes of all timelines in the page
COLUMNS = ("us", "queue", "buffer", "paused_ns", "role")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_csv(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="ascii") as file:
        return list(csv.DictReader(file))


def varint(number, out):
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def encode(ports):
    """Rows of COLUMNS, a list a port, as text: the number of rows of each port, then by
    column differences to the port's last row; varints, bit 0 is the sign."""
    out = bytearray()
    varint(len(ports), out)
    for rows in ports:
        varint(len(rows), out)
    for column in range(len(COLUMNS)):
        for rows in ports:
            before = 0
            for row in rows:
                step = row[column] - before
                varint(step << 1 if step >= 0 else -step << 1 | 1, out)
                before = row[column]
    return base64.b64encode(zlib.compress(bytes(out), 9)).decode()


def thin(rows, us):
    """The last of the rows in each step of time."""
    last = {-(-row[0] // us): row for row in rows}
    return list(last.values())


class Network:
    """Nodes, links and ports, each from a node to another. What is drawn as one has its
    ports together."""

    def __init__(self):
        plan = load("testbed.json")
        drawn = testbed.Testbed(plan, load("stats.json"))
        places = drawn.places()
        self.nodes = [{
            "name": name, "x": x, "y": -y, "host": name in drawn.hosts,
            "label": str(drawn.hosts.get(name) or name),
        } for name, (x, y) in places.items()]
        self.index = {name: i for i, name in enumerate(places)}
        self.ports, self.of_dev, self.of_address = [], {}, {}
        self.links, self.switch = {}, {}
        for switch in plan["switches"]:
            # parts of a switch have its number
            self.switch.setdefault(switch["number"], switch["name"])
            for port in switch["ports"]:
                self.of_dev[port["dev"]] = self.add(
                    port["dev"], switch["name"], port["peer"],
                    port["peer_dev"] if port["role"] == "fabric" else port["peer"])
        for host in plan["hosts"]:
            self.of_address[host["address"]] = self.add(
                host["name"], host["name"], host["peer"], host["peer_dev"])

    def node(self, name, peer):
        """Index of the node that is drawn for a name."""
        return self.index[name if name in self.index else f"hosts of {peer}"]

    def add(self, name, node, peer, faces):
        """Adds a port; @faces is the port at the other end."""
        a, b = self.node(node, peer), self.node(peer, node)
        self.ports.append({"name": name, "node": a, "peer": b, "faces": faces})
        link = self.links.setdefault((min(a, b), max(a, b)), {"ab": [], "ba": []})
        link["ab" if a < b else "ba"].append(len(self.ports) - 1)
        return len(self.ports) - 1

    def port(self, name):
        return self.of_dev.get(name, self.of_address.get(name))

    def slot(self, where):
        """The port of "SWITCH/SLOT"."""
        switch, slot = where.split("/")
        return self.of_dev.get(f"{self.switch.get(int(switch))}p{int(slot) + 1}")


class Arm:
    """Data of a run, or of one of its arms. Times are in us after its start."""

    def __init__(self, name, folder, network):
        self.name, self.network = name, network
        rows = read_csv(folder / "timeline.csv")
        self.rows = [[] for _ in network.ports]
        self.is_known = bool(rows) and all(
            network.port(port) is not None for port in {row["port"] for row in rows})
        if not self.is_known:
            return
        self.start_ns = int(rows[0]["time_ns"])
        for row in rows:
            self.rows[network.port(row["port"])].append((
                (int(row["time_ns"]) - self.start_ns) // 1000, int(row["queue"]),
                int(row["buffer"]), int(row["paused_ns"]), int(row["role"])))
        self.end = (int(rows[-1]["time_ns"]) - self.start_ns) / 1000
        events = [(self.us(row["time_ns"]), row) for row in read_csv(folder / "events.csv")]
        self.events = [(us, row) for us, row in events if 0 <= us <= self.end]
        self.records = load(folder / "deadlocks.json")
        self.storms = list(self.find_storms())
        self.deadlocks = list(self.find_deadlocks())

    def us(self, ns):
        return (int(ns) - self.start_ns) / 1000

    def pauses(self, port):
        """Times from which and until which a port is paused without gaps."""
        rows, since = self.rows[port], None
        for row, after in zip(rows, rows[1:]):
            full = after[3] - row[3] >= 990 * (after[0] - row[0])
            if full and since is None:
                since = row[0]
            if not full and since is not None:
                yield since, row[0]
                since = None
        if since is not None:
            yield since, None

    def find_storms(self):
        """Storms that watchdogs have detected."""
        for us, row in self.events:
            if row["event"] == "storm":
                end = (t for t, e in self.events if t > us and e["event"] == "restored" and
                       (e["port"], e["prio"]) == (row["port"], row["prio"]))
                yield {"at": us, "until": next(end, None), "port": self.network.port(row["port"])}

    def loops(self):
        """Deadlocks with a known loop: switches, paused ports, and record."""
        for record in self.records:
            ports = [self.network.port(hop["egress"]) for hop in record["loop"]]
            if record["whole"] and None not in ports:
                yield {hop["switch"] for hop in record["loop"]}, ports, record

    def find_deadlocks(self):
        """One deadlock for each closing of a loop, which several switches may
        declare."""
        last = {}
        loops = list(self.loops())
        for us, row in self.events:
            if row["event"] != "deadlock":
                continue
            known = [loop for loop in loops if int(row["port"].split("/")[0]) in loop[0] and
                     abs(self.us(loop[2]["found_ns"]) - us) < 1]
            known = known or [loop for loop in loops
                              if int(row["port"].split("/")[0]) in loop[0]]
            ports, exact = [], None
            if known:
                ports, record = known[0][1:]
                if abs(self.us(record["found_ns"]) - us) < 1:
                    exact = record
            found = self.deadlock(us, row, ports, exact)
            key = tuple(sorted(ports))
            if ports and key in last and (last[key]["until"] is None or
                                          us <= last[key]["until"]):
                continue
            last[key] = found
            yield found

    def deadlock(self, us, row, ports, exact):
        """From the last of the pauses to the first that ends."""
        closed, until = self.us(row["since_ns"]), []
        for port in ports:
            spans = [(a, b) for a, b in self.pauses(port) if a <= us and (b is None or b > us)]
            closed = max([closed] + [a for a, _ in spans])
            until += [b for _, b in spans if b is not None]
            if not spans:
                until.append(us)
        host, _, trigger = row["trigger"].rpartition("@")
        return {"closed": self.us(exact["closed_ns"]) if exact else closed, "found": us,
                "until": min(until) if until else None, "ports": ports,
                "trigger": self.network.slot(trigger), "host": bool(host),
                "cure": exact["cure"] if exact else None}

    def json(self, rows):
        return {"name": self.name, "end": self.end, "rows": encode(rows),
                "storms": self.storms, "deadlocks": self.deadlocks}


def arms(network):
    """An arm for each folder with a timeline, or the run itself."""
    folders = sorted((file.parent for file in pathlib.Path(".").glob("*/timeline.csv")),
                     key=os.path.getmtime)
    found = [Arm(folder.name, folder, network) for folder in folders or [pathlib.Path(".")]]
    return [arm for arm in found if arm.is_known]


def broken_nics(network):
    """Broken NICs, from lines "storm START_NS HOST PRIO [NS]" of flows."""
    with open("flows", encoding="ascii") as file:
        words = [line.split() for line in file if line.startswith("storm ")]
    for word in words:
        start = int(word[1]) / 1000
        yield {"port": network.of_address[word[2]], "at": start,
               "until": start + int(word[4]) / 1000 if len(word) > 4 and word[4][0] != "#"
               else None}


def encoded(found):
    """All arms as JSON, thinned until they are small enough."""
    us, all_rows = 1, [arm.rows for arm in found]
    while True:
        coded = [arm.json(rows) for arm, rows in zip(found, all_rows)]
        if sum(len(arm["rows"]) for arm in coded) <= LIMIT:
            return coded
        us *= 2
        all_rows = [[thin(rows, us) for rows in arm] for arm in all_rows]


def main():
    result = load("result.json")
    network = Network()
    found = arms(network)
    if not found:
        return
    data = {
        "nodes": network.nodes, "ports": network.ports, "arms": encoded(found),
        "links": [{"a": a, "b": b} | ports for (a, b), ports in network.links.items()],
        "broken": list(broken_nics(network)),
    }
    parts = {
        "TITLE": html.escape(result["scenario"]),
        "KEYS": html.escape(" ".join(f"{k}={v}" for k, v in result["keys"].items() if v)),
        "STYLE": (HERE / "play.css").read_text(encoding="utf-8"),
        "SCRIPT": (HERE / "play.js").read_text(encoding="utf-8"),
        "DATA": json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
    }
    page = (HERE / "play.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text)
    with open("play.html", "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
