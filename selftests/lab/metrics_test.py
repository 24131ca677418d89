# SPDX-License-Identifier: GPL-2.0
"""Common metrics, tables and results, from small files by hand: no guest."""
import csv
import json

import pytest

from lle_lab import metrics, results, runner

FLOWS = """id,src,dst,size,prio,start_ns,first_ns,last_ns,received,retrans,ooo,cnps_sent,cnps
1,10.0.0.2,10.0.0.1,1000,3,0,10,2000,1000,0,0,3,3
2,10.0.0.3,10.0.0.1,1000,3,500,600,4500,1000,2,1,2,1
3,10.0.0.4,10.0.0.1,1000,3,0,-1,-1,100,0,0,0,0
"""
BINS = "flow,0,1000000,2000000\n1,10,20,30\n2,1,2,3\n3,0,0,0\n"


def prio(**values):
    return {"tx_packets": 0, "tx_bytes": 0, "rx_bytes": 0, "drop_bytes": 0, "backlog": 0,
            "tx_pause": 0, "headroom_max": 0, "backlog_max": 0, "drops": {"x": 0}} | values


@pytest.fixture
def run(tmp_path):
    (tmp_path / "flows.csv").write_text(FLOWS)
    (tmp_path / "bins.csv").write_text(BINS)
    return results.Run(tmp_path)


def stats(run, *qdiscs):
    (run.folder / "stats.json").write_text(json.dumps({"qdiscs": qdiscs}))


def test_flow_times(run):
    assert dict(metrics.flow_times(run)) == {
        "flows": 3, "unfinished": 1, "retransmitted": 2, "out_of_order": 1, "received_bytes": 2100,
        "fct_mean_us": 3, "fct_min_us": 2, "fct_max_us": 4}


def test_no_flows(run):
    (run.folder / "flows.csv").write_text(FLOWS.splitlines()[0] + "\n")
    assert dict(metrics.flow_times(run)) == {
        "flows": 0, "unfinished": 0, "retransmitted": 0, "out_of_order": 0, "received_bytes": 0}
    assert dict(metrics.cnps(run)) == {"cnps.sent": 0, "cnps.under_way": 0}


def test_cnps(run):
    assert dict(metrics.cnps(run)) == {"cnps.sent": 5, "cnps.under_way": 1}


def test_goodput_needs_all_flows(run):
    assert not dict(metrics.goodput_share(run, 10**9))
    (run.folder / "flows.csv").write_text("".join(FLOWS.splitlines(True)[:3]))
    again = results.Run(run.folder)
    assert dict(metrics.goodput_share(again, 10**9)) == {"goodput_share": 3.5556}


def test_losses(run):
    stats(run,
          {"role": "host", "wire_bytes": 9, "prios": [prio(tx_bytes=1000, rx_bytes=600)]},
          {"role": "edge", "wire_bytes": 50,
           "prios": [prio(drop_bytes=100, backlog=250, drops={"a": 2, "b": 1}, tx_pause=4,
                          headroom_max=7, backlog_max=8)]})
    assert dict(metrics.losses(run)) == {"dropped": 3, "lost_bytes": 0, "pauses": 4,
                                         "headroom_max_bytes": 7, "backlog_max_bytes": 8}


def test_gbps_takes_whole_bins(run):
    def to_all(_, __):
        return True
    # 25 bytes in each of the second and the third ms
    share = metrics.gbps(run, 82, to_all, 500, 3000)
    assert share == metrics.fixed((22 + 33) * 8 * 2 / 2e-3 / 1e9, 2)
    assert metrics.gbps(run, 82, to_all, 1500, 1600) == 0


@pytest.mark.parametrize("length, marks", [(0, 0), (1000, 0), (1500, 1), (2000, 20)])
def test_marks(run, length, marks):
    wred = {"prio": 3, "kmin": 1000, "kmax": 2000, "pmax": 10, "ecn": True}
    queue = [prio() for _ in range(8)]
    queue[3] = prio(tx_packets=20, tx_bytes=2000, ecn_marked=5)
    stats(run, {"dev": "s1p1", "role": "edge", "prios": queue,
                "options": {"wred": [wred], "rate": 10**9, "overhead": 0}})
    # 20 frames of 100 bytes leave in 2 us, and as many arrive
    (run.folder / "queue.csv").write_text(
        f"time_ns,port,prio,bytes\n0,s1p1,3,{length}\n2000,s1p1,3,{length}\n")
    found = dict(metrics.marks(run))
    assert found["marked.queues"] == 5
    assert found["marked.wred_most"] == marks
    assert found["marked.wred_least"] <= marks
    # a draw that is certain has no deviation
    assert (found["marked.sigma"] > 0) == (0 < marks < 20)
    texts = list(metrics.expect_marks({f"a.{k}": v for k, v in found.items()}, "a."))
    assert texts[1] == f"a.marked.queues <= {1.01 * marks + 3 * found['marked.sigma']:.1f}"


