#!/usr/bin/python3 -ESsBXutf8
# SPDX-License-Identifier: GPL-2.0
"""losslessctl explain: why a port is paused, or pauses its peer, and what to do."""

from typing import Any

import common
from pauses import EGRESS, Node, Tree
from units import peer_text, time_text


def path_to_root(node: Node) -> list[Node]:
    """Follow a pause to where it begins, by the queue in which most of it waits."""
    path = [node]
    while path[-1].causes:
        cause = max(path[-1].causes, key=lambda edge: edge[0])[1]
        if cause in path:
            break
        path.append(cause)
    return path


class Reason:
    """Why a side of a priority is paused, or pauses; path: from it to the root."""

    def __init__(self, tree: Tree, node: Node, state: dict[str, Any],
                 deadlocks: list[dict[str, Any]]) -> None:
        self.tree, self.node = tree, node
        self.path = path_to_root(node)
        self.root = self.path[-1]
        self.watchdog = next((w for w in state["watchdogs"] if w["detection_ms"] and (
            w["ifindex"], w["prio"]) == (self.root.port["ifindex"], node.prio)), None)
        names = {n.port["ifname"] for n in self.path}
        self.deadlock = next((d["id"] for d in deadlocks if d.get("holds") and
                              d["prio"] == node.prio and
                              names & {hop.get("egress") for hop in d["loop"]}), None)

    @property
    def origin(self) -> str:
        """The kind of the origin."""
        if self.deadlock:
            return "deadlock"
        return "loop" if self.root.causes else self.root.root

    @property
    def stormed(self) -> bool:
        """Has the watchdog of the origin found a storm?"""
        return bool(self.watchdog and self.watchdog["status"] == "stormed")

    def begins(self) -> str:
        """Say where the pause begins, and by whom."""
        at, peer = self.root.name, peer_text(self.root.port, "its peer")
        match self.origin:
            case "deadlock":
                return f"deadlock {self.deadlock}: ports wait for each other in a loop"
            case "loop":
                return f"at {at}: it waits for itself, by way of other ports"
            case "congestion":
                return f"at {at}: more comes than its link can take"
            case "receiver":
                return f"at {at}: this host takes too few of the packets that arrive"
        kind = "a host" if self.root.port["facing"] == "edge" else "a switch"
        return f"at {at}: {peer}, {kind} outside this network namespace, pauses it"

    def storm(self) -> str:
        """Say what the watchdog of the origin has found."""
        if not self.watchdog:
            return f"no watchdog is on at {self.root.name}"
        if not self.stormed:
            return f'no storm, by the watchdog of {self.watchdog["detection_ms"]} ms'
        since_ns = max(self.tree.now_ns - self.watchdog.get("detected_ns", self.tree.now_ns), 0)
        return f'found {time_text(since_ns)} ago, action {self.watchdog["action"]}'

    def remedy(self) -> str:
        """Say what to do."""
        at, peer = self.root.name, peer_text(self.root.port, "its peer")
        match self.origin:
            case "deadlock" | "loop":
                return "losslessctl deadlock; the option deadlock of tc-lossless(8) frees ports"
            case "congestion":
                return f"nothing if it ends soon; else send less to {at}, or make its link faster"
            case "receiver":
                return "give the receiver more CPU time, or its NIC a higher rate"
        if self.stormed:
            return f"reset or replace the NIC of {peer}: it pauses without end"
        if self.root.port["facing"] != "edge":
            return f"losslessctl explain at {peer}, for the port to {at}"
        text = f"look at {peer}: a slow receiver, or a broken NIC"
        return text if self.watchdog else \
            f"{text}; limit it: losslessctl watchdog start {at} 200 prio {self.node.prio}"

    def lines(self) -> list[str]:
        """Explain in words."""
        node, before = self.node, self.node.history
        lines = [f"{node.name} prio {node.prio}: {self.tree.text(node)}"]
        if len(self.path) > 1:
            lines.append("because of: " + " <- ".join(n.name for n in self.path[1:]))
        lines.append(f"begins: {self.begins()}")
        if before["count"]:
            lines.append(f'before: {before["count"]} pauses, {time_text(before["total_ns"])} in '
                         f'total, the longest {time_text(before["longest_ns"])}')
        if self.origin == "peer":
            lines.append(f"storm: {self.storm()}")
        return [lines[0], *(f"  {line}" for line in [*lines[1:], f"do: {self.remedy()}"])]

    def as_json(self) -> dict[str, Any]:
        """Explain as an object."""
        node, port = self.node, self.node.port
        found = {"ifname": port["ifname"], "prio": node.prio, "side": node.side,
                 "since_ns": node.since_ns, "paused_ns": self.tree.paused_ns(node)}
        found |= {key: port[key] for key in ("peer", "peer_mac") if key in port}
        return found | {
            "bytes": node.bytes, "path": [n.port["ifname"] for n in self.path],
            "origin": self.origin, "stormed": self.stormed,
            **({"deadlock": self.deadlock} if self.deadlock else {}),
            "why": self.begins(), "do": self.remedy()}


def last_pause(state: dict[str, Any], ifindex: int, now_ns: int) -> str:
    """Describe the last pause of a port."""
    found = [(e["start_ns"] + e["duration_ns"], e["duration_ns"], h) for h in state["histories"]
             if h["ifindex"] == ifindex for e in h["episodes"]]
    if not found:
        return "no pauses so far"
    end_ns, ns, history = max(found, key=lambda pause: pause[0])
    what = "was paused" if history["direction"] == "rx" else "paused its peer"
    return (f'prio {history["prio"]} {what} for {time_text(ns)}, '
            f"until {time_text(now_ns - end_ns)} ago")


def main() -> int:
    """Run explain DEV."""
    view = common.View("explain")
    if len(view.words) != 1:
        view.wrong("explain: DEV is required")
    port = common.ctl("port", "show", view.words[0])[0]
    state = common.ctl("state", "-q")
    tree = Tree(state)
    nodes = [node for node in tree.nodes
             if node.port["ifindex"] == port["ifindex"] and node.since_ns]
    deadlocks = common.ctl("deadlock") if nodes else []
    # a port that is paused pauses others for that reason
    reasons = [Reason(tree, node, state, deadlocks)
               for node in sorted(nodes, key=lambda node: (node.prio, node.side != EGRESS))]
    if view.json:
        view.show_json([reason.as_json() for reason in reasons])
        return common.OK
    for reason in reasons:
        print(*reason.lines(), sep="\n")
    if not reasons:
        print(f'{common.printable(port["ifname"])}: not paused, and pauses no peer\n'
              f'  last: {last_pause(state, port["ifindex"], tree.now_ns)}')
    return common.OK


common.run(main)
