#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets from a device that is no port are not charged to any priority group.
# Messages report this, a counter counts them, and an event names the device.

ALL_TESTS="member_without_qdisc neighbour_without_qdisc member_of_vrf joins_without_qdisc
	mark_overwritten_on_bond unaccounted_is_reported own_traffic_is_accounted"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/links.sh
. "$(dirname "$0")/links.sh"

# beside TEXT COMMAND...: COMMAND succeeds, and it or the kernel's log prints
# TEXT
beside()
{
	local text=$1 said

	shift
	said=$("$@" 2>&1) || llet_fail "refused: $*: $said"
	grep -q "Warning: .*no lossless qdisc" <<<"$said" ||
		llet_fail "'$said' does not warn"
	{ echo "$said"; dmesg | tail -n 3; } | grep -q "$text" ||
		llet_fail "neither '$said' nor the log has '$text'"
}

# quiet COMMAND...: COMMAND succeeds without output
quiet()
{
	local said

	said=$("$@" 2>&1) || llet_fail "refused: $*: $said"
	equal "said by $*" "$said" ""
}

# from PORT: device of the last unaccounted packet
from() { ctl -j port show "$1" | jq -r '.[0].unaccounted_from'; }

# by_eth1: packets of priority 3 that h1 sent to p4
by_eth1() { tc -n h1 -s -j qdisc show dev eth1 root | lle_json '.[0].prios[3].tx_packets'; }

# Packets of the member without the qdisc are not charged. A message says so
# when the other member gets its qdisc, and the egress port counts them.
member_without_qdisc()
{
	local p4

	has bond || return 0
	bond balance-rr
	tc -n sw qdisc del dev p4 root
	port 2 $LINK
	quiet port 1 prio-pfc 3:off
	beside "p4, also in bond0, has no lossless qdisc" port 1 rate 10mbit $LINK buffer 1m
	blast_flows bond0
	received 3 .sum.packets >/dev/null
	p4=$(by_eth1)
	between "packets by p4" "$p4" 1000 2000
	equal "unaccounted at p3" "$(port_stat p3 unaccounted)" "$p4"
	equal "arrived at" "$(from p3)" p4
	equal "at p1" "$(port_stat p1 unaccounted)" 0
	equal "unaccounted, by sysfs" "$(sw cat /sys/class/net/p3/lossless/unaccounted)" "$p4"
	beside "p4, also in bond0, has no lossless qdisc" port 1 rate 10mbit $LINK buffer 1m
	quiet port 4 rate 10mbit $LINK buffer 1m
	blast_flows bond0
	received 3 .sum.packets >/dev/null
	equal "unaccounted when both have one" "$(port_stat p3 unaccounted)" "$p4"
}

# A port of the bridge without the qdisc may be intended: there is no message
# until it receives a packet. VLAN devices count as the device below them.
neighbour_without_qdisc()
{
	llet_star 3
	# shellcheck disable=SC2119 # without options
	vlan_devices
	quiet port 2 rate 10mbit xoff 40k headroom 100k buffer 1m
	quiet port 2 rate 10mbit $LINK buffer 1m
	quiet port 3 rate 5mbit $LINK
	blast eth0.10 1
	equal "unaccounted" "$(port_stat p3 unaccounted)" $N
	equal "arrived at" "$(from p3)" p1
	quiet port 1 rate 10mbit $LINK
	equal "unaccounted with p1" "$(port_stat p3 unaccounted)" $N
}

# A VRF writes its own ifindex into a packet.
member_of_vrf()
{
	local i

	has vrf table 7 || return 0
	llet_star 2
	ip -n sw link add red up type vrf table 7
	for i in 1 2; do
		ip -n sw link set "p$i" master red
		ip -n sw addr add "10.0.$i.254/24" dev "p$i"
		ip -n "h$i" addr add "10.0.$i.1/24" dev eth0
		ip -n "h$i" route add default via "10.0.$i.254"
	done
	sw sysctl -qw net.ipv4.ip_forward=1
	quiet port 2 rate 10mbit $LINK
	h 1 ping -q -c 3 -i 0.2 -Q 0x60 10.0.2.1 >/dev/null || llet_fail "ping"
	equal "unaccounted" "$(port_stat p2 unaccounted)" 3
	equal "arrived at" "$(from p2)" p1
}

joins_without_qdisc()
{
	has bond || return 0
	bond balance-rr
	ip -n sw link add d1 type dummy
	ip -n sw link add d2 type dummy
	beside "d1, also in bond0, has no lossless qdisc" ip -n sw link set d1 master bond0
	ip -n sw link set d1 nomaster
	tc -n sw qdisc add dev d1 root lossless
	quiet ip -n sw link set d1 master bond0
	ip -n sw link add bond1 type bond mode balance-rr
	quiet ip -n sw link set d2 master bond1
}

# On a bond only the mark tells the member of a packet.
mark_overwritten_on_bond()
{
	has bond || return 0
	bond balance-rr
	overwrite p3
	blast_flows bond0
	received 3 .sum.packets >/dev/null
	equal "unaccounted" "$(port_stat p3 unaccounted)" $((8 * FLOW))
}

# An event, losslessctl and the log of losslessd name the device.
unaccounted_is_reported()
{
	local event='select(.event == "unaccounted")'

	testbed
	tc -n sw qdisc del dev p2 root
	echo 'log = "/tmp/lossless.log"' >/tmp/lossless.conf
	rm -f /tmp/lossless.log
	ip netns exec sw losslessd -c /tmp/lossless.conf 2>/tmp/losslessd.err &
	defer stop_job $!
	ip netns exec sw losslessctl monitor -j config >/tmp/events &
	defer stop_job $!
	check "nobody listens" wait_for 2000 listeners sw 2
	sleep 2
	blast eth0
	equal "unaccounted" "$(port_stat p3 unaccounted)" $N
	equal "events" "$(jq -r "$event | \"\(.ifname) \(.unaccounted_from)\"" /tmp/events)" "p3 p2"
	equal "losslessctl" "$(ctl -j port show p3 |
		jq -r '.[0] | "\(.unaccounted) \(.unaccounted_from)"')" "$N p2"
	check "losslessctl does not say it" grep -q "$N packets .* p2, .* no port" \
		<(ctl port show p3)
	check "not logged" wait_for 3000 grep -q '"event":"unaccounted"' /tmp/lossless.log
	check "logged as $(jq -r "$event | .message" /tmp/lossless.log)" test \
		"$(jq -r "$event | .message |
			test(\"^port p3: [0-9]+ packets .* arrived at p2, \")" \
			/tmp/lossless.log | sort -u)" = true
}

# Packets of the host itself are not charged, as intended.
own_traffic_is_accounted()
{
	testbed
	receive 3 1000
	ip netns exec sw lle_traffic send br0 "$(mac 3)" -n 100 -d 24
	equal "received" "$(received 3 .sum.packets)" 100
	equal "unaccounted" "$(port_stat p3 unaccounted)" 0
}

llet_main
