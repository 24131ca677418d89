#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a scenario of lab/scenarios in virtual time: boots a guest, builds a
# topology of switches and hosts, lets flows run, gathers counters, and checks
# expectations.
#
# Usage: lab.sh SCENARIO [KEY=VALUE...]   run it
#        lab.sh -l                        list the scenarios and their keys
#        lab.sh -v SCENARIO [KEY=VALUE...]
#                                         print the version of its results
#
# Every scenario has the keys
#  SEED=N           seed of all random choices
#  CAPTURE=NAME,... captures packets of hosts (h1) and ports of switches (s1p1)
#                   to NAME.pcap
#  QUEUES=PORT[/PRIO],...
#                   samples queues (of priority 3) to queue.csv
#  PAUSES=yes       records pauses of switches in pauses.csv
#  CONGESTED=yes    records what CFR identifies in congested.csv
#
# Results go to out/lab/SCENARIO/KEYS: index.html, result.json, and the files
# that they were made from; with ARMS, those of each arm go to a folder of its
# name. KEYS has SEED, and the keys that are not at their defaults. During a run
# the folder is called KEYS.unfinished. The link out/lab/SCENARIO/latest names
# the newest folder. A run with the same keys gives the same results, and
# replaces them; results of other modules or scripts are kept, as KEYS.1, KEYS.2
# and so on.
#
# LLE_LAB_OUT: another folder than out/lab. LLE_TIMEOUT: seconds until the
# guest is killed (540, and 60 for each of RUNS). LLE_LAB_PAGE=no: no plots, no
# page. LLE_LAB_BUILT: output of lab/build.sh, to skip the build. LLE_PROGRESS:
# seconds between two lines of progress (10).
#
# Exit status: 0 all expectations hold; 1 one fails, or a physical bound is
# broken, or there is no result; 2 wrong use; 4 the kernel cannot be had.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
LAB=$TOP/lab/scenarios
# each flow takes 1 KB of the guest's memory, and of its results
FLOWS_MAX=2000000
MEMORY_MB=3072

# shellcheck source=lab/scenarios/keys.sh
. "$LAB/keys.sh"
# shellcheck source-path=SCRIPTDIR source=../scripts/job-lib.sh
. "$HERE/../scripts/job-lib.sh"

