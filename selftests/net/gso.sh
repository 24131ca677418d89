#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# GSO packets are queued whole, or in segments. Either way they count as their
# segments, and take the link for as long. headroom.sh shows that headroom has
# room for them.

ALL_TESTS="auto_follows_the_port counts_are_those_of_segments tcp udp
	long_ones_are_split sender_sees_drops short_ones_arrive tunnels_are_split takes_the_link_as_long
	drops_are_segments marks_are_segments rcm_splits_while_busy
	device_without_tso incast_of_tcp reaction_counts_headers"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

SEGMENTS=45		# of 1514 bytes: what TCP hands over at once
BYTES=$((SEGMENTS * 1514))
PFC='prio-pfc 3:on'

# says WORDS OPTION...: p1 with OPTIONs shows WORDS
says()
{
	local words=$1

	shift
	tc -n sw qdisc del dev p1 root 2>/dev/null
	port 1 "$@" 2>/dev/null
	equal "lossless $*" "$(tc -n sw qdisc show dev p1 root |
		grep -oE 'auto-gso \([a-z]+\)|(no-)?split-gso')" "$words"
}

auto_follows_the_port()
{
	local wred='kmax 400k pmax 10% ecn'

	llet_star 1
	# shellcheck disable=SC2086 # lists of words
	{
		says 'auto-gso (whole)' $PFC
		says 'auto-gso (whole)' rate 100gbit $PFC
		says 'auto-gso (whole)' rate 53gbit
		says 'auto-gso (split)' rate 52gbit
		says 'auto-gso (whole)' wred 0 kmin 128k $wred
		says 'auto-gso (split)' wred 0 kmin 131071b $wred
		says 'auto-gso (split)' $PFC xoff 1m rcm on
		says 'auto-gso (split)' $PFC headroom 1m
		says 'auto-gso (whole)' headroom 1m
		says 'auto-gso (split)' $PFC pause-quanta 4000
		says 'split-gso' $PFC split-gso
		says 'no-split-gso' rate 1gbit $PFC no-split-gso
		says 'auto-gso (whole)' $PFC xoff 1m
	}
	# other options change what auto means
	tc -n sw qdisc change dev p1 root lossless rcm on
	equal "split with RCM" "$(option p1 split_gso)" true
	tc -n sw qdisc change dev p1 root lossless rcm off
	equal "split without RCM" "$(option p1 split_gso)" false
	refused "pause-quanta: too short" tc -n sw qdisc change dev p1 root \
		lossless pause-quanta 2000 no-split-gso
}

# pair OPTION...: two hosts, and OPTIONs at p1 and p2
pair()
{
	llet_star 2
	llet_ports 2 "$@"
}

qdisc_stat() { tc -n sw -s -j qdisc show dev "$1" root | lle_json ".[0].$2"; }

# stop: host 2 pauses p2, which has 10 Mbit/s, for 3 s. go: it resumes it
stop() { pfc 2 0xff 65535 65535 65535 65535 65535 65535 65535 65535; }
go() { pfc 2 0xff 0 0 0 0 0 0 0 0; }

# gso N [OPTION...]: N GSO packets from host 1 to host 2
gso() { send 1 2 -d 24 -s 1514 -G $SEGMENTS -n "$@"; }

counts_are_those_of_segments()
{
	local n=$((10 * SEGMENTS)) mode

	for mode in split-gso no-split-gso; do
		# shellcheck disable=SC2086 # a list of words
		pair rate 10mbit $PFC $mode
		gso 10
		check "$mode: queue does not drain" wait_for 2000 stat_is p2 3 backlog = 0
		equal "$mode: packets in" "$(stat p1 3 rx_packets)" $n
		equal "$mode: bytes in" "$(stat p1 3 rx_bytes)" $((10 * BYTES))
		equal "$mode: packets out" "$(stat p2 3 tx_packets)" $n
		equal "$mode: bytes out" "$(stat p2 3 tx_bytes)" $((10 * BYTES))
		equal "$mode: packets of tc -s" "$(qdisc_stat p2 packets)" $n
		equal "$mode: bytes of tc -s" "$(qdisc_stat p2 bytes)" $((10 * BYTES))
		nothing_stuck
		stop
		gso 1
		case $mode in
		split-gso) equal "$mode: queued" "$(qdisc_stat p2 qlen)" $SEGMENTS ;;
		*) equal "$mode: queued" "$(qdisc_stat p2 qlen)" 1 ;;
		esac
		equal "$mode: bytes of the queue" "$(stat p2 3 backlog)" $BYTES
		equal "$mode: charged" "$(stat p1 3 occupancy)" $BYTES
		llet_cleanup
	done
}

