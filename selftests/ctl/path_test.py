# SPDX-License-Identifier: GPL-2.0
"""Tests output and requests of losslessctl path with the kernel of fake_path.c.
Prints TAP.

Usage: path_test.py PROGRAM
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import tap
from command import Command
from tap import equal

test = tap.suite('path')

PROGRAM = sys.argv[1]
HEAD = 'GROUP SWITCH ADAPTIVE GAP_US MOVED SAVED PORTS'
# the largest number of ports of a group
MANY = [f's1p{i}' for i in range(1, 33)]

command = Command(PROGRAM, 'path')
run, said, lines, parsed = command.run, command.said, command.lines, command.parsed


@test
def show():
    groups = [HEAD, '1 3 no 1000 0 5 s1p1 s1p2"?', '7 0 yes 100 1099511627776 3 s2p1 s2p2 ?']
    equal(lines(), groups)
    equal(lines('show'), groups)
    equal(lines(LLE_FAKE_NONE='1', note='no path groups: "losslessctl path set" makes one\n'),
          [HEAD])


@test
def show_json():
    equal(parsed(), [
        {'group': 1, 'switch': 3, 'adaptive': False, 'gap_us': 1000, 'moved': 0, 'saved': 5,
         'ports': ['s1p1', 's1p2"\033']},
        {'group': 7, 'switch': 0, 'adaptive': True, 'gap_us': 100, 'moved': 1 << 40,
         'saved': 3, 'ports': ['s2p1', 's2p2', '']}])
    equal(parsed(LLE_FAKE_NONE='1'), [])


@test
def change():
    equal(said('set', '1', 's1p1', 's1p2'), 'set 1 adaptive 0 gap 0: 11 12\n')
    equal(said('set', '-a', '-g', '250', '4294967295', 's1p2', 's1p1', 's1p3'),
          'set 4294967295 adaptive 1 gap 250: 12 11 13\n')
    equal(said('set', '--adaptive', '--gap', '1', '0', *MANY),
          'set 0 adaptive 1 gap 1: ' + ' '.join(str(10 + i) for i in range(1, 33)) + '\n')
    equal(said('del', '7'), 'del 7\n')


@test
def refused():
    for words in ['show'], ['set', '1', 's1p1', 's1p2'], ['del', '1']:
        equal(run(*words, LLE_FAKE_FAIL='1'), (1, '', 'losslessctl: it failed\n'))
    equal(run('set', '1', 's1p1', 'eth0'), (1, '', 'losslessctl: eth0: no such device in this network namespace\n'))
    equal(run('set', '1', *MANY, 's1p33')[0], 2)


tap.end()