die() { echo "lab.sh: $*" >&2; exit 2; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# The head of a scenario describes it, and its keys with their defaults.
is_scenario() { grep -qs '^# keys: ' "$1"; }
about() { sed -n '4,/^$/{s/^#$//; s/^# //; p}' "$1"; }

list()
{
	local file

	for file in "$LAB"/*.sh; do
		! is_scenario "$file" || about "$file"
	done
}

# Prints the files of a scenario: its own, common ones, and those they name.
files()
{
	local file name
	local -A seen=()
	local todo=("$SCENARIO.sh" guest.sh keys.sh)

	while [ ${#todo[@]} -gt 0 ]; do
		file=${todo[0]}
		todo=("${todo[@]:1}")
		[ -z "${seen[$file]:-}" ] || continue
		seen[$file]=y
		while read -r name; do
			[ ! -f "$LAB/$name" ] || todo+=("$name")
		done < <(grep -oE '[a-z][a-z0-9-]*\.(sh|py|awk)' "$LAB/$file" | sort -u)
	done
	printf '%s\n' "${!seen[@]}" | sort
}

# Prints the hash of all inputs of a result: files that keys name, but not the
# keys. A kernel's folder has a hash of its inputs; its build has a date.
version()
{
	local files

	mapfile -t files < <(key_files)
	(
		cd "$LAB"
		echo "${kernel##*/}"
		# shellcheck disable=SC2046 # names without blanks
		cat "$mods"/{lossless,sch_lossless,lle_rnic,lle_oracle,lle_wire,tcp_ldcp}.ko \
			"$TOP"/build/bin/{lle-testbed,lle-topology,lle_flows,lle_tcp,lle_until,lle_random} \
			"$TOP"/daemon/{lib,losslessctl}/* "$HERE/lab.sh" $(files) merge.py ../flow-sizes/* "${files[@]}"
	) | sha256sum | cut -c1-16
}

# no_run WHAT: removes the folder and ends
no_run()
{
	rm -rf "$out"
	die "$SCENARIO has $1 for these keys"
}

# expect NAME OPERATOR VALUE: prints whether a metric meets this
expect()
{
	local value ok=false

	value=$(metric "$1")
	[ -z "$value" ] || ! awk "BEGIN { exit !($value $2 $3) }" || ok=true
	echo "$1 $2 $3 ${value:-null} $ok"
}

# guest_command PART DIR [OPTION...]: sets command for a part, or all parts (0)
guest_command()
{
	local part=$1 dir=$2 options=() topology=() seconds=${LLE_TIMEOUT:-$((540 + 60 * ${RUNS:-1}))}

	[ "$(type -t guest_options)" != function ] || mapfile -t options < <(guest_options)
	[ ! -e "$topology_file" ] || topology=(-f "$topology_file:/lab/topology")
	command=("$HERE/uml-run.sh" -q -k "$kernel" -t "$seconds" -M "$MEMORY_MB" -S "$SEED" -o "$dir"
		-p "$dir/guest.pid" "${@:3}"
		-f "$mods/lossless.ko:/mods/lossless.ko"
		-f "$mods/sch_lossless.ko:/mods/sch_lossless.ko"
		-f "$mods/lle_rnic.ko:/mods/lle_rnic.ko"
		-f "$mods/lle_oracle.ko:/mods/lle_oracle.ko"
		-f "$mods/tcp_ldcp.ko:/mods/tcp_ldcp.ko"
		-f "$mods/lle_wire.ko:/mods/lle_wire.ko"
		-f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so"
		-b "$TOP/build/bin/lle-testbed" -b "$TOP/build/bin/losslessctl"
		-b "$TOP/build/bin/lle_tcp" -b "$TOP/build/bin/lle_until" -b "$TOP/build/bin/lle_random"
		"${options[@]}" -f "$LAB/:/lab" -f "$out/flows:/lab/flows" "${topology[@]}"
		-- env ${LLE_LAB_DISTURB:+DISTURB=yes} SCENARIO="$SCENARIO" PART="$part" "${environment[@]}"
		bash /lab/guest.sh)
}

# guest PART DIR [OPTION...]: becomes the guest
guest()
{
	local command

	guest_command "$@"
	exec "${command[@]}" 2>"$2/run.log"
}

# Runs the guests of all parts here. Status: the first failure; it ends all.
guests_memory()
{
	local i rc=0 pids=() memory

	memory=$(mktemp -p /dev/shm lle-wire.XXXXXX) || return
	# shellcheck disable=SC2064 # the name of now
	trap "rm -f '$memory'" EXIT
	trap exit INT TERM
	truncate -s $((PARTS * PARTS * 9 + 1))m "$memory"
	for ((i = 1; i <= PARTS; i++)); do
		mkdir -p "$out/parts/$i"
		guest $i "$out/parts/$i" -w "$memory" &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait -n || { rc=$?; break; }
	done
	[ $rc -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
	wait
	return $rc
}

# part_script PART MEMORY SECONDS: prints a script that runs and watches a guest
part_script()
{
	local dir=$out/parts/$1 command progress=/dev/stderr

	guest_command "$1" "$dir" -w "$2.$1"
	[ "$1" -eq 1 ] || progress=/dev/null
	# a killed script leaves no guest
	cat <<-END
		setpriv --pdeathsig TERM -- $(printf '%q ' "${command[@]}") 2>$(printf %q "$dir/run.log") &
		guest=\$!
		$(printf '%q ' "$HERE/watch.sh" "$kernel/linux" "$SCENARIO" "$dir") \$guest $3 \
			>$(printf %q "$out/cost.$1") 2>$progress &
		wait \$guest || rc=\$?
		wait
		exit \${rc:-0}
	END
}

# Runs guests on nodes of Slurm, with this tree and $out. Status: a failure.
guests_mpi()
{
	local i rc=0 memory seconds

	seconds=$(flows_file=$out/flows busy)
	memory=$(mktemp -u -p /dev/shm lle-wire.XXXXXX)
	for ((i = 1; i <= PARTS; i++)); do
		mkdir -p "$out/parts/$i"
		part_script $i "$memory" "$seconds" >"$out/parts/$i/command"
	done
	trap 'kill $!' EXIT
	trap exit INT TERM
	srun --quiet --job-name="lle-$SCENARIO" --ntasks="$PARTS" --mpi=pmix --kill-on-bad-exit=1 --wait=0 \
		"$TOP/build/bin/lle_wire_mpi" "$memory" "$out/parts" </dev/null &
	wait $! || rc=$?
	trap - EXIT
	return $rc
}

# Runs the guests, and merges their results; seconds of CPU go to the file cpu.
run()
{
	local rc=0

	case $PARTS,$TRANSPORT in
	[01],*) (guest 0 "$out") || rc=$? ;;
	*) "guests_$TRANSPORT" || rc=$? ;;
	esac
	if [ "$TRANSPORT" = memory ]; then
		# the second line is that of children: 1m2.345s 0m6.789s
		times >"$out/time"
		awk -F'[ms ]+' 'NR == 2 { print $1 * 60 + $2 + $3 * 60 + $4 }' "$out/time"
	elif [ $rc -eq 0 ]; then
		awk '{ sum += $1 } END { print sum }' "$out"/parts/*/cpu
	fi >"$out/cpu"
	[ "$PARTS" -le 1 ] || [ $rc -ne 0 ] || "$LAB/merge.py" "$out" || rc=$?
	return $rc
}

