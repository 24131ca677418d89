#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# No work keeps the root lock of a port for long, as pauses are sent under it and
# other CPUs wait for it. Functions that hold the lock all the time, or between two
# releases, are traced. Guest time is the number of instructions, in ns.

ALL_TESTS="discard relief recount tree many_segments statistics"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/ring.sh
. "$(dirname "$0")/ring.sh"

TRACE=/sys/kernel/tracing
# most between two pause frames
LONGEST_US=100

# traced FUNCTION...: durations of these are recorded until the test ends
traced()
{
	if [ ! -e $TRACE/set_graph_function ] || virtual_time || real_time; then
		llet_skip "no trace of functions in guest time"
		return 1
	fi
	echo 8000 >$TRACE/buffer_size_kb
	echo "$*" >$TRACE/set_ftrace_filter || llet_fail "no such functions: $*"
	echo function_graph >$TRACE/current_tracer
	echo nofuncgraph-overhead >$TRACE/trace_options
	echo funcgraph-tail >$TRACE/trace_options
	: >$TRACE/trace
	defer sh -c "echo nop >$TRACE/current_tracer; : >$TRACE/set_ftrace_filter"
}

# bounded FUNCTION LEAST: it was called LEAST times, and never took long
bounded()
{
	local calls longest

	read -r calls longest < <(awk -v name="$1" '
		index($0, name) {
			calls++
			us = $2 + 0
			longest = us > longest ? us : longest
		}
		END { printf "%d %d\n", calls, longest + 1 }' $TRACE/trace)
	echo "# $1: $calls calls, at most $longest us"
	check "$1: $calls calls" test "$calls" -ge "$2"
	between "$1: us" "$longest" 1 $LONGEST_US
}

# full_queue COUNT OPTION...: COUNT packets of priority 3 wait in p3 for h3
full_queue()
{
	local count=$1

	shift
	llet_star 3
	llet_ports 3 prio-pfc 3:on 4:on rate 100mbit buffer 96m alpha 1024 "$@"
	pfc 3 0x08 0 0 0 65535
	ip netns exec h3 lle-storm -p 3 -r 10 eth0 >/dev/null &
	defer stop_job $!
	h 1 lle_traffic send eth0 "$(mac 3)" -n "$count" -s 62 -d 24
	equal "bytes that wait" "$(stat p3 3 backlog)" $((count * 62))
}

stop_job()
{
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

stormed() { [ "$(sw losslessctl -j watchdog show stats | jq -r '.[0].status')" = stormed ]; }

# The watchdog drops a full buffer.
discard()
{
	local waiting=200000

	full_queue $waiting
	traced lossless_dequeue || return
	sw losslessctl watchdog start p3 100 prio 3
	check "no storm" wait_for 2000 stormed
	check "packets wait" wait_for 2000 stat_is p3 3 backlog -eq 0
	equal "discarded" "$(stat p3 3 drops.storm_discard)" $waiting
	bounded lossless_dequeue 3000
}

# Detection begins with a full buffer, and counts what waits.
recount()
{
	full_queue 20000 switch 5
	traced 'lossless_recount_some*' || return
	tc -n sw qdisc change dev p3 root lossless deadlock alert
	bounded lossless_recount_some 300
}

# A reader wants to know from where the packets of a full buffer came.
tree()
{
	full_queue 20000
	traced lossless_waiting || return
	sw losslessctl tree >/dev/null
	bounded lossless_waiting 1
}

# Packets of a ring that has locked are dropped.
relief()
{
	local RING_PORT="xoff 900k xon-delta 800k headroom 100k"

	build_ring "drop deadlock-trigger leave"
	traced 'lossless_relieve_some*' || return
	all_send -n 8000
	sleep 2
	bounded lossless_relieve_some 10
}

# One write of 60 KB, as segments of 8 bytes
many_segments()
{
	llet_star 2
	llet_ports 2 rate 1gbit prio-pfc 3:on
	traced lossless_enqueue || return
	send 1 2 -G 7500 -s 74 -d 24
	bounded lossless_enqueue 1
	equal "segments dropped" "$(stat p2 3 drops.nomem_discard)" 7500
}

# Sums over CPUs are made without the lock: it is held as long on any machine.
statistics()
{
	local holds longest summed

	llet_star 2
	llet_ports 2 rate 1gbit prio-pfc 0:on 1:on 2:on 3:on 4:on 5:on 6:on 7:on \
		xoff 40k rcm on
	traced lossless_dump_stats lle_stats_put_port _raw_spin_lock_bh \
		_raw_spin_unlock_bh || return
	echo funcgraph-abstime >$TRACE/trace_options
	defer sh -c "echo nofuncgraph-abstime >$TRACE/trace_options"
	tc -n sw -s qdisc show dev p1 >/dev/null
	# the function takes the root lock itself; others that it calls, other locks
	read -r holds longest summed < <(awk '
		/ lossless_dump_stats .*{$/ { level = index($0, "lossless_dump_stats") + 2 }
		!level { next }
		index($0, "_raw_spin_lock_bh") == level { since = $1; holds++ }
		index($0, "lle_stats_put_port") == level && since { summed++ }
		index($0, "_raw_spin_unlock_bh") == level {
			us = ($1 - since) * 1000000
			longest = us > longest ? us : longest
			since = 0
		}
		/} .* lossless_dump_stats / { level = 0 }
		END { printf "%d %d %d\n", holds, longest + 1, summed }' $TRACE/trace)
	echo "# the root lock is held $holds times, at most $longest us"
	check "$holds holds" test "$holds" -ge 2
	between "us" "$longest" 1 $LONGEST_US
	equal "sums over CPUs in a hold" "$summed" 0
}

llet_main
