#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Static checks of the sources. Prints TAP; one case a rule, with its findings.
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
mapfile -t kernel < <(printf '%s\n' "${sources[@]}" | grep -E '^(kmod|qdisc|include|lab/(dcfit|oracle|rnic|wire)|selftests/race)/')

# Each layer may include only those below it.
arrows()
{
	local file inc

	for file in "${sources[@]}"; do
		sed -n 's/^#include "\(.*\)"/\1/p' "$file" | while read -r inc; do
			case $file:$inc in
			kmod/core/*/*:../core.h) ;;
			kmod/core/*/*:../[a-z]*/[a-z]*.h) ;;
			kmod/core/*:*/*) echo "$file includes $inc" ;;
			kmod/*:*qdisc/* | kmod/*:*daemon/*) echo "$file includes $inc" ;;
			testbed/*:../daemon/tc/* | selftests/*:*testbed/*) ;;
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

# Patches of lab-planted and bench, and mutants, which run seldom, must follow the code.
planted()
{
	local fault

	selftests/mutants/border.py --applies
	for fault in selftests/{lab/planted,bench}/*.patch; do
		patch --dry-run -p1 -F0 -s -r - <"$fault" >/dev/null || echo "$fault does not apply"
	done
}

sizes()
{
	local lines

	for file in "${sources[@]}" "${shells[@]}" Makefile Kbuild; do
		lines=$(wc -l <"$file")
		[ "$lines" -le 800 ] || echo "$file has $lines lines"
	done
}

# of_kernel MEDIAN LONGEST FUNCTION: maximum lines of kernel files, and of
# functions
of_kernel()
{
	wc -l "${kernel[@]}" | sed '$d' | sort -n | awk -v median="$1" -v longest="$2" '
		{ lines[NR] = $1 }
		END {
			if (lines[int((NR + 1) / 2)] > median)
				print "the median file has " lines[int((NR + 1) / 2)] " lines"
		}
		$1 > longest { print $2 " has " $1 " lines" }'
	awk -v longest="$3" '
		FNR == 1 { begun = 0 }
		/^{/ { begun = FNR }
		/^}/ && begun {
			if (FNR - begun + 1 > longest)
				print FILENAME ":" begun ": a function of " FNR - begun + 1 " lines"
			begun = 0
		}' "${kernel[@]}"
}

# objects DIR SOURCE...: compiles sources of programs, for their symbols
objects()
{
	local dir=$1 source

	shift
	for source; do
		mkdir -p "$dir/$(dirname "$source")"
		gcc -std=gnu11 -w -D_GNU_SOURCE -DLLE_VERSION='""' -DCONF_PATH='""' -Iinclude/uapi -Ibuild/gen \
			-Idaemon/tc -I/usr/include/libnl3 -c -o "$dir/${source%.c}.o" "$source" || return
	done
}

# Checks programs, each of which has a main().
rings_of_programs()
{
	local name dir=build/rings

	rm -rf $dir
	make -s generated
	objects $dir/lle-testbed testbed/*.c daemon/tc/*.c build/gen/*.c
	for name in losslessctl losslessd; do
		objects $dir/$name daemon/{lib,$name}/*.c
	done
	for name in lle-testbed losslessctl losslessd; do
		find $dir/$name -name '*.o' -exec scripts/ci/rings.py 2 {} +
	done
}

# Global symbols must have our prefix.
prefixes()
{
	local obj

	for obj in "$1"/{lossless,sch_lossless,tcp_ldcp,lle_rnic,lle_oracle,lle_planted}.ko; do
		nm "$obj" | awk 'NF == 3 && $2 ~ /[TDBR]/ { print $3 }' |
			grep -vE '^(lle_|lossless_|rnic_|oracle_|dcqcn_|irn_|ldcp_|init_module|cleanup_module|__)' |
			sed "s|^|${obj##*/}: |"
	done
}

# Another module must use each exported symbol, or an inline function in a
# header.
exports()
{
	grep -rhoE 'EXPORT_SYMBOL_GPL\([a-z0-9_]+' kmod | cut -d'(' -f2 |
		while read -r sym; do
			grep -rqw "$sym" qdisc lab --include='*.[ch]' ||
			grep -rqE "^	.*\<$sym\>" kmod/lossless --include='*.h' ||
				echo "$sym is exported and not used"
		done
}

