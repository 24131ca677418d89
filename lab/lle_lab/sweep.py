# SPDX-License-Identifier: GPL-2.0
"""Runs a scenario with all combinations of some keys' values.

The file of a sweep, or a name in lab/sweeps, has lines, and comments that begin with #:

    scenario NAME           the first line; NAME may be the path of a file
    KEY VALUE...            a key of the scenario, or SEED
    plot METRIC KEY [KEY]   METRIC over the first KEY, a line for each value of the second; mean,
                            minimum and maximum over all other keys

Writes to out/sweep/NAME-OF-FILE a folder for each combination (a point), results.csv with a line
for each, metrics.csv with a line for each metric of each, plots, and index.html. A point is not run
again if it has a result of this version of kernel, modules and scenario.

LLE_SWEEP_OUT: another folder than out/sweep. SWEEP_ENGINE: local (runs SWEEP_JOBS points in
parallel, by default one for each CPU), or slurm (a job array; the tree is on a file system that all
nodes share).
"""
import concurrent.futures
import csv
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import time

from . import names, pages, plots, results, runner, scenario as scenarios
from .errors import Refused
from .guests import bound, end
from .keys import Path
from .watch import left

COST = ("cpu_s", "run_cpu_s", "hops_per_cpu_s", "memory_mb")
VALUE = re.compile(r"[A-Za-z0-9.:_/%+,@-]+")
TASKS_MAX = 1000        # of a job array, by default


class Sweep:
    """A file of a sweep: the name and the class of the scenario, values by key, and plots."""

    def __init__(self, path, text):
        """path: for messages"""
        self.scenario, self.cls, self.keys, self.plots = None, None, {}, []
        for number, line in enumerate(text.splitlines(), 1):
            words = line.partition("#")[0].split()
            if words:
                try:
                    self.take(*words)
                except Refused as why:
                    raise Refused(f"{path}, line {number}: {why}") from None
        if not self.scenario:
            raise Refused(f"{path}: no scenario")

    def take(self, word, *words):
        """Takes a line."""
        if word == "scenario":
            if self.scenario:
                raise Refused("a second scenario")
            self.scenario = " ".join(words)
            self.cls = scenarios.load(self.scenario)
        elif not self.scenario:
            raise Refused("the scenario comes first")
        elif word == "plot":
            self.take_plot(words)
        elif re.match("[A-Z]", word):
            self.take_key(word, words)
        else:
            raise Refused(f"'{word}' is not scenario, plot or a key")

    def take_plot(self, words):
        if len(words) not in (2, 3):
            raise Refused("not METRIC KEY [KEY]")
        for key in words[1:]:
            if key not in self.keys:
                raise Refused(f"there is no line '{key}' above")
        self.plots.append(words)

    def take_key(self, key, values):
        if key not in self.cls.keys:
            raise Refused(f"{self.cls.name} has no key '{key}'")
        if key in self.keys:
            raise Refused(f"'{key}' is there twice")
        if not values:
            raise Refused(f"no value of '{key}'")
        for value in values:
            if not VALUE.fullmatch(value):
                raise Refused(f"'{value}' is not a value")
            if values.count(value) > 1:
                raise Refused(f"'{value}' is there twice")
        self.keys[key] = values

    def points(self, out):
        """All combinations."""
        return [Point(out, self.scenario, dict(zip(self.keys, values)))
                for values in itertools.product(*self.keys.values())]


