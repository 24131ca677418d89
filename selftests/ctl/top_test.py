#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests the output of losslessctl top with fake_state.py: in batch mode, and on a
terminal. Prints TAP.

Usage: top_test.py FOLDER

FOLDER has losslessctl-top.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import termios

import terminal

TOP = [os.path.join(sys.argv[1], 'losslessctl-top'), '-d', '0.1']
FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'fake_state.py')
CLOCK = tempfile.NamedTemporaryFile()
DOWN, UP, NEXT, PREVIOUS = b'\x1bOB', b'\x1bOA', b'\x1b[6~', b'\x1b[5~'
points = 0
failures = 0


def ok(condition, name, why=''):
    global points, failures
    points += 1
    print(f'{"" if condition else "not "}ok {points} - {name}')
    if not condition:
        failures += 1
        why = '\n'.join(map(str, why)) if isinstance(why, list) else str(why)
        print('\n'.join(f'# {line}' for line in why.splitlines()))


def equal(got, want, name):
    ok(got == want, name, f'got  {got}\nwant {want}')


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


def batch():
    done = run('-b', '-n', '3')
    equal((done.returncode, done.stderr), (0, ''), 'batch: ends')
    rounds = [text.split('\n') for text in done.stdout.split('\n\n')[:-1]]
    equal([len(text) for text in rounds], [9, 8, 9], 'batch: lines of three rounds')
    first = rounds[0]
    equal(first[0].split('   ')[1:], ['storms: 1', 'rows: 5, by name'], 'batch: title')
    equal(first[1], 'switch 0 [|||||                       ] 2.00M of 10.0M, max 5.00M',
          'batch: a switch')
    equal(first[2], 'switch 7 [                            ] 0 of 1.00M, max 0, discards',
          'batch: another, that discards')
    equal(first[3], 'SW PORT      P BUFFER           USED QUEUE    RX    TX RX-P% TX-P%'
          ' DROP/s STATE', 'batch: heads')
    equal(first[4:], [
        ' 0 swp1      3 [||||||       ]  256K     0 1.00G     0     0  50.0      0',
        ' 0 swp2      0 [||||||||||||!]  684K     0     0 8.00M     0     0     10',
        ' 0 swp10     3 [|            ]   100 4.88K     0     0 100.0     0      0 STORM',
        ' 7 evil?[2J? 3 [             ]     0     0     0     0     0     0      0',
        ' 7 evil?[2J? 4 [             ]     0     0     0     0     0     0      0',
    ], 'batch: rows')
    equal(max(map(len, first)), 79, 'batch: no line is too long')
    equal(lines_of(rounds[1], 'swp2'), [], 'batch: a port goes')
    equal([line[-5:] for line in lines_of(rounds[2], 'swp2')], [['-'] * 5],
          'batch: it comes, and nothing is known of its past')
    equal(lines_of(rounds[2], 'swp1'), lines_of(first, 'swp1'), 'batch: the others go on')
    done = run('-b', '-n', '1', 'swp1')
    equal([len(lines_of(done.stdout.splitlines(), name)) for name in ('swp1', 'swp10')],
          [1, 0], 'batch: only the ports that are named')
    done = run('-b', '-n', '3', LLE_FAKE_BUSY='3')
    equal((done.returncode, done.stderr), (0, ''), 'batch: a question without an answer')
    rows = lines_of(done.stdout.splitlines(), 'swp2')
    equal((len(rows), rows[0]), (2, rows[1]), 'batch: what was there is shown once more')


def as_json():
    done = run('-j', '-n', '2')
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    equal([r['interval_ns'] for r in rounds], [10**9] * 2, 'json: rounds')
    swp10 = [row for row in rounds[0]['prios'] if row['ifname'] == 'swp10'][0]
    equal((swp10['stormed'], swp10['rx_paused_ns'], swp10['backlog_bytes']),
          (True, 10**9, 5000), 'json: a row')
    equal([s['switch'] for s in rounds[0]['switches']], [0, 7], 'json: switches')


