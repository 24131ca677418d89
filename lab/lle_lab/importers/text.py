# SPDX-License-Identifier: GPL-2.0
"""Lines and numbers of files. A file is hostile: its size bounds time and memory."""
import collections
import decimal
import re

BYTES_MAX = 1000        # of a line
FLOWS_MAX = 2000000
LINES_MAX = 3 * FLOWS_MAX
SIZE_MAX = 10**15
SECONDS_MAX = 10**6


class Refused(Exception):
    """The file cannot be mapped."""


# start in ns; after: indexes of flows that it waits for; comment: of its line
Flow = collections.namedtuple("Flow", "line start size src dst prio after comment")


def integer(what, text, least, most):
    """A number of the file: what it is, for a message."""
    if not re.fullmatch("[0-9]{1,16}", text) or not least <= int(text) <= most:
        raise Refused(f'{what} "{text[:20]}" is not a number from {least} to {most}')
    return int(text)


def nanoseconds(what, text, ns):
    """A time of the file in units of NS, rounded to the nearest ns."""
    if not re.fullmatch(r"[0-9]{1,20}(\.[0-9]{1,20})?", text):
        raise Refused(f'{what} "{text[:20]}" is not a time')
    time = round(decimal.Decimal(text) * ns)
    if time > SECONDS_MAX * 10**9:
        raise Refused(f"{what} is over {SECONDS_MAX} s")
    return time


def rows(path):
    """Lines with words: their numbers, and the words."""
    with open(path, "rb") as file:
        for number in range(1, LINES_MAX + 1):
            line = file.readline(BYTES_MAX + 1)
            if not line:
                return
            if len(line) > BYTES_MAX:
                raise Refused(f"line {number}: more than {BYTES_MAX} bytes")
            try:
                words = line.decode("ascii").split()
            except UnicodeDecodeError as why:
                raise Refused(f"line {number}: not ASCII") from why
            if words and not words[0].startswith("#"):
                yield number, words
    raise Refused(f"more than {LINES_MAX} lines")
