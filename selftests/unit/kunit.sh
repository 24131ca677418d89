#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the tests of run.sh in a kernel: each is a KUnit suite, with the kernel's
# arithmetic, KASAN and UBSAN. Prints TAP 13: one test point per suite, with the
# report of KUnit indented above it.
#
# Usage: kunit.sh [TEST...]     TEST: a name such as sb_test; default: all
# Environment: KERNEL: one that uml.sh knows and that has KUnit (debug)
#
# Exit status: 0 all passed; 4 there is no kernel here; else a test failed, or
# the kernel complained. out/kunit has the kernel's log.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
kernel=${KERNEL:-debug}
out=$root/out/kunit
mkdir -p "$out"

tests=("$@")
[ $# -gt 0 ] || mapfile -t tests < <(basename -s .c "$root"/selftests/unit/*_test.c)

# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

mods=$("$root/scripts/build.sh" "$kernel" LLE_KUNIT=1) || exit
files=()
for test in "${tests[@]}"; do
	files+=(-f "$mods/selftests/unit/$test.ko:/kunit/$test.ko")
done

status=0
# shellcheck disable=SC2016 # for the guest's shell
"$root/lab/uml-run.sh" -q -k "$kernel" -o "$out" "${files[@]}" -- bash -c '
	for ko in /kunit/*.ko; do insmod $ko; done
	cd /sys/kernel/debug/kunit
	for suite in *; do cat $suite/results >$OUT/$suite; done' || status=$?

echo "TAP version 13"
echo "1..${#tests[@]}"
for test in "${tests[@]}"; do
	name=lossless_${test%_test}
	report=$(cat "$out/$name" || :)
	awk '{ print "    " $0 }' <<<"$report"
	rc=0
	grep -qx "ok 1 $name" <<<"$report" || rc=1
	point $rc "$name"
done
exit $((status ? status : failed))
