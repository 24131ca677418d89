# SPDX-License-Identifier: GPL-2.0
"""Writes play.html of a run: a replay, one file without links.

Reads testbed.json and stats.json, flows of the plan, and timeline.csv, events.csv and
deadlocks.json of each arm, or of the run itself. Writes nothing without a timeline of the network
in testbed.json.
"""
import base64
import html
import json
import zlib

from . import drawing, pages
from .lazy import numpy as np

LIMIT = 1_900_000   # bytes of all timelines in the page
COLUMNS = ("us", "queue", "buffer", "paused_ns", "role")


def varints(numbers):
    """Numbers of 7 bits a byte, the lowest first; bit 7: more follow."""
    numbers = np.asarray(numbers, dtype=np.uint64)[:, None]
    places = np.arange(10, dtype=np.uint64)
    parts = numbers >> np.uint64(7) * places
    wanted = (parts > 0) | (places == 0)
    more = np.roll(wanted, -1, axis=1)
    more[:, -1] = False
    coded = (parts & np.uint64(127)) | more.astype(np.uint64) << np.uint64(7)
    return coded[wanted].astype(np.uint8).tobytes()


def signed(steps):
    """Numbers that have the sign in bit 0."""
    return np.where(steps >= 0, 2 * steps, -2 * steps + 1)


def encode(ports):
    """Rows of COLUMNS, an array a port, as text: the number of rows of each port, then by column
    differences to the port's last row."""
    out = [varints([len(ports), *map(len, ports)])]
    out += [varints(signed(np.diff(rows[:, column], prepend=0)))
            for column in range(len(COLUMNS)) for rows in ports]
    return base64.b64encode(zlib.compress(b"".join(out), 9)).decode()


