# SPDX-License-Identifier: GPL-2.0
"""Tests the output of losslessctl congestion with the kernel of
fake_congestion.c."""
import json
import re
import shutil
import subprocess

from command import PROGRAM, Command

HEAD = 'PORT PRIO ROLE FB QUEUE WINDOW ISOLATED IDS HELD TELLS'
S2P2 = [
    's2p2 3 root 17 123456 3000/70000 43000 34 1 1',
    '    deadbeef: 40000 bytes, local, 2 neighbours asked',
    '    00000001: 2000 bytes, both, held', '    00000002: 1000 bytes, lingering',
    '    00000003: 0 bytes, remote', '    and 30 more']
QUIET = [f'{port} none 0 0 - 0 0 0 0' for port in ('s1p3 3', 's1p3 4', 's2"p3? 4')]

command = Command('congestion')
run, said, parsed = command.run, command.said, command.parsed


def lines(*words, **env):
    """Output lines, with one space between columns."""
    return [re.sub('(?<=\\S) +', ' ', line) for line in said(*words, **env).splitlines()]


def graph(**env):
    """Nodes of each switch, (label, colour) of all nodes, and visible edges."""
    switches, nodes, edges, switch = {}, {}, [], None
    for line in said('graph', **env).splitlines():
        begin = re.match(r'\tsubgraph cluster_(\d+) ', line)
        node = re.match(r'\t+([pn]\d\w+) \[label="((?:[^"\\]|\\.)*)".*?(?:fillcolor="(.*)")?]',
                        line)
        edge = re.match(r'\t(\w+) -> (\w+) \[label="(\w+)"', line)
        if begin:
            switch = int(begin[1])
            switches[switch] = []
        elif line == '\t}':
            switch = None
        if node:
            nodes[node[1]] = (node[2], node[3])
            if switch is not None:
                switches[switch].append(node[1])
        if edge:
            edges.append(edge.groups())
    return switches, nodes, edges


def test_show():
    assert lines() == [
        HEAD, 's1p1 3 none 0 0 - 0 0 0 1', 's1p2 3 edge 0 0 - 5000 1 1* 0',
        '    0000beef: 5000 bytes, remote, held, 1 neighbour asked',
        's2p1 3 none 0 0 - 0 0 0 2', *S2P2, 's2"p3? 3 inner 63 0 - 0 0 0 0*',
        's3p1 3 unknown 0 0 - 0 0 0 3', 's3p2 3 none 0 0 - 0 0 0 1']


def test_columns():
    """Numbers end below the names of their columns."""
    head, *rows = [line for line in said().splitlines() if line[0] != ' ']
    row = next(line for line in rows if line.startswith('s2p2'))
    for name, value in (('QUEUE', '123456'), ('WINDOW', '3000/70000'), ('ISOLATED', '43000'),
                        ('IDS', '34'), ('TELLS', '1')):
        end = head.index(name) + len(name)
        assert row[:end].endswith(f' {value}'), name


def test_show_all():
    assert sorted(set(lines('show', '-a')) - set(lines('show'))) == QUIET
    assert lines('--all') == lines('show', '-a')


def test_show_a_port():
    assert lines('show', 's2p2') == [HEAD, *S2P2]
    note = 'no port is in a region of congestion; -a shows all\n'
    assert lines('show', 's1p3', note=note) == [HEAD]
    assert lines('show', '-a', 's1p3') == [HEAD, *QUIET[:2]]
    assert lines('show', 's2p2', '4', note=note) == [HEAD]
    assert lines('show', 's2p2', '3,4') == [HEAD, *S2P2]
    assert lines('show', '-a', 's2"p3\033', '4') == [HEAD, QUIET[2]]


