# SPDX-License-Identifier: GPL-2.0
"""Drawings of the network of a run, by Graphviz: one for each arm.

Hosts are below their switches, and each step away from hosts is one row more. Colour and width of
a link show how long one of its ends was paused, on one scale for all arms.
"""
import shlex
import subprocess

from . import svg

HOSTS = 24       # with more, hosts of a switch are drawn as one
WIDTH = 800      # points
HEIGHT = 90      # of a row
FONT = 14
LETTER = 9       # points
# colour and width of links that were never paused, and of thirds of the longest time
LINKS = ("#b0b0b0", 1), ("#f4b183", 2), ("#e8743b", 3), ("#c00000", 4)


class Scale:
    """How a link looks that was paused for a time; the longest time has the last look."""

    def __init__(self, longest_us):
        self.longest_us = longest_us

    def look(self, us):
        """Colour and width."""
        return LINKS[min(-(-3 * us // self.longest_us), 3) if us else 0]

    def legend(self):
        """(colour, width, words) of each look; nothing if no link was paused."""
        if not self.longest_us:
            return []
        bounds = [microseconds(self.longest_us * part / 3) for part in (1, 2, 3)]
        words = ["never", f"up to {bounds[0]}", f"up to {bounds[1]}", f"up to {bounds[2]}"]
        return [(*look, text) for look, text in zip(LINKS, words)]


def microseconds(us):
    """A time in two digits or more."""
    size, unit = next(((size, unit) for size, unit in ((1e6, "s"), (1e3, "ms")) if us >= size),
                      (1, "µs"))
    value = us / size
    return f"{value:.0f} {unit}" if value >= 10 else f"{float(f'{value:.2g}'):g} {unit}"


class Drawing:
    """Names of nodes by row, hosts in row 0; paused us of links by their ends."""

    def __init__(self, testbed, stats):
        self.hosts = {h["name"]: None for h in testbed["hosts"]}
        self.links = {}
        for q in stats["qdiscs"]:
            ends = frozenset((q["node"], q["peer"]))
            us = max(p["rx_pause_duration"] for p in q["prios"])
            self.links[ends] = max(us, self.links.get(ends, 0))
        self.longest_us = max(self.links.values(), default=0)
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

    def label(self, name):
        """What is written in a node: its name, or the number of hosts that it stands for."""
        return str(self.hosts.get(name) or name)

    def nodes(self):
        for y, row in enumerate(self.rows):
            step = WIDTH / len(row) if self.layered else WIDTH
            for x, name in enumerate(row):
                label = self.label(name)
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

    def drawn(self, form, scale=None):
        """The drawing in a format of Graphviz."""
        return subprocess.run(self.layout() + [f"-T{form}"], capture_output=True, text=True,
                              input=self.dot(scale or Scale(self.longest_us)), check=True).stdout

    def places(self):
        """Positions of nodes, in points; y upwards."""
        words = map(shlex.split, self.drawn("plain").splitlines())
        return {w[1]: (float(w[2]) * 72, float(w[3]) * 72) for w in words if w[0] == "node"}

    def dot(self, scale):
        lines = ["graph testbed {", "outputorder=edgesfirst; bgcolor=transparent",
                 'node [fontname="DejaVu Sans" style=filled penwidth=0.8 color="#666666"]']
        for name, look in self.nodes():
            look = " ".join(f'{key}="{value}"' for key, value in look.items())
            lines.append(f'"{name}" [{look}]')
        thin = 1 if len(self.links) < 200 else 0.4
        # paused links are drawn last
        for ends, us in sorted(self.links.items(), key=lambda link: (link[1], sorted(link[0]))):
            colour, wide = scale.look(us)
            lines.append(" -- ".join(f'"{end}"' for end in sorted(ends)) +
                         f' [color="{colour}" penwidth={thin * wide}]')
        return "\n".join(lines + ["}"])

    def svg(self, scale):
        """As wide as its place if it has rows."""
        drawn = self.drawn("svg", scale)
        return svg.scalable(drawn) if self.layered else drawn


def drawings(results):
    """([arm, SVG], legend): a drawing for each arm, or one if no link of any was paused."""
    found = {arm: Drawing(run.testbed, run.stats) for arm, run in runs(results).items()}
    scale = Scale(max(drawing.longest_us for drawing in found.values()))
    if not scale.longest_us:
        found = {"": next(iter(found.values()))}
    return [(arm, drawing.svg(scale)) for arm, drawing in found.items()], scale.legend()


def runs(results):
    """{arm: Run}; {"": the run itself} without arms."""
    return {arm: results[arm] for arm in results.arms} or {"": results}
