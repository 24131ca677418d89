# SPDX-License-Identifier: GPL-2.0
"""Tests losslessctl tree and explain with answers of a fake losslessctl. $VIEWS has
losslessctl-tree and losslessctl-explain."""
import json
import os
import sys
import tempfile

from command import Command


MS = 10**6
NOW = 100 * 1000 * MS
MAC = '02:00:00:00:00:03'
FAKE = f'''#!{sys.executable}
import json, sys
words = sys.argv[2:]
state = json.load(open(sys.argv[0] + '.json'))
if words[0] == 'port':
    print(json.dumps([p for p in state['ports'] if p['ifname'] == words[2]]))
else:
    print(json.dumps(state['deadlocks'] if words[0] == 'deadlock' else state))
'''
folder = tempfile.TemporaryDirectory()
CTL = os.path.join(folder.name, 'losslessctl')
with open(CTL, 'w', encoding='ascii') as file:
    file.write(FAKE)
os.chmod(CTL, 0o755)


class State:
    """Ports p0, p1, ... of switches 0, 0, 1, 1, ..., with priority 3."""

    def __init__(self, num=6):
        self.ports = [{'ifname': f'p{i}', 'ifindex': 10 * i + 10, 'switch': i // 2,
                       'facing': 'edge', 'peer_mac': MAC} for i in range(num)]
        self.prios = [{'ifindex': p['ifindex'], 'prio': 3, 'backlog_bytes': 0, 'occupancy_bytes': 0}
                      for p in self.ports]
        self.histories, self.queues, self.watchdogs, self.deadlocks = [], {}, [], []

    def link(self, a, b):
        for i, peer in (a, b), (b, a):
            other = self.ports[peer]
            self.ports[i] |= {'peer': other['ifname'], 'peer_ifindex': other['ifindex'],
                              'facing': 'fabric'}

    def paused(self, i, direction, ended=None):
        """@ended: ms ago; None: it lasts."""
        start = NOW - 1000 * MS
        history = {'ifindex': 10 * i + 10, 'prio': 3, 'direction': direction,
                   'paused': ended is None, 'count': 2, 'total_ns': 30 * MS,
                   'longest_ns': 20 * MS, 'episodes': []}
        if ended is None:
            history['since_ns'] = start
        else:
            history['episodes'] = [{'start_ns': start,
                                    'duration_ns': NOW - ended * MS - start}]
        self.histories.append(history)

    def waits(self, at, ingress, num):
        self.queues.setdefault(at, []).append({'ifindex': 10 * ingress + 10, 'bytes': num})
        self.prios[at]['backlog_bytes'] += num
        self.prios[ingress]['occupancy_bytes'] += num

    def chain(self):
        """host -> p0 [switch] p1 -- p2 [switch] p3 -> host that pauses."""
        self.link(1, 2)
        for i, direction in (3, 'rx'), (2, 'tx'), (1, 'rx'), (0, 'tx'):
            self.paused(i, direction)
        self.waits(3, 2, 500)
        self.waits(1, 0, 400)

    def run(self, name, *words):
        queues = [{'ifindex': 10 * i + 10, 'prio': 3, 'waiting': waiting}
                  for i, waiting in self.queues.items()]
        with open(f'{CTL}.json', 'w', encoding='ascii') as out:
            json.dump({**vars(self), 'time_ns': NOW, 'queues': queues}, out)
        command = Command(program=os.path.join(os.environ['VIEWS'], f'losslessctl-{name}'))
        return command.run(*words, LOSSLESSCTL=CTL)[1]

    def nodes(self, key='id'):
        return [f'{n["ifname"]} {n["side"]}' for n in
                json.loads(self.run('tree', '-j'))['nodes'] if n.get(key) not in (None, False)]


def test_a_chain():
    state = State()
    state.chain()
    assert (state.run('tree').splitlines() ==
            [
        f'p3 prio 3: paused by {MAC} for 1.000s, 500 bytes wait',
        '  p2 prio 3: pauses p1 for 1.000s, 500 bytes have come and wait, 500 at p3',
        '    p1 prio 3: paused by p2 for 1.000s, 400 bytes wait',
        f'      p0 prio 3: pauses {MAC} for 1.000s, 400 bytes have come and wait, 400 at p1'])
    assert ([line.split()[0] for line in state.run('tree', 'p0').splitlines()] ==
            ['p0', 'p1', 'p2', 'p3'])
    assert (state.nodes('root'), state.nodes('loop')) == (['p3 egress'], [])


