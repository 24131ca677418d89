#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Refuses words that the glossary replaces, and text that readers cannot follow.

Usage: words.py [FILE...]

FILEs, or all files of the tree, must not have

- a word that Documentation/guide/glossary.rst lists after "*Not:*"
- in a comment or on a page, but for literal text: a turn of HABITS, a pronoun of persons, for
  packets, ports and flows, or the number of a rule that no page of the tree explains

and pages must not have lines of more than 80 columns, but for links. Prints each place.

Exit status: 0 there is none; 1 there is one.
"""
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
GLOSSARY = "Documentation/guide/glossary.rst"
WIDTH = 80
# text from before the glossary, and data
SKIPPED = re.compile(r"Documentation/CHANGELOG\.rst|.*\.(csv|svg|png|json)|selftests/fuzz/corpus/.*|"
                     + re.escape(GLOSSARY) + r"|scripts/ci/words\.py")
PAGE = re.compile(r".*\.(rst|md)$")
# has parts of pages
SPEC = "spec/qdisc.yaml"
SOURCE = re.compile(r".*\.[chS]$")
SCRIPT = re.compile(r".*\.(sh|py|awk|lua|gp)$")
PERSONS = re.compile(r"(?<![@.>])\b(who(m|se|ever)?|(no|some|every|any)body|he|him|his)\b", re.I)
RULE = re.compile(r"\b[ADR]\d{1,2}\b")
# turns that no engineer writes, and those of a diary
HABITS = re.compile(r"\b((is|are) none|any more|(every )?so many|in place of|told|heard|in another hour|"
                    r"an earlier version|the goal was)\b", re.I)
LITERAL = re.compile(r"^```.*?^```$|^\t[^\n]*|``[^`]*``|`[^`\n]*`", re.S | re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
# names that other projects gave their things
QUOTED = re.compile(r"SONiC")


def refused():
    """The words after "Not:" in the glossary, as one expression."""
    with open(GLOSSARY, encoding="utf-8") as file:
        text = file.read()
    lists = re.findall(r"\*Not:\*((?:\s*``[^`]+``,?)+)", text)
    words = [word for one in lists for word in re.findall(r"``([^`]+)``", one)]
    return re.compile("|".join(rf"\b{re.escape(word)}\b" if word[-1].isalnum() else
                               rf"\b{re.escape(word)}" for word in words))


def blank(match):
    """The line ends of a match."""
    return "\n" * match[0].count("\n")


def prose(name, text):
    """The text that people read: all of a page but literal text, comments of a source."""
    if PAGE.fullmatch(name) or name == SPEC:
        return LITERAL.sub(blank, text)
    if SOURCE.fullmatch(name):
        kept, at = [], 0
        for match in COMMENT.finditer(text):
            kept += ["\n" * text.count("\n", at, match.start()), match[0]]
            at = match.end()
        return "".join(kept)
    if SCRIPT.fullmatch(name):
        return "\n".join(line if line.lstrip().startswith("#") else ""
                         for line in text.splitlines())
    return ""


def places(name, text, pattern, why):
    """FILE:LINE of each match."""
    for number, line in enumerate(text.splitlines(), 1):
        match = pattern.search(line)
        if match and not QUOTED.search(line):
            yield f"{name}:{number}: {why}: {match[0]}"


def faults(name, text, words):
    """All that is wrong with a file."""
    yield from places(name, text, words, "see the glossary")
    readable = prose(name, text)
    yield from places(name, readable, RULE, "no page explains the rule")
    yield from places(name, readable, PERSONS, "name the port, packet or flow")
    yield from places(name, readable, HABITS, "say it plainly")
    if PAGE.fullmatch(name):
        yield from (f"{name}:{number}: {len(line)} columns"
                    for number, line in enumerate(text.expandtabs().splitlines(), 1)
                    if len(line) > WIDTH and "](" not in line)


def main():
    os.chdir(TOP)
    names = sys.argv[1:] or subprocess.run(["git", "ls-files"], capture_output=True, text=True,
                                           check=True).stdout.splitlines()
    words = refused()
    found = False
    for name in names:
        if SKIPPED.fullmatch(name) or os.path.islink(name) or not os.path.isfile(name):
            continue
        try:
            with open(name, encoding="utf-8") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue
        for fault in faults(name, text, words):
            found = True
            print(fault)
    sys.exit(found)


if __name__ == "__main__":
    main()
