#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures the published figures with several seeds, and writes the tables.
#
# Usage: figures.sh [-m] [NAME...]
#
# NAMEs are those of lab/figures, which has the runs of each figure; the default
# is all, which takes hours. Runs in out/figures that have a result of this
# version are not repeated. Results go to out/figures/results.csv, and from there
# to the tables of pages; rows of other figures stay.
#
#  -m  more: only seeds without a result of this version in
#      out/figures/results.csv
#
# Exit status: 0 all have results, which may miss expectations; 1 some have
# none; 2 wrong use.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
OUT=$(dirname "$HERE")/out/figures

die() { echo "figures.sh: $*" >&2; exit 2; }

# measure NAME: keeps its results, also of an incomplete sweep
measure()
{
	local command scenario version='' rc=0

	command=$("$HERE/figures.py" command "$1")
	if [ -n "$command" ]; then
		(cd "$HERE/.." && $command) >"$OUT/$1" || return
		"$HERE/figures.py" keep "$1" "$OUT/$1"
		return
	fi
	if [ -n "$more" ]; then
		scenario=$("$HERE/figures.py" sweep "$1" | sed -n 's/^scenario //p')
		version=$("$HERE/lab.sh" -v "$scenario")
	fi
	"$HERE/figures.py" sweep "$1" ${version:+"$version"} >"$OUT/sweeps/$1"
	[ -s "$OUT/sweeps/$1" ] || { echo "$1: all seeds have a result"; return; }
	rm -f "$OUT/$1/results.csv"	# of an earlier sweep
	LLE_SWEEP_OUT=$OUT "$HERE/sweep.sh" "$OUT/sweeps/$1" || rc=1
	[ -e "$OUT/$1/results.csv" ] || return 1
	version=$(sed -n 2p "$OUT/$1/run")
	"$HERE/figures.py" keep "$1" "$OUT/$1/results.csv" "$version" || rc=1
	return $rc
}

more=
while getopts m opt; do
	case $opt in
	m) more=y ;;
	*) die "see the head of lab/figures.sh" ;;
	esac
done
shift $((OPTIND - 1))
names=$("$HERE/figures.py" list "$@")
mkdir -p "$OUT/sweeps"
# 432 hosts for 12 ms of virtual time
export LLE_TIMEOUT=${LLE_TIMEOUT:-14400}
rc=0
for name in $names; do
	measure "$name" || rc=1
done
# shellcheck disable=SC2086	# names have no blanks
"$HERE/figures.py" write $names || rc=1
exit $rc
