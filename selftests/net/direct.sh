#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# With "direct" packets go to the device without passing the queues, as long as
# nothing is queued or paused. Then the queues have them again, and lose nothing.

ALL_TESTS="idle_port whole_gso_packets paused_port busy_port discard
	can_be_switched_off
	filters_before filters_come_and_go filters_of_a_new_port
	ends_while_suspended unaccounted_while_busy"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/links.sh
. "$(dirname "$0")/links.sh"

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

# --- filters at ingress that redirect packets past the receive hook ---

direct_now_is() { test "$(option "$1" direct_now)" = "$2"; }

# bypass_is N: N packets that arrived at p1 came to queues past the hook
bypass_is() { test "$(port_stat p1 rx_bypass)" = "$1"; }

# said_is N: the log has N messages that p1 suspends direct
said_is() { equal "messages in the log" "$(dmesg | grep -c 'p1: direct: suspended')" "$1"; }

# warns I OPTION...: a qdisc for pI, and tc or the log says that p1 has filters
warns()
{
	local said

	said=$(port "$@" 2>&1)
	check "'$said' does not warn" grep -q "^Warning: direct: suspended by filters" <<<"$said"
	{ echo "$said"; dmesg | tail -n 3; } |
		grep -q "direct: suspended by filters at ingress of p1; remove them" ||
		llet_fail "neither '$said' nor the log names p1"
}

# sends_directly [not]: 100 packets from host 1 to host 2 do not pass the queues
# of p2, or do
sends_directly()
{
	local before

	before=$(port_stat p2 tx_direct_packets)
	send 1 2 -d 24 -n 100
	before=$(($(port_stat p2 tx_direct_packets) - before))
	if [ $# -eq 0 ]; then
		check "$before of 100 sent directly" test "$before" -gt 90
	else
		equal "sent directly" "$before" 0
	fi
}

# host_got: frames that host 2 has got
host_got() { h 2 cat /sys/class/net/eth0/statistics/rx_packets; }

filters_before()
{
	dmesg -C
	llet_star 2
	redirect 1 2
	# shellcheck disable=SC2086 # lists of words
	{
		port 1 $PFC
		warns 2 $PFC direct
	}
	said_is 1
	check "tc does not show it" grep -q " direct (suspended) bands" \
		<(tc -n sw qdisc show dev p2 root)
	sends_directly not
	equal "redirected" "$(port_stat p1 rx_bypass)" 100
	tc -n sw qdisc del dev p1 clsact
	check "not direct again" wait_for 3000 direct_now_is p2 true
	sends_directly
}

# message TYPE: a message of deadlock detection (88b5) or RCM (88b6) from host 1
message()
{
	h 1 lle_traffic raw eth0 "$(printf '0180c2000001020000000001%s%092d' "$1" 0)"
}

# Filters that come later are seen after a second. Then the queues take out PFC
# frames and messages.
filters_come_and_go()
{
	local before i

	dmesg -C
	# shellcheck disable=SC2086 # lists of words
	{
		pair $PFC direct
		host 2 $PFC
	}
	sends_directly
	for i in 1 2; do
		redirect 1 2
		check "not suspended" wait_for 3000 direct_now_is p2 false
		said_is $i
		before=$(host_got)
		pfc 1 8 0 0 0 65535 0 0 0 0
		message 88b5
		message 88b6
		check "not in the queues" wait_for 1000 bypass_is $((103 * i - 100))
		equal "pauses at p1" "$(stat p1 3 rx_pause)" "$i"
		equal "pauses at host 2" "$(host_stat 2 3 rx_pause)" 0
		equal "frames that host 2 got" "$(host_got)" "$before"
		sends_directly not
		equal "redirected" "$(port_stat p1 rx_bypass)" $((103 * i))
		tc -n sw qdisc del dev p1 clsact
		check "not direct again" wait_for 3000 direct_now_is p2 true
		sends_directly
	done
	said_is 2
	no_drops
}

# A device with filters becomes a port of a switch that has one with direct.
filters_of_a_new_port()
{
	dmesg -C
	llet_star 2
	redirect 1 2
	# shellcheck disable=SC2086 # lists of words
	{
		port 2 $PFC direct
		check "suspended without reason" direct_now_is p2 true
		warns 1 $PFC
	}
	said_is 1
	check "not suspended" direct_now_is p2 false
	sends_directly not
	tc -n sw qdisc del dev p1 root
	check "not direct again" direct_now_is p2 true
}

# A look that is to come ends with the option, or with the last port.
ends_while_suspended()
{
	dmesg -C
	# shellcheck disable=SC2086 # lists of words
	{
		pair $PFC direct
		redirect 1 2
		check "not suspended" wait_for 3000 direct_now_is p2 false
		port 1 $PFC no-direct
		warns 2 $PFC
		port 2 $PFC no-direct
		tc -n sw qdisc del dev p1 clsact
		redirect 1 2
		sleep 3
		said_is 1
		warns 2 $PFC direct
		said_is 2
	}
	tc -n sw qdisc del dev p2 root
	tc -n sw qdisc del dev p1 root
	check "rmmod sch_lossless" wait_for 5000 rmmod sch_lossless 2>/dev/null
	check "rmmod lossless" rmmod lossless
	sleep 3
	llet_load lossless sch_lossless
}

unaccounted_is() { test "$(port_stat p2 unaccounted)" -"$1" "$2"; }

# Packets of a device that is no port count when they come to the queues. They
# belong to the sender, which waits until they have left.
unaccounted_while_busy()
{
	local before

	# shellcheck disable=SC2086 # lists of words
	{
		llet_star 2
		port 2 $PFC direct
		host 2 $PFC role host xoff 20k headroom 1m
	}
	sends_directly
	check "direct packets are unaccounted" unaccounted_is lt 10
	tc -n h2 qdisc change dev eth0 root lossless rx-rate stopped
	send 1 2 -d 24 -n 40 &
	check "p2 is not paused" wait_for 2000 stat_is p2 3 rx_paused = 1
	sleep 0.1
	before=$(port_stat p2 unaccounted)
	send 1 2 -d 24 -n 40 &
	check "$before, not 40 more unaccounted" wait_for 2000 \
		unaccounted_is eq $((before + 40))
	tc -n h2 qdisc change dev eth0 root lossless rx-rate unlimited
	wait
}

llet_main
