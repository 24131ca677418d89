#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The daemon: watchdogs as configured, the log, metrics, and restarts after it
# was killed. h3 storms; p3 is the port to it. Deadlocks are those of ring.sh.

ALL_TESTS="applies_to_edge exceptions new_port by_hand_holds reload
	reload_all_or_nothing storm_is_logged violation_is_logged drift_of_alpha
	drift_of_watchdog drift_of_headroom pauses_of_five_minutes pause_origin
	missed_storm_is_told_once killed_in_storm deadlock_is_logged
	killed_between_deadlocks metrics textfile
	looks_now_and_then full_disk full_disk_of_log second_daemon bad_config
	no_access"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/ring.sh
. "$(dirname "$0")/ring.sh"

CONF=/tmp/lossless.conf
LOG=/tmp/lossless.log

ctl() { sw losslessctl "$@"; }

# config LINE...: writes the configuration
config() { printf '%s\n' "log = \"$LOG\"" "$@" >$CONF; }

ON='watchdog { action = "drop" }'

# daemon_start: starts it and waits for its watchdogs
daemon_start()
{
	ip netns exec "${TESTBED-}sw" losslessd -c $CONF 2>/tmp/losslessd.err &
	daemon=$!
	defer daemon_end $daemon TERM
	wait_for 1000 listening
}

daemon_end()
{
	kill "-$2" "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

listening()
{
	# shellcheck disable=SC2016 # awk's
	sw awk '$2 == 16 && $4 != "00000000" { found = 1 } END { exit !found }' \
		/proc/net/netlink
}

setup()
{
	rm -f $LOG
	llet_star 3
	llet_ports 3 rate 100mbit buffer 1m xoff 40k headroom 100k prio-pfc 3:on
}

# watched: ports and priorities with a watchdog
watched()
{
	ctl -j watchdog show config |
		jq -r 'map("\(.ifname):\(.prio):\(.action):\(.detection_ms):\(.restoration_ms)") |
			sort | join(" ")'
}

watched_is() { [ "$(watched)" = "$1" ]; }

# until_watched LIST
until_watched() { check "watched: $(watched), not $1" wait_for 2000 watched_is "$1"; }

# logged EVENT: number of events in the log
logged() { jq -s "map(select(.event == \"$1\")) | length" $LOG; }
logged_is() { [ "$(logged "$1")" = "$2" ]; }

# until_logged EVENT N
until_logged() { check "$1: $(logged "$1") times" wait_for 3000 logged_is "$1" "$2"; }

storm()
{
	ip netns exec h3 lle-storm -p 3 -r 2000 -q 1000 "$@" eth0 >/dev/null &
	storm_pid=$!
	defer daemon_end $storm_pid TERM
	check "no pause" wait_for 1000 stat_is p3 3 rx_paused -eq 1
	send 1 3 -n 20 -d 24
}

applies_to_edge()
{
	setup
	port 2 fabric prio-pfc 3:on
	config 'watchdog { action = "forward" detection = 50 restoration = 300 }'
	daemon_start
	until_watched "p1:3:forward:50:300 p3:3:forward:50:300"
}

exceptions()
{
	setup
	config "$ON" 'port "p1" { action = "off" }' 'port "p2" { detection = 30 }'
	daemon_start
	until_watched "p2:3:drop:30:200 p3:3:drop:100:200"
}

new_port()
{
	setup
	sw tc qdisc del dev p3 root
	config "$ON"
	daemon_start
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200"
	port 3 prio-pfc 3:on 4:on
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200 p3:4:drop:100:200"
	sw tc qdisc del dev p2 root
	port 2 prio-pfc 5:on
	until_watched "p1:3:drop:100:200 p2:5:drop:100:200 p3:3:drop:100:200 p3:4:drop:100:200"
}

by_hand_holds()
{
	setup
	config "$ON"
	daemon_start
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200"
	ctl watchdog stop p1
	sleep 0.5
	until_watched "p2:3:drop:100:200 p3:3:drop:100:200"
}

reload()
{
	setup
	config "$ON"
	daemon_start
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200"
	config 'watchdog { action = "off" }' 'port "p3" { action = "alert" }'
	kill -HUP "$daemon"
	until_watched "p3:3:alert:100:200"
}

reload_all_or_nothing()
{
	setup
	# a namespace without addresses has no local table, so it would accept
	# all
	ip -n sw link set lo up
	config "$ON"
	daemon_start
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200"
	config 'watchdog { action = "off" }' 'metrics { interval = 0 }'
	kill -HUP "$daemon"
	check "not said" wait_for 2000 grep -q 'rejected, keeping the running configuration' $LOG
	check "line not said" grep -q ':3: interval: a number from 1' /tmp/losslessd.err
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200"
	config 'watchdog { action = "off" }' 'metrics { listen = "203.0.113.1:9417" }'
	kill -HUP "$daemon"
	check "not said" wait_for 2000 grep -q 'listen: 203.0.113.1:9417: ' $LOG
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200"
}

storm_is_logged()
{
	setup
	config "$ON"
	daemon_start
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200"
	storm
	until_logged storm_detected 1
	until_logged storm_origin 1
	equal "who" "$(jq -sr '.[] | select(.event == "storm_origin") |
		"\(.device) \(.prio) \(.peer) \(.pause_frames_per_s > 1900) \(.paused_share > 0.99) \(.rx_packets)"' $LOG)" \
		"p3 3 $(mac 3) true true 0"
	check "words" grep -q 'detected PFC storm on port p3, queue index 3' $LOG
	daemon_end $storm_pid TERM
	until_logged storm_restored 1
	check "words" grep -q 'storm restored on port p3, queue index 3' $LOG
	equal "dropped" "$(jq -s 'map(select(.event == "storm_restored"))[0].tx_dropped' $LOG)" 20
}

# headroom of 1 kB overflows
violation_is_logged()
{
	setup
	port 1 headroom 1k
	port 3 rate 1mbit
	config 'metrics { interval = 1 }'
	daemon_start
	sleep 2
	send 1 3 -n 200 -d 24
	until_logged lossless_violation 1
	equal "where" "$(jq -sr 'map(select(.event == "lossless_violation"))[0] |
		"\(.device) \(.prio) \(.where)"' $LOG)" "p1 3 headroom exhausted"
	equal "packets" "$(jq -s 'map(select(.event == "lossless_violation").packets) | add' $LOG)" \
		"$(stat p1 3 drops.headroom_discard)"
}

# drifts: reported and mended drifts, once each, in the words of the log
drifts()
{
	jq -sr 'map(select(.event | startswith("drift")) |
		"\(.event) \(.device) \(.what): \(.is) \(.usual)") | join("; ")' $LOG
}

