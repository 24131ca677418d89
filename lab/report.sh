#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Makes plots and pages of the results of a lab run: plots/NAME.png, .svg and
# .pdf, index.html and play.html.
#
# Usage: report.sh DIR
#
# Exit status: 0; else something failed.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
LAB=$HERE/scenarios

# shellcheck source-path=SCRIPTDIR source=report/plot.sh
. "$HERE/report/plot.sh"

[ -e "${1:-}/result.json" ] || { echo "usage: report.sh DIR, of a lab run" >&2; exit 2; }
cd "$1"

# standard NAME: draws the plot of data.py and report/NAME.gp, if there are data
standard()
{
	local data

	data=$("$REPORT/data.py" "$1")
	[ -z "$data" ] || { echo "$data"; cat "$REPORT/$1.gp"; } | plot "$1"
}

export "$(jq -r '"SCENARIO=\(.scenario)"' result.json)"
while read -r pair; do
	export "${pair?}"
done < <(jq -r '.keys | to_entries[] | "\(.key)=\(.value)"' result.json)

new_plots
# a scenario with arms has its own plots
if [ -z "${ARMS:-}" ]; then
	for name in fct throughput queue ports; do
		standard "$name"
	done
fi
loop .
# shellcheck source=lab/scenarios/metrics.sh
. "$LAB/metrics.sh"
# shellcheck source=lab/scenarios/permutation.sh
. "$LAB/$SCENARIO.sh"
[ "$(type -t plots)" != function ] || plots
"$REPORT/play.py"
"$REPORT/page.py" "$LAB/$SCENARIO.sh"