# stack_packets I: packets that the stack of host I has received
stack_packets() { h "$1" cat /sys/class/net/eth0/statistics/rx_packets; }
listening() { h "$1" grep -q ':1451 ' /proc/net/tcp /proc/net/tcp6; }

# iperf J I OPTION...: TCP from host I to J; sets sent
iperf()
{
	local j=$1 i=$2

	shift 2
	h "$j" iperf3 -s -1 >/dev/null &
	check "no server" wait_for 5000 listening "$j"
	sent=$(h "$i" iperf3 -c "192.0.2.$j" -J "$@" | jq .end.sum_received.bytes)
}

tcp()
{
	local mode before arrived segments

	for mode in no-split-gso split-gso; do
		# shellcheck disable=SC2086 # a list of words
		pair $PFC $mode
		before=$(stack_packets 2)
		iperf 2 1 -n 10000000 -S 0x60
		segments=$((sent / 1448))
		arrived=$(($(stack_packets 2) - before))
		echo "# $mode: $arrived packets arrive, $(stat p2 3 tx_packets) on the link"
		check "$mode: $sent bytes arrived" test "$sent" -ge 5000000
		check "$mode: too few packets on the link" \
			test "$(stat p2 3 tx_packets)" -ge $segments
		case $mode in
		split-gso) check "not split" test $arrived -ge $segments ;;
		*) check "not whole" test $arrived -lt 1000 ;;
		esac
		no_drops
		nothing_stuck
		llet_cleanup
	done
}

# UDP sockets with UDP_SEGMENT (103): 100 times 40 datagrams of 1200 bytes
udp()
{
	pair no-split-gso
	h 1 python3 -c 'if 1:
		import socket
		s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		s.setsockopt(socket.SOL_UDP, 103, 1200)
		s.setsockopt(socket.SOL_IP, socket.IP_TOS, 0x60)
		for i in range(100):
			s.sendto(bytes(40 * 1200), ("192.0.2.2", 9))'
	equal "packets" "$(stat p2 3 tx_packets)" 4000
	equal "bytes" "$(stat p2 3 tx_bytes)" $((4000 * 1242))
	equal "largest queue" "$(stat p2 3 backlog_max)" $((40 * 1242))
}

# queued OPTION...: one GSO packet of host 1 waits in p2; prints how many packets
# it became
queued()
{
	gso 1 "$@"
	qdisc_stat p2 qlen
	go
	wait_for 2000 stat_is p2 3 backlog = 0
	stop
}

# With MTU 1500 a port sends up to 45 segments whole, or as long a packet of
# shorter ones. More are pieces of that length, or of a frame's.
long_ones_are_split()
{
	# shellcheck disable=SC2086 # a list of words
	pair rate 10mbit $PFC no-split-gso
	stop
	equal "60 of 1000 bytes" "$(queued -s 1000 -G 60)" 1
	equal "400 of 200 bytes" "$(queued -s 200 -G 400)" 2
	tc -n sw qdisc change dev p2 root lossless split-gso
	equal "400 of 200 bytes, split" "$(queued -s 200 -G 400)" 67
	equal "100 of 200 bytes, split" "$(queued -s 200 -G 100)" 100
	tc -n sw qdisc change dev p2 root lossless no-split-gso
	ip -n sw link set p2 mtu 1400
	equal "45 of 1514 bytes at MTU 1400" "$(queued)" 1
	ip -n sw link set p2 mtu 4000
	equal "45 of 1514 bytes at MTU 4000" "$(queued)" 1
	conserved
	no_drops
	# the work under the lock has a limit
	tc -n sw qdisc change dev p2 root lossless split-gso
	send 1 2 -d 24 -s 74 -G 7500
	equal "7500 of 8 bytes, dropped" "$(stat p2 3 drops.nomem_discard)" 7500
}

