# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# poisson: flows begin at random times between random hosts of a fat tree, with
# sizes as measured in a data centre (CDF: a file of lab/flow-sizes), and use
# LOAD of the hosts' links; HOT_SHARE of them go to HOT hot hosts. No packet is
# lost. A slowdown is the completion time of a flow over that of the flow alone.
#
# keys: K=4 RATE=100gbit DELAY=1us BUFFER=32m CDF=web-search LOAD=0.4 HOT=2 HOT_SHARE=0 PFC=on CC=none MTU=1024 MS=4
# key HOT: integer 1..K*K*K/4-1, hot hosts

PORT="buffer $BUFFER reaction 0 prio-pfc 3:$PFC wred 3 kmin 100kb kmax 400kb pmax 20% ecn"

limits() { [ "$PFC" = off ] || limit_buffer "$K"; }

testbed()
{
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:$PFC"
}

rnic_options() { echo "mtu=$MTU ack_every=16 $(rnic_cc)"; }

flows()
{
	lle_flows poisson --hosts $((K * K * K / 4)) --rate "$(bits "$RATE")" --load "$LOAD" \
		--cdf "$LAB/../flow-sizes/$CDF.csv" --hot "$HOT" --hot-share "$HOT_SHARE" \
		--duration "${MS}e6" --seed "$SEED"
}

# until the last flows have ended, too
duration() { echo "$((5 * MS + 20))e-3"; }

metrics()
{
	count_losses
	jq_stats marked '.prios[].ecn_marked'
	flow_times
	slowdown_metrics
}

expectations()
{
	expect lost_bytes == 0
	expect unfinished == 0
	if [ "$PFC" = on ]; then
		expect dropped == 0
		expect retransmitted == 0
	fi
	# some small flow meets no other; each port rounds down to a nanosecond
	expect slowdown_min '>=' 0.999
	expect slowdown_min '<' 1.01
}