class Point:
    """A run of a sweep, with results below a folder of the sweep's folder."""

    process = None

    def __init__(self, out, scenario, keys):
        self.scenario, self.keys = scenario, keys
        self.pairs = [f"{key}={value}" for key, value in keys.items()]
        name = ",".join(self.pairs).translate(scenarios.SAFE)
        # the name of a folder has at most 255 characters
        if len(name) > 200:
            name = f"{name[:160]},{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        self.folder = out / name

    def __str__(self):
        return " ".join(self.pairs)

    def result(self):
        """Its results, or None."""
        found = list(self.folder.glob("*/latest/result.json"))
        return results.load(found[0].parent) if found else None

    def run(self):
        """Runs it anew; returns a line about it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        log = self.folder / "log"
        command = [runner.LAB / "lle-lab", "run", self.scenario, *self.pairs]
        with log.open("w") as file:
            self.process = subprocess.Popen(
                bound(command), stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                env={**os.environ, "LLE_LAB_OUT": str(self.folder), "LLE_LAB_PAGE": "no"})
            status = self.process.wait()
        found = self.result()
        if not found:
            last = "".join(log.read_text().splitlines()[-1:])
            return f"{self}: failed with status {status}: {last}; see {log}"
        missed = sum(not e["ok"] for e in found.result["expected"])
        broken = "".join(f", BROKEN BOUND {line}" for line in found.result["broken_bounds"][:1])
        return f"{self}: {f'{missed} not ' if missed else ''}as expected{broken}"

    def end(self, why):
        """Ends its run, because of a KeyboardInterrupt."""
        if self.process:
            end(self.process, why)


class Versions:
    """Versions of results of points, which depend on the files that keys name."""

    def __init__(self, cls, built):
        self.cls, self.built, self.found = cls, built, {}

    def of(self, point):
        files = tuple(point.keys.get(name) for name, key in self.cls.keys.items()
                      if isinstance(key, Path))
        if files not in self.found:
            self.found[files] = runner.version(self.cls(**point.keys), *self.built)
        return self.found[files]

    def has(self, point):
        """Does a point have a result of this version?"""
        found = point.result()
        try:
            return bool(found) and found.result["version"] == self.of(point)
        except Refused:     # a file is no more
            return False


def run_local(points, jobs):
    """Runs points in parallel. Prints a line about each that has ended, and the time left: points
    under way are half done."""
    start, count = time.monotonic(), len(points)
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        done = concurrent.futures.as_completed([pool.submit(point.run) for point in points])
        for ended, line in enumerate(done, 1):
            beside = min(count - ended, jobs - 1)
            took = time.monotonic() - start
            rest = took * (2 * (count - ended) - beside) / (2 * ended + beside)
            print(f"[{ended} of {count}, {left(rest)}] {line.result()}", flush=True)
        print(f"{count} points in {took:.0f} s, {count * 3600 / took:.0f} an hour")
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def run_slurm(points, out):
    """Runs points as a job array."""
    tasks, logs = min(len(points), TASKS_MAX), out / "slurm"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir()
    (out / "todo.json").write_text(json.dumps([[point.scenario, point.keys] for point in points]))
    command = shlex.join([str(runner.LAB / "lle-lab"), "point", str(out)])
    subprocess.run(
        ["sbatch", "--wait", "--quiet", f"--job-name=lle-{out.name}", f"--array=1-{tasks}",
         "--cpus-per-task=1", "--export=ALL", f"--output={logs}/%a",
         f"--wrap={command} $SLURM_ARRAY_TASK_ID {tasks}"], check=False)
    for log in sorted(logs.iterdir(), key=lambda path: int(path.name)):
        print(log.read_text(), end="")


def point(out, first, step):
    """A task of the job array: runs each STEPth point, from number FIRST on."""
    out = pathlib.Path(out)
    for scenario, keys in json.loads((out / "todo.json").read_text())[int(first) - 1::int(step)]:
        print(Point(out, scenario, keys).run(), flush=True)


def write_table(found, path):
    """Writes a line for each of these pairs of a point and its results."""
    lines, metrics = [], {}
    for point, of_point in found:
        result = of_point.result
        metrics |= dict.fromkeys(of_point.metrics)
        lines.append({
            **point.keys, "not_as_expected": sum(not e["ok"] for e in result["expected"]),
            "broken_bounds": len(result["broken_bounds"]),
            **{name: result[name] for name in ("virtual_s", "packet_hops")},
            **of_point.metrics, **{name: result[name] for name in COST}})
    head = [name for name in (lines[0] if lines else []) if name not in {*metrics, *COST}]
    with path.open("w") as file:
        writer = csv.DictWriter(file, [*head, *metrics, *COST], lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def curve(found, own, metric, x_key, series_key=None):
    """A plot of METRIC; None: no point has it. own: words of the scenario."""
    blocks = {}
    for point, of_point in found:
        value = of_point.metrics.get(metric)
        if value is not None:
            series = f"{series_key}={point.keys[series_key]}" if series_key else None
            blocks.setdefault(series, {}).setdefault(point.keys[x_key], []).append(value)
    if not blocks:
        return None
    ticks = list(dict.fromkeys(x for block in blocks.values() for x in block))
    at = {x: float(x) for x in ticks} if all(map(is_number, ticks)) else \
        {x: i for i, x in enumerate(ticks)}
    caption = f"{names.metric(metric, own)[0]} over {names.key_axis(x_key)}"
    if series_key:
        caption += f", by {names.key_axis(series_key)}"

    @plots.picture(caption[0].upper() + caption[1:] + ".")
    def drawn(ax, _):
        for i, (label, block) in enumerate(blocks.items()):
            xs, values = zip(*sorted((at[x], values) for x, values in block.items()))
            means = list(map(statistics.mean, values))
            spread = ([mean - min(ys) for mean, ys in zip(means, values)],
                      [max(ys) - mean for mean, ys in zip(means, values)])
            line, *_ = ax.errorbar(xs, means, spread, marker="o", capsize=2,
                                   label=label if len(blocks) > 1 else None)
            # equal lines stay visible: the first is the thickest
            thick = 0.5 + 1.5 * (len(blocks) - i) / len(blocks)
            line.set(linewidth=thick * line.get_linewidth(),
                     markersize=thick * line.get_markersize())
        low, high = (end(y for block in blocks.values() for ys in block.values() for y in ys)
                     for end in (min, max))
        if low >= 0:
            ax.set_ylim(0, 1.05 * high or 1)
        if 0 < 30 * min(at.values()) < max(at.values()):
            ax.set_xscale("log")
        ax.set_xticks([], minor=True)
        ax.set_xticks(list(at.values()), ticks)
        ax.set(xlabel=names.key_axis(x_key), ylabel=names.axis(metric, own))

    return drawn


def draw(found, sweep, folder):
    """Draws all plots anew; yields the path, without a type, and the caption of each."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for words in sweep.plots:
        method = curve(found, getattr(sweep.cls, "words", {}), *words)
        if not method:
            print(f"no point has a metric '{words[0]}'", file=sys.stderr)
            continue
        path = folder / "-".join(words)
        caption = plots.draw_one(method, None, path, plots.PAGE, ("svg", "png"))
        plots.draw_one(method, None, path, plots.COLUMN, ("pdf",))
        yield path, caption


