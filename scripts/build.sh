#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the modules for one kernel, out of the source tree.
#
# Usage: build.sh KERNEL [MAKE-ARG...]
#
# KERNEL is a series that kernel.sh knows (6.1, 6.12, newest), a name that
# uml.sh knows (lab, debug, race, kcsan), an architecture that cross.sh knows
# (i386, armhf, arm64, s390x), or the build directory of a kernel
# (/lib/modules/RELEASE/build). Prints the directory that has lossless.ko and
# sch_lossless.ko: build/RELEASE, build/host, or build/NAME if LLE_BUILD is
# NAME. LLE_SOURCES=DIR: the sources are those in DIR, not the tree's. What make
# prints is in build.log of that directory; for build/host it is printed.
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
dir=

case $kernel in
*/*) name=host run=(make -C "$kernel") ;;
lab | debug | race | kcsan) dir=$("$HERE/../lab/uml.sh" get "$kernel") ;;
i386 | armhf | arm64 | s390x) dir=$("$HERE/ci/cross.sh" get "$kernel") ;;
*) dir=$("$HERE/vm/kernel.sh" get "$kernel") ;;
esac
if [ -n "$dir" ]; then
	name=$(<"$dir/release")
	run=("$HERE/vm/kernel.sh" make "$dir")
	set -- LLE_SELFTESTS=1 "$@"
fi

# Kbuild writes beside the sources: so each kernel has a tree of links to them
src=${LLE_SOURCES:-$TOP}
out=$TOP/build/${LLE_BUILD:-$name}
mkdir -p "$out"
take_lock "$out/lock" "the build of modules in ${out##*/}"
find "$out" -xtype l -delete
mkdir -p "$out/selftests" "$out/lab"
cp -rsf "$src"/{Kbuild,VERSION,kmod,qdisc,include} "$out"/
cp -rsf "$src"/lab/{rnic,oracle,wire,dcfit} "$out/lab"/
cp -rsf "$src"/selftests/{race,unit,vectors} "$out/selftests"/
if [ -z "$dir" ]; then
	"${run[@]}" M="$out" "$@" modules >&2
else
	echo "build.sh: building the modules for $kernel; log: $out/build.log" >&2
	"${run[@]}" M="$out" "$@" modules >"$out/build.log" 2>&1 || {
		rc=$?
		tail -n 20 "$out/build.log" >&2
		exit $rc
	}
fi
echo "$out"
