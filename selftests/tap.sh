# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Test points in TAP. The script that sources this file sets `suite`, and at its
# end prints "1..$n" and exits with $failed.

n=0
failed=0
: "${suite:?}"

# report NAME WHY: prints a test point, which passes if WHY is empty
report()
{
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $suite: $1"
	else
		echo "not ok $n - $suite: $1"
		echo "$2" | head -n 40 | sed 's/^/# /'
		# shellcheck disable=SC2034 # for the sourcing script
		failed=1
	fi
}