drifts_are() { [ "$(drifts)" = "$1" ]; }
until_drifts() { check "$(drifts), not $1" wait_for 5000 drifts_are "$1"; }

# Ports to hosts and ports to switches are compared separately.
drift_of_alpha()
{
	setup
	llet_ports 3 prio-pfc 3:on alpha 1/16
	port 3 fabric prio-pfc 3:on alpha 1/64
	config 'metrics { interval = 1 }'
	daemon_start
	sleep 3
	equal "drifts" "$(drifts)" ""
	port 3 edge prio-pfc 3:on alpha 1/64
	until_drifts "drift p3 alpha: 1/64 1/16"
	sleep 3
	port 3 edge prio-pfc 3:on alpha 1/16
	until_drifts "drift p3 alpha: 1/64 1/16; drift_mended p3 alpha: null null"
}

drift_of_watchdog()
{
	local first="drift p2 watchdog: drop 50 200 ms drop 100 200 ms"

	setup
	config "$ON" 'metrics { interval = 1 }'
	daemon_start
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200"
	ctl watchdog start p2 50
	until_drifts "$first"
	sleep 3
	ctl watchdog start p2 100
	until_drifts "$first; drift_mended p2 watchdog: null null"
	ctl watchdog stop p2
	until_drifts "$first; drift_mended p2 watchdog: null null; drift p2 watchdog: off drop 100 200 ms"
}