def module():
    """The module is unloaded, or reloaded, while top runs."""
    done = run('-b', LLE_FAKE_UNLOAD='3')
    equal((done.returncode, done.stderr),
          (1, 'losslessctl: the module lossless is not loaded: modprobe sch_lossless\n'), 'module: is unloaded')
    equal(done.stdout.count('losslessctl top'), 1, 'module: rounds before that')
    done = run('-b', '-n', '3', LLE_FAKE_RELOAD='3')
    equal((done.returncode, done.stderr), (0, ''), 'module: is loaded anew')
    equal([line[-1] for line in lines_of(done.stdout.splitlines(), 'swp1')],
          ['0', '-', '0'], 'module: it begins anew')
    with Terminal(TOP, 'xterm', env={'LLE_FAKE_UNLOAD': '4'}) as t:
        equal(t.end(), 1, 'module: on a terminal')
        ok(t.is_restored(), 'module: the terminal is as it was')
        ok(t.raw.endswith(b'losslessctl: the module lossless is not loaded: modprobe sch_lossless\r\n'),
           'module: and says why', t.raw[-100:])


def no_terminal():
    done = run('-n', '1')
    equal((done.returncode, done.stdout, done.stderr),
          (1, '', 'losslessctl: top: this is no terminal; -b does without\n'),
          'no terminal')
    with Terminal(TOP, 'bogus') as t:
        equal(t.end(), 1, 'a terminal that is not known')
        equal(t.text()[0], 'losslessctl: top: terminal "bogus" is not known; -b does without',
              'says so')


def hold(t):
    t.keys(b' ')
    t.until(lambda text: text[-1].endswith('HELD'))
    t.settle()


def screen(term):
    with Terminal(TOP, term) as t:
        ok(t.until(lambda text: lines_of(text, 'swp1')), f'{term}: it shows', t.text())
        ok(t.until(lambda text: '1.00G' in ''.join(text)), f'{term}: rates', t.text())
        # swp2 is missing in second 3; then hold the display and look
        ok(t.until(lambda text: not lines_of(text, 'swp2')), f'{term}: swp2 goes', t.text())
        ok(t.until(lambda text: lines_of(text, 'swp2')), f'{term}: swp2 comes', t.text())
        hold(t)
        text = t.text()
        ok(text[0].startswith('losslessctl top - '), f'{term}: title', text[0])
        ok(text[3].startswith('SW PORT'), f'{term}: heads', text[3])
        equal(text[4], ' 0 swp1      3 [||||||       ]  256K     0 1.00G     0     0'
              '  50.0      0', f'{term}: a row')
        equal(text[7][:14], ' 7 evil?[2J? 3', f'{term}: a name')
        equal(text[9:23], [''] * 14, f'{term}: nothing below the rows')
        ok(text[23].startswith(' q quit   s sort'), f'{term}: keys', text[23])
        ok(b'evil\x1b' not in t.raw and b'\xff' not in t.raw, f'{term}: only what can be printed')
        ok('reverse' in t.looks(3) and 'reverse' in t.rows[3][79][1], f'{term}: heads, reverse')
        if term == 'xterm':
            equal(t.looks(6), {'bold', 'red'}, f'{term}: a storm is red')
            equal(t.looks(5), set(), f'{term}: others are not')
            ok(not t.cursor, f'{term}: no cursor')
        t.keys(b'q')
        equal(t.end(), 0, f'{term}: q')
        ok(t.is_restored(), f'{term}: the terminal is as it was')


def keys():
    with Terminal(TOP, 'xterm') as t:
        t.until(lambda text: '1.00G' in ''.join(text) and lines_of(text, 'swp2'))
        t.keys(b's')
        ok(t.until(lambda text: text[0].endswith(', by buffer')), 's', t.text()[0])
        t.keys(b's')
        ok(t.until(lambda text: port_of(text[4]) == 'swp10'), 's: by paused', t.text())
        t.keys(b's')
        ok(t.until(lambda text: port_of(text[4]) == 'swp1'), 's: by name', t.text())
        t.keys(b'a')
        ok(t.until(lambda text: 'rows: 3 active' in text[0] and not
                   any('evil' in line for line in text)), 'a: no idle ones', t.text())
        hold(t)
        ok(t.text()[23].endswith('HELD'), 'space', t.text()[23])
        t.keys(b'a')
        ok(t.until(lambda text: 'rows: 5,' in text[0]), 'a: all, though held', t.text())
        t.settle()
        ok(not t.read(0.5), 'space: nothing changes', t.text())
        t.keys(b' ')
        ok(t.until(lambda text: not text[23].endswith('HELD')), 'space: goes on')
        t.keys(b'xyz\x1b\x7f\x1b[24~')
        t.keys(b's')
        ok(t.until(lambda text: text[0].endswith(', by buffer')), 'others do nothing')
        t.keys(b'\x03')
        equal(t.end(), 0, 'Ctrl-C')


