#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# With "direct" packets go to the device without passing the queues, as long as
# nothing is queued or paused. Then the queues have them again, and lose nothing.

ALL_TESTS="idle_port whole_gso_packets paused_port busy_port discard
	can_be_switched_off"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

PFC='prio-pfc 3:on'

pair()
{
	llet_star 2
	llet_ports 2 "$@"
}

# sent_are N BYTES: p2 has sent N packets, directly or by queue 3
sent_are()
{
	direct=$(port_stat p2 tx_direct_packets)
	equal "packets sent" $((direct + $(stat p2 3 tx_packets))) "$1"
	equal "bytes sent" $(($(port_stat p2 tx_direct_bytes) +
		$(stat p2 3 tx_bytes))) "$2"
	equal "packets of tc -s" "$(tc -n sw -s -j qdisc show dev p2 root |
		lle_json .[0].packets)" "$1"
}

# all_arrive N: host 2 has received N packets, in order
all_arrive()
{
	equal "arrived" "$(received 2 .sum.packets)" "$1"
	equal "lost" "$(received 2 .sum.lost)" 0
	equal "reordered" "$(received 2 .sum.reordered)" 0
	equal "drops in the switch" "$(sum '.drops[]')" 0
	equal "charged" "$(sum .occupancy)" 0
}

# only_pauses I: host I got 10 frames and the pauses of its port, and no kick skb
only_pauses()
{
	equal "frames that host $1 got" \
		"$(h "$1" cat /sys/class/net/eth0/statistics/rx_packets)" \
		$((10 + $(stat "p$1" 3 tx_pause) + $(stat "p$1" 3 tx_resume)))
}

idle_port()
{
	# shellcheck disable=SC2086 # a list of words
	pair $PFC direct
	receive 2 200
	send 1 2 -d 24 -n 1000
	all_arrive 1000
	sent_are 1000 1000000
	check "only $direct passed the queues" test "$direct" -ge 990
	equal "in p1" "$(stat p1 3 rx_packets)" 1000
}

whole_gso_packets()
{
	# shellcheck disable=SC2086 # a list of words
	pair $PFC direct
	send 1 2 -d 24 -s 1514 -G 45 -n 10
	sent_are 450 $((450 * 1514))
	check "only $direct passed the queues" test "$direct" -ge 360
}

# Host 2 takes no packets, and pauses p2: packets wait in p2, p1 pauses host 1.
paused_port()
{
	local before

	# shellcheck disable=SC2086 # lists of words
	{
		pair $PFC direct xoff 100k headroom 1m
		host 1 $PFC direct
		host 2 $PFC role host xoff 20k headroom 1m
	}
	# packets of both directions have gone directly
	send 2 1 -n 10
	receive 2 3000
	send 1 2 -d 24 -n 100
	wait_for 1000 test "$(port_stat p2 tx_direct_packets)" -gt 90
	tc -n h2 qdisc change dev eth0 root lossless rx-rate stopped
	send 1 2 -d 24 -n 1000 -f 1 &
	check "p2 is not paused" wait_for 2000 stat_is p2 3 rx_paused = 1
	check "p1 does not pause" wait_for 2000 stat_is p1 3 tx_paused = 1
	before=$(port_stat p2 tx_direct_packets)
	sleep 0.1
	equal "sent directly while paused" "$(port_stat p2 tx_direct_packets)" "$before"
	equal "bytes in headroom of host 2" "$(host_stat 2 3 headroom_max)" 0
	check "nothing waits" stat_is p2 3 backlog -gt 50000
	tc -n h2 qdisc change dev eth0 root lossless rx-rate unlimited
	all_arrive 1100
	only_pauses 1
	send 1 2 -d 24 -n 100
	check "not direct again" test "$(port_stat p2 tx_direct_packets)" -gt \
		$((before + 90))
}

# Hosts 1 and 3 send to host 2, which takes 100 Mbit/s and pauses p2 all the time.
busy_port()
{
	local i

	# shellcheck disable=SC2086 # lists of words
	{
		llet_star 3
		llet_ports 3 $PFC direct xoff 50k headroom 1m
		host 1 $PFC direct
		host 3 $PFC direct
		host 2 $PFC role host xoff 20k headroom 1m rx-rate 100mbit
	}
	for i in 1 3; do
		send 2 $i -n 10
	done
	receive 2 3000
	send 1 2 -d 24 -n 3000 -f 1 &
	send 3 2 -d 24 -n 3000 -f 3
	all_arrive 6000
	sent_are 6000 6000000
	echo "# $direct of 6000 directly, p2 was paused $(stat p2 3 rx_pause_transition) times"
	check "p2 was not paused" stat_is p2 3 rx_pause_transition -gt 10
	for i in 1 3; do
		check "p$i did not pause" stat_is p$i 3 tx_pause -gt 10
		only_pauses $i
	done
}

# Packets of a port that discards do not pass the queues either.
discard()
{
	# shellcheck disable=SC2086 # a list of words
	pair $PFC direct
	sw losslessctl watchdog start p2 100
	receive 2 500
	send 1 2 -d 24 -n 100
	sw losslessctl switch discard 0 on
	send 1 2 -d 24 -n 100
	sw losslessctl switch discard 0 off
	send 1 2 -d 24 -n 100
	equal "arrived" "$(received 2 .sum.packets)" 200
	equal "discarded" "$(sum .drops.storm_discard)" 100
	check "not direct again" test "$(port_stat p2 tx_direct_packets)" -gt 190
}

can_be_switched_off()
{
	local before

	pair direct
	send 1 2 -n 100
	tc -n sw qdisc change dev p2 root lossless no-direct
	before=$(port_stat p2 tx_direct_packets)
	send 1 2 -n 100
	equal "sent directly" "$(port_stat p2 tx_direct_packets)" "$before"
	equal "sent" $((before + $(stat p2 0 tx_packets))) 200
	tc -n sw qdisc change dev p2 root lossless direct
	send 1 2 -n 100
	check "not direct again" test "$(port_stat p2 tx_direct_packets)" -gt \
		$((before + 90))
}

llet_main
