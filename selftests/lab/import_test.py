# SPDX-License-Identifier: GPL-2.0
"""Flows of HPCC and htsim become those of the lab, or are refused; the scenario import."""
import pathlib

import pytest

from lle_lab import flows, guest, importers, scenario
from lle_lab.errors import Refused


EXAMPLES = pathlib.Path(__file__).parent / 'import'
HOSTS = 128     # of a fat tree with k = 8


def address(node):
    return f'10.0.{(node + 1) // 256}.{(node + 1) % 256}'


@pytest.fixture(name='converted')
def a_converter(tmp_path):
    """Function that returns lines of the output, and warnings."""
    def converted(text):
        path, warnings = tmp_path / 'flows', []
        path.write_bytes(text.encode())
        flows = importers.read(path, warnings.append)
        return list(importers.converted(flows, {f'h{i}': address(i) for i in range(HOSTS)})), \
            warnings
    return converted


def example(name):
    return (EXAMPLES / name).read_text()


def hosts(line):
    """The line with h0 instead of 10.0.0.1."""
    words = line.split()
    for i in (2, 3):
        words[i] = f'h{int(words[i].split(".")[-1]) - 1}'
    return ' '.join(words)


def test_hpcc_is_read(converted):
    lines, warnings = converted(example('flow.txt'))
    assert lines[0] == '# from 2000000000'
    assert [hosts(line) for line in lines[1:]] == [
        '0 400000 h1 h0 3 # dport 200', '0 400000 h2 h0 3 # dport 200',
        '0 400000 h3 h0 3 # dport 200', '1234 100000 h0 h4 3 # dport 100',
        '500000 30000 h0 h3 3 # dport 100', '600000 1000 h3 h4 3 # dport 100']
    assert warnings == ['line 9 and what follows is ignored: line 1 says 6 flows']


def test_hpcc_without_ports_is_read(converted):
    # permutation of all hosts: starts in ns, also below those of a double
    starts = [2000000000 + 1037 * i for i in range(HOSTS)]
    lines, warnings = converted(f'{HOSTS}\n' + ''.join(
        f'{i} {(i + 5) % HOSTS} {i % 8} {i + 1} {ns // 10**9}.{ns % 10**9:09}\n'
        for i, ns in enumerate(starts)))
    assert (lines[0], warnings) == ('# from 2000000000', [])
    assert lines[1:] == [f'{ns - starts[0]} {i + 1} {address(i)} {address((i + 5) % HOSTS)} {i % 8}'
                         for i, ns in enumerate(starts)]


def test_triggers_become_lists_of_flows(converted):
    lines, warnings = converted(example('ring.cm'))
    # a barrier waits for lines 4 and 5; multishot: each flow starts the next
    assert [hosts(line) for line in lines[1:]] == [
        '3000 50000 h0 h1 3', '0 50000 h1 h2 3 after 1', '0 50000 h2 h3 3 after 2',
        '0 50000 h3 h0 3', '0 20000 h1 h0 3', '0 7000 h0 h2 3 after 4-5',
        '0 7001 h0 h3 3 after 6', '0 7002 h0 h1 3 after 7']
    assert warnings == ['prio of 1 flows is ignored: it is no priority of Ethernet']


def test_flows_follow_those_they_wait_for(converted):
    lines, _ = converted('Nodes 3\nConnections 3\nTriggers 2\n'
                         '2->0 id 3 trigger 2 size 3\n'
                         '1->2 id 2 trigger 1 size 2 recv_done_trigger 2\n'
                         '0->1 id 1 start 1499 size 1 recv_done_trigger 1\n'
                         'trigger id 1 oneshot\ntrigger id 2 oneshot\n')
    assert lines[0] == '# from 1'
    assert ([hosts(line) for line in lines[1:]] ==
            ['0 1 h0 h1 3', '0 2 h1 h2 3 after 1', '0 3 h2 h0 3 after 2'])


