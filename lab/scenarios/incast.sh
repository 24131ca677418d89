# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# incast: hosts of a fat tree send to one at once, more than its link carries.
# With PFC=on they are paused, and no packet is lost; with PFC=off packets are
# dropped and sent again. With WATCHDOG=yes all ports of switches have a
# watchdog: an incast, however long, is no pause storm. With VERB=read the receiver
# reads from all others at once.
#
# keys: K=4 RATE=100gbit DELAY=1us BUFFER=32m SIZE=1000000 N=15 PFC=on CC=none VERB=write RECOVERY=go-back-n TURN=0 WATCHDOG=no MTU=1024 MS=20
# key N: integer 1..K*K*K/4-1, hosts that send; one of all K*K*K/4 receives
# key RECOVERY: one of go-back-n irn, how losses are repaired; irn: with a window of 256 packets

PORT="buffer $BUFFER prio-pfc 3:$PFC"
[ "$CC" = none ] || PORT+=" $(dcqcn_marks)"

limits() { [ "$PFC" = off ] || limit_buffer "$K"; }

testbed()
{
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) \
		--edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:$PFC"
	[ "$WATCHDOG" != yes ] || on_time switches watchdog start --fabric all 100
}

rnic_options()
{
	echo "mtu=$MTU rto_us=$((10 ** 14 / $(bits "$RATE"))) $(rnic_cc) turn_bytes=$(bytes "$TURN")"
	[ "$RECOVERY" = go-back-n ] || echo "irn=1 window=256"
}

flows()
{
	lle_flows incast --hosts $((K * K * K / 4)) --senders "$N" --size "$SIZE" |
		sed "s/\$/ $VERB/"
}

duration() { echo "${MS}e-3"; }

metrics()
{
	count_losses
	flow_times
	goodput_share
	jq -r '"watchdogs \(length)", "storms \(map(.storm_detected) | add // 0)"' watchdogs.json
}

expectations()
{
	expect_arrival
	if [ "$WATCHDOG" = yes ]; then
		expect watchdogs '>' 0
		expect storms == 0
	fi
	if [ "$PFC" = on ]; then
		expect pauses '>' 0
		expect goodput_share '>' 0.85
	else
		expect dropped '>' 0
		expect retransmitted '>' 0
	fi
}
