#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Compares deadlock detection in a model of networks with an oracle; then plants
# bugs, each of which the model or the unit test must find; then runs algorithm
# dcfit. Prints TAP 13: one test point per program, with its own points and the
# table indented above it.
#
# Usage: run.sh [PERCENT]	percentage of the runs (100), without a bug
#        run.sh -m [PERCENT]	figures instead: MODE.ROW.NAME VALUE RUNS
# Environment: CC, CFLAGS (added to the tests' own)
#
# Exit status: 0 all passed; 1 a test failed, or did not compile.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/model
is_figures=false
if [ "${1:-}" = -m ]; then
	is_figures=true
	shift
fi
percent=${1:-100}
read -ra extra <<<"${CFLAGS:-}"
flags=(-std=gnu11 -Wall -Wextra -Wno-missing-field-initializers
	-Wno-unused-parameter -Wno-unused-value -Werror -O2
	-I "$root/include/uapi")

mutants="CAUSAL EQUAL CAP OWN STALE ALL SEAT CANCEL CLEAR EPOCH XON REFRESH"
mutants+=" MIN ROOT YIELD LAP TIMER ASK"
# Percentage of the runs with a bug; without bugs all tests must pass it, too
MUTANT_PERCENT=10
# Percentage of the runs of algorithm dcfit
DCFIT_PERCENT=10

compile() {
	"${CC:-gcc}" "${flags[@]}" "${extra[@]}" -o "$build/$1" "${@:2}"
}

# found BUG: sets by to the tests that find it, fails without one. The
# model ends with the first failure.
found() {
	by=""
	compile "unit-$1" "-DMUTANT_$1" "$root/selftests/unit/exact_test.c" ||
		return
	compile "model-$1" "-DMUTANT_$1" "$root"/selftests/model/*.c || return
	"$build/unit-$1" >"$build/unit-$1.tap" || by="the unit test"
	! grep -q '^not ok' < <(stdbuf -oL "$build/model-$1" "$MUTANT_PERCENT") ||
		by+="${by:+ and }the model"
	[ -n "$by" ]
}

# metrics MODE: converts the model's lines "# ROW: runs=RUNS NAME=VALUE..."
metrics() {
	awk -v mode="$1" '/^not ok/ { print >"/dev/stderr" }
	/^# [^ ]+: runs=/ {
		row = $2
		sub(":", "", row)
		split($3, runs, "=")
		for (i = 4; i <= NF; i++) {
			split($i, word, "=")
			print mode "." row "." word[1], word[2], runs[2]
		}
	}'
}

# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

mkdir -p "$build"
if $is_figures; then
	compile model "$root"/selftests/model/*.c
	compile dcfit -DMODE_DCFIT "$root"/selftests/model/*.c
	"$build/model" "$percent" | metrics exact
	"$build/dcfit" "$percent" | metrics dcfit
	exit
fi

# shellcheck disable=SC2086 # a list of words
set -- $mutants
echo "TAP version 13"
echo "1..$(($# + 3))"

rc=0
compile model "$root"/selftests/model/*.c &&
	"$build/model" "$percent" | sed 's/^/    /' || rc=1
point "$rc" "model"
rc=0
"$build/model" "$MUTANT_PERCENT" >"$build/model.tap" || rc=1
point "$rc" "model, with as few runs as for a bug"
rc=0
compile dcfit -DMODE_DCFIT "$root"/selftests/model/*.c &&
	"$build/dcfit" "$DCFIT_PERCENT" | sed 's/^/    /' || rc=1
point "$rc" "model of mode dcfit"
for mutant; do
	rc=0
	found "$mutant" || rc=1
	point "$rc" "bug $mutant is found by ${by:-nobody}"
done
exit "$failed"
