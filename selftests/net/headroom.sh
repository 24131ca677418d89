#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Computed headroom is enough, and no more than enough.
#
#	h1 --1 Mbit/s, 6.088 ms-- p1 [switch] p3 --0.1 Mbit/s-- h3
#
# h1 sends to p3, which is slow, so p1 pauses h1 repeatedly. The shared buffer
# has space for five frames; the sixth makes p1 pause and is in headroom
# already. In the other direction the link is full of the largest frames. The
# delay makes each round a worst case. With time in bytes (8 us each), frames of
# 1514 and a delay of 761:
#
#	0	p1 sends the resume; from 60 on, frames to h1 follow
#	60+761	the resume arrives; h1 sends frames back to back
#	60+2*761+k*1514 = 68+(k+1)*1514	one of them makes p1 pause: a frame
#		to h1 began 8 before, so the pause waits for 1506
#	+1506+60+761	the pause arrives: 2*761+1506+60 = 60+2*1514 after the
#		end of the frame that made p1 pause: the third one began
#
# With the sixth frame 4 * 1514 = 6056 bytes are in headroom if none leaves in
# the meantime. 6137 are computed: with 8 of the wait, 60 of the third frame,
# and 13 for a reaction of 100 us. With a cell of 144 bytes less, packets are
# lost.
#
# Software delays do not matter at this rate. With MTU 1496 the largest frame
# has 1514 bytes, including a tag. The link has no overhead, so bytes are time
# for all frame sizes.
#
# GSO packets that are sent whole take the place of frames: of 45 segments, with
# a delay to match.

ALL_TESTS="computed_is_enough one_cell_less_is_not any_sizes_are_enough
	computed_is_enough_for_gso one_cell_less_is_not_for_gso
	auto_is_the_computed warned_if_below grows_with_reaction
	keeps_what_is_confirmed
	bytes_are_time bytes_of_each_pause redirected_bytes_are_time catching_up_is_no_reaction
	no_silence_is_no_reaction defiance_is_bounded
	equal_need_equal_share full_need_after_a_raise shares_follow
	last_one_computed tc_and_dcb_say_so shortage_is_reported deaf_host_pays_alone"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

CELL=144	# bytes, as in a switch ASIC
LINK="rate 1mbit overhead 0 burst 0 reaction 100us prio-pfc 3:on"
NEAR="$LINK delay 6088us"

# rate * (2 * delay + reaction) + 1, the frame in the way, the pause: 1535 +
# 1514 + 60 = 2 * 1514 + 81; the frame that began, the one that caused XOFF
NEED=6137
RESERVED=25000000	# for packets to h1: no shared bytes

# Likewise with 45 * 1514 = 68130 bytes in one piece: a delay of 34069 bytes;
# 68151 + 68130 + 60 = 90 * 1514 + 81
SEGMENTS=45
NEED_GSO=$((4 * SEGMENTS * 1514 + 81))

# drained N: all N frames arrived at p1, and left p3 or were dropped
drained()
{
	stat_is p1 3 rx_packets = "$1" && stat_is p3 3 backlog = 0
}

drains() { check "queue does not drain" wait_for 5000 drained "$1"; }

# reacted LEAST MOST: reaction of p1 in us
reacted() { between "reaction in us" $(($(port_stat p1 reaction_ns) / 1000)) "$1" "$2"; }

# slow_exit OPTION...: a star of 1 Mbit/s, where p3 has half of that
slow_exit()
{
	llet_star 3
	llet_ports 3 rate 1mbit xoff 8000b prio-pfc 3:on buffer 1m "$@"
	port 3 rate 500kbit
}

headroom_above() { test "$(option "$1" headroom_now)" -gt "$2"; }
headroom_is() { test "$(option "$1" headroom_now)" = "$2"; }

