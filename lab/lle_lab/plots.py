# SPDX-License-Identifier: GPL-2.0
"""Plots of results, drawn by matplotlib, each in three files:

plots/NAME.svg, NAME.png    for pages and slides: 9 inches wide, text of 11 points
plots/NAME.pdf              for a column of a paper: 3.35 inches (241 points), text of 8 points

`lle-lab plot FOLDER [NAME...] --width INCHES --font POINTS --format FORMAT` draws others. A plot is
a method of a scenario:

    @picture("What the victim and the four sources get.")
    def shares(self, ax, results):
        ax.bar(results.arms, results.of_arms("victim_gbps"))
        ax.set(xlabel="arm", ylabel="received (Gbit/s)")

Labels of what it draws make a legend. A plot has no title: pages and papers have captions. The same
results give the same bytes.
"""
import contextlib
import os
import pathlib
import re
import subprocess
import typing

from . import scenario as scenarios
from .errors import Refused
from .lazy import numpy as np

# colours that the colour-blind can distinguish (after Okabe and Ito); style.css of the pages
# replaces these and the greys on a dark screen
COLOURS = ("#0072b2", "#b34a00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5c3a", "#444444")
LIGHT, LIGHTER = "#9cc3e0", "#d6e6f2"
INK, MUTED, AXIS, GRID = "#222222", "#444444", "#999999", "#e6e6e6"
FORMATS = "svg", "png", "pdf"
FONTS = "DejaVu Sans", "Verdana"
# without dates and versions
METADATA = {"pdf": {"CreationDate": None, "Creator": None, "Producer": None},
            "svg": dict.fromkeys(("Creator", "Date", "Format", "Type")), "png": {"Software": None}}

TIME = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))
BYTES = ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1, "bytes"))
RATE = ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1, "bit/s"))
SIZES = ((10e3, "up to 10 KB"), (1e6, "up to 1 MB"), (float("inf"), "over 1 MB"))

POINTS = 150    # of throughput over time
STEPS = 1000    # of a distribution
SPANS = 800     # of a queue over time
LINES = 8       # of more flows, quantiles are drawn
BARS = 10
TOP = pathlib.Path(__file__).resolve().parents[2]


class Size(typing.NamedTuple):
    """Of a plot: inches, and points of its text."""
    width: float
    font: float


PAGE, COLUMN = Size(9, 11), Size(3.35, 8)