# The kernel sends an event, so the daemon does not wait for its next check.
drift_of_headroom()
{
	local first="drift p2 headroom: null null"

	setup
	config 'metrics { interval = 3600 }'
	daemon_start
	sleep 2
	port 2 headroom 1k
	until_drifts "$first"
	check "what to do" test "$(jq -r 'select(.event == "drift") | .message |
		test("^port p2: headroom of 1024 bytes, it needs [0-9]+: .*raise the switch")' $LOG)" = true
	port 2 headroom 100k
	until_drifts "$first; drift_mended p2 headroom: null null"
	# of a new port, and of one without changes
	tc -n sw qdisc del dev p2 root
	port 2 rate 100mbit headroom 1k prio-pfc 3:on
	until_drifts "$first; drift_mended p2 headroom: null null; $first"
}

# pauses EXPRESSION: of all five-minute reports
pauses() { jq -sr "[.[] | select(.event == \"pauses\") | $1] | join(\" \")" $LOG; }

# The peer of p3 pauses, and sends data; all other ports are idle.
pauses_of_five_minutes()
{
	setup
	config 'metrics { interval = 10 }'
	daemon_start
	sleep 1
	ip netns exec h3 lle-storm -p 3 -r 100 -q 10 -c 500 eth0 >/dev/null
	send 3 1 -n 7 -d 24
	sleep 315
	equal "reports" "$(pauses '"\(.device) \(.rx_pause) \(.tx_pause) \(.rx_packets)"')" "p3 500 0 7"
	check "five minutes" test "$(pauses '.seconds >= 300 and .seconds < 310')" = true
	equal "origins" "$(logged pause_origin)" 0
	sleep 310
	equal "reports of silence" "$(logged pauses)" 1
}

# h3 pauses continuously and sends no data. selftests/daemon tests other cases.
pause_origin()
{
	setup
	config 'metrics { interval = 60 }'
	daemon_start
	ip netns exec h3 lle-storm -p 3 -r 2100 -q 10 eth0 >/dev/null &
	defer daemon_end $! TERM
	sleep 310
	equal "origins" "$(jq -sr 'map(select(.event == "pause_origin") |
		"\(.device) \(.peer) \(.pause_frames_per_s | round)") | join(" ")' $LOG)" \
		"p3 $(mac 3) 2100"
	check "words" grep -q "$(mac 3), at port p3, is likely the origin" $LOG
}

missed_storm_is_told_once()
{
	setup
	config "$ON"
	daemon_start
	until_watched "p1:3:drop:100:200 p2:3:drop:100:200 p3:3:drop:100:200"
	daemon_end "$daemon" KILL
	storm -t 200
	wait $storm_pid
	sleep 0.5
	equal "watched" "$(ctl -j watchdog show stats | jq '.[0].storm_restored')" 1
	daemon_start
	until_logged storm_detected 1
	until_logged storm_restored 1
	sleep 2
	equal "detected, told" "$(logged storm_detected)" 1
}

# Killed at each of 50 moments of a storm, and restarted: counters of the kernel
# stay exact, and no packet is dropped in the end.
killed_in_storm()
{
	local i

	setup
	config "$ON"
	for ((i = 1; i <= 50; i++)); do
		daemon_start
		storm -t 150
		sleep "0.$(printf %03d $((i * 7)))"
		daemon_end "$daemon" KILL
		wait $storm_pid
		sleep 0.25
	done
	daemon_start
	equal "detected" "$(ctl -j watchdog show stats | jq '.[0].storm_detected')" 50
	equal "restored" "$(ctl -j watchdog show stats | jq '.[0].storm_restored')" 50
	equal "dropped" "$(stat p3 3 drops.storm_discard)" 1000
	receive 3 1000
	send 1 3 -n 50 -d 24
	equal "received" "$(received 3 .sum.packets)" 50
	conserved
}

setup_ring()
{
	rm -f $LOG
	build_ring alert
	sw ip link set lo up
	config 'metrics { listen = "127.0.0.1:9417" interval = 1 }'
	daemon_start
	all_send
	until_logged deadlock 1
}

