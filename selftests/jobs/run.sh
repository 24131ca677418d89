#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests the shared behaviour of long jobs: they report their progress and the
# process that they wait for, do not repeat steps that passed, and clean up when
# interrupted. check.sh and uml.sh run in trees of their own, with fake steps
# and a fake kernel source.
#
# Usage: run.sh
#
# Prints TAP. Exit status: 0; 1 a test failed.

# shellcheck disable=SC2317 # passes() calls functions that look unreachable

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

# shellcheck disable=SC2034 # for tap.sh
suite='jobs'
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"
# shellcheck source=selftests/vm/interrupt.sh
. "$TOP/selftests/vm/interrupt.sh"

unset CI LLE_CHECK_AGAIN KERNEL
export XDG_CACHE_HOME=$TMP/cache
tree=$TMP/tree
log=$TMP/log
lasted=$XDG_CACHE_HOME/lle/check

# --- check.sh

# Each program that check.sh calls records its run, and calls act() of file act.
make_tree()
{
	local file

	mkdir -p "$tree"/{scripts/ci,selftests/net}
	cp "$TOP/scripts/job-lib.sh" "$tree/scripts/"
	cp "$TOP/scripts/ci/check.sh" "$tree/scripts/ci/"
	cp "$TOP/selftests/net/Makefile" "$tree/selftests/net/"
	printf 'guest:\n' >"$tree/Makefile"
	echo /out/ >"$tree/.gitignore"
	{
		grep -oE '(selftests|lab|scripts)/[a-z_-]+(/[a-z_-]+)?\.(sh|py)' "$TOP/scripts/ci/check.sh" |
			sort -u
		(cd "$TOP" && echo selftests/pages/*_test.py | xargs -n 1)
	} >"$TMP/programs"
	while read -r file; do
		mkdir -p "$(dirname "$tree/$file")"
		cat >"$tree/$file" <<-END
			#!/bin/bash
			echo "$file \$*" >>"$TMP/ran"
			. "$TMP/act"
			act "$file \$*"
		END
		chmod +x "$tree/$file"
	done <"$TMP/programs"
	git -C "$tree" init -q
}

# act LINE...: cases for the programs from now on, by "$1": path and arguments
# shellcheck disable=SC2016 # for the programs
act() { printf '%s\n' 'act() { case $1 in' "$@" '*) echo "ok 1 - $1" ;; esac; }' >"$TMP/act"; }

check()
{
	rm -f "$TMP/ran"
	touch "$TMP/ran"
	"$tree/scripts/ci/check.sh" "$@" >"$log" 2>&1
}

said() { grep -qE -- "$1" "$log"; }
# ran WORD: number of programs that ran, with WORD in their path; without
# kernels
ran() { grep -v kernel.sh "$TMP/ran" | grep -c -- "$1"; }
# whether as many programs ran as few_steps counted
all_ran() { [ "$(ran .)" -eq "$all" ]; }
steps() { sed -n '1s/^\[0 of \([0-9]*\).*/\1/p' "$log"; }

# passes NAME COMMAND: a test point for COMMAND; shows the last output on
# failure
passes()
{
	if eval "$2" >"$TMP/why" 2>&1; then
		report "$1" ''
	else
		report "$1" "$(echo "$2"; cat "$TMP/why"; cat "$TMP/ran"; tail -n 30 "$log")"
	fi
}

# keeps few steps, and counts their programs: the tests below run them many times
few_steps()
{
	sed -i '/^GROUPS_OF_STEPS=/,/)$/c GROUPS_OF_STEPS=(kernels "net flows" race "static unit" net-6.12)' \
		"$tree/scripts/ci/check.sh"
	act
	LLE_CHECK_AGAIN=yes check && [ "$(steps)" -eq 7 ] || return
	all=$(ran .)
	[ "$all" -ge 7 ]
}

counts()
{
	local n

	act
	check || return
	n=$(steps)
	[ "$n" -gt 20 ] && said "^\[0 of $n\] kernels begins$" &&
		said "^\[$n of $n, about 0 s left\] [a-z].* passed, 0 failed, 0 skipped$" &&
		[ "$(grep -c ' begins$' "$log")" -eq "$n" ] &&
		[ "$(tail -n 1 "$log")" = "$(cat "$tree"/out/check/*.log | grep -c '^ok') passed, 0 failed, 0 skipped" ]
}

# two workers: one needs 50 minutes, the other one 10
tells_time()
{
	local name

	for name in "$lasted"/*; do
		echo 0 >"$name"
	done
	echo 3000 >"$lasted/kernels"
	echo 600 >"$lasted/race"
	LLE_CHECK_AGAIN=yes check && said '^\[0 of [0-9]*, about 50 min left\] kernels begins$' &&
		[ "$(cat "$lasted/kernels")" -lt 10 ] || return
	rm "$lasted/race"
	LLE_CHECK_AGAIN=yes check && said '^\[0 of [0-9]*\] kernels begins$' && [ -s "$lasted/race" ]
}

resumes()
{
	local n total

	LLE_CHECK_AGAIN=yes check
	n=$(steps) total=$(tail -n 1 "$log")
	check && [ "$(ran .)" -eq 0 ] && [ "$(tail -n 1 "$log")" = "$total" ] &&
		[ "$(grep -c ' passed before, for the same tree  [1-9] passed' "$log")" -eq "$n" ] &&
		said "^\[$n of $n, about 0 s left\] " && [ -s "$tree/out/check/race.log" ] &&
		said "^not run again, .*LLE_CHECK_AGAIN=yes.*: kernels net .* net-6.12$"
}

asked()
{
	check unit && [ "$(ran .)" -eq 1 ] && ! said '^not run again' && said '\[1 of 1, .*\] unit .* 1 passed' || return
	LLE_CHECK_AGAIN=yes check && all_ran || return
	CI=yes check && all_ran
}

# again COMMAND: after COMMAND, all steps run again, once
again()
{
	check
	eval "$1"
	check && all_ran && check && [ "$(ran .)" -eq 0 ]
}

other_kernel() { mkdir -p "$XDG_CACHE_HOME/lle/kernels/k" && echo 2 >"$XDG_CACHE_HOME/lle/kernels/k/complete"; }

# again_only LINE: a step of selftests/unit that runs LINE runs again, no other
again_only()
{
	act "selftests/unit/run.sh*) $1 ;;"
	LLE_CHECK_AGAIN=yes check
	act
	check && [ "$(ran .)" -eq 1 ] && [ "$(ran selftests/unit/run.sh)" -eq 1 ]
}

changed_meanwhile()
{
	cp "$tree/Makefile" "$TMP/Makefile"
	act "selftests/race/run.sh*) echo >>$tree/Makefile; echo ok 1 - race ;;"
	LLE_CHECK_AGAIN=yes check
	cp "$TMP/Makefile" "$tree/Makefile"
	act
	check && [ "$(ran race/run.sh)" -eq 1 ] && [ "$(ran uml.sh)" -eq 0 ]
}

busy() { grep -qs "$1" "$TMP/ran"; }

# interrupt it while it gets kernels, in the first steps, and in later ones
interrupt_check()
{
	local program signal

	for program in kernel.sh race/run.sh static; do
		act "*$program*) (trap '' INT; timeout 1000 sleep 1000) & sleep 1000 | cat ;;"
		for signal in INT TERM; do
			rm -f "$TMP/ran"
			LLE_CHECK_AGAIN=yes interrupted "$signal" "busy $program" \
				"$tree/scripts/ci/check.sh" || return
		done
	done
	act
	check
}

# --- the lock of a build, and its end

# A kernel source that builds for 1000 s, and a fake apt that serves it
make_source()
{
	local name

	mkdir -p "$TMP/source/linux" "$tree/lab/uml" "$tree/scripts/vm"
	printf '%s\n' 'allnoconfig:' '	touch .config' 'linux modules:' '	sleep 1000' \
		>"$TMP/source/linux/Makefile"
	tar -C "$TMP/source" -cJf "$TMP/linux-source-6.1.tar.xz" linux
	cp "$TOP"/lab/{uml,uml-build}.sh "$tree/lab/"
	for name in "$TOP"/lab/uml/*; do
		: >"$tree/lab/uml/${name##*/}"
	done
	cat >"$tree/scripts/vm/kernel-apt.sh" <<-END
		apt_open() { :; }
		apt_run() { echo Candidate: 1; }
		fetch() { mkdir -p "\$1/usr/src" && cp "$TMP/linux-source-6.1.tar.xz" "\$1/usr/src/"; }
	END
}

builds() { pgrep -P "$(pgrep -xf 'make.*linux modules' | tail -n 1)" sleep >/dev/null 2>&1; }

# the second build waits until the first one is interrupted, then starts
waits()
{
	local first second rc=0

	timeout -k 1 300 "$tree/lab/uml.sh" get lab >/dev/null 2>"$TMP/first" &
	within 120 builds || return
	first=$(pgrep -P $!)
	timeout -k 1 300 "$tree/lab/uml.sh" get debug >/dev/null 2>"$log" &
	second=$!
	within 120 said "^uml.sh: waiting for the build of lab, held by pid $first \(uml.sh get lab\)$" ||
		rc=1
	kill "$first"
	within 120 said '^uml.sh: fetching' || rc=1
	kill "$second"
	wait
	[ "$(grep -c waiting "$log")" -eq 1 ] || rc=1
	return "$rc"
}

interrupt_build()
{
	local signal

	for signal in INT TERM; do
		interrupted "$signal" builds "$tree/lab/uml.sh" get lab || return
		[ -z "$(find "$XDG_CACHE_HOME/lle/uml" -name '.new*')" ] || return
	done
}

# --- the progress of a lab run

# watch EVERY WHAT...: runs guest WHAT... under lab/watch.sh, which reports each
# EVERY seconds, for 10 s of virtual time with packets
watch()
{
	local every=$1 pid rc=0

	shift
	gcc -O1 -no-pie -Wall -Werror -o "$TMP/guest" "$TOP/selftests/jobs/guest.c" 2>"$log" ||
		return
	"$TMP/guest" "$@" >"$TMP/console.log" &
	pid=$!
	echo "$pid" >"$TMP/guest.pid"
	LLE_PROGRESS=$every timeout 30 "$TOP/lab/watch.sh" "$TMP/guest" fake "$TMP" "$pid" 10 \
		>"$TMP/cost" 2>"$log" || rc=$?
	wait "$pid" && return "$rc"
}

# Two arms: the time between runs does not count, and output of a run does not
# end it. The second arm has two testbeds.
times_runs()
{
	watch 10 clock 1 wait 1500 say 'lab: build' cpu 200 \
		say 'lab: run 1 of 2' cpu 150 say 'lab: other' cpu 150 say 'lab: gather' cpu 200 \
		say 'lab: build' cpu 100 \
		say 'lab: run 1 of 1' cpu 200 say 'lab: run 2 of 2' cpu 100 say 'lab: gather' cpu 200 &&
		grep -q '^memory_kb [1-9]' "$TMP/cost" &&
		[ "$(awk '$1 == "run_s" { $2 -= 0.3 * ++n; print($2 > -0.1 && $2 < 0.1) }' "$TMP/cost" |
			xargs)" = '1 1' ]
}

# one second of real time for a quarter of a 10 s run, with one run to follow;
# then the last run
tells_run()
{
	local run=(wait 1000 clock)

	watch 0 clock 1 wait 1500 say 'lab: build' say 'lab: run 1 of 2' \
		clock 100001 "${run[@]}" 2575000 wait 300 say 'lab: gather' \
		clock 20000000 say 'lab: build' say 'lab: run 2 of 2' \
		clock 20100000 "${run[@]}" 22575000 wait 300 &&
		said '^fake: run 1 of 2, [0-9]+ s, 2\.575000 of 10\.100 s of virtual time, about ([7-9]|1[0-9]) s left, 0 ' &&
		said '^fake: run 2 of 2, [0-9]+ s, 22\.575000 of 30\.100 s of .*, about [2-6] s left, 0 '
}

# 2 s of CPU while time stands, but not while a testbed is built, or if another process
# has run or time has passed meanwhile
names_spinning()
{
	watch 10 clock 1000000 wait 1500 say 'lab: build' task python3 cpu 4000 \
		say 'lab: run 1 of 1' cpu 1200 task nginx cpu 1200 clock 1000001 cpu 1200 \
		task redis-server cpu 5000 &&
		[ "$(grep -c 'without sleeping' "$log")" -eq 1 ] &&
		said '^fake: process "redis-server" has used 2 s of CPU without sleeping: .* 1\.000001 s$' &&
		grep -q '^stands fake: process "redis-server" ' "$TMP/cost"
}

: >"$TMP/ran"
passes "the CPU time of a lab run is that of all its arms" times_runs
passes "a lab run tells the time left" tells_run
passes "a process that spins is named" names_spinning
make_tree
passes "steps are counted" counts
passes "few steps, to save time" few_steps
passes "time left is told" tells_time
passes "what has passed is not run again" resumes
passes "unless asked, or in CI" asked
passes "another tree: all is run" "again 'echo >>$tree/Makefile'"
passes "a new file: all is run" "again 'touch $tree/new'"
passes "another kernel: all is run" "again other_kernel"
passes "another setting: all is run" "again 'export KERNEL=6.12'"
passes "what failed is run again" "again_only 'echo not ok 1 - unit'"
passes "what was skipped is run again" "again_only 'echo \"ok 1 - unit # SKIP why\"'"
passes "what ended badly is run again" "again_only 'echo ok 1 - unit; exit 1'"
passes "a tree that changes is not remembered" changed_meanwhile
passes "check.sh: interrupted, it leaves nothing" interrupt_check
make_source
passes "a wait says for whom" waits
passes "a build: interrupted, it leaves nothing" interrupt_build
end
