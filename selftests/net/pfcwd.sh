#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Storm watchdog of the switch. h3 pauses p3, the port towards it, for ever; h1 and h2
# send through p3, and h3 sends to h1.
#
# Times are those of the kernel's events. They may be late by as much as this kernel's
# timers are, which is nothing where time is virtual, and are never early.

ALL_TESTS="detects restores detection_is_exact restoration_is_exact
	shorter_is_no_storm no_traffic_is_no_storm xon_is_no_storm
	flapping_is_no_storm gap_starts_anew starvation_is_no_storm
	incast_is_no_storm port_toggle xon_does_not_prolong drop_counts
	drop_from_the_nic forward alert last_is_frozen other_priority
	other_port no_xoff_upstream restore_resumes two_ports all_ports
	alpha_changed change_in_storm stop_in_storm pfc_off_in_storm
	delete_in_storm replace_in_storm discard_all clear_not_in_storm
	never_restores without_pfc_refused"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

DETECTION=100
RESTORATION=200

# As late as an event may be, in microseconds
if virtual_time; then LATE=1000; else LATE=10000; fi

ctl() { sw losslessctl "$@"; }

# wd PORT...: watchdogs on, by the defaults here
wd() { ctl watchdog start -r $RESTORATION "$@" $DETECTION; }

setup()
{
	llet_star 3
	llet_ports 3 rate 100mbit buffer 1m xoff 40k headroom 100k \
		prio-pfc 3:on 4:on "$@"
	ctl monitor -j storm >/tmp/events 2>/tmp/events.err &
	defer stop_job $!
	wait_for 5000 test -s /tmp/events.err
}

stop_job()
{
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# storm I PRIO [OPTION...]: in the background; ends with the test, or by calm
storm()
{
	local i=$1 prio=$2

	shift 2
	ip netns exec "h$i" lle-storm -p "$prio" -r 2000 "$@" eth0 >/dev/null &
	storm_pid=$!
	defer stop_job $storm_pid
}

calm() { stop_job "$storm_pid"; }

# wd_stat PORT PRIO NAME
wd_stat()
{
	ctl -j watchdog show stats -e |
		jq -r ".[] | select(.device == \"$1\" and .prio == $2) | .$3"
}

stormed() { [ "$(wd_stat "$1" "$2" status)" = stormed ]; }
operational() { [ "$(wd_stat "$1" "$2" status)" = operational ]; }

# until_stormed PORT PRIO, until_operational PORT PRIO: or fail
until_stormed() { check "no storm at $1" wait_for 2000 stormed "$1" "$2"; }
until_operational() { check "storm at $1 lasts" wait_for 2000 operational "$1" "$2"; }

# no_storm PORT PRIO: there was none
no_storm() { equal "storms of prio $2 at $1" "$(wd_stat "$1" "$2" detected)" 0; }

# blocked: h1 has 20 packets waiting for h3, who storms
blocked()
{
	wd "${@:-p3}"
	storm 3 3
	send 1 3 -n 20 -d 24
}

detects()
{
	setup
	blocked
	until_stormed p3 3
	equal "detected" "$(wd_stat p3 3 detected)" 1
	check "exit status of --check-storm" test \
		"$(ctl watchdog show stats --check-storm; echo $?)" = 1
	conserved
}

restores()
{
	setup
	blocked
	until_stormed p3 3
	calm
	until_operational p3 3
	equal "restored" "$(wd_stat p3 3 restored)" 1
	equal "exit status of --check-storm" \
		"$(ctl watchdog show stats --check-storm; echo $?)" 0
	receive 3 1000
	send 1 3 -n 50 -d 24
	equal "received afterwards" "$(received 3 .sum.packets)" 50
	nothing_stuck
}
