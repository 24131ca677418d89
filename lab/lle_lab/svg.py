# SPDX-License-Identifier: GPL-2.0
"""SVG of matplotlib and Graphviz within a page."""
import re

ATTRIBUTE = re.compile(r"""\b(fill|stroke|color)\s*=\s*(['"])(.*?)\2""")
FONT = re.compile(r"\bfont: ([\d.]+px) [^;\"]*")
STYLE = re.compile(r"\b(fill|stroke|stop-color):\s*(#[0-9a-f]{6})", re.I)
# declarations, comments, tooltips, data about the file, and styles of the whole page
NOT_SHOWN = re.compile(r"<(title|desc|metadata|style)\b.*?</\1>|<!--.*?-->", re.S)
EMPTY = re.compile(r"<(defs|g)\b[^>]*>\s*</\1>\s*")
ID = re.compile(r"""(\bid=['"]|href=['"]#|url\(#)""")


def variable(colour):
    """A colour that style.css may replace: #0072b2 by --c0072b2, red by --cred."""
    colour = colour.lower()
    return f"var(--c{colour.removeprefix('#')}, {colour})"


def themed(match):
    attribute, quote, colour = match.groups()
    if colour in ("none", "transparent", "currentColor") or colour.startswith(("url(", "var(")):
        return match[0]
    return f"{attribute}={quote}{variable(colour)}{quote}"


def inline(svg, name):
    """An SVG within HTML: fonts and colours of the page, and ids that are unique in it."""
    svg = NOT_SHOWN.sub("", svg[svg.index("<svg"):])
    svg = re.sub(r'\s+xmlns(:xlink)?="[^"]*"', "", svg)
    while (less := EMPTY.sub("", svg)) != svg:
        svg = less
    svg = ID.sub(rf"\g<1>{name}-", svg)
    svg = FONT.sub(r"font-size: \1", svg)
    svg = STYLE.sub(lambda match: f"{match[1]}: {variable(match[2])}", svg)
    return ATTRIBUTE.sub(themed, svg)


def scalable(svg):
    """An SVG that is as wide as its place."""
    return re.sub(r'(<svg\b[^>]*?) width="\S+" height="\S+"', r"\1", svg, count=1)
