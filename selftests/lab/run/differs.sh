# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Script for the scenario run: reads what changes on the machine.

ls /machine/proc
