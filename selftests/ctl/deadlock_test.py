# SPDX-License-Identifier: GPL-2.0
"""Tests the output of losslessctl deadlock with the kernel of fake_deadlock.c."""
import json
import re
import shutil
import subprocess

from command import Command

RING = ('s1p1 -> s1p2 -> s2p1 -> s2p2 -> s3p1 -> s3p2 -> switch 4 port 0 -> switch 4 port 1'
        ' -> s1p1 (4 switches, 420 kB stuck); triggered by the host at s3"p3?'
        ' (02:00:00:00:00:03); formed within 300.000us')
OTHERS = [
    'deadlock 2.1 on priority 4: s2p1 -> s2p3 -> ... -> s2p1 (the rest is not known, 9999'
    ' bytes stuck); triggered by the host at switch 9 port 200; found 5.000us later; freed by'
    ' parking 52 kB and dropping 1000 bytes; the host that triggered it is quarantined, 2.000s ago',
    'deadlock 7.1 on priority 5: switch 7 port 0 -> switch 7 port 1 -> switch 7 port 0'
    ' (1 switch, 105 kB stuck); triggered by switch 7 port 0; found 7.000us later; freed, as'
    ' there was room by then, 59.999s ago',
]


command = Command('deadlock')
run, said, parsed = command.run, command.said, command.parsed
monitor_of = Command('monitor').run


def lines(*words, **env):
    return said(*words, **env).splitlines()


def test_show():
    assert lines() == [
        f'deadlock 2.2 on priority 3: {RING}, found 12.000us later, 999.988ms ago; it holds',
        f'{OTHERS[0]}; it is over', f'{OTHERS[1]}; whether it holds is not known here']


def test_show_one_that_is_over():
    assert lines('show', LLE_FAKE_OVER='1')[0].split('; ')[-1] == 'it is over'


def test_history():
    assert lines('history') == [
        f'deadlock 2.2 on priority 3: {RING}, found 12.000us later, 999.988ms ago', OTHERS[0],
        f'deadlock 1.1 on priority 3: {RING}, found 1.000us later, 49.999s ago', OTHERS[1]]


def test_show_as_json():
    got = parsed('show')
    assert ([(d['id'], d['duplicates'], d.get('holds')) for d in got] ==
            [('2.2', 1, True), ('2.1', 0, False), ('7.1', 0, None)])
    ring = got[0]
    loop = ring.pop('loop')
    trigger = {'switch': 3, 'slot': 2, 'ifname': 's3"p3\x1b', 'host': True,
               'peer_mac': '02:00:00:00:00:03', 'seq': 0}
    assert ring == {
        'id': '2.2', 'switch': 2, 'number': 2, 'prio': 3, 'formed_ns': 98999700000,
        'closed_ns': 99000000000, 'found_ns': 99000012000, 'bytes': 420000,
        'initiator': {'switch': 2, 'slot': 0, 'ifname': 's2p1', 'host': False, 'seq': 17},
        'trigger': trigger, 'cure': 'left', 'parked_bytes': 0, 'dropped_bytes': 0,
        'resolved': False, 'whole': True, 'reports': ['3.1', '2.2'], 'duplicates': 1,
        'now_ns': 100000000000, 'holds': True}
    assert [hop['switch'] for hop in loop] == [1, 2, 3, 4]
    assert [hop['since_ns'] for hop in loop] == [98999900000, 98999800000, 98999700000, 99000000000]
    assert loop[0] == {
        'switch': 1, 'ingress_slot': 0, 'ingress': 's1p1', 'egress_slot': 1, 'egress': 's1p2',
        'bytes': 105000, 'since_ns': 98999900000, 'trigger': trigger}
    assert 'ingress' not in loop[3], 'a name that is not known'


def test_history_as_json():
    got = parsed('history')
    assert ([(d['id'], d['whole'], len(d['loop'])) for d in got] ==
            [('2.2', True, 4), ('2.1', False, 1), ('1.1', True, 4), ('7.1', True, 1)])
    assert [d for d in got if 'holds' in d] == [], 'nobody knows what was'


def test_none():
    assert lines(LLE_FAKE_NONE='1', note='no deadlock so far\n') == []
    assert lines('history', LLE_FAKE_NONE='1', note='no deadlock so far\n') == []
    assert parsed(LLE_FAKE_NONE='1') == []
    assert run('graph', LLE_FAKE_NONE='1') == (1, '', 'losslessctl: deadlock: none is known\n')


