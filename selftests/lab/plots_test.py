# SPDX-License-Identifier: GPL-2.0
"""Plots: their time range, labels, sizes and bytes, and their SVG inside a page."""
import re

import fake_results
import numpy
import pytest

from lle_lab import errors, names, plots, results, svg, sweep


def drawn(method, run, size=plots.COLUMN):
    """Axes and caption of a plot; None if there is nothing to draw."""
    with plots.styled(size.font):
        found = plots.figure_of(method, run, size)
    return found and (found[0].axes, found[1])


def queue(tmp_path, counts):
    """The plot of a queue with these bytes, a sample each 20 us."""
    return drawn(plots.queue, results.Run(fake_results.write(
        tmp_path, queue_csv="time_ns,port,prio,bytes\n" + "".join(
            f"{20000 * i},s1p1,3,{n}\n" for i, n in enumerate(counts)))))


def test_a_queue_is_shown_until_it_is_empty(tmp_path):
    (ax,), caption = queue(tmp_path, [0] + [5000] * 64 + [0] * 936)
    assert caption == "Bytes in the queues that became longest. Nothing waits after 1.3 ms."
    assert 1.3 <= ax.get_xlim()[1] <= 1.36
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time (ms)", "queue (KB)")


@pytest.mark.parametrize("counts", ([0] + [5000] * 999, [5000] * 999 + [0], [5000, 0] * 500))
def test_a_queue_that_never_ends_is_shown_whole(tmp_path, counts):
    (ax,), caption = queue(tmp_path, counts)
    assert caption == "Bytes in the queues that became longest."
    assert ax.get_xlim()[1] >= 19.9


def test_a_queue_that_is_always_empty_is_not_shown(tmp_path):
    assert queue(tmp_path, [0] * 1000) is None


def test_a_thinned_queue_keeps_its_extremes():
    times = numpy.arange(100_000)
    values = times % 7
    values[[12_345, 54_321]] = 99, -5
    kept_times, kept = plots.thinned(times, values)
    assert len(kept) <= 2 * (plots.SPANS + 1)
    assert {(12_345, 99), (54_321, -5)} <= set(zip(kept_times, kept))


def throughput(tmp_path, rows, last_ns):
    """The plot of flows that received these bytes, in bins of 10 us."""
    return drawn(plots.throughput, results.Run(fake_results.write(
        tmp_path,
        bins_csv=",".join(["flow"] + [str(10000 * i) for i in range(len(rows[0]))]) + "\n" +
        "".join(f"{n}," + ",".join(map(str, counts)) + "\n" for n, counts in enumerate(rows)),
        flows_csv="src,dst,start_ns,last_ns,size\n" +
        f"10.0.0.1,10.0.0.2,0,{last_ns},1\n" * len(rows),
        testbed_json={"hosts": [{"address": f"10.0.0.{i}", "name": f"h{i}"} for i in (1, 2)]})))


def test_throughput_is_shown_until_the_last_byte(tmp_path):
    axes, caption = throughput(tmp_path, [[1000] * 100 + [0] * 900], 1000000)
    assert caption.endswith(" and of each flow. Nothing arrives after 1 ms.")
    assert all(1 < ax.get_xlim()[1] <= 1.1 for ax in axes)
    # 1000 bytes in 10 us
    assert axes[0].get_ylabel() == "all flows (Mbit/s)" and 800 < axes[0].get_ylim()[1] < 900


def test_throughput_of_who_waits_is_shown_as_long_again(tmp_path):
    axes, caption = throughput(tmp_path, [[1000] * 100 + [0] * 900], -1)
    assert caption.endswith("Nothing arrives after 1 ms.") and axes[0].get_xlim()[1] == 2
    axes, caption = throughput(tmp_path, [[1000] * 1000], -1)
    assert caption.endswith("of each flow.") and axes[0].get_xlim()[1] == 10


def test_many_flows_have_quantiles(tmp_path):
    rows = [[1000 * n] * 100 for n in range(1, 10)]
    axes, _ = throughput(tmp_path, rows, 1000000)
    labels = [text.get_text() for text in axes[1].get_legend().get_texts()]
    assert labels == ["all flows", "half of them", "median"]
    least, low, median, high, most = plots.quantiles(numpy.array(rows, float), (0, .25, .5, .75, 1))
    assert [q[0] for q in (least, low, median, high, most)] == [1000, 3000, 5000, 7000, 9000]


