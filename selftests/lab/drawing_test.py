# SPDX-License-Identifier: GPL-2.0
"""Drawings of networks: one for each arm, on one scale."""
import re

import fake_results

from lle_lab import drawing

TREE = fake_results.testbed(["s1", "s2", "s3"], [("s1", "s3"), ("s2", "s3")])
TREE["hosts"].pop()     # s3 has none
TREE["switches"][2]["ports"].pop(0)


def arms(folder, **paused_us):
    """Results of arms, each with pauses of ports."""
    for arm, ports in paused_us.items():
        fake_results.write(folder / arm, testbed_json=TREE,
                           stats_json=fake_results.stats(TREE, ports))
    return fake_results.load(folder, result_json=fake_results.result(
        keys={"ARMS": ",".join(paused_us)}))


def colours(text):
    """The colours of the links of an SVG, by their ends."""
    return {tuple(ends.split("&#45;&#45;")): colour for ends, colour in re.findall(
        r'<title>(\S+)</title>\s*<path fill="none" stroke="(\S+?)"', text)}


def test_all_arms_have_one_scale(tmp_path):
    results = arms(tmp_path, pfc={"s1p2": 2300, "s2p2": 800}, rcm={"s1p2": 7})
    found, legend = drawing.drawings(results)
    assert [arm for arm, _ in found] == ["pfc", "rcm"]
    links = [colours(text) for _, text in found]
    assert links[0][("s1", "s3")] == "#c00000" and links[0][("s2", "s3")] == "#e8743b"
    assert links[1][("s1", "s3")] == "#f4b183" and links[1][("s2", "s3")] == "#b0b0b0"
    assert [words for *_, words in legend] == [
        "never", "up to 767 µs", "up to 1.5 ms", "up to 2.3 ms"]


def test_without_pauses_there_is_one_drawing(tmp_path):
    found, legend = drawing.drawings(arms(tmp_path, pfc={}, rcm={}))
    assert [arm for arm, _ in found] == [""] and legend == []
    assert set(colours(found[0][1]).values()) == {"#b0b0b0"}


def test_hosts_are_below_their_switches(tmp_path):
    results = arms(tmp_path, pfc={})
    places = drawing.Drawing(results["pfc"].testbed, results["pfc"].stats).places()
    assert set(places) == {"h1", "h2", "s1", "s2", "s3"}
    assert places["h1"][1] < places["s1"][1] == places["s2"][1] < places["s3"][1]


def test_many_hosts_are_drawn_as_one():
    plan = fake_results.testbed([f"s{n}" for n in range(1, 27)], [])
    found = drawing.Drawing(plan, fake_results.stats(plan, {"s7p1": 5}))
    assert found.label("hosts of s7") == "1" and len(found.links) == 26
    assert found.links[frozenset(("s7", "hosts of s7"))] == 5


def test_times_have_two_digits_or_more():
    assert [drawing.microseconds(us) for us in (0.3, 7, 33.3, 766.7, 1533, 12345, 2e6)] == [
        "0.3 µs", "7 µs", "33 µs", "767 µs", "1.5 ms", "12 ms", "2 s"]
