#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# LDCP and DCTCP, packet by packet: lle_peer answers the TCP of this kernel with
# exact ACKs, SACKs and marks, and prints what it sends. The same script runs
# with both.
#
#	TCP of this kernel -- eth0 === peer0 -- lle_peer, 192.0.2.2
#
# A scenario is a table: actions of lle_peer, the packets that LDCP sends, then
# those of DCTCP if they differ, and the reason. A difference without a reason
# fails, and so does a reason without a difference. RTTs are 10 ms; a flow
# begins with 10 segments.

ALL_TESTS="ecn no_ecn marks marks_come recovery_first_rtt recovery_marked recovery_paced
	recovery_unpaced recovery_stable prr undo undo_first_rtt timeout timeout_undo idle ends changed learned
	learned_is_forgotten learned_is_of_one_address"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

at() { ip netns exec tcp "$@"; }

# testbed ON_OR_OFF: GSO of the device
testbed()
{
	llet_load tcp_ldcp
	llet_netns tcp
	ip -n tcp link add eth0 up type veth peer name peer0
	ip -n tcp link set peer0 up
	# all packets reach the peer, whatever their address
	ip -n tcp link set eth0 arp off
	ip -n tcp addr add 192.0.2.1/24 dev eth0
	at ethtool -K eth0 gso "$1" tso "$1" gro off >/dev/null
}

# play CC [ADDRESS]: plays the script on standard input, a line of output for
# each
play() { at lle_peer "$1" peer0 "${2:-192.0.2.2}"; }

trim() { sed 's/^[ \t]*//; s/[ \t]*$//'; }

# column N: of the table
column() { cut -d '|' -f "$1" -s /tmp/table | trim; }

# Reads a table, plays it with both congestion controls, and compares.
scenario()
{
	local cc steps ldcp dctcp want other why is_ldcp is_dctcp i

	testbed off
	sed '/^[ \t]*$/d' >/tmp/table
	for cc in ldcp dctcp; do
		column 1 | play $cc >/tmp/$cc
	done
	mapfile -t steps < <(column 1)
	mapfile -t ldcp < <(column 2)
	mapfile -t dctcp < <(column 3)
	mapfile -t whys < <(column 4)
	mapfile -t is_ldcp </tmp/ldcp
	mapfile -t is_dctcp </tmp/dctcp
	for i in "${!steps[@]}"; do
		want=${ldcp[i]}
		other=${dctcp[i]:-$want}
		why=${whys[i]-}
		echo "# ${steps[i]}: ${is_ldcp[i]-} / ${is_dctcp[i]-}"
		equal "${steps[i]}: ldcp" "${is_ldcp[i]-}" "$want"
		equal "${steps[i]}: dctcp" "${is_dctcp[i]-}" "$other"
		if [ "$want" != "$other" ]; then
			check "${steps[i]}: no reason" test "$why"
		else
			check "${steps[i]}: no difference" test -z "$why"
		fi
	done
}

# A connection with ECN after its first RTT
START='10 connect		| Sec
	1 synack		| a0
	10 write 10		| 1-7n 8-10	| 1-10	| the last three of a first RTT are ECN capable
	1 ack 10		| none'

ecn()
{
	scenario <<-TABLE
		10 connect	| Sec
		1 synack	| a0
		10 write 3	| 1-3
		1 ack 3		| none
	TABLE
}

no_ecn()
{
	scenario <<-TABLE
		10 connect	| Sec
		1 synack noecn	| a0
		10 write 30	| 1-10n
		10 ack 0 2-4	| 1nr 11n
	TABLE
}

# Each packet is acknowledged at once.
marks_come()
{
	scenario <<-TABLE
		10 connect	| Sec
		1 synack	| a0
		1 data		| a1
		1 data ce	| a2e
		1 data ce	| a3e
		1 data		| a4
		100 wait	| none
	TABLE
}

# Marks of the first RTT do not count, later ones do.
marks()
{
	scenario <<-TABLE
		10 connect	| Sec
		1 synack	| a0
		10 write 40	| 1-7n 8-10	| 1-10	| the last three of a first RTT are ECN capable
		1 ack 5 ece	| 11c 12-15	| 11c	| it is not ECN capable: the echo is old
		0 window	| w10		| w6	| the same
		1 ack 10	| 16-20		| 12-15	| the same
		1 ack 15 ece	| 21c 22	| 16c 17-18	| five marks are 2.5 packets
		0 window	| w7		| w3	| the same
	TABLE
}

