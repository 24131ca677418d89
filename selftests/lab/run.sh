#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the small scenarios of the lab, and tests the lab itself. Prints TAP.
#
# Usage: run.sh [each | more]
#
# each: scenarios once, but those that take long, and tests of the lab; more: these,
# and the same scenarios with other keys; both without an argument. Results go to out/lab-test.
#
# Exit status: 0; 1 a test failed; 4 there is no kernel here.

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/lab-test
lab=$TOP/lab/lle-lab
scripts=$TOP/selftests/lab/run
suite=lab
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

# scenario NAME [KEY=VALUE...]: all expectations hold
scenario()
{
	LLE_LAB_OUT=$OUT "$lab" run "$@" >"$OUT/log" 2>&1
	point $? "$*" "$OUT/log"
}

# refused STATUS TEXT ARGUMENT...: the lab exits with STATUS and prints TEXT
refused()
{
	local status=$1 text=$2 rc=0

	shift 2
	LLE_LAB_OUT=$OUT "$lab" run "$@" >"$OUT/log" 2>&1 || rc=$?
	[ "$rc" -eq "$status" ] && grep -q "$text" "$OUT/log"
	point $? "$*: $text" "$OUT/log"
}

# Results that two runs share: all but CPU time, memory, and the date
essence()
{
	jq 'del(.cpu_s, .run_cpu_s, .hops_per_cpu_s, .memory_mb, .date)' "$1/result.json"
	find "$1"/ -maxdepth 1 -name '*.csv' ! -name metrics.csv | sort | xargs cat
	cat "$1"/{testbed,stats}.json "$1/console.log"
	(cd "$1" && wc -c ./*.pcap && sha256sum ./*.pcap)
	# of the scenario run
	(cd "$1" && find . -path './files/*' -type f -o -name output.txt | sort | xargs -r sha256sum)
}

# twice NAME CAPTURE=... [KEY=VALUE...]: two equal runs, one beside a busy core
twice()
{
	local busy rc=0

	{
		LLE_LAB_OUT=$OUT/once "$lab" run "$@"
		timeout 300 sh -c 'while :; do :; done' &
		busy=$!
		LLE_LAB_OUT=$OUT/again "$lab" run "$@"
		kill $busy
	} >"$OUT/log" 2>&1
	essence "$OUT/once/$1/latest" >"$OUT/once.all" 2>>"$OUT/log" || rc=1
	essence "$OUT/again/$1/latest" >"$OUT/again.all" 2>>"$OUT/log" || rc=1
	[ -s "$OUT/once.all" ] && cmp "$OUT/once.all" "$OUT/again.all" >>"$OUT/log" 2>&1 || rc=1
	point $rc "twice the same: $*" "$OUT/log"
}

# differs NAME [KEY=VALUE...]: two runs are not equal
differs()
{
	local rc=0

	{
		LLE_LAB_OUT=$OUT/once "$lab" run "$@" && LLE_LAB_OUT=$OUT/again "$lab" run "$@"
	} >"$OUT/log" 2>&1 || rc=1
	! cmp "$OUT"/{once,again}/"$1/latest/output.txt" >>"$OUT/log" 2>&1 || rc=1
	point $rc "not the same: $*" "$OUT/log"
}

# spins PROCESS KEY=VALUE...: a script that spins is named, and again at the time-out
spins()
{
	local line="run: process \"$1\" has used 2 s of CPU without sleeping: virtual time stands" rc=0

	shift
	LLE_TIMEOUT=20 LLE_LAB_OUT=$OUT "$lab" run run "$@" >"$OUT/log" 2>&1 || rc=$?
	[ $rc -eq 1 ] && [ "$(grep -c "^$line" "$OUT/log")" -eq 2 ]
	point $? "spins: $*" "$OUT/log"
}

# page NAME PLOT...: the last run of NAME has these plots, and a drawing of the network of each arm,
# on a page without links
page()
{
	local name=$1 dir=$OUT/$1/latest rc=0 plots drawings

	shift
	plots=$(cd "$dir/plots" && printf '%s\n' *.pdf | sed 's/\.pdf$//' | sort | xargs)
	echo "plots: $plots" >"$OUT/log"
	[ "$plots" = "$(printf '%s\n' "$@" | sort | xargs)" ] || rc=1
	for plot in "$@"; do
		[ "$(head -c 4 "$dir/plots/$plot.png" | tail -c 3)" = PNG ] &&
			[ "$(head -c 4 "$dir/plots/$plot.pdf")" = %PDF ] &&
			grep -q '</svg>' "$dir/plots/$plot.svg" || rc=1
	done
	grep -oE '(src|href|url)[=(]"?.{30}|http.{20}|<script' "$dir/index.html" |
		grep -vE "^(src=\"data:image/png;base64|(href=['\"]|url\()#)" >>"$OUT/log" && rc=1
	drawings=$(grep -oE "id=['\"]network-[^'\"]*graph0" "$dir/index.html" | sort -u | wc -l)
	[ "$drawings" -gt 0 ] && [ "$(grep -c '<figure>' "$dir/index.html")" -eq $(($# + drawings)) ] || rc=1
	[ "$(stat -c %s "$dir/index.html")" -lt 2000000 ] || rc=1
	point $rc "page: $name has $*" "$OUT/log"
}

# progress NAME [KEY=VALUE...]: the last line of progress has the sent packets
progress()
{
	local rc=0 said sent

	LLE_PROGRESS=0 LLE_LAB_OUT=$OUT "$lab" run "$@" >"$OUT/log" 2>&1 || rc=1
	said=$(sed -n "s/^$1: gather, [0-9]* s, [0-9]*\.[0-9]\{6\} s of virtual time, //p" \
		"$OUT/log" | tail -n 1)
	sent=$(jq '[.qdiscs[].prios[] | .tx_packets, .tx_pause, .tx_resume] | add' \
		"$OUT/$1/latest/stats.json")
	echo "said $said, sent $sent" >>"$OUT/log"
	[ "$said" = "$sent packet-hops" ] || rc=1
	point $rc "progress: $*" "$OUT/log"
}

# by_seeds KEY=VALUE...: of 100 seeds of the scenario faults one fails, and the printed command
# repeats it
by_seeds()
{
	local rc=0 command found

	LLE_SWEEP_OUT=$OUT/seeds "$lab" run faults SEEDS=100 "$@" >"$OUT/log" 2>&1 || rc=$?
	command=$(sed -n 's/^not as expected: //p' "$OUT/log" | head -n 1)
	[ $rc -eq 1 ] && [ -n "$command" ] && (
		cd "$TOP" && ! LLE_LAB_OUT=$OUT/again $command >>"$OUT/log" 2>&1
		found=$(echo "$OUT"/seeds/faults/*/*"${command##* }")
		essence "$found/faults/latest" >"$OUT/once.all" 2>>"$OUT/log"
		essence "$OUT/again/faults/latest" >"$OUT/again.all" 2>>"$OUT/log"
		[ -s "$OUT/once.all" ] && cmp "$OUT/once.all" "$OUT/again.all" >>"$OUT/log"
	)
	point $? "found by 100 seeds: $*" "$OUT/log"
}

