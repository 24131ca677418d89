# SPDX-License-Identifier: GPL-2.0
"""Published figures: results of sweeps and commands, tables of pages, and edited pages.

Each test point has a tree of its own with a sweep, a command and a page.
"""
import shutil

import pytest

from lle_lab import figures, runner, scenario, sweep
from lle_lab.errors import Refused

FIGURES = """\
# what a page publishes
first 3x10 incast RATE=10gbit ARMS=a,b+c
second command some/program -m
"""
TABLES = """\
# of the page
table both
\\ | a | b | other
**of a sweep**
[x,and y] | first:{a,b+c}.[x,y] | [7,8] of 9
program | | first:b+c.y | second:p.q
"""
PAGE = """\
Words.

.. figures: both

.. end of figures

More.
"""
SWEPT = """\
SEED,a.x,b+c.x,a.y,b+c.y,not_as_expected
1,1,0.994,5,,0
11,3,0.994,5,1234.6,1
21,1.25,0.994,5,1234.6,2
"""
HEAD = 'figure,metric,seeds,median,least,most,values\n'
FIRST = """\
first,seeds_not_as_expected,3,2,2,2,1=0 11=1 21=1
first,a.x,3,1.25,1,3,1=1 11=3 21=1.25
first,b+c.x,3,0.994,0.994,0.994,1=0.994 11=0.994 21=0.994
first,a.y,3,5,5,5,1=5 11=5 21=5
first,b+c.y,2,1234.6,1234.6,1234.6,11=1234.6 21=1234.6
"""
SECOND = 'second,p.q,20000,0.5,0.5,0.5,\n'
TABLE = """\
==============  ===========  ======  ======  ======================
\\               a            b       other   seeds
==============  ===========  ======  ======  ======================
**of a sweep**
x               1.25 (1..3)  0.9940  7 of 9  3 (2 miss)
and y           5            1235    8 of 9  2 (2 miss), 3 (2 miss)
program         --           1235    0.5     2 (2 miss), 20000
==============  ===========  ======  ======  ======================
"""


class Tree:
    """A tree with figures."""

    def __init__(self, folder, capsys):
        self.folder, self.capsys = folder, capsys
        self.write('lab/figures', FIGURES)
        self.write('lab/tables', TABLES)
        self.write('Documentation/guide/page.rst', PAGE)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def figures(self):
        """Its figures, as they are now."""
        return figures.Figures(self.folder)

    def pages(self, names=None):
        """What is not as measured: checks tables, or writes those of figures with these names."""
        good = self.figures().pages(names)
        said = self.capsys.readouterr().out
        assert good == (said == '')
        return said

    def keep(self, name, text, version=''):
        found = self.figures()
        found.keep(found.figures[name], text, version)

    def missing(self, version=''):
        """Seeds of the sweep."""
        found = self.figures()
        return found.missing(found.figures['first'], version)

    def results(self):
        return (self.folder / 'out/figures/results.csv').read_text()

    def page(self):
        return (self.folder / 'Documentation/guide/page.rst').read_text()

    def measured(self):
        self.keep('first', SWEPT)
        self.keep('second', 'p.q 0.5 20000\n')

    def published(self):
        """Return the page of a tree that has measured nothing itself."""
        self.measured()
        self.pages([])
        shutil.rmtree(self.folder / 'out')
        return self.page()


@pytest.fixture(name='tree')
def a_tree(tmp_path, capsys):
    return Tree(tmp_path, capsys)


def test_list_has_all_or_those_named(tree):
    named = tree.figures().named
    assert [figure.name for figure in named([])] == ['first', 'second']
    assert [figure.name for figure in named(['second'])] == ['second']
    with pytest.raises(Refused, match="^there is no figure 'third'$"):
        named(['third'])


def test_a_figure_is_a_sweep_or_a_command(tree):
    first, second = tree.figures().figures.values()
    assert first.seeds == [1, 11, 21]
    assert first.sweep([1, 21]) == 'scenario incast\nRATE 10gbit\nARMS a,b+c\nSEED 1 21\n'
    assert (first.command, second.command) == ([], ['some/program', '-m'])


def test_a_sweep_has_median_least_and_most(tree):
    tree.keep('first', SWEPT)
    assert tree.results() == HEAD + FIRST


def test_a_sweep_without_a_result_is_refused(tree):
    with pytest.raises(figures.Missing, match='^first: no seed has a result$'):
        tree.keep('first', SWEPT.split('\n', maxsplit=1)[0] + '\n')


