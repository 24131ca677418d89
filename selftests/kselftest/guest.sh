#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs scenarios twice, by selftests/net/run.sh and by the kernel's
# run_kselftest.sh, and compares what passed, failed and was skipped. Needs root,
# and a machine that may be changed: the virtual machine of scripts/vm/test.sh.
#
# Usage: guest.sh NAME...
#
# KSELFTEST	folder with run_kselftest.sh (/kselftest)
# OUT		folder for the output of both

# shellcheck disable=SC2317 # passes calls them

# shellcheck disable=SC2034 # for tap.sh
suite=kselftest
# shellcheck source=selftests/tap.sh
. "$(dirname "$0")/../tap.sh"

HERE=$(dirname "$(readlink -f "$0")")
log=$OUT/kselftest.log

# counts FILE: "PASSED FAILED SKIPPED" of TAP; 1..0 skips all
counts()
{
	awk '/^not ok/ { failed++; next } /^ok.*# SKIP|^1\.\.0 # SKIP/ { skipped++; next } /^ok/ { passed++ }
		END { print passed + 0, failed + 0, skipped + 0 }' "$1"
}

# nested NAME: the output of a scenario in that of run_kselftest.sh, without "# "
nested()
{
	sed -n "/^# selftests: net\/lossless: $1\.[a-z]*$/,/^\(not \)\?ok [0-9]* selftests:/p" "$log" |
		sed -n 's/^# //p' | sed 1d
}

# plans FILE: has a version first, and a plan that its test points keep
plans()
{
	[ "$(head -n 1 "$1")" = "TAP version 13" ] || { echo "no version"; return 1; }
	awk '/^1\.\./ { plans++; plan = substr($1, 4) }
		/^(not )?ok / { n++; if ($(/^not/ ? 3 : 2) != n) bad = bad " " n }
		END {
			if (plans != 1 || plan + 0 != n + 0 || bad)
				print plans + 0 " plans, for " plan ", " n + 0 " test points; out of order:" bad
			exit plans != 1 || plan + 0 != n + 0 || bad != ""
		}' "$1"
}

# same NAME: both ran the same number of test points, with the same results
same()
{
	local ours theirs

	nested "$1" >"$OUT/$1.nested"
	plans "$OUT/$1.nested" || return
	ours=$(counts "$OUT/$1.tap") theirs=$(counts "$OUT/$1.nested")
	echo "run.sh: $ours; run_kselftest.sh: $theirs"
	[ "$ours" = "$theirs" ] && [ "$ours" != "0 0 0" ] || return
	# and as a test point
	case $theirs in
	"0 0 "*) grep "^ok [0-9]* selftests: net/lossless: $1\.[a-z]* # SKIP$" "$log" ;;
	*" 0 "*) grep "^ok [0-9]* selftests: net/lossless: $1\.[a-z]*$" "$log" ;;
	*) grep "^not ok [0-9]* selftests: net/lossless: $1\.[a-z]* # exit=1$" "$log" ;;
	esac
}

# Each scenario is one test point of run_kselftest.sh, which passes as the
# scenario does.
outer()
{
	grep '^TAP\|^1\.\.\|^\(not \)\?ok' "$log" >"$OUT/outer"
	plans "$OUT/outer"
}

tests=()
for name; do
	program=("$HERE/../net/$name".[ps]?)
	tests+=(-t "net/lossless:${program[0]##*/}")
done
bash "$HERE/../net/run.sh" "$@" >/dev/null
"${KSELFTEST:-/kselftest}/run_kselftest.sh" "${tests[@]}" 2>&1 |
	cat >"$log"	# not a file: some of its programs append, others do not
passes "its own plan" outer
for name; do
	passes "the same counts: $name" same "$name"
	echo "# $name passed, failed, skipped: $(counts "$OUT/$name.tap"); $(counts "$OUT/$name.nested")"
done
end