# Three SACKs, and the tail is lost: no other ACK arrives before the
# retransmission. Its ACK is later than the shortest RTT, or RACK would
# attribute it to the first transmission.
recovery_first_rtt()
{
	scenario <<-TABLE
		10 connect	| Sec
		1 synack	| a0
		10 write 10	| 1-7n 8-10	| 1-10	| the last three of a first RTT are ECN capable
		15 ack 0 2-4	| 1r
		10 ack 4	| 5-8r		| 5-7r	| what has arrived is the window
		0 window	| w4		| w3	| the same
		10 ack 10	| none
	TABLE
}

# Retransmissions of a first RTT are marked: these marks count.
recovery_marked()
{
	scenario <<-TABLE
		10 connect	| Sec
		1 synack	| a0
		10 write 10	| 1-7n 8-10	| 1-10	| the last three of a first RTT are ECN capable
		15 ack 0 3-10	| 1-2r
		0 window	| w8		| w5	| what has arrived is the window
		10 ack 1 3-10 ece	| none
		0 window	| w7		| w5	| a mark is half a packet, not one of a window
	TABLE
}

# The shortest RTT before, 60 ms, is that of a long queue; that of retransmissions
# is 10 ms. With a window of a half a packet leaves 10 to 30 ms after the last
# one, with the RTT of 60 ms after 50 ms at least.
# Three packets are lost; marks reduce the window to half a packet.
BELOW_ONE='10 ack 0 8-10	| 1-3r
	1 ack 1 8-10 ece	| none	| 4-5r	| each mark takes half a packet off three
	1 ack 2 8-10 ece	| 4r	| 6-7r	| the same
	10 ack 3 8-10 ece	| none
	10 ack 4 8-10 ece	| 5r	| none	| one packet is left
	30 ack 5 8-10 ece	| 6r	| none	| and now half a packet'

recovery_paced()
{
	scenario <<-TABLE
		60 connect	| Sec
		1 synack	| a0
		60 write 10	| 1-7n 8-10	| 1-10	| the last three of a first RTT are ECN capable
		$BELOW_ONE
		1 ack 6 8-10 ece	| none
		150 wait	| 7r	| none	| the gap follows from the ACK of 6: 30 ms, a quarter
	TABLE
}

# The largest pacing rate is 0, for TCP no limit.
recovery_unpaced()
{
	scenario <<-TABLE
		60 connect	| Sec
		1 synack	| a0
		60 write 10	| 1-7n 8-10	| 1-10	| the last three of a first RTT are ECN capable
		0 pacing 0	| none
		$BELOW_ONE
		1 ack 6 8-10 ece	| 7r	| none	| no gap
	TABLE
}

recovery_stable()
{
	scenario <<-TABLE
		$START
		10 write 10	| 11-20
		0 window	| w10		| w20	| DCTCP has begun with slow start
		15 ack 10 12-14	| 11r
		10 ack 14	| 15-19r	| 15-17r | all of the window, not another slow start
		10 ack 20	| none
		0 window	| w5		| w10	| half of it, and slow growth from there
	TABLE
}

# During recovery one packet is sent for every two that arrive.
prr()
{
	scenario <<-TABLE
		$START
		10 write 40	| 11-20		| 11-30	| DCTCP has begun with slow start
		1 ack 10 12-14	| 11r 21c	| 11r 31c | the same
		1 ack 10 12-15	| none
		1 ack 10 12-16	| 22		| 32	| the same
		1 ack 10 12-17	| none
		1 ack 10 12-18	| 23		| 33	| the same
		1 ack 10 12-19	| none
		1 ack 10 12-20	| 24		| 34	| the same
		10 ack 20	| 25		| none	| DCTCP has twenty packets under way
	TABLE
}

# No loss: the retransmitted segments arrive twice.
undo()
{
	scenario <<-TABLE
		$START
		10 write 10	| 11-20
		10 ack 10 12-14	| 11r
		1 ack 20	| none
		0 window	| w5		| w10	| DCTCP has begun with slow start
		1 ack 20 11-11	| none
		0 window	| w10		| w20	| the same
	TABLE
}

