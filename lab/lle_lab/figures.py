# SPDX-License-Identifier: GPL-2.0
"""Published figures: their runs, results, and tables.

lab/figures defines the figures. out/figures/results.csv has the metrics in tables, as measured here:
median, minimum and maximum over all seeds, and each value. New results keep those of other seeds with the
same version. A table of a page is between the comments ".. figures: NAME" and ".. end of figures",
which has a sum of the metrics and values of each row: a row with the sum was measured, and stays
until it is measured again.

lab/tables defines its cells, which are text, or FIGURE:METRIC. {a,b} makes several cells, [a,b]
several lines; a line of one cell is a heading. A cell becomes MEDIAN, and (MIN..MAX) if seeds
differ. The last column has the number of seeds, the planned number if some are missing, and how
many miss an expectation. If a table is wider than a page, the brackets have lines of their own.
"""
import collections
import csv
import functools
import itertools
import os
import pathlib
import re
import statistics
import textwrap
import zlib

from .errors import Refused

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
HEAD = ["figure", "metric", "seeds", "median", "least", "most", "values"]
MISSED = "seeds_not_as_expected"
VERSION = "version"
WIDTH = 80      # columns of a page
TIMEOUT_S = "14400"     # 432 hosts for 12 ms of virtual time
# where cells of a table that is too wide are broken into lines
CUTS = ("", r" (?=\()", r" (?=\()|(?<=\.\.)")
METRIC = re.compile(r"(?: *# metric )?([\w.+-]+) (-?[\d.]+)(?: (\d+))?")
LIST = re.compile(r"\[([^\[\]]*)\]")
CELL = re.compile(r"([\w-]+):([\w.+-]+)")
TABLE = re.compile(r"(^\.\. figures: (\S+)\n\n)(.*?)"
                   r"^\.\. end of figures(:(?:\s+[0-9a-f]{8})+)?\n", re.S | re.M)


class Missing(Exception):
    """There is no such figure or table, or it has no results."""


def alternatives(text):
    """Expands {a,b}."""
    match = re.search(r"\{([^{}]*)\}", text)
    if not match:
        return [text]
    return [found for word in match[1].split(",")
            for found in alternatives(text[:match.start()] + word + text[match.end():])]


def lines_of(text):
    """Expands [a,b]: the first line has the first word of each list."""
    lists = [found.split(",") for found in LIST.findall(text)]
    if len(set(map(len, lists))) > 1:
        raise Missing(f"lab/tables: lists of different lengths: {text}")
    return [LIST.sub(lambda found, n=n: found[1].split(",")[n], text)
            for n in range(len(lists[0]))] if lists else [text]


class Figure:
    """Runs of a scenario with some keys and several seeds, and their metrics; or the output of a
    command, lines [# metric] METRIC VALUE [SEEDS]; a repeated METRIC has a spread."""

    def __init__(self, line):
        self.name, seeds, self.scenario, *self.keys = line.split()
        self.command = line.split()[2:] if seeds == "command" else []
        count, _, step = seeds.partition("x")
        self.seeds = [] if self.command else [1 + n * int(step or 1) for n in range(int(count))]
        self.metrics = []

    def sweep(self, seeds):
        """The file of a sweep with these seeds."""
        keys = [pair.replace("=", " ", 1) for pair in self.keys]
        return "\n".join([f"scenario {self.scenario}", *keys,
                          f"SEED {' '.join(map(str, seeds))}", ""])

    def result(self, metric, seeds, numbers, values=""):
        return [self.name, metric, str(seeds), *(f"{x:.9g}" for x in numbers), values]

    def printed(self, text):
        """Results from the output of a command."""
        values, seeds = collections.defaultdict(list), collections.Counter()
        for match in filter(None, map(METRIC.fullmatch, text.splitlines())):
            values[match[1]].append(float(match[2]))
            seeds[match[1]] += int(match[3] or 1)
        if not values:
            raise Missing(f"{self.name}: the command prints no metric")
        return [self.result(metric, seeds[metric], spread(got)) for metric, got in values.items()]

    def swept(self, text, version, values):
        """Results from results.csv of a sweep, and those values of the same version."""
        points = list(csv.DictReader(text.splitlines()))
        if not points:
            raise Missing(f"{self.name}: no seed has a result")
        for point in points:
            seed = int(point["SEED"])
            for metric in self.metrics:
                values[metric].pop(seed, None)
                if point.get(metric):
                    values[metric][seed] = float(point[metric])
            values[MISSED][seed] = float(float(point["not_as_expected"]) > 0)
        rows = [[self.name, VERSION, *[""] * (len(HEAD) - 3), version]] if version else []
        for metric in [MISSED, *self.metrics]:
            # drops seeds that the figure has lost
            got = {seed: values[metric][seed] for seed in self.seeds if seed in values[metric]}
            if not got:
                raise Missing(f"{self.name}: no run has a metric {metric}")
            numbers = [sum(got.values())] * 3 if metric == MISSED else spread(got.values())
            rows.append(self.result(metric, len(got), numbers,
                                    " ".join(f"{seed}={value:.9g}" for seed, value in got.items())))
        return rows


