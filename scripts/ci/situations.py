#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes the tables of Documentation/results/situations.rst.

Usage: situations.py [-c]

The tables have the lines of selftests/net/situations.tab, and what the docstrings in
selftests/net/situations/ say of devices and paths. -c: only checks that the page has them.

Exit status: 0; 1 the page is not current (-c), or situations.tab has a fault.
"""
import ast
import os
import sys
import textwrap

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PARTS = os.path.join(TOP, "selftests/net/situations")
PAGE = os.path.join(TOP, "Documentation/results/situations.rst")
BEGIN, END = ".. situations\n", ".. end of situations\n"
sys.path.insert(0, PARTS)
import table  # pylint: disable=wrong-import-position,import-error


def described(part, names):
    """{name: what the docstring of its function says} of the table NAMES in a source."""
    with open(os.path.join(PARTS, part), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    docs = {n.name: ast.get_docstring(n) for n in tree.body if isinstance(n, ast.FunctionDef)}
    table_ = next(n.value for n in tree.body if isinstance(n, ast.Assign)
                  and getattr(n.targets[0], "id", "") == names)
    for found in ast.walk(table_):
        if isinstance(found, ast.Dict):
            return {key.value: docs.get(getattr(value, "func", value).id, "")
                    for key, value in zip(found.keys, found.values)}
    return {}


def rows(header, widths, cells):
    """A list-table."""
    yield f".. list-table::\n   :header-rows: 1\n   :widths: {' '.join(map(str, widths))}\n"
    for row in [header, *cells]:
        for i, cell in enumerate(row):
            yield textwrap.fill(cell or "-", 80, initial_indent="     - " if i else "   * - ",
                                subsequent_indent=" " * 7, break_on_hyphens=False,
                                break_long_words=False)
    yield ""


def several(names):
    """Names without repetition, as they come."""
    return ", ".join(dict.fromkeys(names))


def verdicts(lines):
    """The cells of a device."""
    attach = next((line for line in lines if line.path == "attach"), None)
    port = "" if not attach else "yes" if attach.verdict == "lossless" else \
        f"refused: \"{attach.what}\""
    plain = [line for line in lines if line.event == "-" and line is not attach]
    cells = {v: several(line.path for line in plain if line.verdict == v)
             for v in table.VERDICTS}
    other = [f"copies: {cells['unharmed']}"] if cells["unharmed"] else []
    other += [f"missed: {cells['missed']}"] if cells["missed"] else []
    other += [f"said by name: {cells['loud']}"] if cells["loud"] else []
    return port, cells["lossless"], "; ".join(other)


def tables():
    """All text between BEGIN and END."""
    lines, _ = table.load()
    devices = described("devices.py", "DEVICES")
    yield ""
    cells = []
    for name, doc in devices.items():
        port, lossless, other = verdicts([line for line in lines if line.device == name])
        if port or lossless or other:
            cells.append((f"``{name}``: {doc}", port, lossless, other))
    yield from rows(("Device", "Port", "Lossless", "Other"), (24, 22, 30, 24), cells)
    yield from rows(("Path", "What the switch does"), (24, 76),
                    [(f"``{name}``", doc) for name, doc in
                     described("paths.py", "PATHS").items()])


def main():
    """Writes or compares."""
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    new = before + BEGIN + "\n".join(tables()) + "\n" + END + after
    if sys.argv[1:] == ["-c"]:
        if new != text:
            print(f"{os.path.relpath(PAGE, TOP)} is not current: run scripts/ci/situations.py")
        return new != text
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(new)
    return 0


sys.exit(main())
