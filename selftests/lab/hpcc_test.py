# SPDX-License-Identifier: GPL-2.0
"""Files of HPCC that a run of the scenario import has left in FOLDER.
BEGIN_NS is the start of the first flow.

Reads fct.txt as scripts for HPCC do, by position, and compares all files with the
other results of the run; imports topology.txt and flow.txt again.
"""
import csv
import json
import os
import subprocess


TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..')
FOLDER = os.environ['FOLDER']
BEGIN_NS = int(os.environ['BEGIN_NS'])


def path(name):
    return os.path.join(FOLDER, name)


def rows(name):
    with open(path('hpcc/' + name), encoding='ascii') as file:
        return [line.split() for line in file]


def table(name):
    with open(path(name), encoding='ascii') as file:
        return list(csv.DictReader(file))


def document(name):
    with open(path(name), encoding='utf-8') as file:
        return json.load(file)


def percentiles(pairs):
    """(size, median, 95 %, 99 % of the slowdown) for each tenth of the flows."""
    pairs = sorted(pairs)
    for i in range(10):
        some = pairs[i * len(pairs) // 10:(i + 1) * len(pairs) // 10]
        slow = sorted(slowdown for _, slowdown in some)
        if some:
            yield (some[-1][0], *(slow[int(len(slow) * p)] for p in (0.5, 0.95, 0.99)))


def test_completions():
    """fct.txt has the flows of flows.csv."""
    host = {h['address']: int(h['name'][1:]) for h in document('testbed.json')['hosts']}
    fct = rows('fct.txt')
    got = sorted((int(f[0], 16) >> 8 & 0xffff, int(f[1], 16) >> 8 & 0xffff, int(f[4]), int(f[5]),
                  int(f[6])) for f in fct)
    flows = table('flows.csv')
    assert got == sorted((host[f['src']], host[f['dst']], int(f['size']),
                          BEGIN_NS + int(f['start_ns']),
                          int(f['acked_ns']) - int(f['start_ns'])) for f in flows)
    for f in fct:
        assert f[0] == f'{0x0b000001 + (int(f[0], 16) >> 8 & 0xffff) * 256:08x}'
    assert len({(f[0], f[2]) for f in fct}) == len(fct), 'ports of sources'
    ends = [int(f[5]) + int(f[6]) for f in fct]
    assert ends == sorted(ends), 'order'
    # no flow is much faster than alone in the network, and the last one is alone
    slowdowns = [int(f[6]) / int(f[7]) for f in fct]
    assert min(slowdowns) > 0.9 and 0.9 < slowdowns[-1] <= 1, slowdowns
    read = [(int(f[4]), max(1, int(f[6]) / int(f[7]))) for f in fct]
    want = [(int(f['size']), max(1, (int(f['acked_ns']) - int(f['start_ns'])) / int(g[7])))
            for f in flows for g in fct
            if (g[4], int(g[5])) == (f['size'], BEGIN_NS + int(f['start_ns'])) and
            int(g[0], 16) >> 8 & 0xffff == host[f['src']]]
    assert list(percentiles(read)) == list(percentiles(want))


def test_pauses():
    """pfc.txt has the pauses that ports count."""
    qdiscs = document('stats.json')['qdiscs']
    times = [int(row[0]) for row in rows('pfc.txt')]
    assert times == sorted(times), 'order'
    for kind, role in ('1', 'pause'), ('0', 'resume'):
        for node_type, is_host in ('0', True), ('1', False):
            assert (sum(row[2] == node_type and row[4] == kind for row in rows('pfc.txt')) ==
                    sum(prio['rx_' + role] for q in qdiscs if (q['role'] == 'host') == is_host
                        for prio in q['prios'])), (role, node_type)


def output(*words, given=None):
    return subprocess.run(words, text=True, check=True, input=given, stdout=subprocess.PIPE).stdout


def test_again():
    """What is imported again is the same."""
    words = (os.path.join(TOP, 'build/bin/lle-testbed'), 'show', 'file',
             path('hpcc/topology.txt'), '--format')
    with open(path('topology'), encoding='ascii') as file:
        assert output(*words, 'file') == file.read()
    got = output(os.path.join(TOP, 'lab/scenarios/import.py'), path('hpcc/flow.txt'),
                 '/dev/stdin', given=output(*words, 'json')).splitlines()
    with open(path('flows'), encoding='ascii') as file:
        want = file.read().splitlines()
    if 'after' in ''.join(want):    # HPCC's flows wait for none: they have begun at a time
        assert len(got) == len(want)
        return
    assert (got[0], sorted(got[1:])) == (want[0], sorted(want[1:]))
