#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Situations of a port: situations.tab has one a line, and this runs each.

A line is

    device path load event verdict [what]

What stands between host and switch, what the switch does with packets, the traffic, what
happens meanwhile, and how it shall end:

    lossless P      sent and received are equal; priority P and no other is paused, at the
                    ports that packets came in by ("-": at none); all is accounted, and
                    nothing is left
    refused TEXT    the command fails with TEXT, and changes nothing
    loud NAME       each lost packet is counted; NAME is a counter that has grown, or in what
                    losslessd or the doctor says
    unharmed [NAME] copies cost their originals no time, and cause no pause; those that are
                    dropped count as NAME
    missed VERDICT  VERDICT is right and does not hold yet; a line that holds fails
    n/a REASON      a pair that cannot be; devices and paths may be lists

A pair of device and path without a line fails.

LLE_PLANT=1 puts a fault into each line, and requires that it fails: a host that obeys no
pause; a device that is accepted; a line without its cause; real congestion.
LLE_LINES: an expression; only lines that match run.
"""
import os
import re

from lib import KsftSkipEx, ksft_fail, ksft_run
from situations import judge, table
from situations.testbed import Testbed
from situations.devices import DEVICES, LAYER2
from situations.events import EVENTS
from situations.loads import LOADS, warm_up
from situations.paths import PATHS

PLANT = os.environ.get('LLE_PLANT', '') not in ('', '0')
LINES = os.environ.get('LLE_LINES', '')


def run(line, planted=False):
    """Sets up, runs and judges a line; returns what is wrong."""
    device, path, event = line.device, line.path, line.event
    tb = Testbed(planted and line.verdict == 'lossless')
    if planted and line.verdict == 'loud':
        device, event = 'veth', '-'
        path = 'bridged' if line.device in LAYER2 else 'routed'
    elif planted and line.verdict == 'refused':
        device = 'veth'
    tb.base = 'bridged' if device in LAYER2 else 'routed'
    tb.v6 = path == 'routed6' or device == 'sit'
    tb.v6_below = device in ('ip6tnl', 'ip6gre')
    tb.may_attach = line.verdict != 'refused'
    if line.load == '20of100':
        tb.rate |= {'p1': '100mbit', 'p3': '100mbit'}
    if event == 'queues':
        tb.queues = 'numtxqueues 4 numrxqueues 4'
    try:
        tb.links()
        PATHS[path](tb, device)
        if planted and line.verdict == 'unharmed':
            tb.rate['p3'] = '10mbit'
        tb.flush()
        if line.verdict != 'refused' or event != '-':
            tb.qdiscs()
        if line.verdict == 'loud':
            judge.listen(tb)
        if EVENTS[event]:
            EVENTS[event](tb)
            tb.flush()
        if line.verdict == 'refused':
            if planted:
                tb.attempt = ('sw', 'tc', 'qdisc', 'add', 'dev', 'p4', 'root', 'handle', '9:',
                               'lossless')
            judge.refused(tb, line.what)
        else:
            warm_up(tb)
            sent, receiver = LOADS[line.load](tb)
            judge.VERDICTS[line.verdict](tb, line.what, sent, receiver)
    except KsftSkipEx:
        raise
    except (RuntimeError, OSError) as why:
        tb.faults.append(f'{type(why).__name__}: {why}')
    finally:
        tb.end()
    return tb.faults


def as_test(line):
    """The test of a line."""
    def test():
        if line.verdict == 'missed':
            verdict, what = line.what.split(None, 1)
            if not PLANT and not run(line._replace(verdict=verdict, what=what)):
                ksft_fail(f'line {line.number}: holds, so it is no longer missed')
            return
        faults = run(line, PLANT)
        if PLANT and not faults:
            ksft_fail(f'line {line.number}: passes with a fault')
        if not PLANT:
            for fault in faults:
                ksft_fail(fault)
    test.__name__ = ' '.join(line[:5]) + f' {line.what}'.rstrip()
    return test


def all_pairs():
    """Each pair of device and path has a line."""
    for fault in table.faults(lines, absent, DEVICES, PATHS):
        ksft_fail(fault)


lines, absent = table.load()
ksft_run([all_pairs] + [as_test(line) for line in lines
                        if re.search(LINES, ' '.join(line[:5]))])