@pytest.mark.parametrize("dequeue, most", [(False, 25), (True, 20)])
def test_marks_of_a_queue_that_grows(run, dequeue, most):
    """20 frames of 100 bytes leave, and 25 arrive, at certain marks."""
    wred = {"prio": 3, "kmin": 0, "kmax": 1000, "pmax": 10, "ecn": True, "dequeue": dequeue}
    queue = [prio() for _ in range(8)]
    queue[3] = prio(tx_packets=20, tx_bytes=2000, ecn_marked=20)
    stats(run, {"dev": "s1p1", "role": "edge", "prios": queue,
                "options": {"wred": [wred], "rate": 10**9, "overhead": 0}})
    (run.folder / "queue.csv").write_text(
        "time_ns,port,prio,bytes\n0,s1p1,3,2000\n2000,s1p1,3,2500\n")
    assert dict(metrics.marks(run))["marked.wred_most"] == most


def test_slowdowns(run):
    # two hosts of one switch, of one pod, of two pods; a flow alone takes 1.0 of its time
    def took(size, links):
        packets = -(-size // 1000)
        return (size + packets * 82 + 16 + (links - 1) * (min(size, 1000) + 82)) * 8 + links * 100
    lines = [f"{i},10.0.0.1,10.0.0.{dst},{size},3,0,0,{took(size, links)},{size},0,0,0,0"
             for i, (dst, size, links) in enumerate([(2, 500, 2), (3, 5000, 4), (5, 10**6, 6)])]
    (run.folder / "flows.csv").write_text("\n".join([FLOWS.splitlines()[0], *lines, ""]))
    found = metrics.slowdowns(results.Run(run.folder), 4, 10**9, 100, 1000)
    assert found == [(1.0, 500), (1.0, 5000), (1.0, 10**6)]
    assert dict(metrics.slowdown_metrics(found)) == {
        "slowdown_min": 1, "slowdown_mean": 1, "slowdown_p50": 1, "slowdown_p99": 1}


def test_expected():
    found = list(runner.expected(["a == 0", "a > 0", "b <= 1.5", "none == 0"], {"a": 0, "b": 1.5}))
    assert [e["ok"] for e in found] == [True, False, True, False]


def test_nested_and_flat():
    pairs = {"a": 1, "b.min": 2, "c.0": 3, "c.1": 4}
    tree = runner.nested(pairs.items())
    assert json.dumps(tree) == '{"a": 1, "b": {"min": 2}, "c": [3, 4]}'
    assert dict(results.flat(tree)) == pairs
    # jq's setpath makes a list with gaps, too
    assert runner.nested({"q.1": 5}.items()) == {"q": [None, 5]}


def test_metrics_csv(tmp_path):
    result = {"scenario": "x", "lle": "0.3", "version": "abc", "date": "2026-01-01",
              "keys": {"SEED": "1", "ARMS": "pfc,rcm"},
              "metrics": {"pfc": {"victim_gbps": 25.1}, "gain": 2, "fct_mean_us": 3}}
    results.write_metrics([result], tmp_path / "metrics.csv")
    rows = list(csv.DictReader((tmp_path / "metrics.csv").open()))
    assert [(r["arm"], r["metric"], r["value"], r["unit"]) for r in rows] == [
        ("pfc", "victim_gbps", "25.1", "Gbit/s"), ("", "gain", "2", ""),
        ("", "fct_mean_us", "3", "us")]
    assert {(r["scenario"], r["lle"], r["SEED"], r["ARMS"]) for r in rows} == {
        ("x", "0.3", "1", "pfc,rcm")}


def test_objects_that_follow_each_other(run):
    (run.folder / "testbeds.json").write_text('{"a": 1}\n{"a": 2}\n')
    assert list(run.objects("testbeds.json")) == [{"a": 1}, {"a": 2}]
