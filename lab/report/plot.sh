# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by scripts that draw plots, in the folder of their data.

REPORT=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export PYTHONDONTWRITEBYTECODE=1	# the source tree stays clean

new_plots()
{
	rm -rf plots
	mkdir plots
	: >plots/list
}

# plot NAME [CAPTION]: draws gnuplot commands from stdin, for $SCENARIO
plot() { "$REPORT/draw.py" plot "$@"; }

# graph NAME CAPTION FILE: draws a graph for dot(1)
graph() { "$REPORT/draw.py" graph "$@"; }