# A sender gets an error if nothing of a packet is queued, so it tries again.
sender_sees_drops()
{
	local status=0

	llet_star 2
	host 1 rate 10mbit limit 1b split-gso
	h 1 timeout 0.2 lle_traffic send eth0 "$(mac 2)" -s 1514 -G 10 || status=$?
	equal "status of timeout(1)" $status 124
	check "nothing is dropped" test "$(host_stat 1 0 drops.limit_discard)" -ge 10
}

# TCP with short segments, cut by software: it has its bytes and checksums.
short_ones_arrive()
{
	local mode again

	for mode in no-split-gso split-gso; do
		# shellcheck disable=SC2086 # a list of words
		pair rate 1gbit $PFC $mode
		sw ethtool -K p2 tso off gso off tx off
		iperf 2 1 -n 2000000 -S 0x60 -M 100
		again=$(h 1 nstat -asz TcpRetransSegs | awk '/Retrans/ { print $2 }')
		echo "# $mode: $(stat p2 3 tx_packets) packets, sent again: $again"
		check "$mode: $sent bytes arrived" test "$sent" -ge 50000
		check "$mode: long segments" \
			test "$(stat p2 3 tx_packets)" -ge $((sent / 88))
		equal "$mode: wrong checksums" "$(h 2 nstat -asz TcpInCsumErrors |
			awk '/TcpInCsumErrors/ { print $2 }')" 0
		check "$mode: $again segments sent again" \
			test "$again" -lt $((sent / 8800))
		no_drops
		check "$mode: queue does not drain" \
			wait_for 2000 stat_is p2 3 backlog = 0
		nothing_stuck
		llet_cleanup
	done
}

# TCP in VXLAN between the hosts: segments have headers of the tunnel, too.
tunnels_are_split()
{
	local i

	pair no-split-gso
	for i in 1 2; do
		ip -n h$i link add vx0 type vxlan id 7 dstport 4789 \
			local 192.0.2.$i remote 192.0.2.$((3 - i)) dev eth0
		ip -n h$i addr add 203.0.113.$i/24 dev vx0
		ip -n h$i link set vx0 up
	done
	h 2 iperf3 -s -1 >/dev/null &
	check "no server" wait_for 5000 listening 2
	# counts what has arrived when the last byte leaves the sender's socket
	sent=$(h 1 iperf3 -c 203.0.113.2 -n 6000000 -J | jq .end.sum_received.bytes)
	check "$sent bytes arrived" test "$sent" -ge 3000000
	# segments of 1398 bytes, with 116 of headers: 2.93 % of the first
	echo "# $(stat p2 0 tx_packets) packets, $(stat p2 0 tx_bytes) bytes"
	check "headers of the tunnel are not counted" \
		test "$(stat p2 0 tx_bytes)" -ge $((sent * 1514 / 1398))
	no_drops
	nothing_stuck
}

# From the beginning of a frame to that of another behind 20 GSO packets: 901
# frames of 1538 bytes, 80 ns each. With a delay: from end to end, as many.
takes_the_link_as_long()
{
	local options

	for options in split-gso no-split-gso 'no-split-gso delay 1ms'; do
		llet_star 2
		port 1 alpha 1024
		# shellcheck disable=SC2086 # a list of words
		port 2 rate 100mbit $options
		receive 2 500
		gso 40	# longer than it takes to start these programs
		send 1 2 -d 24 -s 1514
		gso 20
		send 1 2 -d 24 -s 1514
		equal "$options: frames" "$(received 2 .sum.packets)" 2
		between "$options: us" $(($(received 2 .sum.ns) / 1000)) \
			$((901 * 1538 * 80 / 1000 - 100)) $((901 * 1538 * 80 / 1000 + 100))
		llet_cleanup
	done
}

