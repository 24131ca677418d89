#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Writes index.html of a lab run, in the current folder: page.py SCENARIO-FILE

Reads result.json, plots/list (lines "NAME<tab>CAPTION", for plots/NAME.svg),
testbed.json, stats.json, and output.txt of programs.
"""
import json
import os
import re
import sys
import textwrap

from markupsafe import Markup

import testbed
import draw
import names
import pages

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


def about(path):
    """(is a drawing, text) of paragraphs of a scenario's header, without its keys."""
    with open(path, encoding="utf-8") as file:
        header = re.split(r"^[^#]", file.read(), flags=re.M)[0].splitlines()[3:]
    text = "\n".join(line[1:].removeprefix(" ") for line in header)
    # "NAME: it does this"
    text = re.sub(r"^\S+: (.)", lambda match: match[1].upper(), text)
    return [(p.startswith("\t"), textwrap.dedent(p))
            for p in text.split("\n\n") if not p.startswith("keys:")]


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


def headlines(rows, labels):
    """Words, and (label, value, unit) of each value, for the tiles."""
    rows = dict(rows)
    for name in [n for n in HEADLINES if n in rows][:TILES]:
        words, unit = names.metric(name)
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
    return [(name, [values.get(arm) for arm in arms])
            for name, values in rows.items()], others


def expectations(expected):
    """Expectations that failed come first."""
    for e in sorted(expected, key=lambda e: e["ok"]):
        words, unit = names.metric(e["metric"])
        bound = f'{OPERATORS.get(e["operator"], e["operator"])} {e["value"]}'
        was = "no such metric" if e["was"] is None else pages.number(e["was"])
        yield {"ok": e["ok"], "metric": e["metric"], "words": words, "bound": bound,
               "was": was, "unit": unit,
               "line": f"{words}: expected {bound}, was {was} {unit}".strip()}


def program_output():
    """The lines of output.txt, as they are read on a terminal."""
    if not os.path.exists("output.txt"):
        return []
    with open("output.txt", encoding="utf-8", errors="replace") as file:
        return CONTROL.sub("", file.read()).splitlines()


def main():
    with open("result.json", encoding="utf-8") as file:
        result = json.load(file)
    arms = [arm for arm in result["keys"].get("ARMS", "").split(",") if arm]
    metrics = dict(pages.flat(result["metrics"]))
    of_arms, others = by_arm(metrics, arms)
    output = program_output()
    tiles = headlines(of_arms, arms) if arms else headlines(others, [""])
    pages.write(
        "index.html", "lab.html", title=result["scenario"], result=result,
        about=about(sys.argv[1]), expected=list(expectations(result["expected"])),
        tiles=list(tiles), arms=arms, by_arm=of_arms, others=others,
        named=names.metric, plots=list(pages.plots()),
        output=output[-LAST_LINES:], output_lines=len(output),
        replay=os.path.exists("play.html"),
        silent=not arms and not os.path.exists("plots/ports.png"),
        network=Markup(draw.inline(testbed.svg(), "network"))
        if os.path.exists("testbed.json") else "")


if __name__ == "__main__":
    main()
