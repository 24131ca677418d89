#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The RoCEv2 endpoints of lle_rnic.ko: messages arrive complete, losses are
# repaired, rates are kept, and hostile packets have no effect.
#
#	h1 --1 Gbit/s-- p1 [switch] p3 --250 Mbit/s-- h3
#	h2 --1 Gbit/s-- p2

ALL_TESTS="without_loss goes_back_n irn_repeats_lost_packets sends_and_reads
	reads_are_repaired reads_wait rate_cap_is_kept dcqcn_obeys_marks
	window_is_kept flows_take_turns flows_share_the_qdisc pairs_share_a_queue_pair queues_over_time
	timeline no_timeline nic_breaks storm_ends hostile_packets bad_flows elsewhere
	link_down devices_go"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

RNIC=/sys/kernel/debug/lle_rnic

rnic_unload()
{
	[ -d $RNIC ] || return
	echo clear >$RNIC/control
	wait_for 5000 rmmod lle_rnic 2>/dev/null
}

# rnic_load PARAMETER...: loads the endpoints for this test
rnic_load()
{
	insmod "${LLE_MODULES:-/mods}/lle_rnic.ko" line_mbps=1000 "$@"
	defer rnic_unload
}

# rnic_run LINE...: starts flows
rnic_run()
{
	printf '%s\n' "$@" >$RNIC/flows
	echo "start +1000000" >$RNIC/control
}

# result ROW COLUMN: of the results
result()
{
	awk -F, -v row="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
		NR == row + 1 { print $c }' $RNIC/results
}

# all_done N: all N flows are acknowledged
all_done()
{
	[ "$(awk -F, 'NR > 1 && $9 >= 0' $RNIC/results | wc -l)" -eq "$1" ]
}

testbed()
{
	llet_star 3
	llet_ports 3 rate 1gbit "$@"
	port 3 rate 250mbit "$@"
	for i in 1 2 3; do
		host $i rate 1gbit prio-pfc 3:on
	done
}

without_loss()
{
	testbed buffer 4m xoff 100k prio-pfc 3:on
	rnic_load
	rnic_run "0 2000001 192.0.2.1 192.0.2.3 3" \
		"0 2000000 192.0.2.2 192.0.2.3 3"
	check "not done" wait_for 5000 all_done 2
	for i in 1 2; do
		equal "received of $i" "$(result $i received)" "$(result $i size)"
		equal "sent again of $i" "$(result $i retrans)" 0
		equal "NAKs of $i" "$(result $i naks)" 0
	done
	# 1954 packets each, and an ACK for each; data to p3, ACKs from there
	equal "packets to h3" "$(stat p3 3 tx_packets)" 3908
	equal "ACKs from h3" "$(stat p3 7 rx_packets)" 3908
	check "no pause" test "$(sum .tx_pause)" -gt 0
	no_drops
	nothing_stuck
}

# Without PFC, with a small buffer: packets are lost, and retransmitted.
goes_back_n()
{
	testbed buffer 64k prio-pfc 3:off
	rnic_load rto_us=2000
	rnic_run "0 500000 192.0.2.1 192.0.2.3 3" "0 500000 192.0.2.2 192.0.2.3 3"
	check "not done" wait_for 5000 all_done 2
	check "nothing was dropped" test "$(sum .drops[])" -gt 0
	check "nothing was sent again" test "$(result 1 retrans)" -gt 0
	check "no NAK" test "$(result 1 naks)" -gt 0
	equal "received" "$(result 1 received) $(result 2 received)" "500000 500000"
}

