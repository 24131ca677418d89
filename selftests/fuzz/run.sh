#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the fuzz targets of kmod/core/ and daemon/lib/ in build/fuzz/ and runs
# them from the seeds in corpus/. Prints TAP 13, one test point per target.
#
# Usage: run.sh [SECONDS [TARGET...]]     SECONDS per target, default 10
# Environment: CLANG
#
# Exit status: 0 no failure; 1 an input violates an invariant, it is kept in
# build/fuzz/; 4 there is no clang with libFuzzer.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/fuzz
clang=${CLANG:-clang}
seconds=${1:-10}
flags=(-std=gnu11 -Wall -Wextra -Wno-missing-field-initializers -Werror -g -O1
	"-fsanitize=fuzzer,address,undefined" -fno-sanitize-recover=all
	-I "$root/include/uapi" -I "$root/build/gen" -I /usr/include/libnl3)

targets=("${@:2}")
[ $# -ge 2 ] || mapfile -t targets < <(basename -s .c "$root"/selftests/fuzz/*.c)

# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

mkdir -p "$build"
make -s -C "$root" generated >&2
if ! "$clang" -fsanitize=fuzzer -x c -o "$build/probe" - 2>"$build/probe.log" \
	<<<'int LLVMFuzzerTestOneInput(const char *data, unsigned long size)
	{ return data && size > ~0UL; }'; then
	echo "1..0 # SKIP no clang with libFuzzer"
	exit 4
fi

run() {
	local seeds=$root/selftests/fuzz/corpus/$1

	mkdir -p "$build/corpus/$1"
	"$clang" "${flags[@]}" -o "$build/$1" "$root/selftests/fuzz/$1.c" \
		-lnl-genl-3 -lnl-3 &&
		"$build/$1" -seed=1 -max_total_time="$seconds" -max_len=1024 \
			-timeout=10 -verbosity=0 -print_final_stats=1 \
			-artifact_prefix="$build/$1-" \
			"$build/corpus/$1" "$seeds"
}

filter='/Recommended dictionary/,/End of recommended/d; s/^/# /'
echo "TAP version 13"
echo "1..${#targets[@]}"
for target in "${targets[@]}"; do
	rc=0
	run "$target" 2>&1 | sed "$filter" || rc=1
	point $rc "$target"
done
exit "$failed"
