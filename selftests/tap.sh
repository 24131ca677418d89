# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Test points in TAP. The script that sources this file may set `suite`, the
# first word of each name. At its end it calls `end`, or, if it has printed the
# plan before, exits with $failed.

n=0
failed=0

# point STATUS NAME [LOG]: prints a test point, which passes if STATUS is 0; a
# failure shows the end of LOG
point()
{
	local name=${suite:+$suite: }$2

	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		[ $# -lt 3 ] || tail -n 30 "$3" | sed 's/^/# /'
		failed=1
	fi
}

# report NAME WHY: prints a test point, which passes if WHY is empty
report()
{
	if [ -z "$2" ]; then
		point 0 "$1"
	else
		point 1 "$1"
		head -n 40 <<<"$2" | sed 's/^/# /'
	fi
}

# passes NAME COMMAND...: a test point, which passes if COMMAND does; a failure
# shows what it prints
passes()
{
	local name=$1 out

	shift
	if out=$("$@" 2>&1); then
		report "$name" ''
	else
		report "$name" "${out:-it fails, and says nothing}"
	fi
}

# exits_with NAME STATUS TEXT COMMAND...: a test point, which passes if COMMAND exits
# with STATUS and prints TEXT
exits_with()
{
	local name=$1 status=$2 text=$3 said is=0

	shift 3
	said=$("$@" 2>&1) || is=$?
	report "$name" "$(
		[ "$is" -eq "$status" ] || echo "exit status $is, should be $status"
		[[ $said == *"$text"* ]] || echo "says '$said', should say '$text'")"
}

# skip NAME WHY: prints a test point that cannot run here
skip()
{
	point 0 "$1 # SKIP $2"
}

# end: prints the plan, and exits with 1 if a test point failed
end()
{
	echo "1..$n"
	exit "$failed"
}
