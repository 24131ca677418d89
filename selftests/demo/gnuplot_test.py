# SPDX-License-Identifier: GPL-2.0
"""Tests that colours of gnuplot's SVG are replaced on a dark page."""
import re

import drawing
from drawing import pages

GNUPLOT = """<?xml version="1.0"?>
<svg viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg"><title>Gnuplot</title>
<defs><circle id='gpDot' r='0.5'/></defs><g fill="none" color="#FFFFFF" stroke="currentColor">
<path stroke='rgb(  0, 114, 178)' d='M0,0'/><use xlink:href='#gpDot' color='rgb(68, 68, 68)'/></g>
<text fill="rgb(255,255,255)">rgb</text></svg>"""


def test_colours_of_gnuplot_are_those_of_the_page():
    svg = drawing.inline(GNUPLOT, "queues")
    for text in ("stroke='var(--c0072b2, #0072b2)'", "color='var(--c444444, #444444)'",
                 'fill="var(--cffffff, #ffffff)"', 'stroke="currentColor"', ">rgb</text>",
                 "id='queues-gpDot'", "href='#queues-gpDot'"):
        assert text in svg, f"{text} is not in {svg}"
    assert "rgb(" not in svg, svg


def test_a_dark_page_has_a_colour_for_each():
    style = pages.template("style.css")
    colours = {colour for path in (drawing.HERE / "style.gp", *drawing.HERE.glob("*.py"))
               if not path.name.endswith("_test.py")
               for colour in re.findall("#[0-9a-f]{6}", path.read_text(encoding="utf-8"))}
    assert len(colours) > 9
    assert [colour for colour in sorted(colours) if f"--c{colour[1:]}: #" not in style] == []
