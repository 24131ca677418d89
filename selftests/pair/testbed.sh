# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Testbeds of a pair, for scenarios that sourced lib.sh. Each guest builds its
# part.

: "${MODEL:=}"

# prepare: loads modules and sets options of a guest after boot
prepare()
{
	local bus

	sysctl -qw net.core.netdev_max_backlog=100000 \
		net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
	for bus in pci virtio; do
		cat /sys/bus/$bus/devices/*/modalias | xargs modprobe -qa || :
	done
	insmod "${LLE_MODULES:=/mods}/lossless.ko"
	insmod "$LLE_MODULES/sch_lossless.ko"
}

# near_host MODEL: namespace h1 with NIC 1 as eth0
near_host()
{
	llet_netns h1
	take_nic "$1" 1 h1 eth0 "$(mac 1)"
}

# far_host MODEL: the same at the peer: namespace h2
far_host()
{
	llet_netns h2
	take_nic "$1" 1 h2 eth0 "$(mac 2)"
}

# bridges NAME...: namespace sw with these bridges, without ports
bridges()
{
	local name

	llet_netns sw
	for name; do
		ip -n sw link add "$name" up type bridge mcast_snooping 0
	done
}

# join BRIDGE PORT HOST...: PORT leads to these hosts. A port that neither
# learns nor floods does not need a promiscuous NIC.
join()
{
	local host

	ip -n sw link set "$2" up master "$1"
	bridge -n sw link set dev "$2" learning off flood off bcast_flood off mcast_flood off
	for host in "${@:3}"; do
		bridge -n sw fdb replace "$(mac "$host")" dev "$2" master static
	done
}

# join_host BRIDGE I: namespace of host I, behind port pI
join_host()
{
	llet_netns "h$2"
	ip -n "h$2" link add eth0 address "$(mac "$2")" type veth peer name "p$2" netns sw
	ip -n "h$2" link set eth0 addrgenmode none up
	join "$1" "p$2" "$2"
}

# join_nic BRIDGE PORT MODEL I HOST...: NIC I is the port to these hosts
join_nic()
{
	take_nic "$3" "$4" sw "$2"
	join "$1" "$2" "${@:5}"
}

# slow_link NETNS DEV: the device reports 10 Mbit/s, so that a pause lasts for 3 s;
# false if its driver cannot. virtio_net keeps that, as it negotiates nothing.
slow_link()
{
	defer negotiate "$1" "$2"
	ip netns exec "$1" ethtool -s "$2" speed 10 duplex full 2>/dev/null ||
		ip netns exec "$1" ethtool -s "$2" speed 10 duplex full autoneg off 2>/dev/null ||
		return
	wait_for 5000 has_carrier "$1" "$2"
	[ "$(ip netns exec "$1" cat "/sys/class/net/$2/speed")" = 10 ]
}

negotiate() { ip netns exec "$1" ethtool -s "$2" autoneg on 2>/dev/null; }

# host_sum I PATH: sum over the priorities of the qdisc of host I
host_sum() { tc -n "h$1" -s -j qdisc show dev eth0 root | lle_json ".[0].prios[].$2"; }

# address I J: host I has an address, and knows that of host J
address()
{
	ip -n "h$1" addr add "192.0.2.$1/24" dev eth0
	ip -n "h$1" neigh replace "192.0.2.$2" dev eth0 lladdr "$(mac "$2")"
}

# pauses COUNT: h2 sends COUNT resumes of priority 3, then a broadcast
pauses()
{
	local i

	for ((i = 0; i < $1; i++)); do
		pfc 2 0x08 0 0 0 0
	done
	ip netns exec h2 lle_traffic send eth0 ff:ff:ff:ff:ff:ff
}

# start_storm, stop_storm: h2 pauses priority 3 continuously
start_storm()
{
	ip netns exec h2 lle-storm -p 3 -r 50 eth0 >/dev/null 2>&1 &
	storm_pid=$!
	defer stop_storm
}

stop_storm()
{
	kill "$storm_pid" 2>/dev/null
	wait "$storm_pid"
}

RING_FRAMES=2000
RING_LINK="rate 10mbit prio-pfc 3:on"
RING_BUFFER="buffer 8m xoff 50k headroom 1m deadlock lossless deadlock-trigger leave"

# half_ring MODEL A B: switches sA and sB, each with a host. Packets travel from
# A to B, then over NICs from B to the other half, and from there to A
half_ring()
{
	local model=$1 a=$2 b=$3 out in others

	case $a in
	1) out=1 in=2 others="3 4" ;;
	*) out=2 in=1 others="1 2" ;;
	esac
	bridges "s$a" "s$b"
	join_host "s$a" "$a"
	join_host "s$b" "$b"
	ip -n sw link add ab up type veth peer name ba
	ip -n sw link set ba up
	# shellcheck disable=SC2086 # lists of hosts
	{
		join "s$a" ab "$b" $others
		join "s$b" ba
		join_nic "s$b" out "$model" $out "$a" $others
		join_nic "s$a" in "$model" $in
	}
	ring_qdiscs "$a" "p$a:edge" ab:fabric in:fabric
	ring_qdiscs "$b" "p$b:edge" ba:fabric out:fabric
	host "$a" $RING_LINK buffer 16m
	host "$b" $RING_LINK buffer 16m
}

# nics_have_lost: frames that the NICs of half a ring lost
nics_have_lost() { echo $(($(nic_lost sw out) + $(nic_lost sw in))); }

# ring_qdiscs SWITCH PORT:FACING...: qdiscs of the ports of a switch
ring_qdiscs()
{
	local id=$1 port

	shift
	for port; do
		tc -n sw qdisc replace dev "${port%:*}" root handle 1: lossless switch "$id" \
			$RING_LINK $RING_BUFFER "${port#*:}"
	done
}

# ring_sends I J K L: host I sends to J, and K to L, in the background
ring_sends()
{
	send "$1" "$2" -n "$RING_FRAMES" -d 24 &
	send "$3" "$4" -n "$RING_FRAMES" -d 24 &
}

# deadlocks WHAT: sum of a deadlock counter over the switches of this guest
deadlocks() { sw losslessctl -j switch show | jq "map(.deadlocks.$1) | add"; }
