# SPDX-License-Identifier: GPL-2.0
"""Results of a run: the files of a folder, as tables and objects.

    import lle_lab
    r = lle_lab.load("out/lab/rcm-victim/latest")
    r.metrics["rcm.victim_gbps"]
    r["rcm"].flows.last_ns.max()
    r["rcm"].pauses.frame()          # pandas

metrics.csv has all metrics, a line each, in the columns of METRICS_HEAD and those of keys:

    pandas.read_csv("out/lab/rcm-victim/latest/metrics.csv")
"""
import csv
import functools
import json
import pathlib
import subprocess

from .errors import Refused
from .lazy import numpy as np

BOOT_S = 1767225600     # the clock of a guest at its boot
# units by the last parts of names
UNITS = {"ns": "ns", "us": "us", "ms": "ms", "s": "s", "bytes": "B", "kb": "kB", "mb": "MB",
         "gbps": "Gbit/s", "mbps": "Mbit/s", "share": "1", "util": "1", "percent": "%"}


def column(values):
    for kind in np.int64, np.float64:
        try:
            return np.array(values, dtype=kind)
        except (ValueError, OverflowError):
            pass
    return np.array(values, dtype=object)


class Table:
    """Columns of a CSV file: arrays of numbers, or of texts."""

    def __init__(self, path):
        self.columns = {}
        if not path.exists():
            return
        with path.open(encoding="ascii") as file:
            head, *rows = csv.reader(file)
        for name, values in zip(head, zip(*rows) if rows else ((),) * len(head)):
            self.columns[name] = column(values)

    def __len__(self):
        return len(next(iter(self.columns.values()), ()))

    def __getattr__(self, name):
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def rows(self):
        """Tuples of a line each, of Python's own numbers."""
        return zip(*(column.tolist() for column in self.columns.values()))

    def lines(self):
        """Dictionaries of a line each."""
        return (dict(zip(self.columns, row)) for row in self.rows())

    def frame(self):
        """The table for pandas."""
        import pandas
        return pandas.DataFrame(self.columns)


class Bins:
    """Bytes of each flow (a row) in each bin of time (a column)."""

    def __init__(self, path):
        self.starts_ns, self.bytes = np.zeros(0, np.int64), np.zeros((0, 0), np.int64)
        if not path.exists():
            return
        with path.open(encoding="ascii") as file:
            head = next(file).split(",")[1:]
            rows = [np.array(line.split(",")[1:], dtype=np.int64) for line in file]
        if head and rows:
            self.starts_ns, self.bytes = np.array(head, dtype=np.int64), np.array(rows)

    @property
    def width_ns(self):
        return int(self.starts_ns[1] - self.starts_ns[0]) if len(self.starts_ns) > 1 else 0