# imported TOPOLOGY FLOWS BEGIN [KEY=VALUE...]: runs files of
# selftests/lab/import, and compares files of HPCC; BEGIN: first flow, in ns
imported()
{
	local files=$TOP/selftests/lab/import

	scenario import TOPOLOGY="$files/$1" FLOWS="$files/$2" "${@:4}"
	FOLDER=$OUT/import/latest BEGIN_NS=$3 pytest-3 "$TOP/selftests/lab/hpcc_files.py" \
		>"$OUT/log" 2>&1
	point $? "files of HPCC: $1 $2" "$OUT/log"
}

part=${1:-}
case $part in
each | more | '') ;;
*) sed -n '4,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac
rm -rf "$OUT"
mkdir -p "$OUT"
# build once for all scenarios
LLE_LAB_BUILT=$("$TOP/lab/build.sh") || exit
export LLE_LAB_BUILT

# each scenario, most with their pages; and the lab itself
if [ "$part" != more ]; then
	twice incast CAPTURE=h1,s17p2
	progress permutation
	page permutation fct throughput ports
	scenario incast PFC=off
	page incast fct throughput ports
	scenario ring-deadlock
	page ring-deadlock throughput ports
	scenario ring-deadlock DEADLOCK=lossless HOLD=0.05
	scenario dcfit-on-loop RUNS=2
	page dcfit-on-loop ports loop
	scenario rcm-microburst RUNS=3 ARMS=dcqcn,rcm,rcm+dcqcn
	page rcm-microburst burst
	scenario rcm-victim MS=1 ARMS=pfc,rcm
	page rcm-victim shares
	scenario incast N=1
	page incast fct throughput
	scenario ldcp-steady S=0.1 IW=2
	page ldcp-steady queue
	scenario ldcp-faststart S=0.03
	page ldcp-faststart fct
	scenario storm
	page storm throughput ports death
	scenario headroom
	page headroom fct ports headroom
	scenario dcqcn MS=100 PMAX=10%
	page dcqcn throughput queue ports
	export LLE_LAB_PAGE=no
	scenario ldcp-incast N=300 ARMS=ldcp-roce S=0.03
	scenario dcfit-random RUNS=3
	scenario incast VERB=read PFC=off RECOVERY=irn MS=50
	scenario irn ARMS=gbn+pfc,irn MS=2
	scenario sonic-roce CASE=storage-dcqcn
	scenario cnp-delay
	scenario cnp-delay CNP_DELAY=140us
	scenario exact-gap
	scenario pause-reaction
	scenario storm-spread
	scenario slow-receiver
	scenario dcfit-out-of-loop RUNS=2
	scenario dcfit-ring RUNS=1
	scenario dcfit-diamond RUNS=20
	scenario dcfit-resume RUNS=20
	scenario dcfit-no-loop RUNS=20
	scenario rcm-victim-xs MS=1 FLOWS=4
	scenario poisson MS=1
	for kind in ring-allreduce all-to-all; do
		scenario collective KIND=$kind HOSTS=8 BYTES=1m
	done
	imported topology.txt flow.txt 2000000000 BUFFER=512k
	imported leaf-spine.topo ring.cm 0 PFC=off
	refused 2 'line 1: not nodes, switches, links' import \
		{TOPOLOGY,FLOWS}="$TOP/selftests/lab/import/flow.txt"
	refused 2 'line 3: "Tiers" is unknown' import \
		{TOPOLOGY,FLOWS}="$TOP/selftests/lab/import/leaf-spine.topo"
	scenario tcp-incast
	scenario run RATE=1gbit SCRIPT="$scripts/stock.sh"
	differs run SCRIPT="$scripts/differs.sh"
	refused 1 'NOT exit_status == 0: 3' run SCRIPT="$scripts/fails.py" PFC=off
	spins python3 SCRIPT="$scripts/spins.sh" TOPOLOGY="$TOP/testbed/examples/incast.clab.yml"
	refused 1 'NOT exit_status == 0: 124' faults SCRIPT="$scripts/wakeup.sh" TIMEOUT=5 \
		FAULT=flap:s1p3@193ms+24ms
	scenario faults SCRIPT="$scripts/wakeup-mended.sh" TIMEOUT=5 FAULT=flap:s1p3@193ms+24ms
	# without watchdogs the storm is not detected
	refused 1 'NOT victim_throughput_with >= 0.95: 0' storm SEEDS=1 WATCHDOG=no
	refused 2 "more than 2000000 flows" rcm-hotspot K=4 MS=0.3 SIZE=1
	# the lab prints failed expectations
	refused 1 'NOT unfinished == 0' permutation MS=1
	LLE_TIMEOUT=1 refused 1 'time-out after 1 s' permutation MS=999000
