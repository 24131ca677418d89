#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What administrators see: sysfs, tracepoints, classes, root statistics.

ALL_TESTS="sysfs_is_what_tc_says sysfs_drops sysfs_follows_the_device sysfs_is_read_only
	tracepoints trace_cmd_decodes classes root_statistics clearmax sent_pause pfc_frames pfc_since empty_results
	monitor_fits monitor_fits_counters"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

TRACE=/sys/kernel/tracing
LONG=65535

busy()
{
	llet_star 2
	llet_ports 2 rate 1mbit prio-pfc 3:on xoff 10000b headroom 5000b "$@" \
		2>/dev/null
	pfc 2 0x08 0 0 0 $LONG
	send 1 2 -B -n 20 -d 24
	send 1 2 -B -n 5
}

# Each file of priority 3 of p1 and p2 agrees with the JSON of tc. Times may
# advance; tc has no memory sizes, and RCM only if it is on.
sysfs_is_what_tc_says()
{
	local dev

	busy
	for dev in p1 p2; do
		tc -n sw -s -j qdisc show dev $dev root |
			jq -r '.[0].prios[3] | . + .drops | del(.drops, .prio) |
				to_entries[] | "\(.key):\(.value)"' >/tmp/tc
		sw sh -c "cd /sys/class/net/$dev/lossless/prio3 && grep . *" |
			grep -vE '^(deadlock_[a-z]*_bytes|rcm_)' >/tmp/sysfs
		equal "$dev" "$(sort /tmp/tc /tmp/sysfs | uniq -u |
			grep -vE '_duration:|^backlog:')" ""
		equal "number of files of $dev" "$(wc -l </tmp/sysfs)" "$(wc -l </tmp/tc)"
	done
	equal "headroom_discard" "$(stat p1 3 drops.headroom_discard)" 5
}

# Drop reasons of priorities without PFC. The first frame of priority 0 takes
# the link.
sysfs_drops()
{
	local at=/sys/class/net/p2/lossless

	llet_star 2
	port 1
	port 2 rate 8kbit limit 12000b \
		wred 0 kmin 2k kmax 2k pmax 100% \
		wred 1 kmin 2k kmax 2k pmax 100% ecn nonect 3000b \
		wred 2 kmin 2k kmax 2k pmax 100% ecn bufmax 4000b
	send 1 2 -B -n 10
	send 1 2 -B -n 11 -d 8
	send 1 2 -B -n 12 -d 16 -e 2
	send 1 2 -B -n 4 -d 32
	# queued: 3000, 3000, 5000, 1000
	equal "drops" "$(sw sh -c "cd $at && grep . prio*/*_discard" |
		grep -v :0 | tr '\n' ' ')" \
		"prio0/wred_discard:6 prio1/nonect_discard:8 prio2/bufmax_discard:7 prio4/limit_discard:3 "
}

sysfs_follows_the_device()
{
	llet_star 1
	port 1
	ip -n sw link set p1 down
	ip -n sw link set p1 name renamed
	equal "after a rename" \
		"$(sw cat /sys/class/net/renamed/lossless/prio7/rx_packets)" 0
	tc -n sw qdisc del dev renamed root
	check "left behind" sw test ! -e /sys/class/net/renamed/lossless
}

sysfs_is_read_only()
{
	llet_star 1
	port 1
	equal "writable files" "$(sw find /sys/class/net/p1/lossless/ -perm /222 -type f)" ""
}

tracepoints()
{
	local out=/tmp/trace if1 if2

	echo 1 >$TRACE/events/lossless/enable
	defer sh -c "echo 0 >$TRACE/events/lossless/enable"
	: >$TRACE/trace
	busy switch 5
	sw cat /sys/class/net/p1/ifindex >/tmp/if1
	sw cat /sys/class/net/p2/ifindex >/tmp/if2
	if1=$(cat /tmp/if1)
	if2=$(cat /tmp/if2)
	cat $TRACE/trace >$out
	equal "drops" "$(grep -c "lle_drop: net=[0-9]* ifindex=$if1 switch=5 prio=3 reason=headroom_discard len=1000" $out)" 5
	equal "pauses received" "$(grep -c "lle_pause_rx: net=[0-9]* ifindex=$if2 switch=5 enable=0x08 quanta={0x0,0x0,0x0,0xffff,0x0,0x0,0x0,0x0}" $out)" 1
	check "no pause sent" grep -q "lle_pause_tx: net=[0-9]* ifindex=$if1 switch=5 enable=0x08 quanta={0x0,0x0,0x0,0xffff," $out
}

# perf and trace-cmd record raw data, and print it by the formats. They print
# arrays in another way than the kernel.
trace_cmd_decodes()
{
	local out=/tmp/report event

	equal "formats that libtraceevent does not understand" "$(lle_formats lossless)" ""
	echo 1 >$TRACE/events/lossless/enable
	defer sh -c "echo 0 >$TRACE/events/lossless/enable"
	: >$TRACE/trace
	busy switch 5
	trace-cmd extract -o /tmp/trace.dat >/dev/null 2>&1
	trace-cmd report -N -i /tmp/trace.dat >$out 2>&1
	check "no drop in the report" \
		grep -q "lle_drop: .* switch=5 prio=3 reason=headroom_discard len=1000" $out
	for event in rx tx; do
		equal "lle_pause_$event in the report" \
			"$(sed -n "s/.* lle_pause_$event: .* switch=5 //p" $out | sed 's/at=[1-9][0-9]*$/at=N/')" \
			"enable=0x08 quanta=0 0 0 65535 0 0 0 0 at=N"
	done
}

classes()
{
	local c

	busy
	c=$(tc -n sw -s class show dev p2)
	equal "classes" "$(grep -c '^class lossless 1:[1-8] ' <<<"$c")" 8
	# priority 3 is 1:4; it sent nothing and holds 15000 bytes
	equal "backlog of 1:4" "$(grep -A 2 '^class lossless 1:4 ' <<<"$c" |
		sed -n 's/^ backlog \([0-9]*\)b .*/\1/p')" 15000
	refused "" tc -n sw class add dev p2 parent 1: classid 1:9 lossless
	refused "" tc -n sw qdisc add dev p2 parent 1:4 pfifo
}

