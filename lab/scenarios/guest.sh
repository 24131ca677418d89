#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The guest's part of a lab run: builds the testbed, lets flows run while user
# space sleeps, and gathers counters. The scenario and its keys are in the
# environment: see lab/lab.sh.
#
# Writes to $OUT, or for each of $ARMS to a folder of its name there:
# testbed.json, stats.json (of qdiscs), watchdogs.json (of switches),
# switches.json, deadlocks.json, congestion.json (RCM at the end), flows.csv,
# hosts.csv, bins.csv, timeline.csv, events.csv, queue.csv of $QUEUES, pauses.csv if $PAUSES,
# congested.csv if $CONGESTED, NAME.pcap of each NAME in $CAPTURE

set -eu

RNIC=/sys/kernel/debug/lle_rnic
TRACING=/sys/kernel/tracing
part=()		# options of lle-testbed
parts=()	# the same, if there are several parts
pids=()		# of captures
RINGS_KB=131072	# of all captures together

# Flows start at this time, when the testbed has settled.
START_NS=100000000
# A testbed of several parts begins at a multiple of this, when all are built.
SETTLE_NS=100000000000
# Parts wait for each other from this time before the first flow: nothing crosses earlier.
LEAD_NS=100000
# Parts read the state of their network this time after a run, and another one STEP_US later.
READ_US=100
STEP_US=1000

# shellcheck disable=SC2034 # for scenarios
flows_file=/lab/flows topology_file=/lab/topology

: "${PARTS:?}" "${PART:?}" "${TRANSPORT:?}"

# Prints bins and samples of queues for the whole time; fewer for many flows.
bins()
{
	awk -v s="$(duration)" -v flows="$(wc -l </lab/flows)" 'BEGIN {
		bins = flows > 1000 ? 100 : 1000
		us = int(s * 1e6 / bins)
		us += us * bins < s * 1e6
		print "bin_us=" us, "bins=" bins, "sample_us=" us, "samples=" bins,
			"timeline_us=1" }'
}

switches() { ip netns exec lle-sw losslessctl "$@"; }

# refuse KEY REASON: ends the run, with a message for lab.sh
refuse()
{
	echo "lab: refused: $SCENARIO: $1=${!1}: $2"
	exit 64
}

# Prints CLOCK_MONOTONIC. Takes long while there are thousands of timers.
now_ns() { awk '/^now at/ { print $3; exit }' /proc/timer_list; }

# has_port NAME: the network has it, if not this part
has_port() { grep -qF "\"dev\":\"$1\"," "$OUT/testbed.json"; }

