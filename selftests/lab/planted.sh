#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that expectations of the lab see what they are there for. Each patch in
# selftests/lab/planted plants a fault in the modules. Each scenario that it names passes
# without the fault; with it, exactly the expectations fail that are named after it. Prints TAP.
#
# Usage: planted.sh [FAULT...]     FAULT is a patch's name without .patch (all)
#
# What the runs leave is in out/lab-planted: sources, and a folder of results a fault.
#
# Exit status: 0; 1 a test failed; 4 the kernel cannot be had here.

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/lab-planted
SRC=$OUT/src
FAULTS=$TOP/selftests/lab/planted
lab=$TOP/lab/lab.sh
n=0
failed=0
declare -A passed	# by scenario: 1, or 0 without a fault

# report STATUS FAULT LOG WHAT
report()
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - lab-planted: $2: $4"
	else
		echo "not ok $n - lab-planted: $2: $4"
		tail -n 30 "$3" | sed 's/^/# /'
		failed=1
	fi
}

# The tree's sources, of which those that differ are new for make: a fault that an earlier
# run has left goes, and what has not changed is not built again.
refresh()
{
	local file

	cd "$TOP" || return
	find Kbuild kmod qdisc include lab/{oracle,rnic} selftests/{race,unit,vectors} -type f |
		while read -r file; do
			cmp -s "$file" "$SRC/$file" || install -D -m 644 "$file" "$SRC/$file"
		done
}

# of FAULT WORD: what is behind "WORD: " in the text of its patch
of() { sed -n "s/^$2: //p; /^---/q" "$FAULTS/$1.patch"; }

# log_of WORD SCENARIO KEY=VALUE...: its name
log_of()
{
	local name=$*

	echo "$OUT/${name// /,}.log"
}

# run LOG BUILT SCENARIO KEY=VALUE...: prints lab.sh's exit status
run()
{
	local log=$1 built=$2 rc=0

	shift 2
	LLE_LAB_PAGE=no LLE_LAB_OUT=${log%.log} LLE_LAB_BUILT=$built \
		"$lab" "$@" </dev/null >"$log" 2>&1 || rc=$?
	echo $rc
}

# failing LOG: the expectations that failed, in a line
failing() { sed -n 's/^NOT \([^ ]*\) .*/\1/p' "$1" | sort -u | xargs; }

# values LOG WORD: what the expectations of $names say, in comments of TAP
values()
{
	sed -n '/^expected:/,$s/^\(NOT\|   \) //p' "$1" |
		grep -E "^(${names// /|}) " | sed "s/^/# $2: /"
}

# passes SCENARIO KEY=VALUE...: without a fault; it is run once
passes()
{
	local log

	log=$(log_of without "$@")
	[ -n "${passed[$*]:-}" ] || passed[$*]=$(run "$log" "$real" "$@")
	[ "${passed[$*]}" -eq 0 ] || report 1 "$fault" "$log" "$* fails without it"
	return "${passed[$*]}"
}

# build LOG: prints what lab/build.sh would, of modules with the fault
build()
{
	local mods

	patch -d "$SRC" -p1 -F0 -r - --no-backup-if-mismatch <"$FAULTS/$fault.patch" >"$1" &&
		mods=$(LLE_SOURCES=$SRC LLE_BUILD=lab-planted "$TOP/scripts/build.sh" lab 2>>"$1") &&
		printf '%s\n' "${real%%$'\n'*}" "$mods"
}

# fails WITH SCENARIO KEY=VALUE...: with the fault in the modules WITH, by these $names
fails()
{
	local with=$1 log without rc

	shift
	log=$(log_of "$fault" "$@")
	without=$(log_of without "$@")
	rc=$(run "$log" "$with" "$@")
	[ "$rc" -eq 1 ] && [ "$(failing "$log")" = "$(xargs -n 1 <<<"$names" | sort | xargs)" ]
	report $? "$fault" "$log" "$*: NOT $names"
	values "$without" without
	values "$log" with
}

# test_fault: $fault, in each of its scenarios
test_fault()
{
	local scenario names with

	with=$(build "$OUT/$fault.log") || report 1 "$fault" "$OUT/$fault.log" \
		"the patch does not apply, or what it patches cannot be built"
	refresh
	[ -n "$with" ] || return
	while read -ra scenario && read -r names <&4; do
		! passes "${scenario[@]}" || fails "$with" "${scenario[@]}"
	done < <(of "$fault" Scenario) 4< <(of "$fault" Fails)
}

mkdir -p "$SRC"
# once for all
real=$("$TOP/lab/build.sh") || exit
refresh
find "$OUT" -mindepth 1 -maxdepth 1 ! -name src -exec rm -rf {} +
if [ $# -eq 0 ]; then
	for file in "$FAULTS"/*.patch; do
		set -- "$@" "$(basename "$file" .patch)"
	done
fi
for fault in "$@"; do
	test_fault
done
echo "1..$n"
exit $failed
