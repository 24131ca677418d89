#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints the cases of options.tsv and cases.tsv as JSON for the kernel's tdc.py.

Usage: cases.py >lossless.json

The first lines of both tables say what their columns are. In a kernel tree the
JSON belongs to tools/testing/selftests/tc-testing/tc-tests/qdiscs.

Exit status: 0; 1 a table has a fault, which is printed.
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
RCM = "rate 1gbit prio-pfc 3:on xoff 100kb rcm on"
QDISC = "$TC qdisc {} dev $DUMMY handle 1: root lossless {}"
# a shell: tdc puts the first command only into the namespace
BOTH = "sh -c '$TC qdisc show dev $DUMMY; $TC -j qdisc show dev $DUMMY'"
SHOWN = "qdisc lossless 1: root .*"
COMPACT = " | python3 -m json.tool --compact"


class Fault(Exception):
    """A line that cannot be read."""


def command(words):
    """A command of the shell: that of the qdisc, if it begins with the verb."""
    verb, _, options = words.partition(" ")
    return QDISC.format(verb, options).rstrip() if verb in ("add", "change", "replace") else words


def show(look):
    """The command that shows what is looked at, such as "-j qdisc"."""
    *flags, kind = look.split()
    line = " ".join(["$TC", *flags, kind, "show dev $DUMMY"])
    return line + COMPACT if "-j" in flags else line


def pattern(text, first, last, prefix=""):
    """A regular expression: that after /, or the text between what is not part of it."""
    if text.startswith("/"):
        return text[1:]
    return prefix + first + re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text) + last


def words_of(text, prefix=""):
    """The pattern of whole words."""
    return pattern(text, r"(?<!\S)", r"(?!\S)", prefix)


def members_of(text):
    """The pattern of whole members of a JSON object."""
    return pattern(text, r"(?<=[{,])", "(?=[,}])")


def left(setup, run, status):
    """The handle of the qdisc that a command leaves."""
    done = re.search(r"qdisc (add|replace|del) .*?handle (\d+:)", run) if status == "0" else None
    if done:
        return None if done[1] == "del" else done[2]
    return "1:" if setup else None


def case(number, name, setup, run, status, look, regex, count="1"):
    """What tdc.py takes. Without a set-up (None) there is no device."""
    teardown = []
    if setup is not None:
        handle = left(setup, run, status)
        teardown = [f"$TC qdisc del dev $DUMMY handle {handle} root"] if handle else []
        teardown += ["$IP link del dev $DUMMY type dummy"]
        setup = ["$IP link add dev $DUMMY type dummy || /bin/true", *setup]
    return {"id": number, "name": f"lossless: {name}", "category": ["qdisc", "lossless"],
            "plugins": {"requires": "nsPlugin"}, "setup": setup or [],
            "cmdUnderTest": run, "expExitCode": status, "verifyCmd": look,
            "matchPattern": regex, "matchCount": count, "teardown": teardown}


def refused(word, must, columns):
    """A case for each refused value of a word."""
    name = word.split()[-1]
    for column in columns:
        number, _, value = column.partition(" ")
        words = f"{word} {value}".rstrip()
        why = f'"{value}" is not' if value else "missing:"
        run = command(f"add {words}")
        yield case(number, f"Refuse {words}", [], run, "1", run,
                   words_of(f"Error: {name}: {why} {must}."))


def option(columns):
    """The cases of a line of options.tsv."""
    if columns[0]:
        if len(columns) > 1:
            yield from refused(columns[0], columns[1], columns[2:])
        return
    _, number, words, text, members = columns
    yield case(number, f"Add {words}", [], command(f"add {words}"), "0", BOTH,
               f"{words_of(text, SHOWN)}.*{members_of(members)}")


def other(columns):
    """The case of a line of cases.tsv."""
    number, name, before, run, status, look, text, *count = columns
    setup = None if before == "none" else [] if before == "-" else [
        command(line) for line in before.split("; ")]
    if name == "-":
        verb, _, words = run.partition(" ")
        name = f"{verb.capitalize() if status == '0' else 'Refuse'} {words}"
    run = command(run)
    yield case(number, name, setup, run, status, run if look == "=" else show(look),
               words_of(text, SHOWN if look.endswith("qdisc") else ""), *count)


def read(name, cases_of):
    """All cases of a table."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        for at, line in enumerate(file, 1):
            line = line.rstrip("\n").replace("$RCM", RCM)
            if not line or line.startswith("#"):
                continue
            try:
                for one in cases_of(line.split("\t")):
                    if not re.fullmatch("[0-9a-f]{4}", one["id"]):
                        raise Fault(f"not an ID: {one['id']}")
                    re.compile(one["matchPattern"])
                    yield one
            except (Fault, ValueError, TypeError, re.error) as fault:
                sys.exit(f"{name}:{at}: {fault}")


def main():
    cases = [*read("options.tsv", option), *read("cases.tsv", other)]
    numbers = [one["id"] for one in cases]
    twice = {number for number in numbers if numbers.count(number) > 1}
    if twice:
        sys.exit(f"twice: {' '.join(sorted(twice))}")
    json.dump(cases, sys.stdout, indent=4)
    print()


main()
