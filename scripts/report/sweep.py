#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What comes of a sweep, in the current folder:

sweep.py csv                        prints results.csv: a line a point
sweep.py data METRIC KEY [KEY]      prints what its plot is made from, for gnuplot
sweep.py page                       prints index.html

From sweep, the file that was run; points, lines "FOLDER KEY=VALUE..."; result.json in
the folders; and results.csv.
"""
import csv
import glob
import html
import json
import os
import statistics
import sys

import data
import names
import page

COST = ("cpu_s", "run_cpu_s", "hops_per_cpu_s", "memory_mb")


def load(path):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    result["metrics"] = dict(page.flat(result["metrics"]))
    return result


def results():
    """Keys and result of each point that has one."""
    with open("points", encoding="utf-8") as file:
        for folder, *pairs in map(str.split, file):
            if os.path.exists(f"{folder}/version"):
                path, = glob.glob(f"{folder}/*/latest/result.json")
                yield dict(p.split("=", 1) for p in pairs), load(path)


def print_csv():
    lines, metrics = [], {}
    for keys, result in results():
        metrics.update(dict.fromkeys(result["metrics"]))
        lines.append({
            **keys, "not_as_expected": sum(not e["ok"] for e in result["expected"]),
            **{name: result[name] for name in ("virtual_s", "packet_hops")},
            **result["metrics"], **{name: result[name] for name in COST}})
    head = list(lines[0]) if lines else []
    head = [h for h in head if h not in metrics and h not in COST] + \
        list(metrics) + list(COST)
    writer = csv.DictWriter(sys.stdout, head, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def print_data(metric, x_key, series_key=None):
    """For each value of the second key a block: mean, least and most, over what
    else differs, at each value of the first."""
    found = {}
    for row in data.read("results.csv"):
        if row.get(metric):
            series = f"{series_key}={row[series_key]}" if series_key else metric
            found.setdefault(series, {}).setdefault(row[x_key], []).append(
                float(row[metric]))
    if not found:
        sys.exit(f"no point has a metric '{metric}'")
    ticks = list(dict.fromkeys(x for block in found.values() for x in block))
    at = {x: i for i, x in enumerate(ticks)}
    if all(map(is_number, ticks)):
        at = {x: float(x) for x in ticks}
    caption = f"{names.metric(metric)[0]} over {names.key_axis(x_key)}"
    if series_key:
        caption += f", by {names.key_axis(series_key)}"
    data.show(caption[0].upper() + caption[1:] + ".",
              [(series, sorted((at[x], statistics.mean(ys), min(ys), max(ys))
                               for x, ys in block.items()))
               for series, block in found.items()], data.NONE, data.NONE)
    labels = ", ".join(f'"{x}" {at[x]:g}' for x in ticks)
    print(f"set xtics ({labels})\nx_label = '{names.key_axis(x_key)}'")
    print(f"y_words = '{names.metric(metric)[0]}'; y_label = '{names.axis(metric)}'")
    print(f"several = {int(len(found) > 1)}")


def print_page():
    with open("sweep", encoding="utf-8") as file:
        text = file.read()
    about = " ".join(line.lstrip("# ").rstrip() for line in text.splitlines()
                     if line.startswith("#") and "SPDX" not in line)
    plotted = [line.split()[1] for line in text.splitlines()
               if line.split()[:1] == ["plot"]]
    points = list(results())
    columns = list(points[0][0]) if points else []
    rows = [[html.escape(keys[c]) for c in columns] +
            [page.number(result["metrics"][m]) if m in result["metrics"] else ""
             for m in dict.fromkeys(plotted)] +
            [page.number(sum(not e["ok"] for e in result["expected"]))]
            for keys, result in points]
    name = os.path.basename(os.getcwd())
    print(page.page(name, f"""<h1>{html.escape(name)}</h1>
<p class="sub">Linux Lossless Ethernet, in virtual time: a sweep</p>
<p>{html.escape(about)}</p>
{page.plots()}
<h2>Points</h2>
{page.table(rows, columns + list(dict.fromkeys(plotted)) + ["not as expected"])}
<p>All metrics are in results.csv.</p>
<h2>The sweep</h2>
<pre>{html.escape(text)}</pre>"""))


if __name__ == "__main__":
    {"csv": print_csv, "data": print_data, "page": print_page}[sys.argv[1]](*sys.argv[2:])
