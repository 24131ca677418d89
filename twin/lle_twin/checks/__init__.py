# SPDX-License-Identifier: GPL-2.0
"""The table of checks, and what runs them.

A check is a function of a switch (or, with fabric=True, of all switches and their links) that
yields a Found for each fault, and Skip if it lacks what it needs.
"""
import dataclasses
import importlib

ERROR, WARNING, INFO = "error", "warning", "info"
RANK = {ERROR: 0, WARNING: 1, INFO: 2}
MODULES = ("headroom", "pools", "ecn", "maps", "watchdog", "deadlock", "config")


@dataclasses.dataclass
class Found:
    """A fault. fix: (path, value) pairs of the tables; severity: if not that of the check"""
    object: str
    text: str
    have: object = None
    need: object = None
    unit: str = ""
    numbers: dict = dataclasses.field(default_factory=dict)
    severity: str = ""
    fix: list = dataclasses.field(default_factory=list)
    device: str = ""


@dataclasses.dataclass
class Skip:
    why: str


@dataclasses.dataclass
class Check:
    id: str
    severity: str
    rule: str
    formula: str
    source: str
    asic: bool          # an error only if the ASIC is known
    fabric: bool
    run: object


@dataclasses.dataclass
class Finding:
    id: str
    severity: str
    device: str
    objects: list
    have: object
    need: object
    unit: str
    text: str
    numbers: dict
    formula: str
    source: str
    asic: str
    fix: list

    def object(self):
        first = self.objects[0]
        more = len(self.objects) - 1
        return f"{first} and {more} more" if more else first


TABLE = {}


def check(name, severity, rule, formula, source, asic=False, fabric=False):
    """Puts a function into the table."""
    def put(function):
        assert name not in TABLE, name
        TABLE[name] = Check(name, severity, rule, formula, source, asic, fabric, function)
        return function
    return put


def table():
    if not TABLE:
        for module in MODULES:
            importlib.import_module(f".{module}", __name__)
    return TABLE


class Report:
    """findings: sorted; skipped: (id, device, reason); passed: number of checks without a fault"""

    def __init__(self):
        self.findings, self.skipped, self.accepted = [], [], []
        self.passed = self.unknown = 0

    def worst(self):
        return min((finding.severity for finding in self.findings), key=RANK.get, default=None)


def severity_of(one, fault, switch):
    severity = fault.severity or one.severity
    if severity == ERROR and one.asic and not switch.asic.known:
        return WARNING
    return severity


def one_switch(one, switch, faults, report):
    """Adds the faults of a switch; the same fault of several objects is one finding."""
    known, found = {}, []
    for fault in faults:
        if isinstance(fault, Skip):
            report.skipped.append((one.id, switch.name, fault.why))
            continue
        key = (fault.device, fault.text, str(fault.have), str(fault.need), fault.severity)
        if key in known:
            known[key].objects.append(fault.object)
            known[key].fix += fault.fix
            continue
        finding = Finding(one.id, severity_of(one, fault, switch), fault.device or switch.name,
                          [fault.object], fault.have, fault.need, fault.unit, fault.text,
                          fault.numbers, one.formula, one.source, switch.asic.about(),
                          list(fault.fix))
        known[key] = finding
        found.append(finding)
    report.findings += found
    report.passed += not found


def run(fabric, only=()):
    """A Report of all switches."""
    report = Report()
    for one in table().values():
        if only and one.id not in only:
            continue
        if one.fabric:
            by_name = {switch.name: switch for switch in fabric.switches}
            parts = {}
            for fault in one.run(fabric):
                name = getattr(fault, "device", "") or fabric.switches[0].name
                parts.setdefault(name, []).append(fault)
            for name, faults in parts.items():
                one_switch(one, by_name.get(name, fabric.switches[0]), faults, report)
            report.passed += not parts
            continue
        for switch in fabric.switches:
            one_switch(one, switch, one.run(switch), report)
    report.unknown = sum(not switch.asic.known for switch in fabric.switches)
    report.findings.sort(key=lambda finding: (RANK[finding.severity], finding.device))
    return report
