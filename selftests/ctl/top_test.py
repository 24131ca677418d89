# SPDX-License-Identifier: GPL-2.0
"""Tests the output of losslessctl top with fake_state.py: in batch mode, and on a
terminal. $VIEWS has losslessctl-top."""
import json
import os
import signal
import subprocess
import tempfile
import termios

import pytest
import terminal

TOP = [os.path.join(os.environ['VIEWS'], 'losslessctl-top'), '-d', '0.1']
NOT_LOADED = b'losslessctl: the module lossless is not loaded: modprobe sch_lossless'
FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'fake_state.py')
CLOCK = tempfile.NamedTemporaryFile()
DOWN, UP, NEXT, PREVIOUS = b'\x1bOB', b'\x1bOA', b'\x1b[6~', b'\x1b[5~'


def begin(env):
    """The environment of a run, for which time begins anew."""
    CLOCK.truncate(0)
    return {'LOSSLESSCTL': FAKE, 'LLE_FAKE_CLOCK': CLOCK.name, **env}


def run(*words, **env):
    return subprocess.run([*TOP, *words], text=True, errors='replace',
                          capture_output=True, check=False,
                          env={**os.environ, **begin(env)})


def Terminal(*args, env=None):  # pylint: disable=invalid-name
    return terminal.Terminal(*args, env=begin(env or {}))


def port_of(line):
    """Name of the port in a line, which may be incomplete."""
    return ' '.join(line.split()[1:2])


def lines_of(text, name):
    """Columns of the lines of a port."""
    return [line.split() for line in text if port_of(line) == name]


def test_batch():
    done = run('-b', '-n', '3')
    assert (done.returncode, done.stderr) == (0, ''), 'batch: ends'
    rounds = [text.split('\n') for text in done.stdout.split('\n\n')[:-1]]
    assert [len(text) for text in rounds] == [9, 8, 9], 'batch: lines of three rounds'
    first = rounds[0]
    assert first[0].split('   ')[1:] == ['storms: 1', 'rows: 5, by name'], 'batch: title'
    assert (first[1] ==
            'switch 0 [|||||                       ] 2.00M of 10.0M, max 5.00M'), 'batch: a switch'
    assert (first[2] ==
            'switch 7 [                            ] 0 of 1.00M, max 0, discards'), 'batch: another'
    assert first[3] == ('SW PORT      P BUFFER           USED QUEUE    RX    TX RX-P% TX-P%'
                        ' DROP/s STATE'), 'batch: heads'
    assert first[4:] == [
        ' 0 swp1      3 [||||||       ]  256K     0 1.00G     0     0  50.0      0',
        ' 0 swp2      0 [||||||||||||!]  684K     0     0 8.00M     0     0     10',
        ' 0 swp10     3 [|            ]   100 4.88K     0     0 100.0     0      0 STORM',
        ' 7 evil?[2J? 3 [             ]     0     0     0     0     0     0      0',
        ' 7 evil?[2J? 4 [             ]     0     0     0     0     0     0      0',
    ], 'batch: rows'
    assert max(map(len, first)) == 79, 'batch: no line is too long'
    assert lines_of(rounds[1], 'swp2') == [], 'batch: a port goes'
    assert ([line[-5:] for line in lines_of(rounds[2], 'swp2')] ==
            [['-'] * 5]), 'batch: it comes, and nothing is known of its past'
    assert lines_of(rounds[2], 'swp1') == lines_of(first, 'swp1'), 'batch: the others go on'
    done = run('-b', '-n', '1', 'swp1')
    assert ([len(lines_of(done.stdout.splitlines(), name)) for name in ('swp1', 'swp10')] ==
            [1, 0]), 'batch: only the ports that are named'
    done = run('-b', '-n', '3', LLE_FAKE_BUSY='3')
    assert (done.returncode, done.stderr) == (0, ''), 'batch: a question without an answer'
    rows = lines_of(done.stdout.splitlines(), 'swp2')
    assert (len(rows), rows[0]) == (2, rows[1]), 'batch: what was there is shown once more'