fi

# those that take long, and the same with other keys
if [ "$part" != each ]; then
	unset LLE_LAB_PAGE
	scenario dcfit-recurrence S=10 CALM=1000
	page dcfit-recurrence loop recurrence
	scenario rcm-hotspot K=4 RUNS=1 MS=1.5
	page rcm-hotspot hotspot
	scenario rcm-fct K=4 MS=5
	page rcm-fct fct
	scenario ldcp-fct MS=1 DRAIN=30
	page ldcp-fct fct
	export LLE_LAB_PAGE=no
	scenario ldcp-churn S=0.05
	scenario alpha-incident
	scenario dcfit-random
	twice permutation CAPTURE=h1,s9p3 SIZE=1000000
	twice tcp-incast CAPTURE=h1,s17p1 PFC=off
	scenario ring-deadlock DEADLOCK=alert HOLD=0.1
	scenario ring-deadlock DEADLOCK=alert MODE=dcfit STAGGER=10 HOLD=0.1
	scenario ldcp-steady S=0.05 IW=2 ARMS=ldcp-roce,dcqcn,dcqcn+pfc
	for case in basic pfc dcqcn storage-pfc storage-dcqcn; do
		scenario sonic-roce CASE=$case
		scenario sonic-roce CASE=$case LOSSLESS=3
		scenario sonic-roce CASE=$case LOSSLESS=mixed
	done
	for kind in tree-allreduce all-gather reduce-scatter parameter-server pipeline; do
		scenario collective KIND=$kind HOSTS=8 BYTES=1m
	done
	scenario exact-gap SIZE=3000000 OVERHEAD=2 RATE=400gbit
	scenario pause-reaction REVERSE=busy
	scenario slow-receiver RX=unlimited
	scenario dcfit-out-of-loop RUNS=2 TRIGGER=host
	scenario dcfit-ring RUNS=1 TRIGGER=host
	scenario rcm-victim ARMS=rcm+dcqcn
	scenario rcm-victim ARMS=rcm,rcm+dcqcn LOSS=1
	scenario rcm-victim ARMS=rcm,rcm+dcqcn LOSS=10
	scenario rcm-victim MS=1 ARMS=rcm FLOWS=16 PLACE=beside
	scenario poisson MS=1 CC=dcqcn CDF=hadoop HOT_SHARE=0.15
	scenario tcp-incast PFC=off
	scenario tcp-incast CC=dctcp MARK=dequeue
	twice run CAPTURE=h5 SCRIPT="$scripts/stock.sh"
	scenario incast WATCHDOG=yes RATE=100mbit BUFFER=512k SIZE=8300000 MS=11000
	twice faults CAPTURE=h1,h3,h4 IPV6=on RATE=100mbit SCRIPT="$scripts/faults.sh" \
		FAULT=flap:h1@100ms+50ms,flap:h3@200ms+20ms,loss:h4:1%@0s,loss:h2:1%@0s,kill:h9@1ms,kill:h9@2ms
	refused 1 'a fault failed' faults SCRIPT="$scripts/unplugged.sh" FAULT=flap:h1@100ms+1ms
	scenario dcfit-ring RUNS=2 FAULT=loss:h1:1%@0s,flap:h2@10us+10s
	by_seeds SCRIPT="$scripts/wakeup.sh" TIMEOUT=10
	pytest-3 "$TOP/selftests/lab/disturbed_runs_test.py" -k every_scenario >"$OUT/log" 2>&1
	point $? "each scenario: other programs before it change nothing" "$OUT/log"
	pytest-3 "$TOP/selftests/lab/crossval_runs_test.py" -k every >"$OUT/log" 2>&1
	point $? "other simulators: sums of six seeds" "$OUT/log"
fi

end
