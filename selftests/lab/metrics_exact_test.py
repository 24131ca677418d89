# SPDX-License-Identifier: GPL-2.0
"""Metrics of exact-gap, pause-reaction, alpha-incident, headroom and ring-deadlock, from frames and
counters by hand: no guest."""
import json

import pytest

from lle_lab import results, scenario

PAUSE, RESUME = "ether[24:2] != 0", "ether[24:2] = 0"


class Captures(results.Run):
    """A run with frames: {(name, filter): [(ns, bytes)]}; a filter may be a part of it."""

    def __init__(self, folder, frames=None):
        super().__init__(folder)
        self.captured = frames or {}
        self.stats = {"qdiscs": []}

    def frames(self, name, filter=""):
        for (of, part), found in self.captured.items():
            if of == name and part in filter:
                yield from found


def create(*words):
    return scenario.create(words)


@pytest.fixture
def no_losses(monkeypatch):
    """Without the common metrics."""
    for name in "losses", "flow_times":
        monkeypatch.setattr(f"lle_lab.metrics.{name}", lambda run: ())


def gaps(scen, *ns):
    run = Captures("/", {("s1p1", "ip dst 10.0.0.1"): [(at, 1498) for at in ns]})
    return dict(scen.metrics(run))


def test_gaps_carry_fractions_over(no_losses):
    # 1522 bytes take 121.76 ns: frames end at 121.76, 243.52, 365.28, 487.04
    scen = create("exact-gap")
    assert gaps(scen, 121, 243, 365, 487) == {
        "gaps": 3, "gaps_exact": 3, "gap_min_ns": 122, "gap_max_ns": 122}
    assert gaps(scen, 121, 243, 366, 487) == {
        "gaps": 3, "gaps_exact": 1, "gap_min_ns": 121, "gap_max_ns": 123}
    assert gaps(create("exact-gap", "OVERHEAD=2"), 120, 240, 360)["gaps_exact"] == 2
    assert gaps(scen)["gaps"] == 0


def test_gaps_need_a_full_link():
    def law(*words):
        return [text for text in create("exact-gap", *words).expectations({}) if "gaps" in text]

    assert law() == ["gaps == 104167", "gaps_exact == 104167"]
    assert law("SIZE=1440000", "N=3") == ["gaps == 2999", "gaps_exact == 2999"]
    assert not law("MS=10")
    assert not law("DELAY=50us")


def reaction(*events, words=()):
    """Metrics of (time, kind, bytes), where pauses have reached h2 1006 ns later."""
    frames = {("s1p1", "10.0.0.1"): [], ("s1p2", "10.0.0.1"): [], ("s1p2", PAUSE): [],
              ("s1p2", RESUME): []}
    kinds = dict(zip(("out", "in", "pause", "resume"), frames))
    for ns, kind, size in events:
        frames[kinds[kind]].append((ns + 1006 * (size == 64), size))
    return dict(create("pause-reaction", *words).metrics(Captures("/", frames)))


UP = [(100 + n, "in", 1500) for n in range(40)]         # to 60000 bytes
DOWN = [(300 + n, "out", 1500) for n in range(7)]       # the seventh one reaches XON


def test_reaction_is_immediate(no_losses):
    assert reaction(*UP, (139, "pause", 64), *DOWN, (306, "resume", 64)) == {
        "xoff_crossed": 1, "pauses_sent": 1, "xon_crossed": 1, "resumes_sent": 1, "unexpected": 0,
        "reaction_ns": 0, "resume_reaction_ns": 0}


def test_reaction_is_late(no_losses):
    found = reaction(*UP, (145, "pause", 64), *DOWN, (316, "resume", 64))
    assert (found["reaction_ns"], found["resume_reaction_ns"]) == (6, 10)


def test_pauses_come_as_expected_only(no_losses):
    # too early, and twice
    found = reaction(*UP, (138, "pause", 64), (139, "pause", 64), (140, "pause", 64))
    assert (found["pauses_sent"], found["unexpected"]) == (1, 2)
    # none
    found = reaction(*UP, *DOWN)
    assert (found["xoff_crossed"], found["pauses_sent"]) == (1, 0)
    assert (found["xon_crossed"], found["resumes_sent"]) == (1, 0)
    # a resume does not answer a crossing of XOFF
    found = reaction(*UP, (139, "resume", 64))
    assert (found["pauses_sent"], found["resumes_sent"], found["unexpected"]) == (0, 0, 1)


