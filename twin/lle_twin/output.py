# SPDX-License-Identifier: GPL-2.0
"""Writes a report: for people, as JSON, SARIF or JUnit, and its fixes as a JSON patch."""
import dataclasses
import hashlib
import json
import re
import textwrap
from xml.sax.saxutils import quoteattr

from .checks import ERROR, INFO, RANK, WARNING, table

SHORT = {ERROR: "error", WARNING: "warn", INFO: "info"}
LEVEL = {ERROR: "error", WARNING: "warning", INFO: "note"}
COLUMN = 30


def clean(text):
    """Text of an input without control characters, for a terminal."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "?", str(text))


def record(finding):
    return {**dataclasses.asdict(finding), "object": finding.object(),
            "fix": patch([finding])}


def people(fabric, report, show=RANK):
    lines = ["twin: " + "; ".join(
        f"{switch.name} {switch.hwsku or 'HwSKU unknown'} ({switch.asic.about()})"
        for switch in fabric.switches[:8])]
    if len(fabric.switches) > 8:
        lines[0] += f"; {len(fabric.switches) - 8} more"
    found = [finding for finding in report.findings if finding.severity in show]
    rows = [(SHORT[finding.severity], finding.id, f"{finding.device} {finding.object()}",
             finding.text) for finding in found]
    if rows:
        width = max(COLUMN, min(46, max(len(row[2]) for row in rows)))
        lines.append(f"{'SEV':6} {'ID':4} {'WHERE':{width}} FINDING")
        lines += [f"{row[0]:6} {row[1]:4} {row[2]:{width}} {row[3]}" for row in rows]
    counts = {severity: sum(finding.severity == severity for finding in report.findings)
              for severity in RANK}
    lines.append(f"{counts[ERROR]} errors, {counts[WARNING]} warnings, {counts[INFO]} notes; "
                 f"{report.passed} checks passed, {len(report.skipped)} not applicable, "
                 f"{len(report.accepted)} accepted (--explain ID: formula and source)")
    return "\n".join(clean(line) for line in lines) + "\n"


def as_json(fabric, report):
    return json.dumps({
        "switches": [{"name": switch.name, "hwsku": switch.hwsku, "asic": switch.asic.name,
                      "about": switch.asic.about(), "dispute": switch.asic.dispute}
                     for switch in fabric.switches],
        "findings": [record(finding) for finding in report.findings],
        "accepted": [record(finding) for finding in report.accepted],
        "skipped": [{"id": name, "device": device, "why": why}
                    for name, device, why in report.skipped],
        "passed": report.passed}, indent=1, default=str, allow_nan=False) + "\n"


def sarif(fabric, report):
    files = {switch.name: (switch.source.files or [""])[0] for switch in fabric.switches}
    rules = [{"id": one.id, "shortDescription": {"text": one.rule},
              "fullDescription": {"text": f"{one.formula}. Source: {one.source}"},
              "defaultConfiguration": {"level": LEVEL[one.severity]}} for one in table().values()]
    results = [{"ruleId": finding.id, "level": LEVEL[finding.severity],
                "message": {"text": f"{finding.device} {finding.object()}: {finding.text}"},
                "locations": [{"physicalLocation": {"artifactLocation": {
                    "uri": files.get(finding.device, "")}}, "logicalLocations": [{
                        "fullyQualifiedName": f"{finding.device}/{finding.objects[0]}"}]}],
                "partialFingerprints": {"twin/v1": hashlib.sha256("/".join(
                    (finding.id, finding.device, finding.objects[0])).encode(
                        errors="replace")).hexdigest()[:16]}}
               for finding in report.findings]
    return json.dumps({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [{"tool": {"driver": {"name": "lle-twin", "rules": rules}},
                  "results": results}]}, indent=1) + "\n"


def junit(_, report):
    cases = []
    for one in table().values():
        own = [finding for finding in report.findings
               if finding.id == one.id and finding.severity != INFO]
        body = "".join(f"<failure type={quoteattr(finding.severity)} message=" + quoteattr(clean(
            f"{finding.device} {finding.object()}: {finding.text}")) + "/>" for finding in own)
        cases.append(f"<testcase classname=\"lle-twin\" name={quoteattr(f'{one.id} {one.rule}')}>"
                     f"{body}</testcase>\n")
    failed = sum("<failure" in case for case in cases)
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="lle-twin" '
            f'tests="{len(cases)}" failures="{failed}">\n{"".join(cases)}</testsuite>\n')


FORMATS = {"sarif": sarif, "junit": junit, "json": as_json}


def pointer(path):
    """A JSON pointer (RFC 6901)."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)


def patch(findings):
    """Operations of a JSON patch (RFC 6902), as `config apply-patch` of SONiC takes."""
    values = {}
    for finding in findings:
        for path, value in finding.fix:
            values.setdefault(path, value)
            # several profiles may need more than one value: the largest holds all
            if value.isdigit() and values[path].isdigit():
                values[path] = str(max(int(value), int(values[path])))
    return [{"op": "add", "path": pointer(path), "value": value}
            for path, value in values.items()]


def explain(name):
    one = table()[name]
    return "\n".join([f"{one.id}  {one.rule} ({one.severity}"
                      f"{', a warning if the ASIC is unknown' if one.asic else ''})",
                      *textwrap.wrap(f"formula: {one.formula}", 96, initial_indent="  ",
                                     subsequent_indent="           "),
                      *textwrap.wrap(f"source: {one.source}", 96, initial_indent="  ",
                                     subsequent_indent="          ")]) + "\n"


def checks_rst():
    """The table of checks, for Documentation/guide/twin.rst."""
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 8 12 80", "",
             "   * - Check", "     - Severity", "     - Rule, formula, source"]
    for one in table().values():
        lines += [f"   * - ``{one.id}``", f"     - {one.severity}{' (a)' if one.asic else ''}"]
        source = one.source.replace("*", r"\*")
        text = f"{one.rule[0].upper()}{one.rule[1:]}. ``{one.formula}``. {source}"
        lines += textwrap.wrap(text, 80, initial_indent="     - ", subsequent_indent="       ",
                               break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"
