# SPDX-License-Identifier: GPL-2.0
"""Pages of runs and sweeps: each is one file without references to others.

templates/ has their design, with style.css. Jinja is Debian's, for /usr/bin/python3.
"""
import base64
import pathlib

from . import svg

TEMPLATES = pathlib.Path(__file__).with_name("templates")
MOST = 400000   # bytes of an SVG within a page


def number(value):
    """Formats a number: thousands apart, few digits after the point."""
    if isinstance(value, float) and value != int(value):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    return f"{int(value):,}"


def template(name):
    """The text of a file in templates."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def safe(text):
    """Text that is HTML."""
    from markupsafe import Markup
    return Markup(text)


def inline(text, name):
    """An SVG as HTML."""
    return safe(svg.inline(text, name))


def picture(path, alt, is_graph=False):
    """A plot, as wide as its place, or a graph: PATH.svg, or PATH.png if that is large."""
    drawn = path.with_name(f"{path.name}.svg")
    if drawn.stat().st_size <= MOST:
        text = drawn.read_text(encoding="utf-8")
        return inline(text if is_graph else svg.scalable(text), path.name)
    data = base64.b64encode(path.with_name(f"{path.name}.png").read_bytes()).decode()
    return safe('<img alt="{}" src="data:image/png;base64,{}">').format(alt, data)


def write(path, name, folder=TEMPLATES, **values):
    """Writes a page: the template of this name, in FOLDER, with these values."""
    import jinja2
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, TEMPLATES]), autoescape=True,
        trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["number"] = number
    path.write_text(environment.get_template(name).render(**values), encoding="utf-8")
