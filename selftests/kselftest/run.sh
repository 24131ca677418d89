#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Adds the scenarios to the selftests of Debian's kernel source, as their target
# net/lossless, installs these with the kernel's rules, and runs a few of them
# with run_kselftest.sh in a virtual machine: with the same results as run.sh.
#
# Usage: run.sh [NAME...]	default: few fast scenarios, one of which skips
#
# Prints TAP. Exit status: 0; 1 a test failed; 4 there is no source here.

# shellcheck disable=SC2317 # passes calls them

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/kselftest
[ $# -gt 0 ] || set -- pfc_frames sched ynl

# shellcheck disable=SC2034 # for tap.sh
suite=kselftest
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

source=$("$TOP/scripts/vm/kernel-source.sh" 6.1 tools/testing/selftests tools/scripts scripts/subarch.include) ||
	exit 4
for tool in rsync gcc; do
	command -v $tool >/dev/null || { echo "kselftest: $tool is not installed (see scripts/deps.sh series)" >&2; exit 4; }
done
mkdir -p "$OUT"
rm -rf "$OUT/source"
cp -r "$source" "$OUT/source"

# All that the Makefile names is installed, and each program is in the list.
complete()
{
	local name faults=0

	for name in $(make -s -f - OUTPUT=. <<-END
		include $TOP/selftests/net/Makefile
		names:
			@echo \$(TEST_PROGS) \$(TEST_FILES) \$(TEST_GEN_FILES)
	END
	) ; do
		[ -e "$OUT/install/net/lossless/$name" ] || { echo "no $name"; faults=1; }
		case $name in
		lib.* | cn.sh | links.sh | ring.sh) ;;
		*.sh | *.py) grep -x "net/lossless:$name" "$OUT/install/kselftest-list.txt" >/dev/null ||
			{ echo "$name is not in the list"; faults=1; } ;;
		esac
	done
	return "$faults"
}

passes "make install" make -s -C "$TOP/selftests" install KSRC="$OUT/source" INSTALL_PATH="$OUT/install"
passes "all is installed" complete
[ "$failed" = 0 ] || end
rc=0
"$TOP/scripts/vm/test.sh" -o "$OUT/guest" kselftest "$@" >"$OUT/guest.tap" 2>"$OUT/guest.err" || rc=$?
# continues the numbers
while read -r line; do
	case $line in
	"ok "*) point 0 "${line#*: }" ;;
	"not ok "*) point 1 "${line#*: }" ;;
	"# "*) echo "$line" ;;
	esac
done <"$OUT/guest.tap"
passes "the virtual machine" test "$rc" = 0 || :
[ "$rc" = 0 ] || tail -n 20 "$OUT/guest.err" | sed 's/^/# /'
end