def spread(values):
    return statistics.median(values), min(values), max(values)


class Figures:
    """The figures of a tree."""

    def __init__(self, top=TOP):
        self.top, self.out = top, top / "out/figures"

    @functools.cached_property
    def figures(self):
        """By name."""
        found = []
        for line in (self.top / "lab/figures").read_text(encoding="ascii").splitlines():
            if line and not line.startswith("#"):
                found.append(Figure(line))
        figures = {figure.name: figure for figure in found}
        rows = [row for table in self.tables.values() for row in table]
        for text in (one for row in rows for text in row[1:] for one in alternatives(text)):
            name, metric = CELL.fullmatch(text).groups() if CELL.fullmatch(text) else ("", "")
            if name in figures and metric not in figures[name].metrics:
                figures[name].metrics.append(metric)
        return figures

    @functools.cached_property
    def tables(self):
        """By name of the table: its lines of cells."""
        lines = {}
        for line in (self.top / "lab/tables").read_text(encoding="ascii").splitlines():
            if line.startswith("table "):
                rows = lines[line.split()[1]] = []
            elif line.strip() and not line.startswith("#"):
                rows += [[word.strip() for word in one.split("|")] for one in lines_of(line)]
        return lines

    def named(self, names):
        """The figures with these names, by default all."""
        for name in names:
            if name not in self.figures:
                raise Refused(f"there is no figure '{name}'")
        return [self.figures[name] for name in names or self.figures]

    # Results

    def results(self):
        """Rows of results.csv."""
        path = self.out / "results.csv"
        if not path.exists():
            return []
        with path.open(encoding="ascii") as file:
            return list(csv.reader(file))[1:]

    def kept(self, figure, version):
        """Results of a version: by metric, the value with each seed."""
        rows = [row for row in self.results() if row[0] == figure.name]
        values = collections.defaultdict(dict)
        if version and [VERSION, version] in [[row[1], row[-1]] for row in rows]:
            for _, metric, *_, pairs in rows:
                if metric != VERSION:
                    pairs = [pair.split("=") for pair in pairs.split()]
                    values[metric] = {int(seed): float(value) for seed, value in pairs}
        return values

    def missing(self, figure, version):
        """Seeds without a result of this version."""
        has = self.kept(figure, version)[MISSED]
        return [seed for seed in figure.seeds if seed not in has]

    def keep(self, figure, text, version=""):
        """Writes results in the order of figures; drops those without a figure. text: output of
        the command, or results.csv of the sweep."""
        order = list(self.figures)
        rows = [row for row in self.results() if row[0] in order and row[0] != figure.name]
        rows += figure.printed(text) if figure.command else \
            figure.swept(text, version, self.kept(figure, version))
        rows.sort(key=lambda row: order.index(row[0]))
        self.out.mkdir(parents=True, exist_ok=True)
        with (self.out / "results.csv").open("w", encoding="ascii") as file:
            csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])

    def measure(self, figure, only_missing):
        """Runs a figure and keeps its results, also of an incomplete sweep; returns whether all
        seeds have one."""
        from . import runner, scenario, sweep
        if figure.command:
            status, text = runner.output(figure.command, cwd=self.top)
            if status == 0:
                self.keep(figure, text)
            return status == 0
        version = runner.version(scenario.create([figure.scenario, *figure.keys]), *runner.build())
        seeds = self.missing(figure, version) if only_missing else figure.seeds
        if not seeds:
            print(f"{figure.name}: all seeds have a result")
            return True
        path = self.out / "sweeps" / figure.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(figure.sweep(seeds))
        complete = sweep.run(path, self.out)
        self.keep(figure, (self.out / figure.name / "results.csv").read_text(), version)
        return complete

    # Tables

    def cell(self, text, found, seeds):
        """Contents of a cell FIGURE:METRIC; adds its number of seeds to seeds."""
        match = CELL.fullmatch(text)
        if not match:
            return text
        name, metric = match.groups()
        if name not in self.figures:
            raise Missing(f"lab/figures has no figure {name}")
        if (name, metric) not in found:
            raise Missing(
                f"{text} has no result, or another value: make figures FIGURES={name}")
        number, *numbers, _ = found[name, metric]
        measured, missed = found.get((name, MISSED), (number, "0"))[:2]
        planned = len(self.figures[name].seeds)
        if planned > int(measured):
            number += f" of {planned}"
        seeds.add(number if missed == "0" else f"{number} ({missed} miss)")
        median, least, most = map(shown, numbers)
        return median if least == most else f"{median} ({least}..{most})"

    def table(self, name, found, named, old, sums):
        """A simple table of reStructuredText, and the sums of its rows. @old is the table with
        @sums; rows with one of the figures @named are made from @found."""
        if name not in self.tables:
            raise Missing(f"lab/tables has no table {name}")
        head, *rows = self.tables[name]
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
                cells = [self.cell(text, found, seeds) for text in row]
                cells.append(", ".join(sorted(seeds, key=seeds_of)) or "--")
            made.append(sum_of(row, cells))
            lines.append([label] + [was if CELL.fullmatch(text) else text or "--"
                                    for text, was in zip(row, cells)] + cells[-1:])
        # computed figures have no seeds
        if {line[-1] for line in lines[1:]} <= {"1", "--", ""}:
            lines = [line[:-1] for line in lines]
        return fitting(lines), made

    def pages(self, named=None):
        """Are all tables of pages as measured? Prints what is not. With @named, writes tables, with
        results of these figures; a table without results stays."""
        is_write = named is not None
        found = {(name, metric): rest for name, metric, *rest in self.results()} \
            if is_write else {}
        wrong = []
        for page in sorted((self.top / "Documentation").rglob("*.rst")):
            text = new = page.read_text(encoding="utf-8")
            where = page.relative_to(self.top)
            for match in TABLE.finditer(text):
                try:
                    made, sums = self.table(match[2], found, named or (), match[3],
                                            (match[4] or "").split()[1:])
                    sums = textwrap.fill(" ".join(sums), WIDTH, subsequent_indent="   ",
                                         initial_indent=".. end of figures: ")
                    new = new.replace(match[0], f"{match[1]}{made}{sums}\n")
                except Missing as why:
                    wrong.append(f"{where}: table {match[2]}: {why}")
            if new != text and is_write:
                page.write_text(new, encoding="utf-8")
            elif new != text:
                wrong.append(f"{where}: a table differs from lab/tables: run lle-lab figures -t")
        print("\n".join(wrong), end="\n" * bool(wrong))
        return not wrong


