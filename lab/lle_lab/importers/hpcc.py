# SPDX-License-Identifier: GPL-2.0
"""Files of HPCC's ns-3: simulation/scratch/third.cc of
alibaba-edu/High-Precision-Congestion-Control; without DPORT: conweave-ns3."""
import itertools

from .text import FLOWS_MAX, SIZE_MAX, Flow, Refused, integer, nanoseconds, rows as rows_of


def topology(path):
    """The lines of a topology of HPCC that lle-topology(8) has read; nothing of other files."""
    try:
        found = [words for _, words in rows_of(path)]
    except Refused:
        return []
    if len(found[0]) != 3 or not all(word.isdigit() for word in found[0]):
        return []
    return [" ".join(words) for words in found[:2 + int(found[0][2])]]


def flow(line, words):
    """SRC DST PG [DPORT] SIZE SECONDS"""
    what = f"line {line}: "
    if len(words) not in (5, 6):
        raise Refused(what + "not SRC DST PG [DPORT] SIZE START")
    src, dst = (integer(what + "node", word, 0, 65535) for word in words[:2])
    return Flow(line, nanoseconds(what + "start", words[-1], 10**9),
                integer(what + "size", words[-2], 1, SIZE_MAX), src, dst,
                integer(what + "priority group", words[2], 0, 7), (),
                f" # dport {integer(what + 'port', words[3], 0, 65535)}" if len(words) == 6 else "")


def flows(rows, warn):
    line, words = next(rows)
    if len(words) > 1:
        raise Refused(f"line {line}: not the number of flows alone")
    number = integer(f"line {line}: number of flows", words[0], 1, FLOWS_MAX)
    found = [flow(*row) for row in itertools.islice(rows, number)]
    if len(found) < number:
        raise Refused(f"{number} flows announced, {len(found)} there")
    row = next(rows, None)
    if row:
        warn(f"line {row[0]} and what follows is ignored: line {line} says {number} flows")
    return found
