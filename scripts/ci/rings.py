#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Finds rings of files: each uses names of the next one, up to the first.

Usage: rings.py MOST OBJECT...

Each OBJECT is compiled from one source. They belong to one program, or to
several modules; a name that two of them define belongs to one of the two.
Prints each ring of more than MOST files, and the names that connect it.

Exit status: 0 there is none; 1 there is one.
"""

import os
import subprocess
import sys


def symbols(path):
    """The names that an object defines, and those that it uses from others."""
    defined, taken = set(), set()
    said = subprocess.run(["nm", path], capture_output=True, text=True, check=True)
    for line in said.stdout.splitlines():
        kind, name = line.split()[-2:]
        if kind == "U":
            taken.add(name)
        elif kind.isupper():
            defined.add(name)
    return defined, taken


def arrows(paths):
    """By object: the names that it uses from each other object."""
    both = {path: symbols(path) for path in paths}
    home = {name: path for path, (defined, _) in both.items() for name in defined}
    result = {}
    for path, (_, taken) in both.items():
        to = result.setdefault(path, {})
        for name in taken:
            if home.get(name, path) != path:
                to.setdefault(home[name], []).append(name)
    return result


def reached(graph, start):
    """All objects that can be reached from one by arrows."""
    seen, todo = set(), [start]
    while todo:
        for path in graph[todo.pop()]:
            if path not in seen:
                seen.add(path)
                todo.append(path)
    return seen


def rings(graph):
    """Rings, the largest first."""
    from_ = {path: reached(graph, path) for path in graph}
    found = {frozenset(other for other in from_[path] if path in from_[other])
             for path in graph if path in from_[path]}
    return sorted(found, key=lambda ring: (-len(ring), sorted(ring)))


def main():
    """See the docstring of the module."""
    most, paths = int(sys.argv[1]), sys.argv[2:]
    graph = arrows(paths)
    top = os.path.commonpath(paths)
    too_large = [ring for ring in rings(graph) if len(ring) > most]
    for ring in too_large:
        print(f"{len(ring)} files:")
        for path in sorted(ring):
            for other in sorted(ring & graph[path].keys()):
                print(f"  {os.path.relpath(path, top)} -> {os.path.relpath(other, top)}: "
                      f"{', '.join(sorted(graph[path][other]))}")
    sys.exit(bool(too_large))


main()