def test_quantiles_leave_out_flows_that_are_not_active():
    rates = numpy.array([plots.active(numpy.array(row), done) for row, done in (
        ([0, 5, 0, 5, 0], True), ([0, 0, 7, 0, 0], False), ([0] * 5, True))])
    assert plots.quantiles(rates, (0, 1)).tolist() == [[0, 5, 0, 0, 0], [0, 5, 7, 5, 0]]


FLOWS = "src,dst,start_ns,last_ns,size\n" + "".join(
    f"10.0.0.1,10.0.0.2,0,{last},{size}\n"
    for last, size in ((1000, 10), (2000, 10), (3000, 10**6), (-1, 10**6)))


def test_completion_times_are_those_of_each_size(tmp_path):
    (ax,), _ = drawn(plots.fct, results.Run(fake_results.write(tmp_path, flows_csv=FLOWS)))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == \
        ["2 up to 10 KB", "2 up to 1 MB, 1 unfinished"]
    small, large = (line.get_xydata().tolist() for line in ax.lines)
    assert small == [[1, 0], [1, 0.5], [2, 1]] and large == [[3, 0], [3, 0.5]]
    assert {line.get_drawstyle() for line in ax.lines} == {"steps-post"}
    assert ax.get_xlabel() == "completion time (µs)"


def run_of(tmp_path):
    plan = fake_results.testbed(["s1", "s2"], [("s1", "s2")])
    return fake_results.load(tmp_path, result_json=fake_results.result(), flows_csv=FLOWS,
                             testbed_json=plan, stats_json=fake_results.stats(plan, s1p2=5, s2p1=100))


def test_ports_are_the_busiest(tmp_path):
    (ax,), _ = drawn(plots.ports, run_of(tmp_path))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["s2p1 to h2", "s1p2 to s2"]
    assert [text.get_text() for text in ax.texts] == ["100", "5"]
    assert ax.get_legend().get_texts()[0].get_text() == "105 pauses sent by 2 ports"


class Own:
    """A scenario with a plot of its own."""
    name, arms = "own", ("a", "b")

    @plots.picture("Some bars.", panels=3, beside=3)
    def bars(self, axes, results):
        for ax in axes:
            plots.grouped_bars(ax, ["an arm", "with a long name"] * 3,
                               {"x": [1] * 6, "y": [None] * 6})
            ax.set_ylabel("bytes")

    @plots.picture("Nothing.")
    def nothing(self, ax, results):
        return False

    @plots.graph("A graph.")
    def wait(self, results):
        return "digraph { a -> b }"


def test_only_plots_with_data_have_files(tmp_path):
    assert plots.draw_all(Own(), run_of(tmp_path)) == {"bars": "Some bars.", "wait": "A graph."}
    assert {path.name for path in (tmp_path / "plots").iterdir()} == {
        f"{name}.{form}" for name in ("bars", "wait") for form in plots.FORMATS}


def test_a_pdf_fits_a_column(tmp_path):
    plots.draw_all(Own(), run_of(tmp_path))
    pdf = (tmp_path / "plots/bars.pdf").read_bytes()
    wide, high = map(float, re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf).groups())
    assert 238 < wide < 242 and high < 600
    assert b"/CIDFontType2" in pdf and b"/Type3" not in pdf, "fonts are TrueType"
    assert not re.search(rb"Date|matplotlib", pdf)


@pytest.mark.parametrize("size", (plots.COLUMN, plots.PAGE, plots.Size(2.5, 7)))
def test_all_text_has_the_size_and_is_within(tmp_path, size):
    with plots.styled(size.font):
        figure, _ = plots.figure_of(Own().bars, run_of(tmp_path), size)
        figure.canvas.draw()
        box = figure.get_tightbbox(figure.canvas.get_renderer())     # inches
    texts = [text for ax in figure.axes for text in (
        ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels())]
    legend, = figure.legends    # one for all panels
    texts += legend.get_texts()
    assert {text.get_size() for text in texts} == {size.font}
    assert box.x0 >= 0 and box.x1 <= figure.get_figwidth()
    assert box.y0 >= 0 and box.y1 <= figure.get_figheight()
    assert not any(ax.get_title() for ax in figure.axes), "a title"


