# SPDX-License-Identifier: GPL-2.0
"""Shared by the scenarios in Python, in the idiom of the kernel's ksft.

A test is a function; ksft_run() runs each as one test point in TAP 13. ksft_eq()
and the like note what is wrong, and the test goes on; an exception ends it.
defer() undoes something at the end of a test.

The testbed and its traffic are those of lib.sh: sh() calls its functions.
"""
import json
import os
import shlex
import subprocess
import sys
import time

_wrong = []
_undo = []

VIRTUAL_TIME = 'time-travel=' in open('/proc/cmdline', encoding='ascii').read()
REAL_TIME = os.cpu_count() > 1
"""As in lib.sh: does time stand still while a process runs; may events be late?"""


class KsftSkipEx(Exception):
    """Skips the test, for a reason."""


# --- verdicts


def ksft_fail(what):
    _wrong.append(what)


def ksft_true(good, what):
    if not good:
        ksft_fail(what)


def ksft_eq(found, wanted, what=''):
    ksft_true(found == wanted, f'{what}: is {found!r}, should be {wanted!r}')


def ksft_in_range(found, least, most, what=''):
    ksft_true(least <= found <= most, f'{what}: is {found}, should be {least}..{most}')


def defer(function, *args):
    """Calls FUNCTION at the end of the test, the last one first."""
    _undo.append((function, args))


def undo():
    """Undoes what is deferred, as at the end of a test."""
    while _undo:
        function, args = _undo.pop()
        try:
            function(*args)
        except Exception as why:  # pylint: disable=broad-except
            ksft_fail(f'at the end: {why}')
    sh.end_of_test()


def _run(test):
    _wrong.clear()
    skip = ''
    try:
        test()
    except KsftSkipEx as why:
        skip = f' # SKIP {why}'
    except Exception as why:  # pylint: disable=broad-except # whatever it was
        line = why.__traceback__.tb_next.tb_lineno
        ksft_fail(f'line {line}: {type(why).__name__}: {why}')
    undo()
    return skip


def ksft_run(tests):
    """Runs the tests, or those in LLE_TESTS, and ends the program."""
    name = os.path.basename(sys.argv[0]).removesuffix('.py')
    wanted = [word.removeprefix(f'{name}:') for word in os.environ.get('LLE_TESTS', '').split()]
    wanted = [word for word in wanted if ':' not in word]
    tests = [test for test in tests if not wanted or test.__name__ in wanted]
    failed = 0
    print('TAP version 13', flush=True)
    said, status = sh.status('(llet_begin)')
    if status:
        print(said)
        sys.exit(status)
    for n, test in enumerate(tests, 1):
        skip = _run(test)
        failed += bool(_wrong)
        print(f'{"not " * bool(_wrong)}ok {n} - {name}: {test.__name__}{skip}', flush=True)
        for why in _wrong:
            print('# ' + why.replace('\n', '\n# '), flush=True)
    print(f'1..{len(tests)}', flush=True)
    sys.exit(failed > 0)


# --- the shell with lib.sh


class _Shell:
    """A bash that has sourced lib.sh; its variables and jobs outlive a call."""

    def __init__(self):
        self.bash = subprocess.Popen(['bash'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     text=True)
        self.source('lib.sh')

    def source(self, file):
        """Sources a file beside this one."""
        self(f'. {shlex.quote(os.path.join(os.path.dirname(__file__), file))}')

    def status(self, line):
        """Runs LINE; returns what it prints, and its exit status."""
        self.bash.stdin.write(f'{{ {line}\n}} </dev/null; printf "\\0%d\\n" $?\n')
        self.bash.stdin.flush()
        text = ''
        while '\0' not in text:
            more = self.bash.stdout.readline()
            if not more:
                raise RuntimeError(f'the shell has ended: {line}')
            text += more
        said, status = text.split('\0')
        return said.rstrip('\n'), int(status)

    def __call__(self, line):
        """Runs LINE, which succeeds; returns what it prints."""
        said, status = self.status(line)
        if status:
            raise RuntimeError(f'{line}: exit status {status} {said}')
        return said

    def end_of_test(self):
        """Undoes what functions of lib.sh deferred, and takes the faults that they noted."""
        for why in self('llet_cleanup; printf "%s" "$llet_why"; llet_why=').splitlines():
            ksft_fail(why)


sh = _Shell()


def js(line):
    """The JSON that LINE prints."""
    return json.loads(sh(line))


def ctl(line):
    """The JSON of a command of losslessctl, in the switches' namespace."""
    return js(f'sw losslessctl -j {line}')


def refused(text, line):
    """LINE fails, and prints TEXT."""
    said, status = sh.status(f'{line} 2>&1')
    ksft_true(status, f'not refused: {line}')
    ksft_true(text in said, f'refused with {said!r} instead of {text!r}')


def bkg(line):
    """Starts a program, which is ended with the test; returns its Popen."""
    program = subprocess.Popen(['bash', '-c', f'exec {line}'])
    defer(end, program)
    return program


def end(program, how='terminate'):
    """Ends a program by a signal: terminate or kill."""
    getattr(program, how)()
    program.wait()


def wait_for(ms, what, condition):
    """Waits until CONDITION, notes WHAT if it does not come; as wait_for of lib.sh."""
    ms *= 20 if REAL_TIME else 1
    waited = 0
    while not condition():
        if waited >= ms:
            ksft_fail(f'after {waited} ms: {what() if callable(what) else what}')
            return False
        step = 100 if REAL_TIME else max(waited // 4, ms // 50, 20)
        time.sleep(step / 1000)
        waited += step
    return True


def wait_eq(ms, found, wanted, what=''):
    """Waits until FOUND() is WANTED."""
    return wait_for(ms, lambda: f'{what}: is {found()!r}, should be {wanted!r}',
                    lambda: found() == wanted)


def until_listens(netns='sw', ms=5000):
    """Waits until a daemon or monitor receives events."""
    wait_for(ms, 'it does not listen', lambda: not sh.status(f'listeners {netns}')[1])


# --- counters


def port(dev):
    """What tc says of the qdisc of a switch port."""
    return js(f'tc -n sw -s -j qdisc show dev {dev} root')[0]


def stat(dev, prio, name):
    """A counter of a priority of a switch port; NAME may be drops.REASON."""
    found = port(dev)['prios'][prio]
    for part in name.split('.'):
        found = found[part]
    return found


def received(i):
    """What lib.sh's receive counted at host I, by flow, and as sum; waits for its end."""
    return js(f'flock /tmp/count.{i}.lock cat /tmp/count.{i}.json')
