#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Script for the scenario faults: wakeup.sh without its fault.

jobs=/machine$(dirname "$SCRIPT")/jobs.py
h2 "$jobs" server -f &
h5 "$jobs" worker h2 &
h9 "$jobs" client h2 40
