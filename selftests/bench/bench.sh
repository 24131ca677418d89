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
#            prints lines METRIC VALUE of RUNS runs, without smp
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
TOP=$(dirname "$(dirname "$HERE")")
GROUPS_ALL='insn_per_packet bridged no_rate.dummy no_rate.bridged features daemon deadlock rcm rcm_full group ports ldcp bulk_tcp off smp'
BUILT=$TOP/build/bench
# shellcheck disable=SC2034 # for the guest
PACKETS=10000
BULK_MB=32
MODULES=ffffffffc0000000-fffffffffeffffff

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

mods=$("$TOP/scripts/build.sh" "$series")
make -s -C "$TOP" tc ctl daemon
mkdir -p "$dir" "$BUILT"
gcc -O2 -Wall -shared -fPIC -o "$BUILT/plugin.so" "$HERE/plugin.c"
for program in mark bulk; do
	gcc -O2 -Wall -o "$BUILT/$program" "$HERE/$program.c"
done

clock=(-i)
# guest GROUPS [PROFILE [COUNTED]]: runs groups; writes $dir/figures,
# and with PROFILE $dir/profile.0
guest()
{
	local plugin=()

	rm -f "$dir"/profile.[0-9]*
	[ $# -lt 2 ] || plugin=(-c "$BUILT/plugin.so,out=$dir/profile${3:+,$3}")
	"$TOP/scripts/vm/run.sh" -q "${clock[@]}" -k "$series" -t 1500 -o "$dir" "${plugin[@]}" \
		-m veth -m bridge -m dummy -m pktgen -m sch_red -m sch_tbf -m sch_prio \
		-m sch_ets -m sch_htb -m sch_fq_codel -m sch_cake -m tcp_dctcp \
		-f "$mods/lossless.ko:/mods/lossless.ko" \
		-f "$mods/sch_lossless.ko:/mods/sch_lossless.ko" \
		-f "$mods/tcp_ldcp.ko:/mods/tcp_ldcp.ko" \
		-f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so" \
		-b "$TOP/build/bin/losslessctl" -b "$TOP/build/bin/losslessd" \
		-b "$BUILT/mark" -b "$BUILT/bulk" \
		-f "$HERE/guest.sh:/bench.sh" \
		-- env GROUPS_TO_RUN="$1" PROFILE="${2:-}" QDISCS="${qdiscs:-}" \
		ROUNDS="${rounds:-5}" BULK_BYTES=$((BULK_MB * 1000000)) bash /bench.sh
}

# The groups with figures of one guest that counts instructions.
icount_groups() { sed 's/bulk_tcp//; s/off//; s/smp//' <<<"$groups"; }

# lines FIGURE: prints how many cache lines the modules touch and write
lines()
{
	guest "${1%% *}" "$1" "lines=$MODULES"
	"$HERE/profile.py" -l "$dir/kallsyms" "$dir/profile.0" \
		$PACKETS lossless sch_lossless
}

# Prints the cache lines that two pairs of ports of a switch write, both, and that
# those of two switches do not.
shared_lines()
{
	local locks

	# the guest's addresses do not change from boot to boot
	locks=$(awk '$3 ~ /^_raw_spin_(un)?lock(_bh)?$/ { print $1 }' "$dir/kallsyms" |
		sort | sed -n '1p;$p' | paste -sd -)
	guest pairs none "lines=$MODULES,lines=$locks"
	"$HERE/profile.py" -s "$dir/kallsyms" "$dir/profile.2" $PACKETS \
		"$dir"/profile.{3,0,1} lossless sch_lossless
}

# Prints the instructions per segment that tcp_ldcp and what it calls execute.
ldcp_calls()
{
	guest ldcp_calls none calls=on
	awk '/^calls/ { printf "ldcp_calls\ttcp_ldcp\t%.0f\n", $2 / 2000 }' "$dir/profile.0"
}

# Prints instructions per MB of bulk TCP.
bulk()
{
	local i=0 name

	guest bulk_tcp none
	while read -r name; do
		awk -v name="$name" -v mb=$BULK_MB '/^total/ {
			printf "bulk_tcp\t%s\t%.0f\n", name, $2 / mb }' "$dir/profile.$i"
		i=$((i + 1))
	done <"$dir/marked"
}

# path_costs: prints the instructions of lossless over noqueue, on two paths
path_costs()
{
	local qdiscs='noqueue lossless'

	guest 'insn_per_packet bridged'
	awk -F '\t' '{ figure[$1, $2] = $3 } END {
		split("insn_per_packet bridged", group, " ")
		for (i = 1; i <= 2; i++)
			print figure[group[i], "lossless"] - figure[group[i], "noqueue"] }' \
		"$dir/figures"
}

# Prints what features that are off cost: over a build without them.
off()
{
	local copy=$BUILT/without mods=$mods

	path_costs >"$dir/with"
	rm -rf "$copy"
	mkdir -p "$copy"
	tar -C "$TOP" --exclude=./build --exclude=./out --exclude=./.git -cf - . | tar -C "$copy" -xf -
	patch -s -d "$copy" -p1 -F0 <"$HERE/without.patch"
	mods=$("$copy/scripts/build.sh" "$series")
	path_costs | paste "$dir/with" - |
		awk '{ printf "off\t%s\t%d\n", NR == 1 ? "dummy" : "bridged", $1 - $2 }'
}

