# SPDX-License-Identifier: GPL-2.0
"""bounds.broken() reports each broken bound, and nothing for a sound run.

A sound run has two hosts at a switch: h1 sends 4 packets of 1000 bytes to h2,
which answers with one. Each test point breaks one fact of this run.
"""
import copy
import json
import math
import pathlib
import tempfile
import types

import pytest

from lle_lab import bounds, faults

COUNTERS = ('rx_packets', 'rx_bytes', 'tx_packets', 'tx_bytes', 'drop_bytes', 'backlog',
            'occupancy_max', 'rx_pause', 'rx_resume', 'tx_pause', 'tx_resume')


def qdisc(node, dev, role, peer, data, acks):
    """data: (received, sent) packets of priority 3, each 1058 bytes; acks: the
    same of priority 7, each 62 bytes."""
    prios = [{'prio': prio, **dict.fromkeys(COUNTERS, 0)} for prio in range(8)]
    for prio, size, (received, sent) in (3, 1058, data), (7, 62, acks):
        prios[prio].update(rx_packets=received, rx_bytes=received * size,
                           tx_packets=sent, tx_bytes=sent * size)
    # 1 Gbit/s
    options = {'rate': 125000000, 'delay': 1000, 'overhead': 24}
    return {'node': node, 'dev': dev, 'role': role, 'peer': peer, 'options': options,
            'rx_malformed': 0, 'wire_bytes': 0, 'prios': prios}


class Folder:
    """Files of a sound run, which tests break."""

    def __init__(self):
        self.testbed = {'hosts': [{'name': 'h1', 'address': '10.0.0.1'},
                              {'name': 'h2', 'address': '10.0.0.2'}]}
        self.qdiscs = {
            's1p1': qdisc('s1', 's1p1', 'edge', 'h1', (4, 0), (0, 1)),
            's1p2': qdisc('s1', 's1p2', 'edge', 'h2', (0, 4), (1, 0)),
            'h1': qdisc('h1', 'eth0', 'host', 's1', (0, 4), (1, 0)),
            'h2': qdisc('h2', 'eth0', 'host', 's1', (4, 0), (0, 1))}
        self.files = {
            'flows': '0 4000 10.0.0.1 10.0.0.2 3\n',
            'flows.csv': 'id,src,dst,prio,size,start_ns,last_ns,received\n'
                         '1,10.0.0.1,10.0.0.2,3,4000,0,40000,4000\n',
            'bins.csv': 'id,0,20000,40000,60000\n1,1000,2000,1000,0\n'}
        self.metrics = {'dropped': 0, 'goodput_share': 0.8, 'share_1': 1.04, 'lost_bytes': 0}
        self.arms = {}
        self.keys = {}
        self.seconds = math.inf
        self.faults = []

    def prio(self, end, prio=3):
        return self.qdiscs[end]['prios'][prio]

    def replace(self, name, old, new):
        assert old in self.files[name], f'{name} has no {old!r}'
        self.files[name] = self.files[name].replace(old, new)

    def write(self, top, arm=''):
        """Files of a run, or of one of its arms."""
        folder, plan = top / arm, top / 'plan/arms' / arm / '1'
        folder.mkdir(exist_ok=True)
        plan.mkdir(parents=True)
        for name, text in {**self.files, 'testbed.json': json.dumps(self.testbed),
                           'stats.json': json.dumps({'qdiscs': [*self.qdiscs.values()]})}.items():
            ((plan if name == 'flows' else folder) / name).write_text(text)

    def check(self):
        scenario = types.SimpleNamespace(arms=list(self.arms), texts=self.keys,
                                         seconds=lambda: self.seconds,
                                         faults=lambda: [faults.fault(f) for f in self.faults])
        with tempfile.TemporaryDirectory() as top:
            for arm, folder in (self.arms or {'': self}).items():
                folder.write(pathlib.Path(top), arm)
            return list(bounds.broken(scenario, pathlib.Path(top), self.metrics))


