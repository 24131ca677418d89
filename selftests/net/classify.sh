#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The priority of a packet: by DSCP, PCP or none, as the ingress port is
# configured.

ALL_TESTS="dscp_default dscp_map dscp_of_ipv6 dscp_behind_tags pcp untrusted tagged_non_ip
	runt_header local_socket_priority
	routed gso_is_segmented"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

testbed()
{
	llet_star 2
	llet_ports 2 "$@"
}

# arrived PRIO COUNT: p1 received COUNT packets of PRIO, and p2 sent them
arrived()
{
	equal "prio $1 in" "$(stat p1 "$1" rx_packets)" "$2"
	equal "prio $1 out" "$(stat p2 "$1" tx_packets)" "$2"
}

dscp_default()
{
	local dscp

	testbed
	for dscp in 0 8 10 26 31 46 63; do
		send 1 2 -B -d $dscp
	done
	arrived 0 1
	arrived 1 2
	arrived 3 2
	arrived 5 1
	arrived 7 1
	conserved
}

dscp_map()
{
	testbed dscp-prio 26:4 0:2
	send 1 2 -B -d 26
	send 1 2 -B -d 0
	send 1 2 -B -d 24
	arrived 4 1
	arrived 2 1
	arrived 3 1
}

dscp_of_ipv6()
{
	local dst src class

	testbed
	dst=$(mac 2)
	src=$(mac 1)
	# traffic classes 0x68 and 0xb8: DSCP 26 and 46
	for class in 68 b8; do
		h 1 lle_traffic raw eth0 "${dst//:/}${src//:/}86dd6${class}00000000811ff$(
			printf '20010db8%024x20010db8%024x' 1 2)0009000900080000"
	done
	arrived 3 1
	arrived 5 1
}

# The stack removes one tag only.
dscp_behind_tags()
{
	local dst src tags=8100000581000006 ip=4568001c00000000401100000a0000010a000002

	testbed
	dst=$(mac 2)
	src=$(mac 1)
	h 1 lle_traffic raw eth0 "${dst//:/}${src//:/}${tags}0800${ip}0009000900080000"
	arrived 3 1
}

# The tag decides, not the DSCP.
pcp()
{
	testbed trust pcp
	send 1 2 -B -d 26 -p 5
	send 1 2 -B -d 26
	arrived 5 1
	arrived 0 1
}

untrusted()
{
	testbed trust none
	send 1 2 -B -d 26 -p 5
	arrived 0 1
	arrived 3 0
}

# A packet without a DSCP is classified by its tag.
tagged_non_ip()
{
	testbed
	send 1 2 -B -N -p 6
	send 1 2 -B -N
	arrived 6 1
	arrived 0 1
}

# An IPv4 EtherType without a byte of an IP header.
runt_header()
{
	local dst src

	testbed
	dst=$(mac 2)
	src=$(mac 1)
	h 1 lle_traffic raw eth0 "${dst//:/}${src//:/}0800"
	h 1 lle_traffic raw eth0 "${dst//:/}${src//:/}080045"
	h 1 lle_traffic raw eth0 "${dst//:/}${src//:/}86dd6a"
	arrived 0 3
}

# Packets of the host itself: by DSCP, too; by their socket if untrusted, also beside a
# pause.
local_socket_priority()
{
	llet_star 2
	host 1 rate 10mbit prio-pfc 5:on
	h 1 ping -c 2 -i 0.2 -W 1 -Q 104 192.0.2.2 >/dev/null
	equal "DSCP 26 at h1" "$(host_stat 1 3 tx_packets)" 2
	host 1 trust none
	h 1 ping -c 2 -i 0.2 -W 1 -Q 16 192.0.2.2 >/dev/null
	# IPTOS_THROUGHPUT is TC_PRIO_BULK, 2, since IPTOS_LOWDELAY is 6
	check "TOS 16 at h1" test "$(host_stat 1 6 tx_packets)" -ge 2
	sw lle_traffic pfc p1 0x20 0 0 0 0 0 65535
	h 1 ping -c 2 -i 0.2 -W 1 -Q 16 192.0.2.2 >/dev/null
	check "TOS 16 at h1, with 5 paused" test "$(host_stat 1 6 tx_packets)" -ge 4
}

# Between ports without a bridge the stack routes, and changes the priority of
# packets. They stay charged to the priority of their arrival.
routed()
{
	llet_star 2
	ip -n sw link set p1 nomaster
	ip -n sw link set p2 nomaster
	ip -n sw addr add 192.0.2.254/24 dev p1
	ip -n sw addr add 198.51.100.254/24 dev p2
	sw sysctl -qw net.ipv4.ip_forward=1
	ip -n h1 route add default via 192.0.2.254
	ip -n h2 addr flush dev eth0
	ip -n h2 addr add 198.51.100.2/24 dev eth0
	ip -n h2 route add default via 198.51.100.254
	port 1 prio-pfc 3:on 5:on
	port 2 rate 10mbit prio-pfc 3:on 5:on dscp-prio 24:5
	h 1 ping -q -c 3 -i 0.2 -Q 0x60 198.51.100.2 >/dev/null ||
		llet_fail "ping"
	equal "in p1" "$(stat p1 3 rx_packets)" 3
	equal "out of p2" "$(stat p2 5 tx_packets)" 3
	equal "back in p2" "$(stat p2 5 rx_packets)" 3
	equal "back out of p1" "$(stat p1 3 tx_packets)" 3
	# while they wait, they are charged to the priority of their arrival
	pfc 2 0xff 65535 65535 65535 65535 65535 65535 65535 65535
	h 1 ping -q -c 1 -W 1 -Q 0x60 198.51.100.2 >/dev/null
	check "not charged to prio 3" test "$(stat p1 3 occupancy)" -gt 0
	check "not queued in prio 5" test "$(stat p2 5 backlog)" -gt 0
}

# listening I: host I has a socket at port 5201
listening() { h "$1" grep -q ':1451 ' /proc/net/tcp /proc/net/tcp6; }

# TCP hands over up to 64 kB at once; the switch counts frames on the wire.
gso_is_segmented()
{
	local sent

	llet_star 2
	llet_ports 2
	h 2 iperf3 -s -1 >/dev/null &
	check "no server" wait_for 5000 listening 2
	# counts what has arrived when the last byte leaves the sender's socket
	sent=$(h 1 iperf3 -c 192.0.2.2 -n 1000000 -J | jq .end.sum_received.bytes)
	check "$sent bytes arrived" test "$sent" -ge 500000
	# 1448 bytes in each, and the largest queue is whole frames
	check "packets were not cut" test "$(stat p2 0 tx_packets)" -ge $((sent / 1448))
	conserved
}

llet_main
