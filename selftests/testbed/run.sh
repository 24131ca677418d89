#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests lle-testbed without root or the kernel modules: the input that it reads,
# and what it computes and prints. Builds it with ASan and UBSan.
#
# Usage: run.sh
# Environment: CC

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=$root/build/testbed

make -s -C "$root" testbed BIN="$bin" CFLAGS="-Werror -g -O1 \
	-fsanitize=address,undefined -fno-sanitize-recover=all" >&2
PROGRAM=$bin/lle-testbed pytest-3 "$root"/selftests/testbed
