#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Storm watchdog of the switch. h3 pauses p3, the port to it, continuously; h1
# and h2 send through p3, and h3 sends to h1.
#
# Times are those of the kernel's events. They may be late by the error of this
# kernel's timers, which is 0 with virtual time, and are never early.

ALL_TESTS="detects restores times_are_exact
	shorter_is_no_storm no_traffic_is_no_storm xon_is_no_storm
	flapping_is_no_storm gap_starts_anew starvation_is_no_storm
	incast_is_no_storm late_packet started_in_a_pause two_times
	port_toggle xon_does_not_prolong drop_counts
	drop_from_the_nic forward alert last_is_frozen other_priority
	other_port no_xoff_upstream restore_resumes two_ports all_ports
	alpha_changed change_in_storm stop_in_storm pfc_off_in_storm
	delete_in_storm replace_in_storm discard_all clear_not_in_storm
	never_restores without_pfc_refused no_pauses modules_replaced"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

DETECTION=100
RESTORATION=200

# Largest delay of an event, in microseconds
if virtual_time; then LATE=1000; else LATE=10000; fi

ctl() { sw losslessctl "$@"; }

# wd PORT...: starts watchdogs with the defaults of this file
wd() { ctl watchdog start -r $RESTORATION "$@" $DETECTION; }

# attach [OPTION...]: the qdiscs
attach()
{
	local i

	llet_ports 3 rate 100mbit buffer 1m xoff 40k headroom 100k \
		prio-pfc 3:on 4:on "$@"
	for i in 1 2 3; do
		host $i rate 100mbit buffer 64m prio-pfc 3:on 4:on
	done
}

setup()
{
	llet_star 3
	attach "$@"
	ip netns exec sw losslessctl monitor -j storm >/tmp/events &
	monitor_pid=$!
	defer stop_job $monitor_pid
	wait_for 5000 listening
}

# Does a generic netlink socket (16) receive events?
listening()
{
	# shellcheck disable=SC2016 # awk's
	sw awk '$2 == 16 && $4 != "00000000" { found = 1 } END { exit !found }' \
		/proc/net/netlink
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

# until_paused PORT PRIO: the storm has begun; packets sent from now on wait
until_paused() { check "$1 is not paused" wait_for 1000 stat_is "$1" "$2" rx_paused = 1; }

# sent I J OPTION...: as send, and waits until the host's queue is empty
sent()
{
	send "$@"
	sleep 0.1
}

# wd_stat PORT PRIO NAME
wd_stat()
{
	ctl -j watchdog show stats -e |
		jq -r ".[] | select(.ifname == \"$1\" and .prio == $2) | .$3"
}

stormed() { [ "$(wd_stat "$1" "$2" status)" = stormed ]; }
operational() { [ "$(wd_stat "$1" "$2" status)" = operational ]; }

# until_stormed PORT PRIO, until_operational PORT PRIO: wait, or fail
until_stormed() { check "no storm at $1" wait_for 2000 stormed "$1" "$2"; }
until_operational() { check "storm at $1 lasts" wait_for 2000 operational "$1" "$2"; }

# no_storm PORT PRIO: there was none
no_storm() { equal "storms of prio $2 at $1" "$(wd_stat "$1" "$2" storm_detected)" 0; }

# blocked: h3 storms, and 20 packets of h1 wait for it
blocked()
{
	wd "${@:-p3}"
	storm 3 3
	until_paused p3 3
	send 1 3 -n 20 -d 24
}

detects()
{
	setup
	blocked
	until_stormed p3 3
	equal "detected" "$(wd_stat p3 3 storm_detected)" 1
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
	equal "restored" "$(wd_stat p3 3 storm_restored)" 1
	equal "exit status of --check-storm" \
		"$(ctl watchdog show stats --check-storm; echo $?)" 0
	receive 3 1000
	send 1 3 -n 50 -d 24
	equal "received afterwards" "$(received 3 .sum.packets)" 50
	nothing_stuck
}

# times STATUS: time from cause to event of each event with STATUS, in us
times() { jq "select(.status == \"$1\") | (.time_ns - .since_ns) / 1000 | floor" /tmp/events; }

# within STATUS MS: all events with STATUS followed their cause after MS
within()
{
	local least most

	echo "# $1 after $(times "$1" | sort -n | sed -n "1p;$(((rounds + 1) / 2))p;\$p" |
		tr '\n' ' ')us (least, median, most of $rounds)"
	equal "$1: events" "$(times "$1" | wc -l)" $rounds
	least=$(times "$1" | sort -n | head -n 1)
	most=$(times "$1" | sort -n | tail -n 1)
	between "$1: least us" "${least:-0}" $(($2 * 1000)) $(($2 * 1000 + LATE))
	between "$1: most us" "${most:-0}" $(($2 * 1000)) $(($2 * 1000 + LATE))
}

