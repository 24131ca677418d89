#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Installs the Debian packages that the tree's tools need. If they are
# installed, does nothing, and needs neither root nor a network. Waits for
# another apt, ten minutes at most.
#
# Usage: deps.sh SET...    install these sets
#        deps.sh -l        list the sets
#        deps.sh -h
#
# Exit status: 0 all are installed; 1 some are not, or this is not Debian.

set -euo pipefail

declare -A SETS=(
	# the modules, the tc plugin, losslessctl, losslessd, lle-testbed, test
	# tools
	[build]='gcc libc6-dev make kmod libmnl-dev libnl-route-3-dev libnl-genl-3-dev
		libjson-c-dev libsystemd-dev libconfuse-dev
		libmicrohttpd-dev libtraceevent-dev python3-yaml python3-docutils'
	# kernel.sh; the libraries are for the tools in kernel packages
	[kernel]='gcc make kmod libelf1 libssl3 debian-archive-keyring'
	# vm/run.sh: qemu, and programs for the guest; package.sh gets lldpad,
	# which would run here if it were installed
	[vm]='qemu-system-x86 busybox-static cpio kmod xz-utils zstd iproute2
		procps iputils-ping ethtool tcpdump jq python3 curl trace-cmd socat'
	# uml.sh, in addition to the set vm
	[uml]='gcc libc6-dev make flex bison bc patch kmod xz-utils
		debian-archive-keyring'
	# cross.sh, and the programs built with it, which qemu runs
	[cross]='gcc-i686-linux-gnu gcc-arm-linux-gnueabihf gcc-aarch64-linux-gnu
		gcc-s390x-linux-gnu libc6-dev-i386-cross libc6-dev-armhf-cross
		libc6-dev-s390x-cross qemu-user'
	# plots and pages of the lab
	[lab]='graphviz jq python3 python3-jinja2 python3-matplotlib'
	# programs in the test of the lab's scenario run
	[run]='iperf3 nginx-light curl redis-server redis-tools iputils-ping python3 jq
		nftables openssl ngtcp2-client ngtcp2-server'
	# a cluster of one node, to test sweeps
	[slurm]='slurm-wlm munge'
	# parts of a network on several machines
	[mpi]='libopenmpi-dev openmpi-bin slurm-wlm munge'
	# RDMA over the lossless switch, with plots
	[demo]='perftest ibverbs-providers libibverbs1 rdma-core iperf3 tshark
		gnuplot-nox graphviz python3-jinja2'
	# shell.sh: programs for the guest, and files of topologies
	[shell]='perftest ibverbs-providers libibverbs1 rdma-core iperf3 tmux less
		python3-yaml python3-networkx'
	# deb.sh
	[deb]='mmdebstrap autopkgtest qemu-system-x86 qemu-utils debhelper dh-dkms dkms dpkg-dev fakeroot lintian'
	# a browser for tests of the pages of lab, sweeps and demo
	[pages]='chromium chromium-driver python3-selenium'
	# check.sh, and host-side tests in Python
	[tests]='perl python3-pytest python3-yaml python3-jinja2 ccache'
	# the kernel's own tests, in addition to the set vm
	[upstream]='netsniff-ng bc'
	# a compiler for the newest kernel
	[clang]='clang-19'
	# patches for a kernel (make upstream), their test, and kselftest
	[series]='unifdef git patch perl python3 rsync'
	# static checks, a model checker, fuzzing, losslessctl, lle-topology,
	# valgrind with symbols of libc, and a decoder for our frames
	[check]='sparse spin shellcheck clang libclang-rt-14-dev mandoc
		python3-networkx python3-jsonschema pkg-config valgrind libc6-dbg tshark'
)

die() { echo "deps.sh: $*" >&2; exit 1; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# run_apt ARG...: apt-get, as root, again and again while another apt has a lock.
# DPkg::Lock::Timeout does not cover the lock of the package lists.
run_apt() {
	local log end=$((SECONDS + 600)) rc=0

	log=$(mktemp)
	until "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
			apt-get -q "$@" 2>"$log"; do
		if [ $SECONDS -ge $end ] || ! grep -q 'Could not get lock' "$log"; then
			rc=1
			break
		fi
		sed -n 's/^E: Could not get lock/deps.sh: waiting for/p' "$log" >&2
		sleep 10
	done
	cat "$log" >&2
	rm "$log"
	return $rc
}

is_debian() {
	# shellcheck source=/dev/null
	command -v apt-get >/dev/null && [ "$(. /etc/os-release && echo "$ID")" = debian ]
}

case ${1:-} in
'') usage >&2; exit 1 ;;
-h | --help) usage; exit 0 ;;
-l)
	for set in "${!SETS[@]}"; do
		read -rd '' -a names <<<"${SETS[$set]}" || true
		echo "$set: ${names[*]}"
	done | sort
	exit 0
	;;
esac

wanted=()
for set in "$@"; do
	[ -n "${SETS[$set]:-}" ] || die "no set '$set'; there are: ${!SETS[*]}"
	read -rd '' -a names <<<"${SETS[$set]}" || true
	wanted+=("${names[@]}")
done
mapfile -t wanted < <(printf '%s\n' "${wanted[@]}" | sort -u)
is_debian || die "this is not Debian; install what these Debian packages hold: ${wanted[*]}"

missing=()
for name in "${wanted[@]}"; do
	# shellcheck disable=SC2016 # a format of dpkg's
	status=$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null || true)
	[ "$status" = installed ] || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || die "neither root nor sudo; missing: ${missing[*]}"
	as_root=(sudo)
fi
echo "deps.sh: installing ${missing[*]}" >&2
run_apt update
run_apt install -y --no-install-recommends "${missing[@]}"
