#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# What can be said of the sources without running them. TAP on stdout; one case
# per rule, with what it found.
#
# Usage: static.sh

set -uo pipefail

TOP=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
cd "$TOP" || exit 1

suite=static
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

mapfile -t sources < <(git ls-files -co --exclude-standard '*.c' '*.h')
mapfile -t shells < <(git ls-files -co --exclude-standard '*.sh' scripts .ci |
	xargs grep -lE '^#!.*(bash|sh)$|shellcheck shell' | sort -u)
mapfile -t kernel < <(printf '%s\n' "${sources[@]}" | grep -E '^(kmod|qdisc|include|selftests/(oracle|rnic|race))/')

# Each layer includes only those below it.
arrows()
{
	local file inc

	for file in "${sources[@]}"; do
		sed -n 's/^#include "\(.*\)"/\1/p' "$file" | while read -r inc; do
			case $file:$inc in
			kmod/core/*:*../../*) echo "$file includes $inc" ;;
			kmod/*:*qdisc/* | kmod/*:*daemon/*) echo "$file includes $inc" ;;
			testbed/*:../daemon/tc/*) ;;
			testbed/*:*/* | *:*testbed/*) echo "$file includes $inc" ;;
			daemon/tc/*:*/*) echo "$file includes $inc" ;;
			qdisc/*:*daemon/* | include/*:*) echo "$file includes $inc" ;;
			daemon/*:*kmod/[!c]*) echo "$file includes $inc" ;;
			esac
		done
		case $file in
		kmod/core/core.h | kmod/core/user.h) ;;
		kmod/core/*)
			grep -HnE '#include <|__KERNEL__|sk_buff|spin_lock|alloc\(|ktime_get|get_random' "$file" |
				grep -vE '<linux/(lossless|pkt_sch)_?.*\.h>' ;;
		esac
	done
	# a folder of kmod/core/ belongs to one module
	sed -nE 's/^([a-z_]+)-.*\(call core,([a-z]+),.*/\2 \1/p' Kbuild | sort -u |
		cut -d' ' -f1 | uniq -d | sed 's/$/ is part of two modules/'
}

sizes()
{
	local lines

	for file in "${sources[@]}" "${shells[@]}" Makefile Kbuild; do
		lines=$(wc -l <"$file")
		[ "$lines" -le 800 ] || echo "$file has $lines lines"
	done
}

# Global symbols carry our prefix.
prefixes()
{
	local obj

	for obj in "$1"/{lossless,sch_lossless,tcp_ldcp,lle_rnic,lle_oracle,lle_planted}.ko; do
		nm "$obj" | awk 'NF == 3 && $2 ~ /[TDBR]/ { print $3 }' |
			grep -vE '^(lle_|lossless_|rnic_|oracle_|dcqcn_|ldcp_|init_module|cleanup_module|__)' |
			sed "s|^|${obj##*/}: |"
	done
}

# What is exported is used by another module.
exports()
{
	grep -rhoE 'EXPORT_SYMBOL_GPL\([a-z0-9_]+' kmod | cut -d'(' -f2 |
		while read -r sym; do
			grep -rqw "$sym" qdisc --include='*.[ch]' --include='*.h' ||
			grep -qw "$sym" kmod/lossless/port.h kmod/lossless/ingress.h ||
				echo "$sym is exported and not used"
		done
}

# A forked source line needs a reason in compat/.
forks()
{
	grep -nE 'LINUX_VERSION_CODE|KERNEL_VERSION|LLE_HAVE_' "${kernel[@]}" |
		grep -v '^kmod/compat/'
}

report "dependency arrows" "$(arrows)"
report "no file over 800 lines" "$(sizes)"
report "no version tests outside kmod/compat" "$(forks)"
report "SPDX line first" "$(for f in "${sources[@]}"; do
	head -n 1 "$f" | grep -q SPDX || echo "$f"; done)"
report "netlink spec" "$(scripts/ci/spec.py Documentation/netlink/specs/lossless.yaml \
	include/uapi/linux/lossless.h 2>&1)"
report "shellcheck" "$(shellcheck -x "${shells[@]}" 2>&1)"
report "published figures" "$(lab/figures.py pages 2>&1)"
report "man pages" "$(mandoc -Tlint -Wwarning Documentation/man/*.[0-9] 2>&1)"

# checkpatch and kernel-doc are in no package but the source's
if dir=$(scripts/vm/kernel-source.sh 6.1 scripts/checkpatch.pl scripts/spelling.txt \
	scripts/const_structs.checkpatch scripts/kernel-doc); then
	dir+=/scripts
	# CAMELCASE: struct Qdisc; LONG_LINE_STRING: what extack says is not broken;
	# PREFER_*: uapi has no __packed; EXPORT_SYMBOL: exports.c says why
	report "checkpatch" "$(for f in "${kernel[@]}"; do
		# a macro of tracing; the kernel's names for user space
		case $f in kmod/lossless/trace.h | kmod/core/user.h) continue ;; esac
		perl "$dir/checkpatch.pl" --no-tree --strict --terse --no-summary \
			--ignore CAMELCASE,LONG_LINE_STRING,PREFER_PACKED,PREFER_ALIGNED \
			--ignore EXPORT_SYMBOL,MACRO_ARG_REUSE -f "$f"
		done 2>&1 | sort -u; rm -f .checkpatch-camelcase.*)"
	report "kernel-doc" "$(perl "$dir/kernel-doc" -none -Werror \
		"${kernel[@]}" 2>&1 | grep -E 'warning|error' )"
else
	n=$((n + 1))
	echo "ok $n - static: checkpatch, kernel-doc # SKIP no kernel source to be had"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -rf build/static
if mods=$(LLE_BUILD=static scripts/build.sh 6.1 W=1 C=2 \
	CF="-D__CHECK_ENDIAN__" 2>"$log"); then
	report "W=1 and sparse" "$(grep -E 'warning|error' "$log" |
		grep -v '^/.*/include/\(linux\|net\|asm\)')"
	report "symbol prefixes" "$(prefixes "$mods")"
else
	report "W=1 and sparse" "$(tail -n 20 "$log")"
fi
report "exports are used" "$(exports)"
echo "1..$n"
exit $failed