# Storms one after another, with packets that always wait. Pauses are short, so
# they end soon after the last frame.
times_are_exact()
{
	local rounds=10

	[[ $(uname -r) != *-lab ]] || rounds=200
	setup
	wd p3
	send 1 3 -n $((rounds * 100)) -d 24 -g 5000000 &
	defer stop_job $!
	# until the last storm ended, and before another one begins
	storm 3 3 -q 1000 -g 150:350 -t $((rounds * 500 - 100))
	wait "$storm_pid"
	sleep 0.5
	equal "storms" "$(wd_stat p3 3 storm_detected)" $rounds
	within stormed $DETECTION
	within operational $RESTORATION
}

shorter_is_no_storm()
{
	setup
	wd p3
	send 1 3 -n 20 -d 24 -g 1000000 &
	defer stop_job $!
	storm 3 3 -t $((DETECTION - 20)) -z
	wait "$storm_pid"
	sleep 0.3
	no_storm p3 3
	no_drops
}

no_traffic_is_no_storm()
{
	setup
	wd p3
	storm 3 3 -t 1000 -z
	wait "$storm_pid"
	no_storm p3 3
}

xon_is_no_storm()
{
	setup
	wd p3
	receive 3 1000
	storm 3 3 -x -c 1000
	send 1 3 -n 500 -d 24 -g 1000000
	equal "received" "$(received 3 .sum.packets)" 500
	no_storm p3 3
	no_drops
}

# Pause and resume in turns, each half millisecond, with packets that wait.
flapping_is_no_storm()
{
	setup
	wd p3
	receive 3 2000
	storm 3 3 -f -t 1000 -z
	send 1 3 -n 2000 -d 24
	wait "$storm_pid"
	equal "received" "$(received 3 .sum.packets)" 2000
	no_storm p3 3
	no_drops
}

# 80 ms of pauses, 80 ms without: always shorter than the detection time
gap_starts_anew()
{
	setup
	wd p3
	receive 3 2000
	storm 3 3 -q 1000 -g 80:80 -t 1600
	send 1 3 -n 3000 -d 24
	wait "$storm_pid"
	equal "received" "$(received 3 .sum.packets)" 3000
	no_storm p3 3
	no_drops
}

# A priority starves because of a higher one: it waits, but is not paused.
starvation_is_no_storm()
{
	setup bands 8 strict 8 priomap 7 6 5 4 3 2 1 0
	wd all
	send 1 3 -n 20000 -d 32 &
	defer stop_job $!
	sleep 0.05
	send 2 3 -n 10 -d 24
	sleep 0.3
	no_storm p3 3
	no_storm p3 4
}

incast_is_no_storm()
{
	local i

	setup
	wd all
	receive 3 2000
	send 1 3 -n 6000 -d 24 -f 1 &
	send 2 3 -n 6000 -d 24 -f 2
	equal "received" "$(received 3 .sum.packets)" 12000
	check "p1 has paused nobody" stat_is p1 3 tx_pause -gt 0
	for i in 1 2 3; do
		no_storm "p$i" 3
	done
	no_drops
}

