#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Orders of accesses between CPUs. Loans of the shared buffer in all interleavings:
# as code (credit_explore.c), and as a model (credit.pml, by spin). The kernel's
# memory model, by herd7: what each file of litmus/ says. Then plants bugs, each of
# which must be found. Prints TAP 13; without its program, a point is skipped.
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
	sed '/^static bool lle_sb_xoff/,/^}/{/lle_credit_reclaim(sb);/d}' \
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

# judge FILE RESULT NAME: a point, which passes if herd7 has this result
judge()
{
	local rc=0

	(cd "$lkmm" && herd7 -conf linux-kernel.cfg "$1") >"$build/report" 2>&1 || rc=1
	grep -q "^Observation [^ ]* $2 " "$build/report" || rc=1
	point $rc "$3" "$build/report"
}

# without FILE SED NAME: an order is not kept if a line is changed
without()
{
	sed "$2" "$here/litmus/$1.litmus" >"$build/$1.litmus"
	judge "$build/$1.litmus" Sometimes "litmus $1: found: $3"
}

run_litmus()
{
	local lkmm test

	passes "litmus tests have the accesses of the code" \
		"$here/anchors.py" "$root" "$here"/litmus/*.litmus
	sed 's/smp_mb atomic_xchg/atomic_xchg/' "$here/litmus/credit-leave.litmus" >"$build/anchor.litmus"
	passes "an access that differs is found" \
		test -n "$("$here/anchors.py" "$root" "$build/anchor.litmus")"
	if ! command -v herd7 >/dev/null; then
		skip "litmus tests" "herd7 is missing (Debian: herdtools7, not in 12)"
		return
	fi
	if ! lkmm=$("$root/scripts/vm/kernel-source.sh" 6.12 tools/memory-model)/tools/memory-model; then
		skip "litmus tests" "no memory model: the source of Linux cannot be had"
		return
	fi
	for test in "$here"/litmus/*.litmus; do
		judge "$test" "$(sed -n 's/^ \* Result: //p' "$test")" \
			"litmus $(basename "$test" .litmus)"
	done
	without credit-leave 's/r0 = atomic_add_return(/atomic_add(/' "no barrier in the release"
	without credit-walk '/synchronize_rcu/d' "no grace period"
	without credit-walk 's/smp_load_acquire(careful)/READ_ONCE(*careful)/' "no acquire"
	without credit-walk '/the walk$/{h;d}; /synchronize_rcu/G' "the walk after the close"
	without kick '/smp_mb__after_atomic/d' "no barrier in dequeue"
}

mkdir -p "$build"
echo "TAP version 13"
explore_loans
model_loans
run_litmus
end
