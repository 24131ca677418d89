# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-fct: hosts of a fat tree are in 12 groups, of at least 4, which are drawn.
# For MS ms, flows of measured sizes (CDF: a file of lab/flow-sizes) begin at
# random between hosts of a group, and use LOAD of the hosts' links; then there
# are DRAIN ms for the rest. Figure 9 of "Regional Congestion Mitigation". Mice
# have less than 1 MB, elephants more than 10 MB. With ELEPHANTS=no these are left
# out: how fast mice would be if elephants did not delay them at all.
#
# keys: ARMS=dcqcn,rcm+dcqcn K=6 CDF=enterprise LOAD=0.6 ELEPHANTS=yes BUF=100 RATE=100gbit DELAY=1us MTU=1024 MS=20 DRAIN=300 KMIN=20000 KMAX=80000 PMAX=10% LAS_QEQ=20
# key LAS_QEQ: integer 0..255, young bytes of a flow in Q_eq of 15 KB, of arms with LAS
# key ELEPHANTS: one of yes no, flows of more than 10 MB are sent
# key ARMS: list of pfc dcqcn rcm rcm+dcqcn rcm+dcqcn+las rcm-nosar, variants

# shellcheck source=lab/scenarios/rcm.sh
. "${LAB:-/lab}/rcm.sh"

hosts() { echo $((K * K * K / 4)); }
groups() { echo $(($(hosts) < 48 ? $(hosts) / 4 : 12)); }
testbed() { rcm_testbed fat-tree "$K"; }
rnic_options() { rcm_rnic window=0 bin_us=0 rto_us=4000; }

flows()
{
	lle_flows poisson --hosts "$(hosts)" --groups "$(groups)" --rate "$(payload_bits)" \
		--load "$LOAD" --cdf "$LAB/../flow-sizes/$CDF.csv" --duration "${MS}e6" \
		--seed "$SEED" |
		if [ "$ELEPHANTS" = yes ]; then cat; else awk '$2 <= 1e7'; fi
}

duration() { echo "$((MS + DRAIN))e-3"; }
busy() { echo "${MS}e-3"; }

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

# Bounds of the gains of one run, in percent: the largest of about ten elephants
# decides their mean. grid.sh checks the medians of its seeds.
gain_expectations()
{
	expect rcm+dcqcn.fct_gain_pct.mice_mean '>=' -6
	expect rcm+dcqcn.fct_gain_pct.mice_p99 '>=' -50
	expect rcm+dcqcn.fct_gain_pct.elephant_mean '>=' -20
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.dropped" == 0
		expect "$arm.unfinished" == 0
		expect "$arm.stuck_holds" == 0
	done
	[[ $CDF != enterprise || ,$ARMS, != *,dcqcn,* || ,$ARMS, != *,rcm+dcqcn,* ]] ||
		gain_expectations
}

plots()
{
	local what bin

	for what in mean p99; do
		for bin in below_100k 100k_to_1m 1m_to_10m elephants; do
			row $bin fct_us.$bin.$what
		done >$what.csv
	done
	{
		bars '< 100 KB' '< 1 MB' '< 10 MB' 'elephants'
		cat <<-END
			set multiplot layout 1,2
			base = 1
			do for [i=1:n] { if (word(arms, i) eq 'dcqcn') { base = i } }
			part(i) = column(i + 1) / column(base + 1)
			number(x) = x < 100 ? sprintf('%.1f µs', x) : \
				x < 10000 ? sprintf('%.0f µs', x) : sprintf('%.1f ms', x / 1000)
			set ylabel 'completion time (1 = '.word(arms, base).')'
			set offsets 0,0,graph 0.25,0
			set arrow from -0.5,1 to 3.5,1 nohead lc rgb '#666666' front
			set arrow 1 from -0.45,0.9 to 1.45,0.9 nohead lw 2 lc rgb '#222222' front
			set label 3 '▬ paper: mice below' at graph 1,1.06 right \
				tc rgb '#222222'
			set label 1 'Mean completion time'
			plot for [i=1:n] 'mean.csv' using (at(\$0, i)):(part(i)) \
				with boxes lt i, \
				for [i=1:n] '' using (at(\$0, i)):(part(i)):(number(column(i + 1))) \
				with labels rotate left offset 0,0.3
			unset arrow 1
			unset label 3
			set label 1 '99 % completion time'
			plot for [i=1:n] 'p99.csv' using (at(\$0, i)):(part(i)) \
				with boxes lt i, \
				for [i=1:n] '' using (at(\$0, i)):(part(i)):(number(column(i + 1))) \
				with labels rotate left offset 0,0.3
			unset multiplot
		END
	} | plot fct 'Completion times by size of the flow.'
}