# watch DIR SECONDS: prints the progress of a guest, and what it costs
watch() { "$HERE/watch.sh" "$kernel/linux" "$SCENARIO" "$1" "$runner" "$2"; }

# Watches all guests until they end; prints their cost. One shows the progress.
watch_all()
{
	local i seconds

	seconds=$(flows_file=$out/flows busy)
	if [ "$PARTS" -le 1 ]; then
		watch "$out" "$seconds"
		return
	fi
	if [ "$TRANSPORT" = memory ]; then
		for ((i = 2; i <= PARTS; i++)); do
			watch "$out/parts/$i" "$seconds" 2>/dev/null >"$out/cost.$i" &
		done
		watch "$out/parts/1" "$seconds" >"$out/cost.1"
		wait
	else
		# their scripts do
		tail --pid="$runner" -f /dev/null
	fi
	awk '$1 == "stands" { print; next } { sum[$1] += $2 } END { for (name in sum) print name, sum[name] }' "$out"/cost.*
}

# keep: gives the folder of this run its final name, and links it as the latest
keep()
{
	local number=1

	if [ -d "$root/$name" ]; then
		if [ "$(jq -r .version "$root/$name/result.json")" = "$version" ]; then
			rm -rf "${root:?}/$name"
		else
			while [ -e "$root/$name.$number" ]; do
				number=$((number + 1))
			done
			mv "$root/$name" "$root/$name.$number"
			echo "results of an earlier version are in $root/$name.$number"
		fi
	fi
	mv "$out" "$root/$name"
	out=$root/$name
	ln -sfn "$name" "$root/latest.new"
	mv -T "$root/latest.new" "$root/latest"
}

case ${1:-} in
-l) list; exit ;;
-h | --help) usage; exit ;;
-v) only_version=y; shift ;;
'' | -*) usage >&2; exit 2 ;;
esac
export SCENARIO=${1:-}
shift
is_scenario "$LAB/$SCENARIO.sh" ||
	die "there is no scenario '$SCENARIO': $(cd "$LAB" && grep -l '^# keys: ' -- *.sh | sed 's/\.sh$//' | paste -sd ' ')"
declare_keys
take "$@"
check_keys
# Seconds in which most packets are sent, for the time left
busy() { duration; }
# shellcheck source=lab/scenarios/permutation.sh
. "$LAB/$SCENARIO.sh"
[ -n "${only_version:-}" ] || [ "$(type -t limits)" != function ] || limits

if [ "$TRANSPORT" = mpi ]; then
	[ "$PARTS" -ge 2 ] || refuse TRANSPORT "needs PARTS of 2 or more"
	[ -n "${only_version:-}" ] || command -v srun mpicc >/dev/null ||
		refuse TRANSPORT "needs Slurm and Open MPI (scripts/deps.sh mpi)"
fi

# make would read keys such as CC
built=${LLE_LAB_BUILT:-$(unset "${keys[@]}" && "$HERE/build.sh")}
{ read -r kernel; read -r mods; } <<<"$built"
PATH=$TOP/build/bin:$PATH
[ "$TRANSPORT" = memory ] || make -s -C "$TOP" build/bin/lle_wire_mpi >&2
version=$(version)
[ -z "${only_version:-}" ] || { echo "$version"; exit; }

root=${LLE_LAB_OUT:-$TOP/out/lab}/$SCENARIO
name=$(set_name)
out=$root/$name.unfinished
mkdir -p "$out"
root=$(readlink -f "$root") out=$root/$name.unfinished
exec {lock}<"$out"
flock -n "$lock" || die "another run of $SCENARIO with these keys writes to $out: wait for it"
find "$out" -mindepth 1 -delete
# shellcheck disable=SC2034 # for scenarios
topology_file=$out/topology
[ "$(type -t topology)" != function ] || topology >"$topology_file" || no_run "no topology"
rc=0
flows | head -n $((FLOWS_MAX + 1)) >"$out/flows" || rc=$?
[ "$(wc -l <"$out/flows")" -le $FLOWS_MAX ] || no_run "more than $FLOWS_MAX flows"
[ $rc -eq 0 ] || no_run "no flows"
[ "$(wc -l <"$out/flows")" -le $((FLOWS_MAX / 4)) ] || MEMORY_MB=$((2 * MEMORY_MB))

