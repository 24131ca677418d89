# SPDX-License-Identifier: GPL-2.0
"""Metrics of storm, storm-spread and slow-receiver, from files by hand: no guest."""
import json

import pytest

from lle_lab import results, scenario

START_NS = 100_000_000


@pytest.fixture(autouse=True)
def no_losses(monkeypatch):
    """Without the common metrics."""
    monkeypatch.setattr("lle_lab.metrics.losses", lambda run: ())


def create(*words):
    return scenario.create(words)


def write(folder, **files):
    """name_csv is name.csv"""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(
            text if isinstance(text, str) else json.dumps(text))
    return results.Run(folder)


def flows(pairs):
    return "id,src,dst\n" + "".join(f"{i},10.0.0.{src},10.0.0.{dst}\n"
                                    for i, (src, dst) in enumerate(pairs, 1))


def bins(width_ns, rows):
    return "flow," + ",".join(str(n * width_ns) for n in range(len(rows[0]))) + "\n" + \
        "".join(f"{i}," + ",".join(map(str, row)) + "\n" for i, row in enumerate(rows, 1))


class Storm:
    """A run of `storm SEEDS=1` in which all goes as it should, to be changed. Hosts 1 to 3 send one
    byte a ms to each other, until a NIC of them has died for 10 ms; with watchdogs others go on."""

    def __init__(self, folder, *words):
        self.folder = folder
        self.scenario = create("storm", "SEEDS=1", *words)
        self.death = self.scenario.deaths[0]
        # the drawn host is one of three here
        self.death.host = 2
        self.pairs = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b]
        alone, watched = self.death.alone // 1000, self.death.watched // 1000
        self.rows = []
        for pair in self.pairs:
            row = [1] * (self.death.end // 1000)
            self.clear(row, alone + 10, alone + 160)
            self.clear(row, watched + 10, watched + (360 if 2 in pair else 101))
            self.rows.append(row)
        self.detected = self.death.watched + 100_500     # us
        self.events = [self.event("stormed", self.detected),
                       self.event("operational", self.death.watched + 361_000)]
        self.pauses = [(self.death.watched + 300, "s1p2", "pause"),
                       (self.death.watched + 400, "s1p2", "pause"),     # a repetition
                       (self.death.watched + 160_800, "s1p2", "resume")]

    @staticmethod
    def clear(row, begin, end):
        row[begin:end] = [0] * (end - begin)

    @staticmethod
    def event(status, us, port="s1p2", mac="2"):
        return {"status": status, "time_ns": START_NS + us * 1000, "ifname": port, "prio": 3,
                "peer_mac": mac, "since_ns": START_NS + (us - 100_000) * 1000}

    def metrics(self):
        drops = {"storm_discard": 5, "storm_rx_discard": 6, "bufmax_discard": 0}
        prios = [{"drops": dict(drops)} for _ in range(8)]
        run = write(
            self.folder, start=str(START_NS), flows_csv=flows(self.pairs),
            bins_csv=bins(10**6, self.rows),
            storms_json="".join(json.dumps(event) + "\n" for event in self.events),
            testbed_json={"hosts": [{"name": f"h{i}", "address": f"10.0.0.{i}", "mac": str(i),
                                     "peer_dev": f"s1p{i}"} for i in (1, 2, 3)]},
            stats_json={"qdiscs": [
                {"role": "edge", "prios": prios[:7] + [{"drops": drops | {"bufmax_discard": 3}}]},
                # lost ACKs
                {"role": "host", "prios": prios[:7] + [{"drops": {"bufmax_discard": 4}}]}]},
            pauses_csv="time_ns,port,direction,prio,event\n" + "".join(
                f"{START_NS + us * 1000},{port},rx,3,{event}\n"
                for us, port, event in self.pauses))
        return dict(self.scenario.metrics(run))


def test_storm(tmp_path):
    storm = Storm(tmp_path)
    found = storm.metrics()
    into_ms = storm.death.alone % 1000 / 1000    # of the ms in which the NIC dies
    assert found == {
        "dropped_elsewhere": 3, "hosts_died": 1, "stalled_share_without": 1, "storms": 1,
        "origin_correct": 1,
        **{f"stalled_ms.{what}": pytest.approx(10 - into_ms, abs=1e-9)
           for what in ("min", "median", "max")},
        **{f"detect_ms.{what}": 100.2 for what in ("min", "median", "max")},
        **{f"stuck_ms.{what}": 100 for what in ("min", "median", "max")},
        **{f"restore_ms.{what}": 200.2 for what in ("min", "median", "max")},
        **{f"back_ms.{what}": pytest.approx(1, abs=1) for what in ("min", "median", "max")},
        "victim_throughput_with": 1, "slowest_victim_with": 1, "repaired_throughput": 1}
    head, row = (tmp_path / "storms.csv").read_text().splitlines()
    assert head.startswith("seed,host,detected,") and row.startswith("1,h2,100.5,361.0,100.2,")
    rows = (tmp_path / "received.csv").read_text().splitlines()
    assert rows[:2] == ["who,ms,share", "others_without,-18.0,1.0"]
    assert {row.split(",")[0] for row in rows[1:]} == {"others_without", "others_with", "host_with"}


def test_storm_of_another_port(tmp_path):
    storm = Storm(tmp_path)
    storm.events.append(storm.event("stormed", storm.detected + 10, "s1p1", "1"))
    assert storm.metrics()["origin_correct"] == 0
    # an event without watchdogs
    storm.events[-1] = storm.event("stormed", storm.death.alone + 10)
    found = storm.metrics()
    assert (found["storms"], found["origin_correct"]) == (2, 0)


def test_storm_that_is_not_detected(tmp_path):
    storm = Storm(tmp_path)
    storm.events = []
    for row in storm.rows:
        storm.clear(row, storm.death.watched // 1000 + 10, storm.death.watched // 1000 + 160)
    found = storm.metrics()
    assert (found["storms"], found["origin_correct"], found["victim_throughput_with"]) == (0, 0, 0)
    assert not [name for name in found if name.startswith(("detect", "stuck", "restore", "back"))]


def test_a_slow_victim(tmp_path):
    storm = Storm(tmp_path)
    # 1 to 3 does not recover; 3 to 1 does
    storm.clear(storm.rows[storm.pairs.index((1, 3))], storm.death.watched // 1000 + 10,
                storm.death.watched // 1000 + 400)
    found = storm.metrics()
    assert found["victim_throughput_with"] == found["slowest_victim_with"] == 0.5
    assert "back_ms.max" not in found


def test_one_host_goes_on(tmp_path):
    storm = Storm(tmp_path)
    row = storm.rows[storm.pairs.index((1, 3))]
    row[:] = [1] * len(row)
    found = storm.metrics()
    assert found["stalled_share_without"] == 0.5
    assert found["stalled_ms.max"] == pytest.approx(159.1, abs=1)
    # what the dead host gets does not count
    row = storm.rows[storm.pairs.index((1, 2))]
    row[:] = [1] * len(row)
    assert storm.metrics()["stalled_share_without"] == 0.5


def test_times_of_deaths():
    scen = create("storm", "SEEDS=3", "SEED=7")
    assert [death.seed for death in scen.deaths] == [7, 8, 9]
    last = 0
    for death in scen.deaths:
        assert 1 <= death.host <= 16
        assert 30_000 <= death.alone - last < 40_000
        assert 220_000 <= death.watched - death.alone < 230_000
        assert death.end >= death.watched + 419_000
        last = death.end
    assert scen.seconds() == last / 1e6
    # a seed draws the same host in any place
    assert create("storm", "SEEDS=1", "SEED=9").deaths[0].host == scen.deaths[2].host


def port(node, peer, role="fabric"):
    return {"dev": f"s{node}to{peer}", "node": f"s{node}", "role": role,
            "peer": f"{'h' if role == 'edge' else 's'}{peer}", "prios": []}


# ports of a fat tree with K=4: ToRs 1 to 8, leaves 9 to 16, spines 17 to 20; pods of two
@pytest.mark.parametrize("stage, ports", {
    0: [port(1, 1, "edge"), port(2, 9), port(9, 1), port(3, 11), port(17, 9), port(11, 17)],
    1: [port(1, 9), port(1, 10)], 2: [port(9, 17), port(10, 19)], 3: [port(17, 11), port(20, 16)],
    4: [port(11, 3), port(16, 8)], 5: [port(3, 5, "edge"), port(8, 16, "edge")]}.items())
def test_stages(stage, ports):
    assert {create("storm-spread").stage(qdisc) for qdisc in ports} == {stage}


def spread(folder, pauses, *rows):
    (folder / "stats.json").write_text(json.dumps({"qdiscs": [
        port(1, 9), port(1, 10), port(9, 17), port(17, 11), port(2, 9)]}))
    run = write(folder, flows_csv=flows([(2, 1), (2, 3), (3, 2)]), bins_csv=bins(1000, rows),
                pauses_csv="time_ns,port,direction,prio,event\n" + "".join(
                    f"{us * 1000},{dev},{way},3,{event}\n" for us, dev, way, event in pauses))
    return dict(create("storm-spread").metrics(run))


def test_spread(tmp_path):
    still = [1] * 15 + [0] * 5
    found = spread(tmp_path, [
        (90, "s9to17", "tx", "pause"), (95, "s9to17", "tx", "resume"),
        (100, "s1p1", "rx", "pause"), (120, "s1to9", "tx", "pause"), (125, "s1to9", "tx", "pause"),
        (130, "s1p1", "rx", "pause"), (140, "s9to17", "tx", "pause"),
        (150, "s1to10", "tx", "pause"), (155, "s17to11", "tx", "pause"),
        (156, "s17to11", "tx", "resume"), (160, "s2to9", "tx", "pause")], still, still, still)
    assert found == {"order": 12, "first_us_1": 20, "last_us_1": 50, "ports_1": 2, "first_us_2": 40,
                     "last_us_2": 40, "ports_2": 1, "stalled_share": 1}


def test_server_that_is_not_stalled(tmp_path):
    still = [1] * 15 + [0] * 5
    assert spread(tmp_path, [], still, [1] * 20, still) == {"order": 0, "stalled_share": 0.5}


def test_slow_receiver(tmp_path):
    # 40 bins of 10 us; h1 gets 9 Gbit/s, and another flow 6 Gbit/s, in
    # 19 of the last 21
    share = 1024 / 1082
    of_h1, other = round(9e9 * share * 1e-5 / 8), round(6e9 * share * 1e-5 / 8)
    (tmp_path / "stats.json").write_text(json.dumps({"qdiscs": [
        {"role": role, "prios": [{"tx_pause": n} for n in (0, 0, 0, pauses)]}
        for role, pauses in (("host", 7), ("edge", 3), ("edge", 2), ("edge", 0), ("fabric", 1))]}))
    run = write(tmp_path, flows_csv=flows([(2, 1), (3, 2)]),
                bins_csv=bins(10000, [[9 * of_h1] * 10 + [of_h1] * 30,
                                      [0] * 18 + [other] * 12 + [0] * 2 + [other] * 8]))
    found = dict(create("slow-receiver").metrics(run))
    assert found == {"host_pauses": 7, "servers_paused": 2, "fabric_ports_pausing": 1,
                     "rx_share": pytest.approx(1, abs=1e-4),
                     "victims_share": pytest.approx(19 / 21, abs=1e-4),
                     "rate_off_max": pytest.approx(0.5, abs=1e-3)}
    assert "rx_share" not in dict(create("slow-receiver", "RX=unlimited").metrics(run))


def test_links_that_are_never_full():
    def law(*words):
        return "pauses == 0" in list(create("slow-receiver", *words).expectations({}))

    assert law("RX=unlimited")
    assert not law()
    assert not law("RX=unlimited", "RATE=25gbit")
    assert not law("RX=unlimited", "K=8")
