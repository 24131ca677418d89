#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The data-plane tests TC1 to TC4 of SONiC's RoCEv2 suite (sonic-mgmt,
# tests/snappi_tests/rocev2), at 200 Mbit/s: see lab/lle_lab/scenarios/sonic_roce.py, which has
# them at 100 Gbit/s. At 1 Gbit/s the emulated CPU is the bottleneck, and no queue fills;
# with a time-out of 20 ms packets were repeated that waited in a queue.
#
#	h1, h2: lossless, queues 3 and 4 --- p1, p2
#	h3: lossy, queues 0 and 1 ---------- p3	[switch] p4 --- h4
#
# CNPs have queue 5, ACKs 6.

ALL_TESTS="tc1_no_congestion tc2_pfc tc3_dcqcn tc4_storage_pfc tc4_storage_dcqcn"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

RNIC=/sys/kernel/debug/lle_rnic
MS=1500
MARKS='kmin 20k kmax 80k pmax 20% ecn'

# testbed [OPTION...]: of the ports to hosts
testbed()
{
	local port="rate 200mbit prio-pfc 3:on 4:on bands 8 strict 0
		priomap 0 1 2 3 4 5 6 7 quanta 14000 14000 14000 15000 15000 14000 14000 14000"

	llet_star 4
	# shellcheck disable=SC2086 # lists of words
	llet_ports 4 $port buffer 4m xoff 100k "$@"
	for i in 1 2 3 4; do
		# shellcheck disable=SC2086
		host $i $port
	done
}

rnic_unload()
{
	echo clear >$RNIC/control
	wait_for 5000 rmmod lle_rnic 2>/dev/null
}

# run SIZE MESSAGES PARAMETER... -- PAIR...: lets each PAIR "FROM TO QUEUE" send MESSAGES
# messages one after the other, for MS
run()
{
	local size=$1 messages=$2 parameters=() pair from to queue i

	shift 2
	while [ "$1" != -- ]; do
		parameters+=("$1")
		shift
	done
	shift
	insmod "${LLE_MODULES:-/mods}/lle_rnic.ko" line_mbps=200 ack_prio=6 cnp_prio=5 ack_every=32 \
		rto_us=100000 pair_us=4000000 "${parameters[@]}"
	defer rnic_unload
	for pair in "$@"; do
		read -r from to queue <<<"$pair"
		for ((i = 0; i < messages; i++)); do
			echo "0 $size 192.0.2.$from 192.0.2.$to $queue"
		done
	done >$RNIC/flows
	echo "start +1000000" >$RNIC/control
	sleep ${MS}e-3
}

# of QUEUE COLUMN: sum of a column of the results
of()
{
	awk -F, -v queue="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
		$4 == queue { sum += $c }
		END { print sum + 0 }' $RNIC/results
}

# messages QUEUE: those that have arrived
messages() { awk -F, -v queue="$1" '$4 == queue && $8 >= 0' $RNIC/results | wc -l; }

# safe QUEUE: messages arrive, and nothing was lost
safe()
{
	local what

	check "no message in queue $1" test "$(messages "$1")" -gt 0
	for what in retrans naks ooo; do
		equal "$what of queue $1" "$(of "$1" $what)" 0
	done
	equal "drops of queue $1" "$(sum '.drops[]' "$1")" 0
	check "no ACK" test "$(sum .rx_packets 6)" -gt 0
}

unmarked() { equal "marks and CNPs of queue $1" "$(of "$1" marked) $(of "$1" cnps_sent)" "0 0"; }

# marked QUEUE: packets are marked, and CNPs reach the senders by queue 5
marked()
{
	check "no mark in queue $1" test "$(of "$1" marked)" -gt 0
	check "no CNP of queue $1" test "$(of "$1" cnps)" -gt 0
	check "no CNP in queue 5" test "$(sum .tx_packets 5)" -gt 0
}

tc1_no_congestion()
{
	local queue

	testbed
	# all end in time
	run 1000000 15 ect=0 -- "1 3 3" "3 1 3" "2 4 0" "2 4 1" "4 2 0" "4 2 1"
	for queue in 0 1 3; do
		safe $queue
		unmarked $queue
	done
	equal "pauses" "$(sum .tx_pause)" 0
	# data are in the queue of their priority
	for queue in 0 1; do
		equal "messages of queue $queue" "$(messages $queue)" 30
		equal "packets of queue $queue to h4" "$(stat p4 $queue tx_packets)" \
			"$(host_stat 2 $queue tx_packets)"
	done
}

# share QUEUE LEAST MOST: of p4, in percent
share()
{
	local all=0 queue

	for queue in 0 1 3 4; do
		all=$((all + $(stat p4 $queue tx_bytes)))
	done
	between "percent of queue $1" $(($(stat p4 "$1" tx_bytes) * 100 / all)) "$2" "$3"
}

# Weights 14, 14, 15, 15 of 58, within 5 %
tc2_pfc()
{
	local queue

	testbed
	run 131072 600 ect=0 -- "1 4 3" "2 4 4" "3 4 0" "3 4 1"
	for queue in 3 4; do
		safe $queue
		unmarked $queue
		check "no pause of queue $queue" test "$(sum .tx_pause $queue)" -gt 0
		share $queue 24 27
	done
	for queue in 0 1; do
		equal "pauses of queue $queue" "$(sum .tx_pause $queue)" 0
		check "no drop in queue $queue" test "$(sum '.drops[]' $queue)" -gt 0
		share $queue 22 25
	done
}

# DCQCN's times are for 40 Gbit/s; those of rnic.sh, four times as long, fit this rate
DCQCN="ect=1 cc=dcqcn cnp_us=2000 dcqcn_cut_us=2000 dcqcn_timer_us=6000 dcqcn_alpha_us=4000
	dcqcn_kbytes=1024 dcqcn_ai_mbps=1 dcqcn_hai_mbps=4"

# incast SIZE PAUSES: three hosts with DCQCN, and at most PAUSES pauses
incast()
{
	local queue

	# shellcheck disable=SC2086 # a list of words
	run "$1" 600 $DCQCN dcqcn_min_mbps=2 -- "1 4 3" "2 4 4" "3 4 0" "3 4 1"
	for queue in 3 4; do
		safe $queue
		marked $queue
		between "pauses of queue $queue" "$(sum .tx_pause $queue)" 0 "$2"
	done
}

tc3_dcqcn()
{
	# shellcheck disable=SC2086 # a list of words
	testbed wred 3 $MARKS wred 4 $MARKS
	incast 131072 100
}

# The senders ignore CNPs: their lowest rate is that of the link.
tc4_storage_pfc()
{
	local queue

	# shellcheck disable=SC2086 # lists of words
	testbed wred 3 $MARKS wred 4 $MARKS
	# shellcheck disable=SC2086
	run 1000000 80 $DCQCN dcqcn_min_mbps=200 -- "1 4 3" "2 4 4" "3 4 0" "3 4 1"
	for queue in 3 4; do
		safe $queue
		marked $queue
		check "no pause of queue $queue" test "$(sum .tx_pause $queue)" -gt 100
	done
}

tc4_storage_dcqcn()
{
	# shellcheck disable=SC2086 # a list of words
	testbed wred 3 $MARKS wred 4 $MARKS
	incast 1000000 100
}

llet_main
