#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Script for the scenario faults: a program with a lost wake-up.

jobs=/machine$(dirname "$SCRIPT")/jobs.py
h2 "$jobs" server &
h5 "$jobs" worker h2 &
h9 "$jobs" client h2 40