# run HEADROOM SEGMENTS N [OPTION...]: p1 receives N packets of SEGMENTS segments,
# with room for five of them in the shared buffer; sets drops, used and pauses
run()
{
	local headroom=$1 segments=$2 n=$3 bytes=$(($2 * 1514)) gso=() link shared

	shift 3
	[ "$segments" -eq 1 ] || gso=(-G "$segments")
	link=$NEAR
	[ "$segments" -eq 1 ] || link="$LINK delay $((4 * (bytes + 8)))us no-split-gso"
	shared=$((5 * bytes + 430))
	llet_star 3
	tc -n sw qdisc replace dev p2 root handle 1: lossless buffer 256m \
		reserved $RESERVED
	ip -n sw link set p1 mtu 1496
	port 1 $link xoff 1m xon-delta 100b headroom "${headroom}b"
	port 3 rate 100kbit no-split-gso \
		buffer $((8 * RESERVED + headroom + shared))
	equal "shared bytes" "$(option p1 shared_size)" $shared
	host 1 $link
	# for h1, more than p3 needs for the others
	send 2 1 -B -n $((12 * n)) -s 1514 "${gso[@]}"
	send 1 3 -n "$n" -s 1514 -d 24 "${gso[@]}" "$@"
	check "queue does not drain" wait_for 600000 drained $((n * segments))
	check "the other direction was not full" stat_is p1 0 backlog -gt 0
	drops=$(stat p1 3 drops.headroom_discard)
	used=$(stat p1 3 headroom_max)
	pauses=$(stat p1 3 tx_pause_transition)
	echo "# headroom $headroom: used $used, dropped $drops, in $pauses pauses"
}

computed_is_enough()
{
	run $NEED 1 600
	equal "dropped" "$drops" 0
	between "used" "$used" $((NEED - CELL + 1)) $NEED
	check "too few pauses" test "$pauses" -gt 50
	equal "dropped in all" "$(sum .drops[])" 0
}

one_cell_less_is_not()
{
	run $((NEED - CELL)) 1 600
	check "nothing was dropped" test "$drops" -gt 0
	equal "dropped otherwise" "$(sum .drops[])" "$drops"
}

computed_is_enough_for_gso()
{
	run $NEED_GSO $SEGMENTS 30
	equal "dropped" "$(sum .drops[])" 0
	between "used" "$used" $((NEED_GSO - CELL + 1)) $NEED_GSO
	check "too few pauses" test "$pauses" -gt 3
	equal "needed by tc" "$(option p1 headroom_need)" $NEED_GSO
}

one_cell_less_is_not_for_gso()
{
	run $((NEED_GSO - CELL)) $SEGMENTS 30
	check "nothing was dropped" test "$drops" -gt 0
	equal "dropped otherwise" "$(sum .drops[])" "$drops"
}

any_sizes_are_enough()
{
	run $NEED 1 600 -r 7
	equal "dropped" "$(sum .drops[])" 0
	check "headroom was not used" test "$used" -gt 2000
	conserved
}

auto_is_the_computed()
{
	llet_star 1
	ip -n sw link set p1 mtu 1496
	port 1 $NEAR headroom auto
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
	said=$(port 1 $NEAR xoff 8000b headroom $((NEED - 1))b 2>&1)
	check "no warning" test -n "$said"
	said=$(port 1 $NEAR xoff 8000b headroom ${NEED}b 2>&1)
	equal "warning" "$said" ""
}

# h1 reacts late: its wire is 100 ms longer than p1 knows. p1 measures that,
# less the 25 ms that link and pause may take, and computed headroom grows.
grows_with_reaction()
{
	local before

	slow_exit reaction 0
	host 1 rate 1mbit delay 100ms prio-pfc 3:on
	before=$(option p1 headroom_now)
	send 1 3 -n 60 -d 24
	drains 60
	reacted 70000 110000
	check "headroom has not grown" wait_for 1000 headroom_above p1 "$before"
	# the computed value can be changed afterwards
	check "change" tc -n sw qdisc change dev p1 root lossless alpha 1/8
}

# While h1 is paused now and then, the measured reaction is kept: it is about
# the same after half a minute.
keeps_what_is_confirmed()
{
	local before least=0 i

	slow_exit reaction 0
	host 1 rate 1mbit delay 100ms prio-pfc 3:on
	before=$(option p1 headroom_now)
	for ((i = 1; i <= 6; i++)); do
		send 1 3 -n 60 -d 24
		drains $((60 * i))
		check "round $i: it is forgotten" \
			wait_for 1000 headroom_above p1 $((before + least))
		least=$((($(option p1 headroom_now) - before) * 3 / 4))
		sleep 5
	done
	check "it is not forgotten" wait_for 300000 headroom_is p1 "$before"
}

