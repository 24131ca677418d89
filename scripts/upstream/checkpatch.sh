#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the checkpatch.pl of a kernel source on patches of series.py.
#
# Usage: checkpatch.sh KDIR PATCH...
#
# Prints what checkpatch.pl --strict finds, without what is listed below.
#
# Exit status: 0 nothing; 1 something.

set -euo pipefail

[ $# -ge 2 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
kdir=$(readlink -f "$1")
shift
mapfile -t patches < <(readlink -f "$@")
# it looks for more in a repository, with modules of Python
cd "$kdir"

# CAMELCASE: struct Qdisc; PREFER_*: uapi has no __packed; MACRO_ARG_REUSE: macros
# that iterate; FILE_PATH_CHANGES: MAINTAINERS names folders, and
# selftests/series compares; NEW_TYPEDEFS and EMBEDDED_FUNCTION_NAME: words of
# messages that are also names
ignored=CAMELCASE,PREFER_PACKED,PREFER_ALIGNED,MACRO_ARG_REUSE,FILE_PATH_CHANGES

# Types, and the files where they are not found: macros of tracepoints; lists in
# generated files; tests include the code, so it has no EXPORT_SYMBOL; a copy of a
# ctl_table is changed; tables of test vectors are macros; programs and scripts
# of user space do not have the kernel's macros, and rows of their tables are long
unfit="OPEN_ENDED_LINE|PARENTHESIS_ALIGNMENT|\w*MACRO\w*|TRAILING_SEMICOLON	include/trace/events/lossless\.h
LONG_LINE	net/lossless/netlink_gen\.c
COMPLEX_MACRO	(include/)?net/lossless/counters_gen\.h
EXPORT_SYMBOL	net/lossless/exports\.c
CONST_STRUCT	net/ipv4/tcp_ldcp(_net\.c|\.h)
COMPLEX_MACRO|MACRO_WITH_FLOW_CONTROL|PARENTHESIS_ALIGNMENT|SPLIT_STRING|BIT_MACRO	net/lossless/tests/.*
ARRAY_SIZE|PREFER_\w+|EMBEDDED_FUNCTION_NAME|SPACING|MACRO_WITH_FLOW_CONTROL|LONG_LINE_STRING	tools/testing/selftests/.*\.[ch]
MACRO_ARG_UNUSED	net/lossless/(netlink_attr|sysfs)\.c
LONG_LINE\w*|REPEATED_WORD	tools/testing/selftests/.*(\.(sh|py)|/Makefile)"

found=$(for patch in "${patches[@]}"; do
	perl scripts/checkpatch.pl --strict --terse --showfile --no-summary \
		--show-types --ignore "$ignored" "$patch" || :
done | grep . | awk -F '\t' -v unfit="$unfit" '
	BEGIN {
		n = split(unfit, rows, "\n")
		for (i = 1; i <= n; i++) {
			split(rows[i], cells, "\t")
			gsub(/\\w/, "[A-Z_]", cells[1])
			pattern[i] = "^" cells[2] ":[0-9]+: (ERROR|WARNING|CHECK):(" cells[1] "): "
		}
	}
	{
		for (i = 1; i <= n; i++)
			if ($0 ~ pattern[i])
				next
		print
	}' || :)
[ -z "$found" ] || { echo "$found"; exit 1; }
