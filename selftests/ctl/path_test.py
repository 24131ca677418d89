# SPDX-License-Identifier: GPL-2.0
"""Tests output and requests of losslessctl path with the kernel of fake_path.c."""
from command import Command

HEAD = 'GROUP SWITCH ADAPTIVE GAP_US MOVED SAVED PORTS'
# the largest number of ports of a group
MANY = [f's1p{i}' for i in range(1, 33)]

command = Command('path')
run, said, lines, parsed = command.run, command.said, command.lines, command.parsed


def test_show():
    groups = [HEAD, '1 3 no 1000 0 5 s1p1 s1p2"?', '7 0 yes 100 1099511627776 3 s2p1 s2p2 ?']
    assert lines() == groups
    assert lines('show') == groups
    assert (lines(LLE_FAKE_NONE='1', note='no path groups: "losslessctl path set" makes one\n') ==
            [HEAD])


def test_show_json():
    assert parsed() == [
        {'group': 1, 'switch': 3, 'adaptive': False, 'gap_us': 1000, 'moved': 0, 'saved': 5,
         'ports': ['s1p1', 's1p2"\033']},
        {'group': 7, 'switch': 0, 'adaptive': True, 'gap_us': 100, 'moved': 1 << 40,
         'saved': 3, 'ports': ['s2p1', 's2p2', '']}]
    assert parsed(LLE_FAKE_NONE='1') == []


def test_change():
    assert said('set', '1', 's1p1', 's1p2') == 'set 1 adaptive 0 gap 0: 11 12\n'
    assert (said('set', '-a', '-g', '250', '4294967295', 's1p2', 's1p1', 's1p3') ==
            'set 4294967295 adaptive 1 gap 250: 12 11 13\n')
    assert (said('set', '--adaptive', '--gap', '1', '0', *MANY) ==
            'set 0 adaptive 1 gap 1: ' + ' '.join(str(10 + i) for i in range(1, 33)) + '\n')
    assert said('del', '7') == 'del 7\n'


def test_refused():
    for words in ['show'], ['set', '1', 's1p1', 's1p2'], ['del', '1']:
        assert run(*words, LLE_FAKE_FAIL='1') == (1, '', 'losslessctl: it failed\n')
    assert (run('set', '1', 's1p1', 'eth0') ==
            (1, '', 'losslessctl: eth0: no such device in this network namespace\n'))
    assert run('set', '1', *MANY, 's1p33')[0] == 2
