#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The guest's part of a lab run: build the testbed, let the flows run while user space
# sleeps, gather what the counters say. The scenario and its keys are in the
# environment: see lab/lab.sh.
#
# Writes to $OUT, or of each of $ARMS to a folder of that name in it: testbed.json, stats.json
# (of the qdiscs), watchdogs.json (of the switches), switches.json, deadlocks.json, loop.dot
# (of the last of them), congestion.json (RCM, as it is when all is over), flows.csv,
# hosts.csv, bins.csv, timeline.csv, events.csv, queue.csv of $QUEUES, pauses.csv if
# $PAUSES, congested.csv if $CONGESTED, NAME.pcap of each NAME
# of $CAPTURE

set -eu

RNIC=/sys/kernel/debug/lle_rnic
TRACING=/sys/kernel/tracing
pids=()		# of captures
RINGS_KB=131072	# of all of them

# All start at one time, when what came before has settled.
START_NS=100000000

# shellcheck disable=SC2034 # for duration()
flows_file=/lab/flows

# Bins of throughput and samples of queues, for all of the time; fewer when many
# flows take memory.
bins()
{
	awk -v s="$(duration)" -v flows="$(wc -l </lab/flows)" 'BEGIN {
		bins = flows > 1000 ? 100 : 1000
		us = int(s * 1e6 / bins)
		us += us * bins < s * 1e6
		print "bin_us=" us, "bins=" bins, "sample_us=" us, "samples=" bins,
			"timeline_us=1" }'
}

# losslessctl, of the switches
switches() { ip netns exec lle-sw losslessctl "$@"; }

# refuse KEY REASON: ends the run, with a message for lab.sh
refuse()
{
	echo "lab: refused: $SCENARIO: $1=${!1}: $2"
	exit 64
}

# CLOCK_MONOTONIC
now_ns() { awk '/^now at/ { print $3; exit }' /proc/timer_list; }

# prepare and traffic, unless the scenario has its own: the flows of lle_rnic.ko
prepare()
{
	local queue

	# shellcheck disable=SC2046 # lists of words; of two, the last one counts
	insmod /mods/lle_rnic.ko $(bins) $(rnic_options)
	cat /lab/flows >$RNIC/flows
	for queue in ${QUEUES//,/ }; do
		echo "${queue/\// }" 2>/dev/null >$RNIC/queues ||
			refuse QUEUES "there is no port ${queue%/*}"
	done
	seconds=$(awk -v ns=$START_NS -v s="$(duration)" 'BEGIN { print ns / 1e9 + s }')
}

traffic()
{
	echo "start +$START_NS" >$RNIC/control
	sleep "$seconds"
}

gather()
{
	lle-testbed stats >"$OUT/stats.json"
	switches -j watchdog show stats -e >"$OUT/watchdogs.json"
	switches -j switch show >"$OUT/switches.json"
	switches -j deadlock history >"$OUT/deadlocks.json"
	switches -j congestion show -a >"$OUT/congestion.json"
	[ "$(<"$OUT/deadlocks.json")" = '[]' ] || switches deadlock graph >"$OUT/loop.dot"
	[ -d $RNIC ] || return 0
	[ -e "$OUT/flows.csv" ] || cat $RNIC/results >"$OUT/flows.csv"
	cat $RNIC/hosts >"$OUT/hosts.csv"
	cat $RNIC/bins >"$OUT/bins.csv"
	[ -z "$QUEUES" ] || cat $RNIC/queues >"$OUT/queue.csv"
	cat $RNIC/timeline >"$OUT/timeline.csv"
}

# capture NAME KB: the headers of what a host or a port of a switch sends and receives.
# A process that runs disturbs, so tcpdump is stopped until all is over; what it
# has asked for waits in its ring of so many KB.
capture()
{
	local name=$1 kb=$2 netns=lle-sw dev=$1 log=/tmp/capture.$1

	if [ -e "/run/netns/lle-$name" ]; then
		netns=lle-$name
		dev=eth0
	elif ! ip -n lle-sw link show dev "$dev" >/dev/null 2>&1; then
		refuse CAPTURE "there is no host or port $dev"
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

# What is traced, by the key that asks for it and the file that it goes to
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

# read_trace FILE...
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
	# time passes when all have read what there was
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

# one queue for the packets of all links
sysctl -qw net.core.netdev_max_backlog=10000000
ulimit -n 100000
insmod /mods/lossless.ko
insmod /mods/sch_lossless.ko

IFS=, read -ra names <<<"$CAPTURE"

# run NUMBER COUNT: one run, whose results go to $OUT. Lines "lab: ..." are for lab/watch.sh.
run()
{
	local name

	echo "lab: build"
	testbed
	lle-testbed show --format json >"$OUT/testbed.json"
	for name in "${names[@]}"; do
		capture "$name" $((RINGS_KB / ${#names[@]}))
	done
	begin_trace
	prepare
	echo "lab: run $1 of $2"
	traffic
	echo "lab: gather"
	# flows may go on: what has a number comes first
	echo 0 >$TRACING/tracing_on
	# shellcheck disable=SC2046 # a list of words
	read_trace $(wanted)
	end_captures
	gather
	read_trace events
}

# Scenarios with arms have several, one after another.
if [ -n "${ARMS:-}" ]; then
	all=$OUT number=0 commas=${ARMS//[!,]/}
	for ARM in ${ARMS//,/ }; do
		OUT=$all/$ARM
		mkdir -p "$OUT"
		number=$((number + 1))
		run $number $((${#commas} + 1))
		lle-testbed down
		rmmod lle_rnic
	done
	OUT=$all
else
	run 1 1
fi
cut -d' ' -f1 /proc/uptime >"$OUT/uptime"
echo "$LLE_KERNEL" >"$OUT/release"
