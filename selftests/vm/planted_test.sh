#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that a kernel with checks detects planted bugs: a bug of lle_planted.ko
# must make the run fail, whatever the command returns, and the report must name
# the bug.
#
# Usage: planted_test.sh [-h | TEST...]; KERNEL chooses the kernel (debug).
# Output is TAP 13; exit status 0 when nothing failed, 4 when all is skipped
# because there is no kernel.

set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
RUNNER=$HERE/../../lab/uml-run.sh

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$HERE/lib.sh"

# plant BUG [OPTION...]: runs a guest with BUG
plant() {
	run_vm -t 100 -f "$mods/lle_planted.ko:/mods/" "${@:2}" -- \
		insmod /mods/lle_planted.ko "bug=$1"
}

# seen TITLE [FILE]: TITLE is in FILE of the results (default: kernel log)
seen() { [ "$rc" -eq 97 ] && grep -qE "$1" "$TMP/out/${2:-dmesg.txt}"; }

test_bounds() {
	plant bounds
	seen 'KASAN: slab-out-of-bounds in planted_bounds'
}

test_freed() {
	plant freed
	seen 'KASAN: (slab-)?use-after-free in planted_freed' &&
		grep -q 'Call Trace' "$TMP/stderr"
}

test_locks() {
	plant locks
	seen 'possible circular locking dependency' && seen 'planted_locks'
}

# Needs two CPUs.
test_grace() {
	plant grace -s 2
	seen 'KASAN: slab-use-after-free in planted_read'
}

test_race() {
	plant race -s 2
	seen 'KCSAN: data-race in planted_count'
}

test_leak() {
	plant leak
	seen 'kmemleak: 1 new suspected' && seen 'planted_leak' kmemleak.txt
}

test_none() {
	plant none
	[ "$rc" -eq 1 ] && grep -q 'Invalid parameters' "$TMP/stdout"
}

name=${KERNEL:-debug}
get_kernel "$HERE/../../lab/uml.sh" get "$name"
mods=$("$HERE/../../scripts/build.sh" "$name") || exit 1
[ $# -gt 0 ] || set -- bounds freed locks leak none
run_tests "$@"
