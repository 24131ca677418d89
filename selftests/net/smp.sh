#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several CPUs queue, send and read at once, in real time. The verdict is a count:
# each packet that is sent arrives, is dropped by a counter that names the reason,
# or waits.
#
# Newer kernels collect packets of other CPUs in front of a root lock that is held.
# Hosts run on CPUs of their own: what host I sends and receives, CPU I (modulo
# the number) does.

ALL_TESTS="discard_of_a_full_buffer own_frames_between_cpus burst_is_counted"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

BURST=/proc/sys/net/core/qdisc_max_burst

# Packets that no CPU had room for between a link and its receiver
overrun()
{
	local n=0 drops

	while read -r _ drops _; do
		n=$((n + 16#$drops))
	done </proc/net/softnet_stat
	echo $n
}

# setup OPTION...: four hosts; what arrives at h3 is counted there
setup()
{
	llet_star 4
	llet_ports 4 prio-pfc 3:on 4:on "$@"
	host 3
	overrun_before=$(overrun)
}

# Skips what one CPU cannot show. Returns whether it can.
several_cpus()
{
	if ! real_time; then
		llet_skip "one CPU"
	elif ! modprobe -q pktgen; then
		llet_skip "kernel without pktgen"
	fi
	[ -z "$llet_why" ]
}

# Likewise, without the list in front of the root lock.
burst_list()
{
	[ -e $BURST ] || llet_skip "kernel without net.core.qdisc_max_burst"
	[ -e $BURST ] && several_cpus
}

# pktgen I J DSCP COUNT: frames of 62 bytes from host I to J
pktgen()
{
	h "$1" sh -c "
		pg() { echo \"\$2\" >/proc/net/pktgen/\$1; }
		pg kpktgend_$(($1 % LLET_CPUS)) 'add_device eth0'
		pg eth0 'count $4'
		pg eth0 'pkt_size 62'
		pg eth0 'delay 0'
		pg eth0 'dst 198.51.100.2'
		pg eth0 'dst_mac $(mac "$2")'
		pg eth0 'tos $(printf %x $(($3 << 2)))'
		pg pgctrl start
		# on a loaded machine it ends before its thread begins
		until grep -q 'pkts-sofar: $4 ' /proc/net/pktgen/eth0; do sleep 0.1; done
		pg kpktgend_$(($1 % LLET_CPUS)) rem_device_all"
}

# to_h3 COUNT: three hosts, on three CPUs, send COUNT frames each in priority 4
to_h3()
{
	local i pids=()

	for i in 1 2 4; do
		pktgen $i 3 32 "$1" &
		pids+=($!)
	done
	wait "${pids[@]}"
}

# readers N: N processes read the statistics of all ports until the test ends
readers()
{
	local i

	for ((i = 0; i < $1; i++)); do
		yes 'qdisc show' | tc -n sw -s -batch - >/dev/null 2>&1 &
		defer stop_job $!
	done
}

stop_job()
{
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# accounted PRIO SENT: the switch received SENT packets of PRIO and sent or dropped
# them, and h3 received what it sent. Sets out and burst.
accounted()
{
	local in drops queued

	wait_for 1000 stat_is p3 "$1" backlog -eq 0
	{ read -r in; read -r out; read -r drops; read -r burst; read -r queued; } < <(
		tc -n sw -s -j qdisc show |
			lle_json ".[].prios[$1].rx_packets" ".[].prios[$1].tx_packets" \
				".[].prios[$1].drops[]" ".[].prios[$1].drops.burst_discard" \
				".[].prios[$1].backlog")
	echo "# priority $1: $in in, $out out, $drops dropped, of these $burst in front of the queue"
	equal "priority $1: received" "$in" "$2"
	equal "priority $1: sent + dropped ($out + $drops)" $((out + drops)) "$in"
	equal "priority $1: backlog" "$queued" 0
	equal "priority $1: received by h3, or dropped on the way by the kernel" \
		$(($(host_stat 3 "$1" rx_packets) + $(overrun) - overrun_before)) "$out"
}

stormed() { [ "$(sw losslessctl -j watchdog show stats | jq -r '.[0].status')" = stormed ]; }

# A dead NIC has filled the buffer of the switch, and the watchdog drops all of it.
# The root lock is free for packets of another lossless priority again and again.
discard_of_a_full_buffer()
{
	local waiting=200000 each=134000 sender

	several_cpus || return
	setup rate 100mbit buffer 128m alpha 1024
	ip netns exec h3 lle-storm -p 3 -r 10 eth0 >/dev/null &
	defer stop_job $!
	check "not paused" wait_for 1000 stat_is p3 3 rx_paused -eq 1
	pktgen 1 3 24 $waiting
	equal "bytes that wait" "$(stat p3 3 backlog)" $((waiting * 62))
	to_h3 $each &
	sender=$!
	wait_for 1000 stat_is p3 4 tx_packets -gt 1000
	sw losslessctl watchdog start p3 100 prio 3
	check "no storm" wait_for 1000 stormed
	wait $sender
	check "priority 3 waits" wait_for 1000 stat_is p3 3 backlog -eq 0
	equal "priority 3: discarded" "$(stat p3 3 drops.storm_discard)" $waiting
	accounted 4 $((3 * each))
}

# zeros I: frames of zeros that host I received
zeros()
{
	tc -n "h$1" -s -j filter show dev eth0 ingress |
		jq '[.[].options?.actions?[]?.stats.packets] | add // 0'
}

# pauses N: the switch has sent N PFC frames
pauses() { [ "$(sum .tx_pause)" -ge "$1" ]; }

# Pauses leave p1 and p2 while other CPUs send to h1 and h2, and read statistics:
# of the frames of the port itself, none is taken for a packet, on whatever CPU.
own_frames_between_cpus()
{
	local i wanted=10000 until=$((SECONDS + 180))

	several_cpus || return
	llet_star 4
	llet_ports 4 prio-pfc 3:on rate 20mbit \
		pause-quanta 200 xoff 1000b xon-delta 300b headroom 100k
	for i in 1 2 3 4; do
		host $i prio-pfc 3:on rate 1gbit
		tc -n h$i qdisc add dev eth0 clsact
		tc -n h$i filter add dev eth0 ingress protocol all u32 \
			match u16 0 0xffff at -14 match u32 0 0xffffffff at -12 \
			match u32 0 0xffffffff at -8 match u32 0 0xffffffff at -4 action ok
	done
	readers 2
	for i in 1 2 3 4; do
		ip netns exec h$i lle_traffic send eth0 "$(mac $((i < 3 ? 3 : i - 2)))" \
			-n 1000000 -d 24 -s 100 &
		defer stop_job $!
	done
	while ! pauses $wanted && [ $SECONDS -lt $until ]; do
		sleep 1
	done
	check "too few pauses" pauses $wanted
	for i in 1 2 3 4; do
		equal "h$i: frames of zeros" "$(zeros $i)" 0
	done
	equal "packets of priority 7" "$(sum .tx_packets 7)" 0
	echo "# $(sum .tx_pause) pauses, $(sum .tx_pause_transition) transitions, $(sum .tx_packets) packets"
}

# With a limit of 8, readers of statistics suffice for losses in front of the queue.
burst_is_counted()
{
	local each=134000

	burst_list || return
	defer sysctl -qw net.core.qdisc_max_burst="$(<$BURST)"
	sysctl -qw net.core.qdisc_max_burst=8
	setup buffer 16m
	readers 3
	to_h3 $each
	accounted 4 $((3 * each))
	check "none was dropped in front of the queue" test "$burst" -gt 0
}

llet_main
