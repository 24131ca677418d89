#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Gets Debian's kernel headers to build modules of Linux 6.1 for another
# architecture, without root and without installing them. Also libnl, for tests
# of programs.
#
# Usage: cross.sh get ARCH         print the directory
#        cross.sh compiler ARCH    print the name of the cross compiler
#        cross.sh -h
#
# ARCH is i386, armhf, arm64 or s390x. The directory is like that of kernel.sh,
# without a kernel to boot: release, build, make.args; it also has
# usr/include/libnl3 and usr/lib/libnl*.a. It is kept in
# ${XDG_CACHE_HOME:-~/.cache}/lle/cross/ARCH and never refreshed: its modules
# are not distributed.
#
# Exit status: 0; 1 wrong use; 4 the headers or the compiler cannot be had here
# (reason on stderr; a caller reports it as a skip).

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")

declare -A FLAVOURS=([i386]=686-pae [armhf]=armmp [arm64]=arm64 [s390x]=s390x)
declare -A TUPLES=([i386]=i686-linux-gnu [armhf]=arm-linux-gnueabihf
	[arm64]=aarch64-linux-gnu [s390x]=s390x-linux-gnu)

say() { echo "cross.sh: $*" >&2; }
die() { local rc=$1; shift; say "$*"; exit "$rc"; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$HERE/../job-lib.sh"
# shellcheck source-path=SCRIPTDIR source=../vm/kernel-apt.sh
. "$HERE/../vm/kernel-apt.sh"

# Sets packages to the headers and their dependencies, the architecture's own
# first. kbuild's programs are those of this machine.
find_packages()
{
	local meta=linux-headers-${FLAVOURS[$ARCH_TAG]}

	apt_open base || return 1
	mapfile -t packages < <(depends "$meta" | grep -m 1 '^linux-headers-6\.1\.')
	[ ${#packages[@]} -gt 0 ] || { say "there is no $meta of Linux 6.1"; return 1; }
	mapfile -t -O 1 packages < <(depends "${packages[0]}" | grep '^linux-headers-')
}

download()
{
	local final=$1 kernel headers

	kernel=$("$HERE/../vm/kernel.sh" get 6.1) || return 1
	find_packages || return 1
	say "fetching ${packages[*]}"
	fetch "$WORK" "${packages[@]}" libnl-3-dev libnl-genl-3-dev || return 1
	headers=usr/src/${packages[0]}
	mkdir -p "$WORK/usr/lib"
	mv "$WORK"/lib/*/libnl*.a "$WORK/usr/lib/" || return 1
	cp -a "$kernel"/usr/lib/linux-kbuild-6.1 "$WORK/usr/lib/" || return 1
	sed -i "s|/usr/src/|$final/usr/src/|g" "$WORK/$headers/Makefile" || return 1
	ln -s "$headers" "$WORK/build"
	# BTF of modules needs pahole, and we do not use it
	echo "CROSS_COMPILE=$tuple- CC=$tuple-gcc CONFIG_DEBUG_INFO_BTF_MODULES=" \
		>"$WORK/make.args"
	echo "${packages[0]#linux-headers-}" >"$WORK/release"
}

get()
{
	local tuple=${TUPLES[$1]} final packages
	local CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle/cross

	ARCH_TAG=$1
	final=$CACHE/$1
	command -v "$tuple-gcc" >/dev/null ||
		die 4 "no $tuple-gcc: gcc-$tuple is not installed (see scripts/deps.sh cross)"
	command -v apt-get >/dev/null || die 4 "no apt here: headers are taken from Debian packages"
	mkdir -p "$CACHE"
	take_lock "$CACHE/lock" "the headers of $1"
	if [ ! -e "$final/release" ]; then
		rm -rf "$CACHE"/.new.*	# left by a killed run; we hold the lock
		WORK=$(mktemp -d "$CACHE/.new.XXXXXX")
		chmod 755 "$WORK"
		download "$final" || die 4 "cannot get the kernel headers of $1"
		rm -rf "$final" "$STATE"
		mv "$WORK" "$final"
		WORK=
	fi
	echo "$final"
}

case ${1:-} in
-h | --help)
	usage
	exit
	;;
esac
if [ $# -ne 2 ] || [ -z "${TUPLES[$2]:-}" ]; then
	usage >&2
	exit 1
fi
case $1 in
get) get "$2" ;;
compiler) echo "${TUPLES[$2]}-gcc" ;;
*) usage >&2; exit 1 ;;
esac
