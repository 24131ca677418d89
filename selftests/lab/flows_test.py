# SPDX-License-Identifier: GPL-2.0
"""lle_flows prints the requested traffic.

Compares random flows with their distributions: tolerances are four to five
standard deviations, and the seeds are fixed.
"""
import bisect
import collections
import math
import os
import subprocess
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(TOP, 'build/bin/lle_flows')
SIZES = os.path.join(TOP, 'lab/flow-sizes')

Flow = collections.namedtuple('Flow', 'start size src dst prio hot')


def run(*args):
    return subprocess.run([PROGRAM, *map(str, args)], text=True, capture_output=True,
                          check=False)


def number(ip):
    a, b, high, low = map(int, ip.split('.'))
    assert (a, b) == (10, 0), ip
    return high * 256 + low


def flows(*args):
    done = run(*args)
    assert (done.returncode, done.stderr) == (0, ''), args
    words = (line.split() for line in done.stdout.splitlines())
    return [Flow(int(w[0]), int(w[1]), number(w[2]), number(w[3]), int(w[4]),
                 w[5:] == ['#', 'hot']) for w in words]


def close(got, want, off, what):
    assert abs(got - want) <= off, f'{what}: is {got}, should be {want} +- {off}'


subprocess.run(['make', '-s', '-C', TOP, 'build/bin/lle_flows'], check=True)


def test_permutation_is_one():
    for seed in range(20):
        got = flows('permutation', '--hosts', 17, '--seed', seed)
        hosts = list(range(1, 18))
        assert [f.src for f in got] == hosts
        assert sorted(f.dst for f in got) == hosts
        assert all(f.src != f.dst for f in got), 'a host sends to itself'
        assert {(f.start, f.size, f.prio) for f in got} == {(0, 1000000, 3)}


def test_incast_has_senders_and_rounds():
    got = flows('incast', '--hosts', 300, '--to', 2, '--senders', 290, '--rounds', 3,
                '--start', 5, '--period', 70, '--size', 9, '--prio', 4)
    want = [Flow(5 + 70 * i, 9, src, 2, 4, False) for i in range(3)
            for src in [1, *range(3, 292)]]
    assert got == want
    assert len(flows('incast', '--hosts', 8)) == 7


def test_poisson_has_the_load():
    got = flows('poisson', '--hosts', 16, '--rate', 25e9, '--load', 0.6, '--size', 10000,
                '--duration', 1e7, '--start', 1000)
    want = 16 * 25e9 * 0.6 * 0.01 / 8 / 10000
    close(len(got), want, 4 * math.sqrt(want), 'flows')
    assert all(1000 <= f.start < 1000 + 1e7 for f in got), 'outside of the time'


def test_poisson_times_are_exponential():
    got = flows('poisson', '--hosts', 4, '--size', 100000, '--duration', 1e8)
    gaps = [b.start - a.start for a, b in zip(got, got[1:])]
    mean = sum(gaps) / len(gaps)
    # share of the gaps that exceed x times the mean: e^-x
    for x in (0.1, 0.5, 1, 2, 4):
        share = math.exp(-x)
        close(sum(g > x * mean for g in gaps) / len(gaps), share,
              5 * math.sqrt(share * (1 - share) / len(gaps)), f'longer than {x}')


def test_poisson_hosts_are_even():
    got = flows('poisson', '--hosts', 10, '--size', 10000, '--duration', 5e6)
    pairs = collections.Counter((f.src, f.dst) for f in got)
    assert len(pairs) == 90
    want = len(got) / 90
    for pair, n in pairs.items():
        close(n, want, 5 * math.sqrt(want), pair)


