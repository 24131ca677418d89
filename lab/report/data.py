#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints the data of a plot of a lab run, for gnuplot: data.py PLOT

PLOT is fct, throughput, ports or queue; reads the files of the run in the
current folder. Prints the caption as a comment; $data, blocks of rows; and
variables that describe these. Prints nothing if there is nothing to draw.
"""
import csv
import json
import os
import sys

POINTS = 150     # of throughput over time
SPANS = 800      # of a queue over time
LINES = 8        # of more flows, quantiles are drawn
BARS = 10
EACH_MAX = 5000  # of more flows, quantiles would take too long
SIZES = ((10e3, "up to 10 KB"), (1e6, "up to 1 MB"), (float("inf"), "over 1 MB"))

TIME = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))
BYTES = ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1, "bytes"))
RATE = ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1, "bit/s"))
NONE = ((1, ""),)


def read(name):
    """Rows of a CSV file with a header; none if the file is missing."""
    if not os.path.exists(name):
        return []
    with open(name, encoding="ascii") as file:
        return list(csv.DictReader(file))


def scale(values, units):
    """Size and name of the largest unit in which a value is above 1."""
    most = max(values)
    return next((size, name) for size, name in units if most > size or size == 1)


def said(ns):
    """A time with three digits, and its unit."""
    size, unit = next((size, unit) for size, unit in TIME if ns >= size)
    return f"{float(f'{ns / size:.3g}'):g} {unit}"


def cell(value, size):
    if isinstance(value, str):
        return f'"{value}"'
    return "NaN" if value is None else f"{value / size:.6g}"


def show(caption, blocks, x_units, y_units):
    """Prints blocks, pairs of a title and rows (x, y, ...); y: a name, or None for a
    gap."""
    if not blocks:
        return
    xs = [x for _, rows in blocks for x, *_ in rows]
    x_size, x_unit = scale(xs, x_units)
    ys = [y for _, rows in blocks for _, *ys in rows for y in ys
          if isinstance(y, (int, float))]
    y_size, y_unit = scale(ys, y_units)
    print(f"# {caption}\n$data << EOD")
    for _, rows in blocks:
        for x, *more in rows:
            print("\t".join([cell(x, x_size)] + [cell(y, y_size) for y in more]))
        print("\n")
    print("EOD")
    print(f"blocks = {len(blocks)}; columns = {len(blocks[-1][1][0])}")
    titles = ", ".join(f'"{title}"' for title, _ in blocks)
    print(f"array titles[{len(blocks)}] = [{titles}]")
    for axis, unit, size, values in (("x", x_unit, x_size, xs), ("y", y_unit, y_size, ys)):
        print(f"{axis}_unit = '{unit}'; {axis}_min = {min(values) / size}; "
              f"{axis}_max = {max(values) / size}")


def fct():
    """Share of flows that had ended after a time; by size, if sizes differ."""
    flows = [(int(f["size"]), int(f["last_ns"]), int(f["start_ns"]))
             for f in read("flows.csv")]
    classes, low, blocks = SIZES, 0, []
    if len({size for size, _, _ in flows}) == 1:
        classes = ((float("inf"), "flows"),)
    for limit, title in classes:
        some = [f for f in flows if low < f[0] <= limit]
        times = sorted(end - start for _, end, start in some if end >= 0)
        low = limit
        if not times:
            continue
        if len(times) < len(some):
            title += f", {len(some) - len(times)} unfinished"
        blocks.append((f"{len(some)} {title}", [(times[0], 0)] + [
            (t, (i + 1) / len(some)) for i, t in enumerate(times)]))
    show("Share of the flows that were complete after a time.", blocks, TIME, NONE)


class Bins:
    """Bits per second of flows, in at most POINTS points: a little longer than bytes
    arrive, or twice as long if flows wait for more. quiet_ns: last byte before a
    pause."""

    def __init__(self):
        self.flows = []
        self.complete = [int(f["last_ns"]) >= 0 for f in read("flows.csv")]
        self.edges_ns = []
        self.quiet_ns = None
        if not os.path.exists("bins.csv"):
            return
        with open("bins.csv", encoding="ascii") as file:
            starts = next(file).split(",")[1:]
            if len(starts) < 2:
                return
            bins = [[int(x) for x in line.split(",")[1:]] for line in file]
        last = max((i + 1 for b in bins for i, x in enumerate(b) if x), default=0)
        used = min(last + last // 25 + 1 if all(self.complete) else 2 * last, len(starts))
        if used < len(starts):
            self.quiet_ns = int(starts[1]) * last
        step = -(-used // POINTS) or 1
        spans = [(i, min(i + step, used)) for i in range(0, used, step)]
        self.edges_ns = [(int(starts[1]) * i, int(starts[1]) * j) for i, j in spans]
        self.flows = [[sum(b[i:j]) * 8e9 / (int(starts[1]) * (j - i)) for i, j in spans]
                      for b in bins]

    def steps(self, values_at):
        """Two points for each bin, at its start and at its end."""
        return [(edge, *values) for edges, values in zip(self.edges_ns, values_at)
                for edge in edges]


def active(rates, complete):
    """Rates of a flow from its first byte to its last; None outside."""
    on = [i for i, x in enumerate(rates) if x] or [0]
    last = on[-1] if complete else len(rates)
    return [x if on[0] <= i <= last else None for i, x in enumerate(rates)]


def quantiles(values):
    values = sorted(v for v in values if v is not None) or [0.0]
    last = len(values) - 1
    return [values[round(q * last)] for q in (0, .25, .5, .75, 1)]


def host_names():
    with open("testbed.json", encoding="utf-8") as file:
        return {h["address"]: h["name"] for h in json.load(file)["hosts"]}


def throughput():
    """All flows together; then a block for each flow, or one of quantiles."""
    bins = Bins()
    flows = bins.flows
    if not any(map(any, flows)):
        return
    blocks = [("all flows", bins.steps([sum(at)] for at in zip(*flows)))]
    flows = list(map(active, flows, bins.complete))
    if len(flows) <= LINES:
        names = host_names()
        blocks += [(f'{names[flow["src"]]} to {names[flow["dst"]]}',
                    bins.steps([x] for x in rates))
                   for flow, rates in zip(read("flows.csv"), flows)]
    elif len(flows) <= EACH_MAX:
        blocks.append(("each flow", bins.steps(map(quantiles, zip(*flows)))))
    caption = "Payload that arrived in order."
    if bins.quiet_ns:
        caption += f" Nothing arrives after {said(bins.quiet_ns)}."
    show(caption, blocks, TIME, RATE)


def port_name(qdisc):
    own = qdisc["node"] if qdisc["role"] == "host" else qdisc["dev"]
    return f'{own} to {qdisc["peer"]}'


def ports():
    """The ports with most pauses, drops and marks, a block for each kind."""
    counts = {
        "pauses sent": lambda prio: prio["tx_pause"],
        "packets dropped": lambda prio: sum(prio["drops"].values()),
        "packets marked": lambda prio: prio["ecn_marked"],
    }
    with open("stats.json", encoding="utf-8") as file:
        qdiscs = json.load(file)["qdiscs"]
    blocks = []
    for title, count in counts.items():
        found = [(sum(map(count, q["prios"])), port_name(q)) for q in qdiscs]
        found = sorted((f for f in found if f[0]), key=lambda f: -f[0])
        if not found:
            continue
        total = sum(n for n, _ in found)
        blocks.append((f"{total} {title}\\nby {len(found)} port{'s' * (len(found) > 1)}",
                       [(i, n / found[0][0], str(n), name)
                        for i, (n, name) in enumerate(found[:BARS])]))
    show("The ports that sent most pauses, and dropped and marked most packets.", blocks,
         NONE, NONE)


def thinned(points):
    """Minimum and maximum of each of SPANS spans of time."""
    if len(points) <= 2 * SPANS:
        return points
    start, span_ns = points[0][0], (points[-1][0] - points[0][0]) / SPANS
    spans = {}
    for point in points:
        spans.setdefault(int((point[0] - start) / span_ns), []).append(point)
    return sorted({end(span, key=lambda point: point[1])
                   for span in spans.values() for end in (min, max)})


def empty_ns(points):
    """Time after which all counts are 0, if it is long and earlier ones are not."""
    points = list(points)
    last = max((t for t, n in points if n), default=0)
    after = [t for t, _ in points if t > last]
    return min(after) if last and after and max(after) > 1.04 * min(after) else None


def queue():
    """The longest queues, until a little after all of them are empty."""
    queues = {}
    for row in read("queue.csv"):
        queues.setdefault((row["port"], row["prio"]), []).append(
            (int(row["time_ns"]), int(row["bytes"])))
    most = {q: max(n for _, n in points) for q, points in queues.items()}
    longest = sorted(filter(most.get, queues), key=lambda q: -most[q])
    shown = {f"{port}, priority {prio}": queues[port, prio]
             for port, prio in longest[:LINES]}
    caption = "Bytes in the queues that became longest."
    empty = empty_ns(point for points in shown.values() for point in points)
    if empty:
        caption += f" Nothing waits after {said(empty)}."
        shown = {name: [point for point in points if point[0] <= 1.04 * empty]
                 for name, points in shown.items()}
    show(caption, [(name, thinned(points)) for name, points in shown.items()], TIME, BYTES)


if __name__ == "__main__":
    {f.__name__: f for f in (fct, throughput, ports, queue)}[sys.argv[1]]()
