#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Races: scenarios and stress on a kernel that detects races, and proof that it
# does: planted bugs must fail. Prints TAP.
#
# Usage: run.sh; KERNEL is race (the default) or kcsan, which has no scenarios
#
# LLE_STRESS_SECONDS: duration of the stress (60). Files go to out/race.
#
# Exit status: 0; 1 a test failed; 4 there is no kernel here, or it cannot run.

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/race
KERNEL=${KERNEL:-race}

# Scenarios that other kernels run, too. sb_alpha, classify and visible would
# pass, but take too long for a daily run. sched, wred, headroom and rnic
# measure times, which in real time depend on this machine.
SCENARIOS="pfc_frames lossless lifecycle"

# planted bugs
bugs="grace freed locks"
[ "$KERNEL" = race ] || bugs=race

failed=0

if [ "$(nproc)" -lt 2 ]; then
	echo "run.sh: with one CPU, CPUs of the guest would wait for each other" >&2
	exit 4
fi
"$TOP/lab/uml.sh" get "$KERNEL" >/dev/null || exit

# shellcheck disable=SC2086 # a list of words
KERNEL=$KERNEL "$TOP/selftests/vm/planted_test.sh" $bugs || failed=1
# shellcheck disable=SC2086 # a list of words
[ "$KERNEL" != race ] ||
	"$TOP/scripts/vm/test.sh" -k race -o "$OUT/net" net $SCENARIOS || failed=1
# only against a hang: a loaded machine takes many times as long
LLE_TIMEOUT=$((${LLE_STRESS_SECONDS:-60} * 3 + 1200)) \
	"$TOP/scripts/vm/test.sh" -k "$KERNEL" -o "$OUT/stress" stress || failed=1
exit $failed
