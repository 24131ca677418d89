#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Packs a guest's initramfs from this machine's programs and a kernel's
# modules; needs no root.
#
# Usage: mkinitramfs.sh -K KERNELDIR [-m MODULE]... [-b BINARY]...
#                       [-f SRC:DST]... -o OUT
#
#  -K  directory made by kernel.sh or uml.sh
#  -m  module to pack, with its dependencies: a name from that kernel, or the
#      path of a .ko of our own. It is packed, not loaded: modprobe and the
#      kernel's autoload find it.
#  -b  program to pack with its libraries: a name, or a path (goes to /usr/bin)
#  -f  file or directory to pack as DST; symbolic links are followed
#  -o  the image, uncompressed cpio archives: an emulated CPU needs more time to
#      unpack a compressed one than to read a larger one
#  -h  this text
#
# -b losslessctl adds its commands in Python, which need -b python3.
# -m rdma_rxe adds the user-space part of Soft-RoCE, and -b python3 its library.
#
# The image is three archives; the kernel unpacks one after the other: what all
# guests have, programs and modules, files. The first two take some 400 processes
# to pack, and are kept in ${XDG_CACHE_HOME:-~/.cache}/lle/guest until a file of
# theirs, or any package of this machine, changes.

set -euo pipefail

# Wrappers of the user (pyenv, ~/bin) would not run in the guest.
PATH=/usr/sbin:/usr/bin:/sbin:/bin

# Some are here although busybox has them, as its versions lack features that
# scripts use: date +%N, sleep 0.1, sort -V, stat -c, sync FILE, grep -P, ...
COMMON=(bash date sleep timeout flock sort stat dd tail sync mktemp stty cmp
	grep sed awk find dmesg ps pgrep pkill unshare nsenter setpriv
	ip tc bridge dcb rdma ethtool nstat ss ping sysctl tcpdump jq kmod)
MODULES=() PROGRAMS=()
HERE=$(dirname "$(readlink -f "$0")")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle/guest

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$HERE/../job-lib.sh"

