#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds kernels that run as a process (User Mode Linux) from Debian's source
# packages, without root and without installing them.
#
# Usage: uml.sh get NAME     print the kernel's directory
#        uml.sh -h
#
# NAME is
#   lab    Linux 6.1 in virtual time: sleeping costs nothing, and a run can be
#          repeated byte for byte
#   debug  the same with KASAN, lockdep, kmemleak, UBSAN
#   race   the kernel of Debian unstable with several CPUs, KASAN, lockdep
#   kcsan  the same with KCSAN instead: data races
#
# The directory is like that of kernel.sh, with the executable linux instead of
# vmlinuz. It is kept in ${XDG_CACHE_HOME:-~/.cache}/lle/uml/NAME-HASH; HASH is
# that of all inputs. A new kernel replaces the old one. Without a network, uses
# a cached one.
#
# Exit status: 0; 1 wrong use or a failed build; 4 this kernel cannot be had
# here (reason on stderr; a caller reports it as a skip).

set -euo pipefail

PATH+=:/usr/sbin:/sbin		# depmod, for users other than root
HERE=$(dirname "$(readlink -f "$0")")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle/kernels	# the package lists
KERNELS=${CACHE%/kernels}/uml

declare -A SERIES=([lab]=6.1 [debug]=6.1 [race]=newest [kcsan]=newest)
declare -A PARTS=(
	[lab]='time.patch next-event.patch seed.patch random.patch exitkill.patch speed.patch fault-around.patch fork.patch fp.patch xstate.patch base.config lab.config'
	[debug]='time.patch next-event.patch seed.patch random.patch exitkill.patch speed.patch rcu.patch cheap-trace.patch shadow.patch fault-around.patch fork.patch fp.patch xstate.patch base.config debug.config'
	[race]='lazy-ipi.patch softirq.patch cheap-trace.patch base.config race.config'
	[kcsan]='lazy-ipi.patch softirq.patch cheap-trace.patch kcsan.patch base.config kcsan.config'
)

say() { echo "uml.sh: $*" >&2; }
die() { local rc=$1; shift; say "$*"; exit "$rc"; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# shellcheck source-path=SCRIPTDIR source=../scripts/job-lib.sh
. "$HERE/../scripts/job-lib.sh"
# shellcheck source-path=SCRIPTDIR source=../scripts/vm/kernel-apt.sh
. "$HERE/../scripts/vm/kernel-apt.sh"

# Sets package and version of the source; fails if the lists cannot be had.
find_source()
{
	local series=$1 flavour=release LOCK image

	[ "$series" != newest ] || flavour=unstable
	take_lock "$CACHE/lock" "the package lists"
	apt_open "$flavour" || return 1
	if [ "$series" = newest ]; then
		image=$(image_of newest)
		series=$(sed -n 's/^linux-image-\([0-9]*\.[0-9]*\).*/\1/p' <<<"$image")
	fi
	package=linux-source-$series
	version=$(apt_run apt-cache policy "$package" | awk '$1 == "Candidate:" { print $2 }')
	exec {LOCK}>&-
	[ -n "$version" ]
}

hash_of()
{
	{
		echo "$package $version ${PARTS[$1]}"
		gcc --version | head -n 1
		ld --version | head -n 1
		cd "$HERE/uml"
		# shellcheck disable=SC2086 # a list of words
		cat "$HERE/uml-build.sh" ${PARTS[$1]}
	} | sha256sum | cut -c1-16
}

cached() { find "$KERNELS" -mindepth 2 -maxdepth 2 -path "$KERNELS/$1-*/complete" -printf '%h\n'; }

build()
{
	local name=$1 final=$2 tool old LOCK

	for tool in gcc make flex bison bc patch depmod; do
		command -v "$tool" >/dev/null ||
			die 4 "$tool is not installed (see scripts/deps.sh uml)"
	done
	rm -rf "$KERNELS"/.new.*	# left by a killed run; we hold the lock
	WORK=$(mktemp -d "$KERNELS/.new.XXXXXX")
	chmod 755 "$WORK"
	say "fetching $package $version"
	take_lock "$CACHE/lock" "the source of $name"
	fetch "$WORK/deb" "$package" || die 4 "cannot get $package"
	exec {LOCK}>&-
	# in the background it ignores ctrl-C: else it would end at once, and
	# its compilers would continue without it
	# shellcheck disable=SC2086 # a list of words
	"$HERE/uml-build.sh" "$WORK/deb/usr/src/$package.tar.xz" "$WORK" ${PARTS[$name]} &
	wait $! || exit
	rm -rf "$WORK/deb"
	echo "$package $version" >"$WORK/complete"
	for old in "$KERNELS/$name"-*; do
		rm -rf "$old"
	done
	mv "$WORK" "$final"
	WORK=
}

get()
{
	local name=$1 final package='' version=''

	command -v apt-get >/dev/null || die 4 "no apt here: the source is taken from a Debian package"
	mkdir -p "$CACHE" "$KERNELS"
	if ! find_source "${SERIES[$name]}"; then
		final=$(cached "$name" | head -n 1)
		[ -n "$final" ] || die 4 "cannot get the source of $name, and it is not cached"
		say "using the cached ${final##*/}"
		echo "$final"
		return
	fi
	final=$KERNELS/$name-$(hash_of "$name")
	if [ ! -e "$final/complete" ]; then
		take_lock "$KERNELS/lock" "the build of $name"
		[ -e "$final/complete" ] || build "$name" "$final"
		exec {LOCK}>&-
	fi
	echo "$final"
}

case ${1:-} in
-h | --help) usage ;;
get)
	if [ $# -ne 2 ] || [ -z "${SERIES[$2]:-}" ]; then
		usage >&2
		exit 1
	fi
	get "$2"
	;;
*) usage >&2; exit 1 ;;
esac
