# SPDX-License-Identifier: GPL-2.0
"""Metrics of scenarios about deadlocks, from small files by hand: no guest."""
import json

import pytest

from lle_lab import results, scenario
from lle_lab.scenarios import _dcfit as dcfit

PAUSES_HEAD = "time_ns,port,direction,prio,event\n"
# s1 and s2 pause each other: packets go from s1p2 to s2p1, and from s2p2 to s1p1
LOOP = [{"switch": 1, "ingress": "s1p1", "ingress_slot": 0, "egress": "s1p2"},
        {"switch": 2, "ingress": "s2p1", "ingress_slot": 0, "egress": "s2p2"}]
# since when each end of the two links is paused
SINCE = {("s1p1", "tx"): 10500, ("s2p2", "rx"): 11500, ("s2p1", "tx"): 12000, ("s1p2", "rx"): 13000}


def pauses(since):
    return [{"ifname": port, "direction": direction, "prio": prio, "since_ns": ns + prio - 3}
            for (port, direction), ns in since.items() for prio in (2, 3)]


def deadlock(found_ns=14000, **values):
    return {"found_ns": found_ns, "duplicates": 0, "whole": True, "loop": LOOP,
            "trigger": {"host": False, "switch": 2, "slot": 0, "ifname": "s2p1"}} | values


@pytest.fixture
def run(tmp_path):
    (tmp_path / "stats.json").write_text(json.dumps({"qdiscs": []}))
    return results.Run(tmp_path)


def write_runs(run, *deadlocks):
    """A line for each list of deadlocks; runs begin at 10 us."""
    (run.folder / "runs.json").write_text("".join(
        json.dumps({"run": n, "start_ns": 10000, "deadlocks": found, "pauses": pauses(SINCE)}) +
        "\n" for n, found in enumerate(deadlocks, 1)))


def found(run, *words):
    return dict(scenario.create(["dcfit-on-loop", *words]).found(run, "x"))


@pytest.mark.parametrize("last, times", [
    ("s1p1", (90000, 11500)), ("s2p2", (12000, 13000)), ("s2p1", (90000, 13000)),
    ("s1p2", (12000, 90000))])
def test_closing(last, times):
    """The pause that was decided last counts, even if another one arrived later."""
    since = {end: 90000 if end[0] == last else ns for end, ns in SINCE.items()}
    assert dcfit.closing(deadlock(), pauses(since)) == times


def test_found(run):
    write_runs(run, [deadlock()], [deadlock(9000)], [deadlock(duplicates=2), deadlock(whole=False)])
    m = found(run, "RATE=672mbit", "DELAY=0ns")
    assert m == {
        "runs": 3, "declared": 3, "missed": 1, "duplicates": 2, "loops_unknown": 1, "t_hop_us": 1,
        "trigger_on_loop": 3, "trigger_out_of_loop": 0, "trigger_host": 0, "hops": 2,
        "closed_after_us_min": 2, "x_us.0": 1, "x_us.1": 1, "x_us_mean": 1, "x_us_max": 1,
        "x_decided_us.0": 2, "x_decided_us.1": 2, "x_decided_us_mean": 2, "x_decided_us_max": 2,
        "x_rounds.0": 0.5, "x_rounds.1": 0.5, "x_rounds_mean": 0.5, "x_rounds_max": 0.5,
        "dropped": 0}


def test_found_nothing(run):
    write_runs(run, [], [])
    assert found(run) == {
        "runs": 2, "declared": 0, "missed": 2, "duplicates": 0, "loops_unknown": 0,
        "t_hop_us": 1.0672, "trigger_on_loop": 0, "trigger_out_of_loop": 0, "trigger_host": 0,
        "dropped": 0}