def broken(folder, *lines):
    assert folder.check() == list(lines)


def test_a_sound_run_has_no_line():
    broken(Folder())


def test_a_lost_packet_names_the_link():
    run = Folder()
    run.prio('s1p1').update(rx_packets=3, rx_bytes=3 * 1058)
    run.prio('s1p2').update(tx_packets=3, tx_bytes=3 * 1058)
    run.prio('h2').update(rx_packets=3, rx_bytes=3 * 1058)
    run.replace('flows.csv', '40000,4000', '-1,3000')
    run.replace('bins.csv', '2000,1000,0', '2000,0,0')
    broken(run, 'link h1-s1p1, priority 3: h1 sent 4 packets, s1p1 received 3: '
                '1 packet not accounted for',
           'link h1-s1p1, priority 3: h1 sent 4232 bytes, s1p1 received 3174: '
           '1058 bytes not accounted for')
    run.faults = ['loss:h1:1%@0s']
    broken(run)
    run.faults = ['stop:h1@0s+1ms']
    assert len(run.check()) == 2


def test_a_packet_from_nowhere_names_the_link():
    run = Folder()
    run.prio('h1', 7).update(rx_packets=2, rx_bytes=124)
    broken(run, 'link s1p1-h1, priority 7: s1p1 sent 1 packet, h1 received 2: '
                '1 packet more than sent',
           'link s1p1-h1, priority 7: s1p1 sent 62 bytes, h1 received 124: '
           '62 bytes more than sent')


def test_truncated_packets_name_the_link():
    run = Folder()
    run.prio('h1', 7).update(rx_bytes=60)
    broken(run, 'link s1p1-h1, priority 7: s1p1 sent 62 bytes, h1 received 60: '
                '2 bytes not accounted for')


def test_a_switch_drops_what_it_counts():
    run = Folder()
    for end, counter in ('s1p2', 'tx'), ('h2', 'rx'):
        run.prio(end).update({f'{counter}_packets': 3, f'{counter}_bytes': 3174})
    run.replace('flows.csv', '40000,4000', '-1,3000')
    run.replace('bins.csv', '2000,1000,0', '2000,0,0')
    broken(run, 'switch s1: 4294 bytes came in, 3236 left, 0 dropped, 0 wait, 0 on the wire: '
                '1058 bytes not accounted for')
    for counter in 'drop_bytes', 'backlog':
        counted = copy.deepcopy(run)
        counted.prio('s1p2')[counter] = 1058
        broken(counted)
    run.qdiscs['s1p2']['wire_bytes'] = 1058
    broken(run)


def test_only_arp_is_copied_or_ends_in_a_switch():
    run = Folder()
    run.prio('h1', 0).update(tx_packets=2, tx_bytes=84)
    run.prio('s1p1', 0).update(rx_packets=2, rx_bytes=84)
    broken(run)
    run.prio('s1p2', 0).update(tx_packets=4, tx_bytes=168)
    run.prio('h2', 0).update(rx_packets=4, rx_bytes=168)
    broken(run)
    run.prio('h1', 0).update(tx_bytes=85)
    run.prio('s1p1', 0).update(rx_bytes=85)
    broken(run, 'switch s1: 4379 bytes came in, 4294 left, 0 dropped, 0 wait, 0 on the wire: '
                '85 bytes not accounted for')


# On the wire at most: 3 frames of 84 bytes in 1 us at 1 Gbit/s, with one begun
def test_pauses_arrive_or_are_on_the_wire():
    run = Folder()
    run.prio('s1p1').update(tx_pause=5, tx_resume=4)
    run.prio('h1').update(rx_pause=4, rx_resume=2)
    broken(run)
    run.prio('h1').update(rx_pause=3)
    line = 'link s1p1-h1, priority 3: s1p1 sent 9 PFC frames, h1 received 5, {} malformed, ' \
        '3 on the wire at most: 1 frame not accounted for'
    broken(run, line.format(0))
    run.qdiscs['h1']['rx_malformed'] = 1
    broken(run)


