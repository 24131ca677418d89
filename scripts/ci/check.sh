#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs all tests. Two steps run in parallel, since a virtual machine keeps one
# core busy; the TAP of each step is kept in out/check/STEP.log.
#
# Usage: check.sh [STEP...]
#
# Ends with "N passed, N failed, N skipped". A step that cannot run is skipped,
# with a reason; if CI is set, an unexpected skip is a failure.
#
# A step that has passed before without a skip, for the same tree on the same
# machine, is not run again, unless it is named, LLE_CHECK_AGAIN=yes, or CI is
# set.

set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$(dirname "$HERE")")
OUT=$TOP/out/check
PASSED=$TOP/out/check-passed	# logs of steps that have passed, by tree
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle
LASTED=$CACHE/check		# seconds that steps took when they last passed
cd "$TOP" || exit 1

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$HERE/../job-lib.sh"

# Tests with other kernels: each feature once.
FEATURES="pfc_frames lossless gso ports unaccounted lifecycle dcb deadlock congestion path ldcp"
# Of these, tests that depend little on the kernel: newest in make check-long.
ALGORITHMS="deadlock congestion path"
# Tests with 6.12, between the other two; the rest in make check-long.
BETWEEN=lossless
# Tests with long runs or about times run in virtual time, and with a stock
# kernel in make check-long.
VIRTUAL="watchdog watchdog_host losslessd losslessd_scale headroom prometheus reload"
# Tests with debug: what handles packets, frames and devices. Without sb_alpha,
# wred and headroom, which are about numbers, and soak, which needs real time.
DEBUG="pfc_frames lossless gso ports lifecycle deadlock congestion ldcp hostile"
# Further tests with debug in make check-long: of storms, of configuration, those
# that use few paths of their own, and path, which starts many senders.
DEBUG_MORE="unaccounted dcb classify sched host watchdog watchdog_host visible ctl rnic path"

