#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Gets the kernel's source, or parts of it for tools that no other package has.
#
# Usage: kernel-source.sh SERIES PATH...
#        kernel-source.sh -o DIR SERIES
#
# Takes the files and folders PATH, as named in the source, from the package
# linux-source-SERIES and prints their folder. It is kept in
# ${XDG_CACHE_HOME:-~/.cache}/lle/source, by version and PATHs. SERIES newest is
# that of Debian unstable.
#
# -o DIR: unpacks the whole source into DIR, unless that has it.
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

usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }

whole=
if [ "${1:-}" = -o ]; then
	[ $# -eq 3 ] || usage
	whole=$2
	shift 2
else
	[ $# -ge 2 ] || usage
fi
series=$1 flavour=release
shift
[ "$series" != newest ] || flavour=unstable
mkdir -p "$CACHE" "$SOURCES"
take_lock "$CACHE/lock" "linux-source-$series"

opened=
! apt_open $flavour || opened=y
if [ "$series" = newest ]; then
	series=$(image_of newest | sed -n 's/^linux-image-\([0-9]*\.[0-9]*\).*/\1/p')
	[ -n "$series" ] || { say "these apt sources have no newest kernel"; exit 4; }
fi
package=linux-source-$series
key=$(printf '%s\n' "$package" "$@" | sha256sum | cut -c1-16)
if [ -n "$whole" ]; then
	version=
	[ -z "$opened" ] ||
		version=$(apt_run apt-cache policy "$package" | awk '$1 == "Candidate:" { print $2 }')
	# without a network, the one that is there
	if [ ! -e "$whole/.complete" ] || [ "$(<"$whole/.complete")" != "${version:-$(<"$whole/.complete")}" ]; then
		[ -n "$version" ] || { say "cannot get $package"; exit 4; }
		WORK=$(mktemp -d "$SOURCES/.new.XXXXXX")
		say "fetching $package"
		fetch "$WORK/deb" "$package" || exit 4
		rm -rf "$whole"
		mkdir -p "$whole"
		tar -xf "$WORK/deb/usr/src/$package.tar.xz" -C "$whole" --strip-components=1
		echo "$version" >"$whole/.complete"
	fi
	echo "$whole"
	exit 0
fi
if [ -n "$opened" ]; then
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
