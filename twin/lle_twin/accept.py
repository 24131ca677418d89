# SPDX-License-Identifier: GPL-2.0
"""Accepted findings: a YAML list of {id, device, object, reason}; device and object are patterns
of fnmatch, * by default."""
import fnmatch

import yaml

from .errors import Unreadable
from .reading import load


def read(path):
    try:
        rows = yaml.safe_load(load(path)) or []
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", -1) + 1
        raise Unreadable("not YAML", path, line) from None
    for number, row in enumerate(rows if isinstance(rows, list) else [None]):
        if not isinstance(row, dict) or not row.get("id") or not row.get("reason"):
            raise Unreadable("a row needs id and reason", path, 0, str(number))
    return rows


def apply(report, rows):
    """Moves accepted objects out of the findings. Returns the rows that match nothing."""
    used = set()
    for finding in list(report.findings):
        rest = []
        for name in finding.objects:
            row = next((row for row in rows if row["id"] == finding.id and
                        fnmatch.fnmatchcase(finding.device, str(row.get("device", "*"))) and
                        fnmatch.fnmatchcase(name, str(row.get("object", "*")))), None)
            if row is None:
                rest.append(name)
            else:
                used.add(id(row))
        if not rest:
            report.findings.remove(finding)
            report.accepted.append(finding)
        finding.objects = rest or finding.objects
    return [row for row in rows if id(row) not in used]
