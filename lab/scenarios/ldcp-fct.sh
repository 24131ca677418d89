# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# ldcp-fct: for MS ms, messages of measured sizes (CDF: a file of
# lab/flow-sizes) begin at random between hosts of a fat tree, and use LOAD of
# the hosts' links; then there are DRAIN ms for the rest. Measures completion
# times, by size. TCP connections exist before.
#
# keys: ARMS=ldcp-roce,dcqcn,dcqcn+pfc,ldcp,dctcp K=4 CDF=web-search LOAD=0.6 RATE=100gbit RTT=14us PROFILE=churn MODE=smooth BUFFER=64m MS=4 DRAIN=60
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key ARMS: list of ldcp-roce ldcp-rate ldcp dctcp cubic dcqcn dcqcn+pfc, variants
# key MODE: one of smooth draft, mode of LDCP

# shellcheck source=lab/scenarios/ldcp.sh
. "${LAB:-/lab}/ldcp.sh"

export LLE_TCP_OPTIONS=-c

hosts() { echo $((K * K * K / 4)); }
limits() { ldcp_limits 6 "$K"; }

testbed() { ldcp_testbed 6 fat-tree "$K" --arp; }
rnic_options() { ldcp_rnic rto_us=$(($(nanoseconds "$RTT") * 192 / 1000)); }

# --rate: payload that a link carries, without headers
flows()
{
	lle_flows poisson --hosts "$(hosts)" --load "$LOAD" \
		--rate "$(awk -v bits="$(bits "$RATE")" 'BEGIN { printf "%.0f", bits * 1440 / 1522 }')" \
		--cdf "$LAB/../flow-sizes/$CDF.csv" --duration "${MS}e6" --seed "$SEED"
}

duration() { awk -v ms=$((MS + DRAIN)) 'BEGIN { print ms / 1000 }'; }

metrics()
{
	ldcp_losses
	"$LAB/ldcp.py" fct
}

# Mean and p99 of the smallest messages with LDCP, over those of other arms
compare()
{
	local arm of which

	for arm in dcqcn dcqcn+pfc dctcp; do
		of=ldcp-roce
		[ $arm != dctcp ] || of=ldcp
		for which in mean p99; do
			ratio ${which}_of.$arm $of.fct_us.below_100k.$which \
				$arm.fct_us.below_100k.$which
		done
	done
}

# missed RATIO: prints the known range of a ratio where LDCP is not faster:
# minimum, median and maximum of seeds 1 to 5, extended by its width on either
# side
missed()
{
	case $CDF,$LOAD,$1 in
	storage,0.6,mean_of.dctcp) echo 1.03 1.34 ;;	# 1.134 1.161 1.237
	storage,0.8,mean_of.dctcp) echo 1.22 1.74 ;;	# 1.393 1.433 1.563
	storage,0.8,p99_of.dctcp) echo 0.67 1.21 ;;	# 0.853 0.938 1.027
	esac
}

expect_faster()
{
	local least most

	read -r least most <<<"$(missed "$1")"
	if [ -n "$least" ]; then
		expect "$1" '>=' "$least"
		expect "$1" '<=' "$most"
	else
		expect "$1" '<' 1
	fi
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.unfinished" == 0
		[[ $arm == ldcp || $arm == ldcp-roce ]] || continue
		expect_ldcp "$arm"
	done
	for arm in dcqcn+pfc dctcp; do
		[ -n "$(metric "mean_of.$arm")" ] || continue
		expect_faster "mean_of.$arm"
		# of fewer, the p99 is that of one message
		[ "$(metric "$arm.flows.below_100k")" -lt 100 ] || expect_faster "p99_of.$arm"
	done
}

plots()
{
	ldcp_plot_ccdf fct below_100k 'completion time (µs)' 'share not yet complete' \
		'Messages of less than 100 KB: when they are complete.'
}