def test_hot_hosts_get_their_share():
    got = flows('poisson', '--hosts', 54, '--hot', 6, '--hot-share', 0.15,
                '--size', 10000, '--duration', 2e6)
    received = collections.Counter(f.dst for f in got)
    hot = sorted(host for host, _ in received.most_common(6))
    assert [(host - 1) // 9 for host in hot] == list(range(6)), 'one of each 9'
    share = 0.15 + 0.85 * 6 / 54
    close(sum(f.hot for f in got) / len(got), 0.15, 5 * math.sqrt(0.15 / len(got)), 'hot')
    assert {f.dst for f in got if f.hot} == set(hot)
    for host in hot:
        close(received[host] / len(got), share / 6,
              5 * math.sqrt(share / 6 / len(got)), f'to hot host {host}')
    close(sum(f.src in hot for f in got) / len(got), 6 / 54,
          5 * math.sqrt(1 / len(got)), 'from hot hosts')


def test_groups_keep_to_themselves():
    got = flows('poisson', '--hosts', 54, '--groups', 12, '--size', 10000,
                '--duration', 4e6)
    peers = collections.defaultdict(set)
    for f in got:
        peers[f.src].add(f.dst)
    groups = {frozenset(dst | {src}) for src, dst in peers.items()}
    assert sorted(map(len, groups)) == [4] * 6 + [5] * 6
    assert sorted(host for group in groups for host in group) == list(range(1, 55))
    assert any(max(group) - min(group) > 9 for group in groups), 'all are neighbours'


def points_of(name):
    with open(os.path.join(SIZES, name), encoding='ascii') as file:
        rows = [line.split(',') for line in file.read().splitlines()[1:]]
    return [(float(b), float(s)) for b, s in rows]


def share_up_to(curve, size):
    """Share of flows up to SIZE: linear between points; of two points with the
    same bytes the later one."""
    i = bisect.bisect_right([b for b, _ in curve], size)
    if i == len(curve):
        return 1.0
    if i == 0:
        return 0.0
    (b0, s0), (b1, s1) = curve[i - 1], curve[i]
    return s0 + (s1 - s0) * (size - b0) / (b1 - b0)


def test_sizes_are_as_measured():
    for name in sorted(os.listdir(SIZES)):
        if not name.endswith('.csv'):
            continue
        path = os.path.join(SIZES, name)
        curve = points_of(name)
        got = flows('incast', '--hosts', 2, '--rounds', 20000, '--cdf', path)
        sizes = sorted(f.size for f in got)
        for size, _ in curve:
            share = share_up_to(curve, size)
            close(bisect.bisect_right(sizes, size) / len(sizes), share,
                  5 * 0.5 / math.sqrt(len(sizes)), f'{name}, up to {size}')
        mean = sum((s1 - s0) * (b0 + b1) / 2
                   for (b0, s0), (b1, s1) in zip(curve, curve[1:]))
        mean += curve[0][0] * curve[0][1]
        spread = math.sqrt(sum((s - mean) ** 2 for s in sizes)) / len(sizes)
        close(sum(sizes) / len(sizes), mean, 5 * spread + 1, f'{name}, mean')
        # the mean of the sizes determines the load
        load = flows('poisson', '--hosts', 2, '--rate', 1e12, '--cdf', path,
                     '--load', 1, '--duration', mean * 8 / 2e12 * 1e9 * 10000)
        close(len(load), 10000, 500, f'{name}, flows')


def test_a_seed_says_it_all():
    args = ('poisson', '--hosts', 8, '--cdf', os.path.join(SIZES, 'hadoop.csv'))
    assert run(*args, '--seed', 7).stdout == run(*args, '--seed', 7).stdout
    assert run(*args, '--seed', 7).stdout != run(*args, '--seed', 8).stdout, 'seed 8 is 7'


Step = collections.namedtuple('Step', 'start size src dst after job')


def steps(*args):
    done = run('collective', *args)
    assert (done.returncode, done.stderr) == (0, ''), args
    got = []
    for line in done.stdout.splitlines():
        words, job = line.split(' # job ')
        w = words.split()
        after = []
        for part in w[6].split(',') if w[5:6] == ['after'] else []:
            first, _, end = part.partition('-')
            after += range(int(first), int(end or first) + 1)
        got.append(Step(int(w[0]), int(w[1]), number(w[2]), number(w[3]), after, int(job)))
    return got


def sums(got):
    sent, received = collections.Counter(), collections.Counter()
    for step in got:
        sent[step.src] += step.size
        received[step.dst] += step.size
    return sent, received


KINDS = ('ring-allreduce', 'tree-allreduce', 'all-gather', 'reduce-scatter', 'all-to-all',
         'parameter-server', 'pipeline')


def test_steps_wait_for_what_their_host_knows():
    for kind in KINDS:
        got = steps('--kind', kind, '--hosts', 7, '--pieces', 3)
        assert got, kind
        for i, step in enumerate(got):
            for first in step.after:
                assert 1 <= first <= i, f'{kind}, line {i + 1}: waits for {first}'
                assert step.src in (got[first - 1].src, got[first - 1].dst), (kind, i + 1)


def test_rings_send_what_they_received():
    for kind, rounds in (('ring-allreduce', 2), ('all-gather', 1), ('reduce-scatter', 1)):
        got = steps('--kind', kind, '--hosts', 8, '--size', 8000)
        for host in range(1, 9):
            assert sums(got)[0][host] == rounds * 7 * 1000, kind
            assert sums(got)[1][host] == rounds * 7 * 1000, kind
        assert {(s.dst - s.src) % 8 for s in got} == {1}
        for i, step in enumerate(got):
            received = [got[a - 1] for a in step.after if got[a - 1].dst == step.src]
            assert len(received) == int(i >= 8), f'{kind}, line {i + 1}'


def test_tree_reduces_and_spreads():
    got = steps('--kind', 'tree-allreduce', '--hosts', 5, '--size', 900, '--pieces', 3)
    sent, received = sums(got)
    # host 1 has the children 2 and 3, host 2 has 4 and 5
    assert dict(sent) == {1: 1800, 2: 2700, 3: 900, 4: 900, 5: 900}
    assert dict(received) == dict(sent)
    spread = [s for s in got if s.src == 1]
    for step in spread:
        assert sum(got[a - 1].dst == 1 for a in step.after) == 2, 'pieces of the children'


def test_all_to_all_has_each_pair():
    got = steps('--kind', 'all-to-all', '--hosts', 6, '--size', 600)
    assert (sorted((s.src, s.dst) for s in got) ==
            [(a, b) for a in range(1, 7) for b in range(1, 7) if a != b])
    assert {s.size for s in got} == {100}


def test_server_waits_for_all_workers():
    got = steps('--kind', 'parameter-server', '--hosts', 4, '--size', 5)
    assert [s.dst for s in got] == [1, 1, 1, 2, 3, 4]
    assert [s.after for s in got] == [[], [], [], *[[1, 2, 3]] * 3]


def test_pipeline_comes_back():
    got = steps('--kind', 'pipeline', '--hosts', 3, '--pieces', 2, '--compute', 10)
    assert [(s.src, s.dst) for s in got] == [(1, 2), (2, 3)] * 2 + [(3, 2), (2, 1)] * 2
    assert [s.after for s in got] == [[], [1], [1], [3, 2], [2], [5], [4, 5], [7, 6]]
    assert [s.start for s in got] == [10, 10, 20, 10, 10, 10, 10, 10]


def test_jobs_share_no_host():
    for place, hosts in (('packed', [{1, 2, 3}, {4, 5, 6}]), ('spread', [{1, 3, 5}, {2, 4, 6}]),
                         ('random', None)):
        got = steps('--hosts', 8, '--jobs', 2, '--ranks', 3, '--place', place, '--seed', 3)
        of_job = [{s.src for s in got if s.job == job} for job in (1, 2)]
        assert [len(h) for h in of_job] == [3, 3]
        assert not of_job[0] & of_job[1], place
        if hosts:
            assert of_job == hosts, place
        for i, step in enumerate(got):
            assert all(got[a - 1].job == step.job for a in step.after), (place, i)


BAD_WORDS = [
    ('', 'a pattern is required'),
    ('incast', '--hosts is required'),
    ('nope --hosts 4', 'there is no pattern "nope"'),
    ('incast more --hosts 4', 'unknown argument "more"'),
    ('incast --hosts 1', '"1" is not a number from 2 to 65534'),
    ('incast --hosts 4 --to 5', 'there are 4 hosts'),
    ('incast --hosts 4 --size 0', '"0" is not a number from 1 to 1e+15'),
    ('poisson --hosts 4 --load x', '"x" is not a number from 1e-06 to 10'),
    ('poisson --hosts 4 --hot 5', 'there are 4 hosts'),
    ('poisson --hosts 4 --hot 1 --hot-share 0.5', '--hot-share needs --hot 2 or more'),
    ('poisson --hosts 5 --groups 3', 'a group has 2 hosts at least'),
    ('poisson --hosts 4 --cdf /nope', 'not a distribution of sizes'),
    ('collective --hosts 4 --kind x', 'there is no collective "x"'),
    ('collective --hosts 4 --place x', '"x" is no place'),
    ('collective --hosts 4 --jobs 2 --ranks 3', '2 jobs of 3 hosts: there are 4 hosts'),
    ('collective --hosts 4 --jobs 3', '3 jobs of 1 hosts'),
]
BAD_CURVES = ['', '1,0\n', '1,0\n2,0.9\n', '5,0\n4,1\n', '1,0.5\n2,0.4\n3,1\n']


def test_bad_words_are_refused():
    for words, reason in BAD_WORDS:
        done = run(*words.split())
        assert done.returncode and reason in done.stderr and not done.stdout, \
            f'{words}: said {done.stderr!r}, printed {done.stdout[:40]!r}'


def test_bad_distributions_are_refused():
    for curve in BAD_CURVES:
        with tempfile.NamedTemporaryFile('w', suffix='.csv') as file:
            file.write(curve)
            file.flush()
            done = run('incast', '--hosts', 2, '--cdf', file.name)
            assert done.returncode == 1 and 'not a distribution' in done.stderr, curve
