# SPDX-License-Identifier: GPL-2.0
"""Rates, times and sizes in the notation of tc(8)."""
import re

RATE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
TIME = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
SIZE = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30}
NUMBER = r"(0|[1-9]\d*)(\.\d+)?"


class Quantity(int):
    """A number of bit/s, ns or bytes that prints as it was typed."""

    def __new__(cls, value, text):
        self = super().__new__(cls, value)
        self.text = text
        return self

    def __str__(self):
        return self.text

    def __format__(self, spec):
        return format(int(self), spec) if spec else self.text


class Text(float):
    """A number that prints as it was typed."""

    def __new__(cls, value, text):
        self = super().__new__(cls, value)
        self.text = text
        return self

    def __str__(self):
        return self.text

    def __format__(self, spec):
        return format(float(self), spec) if spec else self.text


def quantity(pattern, factors):
    """Returns a parser of NUMBER and a unit; it returns None for other text."""
    pattern = re.compile(pattern)

    def parse(text):
        found = pattern.fullmatch(text)
        return Quantity(round(float(found[1]) * factors[found["unit"]]), text) if found else None

    return parse


rate = quantity(rf"({NUMBER})(?P<unit>[kmg]?)bit", RATE)
time = quantity(rf"({NUMBER})(?P<unit>ns|us|ms|s)", TIME)
size = quantity(r"(0|[1-9]\d{0,11})(?P<unit>[kmg]?)b?", SIZE)
