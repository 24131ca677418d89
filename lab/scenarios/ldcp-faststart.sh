# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# ldcp-faststart: messages of SIZES BDP to one host, one at a time, beside FLOWS
# long flows or none. Measures their completion times, over those on an idle
# path. With ECT=yes all packets of the first RTT are ECN capable. Connections
# exist before, without data.
#
# keys: ARMS=ldcp-roce,ldcp,dctcp FLOWS=0 SIZES=0.1,0.25,0.5,1,2,4 RATE=100gbit RTT=10us PROFILE=churn MODE=smooth ECT=no BUFFER=64m S=0.1 QUEUES=s1p1
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key ARMS: list of ldcp-roce ldcp-rate ldcp dctcp cubic dcqcn dcqcn+pfc, variants
# key MODE: one of smooth draft, mode of LDCP
# key SIZES: numbers 0.01..100, of messages, in BDP
# key ECT: one of no yes, packets of the first RTT are ECN capable
# key FLOWS: integer 0..900, long flows

# shellcheck source=lab/scenarios/ldcp.sh
. "${LAB:-/lab}/ldcp.sh"

export HOSTS=$((FLOWS + 9))
export LLE_TCP_OPTIONS=-c

limits() { ldcp_limits 2 "$HOSTS"; }

testbed() { ldcp_testbed 2 star "$HOSTS"; }

# RTO: 20 RTTs, above queueing delays; a window below one packet needs more
rnic_options()
{
	local fast=1

	[ "$ECT" = no ] || fast=0
	ldcp_rnic "$(ldcp_samples)" rto_us=$(($(nanoseconds "$RTT") * 20 / 1000)) ldcp_fast=$fast
}

# The long flows begin 100 RTTs before the first message.
flows()
{
	ldcp_long "$FLOWS" $((FLOWS + 1))
	# shellcheck disable=SC2086 # a list of words
	"$LAB/ldcp.py" flows 0 ${SIZES//,/ }
}

duration() { echo "$S"; }

metrics()
{
	ldcp_losses
	[ "$FLOWS" = 0 ] || { "$LAB/ldcp.py" queue; "$LAB/ldcp.py" rates; }
	"$LAB/ldcp.py" messages
}

compare()
{
	local arm

	for arm in ldcp ldcp-roce; do
		ratio of_dctcp.$arm $arm.fct_us.bdp_1.p50 dctcp.fct_us.bdp_1.p50
	done
}

expect_short()
{
	expect_ldcp "$1"
	if [ "$FLOWS" != 0 ]; then
		expect "$1.fct_over_ideal.bdp_1.p50" '<=' 2.5
		[[ ,$ARMS, != *,dctcp,* ]] || expect "of_dctcp.$1" '<=' 0.35
	else
		expect "$1.fct_over_ideal.bdp_1.p50" '<=' 1.01
		expect "$1.fct_over_ideal.bdp_1.p99" '<=' 1.01
	fi
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect_messages "$arm"
		[[ $arm != ldcp && $arm != ldcp-roce ]] || expect_short "$arm"
	done
}

plots() { ldcp_plot_messages; }
