# SPDX-License-Identifier: GPL-2.0
"""Draws the deadlock: throughput of the other hosts over time, and the loop."""
import drawing
import plots
import storm_plot

COLOUR = {"off": plots.COLOUR["lossy"], "lossless": plots.COLOUR["lossless"]}
BEFORE_S = 1
BIN_S = 0.05
# events at host 5
MARKS = {"stopped": "host 5 stands still", "slow": "takes little",
         "well": "is well again"}


def mark(at, words, height, colour, dash):
    """Draw a vertical line with WORDS beside its upper end."""
    return f"set arrow from {at:.3f},0 to {at:.3f},{height:.3f} nohead " \
        f"lc rgb '{colour}' dt {dash}\nset label '{words}' at {at:.3f}," \
        f"{height:.3f} left offset 0.5,-0.2 tc rgb '{colour}'\n"


def picture(runs, before):
    """Both runs; BEFORE is the throughput of the others before, in Mbit/s."""
    off, freed = runs
    over = off.marks["over"]
    script = f"""
set tmargin 1
set xrange [{-BEFORE_S}:{over:.3f}]
set yrange [0:{1.75 * before:.3f}]
set xlabel 'time since host 5 stands still (s)'
set ylabel 'received by hosts 1 to 4 (Mbit/s)'
set object 1 rectangle from 0,0 to {off.marks["well"]:.3f},graph 1 behind \
 fc rgb '#f0f0f0' fs solid noborder
"""
    for (what, words), row in zip(MARKS.items(), (0, 1, 0)):
        script += mark(off.marks[what], words, (1.68 - 0.14 * row) * before,
                       "#222222", 3)
    for at in freed.found():
        script += mark(at, "deadlock found, freed", 1.68 * before,
                       COLOUR["lossless"], 2)
    middle = (off.marks["slow"] + over) / 2
    for name, height in (("off", 0.07), ("lossless", 1.27)):
        script += f"set label 'deadlock {name}' at {middle:.3f},{height * before:.3f} " \
            f"center tc rgb '{COLOUR[name]}'\n"
    for run in runs:
        script += plots.block(run.arm, storm_plot.throughput(run, -BEFORE_S, over,
                                                             BIN_S))
    return drawing.plot("deadlock", 680, script + "plot " + ", ".join(
        f"${run.arm} with lines lw 2 lc rgb '{COLOUR[run.arm]}'" for run in runs))


def loop(run):
    """The graph that losslessctl printed, as HTML."""
    with open(f"{run.dir}/graph", encoding="utf-8") as graph:
        return drawing.graph("loop", graph.read())
