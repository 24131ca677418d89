# SPDX-License-Identifier: GPL-2.0
"""border.py: places of mutants, and its results with guests that crash."""
import collections

import pytest

import border

SOURCE = '''\
static int one(int a)
{
	if (a)
		return 1;
	return 0;
}

int two(void)
{
	return 1;
}
'''


def mutant(number=1, **parts):
    words = {'file': 'qdisc/own.c', 'function': 'one', 'before': 'return 1;', 'after': ';',
             'effect': 'it fails', 'kernel': 'lab', 'scenario': 'ring', 'tests': ('turns',)}
    return border.Mutant(number=number, **(words | parts))


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.chdir(border.TOP)


def test_place():
    assert border.mutated(SOURCE, mutant()).count('return 1;') == 1
    assert '\t-;' not in border.mutated(SOURCE, mutant(before='if (a) return 1;', after='-'))
    for parts in {'function': 'three'}, {'before': 'return'}, {'before': 'return 2;'}:
        with pytest.raises(border.NotThere):
            border.mutated(SOURCE, mutant(**parts))


def test_all_lines_fit():
    assert not list(border.misfits(border.table()))


def test_selected():
    numbers = [m.number for m in border.selected(border.table(), ['2-4', 'ldcp:parameters'])]
    assert numbers[:3] == [2, 3, 4] and len(numbers) == 4


class FakeBuilder:  # pylint: disable=too-few-public-methods
    def build(self, _, made=None):
        return str(made.number if made else 0)


def results(monkeypatch, capsys, events):
    """Runs a mutant for each event, all in a boot; returns what is said of each, and the
    boots."""
    boots = []

    def boot(_, plan):
        numbers = [number for number, *_ in plan]
        boots.append(numbers[1:] if numbers[0] == 0 else numbers)
        points, ended = collections.defaultdict(dict), {}
        for number, _, scenario, tests in plan:
            event = events[number - 1] if number else 'passes'
            ended[number] = 'begins'
            if event == 'dies' or (event == 'dies once' and len(boots) == 1):
                break
            points[number] = {f'{scenario}: {test}': event.split()[0] for test in tests}
            ended[number] = 'ends'
        return points, ended

    monkeypatch.setattr(border, 'boot', boot)
    border.Runner([mutant(n + 1) for n in range(len(events))], FakeBuilder(), 10).run()
    lines = capsys.readouterr().out.splitlines()
    return [line.split(' - ')[0].split()[:-1] for line in lines if ' - ' in line], boots


def test_killed_and_missed(monkeypatch, capsys):
    said, boots = results(monkeypatch, capsys, ['fails', 'passes', 'skips'])
    assert said == [['ok'], ['not', 'ok'], ['not', 'ok']]
    assert boots == [[1, 2, 3]]


def test_crash_is_repeated_alone(monkeypatch, capsys):
    said, boots = results(monkeypatch, capsys, ['fails', 'dies', 'fails'])
    assert said == [['ok']] * 3
    assert boots == [[1, 2, 3], [2], [3]]


def test_crash_of_another(monkeypatch, capsys):
    said, _ = results(monkeypatch, capsys, ['fails', 'dies once'])
    assert said[0] == ['ok'] and said[1] == ['not', 'ok']
