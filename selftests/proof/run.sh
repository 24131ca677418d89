#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Model checking of the code in kmod/core. Deadlock detection in small networks,
# and a paused link, in all orders of events (exact.pml, pause.pml, by spin). Orders
# of accesses between CPUs: loans of the shared buffer, as code (credit_explore.c),
# and as a model (credit.pml, by spin); the kernel's memory model, by herd7: what
# each file of litmus/ says. One step of the shared buffer from any valid state, by
# cbmc (sb_step.c). Then plants bugs, each of which must be found. Prints TAP 13;
# without its program, a point is skipped.
#
# Usage: run.sh [-m] [long]	with larger networks, and more changes of CPUs
#	-m: figures of networks and links instead: metric NAME.WHAT VALUE
#
# Exit status: 0 all passed; 1 a test failed, or did not compile.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/selftests/proof
build=$root/build/proof
tools=
preemptions=3
is_long=false
is_figures=false
if [ "${1:-}" = -m ]; then
	is_figures=true
	shift
fi
if [ "${1:-}" = long ]; then
	preemptions=4
	is_long=true
fi

# of selftests/unit/exact_core.h
exact_bugs="CAUSAL EQUAL CAP OWN STALE ALL SEAT CANCEL CLEAR EPOCH XON REFRESH"
exact_bugs+=" MIN ROOT YIELD LAP TIMER ASK"
# what credit.pml must not leave out or reorder
bugs="CHECK_FIRST LOAN_ORDER NO_RECLAIM NO_RECLAIM_XOFF NO_LOOK NO_SETTLE"

# shellcheck disable=SC2034 # for tap.sh
suite=proof
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

# explorer NAME [FLAG...]: builds credit_explore.c
explorer()
{
	gcc -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -O2 \
		-I "$root/include/uapi" -iquote "$root/kmod/core/buffer" "${@:2}" \
		-o "$build/$1" "$here/credit_explore.c"
}

# verifier MODEL FLAG...: spin's report in $build/report. Fails if a state is
# wrong, or it did not end.
verifier()
{
	local model=$1 dir=$build/$1

	shift
	mkdir -p "$dir"
	(
		cd "$dir"
		cp "$here/$model.pml" .
		spin -a "$model.pml"
		gcc -O1 -w -std=gnu11 -fno-strict-aliasing -DSAFETY -DVECTORSZ=16384 -DMEMLIM=6000 \
			-I "$root/include/uapi" -iquote "$here" -iquote "$root/kmod/core/pfc" \
			"$@" -o pan pan.c
		TIMEFORMAT='cpu: %U'
		time timeout 3000 ./pan -m1000000 -w22
	) >"$build/report" 2>&1 && grep -q 'errors: 0' "$build/report" &&
		grep -q 'cut: 0' "$build/report" &&
		! grep -qE 'max search depth too small|out of memory' "$build/report"
}

# of_report NAME: a number of spin's report
of_report()
{
	sed -nE "s/.*\b$1: ([0-9]+).*/\1/p; s/^ *([0-9]+) $1, stored.*/\1/p" "$build/report"
}

# metrics NAME WHAT...: prints numbers of spin's report, with -m
metrics()
{
	local key=${1//[^A-Za-z0-9.]/-} what

	$is_figures || return 0
	for what in "${@:2}"; do
		echo "# metric ${key//--/-}.${what// /-} $(of_report "$what")"
	done
	echo "# metric ${key//--/-}.seconds $(sed -n 's/^cpu: //p' "$build/report")"
}

# network NAME FLAG...: holds, and has deadlocks; with BREAKING they are broken
network()
{
	local rc=0 name=$1 dead='with a deadlock'

	shift
	[[ " $* " != *" -DBREAKING "* ]] || dead=declarations
	verifier exact "$@" || rc=1
	[ "$(of_report "$dead")" -gt 0 ] || rc=1
	point $rc "deadlock: $name: $(of_report states) states, $(of_report ends) ends, $(
		of_report "$dead") $dead" "$build/report"
	metrics "$name" states ends "$dead"
}