# Prints packets a second with one switch over those with two, of two CPUs, in
# real time: median, least and largest of pairs of runs.
smp()
{
	local clock=(-s 2)

	guest smp
	awk -F '\t' '{ split($2, word, " "); pps[word[4], word[2]] = $3; runs = word[4] + 1 }
		END { for (i = 0; i < runs; i++) print pps[i, 1] / pps[i, 2] }' "$dir/figures" |
		sort -g | awk '{ ratio[NR] = $1 } END {
			printf "smp\tratio\t%.3f\nsmp\tratio, least\t%.3f\n", ratio[int((NR + 1) / 2)], ratio[1]
			printf "smp\tratio, largest\t%.3f\nsmp\truns\t%d\n", ratio[NR], NR }'
}

# Prints figures of the guest, and with those the cache lines, as JSON.
json()
{
	jq -Rn --arg kernel "$(<"$dir/kernel")" '
		reduce (inputs / "\t") as [$group, $name, $value]
			({ kernel: $kernel, packet_bytes: 1000 };
			 setpath($group / "." + [$name]; $value | tonumber)) |
		if .smp then .smp_ratio = .smp.ratio else . end'
}

measure()
{
	guest "$(icount_groups)"
	cp "$dir/figures" "$dir/all"
	case " $groups " in
	*' smp '*)
		smp >"$dir/smp"
		cat "$dir/smp" >>"$dir/all"
		;;
	esac
	case " $groups " in
	*' off '*)
		off >"$dir/off"
		cat "$dir/off" >>"$dir/all"
		;;
	esac
	case " $groups " in
	*' ldcp '*)
		ldcp_calls >"$dir/ldcp"
		cat "$dir/ldcp" >>"$dir/all"
		;;
	esac
	case " $groups " in
	*' bulk_tcp '*)
		bulk >"$dir/bulk"
		cat "$dir/bulk" >>"$dir/all"
		;;
	esac
	case " $groups " in
	*' bridged '*)
		{ lines "bridged lossless"; shared_lines; } |
			sed -n 's/^\([a-z]*\) /cache_lines\t\1\t/p' >"$dir/lines"
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
			["ldcp", "TCP segments and an ACK each, bridged path, DCTCP and LDCP", .ldcp],
			["ldcp_calls", "of these, what tcp_ldcp and the functions it calls execute", .ldcp_calls],
			["bulk_tcp", "bulk TCP through the bridge, instructions per MB", .bulk_tcp],
			["off", "watchdog, deadlock detection, RCM and path groups, all off, over a build without them", .off],
			["smp", "two CPUs, pairs of ports of one switch, over those of two", .smp],
			["cache_lines", "cache lines of a packet, bridged path", .cache_lines] |
			select(.[2]) |
			{ name: .[0], title: .[1], figures: .[2] };
		def base($name): if .name == "ldcp_calls" or .name == "cache_lines" or .name == "smp" or .name == "off" then 0
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
		(if $group == "ldcp_calls" then 0 else
			$figures["\($key) noqueue"] // $figures.noqueue // $all.bridged.noqueue
		end) as $base |
		"\($group)\t\($key)\t\(.value - $base)" +
			if $group == "rcm_full" then "\t12" else "" end' "$dir/qdisc.json"
}

# Measures what the budget has; prints as over
measure_budget()
{
	guest "$(icount_groups)"
	cp "$dir/figures" "$dir/all"
	ldcp_calls >>"$dir/all"
	json <"$dir/all" >"$dir/qdisc.json"
	over
}

# check_budget FILE: compares with the budget. A figure repeats within 4 instructions,
# if its row has no other number.
check_budget()
{
	awk -F '\t' -v kernel="$(<"$dir/kernel")" '
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
		}' "$HERE/budget" "$1"
}

if [ -n "$profile" ]; then
	[ -z "$base" ] || profiled "$base" "$dir/profile.base"
	profiled "$profile" "$dir/profile.figure"
	"$HERE/profile.py" "$dir/kallsyms" "$dir/profile.figure" $PACKETS \
		${base:+"$dir/profile.base"}
elif [ -n "$budget" ]; then
	qdiscs='noqueue lossless' rounds=3 groups=${groups/ldcp/}
	measure_budget >"$dir/over"
	if [ $budget = print ]; then
		sed -n '/^#/p' "$HERE/budget"
		cat "$dir/kernel" "$dir/over"
	elif ! check_budget "$dir/over" >"$dir/check"; then
		# hash chains of a boot may be long: the lower figure of two boots counts
		measure_budget | cat "$dir/over" - | awk -F '\t' '{ row = $1 FS $2 }
			!(row in least) || $3 < least[row] { least[row] = $3; line[row] = $0 }
			END { for (row in line) print line[row] }' >"$dir/least"
		check_budget "$dir/least"
	else
		cat "$dir/check"
	fi
elif [ -n "$runs" ]; then
	groups=${groups/smp/}
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
