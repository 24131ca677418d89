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

kernel=$("$HERE/uml.sh" get lab)
log=$(mktemp) WORK=$log
mkdir -p "$TOP/build"
take_lock "$TOP/build/lab.lock" "the build of the lab"
mods=$("$HERE/../scripts/build.sh" lab 2>"$log") || {
	rc=$?
	tail -n 20 "$log" >&2
	exit $rc
}
make -s -C "$TOP" tc testbed ctl build/bin/lle_{flows,random,tcp} >&2
printf '%s\n' "$kernel" "$mods"
