# SPDX-License-Identifier: GPL-2.0
"""The pause tree: which port is paused because of which other one, now.

    egress --bytes--> ingress --link--> egress of the peer --bytes--> ...

A port pauses its link partner (ingress) because packets that it received wait in
queues (egress). Such a queue is paused itself, or gets more packets than its link can
send. A queue is paused (egress) by the port at the other end of its link (ingress), if
that is a known port.
"""

from dataclasses import dataclass, field
from typing import Any

from common import NUM_PRIO, printable
from units import peer_text, time_text

EGRESS, INGRESS = "egress", "ingress"

# a queue that is not paused is a cause if it has 1/10 of the waiting bytes
SHARE = 10

# a pause that ended less than that long ago counts: pauses of a storm, or of
# congestion, come and go between two looks
RECENT_NS = 50_000_000


@dataclass(eq=False)
class Node:
    """A side of a priority of a port.

    bytes: egress: in the queue; ingress: received and waiting in the switch
    since_ns: start of the pause; 0: not paused, or does not pause
    until_ns: end of the pause, a moment ago; 0: it lasts
    history: its pauses, as losslessctl -j history has them
    causes, effects: (bytes, node); 0 bytes: the ingress pauses the egress over
    their link; else bytes from the ingress that wait in the queue of the egress
    loop: on a loop, or on a path between loops
    """

    number: int
    port: dict[str, Any]
    prio: int
    side: str
    bytes: int = 0
    since_ns: int = 0
    until_ns: int = 0
    history: dict[str, Any] = field(default_factory=dict)
    causes: list[tuple[int, "Node"]] = field(default_factory=list)
    effects: list[tuple[int, "Node"]] = field(default_factory=list)
    loop: bool = False

    @property
    def shows(self) -> bool:
        """Part of the tree?"""
        return bool(self.since_ns or self.causes or self.effects)

    @property
    def root(self) -> str:
        """Why pauses begin here; "": they do not."""
        if not self.shows or self.causes:
            return ""
        if self.side == INGRESS:
            return "receiver"
        return "peer" if self.since_ns else "congestion"

    @property
    def name(self) -> str:
        """Name of the port, for a terminal."""
        return printable(self.port["ifname"])


class Tree:
    """The nodes by number, from the answer of losslessctl -j state -q.

    Answers of different moments may not fit together. An edge to a port that is gone
    is omitted.
    """

    def __init__(self, state: dict[str, Any]) -> None:
        self.now_ns = state["time_ns"]
        self.nodes: list[Node] = []
        self.at: dict[tuple[int, int, str], Node] = {}
        for port in state["ports"]:
            for prio in range(NUM_PRIO):
                for side in EGRESS, INGRESS:
                    node = Node(len(self.nodes), port, prio, side)
                    self.nodes.append(node)
                    self.at[port["ifindex"], prio, side] = node
        self._set_pauses(state)
        for queue in state["queues"]:
            self._add_queue(queue)
        for node in self.nodes:
            if node.side == INGRESS and node.since_ns:
                peer = self.at.get((node.port.get("peer_ifindex"), node.prio, EGRESS))
                if peer and peer.since_ns:
                    self._add(node, peer, 0)
        for node in self.nodes:
            node.effects.sort(key=lambda edge: (-edge[0], edge[1].number))
            node.causes.sort(key=lambda edge: (edge[1].number, -edge[0]))
        self._find_loops()

    def _set_pauses(self, state: dict[str, Any]) -> None:
        for stats in state["prios"]:
            for side, key in (EGRESS, "backlog_bytes"), (INGRESS, "occupancy_bytes"):
                if node := self.at.get((stats["ifindex"], stats["prio"], side)):
                    node.bytes = stats[key]
        for history in state["histories"]:
            side = EGRESS if history["direction"] == "rx" else INGRESS
            node = self.at.get((history["ifindex"], history["prio"], side))
            if not node:
                continue
            node.history = history
            if history["paused"]:
                node.since_ns = history["since_ns"]
                continue
            for last in history["episodes"][:1]:
                end_ns = last["start_ns"] + last["duration_ns"]
                if self.now_ns - end_ns < RECENT_NS:
                    node.since_ns, node.until_ns = last["start_ns"], end_ns

    def _add(self, cause: Node, effect: Node, num: int) -> None:
        cause.effects.append((num, effect))
        effect.causes.append((num, cause))

    def _add_queue(self, queue: dict[str, Any]) -> None:
        """Packets in a queue are why their ingress ports pause their link partners."""
        egress = self.at.get((queue["ifindex"], queue["prio"], EGRESS))
        if not egress:
            return
        for waiting in queue["waiting"]:
            ingress = self.at.get((waiting["ifindex"], queue["prio"], INGRESS))
            if ingress and ingress.since_ns and (
                    egress.since_ns or waiting["bytes"] >= ingress.bytes // SHARE):
                self._add(egress, ingress, waiting["bytes"])

    def _find_loops(self) -> None:
        """Remove nodes without a cause or an effect left: loops remain, and what is between."""
        left = {node for node in self.nodes if node.shows}
        before = None
        while before != len(left):
            before = len(left)
            left = {node for node in left
                    if any(n in left for _, n in node.causes)
                    and any(n in left for _, n in node.effects)}
        for node in left:
            node.loop = True

    def paused_ns(self, node: Node) -> int:
        """How long a pause lasts: it may have begun after the time of the answer."""
        return max((node.until_ns or self.now_ns) - node.since_ns, 0)

    def text(self, node: Node) -> str:
        """Describe a node: "paused by 02:00:00:00:00:03 for 1.203s, 843264 bytes wait"."""
        text = "more comes than the link can take"
        if node.since_ns:
            text = (f'{"paused by" if node.side == EGRESS else "pauses"} '
                    f'{peer_text(node.port, "its peer")} for {time_text(self.paused_ns(node))}')
        if node.until_ns:
            text += f" until {time_text(max(self.now_ns - node.until_ns, 0))} ago"
        text += f', {node.bytes} bytes {"wait" if node.side == EGRESS else "have come and wait"}'
        return text + (" for its receiver" if node.root == "receiver" else "")
