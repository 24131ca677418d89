# SPDX-License-Identifier: GPL-2.0
"""Plays a fake run: four switches in a ring, which deadlock and resume. Tests
the data of lab/report/play.py, then its page in a browser."""
import base64
import json
import os
import pathlib
import tempfile
import time
import zlib

import play
import pytest

START = 100_000_000     # ns
RING = (1, 2, 3, 4)


def decode(text):
    """The reverse of play.encode(), as in play.js."""
    data = iter(zlib.decompress(base64.b64decode(text)))

    def number():
        value = shift = 0
        for byte in data:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
        raise ValueError("the data end within a number")

    ports = [[[] for _ in range(count)] for count in [number() for _ in range(number())]]
    for _ in play.COLUMNS:
        for rows in ports:
            before = 0
            for row in rows:
                step = number()
                before += -(step >> 1) if step & 1 else step >> 1
                row.append(before)
    return [[tuple(row) for row in rows] for rows in ports]


def after(switch):
    return switch % 4 + 1


def ring():
    """Files of a run of 1 ms: the ports to the next switch, sNp2, are paused
    from 200 us, the last from 230 us, until 400 us. Queues grow from 100 us."""
    # the numbers of switches are not those of their names
    switches = [{"name": f"s{n}", "number": 10 + n, "ports": [
        {"dev": f"s{n}p1", "role": "edge", "peer": f"h{n}", "peer_dev": "eth0"},
        {"dev": f"s{n}p2", "role": "fabric", "peer": f"s{after(n)}",
         "peer_dev": f"s{after(n)}p3"},
        {"dev": f"s{n}p3", "role": "fabric", "peer": f"s{(n + 2) % 4 + 1}",
         "peer_dev": f"s{(n + 2) % 4 + 1}p2"}]} for n in RING]
    hosts = [{"name": f"h{n}", "address": f"10.0.0.{n}", "peer": f"s{n}",
              "peer_dev": f"s{n}p1"} for n in RING]
    rows = []
    for n in RING:
        paused = 230 if n == 4 else 200
        rows += [(at, f"s{n}p2", queue, 0, max(0, min(at, 400) - paused) * 1000)
                 for at, queue in ((0, 0), (100, 0), (150, 50_000), (paused, 90_000),
                                   (400, 90_000), (500, 0), (1000, 0))]
        rows += [(at, name, 0, 0, 0) for at in (0, 1000)
                 for name in (f"s{n}p1", f"s{n}p3", f"10.0.0.{n}")]
    text = "time_ns,port,queue,buffer,paused_ns,role\n" + "".join(
        f"{START + us * 1000},{port},{queue},{buffer},{ns},0\n"
        for us, port, queue, buffer, ns in sorted(rows, key=lambda row: row[0]))
    hops = [{"switch": 10 + n, "ingress": f"s{n}p3", "egress": f"s{n}p2"} for n in RING]
    return {
        "testbed.json": json.dumps({"switches": switches, "hosts": hosts}),
        "stats.json": json.dumps({"qdiscs": [
            {"node": s["name"], "peer": p["peer"], "prios": [{"rx_pause_duration": 0}]}
            for s in switches for p in s["ports"]]}),
        "result.json": json.dumps({"scenario": "ring", "keys": {"SEED": "1"}}),
        "flows": "0 1 10.0.0.1 10.0.0.2 3\n", "timeline.csv": text,
        "events.csv": "time_ns,event,port,prio,since_ns,hops,trigger\n"
                      f"{START + 250_000},deadlock,12/2,3,{START + 200_000},4,11/2\n",
        "deadlocks.json": json.dumps([{
            "whole": True, "found_ns": START + 250_000, "closed_ns": START + 230_000,
            "cure": "parked", "loop": hops}]),
    }


def test_rows_are_the_same_when_decoded():
    ports = [[], [(0, 0, 0, 0, 0)],
             [(0, 5, 2**32 - 1, 0, 3), (7, 0, 0, 2**45, 0), (2**32 - 1, 900, 1, 2**45, 2)]]
    assert decode(play.encode(ports)) == ports, "rows"


def test_of_a_step_of_time_the_last_row_stays():
    rows = [(0, 1, 0, 0, 0), (1, 2, 0, 0, 0), (2, 3, 0, 0, 0), (3, 4, 0, 0, 0)]
    assert play.thin(rows, 2) == [rows[0], rows[2], rows[3]], "rows"


def made(folder):
    for name, text in ring().items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")
    os.chdir(folder)
    play.main()
    return pathlib.Path(folder, "play.html")


