#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints the flows of another simulator as flows of the lab.

Usage: import.py FLOWS TESTBED

FLOWS is a flow file of HPCC's ns-3, which begins with a number, or a connection
matrix of htsim, which begins with "Nodes". TESTBED is the output of `lle-testbed
show --format json`; host 5 of FLOWS is its host h5.

The first line of the output is "# from NS": the time in FLOWS at which the run,
and its first flow, begins.

Exit status: 0; 1 FLOWS cannot be mapped, with the reason on stderr.
"""
import collections
import decimal
import heapq
import itertools
import json
import re
import sys

# A file is hostile: its size bounds time and memory.
BYTES_MAX = 1000        # of a line
FLOWS_MAX = 2000000
LINES_MAX = 3 * FLOWS_MAX
WAITS_MAX = 4000000
SIZE_MAX = 10**15
SECONDS_MAX = 10**6
LINE_MAX = 255          # RNIC_LINE_MAX, without the final 0
PRIO = 3


class Refused(Exception):
    """The file cannot be mapped."""


# start in ns; after: flows that it waits for; comment: of its line
Flow = collections.namedtuple("Flow", "line start size src dst prio after comment")


def warn(text):
    print(f"import.py: {text}", file=sys.stderr)


def integer(what, text, least, most):
    """A number of the file: what it is, for a message."""
    if not re.fullmatch("[0-9]{1,16}", text) or not least <= int(text) <= most:
        raise Refused(f'{what} "{text[:20]}" is not a number from {least} to {most}')
    return int(text)


def nanoseconds(what, text, ns):
    """A time of the file in units of NS, rounded to the nearest ns."""
    if not re.fullmatch(r"[0-9]{1,20}(\.[0-9]{1,20})?", text):
        raise Refused(f'{what} "{text[:20]}" is not a time')
    time = round(decimal.Decimal(text) * ns)
    if time > SECONDS_MAX * 10**9:
        raise Refused(f"{what} is over {SECONDS_MAX} s")
    return time


def rows(path):
    """Lines with words: their numbers, and the words."""
    with open(path, "rb") as file:
        for number in range(1, LINES_MAX + 1):
            line = file.readline(BYTES_MAX + 1)
            if not line:
                return
            if len(line) > BYTES_MAX:
                raise Refused(f"line {number}: more than {BYTES_MAX} bytes")
            try:
                words = line.decode("ascii").split()
            except UnicodeDecodeError as why:
                raise Refused(f"line {number}: not ASCII") from why
            if words and not words[0].startswith("#"):
                yield number, words
    raise Refused(f"more than {LINES_MAX} lines")


# --- HPCC: simulation/scratch/third.cc of
# alibaba-edu/High-Precision-Congestion-Control; without DPORT: conweave-ns3


def hpcc_flow(line, words):
    """SRC DST PG [DPORT] SIZE SECONDS"""
    what = f"line {line}: "
    if len(words) not in (5, 6):
        raise Refused(what + "not SRC DST PG [DPORT] SIZE START")
    src, dst = (integer(what + "node", word, 0, 65535) for word in words[:2])
    return Flow(line, nanoseconds(what + "start", words[-1], 10**9),
                integer(what + "size", words[-2], 1, SIZE_MAX), src, dst,
                integer(what + "priority group", words[2], 0, 7), (),
                f" # dport {integer(what + 'port', words[3], 0, 65535)}" if len(words) == 6 else "")


def hpcc(line, words, more):
    if len(words) > 1:
        raise Refused(f"line {line}: not the number of flows alone")
    number = integer(f"line {line}: number of flows", words[0], 1, FLOWS_MAX)
    flows = [hpcc_flow(*row) for row in itertools.islice(more, number)]
    if len(flows) < number:
        raise Refused(f"{number} flows announced, {len(flows)} there")
    row = next(more, None)
    if row:
        warn(f"line {row[0]} and what follows is ignored: line {line} says {number} flows")
    return flows


# --- htsim: sim/datacenter/connection_matrix.cpp, sim/trigger.cpp of csg-htsim


class Trigger:
    """Flows that a trigger starts, and those that fire it, by their indexes."""

    def __init__(self, line, kind, count):
        self.line, self.kind, self.count = line, kind, count
        self.starts, self.fires = [], {}    # fires: the end that counts

    def waits(self):
        """For each flow that it starts: this one, and the flows it waits for."""
        what = f"line {self.line}: {self.kind} trigger"
        if self.starts and not self.fires:
            raise Refused(f"{what}: no flow fires it")
        if self.kind == "multishot":
            yield from self.in_turn(what)
            return
        needed = self.count if self.kind == "barrier" else 1
        if self.starts and len(self.fires) != needed:
            raise Refused(f"{what} needs {needed} flows, {len(self.fires)} fire it")
        for flow in self.starts:
            yield flow, self.fires

    def in_turn(self, what):
        """Each flow that ends starts the next: one begins, the others fire the
        trigger."""
        first = list(self.fires.keys() - set(self.starts))
        if self.starts and (len(first) != 1 or not self.fires.keys() >= set(self.starts[:-1])):
            raise Refused(f"{what}: it is not known in which order flows end")
        yield from ((flow, [before]) for flow, before in zip(self.starts, first + self.starts))


class Matrix:
    """A connection matrix."""

    HEAD = ("Nodes", "Connections", "Triggers", "Failures")
    NUMBERS = ("id", "start", "size", "prio", "trigger", "send_done_trigger", "recv_done_trigger")

    def __init__(self, lines):
        self.head, self.flows, self.triggers, self.users = {}, [], {}, []
        self.priorities = 0
        for line, words in lines:
            self.row(line, words)
        for key, number in ("Connections", len(self.flows)), ("Triggers", len(self.triggers)):
            if self.head.get(key, 0) != number:
                raise Refused(f"{self.head.get(key, 0)} {key} announced, {number} there")
        if not self.flows:
            raise Refused("no flows")
        if self.priorities:
            warn(f"prio of {self.priorities} flows is ignored: it is no priority of Ethernet")
        self.connect()

    def row(self, line, words):
        if "->" in words[0]:
            self.flow(line, words)
        elif words[0] == "trigger":
            self.trigger(line, words[1:])
        elif words[0] in self.HEAD and len(words) == 2:
            self.head[words[0]] = integer(f"line {line}: {words[0]}", words[1], 0, FLOWS_MAX)
            if words[0] == "Failures" and self.head["Failures"]:
                raise Refused(f"line {line}: failed links are not mapped")
        else:
            raise Refused(f'line {line}: "{words[0][:20]}" is unknown')

    def flow(self, line, words):
        what = f"line {line}: "
        ends = words[0].split("->")
        if len(words) % 2 == 0 or len(ends) != 2 or not set(words[1::2]) <= set(self.NUMBERS):
            raise Refused(what + "not SRC->DST, and pairs of " + ", ".join(self.NUMBERS))
        value = dict(zip(words[1::2], words[2::2]))
        if len(value) < len(words) // 2:
            raise Refused(what + "a word is there twice")
        if ("start" in value) == ("trigger" in value):
            raise Refused(what + "one of start and trigger is required")
        src, dst = (integer(what + "node", end, 0, self.head.get("Nodes", 0) - 1) for end in ends)
        self.priorities += "prio" in value
        for role in ("trigger", "send_done_trigger", "recv_done_trigger"):
            if role in value:
                self.users.append((line, len(self.flows), role, value[role]))
        self.flows.append(Flow(line, nanoseconds(what + "start", value.get("start", "0"),
                                                 decimal.Decimal("0.001")),
                               integer(what + "size", value.get("size", "0"), 1, SIZE_MAX),
                               src, dst, PRIO, [], ""))
        if len(self.flows) > self.head.get("Connections", 0):
            raise Refused(f"{what}more than {len(self.flows) - 1} Connections")

    def trigger(self, line, words):
        what = f"line {line}: "
        kind = next((word for word in words if word in ("oneshot", "multishot", "barrier")), None)
        rest = [word for word in words if word != kind]
        value = dict(zip(rest[::2], rest[1::2]))
        if not kind or len(rest) != len(words) - 1 or len(rest) != 2 * len(value) or \
                value.keys() - {"count"} != {"id"}:
            raise Refused(what + "not trigger id N oneshot, multishot or barrier count N")
        if value["id"] in self.triggers:
            raise Refused(f"{what}trigger {value['id']} is there already")
        self.triggers[value["id"]] = Trigger(
            line, kind, integer(what + "count", value.get("count", "0"), 0, FLOWS_MAX))

    def connect(self):
        """Triggers become lists of flows to wait for."""
        for line, flow, role, name in self.users:
            if name not in self.triggers:
                raise Refused(f'line {line}: there is no trigger "{name[:20]}"')
            trigger = self.triggers[name]
            if role == "trigger":
                trigger.starts.append(flow)
            elif flow in trigger.fires:
                raise Refused(f"line {line}: the flow fires trigger {name} twice")
            else:
                trigger.fires[flow] = role
        number = 0
        for trigger in self.triggers.values():
            for flow, firsts in trigger.waits():
                number += len(firsts)
                if number > WAITS_MAX:
                    raise Refused(f"line {trigger.line}: flows wait for more than {WAITS_MAX}")
                for first in firsts:
                    self.wait(flow, first, trigger.fires[first])

    def wait(self, flow, first, role):
        """A host learns of the end of flows that it receives, or that it sends."""
        own, other = self.flows[flow], self.flows[first]
        if own.src not in (other.src, other.dst):
            raise Refused(f"line {own.line}: host {own.src} is no end of the flow of line "
                          f"{other.line}, for which it is to wait")
        if own.src == other.src and role == "recv_done_trigger":
            raise Refused(f"line {own.line}: host {own.src} does not receive the flow of line "
                          f"{other.line}, for which it is to wait")
        own.after.append(first)


# --- flows of the lab


def ordered(flows):
    """Indexes of flows, each after those it waits for, else as in the file."""
    waits = [len(flow.after) for flow in flows]
    waiters = collections.defaultdict(list)
    for i, flow in enumerate(flows):
        for first in flow.after:
            waiters[first].append(i)
    ready = [i for i, number in enumerate(waits) if not number]
    found = []
    while ready:
        found.append(heapq.heappop(ready))
        for i in waiters[found[-1]]:
            waits[i] -= 1
            if not waits[i]:
                heapq.heappush(ready, i)
    if len(found) < len(flows):
        stuck = next(flow for flow, number in zip(flows, waits) if number)
        raise Refused(f"line {stuck.line}: the flow waits for itself")
    return found


def ranges(numbers):
    """The list of "after": "1,4-6"."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def address(hosts, flow, number):
    if f"h{number}" not in hosts:
        raise Refused(f"line {flow.line}: the testbed has no host h{number}")
    return hosts[f"h{number}"]


