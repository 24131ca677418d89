#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# losslessctl against the kernel: it shows the same as tc, and the traffic that
# was sent; it applies settings, and prints a reason for each refusal.
#
# h3 pauses p3 with hand-made frames; h1 sends through p3. At 1 Mbit/s a pause
# of 65535 quanta lasts 33.5 s, one of 1000 quanta 512 ms.

ALL_TESTS="not_loaded ports switches switch_keeps_dcfit buffers prios usage_refused devices_refused
	needs_privilege output_fails watchdog_config watchdog_of_all watchdog_stops
	storm_of_a_test check_storm forward_and_alert history_counts history_now
	monitor_pause monitor_storm monitor_lost discard_all names"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

LONG=65535

setup()
{
	llet_star 3
	llet_ports 3 rate "${1:-1mbit}" prio-pfc 3:on 4:on "${@:2}"
}

ctl() { sw losslessctl "$@"; }
# json EXPRESSION WORD...: a value of the JSON output of a command
json() { local expr=$1; shift; ctl -j "$@" | jq -rc "$expr"; }

# fails STATUS TEXT WORD...: losslessctl exits with STATUS, prints one line with
# TEXT (and a hint after a wrong command line), and nothing else
fails()
{
	local status=$1 text=$2 is=0

	shift 2
	ctl "$@" >/tmp/said.out 2>/tmp/said.err || is=$?
	equal "status of $*" "$is" "$status"
	grep -qF -- "$text" /tmp/said.err || llet_fail "$*: says $(cat /tmp/said.err)"
	equal "lines of $*" "$(wc -l </tmp/said.err)" "$status"
	equal "output of $*" "$(cat /tmp/said.out)" ""
}

not_loaded()
{
	local status=0

	losslessctl top -b -d 0.1 >/tmp/top 2>/tmp/top.err &
	check "top does not show anything" wait_for 3000 test -s /tmp/top
	# namespaces of another scenario may still exist for a while
	check "rmmod sch_lossless" wait_for 5000 rmmod sch_lossless 2>/dev/null
	check "rmmod lossless" rmmod lossless
	wait $! || status=$?
	equal "status of top" $status 1
	equal "top says" "$(cat /tmp/top.err)" "losslessctl: the module lossless is not loaded"
	llet_netns sw
	fails 1 "the module lossless is not loaded" port
	fails 1 "the module lossless is not loaded" watchdog show stats --check-storm
	check "insmod lossless" insmod "$LLE_MODULES/lossless.ko"
	check "insmod sch_lossless" insmod "$LLE_MODULES/sch_lossless.ko"
	equal "ports of a namespace without any" "$(json . port)" "[]"
	equal "switches" "$(json . switch)" "[]"
	equal "watchdogs" "$(json . watchdog show config)" "[]"
	equal "histories" "$(json . history)" "[]"
}

ports()
{
	setup 10mbit fabric
	port 2 rate 2500mbit edge prio-pfc all:off xoff 20k headroom 30000b alpha 1/4
	pfc 3 0x08
	equal "ports" "$(json 'map(.ifname) | join(" ")' port)" "p1 p2 p3"
	equal "p1" "$(json '.[0] | [.ifname, .switch, .facing, .rate_bytes_per_s, .mtu_bytes,
		.pfc_prios, .rcm_prios, .alpha, .to_alpha, has("xoff_bytes")]' port show p1)" \
		'["p1",0,"fabric",1250000,1500,[3,4],[],"1/16",6,false]'
	equal "p2" "$(json '.[0] | [.facing, .rate_bytes_per_s, .pfc_prios, .alpha, .xoff_bytes,
		.headroom_bytes, has("peer_mac")]' port show p2)" \
		'["edge",312500000,[],"1/4",20480,30000,false]'
	equal "peer of p3" "$(json '.[0].peer_mac' port show p3)" "$(mac 3)"
	equal "ifindex" "$(json '.[0].ifindex' port show p3)" \
		"$(sw cat /sys/class/net/p3/ifindex)"
	equal "headroom" "$(json '.[0] | "\(.headroom_bytes) \(.headroom_need_bytes)"' \
		port show p1)" "$(option p1 headroom_now) $(option p1 headroom_need)"
	equal "text of p1" "$(ctl port show p1 | awk 'NR == 2 { print $1, $2, $3, $4, $5, $6, $7 }')" \
		"p1 0 fabric - 10Mbit 1500 3,4"
	equal "text of p2" "$(ctl port show p2 | awk 'NR == 2 { print $5, $7 }')" \
		"2500Mbit -"
	# -j has the same effect in all places
	equal "port -j" "$(ctl port -j show p1)" "$(ctl -j port show p1)"
	equal "-p" "$(ctl -p port | jq -c .)" "$(ctl -j port)"
	equal "lines of -p" "$(($(ctl -p port | wc -l) > 20))" 1
	equal "in another namespace" "$(h 1 losslessctl -j port)" "[]"
	port 2 rate 10mbit prio-pfc 3:on 5:on xoff 20k rcm on
	equal "rcm of p2" "$(json '.[0].rcm_prios' port show p2)" '[3,5]'
}

