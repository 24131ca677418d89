#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a scenario of selftests/lab in virtual time: boots, builds a bed of switches
# and hosts, lets flows run, gathers counters, compares them with what is expected.
#
# Usage: lab.sh SCENARIO [KEY=VALUE...]   run it
#        lab.sh -l                        list the scenarios and their keys
#
# SEED=N is known to all, CAPTURE=NAME,...: hosts (h1) and ports of switches (s1p1)
# whose packets go to NAME.pcap, QUEUES=PORT[/PRIO],...: queues (of priority 3) whose
# bytes over time go to queue.csv, PAUSES=yes: pauses of switches go to pauses.csv,
# CONGESTED=yes: what RCM has found goes to congested.csv. Results go to
# out/lab/SCENARIO: index.html, result.json, and the files that they were made from; of a
# scenario with ARMS, those of each arm to a folder of its name. LLE_LAB_OUT: another folder. LLE_TIMEOUT:
# seconds until the guest is killed (600). LLE_LAB_PAGE=no: no plots, no page.
# LLE_LAB_BUILT: what lab-build.sh has printed, to build nothing. LLE_PROGRESS: seconds
# between two lines of progress (10).
#
# Exit status: 0 all as expected; 1 not; 2 wrong use; 4 the kernel cannot be had.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
LAB=$TOP/selftests/lab

