#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# The figures of "Regional Congestion Mitigation", and what our modules make of them; and those
# of LDCP, whose draft has none: there, "paper" is what we ask of ourselves.
#
# Usage: figures.sh DIR [NAME...]
#
# Runs the scenarios of those NAMEs, or all, at the paper's size where one is given (432
# hosts: 3 GB of memory, an hour for each). Results go to DIR/NAME/SCENARIO, and
# DIR/table.txt has the paper's values beside ours; runs that are in DIR from before are
# in it, too.
#
# Exit status: 0; 1 a run failed, or is not as expected; 2 wrong use.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")

# NAME SCENARIO KEY=VALUE...
runs()
{
	local flows place

	echo "fig6 rcm-microburst"
	for flows in 1 4 16; do
		for place in pod same beside; do
			echo "fig7-$flows-$place rcm-victim ARMS=pfc,rcm,rcm+dcqcn FLOWS=$flows PLACE=$place"
		done
	done
	echo "fig7xs-1 rcm-victim-xs ARMS=pfc,rcm FLOWS=1"
	echo "fig7xs-4 rcm-victim-xs ARMS=pfc,rcm FLOWS=4"
	echo "fig7-loss1 rcm-victim ARMS=rcm,rcm+dcqcn LOSS=1"
	echo "fig7-loss10 rcm-victim ARMS=rcm,rcm+dcqcn LOSS=10"
	for k in 6 8; do
		echo "fig8-k$k rcm-hotspot ARMS=dcqcn,rcm-nosar,rcm+dcqcn K=$k MS=1.5"
		echo "fig8-k$k-long rcm-hotspot ARMS=dcqcn,rcm-nosar,rcm+dcqcn K=$k MS=4.5"
		echo "fig8-k$k-buf100 rcm-hotspot ARMS=dcqcn,rcm+dcqcn K=$k MS=1.5 BUF=100"
	done
	echo "fig8 rcm-hotspot ARMS=dcqcn,rcm+dcqcn K=12 MS=0.6 RUNS=1"
	for cdf in enterprise data-mining; do
		echo "fig9-k6-$cdf rcm-fct ARMS=dcqcn,rcm+dcqcn K=6 MS=20 CDF=$cdf"
		echo "fig9-$cdf rcm-fct ARMS=dcqcn,rcm+dcqcn K=12 MS=5 CDF=$cdf"
	done
}

# The same, of LDCP
ldcp_runs()
{
	local load

	echo "ldcp-100g ldcp-steady RATE=100gbit RTT=10us S=0.05"
	echo "ldcp-10g ldcp-steady"
	echo "ldcp-1g ldcp-steady RATE=1gbit RTT=400us S=2"
	echo "ldcp-8packets ldcp-steady RATE=10gbit RTT=10us S=0.2"
	echo "ldcp-17packets ldcp-steady RATE=10gbit RTT=20us S=0.2"
	echo "ldcp-100g-lowq ldcp-steady RATE=100gbit RTT=10us S=0.05 PROFILE=lowq"
	echo "ldcp-10g-lowq ldcp-steady PROFILE=lowq"
	echo "ldcp-2 ldcp-steady RATE=100gbit RTT=10us S=0.05 FLOWS=2"
	echo "ldcp-64 ldcp-steady RATE=100gbit RTT=10us S=0.05 FLOWS=64"
	echo "ldcp-256 ldcp-steady RATE=100gbit RTT=10us S=0.05 FLOWS=256 ARMS=ldcp,dctcp BUFFER=256m"
	echo "ldcp-marks ldcp-steady RATE=100gbit RTT=10us S=0.05 IW=2 ARMS=ldcp"
	echo "ldcp-roce ldcp-steady RATE=100gbit RTT=10us S=0.05 ARMS=ldcp-roce,ldcp-rate,dcqcn,dcqcn+pfc"
	echo "ldcp-draft ldcp-steady RATE=100gbit RTT=10us S=0.05 MODE=draft"
	echo "ldcp-1000 ldcp-incast N=1000 S=0.03 ARMS=ldcp-roce,ldcp,dctcp,dcqcn,dcqcn+pfc"
	# without pauses, what DCQCN loses is sent again by 4000 hosts at once, for an hour
	echo "ldcp-4000 ldcp-incast N=4000 ARMS=ldcp-roce,dcqcn+pfc"
	echo "ldcp-start ldcp-faststart ARMS=ldcp-roce,dctcp"
	echo "ldcp-start-10g ldcp-faststart RATE=10gbit RTT=40us S=0.4 ARMS=ldcp,dctcp,cubic"
	echo "ldcp-start-busy ldcp-faststart FLOWS=8"
	echo "ldcp-start-ect ldcp-faststart FLOWS=8 ECT=yes ARMS=ldcp-roce"
	echo "ldcp-churn10 ldcp-churn ARMS=ldcp-roce,ldcp,dctcp"
	echo "ldcp-churn30 ldcp-churn ARMS=ldcp-roce,ldcp,dctcp LOAD=0.3"
	for load in 30 60 80; do
		echo "ldcp-fct$load ldcp-fct LOAD=0.$load"
		echo "ldcp-fct$load-storage ldcp-fct CDF=storage LOAD=0.$load"
	done
}