def test_dropped_counts_all_testbeds_but_no_watchdogs(run):
    write_runs(run, [])
    testbed = {"qdiscs": [{"prios": [{"drops": {"full": 2, "storm_discard": 5}},
                                     {"drops": {"full": 1, "storm_rx_discard": 7}}]}]}
    (run.folder / "stats.json").write_text(json.dumps(testbed))
    (run.folder / "testbeds.json").write_text(2 * (json.dumps(testbed, indent=1) + "\n"))
    assert found(run)["dropped"] == 9


@pytest.mark.parametrize("kind, trigger", [
    ("on_loop", {"host": False, "switch": 1, "slot": 0}),
    ("out_of_loop", {"host": False, "switch": 1, "slot": 1}),
    ("out_of_loop", {"host": False, "switch": 3, "slot": 0}),
    ("host", {"host": True, "switch": 1, "slot": 0})])
def test_trigger(kind, trigger):
    assert dcfit.trigger_is(deadlock(trigger=trigger)) == kind


@pytest.mark.parametrize("first, number", [
    ("12000,s2p1,rx,3,pause", 1), ("12000,s1p1,tx,3,pause", 0),
    ("12000,s2p1,tx,4,pause\n13000,s1p1,rx,3,pause", 0),
    ("9999,s1p1,tx,3,pause\n10000,s2p1,tx,3,pause", 1)])
def test_first_pause_of_the_run(run, first, number):
    """Of priority 3, and not before the start."""
    write_runs(run, [deadlock()])
    (run.folder / "pauses.csv").write_text(PAUSES_HEAD + first + "\n14000,s1p1,tx,3,pause\n")
    assert found(run)["trigger_first"] == number


def test_together(run):
    """Runs follow each other, 100 us apart; the first pause is at a quarter of the first one."""
    (run.folder / "pauses.csv").write_text(PAUSES_HEAD + """1000000,c,tx,3,pause
1004000,b,rx,3,pause
1074000,a,rx,3,pause
1080000,a,rx,3,resume
1081000,b,rx,3,resume
1100000,b,tx,3,pause
1101000,a,rx,3,pause
1102000,b,rx,4,pause
1103000,a,rx,3,resume
1200000,b,rx,3,pause
1201000,a,rx,3,pause
1202000,c,rx,3,pause
1203000,b,rx,3,resume
1290000,b,rx,3,pause
""")
    assert dcfit.together(run, ("a", "b"), 100) == 3
    assert dcfit.together(run, ("a", "b", "c"), 100) == 2


def test_innocent(run):
    (run.folder / "flows.csv").write_text(
        "src,dst,start_ns,last_ns,retrans,ooo,received\n" +
        "".join(f"x,y,{ns},{ns + 10},0,0,5\n" for ns in (0, 3999999, 4000000, 12000000)))
    ports = [{"role": role, "wire_bytes": 0,
              "prios": [{"tx_pause_transition": number if prio == 3 else 50, "tx_pause": number,
                         "drops": {"full": 0}, "tx_bytes": 0, "rx_bytes": 0, "drop_bytes": 0,
                         "backlog": 0, "headroom_max": 0, "backlog_max": 0} for prio in range(8)]}
             for role, number in (("fabric", 3), ("fabric", 5), ("edge", 70), ("host", 90))]
    (run.folder / "stats.json").write_text(json.dumps({"qdiscs": ports}))
    (run.folder / "switches.json").write_text(json.dumps(
        [{"deadlocks": {"declared": 0, "sent": 9}}, {"deadlocks": {"declared": 1, "sent": 1}}]))
    m = dict(scenario.create(["dcfit-no-loop", "RUNS=4"]).metrics(run))
    assert {name: m[name] for name in list(m)[-6:]} == {
        "runs": 3, "declared": 1, "false": 1, "fabric_pauses": 8, "messages": 10,
        "msgs_per_pause": 1.25}