# fails NAME FLAG...: a state is wrong
fails()
{
	local rc=0

	! $is_figures || return 0
	! verifier exact "${@:2}" && grep -q '^wrong: ' "$build/report" || rc=1
	point $rc "deadlock: $1 is found: $(sed -n 's/^wrong: //p' "$build/report" |
		head -1)" "$build/report"
}

# finds BUG FLAG...
finds()
{
	fails "bug $1" "-DMUTANT_$1" "${@:2}"
}

# edited FOLDER FILE SED: prints the flag for a copy of FILE, changed by SED
edited()
{
	local file=$root/kmod/core/$1/$2.c copy=$build/$2.c name=${2^^}_C

	sed -e "s#include \"#&$root/kmod/core/$1/#" -e "$3" "$file" >"$copy"
	[ "$(sed "$3" "$file" | cmp - "$file")" ] || copy=unchanged
	echo "-D$name=\"$copy\""
}

# plain PROGRAM FLAG...: builds PROGRAM.c without a checker
plain()
{
	gcc -std=gnu11 -w -fno-strict-aliasing -I "$root/include/uapi" "${@:2}" \
		-o "$build/$1" "$here/$1.c"
}

# schedules: the steps of one switch in random runs are those of the unit test
schedules()
{
	local bug name=exact_replay rc=0 missed=''

	plain exact_trace -DRING=3 -DCHORD=1 -DPREFILL=1 -DHOSTS=1 -DBUDGET=9 -DPAUSES=9 \
		-DBREAKING -DCLOCK=1 -DREFRESHES=5 -DLOST_PAUSES=2 -DLOST_RESUMES=2 \
		-DLOST_MESSAGES=2 -DWAITS
	"$build/exact_trace" 1 500 >"$build/traces"
	plain exact_trace -DRING=3 -DCHORD=1 -DPREFILL=2 -DHOSTS=1 -DBUDGET=20 -DPAUSES=9 \
		-DXOFF=5 -DXON=4 -DHEADROOM=3 -DREFRESHES=9 -DLOST_RESUMES=2 -DTIMERS=20 -DWAITS
	"$build/exact_trace" 501 1000 >>"$build/traces"
	plain $name
	"$build/$name" <"$build/traces" >"$build/report" || rc=1
	grep -q '^1000 of' "$build/report" || rc=1
	point $rc "deadlock: schedules of switches: $(cat "$build/report")" "$build/report"
	for bug in $exact_bugs; do
		plain $name "-DMUTANT_$bug"
		! "$build/$name" <"$build/traces" >"$build/report" || missed+=" $bug"
		grep -q 'of 1000' "$build/report" || missed+=" $bug"
	done
	report "deadlock: schedules of switches: each bug of exact_core.h is found" "$missed"
}

# differs FLAG...: the run that spin has just found, with FLAGs, is not that of the code
differs()
{
	local rc=1 s

	! $is_figures || return 0
	plain exact_replay
	(
		cd "$build/exact"
		gcc -O1 -w -std=gnu11 -DSAFETY -DVECTORSZ=16384 -DTRACE -I "$root/include/uapi" \
			-iquote "$here" "$@" -o trail pan.c
		for s in 0 1 2; do
			TRACE=$s ./trail -r >"$build/trail.$s" 2>&1
		done
	)
	for s in 0 1 2; do
		"$build/exact_replay" <"$build/trail.$s" >"$build/report" || rc=0
		grep -q 'of 1 ' "$build/report"
	done
	point $rc "deadlock: a run with this bug is not one of the code"
}

