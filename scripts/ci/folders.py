#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the tables of Documentation/guide/rules.rst with the tree.

Usage: folders.py

Each folder with C sources has one row in the table of folders, whose second column names each
module that Kbuild links from it; each source of kmod/core/ has one row in the table of rules.
Prints each difference.

Exit status: 0 there is none; 1 there is one.
"""
import collections
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PAGE = "Documentation/guide/rules.rst"
CORE = "kmod/core/"
CELL = re.compile(r"^``([^`]+)``\s\s(.*)")


def section(text, title):
    """From a title to the next one."""
    found = re.search(rf"^{re.escape(title)}\n=+\n(.*?)(?=^[^\n]+\n=+\n\n|\Z)", text,
                      re.S | re.M)
    return found[1] if found else ""


def rows(text):
    """(first cell, the row's lines of the second column) of a simple table."""
    result = []
    ruler = re.search(r"^(=+)  (=+)", text, re.M)
    begin, end = (len(ruler[1]) + 2, len(ruler[0])) if ruler else (0, 0)
    for line in text.splitlines():
        cell = CELL.match(line)
        if cell:
            result.append((cell[1], [line[begin:end]]))
        elif result and line.startswith(" " * begin):
            result[-1][1].append(line[begin:end])
    return [(name, " ".join(" ".join(lines).split())) for name, lines in result]


def differences(what, have, want):
    """Those that are missing, that nothing in the tree stands for, and those that are double."""
    count = collections.Counter(have)
    yield from (f"{PAGE}: no row for {what} {name}" for name in sorted(want - set(have)))
    yield from (f"{PAGE}: there is no {what} {name}" for name in sorted(set(have) - want))
    yield from (f"{PAGE}: {what} {name} has {n} rows" for name, n in count.items() if n > 1)


def modules():
    """(folder, module) of each part of a module in Kbuild."""
    with open("Kbuild", encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    for module, rest in re.findall(r"^(\w+)-(?:y|\$\(CONFIG_\w+\))\s*\+?[:=]=?\s*(.*)", text, re.M):
        for name in re.findall(r"call core,(\w+),", rest):
            yield f"{CORE}{name}/", module
        for path in re.findall(r"([\w/]+/)%\.o|([\w/]+/)\w+\.o", rest):
            yield "".join(path), module


def faults(text, sources):
    """All differences."""
    folders = rows(section(text, "Folders"))
    yield from differences("folder", [name for name, _ in folders],
                           {os.path.dirname(path) + "/" for path in sources})
    built = dict(folders)
    for folder, module in sorted(set(modules())):
        if folder in built and f"{module}.ko" not in built[folder]:
            yield f"{PAGE}: {folder} is part of {module}.ko"
    yield from differences("rule of", [CORE + name for name, _ in
                                       rows(section(text, "Rules in kmod/core"))],
                           {path for path in sources if path.startswith(CORE)})


def main():
    os.chdir(TOP)
    sources = subprocess.run(["git", "ls-files", "*.c"], capture_output=True, text=True,
                             check=True).stdout.splitlines()
    with open(PAGE, encoding="utf-8") as file:
        found = list(faults(file.read(), sources))
    print("\n".join(found), end="\n" * bool(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
