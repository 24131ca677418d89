# SPDX-License-Identifier: GPL-2.0
"""Tests lle-topology, and lle-testbed with it.

Files are of Containerlab, GraphML, HPCC and htsim, good and bad.
"""
import json
import os
import re
import shutil
import subprocess
import tempfile

FOLDER = os.path.dirname(os.environ['PROGRAM'])
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../testbed/examples')
HERE = tempfile.TemporaryDirectory()


def run(program, *args):
    done = subprocess.run([os.path.join(FOLDER, program), *args], text=True,
                          capture_output=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def file(name, content):
    """A file of that content, a text or bytes."""
    path = os.path.join(HERE.name, name)
    with open(path, 'wb') as out:
        out.write(content if isinstance(content, bytes) else content.encode())
    return path


def converted(name, content):
    """What lle-topology prints, and its warnings."""
    path = file(name, content)
    code, out, err = run('lle-topology', path)
    assert (code, err.count('Traceback')) == (0, 0), err or name
    return out, [line.replace(f'lle-topology: {path}: ', '') for line in err.splitlines()]


def refused(name, content, reason):
    """Both programs refuse a file for that reason, and build nothing."""
    path = file(name, content)
    message = f'lle-topology: {path}: {reason}\n'
    assert run('lle-topology', path) == (1, '', message), content[-80:]
    assert run('lle-testbed', 'show', 'file', path) == (1, '', message), content[-80:]


def clab(nodes, links='', more=''):
    return f'name: t\ntopology:\n{more}  nodes:\n' + \
        ''.join(f'    {line}\n' for line in nodes.splitlines()) + \
        '  links:\n' * bool(links) + ''.join(f'    - {line}\n' for line in links.splitlines())


NODES = '''\
s1: {kind: bridge}
h1: {kind: linux}
h2: {kind: linux}
'''
LINKS = '''\
endpoints: [h1:eth1, s1:a]
endpoints: [s1:b, h2:eth1]
'''


def test_containerlab_becomes_a_topology_file():
    out, warnings = converted('t.clab.yml', clab(
        's1: {kind: bridge}\n'
        'leaf-2: {kind: bridge}\n'
        '3: {group: servers, image: x, exec: [a, b]}\n'
        'h1: {image: y, kind: linux}\n'
        'h2:\n',
        'endpoints: [s1:a, leaf-2:a]\n'
        '{endpoints: ["3:eth1", "s1:b"], labels: {rate: 1gbit, other: 5}, mtu: 9000}\n'
        '{type: veth, endpoints: [{node: h1, interface: eth1}, '
        '{node: leaf-2, interface: b}], vars: {delay: 5us}}\n'
        'endpoints: [h2:eth1, s1:c]\n',
        '  defaults: {kind: linux, labels: {rate: 10gbit, pfc: [3, 4]}}\n'
        '  groups: {servers: {kind: linux}}\n'))
    assert out == ('switch s1\nswitch leaf_2\n'
          'host n3 s1 rate 1gbit\n'
          'host h1 leaf_2 rate 10gbit delay 5us\n'
          'host h2 s1 rate 10gbit\n'
          'link s1 leaf_2 rate 10gbit\n'
          'qdisc edge prio-pfc 3:on 4:on\nqdisc fabric prio-pfc 3:on 4:on\n'
          'qdisc host prio-pfc 3:on 4:on\n')
    assert warnings == ['"image" of 2 nodes is ignored', '"exec" of 1 nodes is ignored',
                        '"mtu" of 1 links is ignored', 'node "leaf-2" is called leaf_2',
                        'node "3" is called n3']


def test_aliases_are_read():
    out, _ = converted('t.yaml', clab('s1: {kind: bridge}\nh1: &host {kind: linux}\nh2: *host\n',
                                      LINKS))
    assert out == 'switch s1\nhost h1 s1\nhost h2 s1\n'


def test_examples_are_read_by_lle_testbed():
    for name, size in ('incast.clab.yml', (1, 4)), ('leaf-spine.graphml', (3, 4)):
        code, out, err = run('lle-testbed', 'show', 'file', os.path.join(EXAMPLES, name),
                             '--format', 'json')
        assert code == 0, err
        testbed = json.loads(out)
        assert (len(testbed['switches']), len(testbed['hosts'])) == size, name
        for host in testbed['hosts']:
            assert host['qdisc'] == 'rate 100mbit delay 10us prio-pfc 3:on', name


def page():
    """Literal text of the page of the examples, without its indentation."""
    with open(os.path.join(EXAMPLES, '../../Documentation/guide/mininet.rst'), encoding='ascii') as text:
        return ''.join(line[1:] if line.startswith('\t') else line for line in text)


def test_the_page_has_the_examples():
    with open(os.path.join(EXAMPLES, 'incast.clab.yml'), encoding='ascii') as text:
        whole = text.read().split('\n', 1)[1]
    assert whole in page(), 'incast.clab.yml is another one'
    # the program that writes the graph
    program = re.search(r"import networkx\n.*?'leaf-spine\.graphml'\)\n", page(), re.S)[0]
    subprocess.run(['/usr/bin/python3', '-c', program], cwd=HERE.name, check=True)
    written, example = (run('lle-topology', os.path.join(folder, 'leaf-spine.graphml'))[1]
                        for folder in (HERE.name, EXAMPLES))
    assert sorted(written.splitlines()) == sorted(example.splitlines())


def test_options_of_the_command_line_apply():
    code, out, err = run('lle-testbed', 'show', 'file', file('t.yml', clab(NODES, LINKS)),
                         '--rate', '9gbit', '--host', 'limit 50kb', '--format', 'json')
    assert (code, err) == (0, '')
    assert json.loads(out)['hosts'][0]['qdisc'] == 'rate 9gbit limit 50kb'


def test_a_name_without_suffix_is_a_topology_file():
    code, out, err = run('lle-testbed', 'show', 'file', file('yml', 'switch s1\nhost h1 s1\n'))
    assert (code, err) == (0, ''), out


# nodes, links, more, reason; the first line of links is line 7
BAD_CLAB = [
    (NODES + 'srl1: {kind: nokia_srlinux}', LINKS, '',
     'node "srl1": kind "nokia_srlinux" cannot be mapped, only bridge and linux'),
    (NODES + 'b: {kind: ovs-bridge}', LINKS, '',
     'node "b": kind "ovs-bridge" cannot be mapped, only bridge and linux'),
    (NODES + 'x: {image: y}', LINKS, '', 'node "x": no kind'),
    (NODES + 'x: linux', LINKS, '', 'line 7: node "x" is not a mapping'),
    (NODES + 'x: {kind: [linux]}', LINKS, '', 'line 7: kind is not a text'),
    (NODES + 'h1: {kind: linux}', LINKS, '', 'line 7: nodes: "h1" is there already'),
    (NODES + '<<: {x: {kind: linux}}', LINKS, '',
     'line 7: merge keys ("<<") are not read'),
    (NODES + 'h3: {kind: linux}', LINKS, '', 'node "h3": a host without a link'),
    (NODES + 'a/b: {kind: bridge}', LINKS, '',
     'node "a/b": a name has letters, digits, \'_\', \'.\', \'-\' and spaces'),
    (NODES + '"a\\nswitch b": {kind: bridge}', LINKS, '',
     'node "a\\nswitch b": a name has letters, digits, \'_\', \'.\', \'-\' and spaces'),
    (NODES + 'a\u00e9: {kind: bridge}', LINKS, '',
     'node "a\\xe9": a name has letters, digits, \'_\', \'.\', \'-\' and spaces'),
    (NODES + 'abcdefghijklmnop: {kind: bridge}', LINKS, '',
     'node "abcdefghijklmnop": a name has at most 15 characters'),
    (NODES + 'a-b: {kind: bridge}\na_b: {kind: bridge}', LINKS, '',
     'node "a_b": node "a-b" is called a_b already'),
    (NODES, LINKS + 'endpoints: [s1:c, h9:eth1]', '',
     'line 10: link 3: there is no node "h9"'),
    (NODES, LINKS + 'endpoints: [s1:c, host:eth9]', '',
     'line 10: link 3: there is no node "host"'),
    (NODES, LINKS + 'endpoints: [s1:c, h2:eth2]', '',
     'line 10: link 3: "h2" is a host, and has a link already'),
    (NODES, LINKS + 'endpoints: [s1:a, h2:eth2]', '',
     'line 10: link 3: "s1:a" has a link already'),
    (NODES, 'endpoints: [h1:eth1, h2:eth1]', '',
     'line 8: link 1: "h1" and "h2" are both hosts; one end is a switch'),
    (NODES, LINKS + 'endpoints: [s1:c]', '', 'line 10: link 3: 1 endpoints, not 2'),
    (NODES, LINKS + 'endpoints: [s1, h2:x]', '',
     'line 10: link 3: an endpoint is not NODE:INTERFACE'),
    (NODES, LINKS + 'endpoints: [{node: s1}, h2:x]', '',
     'line 10: link 3: an endpoint is not NODE:INTERFACE'),
    (NODES, LINKS + '{type: vxlan, endpoint: {node: s1}}', '',
     'line 10: link 3: type "vxlan" cannot be mapped, only veth'),
    (NODES, LINKS + '[s1:c, h2:x]', '', 'line 10: link 3 is not a mapping'),
    (NODES, LINKS, '  defaults: {labels: {rate: "1gbit\\nqdisc none"}}\n',
     'line 9: link 1: rate "1gbit\\nqdisc none" is not one word'),
    (NODES, LINKS, '  defaults: {labels: {delay: "1us # x"}}\n',
     'line 9: link 1: delay "1us # x" is not one word'),
    (NODES, LINKS, '  defaults: {labels: {pfc: 8}}\n',
     'line 9: link 1: pfc "8" is not all, none, or priorities of 0 to 7'),
    (NODES, LINKS, '  defaults: {labels: {pfc: "3:on alpha"}}\n',
     'line 9: link 1: pfc "3:on alpha" is not all, none, or priorities of 0 to 7'),
    (NODES, '{endpoints: [h1:eth1, s1:a], labels: {pfc: 3}}\nendpoints: [s1:b, h2:eth1]', '',
     'line 9: link 2: another pfc than line 8: link 1; a testbed has the same everywhere'),
]


def test_what_containerlab_has_more_is_refused():
    for nodes, links, more, reason in BAD_CLAB:
        refused('t.clab.yml', clab(nodes, links, more), reason)


BAD_YAML = [
    ('', 'empty'),
    ('- a\n', 'line 1: the file is not a mapping'),
    ('name: x\n', 'no "topology": not a file of Containerlab'),
    ('a: [\n', "line 2: not YAML: expected the node content, but found '<stream end>'"),
    ('a: b\n---\nc: d\n', 'line 2: not YAML: but found another document'),
    ('topology: {links: 5}\n', 'line 1: links is not a list'),
    ('[' * 5000, 'nested too deep'),
    (b'\xff\xfe\xff', 'not YAML: unacceptable character #x00ff: truncated data'),
    ('a: "' + 'x' * (1 << 20) + '"', 'more than 1 MB'),
]


def test_what_is_no_containerlab_is_refused():
    for content, reason in BAD_YAML:
        refused('t.yml', content, reason)
    assert (run('lle-testbed', 'show', 'file', '/nonexistent.yml') ==
            (1, '', 'lle-topology: /nonexistent.yml: No such file or directory\n'))
    code, out, err = run('lle-testbed', 'show', 'file', file('t.yml', 'topology:\n'))
    assert (code, out) == (1, ''), err
    assert err.endswith('t.yml: no hosts\n'), err


def test_wide_aliases_take_no_time():
    """Each alias has the one before ten times."""
    text = 'a0: &a0 [x]\n' + ''.join(
        f'a{i}: &a{i} [{", ".join([f"*a{i - 1}"] * 10)}]\n' for i in range(1, 30))
    refused('t.yml', text, 'no "topology": not a file of Containerlab')


def test_what_lle_testbed_refuses_has_the_statement():
    path = file('t.yml', clab(NODES, LINKS, '  defaults: {labels: {rate: fast}}\n'))
    assert (run('lle-testbed', 'show', 'file', path) ==
            (1, '', f'lle-testbed: {path}: "host h1 s1 rate fast": '
             'rate: "fast" is not a rate of 8kbit..1tbit.\n'))


def graphml(body, attributes='', kind='undirected'):
    keys = ''.join(f'<key id="{name}" for="all" attr.name="{name}" attr.type="string"/>'
                   for name in ('kind', 'rate', 'delay', 'pfc'))
    return f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}' \
        f'<graph edgedefault="{kind}">{attributes}{body}</graph></graphml>'