FOLDER = tempfile.TemporaryDirectory(prefix="lle-play-")
PAGE = made(FOLDER.name)


def test_a_deadlock_lasts_from_its_last_pause_to_the_first_that_ends():
    network = play.Network()
    arm, = play.arms(network)
    found, = arm.deadlocks
    assert (found["closed"], found["found"], found["until"]) == (230, 250, 400), "times"
    assert ([network.ports[port]["name"] for port in found["ports"]] ==
            [f"s{n}p2" for n in RING]), "loop"
    assert network.ports[found["trigger"]]["name"] == "s1p3", "trigger"


def test_a_timeline_of_another_network_makes_no_page():
    text = pathlib.Path("timeline.csv").read_text(encoding="ascii")
    pathlib.Path("timeline.csv").write_text(text.replace("s1p1", "s99p1"), encoding="ascii")
    found = play.arms(play.Network())
    pathlib.Path("timeline.csv").write_text(text, encoding="ascii")
    assert found == [], "arms"


# the paused lanes, as "FROM>TO"
PAUSED = """return lanes.filter(l => l.line.classList.contains("paused"))
    .map(l => nodes[l.from].name + ">" + nodes[l.to].name).sort()"""
LOOP = sorted(f"s{n}>s{after(n)}" for n in RING)


def seen(chromium, us):
    chromium.run("seek(arguments[0])", us)
    return chromium.run(PAUSED)


def opened(chromium, width=1280, dark=False):
    chromium.size(width, 844)
    chromium.dark(dark)
    chromium.open(PAGE)
    for _ in range(100):
        if chromium.run("return document.body.dataset.ready"):
            return
        time.sleep(0.05)
    raise AssertionError("the page is not ready after 5 s")


@pytest.fixture(name="tab", scope="module")
def a_tab():
    browser = pytest.importorskip("browser", reason="no selenium (scripts/deps.sh pages)")
    with browser.Browser() as tab:
        yield tab


def test_the_four_links_of_the_ring_are_paused_while_they_are(tab):
    opened(tab)
    assert seen(tab, 190) == [], "before"
    assert seen(tab, 300) == LOOP, "in the deadlock"
    assert seen(tab, 450) == [], "after"


def test_the_loop_is_there_while_it_is_closed(tab):
    loops = "return document.querySelectorAll('#loop .loop').length"
    for us, want in ((220, 0), (231, 4), (399, 4), (401, 0)):
        seen(tab, us)
        assert tab.run(loops) == want, f"at {us} us"
    seen(tab, 240)
    text = tab.find("#alarm")[0].text
    assert "not found yet" in text and "trigger s1p3" in text, text


def test_a_queue_fills(tab):
    size = """const lane = lanes.find(l => ports[l.list[0]].name === "s1p2");
        return lane.fill.getAttribute("visibility") === "visible" ?
            lane.fill.getTotalLength() : 0"""
    sizes = [seen(tab, us) and 0 or tab.run(size) for us in (50, 160, 300)]
    assert sizes[0] == 0 < sizes[1] < sizes[2], sizes


def test_keys_move_the_slider(tab):
    slider = tab.find("#slider")[0]
    seen(tab, 100)
    at = [tab.run("return time")]
    for key in ("\ue014", "\ue014", "\ue012", "n"):     # right, right, left
        slider.send_keys(key)
        at.append(tab.run("return time"))
    assert at == [100, 150, 200, 150, 230], "times"
    assert tab.run("return +document.getElementById('slider').value") == 230, "slider"


def test_it_plays_and_pauses(tab):
    seen(tab, 0)
    tab.find("#play")[0].click()
    time.sleep(0.6)
    tab.find("#play")[0].click()
    first = tab.run("return time")
    assert first > 0, "time stands still"
    time.sleep(0.2)
    assert tab.run("return time") == first, "after the pause"


def test_a_port_shows_its_numbers(tab):
    seen(tab, 300)
    tab.run("""lanes.find(l => ports[l.list[0]].name === "s1p2")
        .hit.dispatchEvent(new Event("click"))""")
    text = tab.find("#panel")[0].text
    assert "s1p2" in text and "90 kB" in text and "100 %" in text, text


def test_it_fits_a_phone_and_the_dark(tab):
    opened(tab, 390, True)
    seen(tab, 300)
    wide = tab.run("return document.documentElement.scrollWidth")
    assert wide <= 390, f"{wide} px"
    shade = tab.run("return getComputedStyle(document.body).backgroundColor")
    assert all(int(part) < 64 for part in shade[4:-1].split(",")), shade


def test_the_console_is_silent(tab):
    assert tab.console() == [], "messages"