# One GSO packet fits into the buffer, the next one does not.
drops_are_segments()
{
	pair rate 10mbit prio-pfc 0:on buffer 1m headroom 1000b no-split-gso
	tc -n sw qdisc change dev p1 root lossless buffer 100k
	stop
	send 1 2 -d 0 -s 1514 -G $SEGMENTS -n 3
	equal "dropped" "$(sum '.drops[]')" $((2 * SEGMENTS))
	equal "bytes dropped" "$(sum .drop_bytes)" $((2 * BYTES))
	equal "dropped by tc -s" "$(qdisc_stat p2 drops)" $((2 * SEGMENTS))
	ip -n sw link set p2 down
	equal "dropped when the port goes down" "$(sum '.drops[]')" $((3 * SEGMENTS))
	conserved
}

# All but the first find a queue above kmax.
marks_are_segments()
{
	# shellcheck disable=SC2086 # a list of words
	pair rate 10mbit $PFC no-split-gso wred 3 kmin 1k kmax 2k pmax 1% ecn
	stop
	gso 4 -e 1
	equal "marked" "$(stat p2 3 ecn_marked)" $((3 * SEGMENTS))
	equal "queued" "$(qdisc_stat p2 qlen)" 4
}

# RCM that is idle does not look at packets.
rcm_splits_while_busy()
{
	# shellcheck disable=SC2086 # a list of words
	pair rate 10mbit $PFC no-split-gso xoff 1m rcm on rcm-qeq 400k
	stop
	gso 1
	equal "idle: queued" "$(qdisc_stat p2 qlen)" 1
	gso 1
	equal "busy: queued" "$(qdisc_stat p2 qlen)" $((1 + SEGMENTS))
	go
	check "queue does not drain" wait_for 2000 stat_is p2 3 backlog = 0
	equal "packets" "$(stat p2 3 tx_packets)" $((2 * SEGMENTS))
	nothing_stuck
}

# Behind the qdisc the kernel cuts packets for a device that cannot.
device_without_tso()
{
	local before

	# shellcheck disable=SC2086 # a list of words
	pair $PFC no-split-gso
	sw ethtool -K p2 tso off gso off
	before=$(stack_packets 2)
	gso 10
	equal "packets" "$(stat p2 3 tx_packets)" $((10 * SEGMENTS))
	equal "arrived" $(($(stack_packets 2) - before)) $((10 * SEGMENTS))
	nothing_stuck
}

# Three senders fill the buffer; pauses stop them between two GSO packets.
incast_of_tcp()
{
	local link="rate 1gbit delay 500us $PFC no-split-gso" i total=0 pids=()

	llet_star 4
	# shellcheck disable=SC2086 # a list of words
	{
		llet_ports 4 $link buffer 4m
		for i in 1 2 3; do
			host $i $link
		done
	}
	for i in 1 2 3; do
		h 4 iperf3 -s -1 -p $((5200 + i)) >/dev/null &
		pids+=($!)
	done
	sleep 1
	for i in 1 2 3; do
		h $i iperf3 -c 192.0.2.4 -p $((5200 + i)) -n 20000000 -S 0x60 -J >/tmp/iperf.$i &
		pids+=($!)
	done
	wait "${pids[@]}"
	for i in 1 2 3; do
		total=$((total + $(jq .end.sum_received.bytes /tmp/iperf.$i)))
		echo "# p$i: $(stat p$i 3 tx_pause_transition) pauses, $(stat p$i 3 headroom_max) of $(option p$i headroom_now) bytes of headroom"
	done
	check "$total bytes arrived" test $total -ge 50000000
	check "headroom was not used" test "$(sum .headroom_max)" -gt $BYTES
	no_drops
	check "queue does not drain" wait_for 5000 stat_is p4 3 backlog = 0
	equal "charged" "$(sum .occupancy)" 0
}

# 100 segments of 66 bytes and as much of headers arrive in spite of XOFF. The
# link of 1 Mbit/s needs 105.6 ms for them, and up to 30 ms for itself.
reaction_counts_headers()
{
	llet_star 3
	llet_ports 3 rate 1mbit xoff 8000b prio-pfc 3:on buffer 1m burst 0
	port 3 rate 500kbit
	send 1 3 -B -n 9 -s 1000 -d 24
	send 1 3 -B -s 132 -G 100 -d 24
	check "queue does not drain" wait_for 10000 stat_is p3 3 backlog = 0
	between "reaction in us" $(($(port_stat p1 reaction_ns) / 1000)) 75600 105600
}

llet_main
