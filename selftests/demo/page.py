#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Writes DIR/report.html from DIR/report.json and DIR/raw, and DIR/plots.

Usage: page.py DIR

The page is one file without links: it can be mailed.
"""
import os
import pathlib
import sys

import collect
import deadlock
import deadlock_plot
import deadlock_verdict
import drawing
import files
import plots
import storm
import storm_plot
import storm_tree
import storm_verdict
import verdict
import words as w
from drawing import pages

ACTS = (verdict, *verdict.ACTS)


def table(arms, rows):
    """(label, [text of each arm])."""
    return [(label, [show(arm) for arm in arms]) for label, show in rows]


def incast_table(report, traffic):
    return table([report[f"{traffic}_incast"][arm] for arm in verdict.ARMS],
                 list(verdict.rows(traffic)) + [("where dropped", verdict.drops)])


def tiles(report):
    """(kind, name, numbers): losses of RDMA in each arm."""
    for arm in verdict.ARMS:
        a = report["roce_incast"][arm]
        yield arm, plots.NAME[arm], {
            "dropped": w.number(a["dropped_pkts"]),
            "surplus": w.number(a["sent_pkts"] - a["needed_pkts"]),
            "goodput": f"{a['goodput_mbit']:.0f}"}


def incast_act(report, frames):
    """The first act: RDMA, the pauses on the wire, and TCP."""
    params = report["params"]
    size = params["message_bytes"]
    on_wire = [(float(f["frame.time_relative"]), int(f["eth.src"][-2:], 16),
                int(f["macc.cbfc.pause_time.c3"], 0)) for f in frames
               if f["macc.cbfc.pause_time.c3"]]
    roce, tcp = ([plots.Arm("raw", traffic, arm) for arm in verdict.ARMS]
                 for traffic in ("roce", "tcp"))
    buffer_kb = plots.kilobytes(params["buffer"])
    queue = ("queue of p3 (KB)", plots.Arm.queue_kb, 1.3 * buffer_kb, buffer_kb,
             "all of the memory")
    goodput = ("goodput (Mbit/s)", lambda a: a.goodput_mbit(size), 130,
               report["link_mbit"], "the link")
    return {
        "words": verdict.words(report), "tiles": list(tiles(report)),
        "received": plots.received(roce, report),
        "queues": plots.panels(roce, [goodput, queue], "queues", 880),
        "pauses": plots.pauses(roce[2], on_wire),
        "tcp_queues": plots.panels(tcp, [queue], "tcp", 520),
        "roce": incast_table(report, "roce"), "tcp": incast_table(report, "tcp"),
        "frames": decoded(frames)}


def storm_act(report):
    """The second act: a NIC dies."""
    found = report["storm"]
    runs = [storm.Run("storm", arm) for arm in storm.ARMS]
    return {
        "params": found["params"], "words": storm_verdict.words(report),
        "tree": storm_tree.picture(found["without"]["spread_ms"]),
        "picture": storm_plot.picture(
            runs, w.together(found["without"], "before_mbit")),
        "heads": storm_verdict.HEADS,
        "table": table(storm_verdict.arms(report), storm_verdict.rows()),
        "log": [f"{line['time'][11:23]} {line['message']}"
                for line in storm.log(runs[1]) if "event" in line]}


def deadlock_act(report):
    """The third act: switches wait for each other."""
    runs = [deadlock.Run("deadlock", arm) for arm in deadlock.ARMS]
    freed = runs[1]
    return {
        "params": report["deadlock"]["params"], "words": deadlock_verdict.words(report),
        "picture": deadlock_plot.picture(
            runs, w.together(report["deadlock"]["off"], "before_mbit")),
        "loop": deadlock_plot.loop(freed) if freed.history else "",
        "show": files.lines(freed.dir, "show") if freed.history else [],
        "heads": deadlock_verdict.HEADS,
        "table": table(deadlock_verdict.arms(report), deadlock_verdict.rows())}


def decoded(frames):
    """A pause and the next frames, as tshark decodes them."""
    text = " time (s)   from (port)         class enable  quanta of class 3\n"
    for f in frames[:8]:
        quanta = int(f["macc.cbfc.pause_time.c3"], 0)
        what = f"pause, {quanta} quanta" if quanta else "resume"
        text += f"{float(f['frame.time_relative']):9.6f}   {f['eth.src']}" \
            f"   {f['macc.cbfc.enbv']:>12}  {quanta:>5}  {what}\n"
    return text


def main():
    os.chdir(sys.argv[1])
    os.makedirs("plots", exist_ok=True)
    report = files.load("report.json")
    pages.write(pathlib.Path("report.html"), "demo.html", folder=drawing.HERE,
                title="Two senders, one receiver, one Linux bridge",
                report=report, params=report["params"], size=w.size,
                failures=[line for act in ACTS for line in act.failures(report)],
                heads=[(arm, plots.NAME[arm]) for arm in verdict.ARMS],
                incast=incast_act(report, collect.frames("pfc.tsv")),
                storm=storm_act(report), deadlock=deadlock_act(report))


if __name__ == "__main__":
    main()
