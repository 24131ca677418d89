# SPDX-License-Identifier: GPL-2.0
"""Tests the output and the refusals of `lle-testbed show`.

Uses only the output of the program: follows paths port by port, and compares
them with shortest paths that the test computes."""
import collections
import json
import os
import subprocess
import tempfile

PROGRAM = os.environ['PROGRAM']
# After an option that resembles no other
ALL = ': "tc qdisc add lossless help" lists all'


def run(*args):
    done = subprocess.run([PROGRAM, *map(str, args)], text=True,
                          capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def show(*args):
    code, out, err = run('show', *args, '--format', 'json')
    if code:
        raise AssertionError(err.strip())
    return Testbed(json.loads(out))


class Testbed:
    def __init__(self, doc):
        self.doc = doc
        self.switch = {s['name']: s for s in doc['switches']}
        self.host = {h['name']: h for h in doc['hosts']}
        self.port = {p['dev']: dict(p, switch=s['name'])
                     for s in doc['switches'] for p in s['ports']}
        self.links = len(self.host) + len(
            [p for p in self.port.values() if p['role'] == 'fabric']) // 2

    def size(self):
        return len(self.switch), len(self.host), self.links

    def path(self, src, dst):
        """Egress ports of the switches on the path."""
        at, ports = self.host[src]['peer'], []
        while at != dst:
            port = self.port[self.switch[at]['forward'][dst]]
            assert port['switch'] == at, f'{port["dev"]} is at'
            assert not port['failed'], f'{port["dev"]} has failed'
            assert len(ports) < len(self.switch), f'{src} to {dst}: a loop'
            ports.append(port['dev'])
            at = port['peer']
        return ports

    def hops(self, src):
        """By switch: number of switches on a shortest path from host SRC."""
        first = self.host[src]['peer']
        seen, queue = {first: 1}, collections.deque([first])
        while queue:
            at = queue.popleft()
            for p in self.switch[at]['ports']:
                if p['role'] == 'fabric' and not p['failed'] and \
                        p['peer'] not in seen:
                    seen[p['peer']] = seen[at] + 1
                    queue.append(p['peer'])
        return seen

    def distance(self, src):
        """By host: number of switches on a shortest path from SRC."""
        seen = self.hops(src)
        return {h: seen[d['peer']] for h, d in self.host.items()}

    def lengths(self):
        """Require shortest paths; return the number of paths of each length."""
        count = collections.Counter()
        for src in self.host:
            shortest = self.distance(src)
            for dst in self.host:
                if src == dst:
                    continue
                length = len(self.path(src, dst))
                assert length == shortest[dst], f'{src} to {dst}'
                count[length] += 1
        return dict(count)

    def shift(self, by):
        """Packets per device if each host sends one to the BY-th next host."""
        names = list(self.host)
        load = collections.Counter()
        for i, src in enumerate(names):
            load.update(self.path(src, names[(i + by) % len(names)]))
        return load


class File:
    def __init__(self, text):
        self.text = text

    def __enter__(self):
        fd, self.name = tempfile.mkstemp()
        with os.fdopen(fd, 'w') as f:
            f.write(self.text)
        return self.name

    def __exit__(self, *_):
        os.unlink(self.name)


SIZES = [
    # topology, (switches, hosts, links), paths by number of switches
    ('line 1', (1, 2, 2), {1: 2}),
    ('line 5', (5, 2, 6), {5: 2}),
    ('star 1', (1, 1, 1), {}),
    ('star 6', (1, 6, 6), {1: 30}),
    ('dumbbell 3', (2, 6, 7), {1: 12, 2: 18}),
    ('ring 3', (3, 3, 6), {2: 6}),
    ('ring 6 2', (6, 12, 18), {1: 12, 2: 48, 3: 48, 4: 24}),
    ('leaf-spine 4 2 3', (6, 12, 20), {1: 24, 3: 108}),
    # k^3/4 hosts, of which k/2 - 1 are one switch away, k^2/4 - k/2 three
    ('fat-tree 2', (5, 2, 6), {5: 2}),
    ('fat-tree 4', (20, 16, 48), {1: 16, 3: 32, 5: 192}),
    ('fat-tree 6', (45, 54, 162), {1: 108, 3: 324, 5: 2430}),
]


def test_topologies_have_their_size_and_shortest_paths():
    for topology, size, lengths in SIZES:
        testbed = show(*topology.split())
        assert testbed.size() == size, topology
        assert testbed.lengths() == lengths, topology


def test_fat_tree_12_has_its_size():
    assert show('fat-tree', 12).size() == (180, 432, 1296)


def test_links_are_the_same_from_both_ends():
    for topology, _, _ in SIZES:
        testbed = show(*topology.split())
        for port in testbed.port.values():
            if port['role'] == 'edge':
                other = testbed.host[port['peer']]
                assert other['peer_dev'] == port['dev'], topology
            else:
                other = testbed.port[port['peer_dev']]
                assert other['peer_dev'] == port['dev'], topology
                assert other['switch'] == port['peer'], topology


def test_names_and_addresses():
    testbed = show('star', 300, '--name', 'x')
    assert testbed.doc['netns'] == 'x-sw'
    assert testbed.host['h1']['netns'] == 'x-h1'
    assert testbed.host['h1']['address'] == '10.0.0.1'
    assert testbed.host['h1']['mac'] == '02:00:00:00:00:01'
    assert testbed.host['h256']['address'] == '10.0.1.0'
    assert testbed.host['h256']['mac'] == '02:00:00:00:01:00'
    assert len({h['address'] for h in testbed.host.values()}) == 300
    testbed = show('fat-tree', 8)
    assert max(map(len, testbed.port)) <= 15
    assert testbed.switch['s1']['number'] == 1


def test_broadcast_only_without_loops():
    for topology, loops in (('line 4', 0), ('star 3', 0), ('dumbbell 2', 0),
                            ('ring 3', 1), ('leaf-spine 2 1 1', 0),
                            ('leaf-spine 2 2 1', 1), ('fat-tree 4', 1)):
        assert show(*topology.split()).doc['broadcast'] == (not loops), topology
    assert not show('ring', 3, '--fail', 's1-s2').doc['broadcast'], 'a link that may come back'


def test_fat_tree_spreads_evenly():
    for k in (4, 6):
        testbed = show('fat-tree', k)
        hosts = len(testbed.host)
        for by in range(1, hosts):
            assert max(testbed.shift(by).values()) == 1, f'k={k} shift by {by}'
        # to another pod: each direction of each link has one packet
        assert len(testbed.shift(hosts // 2)) == len(testbed.port), f'k={k} links used'


def test_leaf_spine_spreads_evenly():
    testbed = show('leaf-spine', 4, 3, 6)
    for leaf in ('s1', 's4'):
        used = collections.Counter(testbed.switch[leaf]['forward'].values())
        assert sorted(used.values()) == [1] * 6 + [6] * 3, leaf


def test_ring_takes_both_ways_to_the_opposite():
    testbed = show('ring', 4, 2)
    ways = {testbed.path('h1', dst)[0] for dst in ('h5', 'h6')}
    assert len(ways) == 2


LINKS = '--rate', '1gbit', '--delay', '1us'


def test_parts_have_as_many_hosts_and_switches():
    for k in 4, 8:
        for parts in 2, 4:
            t = show('fat-tree', k, *LINKS, '--part', f'0/{parts}')
            for nodes in t.host, t.switch:
                count = collections.Counter(node['part'] for node in nodes.values())
                assert count == {part: len(nodes) // parts for part in range(1, parts + 1)}


def test_pods_and_hosts_are_whole():
    t = show('fat-tree', 4, *LINKS, '--part', '1/4')
    for host in t.host.values():
        assert host['part'] == t.switch[host['peer']]['part']
    assert [t.switch[f's{i}']['part'] for i in range(1, 17)] == [1, 1, 2, 2, 3, 3, 4, 4] * 2


def test_bridges_of_a_switch_are_in_one_part():
    with File('switch a\nswitch b with a\nhost h1 a\nhost h2 b\nlink a b\n') as name:
        t = show('file', name, *LINKS, '--part', '0/2')
    assert {s['part'] for s in t.switch.values()} == {1}


def test_failed_links_are_not_used():
    testbed = show('fat-tree', 4, '--fail', 's1-s9', '--fail', 's11-s17')
    assert testbed.lengths() == {1: 16, 3: 32, 5: 192}
    assert ({p['dev'] for p in testbed.port.values() if p['failed']} ==
            {'s1p3', 's9p1', 's11p3', 's17p2'})
    assert show('ring', 4, '--fail', 's1-s4').lengths() == {2: 6, 3: 4, 4: 2}


def test_hosts_that_cannot_be_reached_are_an_error():
    code, out, err = run('show', 'line', 3, '--fail', 's2-s3')
    assert (code, out) == (1, '')
    assert err == 'lle-testbed: no path from s1 to h2\n'


def test_options_of_qdiscs():
    testbed = show('leaf-spine', 2, 1, 1, '--rate', '10gbit', '--delay', '2us',
               '--edge', 'prio-pfc 3:on  xoff 20kb', '--fabric', 'headroom 1mb',
               '--fabric', 'alpha 1/8', '--host', 'limit 100kb')
    assert testbed.port['s2p1']['qdisc'] == ('rate 10gbit delay 2us edge switch 2 '
          'prio-pfc 3:on xoff 20kb')
    assert testbed.port['s3p1']['qdisc'] == ('rate 10gbit delay 2us fabric switch 3 '
          'headroom 1mb alpha 1/8')
    assert testbed.host['h1']['qdisc'] == 'rate 10gbit delay 2us limit 100kb'
    testbed = show('star', 2, '--no-qdisc')
    assert 'qdisc' not in testbed.port['s1p1'] and 'qdisc' not in testbed.host['h1']


FILE = '''\
# three switches in a triangle
switch a
switch b
switch c with b alpha 1/8  # one buffer
host x a rate 1gbit
host y b delay 5us rate 2gbit
host z c

link a b
link b c rate 4gbit
link c a failed
link c a
route a y via c
qdisc edge prio-pfc 3:on
qdisc host limit 50kb
qdisc edge buffer 1mb
'''


def test_file_is_read():
    with File(FILE) as name:
        testbed = show('file', name, '--rate', '9gbit')
    assert testbed.size() == (3, 3, 7)
    assert testbed.path('x', 'y') == ['ap4', 'cp2', 'bp1'], 'given path'
    assert testbed.path('x', 'z') == ['ap4', 'cp1'], 'second of two links'
    assert testbed.port['ap1']['qdisc'] == 'rate 1gbit edge switch 1 prio-pfc 3:on buffer 1mb'
    assert (testbed.port['bp1']['qdisc'] ==
            'rate 2gbit delay 5us edge switch 2 prio-pfc 3:on buffer 1mb')
    assert testbed.port['bp3']['qdisc'] == 'rate 4gbit fabric switch 2'
    assert (testbed.port['cp1']['qdisc'] ==
            'rate 9gbit edge switch 2 prio-pfc 3:on buffer 1mb alpha 1/8')
    assert testbed.port['cp4']['qdisc'] == 'rate 9gbit fabric switch 2 alpha 1/8'
    assert testbed.host['z']['qdisc'] == 'rate 9gbit limit 50kb'
    assert testbed.port['cp3']['failed']


TEXT = '''\
testbed t: 2 switches in t-sw, 2 hosts, 3 links
host t-h1 10.0.0.1 02:00:00:00:00:01 at s1p1 rate 1gbit
host t-h2 10.0.0.2 02:00:00:00:00:02 at s2p1 rate 1gbit
link s1p2 s2p2 rate 1gbit
'''

DOT = '''\
graph "lle" {
	node [shape=box];
	"s1";
	"s2";
	"h1" [shape=ellipse];
	"s1" -- "h1" [taillabel="s1p1", headlabel="eth0"];
	"s1" -- "s2" [taillabel="s1p2", headlabel="s2p1"];
	"s1" -- "s2" [taillabel="s1p3", headlabel="s2p2", style=dashed];
}
'''


def groups(*args):
    """Path groups of a topology, and those expected from its links: two sets of
    tuples of ports."""
    code, out, err = run('show', *args, '--format', 'paths')
    assert (code, err) == (0, ''), args
    lines = [line.split() for line in out.splitlines()]
    assert len({number for number, *_ in lines}) == len(lines), f'numbers of {args}'

    testbed, wanted = show(*args), set()
    far = {host: testbed.hops(host) for host in testbed.host}
    for name, switch in testbed.switch.items():
        ways = {tuple(p['dev'] for p in switch['ports']
                      if p['role'] == 'fabric' and not p['failed'] and
                      far[host].get(p['peer'], len(far)) < far[host].get(name, 0))
                for host in testbed.host}
        wanted |= {w for w in ways if len(w) > 1 and
                   all(w == v or not set(w) & set(v) for v in ways)}
    return {tuple(ports) for _, *ports in lines}, wanted


def test_paths_are_ports_that_lead_to_the_same_hosts():
    for topology, number in [
            ('line 5', 0), ('star 6', 0), ('ring 6 2', 0), ('ring 5', 0),
            ('leaf-spine 4 2 3', 4), ('fat-tree 2', 0), ('fat-tree 4', 16)]:
        is_, wanted = groups(*topology.split())
        assert is_ == wanted, topology
        assert len(is_) == number, topology


def test_a_part_has_the_groups_of_its_switches():
    args = 'fat-tree', '4', '--rate', '1gbit', '--delay', '1us'
    is_, wanted = set(), groups(*args)[0]
    for part in range(1, 5):
        own, of_part = show(*args, '--part', f'{part}/4'), groups(*args, '--part', f'{part}/4')[0]
        devs = {p['dev'] for s in own.switch.values() if s['part'] == part for p in s['ports']}
        assert {port for ports in of_part for port in ports} - devs == set(), part
        assert is_ & of_part == set(), part
        is_ |= of_part
    assert is_ == wanted


def test_ethers_are_the_addresses_of_all_hosts():
    code, out, err = run('show', 'fat-tree', '4', '--format', 'ethers')
    assert (code, err) == (0, '')
    assert (out.splitlines() ==
            [f'{h["mac"]} {h["address"]}' for h in show('fat-tree', '4').host.values()])


def test_a_failed_link_is_in_no_group():
    # one of three links failed; the other two remain a group, at both ends
    with File('switch a\nswitch b\nhost x a\nhost y b\n'
              'link a b\nlink a b failed\nlink a b\n') as name:
        is_, wanted = groups('file', name)
        assert is_ == wanted
        assert is_ == {('ap2', 'ap4'), ('bp2', 'bp4')}
    # a leaf that lost a spine has hosts that only the other spine reaches
    is_, wanted = groups('leaf-spine', 3, 2, 1, '--fail', 's1-s4')
    assert is_ == wanted
    assert is_ == set()


def test_text_and_dot():
    assert run('show', 'line', 2, '--name', 't', '--rate', '1gbit') == (0, TEXT, '')
    with File('switch s1\nswitch s2\nhost h1 s1\nlink s1 s2\n'
              'link s1 s2 failed\n') as name:
        assert run('show', 'file', name, '--format', 'dot') == (0, DOT, '')


ABC = 'switch a\nswitch b\nswitch c\nhost x a\nhost y b\n' \
      'link a b\nlink b c\nlink c a\n'

BAD_FILES = [
    # text after ABC, line, reason
    ('foo', 9, 'unknown argument "foo"'),
    ('switch', 9, 'switch wants: NAME [with SWITCH] [OPTION...]'),
    ('switch d e', 9, 'Unknown option "e"' + ALL),
    ('switch a', 9, '"a" is there already'),
    ('switch x', 9, '"x" is there already'),
    ('switch 1', 9, '"1" is not a name: letters, digits, \'_\' and \'.\', '
     'a letter first, 15 at most'),
    ('switch a-b', 9, '"a-b" is not a name: letters, digits, \'_\' and \'.\', '
     'a letter first, 15 at most'),
    ('switch abcdefghijklmnop', 9, '"abcdefghijklmnop" is not a name: '
     'letters, digits, \'_\' and \'.\', a letter first, 15 at most'),
    ('switch abcdefghijklmno\nlink a abcdefghijklmno', 10,
     'switch abcdefghijklmno: no name is left for port 1: device names have '
     '15 characters at most'),
    ('host z', 9, 'host wants: NAME SWITCH [rate R] [delay T]'),
    ('host z d', 9, 'there is no switch "d"'),
    ('host z x', 9, 'there is no switch "x"'),
    ('host sw a', 9, '"sw" is the name of the switches\' network namespace'),
    ('host z a rate', 9, 'rate: missing: a rate of 8kbit..1tbit.'),
    ('host z a rate fast', 9, 'rate: "fast" is not a rate of 8kbit..1tbit.'),
    ('host z a rate 1', 9, 'rate: "1" is not a rate of 8kbit..1tbit.'),
    ('host z a delay 2s', 9, 'delay: "2s" is not a time of 0..1s.'),
    ('host z a failed', 9, 'unknown argument "failed"'),
    ('link a', 9, 'link wants: SWITCH SWITCH [rate R] [delay T] [failed]'),
    ('link a a', 9, 'switch a: a link to itself'),
    ('link a x', 9, 'there is no switch "x"'),
    ('link a b broken', 9, 'unknown argument "broken"'),
    ('route a y c', 9, 'route wants: SWITCH HOST via SWITCH'),
    ('route a y by c', 9, '"by" stands where "via" should'),
    ('route a b via c', 9, 'there is no host "b"'),
    ('route a y via y', 9, 'there is no switch "y"'),
    ('route b y via c', 9, 'y is at b itself'),
    ('switch d\nroute a y via d', 10, 'no link from a to d, or it has failed'),
    ('\n\nroute a y via c\nroute c y via a', 11,
     'packets from a to y would go round in circles'),
    ('switch d colour red', 9, 'Unknown option "colour"' + ALL),
    ('switch d with e', 9, 'there is no switch "e"'),
    ('switch d with', 9, 'Unknown option "with", did you mean "switch"?'),
    ('qdisc leaf alpha 1', 9, '"leaf" is not edge, fabric or host'),
    ('qdisc edge colour red', 9, 'Unknown option "colour"' + ALL),
    ('qdisc edge alpha 3', 9,
     'alpha: "3" is not a power of two of 1/1024..1024.'),
    ('qdisc edge' + ' clearmax' * 249, 9, 'more than 248 words of options'),
    ('qdisc edge' + ' clearmax' * 255, 9, 'more than 256 words'),
]


def test_bad_files_are_refused_by_line():
    for text, line, reason in BAD_FILES:
        with File(ABC + text + '\nswitch after\n') as name:
            assert (run('show', 'file', name) ==
                    (1, '', f'lle-testbed: {name}:{line}: {reason}\n')), text[:40]


def test_files_that_are_none():
    assert (run('show', 'file', '/nonexistent') ==
            (1, '', 'lle-testbed: /nonexistent: No such file or directory\n'))
    assert run('show', 'file', '/tmp') == (1, '', 'lle-testbed: /tmp: Is a directory\n')
    for text, reason in (('', 'no hosts'), ('switch a', 'no hosts'),
                         ('switch a\0', 'not a text')):
        with File(text + '\n' * bool(text)) as name:
            assert run('show', 'file', name) == (1, '', f'lle-testbed: {name}: {reason}\n'), text


BAD_WORDS = [
    ('show mesh 3', 'there is no topology "mesh": file, line, star, dumbbell, ring, leaf-spine, '
                    'fat-tree'),
    ('show line', 'line: it takes 1 number'),
    ('show line 1 2', 'line: it takes 1 number'),
    ('show leaf-spine 1', 'leaf-spine: it takes 3 numbers'),
    ('show line 0', 'line: "0" is not a number of 1..65535'),
    ('show line -- -1', 'line: "-1" is not a number of 1..65535'),
    ('show star 1x', 'star: "1x" is not a number of 1..65535'),
    ('show star 65536', 'star: "65536" is not a number of 1..65535'),
    ('show dumbbell 40000', 'more than 65535 hosts'),
    ('show ring 2', 'ring: needs at least 3 switches'),
    ('show fat-tree 5', 'fat-tree: 5 is odd'),
    ('show leaf-spine 40000 40000 1', 'more than 65535 switches'),
    ('show file', 'file: one name is required'),
    ('show line 2 --name a/b', '--name: "a/b" is not a name'),
    ('show line 2 --format xml', '--format: "xml" is not text, json, dot, paths, ethers or file'),
    ('show line 2 --rate 2', 'rate: "2" is not a rate of 8kbit..1tbit.'),
    ('show line 2 --delay x', 'delay: "x" is not a time of 0..1s.'),
    ('show line 2 --fail s1', '"s1" is not a link of two switches, A-B'),
    ('show line 2 --fail s1-s9', 'there is no switch "s9"'),
    ('show line 3 --fail s1-s3', 'there is no link s1-s3 that could fail'),
    ('show line 2 --edge foo', 'Unknown option "foo"' + ALL),
    ('show line 2 --edge help', 'Usage: ... lossless'),
    ('show line 2 --rate 1gbit --host rate=2',
     'Unknown option "rate=2", did you mean "rate"?'),
    ('show line 2 --mtu 1500', 'this command has no option --mtu'),
    ('show --rate 1gbit', 'show: options of a topology without one'),
    ('show --name nosuch', 'there is no testbed "nosuch"'),
    ('up', 'up: a topology is required'),
    ('up line 2 --mtu 5', '--mtu: "5" is not a number of 68..65535'),
    ('up line 2 --part 3/2', '--part: "3/2" is not a number of 0..N, /, and N, of 1..16'),
    ('up line 2 --part 1/17', '--part: "1/17" is not a number of 0..N, /, and N, of 1..16'),
    ('up line 2 --part 1/2x', '--part: "1/2x" is not a number of 0..N, /, and N, of 1..16'),
    ('show line 2 --part 0/2', '--part: link s1 h1 has no delay'),
    ('down --name nosuch', 'there is no testbed "nosuch"'),
    ('down line 3', 'unknown argument "line"'),
    ('stats --name nosuch', 'there is no testbed "nosuch"'),
    ('stats --arp', 'this command has no option --arp'),
]


def test_bad_command_lines_are_refused():
    for words, reason in BAD_WORDS:
        assert run(*words.split()) == (1, '', f'lle-testbed: {reason}\n'), words
    assert (run('show', 'line', 2, '--rate', '1gbit', '--edge', 'rate 2gbit') ==
            (1, '', 'lle-testbed: s1 s1p1: rate: this has been set already.\n'))
    code, out, _ = run()
    assert (code, out[:6]) == (1, 'Usage:')
    code, out, _ = run('--help')
    assert (code, out[:6]) == (0, 'Usage:')


def test_output_that_cannot_be_written_is_an_error():
    with open('/dev/full', 'w', encoding='ascii') as full:
        done = subprocess.run([PROGRAM, 'show', 'star', '2'], stdout=full,
                              stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, 'lle-testbed: output: No space left on device\n')