# Fields of a deadlock, without times of the report and numbers of finders.
SAID='del(.time, .priority, .message, .event, .ago_ns, .duplicates, .now_ns, .holds)'

# Each deadlock is reported once: the log has the deadlocks of the kernel, and
# metrics have its counters.
deadlocks_agree()
{
	equal "deadlocks in the log" \
		"$(jq -sc "map(select(.event == \"deadlock\") | $SAID) | unique" $LOG)" \
		"$(deadlocks | jq -c "map($SAID) | unique")"
	equal "deadlocks of each switch" \
		"$(scrape | sed -n 's/^pfc_deadlock_detected_total{switch="\(.*\)"}/\1/p')" \
		"$(ctl -j switch show | jq -r '.[] | "\(.switch) \(.deadlocks.declared)"')"
}

deadlock_is_logged()
{
	setup_ring
	check "words" grep -q 'deadlock [1-4]\.1 on priority 3: s1p. -> .* (4 switches, .* stuck); triggered by s[1-4]p' $LOG
	deadlocks_agree
	equal "those that hold" "$(scrape | grep -c '^pfc_deadlocked{.*} 1$')" 1
	sleep 3
	equal "told" "$(logged deadlock)" 1
}

found() { [ "$(deadlocks | jq length)" = "$1" ]; }

# The second deadlock has another priority, as the first one lasts. Each daemon
# reports the kernel's list, with ages.
killed_between_deadlocks()
{
	local RING_PRIOS="prio-pfc 3:on 4:on"

	setup_ring
	daemon_end "$daemon" KILL
	all_send -d 32
	check "no other deadlock" wait_for 5000 found 2
	equal "told by nobody" "$(logged deadlock)" 1
	daemon_start
	until_logged deadlock 3
	deadlocks_agree
	equal "those that hold" "$(scrape | grep -c '^pfc_deadlocked{.*} 1$')" \
		"$(deadlocks | jq 'map(.switch) | unique | length')"
	sleep 3
	# the first is reported by its event, or late, if the daemon checks just
	# then
	equal "told since, priority and whether late" "$(jq -sr '
		map(select(.event == "deadlock") | "\(.prio) \(.ago_ns > 0)") |
		.[1:] | join(", ")' $LOG)" "3 true, 4 true"
}

scrape() { sw curl -s --max-time 5 "http://127.0.0.1:9417${1:-/metrics}"; }

metrics()
{
	setup
	sw ip link set lo up
	# characters that the kernel accepts in a name
	sw ip link set p2 down
	sw ip link set p2 name $'"\\' up
	tc -n sw qdisc change dev p3 root lossless rcm on
	config "$ON" 'metrics { listen = "127.0.0.1:9417" }'
	daemon_start
	receive 3 1000
	send 1 3 -n 50 -d 24
	received 3 . >/dev/null
	pfc 3 0x08 0 0 0 65535
	scrape >/tmp/metrics || llet_fail "no answer"
	cp /tmp/metrics "${OUT:-/tmp}/metrics.prom"
	check "sent" grep -qx 'lossless_tx_packets_total{device="p3",priority="3"} 50' /tmp/metrics
	check "pauses" grep -qx 'pfc_rx_pause_frames_total{device="p3",priority="3"} 1' /tmp/metrics
	check "watchdog" grep -qx 'pfc_watchdog_detection_seconds{device="p3",priority="3"} 0.1' /tmp/metrics
	check "losses of devices" grep -qx \
		'lossless_device_lost_packets_total{counter="rx_missed_errors",device="p3"} 0' /tmp/metrics
	check "a name" grep -qxF 'pfc_rx_paused{device="\"\\",priority="3"} 0' /tmp/metrics
	equal "rcm" "$(sed -n 's/^lossless_rcm_.*{\(.*\)} .*/\1/p' /tmp/metrics | sort | uniq -c |
		tr -s ' ' | tr '\n' ';')" ' 3 device="p3"; 7 device="p3",priority="3";'
	check "was congested" grep -qx 'lossless_rcm_regions_total{device="p3",priority="3"} 1' \
		/tmp/metrics
	check "no others" test "$(grep -c 'priority="4"' /tmp/metrics)" = 0
	equal "elsewhere" "$(scrape /)" "the metrics are at /metrics"
	equal "other methods" "$(sw curl -s -X POST http://127.0.0.1:9417/metrics)" "GET only"
}

