#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Long incast: h1, h2 and h4 send frames of all sizes, in two lossless
# priorities, to h3, above the rate of its link. LLE_SOAK_PACKETS frames in
# total; `make soak` has ten million. pktgen makes the frames, which pass the
# qdiscs of the hosts; these obey pauses, and frames that a full host refuses
# are not sent. Three kernel threads that never sleep share the CPU with
# softirqs, so softirqs are late by a tick of 4 ms per thread: 1.5 MB at line
# rate, and packets in the hosts, may follow. Headroom has 2 MB.

#
# In virtual time, rounds of RoCE messages instead: each host sends to another one,
# three of them to h3. During a round a NIC storms, options of ports change, the link of
# a host flaps, and between two rounds the modules are exchanged.


# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

# pktgen never sleeps, and until then virtual time stands
if virtual_time; then
	ALL_TESTS=with_faults
else
	ALL_TESTS=nothing_lost_nothing_stuck
fi

N=${LLE_SOAK_PACKETS:-60000}

# pktgen_send I DSCP COUNT: from host I to h3
pktgen_send()
{
	h "$1" sh -c "
		pg() { echo \"\$2\" >/proc/net/pktgen/\$1; }
		pg kpktgend_0 rem_device_all
		pg kpktgend_0 'add_device eth0'
		pg eth0 'count $3'
		pg eth0 'min_pkt_size 60'
		pg eth0 'max_pkt_size 1514'
		pg eth0 'flag TXSIZE_RND'
		pg eth0 'delay 0'
		pg eth0 'xmit_mode queue_xmit'
		pg eth0 'dst 198.51.100.2'
		pg eth0 'dst_mac $(mac 3)'
		pg eth0 'tos $(printf %x $(($2 << 2)))'
		pg pgctrl start
		grep -q 'Result: OK' /proc/net/pktgen/eth0"
}

nothing_lost_nothing_stuck()
{
	local i opts="prio-pfc 3:on 4:on buffer 32m" each=$((N / 3)) pids=()

	if ! modprobe pktgen 2>/dev/null; then
		llet_skip "kernel without pktgen"
		return
	fi
	llet_star 4
	llet_ports 4 $opts rate 1gbit xoff 100k headroom 2m
	port 3 $opts rate 250mbit xoff 100k headroom 2m
	for i in 1 2 3 4; do
		host $i prio-pfc 3:on 4:on headroom 20k buffer 256k rate 1gbit
	done

	pktgen_send 1 24 $each & pids+=($!)
	pktgen_send 2 24 $each & pids+=($!)
	pktgen_send 4 32 $each & pids+=($!)
	for i in "${pids[@]}"; do
		check "pktgen failed" wait "$i"
	done
	check "queues do not drain" wait_for 20000 all_is_out $((3 * each))

	equal "received in prio 3" "$(host_stat 3 3 rx_packets)" $((2 * each))
	equal "received in prio 4" "$(host_stat 3 4 rx_packets)" $each
	no_drops
	nothing_stuck
	check "no pause" test "$(sum .tx_pause)" -gt 0
	echo "# $((3 * each)) packets, $(sum .tx_pause) pauses," \
		"headroom up to $(stat p1 3 headroom_max) $(stat p2 3 headroom_max)" \
		"$(stat p4 4 headroom_max) bytes"
}

# A message has 1024 bytes a packet. A round is at most ROUND packets, and its faults
# depend on $RANDOM. In each second round a link flaps; its queue is emptied, and the
# bridge drops what is meant for it; RoCE repeats that.
RNIC=/sys/kernel/debug/lle_rnic
ROUND=10000000

all_done() { [ "$(awk -F, 'NR > 1 && $9 >= 0' $RNIC/results | wc -l)" -eq 4 ]; }

# free: memory of the kernel that is not in use, in kB, without caches
free() { awk '/^(MemFree|Cached|Buffers|SReclaimable):/ { n += $2 } END { print n }' /proc/meminfo; }

# The hosts are idle, so nothing waits.
exchange()
{
	if losslessctl reload >/tmp/said 2>&1; then
		exchanged=$((exchanged + 1))
	else
		llet_fail "$(</tmp/said)"
	fi
}

round()
{
	local size=$(($1 * 256)) storm=$((RANDOM * 10)) i

	for i in 1 2 4; do
		echo "0 $size 192.0.2.$i 192.0.2.3 3"
	done >/tmp/flows
	echo "0 $size 192.0.2.3 192.0.2.$((RANDOM % 2 + 1)) 3
storm $storm 192.0.2.$((RANDOM % 4 + 1)) 3 $((storm + 2000000))" >>/tmp/flows
	insmod "${LLE_MODULES:-/mods}/lle_rnic.ko" line_mbps=100000 rto_us=1000 ack_every=64
	cat /tmp/flows >$RNIC/flows
	echo "start +1000000" >$RNIC/control
	for i in 1 2 3 4; do
		sleep 0.00$((RANDOM % 10))
		tc -n sw qdisc change dev p$i root lossless xoff $((RANDOM % 100 + 100))k
	done
	i=$((RANDOM % 4 + 1))
	if [ $((rounds % 2)) -eq 0 ]; then
		ip -n h$i link set eth0 down
		sleep 0.000$((RANDOM % 10))
		ip -n h$i link set eth0 up
	fi
	check "not done" wait_for 60000 all_done
	equal "received" "$(awk -F, 'NR > 1 { n += $10 } END { printf "%.0f", n }' $RNIC/results)" $((4 * size))
	echo clear >$RNIC/control
	rmmod lle_rnic
	equal "drops in the switch" "$(sum '.drops[]')" "$(sum .drops.purge_discard)"
	nothing_waits
	if [ $((rounds % 2)) -eq 1 ]; then
		equal "drops without a flap" "$(sum '.drops[]')" 0
		conserved
	fi
	flap=$((flap + $(sum .rx_packets) - $(sum .tx_packets)))
	packets=$((packets + $(sum .tx_packets 3)))
	for i in 1 2 3 4; do
		packets=$((packets + $(host_stat $i 3 tx_packets)))
	done
}

with_faults()
{
	local left=${LLE_SOAK_PACKETS:-1000000} opts="prio-pfc 3:on buffer 32m" i n
	local before exchanged=0 rounds=0 packets=0 flap=0

	RANDOM=${SEED:-1}
	llet_star 4
	llet_ports 4 $opts rate 100gbit xoff 200k headroom 2m
	for i in 1 2 3 4; do
		host $i prio-pfc 3:on rate 100gbit
	done
	before=$(free)
	while [ "$left" -gt 0 ] && [ -z "$llet_why" ]; do
		# two queues each
		n=$(((left < ROUND ? left : ROUND) / 2))
		round $n
		exchange
		left=$((left - 2 * n)) rounds=$((rounds + 1))
	done
	echo "# $packets packets left lossless queues in $rounds rounds, $flap were meant for a link" \
		"that flapped, modules exchanged $exchanged times," \
		"memory in use grew by $((before - $(free))) kB"
}

# all_is_out N: N packets left the switch
all_is_out() { [ "$(sum .tx_packets)" -eq "$1" ]; }

llet_install
llet_main