# The same with IRN: each packet that was dropped is sent again, and hardly any other
# one. A flow's last packets may be lost: the time-out with few packets is short.
irn_repeats_lost_packets()
{
	local dropped again

	testbed buffer 64k prio-pfc 3:off
	rnic_load irn=1 window=100 rto_us=20000 rto_low_us=5000
	rnic_run "0 500000 192.0.2.1 192.0.2.3 3" "0 500000 192.0.2.2 192.0.2.3 3 read"
	check "not done" wait_for 5000 all_done 2
	dropped=$(sum .drops[])
	again=$(($(result 1 retrans) + $(result 2 retrans)))
	check "nothing was dropped" test "$dropped" -gt 0
	between "sent again, of $dropped dropped" $again "$dropped" $((dropped + dropped / 2))
	check "no packet out of order" test "$(result 1 ooo)" -gt 0
	equal "received" "$(result 1 received) $(result 2 received)" "500000 500000"
	refused "Invalid parameters" insmod_again irn=1 window=0
	refused "Invalid parameters" insmod_again irn=1 window=1025
	refused "Invalid parameters" insmod_again irn=1 window=10 ack_every=2
	refused "Invalid parameters" insmod_again irn=1 window=10 cc=ldcp
}

# insmod_again PARAMETER...: replaces the module of this test
insmod_again()
{
	rnic_unload
	insmod "${LLE_MODULES:-/mods}/lle_rnic.ko" "$@"
}

# The packets of a READ go from h1 to h3, its request from h3 to h1, and none is
# acknowledged. (selftests/lab/roce.sh looks at opcodes.)
sends_and_reads()
{
	testbed buffer 4m xoff 100k prio-pfc 3:on
	rnic_load
	rnic_run "0 3000 192.0.2.1 192.0.2.3 3 send" "20000000 3000 192.0.2.1 192.0.2.3 3 read" \
		"40000000 3000 192.0.2.1 192.0.2.3 3 write" "60000000 100 192.0.2.1 192.0.2.3 3 read" \
		"80000000 100 192.0.2.1 192.0.2.3 3 send"
	check "not done" wait_for 5000 all_done 5
	equal "verbs" "$(result 1 verb) $(result 2 verb) $(result 3 verb)" "send read write"
	equal "received" "$(result 2 received)" 3000
	equal "data to h3" "$(stat p3 3 tx_packets)" 11
	equal "ACKs from h3" "$(stat p3 7 rx_packets)" 7
	equal "requests from h3" "$(stat p3 3 rx_packets)" 2
}

# Without PFC packets of READs are lost; the requester asks for them again. A time-out
# below the time that packets wait would repeat requests for ever.
reads_are_repaired()
{
	testbed buffer 64k prio-pfc 3:off
	rnic_load rto_us=20000
	rnic_run "0 500000 192.0.2.1 192.0.2.3 3 read" "0 500000 192.0.2.2 192.0.2.3 3 read"
	check "not done" wait_for 5000 all_done 2
	check "nothing was dropped" test "$(sum .drops[])" -gt 0
	check "nothing was sent again" test "$(result 1 retrans)" -gt 0
	check "no new request" test "$(result 1 naks)" -gt 0
	equal "received" "$(result 1 received) $(result 2 received)" "500000 500000"
}

# h3 reads from h1 when it has received from h2, 1 ms later; h1 sends when h3 has read.
reads_wait()
{
	testbed buffer 4m prio-pfc 3:on
	rnic_load
	rnic_run "0 100000 192.0.2.2 192.0.2.3 3" \
		"1000000 100000 192.0.2.1 192.0.2.3 3 read after 1" \
		"0 100000 192.0.2.1 192.0.2.2 3 after 2"
	check "not done" wait_for 5000 all_done 3
	equal "start of the read" "$(result 2 start_ns)" "$(($(result 1 last_ns) + 1000000))"
	check "the third does not wait" \
		test "$(result 3 first_ns)" -gt "$(result 2 first_ns)"
}

