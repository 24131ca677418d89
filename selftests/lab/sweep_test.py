# SPDX-License-Identifier: GPL-2.0
"""Sweeps: their files, the points that are run, tables, plots and the page. No guest boots: points
get results that are made up, or are refused."""
import csv
import json
import pathlib
import re

import pytest

from lle_lab import keys, results, runner, sweep
from lle_lab.errors import Refused

GRID = """\
# four small points
scenario incast
N\t1 3\t# senders
PFC\ton off
SIZE\t100000

plot fct_max_us N PFC
plot dropped PFC
"""
BAD = [
    ("line 1: the scenario comes first", "N 1"),
    ("line 2: there is no scenario 'nope'", "\nscenario nope"),
    ("line 2: incast has no key 'FOO'", "scenario incast\nFOO 1"),
    ("line 3: 'N' is there twice", "scenario incast\nN 1\nN 2"),
    ("line 2: '1' is there twice", "scenario incast\nN 1 1"),
    ("line 2: no value of 'N'", "scenario incast\nN # none"),
    ("line 2: '1;2' is not a value", "scenario incast\nN 1;2"),
    ("line 2: 'draw' is not scenario, plot or a key", "scenario incast\ndraw fct_max_us N"),
    ("line 3: not METRIC KEY", "scenario incast\nN 1 2\nplot fct_max_us"),
    ("line 3: there is no line 'PFC' above", "scenario incast\nN 1\nplot dropped N PFC"),
    ("line 2: a second scenario", "scenario incast\nscenario incast"),
    ("no scenario", "# nothing"),
]


@pytest.mark.parametrize("why, text", BAD, ids=[why for why, _ in BAD])
def test_a_bad_file_is_refused(tmp_path, why, text):
    path = tmp_path / "bad"
    path.write_text(text)
    with pytest.raises(Refused) as refused:
        sweep.Sweep(path, path.read_text())
    assert str(refused.value).startswith(f"{path}{': ' * (not why.startswith('line'))}"
                                         f"{', ' * why.startswith('line')}{why}")


def test_points_are_all_combinations(tmp_path):
    (tmp_path / "grid").write_text(GRID)
    points = sweep.Sweep(tmp_path / "grid", (tmp_path / "grid").read_text()).points(tmp_path)
    assert [point.folder.name for point in points] == [
        f"N={n},PFC={pfc},SIZE=100000" for n in "13" for pfc in ("on", "off")]


def test_names_of_folders_are_short(tmp_path):
    a, b = (sweep.Point(tmp_path, "import", {"FLOWS": "/long" * 60 + name}) for name in "ab")
    assert len(a.folder.name) < 255 and a.folder != b.folder
    assert sweep.Point(tmp_path, "import", {"FLOWS": "/a/b"}).folder.name == "FLOWS=_a_b"


