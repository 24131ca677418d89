# SPDX-License-Identifier: GPL-2.0
"""Tests that the demo reports a storm as it happened, and fails if the storm
did not show its point."""
import json
import tempfile

import fake
import storm
import storm_verdict
from fake import qdisc

PEER = "02:00:00:00:00:05"
CULPRIT = {"device": "s2p2", "prio": 3, "peer": PEER, "pause_frames_per_s": 5.9,
           "paused_share": 1.0, "rx_packets": 0, "message": "it comes from there"}
# report of a run that shows its point
GOOD = {
    "params": {"storm_s": 3},
    "without": {
        "before_mbit": {"host 3": 20, "host 4": 20},
        "storm_mbit": {"host 3": 0, "host 4": 0.1},
        "after_mbit": {"host 3": 9, "host 4": 20},
        "silent_s": {"host 3": 2.9, "host 4": 2.95},
        "storms": 0, "detect_ms": None, "restore_ms": None,
        "dead": {"device": "s2p2", "prio": 3, "peer": PEER}, "culprit": None,
        "dropped_storm": 0, "dropped_others": {}, "failed": []},
    "with": {
        "before_mbit": {"host 3": 20, "host 4": 20},
        "storm_mbit": {"host 3": 20, "host 4": 18},
        "after_mbit": {"host 3": 20, "host 4": 18},
        "silent_s": {"host 3": 0.08, "host 4": 0.09},
        "storms": 1, "detect_ms": 100.1, "restore_ms": 200.2,
        "dead": {"device": "s2p2", "prio": 3, "peer": PEER}, "culprit": CULPRIT,
        "dropped_storm": 57, "dropped_others": {}, "failed": []},
}


reports = fake.Reports("storm", storm_verdict, GOOD)
bad, refused = reports.bad, reports.refused


def test_a_good_run_is_good():
    assert bad("with") == []
    assert all(storm_verdict.words({"storm": GOOD}))
    assert "host 5 at port s2p2" in storm_verdict.table({"storm": GOOD})


def test_nobody_stalls():
    refused("nothing to be cured", "without", storm_mbit={"host 3": 0, "host 4": 2.1})


def test_they_stall_in_spite_of_it():
    refused("host 4 had only 17.9", "with", storm_mbit={"host 3": 20, "host 4": 17.9})


def test_they_do_not_recover():
    refused("after the repair", "with", after_mbit={"host 3": 17, "host 4": 20})


def test_somebody_watches():
    refused("watching", "without", storms=1)
    refused("watching", "without", dropped_storm=1)


def test_the_storm_is_not_detected_once():
    for n in (0, 2):
        refused(f"detected {n} times", "with", storms=n)
    refused("not lossless again", "with", restore_ms=None)


def test_the_culprit_is_another():
    refused("nobody", "with", culprit=None)
    refused("has named 02:00:00:00:00:04", "with",
            culprit=dict(CULPRIT, peer="02:00:00:00:00:04"))
    refused("at s1p4, it was", "with", culprit=dict(CULPRIT, device="s1p4"))
    refused("has named", "with", culprit=dict(CULPRIT, prio=4))


def test_others_lose_packets():
    for arm in storm.ARMS:
        refused("s1 s1p2 headroom_discard 3", arm,
                dropped_others={"s1 s1p2 headroom_discard": 3})


def test_a_program_fails():
    refused("client.4 1", "with", failed=["client.4 1"])


def said(event, **changes):
    return dict(CULPRIT, event=event, **changes)


def test_one_is_named_or_nobody():
    one = [{"message": "hello"}, said("storm_detected"), said("storm_origin")]
    assert storm.culprit(one) == CULPRIT
    assert storm.culprit([]) is None
    assert storm.culprit(one[:2]) is None, "detected, and no origin"
    assert storm.culprit(one + [said("storm_detected", device="s1p4")]) is None, "a second one"


def test_drops_of_the_storm_are_told_from_others():
    stats = {"qdiscs": [
        qdisc("s2", "s2p1", "edge", "h4", storm_discard=1),
        qdisc("s2", "s2p2", "edge", "h5", storm_discard=5, storm_rx_discard=2,
              headroom_discard=0),
        qdisc("h5", "eth0", "host", "s2", headroom_discard=3)]}
    assert storm.drops(stats) == (7, {"s2 s2p1 storm_discard": 1,
                                      "h5 eth0 headroom_discard": 3})


def pause(ms, port, paused):
    return {"event": "pause", "time_ns": ms * 1000000, "ifname": port,
            "direction": "rx", "paused": paused}


def run(raw, sent, events=()):
    """A run; the pipeline is dead from 1 s to 3 s."""
    return fake.store(raw, storm, "with", "statistics/tx_bytes", sent,
                      marks="died 1.00\nrepaired 3.00\nover 4.00\n",
                      events="\n".join(json.dumps(event) for event in events))


def test_throughput_and_silence():
    # 10 kB a sample, and nothing from 1.2 s to 2.0 s
    sent, total = [], 0
    for i in range(45):
        total += 0 if 12 < i <= 20 else 10000
        sent.append(total)
    with tempfile.TemporaryDirectory() as raw:
        found = run(raw, sent)
    assert round(found.mbit("host 3", -1, 0), 3) == 0.8
    assert round(found.mbit("host 4", 0.3, 1.0), 3) == 0
    assert round(found.silence("host 3"), 3) == 0.9


def test_silence_that_lasts():
    with tempfile.TemporaryDirectory() as raw:
        found = run(raw, [10000 * min(i, 11) for i in range(45)])
    assert round(found.silence("host 3"), 3) == 2.9


def test_pauses_from_the_death_on():
    events = [pause(500, "s2p2", [3]), pause(600, "s2p2", []),
              pause(1100, "s2p2", [3]), pause(1150, "s1p4", [3]),
              pause(1200, "s2p2", [3, 4]), pause(3300, "s2p2", [4]),
              pause(3500, "s2p2", [3])]
    with tempfile.TemporaryDirectory() as raw:
        found = run(raw, [0, 0], events)
    assert [(round(begin, 3), round(end, 3))
            for begin, end in found.pauses("s2p2", "rx")] == [(0.1, 2.3), (2.5, 3)]
    assert found.pauses("s2p2", "tx") == []
    assert storm.spread(found) == {"host 5 pauses switch 2": 0,
                                   "switch 2 pauses switch 1": 50}
