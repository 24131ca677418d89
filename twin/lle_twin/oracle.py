# SPDX-License-Identifier: GPL-2.0
"""Compares the formulas with the packets that hardware tests expect: data/oracle.tsv.

Packets of these tests take one cell. Formulas, with C = cells of a layer:

    pfc       min + S / (1/alpha + 1)             S = C(pool) [- C(xoff_pool)] [- groups * min]
    pfc-pool  min + S / (1/alpha + n); pfc, if groups fill one after the other
    sequence  min + alpha/(1 + alpha) of what the groups before leave
    drop      pfc + headroom + 1
    full      headroom
    partial   C(xoff_pool) - (n - 1) * full
    dismiss   xon_offset
"""
import json
import pathlib
import re

import yaml

from . import asic as asics
from .model import sequence, threshold
from .show import grid

CLOSE = 2                       # packets: margins of the tests themselves are 2 to 4
DATA = pathlib.Path(__file__).with_name("data")


class Test:
    """A row of oracle.tsv."""

    def __init__(self, line):
        (self.asic, self.topology, self.link, self.quantity, packets, groups,
         tests) = line.split("\t")
        self.packets = [int(number) for number in packets.split(",")]
        self.groups = int(groups) if groups != "-" else 1
        self.tests = tests.split(",")
        self.near, self.kind, self.chosen = None, "", ""

    def off(self):
        """Largest difference in packets; None if nothing was computed."""
        if self.near is None:
            return None
        return max((near - real for near, real in zip(self.near, self.packets)), key=abs)

    def fits(self):
        return self.near is not None and abs(self.off()) <= CLOSE


def rows():
    text = (DATA / "oracle.tsv").read_text(encoding="utf-8")
    return [Test(line) for line in text.splitlines() if line and not line.startswith("#")]


def configs():
    return yaml.safe_load((DATA / "oracle.yaml").read_text(encoding="utf-8"))


class Block:
    """What the rows of one topology share."""

    def __init__(self, tests):
        self.tests = tests

    def find(self, quantity, link, name):
        """The packets of a quantity, of a test, or None."""
        return next((test.packets[0] for test in self.tests if test.quantity == quantity
                     and test.link == link and name in test.tests), None)

    def minimum(self, link):
        found = [test.packets[0] for test in self.tests if test.quantity == "min"
                 and test.packets[0] and test.link in (link, "-") and
                 any("lossless" in name for name in test.tests)]
        return max(found, default=0)

    def headroom_pools(self):
        """(link, cells of the headroom pool) of each row partial, in order."""
        for test in self.tests:
            full = self.find("full", test.link, "hdrm_pool_size")
            if test.quantity == "partial" and full:
                yield test.link, (test.groups - 1) * full + test.packets[0]