# Exporters read statistics at the root, with or without the plugin.
root_statistics()
{
	local j

	busy
	j=$(tc -n sw -s -j qdisc show dev p2 root)
	equal "dropped" "$(jq '.[0].drops' <<<"$j")" 5
	equal "qlen" "$(jq '.[0].qlen' <<<"$j")" \
		"$(($(jq '.[0].backlog' <<<"$j") / 1000))"
	check "nothing queued" test "$(jq '.[0].backlog' <<<"$j")" -ge 15000
	# p1 has sent pauses only
	equal "packets of p1" "$(port_stat p1 packets)" "$(stat p1 3 tx_pause)"
}

nothing_shared() { [ "$(port_stat p1 shared_used)" = 0 ]; }

clearmax()
{
	busy
	pfc 2 0x08
	check "queue does not drain" wait_for 5000 nothing_shared
	check "no marks" stat_is p1 3 occupancy_max -gt 10000
	tc -n sw qdisc change dev p1 root lossless clearmax 2>/dev/null
	equal "occupancy_max" "$(stat p1 3 occupancy_max)" 0
	equal "headroom_max" "$(stat p1 3 headroom_max)" 0
	equal "shared_max" "$(port_stat p1 shared_max)" 0
	equal "backlog_max of another port" "$(stat p2 3 backlog_max)" 15000
	tc -n sw qdisc change dev p2 root lossless clearmax 2>/dev/null
	equal "backlog_max" "$(stat p2 3 backlog_max)" 0
}

# The largest message: a port with WRED in all priorities.
monitor_fits()
{
	local p wred=()

	llet_star 1
	for p in 0 1 2 3 4 5 6 7; do
		wred+=(wred "$p" kmin 10k kmax 40k pmax 10% nonect 20k bufmax 80k ecn)
	done
	ip netns exec sw timeout 3 tc monitor >/tmp/monitor 2>&1 &
	sleep 0.5
	port 1 rate 1gbit bands 8 quanta 1600 "${wred[@]}"
	wait $!
	check "no event" grep -q 'qdisc lossless 1: dev p1 root' /tmp/monitor
	check "cut short" grep -q 'wred 7 ' /tmp/monitor
}

# The largest message with counters: RCM and WRED in all priorities, none of
# which is quiet.
monitor_fits_counters()
{
	local p wred=()

	llet_star 2
	for p in 0 1 2 3 4 5 6 7; do
		wred+=(wred "$p" kmin 10k kmax 40k pmax 10% ecn)
	done
	port 1 rate 1gbit
	port 2 rate 1gbit prio-pfc all:on xoff 200k headroom 10k fabric rcm on bands 8 quanta 1600 \
		"${wred[@]}"
	receive 2 500
	for p in 0 1 2 3 4 5 6 7; do
		send 1 2 -n 1 -d $((8 * p))
	done
	equal "received" "$(received 2 .sum.packets)" 8
	ip netns exec sw timeout 3 tc -s monitor >/tmp/monitor 2>&1 &
	sleep 0.5
	tc -n sw qdisc change dev p2 root handle 1: lossless limit 100k
	wait $!
	check "no event" grep -q 'qdisc lossless 1: dev p2 root' /tmp/monitor
	equal "priorities" "$(grep -c '^ prio [0-7] ' /tmp/monitor)" 8
	equal "with rcm" "$(grep -c '^        rcm ' /tmp/monitor)" 8
}

