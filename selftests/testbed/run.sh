#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests lle-testbed as far as it needs neither root nor our kernel modules: what
# it reads, computes and prints. It is built with ASan and UBSan for that.
#
# Usage: run.sh
# Environment: CC

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=$root/build/testbed

make -s -C "$root" testbed BIN="$bin" CFLAGS="-Werror -g -O1 \
	-fsanitize=address,undefined -fno-sanitize-recover=all" >&2
exec python3 "$root/selftests/testbed/show_test.py" "$bin/lle-testbed"