BAD_HPCC = [
    ('', 'neither flows of HPCC nor a connection matrix of htsim'),
    ('switch s1\n', 'neither flows of HPCC nor a connection matrix of htsim'),
    ('1 2\n', 'line 1: not the number of flows alone'),
    ('0\n', 'line 1: number of flows "0" is not a number from 1 to 2000000'),
    ('2\n0 1 3 100 5 2\n', '2 flows announced, 1 there'),
    ('1\n0 1 3 100 5 2 7\n', 'line 2: not SRC DST PG [DPORT] SIZE START'),
    ('1\n\n0 1 8 100 5 2\n', 'line 3: priority group "8" is not a number from 0 to 7'),
    ('1\n0 1 3 100 0 2\n', 'line 2: size "0" is not a number from 1 to 1000000000000000'),
    ('1\n0 1 3 100 5 -2\n', 'line 2: start "-2" is not a time'),
    ('1\n0 1 3 100 5 nan\n', 'line 2: start "nan" is not a time'),
    ('1\n0 1 3 100 5 1000001\n', 'line 2: start is over 1000000 s'),
    ('1\n0 1 3 70000 5 2\n', 'line 2: port "70000" is not a number from 0 to 65535'),
    ('1\n0 128 3 100 5 2\n', 'line 2: the testbed has no host h128'),
    ('1\n4 4 3 100 5 2\n', 'line 2: host 4 sends to itself'),
    ('1\n0 1 3 100 \u0665 2\n', 'line 2: not ASCII'),
    ('1\n0 1 3 100 5 2' + ' ' * 1000, 'line 2: more than 1000 bytes'),
]
HEAD = 'Nodes 9\nConnections 2\nTriggers 1\n'
BAD_MATRIX = [
    ('Nodes 9\nConnections 0\n', 'no flows'),
    ('Nodes 9\nConnections 2\n0->1 start 0 size 5\n', '2 Connections announced, 1 there'),
    ('Nodes 9\nConnections 1\nTriggers 1\n0->1 start 0 size 5\n', '1 Triggers announced, 0 there'),
    ('Nodes 9\nConnections 1\n0->1 start 0 size 5\n0->1 start 0 size 5\n',
     'line 4: more than 1 Connections'),
    ('Nodes 9\nFailures 1\n', 'line 2: failed links are not mapped'),
    ('Nodes 9\nNodez 9\n', 'line 2: "Nodez" is unknown'),
    ('Nodes 9\n0->9 start 0 size 5\n', 'line 2: node "9" is not a number from 0 to 8'),
    ('Nodes 9\n0->1 start 0\n', 'line 2: size "0" is not a number from 1 to 1000000000000000'),
    ('Nodes 9\n0->1 size 5\n', 'line 2: one of start and trigger is required'),
    ('Nodes 9\n0->1 start 0 trigger 1 size 5\n', 'line 2: one of start and trigger is required'),
    ('Nodes 9\n0->1 start 0 size 5 size 6\n', 'line 2: a word is there twice'),
    ('Nodes 9\n0->1 start 0 size 5 addon\n', 'line 2: not SRC->DST, and pairs of id, start, size, '
     'prio, trigger, send_done_trigger, recv_done_trigger'),
    ('Nodes 9\ntrigger id 1\n', 'line 2: not trigger id N oneshot, multishot or barrier count N'),
    ('Nodes 9\ntrigger id 1 oneshot\ntrigger id 1 barrier count 2\n',
     'line 3: trigger 1 is there already'),
    ('Nodes 9\nConnections 1\n0->1 start 0 size 5 send_done_trigger 7\n',
     'line 3: there is no trigger "7"'),
    (HEAD + '0->1 start 0 size 5 recv_done_trigger 1\n2->3 trigger 1 size 5\n'
     'trigger id 1 oneshot\n',
     'line 5: host 2 is no end of the flow of line 4, for which it is to wait'),
    (HEAD + '0->1 start 0 size 5 recv_done_trigger 1\n0->3 trigger 1 size 5\n'
     'trigger id 1 oneshot\n',
     'line 5: host 0 does not receive the flow of line 4, for which it is to wait'),
    (HEAD + '0->1 start 0 size 5\n1->3 trigger 1 size 5\ntrigger id 1 oneshot\n',
     'line 6: oneshot trigger: no flow fires it'),
    (HEAD + '0->1 start 0 size 5 send_done_trigger 1\n1->3 trigger 1 size 5\n'
     'trigger id 1 barrier count 2\n', 'line 6: barrier trigger needs 2 flows, 1 fire it'),
    (HEAD + '0->1 start 0 size 5 send_done_trigger 1 recv_done_trigger 1\n1->3 trigger 1 size 5\n'
     'trigger id 1 barrier count 2\n', 'line 4: the flow fires trigger 1 twice'),
    (HEAD + '0->1 trigger 1 size 5 send_done_trigger 1\n1->3 start 0 size 5\n'
     'trigger id 1 oneshot\n',
     'line 4: the flow waits for itself'),
    ('Nodes 9\nConnections 3\nTriggers 1\n0->1 start 0 size 5 send_done_trigger 1\n'
     '0->2 start 0 size 6 send_done_trigger 1\n0->3 trigger 1 size 5\ntrigger id 1 multishot\n',
     'line 7: multishot trigger: it is not known in which order flows end'),
]


@pytest.mark.parametrize('text, reason', BAD_HPCC + BAD_MATRIX,
                         ids=[reason for _, reason in BAD_HPCC + BAD_MATRIX])
def test_what_cannot_be_mapped_is_refused(converted, text, reason):
    with pytest.raises(importers.Refused) as refused:
        converted(text)
    assert str(refused.value) == reason


def test_too_many_numbers_for_a_line_are_refused(converted):
    flows = ''.join(f'{i % 2}->2 start 0 size 5' + ' recv_done_trigger 1' * (i % 2) + '\n'
                    for i in range(200))
    with pytest.raises(importers.Refused, match='^line 204: the list of flows to wait for is too '):
        converted('Nodes 9\nConnections 201\nTriggers 1\n' + flows +
                  '2->0 trigger 1 size 5\ntrigger id 1 barrier count 100\n')


