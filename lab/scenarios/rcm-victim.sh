# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-victim: four hosts of a switch send to one far away, two on one path and
# two on another. A fifth, the victim, sends to another host on the first path.
# Backpressure leaves it 25 Gbit/s, although the link has 50 for it. Figure 7 of
# "Regional Congestion Mitigation".
#
# The victim's destination is in another pod (PLACE=pod), in the same, or beside
# that of the others. Throughput is measured during MS ms, without the first 40
# us. Flows have more to send than that, and end. LOSS percent of the congestion
# notifications are lost.
#
# keys: ARMS=pfc,rcm FLOWS=1 PLACE=pod LOSS=0 BUF=100 RATE=100gbit DELAY=1us MTU=1024 MS=2 PAUSES=yes
# key ARMS: list of pfc dcqcn rcm rcm+dcqcn rcm+dcqcn+las rcm-nosar, variants

# shellcheck source=lab/scenarios/rcm.sh
. "${LAB:-/lab}/rcm.sh"

# Number of further sources, at the switch of the destination
XS=0
# Maximum of pauses between switches after MS
PAUSES_AFTER=0

# e0 and e0b are one switch, so that h3 and h4 leave it on another path.
topology()
{
	printf 'switch %s\n' e0 "e0b with e0" a0 a5 c0 c5 b0 b5 e1
	printf 'host %s\n' "h1 e0" "h2 e0" "h3 e0b" "h4 e0b" "h5 e0" "h6 e1"
	printf 'link %s\n' "e0 a0" "a0 c0" "c0 b0" "b0 e1" "e0b a5" "a5 c5" "c5 b5" "b5 e1"
	case $PLACE in
	pod) printf '%s\n' "switch x0" "switch e2" "link c0 x0" "link x0 e2" "host h7 e2" ;;
	same) printf '%s\n' "switch e2" "link a0 e2" "host h7 e2" ;;
	beside) echo "host h7 e1" ;;
	esac
	[ "$XS" = 0 ] || printf 'host %s\n' "h8 e1" "h9 e1"
}

testbed()
{
	topology >/tmp/testbed
	rcm_testbed file /tmp/testbed
}

rnic_options() { rcm_rnic window=0 bin_us="$MS" bins=1000; }

# flows_of HOST DST GBPS: prints flows that take 1.5 * MS at GBPS of 100 Gbit/s
flows_of()
{
	local i size

	size=$(awk -v bits="$(payload_bits)" -v ms="$MS" -v gbps="$3" -v flows="$FLOWS" \
		'BEGIN { printf "%.0f", bits * gbps / 100 * ms * 1.5e-3 / 8 / flows }')
	for ((i = 0; i < FLOWS; i++)); do
		echo "0 $size 10.0.0.$1 10.0.0.$2 3"
	done
}

flows()
{
	local i

	for i in 1 2 3 4; do
		flows_of $i 6 25
	done
	flows_of 5 7 50
	for ((i = 0; i < XS; i++)); do
		flows_of $((8 + i)) 6 25
	done
}

duration() { echo "$((5 * MS))e-3"; }

traffic()
{
	local overtime=0

	# senders that DCQCN has cut recover in milliseconds, so flows end later
	! has dcqcn || overtime=$((5 * MS))e-3
	rcm_traffic $overtime
}

# Pauses between switches during MS: when flows end, others get more at once
pauses_in_time()
{
	awk -F, -v until=$(($(<start) / 1000 + MS * 1000)) '
		FNR == NR { fabric[$1]; next }
		$2 in fabric && $3 == "tx" && $5 == "pause" && $1 < until { n++ }
		END { print "fabric_pauses_in_time", n + 0 }
		' <(jq -r '.qdiscs[] | select(.role == "fabric").dev' stats.json) pauses.csv
}

metrics()
{
	local from=40 to=$((MS * 1000)) i

	rcm_losses
	pauses_in_time
	flow_times
	echo "victim_gbps $(gbps 's == "10.0.0.5"' $from $to)"
	echo "bottleneck_util $(gbps 'd == "10.0.0.6"' $from $to)" |
		awk -v bits="$(bits "$RATE")" '{ printf "%s %.4f\n", $1, $2 * 1e9 / bits }'
	for i in 1 2 3 4; do
		echo "source_gbps.S$i $(gbps "s == \"10.0.0.$i\"" $from $to)"
	done
}

bottleneck_least() { echo 0.94; }

# victim_least ARM: Gbit/s. With DCQCN and LOSS=10, 40 runs had 44.86 to 63.4.
victim_least()
{
	case $1-$LOSS in
	*dcqcn*) echo 44 ;;
	*-[1-9]*) echo 45 ;;
	*) echo 49 ;;
	esac
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.dropped" == 0
		expect "$arm.out_of_order" == 0
		expect "$arm.stuck_holds" == 0
		expect "$arm.unfinished" == 0
		case $arm in
		pfc)
			expect pfc.victim_gbps '<=' 27
			;;
		rcm | rcm+dcqcn)
			expect "$arm.victim_gbps" '>=' "$(victim_least "$arm")"
			if [ "$LOSS" != 0 ]; then
				expect "$arm.notifications.lost" '>' 0
			elif [ "$arm" = rcm ]; then
				expect rcm.bottleneck_util '>=' 0.99
				expect rcm.fabric_pauses_in_time == 0
				expect rcm.pauses.fabric '<=' "$PAUSES_AFTER"
			else
				expect "$arm.bottleneck_util" '>=' "$(bottleneck_least)"
			fi
			;;
		esac
	done
}

plots()
{
	local arm

	for arm in ${ARMS//,/ }; do
		echo "$arm,$(metric "$arm.victim_gbps"),$(metric "$arm.source_gbps.S1")," \
			"$(metric "$arm.source_gbps.S2"),$(metric "$arm.source_gbps.S3")," \
			"$(metric "$arm.source_gbps.S4")"
	done >shares.csv
	plot shares 'What the victim and the four sources of the congestion get.' <<-END
		set datafile separator ','
		set label 1 scenario.': received of each' at graph 0,1.06 font ',22'
		set xlabel 'arm'
		set ylabel 'received (Gbit/s)'
		set yrange [0:*]
		set style data histograms
		set style histogram clustered gap 1.5
		set style fill solid border rgb '#ffffff'
		set bmargin 4
		set rmargin at screen 0.85
		set key at screen 0.99,0.85 right top vertical maxcols 1
		plot 'shares.csv' using 2:xtic(1) lc 2 title 'the victim', \
			for [i=3:6] '' using i lc rgb '#9cc3e0' \
				title i == 3 ? 'S1 to S4' : ''
	END
}
