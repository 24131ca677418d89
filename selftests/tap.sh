# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Test points in TAP. Who sources this sets `suite`, and in the end prints "1..$n" and
# exits with $failed.

n=0
failed=0
: "${suite:?}"

# report NAME WHY: passes if there is no WHY
report()
{
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $suite: $1"
	else
		echo "not ok $n - $suite: $1"
		echo "$2" | head -n 40 | sed 's/^/# /'
		# shellcheck disable=SC2034 # for who sources this
		failed=1
	fi
}
