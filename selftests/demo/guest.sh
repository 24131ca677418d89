#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Guest part of the demo's first act: two hosts send to a third through a
# bridge, with RDMA (Soft-RoCE) and with TCP, in three arms each. Arms differ in
# the qdisc only: see qdiscs(). Stores the output of kernel and programs in
# $OUT, a folder for each arm, for collect.py:
#
#	sample.csv	port p3 and pauses over time (lle_sample)
#	before, after	counters outside the qdiscs
#	qdisc.p1.json	counters of the qdiscs, which are new in each arm
#	pfc1.pcap	PFC frames at p1
#	client1		output of the program on host 1
#	failed		programs that failed

set -euo pipefail

LINK=100mbit		# all links; TCG can forward 5 times that rate
MTU=4200		# IB MTU 4096
BUFFER=1m		# packet memory of the switch in all arms
XOFF=100k
XON_DELTA=20k
QUANTA=65535		# a pause lasts 0.3 s, then a refresh is needed
HEADROOM=350k		# p1, p2: an emulated CPU may react after 20 ms
HEADROOM_ACKS=64k	# p3
HOST_BUFFER=16m		# in the hosts' memory: never the bottleneck
MESSAGES=100		# 64 KB messages per queue pair, each of 2 hosts
MESSAGE=65536
QPS=4
TOS=104			# DSCP 26, which maps to PRIO
PRIO=3
SAMPLE_MS=20
PATIENCE=60		# seconds a program may take

# shellcheck source=selftests/demo/testbed.sh
. "$(dirname "$0")/testbed.sh"
# shellcheck source=selftests/demo/measure.sh
. "$(dirname "$0")/measure.sh"

say() { echo "demo: $*"; }

# --- traffic ----------------------------------------------------------------

# listening PORT...: waits until servers on any host listen on the PORTs
listening()
{
	local port tries

	for port; do
		port=$(printf '%04X' "$port")
		for ((tries = 300; tries > 0; tries--)); do
			h 3 grep -qE ":$port [0-9A-F:]+ 0A " /proc/net/tcp \
				/proc/net/tcp6 2>/dev/null && break
			sleep 0.1
		done
	done
}

# Queue pairs are set up over lo. -e waits for events, as polling would take the
# CPU from the network. -u 17: time-outs of 0.5 s, longer than a host queues.
ib_send()
{
	timeout "$PATIENCE" ib_send_bw -x 1 -F -e -u 17 "--tclass=$TOS" \
		-n "$MESSAGES" -q "$QPS" -s "$MESSAGE" "$@"
}

roce_server() { ib_send -d rxe3 -p "1851$1"; }
roce_client() { ib_send -d "rxe$1" -p "1851$1" 127.0.0.1; }

tcp_server() { h 3 timeout "$PATIENCE" iperf3 -s -1 -p "1851$1" -J; }
tcp_client()
{
	h "$1" timeout "$PATIENCE" iperf3 -c 10.5.0.3 -p "1851$1" -S "$TOS" -J \
		-n $((MESSAGES * QPS * MESSAGE))
}

# job NAME FUNCTION...: runs FUNCTION in the background, records a failure
jobs=()
job()
{
	local name=$1

	shift
	{
		"$@" >"$dir/$name" 2>"$dir/$name.err" ||
			echo "$name $?" >>"$dir/failed"
	} &
	jobs+=($!)
}

arm()
{
	local i dir=$OUT/${traffic}_incast.$1

	mkdir -p "$dir"
	qdiscs "$1"
	instruments_start "$dir" "$1"
	for i in 1 2; do
		job "server$i" "${traffic}_server" "$i"
	done
	listening 18511 18512
	counters "$dir/before"
	for i in 1 2; do
		job "client$i" "${traffic}_client" "$i"
	done
	wait "${jobs[@]}"
	jobs=()
	instruments_stop
	counters "$dir/after"
	qdisc_counters "$dir"
	qdiscs_gone
}

# --- all of it --------------------------------------------------------------

sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 \
	net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0 \
	net.core.netdev_max_backlog=20000
modprobe -a crc32_generic rdma_rxe ib_uverbs sch_lossless sch_tbf

cat >"$OUT/params.json" <<END
{ "link": "$LINK", "mtu": $MTU, "buffer": "$BUFFER", "xoff": "$XOFF",
  "xon_delta": "$XON_DELTA", "headroom": "$HEADROOM",
  "headroom_acks": "$HEADROOM_ACKS", "qps": $QPS, "messages": $MESSAGES,
  "message_bytes": $MESSAGE, "prio": $PRIO, "sample_ms": $SAMPLE_MS,
  "pause_quanta": $QUANTA }
END

n=0
for traffic in roce tcp; do
	testbed
	[ "$traffic" = tcp ] || rdma_devices
	for kind in stock lossy lossless; do
		n=$((n + 1))
		say "arm $n of 6: $traffic incast, $kind"
		arm "$kind"
	done
	[ "$traffic" = tcp ] || testbed_gone
done
