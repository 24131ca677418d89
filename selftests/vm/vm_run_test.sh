#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests scripts/vm-run.sh: what it reports is what happened in the guest.
#
# Usage: vm_run_test.sh [-h]; KERNEL chooses the kernel as in vm-run.sh.
# Output is TAP 13; exit status 0 when nothing failed, 4 when all is skipped
# because there is no kernel.

# shellcheck disable=SC2016 # $OUT is for the guest's shell
set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
VM_RUN=$HERE/../../scripts/vm-run.sh
TMP=$(mktemp -d)
export TMPDIR=$TMP	# a runner that is killed cannot clean up
trap 'rm -rf "$TMP"' EXIT
trap 'exit 143' INT TERM HUP

# Runs vm-run.sh, leaves its exit status in $rc, its time in $took and what it
# printed in $TMP/stdout and $TMP/stderr.
run_vm() {
	local start=$SECONDS

	rc=0
	"$VM_RUN" -k "$kernel" -o "$TMP/out" "$@" \
		>"$TMP/stdout" 2>"$TMP/stderr" || rc=$?
	took=$((SECONDS - start))
}

# Each test returns 0 when it passes; what it prints explains a failure.

# The kernel's words are not the kernel's when the command says them.
test_status_zero() {
	run_vm -t 60 -- echo 'WARNING: CPU: 0 PID: 1 at BUG: Oops'
	[ "$rc" -eq 0 ] && grep -q '^WARNING: CPU' "$TMP/stdout"
}

test_status_comes_back() {
	run_vm -t 60 -- bash -c 'exit 7'
	[ "$rc" -eq 7 ]
}

test_files_are_identical() {
	printf 'a\0b\n' >"$TMP/in"
	run_vm -t 60 -f "$TMP/in:/root/dir/in" -- bash -c 'cp dir/in $OUT &&
		head -c 1048576 /dev/urandom >$OUT/random && sha256sum <$OUT/random'
	[ "$rc" -eq 0 ] && cmp "$TMP/in" "$TMP/out/in" &&
		[ "$(stat -c %s "$TMP/out/random")" = 1048576 ] &&
		[ "$(sha256sum <"$TMP/out/random")" = "$(tail -n 1 "$TMP/stdout")" ]
}

test_panic() {
	run_vm -t 60 -- bash -c 'echo c >/proc/sysrq-trigger'
	[ "$rc" -eq 97 ] && grep -q 'Kernel panic' "$TMP/out/console.log"
}

test_hang() {
	run_vm -t 15 -- bash -c 'echo started; sleep infinity'
	[ "$rc" -eq 124 ] && [ "$took" -lt 25 ] && grep -qx started "$TMP/stdout"
}

# Guest time is instructions: two runs at once, on a loaded host, agree to the
# nanosecond.
test_deterministic() {
	local guest='sleep 1; ip link add d0 type dummy; date +%s.%N'

	run_vm -i -t 100 -m dummy -o "$TMP/out1" -- bash -c "$guest" &
	run_vm -i -t 100 -m dummy -o "$TMP/out2" -- bash -c "$guest"
	wait $!
	# what follows is the kernel's own line, after the disk was used
	head -qn 1 "$TMP"/out[12]/console.log >"$TMP/stdout"
	grep -q '^[0-9]*[.][0-9]*$' "$TMP/stdout" &&
		[ "$(sort -u "$TMP/stdout" | wc -l)" -eq 1 ]
}

# A hang after a warning is the kernel's fault: the log got out in time.
test_warning_before_hang() {
	run_vm -t 15 -- bash -c \
		'echo "<4>WARNING: CPU: 0 PID: 1 at a.c:1 f+0x0/0x1" >/dev/kmsg; sleep infinity'
	[ "$rc" -eq 97 ] && grep -q 'WARNING: CPU' "$TMP/out/dmesg.txt"
}

test_warning() {
	run_vm -t 60 -- bash -c \
		'echo "<4>WARNING: CPU: 0 PID: 1 at a.c:1 f+0x0/0x1" >/dev/kmsg'
	[ "$rc" -eq 97 ] && grep -q 'WARNING: CPU' "$TMP/stderr"
}

test_missing_kernel() {
	local kernel=$TMP/no-such-kernel

	run_vm -t 60 -- true
	[ "$rc" -eq 125 ]
}

# A KVM that starts and never prints a line, which openable /dev/kvm hides.
test_hanging_kvm() {
	cat >"$TMP/qemu" <<-'WRAP'
		#!/bin/sh
		case "$*" in *"-accel kvm"*) exec sleep 1000 ;; esac
		exec qemu-system-x86_64 "$@"
	WRAP
	chmod +x "$TMP/qemu"
	LLE_QEMU=$TMP/qemu VM_ACCEL=probe run_vm -t 60 -- cat /proc/uptime
	[ "$rc" -eq 0 ] && grep -q 'accelerator tcg (a probe' "$TMP/stderr" &&
		[ $((took - $(cut -d. -f1 <"$TMP/stdout"))) -lt 15 ]
}

test_kill_leaves_no_qemu() {
	local pid qemu

	"$VM_RUN" -k "$kernel" -o "$TMP/out" -t 60 -- \
		bash -c 'echo started; sleep infinity' >"$TMP/stdout" 2>/dev/null &
	pid=$!
	for ((i = 0; i < 300; i++)); do
		! grep -qx started "$TMP/stdout" || break
		sleep 0.1
	done
	qemu=$(pgrep -f "logfile=$TMP/out/console.log")
	kill -KILL "$pid"
	for ((i = 0; i < 50; i++)); do
		pgrep -f "logfile=$TMP/out/console.log" >/dev/null || break
		sleep 0.1
	done
	[ -n "$qemu" ] && [ "$i" -lt 50 ]
} 2>/dev/null

[ "${1:-}" != -h ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; exit 0; }

echo 'TAP version 13'
if ! kernel=$("$HERE/../../scripts/kernel.sh" get "${KERNEL:-6.1}" 2>"$TMP/stderr"); then
	echo "1..0 # SKIP $(tail -n 1 "$TMP/stderr")"
	exit 4
fi
mapfile -t tests < <(declare -F | awk '$3 ~ /^test_/ { print $3 }')
echo "1..${#tests[@]}"
n=0 failed=0
for t in "${tests[@]}"; do
	n=$((n + 1))
	rc='-' took='-'
	: >"$TMP/stdout"; : >"$TMP/stderr"
	if "$t"; then
		echo "ok $n - ${t#test_} # took ${took}s"
	else
		echo "not ok $n - ${t#test_}"
		echo "# exit status $rc after $took s"
		tail -n 20 "$TMP/stdout" "$TMP/stderr" | sed 's/^/# /'
		failed=$((failed + 1))
	fi
done
[ "$failed" -eq 0 ]
