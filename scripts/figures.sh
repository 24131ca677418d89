#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures the figures that pages publish, over several seeds, and writes the pages' tables.
#
# Usage: figures.sh [NAME...]
#
# NAMEs are those of selftests/lab/figures, which has each figure's runs; without any, all are
# measured. That takes hours. Runs that have a result of this version, in out/figures, are not
# repeated. Results go to Documentation/figures.csv, and from there to the tables.
#
# Exit status: 0 all have results, as expected or not; 1 some have none; 2 wrong use.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
OUT=$(dirname "$HERE")/out/figures

# measure NAME: sets results, a file
measure()
{
	local command

	command=$("$HERE/figures.py" command "$1")
	if [ -n "$command" ]; then
		results=$OUT/$1
		(cd "$HERE/.." && $command) >"$results"
	else
		results=$OUT/$1/results.csv
		"$HERE/figures.py" sweep "$1" >"$OUT/sweeps/$1"
		LLE_SWEEP_OUT=$OUT "$HERE/sweep.sh" "$OUT/sweeps/$1"
	fi
}

names=$("$HERE/figures.py" list "$@")
mkdir -p "$OUT/sweeps"
# 432 hosts for 12 ms of virtual time
export LLE_TIMEOUT=${LLE_TIMEOUT:-14400}
rc=0
for name in $names; do
	measure "$name" && "$HERE/figures.py" keep "$name" "$results" || rc=1
done
"$HERE/figures.py" pages write || rc=1
exit $rc
