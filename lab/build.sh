#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds all that a lab run needs. Prints the folder of the kernel and that of
# the modules, a line each.
#
# Usage: build.sh
#
# Exit status: 0; 4 the kernel cannot be had here; else something failed.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")

# shellcheck source-path=SCRIPTDIR source=../scripts/job-lib.sh
. "$HERE/../scripts/job-lib.sh"

LAST=$TOP/build/lab.built	# what this printed, and when it began

# Prints the last build, if no file is newer; package lists are read daily.
last()
{
	local kernel mods newer

	[ -n "$(find "$LAST" -mmin -720 2>/dev/null)" ] || return
	newer=$(cd "$TOP" && find -L Kbuild Makefile* VERSION daemon include kmod qdisc scripts spec \
		testbed lab/{*.sh,dcfit,flows,guest,oracle,random,rnic,uml,wire} \
		"$(command -v gcc)" "$(command -v ld)" -newer "$LAST" -print -quit)
	{ read -r kernel; read -r mods; } <"$LAST"
	[ -z "$newer" ] && [ "${kernel%/*}" = "${XDG_CACHE_HOME:-$HOME/.cache}/lle/uml" ] &&
		[ -e "$kernel/complete" ] && [ -e "$mods/lossless.ko" ] &&
		[ -x "$TOP/build/bin/lle-testbed" ] && cat "$LAST"
}

! last || exit 0
began=$(date +%s.%N)
kernel=$("$HERE/uml.sh" get lab)
mkdir -p "$TOP/build"
take_lock "$TOP/build/lab.lock" "the build of the lab"
mods=$("$HERE/../scripts/build.sh" lab)
echo "lab/build.sh: building the programs of the lab" >&2
make -s -C "$TOP" tc testbed ctl build/bin/{lle_{flows,random,tcp,until},random_device.so} >&2
printf '%s\n' "$kernel" "$mods" >"$LAST.new"
touch -d "@$began" "$LAST.new"
mv "$LAST.new" "$LAST"
cat "$LAST"