# larger_networks: long runs, with the flags of networks()
larger_networks()
{
	# shellcheck disable=SC2086 # words
	{
	network "3 switches and a chord, packets stay" -DRING=3 -DCHORD $closes -DBUDGET=4 -DSTAY -DONE
	network "3 switches and a chord" -DRING=3 -DCHORD $closes -DBUDGET=4 -DONE
	network "5 switches, a loop closes" -DRING=5 $closes -DBUDGET=5 -DONE
	network "4 switches, any traffic" -DRING=4 -DBUDGET=8
	network "knot of two loops of 2" $knot
	network "3 switches, 2 pauses" -DRING=3 -DPREFILL=1 -DBUDGET=3 -DPAUSES=2
	network "3 switches, a lost message" -DRING=3 $closes -DBUDGET=3 -DREFRESHES=2 \
		-DLOST_MESSAGES=1
	network "2 switches, a lost resume or pause, repeats" $lossy -DLOST_RESUMES=1 \
		-DLOST_PAUSES=1 -DREFRESHES=1
	network "3 switches, one breaks it, delays to 2 t_h" -DRING=3 $closes -DBUDGET=3 -DBREAKING \
		-DCLOCK=2 -DHOP=1
	network "4 switches, one breaks it" -DRING=4 $closes -DBUDGET=4 $timed
	network "2 switches, one breaks it, 2 pauses" $two -DBUDGET=3 $timed
	network "3 switches, one breaks it, within 66 rounds" -DRING=3 $closes -DBUDGET=3 $timed \
		-DWALK=200
	}
}

networks()
{
	local bug
	# each hop of a loop has packets for the next one; no host takes any
	local closes="-DPREFILL=1 -DHOSTS=0"
	local knot="-DRING=2 -DLOOPS=2 $closes -DBUDGET=4"
	local lossy="-DRING=2 -DPREFILL=1 -DHOSTS=1 -DBUDGET=4 -DPAUSES=2"
	local two="-DRING=2 -DPREFILL=1 -DPAUSES=2"
	local timed="-DBREAKING -DCLOCK=1"
	local expires="-DRING=2 $closes -DBUDGET=2 -DCLOCK=1 -DLASTS=8"
	local chord="-DRING=3 -DCHORD=2 -DLOCKS $closes -DBUDGET=4 $timed -DHOP=2"
	local storm="-DRING=2 -DLOOPS=2 -DPREFILL=1 -DHOSTS=4 -DBUDGET=3 -DSTORMS=4 -DXON=0 -DSTAY"
	local xon="-DRING=2 -DXOFF=5 -DXON=4 -DPREFILL=4 -DBUDGET=3"

	if ! command -v spin >/dev/null; then
		skip "deadlock" "spin is missing"
		return
	fi
	# shellcheck disable=SC2086 # words
	{
	network "2 switches, any traffic, 2 pauses" -DRING=2 -DBUDGET=6 -DPAUSES=2 -DONE
	network "3 switches, a loop closes, or drains" -DRING=3 -DPREFILL=1 -DBUDGET=3 -DONE
	network "4 switches, a loop closes" -DRING=4 $closes -DBUDGET=4 -DONE
	network "2 switches, larger XON" $xon
	network "2 switches, a pause waits for its link" $two -DBUDGET=3 -DWAITS
	network "3 switches, 1 forwarded probe" -DRING=3 $closes -DBUDGET=3 -DCAP=1
	network "knot of two loops of 2, packets stay" $knot -DSTAY
	network "2 switches, a lost resume or pause" $lossy -DLOST_RESUMES=1 -DLOST_PAUSES=1
	network "2 switches, pauses expire" $expires -DBREAKING -DGUARD=2
	network "3 switches, one breaks it, delays to t_h" -DRING=3 $closes -DBUDGET=3 $timed
	network "3 switches and a chord, one breaks it, delays to half of t_h" $chord
	network "2 switches, breaks at any time" $two -DBUDGET=3 -DBREAKING -DANY_BREAK

	finds CAUSAL -DRING=3 -DPREFILL=1 -DBUDGET=3
	finds EQUAL -DRING=3 -DPREFILL=1 -DBUDGET=3
	differs -DMUTANT_EQUAL -DRING=3 -DPREFILL=1 -DBUDGET=3
	finds XON $xon
	for bug in STALE CLEAR SEAT; do
		finds $bug $two -DBUDGET=4 -DWAITS
	done
	finds CAP -DRING=3 $closes -DBUDGET=3 -DCAP=1
	finds OWN $knot -DSTAY
	finds REFRESH $knot -DSTAY
	finds EPOCH $lossy -DLOST_RESUMES=1 -DLOST_PAUSES=1
	finds MIN $chord
	for bug in ALL YIELD CANCEL ROOT; do
		finds $bug -DRING=3 $closes -DBUDGET=3 $timed
	done
	for bug in LAP TIMER ASK; do
		finds $bug $two -DBUDGET=3 $timed
	done
	}
	# shellcheck disable=SC2086 # words
	fails "G below a round" $expires -DBREAKING -DGUARD=1
	# shellcheck disable=SC2086 # words
	{
	network "knot of two loops of 2, a host pauses: walks, triggers" $storm
	fails "a walk that ends" $storm "$(edited deadlock exact_walk 's/next |= BIT_ULL(i)/;/')"
	fails "a question around the loop" $storm \
		"$(edited deadlock exact_walk 's/p = d->port\[ingress\].cause/p = d->map.ports/')"
	finds TRIGGER $storm
	}
	! $is_long || larger_networks
}

