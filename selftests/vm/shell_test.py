# SPDX-License-Identifier: GPL-2.0
"""Tests make shell: on a terminal, by commands, in virtual time, and with what it refuses.

Types what the shell proposes, and checks what that prints.
"""
import os
import re
import subprocess

import terminal

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHELL = f'{TOP}/scripts/shell.sh'
OUT = f'{TOP}/out/shell-test'
ESCAPE = re.compile(rb'\x1b(\[[^@-~]*[@-~]|\][^\x07]*\x07|[()].|.)')


class Console(terminal.Terminal):
    """A shell on a terminal. What it writes is text, as tmux draws more than terminal.py knows."""

    def __init__(self, *args, term='vt100', **env):
        super().__init__([SHELL, '-o', OUT, *args], term, 40, 150, env)
        self.seen = 0

    def show(self, data):
        pass

    def text(self):
        return ESCAPE.sub(b'', self.raw[self.seen:]).decode(errors='replace')

    def has(self, pattern, seconds=600):
        """Waits for PATTERN after what was found before; seconds are for a loaded machine."""
        found = None

        def is_there(text):
            nonlocal found
            found = re.search(pattern, text)
            return found or not self.is_running()
        self.until(is_there, seconds)
        assert found, f'{pattern} is not in: {self.text()[-1500:]}'
        self.seen = len(self.raw)
        return found

    def is_running(self):
        if self.status is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            self.status = os.waitstatus_to_exitcode(ended[1])
        return self.status is None

    def says(self, line, pattern):
        """Types LINE at a prompt, and waits for PATTERN and the next prompt."""
        self.keys(line.encode() + b'\r')
        return self.has(f'(?s){pattern}.*switch:[^ ]*# ')

    def proposed(self, what):
        """The line that the shell proposes for WHAT."""
        return re.search(rf'{what}: +(.*)', self.motto)[1].strip()

    def begin(self):
        """Waits for the first prompt."""
        found = self.has(r'(?s)Priority 3 is lossless.*switch:~# ')
        self.motto = found[0].replace('\r', '')


def motto_holds(console):
    """Does what the shell proposes, but RDMA."""
    console.begin()
    console.says(console.proposed('a pause'), r'sw1p1 +3 +rx')
    found = console.says(console.proposed('an incast'),
                         r'pauses of the switch: (\d+), packets dropped anywhere: (\d+)')
    assert int(found[1]) > 0, 'no pauses in an incast'
    assert found[2] == '0', 'dropped'
    console.says(console.proposed('a storm'),
                 r'detected PFC storm on port sw1p1.*storm restored on port sw1p1')
    console.says('losslessctl -j prio show sw1p2 3', r'"tx_pause":[1-9]')


def ended(console, line, status):
    console.keys(line)
    assert console.end(60) == status, 'exit status'
    assert console.is_restored(), 'the terminal is not as before'


def commands(text, *args, **env):
    return subprocess.run([SHELL, '-o', OUT, *args], input=text, capture_output=True, text=True,
                          check=False, env={**os.environ, **env})


def test_an_unknown_topology_is_refused_with_the_examples():
    ran = commands('', 'mesh 3')
    assert ran.returncode == 2, 'exit status'
    for words in ('there is no topology "mesh"', 'examples: incast leaf-spine', 'star N'):
        assert words in ran.stderr, f'{words} is not in {ran.stderr}'


def test_a_topology_without_its_number_is_refused():
    ran = commands('', 'star')
    assert (ran.returncode, 'star: it takes 1 number' in ran.stderr) == (2, True), ran.stderr


def test_qemu_a_terminal_has_what_the_shell_proposes():
    with Console(LLE_SHELL_TMUX='no') as console:
        motto_holds(console)
        console.says('roce', r'#bytes.*#bytes.*p1 +3 +\d+ +\d+ +0 +0ns +[1-9]')
        ended(console, b'exit 5\r', 5)


def test_qemu_a_pane_of_tmux_has_losslessctl_top():
    with Console(term='xterm') as console:
        console.has(r'sw1p4 ')
        ended(console, b'exit 6\r', 6)


def test_qemu_commands_on_stdin_give_output_and_exit_status():
    ran = commands('h2 ping -qc 3 10.0.0.1; lle-testbed show | head -n 1\n'
                   'for p in tc dcb tcpdump ib_send_bw iperf3; do type -t $p; done; exit 7\n',
                   'ring 4')
    assert ran.returncode == 7, 'exit status'
    assert '3 received' in ran.stdout and '4 switches' in ran.stdout, ran.stdout
    assert ran.stdout.count('file\n') == 5, 'programs'


def test_lab_virtual_time_has_what_the_shell_proposes():
    with Console('-l') as console:
        motto_holds(console)
        console.says('date +%s; sleep 600; date +%s', r'(\d{10})\D+(\d{10})')
        console.says('a=$(date +%s)', '')
        # time stands still at the prompt
        console.settle(2)
        found = console.says('echo passed: $(($(date +%s) - a))', r'passed: (\d+)')
        assert found[1] == '0', 'seconds passed at the prompt'
        console.keys(b'sleep 100000000; echo after\r')
        console.settle(1)
        console.keys(b'\x03')
        console.has(r'switch:~# ')
        console.says('(exit 5)', '')
        ended(console, b'\x04', 5)
