# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# ldcp-faststart: messages of SIZES BDP to one host, one at a time; beside FLOWS long flows, or
# none. How much longer they take than on an idle path. With ECT=yes all packets of the first
# RTT are ECN capable. Connections are there before; a first window of TCP is 64 KB at most.
#
# keys: ARMS=ldcp-roce,ldcp,dctcp FLOWS=0 SIZES=0.1,0.25,0.5,1,2,4 RATE=100gbit RTT=10us PROFILE=churn MODE=smooth ECT=no BUFFER=64m S=0.1 QUEUES=s1p1

# shellcheck source=selftests/lab/ldcp.sh
. "${LAB:-/lab}/ldcp.sh"

export HOSTS=$((FLOWS + 9))
export LLE_TCP_OPTIONS=-c

bed() { ldcp_bed 2 star "$HOSTS"; }

# no time-out beside what waits, but it is not that of a window below one
rnic_options()
{
	local fast=1

	[ "$ECT" = no ] || fast=0
	ldcp_rnic "$(ldcp_samples)" rto_us=$(($(nanoseconds "$RTT") * 20 / 1000)) ldcp_fast=$fast
}

# long ones have begun a tenth of the time before
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

expectations()
{
	[[ ,$ARMS, == *,ldcp-roce,* ]] || return 0
	expect ldcp-roce.loss.other == 0
	expect ldcp-roce.loss.stable == 0
	if [ "$FLOWS" = 0 ]; then
		expect ldcp-roce.fct_over_ideal.bdp_1.p50 '<=' 1.01
		expect ldcp-roce.fct_over_ideal.bdp_1.p99 '<=' 1.01
	else
		expect ldcp-roce.fct_over_ideal.bdp_1.p50 '<=' 2.5
	fi
}

plots() { ldcp_plot_messages; }
