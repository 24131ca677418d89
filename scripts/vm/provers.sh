#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs cbmc of Debian unstable, which is not installed: unpacks it with its
# libraries, and calls their loader.
#
# Usage: provers.sh cbmc ARG...
#
# It is kept in ${XDG_CACHE_HOME:-~/.cache}/lle/provers.
#
# Exit status: that of cbmc; 4 it cannot be had here.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle/kernels
PROVERS=${CACHE%/kernels}/provers

say() { echo "provers.sh: $*" >&2; }

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$HERE/../job-lib.sh"
# shellcheck source-path=SCRIPTDIR source=kernel-apt.sh
. "$HERE/kernel-apt.sh"

[ "$(uname -m)" = x86_64 ] || exit 4
mkdir -p "$CACHE"
if [ ! -e "$PROVERS/usr/bin/cbmc" ]; then
	take_lock "$CACHE/lock" cbmc
	if [ ! -e "$PROVERS/usr/bin/cbmc" ]; then
		rm -rf "$PROVERS.new"
		if ! { apt_open unstable && fetch "$PROVERS.new" cbmc minisat libc6 \
			libstdc++6 libgcc-s1 libgmp10; }; then
			say "cbmc cannot be fetched"
			exit 4
		fi
		rm -rf "$PROVERS"
		mv "$PROVERS.new" "$PROVERS"
	fi
	exec {LOCK}>&-
fi
lib=$PROVERS/usr/lib/x86_64-linux-gnu
exec "$lib/ld-linux-x86-64.so.2" --library-path "$lib:$PROVERS/usr/lib" \
	"$PROVERS/usr/bin/$1" "${@:2}"
