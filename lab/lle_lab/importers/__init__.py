# SPDX-License-Identifier: GPL-2.0
"""Flows of other simulators as flows of the lab: flow files of HPCC's ns-3, which begin with a
number, and connection matrices of htsim, which begin with "Nodes". Host 5 of a file is host h5.
"""
import collections
import heapq
import itertools

from . import hpcc, htsim
from .text import Refused, rows

LINE_MAX = 255          # RNIC_LINE_MAX, without the final 0


def read(path, warn):
    """Flows of a file. warn: gets what is ignored in it."""
    lines = rows(path)
    first = next(lines, (0, [""]))
    if first[1][0].isdigit():
        return hpcc.flows(itertools.chain([first], lines), warn)
    if first[1][0] == "Nodes":
        return htsim.flows(itertools.chain([first], lines), warn)
    raise Refused("neither flows of HPCC nor a connection matrix of htsim")


def is_args(path):
    """Has a file arguments, such as those of htsim_roce?"""
    _, words = next(rows(path), (0, [""]))
    return any(word.startswith("-") for word in words[:2])


def ordered(flows):
    """Indexes of flows, each after those it waits for, else as in the file."""
    waits = [len(flow.after) for flow in flows]
    waiters = collections.defaultdict(list)
    for i, flow in enumerate(flows):
        for first in flow.after:
            waiters[first].append(i)
    ready = [i for i, number in enumerate(waits) if not number]
    found = []
    while ready:
        found.append(heapq.heappop(ready))
        for i in waiters[found[-1]]:
            waits[i] -= 1
            if not waits[i]:
                heapq.heappush(ready, i)
    if len(found) < len(flows):
        stuck = next(flow for flow, number in zip(flows, waits) if number)
        raise Refused(f"line {stuck.line}: the flow waits for itself")
    return found


def ranges(numbers):
    """The list of "after": "1,4-6"."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def address(hosts, flow, number):
    if f"h{number}" not in hosts:
        raise Refused(f"line {flow.line}: the testbed has no host h{number}")
    return hosts[f"h{number}"]


def converted(flows, hosts):
    """Yields lines for lle_rnic.ko. hosts: addresses by name.

    The first line is "# from NS": the time in the file at which the run, and its first flow,
    begins."""
    # those that wait begin after others
    begin = min((flow.start for flow in flows if not flow.after), default=0)
    yield f"# from {begin}"
    order = ordered(flows)
    number = {i: n for n, i in enumerate(order, 1)}
    for i in order:
        flow = flows[i]
        if flow.src == flow.dst:
            raise Refused(f"line {flow.line}: host {flow.src} sends to itself")
        line = (f"{0 if flow.after else flow.start - begin} {flow.size} "
                f"{address(hosts, flow, flow.src)} {address(hosts, flow, flow.dst)} {flow.prio}")
        if flow.after:
            line += " after " + ranges(number[first] for first in flow.after)
        if len(line) > LINE_MAX - len(flow.comment):
            raise Refused(f"line {flow.line}: the list of flows to wait for is too long")
        yield line + flow.comment
