# SPDX-License-Identifier: GPL-2.0
"""Files of HPCC, of a run that is made up."""
import json
import pathlib

import pytest

from lle_lab import hpcc, importers

TOP = pathlib.Path(__file__).resolve().parents[2]
FLOWS = """\
id,src,dst,prio,size,start_ns,last_ns,acked_ns
1,10.0.0.2,10.0.0.5,3,3000,500,9000,9500
2,10.0.0.2,10.0.0.3,4,100,0,700,800
3,10.0.0.5,10.0.0.2,3,100,700,-1,-1
4,10.0.0.5,10.0.0.2,3,100,-1,-1,-1
"""
ASKED = """\
# from 2000000000
500 3000 10.0.0.2 10.0.0.5 3 # dport 200
0 100 10.0.0.2 10.0.0.3 4
storm 1000 10.0.0.2 3
0 100 10.0.0.5 10.0.0.2 3 after 1 # dport 300
0 100 10.0.0.5 10.0.0.2 3 after 3
"""
PAUSES = """\
time_ns,port,direction,prio,event
100001001,s5p3,rx,3,pause
100002500,s5p3,rx,3,pause
100003000,s6p2,tx,3,pause
100003100,s5p1,rx,3,resume
100003200,s5p1,tx,3,pause
100003300,s5p1,tx,4,pause
100003400,s5p4,rx,3,pause
100004000,s5p1,tx,3,resume
"""


def qdisc(node, dev, role, peer, gbps, delay):
    return {"node": node, "dev": dev, "role": role, "peer": peer,
            "options": {"rate": gbps * 125000000, "delay": delay, "overhead": 24}}


@pytest.fixture(name="made_up")
def a_run(tmp_path):
    """h2 and h1 at s5, h4 at s6; two links between s5 and s6."""
    names = {"hosts": [{"name": f"h{n}", "address": f"10.0.0.{n + 1}"} for n in (1, 2, 4)],
             "switches": [
                 {"name": "s5", "ports": [{"dev": f"s5p{n}"} for n in (1, 2, 3, 4)],
                  "forward": {"h1": "s5p1", "h2": "s5p2", "h4": "s5p3"}},
                 {"name": "s6", "ports": [{"dev": f"s6p{n}"} for n in (1, 2, 3)],
                  "forward": {"h1": "s6p1", "h2": "s6p1", "h4": "s6p2"}}]}
    qdiscs = [qdisc("h1", "eth0", "host", "s5", 100, 500),
              qdisc("h2", "eth0", "host", "s5", 100, 500),
              qdisc("h4", "eth0", "host", "s6", 40, 1000),
              qdisc("s5", "s5p1", "edge", "h1", 100, 500),
              qdisc("s5", "s5p2", "edge", "h2", 100, 500),
              qdisc("s5", "s5p3", "fabric", "s6", 200, 2000),
              qdisc("s5", "s5p4", "fabric", "s6", 200, 2000),
              qdisc("s6", "s6p1", "fabric", "s5", 200, 2000),
              qdisc("s6", "s6p3", "fabric", "s5", 200, 2000),
              qdisc("s6", "s6p2", "edge", "h4", 40, 1000)]
    plan = tmp_path / "plan/arms/1"
    plan.mkdir(parents=True)
    for path, text in ((tmp_path / "testbed.json", json.dumps(names)),
                       (tmp_path / "stats.json", json.dumps({"qdiscs": qdiscs})),
                       (tmp_path / "flows.csv", FLOWS), (plan / "flows", ASKED),
                       (tmp_path / "timeline.csv", "time_ns,port\n100000000,s5p1\n"),
                       (tmp_path / "pauses.csv", PAUSES)):
        path.write_text(text)
    return tmp_path


def exported(folder):
    hpcc.export(folder, 1024)
    return {path.name: path.read_text().splitlines() for path in (folder / "hpcc").iterdir()}


def test_files_of_a_run(made_up):
    # alone: two links of 500 ns and 82 ns for 1024 bytes at 100 Gbit/s; flow 1: links of 0.5, 2 and
    # 1 us, of 100, 200 and 40 Gbit/s, and three packets at 40 Gbit/s
    alone = 2 * (2 * 500 + 81) + (100 + 82) * 8 // 100
    far = 2 * (500 + 2000 + 1000) + 81 + 40 + 204 + (3000 + 3 * 82) * 8 // 40
    assert exported(made_up) == {
        "topology.txt": ["5 2 5", "5 6", "1 5 100Gbps 500ns 0", "2 5 100Gbps 500ns 0",
                         "4 6 40Gbps 1000ns 0", "5 6 200Gbps 2000ns 0", "5 6 200Gbps 2000ns 0"],
        "flow.txt": ["3", "1 2 4 100 100 2.000000000", "1 4 3 200 3000 2.000000500",
                     "4 1 3 300 100 2.000000700"],
        "fct.txt": [f"0b000101 0b000201 10000 100 100 2000000000 800 {alone}",
                    f"0b000101 0b000401 10000 200 3000 2000000500 9000 {far}"],
        # to h4: 1 us and 84 bytes at 40 Gbit/s later; to h1: 500 ns and at 100 Gbit/s; neither the
        # repetition at s5p3 nor the resume of what is not paused
        "pfc.txt": ["2000001001 5 1 3 1", "2000003400 5 1 4 1", "2000003707 1 0 1 1",
                    "2000003807 1 0 1 1", "2000004017 4 0 1 1", "2000004507 1 0 1 0"]}


def test_ports_are_those_of_the_own_topology(made_up):
    """Links of the file have another order; its second link between the switches is port 4."""
    lines = ["5 2 5", "6 5", "5 6 200Gbps 2us 0", "4 6 40Gbps 1us 0", "2 5 100Gbps 500ns 0",
             "6 5 200Gbps 2us 0", "1 5 100Gbps 500ns 0"]
    hpcc.export(made_up, 1024, topology_lines=lines)
    for _ in 1, 2:      # again, it stays
        files = exported(made_up)
        assert files["topology.txt"] == lines
        assert files["pfc.txt"][:2] == ["2000001001 5 1 1 1", "2000003400 5 1 3 1"]


def test_a_topology_of_hpcc(tmp_path):
    file = tmp_path / "file"
    file.write_text("# HPCC\n3 1 2\n 0\n\n1 0  1Gbps 1us 0\n2 0 1Gbps 1us 0\nwhat follows\n")
    assert importers.hpcc.topology(file) == ["3 1 2", "0", "1 0 1Gbps 1us 0", "2 0 1Gbps 1us 0"]
    for text in "Nodes 16\n", "name: x\n", "\xff\n", "7 3 2 2 6 H100\n":
        file.write_bytes(text.encode("latin-1"))
        assert importers.hpcc.topology(file) == []


def test_without_pauses(made_up):
    (made_up / "pauses.csv").unlink()
    assert exported(made_up)["pfc.txt"] == []


def test_nodes_have_other_numbers_if_names_do_not_differ(made_up):
    for name in "testbed.json", "stats.json":
        text = (made_up / name).read_text()
        (made_up / name).write_text(text.replace('"s5"', '"s1"').replace('"s6"', '"leaf"'))
    assert exported(made_up)["topology.txt"][:3] == ["5 2 5", "3 4", "0 3 100Gbps 500ns 0"]


def test_flows_of_another_scenario_have_no_ports(made_up):
    (made_up / "plan/arms/1/flows").write_text("0 100 10.0.0.2 10.0.0.5 3\n" * 4)
    assert exported(made_up)["flow.txt"][1:3] == [
        "1 2 4 100 100 0.000000000", "1 4 3 100 3000 0.000000500"]
