# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-hotspot: all hosts of a fat tree send messages at random times, as much as
# their links carry: most to any host (background), HOT_SHARE to an eighth of
# the hosts (hot), more than these can receive. Messages between two hosts share
# a queue pair, and the rate that DCQCN has found for it; with QP=100us until it
# has been idle for that long. Figure 8 of "Regional Congestion Mitigation".
# Throughput is that of the last two thirds of MS ms, the mean of RUNS runs with
# different hot hosts. MS=1.5,4.5,12 measures three windows of the same
# messages; metrics of the last one have no prefix. paused_share is the part of
# that time in which ports of switches were paused.
#
# keys: ARMS=dcqcn,rcm+dcqcn K=6 RUNS=3 LOAD=1.0 HOT_SHARE=0.15 SIZE=32768 BUF=150 RATE=100gbit DELAY=1us MTU=1024 MS=4.5 QP=pair KMIN=20000 KMAX=80000 PMAX=10%
# key ARMS: list of pfc dcqcn rcm rcm+dcqcn rcm+dcqcn+las rcm-nosar, variants
# key MS: numbers 0.1..1000, ms that messages begin, multiples of the first one
# key QP: time 0us..1s or pair, idle time after which a message has a queue pair of its own

# shellcheck source=lab/scenarios/rcm.sh
. "${LAB:-/lab}/rcm.sh"

hosts() { echo $((K * K * K / 4)); }

bin_us() { awk -v ms="${MS%%,*}" 'BEGIN { printf "%.0f", ms * 1000 / 3 }'; }
window_bins() { awk -v ms="$1" -v first="${MS%%,*}" 'BEGIN { printf "%.0f", 3 * ms / first }'; }
# Prints the bins of a run, until its last messages have arrived.
period() { echo $((8 * $(window_bins "${MS##*,}"))); }

limits()
{
	awk -v all="$MS" 'BEGIN {
		n = split(all, ms, ",")
		for (i = 2; i <= n; i++) {
			times = ms[i] / ms[1]
			if (ms[i] <= ms[i - 1] || (times - int(times + 0.5)) ^ 2 > 1e-12)
				exit 1
		}
	}' || refuse MS "not multiples of the first one, each larger than the one before"
	rcm_limits
}

testbed() { rcm_testbed fat-tree "$K"; }

# Messages of two runs must not share a queue pair.
rnic_options()
{
	local run_us=$(($(period) * $(bin_us))) pair_us bins

	pair_us=$((run_us / 2))
	[ "$QP" = pair ] || pair_us=$(($(nanoseconds "$QP") / 1000))
	# bins after the last window are not read; each message has all bins
	bins=$(((RUNS - 1) * $(period) + $(window_bins "${MS##*,}")))
	# a gap has one NAK: the time-out repairs reordered retransmissions
	rcm_rnic window=0 pair_us=$pair_us bin_us="$(bin_us)" bins=$bins \
		rto_us=$((run_us / 3))
}

flows()
{
	local run

	for ((run = 0; run < RUNS; run++)); do
		lle_flows poisson --hosts "$(hosts)" --rate "$(payload_bits)" --load "$LOAD" \
			--hot $((($(hosts) + 4) / 8)) --hot-share "$HOT_SHARE" \
			--size "$SIZE" --start $((run * $(period) * $(bin_us) * 1000)) \
			--duration "${MS##*,}e6" --seed $((SEED * 1000 + run))
	done
}

duration() { echo "$((RUNS * $(period) * $(bin_us)))e-6"; }

busy()
{
	awk -v us=$(((RUNS - 1) * $(period) * $(bin_us))) -v ms="${MS##*,}" \
		'BEGIN { print us / 1e6 + ms / 1e3 }'
}

metrics()
{
	rcm_losses
	rcm_flow_times
	HOSTS=$(hosts) BIN=$(bin_us)us PERIOD=$(period) "$LAB/rcm.py" hotspot
}

compare()
{
	local class ms

	for class in background hot; do
		gains ${class}_gbps ${class}_gain_pct
		[[ $MS != *,* ]] || for ms in ${MS//,/ }; do
			ms=of_${ms/./_}ms
			gains "$ms.${class}_gbps" "$ms.${class}_gain_pct"
		done
	done
}

# Bounds of the gains in percent: background: 5.2 at least, K=6
gain_expectations()
{
	local more=0 least=77 hot=-5

	[ "$K" != 4 ] || more=8 least=75
	expect rcm+dcqcn.background_gain_pct '>' $more
	expect rcm+dcqcn.hot_gain_pct '>=' $hot
	[[ "$MS $LOAD $HOT_SHARE $RATE $K" != "1.5 1.0 0.15 100gbit "[46] ]] ||
		expect rcm+dcqcn.background_gbps '>=' $least
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.dropped" == 0
		expect "$arm.unfinished" == 0
		expect "$arm.stuck_holds" == 0
		# messages end before the next run
		expect "$arm.latency_us.all.max" '<' $((($(period) - $(window_bins "${MS##*,}")) * $(bin_us)))
		expect "$arm.reorder_share" '<=' 0.002
		if [ "$arm" = rcm+dcqcn ] && [[ ,$ARMS, == *,dcqcn,* ]]; then
			gain_expectations
		fi
	done
}

plots()
{
	local class

	for class in background hot all; do
		row $class ${class}_gbps
	done >throughput.csv
	for class in background hot all; do
		row $class latency_us.$class.mean
	done >latency.csv
	{
		row background background_gain_pct
		row hot hot_gain_pct
	} >gain.csv
	{
		bars background hot all
		cat <<-END
			set multiplot layout 1,3
			set label 1 'Received of each host'
			set ylabel 'received (Gbit/s)'
			plot for [i=1:n] 'throughput.csv' using (at(\$0, i)):i+1 \
				with boxes lt i
			set label 1 'Mean latency of messages'
			set ylabel 'mean latency (µs)'
			plot for [i=1:n] 'latency.csv' using (at(\$0, i)):i+1 \
				with boxes lt i
			set label 1 'Gain over dcqcn'
			of(i) = word(arms, i) eq 'dcqcn' ? 0 : column(i + 1)
			set ylabel 'gain (%)'
			set yrange [*:*]
			set xrange [-0.5:1.5]
			set xzeroaxis lt 1 lc rgb '#999999'
			set arrow from -0.45,12.2 to 0.45,12.2 nohead lw 2 lc rgb '#222222' front
			set label '▬ paper: 12.2' at graph 0.03,0.95 tc rgb '#222222'
			plot for [i=1:n] 'gain.csv' using (at(\$0, i)):(of(i)) \
				with boxes lt i
			unset multiplot
		END
	} | plot hotspot 'Throughput and latency of background and hot flows.'
}
