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

ALL_TESTS="nothing_lost_nothing_stuck"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

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

	if virtual_time; then
		llet_skip "pktgen never sleeps, and until then time stands"
		return
	fi
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

# all_is_out N: N packets left the switch
all_is_out() { [ "$(sum .tx_packets)" -eq "$1" ]; }

llet_main
