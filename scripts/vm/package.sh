#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Gets the contents of Debian packages without installing them: for programs
# that would run on this machine once installed.
#
# Usage: package.sh [-u] PACKAGE...	-u: of Debian unstable
#
# Prints the folder with the contents of the packages, without their
# dependencies. It is kept in ${XDG_CACHE_HOME:-~/.cache}/lle/packages, by the
# version of the first.
#
# Exit status: 0; 1 wrong use; 4 the packages cannot be had here.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle/kernels
PACKAGES=${CACHE%/kernels}/packages

say() { echo "package.sh: $*" >&2; }

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$HERE/../job-lib.sh"
# shellcheck source-path=SCRIPTDIR source=kernel-apt.sh
. "$HERE/kernel-apt.sh"

suite=release
if [ "${1:-}" = -u ]; then
	suite=unstable
	shift
fi
[ $# -ge 1 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
mkdir -p "$CACHE" "$PACKAGES"
take_lock "$CACHE/lock" "the package $1"

key=$(IFS=+; echo "$*")
[ $suite = release ] || key=$suite+$key
if apt_open $suite; then
	version=$(apt_run apt-cache policy "$1" | awk '$1 == "Candidate:" { print $2 }')
	[ -n "$version" ] || { say "there is no package $1"; exit 4; }
	final=$PACKAGES/$key-${version//:/-}
else
	# without a network, the newest that is cached
	final=$(find "$PACKAGES" -maxdepth 1 -name "$key-*" | sort -V | tail -n 1)
	[ -n "$final" ] || { say "cannot get $*, and it is not cached"; exit 4; }
fi

if [ ! -d "$final" ]; then
	WORK=$(mktemp -d "$PACKAGES/.new.XXXXXX")
	say "fetching $*"
	fetch "$WORK/root" "$@" || exit 4
	mv "$WORK/root" "$final"
fi
echo "$final"
