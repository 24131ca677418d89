# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the tests of both runners: the tests for any guest, and the loop.
# Sourced; RUNNER is the script to test, and kernel the kernel to boot.
#
# shellcheck disable=SC2016 # $OUT is for the guest's shell

[ "${1:-}" != -h ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; exit 0; }

# shellcheck source-path=SCRIPTDIR source=interrupt.sh
. "$(dirname "${BASH_SOURCE[0]}")/interrupt.sh"
# shellcheck source-path=SCRIPTDIR source=../tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"

TMP=$(mktemp -d)
export TMPDIR=$TMP	# a killed runner cannot clean up
trap 'rm -rf "$TMP"' EXIT
trap 'exit 143' INT TERM HUP

# Runs a guest. Sets rc to its exit status and took to its time in seconds; its
# output is in $TMP/stdout and $TMP/stderr.
run_vm() {
	local start=$SECONDS

	rc=0
	"$RUNNER" -k "$kernel" -o "$TMP/out" "$@" \
		>"$TMP/stdout" 2>"$TMP/stderr" || rc=$?
	took=$((SECONDS - start))
}

# A test returns 0 when it passes; its output explains a failure.

# Text that the command prints is no message of the kernel.
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

test_hang() {
	run_vm -t 30 -- bash -c 'echo started; sleep infinity'
	[ "$rc" -eq 124 ] && [ "$took" -lt 45 ] && grep -qx started "$TMP/stdout"
}

# A hang after a warning is a fault of the kernel: the log arrives in time.
test_warning_before_hang() {
	run_vm -t 30 -- bash -c \
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

# get_kernel COMMAND...: the kernel is what COMMAND prints; if it fails, all tests
# are skipped
get_kernel() {
	echo 'TAP version 13'
	kernel=$("$@" 2>"$TMP/stderr") || {
		echo "1..0 # SKIP $(tail -n 1 "$TMP/stderr")"
		exit 4
	}
}

# killed PATTERN COMMAND...: kills the runner once its guest runs COMMAND. Fails
# if none of the processes with PATTERN began, or if one is left after 5 s
killed() {
	local pattern=$1 pid

	pgrep -f "$pattern" >"$TMP/before"
	"$RUNNER" -k "$kernel" -o "$TMP/out" -t 60 -- "${@:2}" >"$TMP/stdout" 2>/dev/null &
	pid=$!
	within 30 grep -qx started "$TMP/stdout"
	pgrep -f "$pattern" | grep -vxFf "$TMP/before" >"$TMP/mine"
	kill -KILL "$pid"
	[ -s "$TMP/mine" ] && within 5 all_gone "$pattern"
} 2>/dev/null

# shellcheck disable=SC2317 # called by within
all_gone() { ! pgrep -f "$1" | grep -xFf "$TMP/mine" >/dev/null; }

# run_tests [NAME...]: runs the functions test_NAME; default: all
run_tests() {
	local tests=("${@/#/test_}") t status

	[ $# -gt 0 ] || mapfile -t tests < <(declare -F | awk '$3 ~ /^test_/ { print $3 }')
	for t in "${tests[@]}"; do
		rc='-' took='-' status=0
		: >"$TMP/stdout"; : >"$TMP/stderr"
		"$t" || status=1
		{ echo "exit status $rc after $took s"; tail -n 20 "$TMP/stdout" "$TMP/stderr"; } >"$TMP/log"
		point $status "${t#test_}" "$TMP/log"
	done
	echo "1..$n"
	[ "$failed" -eq 0 ]
}
