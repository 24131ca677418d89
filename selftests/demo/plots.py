# SPDX-License-Identifier: GPL-2.0
"""Draws the demo's samples with gnuplot, as HTML."""
import collect
import drawing
import files

COLOUR = {"stock": "#6b6b6b", "lossy": "#b34a00", "lossless": "#0072b2"}
NAME = {"stock": "stock bridge", "lossy": "ours, PFC off",
        "lossless": "ours, PFC on"}
BIN_S = 0.25
PAUSE_BIN_S = 0.1  # as the plot says
ZOOM_S = 0.2


def kilobytes(size):
    """A size in the format of tc, in KB."""
    return int(size[:-1]) * {"k": 1, "m": 1024}[size[-1]]


def block(name, rows):
    """A named data block for gnuplot."""
    lines = [" ".join(f"{v:.6g}" for v in row) for row in rows]
    return f"${name} << EOD\n" + "\n".join(lines) + "\nEOD\n"


def binned(times, counts, start, end, width):
    """Growth of a counter per second, for each bin."""
    rows, at, i = [], start, 0
    while at < end:
        j = i
        while j + 1 < len(times) and times[j] < at + width:
            j += 1
        if j > i:
            rows.append((at - start + width / 2, (counts[j] - counts[i]) /
                         (times[j] - times[i])))
        i, at = j, at + width
    return rows


class Arm:
    """Samples of one arm; time 0 is the first frame out of p3."""

    def __init__(self, raw, traffic, kind):
        self.kind = kind
        self.table = files.samples(f"{raw}/{traffic}_incast.{kind}")
        self.first, self.last = collect.span(self.table, traffic)
        self.start = self.table["s"][self.first]
        self.seconds = self.table["s"][self.last] - self.start

    def series(self, column, scale, margin=1):
        """(second, value) from the first frame to the last."""
        index = range(max(0, self.first - margin),
                      min(self.last + margin + 1, len(self.table["s"])))
        return [(self.table["s"][i] - self.start,
                 self.table[column][i] * scale) for i in index]

    def queue_kb(self):
        column = "backlog" if "backlog" in self.table else \
            next(c for c in self.table if c.endswith("/backlog"))
        return self.series(column, 1 / 1024)

    def received_mb(self, message_bytes):
        base = self.table["rdma_recvs"][self.first]
        return [(s, n - base * message_bytes / 1e6) for s, n in
                self.series("rdma_recvs", message_bytes / 1e6, 0)]

    def goodput_mbit(self, message_bytes):
        rate = binned(self.table["s"], self.table["rdma_recvs"], self.start,
                      self.start + self.seconds, BIN_S)
        return [(s, n * message_bytes * 8e-6) for s, n in rate]

    def paused_percent(self, host):
        column = next(c for c in self.table if c.startswith(f"r{host}/") and
                      c.endswith("/rx_pause_duration"))
        rate = binned(self.table["s"], self.table[column], self.start,
                      self.start + self.seconds, PAUSE_BIN_S)
        # from microseconds per second to percent
        return [(s, min(100, n / 1e4)) for s, n in rate]


def received(arms, report):
    """Bytes that host 3 received over time, one line for each arm."""
    size = report["params"]["message_bytes"]
    script = "set tmargin 1\nset xlabel 'time since the first frame (s)'\n" \
        "set ylabel 'messages received (MB)'\nset yrange [0:72]\n" \
        "set ytics 0,10,50\n" \
        f"set xrange [0:{max(a.seconds for a in arms) * 1.08:.3f}]\n"
    plots = []
    for rank, arm in enumerate(sorted(arms, key=lambda a: a.seconds)):
        script += block(arm.kind, arm.received_mb(size))
        colour = COLOUR[arm.kind]
        script += f"set label '{NAME[arm.kind]}: {arm.seconds:.1f} s' at " \
            f"{arm.seconds:.3f},{57 + 5 * (rank % 3)} right tc rgb '{colour}'\n"
        script += f"set arrow from {arm.seconds:.3f},0 to " \
            f"{arm.seconds:.3f},{55 + 5 * (rank % 3)} nohead lc rgb '{colour}' dt 3\n"
        plots.append(f"${arm.kind} with lines lw 2 lc rgb '{colour}'")
    return drawing.plot("received", 620, script + "plot " + ", ".join(plots))


