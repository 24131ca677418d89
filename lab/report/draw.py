#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draws plots/NAME.png, .svg and .pdf, and adds "NAME<tab>CAPTION" to
plots/list:

draw.py plot NAME [CAPTION] <COMMANDS   commands for gnuplot, for $SCENARIO; the
                                        default CAPTION is their first line,
                                        "# CAPTION"
draw.py graph NAME CAPTION FILE         a graph for dot(1)

plots/NAME.gp has the commands and the style; to draw it again:
gnuplot -e "kind='svg'" plots/NAME.gp
"""
import os
import re
import subprocess
import sys

KINDS = ("png", "svg", "pdf")
STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "style.gp")
COLOUR = re.compile(r"""\b(fill|stroke|color)\s*=\s*(['"])(.*?)\2""")
RGB = re.compile(r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)")


def plot(name, scenario, commands, folder="."):
    """Draws a plot in the folder's plots."""
    with open(STYLE, encoding="utf-8") as file:
        style = file.read()
    path = f"plots/{name}.gp"
    with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
        file.write(f"scenario = '{scenario}'; name = 'plots/{name}'\n"
                   f"{style}\n{commands}")
    for kind in KINDS:
        subprocess.run(["gnuplot", "-e", f"kind='{kind}'", path], cwd=folder, check=True)


def graph(name, dot, folder="."):
    """Draws a graph in the folder's plots."""
    for kind in KINDS:
        subprocess.run(["dot", f"-T{kind}", "-o", f"plots/{name}.{kind}"], cwd=folder,
                       input=dot, text=True, check=True)


def themed(match):
    """A colour that style.css may replace: #0072b2 by --c0072b2, red by --cred."""
    attribute, quote, colour = match.groups()
    rgb = RGB.fullmatch(colour)
    if rgb:
        colour = "#" + "".join(f"{int(n):02x}" for n in rgb.groups())
    if colour == "none" or colour == "currentColor" or colour.startswith("url("):
        return match[0]
    colour = colour.lower()
    return f"{attribute}={quote}var(--c{colour.removeprefix('#')}, {colour}){quote}"


def inline(svg, name):
    """SVG within HTML: no XML declarations, no titles (tooltips), unique ids."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'\s+xmlns(:xlink)?="[^"]*"', "", svg)
    svg = re.sub(r"<title>.*?</title>|<desc>.*?</desc>|<!--.*?-->", "", svg, flags=re.S)
    svg = re.sub(r"<g [^>]*>\s*</g>\s*", "", svg)
    svg = re.sub(r"""(\bid=['"]|href=['"]#|url\(#)""", rf"\g<1>{name}-", svg)
    return COLOUR.sub(themed, svg)


def main():
    what, name, *more = sys.argv[1:]
    if what == "graph":
        caption, path = more
        with open(path, encoding="utf-8") as file:
            graph(name, file.read())
    else:
        commands = sys.stdin.read()
        caption = more[0] if more else commands.split("\n", 1)[0].removeprefix("# ")
        plot(name, os.environ["SCENARIO"], commands)
    with open("plots/list", "a", encoding="utf-8") as file:
        file.write(f"{name}\t{caption}\n")


if __name__ == "__main__":
    main()
