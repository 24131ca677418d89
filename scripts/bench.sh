#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures the cost of the qdisc in instructions per packet, and that of the
# kernel's qdiscs, in a virtual machine that counts instructions: the results do
# not depend on the load of the machine.
#
# Usage: bench.sh [-g GROUPS] DIR [SERIES]
#            writes DIR/qdisc.json, prints it as a table
#        bench.sh -m RUNS [-g GROUPS] DIR [SERIES]
#            prints lines METRIC VALUE of RUNS runs
#        bench.sh -b DIR [SERIES]
#            compares with selftests/bench/budget: a test
#        bench.sh -B DIR [SERIES]
#            prints a new budget
#        bench.sh -p "GROUP NAME" [-P "GROUP BASE"] DIR [SERIES]
#            prints a figure by function, per packet; with -P, over that of BASE
#
# GROUPS: some of those of selftests/bench/guest.sh.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
GROUPS_ALL='insn_per_packet bridged no_rate.dummy no_rate.bridged features daemon deadlock rcm rcm_full group ports'
BUILT=$TOP/build/bench
# shellcheck disable=SC2034 # for the guest
PACKETS=10000

usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

runs='' groups=$GROUPS_ALL budget='' profile='' base=''
while getopts m:g:bBp:P:h opt; do
	case $opt in
	m) runs=$OPTARG ;;
	g) groups=$OPTARG ;;
	b) budget=check ;;
	B) budget=print ;;
	p) profile=$OPTARG ;;
	P) base=$OPTARG ;;
	h) usage; exit ;;
	*) usage >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { usage >&2; exit 2; }
dir=$1 series=${2:-6.1}

mods=$("$HERE/build.sh" "$series" 2> >(tail -n 20 >&2))
make -s -C "$TOP" tc ctl daemon
mkdir -p "$dir" "$BUILT"
gcc -O2 -Wall -shared -fPIC -o "$BUILT/plugin.so" "$TOP/selftests/bench/plugin.c"
gcc -O2 -Wall -o "$BUILT/mark" "$TOP/selftests/bench/mark.c"

# guest GROUPS [PROFILE [LINES]]: runs groups; writes $dir/figures,
# and with PROFILE $dir/profile.0
guest()
{
	local plugin=()

	rm -f "$dir/profile.0"
	[ $# -lt 2 ] || plugin=(-c "$BUILT/plugin.so,out=$dir/profile${3:+,$3}")
	"$HERE/vm/run.sh" -q -i -k "$series" -t 1500 -o "$dir" "${plugin[@]}" \
		-m veth -m bridge -m dummy -m pktgen -m sch_red -m sch_tbf -m sch_prio \
		-m sch_ets -m sch_htb \
		-f "$mods/lossless.ko:/mods/lossless.ko" \
		-f "$mods/sch_lossless.ko:/mods/sch_lossless.ko" \
		-f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so" \
		-b "$TOP/build/bin/losslessctl" -b "$TOP/build/bin/losslessd" \
		-b "$BUILT/mark" \
		-f "$TOP/selftests/bench/guest.sh:/bench.sh" \
		-- env GROUPS_TO_RUN="$1" PROFILE="${2:-}" QDISCS="${qdiscs:-}" \
		ROUNDS="${rounds:-5}" bash /bench.sh
}

# lines FIGURE: prints how many cache lines the modules touch and write
lines()
{
	guest "${1%% *}" "$1" "lines=ffffffffc0000000-fffffffffeffffff"
	"$TOP/selftests/bench/profile.py" -l "$dir/kallsyms" "$dir/profile.0" \
		$PACKETS lossless sch_lossless
}

# Prints figures of the guest, and with those the cache lines, as JSON.
json()
{
	jq -Rn --arg kernel "$(<"$dir/kernel")" '
		reduce (inputs / "\t") as [$group, $name, $value]
			({ kernel: $kernel, packet_bytes: 1000 };
			 setpath($group / "." + [$name]; $value | tonumber))'
}

measure()
{
	guest "$groups"
	cp "$dir/figures" "$dir/all"
	case " $groups " in
	*' bridged '*)
		lines "bridged lossless" | sed 's/^\(.*\) /cache_lines\t\1\t/' >"$dir/lines"
		cat "$dir/lines" >>"$dir/all"
		;;
	esac
	json <"$dir/all" >"$dir/qdisc.json"
}

