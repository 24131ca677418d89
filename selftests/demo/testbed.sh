# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The demo's hosts, switch and qdiscs. Sourced by guest.sh, which sets the
# parameters, and traffic to roce or tcp.
#
# shellcheck disable=SC2154 # parameters
#
#	host 1 r1 --- p1 +--------+
#	                 | br0 in | p3 --- r3 host 3
#	host 2 r2 --- p2 | netns  |
#	                 |   sw   |
#	                 +--------+

sw() { ip netns exec sw "$@"; }

# h I COMMAND...: runs COMMAND on host I. RDMA needs the initial namespace.
h()
{
	local i=$1

	shift
	if [ "$traffic" = tcp ]; then
		ip netns exec "h$i" "$@"
	else
		"$@"
	fi
}

# netns NAME: creates a namespace, and mounts its sysfs for the sampler
netns()
{
	ip netns add "$1"
	ip netns exec "$1" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 \
		net.ipv6.conf.default.disable_ipv6=1
	mkdir -p "/run/sys.$1"
	nsenter --net="/run/netns/$1" mount -t sysfs "$1" "/run/sys.$1"
}

testbed()
{
	local i j

	netns sw
	ip -n sw link add br0 mtu "$MTU" type bridge mcast_snooping 0
	ip -n sw link set br0 up
	for i in 1 2 3; do
		[ "$traffic" = roce ] || netns "h$i"
		ip link add "p$i" mtu "$MTU" netns sw type veth \
			peer name "r$i" mtu "$MTU"
		[ "$traffic" = roce ] || ip link set "r$i" netns "h$i"
		h "$i" ip link set "r$i" address "02:00:00:00:00:0$i" up
		ip -n sw link set "p$i" address "02:00:00:00:01:0$i" master br0 up
		h "$i" ip addr add "10.5.0.$i/24" dev "r$i"
		for j in 1 2 3; do
			[ "$i" = "$j" ] || h "$i" ip neigh replace "10.5.0.$j" \
				lladdr "02:00:00:00:00:0$j" dev "r$i" nud permanent
		done
		# packets of a queue stay in order on one CPU
		h "$i" sh -c "echo 1 >/sys/class/net/r$i/queues/rx-0/rps_cpus"
		sw sh -c "echo 1 >/sys/class/net/p$i/queues/rx-0/rps_cpus"
		# NAPI, with GRO on and TSO off, delivers as from a wire; else a
		# packet stays charged to its sender's socket
		h "$i" ethtool -K "r$i" tso off
		sw ethtool -K "p$i" gro on
	done
}

# Packets of rI need routes of their own, before the local table.
rdma_devices()
{
	local i j

	sysctl -qw net.ipv4.conf.all.accept_local=1 net.ipv4.conf.all.arp_ignore=1
	for i in 1 2 3; do
		sysctl -qw "net.ipv4.conf.r$i.accept_local=1"
		for j in 1 2 3; do
			[ "$i" = "$j" ] || ip route add "10.5.0.$j/32" dev "r$i" \
				src "10.5.0.$i" table "10$i"
		done
		ip rule add pref "$i" oif "r$i" lookup "10$i"
	done
	ip rule add pref 100 lookup local
	ip rule del pref 0
	for i in 1 2 3; do
		rdma link add "rxe$i" type rxe netdev "r$i"
	done
}

testbed_gone()
{
	local i

	for i in 1 2 3; do
		rdma link del "rxe$i"
		ip link del "r$i"
	done
	umount /run/sys.sw
	ip netns del sw
}

# The qdiscs of an arm, with 24 bytes a frame for preamble, FCS and gap
qdiscs()
{
	local i port host headroom=()

	case $1 in
	stock)
		port="tbf rate $LINK burst 32k overhead 24 limit $BUFFER"
		host="tbf rate $LINK burst 32k overhead 24 limit $HOST_BUFFER" ;;
	lossy)
		# a static xoff of the size of the buffer lets any port fill it
		port="lossless rate $LINK buffer $BUFFER xoff $BUFFER"
		host="lossless rate $LINK buffer $HOST_BUFFER" ;;
	lossless)
		port="lossless rate $LINK buffer $BUFFER prio-pfc $PRIO:on
			pause-quanta $QUANTA xoff $XOFF xon-delta $XON_DELTA headroom"
		host="lossless rate $LINK buffer $HOST_BUFFER
			prio-pfc $PRIO:on"
		headroom=("" "$HEADROOM" "$HEADROOM" "$HEADROOM_ACKS") ;;
	esac
	for i in 1 2 3; do
		# shellcheck disable=SC2086 # lists of words
		tc -n sw qdisc add dev "p$i" root handle 1: $port ${headroom[i]:-}
		# shellcheck disable=SC2086
		h "$i" tc qdisc add dev "r$i" root handle 1: $host
	done
}

qdiscs_gone()
{
	local i

	for i in 1 2 3; do
		h "$i" tc qdisc del dev "r$i" root
		tc -n sw qdisc del dev "p$i" root
	done
}