die() { echo "mkinitramfs.sh: $*" >&2; exit 1; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# begin DIR: all that follows goes to DIR, the guest's /
begin() {
	ROOT=$1 ELF=()
	mkdir -p "$ROOT"/usr/{bin,sbin,lib,lib64}
	chmod 755 "$ROOT"
	ln -s usr/{bin,sbin,lib,lib64} "$ROOT/"
}

make_tree() {
	mkdir -p "$ROOT"/{dev,proc,sys,tmp,run,root,etc,var,lle/dev,out,mnt}
	ln -s /run "$ROOT/var/run"
	ln -s /proc/self/mounts "$ROOT/etc/mtab"
	ln -s /proc/self/fd "$ROOT/lle/dev/fd"
	ln -s fd/0 "$ROOT/lle/dev/stdin"
	ln -s fd/1 "$ROOT/lle/dev/stdout"
	ln -s fd/2 "$ROOT/lle/dev/stderr"
	printf '%s 0 0\n' 'proc /proc proc rw' 'sys /sys sysfs rw' 'dev /dev devtmpfs rw' \
		'debug /sys/kernel/debug debugfs rw' 'trace /sys/kernel/tracing tracefs rw' \
		'tmp /tmp tmpfs mode=1777' 'run /run tmpfs mode=755' \
		'out /out tmpfs mode=755,size=75%' >"$ROOT/etc/fstab"
	# tcpdump changes from root to the user tcpdump, which could not write
	# to the output folder: here that user is root.
	printf '%s\n' root:x:0:0::/root:/bin/bash tcpdump:x:0:0::/root:/bin/bash \
		nobody:x:65534:65534::/:/bin/false >"$ROOT/etc/passwd"
	printf '%s\n' root:x:0: tcpdump:x:0: nogroup:x:65534: >"$ROOT/etc/group"
	echo '127.0.0.1 localhost' >"$ROOT/etc/hosts"
	printf '%s: files\n' passwd group hosts services >"$ROOT/etc/nsswitch.conf"
}

# Copies a file of the host to the same place in the guest.
same_place() {
	mkdir -p "$ROOT${1%/*}"
	cp -L "$1" "$ROOT$1"
}

add_python_library() {
	local lib

	lib=$(readlink -f "$(type -P python3)") || die "python3 is not installed"
	lib=/usr/lib/${lib##*/}
	tar -C / -ch --exclude=test --exclude='config-*' --exclude=ensurepip \
		--exclude=idlelib --exclude=dist-packages "${lib#/}" | tar -C "$ROOT" -x
	ELF+=("$lib"/lib-dynload/*.so)
}

# add_programs NAME...
add_programs() {
	local name path

	for name; do
		if [[ $name == */* ]]; then
			cp -L "$name" "$ROOT/usr/bin/"
			ELF+=("$name")
			[[ $name != */losslessctl ]] || cp -r "${name%/*}/../lib/lossless" "$ROOT/usr/lib/"
			continue
		fi
		path=$(type -P "$name") || die "$name is not installed (see scripts/deps.sh vm)"
		same_place "$path"
		ELF+=("$path")
		[ "$name" != python3 ] || add_python_library
	done
}

add_busybox() {
	local path name

	path=$(type -P busybox) || die "busybox is not installed (see scripts/deps.sh vm)"
	cp "$path" "$ROOT/usr/bin/busybox"
	ln -s bash "$ROOT/usr/bin/sh"	# busybox sh prefers its own applets
	"$path" --install -s "$ROOT/usr/bin" 2>/dev/null || :	# what the machine has not
	for name in modprobe insmod rmmod lsmod modinfo depmod; do
		# /sbin/modprobe is what the kernel calls for autoload
		ln -s ../bin/kmod "$ROOT/usr/sbin/$name"
	done
}

add_tc() {
	local dir

	for dir in /usr/lib/*-linux-gnu/tc /etc/iproute2; do
		[ ! -d "$dir" ] || { mkdir -p "$ROOT$dir"; cp -rL "$dir/." "$ROOT$dir/"; }
	done
}

# Files that libibverbs and the kernel look for only at run time
add_rdma() {
	local name lib

	[ -e /etc/libibverbs.d/rxe.driver ] || die "no Soft-RoCE provider (see scripts/deps.sh demo)"
	same_place /etc/libibverbs.d/rxe.driver
	for lib in /usr/lib/*-linux-gnu/libibverbs/librxe-*.so; do
		same_place "$lib"
		ELF+=("$lib")
	done
	for name in ib_uverbs rdma_ucm crc32_generic crc32-pclmul; do
		! show_depends "$name" >/dev/null 2>&1 || MODULES+=("$name")
	done
}

add_libraries() {
	local lib list missing

	list=$(ldd "${ELF[@]}" 2>/dev/null || true)
	missing=$(awk '/not found/ { print $1 }' <<<"$list" | sort -u | tr '\n' ' ')
	[ -z "$missing" ] || die "libraries not found: $missing"
	{
		awk '$2 == "=>" && $3 ~ /^\// { print $3 }
		     $1 ~ /^\// && $2 ~ /^\(/ { print $1 }' <<<"$list"
		# pthread_cancel() and exceptions load it with dlopen()
		ls /lib/*-linux-gnu/libgcc_s.so.1
	} | sort -u | while read -r lib; do
		same_place "$lib"
	done
}

# Ignores the host's modprobe.d: the guest has none.
show_depends() {
	modprobe -C /dev/null -d "$KERNEL" -S "$RELEASE" --show-depends -a "$@"
}

add_modules() {
	local name names=() own=' ' built depends file paths
	local dir=$ROOT/lib/modules/$RELEASE

	mkdir -p "$dir/extra"
	cp "$KERNEL/lib/modules/$RELEASE"/modules.{order,builtin,builtin.modinfo} "$dir/"
	for name in "${MODULES[@]}"; do
		[[ $name == *.ko ]] || { names+=("$name"); continue; }
		built=$(modinfo -F vermagic "$name")
		[ "${built%% *}" = "$RELEASE" ] ||
			die "$name was built for ${built%% *}, not for $RELEASE"
		cp "$name" "$dir/extra/"
		own+="$(modinfo -F name "$name") "
	done
	for file in "$dir"/extra/*.ko; do
		[ -e "$file" ] || continue
		depends=$(modinfo -F depends "$file")
		for name in ${depends//,/ }; do
			[[ $own == *" $name "* ]] || names+=("$name")
		done
	done
	paths=
	[ ${#names[@]} -eq 0 ] || paths=$(show_depends "${names[@]}") ||
		die "no such module in $RELEASE"
	awk '$1 == "insmod" { print $2 }' <<<"$paths" | sort -u |
	while read -r file; do
		mkdir -p "$ROOT$(dirname "${file#"$KERNEL"}")"
		cp "$file" "$ROOT${file#"$KERNEL"}"
	done
	# once here, not at each load by an emulated CPU
	find "$dir" -name '*.ko.xz' -exec xz -d {} +
	find "$dir" -name '*.ko.zst' -exec zstd -q -d --rm {} +
	depmod -b "$ROOT" "$RELEASE"
}

add_files() {
	local spec src dst

	for spec in "${FILES[@]}"; do
		src=${spec%%:*} dst=$ROOT/${spec#*:}
		[[ $spec == *:* ]] || die "-f wants SRC:DST, not $spec"
		[ -e "$src" ] || die "$src: no such file"
		[[ $dst != */ ]] || dst+=${src##*/}
		mkdir -p "${dst%/*}"
		if [ -d "$src" ]; then
			mkdir -p "$dst"
			cp -rL "$src/." "$dst/"
		else
			cp -L "$src" "$dst"
		fi
	done
}

