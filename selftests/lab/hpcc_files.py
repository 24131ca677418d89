# SPDX-License-Identifier: GPL-2.0
"""Files of HPCC of a run of the scenario import: FOLDER has its results, BEGIN_NS is the start of
the first flow. Reads fct.txt as scripts for HPCC do, by position, compares all files with the other
results of the run, and imports topology.txt and flow.txt again.
"""
import csv
import json
import os
import pathlib
import subprocess

import pytest

from lle_lab import importers

TOP = pathlib.Path(__file__).resolve().parents[2]

class Import:
    """Results of import."""

    def __init__(self):
        if "FOLDER" not in os.environ:
            pytest.skip("FOLDER names no results of import")
        self.folder = pathlib.Path(os.environ["FOLDER"])
        self.begin_ns = int(os.environ["BEGIN_NS"])

    def rows(self, name):
        return [line.split() for line in (self.folder / "hpcc" / name).read_text().splitlines()]

    def table(self, name):
        with (self.folder / name).open() as file:
            return list(csv.DictReader(file))

    def document(self, name):
        return json.loads((self.folder / name).read_text())


@pytest.fixture(name="run")
def an_import():
    return Import()


def percentiles(pairs):
    """(size, median, 95 %, 99 % of the slowdown) for each tenth of the flows."""
    pairs = sorted(pairs)
    for i in range(10):
        some = pairs[i * len(pairs) // 10:(i + 1) * len(pairs) // 10]
        slow = sorted(slowdown for _, slowdown in some)
        if some:
            yield (some[-1][0], *(slow[int(len(slow) * p)] for p in (0.5, 0.95, 0.99)))


def test_completions(run):
    """fct.txt has the flows of flows.csv."""
    host = {h["address"]: int(h["name"][1:]) for h in run.document("testbed.json")["hosts"]}
    fct = run.rows("fct.txt")
    got = sorted((int(f[0], 16) >> 8 & 0xffff, int(f[1], 16) >> 8 & 0xffff, int(f[4]), int(f[5]),
                  int(f[6])) for f in fct)
    flows = run.table("flows.csv")
    assert got == sorted((host[f["src"]], host[f["dst"]], int(f["size"]),
                          run.begin_ns + int(f["start_ns"]),
                          int(f["acked_ns"]) - int(f["start_ns"])) for f in flows)
    for f in fct:
        assert f[0] == f"{0x0b000001 + (int(f[0], 16) >> 8 & 0xffff) * 256:08x}"
    assert len({tuple(f[:3]) for f in fct}) == len(fct), "ports of pairs"
    ends = [int(f[5]) + int(f[6]) for f in fct]
    assert ends == sorted(ends), "order"
    # no flow is much faster than alone in the network, and the last one is alone
    slowdowns = [int(f[6]) / int(f[7]) for f in fct]
    assert min(slowdowns) > 0.9 and 0.9 < slowdowns[-1] <= 1, slowdowns
    read = [(int(f[4]), max(1, int(f[6]) / int(f[7]))) for f in fct]
    want = [(int(f["size"]), max(1, (int(f["acked_ns"]) - int(f["start_ns"])) / int(g[7])))
            for f in flows for g in fct
            if (g[4], int(g[5])) == (f["size"], run.begin_ns + int(f["start_ns"])) and
            int(g[0], 16) >> 8 & 0xffff == host[f["src"]]]
    assert list(percentiles(read)) == list(percentiles(want))


def test_pauses(run):
    """pfc.txt has the pauses that ports count."""
    qdiscs = run.document("stats.json")["qdiscs"]
    pfc = run.rows("pfc.txt")
    times = [int(row[0]) for row in pfc]
    assert times == sorted(times), "order"
    for kind, role in ("1", "pause"), ("0", "resume"):
        for node_type, is_host in ("0", True), ("1", False):
            assert (sum(row[2] == node_type and row[4] == kind for row in pfc) ==
                    sum(prio["rx_" + role] for q in qdiscs if (q["role"] == "host") == is_host
                        for prio in q["prios"])), (role, node_type)


def test_again(run):
    """What is imported again is the same."""
    plan = run.folder / "plan/arms/1"

    def shown(form):
        return subprocess.run([TOP / "build/bin/lle-testbed", "show", "file",
                               run.folder / "hpcc/topology.txt", "--format", form],
                              text=True, check=True, stdout=subprocess.PIPE).stdout

    assert shown("file") == (plan / "topology").read_text()
    hosts = {host["name"]: host["address"] for host in json.loads(shown("json"))["hosts"]}
    flows = importers.read(run.folder / "hpcc/flow.txt", pytest.fail)
    got = list(importers.converted(flows, hosts))
    want = (plan / "flows").read_text().splitlines()
    if "after" in "".join(want):    # HPCC's flows wait for none: they have begun at a time
        assert len(got) == len(want)
        return
    assert (got[0], sorted(got[1:])) == (want[0], sorted(want[1:]))
