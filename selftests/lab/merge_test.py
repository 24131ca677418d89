# SPDX-License-Identifier: GPL-2.0
"""Results of two parts of a network become one: each counter from the part that has it.

h1 is at s1, of part 1, h2 at s2, of part 2. What the other part has of a node is marked by "no".
"""
import json

import pytest

from lle_lab import merge
from lle_lab.errors import Failed

TESTBED = {
    "switches": [{"name": f"s{n}", "number": n, "part": n,
                  "ports": [{"dev": f"s{n}p1"}, {"dev": f"s{n}p2"}]} for n in (1, 2)],
    "hosts": [{"name": "h1", "address": "10.0.0.1", "part": 1},
              {"name": "h2", "address": "10.0.0.2", "part": 2}]}
FLOWS = "id,src,dst,verb,start_ns,last_ns,acked_ns,retrans\n"
# by part: the sender counts start_ns, acked_ns and retrans, the receiver last_ns; it counts
# start_ns and acked_ns, too, if it reads
PARTS = [{
    "flows.csv": FLOWS + "1,10.0.0.1,10.0.0.2,write,0,no,90,5\n"
                         "2,10.0.0.1,10.0.0.2,read,no,no,no,6\n",
    "bins.csv": "id,0,1000\n1,no,no\n2,no,no\n",
    "hosts.csv": "address,data\n10.0.0.1,11\n10.0.0.2,no\n",
    "timeline.csv": "time_ns,port,bytes\n5,s1p1,1\n20,s1p2,2\n20,s2p1,no\n30,s1p1,3\n",
    "queue.csv": "time_ns,port,prio,bytes\n0,s1p1,3,7\n0,s2p2,3,no\n",
    "events.csv": "time_ns,event\n10,a\n30,b\n",
    "start": "100\n"}, {
    "flows.csv": FLOWS + "1,10.0.0.1,10.0.0.2,write,no,80,no,no\n"
                         "2,10.0.0.1,10.0.0.2,read,1,70,75,no\n",
    "bins.csv": "id,0,1000\n1,100,200\n2,300,400\n",
    "hosts.csv": "address,data\n10.0.0.1,no\n10.0.0.2,22\n",
    "timeline.csv": "time_ns,port,bytes\n4,s2p1,4\n5,s1p1,no\n20,s2p1,5\n",
    "queue.csv": "time_ns,port,prio,bytes\n0,s1p1,3,no\n0,s2p2,3,8\n",
    "events.csv": "time_ns,event\n10,c\n20,d\n",
    "start": "100\n"}]
LISTS = "deadlocks", "switches", "watchdogs", "congestion"


def qdisc(node, dev, ifindex):
    return {"node": node, "dev": dev, "ifindex": ifindex}


QDISCS = [[qdisc("s1", "s1p2", 4), qdisc("h1", "eth0", 2), qdisc("s1", "s1p1", 3)],
          [qdisc("h2", "eth0", 2), qdisc("s2", "s2p1", 5), qdisc("s2", "s2p2", 6)]]


class Parts:
    """Folders of two parts."""

    def __init__(self, out):
        self.out = out

    def write(self, arm=""):
        for number, (part, files) in enumerate(zip(QDISCS, PARTS), 1):
            folder = self.out / f"parts/{number}" / arm
            folder.mkdir(parents=True)
            for name, text in files.items():
                (folder / name).write_text(text)
            for name in LISTS:
                (folder / f"{name}.json").write_text("[]")
            (folder / "stats.json").write_text(json.dumps({"n": 1, "qdiscs": part}))
            (folder / "testbed.json").write_text(json.dumps(TESTBED))
            for name in "uptime", "release":
                (self.out / f"parts/{number}" / name).write_text(f"{name} {number}\n")

    def replace(self, part, name, value):
        (self.out / f"parts/{part}" / name).write_text(value)

    def text(self, name):
        return (self.out / name).read_text()

    def json(self, name):
        return json.loads(self.text(name))


@pytest.fixture(name="parts")
def two_parts(tmp_path):
    found = Parts(tmp_path)
    found.write()
    return found


@pytest.fixture(name="merged")
def after_the_merge(parts):
    merge.merge(parts.out)
    return parts


