#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests the patches that "make upstream" makes: against the newest kernel source
# that can be had, each has to apply, to pass checkpatch, to build with W=1 and to
# link. With the last one of each series the kernel (User Mode Linux) boots and
# runs KUnit tests and scenarios; with both series also built in.
#
# Usage: run.sh [short]
#
# short: only makes the patches, and looks at them. Without it the source and
# two builds of it stay in $LLE_SERIES (out/series), 3 GB, for the next run.
#
# Prints TAP. Exit status: 0; 1 a test failed; 4 there is no source here.

# shellcheck disable=SC2317 # passes calls them

set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$(dirname "$HERE")")
cd "$TOP" || exit 1
WORK_DIR=${LLE_SERIES:-$TOP/out/series}
SERIES=$WORK_DIR/patches
LOG=$WORK_DIR/log
# files of a kernel that the series changes, or that series.py reads
NEEDED="MAINTAINERS net include Documentation/networking/index.rst tools/testing/selftests/Makefile"
SCENARIOS="pfc_frames lossless lifecycle"

# shellcheck disable=SC2034 # for tap.sh
suite=series
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

mkdir -p "$WORK_DIR"
SOURCE=$(
	if [ "${1:-}" = short ]; then
		# shellcheck disable=SC2086 # a list of words
		scripts/vm/kernel-source.sh newest $NEEDED
	else
		scripts/vm/kernel-source.sh -o "$WORK_DIR/source" newest
	fi
) || exit 4
SOURCE=$(readlink -f "$SOURCE")

# --- the patches

# undo: takes back the patches of an earlier run; if it was interrupted and that
# fails, the next run unpacks the source again
undo()
{
	local patch

	[ ! -e "$WORK_DIR/Makefile" ] || mv "$WORK_DIR/Makefile" "$SOURCE/net/lossless/Makefile"
	for patch in $(printf '%s\n' "$WORK_DIR"/applied/*/*.patch | sort -r); do
		[ ! -e "$patch" ] || patch -d "$SOURCE" -R -p1 -s -f <"$patch" ||
			{ rm -f "$SOURCE/.complete"; return 1; }
		rm -f "$patch"
	done
	mkdir -p "$WORK_DIR"/applied/{1,2}
}

# At most 8 patches in the first series, and about 6000 lines of code without
# comments, blank lines and tests.
sizes()
{
	local code

	code=$(git -C "$SERIES/tree" diff "series-1~${#first[@]}" series-1 -- \
		include net ':!net/lossless/tests' ':!*/Kconfig' ':!*/Makefile' |
		sed -n 's/^+\([^+]\)/\1/p' | gcc -fpreprocessed -dD -E -P -x c - 2>/dev/null |
		grep -c '[^[:space:]]')
	echo "# first series: $code lines of code; second: ${#second[@]} patches"
	[ "${#first[@]}" -le 8 ] && [ "${#second[@]}" -le 8 ] && [ "$code" -gt 1000 ] && [ "$code" -le 6000 ]
}

# The letter has a subject, a text, and the list of patches.
letter()
{
	local series letter

	for series in 1 2; do
		letter=$SERIES/$series/0000-cover-letter.patch
		grep -q '^Subject: \[PATCH net-next 0/' "$letter" && ! grep -F '***' "$letter" &&
			[ "$(grep -c '^  [[:alpha:]].*: ' "$letter")" -ge 8 ] || return
	done
}

# Each patch has a subject, a reason and a sign-off.
messages()
{
	local patch faults=0

	for patch in "${patches[@]}"; do
		awk '/^---$/ { exit } !NF { body = 1 } body && NF { lines++ }
			/^Subject: .*: [A-Z]/ { subject = 1 }
			/^Signed-off-by: .*@/ { signed = 1 }
			END { exit !(subject && signed && lines > 3) }' "$patch" ||
			{ echo "$patch"; faults=1; }
	done
	return "$faults"
}

# Each new file is in the entry in MAINTAINERS of its own or an earlier patch.
maintained()
{
	local path pattern faults=0

	mapfile -t patterns < <(sed -n '/^LOSSLESS ETHERNET/,/^$/s/^F:\t//p' "$SERIES/tree/MAINTAINERS")
	while read -r path; do
		for pattern in "${patterns[@]}"; do
			# shellcheck disable=SC2053 # a pattern
			[[ $path != $pattern && $path != "$pattern"* ]] || continue 2
		done
		echo "$path"
		faults=1
	done < <(grep -h '^diff --git' "${patches[@]}" | sed 's,.* b/,,' |
		grep -vE '(^|/)(Kconfig|Makefile|MAINTAINERS|index.rst)$')
	return "$faults"
}

