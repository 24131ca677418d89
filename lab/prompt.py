#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The terminal of an interactive guest in virtual time, for uml-run.sh.

Usage: prompt.py CONSOLE KEYS PID FOLDER

Shows the pipe CONSOLE, and sends typed keys to the pipe KEYS. Time of an idle guest passes as fast
as it can; so at a prompt (^A) the guest does not wait for keys, but for a file line.N in FOLDER,
its hostfs. The process in the file PID is stopped until the line has been typed.
"""
import os
import readline  # input() then edits lines, and has a history  # pylint: disable=unused-import
import select
import signal
import sys
import termios

MARK = b'\1'


class Prompt:
    """A terminal: keys go to the guest, or are lines to edit."""

    def __init__(self, pid_file, folder):
        self.pid_file, self.folder, self.lines = pid_file, folder, 0
        self.before = termios.tcgetattr(0)

    def mode(self, edit):
        """Keys as they come, or, to EDIT, as before; ctrl-C is the guest's."""
        now = termios.tcgetattr(0)
        now[3] = self.before[3] & ~termios.ISIG
        if not edit:
            now[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(0, termios.TCSADRAIN, now)

    def restore(self):
        termios.tcsetattr(0, termios.TCSADRAIN, self.before)

    def ask(self, prompt):
        """Stops the guest until it has its next line."""
        with open(self.pid_file, encoding='ascii') as file:
            pid = int(file.read())
        os.kill(pid, signal.SIGSTOP)
        self.mode(edit=True)
        try:
            line = input(prompt)
        except EOFError:
            line = 'exit'
        self.mode(edit=False)
        self.lines += 1
        name = f'{self.folder}/line.{self.lines}'
        with open(f'{name}.new', 'w', encoding='utf-8') as file:
            file.write(f'{line}\n')
        os.rename(f'{name}.new', name)
        os.kill(pid, signal.SIGCONT)

    def show(self, console, keys):
        """Until the guest ends."""
        shown = b''
        while True:
            ready = select.select([console, 0], [], [])[0]
            if 0 in ready:
                os.write(keys, os.read(0, 1024))
            if console not in ready:
                continue
            data = os.read(console, 65536)
            if not data:
                return
            text, mark, prompt = (shown + data).partition(MARK)
            os.write(1, text)
            shown = mark + prompt
            if prompt.endswith(b'\n'):
                self.ask(prompt.decode().rstrip('\r\n'))
                shown = b''


def main(console, keys, pid_file, folder):
    prompt = Prompt(pid_file, folder)
    keys = os.open(keys, os.O_RDWR)
    console = os.open(console, os.O_RDONLY)
    try:
        prompt.mode(edit=False)
        prompt.show(console, keys)
    finally:
        prompt.restore()


main(*sys.argv[1:])