def margins(top, bottom):
    """Margins of a row of panels: titles on top, time axis at the bottom."""
    return f"set tmargin {3 if top else 1}\nset bmargin {4 if bottom else 2}\n"


def panels(arms, rows, name, height):
    """Panels: a column for each arm, a row (label, series, y range, line)."""
    right = max(a.seconds for a in arms) * 1.03
    step = next(s for s in (1, 2, 5, 10, 20, 50) if right / s < 5 or s == 50)
    script = f"set multiplot layout {len(rows)},3\nset lmargin 9\nset rmargin 1\n" \
        f"set xrange [0:{right:.3f}]\nset xtics {step}\n"
    for r, (label, series, top, line, said) in enumerate(rows):
        script += margins(r == 0, r == len(rows) - 1) + f"set yrange [0:{top}]\n"
        for c, arm in enumerate(arms):
            colour = COLOUR[arm.kind]
            script += f"set title '{NAME[arm.kind]}' tc rgb '{colour}'\n" \
                if r == 0 else "unset title\n"
            script += f"set ylabel '{label if c == 0 else ''}' offset 0.5,0\n"
            script += "set xlabel '%s'\n" % (
                "time (s)" if r == len(rows) - 1 else "")
            script += "unset label\nunset arrow\n" \
                f"set arrow from 0,{line} to {right:.3f},{line} nohead " \
                "lc rgb '#444444' dt 2\n"
            script += f"set label '{said}' at {right:.3f},{line} right " \
                "offset 0,0.6 tc rgb '#444444'\n"
            script += block("rows", series(arm)) + \
                f"plot $rows with filledcurves y1=0 fc rgb '{colour}' " \
                f"fs transparent solid 0.15, $rows with lines lw 1.5 " \
                f"lc rgb '{colour}'\n"
    return drawing.plot(name, height, script)


def intervals(frames, host, start, end):
    """[begin, end) of the pauses of a host, in milliseconds from start."""
    on, found = None, []
    for second, port, quanta in frames:
        if port != host:
            continue
        if quanta and on is None:
            on = second
        elif not quanta and on is not None:
            found.append((on, second))
            on = None
    return [((max(begin, start) - start) * 1e3, (min(stop, end) - start) * 1e3)
            for begin, stop in found if stop > start and begin < end]


def pauses(arm, frames):
    """Lossless arm: share of time that hosts were paused, and a close-up."""
    paint = f"fc rgb '{COLOUR['lossless']}' fs transparent solid 0.3"
    line = f"with lines lw 1.5 lc rgb '{COLOUR['lossless']}'"
    start = frames[len(frames) // 2][0]
    script = "set multiplot layout 2,2\nunset grid\nset lmargin 14\nset rmargin 3\n"
    for host in (1, 2):
        top, bottom = host == 1, host == 2
        script += margins(top, bottom) + block("share", arm.paused_percent(host))
        state = [(0, 0)]
        for begin, end in intervals(frames, host, start, start + ZOOM_S):
            state += [(begin, 0), (begin, 1), (end, 1), (end, 0)]
        script += block("state", state + [(ZOOM_S * 1e3, 0)])
        script += f"""
set title '{"share of each 100 ms" if top else ""}' tc rgb '#444444'
set ylabel 'host {host} paused' offset -1,0
set xlabel '{"time (s)" if bottom else ""}'
set xrange [0:{arm.seconds:.3f}]
set yrange [0:100]
set ytics 0,50,100 format '%g %%'
plot $share with filledcurves y1=0 {paint}, $share {line}
set title '{"close-up, by the captured frames" if top else ""}' tc rgb '#444444'
set ylabel ''
set xlabel '{"time (ms)" if bottom else ""}'
set xrange [0:{ZOOM_S * 1e3:g}]
set yrange [-0.05:1.05]
set ytics ('may send' 0, 'paused' 1)
plot $state with filledcurves y1=0 {paint}, $state {line}
set ytics auto
"""
    return drawing.plot("pauses", 760, script)
