#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draws the testbed of a lab run, as SVG: from testbed.json and stats.json in
the current folder.

Hosts are below their switches, and each step away from hosts is one row more.
The colour of a link shows how long one of its ends was paused.
"""
import json
import re
import shlex
import subprocess

HOSTS = 24       # with more, hosts of a switch are drawn as one
WIDTH = 800      # points
HEIGHT = 90      # of a row
FONT = 14
LETTER = 9       # points
PAUSED = ("#b0b0b0", "#f4b183", "#e8743b", "#c00000")


def load(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


class Testbed:
    """Names of nodes by row, hosts in row 0; paused us of links by their ends."""

    def __init__(self, testbed, stats):
        self.hosts = {h["name"]: None for h in testbed["hosts"]}
        self.links = {}
        for q in stats["qdiscs"]:
            ends = frozenset((q["node"], q["peer"]))
            us = max(p["rx_pause_duration"] for p in q["prios"])
            self.links[ends] = max(us, self.links.get(ends, 0))
        if len(self.hosts) > HOSTS:
            self.merge_hosts({h["name"]: h["peer"] for h in testbed["hosts"]})
        switches = [s["name"] for s in testbed["switches"]]
        rows = {name: 0 for name in self.hosts}
        while not rows.keys() >= set(switches):
            above = [s for s in switches if s not in rows and
                     any(self.linked(s, name) for name in rows)]
            if not above:
                break   # no host is reachable from the rest
            rows.update(dict.fromkeys(above, max(rows.values()) + 1))
        self.rows = [[name for name in rows if rows[name] == row]
                     for row in range(max(rows.values()) + 1)]
        self.layered = all(len({rows.get(end) for end in ends}) > 1
                           for ends in self.links)

    def linked(self, one, other):
        return frozenset((one, other)) in self.links

    def merge_hosts(self, peers):
        at = {}
        for host, switch in peers.items():
            at.setdefault(switch, []).append(host)
        self.hosts = {}
        for switch, hosts in at.items():
            name = f"hosts of {switch}"
            self.links[frozenset((name, switch))] = max(
                self.links.pop(frozenset((host, switch))) for host in hosts)
            self.hosts[name] = len(hosts)

    def nodes(self):
        for y, row in enumerate(self.rows):
            step = WIDTH / len(row) if self.layered else WIDTH
            for x, name in enumerate(row):
                label = str(self.hosts.get(name) or name)
                look = {
                    "label": label if len(label) * LETTER <= step else "",
                    "shape": "box" if y else "ellipse",
                    "fillcolor": "#e8f0f7" if y else "#ffffff",
                    "fontsize": FONT, "fixedsize": "true",
                    "width": min(0.6, step / 80), "height": 0.3,
                }
                if self.layered:
                    look["pos"] = f"{(x + 0.5) * step:.1f},{y * HEIGHT}"
                yield name, look

    def layout(self):
        """neato, if no link is within a row; a circle is too narrow for many links."""
        if self.layered:
            return ["neato", "-n2"]
        return ["circo" if len(self.links) <= 2 * HOSTS else "fdp"]

    def drawn(self, form):
        """The drawing in a format of Graphviz."""
        return subprocess.run(self.layout() + [f"-T{form}"], input=self.dot(),
                              capture_output=True, text=True, check=True).stdout

    def places(self):
        """Positions of nodes, in points; y upwards."""
        words = map(shlex.split, self.drawn("plain").splitlines())
        return {w[1]: (float(w[2]) * 72, float(w[3]) * 72) for w in words if w[0] == "node"}

    def dot(self):
        longest = max(self.links.values()) or 1
        lines = ["graph testbed {", "outputorder=edgesfirst; bgcolor=transparent",
                 'node [fontname="DejaVu Sans" style=filled penwidth=0.8 '
                 'color="#666666"]']
        for name, look in self.nodes():
            look = " ".join(f'{key}="{value}"' for key, value in look.items())
            lines.append(f'"{name}" [{look}]')
        width = 1.2 if len(self.links) < 200 else 0.5
        # paused links are drawn last
        for ends, us in sorted(self.links.items(), key=lambda link: link[1]):
            thirds = -(-3 * us // longest)
            lines.append(" -- ".join(f'"{end}"' for end in sorted(ends)) +
                         f' [color="{PAUSED[thirds]}" penwidth={width * (2 if us else 1)}]')
        return "\n".join(lines + ["}"])


def svg():
    """The drawing, scaled to the page if it has rows."""
    testbed = Testbed(load("testbed.json"), load("stats.json"))
    drawn = testbed.drawn("svg")
    return re.sub(r'(<svg) width="\S+" height="\S+"', r"\1", drawn) if testbed.layered else drawn


if __name__ == "__main__":
    print(svg())
