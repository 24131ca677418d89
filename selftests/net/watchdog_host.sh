#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Watchdog of a NIC, alone and with that of its switch. h3 is a host with a
# receive pipeline that dies (role host, rx-rate stopped): its pauses of p3 have
# that cause, and are not hand-made. h1 and h2 send to it.

ALL_TESTS="detects detection_is_exact never_again slow_is_no_storm
	slow_in_a_pause busy_is_no_storm stuck_before_it_pauses
	stuck_without_a_pause all_priorities_go link_toggle_is_no_cure
	stop_is_a_cure role_ends_it switch_alone both"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

DETECTION=100

# Largest delay of an event, in microseconds
if virtual_time; then LATE=1000; else LATE=10000; fi

nic() { ip netns exec h3 losslessctl "$@"; }
ctl() { ip netns exec sw losslessctl "$@"; }

setup()
{
	local i

	llet_star 3
	llet_ports 3 rate 100mbit buffer 1m xoff 40k headroom 100k prio-pfc 3:on 4:on
	for i in 1 2; do
		host $i rate 100mbit buffer 64m prio-pfc 3:on 4:on
	done
	host 3 rate 100mbit buffer 1m xoff 40k headroom 100k role host prio-pfc 3:on 4:on
}

# rx RATE: rate of the receive pipeline of h3
rx() { host 3 rx-rate "$1"; }

# start_watchdog: watchdog of the NIC on priority 3
start_watchdog() { nic watchdog start eth0 $DETECTION prio 3; }

stat_of()
{
	"$1" -j watchdog show stats -e |
		jq -r "map(select(.prio == 3 and (.ifname == \"eth0\" or .ifname == \"p3\")))[0].$2"
}

stormed() { [ "$(stat_of "$1" status)" = stormed ]; }
operational() { [ "$(stat_of "$1" status)" = operational ]; }

# die: the pipeline stops, and h1 sends more than the buffer of h3 holds
die()
{
	rx stopped
	send 1 3 -n 300 -d 24 &
	defer stop_job $!
}

stop_job()
{
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

detects()
{
	setup
	start_watchdog
	die
	check "no storm" wait_for 2000 stormed nic
	check "no pause before" stat_is p3 3 rx_pause -gt 0
	check "still paused" wait_for 1000 stat_is p3 3 rx_paused -eq 0
	check "packets wait in the switch" wait_for 1000 stat_is p3 3 backlog -eq 0
	equal "drops of the switch" "$(sum .drops[])" 0
	equal "the NIC pauses after" "$(host_stat 3 3 tx_paused)" 0
	equal "its pause has ended" "$(nic -j history eth0 3 |
		jq -c 'map(select(.direction == "tx") | [.count, .paused])')" "[[1,false]]"
	check "none dropped by the NIC" test "$(host_stat 3 3 drops.headroom_discard)" -gt 0
}

# Each round has a new watchdog.
detection_is_exact()
{
	local rounds=5 i late

	[[ $(uname -r) != *-lab ]] || rounds=50
	setup
	ip netns exec h3 losslessctl monitor -j storm >/tmp/events &
	defer stop_job $!
	wait_for 2000 listeners h3
	for ((i = 0; i < rounds; i++)); do
		start_watchdog
		die
		sleep 0.12
		check "no storm" wait_for 2000 stormed nic
		nic watchdog stop eth0
		rx unlimited
		wait_for 2000 stat_is p3 3 backlog -eq 0
	done
	jq 'select(.status == "stormed") | (.time_ns - .since_ns) / 1000 | floor' \
		/tmp/events | sort -n >/tmp/late
	late=$(sed -n '1p;$p' /tmp/late | tr '\n' ' ')
	echo "# detected after $late us (least, most of $rounds)"
	equal "detected" "$(wc -l </tmp/late)" $rounds
	read -r i late <<<"$late"
	check "early" test "$i" -ge $((DETECTION * 1000))
	check "late" test "$late" -le $((DETECTION * 1000 + LATE))
}

never_again()
{
	setup
	start_watchdog
	die
	check "no storm" wait_for 2000 stormed nic
	rx unlimited
	sleep 1
	check "restored by itself" stormed nic
	# a NIC, unlike a switch, does not drop them
	receive 3 1000 ip
	send 1 3 -n 100 -d 24
	equal "received" "$(received 3 .sum.packets)" 100
	equal "dropped by the watchdog" "$(host_stat 3 3 drops.storm_rx_discard)" 0
	rx stopped
	send 1 3 -n 300 -d 24
	sleep 0.5
	equal "pauses the switch" "$(stat p3 3 rx_paused)" 0
}

# A tenth of the arriving rate: the NIC pauses all the time, but takes packets.
slow_is_no_storm()
{
	setup
	start_watchdog
	rx 10mbit
	receive 3 2000
	send 1 3 -n 1000 -d 24
	equal "received" "$(received 3 .sum.packets)" 1000
	check "it does not pause" stat_is p3 3 rx_pause -gt 0
	equal "storms" "$(stat_of nic storm_detected)" 0
}

