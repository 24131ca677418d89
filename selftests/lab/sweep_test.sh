#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests sweeps: results of a grid of points, on this machine and in a Slurm
# cluster, points that are not repeated, and messages for bad files and failed
# points. Prints TAP.
#
# Usage: sweep_test.sh
#
# Exit status: 0; 1 a test failed; 4 there is no kernel here.

set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$(dirname "$HERE")")
OUT=$TOP/out/sweep-test
sweep=$TOP/lab/sweep.sh
suite=sweep
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

# run STATUS ENGINE NAME: the sweep NAME exits with STATUS
run()
{
	local rc=0

	SWEEP_ENGINE=$2 LLE_SWEEP_OUT=$OUT/$2 ${cluster:-} "$sweep" "$OUT/files/$3" \
		>"$OUT/log" 2>&1 || rc=$?
	[ "$rc" -eq "$1" ]
}

said() { grep -q -- "$1" "$OUT/log"; }

# the results, without columns that depend on the machine
essence()
{
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) off[i] = $i ~ /cpu_s$|^memory_mb$/ }
		{ for (i = 1; i <= NF; i++) if (!off[i]) printf "%s,", $i; print "" }' \
		"$OUT/$1/grid/results.csv"
}

grid()
{
	local dir=$OUT/local/grid

	cat >"$OUT/files/grid" <<-END
		# four small points
		scenario incast
		N	1 3	# senders
		PFC	on off
		SIZE	100000

		plot fct_max_us N PFC
		plot dropped PFC
	END
	run 0 local grid && said '4 points of incast, 4 of them' &&
		[ "$(grep -cE '^\[[1-4] of 4, about [0-9]+ s left\] N=[13] PFC=o[nf]* SIZE=100000: ' \
			"$OUT/log")" -eq 4 ] &&
		said '^\[4 of 4, about 0 s left\] ' &&
		[ "$(cut -d, -f1-3 "$dir/results.csv" | tail -n +2 | xargs)" = \
			'1,on,100000 1,off,100000 3,on,100000 3,off,100000' ] &&
		[ "$(jq .metrics.fct_max_us "$dir/N=3,PFC=on,SIZE=100000/incast/latest/result.json")" = \
			"$(column fct_max_us | sed -n 3p)" ] &&
		[ "$(cut -f1 "$dir/plots/list" | xargs)" = 'fct_max_us-N-PFC dropped-PFC' ] &&
		[ "$(grep -c '<svg' "$dir/index.html")" -eq 2 ]
	point $? "a result for each point, plots, a page" "$OUT/log"
}

# column NAME: a column of the results
column()
{
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
		{ print $c }' "$OUT/local/grid/results.csv"
}

resume()
{
	local dir=$OUT/local/grid

	cp "$dir/results.csv" "$OUT/before"
	run 0 local grid && said '4 points of incast, 0 of them' &&
		cmp "$OUT/before" "$dir/results.csv" >>"$OUT/log"
	point $? "what has a result is not run again" "$OUT/log"

	echo "that was other code" >"$dir/N=1,PFC=on,SIZE=100000/version"
	essence local >"$OUT/before"
	run 0 local grid && said '4 points of incast, 1 of them' &&
		essence local | cmp - "$OUT/before" >>"$OUT/log"
	point $? "of another version, it is" "$OUT/log"
}

# a point with files is run again when one has changed
changed()
{
	cp "$HERE"/import/{topology,flow}.txt "$OUT/files"
	printf '%s\n' 'scenario import' "TOPOLOGY $OUT/files/topology.txt" "FLOWS $OUT/files/flow.txt" \
		'BUFFER 512k' >"$OUT/files/import"
	run 0 local import && run 0 local import && said '1 points of import, 0 of them'
	point $? "a point with files is not run again" "$OUT/log"
	sed -i '2s/ [0-9]* \([0-9.]*\)$/ 5000 \1/' "$OUT/files/flow.txt"
	run 0 local import && said '1 points of import, 1 of them' && run 0 local import &&
		said '1 points of import, 0 of them'
	point $? "with a file that has changed, it is" "$OUT/log"
	rm "$OUT/files/flow.txt"
	run 1 local import && said 'failed with status 2: .*FLOWS=.*: no file' && said '^no result: '
	point $? "without the file, it fails" "$OUT/log"
}

# an incast with 0 senders is refused
failing()
{
	local time rc=0

	printf '%s\n' 'scenario incast' 'N 0 1' 'SIZE 100000' \
		'plot nope N' >"$OUT/files/failing"
	for time in 2 1; do
		run 1 local failing && said "2 points of incast, $time of them" &&
			said '^\[[12] of [12], .*\] N=0 SIZE=100000: failed with status 2: incast: N=0: not from 1 to 15 ' &&
			said '^no result: N=0 SIZE=100000$' || rc=1
	done
	[ "$(wc -l <"$OUT/local/failing/results.csv")" -eq 2 ] &&
		[ -s "$OUT/local/failing/N=0,SIZE=100000/log" ] || rc=1
	point $rc "a point that fails is said, and run again" "$OUT/log"
	said "^no point has a metric 'nope'$" && [ -s "$OUT/local/failing/index.html" ]
	point $? "so is a metric that there is not" "$OUT/log"
}

# bad TEXT LINE...: a file of LINEs is refused with TEXT
bad()
{
	local text=$1

	shift
	printf '%s\n' "$@" >"$OUT/files/bad"
	run 2 local bad && said "$text"
	point $? "a bad file: $text" "$OUT/log"
}

slurm()
{
	local cluster=$HERE/slurm.sh program

	for program in sbatch slurmctld slurmd munged; do
		if ! command -v $program >/dev/null || [ "$(id -u)" -ne 0 ]; then
			skip slurm "needs root and $program (scripts/deps.sh slurm)"
			return
		fi
	done
	cluster="timeout -s KILL 300 $cluster"
	run 0 slurm grid && said '4 points of incast, 4 of them' &&
		essence slurm >"$OUT/slurm.all" && essence local | cmp - "$OUT/slurm.all" >>"$OUT/log"
	point $? "a job array of Slurm gives the same" "$OUT/log"
}

rm -rf "$OUT"
mkdir -p "$OUT/files"
LLE_LAB_BUILT=$("$TOP/lab/build.sh") || exit
export LLE_LAB_BUILT

grid
resume
changed
failing
bad 'line 1: the scenario comes first' 'N 1'
bad "line 2: there is no scenario 'nope'" '' 'scenario nope'
bad "line 2: incast has no key 'FOO'" 'scenario incast' 'FOO 1'
bad "line 3: 'N' is there twice" 'scenario incast' 'N 1' 'N 2'
bad "line 2: '1' is there twice" 'scenario incast' 'N 1 1'
bad "line 2: no value of 'N'" 'scenario incast' 'N # none'
bad "line 2: '1;2' is not a value" 'scenario incast' 'N 1;2'
bad "line 2: 'draw' is not" 'scenario incast' 'draw fct_max_us N'
bad "line 3: not METRIC KEY" 'scenario incast' 'N 1 2' 'plot fct_max_us'
bad "line 3: there is no line 'PFC' above" 'scenario incast' 'N 1' 'plot dropped N PFC'
bad "no scenario" '# nothing'
slurm
end
