# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# irn: does RDMA need a lossless network? Flows of measured sizes begin at random
# times between random hosts of a fat tree, and use LOAD of the hosts' links, as in
# "Revisiting Network Support for RDMA" (SIGCOMM 2018), section 4.1: 40 Gbit/s, 2 us,
# a buffer of 240 KB for each port of a switch, a window of the bytes that are under way
# on the longest path (110 packets). The paper has 54 hosts, and sizes of its own. Arms:
#
#	gbn+pfc	NICs go back to a lost packet, switches pause them (RoCE)
#	gbn	the same without pauses
#	irn	NICs repeat lost packets only
#	irn+pfc	the same with pauses
#
# Go-back-N has no window, and with pauses a time-out that they do not reach. Without
# pauses it may collapse. Means are those of flows that have ended.
#
# keys: ARMS=gbn+pfc,gbn,irn,irn+pfc K=4 RATE=40gbit DELAY=2us PORT_BUFFER=240k CDF=web-search LOAD=0.7 CC=none WINDOW=110 MTU=1000 MS=10
# key ARMS: list of gbn+pfc gbn irn irn+pfc, how losses are repaired or avoided
# key PORT_BUFFER: size 20k..16m, shared buffer of a switch, for each of its ports
# key WINDOW: integer 1..1024, packets of a flow that IRN has under way

RTO_HIGH_US=320
RTO_LOW_US=100

buffer() { echo $((K * $(bytes "$PORT_BUFFER"))); }
has_pfc() { [[ $1 = *+pfc ]]; }
has_irn() { [[ $1 = irn* ]]; }

limits() { limit PORT_BUFFER $((2 * $(headroom_bytes))) 16m "half of it is headroom"; }

testbed()
{
	local pfc=off port

	! has_pfc "$ARM" || pfc=on
	port="buffer $(buffer) reaction 0 prio-pfc 3:$pfc"
	# of "Congestion Control for Large-Scale RDMA Deployments", section 5.2
	[ "$CC" = none ] || port+=" wred 3 kmin 5kb kmax 200kb pmax 1% ecn"
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$port" --fabric "$port" --host "prio-pfc 3:$pfc"
}

rnic_options()
{
	local rto=$RTO_HIGH_US

	! has_pfc "$ARM" || has_irn "$ARM" || rto=100000
	echo "mtu=$MTU $(rnic_cc) rto_us=$rto"
	! has_irn "$ARM" || echo "irn=1 window=$WINDOW rto_low_us=$RTO_LOW_US"
}

flows()
{
	lle_flows poisson --hosts $((K * K * K / 4)) --rate "$(bits "$RATE")" --load "$LOAD" \
		--cdf "$LAB/../flow-sizes/$CDF.csv" --duration "${MS}e6" --seed "$SEED"
}

# until the last flows have ended, too
duration() { echo "$((10 * MS + 20))e-3"; }
busy() { echo "${MS}e-3"; }

metrics()
{
	count_losses
	flow_times
	slowdown_metrics
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ sum += $c["timeouts"] }
		END { print "timeouts", sum + 0 }' hosts.csv
}

compare()
{
	local arm

	for arm in ${ARMS//,/ }; do
		! has_irn "$arm" ||
			ratio "$arm.repeats_per_drop" "$arm.retransmitted" "$arm.dropped"
		[ "$arm" = gbn+pfc ] ||
			ratio "$arm.slowdown_mean_ratio" "$arm.slowdown_mean" gbn+pfc.slowdown_mean
	done
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		[ "$arm" = gbn ] || expect "$arm.unfinished" == 0
		expect "$arm.lost_bytes" == 0
		! has_pfc "$arm" || expect "$arm.dropped" == 0
	done
	[[ ,$ARMS, != *,gbn+pfc,* ]] || expect gbn+pfc.retransmitted == 0
	[[ ,$ARMS, != *,gbn,* ]] || expect gbn.dropped '>' 0
	[[ ,$ARMS, != *,irn,* ]] || {
		expect irn.dropped '>' 0
		# 1.003 to 1.014 with the 12 seeds of selftests/lab/grid.sh
		expect irn.repeats_per_drop '<' 1.05
	}
	[[ ,$ARMS, != *,gbn,* || ,$ARMS, != *,irn,* ]] || {
		expect irn.retransmitted '<' "$(metric gbn.retransmitted)"
		expect irn.slowdown_mean '<' "$(metric gbn.slowdown_mean)"
	}
}
