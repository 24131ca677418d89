# SPDX-License-Identifier: GPL-2.0
"""Results in two folders are compared in pairs of runs with equal keys."""
import json
import random

import pytest

from lle_lab import compare, results
from lle_lab.errors import Refused


def write(folder, metrics, version='v', scenario='incast', **keys):
    """A run below a folder."""
    name = ','.join(f'{key}={value}' for key, value in keys.items())
    run = folder / scenario / name
    run.mkdir(parents=True)
    (run / 'result.json').write_text(json.dumps(
        {'scenario': scenario, 'version': version, 'metrics': metrics, 'keys': keys}))
    return run


@pytest.fixture(name='folders')
def two_folders(tmp_path):
    return tmp_path / 'a', tmp_path / 'b'


def rows(folders):
    """{metric: words of its line}"""
    lines = list(compare.lines(*folders))
    head = next(i for i, line in enumerate(lines) if line.startswith('metric'))
    return {line.split()[0]: line.split()[1:] for line in lines[head + 1:]}


def test_a_run_and_another_one(folders):
    a, b = (write(folder, {'fct_us': value, 'of': {'x': [1, 2]}}, PFC=pfc, SEED='1')
            for folder, value, pfc in zip(folders, (4, 6), ('on', 'off')))
    assert list(compare.lines(a, b)) == [
        'PFC: on and off', '1 pair',
        'metric                                         A           B       B - A',
        'fct_us                                         4           6           2   +50.0 %',
        'of.x.0                                         1           1           0    +0.0 %',
        'of.x.1                                         2           2           0    +0.0 %']


def test_pairs_have_equal_keys(folders):
    for seed, (a, b) in enumerate(((10, 11), (20, 22), (30, 33), (50, None)), 1):
        write(folders[0], {'m': a}, PFC='on', SEED=str(seed))
        if b:
            write(folders[1], {'m': b}, PFC='off', SEED=str(seed))
    write(folders[1], {'m': 99}, PFC='off', SEED='5')
    write(folders[1], {'m': 99}, scenario='poisson', PFC='off', SEED='4')
    found = compare.pairs(*map(compare.runs, folders), ['PFC'])
    assert [(a.metrics['m'], b.metrics['m']) for a, b in found] == [(10, 11), (20, 22), (30, 33)]
    # the median of the differences is not the difference of medians over all runs
    assert rows(folders)['m'][:4] == ['20', '22', '2', '+10.0']


def test_only_keys_that_differ_between_folders_are_left_out(folders):
    for n in '1', '2':
        write(folders[0], {'m': 1}, N=n, PFC='on', SEED='1')
        write(folders[1], {'m': 1}, N=n, PFC='off', SEED='1')
    assert compare.differing(*map(compare.runs, folders)) == ['PFC']
    assert '2 pairs' in list(compare.lines(*folders))


def test_a_difference_that_is_certain_has_a_star(folders):
    draws = random.Random(7)
    for seed in range(1, 21):
        noise = draws.uniform(-1, 1)
        write(folders[0], {'more': 10, 'noise': 0, 'less': 10, 'same': 3}, A='1', SEED=str(seed))
        write(folders[1], {'more': 12 + noise, 'noise': noise, 'less': 8 + noise, 'same': 3},
              A='2', SEED=str(seed))
    found = rows(folders)
    assert [name for name, words in found.items() if words[-1] == '*'] == ['more', 'less']
    assert list(compare.lines(*folders)) == list(compare.lines(*folders)), 'a fixed seed'


def test_an_interval_has_95_percent_of_the_medians():
    assert compare.interval([1, 2]) is None
    assert compare.interval([5] * 9) == (5, 5)
    # the exact interval of the median of 1 to 99: 40 to 60 (binomial distribution)
    low, high = compare.interval(list(range(1, 100)))
    assert 38 <= low <= 42 and 58 <= high <= 62


def test_a_metric_that_a_run_lacks_does_not_count(folders):
    for seed, a, b in ('1', 1, None), ('2', 2, 4):
        write(folders[0], {'m': a, 'only_a': 1}, A='1', SEED=seed)
        write(folders[1], {'m': b}, A='2', SEED=seed)
    assert rows(folders) == {'m': ['2', '4', '2', '+100.0', '%']}


def test_results_of_earlier_versions_do_not_count(folders):
    for folder in folders:
        run = write(folder, {'m': 1}, PFC='on', SEED='1')
        (run.parent / 'latest').symlink_to(run.name)
    for name in 'SEED=1.1', 'SEED=1.unfinished':
        run.with_name(f'PFC=on,{name}').mkdir()
        (run.with_name(f'PFC=on,{name}') / 'result.json').write_text(
            (run / 'result.json').read_text().replace('1}', '9}'))
    assert [found.metrics for found in compare.runs(folders[1])] == [{'m': 1}]


def test_versions_that_differ_are_named(folders):
    for folder, version in zip(folders, 'vw'):
        write(folder, {'m': 1}, version, SEED='1')
    assert 'versions of the lab differ' in list(compare.lines(*folders))


def test_what_cannot_be_compared_is_refused(folders):
    write(folders[0], {'m': 1}, SEED='1')
    with pytest.raises(Refused, match='b: no results there$'):
        list(compare.lines(*folders))
    write(folders[1], {'m': 1}, scenario='poisson', SEED='1')
    with pytest.raises(Refused, match='have no runs with the same keys$'):
        list(compare.lines(*folders))


def test_folders_of_earlier_versions_do_not_count(tmp_path):
    names = "N=2,SEED=1", "N=2,SEED=1.1", f"{'x' * 160},0123456789abcdef"
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "result.json").write_text('{"metrics": {}, "keys": {}}')
    assert sorted(run.folder.name for run in compare.runs(tmp_path)) == [names[0], names[2]]


def test_a_folder_without_results_is_refused(tmp_path):
    for function in compare.runs, results.load:
        with pytest.raises(Refused, match="no results there"):
            function(tmp_path)
