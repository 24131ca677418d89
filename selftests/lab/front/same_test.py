# SPDX-License-Identifier: GPL-2.0
"""Both fronts of the lab give the same results, to the byte.

`pytest-3 selftests/lab/front/same_test.py -k every` compares all runs of the file same, which takes
an hour or two; without it, three of them.
"""
import json
import os
import pathlib
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
LAB = TOP / "lab"
# what a run costs differs
COST = "cpu_s", "run_cpu_s", "hops_per_cpu_s", "memory_mb", "version"
# expectations of the new front depend on keys
NEW = "lle", "date", "expected"
EVERY = [line for line in pathlib.Path(__file__).with_name("same").read_text().splitlines()
         if not line.startswith("#")]
SMALL = ["incast SIZE=100000 N=8 CAPTURE=h1 QUEUES=s1p1 PAUSES=yes",
         "rcm-victim MS=1 ARMS=pfc,rcm+dcqcn", "dcfit-on-loop RUNS=2"]


def run(command, words, out):
    """The folder with the results of a run."""
    environment = {**os.environ, "LLE_LAB_OUT": str(out), "LLE_LAB_PAGE": "no"}
    done = subprocess.run([*command, *words], env=environment, text=True, capture_output=True,
                          cwd=TOP)
    assert done.returncode in (0, 1), done.stderr
    return out / words[0] / "latest"


def result(folder):
    found = json.loads((folder / "result.json").read_text())
    # the old front lists the ports that alpha-incident captures by itself
    found["keys"].pop("CAPTURE")
    return {name: value for name, value in found.items() if name not in COST + NEW}


def data(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
            if path.suffix in (".csv", ".json", ".pcap") and path.name not in
            ("result.json", "metrics.csv")}


@pytest.mark.parametrize("words", SMALL)
def test_same(tmp_path, words):
    compare(tmp_path, words)


@pytest.mark.parametrize("words", EVERY)
def test_every(tmp_path, words):
    compare(tmp_path, words)


def compare(tmp_path, words):
    old = run([LAB / "lab.sh"], words.split(), tmp_path / "old")
    new = run([LAB / "lle-lab", "run"], words.split(), tmp_path / "new")
    assert result(new) == result(old)
    before, after = data(old), data(new)
    assert sorted(after) == sorted(before)
    assert [name for name in before if after[name] != before[name]] == []