# 100 frames of 1000 bytes arrive at once, as after a delay of the CPU. The
# ninth exceeds 8000 bytes. The link needs 8 ms for each of the 91 later frames,
# and less than 30 ms for itself.
bytes_are_time()
{
	slow_exit burst 0
	send 1 3 -B -n 100 -s 1000 -d 24
	drains 100
	reacted 698000 728000
}

# Twice 50 frames: in each pause 41 arrive too late, 328 ms of the link.
bytes_of_each_pause()
{
	slow_exit burst 0
	send 1 3 -B -n 50 -s 1000 -d 24
	drains 50
	send 1 3 -B -n 50 -s 1000 -d 24
	drains 100
	equal "pauses" "$(stat p1 3 tx_pause_transition)" 2
	reacted 298000 328000
}

# As bytes_are_time, although the receive hook does not see the frames.
redirected_bytes_are_time()
{
	slow_exit burst 0
	tc -n sw qdisc add dev p1 clsact
	tc -n sw filter add dev p1 ingress matchall action mirred egress redirect dev p3
	send 1 3 -B -n 100 -s 1000 -d 24
	drains 100
	reacted 698000 728000
}

# As bytes_are_time, but 32768 of the 91000 bytes may be a burst.
catching_up_is_no_reaction()
{
	slow_exit burst 32k
	send 1 3 -B -n 100 -s 1000 -d 24
	drains 100
	reacted 435000 466000
}

# h1 sends a frame each ms before, during and after the pause of 0.15 s: whether
# it would have reacted later is unknown.
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

# A host that ignores pauses, and stops by itself, looks like a slow one.
# Headroom grows to half of the buffer at most, and the port can still be
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

# --- one buffer, many ports ---------------------------------------------------

FAST="rate 100gbit split-gso prio-pfc 3:on"	# defaults otherwise
FAST_NEED=1267439
HALF=$((12 << 19))			# most headroom in 12 MB

# shares N: headroom of p1..pN, in one line
shares()
{
	local i

	for ((i = 1; i <= $1; i++)); do
		option "p$i" headroom_now
	done | paste -sd ' '
}

# all_have N BYTES: p1..pN have BYTES of headroom each
all_have()
{
	local i want=()

	for ((i = 1; i <= $1; i++)); do
		want+=("$2")
	done
	equal "headroom of $1 ports" "$(shares "$1")" "${want[*]}"
}

missing() { sw cat "/sys/class/net/$1/lossless/headroom_short"; }

# obeying I J: host I, which obeys pauses, sends 300 packets to J; sets lost of
# pI
obeying()
{
	local before

	before=$(stat "p$1" 3 drops.headroom_discard)
	send "$1" "$2" -n 300 -s 1000 -d 24
	check "queue does not drain" wait_for 60000 stat_is "p$2" 3 backlog = 0
	check "p$1 did not pause" stat_is "p$1" 3 tx_pause_transition -gt 0
	lost=$(($(stat "p$1" 3 drops.headroom_discard) - before))
}

# Eight ports with defaults need more than half of the buffer. Packets leave p9.
fast_ports()
{
	llet_star 9
	llet_ports 8 $FAST
	port 8 $FAST xoff 8000b
	port 9 rate 10mbit
	host 8 $FAST
}

equal_need_equal_share()
{
	fast_ports
	echo "# headroom of p1..p8: $(shares 8), $FAST_NEED needed"
	all_have 8 $((HALF / 8))
	equal "needed" "$(option p8 headroom_need)" $FAST_NEED
	equal "missing" "$(missing p8)" $((FAST_NEED - HALF / 8))
	obeying 8 9
	echo "# a peer of p8 that obeys has lost $lost of 300"
	equal "lost" "$lost" 0
}

