#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Do the litmus tests have the accesses of the code?

A litmus test is an extract by hand. Its comment lists the shared accesses of
each function, in their order:

 * Access: FILE FUNCTION: NAME NAME...

Usage: anchors.py ROOT LITMUS...
Exit status: 0; 1 a function has other accesses, or there is none; each with a line.
"""
import re
import sys

ACCESS = re.compile(r"\b(READ_ONCE|WRITE_ONCE|smp_\w+|atomic_\w+|spin_\w+|rcu_\w+|"
                    r"synchronize_\w+|__netif_schedule|lle_admit_close|"
                    r"lle_headroom_walk)\s*\(")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def accesses(path, name):
    """What a function calls; None: there is no such function."""
    with open(path, encoding="utf-8") as f:
        text = COMMENT.sub("", f.read())
    body = re.search(r"\b%s\s*\([^;{]*\)\s*\{(.*?)^\}" % name, text, re.M | re.S)
    return ACCESS.findall(body[1]) if body else None


def main():
    root, tests, bad = sys.argv[1], sys.argv[2:], 0
    for test in tests:
        with open(test, encoding="utf-8") as f:
            found = re.findall(r"^ \* Access: (\S+) (\w+): (.*)", f.read(), re.M)
        if not found:
            bad = 1
            print(f"{test}: no line Access:")
        for path, name, want in found:
            have = accesses(f"{root}/{path}", name)
            if have != want.split():
                bad = 1
                print(f"{test}: {name}() in {path} has {have}")
    return bad


sys.exit(main())
