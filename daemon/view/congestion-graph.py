#!/usr/bin/python3 -ESsBXutf8
# SPDX-License-Identifier: GPL-2.0
"""losslessctl congestion graph: congestion regions, for dot(1).

From the roots against the direction of the packets, as far as upstream neighbours hold
destinations.
"""

from itertools import groupby
from typing import Any

import common
import dot
from units import peer_text

COLOURS = {"none": dot.PLAIN, "root": dot.ROOT, "edge": dot.EDGE, "inner": dot.LOOP}

Entry = dict[str, Any]


def name_of(entry: Entry) -> str:
    """Name the node of a priority of a port."""
    return f'p{entry["ifindex"]}_{entry["prio"]}'


def is_telling(entry: Entry) -> bool:
    """Does the port tell its neighbour to hold destinations?"""
    return bool(entry["tells"] or entry["tells_class"])


class Regions:
    """Regions to show: state of RCM, sorted by switch, and known ports."""

    def __init__(self, entries: list[Entry], ports: list[Entry]) -> None:
        self.entries = entries
        self.ports = {port["ifindex"]: port for port in ports}
        self.at = {(entry["ifindex"], entry["prio"]): entry for entry in entries}

    def peer(self, entry: Entry) -> Entry | None:
        """Find the state of the link partner; None: not known, or without RCM."""
        port = self.ports.get(entry["ifindex"], {})
        return self.at.get((port.get("peer_ifindex"), entry["prio"]))

    def shows(self, entry: Entry) -> bool:
        """Does it take part in congestion, or its link partner make it?"""
        peer = self.peer(entry)
        return bool(entry["role"] != "none" or entry["ids"] or is_telling(entry) or
                    peer and is_telling(peer))

    def show_node(self, entry: Entry) -> None:
        """Print a node."""
        text = f'{dot.label(common.printable(entry["ifname"]))} prio {entry["prio"]}'
        if entry["role"] != "none":
            text += f'\\n{entry["role"]}'
        if entry["ids"]:
            text += f'\\n{entry["ids"]} isolated, {entry["held"]} held'
        print(f'\t\t{name_of(entry)} [label="{text}", shape=box, '
              f'fillcolor="{COLOURS.get(entry["role"], dot.PLAIN)}"]')

    def outside(self, entry: Entry) -> str:
        """Print a link partner that is not a known port: a host, or a device elsewhere."""
        name = f'n{name_of(entry)[1:]}'
        port = self.ports.get(entry["ifindex"], {})
        text = peer_text(port, "host" if port.get("facing") == "edge" else "neighbour")
        print(f'\t{name} [label="{dot.label(text)}", shape=ellipse]')
        return name

    def show_telling(self, entry: Entry) -> None:
        """Print how many destinations a port tells its neighbour to hold; "all" recent."""
        peer = self.peer(entry)
        to = name_of(peer) if peer else self.outside(entry)
        print(f'\t{name_of(entry)} -> {to} '
              f'[label="{"all" if entry["tells_class"] else entry["tells"]}", penwidth=2]')
        # invisible edges put egress ports before their packets' ingress ports
        for at in self.entries:
            if (at["switch"], at["prio"]) == (entry["switch"], entry["prio"]) and at["ids"] \
                    and at is not entry:
                print(f"\t{name_of(at)} -> {name_of(entry)} [style=invis]")

    def show(self) -> None:
        """Print the graph."""
        dot.begin("congestion")
        print("\trankdir=LR")
        for switch, entries in groupby(filter(self.shows, self.entries), lambda e: e["switch"]):
            print(f'\tsubgraph cluster_{switch} {{\n\t\tlabel="switch {switch}"')
            for entry in entries:
                self.show_node(entry)
            print("\t}")
        for entry in filter(is_telling, self.entries):
            self.show_telling(entry)
        print("}")


def main() -> int:
    """Run congestion graph."""
    view = common.View("congestion graph", most=0)
    if view.json:
        view.wrong("congestion graph: it is for dot, not JSON")
    ports = common.ctl("port")
    Regions(common.ctl("congestion", "show", "-a"), ports).show()
    return common.OK


common.run(main)
