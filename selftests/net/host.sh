#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Role host: a NIC with a receive buffer, which the host empties at a rate.
#
#	h1 --100 Mbit/s-- p1 [switch] p2 --100 Mbit/s-- h2, receives 10 Mbit/s
#
# h2 pauses p2, and the queue of p2 makes p1 pause h1. The device of h2 sees
# packets of the link, its IP sees packets that left the buffer.

ALL_TESTS="slow_receiver stopped_receiver unlimited_is_not_buffered without_pfc
	one_pipeline rate_is_exact idle_is_no_credit taps_see_it_once
	filters_see_it_once changed_under_traffic faster_at_once becomes_switch deleted replaced goes_down moves device_goes
	netns_goes jumbo_frames tagged_frames segmented obeys_and_counts_control refusals"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

N=3000
LINK="rate 100mbit prio-pfc 3:on 4:on xoff 100k headroom 400k"

# testbed OPTION...: h2 is a host with these options
testbed()
{
	llet_star 2
	llet_ports 2 $LINK
	host 1 $LINK buffer 16m
	host 2 $LINK role host "$@"
}

# options for h2, while it has packets
change() { tc -n h2 qdisc change dev eth0 root lossless "$@"; }

host_option() { tc -n h2 -j qdisc show dev eth0 root | lle_json ".[0].options.$1"; }

host_is() { test "$(host_stat 2 "$1" "$2")" "$3" "$4"; }

# All packets of h2 were passed on, dropped with a reason, or wait.
host_conserved()
{
	equal "h2: waiting" "$(host_stat 2 3 occupancy)" 0
	equal "h2: shared" "$(tc -n h2 -s -j qdisc show dev eth0 root | lle_json '.[0].shared_used')" 0
	equal "h2: dropped" "$(host_stat 2 3 drop_bytes)" "${1:-0}"
}

# all_arrive COUNT: no packet was lost on the way to the IP of h2
all_arrive()
{
	equal "received" "$(received 2 .sum.packets)" "$1"
	equal "lost" "$(received 2 .sum.lost)" 0
	equal "reordered" "$(received 2 .sum.reordered)" 0
	no_drops
	nothing_stuck
	host_conserved
}

# rate_of BITS: rate at the IP of h2 since the first frame, within 1 %
rate_of()
{
	local bps

	bps=$(received 2 .sum | jq '(.bytes - .bytes / .packets) * 8e9 / .ns | floor')
	between "bits per second" "$bps" $(($1 * 99 / 100)) $(($1 * 101 / 100))
}

slow_receiver()
{
	testbed rx-rate 10mbit
	receive 2 1000 ip
	send 1 2 -n $N -d 24
	all_arrive $N
	rate_of 10000000
	check "h2 has not paused p2" host_is 3 tx_pause -gt 0
	equal "pauses that p2 has seen" "$(stat p2 3 rx_pause)" "$(host_stat 2 3 tx_pause)"
	check "p1 has not paused h1" stat_is p1 3 tx_pause -gt 0
	equal "rx-rate" "$(host_option rx_rate)" 1250000
}

# No packet moves for longer than a pause of 0.34 s. Then all continue.
stopped_receiver()
{
	local at

	testbed rx-rate stopped
	receive 2 5000 ip
	send 1 2 -n $N -d 24 &
	check "p1 has not paused h1" wait_for 2000 stat_is p1 3 tx_paused = 1
	sleep 0.1
	at=$(host_stat 2 3 occupancy)
	between "h2: waiting" "$at" $((100 << 10)) $((500 << 10))
	sleep 0.6
	equal "h2: waiting later" "$(host_stat 2 3 occupancy)" "$at"
	equal "h2 pauses" "$(host_stat 2 3 tx_paused)" 1
	equal "p2 is paused" "$(stat p2 3 rx_paused)" 1
	equal "h1 is paused" "$(host_stat 1 3 rx_paused)" 1
	equal "came to h2" "$(host_stat 2 3 rx_bytes)" "$at"
	equal "rx-rate" "$(host_option rx_rate)" 0
	change rx-rate unlimited
	all_arrive $N
}

# Without a rate no packet waits, and h2 does not pause.
unlimited_is_not_buffered()
{
	testbed
	equal "role" "$(host_option role)" host
	equal "rx-rate" "$(host_option rx_rate)" null
	receive 2 1000 ip
	send 1 2 -n $N -d 24
	all_arrive $N
	equal "most that waited" "$(host_stat 2 3 occupancy_max)" 0
	equal "pauses" "$(host_stat 2 3 tx_pause)" 0
}