# Two flows of h1 send 20 packets each in turn, and at the end 17. So the second one
# begins 20 packets later, and ends 17 packets later, of which the last has 576 bytes. At
# 25 Mbit/s a packet takes 354 us, much longer than the guest needs to pass it on.
flows_take_turns()
{
	local first second

	testbed buffer 4m xoff 100k prio-pfc 3:on
	tc -n sw qdisc change dev p3 root lossless rate 25mbit
	rnic_load turn_bytes=21640
	rnic_run "0 1000000 192.0.2.1 192.0.2.3 3" "0 1000000 192.0.2.1 192.0.2.3 3"
	check "not done" wait_for 5000 all_done 2
	first=$(result 1 first_ns)
	second=$(result 2 first_ns)
	between "begin of the second, in us" $(((second - first) / 1000)) 7000 7150
	between "end of the second, in us" \
		$((($(result 2 last_ns) - $(result 1 last_ns)) / 1000)) 5800 5920
}

# At 100 Mbit/s a packet of 1082 bytes, 1024 of them data, takes 86.56 us. From
# the first to the last of 1000 packets there are 999 of these, and 16 bytes
# more in the first.
rate_cap_is_kept()
{
	local took

	testbed buffer 4m
	rnic_load
	rnic_run "0 1024000 192.0.2.1 192.0.2.3 3 100000000"
	check "not done" wait_for 5000 all_done 1
	took=$(($(result 1 last_ns) - $(result 1 first_ns)))
	between "time in us" $((took / 1000)) 86470 86480
}

# The parameters of 40 Gbit/s, with times in proportion.
dcqcn_obeys_marks()
{
	testbed buffer 4m prio-pfc 3:on wred 3 kmin 20k kmax 60k pmax 50% ecn
	rnic_load cc=dcqcn cnp_us=500 dcqcn_cut_us=500 dcqcn_timer_us=1500 \
		dcqcn_alpha_us=1000 dcqcn_kbytes=1024 dcqcn_ai_mbps=5 \
		dcqcn_hai_mbps=20 dcqcn_min_mbps=10
	rnic_run "0 4000000 192.0.2.1 192.0.2.3 3" "0 4000000 192.0.2.2 192.0.2.3 3"
	check "not done" wait_for 10000 all_done 2
	check "nothing marked" test "$(result 1 marked)" -gt 0
	check "no CNP" test "$(result 1 cnps)" -gt 0
	between "rate" "$(result 1 rate_bps)" 30000000 300000000
	equal "sent again" "$(result 1 retrans)" 0
	between "both finish together, in percent" \
		$(($(result 1 last_ns) * 100 / $(result 2 last_ns))) 80 125
}

# With a window of 8 packets at most 8 wait anywhere.
window_is_kept()
{
	testbed buffer 4m
	rnic_load window=8
	rnic_run "0 1000000 192.0.2.1 192.0.2.3 3"
	check "not done" wait_for 5000 all_done 1
	between "backlog" "$(stat p3 3 backlog_max)" 5000 $((8 * 1102))
}

# A flow with two packets in the qdisc waits until one of them leaves.
flows_share_the_qdisc()
{
	testbed buffer 4m
	rnic_load depth=1000 flow_depth=2
	rnic_run "0 1000000 192.0.2.1 192.0.2.3 3" "0 1000000 192.0.2.1 192.0.2.2 3"
	check "not done" wait_for 5000 all_done 2
	between "backlog of h1" "$(host_stat 1 3 backlog_max)" 3000 $((4 * 1102))
}

# The second message of a pair of hosts is sent after the first; a message to
# another host, and one that begins late, are not delayed.
pairs_share_a_queue_pair()
{
	testbed buffer 4m
	rnic_load pair_us=50000
	rnic_run "0 2000000 192.0.2.1 192.0.2.3 3 200000000 # first" \
		"0 100000 192.0.2.1 192.0.2.3 3 # second" \
		"0 100000 192.0.2.1 192.0.2.2 3" \
		"60000000 100000 192.0.2.1 192.0.2.3 3"
	check "not done" wait_for 5000 all_done 4
	check "the second does not wait" \
		test "$(result 2 first_ns)" -ge "$(result 1 last_ns)"
	check "another's waits" test "$(result 3 last_ns)" -lt "$(result 1 last_ns)"
	check "a late one waits" test "$(result 4 last_ns)" -lt "$(result 1 last_ns)"
}

