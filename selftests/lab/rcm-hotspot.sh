# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-hotspot: all hosts of a fat tree send as much as their links take, messages at random
# times, most to anybody (background), HOT_SHARE to an eighth of the hosts (hot), which is
# more than these can have. Figure 8 of "Regional Congestion Mitigation". What was received
# in the last two thirds of MS counts, the mean of RUNS, each with other hot hosts.
#
# keys: ARMS=dcqcn,rcm+dcqcn K=6 RUNS=3 LOAD=1.0 HOT_SHARE=0.15 SIZE=32768 BUF=150 RATE=100gbit DELAY=1us MS=1.5

# shellcheck source=selftests/lab/rcm.sh
. "${LAB:-/lab}/rcm.sh"

# A run has so many thirds of MS: until the last messages have come, too
PERIOD=24

hosts() { echo $((K * K * K / 4)); }
third_us() { awk -v ms="$MS" 'BEGIN { printf "%.0f", ms * 1000 / 3 }'; }

bed() { rcm_bed fat-tree "$K"; }
rnic_options() { rcm_rnic window=0 bin_us="$(third_us)" bins=$((RUNS * PERIOD)); }

# messages SHARE SEED [OPTION...]: this share of LOAD
messages()
{
	local share=$1 seed=$2

	shift 2
	lle_flows poisson --hosts "$(hosts)" --rate "$(payload_bits)" --size "$SIZE" \
		--load "$(awk -v l="$LOAD" -v s="$share" 'BEGIN { print l * s }')" \
		--duration "${MS}e6" --seed "$seed" "$@"
}

flows()
{
	local run start seed

	for ((run = 0; run < RUNS; run++)); do
		start=$((run * PERIOD * $(third_us) * 1000))
		seed=$(((SEED * 1000 + run) * 2))
		echo "# background"
		messages "$(awk -v s="$HOT_SHARE" 'BEGIN { print 1 - s }')" $seed --start $start
		echo "# hot"
		messages "$HOT_SHARE" $((seed + 1)) --start $start \
			--hot $((($(hosts) + 4) / 8)) --hot-share 1
	done
}

duration() { echo "$((RUNS * PERIOD * $(third_us)))e-6"; }

metrics()
{
	rcm_losses
	rcm_flow_times
	HOSTS=$(hosts) BIN=$(third_us)us PERIOD=$PERIOD RUNS=$RUNS "$LAB/rcm.py" hotspot
}

compare()
{
	gains background_gbps background_gain_pct
	gains hot_gbps hot_gain_pct
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.dropped" == 0
		expect "$arm.unfinished" == 0
	done
}
