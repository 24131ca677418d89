# SPDX-License-Identifier: GPL-2.0
"""A sweep of runs, on this machine and in a Slurm cluster of this machine."""
import csv
import json
import os
import pathlib
import shutil
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
OUT = TOP / "out/sweep-test"
GRID = """\
# four small points
scenario incast
N\t1 3\t# senders
PFC\ton off
SIZE\t100000

plot fct_max_us N PFC
plot dropped PFC
"""
# of the machine
COST = "cpu_s", "run_cpu_s", "hops_per_cpu_s", "memory_mb"
# seconds: a cluster that does not start would wait for ever
CLUSTER_S = "300"


@pytest.fixture(name="run", scope="module")
def a_sweep(built):
    """Function that runs the grid; returns what it prints."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    (OUT / "grid").write_text(GRID)

    def run(engine, *cluster):
        return subprocess.run(
            [*cluster, TOP / "lab/lle-lab", "sweep", OUT / "grid"], check=True, text=True,
            stdout=subprocess.PIPE, env={**os.environ, "LLE_LAB_BUILT": built,
                                         "SWEEP_ENGINE": engine,
                                         "LLE_SWEEP_OUT": str(OUT / engine)}).stdout

    run("local")
    return run


def table(engine):
    """Lines of results.csv, without cost."""
    with (OUT / engine / "grid/results.csv").open() as file:
        return [{name: value for name, value in row.items() if name not in COST}
                for row in csv.DictReader(file)]


def result(n, pfc):
    return OUT / f"local/grid/N={n},PFC={pfc},SIZE=100000/incast/latest/result.json"


@pytest.mark.usefixtures("run")
def test_each_point_has_a_result():
    rows = table("local")
    assert [(row["N"], row["PFC"]) for row in rows] == [
        ("1", "on"), ("1", "off"), ("3", "on"), ("3", "off")]
    for row in rows:
        metrics = json.loads(result(row["N"], row["PFC"]).read_text())["metrics"]
        assert row["fct_max_us"] == str(metrics["fct_max_us"])
    page = (OUT / "local/grid/index.html").read_text()
    assert page.count("<svg") == 2


def test_what_has_a_result_is_not_run_again(run):
    before = (OUT / "local/grid/results.csv").read_bytes()
    assert "grid: 4 points of incast, 0 of them to be run\n" in run("local")
    assert (OUT / "local/grid/results.csv").read_bytes() == before


def test_what_is_run_again_has_the_same_result(run):
    before, path = table("local"), result(1, "on")
    path.write_text(path.read_text().replace('"version": "', '"version": "not '))
    assert "grid: 4 points of incast, 1 of them to be run\n" in run("local")
    assert table("local") == before


def test_a_job_array_of_slurm_gives_the_same(run):
    programs = "sbatch", "slurmctld", "slurmd", "munged"
    if os.getuid() or not all(map(shutil.which, programs)):
        pytest.skip("needs root and Slurm (scripts/deps.sh slurm)")
    assert "grid: 4 points of incast, 4 of them to be run\n" in run(
        "slurm", "timeout", "-s", "KILL", CLUSTER_S, TOP / "selftests/lab/slurm.sh")
    assert table("slurm") == table("local")