def test_the_same_results_give_the_same_bytes(tmp_path):
    def files():
        plots.draw_all(Own(), run)
        for name, method in plots.pictures(type("Other", (), {"arms": []})()).items():
            plots.draw_one(method, run, tmp_path / "plots" / name, plots.PAGE, plots.FORMATS)
        return {path.name: path.read_bytes() for path in (tmp_path / "plots").iterdir()}
    run = run_of(tmp_path)
    first = files()
    assert len(first) >= 12
    assert [name for name, data in files().items() if data != first[name]] == []


def test_a_plot_is_drawn_again_in_another_size(tmp_path):
    path, = plots.again(run_of(tmp_path), ["fct"], "svg", (5, 9))
    assert path == tmp_path / "plots/fct.svg" and 'width="360pt"' in path.read_text()
    with pytest.raises(errors.Refused, match="incast has no plot 'ftc'; it has: fct"):
        list(plots.again(run_of(tmp_path), ["ftc"], "svg", (5, 9)))


def test_axes_have_words_and_units():
    assert names.axis("goodput_share") == "goodput (share of the link)"
    assert names.axis("rcm.victim_gbps") == "rcm: victim receives (Gbit/s)"
    assert names.axis("source_gbps.S1") == "source receives, S1 (Gbit/s)"
    assert names.axis("resume_reaction_ns") == "resume reaction (ns)"
    assert names.axis("fct_us.below_100k.mean") == "completion time, below 100k, mean (µs)"
    assert names.axis("queue.3.dropped") == "queue 3: dropped (packets)"
    assert names.axis("first_us_2") == "time until the first port pauses for good, stage 2 (µs)"
    assert names.axis("on_loop_us_mean") == "time until found, trigger on the loop, mean (µs)"
    assert names.axis("low_us_max") == "burst slow, after its first byte, most (µs)"
    assert names.axis("gone_gbps_after_max") == "gone after, most (Gbit/s)"
    assert names.axis("runs.3.hot_gbps") == "runs 3: hot (Gbit/s)"
    assert names.axis("share_off_max") == "share off max"
    assert names.axis("late") == "late"
    assert names.axis("late", {"late": ("too late", "packets")}) == "too late (packets)"
    assert names.key_axis("N") == "senders (N)"
    assert names.key_axis("SHAPE") == "SHAPE"


def test_a_sweep_has_them_too(tmp_path):
    point = sweep.Point(tmp_path, "incast", {"N": "2", "PFC": "on"})
    run = fake_results.load(tmp_path, result_json=fake_results.result(
        metrics={"goodput_share": 0.9}))
    (ax,), caption = drawn(sweep.curve([(point, run)], {}, "goodput_share", "N", "PFC"), None)
    assert caption == "Goodput over senders (N), by PFC."
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("senders (N)", "goodput (share of the link)")


def test_duplicates_are_deadlocks():
    assert names.metric("duplicates") == ("deadlocks declared again", "declarations")


def test_an_svg_inside_a_page():
    inline = svg.inline("""<?xml version="1.0"?><!DOCTYPE svg SYSTEM "http://x/svg.dtd">
<svg viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://x"><title>t</title>
<metadata><x href="http://y"/></metadata><defs><style>*{stroke-linejoin: round}</style></defs>
<path id='p0' style="fill: #0072b2; stroke: #FFFFFF" fill="none"/>
<use xlink:href='#p0' color='red'/>
<g fill="#FFFFFF">
</g><text style="font: 11px 'DejaVu Sans', sans-serif; text-anchor: middle" fill="currentColor"
clip-path="url(#p1)">42</text></svg>""", "queue")
    for text in ("<svg viewBox", "id='queue-p0'", "href='#queue-p0'", 'fill="none"',
                 'style="fill: var(--c0072b2, #0072b2); stroke: var(--cffffff, #ffffff)"',
                 "color='var(--cred, red)'", 'fill="currentColor"', "url(#queue-p1)",
                 'style="font-size: 11px; text-anchor: middle"'):
        assert text in inline, f"{text} is not in {inline}"
    for text in ("http", "title", "metadata", "<style", "<defs", "<g"):
        assert text not in inline, f"{text} is in {inline}"


def test_words_of_marks_do_not_overlap(tmp_path):
    @plots.picture("Marks.")
    def marks(ax, _):
        for x in 0, 1, 2, 9:
            plots.mark(ax, x, "a long word")
    (ax,), _ = drawn(marks, None)
    rows = [round(text.xyann[1], 1) for text in ax.texts]   # in heights of letters
    assert rows == [-0.3, -1.5, -2.7, -0.3]
