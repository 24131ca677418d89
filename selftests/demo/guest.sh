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

# shellcheck source=selftests/demo/roce.sh
. "$(dirname "$0")/roce.sh"
# shellcheck source=selftests/demo/testbed.sh
. "$(dirname "$0")/testbed.sh"
# shellcheck source=selftests/demo/measure.sh
. "$(dirname "$0")/measure.sh"

say() { echo "demo: $*"; }

# --- traffic ----------------------------------------------------------------

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
