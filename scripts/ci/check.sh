#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs all tests by prove(1). Two steps run in parallel, since a virtual machine
# keeps one core busy; the TAP of each step is kept in out/check/STEP.log.
#
# Usage: check.sh [STEP...]
#        check.sh -s STEP	prints the TAP of one step, for prove
#
# Ends with the CPU time of each step, and "N passed, N failed, N skipped". A step
# that cannot run is skipped, with a reason; if CI is set, an unexpected skip is a
# failure.
#
# A step that has passed before without a skip, for the same tree on the same
# machine, is not run again, unless it is named, LLE_CHECK_AGAIN=yes, or CI is
# set.

set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$(dirname "$HERE")")
OUT=$TOP/out/check
PASSED=$TOP/out/check-passed	# logs of steps that have passed for the tree in "tree"
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle
cd "$TOP" || exit 1

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$HERE/../job-lib.sh"

# Modules are built for eight kernels, most of them the same as before
export PATH=/usr/lib/ccache:$PATH CCACHE_DIR=$CACHE/ccache CCACHE_BASEDIR=$TOP CCACHE_NOHASHDIR=y

# Tests with other kernels: one, and in make check-long each feature once.
OTHERS=lossless
OTHERS_MORE="pfc_frames gso ports unaccounted lifecycle dcb deadlock congestion path ldcp"
# Tests with long runs or about times: in virtual time, and with a stock kernel in
# make check-long.
VIRTUAL="watchdog losslessd prometheus"
# More of these in make check-long: minutes each.
VIRTUAL_MORE="watchdog_host losslessd_scale headroom reload"
# Tests with debug: what handles packets, frames and devices. Without sb_alpha,
# wred and headroom, which are about numbers, and soak, which needs real time.
DEBUG="lifecycle hostile"
# Further tests with debug in make check-long: of storms, of configuration, those
# that use few paths of their own, and path, which starts many senders.
DEBUG_MORE="pfc_frames lossless ports deadlock gso congestion ldcp unaccounted dcb classify sched host watchdog watchdog_host visible ctl rnic path"

# Gets packages and programs first: otherwise steps would wait for each other's
# downloads, and build the same programs.
step_tools()
{
	local series rc=0

	for series in 6.1 6.12 newest; do
		scripts/vm/kernel.sh get "$series" >/dev/null || :
	done &
	make -s -j"$(nproc)" guest >&2 || rc=1
	wait
	if [ $rc -eq 0 ]; then
		echo "ok 1 - tools"
	else
		printf "%s\n" "not ok 1 - tools" "Bail out!  make guest failed: see out/check/tools.err"
	fi
}

