# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# ldcp-steady: FLOWS long flows from as many hosts to one. Measures the queue at
# its port, the utilisation of the link, and the fairness of the flows.
#
# keys: ARMS=ldcp,dctcp,cubic FLOWS=8 RATE=10gbit RTT=40us PROFILE=churn MODE=smooth IW= BUFFER=64m S=0.5 QUEUES=s1p1
# key ARMS: list of ldcp-roce ldcp-rate ldcp dctcp cubic dcqcn dcqcn+pfc, variants
# key MODE: one of smooth draft, mode of LDCP
# key IW: integer 1..10000, packets of the initial window
# key FLOWS: integer 1..900, long flows

# shellcheck source=lab/scenarios/ldcp.sh
. "${LAB:-/lab}/ldcp.sh"

# -c: a SYN of Cubic is not ECN capable, and would be lost behind first flows
export LLE_TCP_OPTIONS=-c

limits() { ldcp_limits 2 $((FLOWS + 1)); }

testbed() { ldcp_testbed 2 star $((FLOWS + 1)); }
rnic_options() { ldcp_rnic "$(ldcp_samples)"; }
flows() { ldcp_long "$FLOWS" $((FLOWS + 1)); }
duration() { echo "$S"; }

metrics()
{
	ldcp_losses
	is_tcp || count_marks
	"$LAB/ldcp.py" queue
	"$LAB/ldcp.py" rates
}

compare()
{
	local part

	for part in p50 p99; do
		ratio queue_${part}_of_dctcp ldcp.queue_${part}_kb dctcp.queue_${part}_kb
	done
}

# even_least RTTS MOST: minimum of Jain's index, MOST at most: its distance from
# 1 is proportional to 1/S. If one flow in ten starves, it is 0.9.
even_least()
{
	awk -v s="$S" -v ns="$(nanoseconds "$RTT")" -v rtts="$1" -v most="$2" 'BEGIN {
		least = 1 - rtts * 1e-9 * ns / s
		print least < most ? least : most }'
}

# Minimum of marks that TCP senders count: packets that arrive twice count once.
# Packets of the first RTT that are not ECN capable hide the marks of others.
known_least()
{
	local window=${IW:-$(window)}

	echo $(($(metric ldcp.marked.switch) - $(metric ldcp.retransmitted) -
		(window > 3 ? 2 * window * FLOWS : 0)))
}

# With less than two packets of the BDP per flow, the queue has no bound of its
# own; with less than one, the bound is that of DCTCP, which has two.
expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		case $arm in
		dcqcn*) expect_marks "$arm." ;;
		# packets of the first RTT are not ECN capable
		ldcp-roce) expect_marks "$arm." $((FLOWS * ${IW:-$(window)})) ;;
		esac
		[[ $arm == ldcp || $arm == ldcp-roce ]] || continue
		expect_ldcp "$arm"
		if [ $((2 * FLOWS)) -ge "$(window)" ]; then
			expect "$arm.utilisation" '>=' 0.99
			expect "$arm.jain" '>=' "$(even_least 400 0.95)"
		elif [ "$(window)" -ge 33 ]; then
			expect "$arm.queue_p99_bdp" '<=' 0.6
			expect "$arm.utilisation" '>=' 0.99
			expect "$arm.jain" '>=' "$(even_least 60 0.99)"
		else
			expect "$arm.utilisation" '>=' 0.97
			expect "$arm.jain" '>=' 0.95
		fi
	done
	if [ "$FLOWS" -ge "$(window)" ] && [ -n "$(metric queue_p99_of_dctcp)" ]; then
		expect queue_p50_of_dctcp '<=' 0.25
		expect queue_p99_of_dctcp '<=' 0.25
	fi
	[[ ,$ARMS, != *,ldcp,* ]] || expect ldcp.marked.seen '>=' "$(known_least)"
}

plots() { ldcp_plot_queue; }