def node(name, kind=''):
    return f'<node id="{name}">' + f'<data key="kind">{kind}</data>' * bool(kind) + '</node>'


def edge(a, b, **data):
    return f'<edge source="{a}" target="{b}">' + ''.join(
        f'<data key="{key}">{value}</data>' for key, value in data.items()) + '</edge>'


STAR = node(0) + node('a b') + node('c') + edge(0, 'a b') + edge(0, 'c', rate='1gbit')


def test_graphml_becomes_a_topology_file():
    for kind in 'undirected', 'directed':
        out, warnings = converted('t.graphml', graphml(STAR, '<data key="pfc">all</data>'
                                                       '<data key="delay">2us</data>', kind))
        assert out == ('switch n0\nhost a_b n0 delay 2us\nhost c n0 rate 1gbit delay 2us\n'
              'qdisc edge prio-pfc all:on\nqdisc fabric prio-pfc all:on\n'
              'qdisc host prio-pfc all:on\n')
        assert warnings == ['node "0" is called n0', 'node "a b" is called a_b']
    # parallel links, and switches by their kind
    out, _ = converted('t.graphml', graphml(
        node('s1', 'bridge') + node('s2', 'switch') + node('x', 'linux') + edge('s1', 's2') +
        edge('s1', 's2') + edge('x', 's2')))
    assert out == 'switch s1\nswitch s2\nhost x s2\nlink s1 s2\nlink s1 s2\n'


