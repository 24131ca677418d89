#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the guest of border.py: runs the tests of each mutant with its modules, those
# of /mutants/N. Lines of /mutants/plan: N SCENARIO TEST... Ends with the first
# mutant that disturbs the next one.

# longest time of the tests of a mutant, and until its namespaces have gone
TESTS=900
UNLOAD=20

bad='WARNING: |BUG: |Oops|kernel BUG at|KASAN|UBSAN|general protection fault|cut here'

unloads()
{
	local i module

	for ((i = 0; i < UNLOAD; i++)); do
		for module in tcp_ldcp sch_lossless lossless; do
			! grep -q "^$module " /proc/modules || rmmod $module 2>/dev/null
		done
		grep -qE '^(tcp_ldcp|sch_lossless|lossless) ' /proc/modules || return 0
		sleep 1
	done
	return 1
}

while read -r n scenario tests <&3; do
	dmesg -C
	echo "# mutant $n begins"
	why='' rc=0
	LLE_MODULES=/mutants/$n LLE_TESTS=$tests timeout -k 10 $TESTS \
		/bin/bash /selftests/net/run.sh "$scenario" || rc=$?
	[ $rc -lt 124 ] || why=', the tests hung'
	! dmesg | grep -qE "$bad" || why=', the kernel complained'
	echo "# mutant $n ends$why"
	[ -z "$why" ] || exit 1
	unloads || { echo "# the modules cannot be unloaded"; exit 1; }
done 3</mutants/plan