# Priority 5 has no PFC: h2 drops packets beyond its buffer, without a pause.
without_pfc()
{
	local got

	testbed rx-rate 1mbit
	receive 2 1000 ip
	send 1 2 -n $N -d 40
	got=$(received 2 .sum.packets)
	check "nothing was dropped" test "$got" -lt $N
	equal "dropped over the threshold" "$(host_stat 2 5 drops.cong_discard)" $((N - got))
	equal "dropped bytes" "$(host_stat 2 5 drop_bytes)" $(((N - got) * 1000))
	between "most that waited" "$(host_stat 2 5 occupancy_max)" \
		$((100 << 10)) $(((100 << 10) + 1000))
	equal "pauses" "$(host_stat 2 5 tx_pause)" 0
	no_drops
	conserved
}

# Priority 4 does not fill its buffer and is not paused, but waits behind 3.
one_pipeline()
{
	testbed rx-rate stopped
	receive 2 5000 ip
	send 1 2 -n $N -d 24 -f 3 &
	check "h2 does not pause 3" wait_for 2000 host_is 3 tx_paused = 1
	send 1 2 -n 10 -d 32 -f 4
	check "4 does not come" wait_for 2000 host_is 4 rx_packets = 10
	sleep 0.2
	equal "4 waits" "$(host_stat 2 4 occupancy)" 10000
	equal "4 is paused" "$(host_stat 2 4 tx_paused)" 0
	change rx-rate 10mbit
	all_arrive $((N + 10))
	equal "4 received" "$(received 2 '."4".packets')" 10
}

# Also without pauses, when all packets wait in h2; frames of any size.
rate_is_exact()
{
	testbed rx-rate 1mbit
	change xoff 8m buffer 16m headroom 1m
	receive 2 1000 ip
	send 1 2 -n 1000 -d 24 -s 1514 -r 7
	all_arrive 1000
	rate_of 1000000
	equal "pauses" "$(host_stat 2 3 tx_pause)" 0
}

# Idle time earns no credit, whatever burst is allowed.
idle_is_no_credit()
{
	testbed rx-rate 1mbit burst 20k
	send 1 2 -n 5 -d 24
	sleep 0.5
	receive 2 1000 ip
	send 1 2 -n 50 -d 24
	all_arrive 50
	rate_of 1000000
}

# The device of h2 sees each packet on arrival, and not again after its wait.
taps_see_it_once()
{
	testbed rx-rate 1mbit
	receive 2 1000
	send 1 2 -n 80 -d 24
	all_arrive 80
	check "nothing has waited" host_is 3 occupancy_max -gt 10000
}

filters_see_it_once()
{
	testbed rx-rate 1mbit
	tc -n h2 qdisc add dev eth0 clsact
	tc -n h2 filter add dev eth0 ingress matchall action pass
	receive 2 1000 ip
	send 1 2 -n 80 -d 24
	all_arrive 80
	equal "seen by a filter" "$(tc -n h2 -s -j filter show dev eth0 ingress |
		jq 'map(.options.actions[]?.stats.packets) | add')" 80
}

# A packet of 1000 bytes needs a second at 8 kbit/s, but not at a higher rate.
faster_at_once()
{
	testbed rx-rate 8kbit
	send 1 2 -n 2 -d 24
	check "nothing waits" wait_for 500 host_is 3 occupancy = 1000
	change rx-rate 10mbit
	check "still" wait_for 100 host_is 3 occupancy = 0
}

changed_under_traffic()
{
	local rates=(20mbit unlimited 5mbit stopped 10mbit) i pid

	testbed rx-rate 10mbit
	receive 2 2000 ip
	send 1 2 -n $((2 * N)) -d 24 &
	pid=$!
	for ((i = 0; i < 20; i++)); do
		change rx-rate "${rates[i % 5]}"
		sleep 0.02
	done
	wait $pid
	change rx-rate unlimited
	all_arrive $((2 * N))
}

# 10 packets wait at h2, and it pauses p2.
waiting_testbed()
{
	testbed rx-rate stopped
	change xoff 9500b xon-delta 4kb
	send 1 2 -n 10 -d 24
	check "testbed: h2 does not pause" wait_for 2000 host_is 3 tx_paused = 1
	check "testbed: p2 is not paused" wait_for 2000 stat_is p2 3 rx_paused = 1
	equal "testbed: waiting" "$(host_stat 2 3 occupancy)" 10000
}

# Packets reach h2 after all that. Pauses of 65535 quanta are 0.34 s here.
works_again()
{
	check "p2 stays paused" wait_for 1000 stat_is p2 3 rx_paused = 0
	receive 2 1000 ip
	send 1 2 -n 50 -d 24 -f 9
	equal "received afterwards" "$(received 2 .sum.packets)" 50
}

purged()
{
	equal "purged" "$(host_stat 2 3 drops.purge_discard)" 10
	host_conserved 10000
}

becomes_switch()
{
	waiting_testbed
	change role switch
	purged
	equal "rx-rate" "$(host_option rx_rate)" null
	check "h2 has not resumed p2" wait_for 1000 host_is 3 tx_resume = 1
	works_again
	change role host rx-rate 10mbit
	works_again
	purged
	nothing_stuck
}

