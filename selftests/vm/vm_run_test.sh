#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests scripts/vm/run.sh: it reports the events of the guest correctly.
#
# Usage: vm_run_test.sh [-h | TEST...]; KERNEL: kernel, as in vm/run.sh
# Output is TAP 13; exit status 0 when nothing failed, 4 when all is skipped
# because there is no kernel.

# shellcheck disable=SC2016 # $OUT is for the guest's shell
set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
RUNNER=$HERE/../../scripts/vm/run.sh
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$HERE/lib.sh"

test_panic() {
	run_vm -t 60 -- bash -c 'echo c >/proc/sysrq-trigger'
	[ "$rc" -eq 97 ] && grep -q 'Kernel panic' "$TMP/out/console.log"
}

# The guest counts instructions as time: two runs at once, on a busy host, agree
# to the nanosecond.
test_deterministic() {
	local guest='sleep 1; ip link add d0 type dummy; date +%s.%N'

	run_vm -i -t 100 -m dummy -o "$TMP/out1" -- bash -c "$guest" &
	run_vm -i -t 100 -m dummy -o "$TMP/out2" -- bash -c "$guest"
	wait $!
	# later lines are of the kernel, after it used the disk
	head -qn 1 "$TMP"/out[12]/console.log >"$TMP/stdout"
	grep -q '^[0-9]*[.][0-9]*$' "$TMP/stdout" &&
		[ "$(sort -u "$TMP/stdout" | wc -l)" -eq 1 ]
}

# A KVM that starts and never prints a line, although /dev/kvm can be opened.
test_hanging_kvm() {
	cat >"$TMP/qemu" <<-'WRAP'
		#!/bin/sh
		case "$*" in *"-accel kvm"*) exec sleep 1000 ;; esac
		exec qemu-system-x86_64 "$@"
	WRAP
	chmod +x "$TMP/qemu"
	LLE_QEMU=$TMP/qemu VM_ACCEL=probe run_vm -t 60 -- cat /proc/uptime
	[ "$rc" -eq 0 ] && grep -q 'accelerator tcg (a probe' "$TMP/stderr" &&
		[ $((took - $(cut -d. -f1 <"$TMP/stdout"))) -lt 45 ]
}

test_kill_leaves_no_qemu() {
	killed "logfile=$TMP/out/console.log" bash -c 'echo started; sleep infinity'
}

get_kernel "$HERE/../../scripts/vm/kernel.sh" get "${KERNEL:-6.1}"
run_tests "$@"
