#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Orders of accesses between CPUs. Loans of the shared buffer in all interleavings:
# as code (credit_explore.c), and as a model (credit.pml, by spin). Then plants
# bugs, each of which must be found. Prints TAP 13; without its program, a point is
# skipped.
#
# Usage: run.sh [long]	with more changes of CPUs
#
# Exit status: 0 all passed; 1 a test failed, or did not compile.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/selftests/proof
build=$root/build/proof
preemptions=3
[ "${1:-}" != long ] || preemptions=4

# what credit.pml must not leave out or reorder
bugs="CHECK_FIRST LOAN_ORDER NO_RECLAIM NO_RECLAIM_XOFF NO_LOOK NO_SETTLE"

# shellcheck disable=SC2034 # for tap.sh
suite=proof
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

# explorer NAME [FLAG...]: builds credit_explore.c
explorer()
{
	gcc -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -O2 \
		-I "$root/include/uapi" -iquote "$root/kmod/core/buffer" "${@:2}" \
		-o "$build/$1" "$here/credit_explore.c"
}

# counted: what the explorer's report says in all
counted() { awk '/^case/ { n += $3 } END { print n " interleavings" }' "$build/report"; }

explore_loans()
{
	local rc=0

	explorer explore
	"$build/explore" $preemptions >"$build/report" || rc=1
	point $rc "loans: $(counted) with $preemptions preemptions" "$build/report"
	rc=0
	"$build/explore" 4 0 >"$build/report" || rc=1
	point $rc "loans: $(counted) with 4 preemptions" "$build/report"

	# XOFF with loans out: a packet that leaves need not look for XON
	sed '/^static bool lle_sb_xoff/,/^}/{/lle_sb_reclaim(sb);/d}' \
		"$root/kmod/core/buffer/sb.c" >"$build/sb.c"
	explorer planted -DSB_C="\"$build/sb.c\""
	rc=0
	! "$build/planted" 4 0 >"$build/report" &&
		grep -q 'at most XON, and still XOFF' "$build/report" || rc=1
	point $rc "loans: XOFF without taking them back is found" "$build/report"
}

# model XON [BUG]: spin's report in $build/report; fails if a state is wrong, or
# it did not end
model()
{
	(
		cd "$build"
		spin -a -DXON="$1" ${2:+-DBUG_$2} "$here/credit.pml"
		gcc -O2 -w -DSAFETY -DCOLLAPSE -o pan pan.c
		# the model ends at depth 300
		timeout 600 ./pan -m100000
	) >"$build/report" && grep -q 'errors: 0' "$build/report" &&
		! grep -qE 'max search depth too small|out of memory' "$build/report"
}

model_loans()
{
	local bug xon rc

	if ! command -v spin >/dev/null; then
		skip "model of loans" "spin is missing"
		return
	fi
	for xon in 1 3; do
		rc=0
		model $xon || rc=1
		point $rc "model of loans: XOFF at 4 bytes, XON at $xon: $(sed -n \
			's/^ *\([0-9]*\) states, stored.*/\1/p' "$build/report") states"
	done
	for bug in $bugs; do
		rc=0
		! model 3 "$bug" && grep -q '^pan:1: assertion violated' "$build/report" || rc=1
		point $rc "model of loans: bug $bug is found"
	done
}

mkdir -p "$build"
echo "TAP version 13"
explore_loans
model_loans
end
