#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that a network in several kernels gives the results of one kernel, to the
# byte: metrics, counters, flows and captured packets. Prints TAP. Results go to
# out/lab-parts.
#
# Usage: parts.sh [-q] [-n PARTS]... [SCENARIO KEY=VALUE...]
#
#  -n  parts to compare with one kernel (2 and 4)
#  -q  only two of the scenarios
#
# Exit status: 0; 1 a test failed; 4 there is no kernel here.

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/lab-parts
lab=$TOP/lab/lle-lab
export LLE_LAB_PAGE=no
suite=parts
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

# lab [mpi]PARTS SCENARIO KEY=VALUE...: runs it in $OUT/PARTS, sets dir to its
# results
lab()
{
	local parts=$1 cluster=() transport=memory

	shift
	dir=$OUT/$parts/$1/latest
	rm -f "$dir"
	if [[ $parts = mpi* ]]; then
		cluster=(timeout -s KILL 300 "$TOP/selftests/lab/slurm.sh") transport=mpi
	fi
	LLE_LAB_OUT=$OUT/$parts "${cluster[@]}" "$lab" run "$@" PARTS="${parts#mpi}" \
		TRANSPORT=$transport >>"$OUT/log" 2>&1 || :
	[ -s "$dir/result.json" ]
}

# What must not depend on the number of kernels: not samples, nor order in a ns
essence()
{
	jq 'del(.cpu_s, .run_cpu_s, .hops_per_cpu_s, .memory_mb, .date)' "$1/result.json" || return
	find "$1/" -type f \( -name '*.csv' -o -name '*.json' -o -name '*.pcap' \) \
		-not -name timeline.csv -not -name result.json -not -name metrics.csv -not -path '*/parts/*' -printf '%P\n' |
		sort | while read -r file; do
		case $file in
		*events.csv | *pauses.csv | *congested.csv) sort "$1/$file" ;;
		*) cat "$1/$file" ;;
		esac | sha256sum | sed "s|-|$file|"
	done
}

# same SCENARIO KEY=VALUE...: all numbers of kernels give the same
same()
{
	local number dir rc=0

	: >"$OUT/log"
	lab 1 "$@" && essence "$dir" >"$OUT/one" || rc=1
	for number in "${numbers[@]}"; do
		[ $rc -ne 0 ] || { lab "$number" "$@" && essence "$dir" >"$OUT/several"; } || rc=1
		[ $rc -ne 0 ] || cmp "$OUT/one" "$OUT/several" >>"$OUT/log" 2>&1 || rc=1
	done
	[ $rc -eq 0 ] || diff "$OUT/one" "$OUT/several" >>"$OUT/log" 2>&1
	point $rc "1 kernel, the same in ${numbers[*]}: $*" "$OUT/log"
}

# refused TEXT SCENARIO KEY=VALUE...
refused()
{
	local text=$1 rc=0

	shift
	LLE_LAB_OUT=$OUT/refused "$lab" run "$@" >"$OUT/log" 2>&1 || rc=$?
	[ $rc -eq 2 ] && grep -q "$text" "$OUT/log"
	point $? "$*: $text" "$OUT/log"
}

# one kernel is killed: the others, which would wait for it, end, too
one_dies()
{
	local runner pid rc=0 file

	rm -rf "$OUT/dies"
	LLE_LAB_OUT=$OUT/dies timeout 120 "$lab" run permutation SIZE=1000000000 MS=900 PARTS=2 >"$OUT/log" 2>&1 &
	runner=$!
	file=$OUT/dies/permutation/PARTS=2,MS=900,SIZE=1000000000,SEED=1.unfinished/parts
	until grep -qs 'lab: run' "$file/2/console.log"; do
		kill -0 $runner 2>/dev/null || break
		sleep 0.1
	done
	pid=$(cat "$file/1/guest.pid")
	kill -KILL "$(cat "$file/2/guest.pid")"
	wait $runner || rc=$?
	# a kernel needs some ms to end
	[ $rc -eq 1 ] && timeout 5 tail --pid="$pid" -f /dev/null
	point $? "one kernel dies: the run ends" "$OUT/log"
}

