# SPDX-License-Identifier: GPL-2.0
"""mutate.py in a tree with one function: what it reports, and when it fails."""
import pathlib
import subprocess

import pytest

import mutate

HERE = pathlib.Path(__file__).parent
MORE = 'int more(int a, int b)\n{\n\treturn a > b;\n}\n'
FULL = 'more(2, 1) == 1 && !more(1, 2) && !more(1, 1)'
WEAK = 'more(2, 1) == 1 && !more(1, 2)'
ENTRY = 'kmod/core/demo/more.c\tmore\treturn a > b;\treturn a >= b;'


@pytest.fixture(name='tree')
def fixture_tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write('kmod/core/demo/more.c', MORE)
    write('README', '')
    git('init', '-q')
    commit()
    return tmp_path


def git(*words):
    subprocess.run(['git', '-c', 'user.name=n', '-c', 'user.email=e', *words], check=True)


def commit():
    git('add', '.')
    git('commit', '-q', '-m', 'change')


def write(name, text):
    file = pathlib.Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding='utf-8')


def unit_test(checks):
    write('selftests/unit/more_test.c', '#include "../../kmod/core/demo/more.c"\n'
          f'int main(void) {{ return !({checks}); }}\n')


def run(*words):
    """Returns (exit status, lines) of mutate.py."""
    done = subprocess.run([HERE / 'mutate.py', *words], capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout.splitlines()


def test_all_killed(tree):
    unit_test(FULL)
    rc, lines = run('-s', '7', 'kmod/core/demo/more.c')
    assert rc == 0
    assert sum('killed by more_test' in line for line in lines) == 4
    assert lines[-2:] == ['ok 5 - mutants: 100.0 % of 4 killed, no time for 0, seed 7', '1..5']


def test_survivor(tree):
    unit_test(WEAK)
    rc, lines = run('kmod/core/demo/more.c')
    assert rc == 1
    failed = [n for n, line in enumerate(lines) if line.startswith('not ok')]
    assert len(failed) == 1
    assert lines[failed[0]].endswith('more.c:3 more: return a >= b;: ROR survived')
    assert lines[failed[0] + 1] == '# ' + ENTRY


def test_equivalent(tree):
    unit_test(WEAK)
    write('selftests/mutants/equivalent.txt', f'# comment\n{ENTRY}\tno caller has equal numbers\n')
    assert run('kmod/core/demo/more.c')[0] == 0


def test_same_code(tree):
    write('kmod/core/demo/more.c', 'int more(int a, int b)\n{\n\treturn (a > b) * 1;\n}\n')
    unit_test(FULL)
    rc, lines = run('kmod/core/demo/more.c')
    assert rc == 0
    assert any(line.endswith('return (a > b) / 1;: AOR equivalent') for line in lines)


def test_sample_too_few(tree):
    unit_test(WEAK)
    rc, lines = run('--sample', '9')
    assert rc == 1
    assert lines[-2].startswith('not ok 1 - mutants: 75.0 % of 4 killed')
    assert '# ' + ENTRY in lines


def test_sample(tree):
    unit_test(FULL)
    rc, lines = run('--sample', '2')
    assert rc == 0
    assert lines[-2].startswith('ok 1 - mutants: 100.0 % of 2 killed')


def test_changed(tree):
    unit_test(WEAK)
    commit()
    rc, lines = run('--changed')
    assert (rc, len(lines)) == (0, 2)       # no line of kmod/core
    write('kmod/core/demo/more.c', MORE + MORE.replace('more', 'less').replace('>', '<'))
    rc, lines = run('--changed')
    assert rc == 1
    assert all('more.c:7 less' in line for line in lines if 'demo' in line and 'ok' in line)


def test_fails_without_a_mutant(tree):
    unit_test('0')
    done = subprocess.run([HERE / 'mutate.py', 'kmod/core/demo/more.c'], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 1
    assert 'more_test.c fails without a mutant' in done.stderr


def test_daemon(tree):
    """A test is linked with the archive, and prints its failures."""
    write('Makefile', 'generated:\n')
    write('daemon/demo/more.c', MORE)
    write('daemon/demo/mode.c', 'int mode(void)\n{\n\treturn 0700;\n}\n')
    write('selftests/daemon/more_test.c', '#include <stdio.h>\nint more(int a, int b);\n'
          f'int main(void)\n{{\n\tif (!({FULL}))\n\t\tputs("wrong");\n\treturn 0;\n}}\n')
    rc, lines = run('daemon/demo/more.c')
    assert rc == 0
    assert sum('killed by more_test' in line for line in lines) == 4
    # no test has it
    rc, lines = run('--sample', '9', 'daemon/demo/mode.c')
    assert rc == 1
    assert lines[-2].startswith('not ok 1 - mutants: 0.0 % of')


def test_entries(monkeypatch):
    """Each entry of equivalent.txt is a mutant of the tree, and has a reason."""
    monkeypatch.chdir(HERE.parent.parent)
    entries = mutate.equivalents()
    monkeypatch.setattr(mutate, 'EQUIVALENT', 'none')
    found = {m.entry for file in {e[0] for e in entries} for m in mutate.mutants_of(file)[1]}
    assert entries - found == set()
    for line in (HERE / 'equivalent.txt').read_text(encoding='utf-8').splitlines():
        assert line.startswith('#') or line.count('\t') == 4
