# SPDX-License-Identifier: GPL-2.0
"""Writes the page of a run: plots, index.html, and play.html.

What it shows is in result.json, in the files of each arm, and in output.txt of programs.
"""
import functools
import inspect
import re
import shlex
import sys
import textwrap

from . import drawing, names, pages, plots, replay
from .scenario import SCENARIOS

OPERATORS = {"==": "=", "<=": "≤", ">=": "≥", "!=": "≠"}
# tiles at the top: the first TILES of these that the scenario has
HEADLINES = ("victim_gbps", "goodput_share", "utilisation", "jain", "fct_max_us", "pauses",
             "fabric_pauses_in_time", "dropped", "backlog_max_bytes", "storms", "declared",
             "unfinished")
TILES = 4
# of output.txt
LAST_LINES = 60
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
SCALES = {"bytes": (1e3, ("bytes", "KB", "MB", "GB")),
          "µs": (1e3, ("µs", "ms", "s")), "ms": (1e3, ("ms", "s"))}


def about(scenario):
    """(is a drawing, text) of the paragraphs that describe a scenario."""
    text = inspect.getdoc(sys.modules[type(scenario).__module__]) or inspect.getdoc(scenario) or ""
    return [(paragraph.startswith((" ", "\t")), textwrap.dedent(paragraph))
            for paragraph in text.split("\n\n") if paragraph.strip()]


def rounded(value, unit):
    """Three digits, in a suitable unit, for a tile."""
    if unit.startswith("share"):
        return f"{100 * value:.3g} %", unit.removeprefix("share").strip()
    step, units = SCALES.get(unit, (1, (unit,)))
    while len(units) > 1 and abs(value) >= step:
        value, units = value / step, units[1:]
    if units[0] in ("packets", "flows", ""):
        return pages.number(value), units[0]
    return f"{float(f'{value:.3g}'):,g}" if abs(value) < 1000 else f"{value:,.0f}", units[0]


def tiles(rows, labels, named):
    """Words, and (label, value, unit) of each value."""
    rows = dict(rows)
    for name in [n for n in HEADLINES if n in rows][:TILES]:
        words, unit = named(name)
        yield words, [(label, *rounded(value, unit))
                      for label, value in zip(labels, rows[name]) if value is not None]


def by_arm(metrics, arms):
    """(name, [value of each arm]) of metrics of arms; (name, [value]) of others."""
    rows, others = {}, []
    for name, value in metrics.items():
        arm, _, rest = name.partition(".")
        if arm in arms:
            rows.setdefault(rest, {})[arm] = value
        else:
            others.append((name, [value]))
    return [(name, [values.get(arm) for arm in arms]) for name, values in rows.items()], others


def expectations(expected, named):
    """Expectations that failed come first."""
    for e in sorted(expected, key=lambda e: e["ok"]):
        words, unit = named(e["metric"])
        bound = f'{OPERATORS.get(e["operator"], e["operator"])} {e["value"]}'
        was = "no such metric" if e["was"] is None else pages.number(e["was"])
        yield {"ok": e["ok"], "metric": e["metric"], "words": words, "bound": bound,
               "was": was, "unit": unit,
               "line": f"{words}: expected {bound}, was {was} {unit}".strip()}


def program_output(path):
    """The lines of a file, as they are read on a terminal."""
    if not path.exists():
        return []
    return CONTROL.sub("", path.read_text(encoding="utf-8", errors="replace")).splitlines()


def pictures(scenario, results, captions):
    """(HTML, caption) of each plot and graph."""
    methods = plots.pictures(scenario)
    for name, caption in captions.items():
        yield pages.picture(results.folder / "plots" / name, caption,
                            hasattr(methods[name], "graph")), caption


def network(results):
    """Drawings of the network, of each arm, and what their colours mean."""
    if not all((run.folder / "testbed.json").exists() for run in drawing.runs(results).values()):
        return [], []
    found, legend = drawing.drawings(results)
    return [(arm, pages.inline(text, f"network-{arm}")) for arm, text in found], legend


def command(scenario, result):
    """The command that runs it again."""
    inside = scenario.source.startswith(str(SCENARIOS))
    name = scenario.name if inside else scenario.source
    return shlex.join(["make", "lab", f"SCENARIO={name}"] +
                      [f"{key}={value}" for key, value in result["keys"].items()])


def again(results):
    """Draws all plots of results, and writes their pages, again."""
    write(plots.scenario_of(results), results)


def write(scenario, results):
    """Draws all plots, and writes the pages."""
    result = results.result
    named = functools.partial(names.metric, own=getattr(scenario, "words", {}))
    captions = plots.draw_all(scenario, results)
    of_arms, others = by_arm(results.metrics, results.arms)
    output = program_output(results.folder / "output.txt")
    drawn, legend = network(results)
    found = tiles(of_arms, results.arms, named) if results.arms else tiles(others, [""], named)
    pages.write(
        results.folder / "index.html", "lab.html", title=scenario.name, result=result,
        about=about(scenario), command=command(scenario, result), tiles=list(found),
        expected=list(expectations(result["expected"], named)), named=named,
        arms=results.arms, by_arm=of_arms, others=others,
        plots=list(pictures(scenario, results, captions)),
        output=output[-LAST_LINES:], output_lines=len(output), replay=replay.write(results),
        silent=not results.arms and "ports" not in captions, network=drawn, legend=legend)