# UML kernels take minutes to build, on all CPUs.
step_kernels()
{
	local name n=0 rc why

	for name in lab debug race; do
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
step_demo-report() { selftests/demo/storm_test.py && selftests/demo/deadlock_test.py; }
step_fuzz()	{ selftests/fuzz/run.sh 5; }
step_runner()	{ selftests/vm/vm_run_test.sh; }
step_shell()	{ selftests/vm/shell_test.py qemu; }
step_shell-lab() { selftests/vm/shell_test.py lab; }
step_uml()	{ selftests/vm/uml_run_test.sh; }
step_interrupt() { selftests/vm/interrupt_test.sh; }
step_jobs()	{ selftests/jobs/run.sh; }
step_flows()
{
	local rc=0

	selftests/lab/flows_test.py || rc=1
	selftests/lab/import_test.py || rc=1
	selftests/lab/bounds_test.py || rc=1
	selftests/lab/figures_test.py || rc=1
	return $rc
}
step_keys()	{ selftests/lab/keys_test.sh; }
step_lab()	{ selftests/lab/run.sh each; }
step_parts()	{ selftests/lab/parts.sh; }
step_roce()	{ selftests/lab/roce.sh; }
# for make check-long
step_lab-more()		{ selftests/lab/run.sh more; }
step_lab-planted()	{ selftests/lab/planted.sh; }
step_lab-seeds()	{ selftests/lab/grid.sh seeds; }
step_lab-sizes()	{ selftests/lab/grid.sh sizes; }
step_lab-extreme()	{ selftests/lab/grid.sh extreme; }
step_sweep()	{ selftests/lab/sweep_test.sh; }
# tests the pages that lab and sweep have made
step_pages()
{
	local rc=0 test

	for test in report pages play; do
		"selftests/pages/${test}_test.py" || rc=1
	done
	return $rc
}
step_kunit()	{ selftests/unit/kunit.sh; }
step_planted()	{ selftests/vm/planted_test.sh; }
# 32 bits; the others in make check-long
step_cross()	{ selftests/cross/run.sh armhf; }
step_cross-more() { selftests/cross/run.sh i386 arm64 s390x; }
step_race()	{ LLE_STRESS_SECONDS=20 selftests/race/run.sh; }
# for make check-long
step_race-more()
{
	local rc=0

	selftests/race/run.sh || rc=1
	selftests/race/buffer.sh 100000000 1 2 || rc=1
	return $rc
}
# shellcheck disable=SC2046 # a list of words
step_net()
{
	scripts/vm/test.sh -o out/net-6.1 net $(sed -n 's/^TEST_PROGS += \(.*\)\.[a-z]*/\1/p' \
		selftests/net/Makefile | grep -vxE "${VIRTUAL// /|}|failslab|situations|doctor_mends|smp")
}
step_situations() { scripts/vm/test.sh -o out/situations net situations; }
# for make check-long: takes a quarter of an hour
step_net-mends() { scripts/vm/test.sh -o out/net-mends net doctor_mends; }
# shellcheck disable=SC2086
step_net-storms() { scripts/vm/test.sh -o out/net-storms net $VIRTUAL; }
# shellcheck disable=SC2086
step_net-lab()	{ scripts/vm/test.sh -k lab -o out/net-lab net $VIRTUAL; }
step_bench()	{ scripts/bench.sh -b out/bench-budget; }
# tests the output of losslessd in step net-lab
step_prometheus()
{
	local rc=0

	selftests/prometheus/dashboard_test.py || rc=1
	selftests/prometheus/run.sh out/net-lab || rc=1
	return $rc
}
step_tdc()	{ scripts/vm/test.sh -o out/tdc-6.1 tdc; }
# shellcheck disable=SC2086 # a list of words
step_net-6.12()	{ scripts/vm/test.sh -k 6.12 -o out/net-6.12 net $BETWEEN; }
# shellcheck disable=SC2046 # a list of words
step_net-6.12-more()
{
	scripts/vm/test.sh -k 6.12 -o out/net-6.12-more net \
		$(xargs -n 1 <<<"$FEATURES" | grep -vxE "${BETWEEN// /|}")
}
# shellcheck disable=SC2046
step_net-newest()
{
	scripts/vm/test.sh -k newest -o out/net-newest net \
		$(xargs -n 1 <<<"$FEATURES" | grep -vxE "${ALGORITHMS// /|}")
}
step_smp()	{ scripts/vm/test.sh -k newest -o out/smp smp; }
# shellcheck disable=SC2086
step_net-newest-more()
{
	scripts/vm/test.sh -k newest -o out/net-newest-more net $ALGORITHMS
}
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

# Groups of steps that run one after the other, as they are built in one place;
# the longest first, except for the kernels, which most others need. One worker
# builds these while the other runs qemu.
GROUPS_OF_STEPS=(kernels "net tdc kselftest" "net-lab prometheus lab parts roce sweep pages keys flows"
	"net-debug kunit planted" situations race "static cross fuzz jobs unit stress model proof testbed ctl daemon install wireshark demo-report patches"
	pair bench shell-lab net-newest smp net-6.12)
WORKERS=2
# Skips that CI expects: steps with a kernel that may not be available, as
# unstable changes, or with NICs that qemu may lack; and tests that need
# features of other kernels.
MAY_SKIP="kernels patches series net-newest net-newest-more smp race race-more pair-models"
declare -A MAY_SKIP_TEST=(
	[net]="doctor: order"
	[proof]="proof: litmus tests"
	[net-debug]="hostile: (link_pause_refused|pfc_flapping)|ports: (team_.*|geneve|gretap|macsec|ipvlan_of_a_host|bpf_redirect)|ldcp: first_rtt_(ip6tnl|vrf|ipvlan)"
)

# Adds its time to each result that took a second or more.
timed()
{
	local line last=$SECONDS

	while IFS= read -r line; do
		printf '%s\n' "$line"
		if [[ $line =~ ^(not )?ok && $SECONDS -gt $last ]]; then
			echo "# $((SECONDS - last)) s"
			last=$SECONDS
		fi
	done
}

# Sets cpu to the seconds of CPU time of this shell's children, from the second
# line of "times": 1m2.345s 0m6.789s.
read_cpu()
{
	local user user_s system system_s

	times >"$OUT/.times.$BASHPID"
	{ read -r _; IFS='m.s ' read -r user user_s _ system system_s _; } <"$OUT/.times.$BASHPID"
	rm "$OUT/.times.$BASHPID"
	cpu=$(((user + system) * 60 + user_s + system_s))
}

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

# tell TEXT: prints TEXT after the progress: "[3 of 27, about 21 min left]". A
# step is assumed to take as long as when it last passed here; without that of
# all steps, no time is given.
tell()
{
	(
		flock 5		# both workers print
		progress
		echo "$progress $1"
	) 5<"$OUT/.steps"
}

# Sets progress.
progress()
{
	local ends=() group name seconds last began worker least left known=y steps=0 ended=0

	for ((worker = 0; worker < WORKERS; worker++)); do
		ends+=(0)
	done
	for group in "${GROUPS_OF_STEPS[@]}"; do
		seconds=0
		for name in $group; do
			steps=$((steps + 1))
			if [ -e "$OUT/.steps/$name.ended" ]; then
				ended=$((ended + 1))
				continue
			fi
			last=0 began=$SECONDS
			{ read -r last <"$LASTED/$name"; } 2>/dev/null || known=
			{ read -r began <"$OUT/.steps/$name.began"; } 2>/dev/null || :
			last=$((last + began - SECONDS))
			seconds=$((seconds + (last > 0 ? last : 0)))
		done
		# the worker that is free first takes the group
		least=0
		for worker in "${!ends[@]}"; do
			[ "${ends[worker]}" -ge "${ends[least]}" ] || least=$worker
		done
		ends[least]=$((ends[least] + seconds))
	done
	progress="[$ended of $steps]"
	[ -n "$known" ] || return 0
	seconds=0
	for worker in "${!ends[@]}"; do
		[ "${ends[worker]}" -le "$seconds" ] || seconds=${ends[worker]}
	done
	time_left "$seconds"
	progress="[$ended of $steps, $left]"
}

# resume NAME: uses the log of a step that has passed for the same tree
resume()
{
	cp "$PASSED/$tree/$1.log" "$OUT/" 2>/dev/null || return 0
	: >"$OUT/.steps/$1.ended"
	resumed+=("$1")
	tell "$(printf '%-12s passed before, for the same tree  %s' "$1" \
		"$(tally "$OUT/$1.log")")"
}

# remember NAME SECONDS: keeps the log and time of a step that has not failed
remember()
{
	local log=$OUT/$1.log

	! grep -q '^not ok' "$log" || return 0
	mkdir -p "$LASTED"
	echo "$2" >"$LASTED/$1"
	if [ -n "$tree" ] && [[ $(tally "$log") == *" 0 skipped" ]] && [ "$(tree)" = "$tree" ]; then
		mkdir -p "$PASSED/$tree"
		cp "$log" "$PASSED/$tree/$1.new"
		mv "$PASSED/$tree/$1.new" "$PASSED/$tree/$1.log"
	fi
}

# run_step NAME: runs a step, and adds a case if it failed without one
run_step()
{
	local name=$1 log=$OUT/$1.log rc=0 start=$SECONDS cpu before

	tell "$name begins"
	rm -f "$PASSED"/*/"$name.log"
	echo "$start" >"$OUT/.steps/$name.began"
	read_cpu
	before=$cpu
	"step_$name" 2>"$OUT/$name.err" | timed >"$log" || rc=$?
	if [ "$rc" -eq 4 ] && ! grep -qE '^(not )?ok ' "$log"; then
		echo "ok - $name # SKIP $(tail -n 1 "$OUT/$name.err")" >>"$log"
	elif [ "$rc" -ne 0 ] && ! grep -q '^not ok ' "$log"; then
		echo "not ok - $name: exit status $rc" >>"$log"
		tail -n 20 "$OUT/$name.err" | sed 's/^/# /' >>"$log"
	elif ! grep -qE '^(not )?ok ' "$log"; then
		echo "not ok - $name: no test ran" >>"$log"
	fi
	remember "$name" $((SECONDS - start))
	: >"$OUT/.steps/$name.ended"
	read_cpu
	tell "$(printf '%-12s %4d s, %4d s of CPU  %s' "$name" $((SECONDS - start)) \
		$((cpu - before)) "$(tally "$log")")"
	awk '/^not ok/ { on = 1; print; next } /^#/ && on { print; next } { on = 0 }' \
		"$log" | head -n 60
}

# tally FILE...: prints "N passed, N failed, N skipped"
tally()
{
	cat "$@" | awk '
		/^not ok/ { failed++; next }
		/^ok.*# *[Ss][Kk][Ii][Pp]/ { skipped++; next }
		/^ok/ { passed++ }
		END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
}

# Reads the next group of steps; one worker at a time.
next_group()
{
	local rc=0

	flock 4
	read -r -u 3 group || rc=1
	flock -u 4
	return $rc
}

# Runs groups until there are no more.
worker()
{
	local group name

	exec 4<"$0"
	while next_group; do
		for name in $group; do
			[ -e "$OUT/.steps/$name.ended" ] || run_step "$name" 3<&- 4<&-
		done
	done
	echo "no more steps after $SECONDS s"
}

# begin COMMAND...: runs it in a process group of its own, so that ctrl-C ends
# this script first, and this script ends all others: some ignore ctrl-C, and
# would outlive their parents
begin()
{
	set -m
	{ set +m; "$@"; } </dev/null &
	set +m
}

# Gets packages and tools first: otherwise workers would wait for each other's
# downloads, and build the same programs.
get_tools()
{
	local series

	for series in 6.1 6.12 newest; do
		scripts/vm/kernel.sh get "$series" >/dev/null || :
	done &
	make -s -j"$(nproc)" guest >"$OUT/tools.err" 2>&1 || {
		cat "$OUT/tools.err"
		return 1
	}
	wait
}

resumed=()
rm -rf "$OUT"
mkdir -p "$OUT/.steps"
if [ $# -gt 0 ]; then
	GROUPS_OF_STEPS=("$*")
	tree=$(tree)
else
	begin get_tools
	wait $! || exit 1
	tree=
	if [ -z "${CI:-}" ]; then
		tree=$(tree)
		[ ! -d "$PASSED" ] ||
			find "$PASSED" -mindepth 1 -maxdepth 1 ! -name "$tree" -exec rm -rf {} +
	fi
	if [ -n "$tree" ] && [ "${LLE_CHECK_AGAIN:-}" != yes ]; then
		read -ra steps <<<"${GROUPS_OF_STEPS[*]}"
		for name in "${steps[@]}"; do
			resume "$name"
		done
	fi
fi

exec 3< <(printf '%s\n' "${GROUPS_OF_STEPS[@]}")
pids=()
for ((i = 0; i < WORKERS; i++)); do
	begin worker
	pids+=($!)
done
wait "${pids[@]}"

unexpected=0
if [ -n "${CI:-}" ]; then
	for log in "$OUT"/*.log; do
		name=$(basename "$log" .log)
		[[ " $MAY_SKIP " != *" $name "* ]] || continue
		if grep -iE '^ok.*# *skip' "$log" |
		   grep -qvE "^ok [0-9]+ - (${MAY_SKIP_TEST[$name]:-}) # "; then
			echo "unexpected skip in $name"
			unexpected=1
		fi
	done
fi

[ ${#resumed[@]} -eq 0 ] || echo "not run again, since they passed for the same tree" \
	"(make check LLE_CHECK_AGAIN=yes runs all): ${resumed[*]}"
result=$(tally "$OUT"/*.log)
echo "$result"
[[ $result == *", 0 failed,"* ]] && [ $unexpected -eq 0 ]