# UML kernels take minutes to build, on all CPUs.
step_kernels()
{
	local name n=0 rc why

	for name in lab debug; do
		n=$((n + 1)) rc=0
		why=$(lab/uml.sh get "$name" 2>&1 >/dev/null) || rc=$?
		case $rc in
		0) echo "ok $n - kernels: $name" ;;
		4) echo "ok $n - kernels: $name # SKIP ${why##*$'\n'}" ;;
		*) printf 'not ok %d - kernels: %s\n%s\n' $n "$name" "# ${why//$'\n'/$'\n'# }" ;;
		esac
	done
}
step_static()	{ scripts/ci/static.sh; }
step_unit()	{ selftests/unit/run.sh; }
step_mutants()
{
	local rc=0

	pytest-3 selftests/mutants || rc=1
	selftests/mutants/mutate.py --changed || rc=1
	return $rc
}
# for make check-long
step_mutants-sample()
{
	local rc=0

	selftests/mutants/mutate.py --sample 4 || rc=1
	selftests/mutants/mutate.py --sample 4 daemon/*/*.c || rc=1
	return $rc
}
step_stress()	{ selftests/race/buffer.sh; }
step_model()	{ selftests/model/run.sh; }
step_proof()	{ selftests/proof/run.sh; }
# for make check-long
step_proof-long() { selftests/proof/run.sh long; }
step_testbed()	{ selftests/testbed/run.sh; }
step_ctl()	{ selftests/ctl/run.sh; }
step_daemon()	{ selftests/daemon/run.sh; }
step_install()	{ selftests/install/run.sh; }
step_wireshark() { selftests/wireshark/run.sh; }
step_demo-report() { pytest-3 selftests/demo; }
step_fuzz()	{ selftests/fuzz/run.sh 5; }
step_runner()	{ selftests/vm/vm_run_test.sh; }
step_shell()	{ pytest-3 selftests/vm -k 'not lab'; }
step_shell-lab() { pytest-3 selftests/vm -k 'not qemu'; }
step_uml()	{ selftests/vm/uml_run_test.sh; }
step_interrupt() { selftests/vm/interrupt_test.sh; }
step_jobs()	{ selftests/jobs/run.sh; }
# the lab's front, without guests
step_front()	{ pytest-3 selftests/lab --ignore-glob='*_runs_test.py'; }
# with guests
step_runs()	{ pytest-3 selftests/lab/*_runs_test.py -k 'not every'; }
# reading and judging configurations of real switches
step_twin()	{ pytest-3 selftests/twin; }
step_lab()	{ selftests/lab/run.sh each; }
step_parts()	{ selftests/lab/parts.sh -q -n 2; }
step_roce()	{ selftests/lab/roce.sh; }
# for make check-long
step_lab-more()		{ selftests/lab/run.sh more; }
step_parts-more()	{ selftests/lab/parts.sh; }
step_lab-planted()	{ selftests/lab/planted.sh; }
step_mutants-border()	{ selftests/mutants/border.py; }
step_lab-seeds()	{ selftests/lab/grid.sh seeds; }
step_lab-sizes()	{ selftests/lab/grid.sh sizes; }
step_lab-extreme()	{ selftests/lab/grid.sh extreme; }
step_lab-defaults()	{ selftests/lab/grid.sh defaults; }
# tests the pages that lab and runs have made
step_pages()	{ pytest-3 selftests/pages; }
step_kunit()	{ selftests/unit/kunit.sh; }
step_planted()	{ selftests/vm/planted_test.sh; }
# for make check-long
step_cross()	{ selftests/cross/run.sh; }
step_race()
{
	local rc=0

	selftests/race/run.sh || rc=1
	selftests/race/buffer.sh 100000000 1 2 || rc=1
	return $rc
}
# The tests that mutants name, and scenarios without a mutant: in make check-long
# (net-long) all
step_net()
{
	local tests

	tests=$(selftests/mutants/border.py --tests) || return
	LLE_TESTS=$tests all_net
}
step_net-long()	{ LLE_LONG=y all_net; }
# shellcheck disable=SC2046 # a list of words
all_net()
{
	scripts/vm/test.sh -o out/net-6.1 net $(sed -n 's/^TEST_PROGS += \(.*\)\.[a-z]*/\1/p' \
		selftests/net/Makefile |
		grep -vxE "${VIRTUAL// /|}|${VIRTUAL_MORE// /|}|failslab|situations|doctor|doctor_mends|smp")
}
step_situations() { scripts/vm/test.sh -o out/situations net situations; }
# for make check-long: take a quarter of an hour
step_net-mends() { scripts/vm/test.sh -o out/net-mends net doctor doctor_mends; }
# shellcheck disable=SC2086
step_net-storms() { LLE_LONG=y scripts/vm/test.sh -o out/net-storms net $VIRTUAL $VIRTUAL_MORE; }
# shellcheck disable=SC2086
step_net-lab-more() { scripts/vm/test.sh -k lab -o out/net-lab-more net $VIRTUAL_MORE; }
step_net-lab()
{
	local tests

	tests=$(selftests/mutants/border.py --tests) || return
	# shellcheck disable=SC2086
	LLE_TESTS=$tests scripts/vm/test.sh -k lab -o out/net-lab net $VIRTUAL
}
step_bench()	{ selftests/bench/bench.sh -b out/bench-budget; }
# tests the output of losslessd in step net-lab
step_prometheus()
{
	local rc=0

	pytest-3 selftests/prometheus || rc=1
	selftests/prometheus/run.sh out/net-lab || rc=1
	return $rc
}
step_tdc()	{ scripts/vm/test.sh -o out/tdc-6.1 tdc; }
# shellcheck disable=SC2086 # a list of words
step_net-6.12()	{ scripts/vm/test.sh -k 6.12 -o out/net-6.12 net $OTHERS; }
# shellcheck disable=SC2086
step_net-newest() { scripts/vm/test.sh -k newest -o out/net-newest net $OTHERS; }
# for make check-long
# shellcheck disable=SC2086
step_net-6.12-more() { scripts/vm/test.sh -k 6.12 -o out/net-6.12-more net $OTHERS_MORE; }
# shellcheck disable=SC2086
step_net-newest-more() { scripts/vm/test.sh -k newest -o out/net-newest-more net $OTHERS_MORE; }
step_soak()
{
	local rc=0

	LLE_SOAK_PACKETS=10000000 scripts/vm/test.sh -o out/soak net soak || rc=1
	LLE_TIMEOUT=14400 LLE_SOAK_PACKETS=1000000000 scripts/vm/test.sh -k lab -o out/soak-lab net soak || rc=1
	return $rc
}
step_smp()	{ scripts/vm/test.sh -k newest -o out/smp smp; }
# for make check-long: each line of situations.tab fails with a fault
step_net-planted() { LLE_PLANT=1 scripts/vm/test.sh -o out/net-planted net situations; }
step_pair()	{ scripts/vm/test.sh -o out/pair pair virtio-net-pci; }
# for make check-long: all models, and two kernels
step_pair-models()
{
	local peer rc=0

	scripts/vm/test.sh -o out/pair-models pair e1000 e1000e vmxnet3 rtl8139 igb || rc=1
	for peer in 6.12 newest; do
		scripts/vm/test.sh -p $peer -o out/pair-$peer pair virtio-net-pci e1000 ||
			case $? in
			4) echo "ok - pair: with $peer # SKIP the kernel cannot be had" ;;
			*) rc=1 ;;
			esac
	done
	return $rc
}
# for make check-upstream; an emulated CPU is busy most of the time
step_upstream()	{ LLE_TIMEOUT=3600 scripts/vm/test.sh -o out/check-upstream upstream; }
# the patches of make upstream; that they build and run in make check-long
step_patches()	{ selftests/series/run.sh short; }
step_series()	{ selftests/series/run.sh; }
step_kselftest() { selftests/kselftest/run.sh; }
# for make check-long: takes a quarter of an hour; only that kernel has fault
# injection
step_net-failslab() { LLE_TIMEOUT=5400 scripts/vm/test.sh -k debug -o out/net-failslab net failslab; }
# shellcheck disable=SC2086
step_net-debug() { scripts/vm/test.sh -k debug -o out/net-debug net $DEBUG; }
# shellcheck disable=SC2086
step_net-debug-more() { scripts/vm/test.sh -k debug -o out/net-debug-more net $DEBUG_MORE; }