# A pause lasts from XOFF on, and until XON.
sent_pause()
{
	# longer after the boot than the pause lasts
	sleep 2
	busy
	sleep 0.1
	between "us so far" "$(stat p1 3 tx_pause_duration)" 100000 1900000
	pfc 2 0x08
	check "p1 still pauses" wait_for 1000 stat_is p1 3 tx_paused = 0
	between "us in the end" "$(stat p1 3 tx_pause_duration)" 100000 1900000
}

# pfc_rx OPTION...: frames that p1 has received, by priority
pfc_rx() { sw losslessctl -j pfc "$@" p1 | jq -c '.[0].rx_frames'; }

pfc_frames()
{
	llet_star 1
	port 1 rate 10mbit prio-pfc 3:on 4:on
	pfc 1 0x18 0 0 0 $LONG $LONG
	pfc 1 0x08 0 0 0 0
	equal "received" "$(pfc_rx)" "[0,0,0,2,1,0,0,0]"
	equal "text" "$(sw losslessctl pfc | awk '$1 == "p1" { $1 = ""; print }' | head -n 1 | xargs)" \
		"0 0 0 2 1 0 0 0"
	equal "head" "$(sw losslessctl pfc | grep -cE '^PORT +[RT]X +PFC0 .* PFC7$')" 2
	refused "exclude each other" sw losslessctl pfc -a -c
}

# says TEXT WORD...: losslessctl WORD... says TEXT besides its output, and with -j
# prints an empty list only
says()
{
	local text=$1

	shift
	equal "$*" "$(sw losslessctl "$@" 2>&1 >/dev/null)" "$text"
	equal "$*, JSON" "$(sw losslessctl -j "$@" 2>&1 | jq -c '.nodes? // .')" "[]"
}

empty_results()
{
	local no_port='no port in this network namespace: "tc qdisc add dev DEV root lossless" makes one'
	local words

	llet_star 1
	for words in "port show" "switch show" "buffer show" "prio show" pfc; do
		# shellcheck disable=SC2086 # words
		says "$no_port" $words
	done
	port 1 rate 10mbit prio-pfc 3:on
	says "all counters are 0; -a shows them" prio show
	says "no pauses so far" history
	says "no port is paused, or pauses a peer" tree
	says "no deadlock so far" deadlock show
	says "no priority of a port has RCM: rcm of tc-lossless(8) turns it on" congestion show
	says 'no watchdog is on: "losslessctl watchdog start" turns watchdogs on' watchdog show config
	says "no watchdog has detected a storm; -e shows all" watchdog show stats
	says 'no path groups: "losslessctl path set" makes one' path show
	says "no TCP socket in this network namespace uses LDCP" ldcp show
	pfc 1 0x08 0 0 0 $LONG
	equal "not empty" "$(sw losslessctl history 2>&1 >/dev/null)" ""
}

# Since -c, which clears nothing; of a port that was made again, all.
pfc_since()
{
	llet_star 1
	port 1 rate 10mbit prio-pfc 3:on
	pfc 1 0x08 0 0 0 $LONG
	check "not cleared" sw losslessctl pfc -c
	equal "since then" "$(pfc_rx)" "[0,0,0,0,0,0,0,0]"
	pfc 1 0x08 0 0 0 $LONG
	equal "one more" "$(pfc_rx)" "[0,0,0,1,0,0,0,0]"
	equal "all" "$(pfc_rx -a)" "[0,0,0,2,0,0,0,0]"
	check "it does not say since when" grep -q "^since the last" <(sw losslessctl pfc)
	tc -n sw qdisc del dev p1 root
	port 1 rate 10mbit prio-pfc 3:on
	equal "made again" "$(pfc_rx)" "[0,0,0,0,0,0,0,0]"
	{ sleep 0.5; pfc 1 0x08 0 0 0 $LONG; } &
	equal "of a second" "$(sw losslessctl -j pfc -r 1 p1 | jq '.[0].rx_frames[3]')" 1
	wait $!
}

llet_main
