#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Headroom as it is computed is enough, and no more than enough.
#
#	h1 --1 Mbit/s, 6.088 ms-- p1 [switch] p3 --0.1 Mbit/s-- h3
#
# h1 sends to p3, which is slow, so p1 pauses h1 again and again. The shared
# buffer has room for five frames; the sixth makes p1 pause and is in headroom
# already. In the other direction the link is full of the largest frames. The
# delay is such that the worst case comes about in each round. Counting time in
# bytes (8 us each), with frames of 1514 and a delay of 761:
#
#	0	p1 sends the resume; from 60 on, frames towards h1 follow
#	60+761	h1 has it and sends frames back to back
#	60+2*761+k*1514 = 68+(k+1)*1514	one of them makes p1 pause: a frame
#		towards h1 has begun 8 before, so the pause waits 1506
#	+1506+60+761	h1 has the pause: 2*761+1506+60 = 60+2*1514 after the end
#		of the frame that made p1 pause, so the third one has begun
#
# With the sixth frame 4 * 1514 = 6056 bytes are in headroom if none leaves in
# the meantime. 6137 are computed: with 8 of the wait, 60 of the third frame, and
# 13 for a reaction of 100 us. With a cell of 144 bytes less packets are lost.
#
# What the software takes does not matter at this rate. MTU 1496 makes a frame
# of 1514 bytes the largest, with a tag. There is no overhead on the link, so
# that bytes are time, whatever the sizes.

ALL_TESTS="computed_is_enough one_cell_less_is_not any_sizes_are_enough
	auto_is_the_computed warned_if_below grows_with_reaction
	bytes_are_time bytes_of_each_pause catching_up_is_no_reaction
	no_silence_is_no_reaction defiance_is_bounded"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

CELL=144	# as that of a switch ASIC
LINK="rate 1mbit delay 6088us overhead 0 burst 0 reaction 100us prio-pfc 3:on"

# rate * (2 * delay + reaction) + 1, the frame in the way, the pause: 1535 + 1514
# + 60 = 2 * 1514 + 81; the frame that has begun, the one that caused the XOFF
NEED=6137
SHARED=8000
RESERVED=13000000	# for what goes to h1: not from the shared bytes

# drained N: all N frames have come to p1, and have left p3 or were dropped
drained()
{
	stat_is p1 3 rx_packets = "$1" && stat_is p3 3 backlog = 0
}

# run HEADROOM [OPTION...]: sets drops, used and pauses
run()
{
	llet_star 3
	tc -n sw qdisc replace dev p2 root handle 1: lossless buffer 256m \
		reserved $RESERVED
	ip -n sw link set p1 mtu 1496
	port 1 $LINK xoff 1m xon-delta 100b headroom "${1}b"
	port 3 rate 100kbit buffer $((8 * RESERVED + $1 + SHARED))
	equal "shared bytes" "$(option p1 shared_size)" $SHARED
	host 1 $LINK
	# for h1, 97 s of the largest frames
	send 2 1 -B -n 8000 -s 1514
	send 1 3 -n 600 -s 1514 -d 24 "${@:2}"
	check "queue does not drain" wait_for 200000 drained 600
	check "the other direction was not full" stat_is p1 0 backlog -gt 0
	drops=$(stat p1 3 drops.headroom_discard)
	used=$(stat p1 3 headroom_max)
	pauses=$(stat p1 3 tx_pause_transition)
	echo "# headroom $1: used $used, dropped $drops, in $pauses pauses"
}

computed_is_enough()
{
	run $NEED
	equal "dropped" "$drops" 0
	between "used" "$used" $((NEED - CELL + 1)) $NEED
	check "too few pauses" test "$pauses" -gt 50
	equal "dropped in all" "$(sum .drops[])" 0
}

one_cell_less_is_not()
{
	run $((NEED - CELL))
	check "nothing was dropped" test "$drops" -gt 0
	equal "dropped otherwise" "$(sum .drops[])" "$drops"
}

any_sizes_are_enough()
{
	run $NEED -r 7
	equal "dropped" "$(sum .drops[])" 0
	check "headroom was not used" test "$used" -gt 2000
	conserved
}

auto_is_the_computed()
{
	llet_star 1
	ip -n sw link set p1 mtu 1496
	port 1 $LINK headroom auto
	equal "headroom" "$(option p1 headroom_now)" $NEED
	equal "headroom needed" "$(option p1 headroom_need)" $NEED
	# 1535 + 2014 + 60 = 1 * 2014 + 1595
	ip -n sw link set p1 mtu 1996
	equal "headroom at MTU 1996" "$(option p1 headroom_now)" \
		$((3 * 2014 + 1595))
}