RUNS = """core,1,100,7000,3,1000
core,1,200,300,1,1000
run,1,0,0,9,2,3,0,1,0,4,6,0,1
core,2,5,50000,2,2000
run,2,1,1,9,3,1,1,0,2,6,9,5,-1
run,3,2,0,9,0,0,0,0,0,0,0,0,0
"""


def test_random(run, capsys):
    (run.folder / "runs.csv").write_text(RUNS)
    m = dict(scenario.create(["dcfit-random"]).metrics(run))
    assert m == {
        "latency.p50": 2.333, "latency.p99": 2.333, "latency.max": 12.5, "runs": 3, "oracle": 5,
        "declared": 4, "missed": 1, "false": 1, "duplicates": 2, "dropped": 5, "found_share": 0.8,
        "duplicates_share": 0.4, "msgs_per_pause": 1.5, "trigger_averts": 0.5}
    assert capsys.readouterr().err.splitlines() == [
        "wrong: run,1,0,0,9,2,3,0,1,0,4,6,0,1", "wrong: run,2,1,1,9,3,1,1,0,2,6,9,5,-1"]


def test_random_without_deadlocks(run):
    (run.folder / "runs.csv").write_text("run,3,2,0,9,0,0,0,0,0,0,0,0,-1\n")
    m = dict(scenario.create(["dcfit-random"]).metrics(run))
    assert (m["latency.max"], m["found_share"], m["msgs_per_pause"]) == (0, 1, 0)
    assert "trigger_averts" not in m


def test_recurrence(run):
    """Flow 1 is to h5; until CALM the others get 100 bytes in each bin."""
    (run.folder / "flows.csv").write_text("id,src,dst\n1,a,10.0.0.5\n2,a,10.0.0.1\n3,b,10.0.0.2\n")
    bins = [10] * 20
    (run.folder / "bins.csv").write_text("\n".join([
        ",".join(["flow", *(str(n * 10**8) for n in range(20))]),
        ",".join(["1", *["999"] * 20]),
        ",".join(["2", *map(str, bins)]),
        ",".join(["3", *["90"] * 5, *["0"] * 14, "50"])]) + "\n")
    (run.folder / "switches.json").write_text(json.dumps([
        {"deadlocks": {"broken": 1, "declared": 2, "parking_max_bytes": 7,
                       "parking_limit_bytes": 9}},
        {"deadlocks": {"broken": 3, "declared": 3, "parking_max_bytes": 5,
                       "parking_limit_bytes": 9}}]))
    (run.folder / "stats.json").write_text(json.dumps({"qdiscs": [
        {"role": "host", "prios": [{"drops": {"full": 100}}]},
        {"role": "edge", "prios": [{"drops": {"full": 1, "other": 2}}]}]}))
    created = scenario.create(["dcfit-recurrence", "S=2", "CALM=500"])
    assert dict(created.metrics(run)) == {
        "victims_share": 0.1333, "victims_share_last": 0.15, "broken": 4, "declared": 5,
        "parking_max_bytes": 7, "parking_limit_bytes": 9, "dropped": 3}


@pytest.mark.parametrize("words, number", [
    ("dcfit-on-loop", 9), ("dcfit-on-loop US=499", 2), ("dcfit-on-loop RATE=1gbit", 2),
    ("dcfit-on-loop MODE=dcfit US=9999", 5), ("dcfit-no-loop", 4), ("dcfit-no-loop MTU=256", 2),
    ("dcfit-diamond", 5), ("dcfit-diamond PAUSES=no", 4), ("dcfit-random", 9),
    ("dcfit-random RUNS=1", 4), ("dcfit-random LOSS=100 PFC_LOSS=100", 2),
    ("dcfit-recurrence", 8), ("dcfit-recurrence S=7", 4), ("dcfit-recurrence RX=1gbit", 4)])
def test_findings_are_for_keys_that_were_measured(words, number):
    m = {"oracle": 0, "resolve.parking_limit_bytes": 0}
    assert len(list(scenario.create(words.split()).expectations(m))) == number