environment=()
for key in "${keys[@]}"; do
	environment+=("$key=${!key}")
done
echo "$SCENARIO: ${environment[*]}"
rc=0
run &
runner=$!
watch_all >"$out/cost" &
wait $runner || rc=$?
wait
if [ "$rc" -ne 0 ]; then
	# the guest refuses keys that only the testbed can check
	refused=$(find "$out" -name console.log -exec sed -n 's/^lab: refused: //p' {} + | head -n 1)
	if [ -n "$refused" ]; then
		echo "$refused" >&2
		rm -rf "$out"
		exit 2
	fi
	find "$out" \( -name run.log -o -name console.log \) -exec cat {} + >&2
	sed -n 's/^stands //p' "$out/cost" >&2
	echo "lab.sh: $SCENARIO ended with status $rc; what it left is in $out" >&2
	exit 1
fi

# Metrics of an arm begin with its name.
all_metrics()
{
	[ -n "${ARMS:-}" ] || { metrics; return; }
	for ARM in ${ARMS//,/ }; do
		(cd "$ARM" && metrics) | sed "s/^/$ARM./"
	done
}

cd "$out"
# the network is the same in all arms
[ -z "${ARMS:-}" ] || cp "${ARMS##*,}"/{testbed,stats}.json .
all_metrics >metrics.txt
[ "$(type -t compare)" != function ] || compare >>metrics.txt
expectations >expected.txt
bounds_rc=0
DURATION=$(flows_file=flows duration) "$LAB/bounds.py" >bounds.txt || bounds_rc=$?
[ $bounds_rc = 0 ] || [ $bounds_rc = 3 ] || {
	echo "lab.sh: $SCENARIO: its bounds cannot be checked; what it left is in $out" >&2
	exit 1
}
counters=(stats.json)
[ -z "${ARMS:-}" ] || counters=(*/stats.json)
[ ! -e testbeds.json ] || counters+=(testbeds.json)	# of earlier testbeds
hops=$(jq -s '[.[].qdiscs[].prios[].tx_packets] | add' "${counters[@]}")
jq -n --rawfile metrics metrics.txt --rawfile expected expected.txt \
	--rawfile bounds bounds.txt --rawfile cost cost --arg kernel "$(<release)" --arg version "$version" \
	--argjson cpu "$(<cpu)" --arg scenario "$SCENARIO" --arg uptime "$(<uptime)" \
	--argjson hops "$hops" '
	def lines: split("\n") | map(select(. != "") | split(" "));
	def pairs: reduce lines[] as $l ({};
		setpath($l[0] | split(".") | map(tonumber? // .); $l[1] | tonumber? // null));
	def round3: . * 1000 | round / 1000;
	($cost | pairs) as $c |
	$c.run_s as $run_s |
	{ scenario: $scenario, kernel: $kernel, version: $version, seed: (env.SEED | tonumber),
	  keys: ($ARGS.positional | map(split("=") | { key: .[0], value: .[1] }) |
		from_entries | del(.PARTS, .TRANSPORT)),
	  virtual_s: ($uptime | tonumber),
	  cpu_s: ($cpu | round3), run_cpu_s: ($run_s | round3),
	  memory_mb: ($c.memory_kb / 1024 | ceil),
	  packet_hops: $hops, hops_per_cpu_s: ($hops / ([$run_s, 0.01] | max) | floor),
	  metrics: ($metrics | pairs),
	  expected: ($expected | lines | map({ metric: .[0], operator: .[1], value: .[2],
		was: (.[3] | fromjson), ok: (.[4] | fromjson) })),
	  broken_bounds: ($bounds | split("\n") | map(select(. != ""))) }
	' --args "${environment[@]}" >result.json

[ ! -e output.txt ] || cat output.txt
jq -r '"\(.virtual_s) s of virtual time, \(.cpu_s) s of CPU, \(.memory_mb) MB, " +
	"\(.packet_hops) packet-hops, \(.hops_per_cpu_s) of them a CPU second",
	(.metrics | paths(scalars) as $p | "    \($p | join(".")) \(getpath($p))"),
	"expected:",
	(.expected[] | (if .ok then "    " else "NOT " end) +
		"\(.metric) \(.operator) \(.value): \(.was // "no such metric")"),
	(.broken_bounds[] | "BROKEN BOUND \(.)")' result.json
[ "${LLE_LAB_PAGE:-}" = no ] || "$HERE/report.sh" .
keep
cd "$out"
if [ -e index.html ]; then
	echo "page: $out/index.html"
else
	echo "result: $out/result.json"
fi
jq -e 'all(.expected[]; .ok) and .broken_bounds == []' result.json >/dev/null