# link NAME FLAG...: holds
link()
{
	local rc=0

	verifier pause "${@:2}" || rc=1
	point $rc "pause: $1: $(of_report states) states, $(of_report storms) storms" "$build/report"
	metrics "$1" states
}

# breaks NAME FLAG...: does not hold
breaks()
{
	local rc=0

	! $is_figures || return 0
	! verifier pause "${@:2}" && grep -q '^wrong: ' "$build/report" || rc=1
	point $rc "pause: $1 is found: $(sed -n 's/^wrong: //p' "$build/report" | head -1)" \
		"$build/report"
}

links()
{
	local watched="-DOTHERS=0 -DSIZES=1 -DDETECT=500 -DRESTORE=100"

	if ! command -v spin >/dev/null; then
		skip "pause" "spin is missing"
		return
	fi
	# shellcheck disable=SC2086 # words
	{
	link "no loss, paused and resumed in time" -DOTHERS=0
	link "storms are declared in time" $watched
	if $is_long; then
		link "no loss, with other groups" -DOTHERS=1
		link "a long link" -DOTHERS=0 -DDELAY=60
		link "a frame is lost: the pause ends" -DOTHERS=0 -DLOSSES=1 -DLESS=-900
		link "storms, a frame is lost" $watched -DLOSSES=1 -DLESS=-900
	fi
	breaks "one lost frame" -DOTHERS=0 -DLOSSES=1
	breaks "half a frame of headroom too little" -DLESS=40
	breaks "a refresh at the end of the pause" -DOTHERS=0 \
		"$(edited pfc pause 's#quanta, rate) / 2)#quanta, rate))#')"
	breaks "no resume" -DOTHERS=0 "$(edited pfc pause 's#want | tx->sent;#want;#')"
	breaks "a watchdog that is too early" $watched \
		"$(edited pfc watchdog 's#< v->stuck_since_ns + p->detection_ns#& / 2#')"
	breaks "a watchdog that does not look again" $watched \
		"$(edited pfc watchdog '/next_ns = v->stuck_since_ns/d')"
	breaks "a storm that ends too early" $watched \
		"$(edited pfc watchdog 's#v->quiet_since_ns + p->restoration_ns#& / 2#')"
	}
}

# cbmc ARG...: that of Debian unstable, by the loader of its libraries
cbmc()
{
	"$tools/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --library-path \
		"$tools/usr/lib/x86_64-linux-gnu:$tools/usr/lib" "$tools/usr/bin/cbmc" "$@"
}