# These come first: unit tests find a fault in a rule soonest.
FIRST="unit tools"
# Groups of steps that run one after the other, as they are built in one place;
# the longest first, except for the kernels, which most others need. One job
# builds these while the other runs qemu.
GROUPS_OF_STEPS=(kernels "net tdc kselftest" "net-lab prometheus lab parts roce runs pages front twin"
	"net-debug kunit planted" situations "static fuzz jobs mutants stress model proof testbed ctl daemon install wireshark demo-report patches"
	bench shell-lab net-newest net-6.12)
# Skips that CI expects: steps with a kernel that may not be available, as
# unstable changes, or with NICs that qemu may lack; and tests that need
# features of other kernels.
MAY_SKIP="kernels patches series net-newest net-newest-more smp race pair-models"
declare -A MAY_SKIP_TEST=(
	[proof]="proof: (litmus tests|buffer)"
	[net-mends]="doctor: order"
	[net-debug]="hostile: (link_pause_refused|pfc_flapping)"
	[net-debug-more]="ports: (team_.*|geneve|gretap|macsec|ipvlan_of_a_host|bpf_redirect)|unaccounted: member_of_vrf|ldcp: first_rtt_(ip6tnl|vrf|ipvlan)"
)

# Prints a hash of all that results depend on: the files of the tree, programs
# and kernels of this machine, and settings. Prints nothing if git does not know
# the files.
tree()
{
	local files

	git rev-parse --is-inside-work-tree >/dev/null 2>&1 || return 0
	mapfile -d '' files < <(git ls-files -co --exclude-standard -z | sort -zu)
	{
		# removed files have no lines
		printf '%s\0' "${files[@]}" | xargs -0 stat -c '%A %n'
		printf '%s\0' "${files[@]}" | xargs -0 sha256sum
		dpkg-query -W
		uname -a
		cat "$CACHE"/kernels/*/complete
		env | grep -E '^(LLE_.*|KERNEL|KDIR|VM_ACCEL|CC|CFLAGS|CLANG|TDC_DIR|TC|TC_LIB_DIR)=' |
			grep -v '^LLE_CHECK_AGAIN=' | sort
	} 2>/dev/null | sha256sum | cut -c1-16
}

# Prints a point for prove, which wants numbers without a gap.
point()
{
	n=$((n + 1))
	[[ $1 != not* ]] || failed=y
	echo "$1ok $n $2"
}

# Adds a point to the results of a step's programs.
add_point()
{
	echo "$1ok $2" >>"$log"
	point "$@"
}

# Writes the TAP of a step's programs to its log, with the time of each result
# that took a second or more, and prints its points. "Bail out!" ends all steps.
record()
{
	local line last=$SECONDS

	while IFS= read -r line; do
		printf '%s\n' "$line" >>"$log"
		[[ $line != 'Bail out!'* ]] || echo "$line"
		[[ $line =~ ^(not )?ok\ *[0-9]*\ *(.*) ]] || continue
		[ $SECONDS -eq "$last" ] || echo "# $((SECONDS - last)) s" >>"$log"
		last=$SECONDS
		point "${BASH_REMATCH[@]:1}"
	done
}

# Does CI expect no such skip in the log?
unexpected_skip()
{
	[ -n "${CI:-}" ] && [[ " $MAY_SKIP " != *" $name "* ]] &&
		grep -iE '^ok.*# *skip' "$log" |
		grep -vqE "^ok [0-9]+ - (${MAY_SKIP_TEST[$name]:-}) # "
}

# run_step NAME: runs a step, or uses the log of a pass; adds a point if it
# failed without one
run_step()
{
	local name=$1 log=$OUT/$1.log err=$OUT/$1.err step=("step_$1") n=0 failed='' rc

	if [ -e "$PASSED/$name.log" ]; then
		step=(cat "$PASSED/$name.log")
		echo "$name passed before, for the same tree" \
			"(make check LLE_CHECK_AGAIN=yes runs all)" >&2
	else
		echo "$name begins" >&2
	fi
	"${step[@]}" 2>"$err" | record
	rc=${PIPESTATUS[0]}
	if [ "$rc" -eq 4 ] && [ $n -eq 0 ]; then
		add_point '' "- $name # SKIP $(tail -n 1 "$err")"
	elif [ "$rc" -ne 0 ] && [ -z "$failed" ]; then
		add_point 'not ' "- $name: exit status $rc"
		tail -n 20 "$err" | sed 's/^/# /' >>"$log"
	elif [ $n -eq 0 ]; then
		add_point 'not ' "- $name: no test ran"
	fi
	! unexpected_skip || add_point 'not ' "- $name: unexpected skip"
	echo "1..$n"
	{ echo "$name $SECONDS"; times; } >"$OUT/$name.times"
	awk '/^not ok/ { on = 1; print; next } /^#/ && on { print; next } { on = 0 }' \
		"$log" | head -n 60 >&2
	if [ -d "$PASSED" ] && ! grep -qiE '^not ok|^ok.*# *skip' "$log" &&
	   [ "$(tree)" = "$(<"$PASSED/tree")" ]; then
		cp "$log" "$PASSED/.$name" && mv "$PASSED/.$name" "$PASSED/$name.log"
	fi
}

# begin COMMAND...: runs it in a process group of its own, so that ctrl-C ends
# this script first, and this script ends all others: some ignore ctrl-C, and
# would outlive their parents
begin()
{
	set -m
	{ set +m; "$@"; } </dev/null &
	set +m
	wait $!
}

if [ "${1:-}" = -s ]; then
	shopt -s lastpipe
	run_step "$2"
	exit
fi

rm -rf "$OUT"
mkdir -p "$OUT"
[ $# -eq 0 ] || GROUPS_OF_STEPS=("$*") FIRST=
read -ra steps <<<"$FIRST ${GROUPS_OF_STEPS[*]}"
tree=$(tree)
if [ -z "$tree" ] || [ "$tree" != "$(cat "$PASSED/tree" 2>/dev/null)" ]; then
	rm -rf "$PASSED"
fi
if [ -n "$tree" ]; then
	mkdir -p "$PASSED"
	echo "$tree" >"$PASSED/tree"
fi
if [ $# -gt 0 ] || [ -n "${CI:-}" ] || [ "${LLE_CHECK_AGAIN:-}" = yes ]; then
	(cd "$PASSED" 2>/dev/null && rm -f "${steps[@]/%/.log}")
fi
rm -f "$PASSED/tools.log"

# prove would look for tests in a folder with the name of a step
cd "$OUT" || exit 1
# prove reads no flow style: [a, b] would run all steps one after the other
# shellcheck disable=SC2086 # lists of words
{
	echo "seq:"
	if [ -n "$FIRST" ]; then
		echo "  - par:"
		printf '    - %s\n' $FIRST
	fi
	echo "  - par:"
	for group in "${GROUPS_OF_STEPS[@]}"; do
		echo "    - seq:"
		printf '      - %s\n' $group
	done
} >testrules.yml
begin prove --norc --timer -j2 --exec '../../scripts/ci/check.sh -s' "${steps[@]}"
rc=$?
# by CPU time, as times(1) prints it
awk '
	FNR == 1 { name = $1; seconds = $2 }
	FNR == 3 { split($1 "m" $2, t, /[ms]+/); cpu[name] = t[1] * 60 + t[2] + t[3] * 60 + t[4] }
	FNR == 3 { printf "%-12s %5d s, %5d s of CPU\n", name, seconds, cpu[name] }' ./*.times | sort -k4 -rn
cat ./*.log | awk '
	/^not ok/ { failed++; next }
	/^ok.*# *[Ss][Kk][Ii][Pp]/ { skipped++; next }
	/^ok/ { passed++ }
	END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
[ $rc -eq 0 ]
