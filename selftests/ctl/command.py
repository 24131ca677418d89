# SPDX-License-Identifier: GPL-2.0
"""Runs a command of losslessctl against a fake kernel."""
import json
import os
import subprocess

from tap import equal


class Command:
    def __init__(self, *words):
        self.words = words

    def run(self, *words, **env):
        done = subprocess.run([*self.words, *words], text=True, capture_output=True,
                              check=False, env={**os.environ, **env})
        return done.returncode, done.stdout, done.stderr

    def said(self, *words, note='', **env):
        """@note: what it says besides."""
        status, text, complaint = self.run(*words, **env)
        equal((status, complaint), (0, note), 'ends')
        return text

    def parsed(self, *words, **env):
        return json.loads(self.said('-j', *words, **env))

    def lines(self, *words, **env):
        """Output lines, with one space between columns."""
        return [' '.join(line.split()) for line in self.said(*words, **env).splitlines()]
