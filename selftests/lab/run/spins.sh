# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Script for the scenario run: spins without a system call.

sleep 1
python3 -c 'while True: pass'