textfile()
{
	setup
	pfc 3 0x08 0 0 0 65535
	rm -f /tmp/lossless.prom*
	config "$ON" 'metrics { textfile = "/tmp/lossless.prom" interval = 1 }'
	daemon_start
	check "no file" wait_for 3000 test -s /tmp/lossless.prom
	check "metrics" grep -q '^lossless_buffer_bytes{switch="0"} 1048576$' /tmp/lossless.prom
	check "something is left" test ! -e /tmp/lossless.prom.new
	[ -z "${OUT:-}" ] || cp /tmp/lossless.prom "$OUT"
}

# Not once for each interval of the uptime. A replaced file gets the next inode
# of its file system.
looks_now_and_then()
{
	setup
	mkdir -p /tmp/small
	mount -t tmpfs none /tmp/small
	defer umount /tmp/small
	config 'metrics { textfile = "/tmp/small/lossless.prom" interval = 1 }'
	sleep 20
	daemon_start
	sleep 5
	between "inode" "$(command stat -c %i /tmp/small/lossless.prom)" 3 10
}

full_disk()
{
	setup
	mkdir -p /tmp/small
	mount -t tmpfs -o size=4k none /tmp/small
	defer umount /tmp/small
	config 'metrics { textfile = "/tmp/small/lossless.prom" interval = 1 }'
	daemon_start
	check "not said" wait_for 3000 grep -q 'cannot be written' $LOG
	check "it has ended" kill -0 "$daemon"
	check "half a file" test ! -e /tmp/small/lossless.prom
	sleep 3
	equal "said" "$(grep -c 'cannot be written' $LOG)" 1
	mount -o remount,size=1m /tmp/small
	check "not said" wait_for 3000 grep -q 'can be written again' $LOG
	check "no file" test -s /tmp/small/lossless.prom
}

# The disk has space for a page, about thirty lines. The rest is lost in whole
# lines, which is reported on stderr once.
full_disk_of_log()
{
	setup
	mkdir -p /tmp/small
	mount -t tmpfs -o size=8k none /tmp/small
	defer umount /tmp/small
	LOG=/tmp/small/log config
	dd if=/dev/zero of=/tmp/small/rest bs=4k count=1 2>/dev/null
	daemon_start
	echo "not a configuration" >>$CONF
	for _ in {1..50}; do
		kill -HUP "$daemon"
		sleep 0.05
	done
	check "it has ended" kill -0 "$daemon"
	equal "said" "$(grep -c 'the log cannot be written: No space' /tmp/losslessd.err)" 1
	equal "more than ten lines, all JSON" "$(jq -s 'length > 10' /tmp/small/log)" true
	rm /tmp/small/rest
	LOG=/tmp/small/log config
	kill -HUP "$daemon"
	check "does not go on" wait_for 2000 grep -q '"message":"[^ ]*: taken"' /tmp/small/log
}

second_daemon()
{
	setup
	config "$ON"
	daemon_start
	refused "there is a losslessd" sw losslessd -c $CONF
	check "the first has ended" kill -0 "$daemon"
}

# selftests/daemon tests all errors.
bad_config()
{
	setup
	config 'watchdog { detection = 60001 }'
	refused ":2: detection: a number from 1 to 60000, not 60001" sw losslessd -c $CONF
	equal "watched" "$(watched)" ""
}

# Without the right to change anything it still reports.
no_access()
{
	setup
	config "$ON"
	ip netns exec sw setpriv --bounding-set=-all --inh-caps=-all \
		losslessd -c $CONF 2>/dev/null &
	daemon=$!
	defer daemon_end $daemon TERM
	check "not said" wait_for 3000 grep -q 'cannot be set' $LOG
	check "it has ended" kill -0 "$daemon"
}

llet_main