# mpi SCENARIO KEY=VALUE...: two ranks that Slurm starts give the same
mpi()
{
	local program numbers=(mpi2) runner pid rc=0 dir=$OUT/mpi-dies

	for program in srun slurmctld slurmd munged mpicc; do
		if ! command -v $program >/dev/null || [ "$(id -u)" -ne 0 ]; then
			skip mpi "needs root and $program (scripts/deps.sh mpi)"
			return
		fi
	done
	same "$@"
	[ "$(awk '$1 > 100 && $2 > 100000' "$OUT"/mpi2/"$1"/latest/parts/*/barriers | wc -l)" -eq 2 ]
	point $? "mpi: barriers and bytes of frames" "$OUT/log"

	rm -rf "$dir"
	LLE_LAB_OUT=$dir timeout 120 "$TOP/selftests/lab/slurm.sh" \
		"$lab" run permutation SIZE=1000000000 MS=900 PARTS=2 TRANSPORT=mpi >"$OUT/log" 2>&1 &
	runner=$!
	# its processes have numbers of the cluster
	dir=$dir/permutation/PARTS=2,TRANSPORT=mpi,MS=900,SIZE=1000000000,SEED=1.unfinished/parts
	until grep -qs 'lab: run' "$dir/2/console.log"; do
		kill -0 $runner 2>/dev/null || break
		sleep 0.1
	done
	pid=$(pgrep -f '^[^ ]*/linux mem=.* iomem=wire./dev/shm/lle-wire[^ ]*\.2 ' | head -n 1)
	kill -KILL "$pid"
	wait $runner || rc=$?
	[ $rc -eq 1 ] && [ -z "$(pgrep -f 'iomem=wire./dev/shm/lle-wire[^ ]*\.[12] ')" ]
	point $? "mpi: one kernel dies: the run ends" "$OUT/log"
}

numbers=() quick=''
while getopts n:qh opt; do
	case $opt in
	q) quick=y ;;
	n) numbers+=("$OPTARG") ;;
	*) sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ ${#numbers[@]} -gt 0 ] || numbers=(2 4)

mkdir -p "$OUT"
LLE_LAB_BUILT=$("$TOP/lab/build.sh") || exit
export LLE_LAB_BUILT
if [ $# -gt 0 ]; then
	same "$@"
	end
fi
same permutation SIZE=1000000 MS=2 CAPTURE=h1,s17p2
same rcm-victim MS=1
if [ -z "$quick" ]; then
	# flows do not end before the run does
	same permutation SIZE=100000000 MS=1
	same incast PAUSES=yes QUEUES=s1p1,s20p1
	same poisson MS=1 CC=dcqcn CDF=hadoop HOT_SHARE=0.15
	same collective HOSTS=16 BYTES=1m
	same incast VERB=read RECOVERY=irn PFC=off BUFFER=1m MS=50
	same ldcp-steady S=0.02
	same dcfit-random RUNS=2 COUNTERFACTUAL=yes
	numbers=(3)
	same storm-spread
fi
refused 'PARTS=2: not from 0 to 0' tcp-incast PARTS=2
refused 'LOSS=5: needs PARTS=0' rcm-victim LOSS=5 PARTS=2
refused 'CAPTURE=h99: there is no host' permutation CAPTURE=h99 PARTS=2
refused 'QUEUES=s99p1: there is no port' permutation QUEUES=s99p1 PARTS=2
refused 'PARTS=17: not from 0 to 16' permutation PARTS=17
refused 'TRANSPORT=mpi: needs PARTS of 2 or more' permutation TRANSPORT=mpi
one_dies
mpi permutation SIZE=1000000 MS=2
end
