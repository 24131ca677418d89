#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs points of a sweep; sweep.sh starts it through an engine, many times.
#
# Usage: sweep-point.sh DIR FIRST STEP
#
# DIR is the sweep's folder. Runs the points in lines FIRST, FIRST + STEP and so
# on of its file `todo`. The folder of a point gets a file `version` with its
# result.
#
# Exit status: 0, whatever becomes of the points.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
cd "$1"
{ read -r scenario; read -r _; LLE_LAB_BUILT=$(cat); } <run
export LLE_LAB_BUILT LLE_LAB_PAGE=no

awk -v first="$2" -v step="$3" 'NR >= first && (NR - first) % step == 0' todo |
	while read -r name pairs; do
		result=$name/$scenario/latest/result.json
		rm -rf "$name"
		mkdir "$name"
		rc=0
		# shellcheck disable=SC2086 # a list of words
		LLE_LAB_OUT=$PWD/$name "$HERE/lab.sh" "$scenario" $pairs \
			</dev/null >"$name/log" 2>&1 || rc=$?
		if [ ! -s "$result" ]; then
			echo "$pairs: failed with status $rc: $(tail -n 1 "$name/log"); see $PWD/$name/log"
			continue
		fi
		jq -r .version "$result" >"$name/version"
		jq -r --arg pairs "$pairs" '([.expected[] | select(.ok | not)] | length) as $n |
			"\($pairs): " + if $n == 0 then "as expected" else "\($n) not as expected" end +
			((.broken_bounds[:1][] | ", BROKEN BOUND \(.)") // "")' \
			"$result"
	done
