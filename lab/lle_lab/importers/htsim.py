# SPDX-License-Identifier: GPL-2.0
"""Connection matrices of htsim: sim/datacenter/connection_matrix.cpp and sim/trigger.cpp of
csg-htsim."""
import decimal

from .text import FLOWS_MAX, SIZE_MAX, Flow, Refused, integer, nanoseconds

WAITS_MAX = 4000000     # flows that wait, times those they wait for
PRIO = 3                # of all flows


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
    """A connection matrix. warn: gets what is ignored in it."""

    HEAD = ("Nodes", "Connections", "Triggers", "Failures")
    NUMBERS = ("id", "start", "size", "prio", "trigger", "send_done_trigger", "recv_done_trigger")

    def __init__(self, lines, warn):
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


def flows(rows, warn):
    return Matrix(rows, warn).flows
