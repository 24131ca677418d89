# SPDX-License-Identifier: GPL-2.0
"""Draws the hosts and switches of the storm, and the pauses between them."""
import drawing
import storm_plot

# centres, in pixels
PLACE = {"host 1": (110, 32), "host 2": (110, 95), "host 3": (110, 158),
         "switch 1": (370, 95), "switch 2": (610, 95),
         "host 4": (850, 63), "host 5": (850, 127)}
LINKS = (("host 1", "switch 1"), ("host 2", "switch 1"), ("host 3", "switch 1"),
         ("switch 1", "switch 2"), ("switch 2", "host 4"), ("switch 2", "host 5"))
BOX = (120, 42)
COLOUR = storm_plot.COLOUR["without"]


def link(one, other, gap):
    """Ends of the line between two boxes, GAP pixels before the other."""
    (x1, y1), (x2, y2) = PLACE[one], PLACE[other]
    side = 1 if x2 > x1 else -1
    return (x1 + side * BOX[0] / 2, y1,
            x2 - side * (BOX[0] / 2 + gap), y2)


def arrow(words, ms):
    """An arrow from the sender of a pause to its receiver."""
    x1, y1, x2, y2 = link(*words.split(" pauses "), 9)
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{COLOUR}" ' \
        f'stroke-width="2.5" marker-end="url(#head)"/><text x="{(x1 + x2) / 2}" ' \
        f'y="{(y1 + y2) / 2 + 6}" fill="{COLOUR}" stroke="#ffffff" stroke-width="12" ' \
        f'paint-order="stroke">{ms:.0f} ms</text>'


def picture(spread_ms):
    """Pauses between neighbours, with milliseconds since the first pause."""
    svg = f"""<svg viewBox="0 0 960 190" font-family="DejaVu Sans,Verdana,sans-serif"
 font-size="17" text-anchor="middle"><marker id="head" viewBox="0 0 8 8" refX="1"
 refY="4" markerWidth="4" markerHeight="4" orient="auto">
<path d="M0,0L8,4L0,8z" fill="{COLOUR}"/></marker>"""
    paused = {frozenset(words.split(" pauses ")) for words in spread_ms}
    for ends in LINKS:
        if frozenset(ends) not in paused:
            x1, y1, x2, y2 = link(*ends, 0)
            svg += f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#999999"/>'
    for words, ms in spread_ms.items():
        svg += arrow(words, ms)
    for name, (x, y) in PLACE.items():
        dead = name == "host 5"
        svg += f'<rect x="{x - BOX[0] / 2}" y="{y - BOX[1] / 2}" width="{BOX[0]}" ' \
            f'height="{BOX[1]}" rx="{4 if "host" in name else 0}" stroke="#666666" ' \
            f'fill="{COLOUR if dead else "#f6f6f6"}"/>' \
            f'<text x="{x}" y="{y + 6}" fill="{"#ffffff" if dead else "#222222"}">' \
            f'{name}</text>'
    return drawing.inline(svg + "</svg>", "tree")
