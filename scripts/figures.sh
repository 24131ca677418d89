#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# The figures of "Regional Congestion Mitigation", and what our modules make of them.
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
	rows | while IFS='|' read -r name what paper metrics; do
		for file in "$DIR/$name"/*/result.json; do
			[ -e "$file" ] || continue
			ours=
			for metric in $metrics; do
				ours+="${ours:+, }$(value "$file" "$metric")"
			done
			echo "$name|$what|$paper|$ours"
		done
	done
}

[ $# -ge 1 ] || { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; exit 2; }
DIR=$1
shift
for name in "$@"; do
	runs | grep "^$name " >/dev/null || { echo "figures.sh: there is no figure '$name'" >&2; exit 2; }
done

mkdir -p "$DIR"
rc=0
while read -r name scenario keys; do
	[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
	# shellcheck disable=SC2086 # a list of words
	LLE_TIMEOUT=7200 LLE_LAB_OUT=$DIR/$name "$HERE/lab.sh" "$scenario" $keys </dev/null || rc=1
done < <(runs)
table | column -t -s '|' | tee "$DIR/table.txt"
exit $rc