class Lab:
    """A lab without guests. fails: pairs of points that get no result."""

    def __init__(self, folder, monkeypatch):
        self.folder, self.ran, self.fails, self.version = folder, [], (), "v1"
        self.built = [folder / "kernel", folder / "mods"]
        monkeypatch.setattr(runner, "build", lambda: iter(self.built))
        monkeypatch.setattr(runner, "version", self.version_of)
        monkeypatch.setattr(sweep.Point, "run", lambda point: self.run(point))
        monkeypatch.setenv("LLE_SWEEP_OUT", str(folder / "out"))
        monkeypatch.setenv("LLE_LAB_BUILT", "")
        monkeypatch.delenv("SWEEP_ENGINE", raising=False)

    def version_of(self, scenario, *built):
        assert list(built) == self.built
        files = [getattr(scenario, name).read_text() for name, key in scenario.keys.items()
                 if isinstance(key, keys.Path) and scenario.texts[name]]
        return "-".join([self.version, *files])

    def run(self, point):
        self.ran.append(str(point))
        if str(point) in self.fails:
            return f"{point}: failed"
        scenario = sweep.scenarios.create([point.scenario, *point.pairs])
        latest = point.folder / point.scenario / "latest"
        latest.mkdir(parents=True, exist_ok=True)
        n, dropped = int(point.keys.get("N", 1)), int(point.keys.get("PFC") == "off")
        metrics = {"fct_max_us": n * 1.5, "dropped": dropped, "of": {"N": [n, 2 * n]}}
        if n == 3:
            metrics["more"] = 7
        (latest / "result.json").write_text(json.dumps({
            "scenario": point.scenario, "lle": "0", "date": "2026-01-01", "keys": scenario.texts,
            "version": self.version_of(scenario, *self.built), "virtual_s": 0.12, "cpu_s": 1.5,
            "run_cpu_s": 1.25, "memory_mb": 90, "packet_hops": 1000 * n, "hops_per_cpu_s": 800,
            "metrics": metrics, "broken_bounds": ["link"] * (n == 3),
            "expected": [{"metric": "dropped", "operator": "==", "value": "0", "was": dropped,
                          "ok": not dropped}]}))
        return f"{point}: as expected"

    def sweep(self, text=GRID, name="grid"):
        """Runs a sweep; returns whether it is complete."""
        (self.folder / name).write_text(text)
        self.ran = []
        return sweep.run(self.folder / name)

    def out(self, name="grid"):
        return self.folder / "out" / name


@pytest.fixture(name="lab")
def a_lab(tmp_path, monkeypatch):
    return Lab(tmp_path, monkeypatch)


def test_results_csv_has_a_line_for_each_point(lab):
    assert lab.sweep()
    assert (lab.out() / "results.csv").read_text() == """\
N,PFC,SIZE,not_as_expected,broken_bounds,virtual_s,packet_hops,fct_max_us,dropped,of.N.0,of.N.1,\
more,cpu_s,run_cpu_s,hops_per_cpu_s,memory_mb
1,on,100000,0,0,0.12,1000,1.5,0,1,2,,1.5,1.25,800,90
1,off,100000,1,0,0.12,1000,1.5,1,1,2,,1.5,1.25,800,90
3,on,100000,0,1,0.12,3000,4.5,0,3,6,7,1.5,1.25,800,90
3,off,100000,1,1,0.12,3000,4.5,1,3,6,7,1.5,1.25,800,90
"""