def graph(*words, **env):
    """Nodes with their labels, and edges."""
    text = lines('graph', *words, **env)
    nodes = {}
    for line in text:
        found = re.match(r'\t(\w+) \[label="((?:[^"\\]|\\.)*)"', line)
        if found and found[1] not in ('graph', 'node', 'edge'):
            nodes[found[1]] = found[2]
    return nodes, [tuple(m.groups()) for m in
                   (re.match(r'\t(\w+) -> (\w+) ', line) for line in text) if m]


def test_graph_of_the_newest():
    nodes, edges = graph()
    assert nodes == {
        's1': 'switch 1', 's2': 'switch 2', 's3': 'switch 3', 's4': 'switch 4',
        'l0': r's1p2 &rarr; s2p1\n105 kB', 'l1': r's2p2 &rarr; s3p1\n105 kB',
        'l2': r's3p2 &rarr; port 0\n105 kB', 'l3': r'port 1 &rarr; s1p1\n105 kB',
        'begins': r'pauses s3\"p3?,\ninitial trigger', 'culprit': r'host\n02:00:00:00:00:03'}
    assert edges == [
        ('s1', 'l0'), ('l0', 's2'), ('s2', 'l1'), ('l1', 's3'), ('s3', 'l2'), ('l2', 's4'),
        ('s4', 'l3'), ('l3', 's1'), ('begins', 's3'), ('culprit', 'begins')]


def test_graph_of_a_loop_that_is_not_known():
    nodes, edges = graph('2.1')
    assert nodes == {'s2': 'switch 2', 'l0': r's2p3 &rarr; ?\n9999 bytes',
                     'begins': r'pauses port 200,\ninitial trigger', 'culprit': r'switch 9\nhost'}
    assert edges == [('s2', 'l0'), ('l0', 's2'), ('culprit', 'begins')]


def test_graph_of_a_switch_that_has_begun():
    nodes, edges = graph('7.1')
    assert nodes == {'s7': 'switch 7', 'l0': r'port 1 &rarr; port 0\n105 kB',
                     'begins': r'initial trigger\nport 0'}
    assert edges == [('s7', 'l0'), ('l0', 's7'), ('begins', 's7')]


def test_trigger_that_is_not_known():
    assert lines('show', LLE_FAKE_UNKNOWN='1')[0].split('; ')[1] == 'its trigger is not known'
    found = parsed('show', LLE_FAKE_UNKNOWN='1')[0]
    assert 'trigger' not in found and 'trigger' not in found['loop'][0]
    assert graph(LLE_FAKE_UNKNOWN='1')[0].keys() & {'begins', 'culprit'} == set()


def test_graph_of_a_duplicate():
    assert graph('3.1')[0].keys() == graph()[0].keys()


def test_graph_of_one_that_there_is_not():
    assert run('graph', '2.9') == (1, '', 'losslessctl: deadlock: none is called "2.9"\n')


def test_graph_of_a_long_loop():
    """Each node has a place of its own."""
    for num in (2, 3, 64):
        text = lines('graph', LLE_FAKE_SWITCHES=str(num))
        places = re.findall(r'pos="([-0-9.]+,[-0-9.]+)!"', '\n'.join(text))
        assert (len(places), len(set(places))) == (2 * num + 2,) * 2, num


def test_monitor():
    """A monitor of all events prints deadlocks, too."""
    for words in ((), ('deadlock',), ('storm', 'deadlock')):
        assert monitor_of(*words) == (
            1, f'[99.000012000] deadlock 2.2 on priority 3: {RING}, found 12.000us later\n',
            'losslessctl: it failed\n'), words
    assert monitor_of('storm')[0:2] == (1, ''), 'storm'


def test_monitor_as_json():
    event = json.loads(monitor_of('-j')[1])
    assert (event.pop('event'), event.pop('time_ns')) == ('deadlock', 99000012000)
    got = parsed('show')[0]
    ours = 'reports', 'duplicates', 'now_ns', 'holds'
    assert event == {key: got[key] for key in got if key not in ours}


def test_dot_takes_graphs():
    if not shutil.which('dot'):
        return
    for name in ('2.1', '2.2', '7.1'):
        done = subprocess.run(['dot', '-Tsvg'], input=said('graph', name), text=True,
                              capture_output=True, check=False)
        assert done.returncode == 0, f'{name}: {done.stderr}'
