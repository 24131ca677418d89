# SPDX-License-Identifier: GPL-2.0
"""Draws the storm over time: throughput of the victims, and pauses."""
import bisect

import drawing
import plots
import storm

COLOUR = {"without": plots.COLOUR["lossy"], "with": plots.COLOUR["lossless"]}
NAME = {"without": "without watchdog", "with": "with losslessd"}
BEFORE_S = 1
BIN_S = 0.05
# the close-up
ZOOM_S = (-0.1, 0.3)
ZOOM_BIN_S = 0.02
OUT_OF_SIGHT = [-99] * 6  # gnuplot requires data


def throughput(run, begin, end, width):
    """(second, Mbit/s) of the victims together."""
    first = bisect.bisect_left(run.seconds, begin)
    sent = [sum(n) for n in zip(*run.sent.values())]
    rate = plots.binned(run.seconds[first:], sent[first:], begin, end, width)
    return [(s + begin, n * 8e-6) for s, n in rate]


def bars(run, shift):
    """Boxes for the pauses, a row for each link."""
    return [(begin, i + shift, begin, end, i + shift - 0.15, i + shift + 0.15)
            for i, (_, port, direction) in enumerate(storm.SPREAD)
            for begin, end in run.pauses(port, direction)] or [OUT_OF_SIGHT]


def marks(watched):
    """(second, words, row, colour) of the events."""
    yield 0, "pipeline dies", 0, "#222222"
    yield watched.repaired, "repaired", 0, "#222222"
    for status, words in (("stormed", "storm detected"),
                          ("operational", "lossless again")):
        for event in watched.storm(status):
            yield watched.relative(event["time_ns"]), words, 1, COLOUR["with"]


class Column:
    """Two panels, one above the other, for a part of the time."""

    def __init__(self, left, right, begin, end, bin_s, title):
        self.sides = f"set lmargin at screen {left}\n" \
            f"set rmargin at screen {right}\n"
        self.begin, self.end = begin, end
        self.bin_s = bin_s
        self.title = title

    def panel(self, bottom, top):
        return f"""{self.sides}
set bmargin at screen {bottom}
set tmargin at screen {top}
set xrange [{self.begin}:{self.end:.3f}]
unset label
unset arrow
unset title
"""

    def lines(self, watched, bottom, tops):
        """Lines at the events, and grey while the pipeline is dead."""
        dead = min(watched.repaired, self.end)
        script = "set object 1 rectangle from 0,graph 0 to " \
            f"{dead:.3f},graph 1 behind fc rgb '#f0f0f0' fs solid noborder\n"
        for at, _, row, colour in marks(watched):
            if self.begin <= at <= self.end:
                script += f"set arrow from {at:.4f},{bottom} to " \
                    f"{at:.4f},{tops[row]:.3f} nohead lc rgb '{colour}' " \
                    f"dt {3 - row}\n"
        return script


def rates(column, runs, before, whole):
    """The upper panel; words are in the column of the whole run."""
    watched = runs[1]
    heights = (1.78 * before, 1.61 * before)
    script = column.panel(0.4, 0.94) + column.lines(watched, 0, heights) + f"""
set title '{column.title}' tc rgb '#444444' offset 0,-0.7
set yrange [0:{1.9 * before:.3f}]
set ylabel '{"received (Mbit/s)" if whole else ""}'
set ytics auto format '{"%g" if whole else ""}'
set xtics auto format ''
set xlabel ''
set grid y
"""
    words = [(at, heights[row], text, colour, "left offset 0.5,0")
             for at, text, row, colour in marks(watched)]
    words += [(watched.repaired / 2, height * before, NAME[arm], COLOUR[arm],
               "center") for arm, height in (("without", 0.1), ("with", 1.15))]
    for x, y, text, colour, how in words if whole else ():
        script += f"set label '{text}' at {x:.3f},{y:.3f} {how} " \
            f"tc rgb '{colour}'\n"
    for run in runs:
        script += plots.block(run.arm, throughput(run, column.begin, column.end,
                                                  column.bin_s))
    return script + "plot " + ", ".join(
        f"${run.arm} with lines lw 2 lc rgb '{COLOUR[run.arm]}'"
        for run in runs) + "\n"


def pauses(column, runs, whole):
    """The lower panel: a row for each link, a bar for each run."""
    top, bottom = -0.6, len(storm.SPREAD) - 0.4
    names = ", ".join(f"'{what if whole else ''}' {i}"
                      for i, (what, _, _) in enumerate(storm.SPREAD))
    script = column.panel(0.15, 0.36) + \
        column.lines(runs[1], bottom, (top, top)) + f"""
set yrange [{bottom}:{top}]
set ylabel ''
set ytics ({names}) format '%g'
set xtics {1 if whole else 0.1} format '%g'
set xlabel 'time{" since the pipeline died" if whole else ""} (s)'
unset grid
"""
    for run, shift in zip(runs, (-0.18, 0.18)):
        script += plots.block(run.arm, bars(run, shift))
    return script + "plot " + ", ".join(
        f"${run.arm} with boxxyerror fs solid noborder fc rgb '{COLOUR[run.arm]}'"
        for run in runs) + "\n"


def picture(runs, before):
    """Both runs; BEFORE: throughput of the victims before, in Mbit/s."""
    whole = Column(0.27, 0.70, -BEFORE_S, runs[0].over, BIN_S, "")
    close = Column(0.73, 0.985, *ZOOM_S, ZOOM_BIN_S, "close-up")
    script = "set multiplot\n"
    for column in (whole, close):
        script += rates(column, runs, before, column is whole) + \
            pauses(column, runs, column is whole)
    return drawing.plot("storm", 1000, script)