def test_a_page_tells_that_seeds_are_left(tree):
    tree.measured()
    tree.keep('first', SWEPT.rsplit('\n', 2)[0] + '\n')
    tree.pages([])
    assert '2 of 3 (1 miss)' in tree.page()


def test_seeds_of_a_version_come_together(tree):
    head, *seeds = SWEPT.splitlines(keepends=True)
    tree.keep('first', head + seeds[2] + seeds[0], 'v1')
    assert tree.missing('v1') == [11]
    assert tree.missing('v2') == [1, 11, 21]
    tree.keep('first', head + seeds[1].replace('3,', '4,'), 'v1')
    tree.keep('first', head + seeds[1], 'v1')
    assert tree.results() == HEAD + 'first,version,,,,,v1\n' + FIRST
    assert tree.missing('v1') == []
    assert tree.missing() == [1, 11, 21]


def test_seeds_of_another_version_go(tree):
    head, *seeds = SWEPT.splitlines(keepends=True)
    tree.keep('first', head + seeds[1] + seeds[2], 'v1')
    tree.keep('first', head + seeds[1], 'v2')
    assert 'first,a.x,1,3,3,3,11=3\n' in tree.results(), tree.results()
    tree.keep('first', SWEPT)
    assert tree.results() == HEAD + FIRST


def test_a_sweep_that_lacks_a_metric_is_refused(tree):
    with pytest.raises(figures.Missing, match='^first: no run has a metric b\\+c.y$'):
        tree.keep('first', SWEPT.replace('b+c.y', 'b+c.z'))


def test_a_command_prints_lines_or_tap(tree):
    tree.keep('second', 'p.q 0.5 20000\n')
    assert tree.results() == HEAD + SECOND
    tree.keep('second', 'TAP version 13\n    # metric p.q 5\nok 1 - p 3\n# p.q 4\n1..1\n')
    assert tree.results() == HEAD + 'second,p.q,1,5,5,5,\n'


def test_a_command_that_repeats_a_metric_gives_a_spread(tree):
    tree.keep('second', 'p.q 4\np.r -1 10\np.q 2\np.r -3 20\np.q 2.5\n')
    assert tree.results() == HEAD + 'second,p.q,3,2.5,2,4,\nsecond,p.r,30,-2,-3,-1,\n'


def test_a_command_that_prints_no_metric_is_refused(tree):
    with pytest.raises(figures.Missing, match='^second: the command prints no metric$'):
        tree.keep('second', 'ok 1 - p\n')


def test_results_are_in_the_order_of_figures(tree):
    tree.keep('second', 'p.q 0.5 20000\n')
    tree.keep('first', SWEPT)
    assert tree.results() == HEAD + FIRST + SECOND
    tree.keep('first', SWEPT)
    assert tree.results() == HEAD + FIRST + SECOND, 'once more'


def test_results_of_figures_that_are_no_more_go(tree):
    tree.measured()
    tree.write('lab/figures', FIGURES.replace('first', 'third'))
    tree.keep('second', 'p.q 0.5 20000\n')
    assert tree.results() == HEAD + SECOND


def test_a_table_is_written(tree):
    assert (tree.published() == PAGE.replace('both\n\n', f'both\n\n{TABLE}\n')
            .replace('end of figures', 'end of figures: 2b4f0cd7 5a935dbd 0f9a9678'))
    assert tree.pages() == ''
    assert tree.pages([]) == ''


def test_rows_of_other_figures_stay(tree):
    page = tree.published()
    tree.keep('first', SWEPT.replace('1.25', '1.5'))
    tree.pages([])
    assert tree.page() == page, 'no figure is named'
    assert 'second:p.q has no result' in tree.pages(['first'])
    assert tree.page() == page, 'a row of two figures'
    tree.write('lab/tables', TABLES.replace('first:b+c.y |', 'as above |'))
    tree.keep('second', 'p.q 0.6 20000\n')
    tree.pages(['second'])
    new = page.replace('program         --           1235    0.5     2 (2 miss), 20000',
                       'program         --           as above  0.6     20000')
    assert words(tree.page()) == words(new)
    shutil.rmtree(tree.folder / 'out')
    tree.keep('first', SWEPT.replace('1.25', '1.5'))
    tree.pages(['first'])
    assert words(tree.page()) == words(new.replace('1.25', '1.5'))
    assert tree.pages() == ''


def words(page):
    """Words of a page without its sums and rulers."""
    return [word for line in page.splitlines() if 'end of' not in line
            for word in line.split() if '==' not in word]


