#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs scenarios: run.sh [NAME...], default all. Needs root, and a machine that
# may be changed: the virtual machine of scripts/vm/test.sh.
#
# LLE_MODULES	folder of the modules (/mods); without it, those of the kernel
# LLE_TESTS	names of tests to run (all); SCENARIO:TEST limits only that scenario
# LLE_LONG	if set, tests that have a short and a long form take the long one
# OUT		folder for one TAP file per scenario (none)
# LLE_WRAP	if set, programs run under valgrind, by valgrind.sh

cd "$(dirname "$0")" || exit 1

names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(sed -n 's/^TEST_PROGS += \(.*\)\.[a-z]*/\1/p' Makefile)

# programs under valgrind may run as another user
[ -z "${LLE_WRAP:-}" ] || mkdir -m 1777 /tmp/valgrind

failed=0
for name in "${names[@]}"; do
	program=("./$name".[ps]?)	# .sh or .py
	"${program[0]}" | tee ${OUT:+"$OUT/$name.tap"}
	# 4: the scenario is skipped
	case ${PIPESTATUS[0]} in
	0 | 4) ;;
	*) failed=1 ;;
	esac
done

# found_nothing: valgrind reported nothing in any run of a program
found_nothing()
{
	local runs

	runs=$(find /tmp/valgrind -type f | wc -l)
	if [ "$runs" -gt 0 ] && [ -z "$(find /tmp/valgrind -type f -size +0)" ]; then
		echo "ok 1 - valgrind: $runs runs"
	else
		echo "not ok 1 - valgrind: $runs runs"
		find /tmp/valgrind -type f -size +0 -exec sed "s/^/# /" {} +
		return 1
	fi
}

if [ -n "${LLE_WRAP:-}" ]; then
	found_nothing | tee ${OUT:+"$OUT/valgrind.tap"}
	[ "${PIPESTATUS[0]}" = 0 ] || failed=1
fi
exit $failed