def test_pauses_come_from_nowhere_but_broken_nics():
    run = Folder()
    run.prio('s1p1').update(rx_pause=50)
    line = 'link h1-s1p1, priority 3: h1 sent 0 PFC frames, s1p1 received 50, 0 malformed, ' \
        '3 on the wire at most: 50 frames more than sent'
    broken(run, line)
    run.files['flows'] += 'storm 1000 10.0.0.2 3\n'
    broken(run, line)
    run.files['flows'] += 'storm 1000 10.0.0.1 3 5000\n'
    broken(run)


def test_lost_pauses_are_as_many_as_asked_for():
    run = Folder()
    run.keys['PFC_LOSS'] = '1'
    run.prio('s1p1').update(tx_pause=10000)
    run.prio('h1').update(rx_pause=9900)
    broken(run)
    run.prio('h1').update(rx_pause=9800)
    broken(run, 'all links: 197 of 10000 PFC frames lost: PFC_LOSS=1 explains 160')


def test_flows_are_as_many_as_asked_for():
    run = Folder()
    run.files['flows'] += '0 4000 10.0.0.1 10.0.0.2 3 # hot\n'
    broken(run, '2 flows asked for, 1 in the results')


def test_senders_exist():
    run = Folder()
    run.replace('flows', '10.0.0.1', '10.0.0.9')
    broken(run, '10.0.0.9 is to send or receive, and is no host')


def test_a_flow_receives_its_size():
    run = Folder()
    run.replace('flows.csv', ',4000,0', ',3000,0')
    broken(run, 'flow 1 from 10.0.0.1 to 10.0.0.2: received 4000 of 3000 bytes')
    run.replace('flows.csv', ',3000,0', ',5000,0')
    run.replace('flows.csv', '40000', '42000')
    broken(run, 'flow 1 from 10.0.0.1 to 10.0.0.2: ended, and has received 4000 of 5000 bytes')
    run.replace('flows.csv', '42000,4000', '-1,4000')
    broken(run)


def test_hosts_receive_what_links_carried():
    run = Folder()
    run.replace('flows.csv', '4000,0,40000,4000', '5000,0,45000,5000')
    run.replace('bins.csv', '1000,0', '1000,1000')
    line = 'host 10.0.0.2: its flows received {} bytes, its link carried 4232'
    broken(run, line.format(5000))
    # bytes after the last read of counters and after the last bin do not count
    run.replace('flows.csv', '45000,5000', '-1,5000')
    broken(run, line.format(5000))
    run.replace('bins.csv', '1000,1000', '232,0')
    broken(run)
    run.replace('flows.csv', '-1,5000', '80001,5000')
    broken(run, line.format(5000))
    run.seconds = 80e-6
    broken(run)
    run.files['bins.csv'] = ''
    broken(run)


def test_flows_take_their_time():
    run = Folder()
    # each link has a delay of 1000 ns
    run.replace('flows.csv', '40000', '33999')
    broken(run, 'host 10.0.0.2: flow 1 of 4000 bytes took 33999 ns, links take 34000')
    run.replace('flows.csv', '33999', '34000')
    broken(run)
    # over a link without delay the last frame arrives with its first bit
    run.keys['MTU'] = '1000'
    run.qdiscs['s1p2']['options']['delay'] = 0
    run.replace('flows.csv', '34000', '24999')
    broken(run, 'host 10.0.0.2: flow 1 of 3000 bytes took 24999 ns, links take 25000')
    run.replace('flows.csv', '24999', '32000')
    run.qdiscs['s1p2']['options']['delay'] = 1000
    # two flows of half the size, each at the rate of the link
    run.files['flows'] = '0 2000 10.0.0.1 10.0.0.2 3\n' * 2
    run.replace('flows.csv', '4000,0,32000,4000', '2000,0,18000,2000')
    run.files['flows.csv'] += '2,10.0.0.1,10.0.0.2,3,2000,0,18000,2000\n'
    run.files['bins.csv'] = ''
    broken(run, 'host 10.0.0.2: 2 flows of 4000 bytes took 18000 ns, links take 34000')


