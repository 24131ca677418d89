#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Incast for long: h1 and h2 send frames of all sizes, in two lossless
# priorities, to h3, twice what its link carries: LLE_SOAK_PACKETS frames in all.

ALL_TESTS="nothing_lost_nothing_stuck"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

N=${LLE_SOAK_PACKETS:-40000}

nothing_lost_nothing_stuck()
{
	local i pids=() opts="rate 400mbit prio-pfc 3:on 4:on"

	llet_star 3
	llet_ports 3 $opts buffer 4m xoff 100k headroom 300k
	for i in 1 2 3; do
		host $i $opts buffer 4m
	done

	receive 3 3000
	for i in 1 2 3 4; do
		send $((i % 2 + 1)) 3 -n $((N / 4)) -s 1514 -r $i -f $i \
			-d $(((i / 2 % 2 + 3) * 8)) &
		pids+=($!)
	done
	wait "${pids[@]}"

	equal "received" "$(received 3 .sum.packets)" $((N / 4 * 4))
	equal "lost" "$(received 3 .sum.lost)" 0
	equal "reordered" "$(received 3 .sum.reordered)" 0
	no_drops
	nothing_stuck
	check "no pause" test "$(sum .tx_pause)" -gt 0
	echo "# $((N / 4 * 4)) packets, $(sum .tx_pause) pauses," \
		"headroom up to $(stat p1 3 headroom_max) bytes"
}

llet_main