# p3 needs a second per packet. Packets of the first half of the time wait in
# the second half.
queues_over_time()
{
	local line

	testbed buffer 4m
	port 3 rate 8kbit
	# no retransmission, which would continue after the last sample
	rnic_load sample_us=1000 samples=100 rto_us=1000000000
	for line in nope p9 "p3 8"; do
		if echo "$line" >$RNIC/queues 2>/dev/null; then
			llet_fail "taken: $line"
		fi
	done
	echo p3 >$RNIC/queues
	echo "p1 7" >$RNIC/queues
	rnic_run "50000000 20000 192.0.2.1 192.0.2.3 3"
	if echo "p2" >$RNIC/queues 2>/dev/null; then
		llet_fail "taken while flows run"
	fi
	check "not all samples" wait_for 5000 samples_are 200
	equal "before" "$(sed -n 2p $RNIC/queues)" "0,p3,3,0"
	equal "at the end" "$(grep p3 $RNIC/queues | tail -n 1)" \
		"99000000,p3,3,$(stat p3 3 backlog)"
	check "nothing waits" stat_is p3 3 backlog -gt 19000
	equal "of priority 7" "$(grep -c 'p1,7,0$' $RNIC/queues)" 100
	# a removed port has no samples, and does not crash
	ip -n sw link del p3
	echo clear >$RNIC/control
	equal "left" "$(wc -l <$RNIC/queues)" 1
}