# long_pause ENABLE: one frame only: h3 pauses p3 for three seconds
long_pause()
{
	port 3 rate 10mbit
	pfc 3 "$1" 0 0 0 65535 65535
}

# A packet that arrives late in a pause waits from then on.
late_packet()
{
	local rounds=1 paused_ns waiting_ns

	setup
	wd p3
	long_pause 0x08
	paused_ns=$(ctl -j history p3 | jq '.[0].since_ns')
	sleep 0.15
	send 1 3 -n 1 -d 24
	until_stormed p3 3
	within stormed $DETECTION
	waiting_ns=$(jq 'select(.status == "stormed").since_ns' /tmp/events)
	check "stuck before the packet came" \
		test $((waiting_ns - paused_ns)) -gt 150000000
}

# A queue that was stuck for longer than the detection time is a storm at once.
started_in_a_pause()
{
	setup
	long_pause 0x08
	send 1 3 -n 1 -d 24
	sleep 0.2
	wd p3
	check "no storm" wait_for 60 stormed p3 3
}

# Two priorities wait at one port, and the second one is due first.
two_times()
{
	setup
	ctl watchdog start p3 500 prio 4
	ctl watchdog start p3 $DETECTION prio 3
	long_pause 0x18
	send 1 3 -n 1 -d 32
	send 1 3 -n 1 -d 24
	until_stormed p3 4
	between "prio 3: us" "$(times_of 3)" $((DETECTION * 1000)) $((DETECTION * 1000 + LATE))
	between "prio 4: us" "$(times_of 4)" 500000 $((500000 + LATE))
}

times_of() { jq "select(.prio == $1) | (.time_ns - .since_ns) / 1000 | floor" /tmp/events; }

# The link goes down and up: neither pause nor storm survives.
port_toggle()
{
	setup
	blocked
	until_stormed p3 3
	calm
	sw ip link set p3 down
	check "storm of a link that is down" operational p3 3
	sw ip link set p3 up
	sleep 0.3
	equal "storms" "$(wd_stat p3 3 storm_detected)" 1
	equal "restored" "$(wd_stat p3 3 storm_restored)" 1
	receive 3 1000
	send 1 3 -n 50 -d 24
	equal "received" "$(received 3 .sum.packets)" 50
}

xon_does_not_prolong()
{
	setup
	blocked
	until_stormed p3 3
	calm
	storm 3 3 -x -t 500
	until_operational p3 3
	wait "$storm_pid"
	equal "storms" "$(wd_stat p3 3 storm_detected)" 1
}

# Exact drop counters: queued packets, new packets, and packets of the NIC.
drop_counts()
{
	setup
	blocked
	until_stormed p3 3
	equal "waited" "$(wd_stat p3 3 last_tx_dropped_packets)" 20
	sent 1 3 -n 100 -d 24
	sent 3 1 -n 50 -d 24
	equal "to the NIC" "$(wd_stat p3 3 last_tx_dropped_packets)" 120
	equal "from the NIC" "$(wd_stat p3 3 last_rx_dropped_packets)" 50
	equal "by reason" "$(stat p3 3 drops.storm_discard)" 120
	equal "by reason, from the NIC" "$(stat p3 3 drops.storm_rx_discard)" 50
	equal "sent by p3" "$(stat p3 3 tx_packets)" 0
	conserved
}

drop_from_the_nic()
{
	setup
	blocked
	until_stormed p3 3
	receive 1 1000
	send 3 1 -n 50 -d 24
	send 3 1 -n 50 -d 32 -f 4
	equal "prio 3 received" "$(received 1 '."0".packets')" null
	equal "prio 4 received" "$(received 1 '."4".packets')" 50
}

