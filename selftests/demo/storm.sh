#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Guest part of the demo's second act: the receive pipeline of a NIC dies, once
# without watchdogs and once with losslessd.
#
#	host 1 --- +----------+     +----------+ --- host 4
#	host 2 --- | switch 1 | --- | switch 2 |
#	host 3 --- +----------+     +----------+ --- host 5
#
# Host 1 sends to host 5; its NIC dies. Host 2 sends to host 4, over the same
# link between the switches, and to host 3, over no link on the path to host 5.
#
# Stores the output of kernel and programs in $OUT, a folder for each run, for
# storm.py:
#
#	sample.csv	bytes sent to each receiver over time (lle_sample)
#	events		pauses and storms, JSON lines (losslessctl monitor)
#	losslessd.log	log of losslessd, JSON
#	marks		times of death, repair and end; clock of events
#	stats.json	all counters at the end
#	dead		address of the NIC that dies
#	ping		whether host 5 receives packets again
#	failed		programs that failed

set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=act.sh
. "$(dirname "$0")/act.sh"

LINK=100mbit
FLOW_MBIT=15		# rate of each of the three flows: no pauses
CONNECTIONS=4		# TCP connections of a flow
WINDOW=60		# packets in flight: 4 connections exceed xoff
TOS=104			# DSCP 26, that is priority 3
WARM=2			# seconds before, during and after the storm
STORM=3
AFTER=1.5
TRANSFER=7		# seconds; longer than WARM, STORM and AFTER
SAMPLE_MS=10
PATIENCE=60		# seconds a program may take

testbed()
{
	local i

	lle-testbed up file /dev/stdin --rate "$LINK" --arp \
		--edge "$PORT" --fabric "$PORT" --host "$PORT" >/dev/null <<-END
		switch s1
		switch s2
		host h1 s1
		host h2 s1
		host h3 s1
		host h4 s2
		host h5 s2
		link s1 s2
	END
	for i in 1 2; do
		# to a near receiver TCP would send bursts of 64 KB
		h $i sysctl -qw net.ipv4.tcp_tso_rtt_log=0
		h $i ip route change 10.0.0.0/8 dev eth0 src "10.0.0.$i" \
			initcwnd "$WINDOW"
	done
	sw ip link set lo up
	nic role host
}

clients=()

# job NAME COMMAND...: runs COMMAND, records a failure
job()
{
	local name=$1

	shift
	timeout "$PATIENCE" "$@" >"$dir/$name" 2>"$dir/$name.err" ||
		echo "$name $?" >>"$dir/failed"
}

serves()
{
	h "$1" grep -q ':1451 [0-9A-F:]* 0A ' /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# flow I J: host I sends to host J until the end
flow()
{
	job "server.$2" ip netns exec "lle-h$2" iperf3 -s -1 -J &
	clients+=($!)
	until_true serves "$2"
	job "client.$2" ip netns exec "lle-h$1" iperf3 -c "10.0.0.$2" -S "$TOS" -J \
		-P "$CONNECTIONS" --fq-rate "$((FLOW_MBIT * 1000000 / CONNECTIONS))" \
		-t "$TRANSFER" &
	clients+=($!)
}

instruments_start()
{
	local net=/sys/class/net

	start sw losslessctl -j monitor pause storm >"$dir/events"
	start sw lle_sample "$SAMPLE_MS" - $net/s1p3/statistics/tx_bytes \
		$net/s2p1/statistics/tx_bytes $net/s2p2/statistics/tx_bytes \
		>"$dir/sample.csv"
}

watched() { [ "$(sw losslessctl -j watchdog show config | jq length)" -eq 5 ]; }

losslessd_start()
{
	{ cat /etc/watchdog.conf && echo "log = \"$dir/losslessd.log\""; } >/tmp/lossless.conf
	start sw losslessd -c /tmp/lossless.conf
	until_true watched
}

arm()
{
	local dir=$OUT/$1

	mkdir -p "$dir"
	testbed
	instruments_start
	[ "$1" = without ] || losslessd_start
	flow 1 5
	flow 2 4
	flow 2 3
	sleep $WARM
	mark died
	nic rx-rate stopped
	sleep $STORM
	mark repaired
	nic rx-rate unlimited
	sleep $AFTER
	mark over
	# TCP to host 5 retries after a long time only
	job ping ip netns exec lle-h1 ping -q -Q "$TOS" -c 10 -i 0.1 -w 5 10.0.0.5
	wait "${clients[@]}"
	clients=()
	stop_started
	lle-testbed stats >"$dir/stats.json"
	h 5 cat /sys/class/net/eth0/address >"$dir/dead"
	lle-testbed down
}

sysctl -qw net.core.netdev_max_backlog=20000

cat >"$OUT/params.json" <<END
{ "flow_mbit": $FLOW_MBIT, "connections": $CONNECTIONS, "sample_ms": $SAMPLE_MS,
  "storm_s": $STORM }
END

n=0
for name in without with; do
	n=$((n + 1))
	say "storm $n of 2: $name losslessd"
	arm "$name"
done
