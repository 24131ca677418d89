# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# ldcp-incast: N senders begin at once, and never end, so windows of LDCP are
# below one packet. They share 1000 hosts, since a bridge has at most 1023
# ports. The queue does not count in the first third of the time, in which the
# initial burst drains.
#
# keys: ARMS=ldcp-roce,dcqcn,dcqcn+pfc N=1000 RATE=100gbit RTT=10us PROFILE=churn MODE=smooth BUFFER=256m S=0.06 QUEUES=s1p1
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key ARMS: list of ldcp-roce ldcp-rate ldcp dctcp cubic dcqcn dcqcn+pfc, variants
# key MODE: one of smooth draft, mode of LDCP
# key N: integer 1..10000, flows

# shellcheck source=lab/scenarios/ldcp.sh
. "${LAB:-/lab}/ldcp.sh"

# -c: a SYN of Cubic is not ECN capable, and would be lost behind first flows
export LLE_TCP_OPTIONS=-c

export FLOWS=$N
hosts() { echo $(((N < 1000 ? N : 1000) + 1)); }

limits() { ldcp_limits 2 "$(hosts)"; }

testbed() { ldcp_testbed 2 star "$(hosts)"; }
# RTO: three RTTs of LDCP with a window of 1/64; others: that of a full buffer
rnic_options()
{
	local rto_us=100000

	! is_ldcp || rto_us=$(($(nanoseconds "$RTT") * 192 / 1000))
	ldcp_rnic "$(ldcp_samples)" rto_us=$rto_us
}
flows() { ldcp_long "$N" "$(hosts)" | sed 's/^[0-9]*/0/'; }
duration() { echo "$S"; }

# bound_kb: prints the largest queue that N senders of LDCP may keep, in KB
bound_kb()
{
	local kmin kmax

	ARM=ldcp-roce thresholds
	awk -v kmax="$kmax" -v n="$N" -v frame="$FRAME" \
		'BEGIN { printf "%.1f", (kmax + n * frame / 16) / 1000 }'
}

metrics()
{
	ldcp_losses
	"$LAB/ldcp.py" queue
	"$LAB/ldcp.py" rates
}

# Over TCP with N=300 S=0.03: utilisation 0.996, queue_p99_kb 112 to 115
expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		case $arm in
		ldcp | ldcp-roce)
			expect_ldcp "$arm"
			expect "$arm.utilisation" '>=' 0.90
			expect "$arm.queue_p99_kb" '<=' "$(bound_kb)"
			;;
		dctcp)
			expect dctcp.loss.other == 0
			expect dctcp.loss.stable == 0
			;;
		esac
	done
}

plots() { ldcp_plot_queue; }
