# SPDX-License-Identifier: GPL-2.0
"""Rows that losslessctl top shows for two samples."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../daemon/view'))
# pylint: disable=wrong-import-position
from top_rows import ORDERS, Sample, fill, make_rows

P1 = {'ifname': 'p1', 'ifindex': 5, 'switch': 0, 'pfc_prios': [3], 'to_alpha': 6}
KEY = {'ifname': 'p1', 'ifindex': 5, 'switch': 0, 'prio': 3}


def sample(time_ns, stats=(), switch=(), port=(), histories=(), **more):
    return Sample({
        'time_ns': time_ns, 'ports': [{**P1, **dict(port)}],
        'switches': [{'switch': 0, 'shared_bytes': 1 << 20, 'used_bytes': 0, **dict(switch)}],
        'prios': [{**KEY, **dict(stats)}], 'histories': histories, 'watchdogs': [], **more})


def rows(now, before=Sample(), order='name', active=False, devs=()):
    return make_rows(now, before, order, active, devs)


def test_threshold():
    for shared, used, to_alpha, xoff, want in (
            (1 << 20, 0, 10, 0, 1 << 20), (1 << 20, 0, 13, 0, 1 << 23),
            (1 << 20, 1 << 19, 6, 0, 1 << 15), (1 << 20, 1 << 21, 6, 0, 0),
            (1 << 20, 0, 6, 20000, 20000), (1 << 20, 0, 255, 0, 1 << 30)):
        port = {'to_alpha': to_alpha, **({'xoff_bytes': xoff} if xoff else {})}
        row = rows(sample(1, switch={'shared_bytes': shared, 'used_bytes': used}, port=port))[0]
        assert row['threshold_bytes'] == want, to_alpha


def test_fill_of_the_buffer():
    for occupancy, headroom, limit, want in (
            (0, 0, 1000, 0), (250, 0, 1000, .25), (1500, 500, 1000, 1), (1500, 1501, 1000, 0),
            (1500, 0, 0, 1)):
        assert (fill({'occupancy_bytes': occupancy, 'headroom_bytes': headroom,
                    'threshold_bytes': limit}) ==
                want)


def test_counters():
    before = sample(1000, {'rx_bytes': 2**64 - 101, 'tx_bytes': 7, 'drops': {'a': 3, 'b': 4}})
    now = {'rx_bytes': 2**64 - 1, 'tx_bytes': 1007, 'drops': {'a': 5, 'b': 9}}
    row = rows(sample(3000, now), before)[0]
    assert (row['rx_bytes'], row['tx_bytes'], row['dropped_packets']) == (100, 1000, 7)
    for what in (sample(3000, {**now, 'tx_bytes': 6}), sample(3000, now, port={'ifindex': 6})):
        assert 'rx_bytes' not in rows(what, before)[0], 'began anew'


def test_time_paused():
    """From (total, since) to (total, since), between the times 1000 and 2000."""
    for total, since, later, anew, want in (
            (0, 0, 300, 0, 300), (400, 0, 400, 0, 0), (0, 900, 0, 900, 1000),
            (0, 0, 0, 1600, 400), (0, 600, 650, 0, 250), (50, 600, 700, 1900, 350),
            (0, 0, 0, 2001, 0), (0, 600, 1405, 0, 1000)):
        before, now = (sample(at, histories=[{**KEY, 'direction': 'rx', 'total_ns': ns, **(
            {'since_ns': start} if start else {})}]) for at, ns, start in (
                (1000, total, since), (2000, later, anew)))
        row = rows(now, before)[0]
        assert (row['rx_paused_ns'], row['tx_paused_ns']) == (want, 0), (total, since, later, anew)


def test_which_rows():
    before = sample(1000, {'prio': 0, 'rx_packets': 1, 'rx_bytes': 100})
    assert [row['prio'] for row in rows(before)] == [0, 3], 'had packets, or has PFC'
    assert rows(sample(2000, {'prio': 0, 'rx_packets': 1, 'rx_bytes': 100}), before,
                active=True) == []
    for stats in ({'rx_bytes': 200}, {'rx_bytes': 100, 'backlog_bytes': 1},
                  {'rx_bytes': 100, 'rx_paused': True}):
        now = sample(2000, {'prio': 0, **stats})
        assert [row['prio'] for row in rows(now, before, active=True)] == [0], stats
        assert rows(now, before, active=True, devs=['p2']) == []


def test_order():
    ports = [{**P1, 'ifname': name, 'ifindex': i, 'switch': switch, 'xoff_bytes': 1000}
             for i, (name, switch) in enumerate((('p10', 0), ('p9', 0), ('p2', 0), ('p1', 1)))]
    key = [{'ifindex': p['ifindex'], 'switch': p['switch'], 'prio': 3} for p in ports]
    now = sample(100, ports=ports, prios=[
        {**k, 'occupancy_bytes': n} for k, n in zip(key, (100, 200, 100, 900))], histories=[
            {**k, 'direction': direction, 'total_ns': ns} for direction, times in (
                ('rx', (5, 0, 80, 0)), ('tx', (90, 0, 3, 0))) for k, ns in zip(key, times)])
    before = sample(0, ports=ports)
    assert ({name: [row['ifname'] for row in rows(now, before, name)] for name in ORDERS} ==
            {
        'name': ['p2', 'p9', 'p10', 'p1'], 'buffer': ['p1', 'p9', 'p2', 'p10'],
        'paused': ['p10', 'p2', 'p9', 'p1']})