def test_without_a_namespace_it_is_read_too():
    out, _ = converted('t.graphml', graphml(STAR).replace(
        ' xmlns="http://graphml.graphdrawing.org/xmlns"', ''))
    assert out.count('host') == 2


BAD_GRAPHML = [
    (graphml(STAR + node('r', 'router')),
     'node "r": kind "router" cannot be mapped, only bridge, switch, linux, host'),
    (graphml(node('a') + node('b') + edge('a', 'b')),
     'link "a" "b": "a" and "b" are both hosts; one end is a switch'),
    (graphml(STAR + node('d', 'host')), 'node "d": a host without a link'),
    (graphml(STAR + node('x' * 16)), f'node "{"x" * 16}": a name has at most 15 characters'),
    (graphml(STAR + node('x' * 60)),
     f'node "{"x" * 40}...": a name has at most 15 characters'),
    (graphml(STAR, '<data key="rate">1gbit&#10;switch x</data>'),
     'link "0" "a b": rate "1gbit\\nswitch x" is not one word'),
    (graphml(STAR, '<data key="rate">10Gbps</data>'),
     'link "0" "a b": rate "10Gbps": write bit for bits, as in 10gbit'),
    ('<!DOCTYPE a [<!ENTITY b "c">]>' + graphml(STAR),
     'document types and entities are not read'),
    (graphml(STAR).encode('utf-16'), 'not UTF-8'),
    (' ' * ((16 << 20) + 1), 'more than 16 MB'),
    ('hello', 'not GraphML: "syntax error: line 1, column 0"'),
]