def test_flows_have_counters_of_sender_and_receiver(merged):
    assert merged.text("flows.csv") == FLOWS + (
        "1,10.0.0.1,10.0.0.2,write,0,80,90,5\n2,10.0.0.1,10.0.0.2,read,1,70,75,6\n")


def test_bins_are_those_of_receivers(merged):
    assert merged.text("bins.csv") == "id,0,1000\n1,100,200\n2,300,400\n"


def test_lines_of_hosts_and_ports_are_those_of_their_part(merged):
    assert merged.text("hosts.csv") == "address,data\n10.0.0.1,11\n10.0.0.2,22\n"
    assert merged.text("queue.csv") == "time_ns,port,prio,bytes\n0,s1p1,3,7\n0,s2p2,3,8\n"


def test_samples_are_in_order_of_time(merged):
    assert merged.text("timeline.csv") == ("time_ns,port,bytes\n4,s2p1,4\n5,s1p1,1\n20,s1p2,2\n"
                                           "20,s2p1,5\n30,s1p1,3\n")


def test_events_at_a_time_are_in_order_of_parts(merged):
    assert merged.text("events.csv") == "time_ns,event\n10,a\n10,c\n20,d\n30,b\n"


def test_qdiscs_are_in_the_order_of_one_kernel(merged):
    stats = merged.json("stats.json")
    assert [(q["node"], q["dev"]) for q in stats["qdiscs"]] == [
        ("s1", "s1p1"), ("s1", "s1p2"), ("s2", "s2p1"), ("s2", "s2p2"), ("h1", "eth0"),
        ("h2", "eth0")]
    assert stats["n"] == 1


def test_parts_are_not_described(merged):
    testbed = merged.json("testbed.json")
    assert not any("part" in node for node in testbed["switches"] + testbed["hosts"])
    assert (merged.text("uptime"), merged.text("release")) == ("uptime 1\n", "release 1\n")


def test_objects_are_those_of_the_part_of_their_switch(parts):
    for part in 1, 2:
        parts.replace(part, "watchdogs.json", json.dumps(
            [{"ifname": "s2p1", "of": part}, {"ifname": "s1p1", "of": part}]))
        parts.replace(part, "switches.json", json.dumps(
            [{"switch": number, "of": part} for number in (1, 2)]))
    merge.merge(parts.out)
    assert parts.json("watchdogs.json") == [
        {"ifname": "s1p1", "of": 1}, {"ifname": "s2p1", "of": 2}]
    assert parts.json("switches.json") == [{"switch": 1, "of": 1}, {"switch": 2, "of": 2}]


def test_deadlocks_name_ports_of_all_parts(parts):
    parts.replace(1, "deadlocks.json", json.dumps([{"switch": 1, "found_ns": 9, "slot": 0}]))
    parts.replace(2, "deadlocks.json", json.dumps([
        {"switch": 2, "found_ns": 8, "hops": [{"switch": 1, "ingress_slot": 1, "egress_slot": 0}]},
        {"switch": 1, "found_ns": 1, "slot": 0}]))
    merge.merge(parts.out)
    assert parts.json("deadlocks.json") == [
        {"switch": 2, "found_ns": 8, "hops": [{"switch": 1, "ingress_slot": 1, "ingress": "s1p2",
                                               "egress_slot": 0, "egress": "s1p1"}]},
        {"switch": 1, "found_ns": 9, "slot": 0, "ifname": "s1p1"}]


def test_captures_are_those_of_one_part(parts):
    (parts.out / "parts/2/h2.pcap").write_bytes(b"\xd4\xc3")
    merge.merge(parts.out)
    assert (parts.out / "h2.pcap").read_bytes() == b"\xd4\xc3"


def test_parts_that_disagree_are_refused(parts):
    parts.replace(2, "start", "101\n")
    with pytest.raises(Failed, match="parts have different files start"):
        merge.merge(parts.out)


def test_each_arm_is_merged(tmp_path):
    parts = Parts(tmp_path)
    for arm in "a", "b+c":
        parts.write(arm)
    merge.merge(tmp_path)
    for arm in "a", "b+c":
        assert parts.text(f"{arm}/hosts.csv") == "address,data\n10.0.0.1,11\n10.0.0.2,22\n"
    assert not (tmp_path / "hosts.csv").exists() and (tmp_path / "uptime").exists()