switches()
{
	setup 10mbit
	tc -n sw qdisc del dev p3 root
	port 3 rate 10mbit switch 7 buffer 1m
	equal "switches" "$(json 'map([.switch, .ports, .buffer_bytes, .discard])' switch)" \
		'[[0,2,12582912,false],[7,1,1048576,false]]'
	check "set" ctl switch set 7 buffer 2mb
	equal "after set" "$(json '.[0].buffer_bytes' switch show 7)" 2097152
	equal "as tc says" "$(option p3 buffer)" 2097152
	check "set in bytes" ctl switch set 0 buffer 3000001
	equal "after that" "$(json '.[0] | "\(.buffer_bytes) \(.shared_bytes)"' switch show 0)" \
		"3000001 $(option p1 shared_size)"
	equal "text" "$(ctl switch show 7 | awk 'NR == 2 { print $1, $2, $3, $7 }')" \
		"7 1 2097152 off"
	fails 1 "switch 5: No such switch" switch show 5
	fails 1 "switch 5: No such switch" switch set 5 buffer 1m
	fails 1 "switch 5: No such switch" switch discard 5 on
	# less than the port has reserved
	port 3 switch 7 prio-pfc 3:on headroom 1m
	fails 1 "switch 7: " switch set 7 buffer 64k
	equal "unchanged" "$(json '.[0].buffer_bytes' switch show 7)" 2097152
}

# The last setting of deadlock options counts: a change of another option does
# not restore those of the first port, whichever that is.
switch_keeps_dcfit()
{
	llet_star 2
	port 1 switch 7 deadlock alert
	port 2 switch 7 deadlock drop
	check "set" ctl switch set 7 buffer 2mb
	equal "said by p2" "$(option p1 deadlock)" drop
	port 1 switch 7 deadlock alert
	check "set again" ctl switch set 7 buffer 3mb
	equal "said by p1" "$(option p1 deadlock)" alert
}

buffers()
{
	setup 10mbit
	port 2 rate 10mbit prio-pfc 3:on headroom 1000b 2>/dev/null
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 5 -d 24
	equal "used" "$(json '.[0].used_bytes' buffer)" "$(port_stat p1 shared_used)"
	equal "used, not 0" "$(json '.[0].used_bytes > 0' buffer show)" true
	equal "low" "$(json '[.[0].ports[] | .headroom_low]' buffer)" "[false,true,false]"
	equal "text" "$(ctl buffer | awk '/p[123]/ { print $1, $4, (NF > 5) }')" \
		"p1 $(option p1 headroom_now) 0
p2 1000 1
p3 $(option p3 headroom_now) 0"
}

