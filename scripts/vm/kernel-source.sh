#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Gets parts of the kernel's source, for tools that no other package has.
#
# Usage: kernel-source.sh SERIES PATH...
#
# Takes the files and folders PATH, as named in the source, from the package
# linux-source-SERIES and prints their folder. It is kept in
# ${XDG_CACHE_HOME:-~/.cache}/lle/source, by version and PATHs.
#
# Exit status: 0; 1 wrong use; 4 the source cannot be had here.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle/kernels
SOURCES=${CACHE%/kernels}/source

say() { echo "kernel-source.sh: $*" >&2; }

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$HERE/../job-lib.sh"
# shellcheck source-path=SCRIPTDIR source=kernel-apt.sh
. "$HERE/kernel-apt.sh"

[ $# -ge 2 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
package=linux-source-$1
shift
mkdir -p "$CACHE" "$SOURCES"
take_lock "$CACHE/lock" "$package"

key=$(printf '%s\n' "$package" "$@" | sha256sum | cut -c1-16)
if apt_open release; then
	version=$(apt_run apt-cache policy "$package" | awk '$1 == "Candidate:" { print $2 }')
	final=$SOURCES/$package-${version//:/-}-$key
else
	# without a network, the newest that is cached
	final=$(find "$SOURCES" -maxdepth 1 -name "$package-*-$key" | sort -V | tail -n 1)
	[ -n "$final" ] || { say "cannot get $package, and it is not cached"; exit 4; }
fi

if [ ! -d "$final" ]; then
	WORK=$(mktemp -d "$SOURCES/.new.XXXXXX")
	say "fetching $package"
	fetch "$WORK/deb" "$package" || exit 4
	mkdir "$WORK/tree"
	tar -xf "$WORK/deb/usr/src/$package.tar.xz" -C "$WORK/tree" \
		--strip-components=1 "${@/#/$package/}"
	chmod 755 "$WORK/tree"
	mv "$WORK/tree" "$final"
fi
echo "$final"
