#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The daemon with 2592 ports, those of a fat tree of 432 hosts, and 1000 events
# per second.
#
# The ports are the ends of veths: p1 and p2, p3 and p4, ..., 36 of them per
# switch. Each of STORMS ports has a storm five times a second, which makes two
# events each: p2 pauses p1 for 33 ms, p1 has a packet to send every 10 ms, and
# the times of the watchdog are 10 ms.
#
# CPU time is only known without virtual time. With vm/run.sh -i it is a count
# of instructions, of the daemon and of its system calls. 5 % of a core are 125
# million per second, at 2.5 GHz and one instruction per cycle. There is a
# scrape every 15 s.

PORTS=2592
STORMS=100
ALL_TESTS="ports no_event_lost light"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

# With virtual time the daemon is never late, so a longer run shows nothing new.
# lost_events runs in make check-long only, with a stock kernel: its storms would
# take three quarters of the scenario's time.
if virtual_time; then
	SECONDS_OF_STORMS=5
else
	SECONDS_OF_STORMS=15
	ALL_TESTS+=" lost_events"
fi

CONF=/tmp/lossless.conf
LOG=/tmp/lossless.log

ctl() { sw losslessctl "$@"; }

daemon_end() { kill -TERM "$1" 2>/dev/null && wait "$1"; }

testbed()
{
	local i

	llet_netns sw
	sw ip link set lo up
	for ((i = 1; i <= PORTS; i += 2)); do
		echo "link add p$i type veth peer name p$((i + 1))"
	done | ip -n sw -batch -
	for ((i = 1; i <= PORTS; i++)); do
		echo "link set p$i up"
	done | ip -n sw -batch -
	for ((i = 1; i <= PORTS; i++)); do
		echo "qdisc add dev p$i root handle 1: lossless switch $(((i - 1) / 36))" \
			"rate 1gbit headroom 100k prio-pfc 3:on"
	done | tc -n sw -batch -
}

# all ports have a watchdog
watched() { [ "$(ctl -j watchdog show config | jq length)" = $PORTS ]; }

# The testbed and the daemon stay until the end.
ports()
{
	testbed
	equal "ports" "$(ctl -j port | jq length)" $PORTS
	rm -f $LOG
	cat >$CONF <<-END
		log = "$LOG"
		watchdog { action = "drop" detection = 10 restoration = 10 }
		metrics { listen = "127.0.0.1:9417" }
	END
	ip netns exec sw losslessd -c $CONF &
	daemon=$!
	trap 'daemon_end "$daemon"; ip netns del sw' EXIT
	check "watchdogs are not on" wait_for 20000 watched
	llet_undo=()
}

# storms SECONDS: on STORMS ports, spread over the cycle
storms()
{
	# shellcheck disable=SC2016 # for the inner shell
	sw bash -c '
		for ((i = 1; i < 2 * $0; i += 2)); do
			lle-storm -p 3 -q 65535 -r 5 -t $(($1 * 1000)) p$((i + 1)) >/dev/null &
			lle_traffic send p$i 02:00:00:00:00:01 -d 24 -s 100 \
				-n $(($1 * 100 + 20)) -g 10000000 &
			sleep 0.002
		done
		wait' $STORMS "$1"
	sleep 1
}

# counted NAME: over all watchdogs, by the kernel
counted() { ctl -j watchdog show stats | jq "map(.storm_$1) | add"; }

logged() { grep -c "\"event\":\"storm_$1\"" $LOG; }
is_logged() { [ "$(logged "$1")" = "$2" ]; }

# The log has each storm that the kernel counted, once.
all_reported()
{
	local what

	for what in detected restored; do
		check "$what: $(logged $what) told" \
			wait_for 5000 is_logged $what "$(counted $what)"
	done
}

# cpu_ns: CPU time of the daemon
cpu_ns() { cut -d ' ' -f 1 "/proc/$daemon/schedstat"; }

scrape() { sw curl -s --max-time 10 http://127.0.0.1:9417/metrics >/tmp/metrics; }

no_event_lost()
{
	local cpu scraper expected=$((STORMS * SECONDS_OF_STORMS * 5))

	virtual_time || cpu=$(cpu_ns)
	(sleep $((SECONDS_OF_STORMS / 2)) && scrape) &
	scraper=$!
	storms $SECONDS_OF_STORMS
	million=
	virtual_time || million=$((($(cpu_ns) - cpu) / (SECONDS_OF_STORMS * 1000000)))
	wait $scraper
	equal "storms" "$(counted detected)" $expected
	all_reported
	check "events were lost" test "$(grep -c 'events were lost' $LOG)" = 0
	equal "series of pauses" "$(grep -c '^lossless_rx_pause_frames_total' /tmp/metrics)" $PORTS
}

# Checks the measurements of no_event_lost
light()
{
	local kb

	kb=$(awk '$1 == "VmHWM:" { print $2 }' "/proc/$daemon/status")
	echo "# memory: $kb kB; million instructions a second: ${million:-not counted}"
	between "memory, kB" "$kb" 1000 65535
	[ -z "$million" ] || between "million instructions a second" "$million" 1 125
	virtual_time || light_scrape
}

# A scrape reads all ports: instructions and bytes of netlink for each of them
light_scrape()
{
	local cpu instructions bytes

	sw ip link add nlmon0 up type nlmon
	cpu=$(cpu_ns)
	scrape
	instructions=$((($(cpu_ns) - cpu) / PORTS))
	bytes=$(($(sw cat /sys/class/net/nlmon0/statistics/rx_bytes) / PORTS))
	sw ip link del nlmon0
	echo "# a scrape: $instructions instructions and $bytes bytes a port"
	between "instructions of a scrape, a port" $instructions 1000 105000
	between "bytes of a scrape, a port" $bytes 100 600
}

# last_reported, last_counted: storms of each port that had any
last_reported()
{
	jq -sr 'map(select(.event == "storm_detected")) | group_by(.device)[] |
		"\(.[0].device) \(map(.detected) | max)"' $LOG | sort
}
last_counted()
{
	ctl -j watchdog show stats | jq -r '.[] | select(.storm_detected > 0) |
		"\(.ifname) \(.storm_detected)"' | sort
}
reported_twice()
{
	jq -s 'map(select(.event == "storm_detected") | [.device, .detected]) |
		length - (unique | length)' $LOG
}
in_step() { [ "$(last_reported)" = "$(last_counted)" ]; }

# The daemon stops to read for fifteen seconds: more events than its socket
# holds.
lost_events()
{
	storms 16 &
	sleep 0.5
	kill -STOP "$daemon"
	sleep 15
	kill -CONT "$daemon"
	wait $!
	check "loss not said" grep -q 'events were lost' $LOG
	check "it does not know all storms" wait_for 5000 in_step
	equal "storms told twice" "$(reported_twice)" 0
	check "all events were read" test "$(logged detected)" -lt "$(counted detected)"
	scrape
	check "metrics" grep -q '^lossless_watchdog_storm_detected_total' /tmp/metrics
}

llet_main