# No file of the series names a place that only this tree has.
own_places()
{
	! grep -HnE '^\+.*(\bkmod/[a-z]|\bqdisc/[a-z]|LLE_HAVE_|LLE_COMPAT)' "${patches[@]}"
}

passes "what the slicer leaves" selftests/series/slicer_test.py
# a short run patches nothing; its source is not its own
[ "${1:-}" = short ] || passes "the source before the patches" undo
rm -rf "$SERIES"
passes "the patches are made" scripts/upstream/series.py "$SOURCE" "$SERIES"
first=("$SERIES"/1/000[1-9]-*.patch)
second=("$SERIES"/2/000[1-9]-*.patch)
patches=("${first[@]}" "${second[@]}")
passes "patches, and lines of code of the first series" sizes
passes "the cover letters" letter
passes "messages" messages
passes "MAINTAINERS has each file" maintained
passes "paths are those of the kernel" own_places
[ "${1:-}" != short ] || end

# --- builds

# warn DIR TARGET...: make with W=1, which prints nothing if all is well
warn() { build -s W=1 O="$WORK_DIR/warn" "$@"; }

build() { nice make -j"${LLE_JOBS:-$(nproc)}" -C "$SOURCE" ARCH=um CC="${COMPILER:-gcc}" "$@" </dev/null; }

# configure O [FILE]...: with the options of FILEs too; those that are unknown
# yet are ignored
configure()
{
	local out=$1

	mkdir -p "$out"
	shift
	cat lab/uml/base.config "$HERE/series.config" "$@" >"$out/wanted"
	build -s O="$out" KCONFIG_ALLCONFIG="$out/wanted" allnoconfig >"$LOG" 2>&1 ||
		{ tail -n 20 "$LOG"; return 1; }
}

as_modules()
{
	printf 'CONFIG_%s=m\n' LOSSLESS NET_SCH_LOSSLESS TCP_CONG_LDCP
}

# targets: what the patches so far build
targets()
{
	echo net/lossless/
	! grep -q sch_lossless "$SOURCE/net/sched/Makefile" || echo net/sched/sch_lossless.o
	! grep -q tcp_ldcp "$SOURCE/net/ipv4/Makefile" || echo net/ipv4/tcp_ldcp.o
}

# silent COMMAND...: it succeeds, and prints nothing
silent()
{
	local said rc=0

	said=$("$@" 2>&1) || rc=$?
	echo "$said" | grep . && rc=1
	return "$rc"
}

# compiles: the sources so far compile with W=1, which also reads the kernel-doc of .c files
compiles()
{
	[ -e "$SOURCE/net/lossless/Makefile" ] || { warn prepare; return; }
	mapfile -t targets < <(targets)
	silent warn "${targets[@]}"
}

# checked SERIES: with all its patches, sparse and kernel-doc find nothing, and clang compiles
checked()
{
	local files

	mapfile -t targets < <(targets)
	mapfile -t files < <(cd "$SOURCE" && find include net -path '*lossless*' -name '*.[ch]' -o -name 'tcp_ldcp*.[ch]')
	passes "sparse: series $1" with_sparse
	passes "kernel-doc: series $1" silent env -C "$SOURCE" scripts/kernel-doc -none "${files[@]}"
	passes "clang: series $1" with_clang
}

# with_sparse: it finds nothing in files of the series. The one of Debian 12 finds
# much in headers of the newest kernel, and ends by a signal in some.
with_sparse()
{
	printf '#!/bin/sh\nsparse "$@" || :\n' >"$WORK_DIR/sparse"
	chmod +x "$WORK_DIR/sparse"
	! build -s C=2 CHECK="$WORK_DIR/sparse" O="$WORK_DIR/warn" "${targets[@]}" 2>&1 |
		grep -E '(lossless|ldcp)[^ ]*:[0-9]+:[0-9]+: (warning|error)'
}

# with_clang: the newest one that is installed
with_clang()
{
	local COMPILER

	COMPILER=$(compgen -c clang- | grep -xE 'clang-[0-9]+' | sort -V | tail -n 1)
	configure "$WORK_DIR/clang" <(as_modules) && silent build -s O="$WORK_DIR/clang" "${targets[@]}"
}

# links: the kernel and its modules link
links()
{
	local said rc=0

	said=$(build -s O="$WORK_DIR/build" linux modules 2>&1) || rc=$?
	grep -E 'lossless|ldcp|rror' <<<"$said" && rc=1
	return "$rc"
}