def test_a_row_without_a_result_is_found(tree):
    page = tree.published()
    tree.write('lab/tables', TABLES + 'more | first:a.x\n')
    assert 'table both: first:a.x has no result' in tree.pages()
    assert tree.pages([]) and tree.page() == page


def test_a_number_changed_by_hand_is_found(tree):
    page = tree.published()
    for was, new in ('1.25', '1.26'), ('3 (2 miss)', '3 (0 miss)'), ('20000', '30000'):
        edited = page.replace(was, new)
        tree.write('Documentation/guide/page.rst', edited)
        for names in None, []:
            assert ', or another value: make figures' in tree.pages(names), (new, names)
        assert tree.page() == edited


def test_another_metric_needs_a_result(tree):
    tree.published()
    tree.write('lab/tables', TABLES.replace('first:b+c.y', 'first:a.y'))
    assert 'first:a.y has no result' in tree.pages()


def test_a_label_may_change(tree):
    page = tree.published()
    tree.write('lab/tables', TABLES.replace('and y', 'or z'))
    assert (tree.pages() == 'Documentation/guide/page.rst: '
            'a table differs from lab/tables: run lle-lab figures -t\n')
    tree.pages([])
    assert tree.page() == page.replace('and y', 'or z ')


def test_lines_of_a_wide_table_are_read(tree):
    tree.write('lab/tables', TABLES.replace('program', 'a program ' + 'whose name is long ' * 2))
    page = tree.published()
    assert '(1..3)' not in page
    assert tree.pages() == ''


def test_a_table_without_results_stays(tree):
    tree.keep('first', SWEPT)
    assert tree.pages([]) == ('Documentation/guide/page.rst: table both: '
          'second:p.q has no result, or another value: make figures FIGURES=second\n')
    assert 'first:a.x has no result' in tree.pages()
    assert tree.page() == PAGE


def test_a_table_of_what_is_not_there_is_found(tree):
    tree.measured()
    tree.write('lab/tables', TABLES.replace('second:', 'secnd:'))
    said = tree.pages([])
    assert 'lab/figures has no figure secnd' in said, said
    tree.write('lab/tables', TABLES.replace('both', 'bth'))
    said = tree.pages()
    assert 'lab/tables has no table both' in said, said


def test_lists_of_different_lengths_are_refused(tree):
    tree.measured()
    tree.write('lab/tables', TABLES.replace('[x,and y]', '[x,and y,z]'))
    said = tree.pages()
    assert 'lists of different lengths: [x,and y,z]' in said, said


def test_measuring_keeps_what_a_command_prints(tree):
    tree.write('lab/figures', FIGURES.replace('some/program -m', 'echo p.q -1'))
    found = tree.figures()
    assert found.measure(found.figures['second'], False) is True
    assert tree.results() == HEAD + 'second,p.q,1,-1,-1,-1,\n'
    tree.write('lab/figures', FIGURES.replace('some/program -m', 'false'))
    found = tree.figures()
    assert found.measure(found.figures['second'], False) is False


@pytest.fixture(name='ran')
def sweeps_without_runs(monkeypatch):
    """The seeds of each sweep that is run. Each has a result, but seed 21 has none."""
    ran = []

    def run(path, root):
        head, *points = SWEPT.splitlines(keepends=True)
        ran.append(path.read_text().splitlines()[-1].split()[1:])
        out = root / path.name
        out.mkdir(exist_ok=True)
        (out / 'results.csv').write_text(head + ''.join(
            point for point in points[:2] if point.split(',')[0] in ran[-1]))
        return '21' not in ran[-1]

    monkeypatch.setattr(sweep, 'run', run)
    monkeypatch.setattr(runner, 'build', lambda: ())
    monkeypatch.setattr(runner, 'version', lambda words: f'v{len(words)}')
    monkeypatch.setattr(scenario, 'create', lambda words: words)
    return ran


def test_measuring_runs_a_sweep(tree, ran):
    found = tree.figures()
    first = found.figures['first']
    assert found.measure(first, False) is False, 'seed 21'
    assert 'first,version,,,,,v3\n' in tree.results()
    assert '1=0 11=1\n' in tree.results()
    with pytest.raises(figures.Missing, match='^first: no seed has a result$'):
        found.measure(first, True)
    assert ran == [['1', '11', '21'], ['21']]


def test_seeds_with_a_result_are_not_measured(tree, ran):
    tree.keep('first', SWEPT, 'v3')
    found = tree.figures()
    assert found.measure(found.figures['first'], True) is True
    assert not ran
    tree.keep('first', SWEPT, 'v2')
    found.measure(found.figures['first'], True)
    assert ran == [['1', '11', '21']]