# Two senders fill a slower link, so the switch pauses them. The timeline has a
# row for each of the six ports when flows begin, and one when it is read. Times
# never decrease, and no packet waits at the end.
timeline()
{
	testbed buffer 4m xoff 100k prio-pfc 3:on
	rnic_load timeline_us=100
	rnic_run "0 2000000 192.0.2.1 192.0.2.3 3" "0 2000000 192.0.2.2 192.0.2.3 3"
	check "not done" wait_for 5000 all_done 2
	cat $RNIC/timeline >/tmp/timeline
	equal "header" "$(head -n 1 /tmp/timeline)" time_ns,port,queue,buffer,paused_ns,role
	equal "ports that are late, go back, or have a queue at the end" "$(awk -F, '
		NR == 2 { start = $1 }
		NR > 1 { first[$2] += $1 == start; wrong += $1 < last; last = $1 }
		NR > 1 && $5 < paused[$2] { wrong++ }
		NR > 1 { paused[$2] = $5; queue[$2] = $3; at[$2] = $1 }
		END {
			for (port in at)
				wrong += !first[port] || at[port] != last || queue[port]
			print length(at) " " wrong + 0
		}' /tmp/timeline)" "6 0"
	check "h1 was not paused" [ "$(awk -F, '$2 == "192.0.2.1" { ns = $5 }
		END { print ns + 0 }' /tmp/timeline)" -gt 0 ]
	check "rows" [ "$(wc -l </tmp/timeline)" -gt 50 ]
}

no_timeline()
{
	testbed buffer 4m xoff 100k prio-pfc 3:on
	rnic_load
	rnic_run "0 20000 192.0.2.1 192.0.2.3 3"
	check "not done" wait_for 5000 all_done 1
	equal "lines" "$(wc -l <$RNIC/timeline)" 1
}

# The NIC of h3 breaks: no packet reaches it until it is cleared.
nic_breaks()
{
	local got

	testbed buffer 4m xoff 100k prio-pfc 3:on
	rnic_load storm_us=1000
	rnic_run "0 20000000 192.0.2.1 192.0.2.3 3" "storm 5000000 192.0.2.3 3"
	check "no storm" wait_for 5000 stat_is p3 3 rx_pause -gt 50
	equal "paused" "$(stat p3 3 rx_paused)" 1
	equal "times" "$(stat p3 3 rx_pause_transition)" 1
	got=$(result 1 received)
	check "no pauses" wait_for 5000 stat_is p3 3 rx_pause -gt 100
	equal "received since" "$(result 1 received)" "$got"
	equal "h1 is paused" "$(stat p1 3 tx_paused)" 1
	echo clear >$RNIC/control
	check "paused for ever" wait_for 5000 stat_is p3 3 rx_paused = 0
}

# The NIC is repaired: it resumes, and all packets arrive.
storm_ends()
{
	testbed buffer 4m xoff 100k prio-pfc 3:on
	rnic_load
	rnic_run "0 20000000 192.0.2.1 192.0.2.3 3" \
		"storm 5000000 192.0.2.3 3 200000000"
	check "no storm" wait_for 5000 stat_is p3 3 rx_paused = 1
	check "not done" wait_for 5000 all_done 1
	equal "pauses" "$(stat p3 3 rx_pause_transition)" 1
	check "no resume" stat_is p3 3 rx_resume -eq 1
}

samples_are() { test "$(grep -c , $RNIC/queues)" -eq $(($1 + 1)); }

# Flows from and to a host of another part of the network: those from it do not begin here
elsewhere()
{
	local line

	testbed buffer 4m
	rnic_load sample_us=1000 samples=1
	for line in "02:00:00:00:00:63" "02:00:00:00:00:63 nobody" "02:00:00:00:00 192.0.2.99" \
		"192.0.2.99 02:00:00:00:00:63"; do
		echo "$line" >$RNIC/ethers 2>/dev/null && llet_fail "taken: $line"
	done
	check "reason in the log" grep -q 'lle_rnic: ethers, line 1: not MAC ADDRESS' <(dmesg)
	printf '%300s\n' x >$RNIC/ethers 2>/dev/null && llet_fail "taken: a line of 300 bytes"
	check "its reason in the log" grep -q 'lle_rnic: ethers, line 1: too long' <(dmesg)
	echo s9p9 >$RNIC/queues 2>/dev/null && llet_fail "taken: a port that does not exist"
	# one that is here is not elsewhere
	printf '02:00:00:00:00:%s 192.0.2.%s\n' 63 99 64 3 >$RNIC/ethers || llet_fail "ethers"
	echo s9p9 >$RNIC/queues || llet_fail "a port of another part"
	bridge -n sw fdb add 02:00:00:00:00:63 dev p2 master static
	rnic_run "0 1000 192.0.2.1 192.0.2.3 3" "0 1000 192.0.2.99 192.0.2.3 3" \
		"0 1000 192.0.2.1 192.0.2.99 3"
	check "not done" wait_for 5000 all_done 1
	check "nothing to elsewhere" wait_for 5000 reached_p2
	equal "received by what is here" "$(result 1 received)" 1000
	equal "received from elsewhere" "$(result 2 received)" 0
	equal "lines of hosts" "$(wc -l <$RNIC/hosts)" 4
	echo clear >$RNIC/control
	echo "0 1000 192.0.2.1 192.0.2.99 3" >$RNIC/flows 2>/dev/null &&
		llet_fail "taken: a host that is nowhere"
}

reached_p2() { [ "$(stat p2 3 tx_packets)" -gt 0 ]; }

# RoCEv2 packets without a flow are counted and dropped; the stack gets others.
hostile_packets()
{
	testbed buffer 4m
	rnic_load
	rnic_run "0 100000 192.0.2.1 192.0.2.3 3"
	check "not done" wait_for 5000 all_done 1
	for i in 1 2 3; do
		h 2 bash -c "head -c $((i * 20)) /dev/zero >/dev/udp/192.0.2.3/4791" ||
			llet_fail "cannot send"
	done
	h 2 bash -c 'echo >/dev/udp/192.0.2.3/4792'
	wait_for 1000 malformed_are 192.0.2.3 3 ||
		llet_fail "malformed: $(cat $RNIC/hosts)"
	equal "received" "$(result 1 received)" 100000
}

malformed_are()
{
	[ "$(awk -F, -v a="$1" '$1 == a { print $4 }' $RNIC/hosts)" = "$2" ]
}

bad_flows()
{
	local line

	testbed buffer 4m
	rnic_load
	while read -r line; do
		if echo "$line" >$RNIC/flows 2>/dev/null; then
			llet_fail "taken: $line"
		fi
	done <<-EOF
		0 1000 192.0.2.1 192.0.2.3
		0 1000 192.0.2.1 192.0.2.3 8
		0 0 192.0.2.1 192.0.2.3 3
		0 1000 192.0.2.1 192.0.2.1 3
		0 1000 192.0.2.1 192.0.2.99 3
		0 1000 192.0.2.1 nobody 3
		0 1000 192.0.2.1 192.0.2.3 3 1
		0 1000 192.0.2.1 192.0.2.3 3 1000000000 more
		0 1000 192.0.2.1 192.0.2.3 3 reads
		0 1000 192.0.2.1 192.0.2.3 3 read 1000000
		0 1000 192.0.2.1 192.0.2.3 3 after
		0 1000 192.0.2.1 192.0.2.3 3 after 1
		0 1000 192.0.2.1 192.0.2.3 3 after x
		flow
		storm 0 192.0.2.1
		storm 0 192.0.2.1 8
		storm 0 192.0.2.99 3
		storm 0 nobody 3
		storm 0 192.0.2.1 3 0
		storm 0 192.0.2.1 3 1 more
	EOF
	printf '%s\n' "0 1000 192.0.2.1 192.0.2.3 3" "flow" \
		>$RNIC/flows 2>/dev/null && llet_fail "taken: a good and a bad line"
	printf '%s\n' "0 1000 192.0.2.1 192.0.2.3 3" "0 1000 192.0.2.2 192.0.2.1 3 after 1" \
		>$RNIC/flows 2>/dev/null && llet_fail "taken: a flow that waits for others' flows"
	check "reason in the log" grep -q 'line 2: its initiator is no end of a flow that it waits for' \
		<(dmesg)
	equal "flows" "$(wc -l <$RNIC/results)" 1
	equal "hosts" "$(wc -l <$RNIC/hosts)" 1
	check "reason in the log" grep -q 'lle_rnic: flows, line 1: PRIO is over 7' \
		<(dmesg)
	rmmod lle_rnic
	refused "Invalid parameters" insmod "${LLE_MODULES:-/mods}/lle_rnic.ko" mtu=9001
}

# Packets that a downed link drops are retransmitted, one per time-out, not all
# of the flow at once. Twenty time-outs fit into the time that it is down.
link_down()
{
	local sent start

	testbed buffer 4m xoff 50k prio-pfc 3:on
	rnic_load rto_us=5000
	rnic_run "0 4000000 192.0.2.1 192.0.2.3 3"
	sleep 0.05
	ip -n h1 link set eth0 down
	start=${EPOCHREALTIME/./}
	sent=$(sent_by 192.0.2.1)
	sleep 0.1
	sent=$(($(sent_by 192.0.2.1) - sent))
	between "sent to nobody" $sent 1 $(((${EPOCHREALTIME/./} - start) / 5000 + 1))
	ip -n h1 link set eth0 up
	check "not done" wait_for 5000 all_done 1
	equal "received" "$(result 1 received)" 4000000
}

# packets that a host sent
sent_by() { awk -F, -v a="$1" '$1 == a { print $2 }' $RNIC/hosts; }

# A host is removed while flows run from it and to it. Their time-outs continue
# until they are cleared.
devices_go()
{
	testbed buffer 4m xoff 100k prio-pfc 3:on
	rnic_load rto_us=1000 timeline_us=100
	rnic_run "0 20000000 192.0.2.1 192.0.2.3 3" \
		"0 20000000 192.0.2.2 192.0.2.3 3" "0 20000000 192.0.2.3 192.0.2.1 3"
	sleep 0.05
	ip -n h3 link del eth0
	sleep 0.05
	check "clear" eval "echo clear >$RNIC/control"
	equal "hosts" "$(wc -l <$RNIC/hosts)" 1
}

llet_main