# prove FILE FLAG...: cbmc's report in $build/report
prove()
{
	(
		ulimit -t 1200
		cbmc -I "$root/include/uapi" -I "$root/kmod/core/buffer" --no-standard-checks \
			--div-by-zero-check --unwind 4 --unwinding-assertions --slice-formula \
			--drop-unused-functions "${@:2}" "$here/$1"
	) >"$build/report" 2>&1
}

# step STEP NAME [LINE...]: lines of the invariant hold after a step; all without LINE
step()
{
	local rc=0 kind=$1 name=$2

	shift 2
	# shellcheck disable=SC2046 # words
	prove sb_step.c "-DSTEP=$kind" $(printf -- '--property inv.assertion.%s\n' "$@") || rc=1
	point $rc "buffer: $name" "$build/report"
}

buffer()
{
	local rc=0 line
	# of inv(): not "never beyond the total" (6), "conservation" (9), "charged" (13),
	# "published" (16), which take longer
	local quick="1 2 3 4 5 7 8 10 11 12 14 15"

	if ! tools=$("$root/scripts/vm/package.sh" -u cbmc minisat libc6 libstdc++6 libgcc-s1 \
		libgmp10 2>/dev/null) || ! cbmc --version >/dev/null 2>&1; then
		skip "buffer" "cbmc cannot be had (Debian: cbmc, not in 12)"
		return
	fi
	# shellcheck disable=SC2086 # words
	{
	step 0 "a packet arrives" $quick
	step 1 "a packet leaves" $quick
	step 2 "loans are taken back" $quick 6 9 13 16
	step 3 "a loan is settled" $quick 6 9 13 16
	step 4 "XON is computed anew" $quick 6 9 13 16
	step 5 "PFC is switched on or off" $quick 6 9 13 16
	step 6 "the headroom changes" $quick 16
	}
	prove sb_step.c -DSTEP=0 --property arrive.assertion.1 --property arrive.assertion.2 || rc=1
	point $rc "buffer: a drop needs a full headroom, which implies XOFF" "$build/report"
	rc=0
	prove headroom_change.c --property div_u64.division-by-zero.1 || rc=1
	point $rc "buffer: headroom is not divided by 0" "$build/report"
	if $is_long; then
		for line in 6 9 13 16; do
			step 1 "a packet leaves, line $line" $line
		done
		for line in 6 13 16; do
			step 0 "a packet arrives, line $line" $line
		done
		for line in 6 9 13; do
			step 6 "the headroom changes, line $line" $line
		done
	fi

	sed '/^void lle_credit_settle/,/^}/s/^\t\tsb->used -= more;$/\t\t;/' \
		"$root/kmod/core/buffer/credit.c" >"$build/credit.c"
	rc=0
	! prove sb_step.c -DSTEP=3 --property inv.assertion.9 "-DCREDIT_C=\"$build/credit.c\"" &&
		grep -q 'conservation: FAILURE' "$build/report" || rc=1
	point $rc "buffer: a loan that is not returned is found" "$build/report"
	sed '/^bool lle_sb_release_slow/,/^}/s/^\tsb->used -= shared;$/\t;/' \
		"$root/kmod/core/buffer/sb.c" >"$build/sb.c"
	rc=0
	! prove sb_step.c -DSTEP=1 --property inv.assertion.9 "-DSB_C=\"$build/sb.c\"" &&
		grep -q 'conservation: FAILURE' "$build/report" || rc=1
	point $rc "buffer: bytes that are not returned are found" "$build/report"
}

# counted: what the explorer's report says in all
counted() { awk '/^case/ { n += $3 } END { print n " interleavings" }' "$build/report"; }

