#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two switches with a cable between NICs: each one hears the other.
#
#	guest                                  peer
#	h1 -- p1 +--------+                  +--------+ p3 -- h3
#	         | switch | p9 -- NIC 1 -- p1| switch |
#	h2 -- p2 +--------+                  +--------+ p4 -- h4
#
# The cable carries 10 Mbit/s, h3 receives 5. Headroom holds the bytes of 0.8 s.

ALL_TESTS="pauses_go_on notifications storm"

# shellcheck source=selftests/pair/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/pair/testbed.sh
. "$(dirname "$0")/testbed.sh"
line_open

N=3000
BUFFER=(buffer 8m xoff 200k headroom 1m)

# testbed OPTION...: with these options of the ports on the path
testbed()
{
	bridges br0
	join_nic br0 p9 "$MODEL" 1 3 4
	join_host br0 1
	join_host br0 2
	defer peer llet_cleanup
	peer_check bridges br0
	peer_check join_nic br0 p1 "$MODEL" 1 1 2
	peer_check join_host br0 3
	peer_check join_host br0 4

	host 1 rate 10mbit prio-pfc 3:on buffer 16m
	host 2 rate 10mbit prio-pfc 3:on buffer 16m
	port 1 rate 10mbit prio-pfc 3:on "${BUFFER[@]}"
	port 2 rate 10mbit prio-pfc 3:on "${BUFFER[@]}"
	port 9 rate 10mbit prio-pfc 3:on "${BUFFER[@]}" fabric "$@"
	peer port 1 rate 10mbit prio-pfc 3:on "${BUFFER[@]}" fabric "$@"
	peer port 3 rate 5mbit prio-pfc 3:on "${BUFFER[@]}" "$@"
	peer port 4 rate 10mbit prio-pfc 3:on
	cable_works sw p9 sw p1
}

# nothing_lost I COUNT: host I of the peer received all COUNT packets
nothing_lost()
{
	local got here there lost

	got=$(peer received "$1" .sum.packets)
	here=$(sum '.drops[]')
	there=$(peer sum '.drops[]')
	lost=$(peer nic_lost sw p1)
	equal "h$1: received, dropped by switches and lost by the NIC between them" \
		$((got + here + there + lost)) "$2"
	equal "h$1: reordered" "$(peer received "$1" .sum.reordered)" 0
	nics_lost "$(nic_lost sw p9)" "$lost"
	equal "h$1: received" "$got" "$2"
	equal "dropped" "$here" 0
	equal "dropped by the peer" "$there" 0
	nothing_stuck
	peer_check nothing_stuck
}

# Pauses travel from the slow port over two switches to the sender.
pauses_go_on()
{
	testbed
	peer receive 3 5000
	send 1 3 -n $N -s 1500 -d 24
	nothing_lost 3 $N
	check "no pauses" test "$(stat p9 3 rx_pause)" -gt 0
	equal "pauses heard" "$(stat p9 3 rx_pause)" "$(peer stat p1 3 tx_pause)"
	check "h1 was not paused" test "$(stat p1 3 tx_pause)" -gt 0
}

# notified PORT WHAT: counter of congestion notifications
notified() { sw cat "/sys/class/net/$1/lossless/rcm_cn_$2"; }

# The peer identifies the flow that fills the queue to h3; this guest holds it.
notifications()
{
	local heard

	testbed rcm on
	peer receive 3 5000
	send 1 3 -n $N -s 1500 -d 24
	nothing_lost 3 $N
	heard=$(notified p9 received)
	check "none was heard" test "$heard" -gt 0
	equal "heard and ignored" $((heard + $(notified p9 ignored))) \
		"$(peer sw cat /sys/class/net/p1/lossless/rcm_cn_sent)"
}

watchdog_stat()
{
	sw losslessctl -j watchdog show stats -e |
		jq -r ".[] | select(.ifname == \"p9\" and .prio == 3) | .$1"
}

watchdog_is() { [ "$(watchdog_stat status)" = "$1" ]; }
paused() { [ "$(stat p9 3 rx_paused)" = "$1" ]; }

# The peer is a host with a NIC that pauses continuously.
storm()
{
	bridges br0
	join_nic br0 p9 "$MODEL" 1 2
	join_host br0 1
	defer peer llet_cleanup
	peer_check far_host "$MODEL"
	host 1 rate 10mbit prio-pfc 3:on
	port 1 rate 10mbit prio-pfc 3:on
	port 9 rate 10mbit prio-pfc 3:on

	peer host 2 rate 10mbit
	cable_works sw p9 h2 eth0
	sw losslessctl watchdog start -r 2000 p9 100
	peer start_storm
	check "not paused" wait_for 5000 paused 1
	send 1 2 -n 20 -d 24
	check "no storm" wait_for 10000 watchdog_is stormed
	check "nothing is discarded" wait_for 5000 stat_is p9 3 drops.storm_discard -gt 0
	peer stop_storm
	check "storm lasts" wait_for 20000 watchdog_is operational
	check "paused after the storm" wait_for 10000 paused 0
	equal "storms" "$(watchdog_stat storm_detected)" "$(watchdog_stat storm_restored)"
	peer receive 2 10000
	send 1 2 -n 20 -d 24
	equal "received" "$(peer received 2 .sum.packets)" 20
	[ -z "$llet_why" ] || {
		nic_counters sw p9
		peer nic_counters h2 eth0
		tc -n sw -s qdisc show dev p9 root | sed 's/^/# /'
	}
}

llet_main
