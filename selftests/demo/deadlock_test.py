# SPDX-License-Identifier: GPL-2.0
"""Tests that the demo reports a deadlock as it happened, and fails if the
deadlock did not show its point."""
import copy
import json

import deadlock
import deadlock_plot
import deadlock_verdict
import fake
import runs
from fake import qdisc

TRIGGER = {"switch": 3, "slot": 1, "ifname": "s3p2", "host": True,
           "peer_mac": "02:00:00:00:00:05", "seq": 6}
FOUND = {"bytes": 162000, "cure": "parked", "parked_bytes": 3000, "resolved": True,
         "whole": True, "trigger": TRIGGER, "switches": [1, 2, 3, 4],
         "formed_ms": 71.4, "found_us": 135}


def of_all(mbit):
    return {f"host {i}": mbit for i in (1, 2, 3, 4)}


# report of a run that shows its point
GOOD = {
    "params": {"link_mbit": 100, "host_mbit": 25, "flow_mbit": 20, "slow_mbit": 4,
               "little_mbit": 0.5, "stopped_s": 0.5},
    "off": {
        "before_mbit": of_all(20), "slow_mbit": of_all(0), "after_mbit": of_all(0),
        "waiting_bytes": 360000, "slow_port": "s3p2", "deadlocks": 0,
        "deadlock": None, "quarantine": {"times": 0, "over": True},
        "dropped_slow": 0, "dropped_others": {}},
    "lossless": {
        "before_mbit": of_all(20), "slow_mbit": of_all(24), "after_mbit": of_all(21),
        "waiting_bytes": 9000, "slow_port": "s3p2", "deadlocks": 1,
        "deadlock": FOUND, "quarantine": {"times": 1, "over": True},
        "dropped_slow": 997, "dropped_others": {}},
}


reports = fake.Reports("deadlock", deadlock_verdict, GOOD)
bad, refused = reports.bad, reports.refused


def refused_if(text, **changes):
    """Like refused(), with changes of the deadlock itself."""
    refused(text, "lossless", deadlock=dict(FOUND, **changes))


def test_a_good_deadlock_is_good():
    assert bad("off") == []
    report = {"deadlock": GOOD}
    words = " ".join(deadlock_verdict.words(report))
    for text in ("0.0 of 80.0 Mbit/s", "found 135 us", "host 5 at port s3p2",
                 "dropped 0 packets", "got 96.0 Mbit/s",
                 "3.0 kB", "dropped 997 packets"):
        assert text in words, f"{words}: not {text!r}"
    assert "host 5 at port s3p2" in deadlock_verdict.table(report)


def test_what_is_not_true_is_not_said():
    found = copy.deepcopy(GOOD)
    found["lossless"]["dropped_others"] = {"s1 s1p2 deadlock_discard": 3}
    found["lossless"]["deadlock"]["resolved"] = False
    words = " ".join(deadlock_verdict.words({"deadlock": found}))
    assert "dropped 3 packets" in words and "quarantined" not in words, words
    found["lossless"].update(deadlock=None, deadlocks=2)
    assert len(list(deadlock_verdict.words({"deadlock": found}))) == 1
    assert deadlock_verdict.table({"deadlock": found})


def test_nothing_locks():
    refused("host 2 had 2.1 of 20", "off", slow_mbit=dict(of_all(0), **{"host 2": 2.1}))
    refused("host 4 got packets again", "off",
            after_mbit=dict(of_all(0), **{"host 4": 0.012}))


def test_the_others_do_not_go_on():
    refused("host 3 had only 17.9 of 20 Mbit/s", "lossless",
            slow_mbit=dict(of_all(20), **{"host 3": 17.9}))
    refused("when host 5 was well", "lossless",
            after_mbit=dict(of_all(20), **{"host 1": 0}))


def test_somebody_looks():
    refused("was looking", "off", deadlocks=1)
    refused("was looking", "off", dropped_slow=1)


def test_none_is_found_or_several():
    for n in (0, 2):
        refused(f"{n} deadlocks found", "lossless", deadlocks=n, deadlock=None)


