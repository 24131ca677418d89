#!/usr/bin/python3 -ESsBXutf8
# SPDX-License-Identifier: GPL-2.0
"""losslessctl tree."""

import re
import sys
from itertools import groupby
from typing import Any

import common
import dot
from pauses import EGRESS, INGRESS, Node, Tree
from units import peer_text, time_text


class Lines:
    """Lines of text, from causes to effects, or from effects to causes."""

    def __init__(self, tree: Tree, to_causes: bool) -> None:
        self.tree = tree
        self.to_causes = to_causes
        self.seen: set[Node] = set()

    def show(self, node: Node, come: tuple[int, Node] | None = None, depth: int = 0) -> None:
        """Print a node, and then those to which it leads; come: bytes, and from where."""
        edges = node.causes if self.to_causes else node.effects
        text = f'{"  " * depth}{node.name} prio {node.prio}: {self.tree.text(node)}'
        if come and come[0]:
            text += f', {come[0]} {"from" if self.to_causes else "at"} {come[1].name}'
        text += " [loop]" if node.loop else ""
        print(text + (" (see above)" if edges and node in self.seen else ""))
        if node not in self.seen:
            self.seen.add(node)
            for num, other in edges:
                self.show(other, (num, node), depth + 1)

    def show_all(self) -> None:
        """Roots first, then loops without a root."""
        for node in self.tree.nodes:
            if node.root:
                self.show(node)
        for node in self.tree.nodes:
            if node.loop and node not in self.seen:
                self.show(node)

    def show_port(self, ifindex: int, prios: str) -> None:
        """Print the nodes of a port."""
        for node in self.tree.nodes:
            if (node.port["ifindex"] == ifindex and str(node.prio) in prios and node.shows
                    and node not in self.seen):
                self.show(node)


def node_json(tree: Tree, node: Node) -> dict[str, Any]:
    """Describe a node."""
    found = {"id": node.number,
             **{key: node.port[key] for key in ("ifname", "ifindex", "switch")},
             "prio": node.prio, "side": node.side,
             "paused": bool(node.since_ns and not node.until_ns)}
    if node.since_ns:
        found["paused_ns"] = tree.paused_ns(node)
    if node.until_ns:
        found["ended_ns"] = max(tree.now_ns - node.until_ns, 0)
    found |= {key: node.port[key] for key in ("peer", "peer_mac") if key in node.port}
    found |= {"bytes": node.bytes, "loop": node.loop}
    return found | ({"root": node.root} if node.root else {})


def show_json(view: common.View, tree: Tree) -> None:
    """Print all nodes and edges."""
    view.show_json({
        "now_ns": tree.now_ns,
        "nodes": [node_json(tree, node) for node in tree.nodes if node.shows],
        "edges": [{"cause": node.number, "effect": other.number, "bytes": num}
                  for node in tree.nodes for num, other in node.effects]})


def dot_node(tree: Tree, node: Node) -> None:
    """Print a node of the graph."""
    text = f"{dot.label(node.name)} prio {node.prio}\\n"
    if node.since_ns:
        text += (f'{"paused" if node.side == EGRESS else "pauses for"} '
                 f"{time_text(tree.paused_ns(node))}\\n")
    colour = dot.LOOP if node.loop else dot.ROOT if node.root else dot.PLAIN
    print(f'\t\tn{node.number} [label="{text}{node.bytes} bytes", '
          f'shape={"box" if node.side == EGRESS else "ellipse"}, fillcolor="{colour}"]')


def show_graph(tree: Tree) -> None:
    """Print the graph. Nodes are sorted by switch."""
    dot.begin("pauses")
    print("\trankdir=LR")
    shown = [node for node in tree.nodes if node.shows]
    for switch, nodes in groupby(shown, lambda node: node.port["switch"]):
        print(f'\tsubgraph cluster_{switch} {{\n\t\tlabel="switch {switch}"')
        for node in nodes:
            dot_node(tree, node)
        print("\t}")
    for node in shown:
        # the reason for the pause of a root that is not a known queue
        if node.root and node.since_ns:
            why = "slow receiver" if node.side == INGRESS else peer_text(node.port, "its peer")
            print(f'\tr{node.number} [label="{dot.label(why)}", shape=octagon, '
                  f'fillcolor="{dot.CULPRIT}"]\n'
                  f'\tr{node.number} -> n{node.number} [label="pauses"]')
        for num, other in node.effects:
            print(f"\tn{node.number} -> n{other.number} [" +
                  (f'label="{num}"]' if num else 'label="pauses", penwidth=2]'))
    print("}")


def main() -> int:
    """Run tree [-g] [DEV [PRIO]]."""
    view = common.View("tree", "g", ["graph"], most=2)
    graph = bool(view.options)
    if view.json + graph + bool(view.words) > 1:
        view.wrong("tree: only one of JSON, graph (both of all ports), or a port")
    dev, prios = [*view.words, "0,1,2,3,4,5,6,7"][:2] if view.words else ("", "")
    if dev and not re.fullmatch("[0-7](,[0-7])*", prios):
        view.wrong(f'prio: "{prios}" is not a list of priorities, such as 3,4')
    ifindex = common.ctl("port", "show", dev)[0]["ifindex"] if dev else 0
    tree = Tree(common.ctl("state", "-q"))
    if view.json:
        show_json(view, tree)
    elif graph:
        show_graph(tree)
    else:
        lines = Lines(tree, bool(dev))
        if dev:
            lines.show_port(ifindex, prios)
        else:
            lines.show_all()
        if not lines.seen:
            sys.stdout.flush()
            print("the port is not paused, and pauses no peer" if dev else
                  "no port is paused, or pauses a peer", file=sys.stderr)
    return common.OK


common.run(main)