warned_if_below()
{
	local said

	llet_star 1
	ip -n sw link set p1 mtu 1496
	said=$(port 1 $LINK xoff 8000b headroom $((NEED - 1))b 2>&1)
	check "no warning" test -n "$said"
	said=$(port 1 $LINK xoff 8000b headroom ${NEED}b 2>&1)
	equal "warning" "$said" ""
}

# h1 is slow to obey: its wire is 100 ms longer than p1 knows. That is measured, but
# for the 25 ms that link and pause may take, and computed headroom grows.
grows_with_reaction()
{
	local before

	llet_star 3
	llet_ports 3 rate 1mbit reaction 0 xoff 8000b prio-pfc 3:on buffer 1m
	port 3 rate 500kbit
	host 1 rate 1mbit delay 100ms prio-pfc 3:on
	before=$(option p1 headroom_now)
	send 1 3 -n 60 -d 24
	check "queue does not drain" wait_for 5000 drained 60
	between "reaction in us" $(($(port_stat p1 reaction_ns) / 1000)) 70000 110000
	check "headroom has not grown" test "$(option p1 headroom_now)" -gt "$before"
	# what was computed once can be changed afterwards
	check "change" tc -n sw qdisc change dev p1 root lossless alpha 1/8
}

# 100 frames of 1000 bytes arrive at once, as they do when the CPU was late for
# them. With the ninth 8000 bytes are exceeded. The link has taken 8 ms for each of
# the 91 that follow, and needs less than 30 for itself.
bytes_are_time()
{
	llet_star 3
	llet_ports 3 rate 1mbit burst 0 xoff 8000b prio-pfc 3:on buffer 1m
	port 3 rate 500kbit
	send 1 3 -B -n 100 -s 1000 -d 24
	check "queue does not drain" wait_for 5000 drained 100
	between "reaction in us" $(($(port_stat p1 reaction_ns) / 1000)) 698000 728000
}

# Twice 50 frames: in each pause 41 come too late, 328 ms of the link.
bytes_of_each_pause()
{
	llet_star 3
	llet_ports 3 rate 1mbit burst 0 xoff 8000b prio-pfc 3:on buffer 1m
	port 3 rate 500kbit
	send 1 3 -B -n 50 -s 1000 -d 24
	check "queue does not drain" wait_for 5000 drained 50
	send 1 3 -B -n 50 -s 1000 -d 24
	check "queue does not drain" wait_for 5000 drained 100
	equal "pauses" "$(stat p1 3 tx_pause_transition)" 2
	between "reaction in us" $(($(port_stat p1 reaction_ns) / 1000)) 298000 328000
}

# As bytes_are_time, but 32768 of the 91000 bytes may have been sent at once.
catching_up_is_no_reaction()
{
	llet_star 3
	llet_ports 3 rate 1mbit burst 32k xoff 8000b prio-pfc 3:on buffer 1m
	port 3 rate 500kbit
	send 1 3 -B -n 100 -s 1000 -d 24
	check "queue does not drain" wait_for 5000 drained 100
	between "reaction in us" $(($(port_stat p1 reaction_ns) / 1000)) 435000 466000
}

# h1 sends a frame each ms, before, during and after the pause, which lasts for
# 0.15 s: whether it would have obeyed is not known.
no_silence_is_no_reaction()
{
	llet_star 2
	llet_ports 2 rate 100mbit xoff 8000b headroom 1m prio-pfc 3:on
	pfc 2 0x08 0 0 0 30000
	send 1 2 -B -n 300 -g 1000000 -d 24
	equal "pauses" "$(stat p1 3 tx_pause_transition)" 1
	equal "still pausing" "$(stat p1 3 tx_paused)" 0
	equal "reaction" "$(port_stat p1 reaction_ns)" 0
	no_drops
}

# A host that does not obey, and stops by itself, is taken for a slow one. Half of
# the buffer is the most that headroom grows to, and the port can still be
# changed.
defiance_is_bounded()
{
	llet_star 3
	llet_ports 3 rate 1mbit xoff 8000b prio-pfc 3:on buffer 400k
	port 3 rate 500kbit
	send 1 3 -B -n 200 -d 24 -g 2000000
	check "queue does not drain" wait_for 10000 drained 200
	check "reaction was not measured" test "$(port_stat p1 reaction_ns)" -gt 100000000
	check "more than half was taken" test "$(option p1 shared_size)" -ge 204800
	tc -n sw qdisc change dev p1 root lossless alpha 1/8 2>/dev/null ||
		llet_fail "change"
}

llet_main