# every number of tc, by name
prios()
{
	local key renamed='{occupancy: "occupancy_bytes", occupancy_max: "occupancy_max_bytes",
		headroom: "headroom_bytes", headroom_max: "headroom_max_bytes",
		backlog: "backlog_bytes", backlog_max: "backlog_max_bytes",
		rx_pause_duration: "rx_pause_duration_us",
		tx_pause_duration: "tx_pause_duration_us"}'

	setup 1mbit xoff 10000b headroom 5000b 2>/dev/null
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -B -n 20 -d 24
	for key in p1 p3; do
		equal "$key" "$(json '.[0] | del(.ifname, .ifindex, .switch,
				.rx_pause_duration_us, .tx_pause_duration_us) |
				.rx_paused |= (if . then 1 else 0 end) |
				.tx_paused |= (if . then 1 else 0 end)' prio show $key 3 | jq -Sc .)" \
			"$(tc -n sw -s -j qdisc show dev $key root | jq -Sc ".[0].prios[3] |
				with_entries(.key |= (${renamed}[.] // .)) |
				del(.rx_pause_duration_us, .tx_pause_duration_us)")"
	done
	equal "paused for us" "$(json '.[0].rx_pause_duration_us > 0' prio show p3 3)" true
	equal "drops as text" "$(ctl prio show p1 3 | tail -n 1)" "    dropped: headroom_discard 5"
	equal "p3 is paused now" "$(ctl prio show p3 3 | awk 'NR == 2 { print $5, $6 ~ /s[*]$/ }')" "1 1"
	# priorities with all counters 0 are shown on request only
	equal "priorities" "$(json 'map("\(.ifname):\(.prio)") | join(" ")' prio)" "p1:3 p3:3"
	equal "all priorities" "$(json length prio show -a)" 24
	equal "some" "$(json 'map(.prio)' prio show --all p1 2,5)" "[2,5]"
	equal "lines" "$(ctl prio show -a p2 | wc -l)" 9
}

# Wrong command lines: status 2, without a request to the kernel.
usage_refused()
{
	setup
	fails 2 "a command is required"
	fails 2 'no command "bogus"' bogus
	fails 2 'there is no "bogus"' port bogus
	fails 2 "a word is missing" watchdog
	fails 2 "invalid option" port -x
	fails 2 'unknown argument "x"' port show p1 x
	fails 2 "ID buffer SIZE" switch set 0
	for size in 0 65535 1073741825 2g 99999999999999999999 -1 1e6 12q '' ' 1m'; do
		fails 2 "\"$size\" is not a size of 65536..1073741824 bytes" \
			switch set -- 0 buffer "$size"
	done
	for id in -1 4294967296 x ''; do
		fails 2 "switch: \"$id\" is not a number" switch show -- "$id"
	done
	fails 2 "neither on nor off" switch discard 0 maybe
	for ms in 0 60001 99999999999999999999 -5 10ms 0x10 ''; do
		fails 2 "DETECTION_MS: \"$ms\" is not a number of 1..60000" \
			watchdog start -- p1 "$ms"
	done
	fails 2 'restoration: "60001"' watchdog start -r 60001 p1 100
	fails 2 'action: "shout"' watchdog start -a shout p1 100
	fails 2 "devices and DETECTION_MS" watchdog start 100
	for prios in 8 3,8 '3,' ,3 34 -1 x ''; do
		fails 2 "\"$prios\" is not a list of priorities" \
			watchdog start -- p1 100 prio "$prios"
	done
	fails 2 '"8" is not a list' prio show p1 8
	fails 2 '"8" is not a list' history p1 8
	fails 2 "config or stats" watchdog show
	fails 2 '"x" is neither config nor stats' watchdog show x
	fails 2 "options of stats" watchdog show config -e
	fails 2 '"x" is not pause, storm, deadlock, congestion or config' monitor pause x
	fails 2 "is not the name of a device" port show averyveryverylongname
	fails 2 "is not the name of a device" port show ''
	equal "watchdogs" "$(json . watchdog show config)" "[]"
	equal "buffer" "$(json '.[0].buffer_bytes' switch)" 12582912
}

devices_refused()
{
	local command

	setup
	for command in "port show" "prio show" history "watchdog clear" "watchdog stop"; do
		# shellcheck disable=SC2086 # two words
		fails 1 "p9: no such device" $command p9
		# shellcheck disable=SC2086
		fails 1 "br0: No such device, or no lossless qdisc at its root" $command br0
	done
	# one wrong name: no change at the right ones either
	fails 1 "p9: no such device" watchdog start p1 p9 100
	fails 1 "br0: No such device, or no" watchdog start p1 br0 100
	equal "watchdogs" "$(json . watchdog show config)" "[]"
}

needs_privilege()
{
	local as=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)

	setup
	check "anybody may look" sw "${as[@]}" losslessctl port >/tmp/said
	refused "switch 0: Operation not permitted" \
		sw "${as[@]}" losslessctl switch set 0 buffer 1m
	refused "p1: Operation not permitted" \
		sw "${as[@]}" losslessctl watchdog start p1 100
	refused "Operation not permitted" sw "${as[@]}" losslessctl watchdog clear
}

# Lost output is a failure.
output_fails()
{
	local words

	setup
	for words in "-j prio show -a" port "watchdog show config" "top -b" --help --version; do
		refused "losslessctl: standard output: No space left on device" \
			sw sh -c "losslessctl $words >/dev/full"
	done
}

