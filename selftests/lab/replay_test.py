# SPDX-License-Identifier: GPL-2.0
"""Replays a fake run: four switches in a ring, which deadlock and resume. Tests the data of the
page, then the page in a browser."""
import base64
import time
import zlib

import fake_results
import numpy
import pytest
from fake_results import RING, after

from lle_lab import replay


def decode(text):
    """The reverse of replay.encode(), as in play.js."""
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
    for _ in replay.COLUMNS:
        for rows in ports:
            before = 0
            for row in rows:
                step = number()
                before += -(step >> 1) if step & 1 else step >> 1
                row.append(before)
    return [[tuple(row) for row in rows] for rows in ports]


def rows_of(*rows):
    return numpy.array(rows, dtype=numpy.int64).reshape(-1, len(replay.COLUMNS))


def test_rows_are_the_same_when_decoded():
    ports = [[], [(0, 0, 0, 0, 0)],
             [(0, 5, 2**32 - 1, 0, 3), (7, 0, 0, 2**45, 0), (2**32 - 1, 900, 1, 2**45, 2)],
             [(127, 128, 16383, 16384, 2**62), (0, 127, 128, 1, 0)]]
    assert decode(replay.encode([rows_of(*rows) for rows in ports])) == ports, "rows"


def test_of_a_step_of_time_the_last_row_stays():
    rows = [(0, 1, 0, 0, 0), (1, 2, 0, 0, 0), (2, 3, 0, 0, 0), (3, 4, 0, 0, 0)]
    assert replay.thin(rows_of(*rows), 2).tolist() == [list(rows[n]) for n in (0, 2, 3)], "rows"
    assert len(replay.thin(rows_of(), 2)) == 0


@pytest.fixture(name="run")
def a_run(tmp_path):
    return fake_results.ring(tmp_path)


def test_a_deadlock_lasts_from_its_last_pause_to_the_first_that_ends(run):
    network = replay.Network(run)
    arm, = replay.arms_of(run, network)
    found, = arm.deadlocks
    assert (found["closed"], found["found"], found["until"]) == (230, 250, 400), "times"
    assert ([network.ports[port]["name"] for port in found["ports"]] ==
            [f"s{n}p2" for n in RING]), "loop"
    assert network.ports[found["trigger"]]["name"] == "s1p3", "trigger"
    assert (found["host"], found["cure"]) == (False, "parked")


def test_without_a_record_of_its_time_a_deadlock_begins_with_the_last_pause(run):
    path = run.folder / "deadlocks.json"
    found_ns = fake_results.START + 250_000
    path.write_text(path.read_text().replace(str(found_ns), str(found_ns + 5000)))
    arm, = replay.arms_of(run, replay.Network(run))
    found, = arm.deadlocks
    assert (found["closed"], found["until"], found["cure"]) == (230, 400, None)


def test_a_broken_nic_is_one_of_the_flows(run):
    network = replay.Network(run)
    found, = replay.broken_nics(network, run)
    assert network.ports[found["port"]]["name"] == "h1"
    assert (found["at"], found["until"]) == (50, 70)


def test_a_timeline_of_another_network_makes_no_page(run):
    path = run.folder / "timeline.csv"
    path.write_text(path.read_text().replace("s1p1", "s99p1"))
    assert not replay.write(run) and not (run.folder / "play.html").exists()


def test_too_many_rows_are_thinned(run, monkeypatch):
    network = replay.Network(run)
    arm, = replay.arms_of(run, network)
    whole = sum(map(len, decode(arm.json(arm.rows)["rows"])))
    monkeypatch.setattr(replay, "LIMIT", len(arm.json(arm.rows)["rows"]) - 1)
    coded, = replay.encoded([arm])
    assert len(coded["rows"]) <= replay.LIMIT
    assert 0 < sum(map(len, decode(coded["rows"]))) < whole


def test_the_same_run_gives_the_same_bytes(run):
    assert replay.write(run)
    first = (run.folder / "play.html").read_bytes()
    replay.write(run)
    assert (run.folder / "play.html").read_bytes() == first


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
    chromium.open(chromium.page)
    for _ in range(100):
        if chromium.run("return document.body.dataset.ready"):
            return
        time.sleep(0.05)
    raise AssertionError("the page is not ready after 5 s")


@pytest.fixture(name="tab", scope="module")
def a_tab(tmp_path_factory):
    browser = pytest.importorskip("browser", reason="no selenium (scripts/deps.sh pages)")
    run = fake_results.ring(tmp_path_factory.mktemp("ring"))
    assert replay.write(run)
    with browser.Browser() as tab:
        tab.page = run.folder / "play.html"
        opened(tab)
        yield tab


def test_the_four_links_of_the_ring_are_paused_while_they_are(tab):
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
