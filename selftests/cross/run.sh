#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Other architectures: compiles and links the modules without a warning, and
# runs the unit tests and the decoder tests with qemu-user. Covers 32 bits and
# big endian. Prints TAP.
#
# Usage: run.sh [ARCH...]     ARCH: i386, armhf, arm64, s390x; all without one
#
# Exit status: 0 all passed or skipped; 1 something failed.

set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=$root/out/cross
# arm64 has no emulator here: its word size and byte order are those of x86
declare -A emulators=([i386]=qemu-i386 [armhf]=qemu-arm [s390x]=qemu-s390x)

suite=cross
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

modules()
{
	local log=$out/$1.log rc=0

	"$root/scripts/build.sh" "$1" KCFLAGS=-Werror >/dev/null 2>"$log" || rc=$?
	if [ $rc -eq 4 ]; then
		skip "$1: modules" "$(tail -n 1 "$log")"
	else
		point $rc "$1: modules" "$log"
	fi
}

# why_not ARCH: prints why programs for ARCH cannot be built or run here
why_not()
{
	local said

	if ! said=$("$root/scripts/ci/cross.sh" get "$1" 2>&1 >/dev/null); then
		tail -n 1 <<<"$said"
	elif ! command -v "${emulators[$1]}" >/dev/null; then
		echo "no ${emulators[$1]} (see scripts/deps.sh cross)"
	elif ! echo 'int main(void) { return 0; }' | "$cc" -static -o /dev/null -x c - 2>/dev/null; then
		echo "no C library for $cc (see scripts/deps.sh cross)"
	fi
}

# shellcheck disable=SC2317 # programs calls it
units()
{
	CC=$cc RUN=${emulators[$1]} BUILD=$root/build/unit-$1 "$root/selftests/unit/run.sh"
}

# Test of the netlink decoders of losslessctl and losslessd.
# shellcheck disable=SC2317 # programs calls it
decoders()
{
	local dir

	dir=$("$root/scripts/ci/cross.sh" get "$1") || return
	make -s -C "$root" generated || return
	"$cc" -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -g -O1 -D_GNU_SOURCE \
		-static -I "$root/include/uapi" -I "$root/build/gen" \
		-I "$dir/usr/include/libnl3" -L "$dir/usr/lib" \
		-o "$root/build/unit-$1/decode_test" "$root/selftests/ctl/decode_test.c" \
		-lnl-genl-3 -lnl-3 && "${emulators[$1]}" "$root/build/unit-$1/decode_test"
}

# programs ARCH TESTS: runs the function TESTS with the compiler of ARCH
programs()
{
	local log=$out/$1-$2.log cc why

	cc=$("$root/scripts/ci/cross.sh" compiler "$1")
	why=$(why_not "$1")
	if [ -n "$why" ]; then
		skip "$1: $2" "$why"
	else
		report "$1: $2" "$("$2" "$1" >"$log" 2>&1 ||
			{ grep -E -A 4 'not ok|error:' "$log" || tail -n 5 "$log"; })"
	fi
}

mkdir -p "$out"
echo "TAP version 13"
[ $# -gt 0 ] || set -- i386 armhf arm64 s390x
for arch; do
	modules "$arch"
	[ -n "${emulators[$arch]:-}" ] || continue
	programs "$arch" units
	programs "$arch" decoders
done
end
