# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# tcp-incast: hosts of a fat tree send to one at once, by the kernel's own TCP.
# With PFC=off packets are dropped, and senders that lose their last ones wait
# for a time-out; with PFC=on no packet is lost, and all flows end when the link
# has carried all bytes. CC=dctcp: with ECN marks from KMIN bytes on.
#
# keys: K=4 RATE=10gbit DELAY=1us N=8 SIZE=1000000 PFC=on CC=cubic BUFFER=1mb KMIN=65000 GSO=split-gso S=3
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key CC: one of cubic reno dctcp, congestion control of TCP
# key GSO: one of split-gso no-split-gso, how ports send TCP's GSO packets
# key N: integer 1..K*K*K/4-1, hosts that send; one of all K*K*K/4 receives

limits() { [ "$PFC" = off ] || limit_buffer "$K"; }

testbed()
{
	local port="buffer $BUFFER reaction 0 prio-pfc 3:$PFC"

	[ "$CC" != dctcp ] || port+=" wred 3 kmin $KMIN kmax $KMIN pmax 100% ecn"
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" --arp \
		--edge "$port" --fabric "$port" --host "prio-pfc 3:$PFC" >/dev/null
}

# lle_rnic.ko only records the timeline.
prepare() { insmod /mods/lle_rnic.ko timeline_us=1; }

traffic() { tcp_traffic "$CC" "$S" >"$OUT/flows.csv"; }

duration() { echo "$S"; }

flows() { lle_flows incast --hosts $((K * K * K / 4)) --senders "$N" --size "$SIZE"; }

metrics()
{
	count_losses
	jq_stats marked '.prios[].ecn_marked'
	flow_times
	goodput_share
}

expectations()
{
	expect_arrival
	if [ "$PFC" = on ]; then
		expect pauses '>' 0
		expect goodput_share '>' 0.85
	else
		expect dropped '>' 0
		expect retransmitted '>' 0
		expect pauses == 0
	fi
}
