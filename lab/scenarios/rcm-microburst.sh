# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-microburst: four hosts send to one over a link that they share and fill;
# then another host sends to it for 20 us, over another link. Figure 6 of
# "Regional Congestion Mitigation", RUNS times, with random phases. LOSS percent
# of the congestion notifications are lost.
#
# keys: ARMS=pfc,dcqcn,rcm,rcm+dcqcn RUNS=20 LOSS=0 BUF=100 RATE=100gbit DELAY=1us MTU=1024 CONGESTED=yes CAPTURE=s3p1
# key ARMS: list of pfc dcqcn rcm rcm+dcqcn rcm+dcqcn+las rcm-nosar, variants

# shellcheck source=lab/scenarios/rcm.sh
. "${LAB:-/lab}/rcm.sh"

# Times of a run in us: length, sending time of the four hosts, and the burst
PERIOD=400
INCAST=300
AT=100
BURST=20

testbed()
{
	cat >/tmp/testbed <<-end
	switch s1
	switch s2
	switch s3
	host h1 s1
	host h2 s1
	host h3 s1
	host h4 s1
	host h5 s2
	host h6 s3
	link s1 s3
	link s2 s3
	end
	rcm_testbed file /tmp/testbed
}

rnic_options() { rcm_rnic window=0 bin_us=1 bins=$((RUNS * PERIOD)); }

flows()
{
	local run i rate base

	rate=$(payload_bits)
	for ((run = 0; run < RUNS; run++)); do
		state=$((SEED * 100003 + run))
		base=$((run * PERIOD * 1000))
		for i in 1 2 3 4; do
			draw 2000
			echo "$((base + drawn)) $((rate * INCAST / 32000000)) 10.0.0.$i" \
				"10.0.0.6 3 $((rate / 4))"
		done
		draw 2000
		echo "$((base + AT * 1000 + drawn)) $((rate * BURST / 8000000)) 10.0.0.5" \
			"10.0.0.6 3"
	done
}

duration() { echo "$((RUNS * PERIOD))e-6"; }
traffic() { rcm_traffic 0; }

metrics()
{
	frames s3p1 'src host 10.0.0.5' >burst
	rcm_losses
	rcm_flow_times
	RUNS=$RUNS PERIOD=$PERIOD AT=$AT "$LAB/rcm.py" microburst s3p1
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.dropped" == 0
		expect "$arm.unfinished" == 0
		expect "$arm.out_of_order" == 0
		expect "$arm.stuck_holds" == 0
		case $arm in
		pfc | dcqcn)
			expect "$arm.cut_runs" == 0
			;;
		rcm | rcm+dcqcn)
			# not before its first byte has arrived
			expect "$arm.decision_us_min" '>=' 0
			expect "$arm.decision_us_max" '<=' 2.5
			expect "$arm.cut_runs" == "$RUNS"
			expect "$arm.first_cut_us_max" '<=' 4
			expect "$arm.low_runs" == "$RUNS"
			expect "$arm.low_us_max" '<=' 6
			expect "$arm.burst_gbps_after_max" '<=' 25
			expect "$arm.burst_gbps_after_min" '>=' 15
			expect "$arm.incast_gbps_after_min" '>=' 71
			expect "$arm.delayed_share_max" '<=' 1.02
			expect "$arm.identified_runs" == "$RUNS"
			expect "$arm.identified_others" == 0
			;;
		esac
	done
}

plots()
{
	export PERIOD
	for ARM in ${ARMS//,/ }; do
		(cd "$ARM" && "$LAB/rcm.py" burst "$ARM")
	done >burst.csv
	plot burst 'What leaves the last switch: of the burst, and of each of the four others.' <<-END
		set datafile separator ','
		set xrange [-10:60]
		set yrange [0:70]
		set xlabel 'time since the first byte of the burst (µs)'
		set ylabel 'output (Gbit/s)'
		set label 1 scenario.': output of the last switch' at graph 0,1.06 font ',22'
		set arrow from 0,0 to 0,70 nohead dt 3 lc rgb '#888888'
		set arrow from 20,0 to 20,70 nohead dt 3 lc rgb '#888888'
		set label 'the burst comes' at 0,70 offset 0.6,-0.8 tc rgb '#444444'
		set label 'it has come' at 20,70 offset 0.6,-0.8 tc rgb '#444444'
		set rmargin at screen 0.70
		set key at screen 0.99,0.85 right top vertical maxcols 1 width -1
		arms = '${ARMS//,/ }'
		of(arm, n) = strcol(1) eq arm ? column(n) : NaN
		plot for [i=1:words(arms)] 'burst.csv' using 2:(of(word(arms, i), 3)) \
				with lines lt i lw 3 title word(arms, i).': the burst', \
			for [i=1:words(arms)] '' using 2:(of(word(arms, i), 4)) \
				with lines lt i lw 1.5 dt 2 title word(arms, i).': each incast'
	END
}
