#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes index.html of a lab run, in the current folder: page.py SCENARIO-FILE

One file without links: it can be mailed. From result.json, plots/list (lines
"NAME<tab>CAPTION", of plots/NAME.png), bed.json and stats.json.
"""
import base64
import html
import json
import os
import re
import sys
import textwrap

import bed

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff;
 max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; }
h2 { font-size: 1.2rem; margin-top: 2.2rem; }
p { max-width: 46rem; }
.sub, figcaption { color: #666; }
.good { color: #00704a; } .bad { color: #c00000; }
.sides { display: flex; flex-wrap: wrap; gap: 0 3rem; }
.sides > div { flex: 1 1 18rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #e4e4e4; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
figure { margin: 1rem 0 2rem; break-inside: avoid; }
figure img, figure svg { width: 100%; height: auto; }
figure svg { max-height: 36rem; }
pre { background: #f6f6f6; padding: .8rem; overflow-x: auto; font-size: .85rem; }
@media print { body { font-size: 11px; margin: 0; } }
"""


def number(value):
    """As a reader wants it: thousands apart, no noise behind the point."""
    if isinstance(value, float) and value != int(value):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    return f"{int(value):,}"


def flat(metrics):
    """Metrics by one name: those of {"detect_ms": {"min": 100}} by detect_ms.min."""
    for name, value in metrics.items():
        if isinstance(value, list):
            value = {str(n): item for n, item in enumerate(value)}
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", sub) for key, sub in flat(value))
        else:
            yield name, value


def table(rows, head=()):
    """Cells are HTML."""
    lines = [f"<tr>{''.join(f'<{kind}>{c}</{kind}>' for c in row)}</tr>"
             for kind, some in (("th", [head] if head else []), ("td", rows))
             for row in some]
    return "<table>" + "\n".join(lines) + "</table>"


def figure(picture, caption):
    return f"<figure>{picture}<figcaption>{html.escape(caption)}</figcaption></figure>"


def png(path, caption):
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    return figure(f'<img alt="{html.escape(caption)}" '
                  f'src="data:image/png;base64,{data}">', caption)


def plots():
    """Of the current folder, by its plots/list."""
    with open("plots/list", encoding="utf-8") as file:
        named = [line.rstrip("\n").split("\t") for line in file]
    return "\n".join(png(f"plots/{name}.png", caption) for name, caption in named)


def page(title, body):
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>
<meta name="viewport" content="width=device-width">
<style>{STYLE}</style>
{body}
</html>
"""


def about(path):
    """The paragraphs of a scenario's header, without its keys; drawings among them."""
    with open(path, encoding="utf-8") as file:
        header = re.split(r"^[^#]", file.read(), flags=re.M)[0].splitlines()[3:]
    text = "\n".join(line[1:].removeprefix(" ") for line in header)
    return "\n".join(
        f"<pre>{textwrap.dedent(p)}</pre>" if p.startswith("\t") else f"<p>{p}</p>"
        for p in html.escape(text).split("\n\n") if not p.startswith("keys:"))


def verdict(expected):
    missed = [e for e in expected if not e["ok"]]
    if not missed:
        return f'<p class="good">All {len(expected)} as expected.</p>'
    return f'<p class="bad">{len(missed)} of {len(expected)} not as expected.</p>'


def expectations(expected):
    return table([(html.escape(f'{e["metric"]} {e["operator"]} {e["value"]}'),
                   "no such metric" if e["was"] is None else number(e["was"]),
                   '<span class="good">yes</span>' if e["ok"] else
                   '<b class="bad">no</b>') for e in expected],
                 ("expected", "was", "met"))


def topology():
    """SVG stands inside HTML without the declarations of XML."""
    text = re.sub(r'\s+xmlns(:xlink)?="[^"]*"', "", bed.svg())
    text = re.sub(r"<title>.*?</title>|<!--.*?-->", "", text, flags=re.S)
    return figure(text[text.index("<svg"):],
                  "Switches and hosts; a number stands for that many hosts. A link is "
                  "the redder, the longer one of its ends was paused.")


def run(result, text):
    keys = " ".join(f"{k}={v}" for k, v in result["keys"].items())
    name = html.escape(result["scenario"])
    numbers = [(html.escape(k), number(v)) for k, v in flat(result["metrics"])]
    cost = [("virtual time", f'{result["virtual_s"]} s'),
            ("CPU time", f'{result["cpu_s"]} s'),
            ("memory", f'{result["memory_mb"]} MB'),
            ("packet-hops", number(result["packet_hops"])),
            ("of them a CPU second", number(result["hops_per_cpu_s"])),
            ("kernel", html.escape(result["kernel"]))]
    silent = "" if os.path.exists("plots/ports.png") else \
        "<p>No port sent a pause, dropped or marked a packet.</p>"
    return f"""<h1>{name}</h1>
<p class="sub">Linux Lossless Ethernet, in virtual time</p>
{text}
{verdict(result["expected"])}
<div class="sides"><div>
<h2>Expectations</h2>{expectations(result["expected"])}
<h2>Keys</h2>{table([(k, html.escape(v)) for k, v in result["keys"].items()])}
</div><div>
<h2>Figures</h2>{table(numbers)}
</div></div>
<h2>Plots</h2>
{plots()}{silent}
<h2>Network</h2>{topology() if os.path.exists("bed.json") else ""}
<h2>The run</h2>
{table(cost)}
<pre>make lab SCENARIO={name} {html.escape(keys)}</pre>
<p>Run again with the same kernel, modules and keys, it gives the same figures, but
for the CPU time.</p>"""


def main():
    with open("result.json", encoding="utf-8") as file:
        result = json.load(file)
    with open("index.html", "w", encoding="utf-8") as file:
        file.write(page(result["scenario"], run(result, about(sys.argv[1]))))


if __name__ == "__main__":
    main()
