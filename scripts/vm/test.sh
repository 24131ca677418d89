#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a suite of tests in a virtual machine.
#
# Usage: test.sh [-k KERNEL] [-p KERNEL] [-o DIR] SUITE [NAME...]
#
# KERNEL is a series that kernel.sh knows (6.1), a name that uml.sh knows, or the
# folder of a User Mode Linux that has lossless itself (selftests/series).
#
# SUITE is
#   net	scenarios of selftests/net, those named or all. The guest counts
#	instructions as time: results do not depend on the load of this
#	machine, and sleeping costs nothing. With lab and debug time is
#	virtual instead; race and kcsan have two CPUs
#   smp	the scenario smp, with three CPUs. Time is this machine's
#   kselftest	the scenarios NAME by run.sh and, as selftests/kselftest/run.sh has
#	installed them, by the kernel's run_kselftest.sh
#   tdc	selftests/tc-testing with the kernel's tdc.py
#   upstream	selftests/upstream: the kernel's own tests, without and with
#	lossless
#   stress	selftests/race/stress.sh
#   pair	selftests/pair with NICs of these qemu models: two guests with a
#	cable, the second one with the kernel -p (default: that of the first).
#	Time is this machine's
#
# LLE_PLANT, LLE_LINES: of the scenario situations, see there. LLE_TESTS and
# LLE_LONG: see selftests/net/run.sh. LLE_MUTANTS: of selftests/mutants/border.py.
# LLE_TIMEOUT: seconds until the guest is killed (4500). LLE_WRAP=valgrind:
# losslessctl and losslessd run under valgrind (net). Prints TAP; files of the
# guest go to DIR (out/SUITE).
#
# Exit status: 0; 4 the kernel cannot be had here; else a test or step failed.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$(dirname "$HERE")")
series=${KERNEL:-6.1}
peer=
dir=

usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1; }
while getopts k:p:o:h opt; do
	case $opt in
	k) series=$OPTARG ;;
	p) peer=$OPTARG ;;
	o) dir=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
suite=$1
shift
dir=${dir:-$TOP/out/$suite}
mkdir -p "$dir"

