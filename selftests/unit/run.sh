#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the unit tests of kmod/core/ in build/unit/ and runs them. Prints TAP
# 13: one test point per program, its own points indented above it.
#
# Usage: run.sh [TEST...]     TEST: a name such as sb_test; default: all
# Environment: CC, CFLAGS (added to the tests' own); RUN: command that runs the
# programs of a CC for another machine, such as qemu-arm; they are static then,
# and without sanitizers. BUILD: folder of the programs (build/unit).
#
# Exit status: 0 all passed; 1 a test failed, or did not compile.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${BUILD:-$root/build/unit}
read -ra extra <<<"${CFLAGS:-}"
flags=(-std=gnu11 -Wall -Wextra -Wno-missing-field-initializers
	-Wno-unused-parameter -Werror -g -O1 -I "$root/include/uapi")
if [ -n "${RUN:-}" ]; then
	flags+=(-static)
else
	flags+=("-fsanitize=address,undefined" -fno-sanitize-recover=all)
fi

tests=("$@")
[ $# -gt 0 ] || mapfile -t tests < <(basename -s .c "$root"/selftests/unit/*_test.c)

# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

run() {
	"${CC:-gcc}" "${flags[@]}" "${extra[@]}" -o "$build/$1" \
		"$root/selftests/unit/$1.c" 2>&1 && ${RUN:-} "$build/$1" 2>&1
}

mkdir -p "$build"
echo "TAP version 13"
echo "1..${#tests[@]}"
for test in "${tests[@]}"; do
	rc=0
	run "$test" | sed 's/^/    /' || rc=1
	point $rc "$test"
done
exit "$failed"