# The queue drains in spite of the pauses, which are still counted.
forward()
{
	local pauses

	setup
	receive 3 1000
	blocked -a forward p3
	until_stormed p3 3
	send 1 3 -n 100 -d 24
	pauses=$(stat p3 3 rx_pause)
	equal "received" "$(received 3 .sum.packets)" 120
	equal "sent in the storm" "$(wd_stat p3 3 last_tx_packets)" 120
	sent 3 1 -n 30 -d 24
	equal "came in the storm" "$(wd_stat p3 3 last_rx_packets)" 30
	check "pauses are not counted" stat_is p3 3 rx_pause -gt "$pauses"
	no_drops
	calm
	until_operational p3 3
	equal "sent in the storm, afterwards" "$(wd_stat p3 3 last_tx_packets)" 120
	equal "sent in all storms" "$(wd_stat p3 3 tx_packets)" 120
	equal "came in all storms" "$(wd_stat p3 3 rx_packets)" 30
}

alert()
{
	setup
	receive 3 1000
	blocked -a alert p3
	until_stormed p3 3
	equal "queued" "$(stat p3 3 backlog)" 20000
	no_drops
	calm
	pfc 3 0x08 0 0 0 0
	until_operational p3 3
	equal "received" "$(received 3 .sum.packets)" 20
}

last_is_frozen()
{
	setup
	blocked
	until_stormed p3 3
	calm
	until_operational p3 3
	sent 1 3 -n 30 -d 24
	sent 3 1 -n 30 -d 24
	equal "dropped of the last storm" "$(wd_stat p3 3 last_tx_dropped_packets)" 20
	equal "sent of the last storm" "$(wd_stat p3 3 last_tx_packets)" 0
	equal "received of the last storm" "$(wd_stat p3 3 last_rx_packets)" 0
	storm 3 3
	until_paused p3 3
	send 1 3 -n 7 -d 24
	check "no second storm" wait_for 2000 stormed p3 3
	equal "end of the second" "$(wd_stat p3 3 restored_ns)" null
	equal "dropped of the second" "$(wd_stat p3 3 last_tx_dropped_packets)" 7
	equal "dropped of both" "$(wd_stat p3 3 tx_dropped_packets)" 27
}

other_priority()
{
	setup
	blocked
	until_stormed p3 3
	receive 3 1000
	sent 1 3 -n 100 -d 32 -f 4
	sent 1 3 -n 100 -d 24 -f 3
	equal "prio 4 received" "$(received 3 '."4".packets')" 100
	equal "prio 3 received" "$(received 3 '."3".packets')" null
	equal "drops of prio 4" "$(stat p3 4 drop_bytes)" 0
	equal "prio 4 operational" "$(wd_stat p3 4 status)" operational
}

other_port()
{
	setup
	blocked all
	until_stormed p3 3
	receive 2 1000
	send 1 2 -n 100 -d 24
	equal "received by h2" "$(received 2 .sum.packets)" 100
	equal "drops of p1, p2" $(($(stat p1 3 drop_bytes) + $(stat p2 3 drop_bytes))) 0
	equal "p2 operational" "$(wd_stat p2 3 status)" operational
}

# Before the storm p1 pauses h1, as its packets wait; from then on the switch
# pauses neither h1 nor the NIC.
no_xoff_upstream()
{
	local pauses

	setup
	wd p3
	storm 3 3
	send 1 3 -n 60 -d 24
	check "p1 does not pause h1 before" wait_for 60 stat_is p1 3 tx_paused -eq 1
	until_stormed p3 3
	equal "p1 pauses h1 in the storm" "$(stat p1 3 tx_paused)" 0
	pauses=$(sum .tx_pause)
	sent 1 3 -n 500 -d 24
	sent 3 1 -n 500 -d 24
	equal "pauses sent in the storm" "$(sum .tx_pause)" "$pauses"
	conserved
}

# Packets of the NIC fill the group of p3 before the storm: the NIC is paused
# then, not during the storm, and again afterwards if the group is still full.
nic_paused() { [ "$(host_stat 3 3 rx_paused)" = "$1" ]; }