def thin(rows, us):
    """The last of the rows in each step of time."""
    step = -(-rows[:, 0] // us)
    return rows[np.append(step[1:] != step[:-1], True)] if len(rows) else rows


class Network:
    """Nodes, links and ports, each from a node to another. What is drawn as one has its ports
    together."""

    def __init__(self, run):
        plan = run.testbed
        drawn = drawing.Drawing(plan, run.stats)
        places = drawn.places()
        self.nodes = [{"name": name, "x": x, "y": -y, "host": name in drawn.hosts,
                       "label": drawn.label(name)} for name, (x, y) in places.items()]
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
        """Adds a port; FACES is the port at the other end."""
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

    def __init__(self, name, run, network):
        self.name, self.network = name, network
        table = run.timeline
        self.rows = [np.zeros((0, len(COLUMNS)), np.int64)] * len(network.ports)
        names = set(table.port) if len(table) else ()
        self.is_known = bool(names) and all(network.port(name) is not None for name in names)
        if not self.is_known:
            return
        self.start_ns = int(table.time_ns[0])
        rows = np.stack([(table.time_ns - self.start_ns) // 1000, table.queue, table.buffer,
                         table.paused_ns, table.role], axis=1).astype(np.int64)
        ports = np.array([network.port(name) for name in table.port])
        order = np.argsort(ports, kind="stable")
        edges = np.searchsorted(ports[order], range(len(network.ports) + 1))
        self.rows = [rows[order[a:b]] for a, b in zip(edges, edges[1:])]
        self.end = (int(table.time_ns[-1]) - self.start_ns) / 1000
        events = [(self.us(event["time_ns"]), event) for event in run.events.lines()]
        self.events = [(us, event) for us, event in events if 0 <= us <= self.end]
        self.records = run.deadlocks
        self.storms = list(self.find_storms())
        self.deadlocks = list(self.find_deadlocks())

    def us(self, ns):
        return (int(ns) - self.start_ns) / 1000

    def pauses(self, port):
        """Times from which and until which a port is paused without gaps."""
        rows, since = self.rows[port].tolist(), None
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
        for us, event in self.events:
            if event["event"] == "storm":
                end = (t for t, e in self.events if t > us and e["event"] == "restored" and
                       (e["port"], e["prio"]) == (event["port"], event["prio"]))
                yield {"at": us, "until": next(end, None), "port": self.network.port(event["port"])}

    def loops(self):
        """Deadlocks with a known loop: switches, paused ports, and record."""
        for record in self.records:
            ports = [self.network.port(hop["egress"]) for hop in record["loop"]]
            if record["whole"] and None not in ports:
                yield {hop["switch"] for hop in record["loop"]}, ports, record

    def find_deadlocks(self):
        """One deadlock for each closing of a loop, which several switches may declare."""
        last = {}
        loops = list(self.loops())
        for us, event in self.events:
            if event["event"] != "deadlock":
                continue
            mine = [loop for loop in loops if int(event["port"].split("/")[0]) in loop[0]]
            exact = [loop for loop in mine if abs(self.us(loop[2]["found_ns"]) - us) < 1]
            ports = (exact or mine or [(None, [], None)])[0][1]
            found = self.deadlock(us, event, ports, exact[0][2] if exact else None)
            key = tuple(sorted(ports))
            if ports and key in last and (last[key]["until"] is None or us <= last[key]["until"]):
                continue
            last[key] = found
            yield found

    def deadlock(self, us, event, ports, exact):
        """From the last of the pauses to the first that ends."""
        closed, until = self.us(event["since_ns"]), []
        for port in ports:
            spans = [(a, b) for a, b in self.pauses(port) if a <= us and (b is None or b > us)]
            closed = max([closed] + [a for a, _ in spans])
            until += [b for _, b in spans if b is not None]
            if not spans:
                until.append(us)
        host, _, trigger = event["trigger"].rpartition("@")
        return {"closed": self.us(exact["closed_ns"]) if exact else closed, "found": us,
                "until": min(until) if until else None, "ports": ports,
                "trigger": self.network.slot(trigger), "host": bool(host),
                "cure": exact["cure"] if exact else None}

    def json(self, rows):
        return {"name": self.name, "end": self.end, "rows": encode(rows),
                "storms": self.storms, "deadlocks": self.deadlocks}


def broken_nics(network, results):
    """Broken NICs, from lines "storm START_NS HOST PRIO [NS]" of flows; all arms have them."""
    arm = results.arms[0] if results.arms else "."
    runs = sorted((results.folder / "plan/arms" / arm).glob("*/flows"),
                  key=lambda path: int(path.parent.name))
    for line in runs[-1].read_text().splitlines() if runs else ():
        words = line.partition("#")[0].split()
        if words[:1] == ["storm"]:
            start = int(words[1]) / 1000
            yield {"port": network.of_address[words[2]], "at": start,
                   "until": start + int(words[4]) / 1000 if len(words) > 4 else None}


def encoded(arms):
    """All arms as JSON, thinned until they are small enough."""
    us, all_rows = 1, [arm.rows for arm in arms]
    while True:
        coded = [arm.json(rows) for arm, rows in zip(arms, all_rows)]
        if sum(len(arm["rows"]) for arm in coded) <= LIMIT:
            return coded
        us *= 2
        all_rows = [[thin(rows, us) for rows in arm] for arm in all_rows]


def arms_of(results, network):
    """Those with a timeline of this network."""
    found = [Arm(name, run, network) for name, run in drawing.runs(results).items()]
    return [arm for arm in found if arm.is_known]


def write(results):
    """Writes play.html in the folder of a run; returns whether there is something to replay."""
    first, *_ = drawing.runs(results).values()
    if not (first.folder / "testbed.json").exists():
        return False
    network = Network(first)
    arms = arms_of(results, network)
    if not arms:
        return False
    data = {
        "nodes": network.nodes, "ports": network.ports, "arms": encoded(arms),
        "links": [{"a": a, "b": b} | ports for (a, b), ports in network.links.items()],
        "broken": list(broken_nics(network, results)),
    }
    keys = " ".join(f"{key}={value}" for key, value in results.keys.items() if value)
    parts = {
        "TITLE": html.escape(results.result["scenario"]), "KEYS": html.escape(keys),
        "STYLE": pages.template("play.css"), "SCRIPT": pages.template("play.js"),
        "DATA": json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
    }
    page = pages.template("play.html")
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text)
    (results.folder / "play.html").write_text(page, encoding="utf-8")
    return True