def test_another_one_is_found():
    refused_if("of switches [1, 2, 3]", switches=[1, 2, 3])
    refused_if("the loop is said", whole=False)
    refused_if("switch 2 is said to have begun", trigger={"switch": 2, "host": False,
                                                         "ifname": "s2p2"})
    refused_if("host 3 at port s3p1", trigger=dict(TRIGGER, ifname="s3p1",
                                                   peer_mac="02:00:00:00:00:03"))


def test_it_is_not_freed_as_said():
    for cure in ("left", "resumed", "dropped", "demoted"):
        refused_if(f"not freed by parking: {cure}", cure=cure)


def test_the_host_is_not_quarantined():
    refused_if("quarantined", resolved=False)
    refused("2 times", "lossless", quarantine={"times": 2, "over": True})
    refused("for all that", "lossless", quarantine={"times": 1, "over": False})


def test_a_switch_loses_packets():
    for arm in deadlock.ARMS:
        refused("s1 s1p2 deadlock_discard 3", arm,
                dropped_others={"s1 s1p2 deadlock_discard": 3})


def test_drops_of_the_slow_host_are_told_from_others():
    stats = {"qdiscs": [
        qdisc("s3", "s3p2", "edge", "h5", storm_discard=1, deadlock_discard=0),
        qdisc("s1", "s1p2", "fabric", "s2", deadlock_discard=2),
        qdisc("h5", "eth0", "host", "s3", headroom_discard=5, buf_discard=2)]}
    assert deadlock.drops(stats) == (7, {"s3 s3p2 storm_discard": 1,
                                         "s1 s1p2 deadlock_discard": 2})
    assert runs.edge_port(stats, "h5") == "s3p2"


HISTORY = {"bytes": 162000, "cure": "parked", "parked_bytes": 3000, "resolved": True,
           "whole": True, "trigger": TRIGGER, "formed_ns": 13549975983,
           "closed_ns": 13621343393, "found_ns": 13621478638,
           "loop": [{"switch": i} for i in (2, 3, 4, 1)]}


def test_one_deadlock_is_told_of():
    assert deadlock.deadlock([HISTORY]) == FOUND
    assert deadlock.deadlock([]) is None
    assert deadlock.deadlock([HISTORY, HISTORY]) is None


def test_quarantined_ports():
    watchdog = [{"ifname": "s1p2", "quarantined": 0, "status": "stormed"},
                {"ifname": "s3p2", "quarantined": 0, "status": "stormed"},
                {"ifname": "s3p2", "quarantined": 2, "status": "operational"}]
    assert deadlock.quarantine(watchdog, "s3p2") == {"times": 2, "over": True}
    watchdog[2]["status"] = "stormed"
    assert deadlock.quarantine(watchdog, "s3p2") == {"times": 2, "over": False}
    assert deadlock.quarantine(watchdog, "s1p2") == {"times": 0, "over": True}


def test_a_run_is_read_and_drawn(tmp_path, monkeypatch):
    files = {"marks": "stopped 2.00\nslow 2.50\nwell 4.50\nover 6.00\n",
             "history.json": json.dumps([dict(HISTORY, found_ns=3 * 10 ** 9)]),
             "graph": 'digraph x { a [label="switch 1"]; a -> b }'}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plots").mkdir()
    run = fake.store(".", deadlock, "off", "lossless/prio3/tx_bytes",
                     [min(i, 20) * 10000 for i in range(61)], **files)
    assert round(run.mbit("host 1", -1, 0), 3) == 0.8
    assert run.mbit("host 4", 2.5, 4) == 0
    assert run.found() == [1]
    drawn = deadlock_plot.loop(run)
    assert drawn.startswith("<svg") and "switch 1" in drawn, drawn
    drawn = deadlock_plot.picture((run, run), 3.2)
    assert "deadlock found" in drawn and "var(--c0072b2, #0072b2)" in drawn, drawn
    assert "rgb(" not in drawn, drawn
