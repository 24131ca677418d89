#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests lab/uml-run.sh: it reports the events of the guest correctly, and time
# is virtual.
#
# Usage: uml_run_test.sh [-h | TEST...]; KERNEL chooses the kernel as in
# uml-run.sh; it must have virtual time.
# Output is TAP 13; exit status 0 when nothing failed, 4 when all is skipped
# because there is no kernel.

# shellcheck disable=SC2016 # $OUT is for the guest's shell
set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
RUNNER=$HERE/../../lab/uml-run.sh

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$HERE/lib.sh"

# The guest aborts, and its processes end with it.
test_panic() {
	run_vm -t 60 -m lkdtm -- bash -c \
		'modprobe lkdtm; echo PANIC >/sys/kernel/debug/provoke-crash/DIRECT'
	[ "$rc" -eq 97 ] && [ "$took" -lt 30 ] &&
		grep -q 'Kernel panic' "$TMP/out/console.log"
}

# No process sleeps, so virtual time stands still; the time-out kills the guest.
test_spin() {
	run_vm -t 10 -- bash -c 'echo started; while :; do :; done'
	[ "$rc" -eq 124 ] && [ "$took" -lt 20 ] && grep -qx started "$TMP/stdout"
}

# report_race FRAME...: a data race with these frames on a stack, as KCSAN
# prints
report_race() {
	run_vm -t 60 -- bash -c 'bar=$(printf "%66s" "" | tr " " =)
		printf "<3>%s\n" "$bar" "BUG: KCSAN: data-race in a / b" "$@" "$bar" |
		while IFS= read -r line; do echo "$line" >/dev/kmsg; done' - "$@"
}

# A race inside the network stack is not reported, even if our code called it.
test_foreign_race() {
	report_race ' a+0x1/0x2' ' __dev_queue_xmit+0x1/0x2' ' b+0x1/0x2 [lossless]' \
		'write to 0x1 of 4 bytes by task 1 on cpu 1:' ' c+0x1/0x2 [veth]' &&
		[ "$rc" -eq 0 ]
}

test_own_race() {
	report_race ' a+0x1/0x2' ' __dev_queue_xmit+0x1/0x2' \
		'write to 0x1 of 4 bytes by task 1 on cpu 1:' ' b+0x1/0x2' \
		' c+0x1/0x2 [sch_lossless]' ' __dev_queue_xmit+0x1/0x2'
	[ "$rc" -eq 97 ] && grep -q 'KCSAN: data-race in a / b' "$TMP/stderr"
}

# 1000 s to less than 0.1 s; the difference is the fork of sleep.
test_sleep_is_free_and_exact() {
	run_vm -t 60 -- bash -c 'read -r a b </proc/uptime; date +%s.%N; sleep 1000
		read -r c d </proc/uptime; echo "$a $c"; date +%s.%N'
	[ "$rc" -eq 0 ] && [ "$took" -lt 30 ] &&
		awk 'NR == 1 { t = $1 } NR == 2 { up = $2 - $1 } NR == 3 { t = $1 - t }
			END { exit !(up >= 1000 && up < 1000.1 && t >= 1000 && t < 1000.1) }' \
			"$TMP/stdout"
}

# Runs a guest twice: random numbers, timers, lossy qdisc, IPv6 addresses,
# memory
run_twice() {
	local guest='head -c 1000 /dev/urandom >$OUT/random
		ip link add d0 type veth peer d1; ip link show d0
		tc qdisc add dev d0 root netem delay 10ms 5ms loss 10%
		ip link set d0 up; ip link set d1 up
		for i in 1 2 3; do (sleep 0.$i; date +%s.%N) & done; wait
		tc -s qdisc show dev d0; date +%s.%N; dmesg | tail'

	run_vm -t 60 -S "$1" -o "$TMP/out1" -- bash -c "$guest"
	[ "$rc" -eq 0 ] || return
	# beside another process, on a busy host
	(while :; do :; done) &
	run_vm -t 60 -S "$2" -o "$TMP/out2" -- bash -c "$guest"
	kill $!
	[ "$rc" -eq 0 ]
}

test_same_seed_same_bytes() {
	run_twice 1 1 && diff -r "$TMP/out1" "$TMP/out2" >"$TMP/stdout"
}

test_other_seed_other_bytes() {
	run_twice 1 2 && ! cmp -s "$TMP/out1/random" "$TMP/out2/random"
}

test_kill_leaves_no_process() {
	killed "^$kernel/linux" bash -c 'sleep 1 & echo started; while :; do :; done'
}

# Without source and without an earlier build, uml.sh says so, and exits with 4,
# which is no failure.
test_no_mirror() {
	rc=0
	XDG_CACHE_HOME=$TMP/cache unshare -rn "$HERE/../../lab/uml.sh" get lab \
		>"$TMP/stdout" 2>"$TMP/stderr" || rc=$?
	[ "$rc" -eq 4 ] && [ ! -s "$TMP/stdout" ] &&
		tail -n 1 "$TMP/stderr" | grep -q '^uml.sh: cannot get the source of lab'
}

get_kernel "$HERE/../../lab/uml.sh" get "${KERNEL:-lab}"
run_tests "$@"