MINE = """
from lle_lab import scenario

class Mine(scenario.load("import")):
    def port(self, rate):
        return f"{super().port(rate)} alpha 8 of {rate}"

    def host_port(self):
        return "prio-pfc 5:on"

    def nic(self):
        return super().nic() | {"alpha_g": 16}
"""


def plan(topology='topology.txt', flows='flow.txt', name='import', **keys):
    """Files of the guest."""
    words = {'TOPOLOGY': EXAMPLES / topology, 'FLOWS': EXAMPLES / flows, **keys}
    return guest.files(scenario.create([name, *(f'{k}={v}' for k, v in words.items())]))


def test_the_scenario_has_the_network_and_the_flows(capsys):
    files = plan()
    assert files['arms/./1/topology'].splitlines()[-2:] == [
        'host h4 s6 rate 40gbit delay 1us', 'link s5 s6 rate 200gbit delay 2us']
    assert files['arms/./1/flows'].splitlines()[:2] == [
        '# from 2000000000', '0 400000 10.0.0.2 10.0.0.1 3 # dport 200']
    # the lowest rate of hosts, and the highest delay: 2 us
    assert 'rto_us=100000000 cc=none line_mbps=40000' in files['arms/./1/plan']
    assert "--edge 'buffer 32m reaction 0 prio-pfc 3:on' " \
        "--fabric 'buffer 32m reaction 0 prio-pfc 3:on' " \
        "--host 'prio-pfc 3:on'" in files['arms/./1/plan']
    assert 'line 9 and what follows is ignored' in capsys.readouterr().err


def test_marks_follow_the_rates_of_links():
    text = plan('leaf-spine.topo', 'ring.cm', CC='dcqcn')['arms/./1/plan']
    assert "--fabric 'buffer 32m reaction 0 prio-pfc 3:on wred 3 kmin 400000 kmax 1600000" in text


def test_each_priority_of_flows_has_pfc(tmp_path):
    path = tmp_path / 'flows'
    path.write_text('3\n0 1 5 1 2\n0 1 0 1 2\n1 0 5 1 2\n')
    text = plan(flows=path, PFC='off')['arms/./1/plan']
    assert "--host 'prio-pfc 0:off 5:off'" in text
    # packets may be lost: 1 ms at 100 Gbit/s, and two round trips of 12 links
    assert 'rto_us=2596 ' in text


def test_flows_last_five_times_as_long_as_links_need():
    lines = ['# from 7', '1000 8192 a b 3', '3000 1024 c b 3', '0 1024 a c 3']
    # b receives 9 packets; a sends 2 flows: 48 delays of 1 us and two packets
    delays, links = 48 * (1000 + 1024 * 1.6), 9 * (1024 + 82) * 0.8
    for start, ns in (max, 3000), (sum, 4000):
        assert flows.seconds_needed(lines, start, 10**10, 1000, 1024) == \
            round(0.005 + (ns + delays + 5 * links) / 1e9, 6)
    assert flows.seconds_needed([], max, 10**10, 1000, 1024) == 0.005


@pytest.mark.parametrize('text, topology, flows, keys', [
    ('TOPOLOGY={0}/flow.txt: line 1: not nodes, switches, links', 'flow.txt', 'flow.txt', {}),
    ('FLOWS={0}/leaf-spine.topo: line 3: "Tiers" is unknown', 'leaf-spine.topo', 'leaf-spine.topo',
     {}),
    ('CC=dcqcn: links of hosts, and links of switches, need one rate each', 'topology.txt',
     'flow.txt', {'CC': 'dcqcn'}),
    ('BUFFER=128k: not from 324216 to 1g', 'topology.txt', 'flow.txt', {'BUFFER': '128k'}),
])
def test_what_does_not_fit_is_refused(text, topology, flows, keys):
    with pytest.raises(Refused) as refused:
        plan(topology, flows, **keys)
    assert text.format(EXAMPLES) in str(refused.value)


def test_a_link_without_a_delay_is_refused(tmp_path):
    path = tmp_path / 'topology'
    path.write_text('switch s1\nhost h0 s1 rate 10gbit delay 1us\nhost h1 s1 rate 10gbit\n')
    with pytest.raises(Refused, match='a link without a rate or a delay: host h1 s1'):
        plan(topology=path)


def test_an_own_scenario_has_other_ports(tmp_path):
    path = tmp_path / 'mine.py'
    path.write_text(MINE)
    text = plan(name=str(path))['arms/./1/plan']
    assert "--edge 'buffer 32m reaction 0 prio-pfc 3:on alpha 8 of 40gbit' " \
        "--fabric 'buffer 32m reaction 0 prio-pfc 3:on alpha 8 of 200gbit' --host 'prio-pfc 5:on'" in text
    assert 'alpha_g=16' in text
