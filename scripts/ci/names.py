#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Refuses functions of the kernel that do not carry the stem of their file.

Usage: names.py

A function that other files can call, in kmod/ and qdisc/, is called PREFIX_STEM or
PREFIX_STEM_ACTION: lle_port_check() is in port_check.c or .h. The stem may follow the name of
its folder, or the short form in FOLDERS. A header also has the functions of the structs that it
defines: lle_dl_id_less() is where struct lle_dl_id is. Generated code, the operations that it
calls and kmod/compat/ are excepted. Prints each function that differs.

Exit status: 0 there is none; 1 there is one.
"""
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
EXCEPTED = re.compile(r"kmod/compat/.*|kmod/core/user\.h|.*_gen\.[ch]")
FOLDERS = {"deadlock": "dl"}
COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(r"^(static )?(?!static )[a-z_][\w\s*]*?[\s*](\w+)\([^;{}]*\)\n\{", re.M)
STRUCT = re.compile(r"^struct (\w+) \{", re.M)


def stems(path, text):
    """Beginnings that names may have in a file."""
    folder, file = os.path.split(path)
    folder, stem = os.path.basename(folder), os.path.splitext(file)[0]
    yield from (stem, f"{folder}_{stem}", f"{FOLDERS.get(folder, folder)}_{stem}")
    if path.endswith(".h"):
        yield from (name.partition("_")[2] for name in STRUCT.findall(text) if "_" in name)


def lacking(path):
    """Functions of a file whose names begin in another way."""
    with open(path, encoding="utf-8") as file:
        text = COMMENT.sub("", file.read())
    good = "|".join(map(re.escape, stems(path, text)))
    for static, name in FUNCTION.findall(text):
        if not (static and path.endswith(".c")) and not re.fullmatch(
                rf"((lle|lossless|ldcp)_)?({good})(_\w+)?|lossless_nl_\w+it", name):
            yield f"{path}: {name}()"


def main():
    """See the docstring of the module."""
    os.chdir(TOP)
    files = subprocess.run(["git", "ls-files", "kmod/*.[ch]", "qdisc/*.[ch]"],
                           capture_output=True, text=True, check=True).stdout.split()
    found = [line for path in files if not EXCEPTED.fullmatch(path) for line in lacking(path)]
    print("\n".join(found), end="\n" * bool(found))
    sys.exit(bool(found))


main()