def test_bins_have_no_more_than_a_link_carries():
    run = Folder()
    run.keys['MTU'] = '1000'
    run.prio('h2').update(rx_bytes=4232)
    run.replace('bins.csv', '1000,2000,1000', '0,3500,500')
    broken(run)
    run.replace('bins.csv', '3500,500', '3501,499')
    line = 'host 10.0.0.2, bin at 20000 ns: its flows received 3501 bytes in 20000 ns, ' \
        'its link carries 3500 at most'
    broken(run, line)
    # a receiver that was slow may process its backlog at once
    run.prio('h2')['occupancy_max'] = 1
    broken(run)


def test_bins_add_up_to_what_was_received():
    run = Folder()
    run.replace('bins.csv', '2000', '1900')
    line = 'flow 1 from 10.0.0.1 to 10.0.0.2: its bins have {} bytes, it received 4000'
    broken(run, line.format(3900))
    # bytes after the last bin do not count
    run.replace('flows.csv', '40000', '90000')
    broken(run)
    run.replace('bins.csv', '1900', '2100')
    broken(run, line.format(4100))
    run.replace('bins.csv', '\n1,', '\n7,')
    broken(run, 'bins.csv has flow 7, flows.csv has not')


def test_metrics_are_finite():
    for value in math.inf, -math.inf, math.nan, None:
        run = Folder()
        run.metrics['fct_us.all.mean'] = value
        broken(run, f'metric fct_us.all.mean: {value} is no finite number')


def test_shares_are_parts_of_a_whole():
    for name in 'goodput_share', 'rcm+dcqcn.bottleneck_util', 'ldcp.utilisation', 'ldcp.jain', \
            'rx_share', 'arm.stalled_share_without':
        for value in 1.002, 6.1, -0.01:
            run = Folder()
            run.metrics[name] = value
            broken(run, f'metric {name}: {value} is no share: it is not within 0 and 1')
    run = Folder()
    run.metrics |= {'jain': 1.0005, 'victims_share_last': 1.2, 'rcm.delayed_share_max': 3}
    broken(run)
    run.metrics['delayed_share_max'] = -0.1
    broken(run, 'metric delayed_share_max: -0.1 is no share: it is not within 0 and 1')


def test_arms_are_checked_each():
    run = Folder()
    run.arms = {'pfc': Folder(), 'rcm': Folder()}
    broken(run)
    run.arms['rcm'].replace('bins.csv', '2000', '1900')
    broken(run, 'rcm: flow 1 from 10.0.0.1 to 10.0.0.2: its bins have 3900 bytes, '
                'it received 4000')


def test_flows_are_those_of_the_last_run():
    run = Folder()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        run.write(top)
        for number in '2', '10':
            (top / 'plan/arms' / number).mkdir()
        (top / 'plan/arms/10/flows').write_text(run.files['flows'])
        (top / 'plan/arms/2/flows').write_text('storm 1000 10.0.0.1 3 5000\n')
        checked = bounds.Run(top, top / 'plan/arms', {}, math.inf)
    assert [line[1] for line in checked.asked] == ['4000']
    assert checked.broken == {('h1', 3)}, 'NICs that break in any run'


def test_a_run_that_cannot_be_checked_is_not_sound():
    run = Folder()
    run.replace('flows.csv', '4000,0,40000,4000', '4000,0,soon,4000')
    with pytest.raises(ValueError):
        run.check()
    run = Folder()
    del run.qdiscs['h1']['wire_bytes'], run.qdiscs['s1p1']['wire_bytes']
    with pytest.raises(KeyError):
        run.check()
