#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Incast: h1 and h2 send twice the rate of the link to h3. Hosts have the same
# qdisc as the switch and obey its pauses. With PFC no packet is lost; without
# it packets are, and each is accounted for.

ALL_TESTS="with_pfc without_pfc mixed_sizes two_priorities
	victim_shares_no_priority three_hops"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

N=2000

# In real time hosts may react late, when their CPU is busy: headroom is enough
# for all their packets.
ROOM=(buffer 1m xoff 40k headroom 100k)
! real_time || ROOM=(buffer 64m xoff 40k headroom 10m)

testbed()
{
	local i

	llet_star 3
	llet_ports 3 rate 10mbit "${ROOM[@]}" "$@"
	for i in 1 2 3; do
		host "$i" rate 10mbit buffer 16m "$@"
	done
}

# incast OPTION...: both senders at once, flows 1 and 2
incast()
{
	local pids=() i

	receive 3 1000
	for i in 1 2; do
		send $i 3 -n $N -f $i "$@" &
		pids+=($!)
	done
	wait "${pids[@]}"
}

with_pfc()
{
	testbed prio-pfc 3:on
	incast -d 24
	equal "received" "$(received 3 .sum.packets)" $((2 * N))
	equal "lost" "$(received 3 .sum.lost)" 0
	equal "reordered" "$(received 3 .sum.reordered)" 0
	no_drops
	conserved
	check "p1 has not paused" stat_is p1 3 tx_pause -gt 0
	equal "pauses sent by p1, seen by h1" "$(host_stat 1 3 rx_pause)" \
		"$(stat p1 3 tx_pause)"
	equal "resumes sent by p1, seen by h1" "$(host_stat 1 3 rx_resume)" \
		"$(stat p1 3 tx_resume)"
	equal "p1 still pauses" "$(stat p1 3 tx_paused)" 0
	equal "occupancy" "$(sum .occupancy)" 0
	equal "shared" "$(port_stat p1 shared_used)" 0
}

without_pfc()
{
	local got drops

	testbed
	incast -d 24
	got=$(received 3 .sum.packets)
	drops=$(sum .drops[])
	equal "received" "$got" $((2 * N - drops))
	check "nothing was dropped" test "$drops" -gt 100
	equal "pauses" "$(sum .tx_pause)" 0
	conserved
}

mixed_sizes()
{
	local size pids=() i=0

	testbed prio-pfc 3:on
	receive 3 1000
	for size in 62 300 777 1400 1514; do
		i=$((i + 1))
		send 1 3 -n 500 -d 24 -f $i -s $size &
		pids+=($!)
		send 2 3 -n 500 -d 24 -f $((i + 10)) -s $size &
		pids+=($!)
	done
	wait "${pids[@]}"
	equal "received" "$(received 3 .sum.packets)" 5000
	equal "lost" "$(received 3 .sum.lost)" 0
	no_drops
	conserved
}

# Each priority has its own pauses.
two_priorities()
{
	local pids=()

	testbed prio-pfc 3:on 4:on
	receive 3 1000
	send 1 3 -n $N -d 24 -f 1 & pids+=($!)
	send 2 3 -n $N -d 32 -f 2 & pids+=($!)
	wait "${pids[@]}"
	equal "received" "$(received 3 .sum.packets)" $((2 * N))
	equal "lost" "$(received 3 .sum.lost)" 0
	equal "pauses of 4 at p1" "$(stat p1 4 tx_pause)" 0
	equal "pauses of 3 at p2" "$(stat p2 3 tx_pause)" 0
	no_drops
	conserved
}

# A lossy priority may lose packets; the lossless one is not affected.
victim_shares_no_priority()
{
	local pids=()

	testbed prio-pfc 3:on
	receive 3 1000
	send 1 3 -n $N -d 24 -f 1 & pids+=($!)
	send 2 3 -n $N -d 8 -f 2 & pids+=($!)
	wait "${pids[@]}"
	equal "lossless received" "$(received 3 '."1".packets')" $N
	equal "drops of 3" "$(sum .drops[] 3)" 0
	conserved
}

# With a second switch in between, pauses travel hop by hop.
#
#	h1, h2 -- sw -- p9 == q9 -- sw2 -- q4 -- h4
three_hops()
{
	local i

	testbed prio-pfc 3:on
	llet_netns sw2
	llet_netns h4
	ip -n sw2 link add br0 type bridge mcast_snooping 0
	ip -n sw2 link set br0 up
	ip link add p9 netns sw type veth peer name q9 netns sw2
	ip link add q4 netns sw2 type veth peer name eth0 netns h4
	ip -n h4 link set eth0 address "$(mac 4)"
	ip -n h4 link set eth0 up
	ip -n sw link set p9 master br0
	ip -n sw link set p9 up
	ip -n sw2 link set q9 master br0
	ip -n sw2 link set q4 master br0
	ip -n sw2 link set q9 up
	ip -n sw2 link set q4 up
	bridge -n sw fdb replace "$(mac 4)" dev p9 master static
	bridge -n sw2 fdb replace "$(mac 4)" dev q4 master static
	port 9 rate 10mbit "${ROOM[@]:2}" prio-pfc 3:on
	for i in 4:5mbit 9:10mbit; do
		tc -n sw2 qdisc replace dev "q${i%:*}" root handle 1: lossless \
			rate "${i#*:}" "${ROOM[@]}" prio-pfc 3:on
	done

	receive 4 1000
	send 1 4 -n $N -d 24
	equal "received" "$(received 4 .sum.packets)" $N
	equal "lost" "$(received 4 .sum.lost)" 0
	check "p9 was not paused" stat_is p9 3 rx_pause -gt 0
	check "p1 has not paused" stat_is p1 3 tx_pause -gt 0
	no_drops
	conserved
}

llet_main
