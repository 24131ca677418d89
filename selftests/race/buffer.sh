#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the stress of the shared buffer (buffer.c) with ThreadSanitizer and runs
# it; then plants bugs, each of which must be found. Prints TAP 13.
#
# Usage: buffer.sh [PACKETS [SEED...]]     (2000000 1)
#
# A bug is found only if threads meet at the right moment, which is rarer on a
# machine with other work: each gets up to ATTEMPTS runs, with other seeds.
#
# Exit status: 0 all passed; 1 a test failed, or did not compile.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/race
packets=${1:-2000000}
[ $# -ge 2 ] || set -- "$packets" 1
shift

ATTEMPTS=20

# name, file in kmod/core/buffer, line, its replacement
bugs=(
	"loans are not taken back" credit.c
	'sb->used -= lle_sb_take_back(credit);' 'lle_sb_take_back(credit);'
	"shared bytes are not atomic" credit.h
	'atomic_sub(len, &pg->shared);' 'pg->shared.counter -= len;'
	"thresholds change before the port is closed" sb.h
	'smp_store_release(&pg->careful,' 'WRITE_ONCE(pg->careful,'
)

# compile PROGRAM ROOT
compile()
{
	gcc -std=gnu11 -Wall -Wextra -Werror -Wno-tsan -g -O2 -fsanitize=thread -pthread \
		-I "$root/include/uapi" -o "$1" "$2/selftests/race/buffer.c"
}

# shellcheck disable=SC2034 # for tap.sh
suite=buffer
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

mkdir -p "$build"
echo "TAP version 13"
compile "$build/buffer" "$root"
for seed; do
	rc=0
	timeout 3600 "$build/buffer" "$packets" "$seed" >"$build/log" 2>&1 || rc=$?
	[ $rc -ne 0 ] || sed 's/^/# /; s/^# #/#/' "$build/log"
	point $rc "$packets packets, seed $seed" "$build/log"
done

for ((i = 0; i < ${#bugs[@]}; i += 4)); do
	copy=$build/copy
	rm -rf "$copy"
	mkdir -p "$copy"/{kmod,selftests}
	cp -r "$root/kmod/core" "$copy/kmod/"
	cp -r "$root/selftests/unit" "$root/selftests/race" "$copy/selftests/"
	python3 - "$copy/kmod/core/buffer/${bugs[i + 1]}" "${bugs[@]:i + 2:2}" <<-'EOF'
		import sys
		path, before, after = sys.argv[1:]
		with open(path, encoding='utf-8') as f:
		    text = f.read()
		assert before in text, before
		with open(path, 'w', encoding='utf-8') as f:
		    f.write(text.replace(before, after))
	EOF
	compile "$build/planted" "$copy"
	for ((seed = 1; seed <= ATTEMPTS; seed++)); do
		rc=0
		TSAN_OPTIONS=halt_on_error=1 timeout 600 "$build/planted" 2000000 $seed \
			>"$build/log" 2>&1 || rc=$?
		[ $rc -eq 0 ] || break
	done
	found=$(grep -m 1 -oE '^# .*, should be .*|SUMMARY: .*' "$build/log") || :
	[ -z "$found" ] || echo "# attempt $seed: $found"
	point $((rc == 0 || ${#found} == 0)) "planted: ${bugs[i]}: found" "$build/log"
done
end