def report(found, sweep, out, without):
    """Writes tables, plots and the page. found: pairs of a point and its results; without: number
    of points that have none."""
    write_table(found, out / "results.csv")
    if not found:
        return
    results.write_metrics([of_point.result for _, of_point in found], out / "metrics.csv")
    text, own = (out / "sweep").read_text(), getattr(sweep.cls, "words", {})
    about = " ".join(line.lstrip("# ").rstrip() for line in text.splitlines()
                     if line.startswith("#") and "SPDX" not in line)
    metrics = list(dict.fromkeys(metric for metric, *_ in sweep.plots))
    points = [(list(point.keys.values()), [of_point.metrics.get(name) for name in metrics],
               sum(not e["ok"] for e in of_point.result["expected"]))
              for point, of_point in found]
    pages.write(out / "index.html", "sweep.html", title=out.name, about=about, text=text,
                points=points, without=without, keys=list(sweep.keys), metrics=metrics,
                key_axis=names.key_axis, axis=lambda name: names.axis(name, own),
                plots=[(pages.picture(path, caption), caption)
                       for path, caption in draw(found, sweep, out / "plots")])


def run(name, root=None):
    """Runs the sweep of a file, or of a name in lab/sweeps, with results below root; returns
    whether all points have results, which may miss expectations."""
    path = pathlib.Path(name)
    path = path if path.is_file() else runner.LAB / "sweeps" / name
    if not path.is_file():
        raise Refused(f"there is no file '{name}'")
    text = path.read_text()
    out = (root or folder_of_sweeps()).resolve() / path.name
    return not run_text(path, text, out)[1]


def folder_of_sweeps():
    return pathlib.Path(os.environ.get("LLE_SWEEP_OUT", runner.TOP / "out/sweep"))


def run_seeds(name, scenario):
    """Runs a scenario with its SEEDS seeds, from SEED on; returns whether all are as expected."""
    keys = {key: text for key, text in scenario.texts.items()
            if text != scenario.keys[key].default and key not in ("SEED", "SEEDS")}
    seeds = [str(scenario.SEED + n) for n in range(scenario.seeds())]
    lines = [f"scenario {name}", *(f"{key} {text}" for key, text in keys.items())]
    out = folder_of_sweeps().resolve() / scenario.name / scenario.folder()
    found, failed = run_text(out, "\n".join([*lines, "SEED " + " ".join(seeds)]) + "\n", out)
    missed = [point for point, of_point in found if not runner.holds(of_point.result)] + failed
    print(f"{len(seeds) - len(missed)} of {len(seeds)} seeds are as expected")
    for point in missed:
        print(f"not as expected: lab/lle-lab run {name} {point}")
    return not missed


def run_text(path, text, out):
    """Runs the sweep of a text, which is that of a file; returns pairs of a point and its results,
    and points without one."""
    engine, jobs = os.environ.get("SWEEP_ENGINE", "local"), os.environ.get("SWEEP_JOBS")
    if engine not in ("local", "slurm"):
        raise Refused(f"there is no engine '{engine}'")
    if jobs and not re.fullmatch(r"[1-9]\d*", jobs):
        raise Refused(f"SWEEP_JOBS={jobs}: not a number of points")
    sweep = Sweep(path, text)
    built = list(runner.build())
    os.environ["LLE_LAB_BUILT"] = "\n".join(map(str, built))
    out.mkdir(parents=True, exist_ok=True)
    (out / "sweep").write_text(text)
    points, versions = sweep.points(out), Versions(sweep.cls, built)
    todo = [point for point in points if not versions.has(point)]
    print(f"{path.name}: {len(points)} points of {sweep.cls.name}, {len(todo)} of them to be run",
          flush=True)
    if todo and engine == "local":
        try:
            run_local(todo, int(jobs or len(os.sched_getaffinity(0))))
        except KeyboardInterrupt as why:
            for point in todo:
                point.end(why)
            raise
    elif todo:
        run_slurm(todo, out)
    failed = [point for point in todo if not versions.has(point)]
    found = [(point, point.result()) for point in points if point not in failed]
    report(found, sweep, out, len(failed))
    for point in failed:
        print(f"no result: {point}")
    if (out / "index.html").exists():
        print(f"page: {out}/index.html")
    return found, failed