def test_as_json():
    done = run('-j', '-n', '2')
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert [r['interval_ns'] for r in rounds] == [10**9] * 2, 'json: rounds'
    swp10 = [row for row in rounds[0]['prios'] if row['ifname'] == 'swp10'][0]
    assert ((swp10['stormed'], swp10['rx_paused_ns'], swp10['backlog_bytes']) ==
            (True, 10**9, 5000)), 'json: a row'
    assert [s['switch'] for s in rounds[0]['switches']] == [0, 7], 'json: switches'


def test_module():
    """The module is unloaded, or reloaded, while top runs."""
    done = run('-b', LLE_FAKE_UNLOAD='3')
    assert ((done.returncode, done.stderr) ==
            (1, NOT_LOADED.decode() + '\n')), 'module: is unloaded'
    assert done.stdout.count('losslessctl top') == 1, 'module: rounds before that'
    done = run('-b', '-n', '3', LLE_FAKE_RELOAD='3')
    assert (done.returncode, done.stderr) == (0, ''), 'module: is loaded anew'
    assert ([line[-1] for line in lines_of(done.stdout.splitlines(), 'swp1')] ==
            ['0', '-', '0']), 'module: it begins anew'
    with Terminal(TOP, 'xterm', env={'LLE_FAKE_UNLOAD': '4'}) as t:
        assert t.end() == 1, 'module: on a terminal'
        assert t.is_restored(), 'module: the terminal is as it was'
        assert t.raw.endswith(NOT_LOADED + b'\r\n'), t.raw[-100:]


def test_no_terminal():
    done = run('-n', '1')
    assert ((done.returncode, done.stdout, done.stderr) ==
            (1, '', 'losslessctl: top: this is no terminal; -b does without\n')), 'no terminal'
    with Terminal(TOP, 'bogus') as t:
        assert t.end() == 1, 'a terminal that is not known'
        assert (t.text()[0] ==
                'losslessctl: top: terminal "bogus" is not known; -b does without'), 'says so'


def hold(t):
    t.keys(b' ')
    t.until(lambda text: text[-1].endswith('HELD'))
    t.settle()


@pytest.mark.parametrize('term', ['vt100', 'xterm'])
def test_screen(term):
    with Terminal(TOP, term) as t:
        assert t.until(lambda text: lines_of(text, 'swp1')), t.text()
        assert t.until(lambda text: '1.00G' in ''.join(text)), t.text()
        # swp2 is missing in second 3; then hold the display and look
        assert t.until(lambda text: not lines_of(text, 'swp2')), t.text()
        assert t.until(lambda text: lines_of(text, 'swp2')), t.text()
        hold(t)
        text = t.text()
        assert text[0].startswith('losslessctl top - '), text[0]
        assert text[3].startswith('SW PORT'), text[3]
        assert text[4] == (' 0 swp1      3 [||||||       ]  256K     0 1.00G     0     0'
                           '  50.0      0'), 'a row'
        assert text[7][:14] == ' 7 evil?[2J? 3', 'a name'
        assert text[9:23] == [''] * 14, 'nothing below the rows'
        assert text[23].startswith(' q quit   s sort'), text[23]
        assert b'evil\x1b' not in t.raw and b'\xff' not in t.raw, \
            'only what can be printed'
        assert 'reverse' in t.looks(3) and 'reverse' in t.rows[3][79][1], 'heads, reverse'
        if term == 'xterm':
            assert t.looks(6) == {'bold', 'red'}, 'a storm is red'
            assert t.looks(5) == set(), 'others are not'
            assert not t.cursor, 'no cursor'
        t.keys(b'q')
        assert t.end() == 0, 'q'
        assert t.is_restored(), 'the terminal is as it was'


