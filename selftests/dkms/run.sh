#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# DKMS builds the modules of the package lossless-dkms for each kernel, as it does
# on a machine that has it, and they load there. Prints TAP 13.
#
# Usage: run.sh PACKAGE.deb
#
# Exit status: 0; 1 something failed.

# shellcheck disable=SC2317 # passes calls them
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
package=$(readlink -f "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

suite=dkms
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

version=$(dpkg-deb -f "$package" Version)
dpkg-deb -x "$package" "$tmp/root"

# builds RELEASE KDIR ARG...: the modules are in $tmp/RELEASE
builds()
{
	local release=$1 kdir=$2
	local trees=(--dkmstree "$tmp/dkms" --sourcetree "$tmp/root/usr/src" --installtree "$tmp/inst")

	shift 2
	# as the command line of make, for headers of another Debian
	MAKEFLAGS="-- $*" dkms build "${trees[@]}" -m lossless -v "$version" -k "$release" \
		--kernelsourcedir "$kdir" || { cat "$tmp/dkms/lossless/$version/build/make.log"; return 1; }
	mkdir -p "$tmp/$release"
	find "$tmp/dkms/lossless/$version/$release" -name '*.ko*' -exec cp {} "$tmp/$release" \;
	xz -d "$tmp/$release"/*.xz 2>/dev/null || :
	[ "$(find "$tmp/$release" -name '*.ko' | wc -l)" -eq 3 ]
}

small() { ! find "$tmp/$1" -size +1000k | grep .; }

# loads SERIES RELEASE
loads()
{
	# shellcheck disable=SC2016 # for the guest
	timeout 300 "$root/scripts/vm/run.sh" -k "$1" -o "$tmp/vm" -m dummy -f "$tmp/$2:/mods" -- \
		bash -c 'insmod /mods/lossless.ko && insmod /mods/sch_lossless.ko && insmod /mods/tcp_ldcp.ko &&
			[ "$(cat /sys/module/lossless/version)" = "$1" ] && ip link add d0 type dummy &&
			tc qdisc add dev d0 root lossless' bash "$version"
}

echo "TAP version 13"
mkdir -p "$tmp/dkms" "$tmp/inst"
for series in 6.1 6.12 newest; do
	if ! kernel=$("$root/scripts/vm/kernel.sh" get "$series" 2>"$tmp/why"); then
		skip "$series: builds" "$(tail -n 1 "$tmp/why")"
		continue
	fi
	release=$(<"$kernel/release")
	read -ra args <"$kernel/make.args"
	passes "$series: builds, $release" builds "$release" "$kernel/build" "${args[@]}"
	passes "$series: less than 1 MB each" small "$release"
	passes "$series: loads" loads "$series" "$release"
done
end