restore_resumes()
{
	local hold

	setup
	wd p3
	# p1 is paused, too, without a watchdog: packets of p3 wait there
	storm 1 3
	hold=$storm_pid
	send 3 1 -n 60 -d 24
	check "the NIC is not paused" wait_for 1000 nic_paused 1
	storm 3 3 -q 1000
	send 2 3 -n 5 -d 24
	until_stormed p3 3
	check "the NIC is paused in the storm" wait_for 1000 nic_paused 0
	calm
	until_operational p3 3
	check "the NIC is not paused afterwards" wait_for 1000 nic_paused 1
	stop_job "$hold"
	pfc 1 0x08 0 0 0 0
	check "packets wait" wait_for 2000 stat_is p1 3 backlog -eq 0
	sleep 0.1
	nothing_stuck
}

two_ports()
{
	setup
	wd all
	storm 3 3
	storm 2 4
	until_paused p3 3
	until_paused p2 4
	send 1 3 -n 20 -d 24
	send 1 2 -n 20 -d 32
	until_stormed p3 3
	until_stormed p2 4
	no_storm p3 4
	no_storm p2 3
	no_storm p1 3
	equal "dropped at p3" "$(stat p3 3 drops.storm_discard)" 20
	equal "dropped at p2" "$(stat p2 4 drops.storm_discard)" 20
}

all_ports()
{
	local i

	setup
	wd all
	for i in 1 2 3; do
		storm $i 3
	done
	for i in 1 2 3; do
		until_paused "p$i" 3
	done
	for i in 1 2 3; do
		send $i $((i % 3 + 1)) -n 20 -d 24 &
		defer stop_job $!
	done
	for i in 1 2 3; do
		until_stormed "p$i" 3
	done
	conserved
}

alpha_changed()
{
	setup
	blocked
	until_stormed p3 3
	sw tc qdisc change dev p3 root lossless alpha 1/64
	sw tc qdisc change dev p1 root lossless alpha 1/64
	check "storm is forgotten" stormed p3 3
	calm
	until_operational p3 3
	equal "storms" "$(wd_stat p3 3 storm_detected)" 1
}

# drop becomes forward during the storm
change_in_storm()
{
	setup
	blocked
	until_stormed p3 3
	wd -a forward p3
	receive 3 1000
	send 1 3 -n 50 -d 24
	equal "received" "$(received 3 .sum.packets)" 50
	equal "storms" "$(wd_stat p3 3 storm_detected)" 1
}

# off COMMAND...: COMMAND ends a storm, and leaves no rule behind
off()
{
	setup
	blocked
	until_stormed p3 3
	"$@"
	calm
	pfc 3 0x08 0 0 0 0
	receive 3 1000
	send 1 3 -n 50 -d 24
	equal "received" "$(received 3 .sum.packets)" 50
}

stop_in_storm() { off ctl watchdog stop p3; }
pfc_off_in_storm() { off sw tc qdisc change dev p3 root lossless prio-pfc 3:off; }
replace_in_storm() { off sw tc qdisc replace dev p3 root handle 2: lossless rate 100mbit; }

delete_in_storm()
{
	off eval 'sw tc qdisc del dev p3 root; port 3 rate 100mbit prio-pfc 3:on'
	equal "storms of the new port" "$(ctl -j watchdog show stats -e | jq length)" 0
}

# Discards as if each port with a watchdog had a storm, also queued packets
discard_all()
{
	setup
	ctl watchdog start p3 60000
	pfc 3 0x08 0 0 0 65535
	sent 1 3 -n 5 -d 24
	equal "waiting" "$(stat p3 3 backlog)" 5000
	check "refused" ctl switch discard 0 on
	check "they wait on" wait_for 60 stat_is p3 3 backlog = 0
	equal "dropped" "$(stat p3 3 drops.storm_discard)" 5
	pfc 3 0x08
	receive 3 1000
	receive 2 1000
	send 1 3 -n 20 -d 24
	send 1 3 -n 20 -d 32 -f 4
	send 1 2 -n 20 -d 24
	equal "received by h3" "$(received 3 .sum.packets)" 0
	equal "received by h2, which has no watchdog" "$(received 2 .sum.packets)" 20
	check "refused" ctl switch discard 0 off
	receive 3 1000
	send 1 3 -n 20 -d 24
	equal "received by h3 afterwards" "$(received 3 .sum.packets)" 20
	no_storm p3 3
}

