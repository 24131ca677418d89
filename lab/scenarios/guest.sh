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
: "${PARTS:?}" "${PART:?}" "${TRANSPORT:?}"
part=()		# options of lle-testbed
parts=()	# the same, if there are several parts
pids=()		# of captures
RINGS_KB=131072	# of all captures together

# All that a result depends on happens at times that are given here, not when the
# shell gets there: how many processes it has started before changes nothing.
# A testbed is built from a multiple of this on, and set up from one of SETUP_NS.
BUILD_NS=10000000000
SETUP_NS=1000000000
# A run begins at a multiple of this; with parts, when all of them are built.
SETTLE_NS=1000000000
[ "$PARTS" = 0 ] || SETTLE_NS=100000000000
# Flows start this time later.
START_NS=100000000
# Parts wait for each other from this time before the first flow: nothing crosses earlier.
LEAD_NS=100000
# A state is read this time after a run, and each further one STEP_NS later.
READ_NS=2000000
STEP_NS=1000000

# shellcheck disable=SC2034 # for scenarios
flows_file=/lab/flows topology_file=/lab/topology

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

# on_time COMMAND...: runs a command that sets something up
on_time()
{
	lle_until every $SETUP_NS >/dev/null
	"$@"
}

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
}

traffic() { send_flows "$(duration)"; }

# Waits until a run may begin; sets run_ns, when its flows start.
settle() { run_ns=$(($(lle_until every "$SETTLE_NS") + START_NS)); }

# schedule SECONDS...: sets end_ns, the sum of SECONDS after run_ns, and read_ns
schedule()
{
	end_ns=$(awk -v ns="$run_ns" 'BEGIN {
		for (i = 1; i < ARGC; i++) s += ARGV[i]
		printf "%.0f", ns + s * 1e9 }' "$@")
	read_ns=$((end_ns + READ_NS))
}

# begin [NS]: starts the NICs; parts exchange frames from NS before the first flow
begin()
{
	[ "$PARTS" = 0 ] ||
		echo "$((run_ns - ${1:-$LEAD_NS})) $end_ns" >/sys/module/lle_wire/parameters/run
	echo "start $run_ns $end_ns" >$RNIC/control
}

# send_flows SECONDS...: lets flows run for the sum of SECONDS
send_flows()
{
	schedule "$@"
	begin
	lle_until "$end_ns"
}

# tcp_traffic [OPTION...] CC SECONDS: lets lle_tcp send the flows; prints their results
tcp_traffic()
{
	# connections are made before flows begin, and what is under way at their end arrives
	schedule "${*: -1}" 2
	begin $((START_NS * 3 / 4))
	lle_tcp -a "$run_ns,$end_ns" "$@" </lab/flows
}

# Writes testbed.json, with the part of each node if there are several.
testbed_json() { lle-testbed show "${parts[@]}" --format json >"$OUT/testbed.json"; }

# testbed_up ARGUMENT...: ports split GSO packets, unless GSO=no-split-gso
testbed_up()
{
	local options=${GSO:-split-gso}

	[[ $* = *" bands "* ]] || options+=" strict 8"
	on_time lle-testbed up "$@" "${part[@]}" --edge "$options" --fabric "$options" --host "$options"
}

# at_once COMMAND...: reads a state, at the same time in all parts
at_once()
{
	lle_until "$read_ns"
	read_ns=$((read_ns + STEP_NS))
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
	# a run without an end is recorded until now
	[ -z "$QUEUES" ] || at_once cat $RNIC/queues >"$OUT/queue.csv"
	at_once cat $RNIC/timeline >"$OUT/timeline.csv"
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

# read_trace FILE...: writes FILE.csv, with what happened until the end of the run
read_trace()
{
	local file

	for file in "$@"; do
		{
			ip -n lle-sw -o link
			cat $TRACING/trace
		} | awk -v net="net=$(stat -L -c %i /run/netns/lle-sw)" -f "/lab/$file.awk" |
			awk -F, -v end="${end_ns:-inf}" '
				NR == 1 { ns = $1 == "time_us" ? 1000 : 1 }
				NR == 1 || $1 * ns <= end + 0' >"$OUT/$file.csv"
	done
}

end_captures()
{
	[ ${#pids[@]} -gt 0 ] || return 0
	at_once kill -CONT "${pids[@]}"
	# time passes only after all have read their rings
	at_once kill "${pids[@]}"
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
# the numbers of a port must not depend on other ports, parts or processes
random=(seed="$SEED")
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
fi
# sleep to the nanosecond
echo 1 >/proc/$$/timerslack_ns

IFS=, read -ra names <<<"$CAPTURE"

# run NUMBER COUNT: one run, with results in $OUT. watch.sh reads "lab: ..."
run()
{
	local name

	# for a test: results do not depend on what ran before
	[ -z "${DISTURB:-}" ] || { /bin/true; /bin/true; /bin/true; sleep 1; }
	lle_until every $BUILD_NS >/dev/null
	echo "lab: build"
	testbed
	testbed_json
	for name in "${names[@]}"; do
		capture "$name" $((RINGS_KB / ${#names[@]}))
	done
	begin_trace
	on_time prepare
	settle
	echo "lab: run $1 of $2"
	end_ns='' read_ns=''
	traffic
	# a scenario may not know its end in advance
	[ -n "$read_ns" ] || read_ns=$(lle_until every $STEP_NS)
	echo "lab: gather"
	read_state
	echo 0 >$TRACING/tracing_on
	# shellcheck disable=SC2046 # a list of words
	read_trace $(wanted)
	end_captures
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
		# after a run a packet that waits for a wire would keep its socket, and so the wire
		[ "$PARTS" = 0 ] ||
			ip -all netns exec ip link set group $((PART ? PART : 1)) down >/dev/null
		lle-testbed down
		rmmod lle_rnic
		# the kernel frees namespaces, and so wires, some time later
		sleep 1
	done
	OUT=$all
else
	run 1 1
fi
on_time cut -d' ' -f1 /proc/uptime >"$OUT/uptime"
echo "$LLE_KERNEL" >"$OUT/release"
