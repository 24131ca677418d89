# SPDX-License-Identifier: GPL-2.0
"""Compares the results in two folders: of a run, or of all runs below, such as those of a sweep.

Runs whose keys are equal make pairs; keys that have one value in each folder, and not the same,
do not count. The difference of a metric is the median over the pairs. It has the interval in which
95 % of the medians of resampled pairs lie; a star: 0 is not in it.
"""
import pathlib
import random
import re
import statistics

from . import results
from .errors import Refused

RESAMPLED = 2000
PAIRS_MIN = 3       # for an interval
CURRENT = re.compile(r".*[=,][0-9a-f]+")    # not SEED=1.1, of an earlier version


def runs(folder):
    """Results in a folder: its own, or the current ones of all folders below."""
    root = pathlib.Path(folder)
    if (root / "result.json").exists():
        return [results.load(root)]
    found = [results.load(path.parent) for path in sorted(root.rglob("result.json"))
             if CURRENT.fullmatch(path.parent.name)]
    if not found:
        raise Refused(f"{folder}: no results there")
    return found


def differing(ones, others):
    """Keys that have one value in each folder, and not the same."""
    def values(some, key):
        return {run.keys.get(key) for run in some}
    return [key for key in ones[0].keys | others[0].keys
            if values(ones, key) != values(others, key)
            and len(values(ones, key)) == len(values(others, key)) == 1]


def pairs(ones, others, keys):
    """Pairs of runs of a scenario that are equal in all but these keys."""
    def rest(run):
        return run.result["scenario"], *sorted((key, value) for key, value in run.keys.items()
                                               if key not in keys)
    found = {rest(run): run for run in others}
    return [(run, found[rest(run)]) for run in ones if rest(run) in found]


def interval(values):
    """Least and most of 95 % of the medians of resampled values; None: too few values."""
    if len(values) < PAIRS_MIN:
        return None
    draws = random.Random(1)
    medians = sorted(statistics.median(draws.choices(values, k=len(values)))
                     for _ in range(RESAMPLED))
    cut = RESAMPLED // 40
    return medians[cut], medians[-1 - cut]


def rows(found):
    """(metric, median, median of the other, median of the differences, interval)"""
    for name in found[0][0].metrics:
        values = [(one.metrics.get(name), other.metrics.get(name)) for one, other in found]
        values = [pair for pair in values if None not in pair]
        if values:
            differences = [b - a for a, b in values]
            yield (name, *map(statistics.median, zip(*values)), statistics.median(differences),
                   interval(differences))


def line(name, a, b, more, spread):
    percent = f"{100 * more / a:+.1f} %" if a else ""
    text = f"{name:36}{a:12.6g}{b:12.6g}{more:12.4g} {percent:>9}"
    if spread:
        star = " *" if spread[0] > 0 or spread[1] < 0 else ""
        text += f"  {spread[0]:.4g}..{spread[1]:.4g}{star}"
    return text.rstrip()


def lines(one, other):
    """The comparison of two folders, to be printed."""
    ones, others = runs(one), runs(other)
    keys = differing(ones, others)
    found = pairs(ones, others, keys)
    if not found:
        raise Refused(f"{one} and {other} have no runs with the same keys")
    for key in keys:
        yield f"{key}: {ones[0].keys.get(key, 'none')} and {others[0].keys.get(key, 'none')}"
    if {run.result["version"] for run in ones} != {run.result["version"] for run in others}:
        yield "versions of the lab differ"
    yield f"{len(found)} pair{'s' * (len(found) > 1)}"
    yield f"{'metric':36}{'A':>12}{'B':>12}{'B - A':>12}"
    for row in rows(found):
        yield line(*row)


def show(one, other):
    print(*lines(one, other), sep="\n")