watchdog_config()
{
	setup
	port 2 prio-pfc all:off
	check "start" ctl watchdog start -a forward -r 300 p1 150 prio 3
	check "start again, defaults" ctl watchdog start p3 200
	equal "config" "$(json 'map([.ifname, .prio, .action, .detection_ms, .restoration_ms])' \
		watchdog show config)" \
		'[["p1",3,"forward",150,300],["p3",3,"drop",200,200],["p3",4,"drop",200,200]]'
	equal "text" "$(ctl watchdog show config | awk 'NR == 2 { print $1, $2, $3, $4 $5, $6 $7 }')" \
		"p1 3 forward 150ms 300ms"
	check "never by itself" ctl watchdog start -a alert -r 0 p1 60000
	equal "config of p1" "$(json 'map(select(.ifname == "p1") |
		[.prio, .action, .detection_ms, .restoration_ms])' watchdog show config)" \
		'[[3,"alert",60000,0],[4,"alert",60000,0]]'
	equal "text of never" "$(ctl watchdog show config | awk 'NR == 2 { print $6 }')" never
	# without PFC
	refused "p2: no priority has PFC: skipped" ctl watchdog start p2 100
	refused "p1: no PFC on priority 5: skipped" ctl watchdog start p1 100 prio 4,5
	equal "still" "$(json 'map(.detection_ms) | unique' watchdog show config)" "[200,60000]"
}

watchdog_of_all()
{
	setup
	port 2 prio-pfc all:off 3:on fabric
	check "all" ctl watchdog start all 100
	equal "at the edge" "$(json 'map("\(.ifname):\(.prio)") | join(" ")' watchdog show config)" \
		"p1:3 p1:4 p3:3 p3:4"
	check "the fabric, too" ctl watchdog start --fabric all 100 prio 3
	equal "everywhere" "$(json 'map("\(.ifname):\(.prio)") | join(" ")' watchdog show config)" \
		"p1:3 p1:4 p2:3 p3:3 p3:4"
	check "warned of p2" test "$(ctl watchdog start --fabric all 100 prio 4 2>&1)" = \
		"losslessctl: warning: p2: no PFC on priority 4: skipped"
}

watchdog_stops()
{
	setup
	check "start" ctl watchdog start all 100
	check "stop p1" ctl watchdog stop p1
	equal "left" "$(json 'map(.ifname) | unique | join(" ")' watchdog show config)" "p2 p3"
	check "stop all" ctl watchdog stop
	equal "left" "$(json . watchdog show config)" "[]"
	check "stop all, which are off" ctl watchdog stop all
}

# storm MS [OPTION...]: p3 has a storm on priority 3 that drops five packets
storm()
{
	local ms=$1

	shift
	ctl watchdog start "$@" all "$ms" prio 3 || llet_fail "watchdog start"
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 5 -d 24
}

stormed() { ! ctl watchdog show stats --check-storm; }

storm_of_a_test()
{
	setup
	storm 100
	check "no storm" wait_for 3000 stormed
	equal "stats" "$(json '.[0] | [.ifname, .prio, .status, .storm_detected, .storm_restored,
		.tx_packets, .tx_dropped_packets, .rx_packets, .rx_dropped_packets,
		.last_tx_dropped_packets, has("restored_ns")]' watchdog show stats)" \
		'["p3",3,"stormed",1,0,0,5,0,0,5,false]'
	equal "only that" "$(json length watchdog show stats)" 1
	equal "those that are 0, too" "$(json 'map(.ifname) | join(" ")' watchdog show stats -e)" "p1 p2 p3"
	equal "text" "$(ctl watchdog show stats | awk 'NR == 2 { $1 = $1; print }')" \
		"p3:3 stormed 1/0 0/5 0/0 0/5 0/0"
	equal "head" "$(ctl watchdog show stats | awk 'NR == 1 { $1 = $1; print }')" \
		"QUEUE STATUS STORM DETECTED/RESTORED TX OK/DROP RX OK/DROP TX LAST OK/DROP RX LAST OK/DROP"
	# clear has no effect during a storm
	check "clear" ctl watchdog clear p3
	equal "still" "$(json '.[0].storm_detected' watchdog show stats)" 1
	send 1 3 -n 3 -d 24
	equal "dropped" "$(json '.[0].tx_dropped_packets' watchdog show stats)" 8
	pfc 3 0x08
	check "not restored" wait_for 3000 ctl watchdog show stats --check-storm
	equal "after that" "$(json '.[0] | [.status, .storm_detected, .storm_restored,
		.tx_dropped_packets, (.restored_ns - .detected_ns) > 200000000]' watchdog show stats)" \
		'["operational",1,1,8,true]'
	check "clear all" ctl watchdog clear
	equal "cleared" "$(json . watchdog show stats)" "[]"
	no_storm_left
}

