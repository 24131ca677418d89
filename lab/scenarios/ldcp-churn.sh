# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# ldcp-churn: FLOWS long flows, while messages of SIZE BDP begin at random, and
# use LOAD of the link. Measures the part of the remaining rate that long flows
# get.
#
# keys: ARMS=ldcp-roce,dctcp FLOWS=8 LOAD=0.1 SIZE=1 RATE=100gbit RTT=10us PROFILE=churn MODE=smooth BUFFER=64m S=0.1 QUEUES=s1p1
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key ARMS: list of ldcp-roce ldcp-rate ldcp dctcp cubic dcqcn dcqcn+pfc, variants
# key MODE: one of smooth draft, mode of LDCP
# key SIZE: number 0.01..100, of a message, in BDP
# key FLOWS: integer 1..900, long flows

# shellcheck source=lab/scenarios/ldcp.sh
. "${LAB:-/lab}/ldcp.sh"

export HOSTS=$((FLOWS + 17))
export LLE_TCP_OPTIONS=-c

limits() { ldcp_limits 2 "$HOSTS"; }

testbed() { ldcp_testbed 2 star "$HOSTS"; }
rnic_options() { ldcp_rnic "$(ldcp_samples)" rto_us=$(($(nanoseconds "$RTT") * 20 / 1000)); }

flows()
{
	ldcp_long "$FLOWS" $((FLOWS + 1))
	"$LAB/ldcp.py" flows "$LOAD" "$SIZE"
}

duration() { echo "$S"; }

metrics()
{
	ldcp_losses
	"$LAB/ldcp.py" queue
	"$LAB/ldcp.py" rates
	"$LAB/ldcp.py" messages
}

# least_kept ARM: minimum of seeds 1 to 10 less their range, for LOAD up to 0.1
least_kept()
{
	case $PROFILE,$1 in
	churn,ldcp-roce) echo 0.978 ;;
	churn,ldcp) echo 0.982 ;;
	lowq,ldcp-roce) echo 0.904 ;;
	lowq,ldcp) echo 0.917 ;;
	esac
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect_messages "$arm"
		[[ $arm == ldcp || $arm == ldcp-roce ]] || continue
		expect_ldcp "$arm"
		! awk -v load="$LOAD" 'BEGIN { exit !(load <= 0.1) }' ||
			expect "$arm.kept" '>=' "$(least_kept "$arm")"
	done
}

plots() { ldcp_plot_queue; }
