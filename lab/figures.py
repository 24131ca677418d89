#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Published figures: their runs, results, and tables.

Usage: figures.py list [NAME...]	prints names of figures, by default all
       figures.py command NAME		prints the command of a figure, if any
       figures.py sweep NAME [VERSION]	prints the sweep (lab/sweep.sh), for
					seeds without a result of VERSION
       figures.py keep NAME FILE [VERSION]	keeps results: output of the command, or
					results.csv of the sweep
       figures.py pages			checks tables of pages
       figures.py write [NAME...]	writes tables, with results of these figures

lab/figures defines the figures. out/figures/results.csv has the results measured
here: median, minimum and maximum over all seeds, and each value. New results keep
those of other seeds with the same version. A table of a page is between the comments
".. figures: NAME" and ".. end of figures", which has a sum of the metrics and values
of each row: a row with the sum was measured, and stays until it is measured again.

lab/tables defines its cells, which are text, or FIGURE:METRIC. {a,b} makes
several cells, [a,b] several lines; a line of one cell is a heading. A cell
becomes MEDIAN, and (MIN..MAX) if seeds differ. The last column has the number of
seeds, the planned number if some are missing, and how many miss an expectation.
If a table is wider than a page, the brackets have lines of their own.

Exit status: 0; 1 a page is not up to date; 2 wrong use.
"""
import collections
import csv
import glob
import itertools
import os
import re
import statistics
import sys
import textwrap
import zlib

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
FIGURES = os.path.join(TOP, "lab/figures")
RESULTS = os.path.join(TOP, "out/figures/results.csv")
HEAD = ["figure", "metric", "seeds", "median", "least", "most", "values"]
TABLES = os.path.join(TOP, "lab/tables")
MISSED = "seeds_not_as_expected"
VERSION = "version"
WIDTH = 80	# columns of a page
# where cells of a table that is too wide are broken into lines
CUTS = ("", r" (?=\()", r" (?=\()|(?<=\.\.)")
METRIC = re.compile(r"(?: *# metric )?([\w.+-]+) (-?[\d.]+)(?: (\d+))?\n")
LIST = re.compile(r"\[([^\[\]]*)\]")
CELL = re.compile(r"([\w-]+):([\w.+-]+)")
TABLE = re.compile(r"(^\.\. figures: (\S+)\n\n)(.*?)^\.\. end of figures(:(?:\s+[0-9a-f]{8})+)?\n", re.S | re.M)


class Figure:
    """Runs of a scenario with some keys and several seeds, and their metrics; or the
    output of a command, lines [# metric] METRIC VALUE [SEEDS]; a repeated METRIC has a
    spread."""

    def __init__(self, line):
        self.name, seeds, self.scenario, *self.keys = line.split()
        self.command = line.split(maxsplit=2)[2] if seeds == "command" else ""
        count, _, step = seeds.partition("x")
        self.seeds = [] if self.command else \
            [1 + n * int(step or 1) for n in range(int(count))]
        self.metrics = []

    def sweep(self, version):
        """The sweep of the missing seeds; or "" if no seed is missing."""
        has = kept(self, version)[MISSED]
        seeds = [str(seed) for seed in self.seeds if seed not in has]
        if not seeds:
            return ""
        keys = [pair.replace("=", " ", 1) for pair in self.keys]
        return "\n".join([f"scenario {self.scenario}", *keys, f"SEED {' '.join(seeds)}", ""])


def alternatives(text):
    """Expands {a,b}."""
    match = re.search(r"\{([^{}]*)\}", text)
    if not match:
        return [text]
    return [found for word in match[1].split(",")
            for found in alternatives(text[:match.start()] + word + text[match.end():])]


def figures():
    found = []
    with open(FIGURES, encoding="ascii") as file:
        for line in file:
            line = line.split("#")[0].rstrip()
            if line.startswith("\t"):
                found[-1].metrics += [m for word in line.split() for m in alternatives(word)]
            elif line:
                found.append(Figure(line))
    return {figure.name: figure for figure in found}


def results():
    """Rows of out/figures/results.csv."""
    if not os.path.exists(RESULTS):
        return []
    with open(RESULTS, encoding="ascii") as file:
        return list(csv.reader(file))[1:]


def kept(figure, version):
    """Results of a version: by metric, the value with each seed."""
    rows = [row for row in results() if row[0] == figure.name]
    values = collections.defaultdict(dict)
    if version and [figure.name, VERSION, version] in [[*row[:2], row[-1]] for row in rows]:
        for _, metric, *_, pairs in rows:
            if metric != VERSION:
                pairs = [pair.split("=") for pair in pairs.split()]
                values[metric] = {int(seed): float(value) for seed, value in pairs}
    return values


def lines_of(text):
    """Expands [a,b]: the first line has the first word of each list."""
    lists = [found.split(",") for found in LIST.findall(text)]
    if len(set(map(len, lists))) > 1:
        sys.exit(f"lab/tables: lists of different lengths: {text}")
    return [LIST.sub(lambda found, n=n: found[1].split(",")[n], text)
            for n in range(len(lists[0]))] if lists else [text]


def result(figure, metric, seeds, numbers, values=""):
    return [figure.name, metric, str(seeds), *(f"{x:.6g}" for x in numbers), values]


def spread(values):
    return statistics.median(values), min(values), max(values)


def printed(figure, path):
    """Results from the output of a command."""
    values, seeds = collections.defaultdict(list), collections.Counter()
    with open(path, encoding="ascii") as file:
        for match in filter(None, map(METRIC.fullmatch, file)):
            values[match[1]].append(float(match[2]))
            seeds[match[1]] += int(match[3] or 1)
    if not values:
        sys.exit(f"{figure.name}: the command prints no metric")
    for metric, got in values.items():
        yield result(figure, metric, seeds[metric], spread(got))


def swept(figure, path, version):
    """Results of a sweep, and kept ones of that version; and seeds that missed."""
    values = kept(figure, version)
    with open(path, encoding="ascii") as file:
        points = list(csv.DictReader(file))
    if not points:
        sys.exit(f"{figure.name}: no seed has a result")
    for point in points:
        seed = int(point["SEED"])
        for metric in figure.metrics:
            values[metric].pop(seed, None)
            if point.get(metric):
                values[metric][seed] = float(point[metric])
        values[MISSED][seed] = float(float(point["not_as_expected"]) > 0)
    if version:
        yield [figure.name, VERSION, *[""] * (len(HEAD) - 3), version]
    for metric in [MISSED, *figure.metrics]:
        # drops seeds that the figure has lost
        got = {seed: values[metric][seed] for seed in figure.seeds if seed in values[metric]}
        if not got:
            sys.exit(f"{figure.name}: no run has a metric {metric}")
        numbers = [sum(got.values())] * 3 if metric == MISSED else spread(got.values())
        yield result(figure, metric, len(got), numbers,
                     " ".join(f"{seed}={value:.6g}" for seed, value in got.items()))


def keep(name, path, version=""):
    """Writes results in the order of figures; drops those without a figure."""
    order = list(figures())
    figure = figures()[name]
    rows = [row for row in results() if row[0] in order and row[0] != name]
    rows += printed(figure, path) if figure.command else swept(figure, path, version)
    rows.sort(key=lambda row: order.index(row[0]))
    os.makedirs(os.path.dirname(RESULTS), exist_ok=True)
    with open(RESULTS, "w", encoding="ascii") as file:
        csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])


def shown(text):
    """Three digits; four if it is nearly 1."""
    value = float(text)
    if 0.99 <= value < 1:
        return f"{value:.4f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def cell(text, found, seeds):
    """Contents of a cell FIGURE:METRIC; adds its number of seeds to seeds."""
    match = CELL.fullmatch(text)
    if not match:
        return text
    name, metric = match.groups()
    if name not in figures():
        raise LookupError(f"lab/figures has no figure {name}")
    if (name, metric) not in found:
        raise LookupError(f"{text} has no result, or another value: make figures FIGURES={name}")
    number, *numbers, _ = found[name, metric]
    measured, missed = found.get((name, MISSED), (number, "0"))[:2]
    planned = len(figures()[name].seeds)
    if planned > int(measured):
        number += f" of {planned}"
    seeds.add(number if missed == "0" else f"{number} ({missed} miss)")
    median, least, most = map(shown, numbers)
    return median if least == most else f"{median} ({least}..{most})"


def seeds_of(text):
    """Sort key of "3", "10 (8 miss)"."""
    return int(text.split()[0]), text


def tables():
    """By name of the table: its lines of cells."""
    lines = {}
    with open(TABLES, encoding="ascii") as file:
        for line in file:
            if line.startswith("table "):
                rows = lines[line.split()[1]] = []
            elif line.strip() and not line.startswith("#"):
                rows += [[word.strip() for word in one.split("|")] for one in lines_of(line)]
    return lines


def table(name, found, named, old, sums):
    """A simple table of reStructuredText, and the sums of its rows. @old is the table
    with @sums; rows with one of the figures @named are made from @found."""
    if name not in tables():
        raise LookupError(f"lab/tables has no table {name}")
    head, *rows = tables()[name]
    lines, made = [head + ["seeds"]], []
    published = [row[1:] for row in rows_of(old)]
    for label, *row in rows:
        if not row:     # a heading
            lines.append([label] + [""] * len(head))
            continue
        row = [one for text in row for one in alternatives(text)]
        cells = next((texts for texts in published if sum_of(row, texts) in sums), None)
        if not cells or not {text.split(":")[0] for text in row}.isdisjoint(named):
            seeds = set()
            cells = [cell(text, found, seeds) for text in row]
            cells.append(", ".join(sorted(seeds, key=seeds_of)) or "--")
        made.append(sum_of(row, cells))
        lines.append([label] + [was if CELL.fullmatch(text) else text or "--"
                                for text, was in zip(row, cells)] + cells[-1:])
    # computed figures have no seeds
    if {line[-1] for line in lines[1:]} <= {"1", "--", ""}:
        lines = [line[:-1] for line in lines]
    for cuts in CUTS:
        columns = [column_of(column, cuts) for column in list(zip(*lines, strict=True))[1:]]
        head, *rows = zip([line[0] for line in lines], *columns, strict=True)
        heads, rows = in_lines(head), [line for row in rows for line in in_lines(row)]
        if width_of(heads + rows) <= WIDTH:
            break
    return simple_table(heads, rows), made


def sum_of(row, cells):
    """Of metrics of a row, with their values and seeds."""
    text = " ".join([f"{text} {was}" for text, was in zip(row, cells) if CELL.fullmatch(text)] + cells[-1:])
    return f"{zlib.crc32(text.encode()):08x}"


def rows_of(text):
    """Rows of a simple table: cells in one line each, the last one seeds."""
    ruler, head, *_ = text.splitlines() or ["", ""]
    ends = [match.span() for match in re.finditer("=+", ruler)]
    rows = []
    for line in text.split(ruler + "\n")[2].splitlines() if ruler else []:
        cells = [line[start:end].strip() for start, end in ends]
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = list(map(str.__add__, rows[-1], cells))
    return [[re.sub(r"(?<=\S)\(", " (", one) for one in row] +
            ["1"] * (not head.endswith("seeds")) for row in rows]


def column_of(texts, cuts):
    """Lines of each cell of a column, the head first."""
    head, *rows = texts
    if not cuts:
        return [text.splitlines() for text in texts]
    rows = [re.sub(cuts, "\n", text).splitlines() for text in rows]
    wide = widest(part for lines in [head.split(), *rows] for part in lines)
    return [textwrap.wrap(head, wide), *rows]


def widest(texts):
    """Characters of the longest text."""
    return max(map(len, texts), default=0)


def width_of(lines):
    """Characters of a table."""
    return sum(widest(column) + 2 for column in zip(*lines, strict=True)) - 2


def in_lines(row):
    """Lines of a row, with lists of lines as cells, except for the first."""
    return list(itertools.zip_longest([row[0]], *row[1:], fillvalue=""))


def simple_table(heads, rows):
    """reStructuredText; a line without a first cell continues the one above."""
    wide = [widest(column) for column in zip(*heads, *rows, strict=True)]
    ruler = "  ".join("=" * n for n in wide)

    def line(cells):
        return "  ".join(map(str.ljust, cells, wide)).rstrip()

    return "\n".join([ruler, *map(line, heads), ruler, *map(line, rows), ruler, "", ""])


def pages(is_write, named=()):
    """Are all tables as measured, or now are? A table without results stays."""
    found = {(name, metric): rest for name, metric, *rest in results()} if is_write else {}
    wrong = []
    for page in sorted(glob.glob(os.path.join(TOP, "Documentation/**/*.rst"), recursive=True)):
        with open(page, encoding="utf-8") as file:
            text = new = file.read()
        where = os.path.relpath(page, TOP)
        for match in TABLE.finditer(text):
            try:
                made, sums = table(match[2], found, named, match[3], (match[4] or "").split()[1:])
                sums = textwrap.fill(" ".join(sums), WIDTH, initial_indent=".. end of figures: ",
                                     subsequent_indent="   ")
                new = new.replace(match[0], f"{match[1]}{made}{sums}\n")
            except LookupError as why:
                wrong.append(f"{where}: table {match[2]}: {why}")
        if new != text and is_write:
            with open(page, "w", encoding="utf-8") as file:
                file.write(new)
        elif new != text:
            wrong.append(f"{where}: a table differs from lab/tables: run lab/figures.py write")
    print("\n".join(wrong), end="\n" * bool(wrong))
    return not wrong


def main():
    what, *words = sys.argv[1:] or [""]
    known = figures()
    if what == "list":
        for name in words or known:
            if name not in known:
                print(f"figures.py: there is no figure '{name}'", file=sys.stderr)
                sys.exit(2)
            print(name)
    elif what == "command" and len(words) == 1:
        print(known[words[0]].command)
    elif what == "sweep" and len(words) in (1, 2):
        print(known[words[0]].sweep(*words[1:] or [""]), end="")
    elif what == "keep" and len(words) in (2, 3):
        keep(*words)
    elif what == "pages" and not words or what == "write" and set(words) <= set(known):
        sys.exit(not pages(what == "write", words))
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