modules=()
if [[ $series == */* ]]; then
	modules=(-m lossless -m sch_lossless)
	# the first series of patches has none
	! grep -qs tcp_ldcp "$series"/lib/modules/*/modules.{dep,builtin} || modules+=(-m tcp_ldcp)
else
	mods=$("$TOP/scripts/build.sh" "$series")
	for module in lossless sch_lossless lle_rnic tcp_ldcp; do
		modules+=(-f "$mods/$module.ko:/mods/$module.ko")
	done
	# the scenario lifecycle compares defaults with it, where the kernel has all options
	modules+=(-f "$TOP/build/man/tc-lossless.8:/usr/share/man/man8/tc-lossless.8")
fi
echo "vm/test.sh: building the programs of the guest" >&2
make -s -C "$TOP" guest man >&2

plugin=/usr/lib/x86_64-linux-gnu/tc
run=("$HERE/run.sh")
net=(-i -d e1000 -m e1000)
# add_devices GETTER: adds devices that may be below or above a port (scenario
# ports), and one that counts netlink (losslessd_scale), as far as this kernel
# has them as modules
add_devices()
{
	local kernel module

	[ "$suite" = net ] || return 0
	kernel=$("$TOP/$1" get "$series")
	for module in bonding team team_mode_{roundrobin,activebackup,loadbalance} \
			vxlan geneve ip_gre ip6_tunnel macvlan macvtap ipvlan vrf tun macsec br_netfilter \
			gcm ctr ghash_generic aes_generic act_mirred cls_bpf sch_tbf nlmon; do
		! modprobe -C /dev/null -d "$kernel" -S "$(<"$kernel/release")" \
			--show-depends "$module" >/dev/null 2>&1 || net+=(-m "$module")
	done
}
case $series in
lab | debug) run=("$TOP/lab/uml-run.sh" -M 2048) net=() && add_devices lab/uml.sh ;;
*/*) run=("$TOP/lab/uml-run.sh" -M 2048) net=() ;;
race | kcsan) run=("$TOP/lab/uml-run.sh" -M 2048 -s 2) net=() && add_devices lab/uml.sh ;;
*) add_devices scripts/vm/kernel.sh ;;
esac
args=(-k "$series" -t "${LLE_TIMEOUT:-4500}" -o "$dir" -m veth -m bridge -m 8021q -m dummy
	-m sch_ingress -m sch_fq -m cls_matchall -m cls_u32 -m act_gact -m tcp_diag
	"${modules[@]}"
	-f "$TOP/build/tc/q_lossless.so:$plugin/q_lossless.so"
	-m pktgen -b iperf3 -b python3 -b "$TOP/build/bin/lle_traffic" -b "$TOP/build/bin/lle_nlfuzz"
	-b "$TOP/build/bin/lle_genlfuzz" -b "$TOP/build/bin/lle_dcbmon"
	-b "$TOP/build/bin/lle_json" -b "$TOP/build/bin/lle_tcp" -b "$TOP/build/bin/lle_formats"
	-b "$TOP/build/bin/lle_redirect" -b "$TOP/build/bin/lle_tap"
	-b "$TOP/build/bin/lle_peer" -m tcp_dctcp
	-f "$TOP/build/bin/lle_fail.so:/usr/lib/lle_fail.so"
	-b "$TOP/build/bin/lle-testbed" -b "$TOP/build/bin/lle-topology" -b "$TOP/build/bin/lle-storm"
	-b "$TOP/build/bin/losslessctl" -b "$TOP/build/bin/losslessd" -b curl -b trace-cmd
	-f "$TOP/selftests:/selftests")

# Adds valgrind, and its wrapper for the programs. It needs symbols of
# the loader, which Debian has in libc6-dbg.
add_valgrind()
{
	local lib=/usr/libexec/valgrind id symbols name

	id=$(readelf -n /lib64/ld-linux-x86-64.so.2 | sed -n 's/.*Build ID: //p')
	symbols=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	if [ ! -e "$symbols" ] || [ ! -e $lib ]; then
		echo "vm/test.sh: valgrind or libc6-dbg is not installed (see scripts/deps.sh check)" >&2
		exit 4
	fi
	args+=(-b valgrind.bin -f "$symbols:$symbols")
	for name in memcheck-amd64-linux vgpreload_{core,memcheck}-amd64-linux.so default.supp; do
		args+=(-f "$lib/$name:$lib/$name")
	done
	for name in losslessctl losslessd; do
		args+=(-f "$TOP/build/bin/$name:/wrapped/$name"
			-f "$TOP/selftests/net/valgrind.sh:/usr/bin/$name")
	done
}

# Adds Mininet, libraries that lle-topology needs, the examples and their page, for
# the scenario mininet. What is missing, the scenario skips.
add_mininet()
{
	local packages=/usr/lib/python3/dist-packages doc=/usr/share/doc/lossless-testbed name mininet

	args+=(-f "$TOP/testbed/mininet/lossless_mininet.py:$packages/lossless_mininet.py"
		-f "$TOP/testbed/examples:$doc/examples"
		-f "$TOP/Documentation/guide/mininet.rst:$doc/mininet.rst")
	for name in yaml networkx; do
		[ ! -d $packages/$name ] || args+=(-f "$packages/$name:$packages/$name")
	done
	# if it were installed, it would bring switches and programs of its own
	if mininet=$("$HERE/package.sh" mininet net-tools); then
		args+=(-f "$mininet/usr/bin/mnexec:/usr/bin/mnexec"
			-f "$mininet/sbin/ifconfig:/usr/sbin/ifconfig"
			-f "$mininet/usr/sbin/arp:/usr/sbin/arp"
			-f "$mininet$packages/mininet:$packages/mininet")
	fi
}

# Adds Prometheus, our rules and the dashboard, for the scenario prometheus.
add_prometheus()
{
	local prometheus

	# installed, it would run here
	if prometheus=$("$HERE/package.sh" prometheus); then
		args+=(-b "$prometheus/usr/bin/prometheus" -f "$TOP/daemon/prometheus:/prometheus"
			-f "$TOP/build/gen/grafana.json:/prometheus/grafana.json")
	fi
}

# Adds what the scenarios situations and stack set up: tunnels, filters, and programs
# that configure them. What is missing, a scenario skips.
add_situations()
{
	local kernel name module lib=usr/lib/x86_64-linux-gnu programs ovs

	kernel=$("$TOP/scripts/vm/kernel.sh" get "$series") || return 0
	for module in ipip sit ip6_gre xfrm_interface xfrm_user esp4 authenc crypto_null \
			wireguard mpls_iptunnel mpls_router nf_tables nft_chain_nat nft_masq nft_nat \
			nft_fwd_netdev nft_dup_netdev nft_dup_ipv4 nft_flow_offload nf_flow_table \
			nf_flow_table_inet nft_ct nft_tproxy ip_vs_rr act_pedit act_csum act_skbedit sch_prio \
			openvswitch; do
		! modprobe -C /dev/null -d "$kernel" -S "$(<"$kernel/release")" \
			--show-depends "$module" >/dev/null 2>&1 || args+=(-m "$module")
	done
	# if they were installed, they would run here
	if programs=$("$HERE/package.sh" nftables libnftables1 libnftnl11 libxtables12 libjansson4 \
		libedit2 libgmp10 wireguard-tools ipvsadm libpopt0); then
		for name in usr/sbin/nft usr/bin/wg sbin/ipvsadm; do
			args+=(-f "$programs/$name:/usr/bin/${name##*/}")
		done
		args+=(-f "$programs/$lib:/$lib")
	fi
	if ovs=$("$HERE/package.sh" openvswitch-switch openvswitch-common libunbound8 libevent-2.1-7 \
		libxdp1 libbpf1 libcap-ng0 libnuma1 libhogweed6 libnettle8 libgmp10); then
		for name in usr/lib/openvswitch-switch/ovs-vswitchd usr/sbin/ovsdb-server \
				usr/bin/ovsdb-tool usr/bin/ovs-vsctl; do
			args+=(-f "$ovs/$name:/usr/bin/${name##*/}")
		done
		name=usr/share/openvswitch/vswitch.ovsschema
		args+=(-f "$ovs/$name:/$name" -f "$ovs/$lib:/$lib" -f "$ovs/lib/x86_64-linux-gnu:/$lib")
	fi
}

