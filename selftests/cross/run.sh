#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Other architectures: the modules compile for them without a warning and link, and
# the unit tests pass, as programs that qemu-user runs. Of 32 bits, and of the other
# byte order. Prints TAP.
#
# Usage: run.sh [ARCH...]     ARCH: i386, armhf, arm64, s390x; all without one
#
# Exit status: 0 all passed or skipped; 1 something failed.

set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$root/out/cross
# arm64 shows the unit tests nothing that this machine does not
declare -A emulators=([i386]=qemu-i386 [armhf]=qemu-arm [s390x]=qemu-s390x)

suite=cross
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

skip()
{
	n=$((n + 1))
	echo "ok $n - $suite: $1 # SKIP $2"
}

modules()
{
	local log=$out/$1.log rc=0

	"$root/scripts/build.sh" "$1" KCFLAGS=-Werror >/dev/null 2>"$log" || rc=$?
	if [ $rc -eq 4 ]; then
		skip "$1: modules" "$(tail -n 1 "$log")"
	else
		report "$1: modules" "$([ $rc -eq 0 ] ||
			{ grep -E 'warning|error|ERROR' "$log" || tail -n 20 "$log"; })"
	fi
}

units()
{
	local emulator=${emulators[$1]} cc log=$out/$1-unit.log

	cc=$("$root/scripts/cross.sh" compiler "$1")
	if ! command -v "$emulator" >/dev/null; then
		skip "$1: unit tests" "no $emulator (see scripts/deps.sh cross)"
	elif ! echo 'int main(void) { return 0; }' |
	     "$cc" -static -o /dev/null -x c - 2>"$log"; then
		skip "$1: unit tests" "no C library for $cc (see scripts/deps.sh cross)"
	else
		report "$1: unit tests" "$(CC=$cc RUN=$emulator BUILD=$root/build/unit-$1 \
			"$root/selftests/unit/run.sh" >"$log" 2>&1 ||
			grep -E -A 4 'not ok|error:' "$log")"
	fi
}

mkdir -p "$out"
echo "TAP version 13"
[ $# -gt 0 ] || set -- i386 armhf arm64 s390x
for arch; do
	modules "$arch"
	[ -z "${emulators[$arch]:-}" ] || units "$arch"
done
echo "1..$n"
exit "$failed"