def test_a_pause_that_has_just_ended():
    """Pauses of a storm come and go; what is long over does not count."""
    state = State()
    state.paused(3, 'rx', ended=2)
    state.paused(2, 'rx', ended=60)
    assert (state.run('tree') ==
            f'p3 prio 3: paused by {MAC} for 998.000ms until 2.000ms ago, 0 bytes wait\n')
    assert state.nodes('paused') == []


def test_what_only_passes_is_no_cause():
    state = State()
    state.paused(0, 'tx')
    state.paused(1, 'rx')
    state.waits(1, 0, 950)
    state.waits(2, 0, 50)
    assert state.nodes('root') == ['p1 egress']
    state.waits(3, 0, 200)
    assert state.nodes('root') == ['p1 egress', 'p3 egress']


def ring():
    state = State()
    for i in (0, 2, 4):
        state.link(i + 1, (i + 2) % 6)
        state.paused(i + 1, 'rx')
        state.paused(i, 'tx')
        state.waits(i + 1, i, 100)
    return state


def test_a_loop():
    state = ring()
    assert (state.nodes('root'), len(state.nodes('loop'))) == ([], 6)
    state.histories[0] |= {'paused': False}
    assert (len(state.nodes('root')), state.nodes('loop')) == (1, []), 'it is open'


def test_ports_that_are_gone():
    state = State()
    state.paused(9, 'tx')
    state.queues = {1: [{'ifindex': 770, 'bytes': 9}]}
    state.ports[3] |= {'peer_ifindex': 3}
    assert state.nodes() == []


def test_explain_a_chain():
    state = State()
    state.chain()
    assert (state.run('explain', 'p0').splitlines() ==
            [
        f'p0 prio 3: pauses {MAC} for 1.000s, 400 bytes have come and wait',
        '  because of: p1 <- p2 <- p3',
        f'  begins: at p3: {MAC}, a host outside this network namespace, pauses it',
        '  before: 2 pauses, 30.000ms in total, the longest 20.000ms',
        '  storm: no watchdog is on at p3',
        f'  do: look at {MAC}: a slow receiver, or a broken NIC; '
        'limit it: losslessctl watchdog start p3 200 prio 3'])
    state.watchdogs = [{'ifindex': 40, 'prio': 3, 'detection_ms': 200, 'action': 'drop',
                        'status': 'stormed', 'detected_ns': NOW - 800 * MS}]
    assert (state.run('explain', 'p0').splitlines()[4:] ==
            [
        '  storm: found 800.000ms ago, action drop',
        f'  do: reset or replace the NIC of {MAC}: it pauses without end'])
    found = json.loads(state.run('explain', '-j', 'p1'))
    assert ([(e['side'], e['path'], e['origin'], e['stormed']) for e in found] ==
            [('egress', ['p1', 'p2', 'p3'], 'peer', True)])


def test_explain_other_origins():
    def origin(state, dev):
        return [e['origin'] for e in json.loads(state.run('explain', '-j', dev))]

    state = State()
    state.paused(0, 'tx')
    assert origin(state, 'p0') == ['receiver']
    state.waits(1, 0, 500)
    assert origin(state, 'p0') == ['congestion']
    state = ring()
    assert origin(state, 'p0') == ['loop']
    state.deadlocks = [{'id': '1.1', 'prio': 3, 'holds': True, 'loop': [{'egress': 'p3'}]}]
    assert origin(state, 'p0') == ['deadlock']


def test_explain_what_is_over():
    state = State()
    assert state.run('explain', 'p0').splitlines()[1] == '  last: no pauses so far'
    state.paused(0, 'tx', ended=400)
    assert (state.run('explain', 'p0').splitlines() ==
            [
        'p0: not paused, and pauses no peer',
        '  last: prio 3 paused its peer for 600.000ms, until 400.000ms ago'])