# insert_rnic OPTION...: inserts lle_rnic.ko, with remote hosts and $QUEUES
insert_rnic()
{
	local queue

	insmod /mods/lle_rnic.ko "$@"
	[ ${#parts[@]} -eq 0 ] || lle-testbed show --format ethers >$RNIC/ethers
	for queue in ${QUEUES//,/ }; do
		if ! has_port "${queue%/*}" || ! echo "${queue/\// }" 2>/dev/null >$RNIC/queues; then
			refuse QUEUES "there is no port ${queue%/*}"
		fi
	done
}

# prepare and traffic are for flows of lle_rnic.ko; a scenario may replace them.
prepare()
{
	# shellcheck disable=SC2046 # lists of words; of two, the last one
	# counts
	insert_rnic $(bins) $(rnic_options)
	cat /lab/flows >$RNIC/flows
	seconds=$(awk -v ns=$START_NS -v s="$(duration)" 'BEGIN { print ns / 1e9 + s }')
}

traffic()
{
	if [ "$PARTS" != 0 ]; then
		together "$seconds"
		return
	fi
	echo "start +$START_NS" >$RNIC/control
	sleep "$seconds"
}

# schedule SECONDS...: sets run_ns, the start of flows, and end_ns
schedule()
{
	local start

	start=$((($(now_ns) / SETTLE_NS + 1) * SETTLE_NS))
	run_ns=$((start + START_NS))
	end_ns=$(awk -v ns="$start" 'BEGIN {
		for (i = 1; i < ARGC; i++) s += ARGV[i]
		printf "%.0f", ns + s * 1e9 }' "$@")
}

# begin_parts NS: lets parts exchange frames from NS before the first flow
begin_parts()
{
	echo "$((run_ns - $1)) $end_ns" >/sys/module/lle_wire/parameters/run
	echo "start $run_ns" >$RNIC/control
}

# together SECONDS...: runs all parts for the sum of SECONDS, START_NS included
together()
{
	schedule "$@"
	begin_parts $LEAD_NS
	sleep $((end_ns - $(now_ns)))e-9
}

# tcp_traffic [OPTION...] CC SECONDS: lets lle_tcp send the flows; prints their results
tcp_traffic()
{
	if [ "$PARTS" = 0 ]; then
		# lle_tcp starts after the same delay
		echo "start +$START_NS" >$RNIC/control
		lle_tcp "$@" </lab/flows
		return
	fi
	# connections are made before flows begin, and what is under way at their end arrives
	schedule "${START_NS}e-9" "${*: -1}" 2
	begin_parts $START_NS
	lle_tcp -a "$run_ns,$end_ns" "$@" </lab/flows
}

# Writes testbed.json, with the part of each node if there are several.
testbed_json() { lle-testbed show "${parts[@]}" --format json >"$OUT/testbed.json"; }

# testbed_up ARGUMENT...: ports split GSO packets, unless GSO=no-split-gso
testbed_up()
{
	local options=${GSO:-split-gso}

	[[ $* = *" bands "* ]] || options+=" strict 8"
	lle-testbed up "$@" "${part[@]}" --edge "$options" --fabric "$options" --host "$options"
}

# at_once COMMAND...: reads a state at the same time in all parts
at_once()
{
	if [ "$PARTS" != 0 ]; then
		sleep $((read_us - ${EPOCHREALTIME/./}))e-6
		read_us=$((read_us + STEP_US))
	fi
	"$@"
}

read_state()
{
	at_once lle-testbed stats "${parts[@]}" >"$OUT/stats.json"
	at_once switches -j congestion show -a >"$OUT/congestion.json"
	at_once switches -j watchdog show stats -e >"$OUT/watchdogs.json"
	at_once switches -j switch show >"$OUT/switches.json"
	at_once switches -j deadlock history >"$OUT/deadlocks.json"
}

gather()
{
	[ -d $RNIC ] || return 0
	[ -e "$OUT/flows.csv" ] || cat $RNIC/results >"$OUT/flows.csv"
	cat $RNIC/hosts >"$OUT/hosts.csv"
	cat $RNIC/bins >"$OUT/bins.csv"
	[ -z "$QUEUES" ] || cat $RNIC/queues >"$OUT/queue.csv"
	cat $RNIC/timeline >"$OUT/timeline.csv"
}

# capture NAME KB: captures headers at a host or a port of a switch, in a ring
# of KB. tcpdump would disturb: it is stopped until the run is over.
capture()
{
	local name=$1 kb=$2 netns=lle-sw dev=$1 log=/tmp/capture.$1

	if [ -e "/run/netns/lle-$name" ]; then
		netns=lle-$name
		dev=eth0
	elif grep -qF "\"netns\":\"lle-$name\"" "$OUT/testbed.json"; then
		return		# a host of another part
	elif ! has_port "$dev"; then
		refuse CAPTURE "there is no host or port $dev"
	elif [ ${#parts[@]} -gt 0 ] && ! ip -n lle-sw link show group "$PART" | grep -q " ${dev}[@:]"; then
		return		# a port of another part
	fi
	: >"$log"
	ip netns exec "$netns" tcpdump -n -i "$dev" -s 96 -B "$kb" --immediate-mode \
		--time-stamp-precision=nano -w "$OUT/$name.pcap" 2>"$log" &
	pids+=($!)
	until grep -q 'listening on' "$log" 2>/dev/null; do
		kill -0 $! || { cat "$log" >&2; return 1; }
		sleep 0.1
	done
	kill -STOP $!
}

# Trace events, by the key that enables them and the file for them
declare -A events=([events]='lle_deadlock lle_storm' [pauses]='lle_pause_tx lle_pause_rx' [congested]='lle_congested')

wanted()
{
	[ "$PAUSES" != yes ] || echo pauses
	[ "$CONGESTED" != yes ] || echo congested
}

begin_trace()
{
	local file event

	echo mono >$TRACING/trace_clock
	[ -z "$(wanted)" ] || echo 65536 >$TRACING/buffer_size_kb
	echo >$TRACING/trace
	for file in events $(wanted); do
		for event in ${events[$file]}; do
			echo 1 >$TRACING/events/lossless/"$event"/enable
		done
	done
	echo 1 >$TRACING/tracing_on
}

read_trace()
{
	local file

	for file in "$@"; do
		{
			ip -n lle-sw -o link
			cat $TRACING/trace
		} | awk -v net="net=$(stat -L -c %i /run/netns/lle-sw)" \
			-f "/lab/$file.awk" >"$OUT/$file.csv"
	done
}

end_captures()
{
	[ ${#pids[@]} -gt 0 ] || return 0
	kill -CONT "${pids[@]}"
	# time passes only after all have read their rings
	sleep 0.001
	kill "${pids[@]}"
	wait
	pids=()
	if grep -h 'dropped by' /tmp/capture.* | grep -v '^0 '; then
		echo "guest.sh: the captures are not complete" >&2
		return 1
	fi
}

# shellcheck source=lab/scenarios/metrics.sh
. /lab/metrics.sh
# shellcheck source=lab/scenarios/permutation.sh
. "/lab/$SCENARIO.sh"

# the backlog of one CPU has the packets of all links
sysctl -qw net.core.netdev_max_backlog=10000000
ulimit -n 100000
random=()
# the numbers of a port must not depend on other parts
[ "$PARTS" = 0 ] || random=(seed="$SEED")
algorithm=()
[ "${MODE:-}" != dcfit ] || algorithm=(dcfit=1)
insmod /mods/lossless.ko "${random[@]}" "${algorithm[@]}"
insmod /mods/sch_lossless.ko
if [ "$PARTS" != 0 ]; then
	wire=(part="$PART" parts="$PARTS")
	# parts on other machines publish their time only at barriers
	[ "$TRANSPORT" = memory ] || wire+=(windows=1)
	insmod /mods/lle_wire.ko "${wire[@]}"
	part=(--part "$PART/$PARTS")
	[ "$PARTS" -eq 1 ] || parts=("${part[@]}")
	# no queue may be cut: what is left would be mixed with later events
	sysctl -qw net.core.dev_weight=10000000 net.core.netdev_budget=10000000
	# sleep to the nanosecond
	echo 1 >/proc/$$/timerslack_ns
fi

IFS=, read -ra names <<<"$CAPTURE"

# run NUMBER COUNT: one run, with results in $OUT. watch.sh reads "lab: ..."
run()
{
	local name

	echo "lab: build"
	testbed
	testbed_json
	for name in "${names[@]}"; do
		capture "$name" $((RINGS_KB / ${#names[@]}))
	done
	begin_trace
	prepare
	echo "lab: run $1 of $2"
	traffic
	read_us=$((${EPOCHREALTIME/./} + READ_US))
	echo "lab: gather"
	# no frame moves between parts now
	[ "$PARTS" = 0 ] || read_state
	# else flows may continue: traces and captures end before counters are read
	echo 0 >$TRACING/tracing_on
	# shellcheck disable=SC2046 # a list of words
	read_trace $(wanted)
	end_captures
	[ "$PARTS" != 0 ] || read_state
	gather
	read_trace events
}

# A scenario with arms has one run for each.
if [ -n "${ARMS:-}" ]; then
	all=$OUT number=0 commas=${ARMS//[!,]/}
	for ARM in ${ARMS//,/ }; do
		OUT=$all/$ARM
		mkdir -p "$OUT"
		number=$((number + 1))
		run $number $((${#commas} + 1))
		lle-testbed down
		rmmod lle_rnic
		# the kernel frees namespaces, and so wires, some time later
		[ "$PARTS" = 0 ] || sleep 1
	done
	OUT=$all
else
	run 1 1
fi
cut -d' ' -f1 /proc/uptime >"$OUT/uptime"
echo "$LLE_KERNEL" >"$OUT/release"
