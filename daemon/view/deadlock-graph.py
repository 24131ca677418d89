#!/usr/bin/python3 -ESsBXutf8
# SPDX-License-Identifier: GPL-2.0
"""losslessctl deadlock graph: the loop of a deadlock, for dot(1).

Its switches and links stand on an ellipse, clockwise; an initial trigger off the loop
stands outside.
"""

from math import cos, pi, sin
from typing import Any

import common
import dot
from units import bytes_text, time_text

# inches between neighbouring places, and ratio of the ellipse's axes
STEP, WIDER = 1.25, 1.3
# inches outside the ellipse, of trigger and pause; factor for the sides
WHO, HOW, BESIDE = 2.2, 1.1, 1.7


def port_text(owner: dict[str, Any], name: str, slot: str) -> str:
    """Name a port without its switch, as the node of that stands beside it."""
    return dot.label(common.printable(owner[name])) if name in owner else f"port {owner[slot]}"


class Loop:
    """The loop to show."""

    def __init__(self, deadlock: dict[str, Any]) -> None:
        self.deadlock = deadlock
        self.hops = deadlock["loop"]
        self.trigger = deadlock.get("trigger")

    def place(self, place: int, outside: float = 0) -> str:
        """Place 2n: of switch n, 2n + 1: of the link behind it; outside: inches."""
        step = pi / len(self.hops)
        radius = STEP / 2 / sin(step / 2)
        # labels are wider than high, so they need more room at the sides
        return (f'pos="{(WIDER * radius + BESIDE * outside) * sin(step * place):.3f},'
                f'{(radius + outside) * cos(step * place):.3f}!"')

    def show_switches(self) -> None:
        """Print each switch once."""
        seen = set()
        for n, hop in enumerate(self.hops):
            switch = hop["switch"]
            if switch not in seen:
                culprit = self.trigger and self.trigger["switch"] == switch and \
                    not self.trigger["host"]
                print(f'\ts{switch} [label="switch {switch}", shape=box, style="filled,rounded", '
                      f'fillcolor="{dot.CULPRIT if culprit else dot.LOOP}", {self.place(2 * n)}]')
            seen.add(switch)

    def show_links(self) -> None:
        """Print links from each switch to the next, with the bytes that wait for them."""
        whole = self.deadlock["whole"]
        for n, hop in enumerate(self.hops):
            following = self.hops[(n + 1) % len(self.hops)]
            to = port_text(following, "ingress", "ingress_slot") if whole else "?"
            print(f'\tl{n} [label="{port_text(hop, "egress", "egress_slot")} &rarr; {to}'
                  f'\\n{bytes_text(hop["bytes"])}", shape=plaintext, fillcolor=white, '
                  f"{self.place(2 * n + 1)}]\n"
                  f'\ts{hop["switch"]} -> l{n} [penwidth=2, arrowhead=none]\n'
                  f'\tl{n} -> s{following["switch"]} '
                  f'[penwidth=2{"" if whole else ", style=dotted"}]')

    def show_trigger(self, who: dict[str, Any]) -> None:
        """Print the initial trigger: a host, or a switch on the loop or off the loop."""
        switches = [hop["switch"] for hop in self.hops]
        on_loop = who["switch"] in switches
        place = 2 * (switches.index(who["switch"]) if on_loop else len(switches))
        begin, end = ("pauses ", ",\\ninitial trigger") if who["host"] else \
            ("initial trigger\\n", "")
        print(f'\tbegins [label="{begin}{port_text(who, "ifname", "slot")}{end}", '
              f"shape=plaintext, fillcolor=white, {self.place(place, HOW)}]")
        if on_loop:
            print(f'\tbegins -> s{who["switch"]} [style=dashed]')
        if not who["host"] and on_loop:
            return
        # its node is not on the ellipse
        lines = [] if on_loop else [f'switch {who["switch"]}']
        if who["host"]:
            lines += ["host", *([who["peer_mac"]] if "peer_mac" in who else [])]
        label = "\\n".join(lines)
        print(f'\tculprit [label="{label}", shape=octagon, margin=0, fillcolor="{dot.CULPRIT}", '
              f"{self.place(place, WHO)}]\n\tculprit -> begins [style=dashed, arrowhead=none]")

    def show(self) -> None:
        """Print the graph."""
        d = self.deadlock
        dot.begin("deadlock")
        formed = d["closed_ns"] - d["formed_ns"]
        times = (f"formed within {time_text(formed)}, " if formed > 0 else "") + \
            f'found {time_text(d["found_ns"] - d["closed_ns"])} later'
        # the places hold for neato, whichever program reads the graph
        print("\tlayout=neato\n\tsplines=true\n\tlabelloc=t\n"
              f'\tlabel="deadlock {d["id"]} on priority {d["prio"]}, '
              f'{bytes_text(d["bytes"])} stuck\\n{times}\\n "')
        self.show_switches()
        self.show_links()
        if self.trigger:
            self.show_trigger(self.trigger)
        print("}")


def main() -> int:
    """Run deadlock graph [ID]; without ID the newest."""
    view = common.View("deadlock graph", most=1)
    if view.json:
        view.wrong("deadlock graph: it is for dot, not JSON")
    for deadlock in common.ctl("deadlock", "history"):
        if not view.words or view.words[0] in deadlock["reports"]:
            Loop(deadlock).show()
            return common.OK
    common.fail(f'deadlock: none is called "{view.words[0]}"' if view.words else
                "deadlock: none is known")


common.run(main)