undo_first_rtt()
{
	scenario <<-TABLE
		10 connect	| Sec
		1 synack	| a0
		10 write 10	| 1-7n 8-10	| 1-10	| the last three of a first RTT are ECN capable
		10 ack 0 2-4	| 1r
		1 ack 10 1-1	| none
		0 window	| w10		| w18	| a first RTT is not slow start
	TABLE
}

timeout()
{
	scenario <<-TABLE
		$START
		10 write 10	| 11-20
		100 wait	| 20r
		200 wait	| 11r
		0 window	| w1
		10 ack 11	| 12r		| 12-13r | no slow start after it
		10 ack 12	| 13r		| 14-15r | the same
		10 ack 13	| 14r		| 16-17r | the same
		10 ack 20	| none
		0 window	| w2		| w10	| the same
	TABLE
}

# All segments were late: SACKs of segments that were sent once prove it
# (F-RTO).
timeout_undo()
{
	scenario <<-TABLE
		$START
		10 write 10	| 11-20
		100 wait	| 20r
		200 wait	| 11r
		1 ack 10 12-14	| none
		0 window	| w10		| w20	| DCTCP has begun with slow start
	TABLE
}

idle()
{
	scenario <<-TABLE
		$START
		30 wait		| none
		10 write 20	| 11-17n 18-20	| 11-30	| after an RTT a flow begins anew, with its window
		1 ack 20	| 21-30		| none	| the same
		1 ack 30	| none
		500 wait	| none
		10 write 20	| 31-37n 38-40	| 31-40	| the same
	TABLE
}

# The FIN is no segment: three packets before it are ECN capable.
ends()
{
	scenario <<-TABLE
		$START
		300 wait	| none
		10 last 8	| 11-15n 16-18	| 11-18	| the last three of a first RTT are ECN capable
	TABLE
}

# An LDCP flow in its first RTT sends single segments; a flow that changes its
# congestion control then does not.
changed()
{
	testbed on
	play ldcp >/tmp/ldcp <<-SCRIPT
		10 connect
		1 synack
		5 write 40
		5 write 40
		0 cc cubic
		10 ack 10
	SCRIPT
	sed 's/^/# /' /tmp/ldcp
	equal "with LDCP" "$(sed -n 3,4p /tmp/ldcp | xargs)" "1-7n 8-10 none"
	check "without, segment by segment" grep -q '^\[11-' /tmp/ldcp
}

set_iw() { at sysctl -q -w net.ldcp.initial_window="$1"; }

# A flow to ADDRESS with 30 segments delivered in an RTT of 10 ms
flow_of_30()
{
	set_iw 30
	play ldcp "$1" >/tmp/first <<-SCRIPT
		10 connect
		1 synack
		10 write 30
		1 ack 30
	SCRIPT
	set_iw 10
	equal "the first flow" "$(sed -n 3p /tmp/first)" "1-27n 28-30"
}

# Segments that a flow to ADDRESS sends before the first ACK: within 1 ms, and
# later
next_flow()
{
	play ldcp "$1" <<-SCRIPT | tail -n 2 | sed 's/n / /; s/n$//'
		10 connect
		1 synack
		2 write 60
		20 wait
	SCRIPT
}

learned_testbed()
{
	testbed off
	ip -n tcp route add default dev eth0
}

# last: the last segment in the output of next_flow()
last() { sed 's/.*-//'; }

# The next flow starts with the learned window of the path, at its delivery
# rate.
learned()
{
	local sent

	learned_testbed
	flow_of_30 10.0.137.100
	sent=$(next_flow 10.0.137.100)
	echo "# $sent"
	between "all" "$(echo "$sent" | tail -n 1 | last)" 28 30
	between "of that in two milliseconds" "$(echo "$sent" | head -n 1 | last)" 11 20
}

# After a minute the learned window is halved.
learned_is_forgotten()
{
	learned_testbed
	flow_of_30 10.0.137.100
	sleep 61
	between "after a minute" "$(next_flow 10.0.137.100 | tail -n 1 | last)" 14 15
	sleep 180
	equal "after four" "$(next_flow 10.0.137.100 | head -n 1 | last)" 10
}

# Addresses with the same hash, by jhash without a key, and many others
learned_is_of_one_address()
{
	local i

	learned_testbed
	flow_of_30 10.0.137.100
	equal "the same hash" "$(next_flow 10.6.170.102 | head -n 1 | last)" 10
}

llet_main