# No state of the storm is left: the next packets pass.
no_storm_left()
{
	receive 3 500
	send 1 3 -n 5 -d 24
	equal "received after the storm" "$(received 3 .sum.packets)" 5
}

# Repeated pauses of 512 ms, like those of a broken NIC.
check_storm()
{
	local i status=0

	setup 1mbit
	check "start" ctl watchdog start p3 600 prio 3
	check "no storm yet" ctl watchdog show stats --check-storm
	pfc 3 0x08 0 0 0 1000
	send 1 3 -n 5 -d 24
	for ((i = 0; i < 8; i++)); do
		sleep 0.1
		pfc 3 0x08 0 0 0 1000
	done
	sw losslessctl watchdog show stats --check-storm >/tmp/said 2>&1 || status=$?
	equal "status" $status 1
	equal "says" "$(cat /tmp/said)" ""
	check "no other port" test "$(json 'map(.ifname)' watchdog show stats)" = '["p3"]'
	check "restored" wait_for 3000 ctl watchdog show stats --check-storm
	equal "restored once" "$(json '.[0].storm_restored' watchdog show stats)" 1
	no_storm_left
}

forward_and_alert()
{
	setup
	storm 100 -a alert
	check "no storm" wait_for 3000 stormed
	equal "alert keeps them" "$(stat p3 3 backlog)" 5000
	receive 3 500
	check "forward" ctl watchdog start -a forward p3 100 prio 3
	equal "received" "$(received 3 .sum.packets)" 5
	equal "sent in the storm" "$(json '.[0] | "\(.tx_packets) \(.tx_dropped_packets)"' \
		watchdog show stats)" "5 0"
	check "stop ends it" ctl watchdog stop p3
	check "no storm" ctl watchdog show stats --check-storm
}

# The counter of pauses is exact; the last eight are listed.
history_counts()
{
	local i

	setup
	for ((i = 0; i < 11; i++)); do
		pfc 3 0x18 0 0 0 $LONG $LONG
		pfc 3 0x08
	done
	pfc 3 0x10
	equal "counts" "$(json 'map([.ifname, .prio, .direction, .count, (.episodes | length), .paused])' \
		history)" '[["p3",3,"rx",11,8,false],["p3",4,"rx",1,1,false]]'
	equal "total is not less than the episodes" "$(json '.[0] |
		.total_ns >= (.episodes | map(.duration_ns) | add) and
		.longest_ns >= (.episodes | map(.duration_ns) | max)' history p3 3)" true
	equal "newest first" "$(json '.[0].episodes | map(.start_ns) |
		. == (sort | reverse)' history p3 3)" true
	equal "all in the past" "$(json '.[0] |
		.now_ns >= (.episodes[0] | .start_ns + .duration_ns)' history p3 3)" true
	equal "one priority" "$(json 'map(.prio)' history p3 4)" "[4]"
	equal "of another port" "$(json . history p1)" "[]"
	equal "text" "$(ctl history p3 3 | awk 'NR == 2 { print $1, $2, $3, $4 }')" "p3 3 rx 11"
	equal "lines" "$(ctl history p3 3 | grep -cE '^    [0-9.]+[mun]?s ago, for [0-9.]+[mun]?s$')" 8
}

# A pause that continues, and the other direction: p1 pauses h1.
history_now()
{
	setup 1mbit xoff 10000b headroom 20000b 2>/dev/null
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 15 -d 24
	check "p1 does not pause" wait_for 3000 stat_is p1 3 tx_paused = 1
	equal "now" "$(json 'map([.ifname, .prio, .direction, .count, .paused, .now_ns > .since_ns])' \
		history)" '[["p1",3,"tx",0,true,true],["p3",3,"rx",0,true,true]]'
	equal "dump of one port" "$(json 'map(.ifname)' history p1)" '["p1"]'
	equal "text" "$(ctl history p1 | grep -cE '^p1 .* paused for [0-9.]+[mun]?s$')" 1
	pfc 3 0x08
	check "p1 does not resume" wait_for 3000 stat_is p1 3 tx_paused = 0
	equal "then" "$(json 'map([.direction, .count, .paused])' history p1)" '[["tx",1,false]]'
}

