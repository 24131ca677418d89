# SPDX-License-Identifier: GPL-2.0
"""Draws plots with gnuplot and graphs with dot, as plots/NAME.png, .svg and .pdf, and
returns them as HTML.

plots/NAME.gp has the commands and the style of a plot; to draw it again:
gnuplot -e "kind='svg'" plots/NAME.gp
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent.parent / "lab"))
# pylint: disable=wrong-import-position
from lle_lab import pages

KINDS = ("png", "svg", "pdf")
RGB = re.compile(r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)")


def inline(svg, name):
    """An SVG as HTML. gnuplot writes rgb(  0, 114, 178) for #0072b2, which pages know."""
    return pages.inline(RGB.sub(lambda rgb: "#" + bytes(map(int, rgb.groups())).hex(), svg),
                        name)


def drawn(name):
    return inline(pathlib.Path(f"plots/{name}.svg").read_text(encoding="utf-8"), name)


def plot(name, height, commands):
    """A plot by commands of gnuplot, 1600 wide."""
    path = pathlib.Path(f"plots/{name}.gp")
    style = (HERE / "style.gp").read_text(encoding="utf-8")
    path.write_text(f"name = 'plots/{name}'; height = {height}\n{style}\n{commands}",
                    encoding="utf-8")
    for kind in KINDS:
        subprocess.run(["gnuplot", "-e", f"kind='{kind}'", path], check=True)
    return drawn(name)


def graph(name, dot):
    for kind in KINDS:
        subprocess.run(["dot", f"-T{kind}", "-o", f"plots/{name}.{kind}"], input=dot,
                       text=True, check=True)
    return drawn(name)