# asked NAME ARM: of queue, utilisation and evenness
asked()
{
	case $2,$1 in
	ldcp-rate,* | dc* | cubic,* | *,draft) echo - ;;
	*packets) echo "-, >= 0.97, >= 0.95" ;;
	*,64 | *,256) echo "-, >= 0.99, -" ;;
	*) echo "<= 0.6, >= 0.99, >= 0.99" ;;
	esac
}

ldcp_rows()
{
	local name arm

	for name in 100g 10g 1g 8packets 17packets 100g-lowq 10g-lowq 2 64 256 draft roce; do
		for arm in ldcp ldcp-roce ldcp-rate dctcp cubic dcqcn dcqcn+pfc; do
			echo "ldcp-$name|$arm: queue, BDP (50 %, 99 %), utilisation, Jain|$(asked $name $arm)|$arm.queue_p50_bdp $arm.queue_p99_bdp $arm.utilisation $arm.jain"
		done
	done
	echo "ldcp-marks|marks: of the switch, seen|equal|ldcp.marked.switch ldcp.marked.seen"
	for name in 100g-lowq 10g-lowq; do
		echo "ldcp-$name|queue of DCTCP's, 99 %|<= 1, goal 0.6|queue_p99_of_dctcp"
	done
	echo "ldcp-256|queue of DCTCP's, 50 %, 99 %|<= 0.25|queue_p50_of_dctcp queue_p99_of_dctcp"
	for name in 1000 4000; do
		for arm in ldcp-roce ldcp dctcp dcqcn dcqcn+pfc; do
			echo "ldcp-$name|$arm: queue, KB (50 %, 99 %), utilisation, Jain, lost after the first RTT|$([ $arm = ldcp-roce ] && echo "<= $([ $name = 1000 ] && echo 352 || echo 641), >= 0.9, -, 0" || echo -)|$arm.queue_p50_kb $arm.queue_p99_kb $arm.utilisation $arm.jain $arm.loss.stable $arm.loss.other"
		done
	done
	for name in start start-10g start-busy start-ect; do
		for arm in ldcp-roce ldcp dctcp cubic; do
			echo "ldcp-$name|$arm: 1 BDP, times the ideal (50 %, 99 %)|$(case $arm,$name in d* | c*) echo - ;; *busy | *ect) echo "<= 2.5" ;; *) echo "<= 1.01" ;; esac)|$arm.fct_over_ideal.bdp_1.p50 $arm.fct_over_ideal.bdp_1.p99"
		done
	done
	echo "ldcp-start-busy|ldcp-roce, ldcp: of DCTCP's|<= 0.35|of_dctcp.ldcp-roce of_dctcp.ldcp"
	for name in 10 30; do
		for arm in ldcp-roce ldcp dctcp; do
			echo "ldcp-churn$name|$arm: long flows keep; lost: first RTT, later|$([ $arm$name = dctcp10 ] || [ $name = 30 ] && echo - || echo ">= 0.97, -, 0")|$arm.kept $arm.loss.first_rtt $arm.loss.stable"
		done
	done
	for name in {30,60,80}{,-storage}; do
		for arm in ldcp-roce dcqcn dcqcn+pfc ldcp dctcp; do
			echo "ldcp-fct$name|$arm: < 100 KB, us (50 %, 99 %)|-|$arm.fct_us.below_100k.p50 $arm.fct_us.below_100k.p99"
		done
		echo "ldcp-fct$name|99 % of that: RoCEv2 of dcqcn+pfc's, TCP of dctcp's|$([ "${name%-*}" = 60 ] && echo "< 1, goal 0.7" || echo -)|p99_of.dcqcn+pfc p99_of.dctcp"
	done
}

