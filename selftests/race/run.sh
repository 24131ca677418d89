#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Races: scenarios and stress on a kernel that looks for them, and proof that it
# does: bugs made on purpose have to fail. Prints TAP.
#
# Usage: run.sh; KERNEL is race (the default) or kcsan, which has no scenarios
#
# LLE_STRESS_SECONDS: how long the stress is (60). Files go to out/race.
#
# Exit status: 0; 1 a test failed; 4 the kernel cannot be had, or cannot run here.

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/race
KERNEL=${KERNEL:-race}

# What other kernels run, too. sb_alpha, classify and visible hold here as well, but
# take too long for each day; sched, wred, headroom and rnic measure times, which in
# real time are the machine's.
SCENARIOS="pfc_frames lossless lifecycle"

# bugs made on purpose
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
LLE_TIMEOUT=$((${LLE_STRESS_SECONDS:-60} * 3 + 300)) \
	"$TOP/scripts/vm/test.sh" -k "$KERNEL" -o "$OUT/stress" stress || failed=1
exit $failed
