#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A host and a switch, with a NIC each: packets that exceed the buffer of the
# switch wait at the host.
#
#	guest            peer
#	h1 eth0 ------- p1 [switch] p2 -- h2
#	     10 Mbit/s            5 Mbit/s
#
# The host sends 4.5 MB. The link brings 2.2 MB more than h2 receives meanwhile,
# and port p1 may use 1.2 MB. Headroom holds the bytes of 0.8 s.

ALL_TESTS="nothing_is_lost"

# shellcheck source=selftests/pair/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/pair/testbed.sh
. "$(dirname "$0")/testbed.sh"
line_open

N=3000
LINK=(rate 10mbit prio-pfc 3:on)

testbed()
{
	near_host "$MODEL"
	host 1 "${LINK[@]}" buffer 16m
	defer peer llet_cleanup
	peer_check bridges br0
	peer_check join_nic br0 p1 "$MODEL" 1 1
	peer_check join_host br0 2
	peer port 1 "${LINK[@]}" buffer 8m xoff 200k headroom 1m
	peer port 2 rate 5mbit prio-pfc 3:on
	cable_works h1 eth0 sw p1
}

nothing_is_lost()
{
	local got dropped lost

	testbed
	peer receive 2 5000
	send 1 2 -n $N -s 1500 -d 24
	got=$(peer received 2 .sum.packets)
	dropped=$(peer sum '.drops[]')
	lost=$(peer nic_lost sw p1)
	equal "received, dropped by the switch and lost by its NIC" $((got + dropped + lost)) $N
	equal "reordered" "$(peer received 2 .sum.reordered)" 0
	nics_lost "$(nic_lost h1 eth0)" "$lost"
	equal "received" "$got" $N
	equal "dropped by the switch" "$dropped" 0
	between "pauses that the host has heard" "$(host_stat 1 3 rx_pause)" 1 1000
	equal "pauses" "$(host_stat 1 3 rx_pause)" "$(peer stat p1 3 tx_pause)"
	equal "the host's NIC is promiscuous" \
		"$(ip -n h1 -d -j link show eth0 | jq '.[0].promiscuity')" 0
	peer_check nothing_stuck
	[ -z "$llet_why" ] || { nic_counters h1 eth0; peer nic_counters sw p1; peer received 2 .sum; }
}

llet_main
