# SPDX-License-Identifier: GPL-2.0
"""Tests losslessctl port, switch and DEV with the kernel of fake.c."""
from command import Command

command = Command('port')
of_dev = Command('swp1')
of_switch = Command('switch')
lines, parsed = command.lines, command.parsed

HEAD = 'PORT SWITCH LINK FACING PEER RATE MTU PFC'
SWP1 = 'swp1 0 up 10Gbit edge - 10Gbit 1500 3'


def test_link_state():
    assert ([' '.join(line.split()[:4]) for line in lines()][1:4] ==
            ['swp1 0 up 10Gbit', 'swp2 0 no carrier', 'swp10 0 down edge'])
    assert ([(p['link'], p.get('speed_bytes_per_s'))
             for name in ('swp1', 'swp2', 'swp10') for p in parsed(name)] ==
            [('up', 1250000000), ('no carrier', None), ('down', None)])


def test_what_is_configured_and_what_is_in_force():
    assert (lines('swp1') ==
            [HEAD, SWP1, 'rate unlimited: 10Gbit in force', 'headroom auto: 40000 in force',
             'xon-delta auto: 3028 in force', 'gso auto: whole in force'])
    # all as configured
    assert lines('swp2')[2:] == []
    one, = parsed('swp1')
    keys = 'rate_bytes_per_s', 'headroom_bytes', 'xoff_bytes', 'xon_delta_bytes', 'gso'
    assert [one.get(key) for key in keys] == [1250000000, 40000, None, 3028, 'whole']
    assert one['configured'] == {'gso': 'auto'}
    two, = parsed('swp2')
    assert (two['configured'] ==
            {'rate_bytes_per_s': 125000000, 'headroom_bytes': 40000, 'xon_delta_bytes': 2000,
             'gso': 'split'})
    assert [two.get(key) for key in keys] == [125000000, 40000, None, 2000, 'split']


def test_device_as_first_word():
    shown = of_dev.lines()
    assert shown[:2] == [HEAD, SWP1]
    assert (shown[-2:] ==
            ['PORT PRIO RX-PACKETS TX-PACKETS RX-PAUSES RX-PAUSED TX-PAUSES TX-PAUSED',
             'swp1 3 0 0 0 0ns 0 0ns'])
    one, = of_dev.parsed()
    assert (one['ifname'], one['link'], [p['prio'] for p in one['prios']]) == ('swp1', 'up', [3])


def test_one_switch():
    head, one, two = of_switch.lines()
    assert of_switch.lines('7') == [head, two]
    assert two == '7 1 2097152 1048576 0 0 on'
    assert of_switch.parsed('0') == [s for s in of_switch.parsed() if s['switch'] == 0]
    assert of_switch.lines('0')[1] == one
    assert of_switch.run('1') == (1, '', 'losslessctl: it failed\n')
