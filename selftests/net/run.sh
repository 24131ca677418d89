#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Loads the modules and runs scenarios: run.sh [NAME...], default all. Needs
# root, and a machine that may be changed: the virtual machine of
# scripts/vm/test.sh, or that of kselftest.
#
# LLE_MODULES	folder of lossless.ko and sch_lossless.ko (/mods)
# OUT		folder for one TAP file per scenario (none)
# LLE_WRAP	if set, programs run under valgrind, by valgrind.sh

cd "$(dirname "$0")" || exit 1
export LLE_MODULES=${LLE_MODULES:-/mods}

names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(sed -n 's/^TEST_PROGS += \(.*\)\.[a-z]*/\1/p' Makefile)

# a fabric bursts: losses in the backlog of a CPU are losses below the qdisc
sysctl -qw net.core.netdev_max_backlog=100000
[ -d /sys/module/lossless ] || insmod "$LLE_MODULES/lossless.ko" || exit 1
[ -d /sys/module/sch_lossless ] || insmod "$LLE_MODULES/sch_lossless.ko" || exit 1

# programs under valgrind may run as another user
[ -z "${LLE_WRAP:-}" ] || mkdir -m 1777 /tmp/valgrind

failed=0
for name in "${names[@]}"; do
	program=("./$name".[ps]?)	# .sh or .py
	"${program[0]}" | tee ${OUT:+"$OUT/$name.tap"}
	[ "${PIPESTATUS[0]}" = 0 ] || failed=1
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