deleted()
{
	waiting_testbed
	tc -n h2 qdisc del dev eth0 root
	check "p2 was not told to resume" wait_for 1000 stat_is p2 3 rx_resume = 1
	works_again
	nothing_stuck
}

# With another handle it is a new qdisc, without role host.
replaced()
{
	waiting_testbed
	tc -n h2 qdisc replace dev eth0 root handle 77: lossless $LINK
	purged
	equal "role" "$(host_option role)" switch
	works_again
	nothing_stuck
}

goes_down()
{
	waiting_testbed
	ip -n h2 link set eth0 down
	purged
	ip -n h2 link set eth0 up
	change rx-rate 10mbit
	works_again
	nothing_stuck
}

moves()
{
	waiting_testbed
	llet_netns other
	ip -n h2 link set eth0 netns other
	ip -n other link set eth0 up
	equal "qdisc" "$(tc -n other -j qdisc show dev eth0 root | jq -r '.[0].kind')" noqueue
}

device_goes()
{
	waiting_testbed
	ip -n h2 link del eth0
	check "p2 is left" test "$(ip -n sw -o link | grep -c ' p2@')" = 0
}

netns_goes()
{
	waiting_testbed
	ip netns del h2
	check "p2 is left" wait_for 5000 no_p2
	ip netns add h2
}

no_p2() { ! ip -n sw link show p2 >/dev/null 2>&1; }

jumbo_frames()
{
	testbed rx-rate 10mbit
	for dev in "h1 eth0" "sw p1" "sw br0" "sw p2" "h2 eth0"; do
		# shellcheck disable=SC2086 # two words
		set -- $dev
		ip -n "$1" link set "$2" mtu 9000
	done
	receive 2 1000 ip
	send 1 2 -n 500 -d 24 -s 9014
	all_arrive 500
	rate_of 10000000
}

# With a tag of VLAN 0, which is stripped. As many as fit, as h1 does not know
# their priority and is not paused.
tagged_frames()
{
	testbed rx-rate 10mbit trust pcp
	for i in 1 2; do
		port $i trust pcp
	done
	receive 2 1000 ip
	send 1 2 -n 80 -p 3
	all_arrive 80
	equal "in priority 3" "$(host_stat 2 3 rx_packets)" 80
	check "nothing has waited" host_is 3 occupancy_max -gt 10000
}

listening() { h "$1" grep -q ':1451 ' /proc/net/tcp /proc/net/tcp6; }

# TCP with packets of 64 kB all the way to h2: each counts as its frames of 1514
# bytes with 1448 bytes of data.
segmented()
{
	local end

	llet_star 2
	host 2 role host rx-rate 10mbit xoff 1m
	h 2 iperf3 -s -1 >/dev/null &
	check "no server" wait_for 5000 listening 2
	end=$(h 1 iperf3 -c 192.0.2.2 -n 2000000 -J | jq -c '[.end.sum_sent.retransmits,
		(.end.sum_received.bits_per_second / 1e4 | round)]')
	between "received, in 10 kbit/s" "$(jq '.[1]' <<<"$end")" 940 970
	equal "sent again" "$(jq '.[0]' <<<"$end")" 0
	check "nothing has waited" host_is 0 occupancy_max -gt 10000
	check "packets remain" wait_for 2000 host_is 0 occupancy = 0
}

# Control frames do not wait: PFC frames are obeyed, others are counted.
obeys_and_counts_control()
{
	waiting_testbed
	sw lle_traffic pfc p2 0x08 0 0 0 65535
	check "h2 does not obey" host_is 3 rx_paused = 1
	sw lle_traffic raw p2 "01 80 c2 00 00 01 02 00 00 00 00 99 88 08 01 01 00"
	equal "malformed" "$(tc -n h2 -s -j qdisc show dev eth0 root |
		jq '.[0].rx_malformed')" 1
	equal "waiting" "$(host_stat 2 3 occupancy)" 10000
	change rx-rate 10mbit
	works_again
}

refusals()
{
	llet_star 1
	refused "role: a bridge port has role switch" tc -n sw qdisc add dev p1 root lossless role host
	refused "rx-rate: requires role host" tc -n h1 qdisc add dev eth0 root \
		lossless rx-rate 1mbit
	host 1 role host rx-rate 1mbit
	refused "rx-rate: requires role host" tc -n h1 qdisc change dev eth0 root \
		lossless role switch rx-rate 2mbit
	refused "leave nothing to share" tc -n h1 qdisc change dev eth0 root lossless \
		rx-rate stopped buffer 64k reserved 64k
	equal "rx-rate" "$(tc -n h1 -j qdisc show dev eth0 root |
		jq '.[0].options.rx_rate')" 125000
}

llet_main
