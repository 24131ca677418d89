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

# What each bug has to be called.
declare -A TITLES=(
	[grace]='BUG: KASAN: slab-use-after-free in planted_read'
	[freed]='BUG: KASAN: slab-use-after-free in planted_freed'
	[locks]='WARNING: possible circular locking dependency detected'
	[race]='BUG: KCSAN: data-race in planted_count'
)
bugs="grace freed locks"
[ "$KERNEL" = race ] || bugs=race

n=0
failed=0

# planted BUG: the run fails, and the kernel's log says why
planted()
{
	local rc=0

	n=$((n + 1))
	"$TOP/scripts/vm-test.sh" -k "$KERNEL" -o "$OUT/planted" planted "$1" \
		>"$OUT/log" 2>&1 || rc=$?
	if [ $rc -eq 97 ] && grep -qF "${TITLES[$1]}" "$OUT/planted/dmesg.txt"; then
		echo "ok $n - planted: $1"
		return
	fi
	echo "not ok $n - planted: $1"
	echo "# exit status $rc"
	tail -n 20 "$OUT/log" | sed 's/^/# /'
	failed=1
}

if [ "$(nproc)" -lt 2 ]; then
	echo "run.sh: with one CPU, CPUs of the guest would wait for each other" >&2
	exit 4
fi
"$TOP/scripts/uml.sh" get "$KERNEL" >/dev/null || exit
mkdir -p "$OUT"

for bug in $bugs; do
	planted "$bug"
done
# shellcheck disable=SC2086 # a list of words
[ "$KERNEL" != race ] ||
	"$TOP/scripts/vm-test.sh" -k race -o "$OUT/net" net $SCENARIOS || failed=1
LLE_TIMEOUT=$((${LLE_STRESS_SECONDS:-60} * 3 + 300)) \
	"$TOP/scripts/vm-test.sh" -k "$KERNEL" -o "$OUT/stress" stress || failed=1
exit $failed