# Tests of kernel versions belong in compat/, with a reason.
forks()
{
	grep -nE 'LINUX_VERSION_CODE|KERNEL_VERSION|LLE_HAVE_' "${kernel[@]}" |
		grep -v '^kmod/compat/'
}

report "dependency arrows" "$(arrows)"
report "planted faults apply to the code" "$(planted)"
report "no file over 800 lines" "$(sizes)"
report "kernel files are short, and their functions" "$(of_kernel 220 600 80)"
report "no version tests outside kmod/compat" "$(forks)"
report "functions of a script are defined once" "$(for f in "${shells[@]}"; do
	sed -n 's/^\([a-z_0-9]*\)().*/\1/p' "$f" | sort | uniq -d | sed "s,^,$f: ,"
done)"
report "SPDX line first" "$(for f in "${sources[@]}"; do
	head -n 1 "$f" | grep -q SPDX || echo "$f"; done)"
report "shellcheck" "$(shellcheck -x "${shells[@]}" 2>&1)"
report "published figures" "$(lab/lle-lab tables 2>&1)"
report "tables of situations" "$(scripts/ci/situations.py -c 2>&1)"
report "man pages" "$(make -s man 2>&1 && mandoc -Tlint -Wwarning build/man/* 2>&1)"

# checkpatch and kernel-doc are only in the package of the source
if dir=$(scripts/vm/kernel-source.sh 6.1 scripts/checkpatch.pl scripts/spelling.txt \
	scripts/const_structs.checkpatch scripts/kernel-doc); then
	dir+=/scripts
	# CAMELCASE: struct Qdisc; LONG_LINE_STRING: messages of extack are not
	# broken; PREFER_*: uapi has no __packed; EXPORT_SYMBOL: exports.c has
	# the reason
	# trace.h: a macro of tracing; user.h: the kernel's names for user space;
	# netlink_gen.c: lines as long as names make them; counters_gen.h: lists
	report "checkpatch" "$(printf '%s\n' "${kernel[@]}" |
		grep -vxE 'kmod/(lossless/trace.h|core/user.h|lossless/netlink_gen.c|lossless/counters_gen.h)' |
		xargs perl "$dir/checkpatch.pl" --no-tree --strict --terse --no-summary \
			--ignore CAMELCASE,LONG_LINE_STRING,PREFER_PACKED,PREFER_ALIGNED \
			--ignore EXPORT_SYMBOL,MACRO_ARG_REUSE -f 2>&1
		rm -f .checkpatch-camelcase.*)"
	report "kernel-doc" "$(perl "$dir/kernel-doc" -none -Werror \
		"${kernel[@]}" 2>&1 | grep -E 'warning|error' )"
else
	skip "checkpatch, kernel-doc" "no kernel source to be had"
fi

report "code generated from spec/qdisc.yaml" "$(spec/gen.py -c 2>&1)"
# the generator of YNL is only there, too
if said=$(scripts/ci/ynl.sh -c 2>&1); then
	report "code generated from the netlink spec" ""
elif [ $? = 4 ]; then
	skip "code generated from the netlink spec" "no generator to be had"
else
	report "code generated from the netlink spec" "$said"
fi

log=build/static/build.log
rm -rf build/static
if mods=$(LLE_BUILD=static scripts/build.sh 6.1 W=1 C=2 \
	CF="-D__CHECK_ENDIAN__"); then
	report "W=1 and sparse" "$(grep -E 'warning|error' "$log" |
		grep -v '^/.*/include/\(linux\|net\|asm\)')"
	report "symbol prefixes" "$(prefixes "$mods")"
	report "rings of at most 8 kernel files" "$(find "$mods"/{kmod,qdisc,lab} -name '*.o' \
		-exec scripts/ci/rings.py 8 {} +)"
else
	report "W=1 and sparse" "$(tail -n 20 "$log" 2>&1)"
fi
report "rings of at most 2 files in daemon and testbed" "$(rings_of_programs 2>&1)"
report "words of the glossary" "$(scripts/ci/words.py)"
report "names in pages" "$(scripts/ci/guides.py names 2>&1)"
report "commands in pages" "$(make -s ctl tc testbed 2>&1 && scripts/ci/guides.py commands build 2>&1)"
report "folders and rules as rules.rst has them" "$(scripts/ci/folders.py)"
report "functions carry the stem of their file" "$(scripts/ci/names.py)"
report "exports are used" "$(exports)"
end