die() { echo "lab.sh: $*" >&2; exit 2; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# The first lines of a scenario say what it is, and its keys with their defaults.
is_scenario() { grep -qs '^# keys: ' "$1"; }
about() { sed -n '4,/^$/{s/^#$//; s/^# //; p}' "$1"; }

list()
{
	local file

	for file in "$LAB"/*.sh; do
		! is_scenario "$file" || about "$file"
	done
}

# set_keys DEFAULT... -- KEY=VALUE...
set_keys()
{
	local pair known=' SEED CAPTURE QUEUES PAUSES CONGESTED '

	export SEED=1 CAPTURE='' QUEUES='' PAUSES=no CONGESTED=no
	while [ "$1" != -- ]; do
		export "${1?}"
		[[ $known == *" ${1%%=*} "* ]] || known+="${1%%=*} "
		shift
	done
	shift
	for pair in "$@"; do
		[[ $pair == *=* && $known == *" ${pair%%=*} "* ]] ||
			die "$SCENARIO has no key '${pair%%=*}'; it has:$known"
		export "${pair?}"
	done
	# shellcheck disable=SC2086 # a list of words
	read -ra keys <<<"$known"
}

# expect NAME OPERATOR VALUE: a metric is as it should be
expect()
{
	local value ok=false

	value=$(metric "$1")
	[ -z "$value" ] || ! awk "BEGIN { exit !($value $2 $3) }" || ok=true
	echo "$1 $2 $3 ${value:-null} $ok"
}

case ${1:-} in
-l) list; exit ;;
-h | --help) usage; exit ;;
'' | -*) usage >&2; exit 2 ;;
esac
export SCENARIO=$1
shift
is_scenario "$LAB/$SCENARIO.sh" ||
	die "there is no scenario '$SCENARIO' (see lab.sh -l)"
# shellcheck disable=SC2046 # a list of words
set_keys $(sed -n 's/^# keys: //p' "$LAB/$SCENARIO.sh") -- "$@"
# shellcheck source=selftests/lab/permutation.sh
. "$LAB/$SCENARIO.sh"
# shellcheck source=selftests/lab/metrics.sh
. "$LAB/metrics.sh"

out=${LLE_LAB_OUT:-$TOP/out/lab}/$SCENARIO
rm -rf "$out"
mkdir -p "$out"
built=${LLE_LAB_BUILT:-$("$HERE/lab-build.sh")}
{ read -r kernel; read -r mods; } <<<"$built"
PATH=$TOP/build/bin:$PATH
flows >"$out/flows"

environment=()
for key in "${keys[@]}"; do
	environment+=("$key=${!key}")
done
echo "$SCENARIO: ${environment[*]}"
TIMEFORMAT='%U %S %R'
rc=0
{ time "$HERE/uml-run.sh" -q -k "$kernel" -t "${LLE_TIMEOUT:-600}" -M 3072 -S "$SEED" -o "$out" \
	-p "$out/guest.pid" \
	-f "$mods/lossless.ko:/mods/lossless.ko" \
	-f "$mods/sch_lossless.ko:/mods/sch_lossless.ko" \
	-f "$mods/lle_rnic.ko:/mods/lle_rnic.ko" \
	-f "$mods/lle_oracle.ko:/mods/lle_oracle.ko" \
	-f "$mods/tcp_ldcp.ko:/mods/tcp_ldcp.ko" \
	-f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so" \
	-b "$TOP/build/bin/lle-testbed" -b "$TOP/build/bin/losslessctl" \
	-b "$TOP/build/bin/lle_tcp" -b "$TOP/build/bin/lle_random" \
	-f "$LAB/:/lab" -f "$out/flows:/lab/flows" \
	-- env SCENARIO="$SCENARIO" "${environment[@]}" bash /lab/guest.sh \
	2>"$out/run.log"; } 2>"$out/time" &
runner=$!
"$HERE/lab-watch.sh" "$kernel/linux" "$SCENARIO" "$out" $runner >"$out/cost"
wait $runner || rc=$?
if [ "$rc" -ne 0 ]; then
	cat "$out/run.log" "$out/console.log" >&2
	echo "lab.sh: $SCENARIO ended with status $rc" >&2
	exit 1
fi

# What a scenario with arms counts of each has the arm's name before it.
all_metrics()
{
	[ -n "${ARMS:-}" ] || { metrics; return; }
	for ARM in ${ARMS//,/ }; do
		(cd "$ARM" && metrics) | sed "s/^/$ARM./"
	done
}

cd "$out"
# the network is the same in all arms
[ -z "${ARMS:-}" ] || cp "${ARMS##*,}"/{bed,stats}.json .
all_metrics >metrics.txt
[ "$(type -t compare)" != function ] || compare >>metrics.txt
expectations >expected.txt
counters=(stats.json)
[ -z "${ARMS:-}" ] || counters=(*/stats.json)
hops=$(jq -s '[.[].qdiscs[].prios[].tx_packets] | add' "${counters[@]}")
jq -n --rawfile metrics metrics.txt --rawfile expected expected.txt \
	--rawfile time time --rawfile cost cost --arg kernel "$(<release)" \
	--arg scenario "$SCENARIO" --arg uptime "$(<uptime)" --argjson hops "$hops" '
	def lines: split("\n") | map(select(. != "") | split(" "));
	def pairs: reduce lines[] as $l ({};
		setpath($l[0] | split(".") | map(tonumber? // .); $l[1] | tonumber));
	def round3: . * 1000 | round / 1000;
	($time | split(" ")) as $t | ($cost | pairs) as $c |
	($c.gather - $c.run) as $run_s |
	{ scenario: $scenario, kernel: $kernel, seed: (env.SEED | tonumber),
	  keys: ($ARGS.positional | map(split("=") | { key: .[0], value: .[1] }) |
		from_entries),
	  virtual_s: ($uptime | tonumber),
	  cpu_s: ($t[0:2] | map(tonumber) | add | round3), run_cpu_s: ($run_s | round3),
	  memory_mb: ($c.memory_kb / 1024 | ceil),
	  packet_hops: $hops, hops_per_cpu_s: ($hops / ([$run_s, 0.01] | max) | floor),
	  metrics: ($metrics | pairs),
	  expected: ($expected | lines | map({ metric: .[0], operator: .[1], value: .[2],
		was: (.[3] | fromjson), ok: (.[4] | fromjson) })) }
	' --args "${environment[@]}" >result.json

jq -r '"\(.virtual_s) s of virtual time, \(.cpu_s) s of CPU, \(.memory_mb) MB, " +
	"\(.packet_hops) packet-hops, \(.hops_per_cpu_s) of them a CPU second",
	(.metrics | paths(scalars) as $p | "    \($p | join(".")) \(getpath($p))"),
	"expected:",
	(.expected[] | (if .ok then "    " else "NOT " end) +
		"\(.metric) \(.operator) \(.value): \(.was // "no such metric")")' result.json
if [ "${LLE_LAB_PAGE:-}" != no ]; then
	"$HERE/lab-report.sh" .
	echo "page: $out/index.html"
fi
jq -e 'all(.expected[]; .ok)' result.json >/dev/null
