# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# ldcp-fct: for MS, messages of measured sizes (CDF: a file of selftests/lab/flow-sizes) begin at
# random between hosts of a fat tree, so that they are LOAD of the hosts' links; then there are
# DRAIN ms for the rest. How long they take, by size. TCP's connections are there before.
#
# keys: ARMS=ldcp-roce,dcqcn,dcqcn+pfc,ldcp,dctcp K=4 CDF=web-search LOAD=0.6 RATE=100gbit RTT=14us PROFILE=churn MODE=smooth BUFFER=64m MS=4 DRAIN=60
# key ARMS: list of ldcp-roce ldcp-rate ldcp dctcp cubic dcqcn dcqcn+pfc, variants
# key MODE: one of smooth draft, of LDCP

# shellcheck source=selftests/lab/ldcp.sh
. "${LAB:-/lab}/ldcp.sh"

export LLE_TCP_OPTIONS=-c

hosts() { echo $((K * K * K / 4)); }
limits() { ldcp_limits 6 "$K"; }

bed() { ldcp_bed 6 fat-tree "$K" --arp; }
rnic_options() { ldcp_rnic rto_us=$(($(nanoseconds "$RTT") * 192 / 1000)); }

# of what a link carries, headers are a part
flows()
{
	lle_flows poisson --hosts "$(hosts)" --load "$LOAD" \
		--rate "$(awk -v bits="$(bits "$RATE")" 'BEGIN { printf "%.0f", bits * 1440 / 1522 }')" \
		--cdf "$LAB/flow-sizes/$CDF.csv" --duration "${MS}e6" --seed "$SEED"
}

duration() { awk -v ms=$((MS + DRAIN)) 'BEGIN { print ms / 1000 }'; }

metrics()
{
	ldcp_losses
	"$LAB/ldcp.py" fct
}

# Of the smallest ones: LDCP's time of that of others, RoCEv2 and TCP
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

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.unfinished" == 0
		[[ $arm == ldcp || $arm == ldcp-roce ]] || continue
		expect "$arm.loss.other" == 0
		expect "$arm.loss.stable" == 0
	done
	for arm in dcqcn+pfc dctcp; do
		[ -n "$(metric "mean_of.$arm")" ] || continue
		# Of fewer, the slowest hundredth is one message.
		if [ "$(metric "$arm.flows.below_100k")" -ge 100 ]; then
			expect "p99_of.$arm" '<' 1
		else
			expect "mean_of.$arm" '<' 1
		fi
	done
}

plots()
{
	ldcp_plot_ccdf fct below_100k 'completion time (µs)' 'share not yet complete' \
		'Messages of less than 100 KB: when they are complete.'
}
