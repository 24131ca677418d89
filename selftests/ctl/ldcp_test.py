# SPDX-License-Identifier: GPL-2.0
"""Tests the output of losslessctl ldcp with the kernel of fake_ldcp.c."""
from command import Command

HEAD = 'LOCAL PEER PHASE WINDOW RTT_US MIN_US PACKETS MARKED 1ST RETRANS'

command = Command('ldcp')
run, lines, parsed = command.run, command.lines, command.parsed


def test_show():
    sockets = [HEAD, '10.0.0.1:40000 10.0.0.2:5001 stable 0.500 120 40 1000 250 3 3',
               '[2001:db8::1]:65535 [2001:db8::2]:1 first-rtt 33.000 0 0 0 0 0 0',
               '10.0.0.1:40001 10.0.0.3:80 ldcp-reno 0.000 5000 0 0 0 0 0']
    assert lines() == sockets
    assert lines('show') == sockets
    assert lines(LLE_FAKE_NONE='1',
                 note='no TCP socket in this network namespace uses LDCP\n') == [HEAD]


def test_show_json():
    sockets = parsed()
    assert sockets[0] == {
        'address': '10.0.0.1', 'port': 40000, 'peer': '10.0.0.2', 'peer_port': 5001,
        'cc': 'ldcp', 'phase': 'stable', 'window': 0.5, 'rtt_us': 120, 'min_rtt_us': 40,
        'packets': 1000, 'marked': 250, 'first_rtt_lost': 3, 'retrans': 3,
        'acked_bytes': 1 << 40}
    assert ([(s['address'], s['phase'], s['cc']) for s in sockets[1:]] ==
            [('2001:db8::1', 'first-rtt', 'ldcp'), ('10.0.0.1', 'none', 'ldcp-reno')])
    assert parsed(LLE_FAKE_NONE='1') == []


def test_refused():
    assert run('show', LLE_FAKE_FAIL='1') == (1, '', 'losslessctl: it failed\n')
