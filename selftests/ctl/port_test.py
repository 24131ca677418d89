# SPDX-License-Identifier: GPL-2.0
"""Tests losslessctl port and losslessctl DEV with the kernel of fake.c. Prints TAP.

Usage: port_test.py PROGRAM
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import tap
from command import Command
from tap import equal

test = tap.suite('port')
command = Command(sys.argv[1], 'port')
of_dev = Command(sys.argv[1], 'swp1')
lines, parsed = command.lines, command.parsed

HEAD = 'PORT SWITCH LINK FACING PEER RATE MTU PFC'
SWP1 = 'swp1 0 up 10Gbit edge - 10Gbit 1500 3'


@test
def link_state():
    equal([' '.join(line.split()[:4]) for line in lines()][1:4],
          ['swp1 0 up 10Gbit', 'swp2 0 no carrier', 'swp10 0 down edge'])
    equal([(p['link'], p.get('speed_bytes_per_s')) for p in parsed()][:3],
          [('up', 1250000000), ('no carrier', None), ('down', None)])


@test
def what_is_configured_and_what_is_in_force():
    equal(lines('swp1'), [HEAD, SWP1, 'rate unlimited: 10Gbit in force',
                          'headroom auto: 40000 in force', 'xon-delta auto: 3028 in force',
                          'gso auto: whole in force'])
    # all as configured
    equal(lines('swp2')[2:], [])
    one, = parsed('swp1')
    keys = 'rate_bytes_per_s', 'headroom_bytes', 'xoff_bytes', 'xon_delta_bytes', 'gso'
    equal([one.get(key) for key in keys], [1250000000, 40000, None, 3028, 'whole'])
    equal(one['configured'], {'gso': 'auto'})
    two, = parsed('swp2')
    equal(two['configured'], {'rate_bytes_per_s': 125000000, 'headroom_bytes': 40000,
                              'xon_delta_bytes': 2000, 'gso': 'split'})
    equal([two.get(key) for key in keys], [125000000, 40000, None, 2000, 'split'])


@test
def device_as_first_word():
    shown = of_dev.lines()
    equal(shown[:2], [HEAD, SWP1])
    equal(shown[-2:], ['PORT PRIO RX-PACKETS TX-PACKETS RX-PAUSES RX-PAUSED TX-PAUSES TX-PAUSED',
                       'swp1 3 0 0 0 0ns 0 0ns'])
    one, = of_dev.parsed()
    equal((one['ifname'], one['link'], [p['prio'] for p in one['prios']]), ('swp1', 'up', [3]))


tap.end()
