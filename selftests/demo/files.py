# SPDX-License-Identifier: GPL-2.0
"""Reads the files that the guest stored."""
import csv
import json
import os


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def lines(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read().splitlines()


def failed(arm_dir):
    """Programs that failed."""
    path = os.path.join(arm_dir, "failed")
    return lines(path) if os.path.exists(path) else []


def samples(arm_dir):
    """Columns of sample.csv by the end of their path, and "s" for seconds."""
    rows = [row for row in csv.reader(lines(arm_dir, "sample.csv")) if row]
    names = [name.split("/class/net/")[-1].split("/hw_counters/")[-1]
             for name in rows[0]]
    rows = [row for row in rows[1:] if len(row) == len(names)]
    table = {name: [int(row[i]) for row in rows]
             for i, name in enumerate(names)}
    table["s"] = [ns / 1e9 for ns in table.pop("ns")]
    return table


def json_lines(*path):
    return [json.loads(line) for line in lines(*path)]
