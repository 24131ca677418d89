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

# loop DIR: draws the last deadlock of DIR/deadlocks.json, if there was one
loop()
{
	local json

	json=$(cat "$1/deadlocks.json" 2>/dev/null) || return 0
	[ "$json" != '[]' ] || return 0
	(cd "$1" && LOSSLESSCTL=$REPORT/answer.sh \
		"$REPORT/../../build/lib/lossless/losslessctl-deadlock-graph" >loop.dot)
	graph loop 'The last deadlock.' "$1/loop.dot"
}