def alpha(tmp_path, pauses, *words):
    """Metrics of two switches that sent this many pauses; the second one pauses port 3 first."""
    (tmp_path / "testbed.json").write_text(json.dumps({"hosts": [
        {"address": "10.0.0.2", "peer_dev": "s1p2"}, {"address": "10.0.0.5", "peer_dev": "s2p2"},
        {"address": "10.0.0.6", "peer_dev": "s2p3"}]}))
    pfc = "ether proto 0x8808"
    run = Captures(tmp_path, {
        ("s2p2", pfc): [(9000, 64)], ("s2p3", pfc): [(8006, 64), (8500, 64)],
        ("s2p3", "ip src 10.0.0.6"): [(5000, 800), (7000, 800), (7001, 800)],
        ("s2p1", "ip src 10.0.0.6"): [(6000, 800), (7002, 800)]})
    run.stats = {"qdiscs": [
        {"role": "edge", "node": f"s{i}", "options": {"shared_size": 1001},
         "prios": [{"tx_pause": n if prio == 3 else 99} for prio in range(8)]}
        for i, n in enumerate(pauses, 1)]}
    return dict(create("alpha-incident", "N=2", *words).metrics(run))


def test_onset(tmp_path, no_losses):
    # at 8006 - 1006 ns two frames have arrived, and one has left
    assert alpha(tmp_path, (0, 7)) == {
        "formula_bytes_16": 56, "pauses_16": 0, "formula_bytes_64": 16, "pauses_64": 7,
        "onset_bytes_64": 800, "onset_over_bytes_64": 784, "pauses_ratio": 1}


def test_onset_is_expected_if_buffers_fill():
    def law(*words):
        scen = create("alpha-incident", *words)
        return [text for text in scen.expectations({}) if "onset" in text]

    assert law() == ["onset_over_bytes_16 >= 0", "onset_over_bytes_16 < 1514",
                     "onset_over_bytes_64 >= 0", "onset_over_bytes_64 < 1514"]
    assert len(law("BIG=300000")) == 2
    assert not law("BIG=10000")


def test_all_ports_are_captured():
    assert create("alpha-incident", "N=2").CAPTURE == \
        ["s1p1", "s1p2", "s1p3", "s2p1", "s2p2", "s2p3"]
    assert create("alpha-incident", "CAPTURE=s1p1").CAPTURE == ["s1p1"]


def headroom_port(number, need, used, discarded):
    prios = [{"headroom_max": 1, "drops": {"headroom_discard": 99}} for _ in range(8)]
    prios[3] = {"headroom_max": used, "drops": {"headroom_discard": discarded}}
    return {"dev": f"s{number}p1", "options": {"headroom_now": need}, "prios": prios}


def test_headroom(tmp_path, no_losses):
    run = Captures(tmp_path)
    run.stats = {"qdiscs": [
        headroom_port(1, 9000, 8990, 0), {"dev": "s1p2"}, headroom_port(2, 8856, 8856, 4),
        headroom_port(3, 7000, 6900, 1), headroom_port(4, 6856, 6800, 0)]}
    scen = create("headroom", "RATES=10,25", "METRES=100")
    found = dict(scen.metrics(run))
    assert found == {"pairs": 2, "pairs_without_loss": 1, "pairs_with_loss_less": 1,
                     "dropped_less": 4, "unused_max_bytes": 100}
    assert (tmp_path / "headroom.csv").read_text() == \
        "rate_gbit,metres,need,used,dropped,dropped_less\n" \
        "10,100,9000,8990,0,4\n25,100,7000,6900,1,0\n"
    assert list(scen.expectations(found)) == [
        "pairs_without_loss == 2", "pairs_with_loss_less == 2", "unused_max_bytes < 144"]


def test_ring(tmp_path, no_losses):
    (tmp_path / "bins.csv").write_text(
        "flow," + ",".join(str(n * 500) for n in range(100)) + "\n"
        "1," + ",".join("1" if n < 90 else "0" for n in range(100)) + "\n"
        "2," + ",".join("0" if n < 99 else "5" for n in range(100)) + "\n")
    (tmp_path / "deadlocks.json").write_text("[]")
    run = Captures(tmp_path)
    run.stats = {"qdiscs": [{"role": "fabric", "prios": [{"tx_paused": paused}] * 8}
                            for paused in (True, False, True)]}
    counts = {"first_bytes": 10, "last_bytes": 5, "cycle_ports": 2}
    assert dict(create("ring-deadlock").metrics(run)) == counts
    run.deadlocks = [
        {"duplicates": 2, "cure": "drop", "loop": [1, 2], "found_ns": 9, "closed_ns": 1},
        {"duplicates": 1, "cure": "left", "loop": [1, 2, 3], "found_ns": 26100, "closed_ns": 1000}]
    assert dict(create("ring-deadlock").metrics(run)) == counts | {
        "declared": 2, "duplicates": 3, "cures": 1, "hops": 3, "on_loop_us": 25.1}