# The buffer is raised at p1, but all ports share it.
full_need_after_a_raise()
{
	fast_ports
	tc -n sw qdisc change dev p1 root lossless buffer 32m
	echo "# headroom of p1..p8 with 32 MB: $(shares 8)"
	all_have 8 $FAST_NEED
	equal "missing" "$(missing p8)" 0
	obeying 8 9
	echo "# a peer of p8 that obeys has lost $lost of 300"
	equal "lost" "$lost" 0
	# and back
	sw losslessctl switch set 0 buffer 12m
	all_have 8 $((HALF / 8))
	nothing_stuck
}

# Headroom that a port no longer needs goes to the others.
shares_follow()
{
	llet_star 8
	llet_ports 8 $FAST
	tc -n sw qdisc del dev p8 root
	all_have 7 $((HALF / 7))
	tc -n sw qdisc change dev p7 root lossless prio-pfc 3:off
	all_have 6 $((HALF / 6))
	ip -n sw link set p1 mtu 9000
	check "p1 needs more, so p2 has less" \
		test "$(option p2 headroom_now)" -lt $((HALF / 6))
	ip -n sw link set p1 mtu 1500
	all_have 6 $((HALF / 6))
	# a configured value comes first, and is refused if it is too large
	tc -n sw qdisc change dev p6 root lossless headroom 1m 2>/dev/null
	all_have 5 $(((HALF - (1 << 20)) / 5))
	refused "leave nothing to share" \
		tc -n sw qdisc change dev p6 root lossless headroom 12m
	all_have 5 $(((HALF - (1 << 20)) / 5))
	tc -n sw qdisc change dev p6 root lossless headroom auto 2>/dev/null
	all_have 6 $((HALF / 6))
	# four ports have all of their need
	tc -n sw qdisc change dev p5 root lossless rate 1gbit
	tc -n sw qdisc change dev p6 root lossless rate 1gbit
	all_have 4 $FAST_NEED
	equal "p6" "$(option p6 headroom_now)" "$(option p6 headroom_need)"
}

# One port after the other leaves computed headroom, while it is short: by tc,
# and by dcb. The last one leaves nothing to divide.
last_one_computed()
{
	local i

	llet_star 3
	llet_ports 3 rate 1gbit delay 1ms buffer 128kb prio-pfc 3:on 2>/dev/null
	check "headroom is not short" test "$(missing p3)" -gt 0
	for i in 1 2 3; do
		tc -n sw qdisc change dev p$i root lossless headroom 40kb 2>/dev/null ||
			llet_fail "p$i: headroom by hand"
	done
	all_have 3 40960
	for i in 3 2 1; do
		tc -n sw qdisc change dev p$i root lossless headroom auto 2>/dev/null
	done
	all_have 3 $((65536 / 3))
	for i in 1 2 3; do
		dcb -n sw pfc set dev p$i prio-pfc 3:off || llet_fail "p$i: PFC off"
	done
	equal "PFC of p3" "$(option p3 prio_pfc)" "[]"
	equal "shared bytes" "$(option p1 shared_size)" $((128 << 10))
}

# Four ports fit, the fifth does not. tc accepts it with a warning; dcb refuses
# it, as it cannot print a warning.
tc_and_dcb_say_so()
{
	local i said

	llet_star 8
	for i in 1 2 3 4; do
		equal "p$i: tc says" "$(port $i $FAST 2>&1)" ""
	done
	said=$(port 5 $FAST 2>&1)
	echo "# p5: tc says: $said"
	check "p5: tc says '$said'" grep -q "Warning: headroom: too small for.*raise buffer" <<<"$said"
	# a port that reduces the headroom of others causes a warning, too
	said=$(port 6 prio-pfc 3:on headroom 1m 2>&1)
	echo "# p6: tc says: $said"
	check "p6: tc says '$said'" grep -q "Warning: headroom: too small on other ports" <<<"$said"
	for i in 6 5; do
		tc -n sw qdisc del dev p$i root
	done
	port 5 rate 100gbit split-gso
	dcb -n sw pfc set dev p5 prio-pfc 3:on 2>/dev/null
	equal "p5: PFC by dcb" "$(option p5 prio_pfc)" "[]"
	check "p5: nothing in the kernel's log" sh -c \
		"dmesg | grep 'p5: .*headroom' | tail -n 1 | sed 's/^/# /' | grep ."
	all_have 4 $FAST_NEED
	tc -n sw qdisc change dev p1 root lossless buffer 32m
	dcb -n sw pfc set dev p5 prio-pfc 3:on
	equal "p5: PFC by dcb, with a larger buffer" "$(option p5 prio_pfc)" "[3]"
	all_have 5 $FAST_NEED
	# a smaller demand is never refused, however little is left
	tc -n sw qdisc change dev p1 root lossless prio-pfc all:on buffer 12m 2>/dev/null
	dcb -n sw pfc set dev p1 prio-pfc all:off 3:on
	equal "p1: PFC by dcb" "$(option p1 prio_pfc)" "[3]"
}

