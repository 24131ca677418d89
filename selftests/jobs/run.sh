#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests the shared behaviour of long jobs: they name the process that they wait
# for, do not repeat steps that passed, and clean up when interrupted. check.sh
# and uml.sh run in trees of their own, with fake steps and a fake kernel source.
#
# Usage: run.sh
#
# Prints TAP. Exit status: 0; 1 a test failed.

# shellcheck disable=SC2317 # passes calls functions that look unreachable

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

# --- check.sh

# Each program that check.sh calls records its run, and calls act() of file act.
make_tree()
{
	local file

	mkdir -p "$tree"/{scripts/ci,selftests/net}
	cp "$TOP/scripts/job-lib.sh" "$tree/scripts/"
	cp "$TOP/scripts/ci/check.sh" "$tree/scripts/ci/"
	cp "$TOP/selftests/net/Makefile" "$tree/selftests/net/"
	sed -i '/^GROUPS_OF_STEPS=/,/)$/c GROUPS_OF_STEPS=("net model" race smp)' \
		"$tree/scripts/ci/check.sh"
	printf 'guest:\n' >"$tree/Makefile"
	echo /out/ >"$tree/.gitignore"
	grep -oE '(selftests|lab|scripts)/[a-z_-]+(/[a-z_-]+)?\.(sh|py)' "$TOP/scripts/ci/check.sh" |
		grep -v check.sh | sort -u >"$TMP/programs"
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
# kernels and the list of tests
ran() { grep -vE 'kernel.sh|border.py --tests' "$TMP/ran" | grep -c -- "$1"; }
# race has two programs, the other four steps one
all_ran() { [ "$(ran .)" -eq 6 ]; }
ends_with() { [ "$(tail -n 1 "$log")" = "$1" ]; }

# shown COMMAND...: runs COMMAND; a failure shows which programs ran, and the last output
shown() { "$@" || { cat "$TMP/ran"; tail -n 30 "$log"; return 1; }; }

runs_all()
{
	act
	check && all_ran && ends_with '7 passed, 0 failed, 0 skipped' &&
		[ "$(grep -c ' begins$' "$log")" -eq 6 ] && grep -q '^ok 1 - ' "$tree/out/check/race.log"
}

resumes()
{
	check && [ "$(ran .)" -eq 0 ] && ends_with '7 passed, 0 failed, 0 skipped' &&
		[ "$(grep -c ' passed before, for the same tree' "$log")" -eq 5 ]
}

asked()
{
	check unit && [ "$(ran .)" -eq 1 ] && ends_with '1 passed, 0 failed, 0 skipped' &&
		LLE_CHECK_AGAIN=yes check && all_ran && CI=yes check && all_ran
}

# other COMMAND...: after COMMAND, all steps run again, once
other()
{
	check
	"$@"
	check && all_ran && check && [ "$(ran .)" -eq 0 ]
}

other_kernel() { mkdir -p "$XDG_CACHE_HOME/lle/kernels/k" && echo 2 >"$XDG_CACHE_HOME/lle/kernels/k/complete"; }
other_trees()
{
	other touch "$tree/new" && other rm "$tree/new" && other export KERNEL=6.12 &&
		other other_kernel
}

# again STATUS RESULT LINE: with a step that runs LINE, check.sh ends with STATUS
# and RESULT; that step is the only one that runs again
again()
{
	local rc=0

	act "selftests/unit/run.sh*) $3 ;;"
	LLE_CHECK_AGAIN=yes check || rc=$?
	[ "$rc" -eq "$1" ] && ends_with "$2" || return
	act
	check && [ "$(ran .)" -eq 1 ] && [ "$(ran selftests/unit/run.sh)" -eq 1 ]
}

unexpected_skip()
{
	act 'selftests/unit/run.sh*) echo "ok 1 - unit # SKIP why" ;;' \
		'*smp) echo "no kernel" >&2; exit 4 ;;'
	! CI=yes check && ends_with '5 passed, 1 failed, 2 skipped' &&
		said '^not ok - unit: unexpected skip$'
}

# unit tests run first, and nothing without the programs
needs_programs()
{
	local rc=0

	act
	printf 'guest:\n\tfalse\n' >"$tree/Makefile"
	! check && [ "$(ran .)" -eq 1 ] && said 'make guest failed' && ends_with '1 passed, 1 failed, 0 skipped' || rc=1
	printf 'guest:\n' >"$tree/Makefile"
	[ "$rc" -eq 0 ] && LLE_CHECK_AGAIN=yes check &&
		[ "$(grep -v kernel.sh "$TMP/ran" | head -n 1)" = 'selftests/unit/run.sh ' ] && all_ran
}

# each of two groups waits until the other one runs
# shellcheck disable=SC2016 # for the programs
beside()
{
	local seen='for i in {1..200}; do ! grep -q "$2" "'"$TMP/ran"'" || break; sleep 0.1; done'

	act "selftests/race/run.sh*) set -- '' out/net; $seen; [ \$i -lt 200 ] && echo ok 1 - race ;;" \
		"*out/net*) set -- '' race; $seen; [ \$i -lt 200 ] && echo ok 1 - net ;;"
	LLE_CHECK_AGAIN=yes check && all_ran
}

changed_meanwhile()
{
	cp "$tree/Makefile" "$TMP/Makefile"
	act "selftests/race/run.sh*) sleep 3; echo >>$tree/Makefile; echo ok 1 - race ;;"
	LLE_CHECK_AGAIN=yes check
	cp "$TMP/Makefile" "$tree/Makefile"
	act
	check && [ "$(ran race/run.sh)" -eq 1 ] && ! all_ran
}

busy() { grep -qs "$1" "$TMP/ran"; }

# interrupt it while it gets kernels, in the first steps, and in later ones
interrupt_check()
{
	local program signal

	for program in kernel.sh race/run.sh unit/run.sh; do
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

# --- what a build prints

# builds_with STATUS LINE: kernel.sh make runs LINE, and build.sh exits with STATUS
builds_with()
{
	local rc=0

	act "*.sh\ get*) echo $TMP/kernel ;;" "*.sh\ make*) $2 ;;"
	LLE_SOURCES=$TOP "$tree/scripts/build.sh" 6.1 >"$TMP/built" 2>"$log" || rc=$?
	[ "$rc" -eq "$1" ] &&
		said "^build.sh: building the modules for 6.1; log: $tree/build/fake/build.log$"
}

names_builds()
{
	mkdir "$TMP/kernel" && echo fake >"$TMP/kernel/release"
	cp "$TOP/scripts/build.sh" "$tree/scripts/"
	builds_with 0 'echo one; echo two >&2' && [ "$(wc -l <"$log")" -eq 1 ] &&
		[ "$(<"$TMP/built")" = "$tree/build/fake" ] &&
		[ "$(<"$tree/build/fake/build.log")" = $'one\ntwo' ] &&
		builds_with 3 'echo one; echo two >&2; exit 3' && ends_with two
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
	cp -r "$TOP"/lab/{{uml,uml-build,build}.sh,lle-lab,lle_lab} "$tree/lab/"
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

# interrupt_build COMMAND...: a command that builds a kernel
interrupt_build()
{
	local signal

	for signal in INT TERM; do
		interrupted "$signal" builds "$@" || return
		[ -z "$(find "$XDG_CACHE_HOME/lle/uml" -name '.new*')" ] || return
	done
}

make_tree
passes "all steps run" shown runs_all
passes "what has passed is not run again" shown resumes
passes "unless asked, or in CI" shown asked
passes "another tree: all is run" shown other_trees
passes "what failed is run again" shown again 1 '6 passed, 1 failed, 0 skipped' 'echo not ok 1 - unit'
passes "what was skipped is run again" shown again 0 '6 passed, 0 failed, 1 skipped' 'echo "ok 1 - unit # SKIP why"'
passes "what ended badly is run again" shown again 1 '7 passed, 1 failed, 0 skipped' 'echo ok 1 - unit; exit 1'
passes "what runs no test fails" shown again 1 '6 passed, 1 failed, 0 skipped' true
passes "in CI, an unexpected skip is a failure" shown unexpected_skip
passes "unit tests run first, and without programs nothing else" shown needs_programs
passes "two groups run at once" shown beside
passes "a tree that changes is not remembered" shown changed_meanwhile
passes "check.sh: interrupted, it leaves nothing" shown interrupt_check
passes "a build names its log, and shows the end of one that failed" shown names_builds
make_source
passes "a wait says for whom" shown waits
passes "a build: interrupted, it leaves nothing" shown interrupt_build "$tree/lab/uml.sh" get lab
passes "a lab run that builds: interrupted, it leaves nothing" shown \
	interrupt_build "$tree/lab/lle-lab" run incast
end
