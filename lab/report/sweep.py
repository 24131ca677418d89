#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Results of a sweep, in the current folder:

sweep.py csv                        prints results.csv: a line a point
sweep.py data METRIC KEY [KEY]      prints the data of a plot, for gnuplot
sweep.py page                       writes index.html

Reads sweep, the file of the sweep; points, lines "FOLDER KEY=VALUE...";
result.json in the folders; and results.csv.
"""
import csv
import glob
import json
import os
import statistics
import sys

import data
import names
import pages

COST = ("cpu_s", "run_cpu_s", "hops_per_cpu_s", "memory_mb")


def load(path):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    result["metrics"] = dict(pages.flat(result["metrics"]))
    return result


def results():
    """Keys and result of each point with a result."""
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
            "broken_bounds": len(result["broken_bounds"]),
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
    """A block for each value of the second key: mean, minimum and maximum by first."""
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


def write_page():
    with open("sweep", encoding="utf-8") as file:
        text = file.read()
    about = " ".join(line.lstrip("# ").rstrip() for line in text.splitlines()
                     if line.startswith("#") and "SPDX" not in line)
    plotted = dict.fromkeys(line.split()[1] for line in text.splitlines()
                            if line.split()[:1] == ["plot"])
    with open("points", encoding="utf-8") as file:
        wanted = len(file.readlines())
    points = [(list(keys.values()), [result["metrics"].get(m) for m in plotted],
               sum(not e["ok"] for e in result["expected"]))
              for keys, result in results()]
    pages.write("index.html", "sweep.html", title=os.path.basename(os.getcwd()),
                about=about, text=text, points=points, without=wanted - len(points),
                keys=next((list(keys) for keys, _ in results()), []),
                metrics=list(plotted), key_axis=names.key_axis, axis=names.axis,
                plots=list(pages.plots()))


if __name__ == "__main__":
    {"csv": print_csv, "data": print_data, "page": write_page}[sys.argv[1]](*sys.argv[2:])
