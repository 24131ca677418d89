# SPDX-License-Identifier: GPL-2.0
"""Faults of a run: the key FAULT, and what the guest does for it (guest/faults.sh).

A fault is KIND:NAME[:VALUE]@BEGIN[+LENGTH]. Times count from the start of the flows, or of the
script of the scenario run; without LENGTH a fault lasts until the run ends.
"""
import collections
import re

from . import units
from .keys import Key

# text: as it was typed; end_ns: None: the end of the run
Fault = collections.namedtuple("Fault", "text kind name value begin_ns end_ns")

PORT, HOST = r"(?P<name>[a-z]+\d+([a-z]+\d+)?)", r"(?P<name>[a-z]+\d+)"
BEGIN, LENGTH = rf"@(?P<begin>{units.NUMBER}[mun]?s)", rf"\+(?P<length>{units.NUMBER}[mun]?s)"
KINDS = {kind: (example, re.compile(pattern)) for kind, example, pattern in (
    ("flap", "flap:s1p2@3ms+1ms", PORT + BEGIN + LENGTH),
    ("loss", "loss:h3:1%@0s", rf"{PORT}:(?P<value>{units.NUMBER})%{BEGIN}({LENGTH})?"),
    ("slow", "slow:h3:10mbit@3ms+1ms", rf"{HOST}:(?P<value>[1-9]\d*[kmg]bit){BEGIN}({LENGTH})?"),
    ("stop", "stop:h3@3ms+1ms", HOST + BEGIN + LENGTH),
    ("kill", "kill:h3/nginx@3ms", rf"(?P<name>[a-z]+\d+(/[\w.:+-]{{1,15}})?){BEGIN}"))}


def fault(word):
    """Returns the fault of a word; raises ValueError."""
    kind, _, text = word.partition(":")
    if kind not in KINDS:
        raise ValueError("not like one of: " + " ".join(example for example, _ in KINDS.values()))
    example, pattern = KINDS[kind]
    found = pattern.fullmatch(text)
    if not found:
        raise ValueError(f"not like {example}")
    found = found.groupdict()
    value, begin, length = found.get("value"), units.time(found["begin"]), found.get("length")
    if length and not units.time(length):
        raise ValueError("has no length")
    if kind == "loss":
        if not 0.01 <= float(value) <= 50:
            raise ValueError("not from 0.01% to 50%")
        value = str(round(100 / float(value)))
    return Fault(word, kind, found["name"], value, int(begin),
                 begin + units.time(length) if length else None)


class Faults(Key):
    """Faults, with commas."""
    nothing = ()

    def value(self, text, scenario):
        try:
            return [fault(word) for word in text.split(",")]
        except ValueError as why:
            raise self.refused(text, f"{why} ({self.help})") from None


def commands(faults):
    """Commands of the guest, in the order of their times."""
    steps = []
    for each in faults:
        words = f"{each.name} {each.value or ''}".rstrip()
        steps.append((each.begin_ns, f"{each.kind} begins {words}"))
        if each.end_ns is not None:
            steps.append((each.end_ns, f"{each.kind} ends {words}"))
    return [f"fault_at {ns} {words}" for ns, words in sorted(steps, key=lambda step: step[0])]