# Pauses are longer than the detection time, but packets are taken more often.
slow_in_a_pause()
{
	setup
	start_watchdog
	rx 100kbit
	send 1 3 -n 60 -d 24
	check "it does not pause" wait_for 1000 stat_is p3 3 rx_paused -eq 1
	sleep 1
	equal "storms" "$(stat_of nic storm_detected)" 0
	check "no long pause" test "$(nic -j history eth0 |
		jq 'map(select(.direction == "tx" and .prio == 3))[0].longest_ns')" \
		-gt $((DETECTION * 1000000))
}

busy_is_no_storm()
{
	setup
	start_watchdog
	receive 3 1000
	send 1 3 -n 3000 -d 24 -f 1 &
	send 2 3 -n 3000 -d 24 -f 2
	equal "received" "$(received 3 .sum.packets)" 6000
	equal "storms" "$(stat_of nic storm_detected)" 0
}

# The NIC has long taken no packet when its pause begins: the time counts from
# the pause. The storm ends the pause.
stuck_before_it_pauses()
{
	local paused_ns detected_ns

	setup
	start_watchdog
	rx stopped
	send 1 3 -n 5 -d 24
	sleep 0.2
	die
	check "no storm" wait_for 2000 stormed nic
	paused_ns=$(nic -j history eth0 |
		jq 'map(select(.direction == "tx" and .prio == 3))[0].episodes[0].start_ns')
	detected_ns=$(stat_of nic detected_ns)
	between "detected after us" $(((detected_ns - paused_ns) / 1000)) \
		$((DETECTION * 1000)) $((DETECTION * 1000 + LATE))
}

# The NIC takes no packet, but its buffer has space, so the switch is resumed.
stuck_without_a_pause()
{
	setup
	start_watchdog
	rx stopped
	send 1 3 -n 42 -d 24
	check "no pause" wait_for 1000 stat_is p3 3 rx_paused -eq 1
	rx 1mbit
	check "it pauses" wait_for 1000 stat_is p3 3 rx_paused -eq 0
	rx stopped
	sleep 0.5
	check "nothing waits" test "$(host_stat 3 3 occupancy)" -gt 0
	equal "storms" "$(stat_of nic storm_detected)" 0
}

# All priorities share a pipeline: those without a watchdog cease to pause, too.
all_priorities_go()
{
	setup
	start_watchdog
	rx stopped
	send 2 3 -n 200 -d 32 &
	defer stop_job $!
	send 1 3 -n 200 -d 24 &
	defer stop_job $!
	check "prio 4 not paused" wait_for 1000 stat_is p3 4 rx_paused -eq 1
	check "no storm" wait_for 2000 stormed nic
	check "prio 3 paused" wait_for 1000 stat_is p3 3 rx_paused -eq 0
	check "prio 4 paused" wait_for 1000 stat_is p3 4 rx_paused -eq 0
}

link_toggle_is_no_cure()
{
	setup
	start_watchdog
	die
	check "no storm" wait_for 2000 stormed nic
	ip -n h3 link set eth0 down
	ip -n h3 link set eth0 up
	check "well again" stormed nic
}

stop_is_a_cure()
{
	setup
	start_watchdog
	die
	check "no storm" wait_for 2000 stormed nic
	nic watchdog stop eth0
	check "still off" wait_for 1000 stat_is p3 3 rx_paused -eq 1
	rx unlimited
	check "packets wait" wait_for 2000 stat_is p3 3 backlog -eq 0
}

# Role switch removes the watchdog of a NIC; role host does not restore it.
role_ends_it()
{
	setup
	start_watchdog
	die
	check "no storm" wait_for 2000 stormed nic
	host 3 role switch
	equal "watchdogs" "$(nic -j watchdog show config)" "[]"
	check "still stormed" operational nic
	host 3 role host
	die
	check "does not pause" wait_for 1000 stat_is p3 3 rx_paused -eq 1
	equal "watchdogs" "$(nic -j watchdog show config)" "[]"
}

# The switch drops packets to the NIC; p1 no longer pauses h1.
switch_alone()
{
	setup
	ctl watchdog start p3 $DETECTION prio 3
	die
	check "no storm" wait_for 2000 stormed ctl
	sleep 0.5
	check "restored, though it pauses" stormed ctl
	equal "h1 is paused" "$(stat p1 3 tx_paused)" 0
	receive 2 1000
	send 1 2 -n 100 -d 24
	equal "h1 to h2" "$(received 2 .sum.packets)" 100
	rx unlimited
	check "storm lasts" wait_for 2000 operational ctl
	receive 3 1000
	send 1 3 -n 100 -d 24
	equal "received afterwards" "$(received 3 .sum.packets)" 100
}

# Either the switch needs longer: the NIC is first, its pauses end, and the
# switch detects no storm. Or the switch is first, and restores when the NIC
# stops to pause.
both()
{
	setup
	ctl watchdog start p3 50 prio 3
	start_watchdog
	die
	check "no storm at the switch" wait_for 2000 stormed ctl
	check "no storm at the NIC" wait_for 2000 stormed nic
	check "the switch does not restore" wait_for 2000 operational ctl
	equal "storms of the switch" "$(stat_of ctl storm_detected)" 1
	send 1 3 -n 300 -d 24
	sleep 0.3
	equal "storms of the switch, afterwards" "$(stat_of ctl storm_detected)" 1
	check "the NIC drops nothing" test "$(host_stat 3 3 drops[])" -gt 0
}

llet_main
