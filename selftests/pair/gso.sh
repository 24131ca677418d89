#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# GSO packets where the port is a NIC: its driver takes packets into a ring, and
# may cut them itself (TSO).
#
#	guest                                     peer
#	h1 -- p1 [switch] p9 NIC 1 ------- NIC 1 h2
#
# No link is emulated. Pauses of a fast one last for milliseconds, and would end
# before this machine runs the guest that repeats them. So both NICs report 10
# Mbit/s where a pause has to last, and p1 has a buffer for all and does not pause
# h1.
#
# h2 takes packets slowly or not at all, and pauses p9. Past a pause come those in
# the ring and in the sockets of the cable, and those of the time until this machine
# runs the guest: h2 has headroom of 3 MB for them.

ALL_TESTS="tcp_whole tcp_split stops_whole stops_split"

# shellcheck source=selftests/pair/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/pair/testbed.sh
. "$(dirname "$0")/testbed.sh"
line_open

SEGMENTS=45		# of 1514 bytes: what TCP hands over at once
PFC='prio-pfc 3:on'
HEADROOM=3000000
RX_RATE=4000000		# bit/s of h2, which TCP exceeds, unless the machine is busy

# testbed MODE OPTION...: p9 sends GSO packets as MODE says; h2 has OPTIONs. Sets
# slow if pauses last, and tso to "on" if the NIC cuts packets
testbed()
{
	bridges br0
	join_nic br0 p9 "$MODEL" 1 2
	join_host br0 1
	defer peer llet_cleanup
	peer_check far_host "$MODEL"
	slow=y
	slow_link sw p9 && peer slow_link h2 eth0 || slow=
	tso=$(sw ethtool -k p9 | sed -n 's/^tcp-segmentation-offload: //p')
	# shellcheck disable=SC2086 # a list of words
	{
		host 1 $PFC "$1"
		port 1 $PFC "$1" buffer 32m xoff 20m headroom 4m
		port 9 $PFC "$1"
		peer host 2 $PFC role host buffer 32m xoff 200k headroom $HEADROOM "${@:2}"
	}
	cable_works sw p9 h2 eth0
	echo "# p9 $1, TSO $tso"
}

# p9_sent WHAT: packets or bytes that p9 has sent
p9_sent()
{
	tc -n sw -s -j qdisc show dev p9 root | jq "[.[0].prios[].tx_$1] | add"
}

h2_has_it()
{
	[ "$(sum .backlog)" = 0 ] &&
		[ "$(peer host_sum 2 rx_packets)" -ge "$(p9_sent packets)" ]
}

# all_came: without TSO, what p9 sent, as it counts, has come to h2, as that counts. Prints the
# headroom that h2 needed.
all_came()
{
	local lost what

	wait_for 20000 h2_has_it
	lost=$(peer nic_lost h2 eth0)
	nics_lost "$(nic_lost sw p9)" "$lost"
	# with TSO, qemu 7.2 adds empty segments (e1000), or makes IP fragments
	[ "$tso" = on ] || for what in packets bytes; do
		equal "$what at h2" "$(peer host_sum 2 "rx_$what")" "$(p9_sent "$what")"
	done
	equal "dropped" "$(sum '.drops[]')" 0
	equal "dropped by h2" "$(peer host_sum 2 'drops[]')" 0
	between "headroom of h2" "$(peer host_stat 2 3 headroom_max)" 0 $HEADROOM
	equal "charged" "$(sum .occupancy)" 0
	echo "# $(p9_sent packets) packets, $(stat p9 3 rx_pause_transition) pauses;" \
		"headroom of h2: $(peer host_stat 2 3 headroom_max) bytes"
	[ -z "$llet_why" ] || { nic_counters sw p9; peer nic_counters h2 eth0; }
}

# tcp MODE: h2 takes less than TCP sends
tcp()
{
	local got bps report

	testbed "$1" rx-rate $RX_RATE
	address 1 2
	peer address 2 1
	peer ip netns exec h2 iperf3 -s -1 -D
	peer_check check "no server" wait_for 5000 \
		sh -c "ip netns exec h2 ss -Hltn | grep -q :5201"
	report=$(h 1 iperf3 -c 192.0.2.2 -n 3000000 -P 2 -w 256K -S 0x60 -J)
	got=$(jq .end.sum_received.bytes <<<"$report")
	bps=$(jq '.end.sum_sent.bits_per_second | floor' <<<"$report")
	# without what is in the sockets when the client ends
	check "$got bytes arrived" test "$got" -ge 1500000
	check "too few packets" test "$(p9_sent packets)" -ge $((got / 1448))
	all_came
	if [ "$bps" -lt $RX_RATE ] && stat_is p9 3 rx_pause = 0; then
		[ -n "$llet_why" ] || llet_skip "TCP sends $bps bit/s only"
		return
	fi
	check "h2 did not pause p9" stat_is p9 3 rx_pause -gt 0
}

tcp_whole() { tcp no-split-gso; }
tcp_split() { tcp split-gso; }

# sends_no_more: p9 has sent nothing for a second
sends_no_more()
{
	local before

	before=$(p9_sent packets)
	sleep 1
	[ "$(p9_sent packets)" = "$before" ]
}

# p9_queued: prints the mean length of the packets that wait in p9; 0: none
p9_queued()
{
	tc -n sw -s -j qdisc show dev p9 root |
		jq '.[0] | if .qlen == 0 then 0 else .backlog / .qlen | floor end'
}

# gso N: N GSO packets from h1 to h2
gso() { send 1 2 -d 24 -s 1514 -G $SEGMENTS -n "$1"; }

# stops MODE MIN MAX: h2 takes nothing; the packets that wait in p9 have MIN to MAX
# bytes
stops()
{
	local n=60	# 4 MB

	testbed "$1" rx-rate stopped
	if [ -z "$slow" ]; then
		llet_skip "the driver sets no speed"
		return
	fi
	# more than XOFF of h2, less than the ring
	gso 4
	check "p9 is not paused" wait_for 20000 stat_is p9 3 rx_paused = 1
	equal "sent before the pause" "$(p9_sent packets)" $((4 * SEGMENTS))
	gso 1
	equal "sent in spite of the pause" "$(p9_sent packets)" $((4 * SEGMENTS))
	equal "bytes that wait in p9" "$(stat p9 3 backlog)" $((SEGMENTS * 1514))
	gso $((n - 5))
	check "p9 still sends" sends_no_more
	between "bytes of a packet that waits in p9" "$(p9_queued)" "$2" "$3"
	check "h2 is full, and has $(peer host_sum 2 headroom) bytes in headroom" \
		test "$(peer host_sum 2 headroom)" -lt $HEADROOM
	peer tc -n h2 qdisc change dev eth0 root lossless rx-rate unlimited
	check "not all is sent" wait_for 20000 \
		eval "[ \$(p9_sent packets) = $((n * SEGMENTS)) ]"
	all_came
}

stops_whole() { stops no-split-gso $((SEGMENTS * 1448)) $((SEGMENTS * 1514)); }
stops_split() { stops split-gso 1514 1514; }

llet_main
