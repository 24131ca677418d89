# SPDX-License-Identifier: GPL-2.0
"""The page of a run: what it says, and how it looks in a browser."""
import html

import fake_results
import pytest

from lle_lab import drawing, names, page, pages, plots

ABOUT = """A victim of a congestion.

It sends on one link

    h1 --- s1 --- s2

with others.
"""
METRICS = {
    "pfc": {"victim_gbps": 25.123, "pauses": {"host": 3, "fabric": 975}, "dropped": 0,
            "backlog_max_bytes": 123456789},
    "rcm": {"victim_gbps": 50.1, "pauses": {"host": 3, "fabric": 0}, "dropped": 0,
            "backlog_max_bytes": 23456},
    "late": 7}
EXPECTED = [
    {"metric": "pfc.victim_gbps", "operator": "<=", "value": "27", "was": 25.123, "ok": True},
    {"metric": "rcm.pauses.fabric", "operator": "==", "value": "0", "was": 1234567, "ok": False},
    {"metric": "rcm.nothing", "operator": "==", "value": "0", "was": None, "ok": False}]


class Victim:
    name, source = "rcm-victim", "/home/me/rcm victim.py"
    __doc__ = ABOUT
    words = {"late": ("came late", "packets")}

    def __init__(self, arms):
        self.arms = arms

    @plots.picture("What the victim gets.")
    def shares(self, ax, results):
        plots.grouped_bars(ax, results.arms, {
            "the victim": results.of_arms("victim_gbps"), "dropped": results.of_arms("dropped")})
        plots.mark(ax, 0.5, "here")
        ax.set(xlabel="arm", ylabel="received (Gbit/s)")

    @plots.graph("Who waits for whom.")
    def waits(self, results):
        return 'digraph { node [style=filled, fillcolor="#f4a3a3"]; a -> b }'


def written(folder, *more):
    """The page of a fake run with arms; MORE have the figures of rcm."""
    arms = ["pfc", "rcm", *more]
    plan = fake_results.testbed(["s1", "s2", "s3"], [("s1", "s2"), ("s2", "s3")])
    for arm in arms:
        fake_results.write(folder / arm, testbed_json=plan, stats_json=fake_results.stats(
            plan, {"s1p2": 2300 if arm == "pfc" else 7}))
    results = fake_results.load(
        folder, output_txt="\x1b[31mred\x1b[0m <b>\ttab\x07\n" + "next\n" * 99,
        result_json=fake_results.result(
            scenario="rcm-victim", keys={"ARMS": ",".join(arms), "SEED": "1", "CAPTURE": ""},
            metrics=METRICS | dict.fromkeys(more, METRICS["rcm"]), expected=EXPECTED))
    page.write(Victim(arms), results)
    return folder / "index.html"


def test_the_page_has_all_of_a_run(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.__doc__", ABOUT)
    text = html.unescape(written(tmp_path).read_text(encoding="utf-8"))
    for words in ("2 of 3 expectations are not met",
                  "rcm: pauses sent, fabric: expected = 0, was 1,234,567", "no such metric",
                  "A victim of a congestion.", "h1 --- s1 --- s2</pre>", "What the victim gets.",
                  "Who waits for whom.", "The last 60 of 100 lines",
                  'came late<span class="narrow unit">, packets</span> <code>late</code>',
                  "up to 767 µs", "make lab 'SCENARIO=/home/me/rcm victim.py' ARMS=pfc,rcm SEED="):
        assert words in text, words
    assert text.count("<figure>") == 4, "two plots, two networks"


class Bare:
    name, arms, source = "bare", [], str(page.SCENARIOS / "bare.py")


def test_a_page_of_a_run_that_has_little(tmp_path):
    fake_results.write(tmp_path, flows_csv="src,dst,start_ns,last_ns,size\nh2,h1,0,-1,1\n",
                       stats_json={"qdiscs": []})
    page.write(Bare(), fake_results.load(tmp_path, result_json=fake_results.result()))
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "This run expects nothing." in text and "No port sent a pause" in text
    assert "<h2>Network</h2>" not in text and "Replay" not in text and "<figure>" not in text
    assert "make lab SCENARIO=bare SEED=1" in text


def test_output_of_programs_has_no_colours(tmp_path):
    path = tmp_path / "output.txt"
    assert page.program_output(path) == []
    path.write_text("\x1b[31mred\x1b[0m <b>\ttab\x07\nnext\n")
    assert page.program_output(path) == ["red <b>\ttab", "next"]


def test_tiles_have_three_digits():
    def tile(value, unit):
        return " ".join(page.rounded(value, unit)).strip()
    assert [tile(0.98765, "share of the link"), tile(123456, "bytes"), tile(1234.5, "µs"),
            tile(1234, "packets"), tile(1.23456, "Gbit/s")] == [
        "98.8 % of the link", "123 KB", "1.23 ms", "1,234 packets", "1.23 Gbit/s"]


def test_values_of_arms_are_side_by_side():
    rows, others = page.by_arm({"a.x": 1, "b.x": 2, "b.y": 3, "z.x": 4}, ["a", "b"])
    assert rows == [("x", [1, 2]), ("y", [None, 3])] and others == [("z.x", [4])]


def test_what_failed_comes_first():
    found = list(page.expectations(EXPECTED, names.metric))
    assert [e["ok"] for e in found] == [False, False, True]
    assert found[2]["bound"] == "≤ 27" and found[2]["unit"] == "Gbit/s"


def test_a_large_plot_is_a_png(tmp_path, monkeypatch):
    (tmp_path / "a.svg").write_text('<svg width="9pt" height="9pt" viewBox="0 0 9 9"></svg>')
    (tmp_path / "a.png").write_bytes(b"png")
    assert pages.picture(tmp_path / "a", "A") == '<svg viewBox="0 0 9 9"></svg>'
    assert 'width="9pt"' in pages.picture(tmp_path / "a", "A", is_graph=True)
    monkeypatch.setattr(pages, "MOST", 9)
    assert pages.picture(tmp_path / "a", "<A>") == \
        '<img alt="&lt;A&gt;" src="data:image/png;base64,cG5n">'


def test_a_dark_page_has_a_colour_for_each():
    style = pages.template("style.css")
    colours = [*plots.COLOURS, plots.LIGHT, plots.LIGHTER, plots.INK, plots.MUTED, plots.AXIS,
               plots.GRID, *(colour for colour, _ in drawing.LINKS)]
    assert [colour for colour in colours if f"--c{colour[1:]}: #" not in style] == []


@pytest.fixture(name="chromium", scope="module")
def a_browser():
    browser = pytest.importorskip("browser", reason="no selenium (scripts/deps.sh pages)")
    with browser.Browser() as chromium:
        yield chromium


def test_the_page_has_no_fault(chromium, tmp_path):
    import faults
    found = faults.faults(chromium, written(tmp_path))
    assert not found, "\n".join(found[:20])


# names of columns of tables that are wider than their place
HIDDEN = """return [...document.querySelectorAll(".scroll > table")]
    .filter(table => table.parentElement.scrollWidth > table.parentElement.clientWidth)
    .map(table => table.querySelector("tr").textContent)"""


@pytest.mark.parametrize("more", ((), ("dcqcn", "rcm+dcqcn", "rcm+dcqcn+las")))
def test_a_phone_shows_all_columns(chromium, tmp_path, more):
    chromium.size(400)
    chromium.open(written(tmp_path, *more))
    chromium.run("document.querySelectorAll('details').forEach(details => details.open = true)")
    assert len(chromium.find(".scroll > table")) == 4
    assert chromium.run(HIDDEN) == []