clear_not_in_storm()
{
	setup
	blocked
	until_stormed p3 3
	ctl watchdog clear p3
	equal "detected, in the storm" "$(wd_stat p3 3 storm_detected)" 1
	equal "dropped, in the storm" "$(wd_stat p3 3 tx_dropped_packets)" 20
	calm
	until_operational p3 3
	ctl watchdog clear p3
	equal "detected" "$(wd_stat p3 3 storm_detected)" 0
	equal "dropped" "$(wd_stat p3 3 tx_dropped_packets)" 0
	equal "dropped of the last storm" "$(wd_stat p3 3 last_tx_dropped_packets)" 0
	equal "counter of the port" "$(stat p3 3 drops.storm_discard)" 20
}

never_restores()
{
	setup
	ctl watchdog start -r 0 p3 $DETECTION
	storm 3 3
	send 1 3 -n 20 -d 24
	until_stormed p3 3
	calm
	sleep 1
	check "restored by itself" stormed p3 3
	ctl watchdog start -r 100 p3 $DETECTION
	until_operational p3 3
}

without_pfc_refused()
{
	llet_star 1
	port 1
	refused "no PFC on priority 3" ctl watchdog start p1 100 prio 3
	port 1 prio-pfc 3:on
	refused "60000" ctl watchdog start p1 60001
	refused "nosuch" ctl watchdog start nosuch 100
	check "nothing was set" test "$(ctl -j watchdog show config | jq length)" = 0
}

no_pause() { pfc 3 0x00 65535 65535 65535 65535 65535 65535 65535 65535; pfc 3 0x08; }

# Frames that pause no priority, whatever quanta they have, or that resume one:
# they neither begin a storm nor prolong it.
no_pauses()
{
	setup
	wd p3
	receive 3 1000
	no_pause
	send 1 3 -n 20 -d 24
	equal "received" "$(received 3 .sum.packets)" 20
	no_storm p3 3
	no_drops
	equal "pauses" "$(stat p3 3 rx_pause)" 0
	equal "resumes" "$(stat p3 3 rx_resume)" 1

	blocked
	until_stormed p3 3
	calm
	while sleep 0.02; do no_pause; done &
	defer stop_job $!
	until_operational p3 3
	equal "storms" "$(wd_stat p3 3 storm_detected)" 1
	equal "dropped" "$(sum '.drops[]')" 20
	conserved
}

# unload: removes the qdiscs of switch and hosts, and the modules
unload()
{
	local i

	for i in 1 2 3; do
		tc -n sw qdisc del dev "p$i" root
		tc -n "h$i" qdisc del dev eth0 root
	done
	# namespaces of the last test may still exist for a while
	check "rmmod sch_lossless" wait_for 5000 rmmod sch_lossless 2>/dev/null
	check "rmmod lossless" rmmod lossless
}

# Modules are replaced during a storm, as in an update. The storm continues: it
# is detected again, and counted from 0.
modules_replaced()
{
	setup
	blocked
	until_stormed p3 3
	stop_job "$monitor_pid"
	unload
	check "insmod lossless" insmod "$LLE_MODULES/lossless.ko"
	check "insmod sch_lossless" insmod "$LLE_MODULES/sch_lossless.ko"
	attach
	wd p3
	until_paused p3 3
	no_storm p3 3
	send 1 3 -n 20 -d 24
	until_stormed p3 3
	equal "storms" "$(wd_stat p3 3 storm_detected)" 1
	equal "dropped" "$(wd_stat p3 3 last_tx_dropped_packets)" 20
	calm
	until_operational p3 3
	equal "restored" "$(wd_stat p3 3 storm_restored)" 1
	receive 3 1000
	send 1 3 -n 50 -d 24
	equal "received afterwards" "$(received 3 .sum.packets)" 50
	nothing_stuck
}

llet_main
