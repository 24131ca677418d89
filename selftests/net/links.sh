# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Three hosts at a switch with a buffer that is too small for their traffic, and
# kinds of links: shared by the scenarios ports and unaccounted.
#
#	h1 10M -- p1 +----+
#	             | br0| p3 -- 5M h3
#	h2 10M -- p2 +----+
#
# h1 and h2 send 1.5 MB each; the buffer holds 1 MB.

N=1500
FLOW=375	# packets of each of eight flows
LINK="prio-pfc 3:on xoff 40k headroom 100k"

# qdiscs RATE I...: qdiscs of hosts and of the ports to them
qdiscs()
{
	local rate=$1 i

	shift
	for i in "$@"; do
		host "$i" rate "$rate" $LINK buffer 16m
		port "$i" rate "$rate" $LINK buffer 1m
	done
}

# Three hosts; the last one is slow.
testbed()
{
	llet_star 3
	qdiscs 10mbit 1 2
	qdiscs 5mbit 3
}

# blast DEV [I...]: hosts (1 2) send with DEV to DEV of h3
blast()
{
	local HOST_DEV=$1 pids=() i

	shift
	[ $# -gt 0 ] || set -- 1 2
	receive 3 2000
	for i in "$@"; do
		send "$i" 3 -n $N -d 24 -f "$i" &
		pids+=($!)
	done
	wait "${pids[@]}"
	equal "received" "$(received 3 .sum.packets)" $((N * $#))
	equal "lost" "$(received 3 .sum.lost)" 0
}

# lossless PORT...: the switch dropped nothing, and these ports paused their
# peers
lossless()
{
	local p

	no_drops
	for p in "$@"; do
		check "$p has not paused its peer" stat_is "$p" 3 tx_pause -gt 0
	done
	equal "occupancy left" "$(sum .occupancy)" 0
	equal "shared bytes left" "$(port_stat p3 shared_used)" 0
}

# host_vlan I: eth0.10 of host I
host_vlan()
{
	ip -n "h$1" link add link eth0 name eth0.10 type vlan id 10 "${@:2}"
	ip -n "h$1" link set eth0.10 up
}

# The bridge has the VLAN devices of the ports, not the ports.
vlan_devices()
{
	local i

	for i in 1 2 3; do
		host_vlan $i "$@"
		ip -n sw link set "p$i" nomaster
		ip -n sw link add link "p$i" name "p$i.10" type vlan id 10
		ip -n sw link set "p$i.10" master br0 up
		bridge -n sw fdb replace "$(mac $i)" dev "p$i.10" master static
	done
}

# Two links between h1 and the switch, as "bond0" at both ends.
two_links()
{
	llet_star 3
	ip link add eth1 netns h1 type veth peer name p4 netns sw
	ip -n sw link set p4 up
	llet_steer h1 eth1 1
	llet_steer sw p4 1
	ip -n sw link set p1 nomaster
	ip -n h1 addr flush dev eth0
}

join() { ip -n "$1" link set "$2" down; ip -n "$1" link set "$2" master "$3"; }

members()
{
	local dev

	join sw p1 "$1"
	join sw p4 "$1"
	join h1 eth0 "$1"
	join h1 eth1 "$1"
	for dev in sw:p1 sw:p4 sw:"$1" h1:eth0 h1:eth1 h1:"$1"; do
		ip -n "${dev%:*}" link set "${dev#*:}" up
	done
	ip -n sw link set "$1" master br0
	bridge -n sw link set dev "$1" learning off flood off
	bridge -n sw fdb replace "$(mac 1)" dev "$1" master static
	qdiscs 10mbit 1
	qdiscs 5mbit 3
	port 4 rate 10mbit $LINK buffer 1m
	tc -n h1 qdisc replace dev eth1 root handle 1: lossless rate 10mbit $LINK buffer 16m
}

# bond MODE OPTION...: makes the bonds
bond()
{
	two_links
	ip -n sw link add bond0 type bond mode "$@" miimon 100
	ip -n h1 link add bond0 address "$(mac 1)" type bond mode "$@" miimon 100
	members bond0
	check "links of the bond are not up" wait_for 10000 bond_is_up "$1"
}

bond_is_up()
{
	local end ns dev

	for end in sw:p1 sw:p4 h1:eth0 h1:eth1; do
		ns=${end%:*} dev=${end#*:}
		ip netns exec "$ns" grep -q up \
			"/sys/class/net/$dev/bonding_slave/mii_status" || return 1
		# in sync, collecting, distributing
		[ "$1" != 802.3ad ] || [ $((0x3c & $(ip netns exec "$ns" cat \
			"/sys/class/net/$dev/bonding_slave/ad_actor_oper_port_state"))) = 60 ] ||
			return 1
	done
	bundle_is_up bond0
}

# The bridge forwards to the bond a while after it has a carrier.
bundle_is_up()
{
	h 1 grep -q 1 "/sys/class/net/$1/carrier" &&
		sw grep -q 3 "/sys/class/net/$1/brport/state"
}

# blast_flows DEV: eight flows of h1, so that each member has some
blast_flows()
{
	local HOST_DEV pids=() i

	receive 3 2000
	# shellcheck disable=SC2034 # of send
	HOST_DEV=$1
	for ((i = 1; i <= 8; i++)); do
		send 1 3 -n $FLOW -d 24 -f $i -P $((100 + i)) &
		pids+=($!)
	done
	wait "${pids[@]}"
}

# redirect I J: tc redirects packets from pI to pJ
redirect()
{
	tc -n sw qdisc add dev "p$1" clsact
	tc -n sw filter add dev "p$1" ingress matchall action mirred egress redirect dev "p$2"
}

# overwrite PORT: filters at its egress overwrite the mark
overwrite()
{
	tc -n sw qdisc add dev "$1" clsact
	tc -n sw filter add dev "$1" egress matchall classid 1:7 action ok
}

ctl() { sw losslessctl "$@"; }
stop_job() { kill "$1" 2>/dev/null; wait "$1" 2>/dev/null; }
