#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that the expectations of the lab detect the faults that they are meant
# for. Each patch in selftests/lab/planted plants a fault in the modules and
# names scenarios. A scenario sound without the fault; with it, exactly the
# expectations after "Fails:" fail. A scenario after "Parts:" has the same result in
# one kernel and in two; with the fault it has not, or two end with the text after
# "Error:". Prints TAP.
#
# Usage: planted.sh [FAULT...]     FAULT: name of a patch without .patch (all)
#
# The runs leave sources and a folder of results per fault in out/lab-planted.
#
# Exit status: 0; 1 a test failed; 4 there is no kernel here.

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/lab-planted
SRC=$OUT/src
FAULTS=$TOP/selftests/lab/planted
lab=$TOP/lab/lle-lab
declare -A passed	# exit status of each scenario without a fault
suite='lab-planted'
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

# Copies only changed sources: reverts the last fault, and spares make.
refresh()
{
	local file

	cd "$TOP" || return
	find Kbuild VERSION kmod qdisc include lab/{oracle,rnic,wire} selftests/{race,unit,vectors} -type f |
		while read -r file; do
			cmp -s "$file" "$SRC/$file" || install -D -m 644 "$file" "$SRC/$file"
		done
}

# of FAULT WORD: prints the text after "WORD: " in the patch
of() { sed -n "s/^$2: //p; /^---/q" "$FAULTS/$1.patch"; }

# log_of WORD SCENARIO KEY=VALUE...: prints the name of the log
log_of()
{
	local name=$*

	echo "$OUT/${name// /,}.log"
}

# run LOG BUILT SCENARIO KEY=VALUE...: prints the exit status of the lab
run()
{
	local log=$1 built=$2 rc=0

	shift 2
	LLE_LAB_PAGE=no LLE_LAB_OUT=${log%.log} LLE_LAB_BUILT=$built \
		"$lab" run "$@" </dev/null >"$log" 2>&1 || rc=$?
	echo $rc
}

# failing LOG: prints the failed expectations in a line
failing() { sed -n 's/^NOT \([^ ]*\) .*/\1/p' "$1" | sort -u | xargs; }

# values LOG WORD: prints the values of the expectations $names as TAP comments
values()
{
	sed -n '/^expected:/,$s/^\(NOT\|   \) //p' "$1" |
		grep -E "^(${names// /|}) " | sed "s/^/# $2: /"
}

# sound SCENARIO KEY=VALUE...: runs it without a fault, once only
sound()
{
	local log

	log=$(log_of without "$@")
	[ -n "${passed[$*]:-}" ] || passed[$*]=$(run "$log" "$real" "$@")
	[ "${passed[$*]}" -eq 0 ] || point 1 "$fault: $* fails without it" "$log"
	return "${passed[$*]}"
}

# build LOG: builds modules with the fault; prints the same as lab/build.sh
build()
{
	local mods

	patch -d "$SRC" -p1 -F0 -r - --no-backup-if-mismatch <"$FAULTS/$fault.patch" >"$1" &&
		mods=$(LLE_SOURCES=$SRC LLE_BUILD=lab-planted "$TOP/scripts/build.sh" lab 2>>"$1") &&
		printf '%s\n' "${real%%$'\n'*}" "$mods"
}

# fails WITH SCENARIO KEY=VALUE...: with modules WITH, exactly $names fail
fails()
{
	local with=$1 log without rc

	shift
	log=$(log_of "$fault" "$@")
	without=$(log_of without "$@")
	rc=$(run "$log" "$with" "$@")
	[ "$rc" -eq 1 ] && [ "$(failing "$log")" = "$(xargs -n 1 <<<"$names" | sort | xargs)" ]
	point $? "$fault: $*: NOT $names" "$log"
	values "$without" without
	values "$log" with
}

# in_parts BUILT LOG SCENARIO KEY=VALUE...: equal in one kernel and two? 2: no
# result
in_parts()
{
	local built=$1 log=$2 parts dir

	shift 2
	for parts in 1 2; do
		dir=${log%.log}.$parts
		run "$dir.log" "$built" "$@" PARTS=$parts >/dev/null
		jq -S .metrics "$dir/$1/latest/result.json" >"$dir.json" || return 2
	done
	cmp "${log%.log}".{1,2}.json >"$log"
}

# differs WITH SCENARIO KEY=VALUE...: parts show in the result with modules WITH only
differs()
{
	local with=$1 rc=0 log text

	shift
	text=$(of "$fault" Error)
	log=$(log_of parts "$@")
	in_parts "$real" "$log" "$@"
	point $? "$fault: $*: one kernel and two have the same result" "$log"
	log=$(log_of "$fault" "$@")
	in_parts "$with" "$log" "$@" || rc=$?
	if [ -n "$text" ]; then
		[ $rc -eq 2 ] && grep -qF "$text" "${log%.log}.2.log"
	else
		[ $rc -eq 1 ]
	fi
	point $? "$fault: $*: they do not with it${text:+, \"$text\"}" "$log"
}

# test_fault: tests $fault in each of its scenarios
test_fault()
{
	local scenario names with

	with=$(build "$OUT/$fault.log") || point 1 \
		"$fault: the patch does not apply, or what it patches cannot be built" \
		"$OUT/$fault.log"
	refresh
	[ -n "$with" ] || return
	while read -ra scenario && read -r names <&4; do
		! sound "${scenario[@]}" || fails "$with" "${scenario[@]}"
	done < <(of "$fault" Scenario) 4< <(of "$fault" Fails)
	while read -ra scenario; do
		differs "$with" "${scenario[@]}"
	done < <(of "$fault" Parts)
}

mkdir -p "$SRC"
# build once for all scenarios
real=$("$TOP/lab/build.sh") || exit
refresh
find "$OUT" -mindepth 1 -maxdepth 1 ! -name src -exec rm -rf {} +
faults=("$@")
[ $# -gt 0 ] || mapfile -t faults < <(basename -s .patch "$FAULTS"/*.patch)
for fault in "${faults[@]}"; do
	test_fault
done
end