class Look(typing.NamedTuple):
    """Of a plot: its caption; panels, and how many of them are side by side if the plot is wide;
    height of a panel's axes over its width."""
    caption: str
    panels: int = 1
    beside: int = 1
    ratio: float = 0.36

    def grid(self, size):
        """Rows and columns of panels."""
        columns = self.beside if size.width >= 6 else 1
        return -(-self.panels // columns), columns

    def high(self, size):
        """The height in inches."""
        rows, columns = self.grid(size)
        # axes of a narrow plot are higher, to be read
        ratio = self.ratio if size.width >= 6 else min(1.3 * self.ratio, 0.5)
        return rows * (ratio * size.width / columns + text_inches(5, size.font))


def picture(caption, **look):
    """Marks a method (self, ax, results) as a plot. With PANELS it gets an array of Axes. It
    returns False if there is nothing to draw, or a sentence for the end of the caption, or
    nothing."""
    def mark(method):
        method.look = Look(caption, **look)
        return method
    return mark


def graph(caption):
    """Marks a method (self, results) that returns a graph for dot(1), or nothing."""
    def mark(method):
        method.graph = caption
        return method
    return mark


def text_inches(lines, font):
    """The height of lines of text."""
    return lines * 1.3 * font / 72


@contextlib.contextmanager
def styled(font):
    """The style of all plots, whatever the user's matplotlibrc says."""
    import matplotlib
    from cycler import cycler
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({
            "font.size": font, "font.family": "sans-serif", "font.sans-serif": FONTS,
            "axes.prop_cycle": cycler(color=COLOURS), "axes.spines.top": False,
            "axes.spines.right": False, "axes.edgecolor": AXIS, "axes.labelcolor": MUTED,
            "xtick.color": AXIS, "ytick.color": AXIS, "xtick.labelcolor": MUTED,
            "ytick.labelcolor": MUTED, "axes.labelsize": font, "axes.titlesize": font,
            "xtick.labelsize": font, "ytick.labelsize": font, "legend.fontsize": font,
            "text.color": INK, "text.parse_math": False, "axes.formatter.useoffset": False,
            "axes.grid": True, "axes.grid.axis": "y", "grid.color": GRID, "axes.axisbelow": True,
            "lines.linewidth": font / 6.5, "axes.linewidth": font / 14, "grid.linewidth": font / 16,
            "lines.markersize": font / 2, "legend.frameon": False,
            "svg.fonttype": "none", "svg.hashsalt": "lle", "pdf.fonttype": 42, "savefig.dpi": 170})
        yield


def legend(where, figure, font, labelled, room, **place):
    """Adds a legend to Axes or a figure, in as few rows as ROOM points allow; returns the inches
    of the rows."""
    handles, labels = labelled
    for rows in range(1, len(labels) + 1):
        made = where.legend(handles, labels, ncols=-(-len(labels) // rows), handlelength=1.2,
                            handletextpad=0.5, columnspacing=1.2, borderpad=0.2, labelspacing=0.3,
                            borderaxespad=0.2, **place)
        if made.get_window_extent(figure.canvas.get_renderer()).width <= room * figure.dpi / 72:
            break
        if rows < len(labels):
            made.remove()
    return text_inches(rows, font)


def add_legends(figure, columns):
    """Legends above panels that have none, or one above all, if they have the same labels."""
    labelled = [(ax, ax.get_legend_handles_labels()) for ax in figure.axes if not ax.get_legend()]
    labelled = [(ax, found) for ax, found in labelled if found[1]]
    if not labelled:
        return
    font, width = labelled[0][0].xaxis.label.get_size(), figure.get_figwidth() * 72
    if len(labelled) == len(figure.axes) > 1 and len({tuple(found[1]) for _, found in labelled}) == 1:
        high = legend(figure, figure, font, labelled[0][1], width - font, loc="upper left")
        figure.set_figheight(figure.get_figheight() + high)
        figure.get_layout_engine().set(rect=(0, 0, 1, 1 - high / figure.get_figheight()))
        return
    for ax, found in labelled:
        high = legend(ax, figure, font, found, width / columns - 5 * font, loc="lower left",
                      bbox_to_anchor=(0, 1))
        # Look.high() has one row
        figure.set_figheight(figure.get_figheight() + high - text_inches(1, font))


def spread_marks(ax):
    """Moves words of mark() down until they do not overlap."""
    from matplotlib.transforms import Bbox
    renderer, placed = ax.figure.canvas.get_renderer(), []
    ax.get_xlim()   # limits follow data when they are read
    for text in ax.texts:
        if text.get_gid() == "mark":
            while any(Bbox.intersection(text.get_window_extent(renderer), box) for box in placed):
                text.xyann = text.xyann[0], text.xyann[1] - 1.2
            placed.append(text.get_window_extent(renderer))


def plain_ticks(ax):
    """Numbers at logarithmic axes, without powers."""
    from matplotlib import ticker
    for axis in ax.xaxis, ax.yaxis:
        if isinstance(axis.get_major_formatter(), ticker.LogFormatterSciNotation):
            axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
            axis.set_minor_formatter(ticker.NullFormatter())


def figure_of(method, results, size):
    """A figure, and its caption; None if there is nothing to draw. In a context of styled()."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    look = method.look
    figure = Figure(figsize=(size.width, look.high(size)), layout="constrained")
    FigureCanvasAgg(figure)
    rows, columns = look.grid(size)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax in axes[look.panels:]:
        ax.remove()
    more = method(axes[:look.panels] if look.panels > 1 else axes[0], results)
    if more is False:
        return None
    add_legends(figure, columns)
    for ax in figure.axes:
        plain_ticks(ax)
        spread_marks(ax)
    return figure, f"{look.caption} {more}" if isinstance(more, str) else look.caption


def draw(method, results, paths, size):
    """Draws a plot to files; returns its caption, or None if there is nothing to draw."""
    with styled(size.font):
        found = figure_of(method, results, size)
        if not found:
            return None
        figure, caption = found
        for path in paths:
            figure.savefig(path, metadata=METADATA[path.suffix[1:]],
                           transparent=path.suffix != ".png")
    return caption


def draw_graph(method, results, paths):
    """Draws a graph to files; returns its caption, or None if there is none."""
    dot = method(results)
    if not dot:
        return None
    for path in paths:
        done = subprocess.run(["dot", f"-T{path.suffix[1:]}"], input=dot.encode(), check=True,
                              stdout=subprocess.PIPE)
        # without the date of a PDF; its parts keep their places
        path.write_bytes(re.sub(rb"/CreationDate \([^)]*\)", lambda found: b" " * len(found[0]),
                                done.stdout))
    return method.graph


def pictures(scenario):
    """{name: method} of all plots and graphs of a scenario, its own last. With arms, it has its own
    only."""
    found = {} if scenario.arms else {function.__name__: function for function in STANDARD}
    for cls in reversed(type(scenario).__mro__):
        for name, value in vars(cls).items():
            if hasattr(value, "look") or hasattr(value, "graph"):
                found[name] = getattr(scenario, name)
    return found


def draw_one(method, results, path, size, formats):
    """Draws a plot or a graph to files PATH.FORMAT; returns its caption, or None."""
    paths = [path.with_name(f"{path.name}.{form}") for form in formats]
    if hasattr(method, "graph"):
        return draw_graph(method, results, paths)
    return draw(method, results, paths, size)


def draw_all(scenario, results):
    """Draws all plots of a run anew; returns {name: caption}."""
    folder = results.folder / "plots"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    captions = {}
    for name, method in pictures(scenario).items():
        caption = draw_one(method, results, folder / name, PAGE, ("svg", "png"))
        if caption:
            captions[name] = caption
            draw_one(method, results, folder / name, COLUMN, ("pdf",))
    return captions


def scenario_of(results):
    """The scenario that these results are of."""
    name = results.result.get("file", results.result["scenario"])
    return scenarios.load(name).again(results.keys)


def again(results, names, form, size):
    """Draws the plots with these names, or all, in another format and size; yields their paths."""
    scenario = scenario_of(results)
    found = pictures(scenario)
    for name in names:
        if name not in found:
            raise Refused(f"{scenario.name} has no plot '{name}'; it has: {' '.join(found)}")
    folder = results.folder / "plots"
    folder.mkdir(exist_ok=True)
    for name in names or found:
        if draw_one(found[name], results, folder / name, Size(*size), (form,)):
            yield folder / f"{name}.{form}"


# Parts of plots

def scale(values, units):
    """Size and name of the largest unit in which a value is above 1."""
    most = max(values)
    return next((size, name) for size, name in units if most > size or size == 1)


def said(ns):
    """A time with three digits, and its unit."""
    size, unit = next((size, unit) for size, unit in TIME if ns >= size)
    return f"{float(f'{ns / size:.3g}'):g} {unit}"


def grouped_bars(ax, groups, series, colours=None):
    """Bars of each series, side by side, for each group: {label: [a number, or None, a group]}."""
    wide = 0.8 / len(series)
    for i, (label, values) in enumerate(series.items()):
        at = np.arange(len(groups)) + (i - (len(series) - 1) / 2) * wide
        ax.bar(at, [np.nan if value is None else value for value in values], 0.92 * wide,
               label=label, color=colours[i] if colours else COLOURS[i % len(COLOURS)])
    # letters of a third of their height and width fit side by side
    letters = ax.figure.get_figwidth() * 72 / ax.xaxis.label.get_size() / 0.7
    tilted = sum(len(group) + 2 for group in groups) > letters / ax.get_gridspec().ncols
    ax.set_xticks(range(len(groups)), groups, **({"rotation": 30, "ha": "right",
                                                  "rotation_mode": "anchor"} if tilted else {}))
    ax.tick_params(axis="x", length=0)


def mark(ax, x, words, right=True):
    """A dotted line at x, with words beside it."""
    ax.axvline(x, color=AXIS, linestyle=":")
    ax.annotate(words, (x, 1), (0.4 if right else -0.4, -0.3), ("data", "axes fraction"),
                "offset fontsize", color=MUTED, ha="left" if right else "right", va="top", gid="mark")


def loop_of(run):
    """The graph of the last deadlock of a run, or nothing."""
    if not (run.folder / "deadlocks.json").exists() or not run.deadlocks:
        return None
    program = TOP / "build/lib/lossless/losslessctl-deadlock-graph"
    environment = {**os.environ, "LOSSLESSCTL": str(pathlib.Path(__file__).with_name("answer.sh"))}
    return subprocess.run([program], cwd=run.folder, env=environment, stdout=subprocess.PIPE,
                          text=True, check=True).stdout


# Plots of all scenarios without arms

@picture("Share of the flows that were complete after a time.")
def fct(ax, results):
    """By size, if sizes differ."""
    flows = results.flows
    ended = flows.last_ns >= 0
    if not ended.any():
        return False
    took = (flows.last_ns - flows.start_ns)[ended]
    size, unit = scale(took, TIME)
    classes = SIZES if len(set(flows.size)) > 1 else ((float("inf"), "flows"),)
    low = 0
    for limit, label in classes:
        some = (low < flows.size) & (flows.size <= limit)
        times = np.sort((flows.last_ns - flows.start_ns)[some & ended]) / size
        low = limit
        if not len(times):
            continue
        if len(times) < some.sum():
            label += f", {some.sum() - len(times)} unfinished"
        number = np.unique(np.linspace(1, len(times), min(len(times), STEPS)).astype(int))
        ax.step([times[0], *times[number - 1]], [0, *number / some.sum()], where="post",
                label=f"{some.sum()} {label}")
    ax.set(xlabel=f"completion time ({unit})", ylabel="share of the flows", ylim=(0, 1.02))
    if 0 < 30 * took.min() < took.max():
        ax.set_xscale("log")
    else:
        ax.set_xlim(0, 1.03 * took.max() / size)
    return True


def active(rates, complete):
    """Rates of a flow from its first byte to its last; NaN outside."""
    on = np.flatnonzero(rates)
    rates = rates.astype(float)
    rates[:on[0] if len(on) else 0] = np.nan
    if complete:
        rates[on[-1] + 1 if len(on) else 1:] = np.nan
    return rates


def quantiles(rows, parts):
    """For each column the least value that is not below a part of those that are numbers."""
    rows = np.sort(rows, axis=0)    # NaNs are last
    last = np.maximum((~np.isnan(rows)).sum(axis=0) - 1, 0)
    found = [rows[np.rint(part * last).astype(int), np.arange(rows.shape[1])] for part in parts]
    return np.nan_to_num(found)


@picture("Payload that arrived in order: of all flows together, and of each flow.", panels=2,
         ratio=0.2)
def throughput(axes, results):
    """A little longer than bytes arrive, or twice as long if flows wait for more."""
    bins = results.bins
    if bins.bytes.shape[1] < 2 or not bins.bytes.any():
        return False
    complete = results.flows.last_ns >= 0
    last = np.flatnonzero(bins.bytes.any(axis=0))[-1] + 1
    used = min(last + last // 25 + 1 if complete.all() else 2 * last, bins.bytes.shape[1])
    edges = np.append(np.arange(0, used, -(-used // POINTS)), used)
    rates = np.add.reduceat(bins.bytes[:, :used], edges[:-1], axis=1) * 8e9 / (
        np.diff(edges) * bins.width_ns)
    t_size, t_unit = scale(edges * bins.width_ns, TIME)
    size, unit = scale(rates.sum(axis=0), RATE)
    t = edges * bins.width_ns / t_size
    axes[0].stairs(rates.sum(axis=0) / size, t, fill=True, color=LIGHT)
    axes[0].stairs(rates.sum(axis=0) / size, t, color=COLOURS[0], baseline=None)
    each = np.array([active(row, done) for row, done in zip(rates / size, complete)])
    if len(each) <= LINES:
        names = {host["address"]: host["name"] for host in results.testbed["hosts"]}
        for row, src, dst in zip(each, results.flows.src, results.flows.dst):
            axes[1].stairs(row, t, baseline=None, label=f"{names[src]} to {names[dst]}")
    else:
        least, low, median, high, most = quantiles(each, (0, .25, .5, .75, 1))
        axes[1].stairs(most, t, baseline=least, fill=True, color=LIGHTER, label="all flows")
        axes[1].stairs(high, t, baseline=low, fill=True, color=LIGHT, label="half of them")
        axes[1].stairs(median, t, baseline=None, color=COLOURS[0], label="median")
    for ax, who in zip(axes, ("all flows", "each flow")):
        ax.set(ylabel=f"{who} ({unit})", ylim=(0, None), xlim=(0, t[-1]))
    axes[0].tick_params(labelbottom=False)
    axes[1].set_xlabel(f"time ({t_unit})")
    return f"Nothing arrives after {said(last * bins.width_ns)}." \
        if used < bins.bytes.shape[1] else True


def thinned(times, values):
    """Minimum and maximum of each of SPANS spans of time."""
    if len(times) <= 2 * SPANS:
        return times, values
    span = ((times - times[0]) * SPANS / (times[-1] - times[0])).astype(int)
    order = np.lexsort((values, span))
    first = np.flatnonzero(np.diff(span[order], prepend=-1))
    keep = np.unique(order[np.concatenate((first, np.append(first[1:], len(order)) - 1))])
    return times[keep], values[keep]


def empty_ns(times, values):
    """Time after which all values are 0, if it is long and earlier ones are not."""
    last = times[values > 0].max()
    after = times[times > last]
    return after.min() if last and len(after) and after.max() > 1.04 * after.min() else None


@picture("Bytes in the queues that became longest.")
def queue(ax, results):
    """Until a little after all of them are empty."""
    rows = results.queue
    if not len(rows) or not rows.bytes.any():
        return False
    queues = {}
    for port, prio in set(zip(rows.port, rows.prio)):
        mine = (rows.port == port) & (rows.prio == prio)
        if rows.bytes[mine].any():
            queues[-rows.bytes[mine].max(), port, prio] = mine
    shown = [(port, prio, mine) for (_, port, prio), mine in sorted(queues.items())[:LINES]]
    any_of = np.any([mine for *_, mine in shown], axis=0)
    empty = empty_ns(rows.time_ns[any_of], rows.bytes[any_of])
    end = 1.04 * empty if empty else rows.time_ns[any_of].max()
    t_size, t_unit = scale([end], TIME)
    size, unit = scale(rows.bytes[any_of], BYTES)
    for port, prio, mine in shown:
        mine &= rows.time_ns <= end
        times, values = thinned(rows.time_ns[mine], rows.bytes[mine])
        ax.step(times / t_size, values / size, where="post", label=f"{port}, priority {prio}")
    ax.set(xlabel=f"time ({t_unit})", ylabel=f"queue ({unit})", ylim=(0, None),
           xlim=(rows.time_ns[any_of].min() / t_size, end / t_size))
    return f"Nothing waits after {said(empty)}." if empty else True


COUNTS = {"pauses sent": lambda prio: prio["tx_pause"],
          "packets dropped": lambda prio: sum(prio["drops"].values()),
          "packets marked": lambda prio: prio["ecn_marked"]}


def port_name(qdisc):
    own = qdisc["node"] if qdisc["role"] == "host" else qdisc["dev"]
    return f'{own} to {qdisc["peer"]}'


@picture("The ports that sent most pauses, and dropped and marked most packets.")
def ports(ax, results):
    """A group of bars for each kind of count; of each, the longest bar has the same length."""
    names, row = {}, 0
    for colour, (title, count) in zip(COLOURS, COUNTS.items()):
        found = [(sum(map(count, qdisc["prios"])), port_name(qdisc)) for qdisc in results.qdiscs()]
        found = sorted((f for f in found if f[0]), key=lambda f: -f[0])
        if not found:
            continue
        total = sum(number for number, _ in found)
        bars = ax.barh(row + np.arange(len(found[:BARS])),
                       [number / found[0][0] for number, _ in found[:BARS]], 0.75, color=colour,
                       label=f"{total} {title} by {len(found)} port{'s' * (len(found) > 1)}")
        ax.bar_label(bars, [str(number) for number, _ in found[:BARS]], padding=3, color=MUTED)
        for _, name in found[:BARS]:
            names[row] = name
            row += 1
        row += 0.5
    if not names:
        return False
    ax.set_yticks(list(names), names.values())
    ax.set(xticks=[], xlim=(0, 1.15), ylim=(row - 1, -0.6))
    ax.tick_params(axis="y", length=0)
    ax.grid(False)
    ax.spines["bottom"].set_visible(False)
    ax.figure.set_figheight(text_inches(1.3 * row + 2, ax.xaxis.label.get_size()))
    return True


@graph("The last deadlock.")
def loop(results):
    return loop_of(results)


STANDARD = (fct, throughput, queue, ports, loop)