def scrolling():
    with Terminal(TOP, 'xterm', env={'LLE_FAKE_HOSTS': '40'}) as t:
        ok(t.until(lambda text: sum('1.00G' in line for line in text) == 19),
           'scroll: a page', t.text())
        for key, first, name in (
                (DOWN, 'host1', 'down'), (DOWN, 'host2', 'down'), (UP, 'host1', 'up'),
                (NEXT, 'host20', 'next page'), (PREVIOUS, 'host1', 'previous page'),
                (UP + UP + UP, 'host0', 'up, beyond the first'),
                (DOWN, 'host1', 'down again')):
            t.keys(key)
            ok(t.until(lambda text: port_of(text[4]) == first), f'scroll: {name}', t.text())
        t.keys(b'\x1bOF' + DOWN + NEXT)
        ok(t.until(lambda text: text[22][:14] == ' 7 evil?[2J? 4'), 'scroll: end', t.text())
        t.keys(b'\x1bOH')
        ok(t.until(lambda text: port_of(text[4]) == 'host0'), 'scroll: home', t.text())
        t.keys(b'\x1bOFa')
        ok(t.until(lambda text: port_of(text[22]) == 'swp10'),
           'scroll: fewer rows are left', t.text())


def sizes():
    with Terminal(TOP, 'xterm', env={'LLE_FAKE_HOSTS': '40'}) as t:
        t.until(lambda text: 'rows: 45' in text[0])
        for lines, columns in ((40, 120), (24, 80), (10, 40), (6, 80), (3, 3), (1, 1),
                               (2, 200), (50, 300)):
            t.resize(lines, columns)
            help_line = ' q quit   s sort   a active only   space hold'[:min(columns, 44)].rstrip()
            ok(t.until(lambda text: text[-1].startswith(help_line)),
               f'size: {columns}x{lines}', t.text())
        ok(t.until(lambda text: len([line for line in text if '1.00G' in line]) == 41),
           'size: all rows', t.text())
        t.resize(24, 80)
        ok(t.until(lambda text: port_of(text[4]) == 'host0' and port_of(text[22]) == 'host18'),
           'size: 80x24 again', t.text())
        t.keys(b'q')
        equal(t.end(), 0, 'size: end')


def switches():
    with Terminal(TOP, env={'LLE_FAKE_SWITCHES': '30'}) as t:
        ok(t.until(lambda text: text[8] == 'and 25 more switches' and
                   port_of(text[10]) == 'swp1'), 'switches: a third of the screen', t.text())
        ok(t.text()[7].startswith('switch 104 ['), 'switches: those before', t.text())


def signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with Terminal(TOP, 'xterm') as t:
            t.until(lambda text: lines_of(text, 'swp1'))
            ok(not t.is_restored(), f'{number.name}: the terminal is in use')
            os.kill(t.pid, number)
            equal(t.end(), 0, f'{number.name}: ends')
            ok(t.is_restored(), f'{number.name}: the terminal is as it was',
               termios.tcgetattr(t.slave))
    with Terminal(TOP) as t:
        t.until(lambda text: lines_of(text, 'swp1'))
        t.hang_up()
        equal(t.end(), 0, 'the terminal goes away')
    with Terminal([*TOP, '-n', '3']) as t:
        equal(t.end(), 0, '-n ends')
        ok(t.is_restored(), '-n: the terminal is as it was')


batch()
as_json()
module()
no_terminal()
screen('vt100')
screen('xterm')
keys()
scrolling()
sizes()
switches()
signals()
print(f'1..{points}')
sys.exit(failures > 0)
