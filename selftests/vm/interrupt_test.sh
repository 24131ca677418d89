#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that an interrupted run, by ctrl-C or SIGTERM, leaves no process,
# temporary file or mount. Covers guests, the lab and sweeps.
#
# Usage: interrupt_test.sh [-h | TEST...]
# Output is TAP 13; exit status 0 when nothing failed, 4 when all is skipped
# because there is no kernel.

set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$HERE/../..

# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$HERE/lib.sh"

guest() { grep -qsx started "$TMP/out/console.log"; }
traffic() { grep -rqs --include=console.log '^lab: run' "$TMP/results"; }

# of_guest RUNNER KERNEL SIGNAL: interrupts it while it runs, and while it is
# packed
of_guest() {
	local command=("$TOP/$1.sh" -k "$2" -o "$TMP/out" -t 60 --
		bash -c 'sleep 1 & echo started; while :; do :; done')

	rm -rf "$TMP/out"
	interrupt "$3" guest "${command[@]}" && interrupt "$3" 'sleep 0.2' "${command[@]}"
}

test_uml_run_ctrl_c() { of_guest lab/uml-run "$kernel" INT; }
test_uml_run_terminated() { of_guest lab/uml-run "$kernel" TERM; }
test_vm_run_ctrl_c() { of_guest scripts/vm/run 6.1 INT; }
test_vm_run_terminated() { of_guest scripts/vm/run 6.1 TERM; }

# of_lab SIGNAL WHEN [KEY=VALUE...]: interrupts a run of several hours
of_lab() {
	rm -rf "$TMP/results"
	LLE_LAB_OUT=$TMP/results interrupt "$1" "$2" \
		"$TOP/lab/lle-lab" run permutation MS=10000 SIZE=1000000000 "${@:3}"
}

# Sets shared to the file of memory that the kernels of a run share.
traffic_of_parts() {
	traffic || return
	shared=$(cat "$TMP"/results/permutation/*/parts/1/guest.pid)
	shared=$(tr '\0' ' ' <"/proc/$shared/cmdline" | grep -o '/dev/shm/lle-wire[^ ]*')
}

# of_parts SIGNAL
of_parts() {
	of_lab "$1" traffic_of_parts PARTS=2 || return
	echo "shared memory: $shared" >>"$TMP/stdout"
	[ -n "$shared" ] && [ ! -e "$shared" ]
}

test_lab_ctrl_c() { of_lab INT traffic; }
test_lab_terminated() { of_lab TERM traffic; }
test_lab_that_boots() { of_lab TERM 'sleep 0.4'; }
test_parts_ctrl_c() { of_parts INT; }
test_parts_terminated() { of_parts TERM; }

of_sweep() {
	rm -rf "$TMP/results"
	printf '%s\n' 'scenario permutation' 'MS 10000 20000' 'SIZE 1000000000' >"$TMP/long"
	SWEEP_JOBS=1 LLE_SWEEP_OUT=$TMP/results interrupt "$1" traffic \
		"$TOP/lab/lle-lab" sweep "$TMP/long"
}

test_sweep_ctrl_c() { of_sweep INT; }
test_sweep_terminated() { of_sweep TERM; }

get_kernel "$TOP/lab/build.sh"
export LLE_LAB_BUILT=$kernel
kernel=${kernel%%$'\n'*}
[ $# -gt 0 ] || set -- {uml_run,vm_run,lab,parts,sweep}_{ctrl_c,terminated} lab_that_boots
run_tests "$@"
