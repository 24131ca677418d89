# SPDX-License-Identifier: GPL-2.0
"""Pages of lab, sweeps and demo: each is one file without references to others.

templates/ has their design, with style.css. Jinja is Debian's, for
/usr/bin/python3.
"""
import base64
import os

import jinja2
from markupsafe import Markup

import draw

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
MOST = 400000   # bytes of an SVG within a page


def number(value):
    """Formats a number: thousands apart, few digits after the point."""
    if isinstance(value, float) and value != int(value):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    return f"{int(value):,}"


def flat(metrics):
    """Metrics with one name: {"detect_ms": {"min": 100}} is detect_ms.min."""
    for name, value in metrics.items():
        if isinstance(value, list):
            value = {str(n): item for n, item in enumerate(value)}
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", sub) for key, sub in flat(value))
        else:
            yield name, value


def picture(path, alt):
    """A plot: path.svg, or path.png if that is large."""
    if os.path.getsize(f"{path}.svg") <= MOST:
        with open(f"{path}.svg", encoding="utf-8") as file:
            return Markup(draw.inline(file.read(), os.path.basename(path)))
    with open(f"{path}.png", "rb") as file:
        data = base64.b64encode(file.read()).decode()
    return Markup('<img alt="{}" src="data:image/png;base64,{}">').format(alt, data)


def plots():
    """(picture, caption) of each plot in plots/list of the current folder."""
    with open("plots/list", encoding="utf-8") as file:
        for line in file:
            name, caption = line.rstrip("\n").split("\t")
            yield picture(f"plots/{name}", caption), caption


def write(path, template, **values):
    """Writes a page: a template with these values."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["number"] = number
    text = environment.get_template(template).render(**values)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
