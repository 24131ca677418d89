# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by what draws plots, in the folder that they are about.

REPORT=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export PYTHONDONTWRITEBYTECODE=1	# the source tree stays clean

new_plots()
{
	rm -rf plots
	mkdir plots
	: >plots/list
}

# plot NAME [CAPTION]: of scenario $SCENARIO, by commands for gnuplot on stdin
plot() { "$REPORT/draw.py" plot "$@"; }

# graph NAME CAPTION FILE: of a graph, as of dot(1)
graph() { "$REPORT/draw.py" graph "$@"; }
