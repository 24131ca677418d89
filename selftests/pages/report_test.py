# SPDX-License-Identifier: GPL-2.0
"""Data of plots: the time range, the labels of axes, and the SVG inside a page."""
import contextlib
import io
import json
import os
import tempfile

import data
import draw
import names
import page
import sweep


def printed(function, *arguments, **files):
    """Return the lines that a function prints in a folder with these files;
    name_csv is name.csv."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(
            io.StringIO()) as out:
        for name, text in files.items():
            with open(f"{folder}/{name.replace('_', '.')}", "w", encoding="utf-8") as file:
                file.write(text)
        here = os.getcwd()
        os.chdir(folder)
        try:
            function(*arguments)
        finally:
            os.chdir(here)
    return out.getvalue().splitlines()


def value(lines, name):
    """Value of a gnuplot variable."""
    found = [part.split(" = ")[1] for line in lines for part in line.split("; ")
             if part.startswith(f"{name} = ")]
    assert len(found) == 1, f"{name} in {lines[-5:]}"
    return found[0]


def queue(counts):
    """Plot data of a queue with these bytes, a sample each 20 us."""
    return printed(data.queue, queue_csv="time_ns,port,prio,bytes\n" + "".join(
        f"{20000 * i},s1p1,3,{n}\n" for i, n in enumerate(counts)))


def test_a_queue_is_shown_until_it_is_empty():
    lines = queue([0] + [5000] * 64 + [0] * 936)
    assert lines[0] == "# Bytes in the queues that became longest. Nothing waits after 1.3 ms."
    assert 1.3 <= float(value(lines, "x_max")) <= 1.36, lines[-1]
    assert (value(lines, "x_unit"), value(lines, "y_unit")) == ("'ms'", "'KB'")


def test_a_queue_that_never_ends_is_shown_whole():
    for counts in ([0] + [5000] * 999, [5000] * 999 + [0], [5000, 0] * 500):
        lines = queue(counts)
        assert lines[0] == "# Bytes in the queues that became longest."
        assert float(value(lines, "x_max")) >= 19.9, lines[-1]


def test_a_queue_that_is_always_empty_is_not_shown():
    assert queue([0] * 1000) == []


def throughput(counts, last_ns):
    """Plot data of a flow that received these bytes, in bins of 10 us."""
    return printed(
        data.throughput,
        bins_csv=",".join(["flow"] + [str(10000 * i) for i in range(len(counts))]) + "\n" +
        ",".join(["0"] + list(map(str, counts))) + "\n",
        flows_csv=f"src,dst,start_ns,last_ns,size\n10.0.0.1,10.0.0.2,0,{last_ns},1\n",
        testbed_json=json.dumps({"hosts": [{"address": f"10.0.0.{i}", "name": f"h{i}"}
                                       for i in (1, 2)]}))


def test_throughput_is_shown_until_the_last_byte():
    lines = throughput([1000] * 100 + [0] * 900, 1000000)
    assert lines[0] == "# Payload that arrived in order. Nothing arrives after 1 ms."
    assert 1 < float(value(lines, "x_max")) <= 1.1, lines[-1]


def test_throughput_of_who_waits_is_shown_as_long_again():
    lines = throughput([1000] * 100 + [0] * 900, -1)
    assert lines[0] == "# Payload that arrived in order. Nothing arrives after 1 ms."
    assert value(lines, "x_max") == "2.0"
    lines = throughput([1000] * 1000, -1)
    assert lines[0] == "# Payload that arrived in order."
    assert value(lines, "x_max") == "10.0"


def test_axes_have_words_and_units():
    assert names.axis("goodput_share") == "goodput (share of the link)"
    assert names.axis("rcm.victim_gbps") == "rcm: victim receives (Gbit/s)"
    assert names.axis("source_gbps.S1") == "source receives, S1 (Gbit/s)"
    assert names.axis("resume_reaction_ns") == "resume reaction (ns)"
    assert names.axis("order") == "order"
    assert names.key_axis("N") == "senders (N)"
    assert names.key_axis("SHAPE") == "SHAPE"


def test_a_sweep_has_them_too():
    lines = printed(sweep.print_data, "goodput_share", "N", "PFC", results_csv=(
        "N,PFC,goodput_share\n2,on,0.9\n4,on,0.8\n2,off,0.7\n"))
    assert lines[0] == "# Goodput over senders (N), by PFC."
    assert value(lines, "x_label") == "'senders (N)'"
    assert value(lines, "y_label") == "'goodput (share of the link)'"


def test_output_of_programs_has_no_colours():
    lines = printed(lambda: print("|".join(page.program_output())),
                    output_txt="\x1b[31mred\x1b[0m <b>\ttab\x07\nnext\n")
    assert lines == ["red <b>\ttab|next"]
    assert printed(lambda: print(page.program_output())) == ["[]"]


def test_an_svg_inside_a_page():
    svg = draw.inline("""<?xml version="1.0"?><!DOCTYPE svg SYSTEM "http://x/svg.dtd">
<svg viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://x"><title>t</title>
<path id='gpPt0' stroke='rgb(  0, 114, 178)' fill="none"/><use xlink:href='#gpPt0' color='red'/>
<g fill="#FFFFFF">
</g><text fill="currentColor">42</text></svg>""", "queue")
    for text in ("<svg viewBox", "id='queue-gpPt0'", "href='#queue-gpPt0'", 'fill="none"',
                 "stroke='var(--c0072b2, #0072b2)'", "color='var(--cred, red)'",
                 'fill="currentColor"'):
        assert text in svg, f"{text} is not in {svg}"
    for text in ("http", "title", "<g"):
        assert text not in svg, f"{text} is in {svg}"