# The same contents give the same archive, for any user and time.
pack() {
	(cd "$ROOT" && find . -exec touch -h -d @0 {} + &&
		find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --reproducible --quiet)
}

# kept FUNCTION PATH...: prints the archive that FUNCTION makes of these files and
# of files of packages, which also have the libraries
kept() {
	local make=$1 key new

	shift
	key=$({
		echo "$make $KERNEL ${MODULES[*]} ${PROGRAMS[*]}"
		find -L "$@" "$HERE"/{mkinitramfs.sh,guest-init} /var/lib/dpkg/status /etc/ld.so.cache \
			-printf '%p %s %T@\n' || :
	} 2>/dev/null | sha256sum)
	key=${key%% *}
	! cat "$CACHE/$key" 2>/dev/null || return 0
	begin "$WORK/$make"
	"$make"
	pack >"$WORK/$make.cpio"
	cat "$WORK/$make.cpio"
	# without a cache, each image is packed whole
	new=$({ mkdir -p "$CACHE" && mktemp "$CACHE/.new.XXXXXX"; } 2>/dev/null) || return 0
	cp "$WORK/$make.cpio" "$new"
	mv "$new" "$CACHE/$key"
	find "$CACHE" -type f -mtime +1 -delete
}

# What all guests have
common() {
	make_tree
	add_programs "${COMMON[@]}"
	add_busybox
	add_libraries
}

# Programs and modules of this guest
own() {
	[ ${#PROGRAMS[@]} -eq 0 ] || add_programs "${PROGRAMS[@]}"
	add_tc
	[[ " ${MODULES[*]} " != *" rdma_rxe "* ]] || add_rdma
	[ ${#ELF[@]} -eq 0 ] || add_libraries
	add_modules
	install -m 755 "$HERE/guest-init" "$ROOT/init"
}

# Prints the paths of what own() packs and no package has.
own_paths() {
	local name

	for name in "${MODULES[@]}" "${PROGRAMS[@]}"; do
		[[ $name != */* ]] || echo "$name"
		[[ $name != */losslessctl ]] || echo "${name%/*}/../lib/lossless"
	done
	ls -d /usr/lib/*-linux-gnu/tc /etc/iproute2 "$KERNEL/complete" 2>/dev/null || :
}

KERNEL='' OUT=''
FILES=() ELF=()
while getopts K:m:b:f:o:h opt; do
	case $opt in
	K) KERNEL=$OPTARG ;;
	m) MODULES+=("$OPTARG") ;;
	b) PROGRAMS+=("$OPTARG") ;;
	f) FILES+=("$OPTARG") ;;
	o) OUT=$OPTARG ;;
	h) usage; exit 0 ;;
	*) usage >&2; exit 1 ;;
	esac
done
if [ -z "$KERNEL" ] || [ -z "$OUT" ]; then
	usage >&2
	exit 1
fi
[ -r "$KERNEL/release" ] || die "$KERNEL was not made by kernel.sh"
KERNEL=$(readlink -f "$KERNEL")
RELEASE=$(<"$KERNEL/release")
# for guest-init, to reach the host; User Mode Linux uses hostfs
[ -e "$KERNEL/linux" ] || MODULES+=(virtio_pci virtio_blk)

WORK=$(mktemp -d)
mapfile -t common_paths < <(type -P "${COMMON[@]}" busybox)
mapfile -t own_paths < <(own_paths)
{
	# shellcheck disable=SC2030 # the archive depends on nothing of this guest
	(KERNEL='' MODULES=() PROGRAMS=() && kept common "${common_paths[@]}")
	kept own "${own_paths[@]}"
	begin "$WORK/files"
	add_files
	pack
} >"$OUT"
