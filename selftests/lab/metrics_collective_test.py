# SPDX-License-Identifier: GPL-2.0
"""The ideal network of collective operations, and the times of jobs: no guest."""
import pytest

from lle_lab import scenario
from lle_lab.scenarios import collective
from lle_lab.scenarios.collective import Ideal, of_jobs, parse

# two switches; h1 and h2 at the first one
TESTBED = {
    "hosts": [{"name": f"h{i}", "address": f"10.0.0.{i}", "peer": f"s{1 + i // 3}"}
              for i in (1, 2, 3)],
    "switches": [
        {"name": "s1", "forward": {"h1": "s1p1", "h2": "s1p2", "h3": "s1p3"},
         "ports": [{"dev": "s1p1", "peer": "h1"}, {"dev": "s1p2", "peer": "h2"},
                   {"dev": "s1p3", "peer": "s2"}]},
        {"name": "s2", "forward": {"h1": "s2p2", "h2": "s2p2", "h3": "s2p1"},
         "ports": [{"dev": "s2p1", "peer": "h3"}, {"dev": "s2p2", "peer": "s1"}]}]}
LINK = 1000 + 82 + 16       # ns of a message of one packet, at a byte each ns


def ends(*lines):
    """End of each flow: START SRC DST [after FLOWS], of 1000 bytes."""
    flows = []
    for line in lines:
        start, src, dst, *after = line.split()
        flows.append(parse(f"{start} 1000 10.0.0.{src} 10.0.0.{dst} 3 {' '.join(after)} # job 1"))
    return Ideal(TESTBED, 1, 100, 1000).ends(flows)


def test_parse():
    flow = parse("5 1000 10.0.0.1 10.0.0.2 3 after 1,4-6 # job 2")
    assert flow == (5, 1000, "10.0.0.1", "10.0.0.2", [1, 4, 5, 6], 2)
    assert parse("0 1 10.0.0.1 10.0.0.2 3 # job 1").after == []


def test_a_flow_alone_needs_each_link_of_its_path():
    assert ends("0 1 2") == [2 * (LINK + 100)]
    assert ends("50 1 3") == [50 + 3 * (LINK + 100)]


def test_the_last_packet_is_forwarded_alone():
    flow = parse("0 2001 10.0.0.1 10.0.0.2 3 # job 1")
    sent = 2001 + 3 * 82 + 16
    assert Ideal(TESTBED, 1, 100, 1000).ends([flow]) == [sent + 1 + 82 + 200]


def test_flows_of_a_host_take_turns():
    alone = 2 * (LINK + 100)
    assert ends("0 1 2", "0 2 1") == [alone, alone]
    assert ends("0 1 2", "0 1 2") == [alone, alone + LINK]
    # at the receiver, in the order of their starts
    far = 3 * (LINK + 100)
    assert ends("0 1 2", "100 3 2") == [alone, 100 + far]
    assert ends("0 3 2", "0 1 2") == [far, far + LINK]


@pytest.mark.parametrize("after, begins", [
    ("1", 2 * (LINK + 100) + 7),    # h2 sends what it has received
    ("2", LINK)])                   # a message of its own: when that is sent
def test_a_step_begins_after_its_inputs(after, begins):
    assert ends("0 1 2", "0 2 3", f"7 2 1 after {after}")[2] == \
        max(begins, LINK) + 2 * (LINK + 100)


def test_of_jobs():
    flows = [parse(f"0 1 10.0.0.{a} 10.0.0.{b} 3 # job {job}")
             for a, b, job in ((1, 2, 1), (2, 3, 1), (5, 6, 2))]
    # hosts of job 1 end at 1, 4 and 4 us
    assert of_jobs(flows, [1000, 4000, 3000]) == (4, 0)
    assert of_jobs(flows[:2], [3000, 1000]) == (3, 0)
    assert of_jobs([flows[0], flows[2]._replace(job=1)], [1000, 4000]) == (4, 1.5)


def test_expectations_depend_on_the_operation():
    def expected(*keys):
        made = scenario.create(["collective", *keys])
        return list(made.expectations({"job_us": 10, "ideal_us": 10}))
    assert "job_us >= 9.9" in expected() and "job_us <= 10.1" in expected()
    assert "job_us <= 10.1" not in expected("PLACE=spread")
    assert "job_us <= 10.1" not in expected("KIND=all-to-all")
    assert "dropped == 0" not in expected("CC=ldcp", "PFC=off")
    assert "unfinished == 0" in expected("CC=ldcp", "PFC=off")
    assert "unfinished == 0" not in expected("PFC=off")
    assert collective.Collective(RCM="yes", CC="dcqcn").variant == "rcm+dcqcn"