# monitored PATTERN: losslessctl monitor prints PATTERN
monitored() { wait_for 3000 grep -qE "$1" /tmp/monitored || llet_fail "not printed: $1"; }

# Two ports just fit. A larger MTU of p2 leaves both with less than their need.
shortage_is_reported()
{
	local stamp='^\[[0-9]+\.[0-9]{9}\]'

	llet_star 2
	llet_ports 2 $FAST buffer $((4 * FAST_NEED))b
	ip netns exec sw losslessctl monitor config >/tmp/monitored 2>&1 &
	defer kill $!
	ip netns exec sw losslessctl -j monitor config >/tmp/monitored.json 2>&1 &
	defer kill $!
	check "they do not listen" wait_for 5000 sh -c "
		ip netns exec sw losslessctl watchdog stop p2; sleep 0.02
		test -s /tmp/monitored && test -s /tmp/monitored.json"
	equal "missing before" "$(missing p2)" 0
	ip -n sw link set p1 mtu 9000
	sed 's/^/# /' <(grep headroom /tmp/monitored)
	monitored "$stamp p1 headroom [0-9]+ of [0-9]+ bytes: packets may be lost"
	monitored "$stamp p2 headroom [0-9]+ of $FAST_NEED bytes: packets may be lost"
	check "missing" test "$(missing p2)" -gt 0
	equal "missing of p2" "$(missing p2)" \
		$((FAST_NEED - $(option p2 headroom_now)))
	tc -n sw qdisc change dev p1 root lossless buffer 32m
	monitored "$stamp p2 headroom $FAST_NEED of $FAST_NEED bytes: enough$"
	equal "missing with a larger buffer" "$(missing p2)" 0
	equal "events of p2" "$(grep -c 'p2 headroom' /tmp/monitored)" 2
	equal "events of p2 in JSON" "$(grep '"event":"headroom".*"ifname":"p2"' /tmp/monitored.json |
		jq .headroom_low | paste -sd ' ')" "true false"
}

# h1 does not react for 43 ms, once. p1 gets headroom for that from the part
# that others leave, an equal part at most, until it does not recur.
deaf_host_pays_alone()
{
	local slow="rate 100mbit xoff 8000b prio-pfc 3:on" need=38105
	local far="$slow delay 500us" far_need=50413

	llet_star 4
	port 3 rate 1mbit buffer 1m
	port 1 $slow
	equal "headroom of p1" "$(option p1 headroom_now)" $need
	send 1 3 -n 53 -s 1000 -d 24 -g 1000000
	drains 53
	reacted 35000 45000
	check "p1 has learned nothing" wait_for 1000 headroom_above p1 $((10 * need))
	echo "# headroom of p1 after 43 ms without obedience: $(option p1 headroom_now)"

	port 4 $far
	host 4 $far
	equal "headroom of p4" "$(option p4 headroom_now)" $far_need
	equal "needed by p4" "$(option p4 headroom_need)" $far_need
	echo "# of p1 and p4 when p4 is there, too: $(option p1 headroom_now), $(option p4 headroom_now)"
	check "p1 has too much" test "$(option p1 headroom_now)" -le \
		$((need + ((1 << 19) - need - far_need) / 2))
	obeying 4 3
	echo "# a peer of p4 that obeys has lost $lost of 300"
	equal "lost" "$lost" 0
	check "p1 does not forget: $(option p1 headroom_now)" \
		wait_for 300000 headroom_is p1 $need
	equal "shared again" "$(option p1 shared_size)" $(((1 << 20) - need - far_need))
}

llet_main