def test_what_cannot_be_mapped_of_graphml_is_refused():
    for content, reason in BAD_GRAPHML:
        refused('t.graphml', content, reason)
    for content in '', '<a/>', '<graphml/>', graphml(STAR)[:-20], '<a>' * 100000, \
            graphml(edge('a', 'b')), graphml('<data key="nosuch">1</data>' + STAR), \
            graphml('<hyperedge/>' + STAR):
        code, out, err = run('lle-testbed', 'show', 'file', file('t.graphml', content))
        assert (code, out, err.count('\n'), 'Traceback' in err) == (1, '', 1, False), err


def test_many_warnings_are_cut():
    _, warnings = converted('t.graphml', graphml(
        node('s', 'bridge') + ''.join(node(i) + edge(i, 's') for i in range(200))))
    assert (len(warnings), warnings[-1]) == (11, '190 more of these')


def hpcc_fat_tree(k, rate='100Gbps', delay='1us'):
    """Hosts, then edge, aggregation and core switches are numbered, as lle-testbed does."""
    half, hosts = k // 2, k ** 3 // 4
    edge, high, core = hosts, hosts + k * half, hosts + 2 * k * half
    nodes = core + half * half
    links = [(i, edge + i // half) for i in range(hosts)]
    links += [(edge + i, high + i // half * half + j) for i in range(k * half) for j in range(half)]
    links += [(high + i, core + i % half * half + j) for i in range(k * half) for j in range(half)]
    return f'{nodes} {nodes - hosts} {len(links)}\n' + \
        ' '.join(map(str, range(hosts, nodes))) + '\n' + \
        ''.join(f'{a} {b} {rate} {delay} 0.000000\n' for a, b in links)


def htsim_fat_tree(k):
    half = k // 2
    tier = 'Downlink_speed_Gbps 100\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n'
    return f'# k = {k}\nNodes {k ** 3 // 4}\nTiers 3\nPodsize {half * half}\n\n' + \
        ''.join(f'Tier {n}\n{tier}Radix_Down {half}\nRadix_Up {half}\n\n' for n in (0, 1)) + \
        f'Tier 2\n{tier}Radix_Down {k}\n'


def shown(*words):
    code, out, err = run('lle-testbed', 'show', *words, '--format', 'json')
    assert code == 0, err
    return json.loads(out)


def network(testbed):
    """Its links, with rates and delays, as ends of ports; nodes have their ordinal number,
    and a switch without hosts below has the ports that lead to it."""
    names = {node['name']: f'{kind} {i}' for kind in ('hosts', 'switches')
             for i, node in enumerate(testbed[kind])}
    edges = {host['peer'] for host in testbed['hosts']}
    below = {port['peer'] for switch in testbed['switches'] if switch['name'] in edges
             for port in switch['ports']}
    for switch in testbed['switches']:
        if switch['name'] not in edges | below:
            names[switch['name']] = ' '.join(sorted(names[p['peer']] for p in switch['ports']))
    return sorted((names[switch['name']], names[port['peer']], port['role'],
                   re.sub(' (edge|fabric).*', '', port['qdisc']))
                  for switch in testbed['switches'] for port in switch['ports'])


def test_fat_trees_of_others_are_those_of_lle_testbed():
    for k in 4, 8:
        want = network(shown('fat-tree', str(k), '--rate', '100gbit', '--delay', '1us'))
        assert len(want) == k ** 3 * 5 // 4, 'ports of switches'
        for name, text in ('t.txt', hpcc_fat_tree(k)), ('t.topo', htsim_fat_tree(k)):
            assert network(shown('file', file(name, text))) == want, (k, name)
        assert network(shown('file', file('t', hpcc_fat_tree(k, '99Gbps')))) != want, k


def test_a_topology_file_is_printed_and_read():
    for text in hpcc_fat_tree(4), 'switch a prio-pfc 3:on\nswitch b with a\nhost h a rate 1gbit\n' \
            'host i b\nlink a b failed\nlink a b\nroute a i via b\nqdisc host limit 50kb\n':
        code, out, err = run('lle-testbed', 'show', 'file', file('t', text), '--format', 'file')
        assert (code, err) == (0, '')
        assert run('lle-testbed', 'show', 'file', file('u', out), '--format', 'file')[1] == out
        assert shown('file', file('u', out)) == shown('file', file('t', text))


def test_hpcc_becomes_a_topology_file():
    out, warnings = converted('t', '5 2 5\n0 3\n1 0 25Gbps 1000ns 0\n0 3 2.5Gb/s 0.0005ms 0.0\n'
                              '0 3 100Mbps 2us .0\n2 3 25Gbps 0.000003s 0\n4 3 1Tbps 0s 0\n\n'
                              'more\n')
    assert out == ('switch s0\nswitch s3\nhost h1 s0 rate 25gbit delay 1us\n'
          'host h2 s3 rate 25gbit delay 3us\nhost h4 s3 rate 1000gbit delay 0s\n'
          'link s0 s3 rate 2500mbit delay 500ns\nlink s0 s3 rate 100mbit delay 2us\n')
    assert warnings == ['line 9 and what follows is ignored']


def test_simai_becomes_a_topology_file():
    out, warnings = converted('t', '5 2 1 2 5 H100\n2 3 4\n0 2 2880Gbps 0.000025ms 0\n'
                              '0 3 400Gbps 0.0005ms 0\n1 2 2880Gbps 0.000025ms 0\n'
                              '1 4 200Gbps 0.0005ms 0\n3 4 400Gbps 0.0005ms 0\n')
    assert out == ('switch s3\nswitch s4\nhost h0 s3 rate 400gbit delay 500ns\n'
          'host h1 s4 rate 200gbit delay 500ns\nlink s3 s4 rate 400gbit delay 500ns\n')
    assert warnings == ['1 NVSwitches and 2 links to them are left out: they are not Ethernet']


def htsim(head='Nodes 4\nTiers 2\nPodsize 4\n', low='Radix_Down 2\nRadix_Up 2\n',
          high='Radix_Down 4\nBundle 2\n', more=''):
    """Two leaves and a spine; there are 17 lines before MORE."""
    tier = 'Downlink_speed_Gbps 100\nDownlink_Latency_ns 500\n'
    return f'{head}\nTier 0\n{tier}{low}\nTier 1\n{tier}{high}{more}'


def test_htsim_becomes_a_topology_file():
    hosts = ''.join(f'host h{i} s{4 + i // 2} rate 100gbit delay 500ns\n' for i in range(4))
    links = ''.join(f'link s{i} s6 rate 100gbit delay 500ns\n' for i in (4, 4, 5, 5))
    switches = 'switch s4\nswitch s5\nswitch s6\n'
    assert converted('t', htsim()) == (switches + hosts + links, [])
    out, warnings = converted('t', htsim(low='Radix_Down 2\nRadix_Up 1\nOversubscribed 2\n',
                                         high='Radix_Down 2\nQueue_up 9\n'))
    assert out == switches + hosts + ''.join(links.splitlines(True)[::2])
    assert warnings == ['line 16: Queue_up is ignored: switches have one buffer']


BAD_TEXT = [
    ('1 2\n', 'line 1: not nodes, switches, links; nor nodes, GPUs of a server, NVSwitches, '
     'switches, links, type of GPU'),
    ('3 1 1000000000\n2\n',
     'line 1: number of links "1000000000" is not a number from 0 to 1048576'),
    ('3 1 2\n2\n0 2 1Gbps 1us 0\n', '2 links announced, 1 there'),
    ('3 1 1\n2 1\n0 2 1Gbps 1us 0\n', 'line 2: 2 switches, not 1'),
    ('3 2 1\n2 2\n0 2 1Gbps 1us 0\n', 'line 2: a switch is there twice'),
    ('3 1 1\n3\n0 2 1Gbps 1us 0\n', 'line 2: switch "3" is not a number from 0 to 2'),
    ('3 1 1\n2\n0 2 1Gbps 1us\n', 'line 3: a link is not SRC DST RATE DELAY ERROR_RATE'),
    ('3 1 1\n2\n0 7 1Gbps 1us 0\n', 'line 3: node "7" is not a number from 0 to 2'),
    ('3 1 1\n2\n0 2 fast 1us 0\n', 'line 3: rate "fast" is not a number and one of bps, kbps, '
     'Kbps, Mbps, Gbps, Tbps, b/s, kb/s, Kb/s, Mb/s, Gb/s, Tb/s'),
    ('3 1 1\n2\n0 2 0.5bps 1us 0\n', 'line 3: rate "0.5bps" has parts of a bps'),
    ('3 1 1\n2\n0 2 1Gbps 0.1ns 0\n', 'line 3: delay "0.1ns" has parts of a ns'),
    ('3 1 1\n2\n0 2 1Gbps 1us 0.01\n', 'line 3: error rate "0.01": a link of a testbed has none'),
    ('3 1 2\n2\n0 2 1Gbps 1us 0\n0 1 1Gbps 1us 0\n',
     'line 4: link 0-1: "h0" and "h1" are both hosts; one end is a switch'),
    ('3 1 2\n2\n0 2 1Gbps 1us 0\n0 2 1Gbps 1us 0\n',
     'line 4: link 0-2: "h0" is a host, and has a link already'),
    ('3 1 1\n2\n0 2 1Gbps 1us 0\n', 'node 1: a host without a link'),
    (b'3 1 1\n2\n0 2 1Gbps 1\xb5s 0\n', 'not ASCII'),
    ('Nodes 4\nConnections 1\n', 'line 2: there is no "Connections" here'),
    ('Nodes 4 5\n', 'line 1: not a name and a number'),
    ('Nodes x\n', 'line 1: Nodes "x" is not a number from 0 to 1000000000'),
    ('Nodes 4\nNodes 4\n', 'line 2: Nodes is there already'),
    ('Nodes 4\nTiers 4\nPodsize 4\n', '4 tiers, not 2 or 3'),
    ('Nodes 4\nTiers 2\n', 'there is no downlink_latency_ns of tier 0, no downlink_latency_ns of '
     'tier 1, no downlink_speed_gbps of tier 0, no downlink_speed_gbps of tier 1, no podsize, '
     'no radix_down of tier 0, no radix_down of tier 1, no radix_up of tier 0'),
    (htsim(more='Tier 1\n'), 'line 16: Tier 1 is over 2, or is there already'),
    (htsim(more='Tier 2\n'), '3 tiers described, not 2'),
    (htsim(more='Radix 2\n'), 'line 16: there is no "Radix" here'),
    (htsim(more='Switch_Latency_ns 5\n'), 'line 16: Switch_Latency_ns: a switch of a testbed '
     'forwards at once; add it to Downlink_Latency_ns'),
    (htsim(low='Radix_Down 0\nRadix_Up 2\n'), 'tier 0: a number is 0'),
    (htsim(low='Radix_Down 2\nRadix_Up 2\nBundle 2\n'),
     'tier 0: a host has one link, not a bundle'),
    (htsim(head='Nodes 70000\nTiers 2\nPodsize 4\n'),
     'Nodes "70000" is not a number from 1 to 65535'),
    (htsim(head='Nodes 4\nTiers 2\nPodsize 3\n'), 'Nodes, Podsize: 4 is not a multiple of 3'),
    (htsim(head='Nodes 8\nTiers 2\nPodsize 4\n'), 'two tiers have one pod: Podsize is Nodes'),
    (htsim(high='Radix_Down 4\n'),
     'Radix_Up 2 of tier 0 is not 1 switches above with 1 links each'),
    (htsim(low='Radix_Down 2\nRadix_Up 1\n', high='Radix_Down 2\n'),
     'Oversubscribed 1 of tier 0: 400 Gbit/s down, 200 Gbit/s up'),
    (htsim(low='Radix_Down 1\nRadix_Up 500000\n', high='Radix_Down 4\nBundle 1\n'),
     'more than 1048576 links'),
    ('hello\n', 'not .yml, .yaml or .graphml, nor a topology of HPCC or htsim'),
]


def test_what_cannot_be_mapped_of_hpcc_and_htsim_is_refused():
    for content, reason in BAD_TEXT[:-1]:
        refused('t.txt', content, reason)
    content, reason = BAD_TEXT[-1]
    path = file('t.txt', content)
    assert run('lle-topology', path) == (1, '', f'lle-topology: {path}: {reason}\n')


def test_command_lines():
    for words in ([], ['a', 'b'], ['--help', 'x']):
        code, out, err = run('lle-topology', *words)
        assert (code, out) == (1, ''), words
        assert 'Usage:' in err
    assert (run('lle-topology', 'x.txt') ==
            (1, '', 'lle-topology: x.txt: No such file or directory\n'))
    assert (run('lle-topology', '--', '-x.yml')[2] ==
            'lle-topology: -x.yml: No such file or directory\n')
    code, out, _ = run('lle-topology', '--help')
    assert (code, 'Usage:' in out) == (0, True)
    with open('/dev/full', 'w', encoding='ascii') as full:
        done = subprocess.run([os.path.join(FOLDER, 'lle-topology'),
                               os.path.join(EXAMPLES, 'leaf-spine.graphml')], stdout=full,
                              stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, 'lle-topology: output: No space left on device\n')


def test_a_converter_that_is_missing_is_named():
    program = os.path.join(HERE.name, 'lle-testbed')
    shutil.copy(os.path.join(FOLDER, 'lle-testbed'), program)
    done = subprocess.run([program, 'show', 'file', file('t.yml', clab(NODES, LINKS))],
                          text=True, capture_output=True, check=False)
    assert ((done.returncode, done.stderr) ==
            (1, f'lle-testbed: {os.path.realpath(HERE.name)}/lle-topology: '
             'No such file or directory\n'))