def test_show_as_json():
    got = {(o['ifname'], o['prio']): o for o in parsed('show')}
    assert list(got) == [('s1p1', 3), ('s1p2', 3), ('s2p1', 3), ('s2p2', 3), ('s2"p3\033', 3),
                         ('s3p1', 3), ('s3p2', 3)]
    root = got['s2p2', 3]
    isolated = root.pop('isolated')
    assert root == {
        'ifname': 's2p2', 'ifindex': 22, 'switch': 2, 'prio': 3, 'role': 'root', 'fb': 17,
        'fbr': 0, 'virtual_bytes': 123456, 'w_bytes': 70000, 'wc_bytes': 3000,
        'isolated_bytes': 43000, 'ids': 34, 'held': 1, 'class_held': False, 'tells': 1,
        'tells_class': False, 'in_bytes': 0, 'room_bytes': 56000, 'qeq_bytes': 15000,
        'identified': 40, 'regions': 3, 'root_ns': 70000,
        'cn_sent': 0, 'cn_received': 0, 'cn_ignored': 0}
    assert len(isolated) == 4
    assert isolated[:2] == [
        {'id': 0xdeadbeef, 'bytes': 40000, 'local': True, 'remote': False, 'held': False,
         'asked': 2},
        {'id': 1, 'bytes': 2000, 'local': True, 'remote': True, 'held': True, 'asked': 0}]
    host = got['s1p1', 3]
    assert ([host[key] for key in ('in_bytes', 'cn_sent', 'cn_received', 'cn_ignored')] ==
            [5000, 7, 8, 9])
    assert 'w_bytes' not in host and 'wc_bytes' not in host, 'a window that there is not'
    edge = got['s1p2', 3]
    assert (edge['fbr'], edge['class_held'], got['s2"p3\033', 3]['tells_class']) == (21, True, True)
    assert len(parsed('-a')) == 10


def test_none():
    assert (lines(LLE_FAKE_NONE='1',
                 note='no priority of a port has RCM: rcm of tc-lossless(8) turns it on\n') ==
            [HEAD])
    assert parsed('-a', LLE_FAKE_NONE='1') == []
    assert graph(LLE_FAKE_NONE='1') == ({}, {}, [])


def test_refused():
    for words in ((), ('-j',), ('show', 's2p2'), ('graph',)):
        assert run(*words, LLE_FAKE_FAIL='1') == (1, '', 'losslessctl: it failed\n'), words


def test_graph_of_regions():
    switches, nodes, edges = graph()
    assert switches == {1: ['p11_3', 'p12_3', 'p13_3'], 2: ['p21_3', 'p22_3', 'p23_3'],
                        3: ['p31_3', 'p32_3']}
    assert {name: label for name, (label, _) in nodes.items()} == {
        'p11_3': 's1p1 prio 3', 'p12_3': r's1p2 prio 3\nedge\n1 isolated, 1 held',
        'p13_3': 's1p3 prio 3', 'p21_3': 's2p1 prio 3',
        'p22_3': r's2p2 prio 3\nroot\n34 isolated, 1 held', 'p23_3': r's2\"p3? prio 3\ninner',
        'p31_3': r's3p1 prio 3\nunknown', 'p32_3': 's3p2 prio 3', 'n11_3': 'host',
        'n22_3': 'veth9', 'n31_3': 'neighbour', 'n32_3': 'neighbour'}
    assert edges == [
        ('p11_3', 'n11_3', '1'), ('p21_3', 'p12_3', '2'), ('p22_3', 'n22_3', '1'),
        ('p23_3', 'p13_3', 'all'), ('p31_3', 'n31_3', '3'), ('p32_3', 'n32_3', '1')]
    colours = {nodes[name][1] for name in ('p11_3', 'p12_3', 'p22_3', 'p23_3')}
    assert len(colours) == 4, 'each role has its own'
    assert {nodes[name][1] for name in ('p13_3', 'p31_3')} == {nodes['p11_3'][1]}, 'no role'


def monitor(*words):
    done = subprocess.run([PROGRAM, 'monitor', *words], text=True, capture_output=True,
                          check=False)
    assert (done.returncode, done.stderr) == (1, 'losslessctl: it failed\n'), 'ends with events'
    return done.stdout.splitlines()


def test_roots_as_they_come():
    assert monitor('congestion') == [
        '[5.000000100] port s2p2, prio 3 is congested',
        '[5.000213142] port s2p2, prio 3 was congested for 213.042us, by 2']
    begun, ended = (json.loads(line) for line in monitor('-j', 'congestion'))
    assert begun == {
        'event': 'congestion', 'time_ns': 5000000100, 'ifname': 's2p2', 'ifindex': 22,
        'switch': 2, 'prio': 3, 'root': True, 'since_ns': 5000000100, 'identified': 0}
    assert ended == {**begun, 'time_ns': 5000213142, 'root': False, 'identified': 2}
    assert monitor('storm') == [], 'what is not asked for'


def test_dot_takes_the_graph():
    if not shutil.which('dot'):
        return
    done = subprocess.run(['dot', '-Tsvg'], input=said('graph'), text=True,
                          capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, '')
