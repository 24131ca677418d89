#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the modules for one kernel, out of the source tree.
#
# Usage: build.sh KERNEL [MAKE-ARG...]
#
# KERNEL is a series that kernel.sh knows (6.1, 6.12, newest), a name that uml.sh
# knows (lab, debug, race, kcsan), an architecture that cross.sh knows (i386, armhf,
# arm64, s390x), or the build directory of a kernel (/lib/modules/RELEASE/build). Prints the directory that
# has lossless.ko and sch_lossless.ko: build/RELEASE, build/host, or build/NAME
# if LLE_BUILD is NAME. With LLE_SOURCES=DIR the sources are those in DIR, not the tree's.
#
# Exit status: 0; 4 the kernel cannot be had here; make's own.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")

# shellcheck source-path=SCRIPTDIR source=job-lib.sh
. "$HERE/job-lib.sh"

[ $# -ge 1 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
kernel=$1
shift

if [ -d "$kernel" ]; then
	name=host
	run=(make -C "$kernel")
else
	case $kernel in
	lab | debug | race | kcsan) dir=$("$HERE/uml.sh" get "$kernel") ;;
	i386 | armhf | arm64 | s390x) dir=$("$HERE/cross.sh" get "$kernel") ;;
	*) dir=$("$HERE/kernel.sh" get "$kernel") ;;
	esac
	name=$(<"$dir/release")
	run=("$HERE/kernel.sh" make "$dir")
	set -- LLE_SELFTESTS=1 "$@"
fi

# Kbuild writes beside the sources, so each kernel has a tree of links to them
src=${LLE_SOURCES:-$TOP}
out=$TOP/build/${LLE_BUILD:-$name}
mkdir -p "$out"
take_lock "$out/lock" "the build of modules in ${out##*/}"
find "$out" -xtype l -delete
mkdir -p "$out/selftests"
cp -rsf "$src"/{Kbuild,kmod,qdisc,include} "$out"/
cp -rsf "$src"/selftests/{oracle,race,rnic,unit,vectors} "$out/selftests"/
"${run[@]}" M="$out" "$@" modules >&2
echo "$out"
