#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Script for the scenario run: is written in Python, and fails."""
import subprocess
import sys

subprocess.run(["h1", "ping", "-c", "1", "h2"], check=True)
print("the end")
sys.exit(3)
