#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks loans of the shared buffer in all interleavings, with spin; then plants
# bugs, each of which must be found. Prints TAP 13.
#
# Usage: credit.sh
#
# Exit status: 0 all passed; 1 a test failed, or did not compile.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/model/credit
bugs="CHECK_FIRST LOAN_ORDER NO_RECLAIM NO_LOOK NO_SETTLE"

# explore XON [BUG]: prints spin's report; fails if spin did not end
explore()
{
	(
		cd "$build"
		spin -a -DXON="$1" ${2:+-DBUG_$2} "$root/selftests/model/credit.pml"
		gcc -O2 -w -DSAFETY -DCOLLAPSE -o pan pan.c
		# the model ends at depth 300
		timeout 600 ./pan -m100000
	)
}

# holds XON [BUG]: no error in all states
holds()
{
	explore "$@" >"$build/report" && grep -q 'errors: 0' "$build/report" &&
		! grep -qE 'max search depth too small|out of memory' "$build/report"
}

# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

mkdir -p "$build"
# shellcheck disable=SC2086 # a list of words
set -- $bugs
echo "TAP version 13"
echo "1..$(($# + 2))"
for xon in 1 3; do
	rc=0
	holds $xon || rc=1
	point $rc "credit: XOFF at 4 bytes, XON at $xon: $(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' "$build/report") states"
done
for bug; do
	rc=0
	! holds 3 "$bug" && grep -q '^pan:1: assertion violated' "$build/report" || rc=1
	point $rc "credit: bug $bug is found"
done
exit "$failed"