def test_keys():
    with Terminal(TOP, 'xterm') as t:
        t.until(lambda text: '1.00G' in ''.join(text) and lines_of(text, 'swp2'))
        t.keys(b's')
        assert t.until(lambda text: text[0].endswith(', by buffer')), t.text()[0]
        t.keys(b's')
        assert t.until(lambda text: port_of(text[4]) == 'swp10'), t.text()
        t.keys(b's')
        assert t.until(lambda text: port_of(text[4]) == 'swp1'), t.text()
        t.keys(b'a')
        assert t.until(lambda text: 'rows: 3 active' in text[0] and not
                       any('evil' in line for line in text)), t.text()
        hold(t)
        assert t.text()[23].endswith('HELD'), t.text()[23]
        t.keys(b'a')
        assert t.until(lambda text: 'rows: 5,' in text[0]), t.text()
        t.settle()
        assert not t.read(0.5), t.text()
        t.keys(b' ')
        assert t.until(lambda text: not text[23].endswith('HELD')), 'space: goes on'
        t.keys(b'xyz\x1b\x7f\x1b[24~')
        t.keys(b's')
        assert t.until(lambda text: text[0].endswith(', by buffer')), 'others do nothing'
        t.keys(b'\x03')
        assert t.end() == 0, 'Ctrl-C'


def test_scrolling():
    with Terminal(TOP, 'xterm', env={'LLE_FAKE_HOSTS': '40'}) as t:
        assert t.until(lambda text: sum('1.00G' in line for line in text) == 19), t.text()
        for key, first in (
                (DOWN, 'host1'), (DOWN, 'host2'), (UP, 'host1'), (NEXT, 'host20'),
                (PREVIOUS, 'host1'), (UP + UP + UP, 'host0'), (DOWN, 'host1')):
            t.keys(key)
            assert t.until(lambda text: port_of(text[4]) == first), f'{first}: {t.text()}'
        t.keys(b'\x1bOF' + DOWN + NEXT)
        assert t.until(lambda text: text[22][:14] == ' 7 evil?[2J? 4'), t.text()
        t.keys(b'\x1bOH')
        assert t.until(lambda text: port_of(text[4]) == 'host0'), t.text()
        t.keys(b'\x1bOFa')
        assert t.until(lambda text: port_of(text[22]) == 'swp10'), t.text()


def test_sizes():
    with Terminal(TOP, 'xterm', env={'LLE_FAKE_HOSTS': '40'}) as t:
        t.until(lambda text: 'rows: 45' in text[0])
        for lines, columns in ((40, 120), (24, 80), (10, 40), (6, 80), (3, 3), (1, 1),
                               (2, 200), (50, 300)):
            t.resize(lines, columns)
            help_line = ' q quit   s sort   a active only   space hold'[:min(columns, 44)].rstrip()
            assert t.until(lambda text: text[-1].startswith(help_line)), t.text()
        assert t.until(lambda text: len([line for line in text if '1.00G' in line]) == 41), t.text()
        t.resize(24, 80)
        assert t.until(lambda text: (port_of(text[4]), port_of(text[22])) == ('host0', 'host18')), \
            t.text()
        t.keys(b'q')
        assert t.end() == 0, 'size: end'


def test_switches():
    with Terminal(TOP, env={'LLE_FAKE_SWITCHES': '30'}) as t:
        assert t.until(lambda text: text[8] == 'and 25 more switches' and
                       port_of(text[10]) == 'swp1'), t.text()
        assert t.text()[7].startswith('switch 104 ['), t.text()


def test_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with Terminal(TOP, 'xterm') as t:
            t.until(lambda text: lines_of(text, 'swp1'))
            assert not t.is_restored(), f'{number.name}: the terminal is in use'
            os.kill(t.pid, number)
            assert t.end() == 0, f'{number.name}: ends'
            assert t.is_restored(), termios.tcgetattr(t.slave)
    with Terminal(TOP) as t:
        t.until(lambda text: lines_of(text, 'swp1'))
        t.hang_up()
        assert t.end() == 0, 'the terminal goes away'
    with Terminal([*TOP, '-n', '3']) as t:
        assert t.end() == 0, '-n ends'
        assert t.is_restored(), '-n: the terminal is as it was'
