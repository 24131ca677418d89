#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# PFC to the letter of 802.1Qbb.
#
# h3 pauses p3, the port to it, with hand-made frames; h1 sends through p3. At 1
# Mbit/s a pause of 65535 quanta lasts 33.5 s, longer than any test; 1000 quanta
# at 10 Mbit/s last 51.2 ms.

ALL_TESTS="pause_is_per_priority enable_bits_count quanta_zero_resumes
	pause_expires reload_does_not_add refresh_at_half
	frame_not_behind_data malformed_is_counted link_pause_is_ignored
	other_priority_not_obeyed link_down_clears"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

LONG=65535

setup()
{
	llet_star 3
	llet_ports 3 rate "${1:-1mbit}" prio-pfc 3:on 4:on "${@:2}"
}

pause_is_per_priority()
{
	setup
	pfc 3 0x08 0 0 0 $LONG
	receive 3 1500
	send 1 3 -n 20 -d 24 -f 3
	send 1 3 -n 20 -d 32 -f 4
	equal "prio 4 received" "$(received 3 '."4".packets')" 20
	equal "prio 3 received" "$(received 3 '."3".packets')" null
	equal "prio 3 queued" "$(stat p3 3 backlog)" 20000
	equal "prio 3 paused" "$(stat p3 3 rx_paused)" 1
	equal "prio 4 paused" "$(stat p3 4 rx_paused)" 0
	conserved
}

enable_bits_count()
{
	setup
	# quanta of all classes, enable bit of class 3 only; reserved octet set
	pfc 3 0xff08 9 9 9 $LONG 9 9 9 9
	equal "prio 3 paused" "$(stat p3 3 rx_paused)" 1
	equal "prio 4 pauses" "$(stat p3 4 rx_pause)" 0
	equal "prio 4 paused" "$(stat p3 4 rx_paused)" 0
	# class 3 is not enabled in this frame: it stays paused
	pfc 3 0x10 0 0 0 0 $LONG
	equal "prio 3 still paused" "$(stat p3 3 rx_paused)" 1
	equal "prio 4 now paused" "$(stat p3 4 rx_paused)" 1
	equal "prio 3 resumes" "$(stat p3 3 rx_resume)" 0
}

quanta_zero_resumes()
{
	setup
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 20 -d 24
	equal "queued" "$(stat p3 3 backlog)" 20000
	equal "backlog of tc -s" "$(port_stat p3 backlog) $(port_stat p3 qlen)" "20000 20"
	receive 3 1500
	pfc 3 0x08
	equal "received" "$(received 3 .sum.packets)" 20
	equal "backlog of tc -s" "$(port_stat p3 backlog) $(port_stat p3 qlen)" "0 0"
	equal "lost" "$(received 3 .sum.lost)" 0
	equal "resumes" "$(stat p3 3 rx_resume)" 1
	equal "transitions" "$(stat p3 3 rx_pause_transition)" 1
	no_drops
	conserved
}

pause_expires()
{
	setup 10mbit
	receive 3 500
	pfc 3 0x08 0 0 0 1000
	send 1 3 -n 1 -d 24
	equal "received" "$(received 3 .sum.packets)" 1
	equal "paused for us" "$(stat p3 3 rx_pause_duration)" 51200
	equal "paused" "$(stat p3 3 rx_paused)" 0
	equal "resumes" "$(stat p3 3 rx_resume)" 0
}

reload_does_not_add()
{
	local us

	setup 1mbit
	# ten frames at once: 0.512 s in total, not 5.12 s
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		pfc 3 0x08 0 0 0 1000
	done
	check "p3 stays paused" wait_for 10000 stat_is p3 3 rx_paused = 0
	us=$(stat p3 3 rx_pause_duration)
	equal "pauses" "$(stat p3 3 rx_pause)" 10
	# in real time the next frame may arrive after the end of the last pause
	real_time && return
	equal "transitions" "$(stat p3 3 rx_pause_transition)" 1
	between "paused for us" "$us" 512000 5000000
}

