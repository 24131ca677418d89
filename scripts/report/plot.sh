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

# plot NAME CAPTION: plots/NAME.png of scenario $SCENARIO, by commands for gnuplot on
# stdin; keeps them in plots/NAME.gp
plot()
{
	{
		cat "$REPORT/style.gp"
		echo "scenario = '$SCENARIO'; set output 'plots/$1.png'"
		cat
	} >"plots/$1.gp"
	gnuplot "plots/$1.gp"
	printf '%s\t%s\n' "$1" "$2" >>plots/list
}

# graph NAME CAPTION FILE: the same of a graph, as of dot(1)
graph()
{
	dot -Tpng -o "plots/$1.png" "$3"
	printf '%s\t%s\n' "$1" "$2" >>plots/list
}