def converted(flows, hosts):
    """The lines for lle_rnic.ko."""
    # those that wait begin after others
    begin = min((flow.start for flow in flows if not flow.after), default=0)
    yield f"# from {begin}"
    order = ordered(flows)
    number = {flow: i for i, flow in enumerate(order, 1)}
    for i in order:
        flow = flows[i]
        if flow.src == flow.dst:
            raise Refused(f"line {flow.line}: host {flow.src} sends to itself")
        line = (f"{0 if flow.after else flow.start - begin} {flow.size} "
                f"{address(hosts, flow, flow.src)} {address(hosts, flow, flow.dst)} {flow.prio}")
        if flow.after:
            line += " after " + ranges(number[first] for first in flow.after)
        if len(line) > LINE_MAX - len(flow.comment):
            raise Refused(f"line {flow.line}: the list of flows to wait for is too long")
        yield line + flow.comment


def read(path):
    lines = rows(path)
    first = next(lines, (0, [""]))
    if first[1][0].isdigit():
        return hpcc(*first, lines)
    if first[1][0] == "Nodes":
        return Matrix(itertools.chain([first], lines)).flows
    raise Refused("neither flows of HPCC nor a connection matrix of htsim")


def main():
    if len(sys.argv) != 3:
        print(__doc__, end="", file=sys.stderr)
        return 1
    path, testbed = sys.argv[1:]
    try:
        with open(testbed, encoding="utf-8") as file:
            hosts = {host["name"]: host["address"] for host in json.load(file)["hosts"]}
        lines = list(converted(read(path), hosts))
    except (Refused, OSError) as why:
        warn(f"{path}: {getattr(why, 'strerror', None) or why}")
        return 1
    print(*lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
