#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Gets Debian kernels without root and without installing them, and builds
# modules against them.
#
# Usage: kernel.sh get SERIES              print the kernel's directory
#        kernel.sh make SERIES|DIR ARG...  make -C DIR/build <make.args> ARG...
#        kernel.sh -h
#
# SERIES is 6.1, 6.12 (any series this Debian release offers) or newest (the
# kernel of Debian unstable). The directory holds
#   release            the kernel release, as in uname -r
#   vmlinuz            the kernel to boot
#   lib/modules/REL/   modules, after depmod
#   build              a KDIR for external modules
#   make.args          further arguments for make -C build (one line)
# and is kept in ${XDG_CACHE_HOME:-~/.cache}/lle/kernels. The package lists are
# kept there too and refreshed every LLE_KERNEL_HOURS (12) hours; between
# refreshes, and without a network, a cached kernel is used.
#
# Exit status: 0; 1 wrong use or a broken package; 4 this kernel cannot be had
# here (reason on stderr; a caller reports it as a skip); make's own.

set -euo pipefail

PATH+=:/usr/sbin:/sbin		# depmod, for users other than root
HERE=$(dirname "$(readlink -f "$0")")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle/kernels

say() { echo "kernel.sh: $*" >&2; }
die() { local rc=$1; shift; say "$*"; exit "$rc"; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$HERE/../job-lib.sh"
# shellcheck source-path=SCRIPTDIR source=kernel-apt.sh
. "$HERE/kernel-apt.sh"

# Prints host programs of kbuild that this machine's C library cannot run (those
# of a newer Debian), one a line.
foreign_programs() {
	local prog

	find "$1/usr/lib" -path '*linux-kbuild*' -type f -perm -u+x |
	while read -r prog; do
		# not grep -q: it does not wait for ldd, which then fails
		! ldd "$prog" 2>&1 | grep 'not found' >/dev/null || echo "$prog"
	done
}

# Downloads everything. A failure has no side effects except for WORK.
download() {
	local image=$1 headers=${1/image/headers} pkgs libs

	rm -rf "$CACHE"/.new.*		# left by a killed run; we hold the lock
	WORK=$(mktemp -d "$CACHE/.new.XXXXXX") || return 1
	mapfile -t pkgs < <(depends "$image" "$headers" |
		grep -E '^linux-(base|binary|modules|headers|kbuild)-[0-9]' | sort -u)
	fetch "$WORK" "$image" "$headers" "${pkgs[@]}" || return 1
	[ -n "$(foreign_programs "$WORK")" ] || return 0
	mapfile -t libs < <(printf '%s\n' "${pkgs[@]}" | grep '^linux-kbuild-' |
		depends | grep -E '^(lib|zlib)')
	fetch "$WORK/runtime" "${libs[@]}" libzstd1
}

# Makes them run through the loader and the libraries of their own release.
wrap_foreign_programs() {
	local final=$1 libs prog

	foreign_programs "$WORK" | while read -r prog; do
		libs=$(cd "$WORK" && echo runtime/usr/lib/*-linux-gnu)
		mv "$prog" "$prog.bin"
		cat >"$prog" <<-WRAP
			#!/bin/sh
			L=$final/$libs
			exec "\$L/ld-linux-x86-64.so.2" --argv0 "\$0" --library-path "\$L" "\$0.bin" "\$@"
		WRAP
		chmod +x "$prog"
	done
}

# Prints the kernel's own compiler if it is installed, else gcc.
compiler_of() {
	local cc

	cc=$(sed -n 's/^CC *=.*)\(gcc-[0-9]*\)$/\1/p' "$1/.kernelvariables")
	if command -v "${cc:-gcc}" >/dev/null; then
		echo "${cc:-gcc}"
	else
		echo gcc
	fi
}

# Removes options that an older compiler lacks: none of these changes a
# structure or a calling convention.
fit_config() {
	local build=$1 cc=$2 option lacks=()

	"$cc" -fmin-function-alignment=16 -E -x c /dev/null >/dev/null 2>&1 ||
		lacks+=(CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT)
	echo 'struct s { int n; char a[] __attribute__((counted_by(n))); };' |
		"$cc" -Werror -fsyntax-only -x c - 2>/dev/null ||
		lacks+=(CONFIG_CC_HAS_COUNTED_BY)
	echo 'struct s { int n; char *a __attribute__((counted_by(n))); };' |
		"$cc" -Werror -fsyntax-only -x c - 2>/dev/null ||
		lacks+=(CONFIG_CC_HAS_COUNTED_BY_PTR)
	for option in "${lacks[@]}"; do
		sed -i "/^$option=y\$/d" "$build/include/config/auto.conf"
		sed -i "/^#define $option 1\$/d" "$build/include/generated/autoconf.h"
	done
}

make_args() {
	local build=$1 cc=$2 args=()

	[ "$cc" != gcc ] || args+=(CC=gcc)
	# BTF of modules needs pahole, and we do not use it
	if grep -q '^CONFIG_DEBUG_INFO_BTF_MODULES=y' "$build/.config"; then
		args+=(CONFIG_DEBUG_INFO_BTF_MODULES=)
	fi
	echo "${args[*]}"
}

# Arranges the files in WORK, beside the final directory, and renames it last.
assemble() {
	local series=$1 release=$2 version=$3
	local final=$CACHE/$release headers=linux-headers-$release cc

	cd "$WORK"
	chmod 755 .
	if [ ! -d lib/modules ]; then
		mkdir -p lib
		mv usr/lib/modules lib/modules
	fi
	if [ -e "boot/vmlinuz-$release" ]; then
		mv "boot/vmlinuz-$release" vmlinuz
	else
		mv "lib/modules/$release/vmlinuz" vmlinuz
	fi
	rm -rf boot usr/share
	sed -i "s|/usr/src/|$final/usr/src/|g" "usr/src/$headers/Makefile"
	ln -s "usr/src/$headers" build
	ln -sfn ../../../build "lib/modules/$release/build"
	rm -f "lib/modules/$release/source"
	depmod -b . "$release"
	wrap_foreign_programs "$final"
	cc=$(compiler_of build)
	fit_config build "$cc"
	make_args build "$cc" >make.args
	echo "$release" >release
	echo "$series" >series
	echo "$version" >complete
	rm -rf "$final"
	mv "$WORK" "$final"
	WORK=
}

newest_cached() {
	local dir

	for dir in "$CACHE"/*/; do
		if [ -e "$dir/complete" ] && [ "$(cat "$dir/series")" = "$1" ]; then
			basename "$dir"
		fi
	done | sort -V | tail -n 1
}

get() {
	local series=$1 flavour=release image='' version release

	command -v apt-get >/dev/null || die 4 "no apt here: kernels are taken from Debian packages"
	[ "$series" != newest ] || flavour=unstable
	mkdir -p "$CACHE"
	take_lock "$CACHE/lock" "kernel $series"
	if apt_open "$flavour"; then
		image=$(image_of "$series")
		[ -n "$image" ] || say "these apt sources have no $series kernel"
	fi
	if [ -n "$image" ]; then
		release=${image#linux-image-}
		version=$(apt_run apt-cache show "$image" | awk '$1 == "Version:" { print $2; exit }')
		if [ "$(cat "$CACHE/$release/complete" 2>/dev/null)" = "$version" ]; then
			echo "$CACHE/$release"
			return
		fi
		say "fetching $image $version"
		if download "$image"; then
			assemble "$series" "$release" "$version"
			echo "$CACHE/$release"
			return
		fi
	fi
	release=$(newest_cached "$series")
	[ -n "$release" ] || die 4 "cannot get a $series kernel, and none is cached"
	say "using the cached $release"
	echo "$CACHE/$release"
}

case ${1:-} in
-h | --help) usage ;;
get)
	[ $# -eq 2 ] || { usage >&2; exit 1; }
	get "$2"
	;;
make)
	[ $# -ge 2 ] || { usage >&2; exit 1; }
	dir=$2
	if [ ! -e "$dir/release" ]; then
		dir=$("$0" get "$2")
	fi
	read -ra args <"$dir/make.args" || true
	shift 2
	exec make -C "$dir/build" "${args[@]}" "$@"
	;;
*) usage >&2; exit 1 ;;
esac