# NAME WHAT PAPER METRIC...: the metrics' values are ours
rows()
{
	local flows place arm k cdf

	for arm in dcqcn rcm rcm+dcqcn; do
		cat <<-END
			fig6|$arm: found after, us (most)|-|$arm.decision_us_max
			fig6|$arm: burst <= 40 Gbit/s after, us (most)|-|$arm.first_cut_us_max
			fig6|$arm: burst then, Gbit/s (least, most)|$([ $arm = dcqcn ] && echo 50 || echo 25)|$arm.burst_gbps_after_min $arm.burst_gbps_after_max
			fig6|$arm: incasts from 6 us on, Gbit/s (least)|$([ $arm = dcqcn ] && echo 50 || echo 75)|$arm.incast_gbps_after_min
		END
	done
	for flows in 1 4 16; do
		for place in pod same beside; do
			for arm in pfc rcm rcm+dcqcn; do
				echo "fig7-$flows-$place|$arm: victim, Gbit/s; link of the others|$([ $arm = pfc ] && echo 25 || echo "nearly 50")|$arm.victim_gbps $arm.bottleneck_util"
			done
		done
	done
	for flows in 1 4; do
		echo "fig7xs-$flows|pfc, rcm: victim, Gbit/s|-|pfc.victim_gbps rcm.victim_gbps"
	done
	for k in 1 10; do
		echo "fig7-loss$k|rcm, rcm+dcqcn: victim, Gbit/s|-|rcm.victim_gbps rcm+dcqcn.victim_gbps"
	done
	for k in fig8 fig8-k{6,8}{,-long,-buf100}; do
		echo "$k|background and hot flows over dcqcn, %|12.2, a little less|rcm+dcqcn.background_gain_pct rcm+dcqcn.hot_gain_pct"
		echo "$k|packets reordered|-|rcm+dcqcn.reorder_share"
	done
	for cdf in enterprise data-mining; do
		for k in "" k6-; do
			echo "fig9-$k$cdf|mice, mean and 99 %, and elephants over dcqcn, %|> 10, -, about 0|rcm+dcqcn.fct_gain_pct.mice_mean rcm+dcqcn.fct_gain_pct.mice_p99 rcm+dcqcn.fct_gain_pct.elephant_mean"
		done
	done
}

# value RESULT METRIC: a path, whose first part is an arm
value() { jq -r --arg m "$2" '.metrics | getpath($m | split(".")) // "-"' "$1"; }

table()
{
	local name what paper metrics metric file ours

	echo "FIGURE|WHAT|PAPER|OURS"
	{ rows; ldcp_rows; } | while IFS='|' read -r name what paper metrics; do
		for file in "$DIR/$name"/*/result.json; do
			[ -e "$file" ] || continue
			ours=
			for metric in $metrics; do
				ours+="${ours:+, }$(value "$file" "$metric")"
			done
			# an arm that is not in it
			[ -z "${ours//[-, ]/}" ] || echo "$name|$what|$paper|$ours"
		done
	done
}

[ $# -ge 1 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; exit 2; }
DIR=$1
shift
for name in "$@"; do
	{ runs; ldcp_runs; } | grep "^$name " >/dev/null || { echo "figures.sh: there is no figure '$name'" >&2; exit 2; }
done

mkdir -p "$DIR"
rc=0
while read -r name scenario keys; do
	[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
	# shellcheck disable=SC2086 # a list of words
	LLE_TIMEOUT=7200 LLE_LAB_OUT=$DIR/$name "$HERE/lab.sh" "$scenario" $keys </dev/null || rc=1
done < <(runs; ldcp_runs)
table | column -t -s '|' | tee "$DIR/table.txt"
exit $rc