def test_metrics_csv_has_a_line_for_each_metric(lab):
    assert lab.sweep()
    with (lab.out() / "metrics.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "fct_max_us"]
    assert [(row["N"], row["PFC"], row["value"]) for row in rows] == [
        ("1", "on", "1.5"), ("1", "off", "1.5"), ("3", "on", "4.5"), ("3", "off", "4.5")]


def test_progress_has_the_time_left(lab, capsys):
    assert lab.sweep()
    first, *lines, rate, last = capsys.readouterr().out.splitlines()
    assert first == "grid: 4 points of incast, 4 of them to be run"
    assert last == f"page: {lab.out()}/index.html"
    assert sorted(line.split("] ")[1] for line in lines) == [
        f"N={n} PFC={pfc} SIZE=100000: as expected" for n in "13" for pfc in ("off", "on")]
    assert lines[-1].startswith("[4 of 4, about 0 s left] ")
    assert re.fullmatch(r"4 points in \d+ s, \d+ an hour", rate)


@pytest.mark.parametrize("pfc, failed", [("on", [6]), ("off", [5, 6, 7])])
def test_seeds_that_fail_are_commands(lab, capsys, pfc, failed):
    # keys at their defaults are left out
    words = f"SCRIPT={__file__}" + " PFC=off" * (pfc == "off")
    lab.fails = f"{words} SEED=6",
    found = sweep.scenarios.create(["faults", *words.split(), "SEED=5", "SEEDS=3"])
    assert not sweep.run_seeds("faults", found)
    lines = capsys.readouterr().out.splitlines()
    assert f"{3 - len(failed)} of 3 seeds are as expected" in lines
    assert sorted(line for line in lines if line.startswith("not")) == [
        f"not as expected: lab/lle-lab run faults {words} SEED={seed}" for seed in failed]


def test_what_has_a_result_is_not_run_again(lab):
    assert lab.sweep() and len(lab.ran) == 4
    table = (lab.out() / "results.csv").read_text()
    assert lab.sweep() and not lab.ran
    assert (lab.out() / "results.csv").read_text() == table
    path = lab.out() / "N=3,PFC=on,SIZE=100000/incast/latest/result.json"
    path.write_text(path.read_text().replace('"v1"', '"v0"'))
    assert lab.sweep() and lab.ran == ["N=3 PFC=on SIZE=100000"]
    lab.version = "v2"
    assert lab.sweep() and len(lab.ran) == 4


def test_a_point_with_a_file_that_has_changed_is_run_again(lab):
    flows, topology = lab.folder / "flows", lab.folder / "topology"
    flows.write_text("1")
    topology.write_text("1")
    text = f"scenario import\nTOPOLOGY {topology}\nFLOWS {flows}\n"
    assert lab.sweep(text) and len(lab.ran) == 1
    assert lab.sweep(text) and not lab.ran
    flows.write_text("2")
    assert lab.sweep(text) and len(lab.ran) == 1
    assert lab.sweep(text) and not lab.ran
    flows.unlink()
    lab.fails = [f"TOPOLOGY={topology} FLOWS={flows}"]
    assert not lab.sweep(text) and len(lab.ran) == 1


def test_a_point_that_fails_is_said_and_run_again(lab, capsys):
    lab.fails = ["N=1 PFC=off SIZE=100000"]
    assert not lab.sweep()
    assert "no result: N=1 PFC=off SIZE=100000\n" in capsys.readouterr().out
    assert len((lab.out() / "results.csv").read_text().splitlines()) == 4
    assert "1 more have no result" in (lab.out() / "index.html").read_text()
    assert not lab.sweep() and lab.ran == lab.fails
    lab.fails = ()
    assert lab.sweep() and lab.ran == ["N=1 PFC=off SIZE=100000"]


def test_no_point_has_a_result(lab):
    lab.fails = ["N=1"]
    assert not lab.sweep("scenario incast\nN 1\nplot dropped N\n")
    assert not (lab.out() / "index.html").exists()
    assert (lab.out() / "results.csv").read_text() == "cpu_s,run_cpu_s,hops_per_cpu_s,memory_mb\n"


def test_plots_are_drawn(lab, capsys):
    assert lab.sweep(GRID + "plot nope N\n")
    assert capsys.readouterr().err == "no point has a metric 'nope'\n"
    assert sorted(path.name for path in (lab.out() / "plots").iterdir()) == [
        f"{name}.{form}" for name in ("dropped-PFC", "fct_max_us-N-PFC")
        for form in ("pdf", "png", "svg")]
    page = (lab.out() / "index.html").read_text()
    assert page.count("<svg") == 2
    assert "Slowest flow over senders (N), by PFC." in page
    assert "2 of 4 points are not as expected" in page


class Axes:
    """What curve() draws."""

    def __init__(self, *words, lines):
        found = [(sweep.Point(pathlib.Path(), "incast", of_keys), self.results(value))
                 for *of_keys, value in lines for of_keys in of_keys]
        from matplotlib import figure
        self.method = sweep.curve(found, {}, *words)
        self.ax = figure.Figure().subplots()
        self.method(self.ax, None)

    @staticmethod
    def results(value):
        found = results.Result.__new__(results.Result)
        found.metrics = {} if value is None else {"m": value}
        return found

    def points(self):
        """(x, mean, least, most) of each line."""
        for line in self.ax.containers:
            data, _, (bars,) = line
            yield [(x, y, *low_high[:, 1]) for (x, y), low_high
                   in zip(data.get_xydata(), bars.get_segments())]


def test_a_plot_has_mean_least_and_most():
    drawn = Axes("m", "N", lines=[({"N": n, "SEED": seed}, value) for n, seed, value in (
        ("10", "1", 4), ("2", "1", 1), ("2", "2", 2), ("2", "3", 6), ("10", "2", None))])
    assert list(drawn.points()) == [[(2, 3, 1, 6), (10, 4, 4, 4)]]
    assert [tick.get_text() for tick in drawn.ax.get_xticklabels()] == ["10", "2"]
    assert drawn.ax.get_ylim()[0] == 0 and drawn.ax.get_xscale() == "linear"
    assert not drawn.ax.get_legend_handles_labels()[1]


def test_a_plot_has_a_line_for_each_value_of_the_second_key():
    drawn = Axes("m", "DELAY", "PFC", lines=[
        ({"DELAY": delay, "PFC": pfc}, value) for delay, pfc, value in (
            ("1us", "on", 1), ("10us", "on", -2), ("1us", "off", 3))])
    assert list(drawn.points()) == [[(0, 1, 1, 1), (1, -2, -2, -2)], [(0, 3, 3, 3)]]
    assert drawn.ax.get_legend_handles_labels()[1] == ["PFC=on", "PFC=off"]
    assert drawn.ax.get_ylim()[0] < -2


def test_a_wide_range_is_drawn_logarithmically():
    assert Axes("m", "N", lines=[({"N": n}, 1) for n in ("1", "31")]).ax.get_xscale() == "log"


@pytest.mark.parametrize("name, value", [("SWEEP_ENGINE", "cloud"), ("SWEEP_JOBS", "many")])
def test_a_wrong_environment_is_refused(lab, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(Refused, match=value):
        lab.sweep()
    assert not lab.out().exists()


def test_a_name_that_is_no_file_is_refused():
    with pytest.raises(Refused, match="there is no file 'nope'"):
        sweep.run("nope")


SBATCH = """\
#!/bin/bash
# runs the tasks of a job array, the last one first
for word; do
	case $word in
	--array=1-*) tasks=${word#--array=1-} ;;
	--output=*) output=${word#--output=} ;;
	--wrap=*) command=${word#--wrap=} ;;
	esac
done
for ((SLURM_ARRAY_TASK_ID = tasks; SLURM_ARRAY_TASK_ID; SLURM_ARRAY_TASK_ID--)); do
	export SLURM_ARRAY_TASK_ID
	sh -c "$command" >"${output/\\%a/$SLURM_ARRAY_TASK_ID}" 2>&1
done
exit 1
"""


@pytest.mark.parametrize("engine", ["local", "slurm"])
def test_points_are_commands(tmp_path, monkeypatch, capfd, engine):
    """Real points, which the lab refuses before a guest boots."""
    (tmp_path / "sbatch").write_text(SBATCH)
    (tmp_path / "sbatch").chmod(0o755)
    (tmp_path / "refused").write_text("scenario incast\nN 0 1 99\nK 2\nPFC on off\n")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("LLE_LAB_BUILT", f"{tmp_path}/kernel\n{tmp_path}/mods")
    monkeypatch.setenv("LLE_SWEEP_OUT", str(tmp_path / "out"))
    monkeypatch.setenv("SWEEP_ENGINE", engine)
    monkeypatch.setattr(sweep, "TASKS_MAX", 4)
    assert not sweep.run(tmp_path / "refused")
    said = capfd.readouterr().out
    for n in "0", "99":
        for pfc in "on", "off":
            assert (f"N={n} K=2 PFC={pfc}: failed with status 2: incast: N={n}: not from 1 to 1 "
                    in said), said
            assert f"no result: N={n} K=2 PFC={pfc}\n" in said
    assert said.count(": failed with status ") == 6
    assert engine == "local" or len(list((tmp_path / "out/refused/slurm").iterdir())) == 4
