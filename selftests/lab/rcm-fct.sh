# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-fct: hosts of a fat tree are in 12 groups, of 4 at least, which are drawn. For MS, flows
# of measured sizes (CDF: a file of selftests/lab/flow-sizes) begin at random between hosts
# of a group, so that they are LOAD of the hosts' links; then there are DRAIN ms for the
# rest. Figure 9 of "Regional Congestion Mitigation". Mice have less than 1 MB, elephants more
# than 10 MB.
#
# keys: ARMS=dcqcn,rcm+dcqcn K=6 CDF=enterprise LOAD=0.6 BUF=100 RATE=100gbit DELAY=1us MS=20 DRAIN=300

# shellcheck source=selftests/lab/rcm.sh
. "${LAB:-/lab}/rcm.sh"

hosts() { echo $((K * K * K / 4)); }
groups() { echo $(($(hosts) < 48 ? $(hosts) / 4 : 12)); }
bed() { rcm_bed fat-tree "$K"; }
rnic_options() { rcm_rnic window=0 bin_us=0; }

flows()
{
	lle_flows poisson --hosts "$(hosts)" --groups "$(groups)" --rate "$(payload_bits)" \
		--load "$LOAD" --cdf "$LAB/flow-sizes/$CDF.csv" --duration "${MS}e6" \
		--seed "$SEED"
}

duration() { echo "$((MS + DRAIN))e-3"; }

metrics()
{
	rcm_losses
	rcm_flow_times
	"$LAB/rcm.py" fct
}

compare()
{
	gains fct_us.mice.mean fct_gain_pct.mice_mean less
	gains fct_us.mice.p99 fct_gain_pct.mice_p99 less
	gains fct_us.elephants.mean fct_gain_pct.elephant_mean less
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.dropped" == 0
		expect "$arm.unfinished" == 0
		expect "$arm.stuck_holds" == 0
	done
}