# While p3 is paused, p1 fills up and pauses h1, and refreshes at half time:
# every 25.6 ms, never earlier. In real time a refresh may be late, even too
# late for h1.
refresh_at_half()
{
	local pauses us fewest

	setup 10mbit xoff 10k headroom 20k pause-quanta 1000
	host 1 rate 10mbit prio-pfc 3:on
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 20 -d 24
	check "p1 does not pause" wait_for 1000 stat_is p1 3 tx_paused = 1
	sleep 0.5
	check "no refresh" wait_for 1000 stat_is p1 3 tx_pause -ge 3
	read -r pauses us < <(tc -n sw -s -j qdisc show dev p1 root |
		jq -r '.[0].prios[3] | "\(.tx_pause) \(.tx_pause_duration)"')
	# a refresh may still wait for the end of a frame
	fewest=$((us / 25600))
	real_time && fewest=3
	between "pauses in $us us" "$pauses" "$fewest" $((us / 25600 + 1))
	if ! real_time; then
		equal "h1 sees one pause" "$(host_stat 1 3 rx_pause_transition)" 1
		equal "h1 is paused" "$(host_stat 1 3 rx_paused)" 1
	fi
	equal "transitions at p1" "$(stat p1 3 tx_pause_transition)" 1
	equal "resumes" "$(stat p1 3 tx_resume)" 0
	no_drops
}

# A full queue at p1, towards h1, does not delay the frame that pauses h1.
frame_not_behind_data()
{
	setup 10kbit xoff 10k headroom 60k
	host 1 rate 10mbit prio-pfc 3:on
	pfc 3 0x08 0 0 0 $LONG
	# 60 kB wait at p1 for h1: 48 seconds, 0.8 per frame
	send 2 1 -n 60 -d 32 -B
	equal "queued at p1" "$(($(stat p1 4 backlog) > 50000))" 1
	send 1 3 -n 15 -d 24
	check "no pause while data waits" wait_for 1000 stat_is p1 3 tx_pause -ge 1
	check "the queue had drained" stat_is p1 4 backlog -gt 20000
	equal "h1 is paused" "$(host_stat 1 3 rx_paused)" 1
}

malformed_is_counted()
{
	local da=0180c2000001 sa=020000000003 n=0 hex

	setup
	receive 2 500
	for hex in \
		"$da$sa 8808 0101 0008" \
		"$da$sa 8808 0102 0008 0000000000000000 0000000000000000" \
		"ffffffffffff$sa 8808 0101 0008 0000000000000000 0000000000000000" \
		"$da$sa 8100 6000 8808 0101 0008 0000000000000000 0000000000000000" \
		"$da$sa 8808"; do
		h 3 lle_traffic raw eth0 "${hex// /}"
		n=$((n + 1))
		equal "malformed after frame $n" "$(port_stat p3 rx_malformed)" $n
	done
	equal "pauses" "$(stat p3 3 rx_pause)" 0
	equal "forwarded" "$(sum .tx_packets)" 0
}

link_pause_is_ignored()
{
	setup
	h 3 lle_traffic raw eth0 \
		"0180c200000102000000000388080001ffff$(printf '0%.0s' {1..84})"
	equal "counted" "$(port_stat p3 rx_link_pause)" 1
	equal "malformed" "$(port_stat p3 rx_malformed)" 0
	receive 3 500
	send 1 3 -n 1 -d 24
	equal "received" "$(received 3 .sum.packets)" 1
}

# Priority 5 has no PFC here: its pauses are counted but not obeyed.
other_priority_not_obeyed()
{
	setup
	pfc 3 0x20 0 0 0 0 0 $LONG
	equal "counted" "$(stat p3 5 rx_pause)" 1
	equal "paused" "$(stat p3 5 rx_paused)" 0
	receive 3 500
	send 1 3 -n 3 -d 40
	equal "received" "$(received 3 .sum.packets)" 3
}

link_down_clears()
{
	setup
	pfc 3 0x08 0 0 0 $LONG
	equal "paused" "$(stat p3 3 rx_paused)" 1
	ip -n h3 link set eth0 down
	check "pause survives the link" wait_for 3000 stat_is p3 3 rx_paused = 0
	ip -n h3 link set eth0 up
	check "p3 stays down" wait_for 3000 sw grep -q up /sys/class/net/p3/operstate
	receive 3 500
	send 1 3 -n 3 -d 24
	equal "received" "$(received 3 .sum.packets)" 3
}

llet_main
