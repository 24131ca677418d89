# SPDX-License-Identifier: GPL-2.0
"""Runs a command of losslessctl against a fake kernel."""
import json
import os
import subprocess

PROGRAM = os.environ.get('PROGRAM')


class Command:
    def __init__(self, *words, program=PROGRAM):
        self.words = [program, *words]

    def run(self, *words, **env):
        done = subprocess.run([*self.words, *words], text=True, capture_output=True,
                              check=False, env={**os.environ, **env})
        return done.returncode, done.stdout, done.stderr

    def said(self, *words, note='', **env):
        """@note: what it says besides."""
        status, text, complaint = self.run(*words, **env)
        assert (status, complaint) == (0, note), f'{status}: {complaint}'
        return text

    def parsed(self, *words, **env):
        return json.loads(self.said('-j', *words, **env))

    def lines(self, *words, **env):
        """Output lines, with one space between columns."""
        return [' '.join(line.split()) for line in self.said(*words, **env).splitlines()]