# monitor FILE WORD...: in the background; returns when it listens
monitor()
{
	local file=$1

	shift
	ip netns exec sw losslessctl monitor config "$@" >"$file" 2>&1 &
	llet_monitor=$!
	defer stop_monitor
	check "it listens" wait_for 5000 config_event "$file"
}

stop_monitor()
{
	kill -CONT $llet_monitor
	kill $llet_monitor
	wait $llet_monitor
} 2>/dev/null

config_event() { ctl watchdog stop p2; sleep 0.02; test -s "$1"; }

# seen FILE PATTERN: waits, although the monitor does not buffer its output
seen() { wait_for 3000 grep -qE "$2" "$1" || llet_fail "not seen: $2"; }

monitor_pause()
{
	local stamp='^\[[0-9]+\.[0-9]{9}\]'

	setup
	monitor /tmp/events pause
	pfc 3 0x18 0 0 0 $LONG $LONG
	pfc 3 0x08
	seen /tmp/events "$stamp p3 rx paused 3,4$"
	seen /tmp/events "$stamp p3 rx resumed 3$"
	stop_monitor
	equal "others" "$(grep -vcE ' p3 rx | p2 is new or has changed$' /tmp/events)" 0

	monitor /tmp/events.json -j pause
	pfc 3 0x18 0 0 0 $LONG $LONG
	seen /tmp/events.json '"event":"pause"'
	equal "as JSON" "$(jq -c 'select(.event == "pause") | [.ifname, .direction, .changed, .paused,
		.time_ns > 0]' /tmp/events.json)" '["p3","rx",[3],[3,4],true]'
	tc -n sw qdisc del dev p2 root
	seen /tmp/events.json '"event":"port_gone".*"ifname":"p2"'
}

monitor_storm()
{
	setup
	monitor /tmp/events storm
	storm 100
	seen /tmp/events " detected PFC storm on port p3, prio 3, from $(mac 3)$"
	pfc 3 0x08
	seen /tmp/events " storm restored on port p3, prio 3$"
	equal "pauses, not asked for" "$(grep -c paused /tmp/events)" 0
}

# A monitor that does not read loses events, reports it, and continues.
monitor_lost()
{
	local i

	setup
	monitor /tmp/events
	kill -STOP $llet_monitor
	for ((i = 0; i < 3000; i++)); do
		echo "qdisc change dev p1 root handle 1: lossless limit $((100000 + i))"
	done | tc -n sw -batch -
	kill -CONT $llet_monitor
	seen /tmp/events '\] events were lost$'
	check "p3 is not seen to go" wait_for 3000 goes_on
}

# More events may be lost until the monitor has read the queued ones.
goes_on()
{
	port 3 rate 1mbit
	tc -n sw qdisc del dev p3 root
	grep -q '\] p3 is gone$' /tmp/events
}

discard_all()
{
	setup
	check "start" ctl watchdog start p3 1000 prio 3
	check "on" ctl switch discard 0 on
	equal "shown" "$(json '.[0].discard' switch)" true
	equal "as text" "$(ctl switch | awk 'NR == 2 { print $NF }')" on
	receive 3 500
	send 1 3 -n 5 -d 24
	send 1 3 -n 5 -d 32
	equal "received" "$(received 3 .sum.packets)" 5
	equal "dropped" "$(json '.[0].drops.storm_discard' prio show p3 3)" 5
	check "off" ctl switch discard 0 off
	no_storm_left
}

# A name that would reverse the colours of the terminal.
names()
{
	local name=$'p\e[7m' words
	local -a text=(port prio buffer history tree "tree -g" "watchdog show config"
		"watchdog show stats -e" "top -b -d 0.1 -n 1")

	setup
	ip -n sw link set p3 down
	ip -n sw link set p3 name "$name"
	ip -n sw link set "$name" up
	check "start" ctl watchdog start "$name" 100 prio 3
	monitor /tmp/events pause storm
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 5 -d 24
	seen /tmp/events 'paused 3$'
	check "no storm" wait_for 3000 stormed
	for words in "${text[@]}"; do
		# shellcheck disable=SC2086 # words
		ctl $words >/tmp/said
		equal "$words: names it" "$(grep -qF 'p?[7m' /tmp/said && echo yes)" yes
		equal "$words: no escape" "$(grep -c $'\e' /tmp/said)" 0
	done
	seen /tmp/events 'storm on port p\?\[7m'
	equal "events: no escape" "$(grep -c $'\e' /tmp/events)" 0
	equal "JSON" "$(ctl -j prio | jq -r '.[].ifname' | grep -cF "$name")" 1
}

llet_main