def shown(text):
    """Three digits; four if it is nearly 1."""
    value = float(text)
    if 0.99 <= value < 1:
        return f"{value:.4f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def seeds_of(text):
    """Sort key of "3", "10 (8 miss)"."""
    return int(text.split()[0]), text


def sum_of(row, cells):
    """Of metrics of a row, with their values and seeds."""
    text = " ".join([f"{text} {was}" for text, was in zip(row, cells) if CELL.fullmatch(text)] +
                    cells[-1:])
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


def fitting(lines):
    """A table whose cells are broken until it is as narrow as a page."""
    for cuts in CUTS:
        columns = [column_of(column, cuts) for column in list(zip(*lines, strict=True))[1:]]
        head, *rows = zip([line[0] for line in lines], *columns, strict=True)
        heads, rows = in_lines(head), [line for row in rows for line in in_lines(row)]
        if width_of(heads + rows) <= WIDTH:
            break
    return simple_table(heads, rows)


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


def run(words):
    """[-m | -t] [NAME...]: measures figures, by default all, which takes hours, and writes the
    tables; rows of other figures stay. Runs in out/figures that have a result of this version are
    not repeated; with -m (more) nor are those with a result in results.csv. With -t, only writes
    tables. Returns whether all figures have results, which may miss expectations."""
    only = words[0] if words and words[0] in ("-m", "-t") else None
    tree = Figures()
    names = words[1:] if only else words
    if only == "-t":
        tree.named(names)
        return tree.pages(names)
    figures = tree.named(names)
    os.environ.setdefault("LLE_TIMEOUT", TIMEOUT_S)
    complete = True
    for figure in figures:
        try:
            complete &= tree.measure(figure, only == "-m")
        except Missing as why:
            print(why)
            complete = False
    return tree.pages([figure.name for figure in figures]) and complete


def check_tables():
    """Are all tables of pages as measured? Prints what is not."""
    return Figures().pages()