# step PATCH: applies it, and builds
step()
{
	local rc=0

	cp "$1" "$WORK_DIR/applied/${1#"$SERIES"/}"
	patch -d "$SOURCE" -p1 -s -F0 <"$1" || return
	grep -q '^+++ b/\(net\|include\)/' "$1" || return 0
	configure "$WORK_DIR/warn" <(as_modules) && compiles || rc=1
	configure "$WORK_DIR/build" <(as_modules) && links || rc=1
	return "$rc"
}

base()
{
	configure "$WORK_DIR/build" || return
	build -s O="$WORK_DIR/build" linux modules >"$LOG" 2>&1 || { tail -n 20 "$LOG"; return 1; }
	configure "$WORK_DIR/warn" && build -s O="$WORK_DIR/warn" W=1 prepare >"$LOG" 2>&1
}

# kernel NAME: the folder of a kernel, in the form of those of uml.sh
kernel()
{
	local dir=$WORK_DIR/$1 release

	rm -rf "$dir"
	mkdir -p "$dir"
	release=$(<"$WORK_DIR/build/include/config/kernel.release")
	build -s O="$WORK_DIR/build" INSTALL_MOD_PATH="$dir" modules_install >"$LOG" 2>&1 ||
		{ tail -n 20 "$LOG"; return 1; }
	strip -g -o "$dir/linux" "$WORK_DIR/build/linux"
	mkdir "$dir/build"
	cp "$WORK_DIR/build/.config" "$dir/build/"
	echo "$release" >"$dir/release"
}

# kunit NAME: each suite passes in that kernel
kunit()
{
	local suites module tests=()

	while read -r module; do
		tests+=(-m "$module")
	done < <(cd "$WORK_DIR/$1" && find . -name 'lossless_*_test.ko' -printf '%f\n' | sed 's/\.ko$//')

	# shellcheck disable=SC2016 # for the guest's shell
	lab/uml-run.sh -q -k "$WORK_DIR/$1" -t 900 -o "$WORK_DIR/kunit" "${tests[@]}" -- bash -c '
		for module in $(cd /lib/modules/*/kernel/net/lossless/tests && ls | sed "s/\.ko$//"); do
			modprobe $module
		done
		cat /sys/kernel/debug/kunit/*/results >$OUT/results' || return
	suites=$(grep -c '^ok 1 lossless_' "$WORK_DIR/kunit/results")
	echo "$suites suites of ${#tests[@]} options"
	! grep 'not ok' "$WORK_DIR/kunit/results" && [ $((2 * suites)) -eq ${#tests[@]} ]
}

# scenarios NAME: those of this tree, in a kernel of the series
# shellcheck disable=SC2086 # a list of words
scenarios()
{
	LLE_TIMEOUT=${LLE_TIMEOUT:-3600} scripts/vm/test.sh -k "$WORK_DIR/$1" -o "$WORK_DIR/net-$1" \
		net $SCENARIOS 2>"$LOG" >"$WORK_DIR/$1.tap"
	grep -E '^(not ok|#)' "$WORK_DIR/$1.tap"
	grep -c '^ok' "$WORK_DIR/$1.tap"
	tail -n 5 "$LOG"
	[ "$(grep -c '^ok' "$WORK_DIR/$1.tap")" -gt 20 ] && ! grep -q '^not ok' "$WORK_DIR/$1.tap"
}

built_in() { as_modules | sed 's/=m/=y/'; }
link_built_in() { configure "$WORK_DIR/build" <(built_in) && links && kernel built-in; }

# git's list of new files has lines that are too long
for series in 1 2; do
	sed '/^ create mode /d' "$SERIES/$series/0000-cover-letter.patch" >"$WORK_DIR/$series-cover-letter.patch"
done
passes "checkpatch --strict" scripts/upstream/checkpatch.sh "$SOURCE" "$WORK_DIR"/[12]-cover-letter.patch "${patches[@]}"
passes "the kernel without the patches builds" base
for patch in "${first[@]}"; do
	passes "W=1, linked: 1/$(basename "$patch" .patch)" step "$patch"
done
checked 1
passes "modules of the first series" kernel first
passes "KUnit in the kernel of the first series" kunit first
passes "scenarios, with modules of the first series: $SCENARIOS" scenarios first
for patch in "${second[@]}"; do
	passes "W=1, linked: 2/$(basename "$patch" .patch)" step "$patch"
done
checked 2
passes "modules" kernel modules
passes "KUnit in the kernel of both series" kunit modules
passes "scenarios, with modules: $SCENARIOS" scenarios modules
passes "built in" link_built_in
passes "scenarios, built in: $SCENARIOS" scenarios built-in
end