class Run:
    """Files of a run without arms, or of an arm."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def text(self, name):
        return (self.folder / name).read_text()

    def json(self, name):
        return json.loads(self.text(name))

    def table(self, name):
        return Table(self.folder / name)

    stats = functools.cached_property(lambda self: self.json("stats.json"))
    testbed = functools.cached_property(lambda self: self.json("testbed.json"))
    switches = functools.cached_property(lambda self: self.json("switches.json"))
    watchdogs = functools.cached_property(lambda self: self.json("watchdogs.json"))
    congestion = functools.cached_property(lambda self: self.json("congestion.json"))
    deadlocks = functools.cached_property(lambda self: self.json("deadlocks.json"))
    flows = functools.cached_property(lambda self: self.table("flows.csv"))
    hosts = functools.cached_property(lambda self: self.table("hosts.csv"))
    pauses = functools.cached_property(lambda self: self.table("pauses.csv"))
    events = functools.cached_property(lambda self: self.table("events.csv"))
    queue = functools.cached_property(lambda self: self.table("queue.csv"))
    timeline = functools.cached_property(lambda self: self.table("timeline.csv"))
    bins = functools.cached_property(lambda self: Bins(self.folder / "bins.csv"))
    start_ns = functools.cached_property(lambda self: int(self.text("start")))

    def testbeds(self):
        """Counters of all testbeds of a run; the last one has those of stats.json."""
        if (self.folder / "testbeds.json").exists():
            yield from self.objects("testbeds.json")
        yield self.stats

    def objects(self, name):
        """JSON objects that follow each other in a file."""
        text, at = self.text(name).rstrip(), 0
        while at < len(text):
            found, at = json.JSONDecoder().raw_decode(text, at)
            while at < len(text) and text[at].isspace():
                at += 1
            yield found

    def tcpdump(self, name, *words):
        """Fields of the lines that tcpdump prints of NAME.pcap, the first one in ns of the guest's
        boot."""
        done = subprocess.run(
            ["tcpdump", "-r", self.folder / f"{name}.pcap", "--time-stamp-precision=nano", "-tt",
             "-n", "-q", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in done.stdout.splitlines():
            fields = line.split()
            seconds, ns = fields[0].split(".")
            yield ((int(seconds) - BOOT_S) * 10**9 + int(ns), *fields[1:])

    def frames(self, name, filter=""):
        """(ns, bytes) of frames in NAME.pcap."""
        for ns, *fields in self.tcpdump(name, "-e", filter):
            yield ns, int(fields[fields.index("length") + 1].rstrip(":"))

    def packets(self, name, filter):
        """(ns, source address) of IPv4 packets in NAME.pcap."""
        for ns, _, source, *_ in self.tcpdump(name, filter):
            yield ns, source.rpartition(".")[0]

    def qdiscs(self, *roles):
        """Qdiscs of ports with these roles: edge, fabric, host; by default all."""
        return [q for q in self.stats["qdiscs"] if not roles or q["role"] in roles]

    def total(self, counter, *roles):
        """The sum of a counter over priorities of these qdiscs."""
        return sum(prio[counter] for q in self.qdiscs(*roles) for prio in q["prios"])


def unit_of(metric):
    """The unit of a metric, from its name; "": a number of things, or a ratio."""
    for word in reversed(metric.replace(".", "_").split("_")):
        if word in UNITS:
            return UNITS[word]
    return ""


def flat(metrics, prefix=""):
    """Metrics with one name: {"detect_ms": {"min": 100}} is detect_ms.min."""
    for name, value in metrics.items():
        if isinstance(value, list):
            value = dict(enumerate(value))
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


class Result(Run):
    """A folder with result.json; result[ARM] has the files of an arm."""

    def __init__(self, folder):
        super().__init__(folder)
        self.result = self.json("result.json")
        self.metrics = dict(flat(self.result["metrics"]))
        self.keys = self.result["keys"]
        self.arms = [arm for arm in self.keys.get("ARMS", "").split(",") if arm]

    @functools.cache
    def __getitem__(self, arm):
        return Run(self.folder / arm)

    def of_arms(self, metric):
        """The metric of each arm."""
        return [self.metrics.get(f"{arm}.{metric}") for arm in self.arms]


METRICS_HEAD = ["scenario", "lle", "version", "date", "arm", "metric", "value", "unit"]


def metric_rows(result):
    """A dictionary for each metric of a result.json: METRICS_HEAD, and the keys."""
    arms = result["keys"].get("ARMS", "").split(",")
    own = {name: result[name] for name in METRICS_HEAD[:4]}
    for name, value in flat(result["metrics"]):
        arm, _, rest = name.partition(".")
        arm, metric = (arm, rest) if arm in arms else ("", name)
        yield own | {"arm": arm, "metric": metric, "value": value,
                     "unit": unit_of(metric)} | result["keys"]


def write_metrics(results, path):
    """Writes metrics.csv of results with the same keys."""
    rows = [row for result in results for row in metric_rows(result)]
    with open(path, "w") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else METRICS_HEAD,
                                lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def load(folder):
    """Reads the results in a folder."""
    try:
        return Result(folder)
    except FileNotFoundError:
        raise Refused(f"{folder}: no results there") from None