# add_nics MODEL...: adds two NICs of each model
add_nics()
{
	local model

	for model; do
		args+=(-n "$model" -n "$model" -m "$(driver_of "$model")")
	done
}

# driver_of MODEL: prints the module for it
driver_of()
{
	case $1 in
	virtio-net-*) echo virtio_net ;;
	rtl8139) echo 8139cp ;;
	*) echo "$1" ;;
	esac
}

case $suite in
net)
	[ "${LLE_WRAP:-}" != valgrind ] || add_valgrind
	# if it were installed, it would run here; lle-testbed has the same
	# libnl
	if lldpad=$("$HERE/package.sh" lldpad libconfig9); then
		lib=usr/lib/x86_64-linux-gnu
		args+=(-f "$lldpad/usr/sbin/lldpad:/usr/sbin/lldpad"
			-f "$lldpad/usr/sbin/lldptool:/usr/sbin/lldptool"
			-f "$lldpad/$lib:/$lib")
	fi
	# other packages that it needs are installed
	if team=$("$HERE/package.sh" libteam-utils libteam5 libnl-cli-3-200 libnl-nf-3-200); then
		lib=usr/lib/x86_64-linux-gnu
		args+=(-f "$team/usr/bin/teamnl:/usr/bin/teamnl" -f "$team/$lib:/$lib")
	fi
	# the kernel's client of netlink families, for the scenario ynl
	yaml=/usr/lib/python3/dist-packages/yaml
	if [[ $# = 0 || " $* " = *" ynl "* ]] && [ -d $yaml ] &&
	   ynl=$("$HERE/kernel-source.sh" 6.12 tools/net/ynl Documentation/netlink); then
		args+=(-f "$yaml:$yaml" -f "$ynl/tools/net/ynl:/ynl"
			-f "$TOP/build/gen/lossless.yaml:/ynl/lossless.yaml"
			-f "$TOP/build/gen/tc-lossless.yaml:/ynl/tc-lossless.yaml")
	fi
	if [[ $# = 0 || " $* " = *" mininet "* ]]; then
		add_mininet
	fi
	if [[ $# = 0 || " $* " = *" prometheus "* ]]; then
		add_prometheus
	fi
	if [[ $# = 0 || " $* " = *" situations "* || " $* " = *" stack "* ]]; then
		add_situations
	fi
	runner=/selftests/net/run.sh
	if [ -n "${LLE_MUTANTS:-}" ]; then
		args+=(-f "$LLE_MUTANTS:/mutants")
		runner=/selftests/mutants/border_guest.sh
	fi
	exec "${run[@]}" "${net[@]}" "${args[@]}" -- \
		env LLE_SOAK_PACKETS="${LLE_SOAK_PACKETS:-}" LLE_WRAP="${LLE_WRAP:-}" \
		LLE_PLANT="${LLE_PLANT:-}" LLE_LINES="${LLE_LINES:-}" LLE_TESTS="${LLE_TESTS:-}" LLE_LONG="${LLE_LONG:-}" \
		/bin/bash $runner "$@"
	;;
smp)
	exec "${run[@]}" -s 3 "${args[@]}" -- /bin/bash /selftests/net/run.sh smp
	;;
kselftest)
	exec "${run[@]}" "${net[@]}" "${args[@]}" -f "$TOP/out/kselftest/install:/kselftest" -- \
		/bin/bash /selftests/kselftest/guest.sh "$@"
	;;
tdc)
	tdc=$("$HERE/kernel-source.sh" 6.1 tools/testing/selftests/tc-testing)
	exec "${run[@]}" "${args[@]}" -m sch_prio \
		-f "$tdc/tools/testing/selftests/tc-testing:/tdc" -- \
		env TDC_DIR=/tdc TC_LIB_DIR=$plugin \
		bash -c 'insmod /mods/lossless.ko && insmod /mods/sch_lossless.ko &&
			exec bash /selftests/tc-testing/run.sh "$@"' - "$@"
	;;
upstream)
	source=$("$HERE/kernel-source.sh" 6.1 tools/testing/selftests/net/forwarding)
	exec "${run[@]}" "${net[@]}" "${args[@]}" -m vrf -m sch_tbf -m sch_red -m sch_ets -m sch_prio \
		-m cls_flower -m cls_basic -m em_meta -m act_mirred -b mausezahn -b bc \
		-f "$source/tools/testing/selftests/net/forwarding:/forwarding" -- \
		env FORWARDING=/forwarding /bin/bash /selftests/upstream/run.sh "$@"
	;;
stress)
	exec "${run[@]}" "${args[@]}" -b socat -- \
		env LLE_STRESS_SECONDS="${LLE_STRESS_SECONDS:-}" \
		/bin/bash /selftests/race/stress.sh
	;;
pair)
	models=()
	known=$("${LLE_QEMU:-qemu-system-x86_64}" -device help 2>/dev/null)
	for model; do
		if grep -qF "name \"$model\"" <<<"$known"; then
			models+=("$model")
		else
			echo "ok - pair: $model # SKIP qemu does not emulate it"
		fi
	done
	set -- "${models[@]}"
	[ $# -gt 0 ] || exit 0
	# builds before the first guest waits for the second one
	[ -z "$peer" ] || "$TOP/scripts/build.sh" "$peer" >/dev/null 2>"$dir/peer.log"
	add_nics "$@"
	LLE_PAIR=$(mktemp -d)
	export LLE_PAIR
	"$0" -k "${peer:-$series}" -o "$dir/peer" peer "$@" >/dev/null 2>"$dir/peer.log" &
	# a failing trap would replace the exit status
	trap 'kill $! 2>/dev/null || :; wait || :; rm -rf "$LLE_PAIR"' EXIT
	trap 'exit 143' INT TERM HUP
	rc=0
	"${run[@]}" "${args[@]}" -p "connect:$LLE_PAIR" -- \
		env LLE_PAIR_TESTS="${LLE_PAIR_TESTS:-}" /bin/bash /selftests/pair/run.sh "$@" || rc=$?
	if ! wait $!; then
		echo "not ok - pair: the second guest"
		sed 's/^/# /' "$dir/peer.log"
		rc=1
	fi
	exit $rc
	;;
peer)
	add_nics "$@"
	exec "${run[@]}" "${args[@]}" -q -p "listen:$LLE_PAIR" -- \
		/bin/bash /selftests/pair/peer.sh
	;;
*)
	usage
	;;
esac