# show FILTER: prints groups of results, each with the figure it is compared
# with
show()
{
	jq -r '
		def groups: . as $all |
			["dummy", "dummy path", .insn_per_packet],
			["bridged", "bridged path", .bridged],
			["no_rate_dummy", "dummy path, no rate", .no_rate?.dummy],
			["no_rate_bridged", "bridged path, no rate", .no_rate?.bridged],
			["features", "bridged path, lossless, with one feature", .features],
			["daemon", "bridged path, while losslessd looks at the ports", .daemon],
			["deadlock", "bridged path, lossless, without and with detection of deadlocks", .deadlock],
			["rcm", "bridged path, lossless, without and with regional congestion mitigation", .rcm],
			["rcm_full", "bridged path, lossless, packets wait, without it and isolated by it", .rcm_full],
			["group", "bridged path, lossless, at a port of a group of two", .group],
			["ports", "bridged path, by number of ports in the switch", .ports],
			["cache_lines", "cache lines of a packet, bridged path", .cache_lines] |
			select(.[2]) |
			{ name: .[0], title: .[1], figures: .[2] };
		def base($name): if .name == "cache_lines" then 0
			else .figures | .["\($name) noqueue"] // to_entries[0].value end;
		'"$1" "$dir/qdisc.json"
}

# shellcheck disable=SC2016 # jq expands it
METRICS='groups | . as $group | .figures | to_entries[] | .key as $key |
	"\($group.name).\(.key | gsub("[^A-Za-z0-9]+"; "-"))" as $name |
	"\($name) \(.value)", "\($name).more \(.value - ($group | base($key)))"'

# profiled "GROUP NAME" FILE
profiled()
{
	guest "${1%% *}" "$1"
	mv "$dir/profile.0" "$2"
}

# over: prints GROUP, NAME and instructions over those without a qdisc
over()
{
	jq -r '. as $all | to_entries[] | select(.value | type == "object") |
		.key as $group | if $group == "no_rate" then
			.value | to_entries[] | { key: ($group + "." + .key), value }
		else . end | .key as $group |
		.value | . as $figures | to_entries[] | .key as $key |
		select($key | test("noqueue$") | not) |
		($figures["\($key) noqueue"] // $figures.noqueue // $all.bridged.noqueue) as $base |
		"\($group)\t\($key)\t\(.value - $base)" +
			if $group == "rcm_full" then "\t12" else "" end' "$dir/qdisc.json"
}

# Compares with the budget. A figure repeats within 4 instructions, if its row has
# no other number.
check_budget()
{
	over | awk -F '\t' -v kernel="$(<"$dir/kernel")" '
		function result(ok, text) {
			printf "%s %d - budget: %s\n", ok ? "ok" : "not ok", ++n, text
			bad = bad || !ok
		}
		FNR == NR && /^#/ { next }
		FNR == NR && NF == 1 { budget_of = $1; next }
		FNR == NR { budget[$1 FS $2] = $3; spread[$1 FS $2] = $4 ? $4 : 4; next }
		{
			row = $1 FS $2
			name = $1 " " $2
			if (!(row in budget))
				result(0, name ": " $3 " instructions, no budget")
			else
				result($3 <= 1.01 * budget[row] + spread[row],
				       name ": " $3 " instructions, budget " budget[row])
			delete budget[row]
		}
		END {
			for (row in budget) {
				sub(FS, " ", row)
				result(0, row ": not measured")
			}
			print "1.." n
			if (bad && kernel != budget_of)
				print "# the budget was measured on " budget_of ", not on " kernel
			exit bad
		}' "$TOP/selftests/bench/budget" -
}

if [ -n "$profile" ]; then
	[ -z "$base" ] || profiled "$base" "$dir/profile.base"
	profiled "$profile" "$dir/profile.figure"
	"$TOP/selftests/bench/profile.py" "$dir/kallsyms" "$dir/profile.figure" $PACKETS \
		${base:+"$dir/profile.base"}
elif [ -n "$budget" ]; then
	qdiscs='noqueue lossless' rounds=3
	guest "$groups"
	json <"$dir/figures" >"$dir/qdisc.json"
	if [ $budget = check ]; then
		check_budget
	else
		sed -n '/^#/p' "$TOP/selftests/bench/budget"
		cat "$dir/kernel"
		over
	fi
elif [ -n "$runs" ]; then
	for ((i = 0; i < runs; i++)); do
		measure
		show "$METRICS"
	done
else
	measure
	# shellcheck disable=SC2016 # jq expands it
	show '"kernel \(.kernel), \(.packet_bytes) byte packets, instructions per packet, and over the first",
		(groups | . as $group | "\(.title):", (.figures | to_entries[] | .key as $key |
			"  \(.key)\t\(.value)\t\(.value - ($group | base($key)))"))' | column -t -s $'\t'
fi
