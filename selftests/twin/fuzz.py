#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: fuzz.py N [SEED]

Audits N mutations of the facts of configs.yaml and of a sound fabric. A mutation either is
audited, or ends as Unreadable with a reason; any other exception is a fault, which is printed with
its seed. Prints the number of mutations that were read.
"""
import json
import pathlib
import random
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "twin"), str(HERE)]

from lle_twin import checks, linux, model, output, reading, wiring    # noqa: E402
from lle_twin.errors import Unreadable          # noqa: E402

import expand                                   # noqa: E402
import fabric                                   # noqa: E402

VALUES = ["", "0", "-1", "-8", "7", "8", "1e9", "99999999999999999999", "9" * 5000, "nan", "NULL",
          "3,4", "0-7", "7-0", "0-99999999", "3,,4", "[X|y]", "[", "]|[", "Ethernet0", "\x1b[31m",
          "\ud800", "é", "5m", "0m", "m", "-5m", "{{ x }}", "a" * 5000, None, True, 0, -1, 1.5,
          2**70, [], {}, ["3", "4"], [{}], {"a": {"b": "c"}}, [[[[]]]], "global", "GLOBAL", "|",
          "||"]
KEYS = ["", "|", "a|b|c|d", "Ethernet0|3-4", "Ethernet0|x", "0-7", "global", "GLOBAL", "\x00",
        "BUFFER_POOL", "Ethernet0,Ethernet4|3", "3" * 300, "é", "\ud800", "TABLE:key", "pool",
        "dcb"]


def small(data, ports=2):
    """The first ports of a configuration: a mutation is audited in a millisecond."""
    result = {}
    for table, entries in data.items():
        seen, kept = {}, {}
        for key, fields in entries.items():
            kind = key.rpartition("|")[2] if "|" in key else ""
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= ports:
                kept[key] = dict(list(fields.items())[:ports]) if table == "CABLE_LENGTH" else \
                    fields
        result[table] = kept
    return result


def node(rand, data):
    """(parent, key) of a random place, any depth alike."""
    parent, key = None, None
    here = data
    for _ in range(rand.choice((1, 2, 3, 3, 3))):
        if not isinstance(here, dict) or not here:
            break
        parent, key = here, rand.choice(list(here))
        here = here[key]
    return parent, key


def copy(data):
    return {name: {key: dict(fields) for key, fields in entries.items()}
            for name, entries in data.items()}


def mutate_tables(rand, data):
    for _ in range(rand.choice((1, 1, 2, 4))):
        parent, key = node(rand, data)
        if parent is None:
            return
        what = rand.randrange(5)
        if what == 0:
            del parent[key]
        elif what == 1:
            parent[rand.choice(KEYS)] = parent.pop(key)
        elif what == 2:
            parent[rand.choice(KEYS)] = rand.choice(VALUES)
        elif what == 3 and isinstance(parent[key], str):
            text = parent[key]
            at = rand.randrange(len(text) + 1)
            parent[key] = text[:at] + rand.choice("0-,|[9x ") + text[at + 1:]
        else:
            parent[key] = rand.choice(VALUES)


def mutate_text(rand, text):
    at = rand.randrange(len(text))
    what = rand.randrange(4)
    if what == 0:
        return text[:at]
    if what == 1:
        return text[:at] + text[at + rand.randrange(1, 40):]
    if what == 2:
        return text[:at] + rand.choice('{}[],:"\\0-e\x00\ud800') + text[at:]
    return text[:at] + rand.choice(("[" * 2000, '{"a":' * 2000, "9" * 5000, "NaN", "//", "{% x %}")
                                   ) + text[at:]


def audit(data, text, rows):
    """Audits parsed tables; all ways of output that a report has."""
    source = reading.Source("x")
    source.files.append("x")
    if linux.is_output(data):
        tables = linux.tables(data, "x")
    else:
        tables, source.faults = reading.tables_of(data, "x", text)
    source.merge(tables)
    source.name = reading.hostname(source.tables) or "x"
    source.rows = reading.lookup(rows, "x") if rows else []
    source.applied = tables
    found = wiring.Fabric([model.Switch(source)])
    return found, checks.run(found)


def one(seed, bases):
    """True: was read; False: was refused."""
    rand = random.Random(seed)
    base, rows = rand.choice(bases)
    data = copy(base)
    if rows and rand.random() < 0.1:
        rows = mutate_text(rand, rows)
    try:
        if rand.random() < 0.1:
            text = mutate_text(rand, json.dumps(data))
            data = reading.parse(text, "x")
        else:
            mutate_tables(rand, data)
            text = ""
        found, report = audit(data, text, rows)
    except Unreadable as error:
        assert error.why
        return False
    if rand.random() < 0.02:
        for write in (output.people, *output.FORMATS.values()):
            write(found, report)
        output.patch(report.findings)
    return True


def main(count, seed=1):
    bases = [(small(data), "") for data in expand.configs().values()]
    bases += [(small(data), fabric.ROWS) for data in fabric.pair()] * 3
    began, read = time.monotonic(), 0
    for number in range(count):
        try:
            read += one(f"{seed}/{number}", bases)
        except Exception:
            print(f"fuzz.py: mutation {seed}/{number}", file=sys.stderr)
            raise
    print(f"{count} mutations, {read} read, {count - read} refused, "
          f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