explore_loans()
{
	local rc=0

	explorer explore
	"$build/explore" $preemptions >"$build/report" || rc=1
	point $rc "loans: $(counted) with $preemptions preemptions" "$build/report"
	rc=0
	"$build/explore" 4 0 >"$build/report" || rc=1
	point $rc "loans: $(counted) with 4 preemptions" "$build/report"

	# XOFF with loans out: a packet that leaves need not look for XON
	sed '/^static bool lle_sb_xoff/,/^}/{/lle_credit_reclaim(sb);/d}' \
		"$root/kmod/core/buffer/sb.c" >"$build/sb.c"
	explorer planted -DSB_C="\"$build/sb.c\""
	rc=0
	! "$build/planted" 4 0 >"$build/report" &&
		grep -q 'at most XON, and still XOFF' "$build/report" || rc=1
	point $rc "loans: XOFF without taking them back is found" "$build/report"
}

# model XON [BUG]: spin's report in $build/report; fails if a state is wrong, or
# it did not end
model()
{
	(
		cd "$build"
		spin -a -DXON="$1" ${2:+-DBUG_$2} "$here/credit.pml"
		gcc -O2 -w -DSAFETY -DCOLLAPSE -o pan pan.c
		# the model ends at depth 300
		timeout 600 ./pan -m100000
	) >"$build/report" && grep -q 'errors: 0' "$build/report" &&
		! grep -qE 'max search depth too small|out of memory' "$build/report"
}

model_loans()
{
	local bug xon rc

	if ! command -v spin >/dev/null; then
		skip "model of loans" "spin is missing"
		return
	fi
	for xon in 1 3; do
		rc=0
		model $xon || rc=1
		point $rc "model of loans: XOFF at 4 bytes, XON at $xon: $(sed -n \
			's/^ *\([0-9]*\) states, stored.*/\1/p' "$build/report") states"
	done
	for bug in $bugs; do
		rc=0
		! model 3 "$bug" && grep -q '^pan:1: assertion violated' "$build/report" || rc=1
		point $rc "model of loans: bug $bug is found"
	done
}

# judge FILE RESULT NAME: a point, which passes if herd7 has this result
judge()
{
	local rc=0

	(cd "$lkmm" && herd7 -conf linux-kernel.cfg "$1") >"$build/report" 2>&1 || rc=1
	grep -q "^Observation [^ ]* $2 " "$build/report" || rc=1
	point $rc "$3" "$build/report"
}

# without FILE SED NAME: an order is not kept if a line is changed
without()
{
	sed "$2" "$here/litmus/$1.litmus" >"$build/$1.litmus"
	judge "$build/$1.litmus" Sometimes "litmus $1: found: $3"
}

run_litmus()
{
	local lkmm test

	passes "litmus tests have the accesses of the code" \
		"$here/anchors.py" "$root" "$here"/litmus/*.litmus
	sed 's/smp_mb atomic_xchg/atomic_xchg/' "$here/litmus/credit-leave.litmus" >"$build/anchor.litmus"
	passes "an access that differs is found" \
		test -n "$("$here/anchors.py" "$root" "$build/anchor.litmus")"
	if ! command -v herd7 >/dev/null; then
		skip "litmus tests" "herd7 is missing (Debian: herdtools7, not in 12)"
		return
	fi
	if ! lkmm=$("$root/scripts/vm/kernel-source.sh" 6.12 tools/memory-model)/tools/memory-model; then
		skip "litmus tests" "no memory model: the source of Linux cannot be had"
		return
	fi
	for test in "$here"/litmus/*.litmus; do
		judge "$test" "$(sed -n 's/^ \* Result: //p' "$test")" \
			"litmus $(basename "$test" .litmus)"
	done
	without credit-leave 's/r0 = atomic_add_return(/atomic_add(/' "no barrier in the release"
	without credit-walk '/synchronize_rcu/d' "no grace period"
	without credit-walk 's/smp_load_acquire(careful)/READ_ONCE(*careful)/' "no acquire"
	without credit-walk '/the walk$/{h;d}; /synchronize_rcu/G' "the walk after the close"
	without kick '/smp_mb__after_atomic/d' "no barrier in dequeue"
}

mkdir -p "$build"
echo "TAP version 13"
networks
links
! $is_figures || end
schedules
buffer
explore_loans
model_loans
run_litmus
end