def shared(config, asic, test, block, least):
    """(S, is it fitted to the row?)"""
    alpha = config["alpha"]
    if "pool" not in config:
        link = test.link
        real = block.find("pfc", link, config["fit"])
        if real is None:
            return None, False
        own = test.quantity == "pfc" and config["fit"] in test.tests
        return (real - least) * (1 / alpha + 1), own
    cells = config["pool"] // asic.cell / asic.layers
    if asic.xoff == "in":
        cells -= config.get("xoff_pool", 0) // asic.cell / asic.layers
    if asic.reserved == "in":
        cells -= config.get("groups", 0) * (config.get("group_bytes", 0) // asic.cell)
    return cells, False


def headroom(config, asic, test, block):
    """(cells of headroom of a group, are they fitted?)"""
    size = config.get("headroom", {}).get(test.link)
    if size:
        return size // asic.cell, False
    for name in test.tests if test.quantity == "drop" else ["xoff_1"]:
        pfc, drop = (block.find(what, test.link, name) for what in ("pfc", "drop"))
        if pfc is not None and drop is not None:
            return drop - pfc - 1, test.quantity == "drop"
    return None, False


def compute(config, asic, test, block):
    """(packets or None, kind)"""
    least = config.get("min", block.minimum(test.link))
    total, own = shared(config, asic, test, block, least)
    one = test.quantity == "pfc-pool" and config.get("fill") == "one"
    kind = "configuration" if "pool" in config else "fitted" if own else "other row"
    if test.quantity in ("pfc", "pfc-pool") and total is not None:
        count = 1 if one or test.quantity == "pfc" else test.groups
        return [least + threshold(total, config["alpha"], count)], kind
    if test.quantity == "sequence" and total is not None:
        return sequence(total, config["alpha"], len(test.packets), least), kind
    if test.quantity in ("drop", "full"):
        cells, fitted = headroom(config, asic, test, block)
        pfc = next((block.find("pfc", test.link, name) for name in test.tests
                    if block.find("pfc", test.link, name) is not None), None)
        if pfc is None:
            pfc = block.find("pfc", test.link, "wm_pg_headroom")
        if cells is None or test.quantity == "drop" and pfc is None:
            return None, ""
        kind = "fitted" if fitted else "configuration" if config.get("headroom") else "other row"
        return [cells + (pfc + 1 if test.quantity == "drop" else 0)], kind
    if test.quantity == "partial":
        pools = dict(block.headroom_pools())
        full = block.find("full", test.link, "hdrm_pool_size")
        if "xoff_pool" in config:
            cells, kind = config["xoff_pool"] / asic.cell / asic.layers, "configuration"
        else:
            first = next(iter(pools))
            cells, kind = pools[first], "fitted" if first == test.link else "other row"
        return [cells - (test.groups - 1) * full], kind
    if test.quantity == "dismiss" and "xon_offset" in config:
        return [config["xon_offset"]], "configuration"
    if test.quantity == "min" and "min" in config:
        lossless = any("lossless" in name for name in test.tests)
        return [config["min"] if lossless else 0], "configuration"
    return None, ""


def matches(config, test):
    return re.match(config["asic"], test.asic) and \
        re.search(config.get("topology", ""), test.topology) and \
        re.search(config.get("link", ""), test.link) and \
        any(re.search(config.get("tests", ""), name) for name in test.tests)


def judge():
    """All tests, computed."""
    tests, known = rows(), configs()
    blocks = {}
    for test in tests:
        blocks.setdefault((test.asic, test.topology), []).append(test)
    for test in tests:
        config = next((config for config in known if matches(config, test)), None)
        if config:
            test.near, test.kind = compute(config, asics.table()[test.asic], test,
                                           Block(blocks[test.asic, test.topology]))
            test.chosen = config.get("chosen", "")
    return tests


def summary(tests):
    """Counts by ASIC and quantity."""
    counts = {}
    for test in tests:
        row = counts.setdefault((test.asic, test.quantity), {
            "ASIC": test.asic, "quantity": test.quantity, "rows": 0, "fit": 0, "of a fit": 0,
            "off": 0, "not computed": 0})
        row["rows"] += 1
        row["not computed" if test.near is None else "off" if not test.fits() else
            "of a fit" if test.kind == "fitted" else "fit"] += 1
    return list(counts.values())


def record(test):
    return {"asic": test.asic, "topology": test.topology, "link": test.link,
            "quantity": test.quantity, "groups": test.groups, "tests": test.tests,
            "expected": test.packets, "computed": test.near, "off": test.off(),
            "fits": test.fits(), "from": test.kind, "chosen": test.chosen}


def main(args):
    tests = [test for test in judge() if args.asic in (None, test.asic)]
    if args.json:
        print(json.dumps([record(test) for test in tests], indent=1))
        return 0
    lines = []
    for test in tests:
        real = ",".join(str(number) for number in test.packets)
        near = "-" if test.near is None else ",".join(f"{number:.1f}" for number in test.near)
        lines.append({"ASIC": test.asic, "topology": test.topology, "link": test.link,
                      "quantity": test.quantity, "n": test.groups, "expected": real[:24],
                      "computed": near[:24],
                      "off": "-" if test.near is None else f"{test.off():+.1f}",
                      "from": test.kind or "not computed",
                      "verdict": "fits" if test.fits() else "off" if test.near else ""})
    print("\n".join([*grid(lines), "", *grid(summary(tests))]))
    print(f"{len(tests)} rows of {sum(len(test.tests) for test in tests)} tests")
    return 0
