#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Shows the difference that a lossless switch makes: two hosts send to a third,
# with RDMA and with TCP, through a stock bridge, through the bridge with our
# qdisc without PFC, and with PFC. Then shows the effect of a NIC with a dead
# receive pipeline on other hosts, without watchdogs and with losslessd. It runs
# in virtual machines; selftests/demo/guest.sh, storm.sh and deadlock.sh are the
# parts in the guest.
#
# Usage: demo.sh DIR [SERIES]	writes DIR/report.json, DIR/report.html and
#				DIR/pfc.pcap, and prints a table
#
# Exit status: 0; 1 a claim of the demo does not hold (verdict.py); 4 the kernel
# cannot be had here; else a step failed.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$(dirname "$HERE")")
DEMO=$HERE
dir=${1:?usage: demo.sh DIR [SERIES]}
series=${2:-${KERNEL:-6.1}}

# Each line begins with the time since the start, to show progress.
say() { printf '[%3d s] %s\n' "$SECONDS" "$*"; }
stamped() { while IFS= read -r line; do say "$line"; done; }

fail() { echo "demo.sh: $2" >&2; exit "$1"; }

# vm SCRIPT OUT OPTION...: runs a part of the demo, with results in the folder
# OUT. Modules are packed with -m, so that modprobe finds them.
vm()
{
	local act=$1 out=$2

	shift 2
	say "packing and booting a virtual machine"
	"$TOP/scripts/vm/run.sh" -k "$series" -t 500 -o "$dir/$out" -m veth -m bridge \
		-m "$mods/lossless.ko" -m "$mods/sch_lossless.ko" \
		-b iperf3 -b "$bin/lle_sample" \
		-f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so" \
		-f "$DEMO:/demo" "$@" -- bash "/demo/$act" 2>&1 |
		tee "$dir/$out.log" | stamped ||
		fail "$?" "the virtual machine failed: see $dir/$out.log"
}

# Decodes the frames that the switch sent with an independent program.
decode()
{
	local raw=$1 fields=(frame.time_relative eth.src eth.dst macc.opcode
		macc.cbfc.enbv macc.cbfc.pause_time.c{0..7} _ws.malformed)

	mergecap -F pcap -w "$dir/pfc.pcap" "$raw"/pfc[12].pcap
	tshark -r "$dir/pfc.pcap" -T fields -E header=y "${fields[@]/#/-e}" \
		>"$dir/pfc.tsv" 2>"$dir/tshark.log"
}

mkdir -p "$dir"
mods=$("$TOP/scripts/build.sh" "$series")
make -s -C "$TOP" tc ctl daemon testbed build/bin/lle_traffic
bin=$TOP/build/bin
"${CC:-gcc}" -std=gnu11 -Wall -Wextra -O2 -o "$bin/lle_sample" "$DEMO/lle_sample.c"

# One CPU: when the host preempts it, senders and switch stop together. With
# two, a sender might continue while the switch cannot pause it.
vm guest.sh raw -s 1 -m rdma_rxe -m sch_tbf -b ib_send_bw

# -i: the times that are shown do not depend on the load of this machine.
vm storm.sh storm -i -f "$TOP/daemon/losslessd/watchdog.conf:/etc/watchdog.conf" \
	-b "$bin/lle-testbed" -b "$bin/losslessctl" -b "$bin/losslessd"

vm deadlock.sh deadlock -i -b "$bin/lle-testbed" -b "$bin/losslessctl" \
	-b "$bin/lle_traffic" -b python3

say "writing the report"
export PYTHONDONTWRITEBYTECODE=1	# the source tree stays clean
decode "$dir/raw/roce_incast.lossless"
"$DEMO/collect.py" "$dir/raw" "$dir/pfc.tsv" "$dir/storm" "$dir/deadlock" \
	kernel="$(sed -n 's/^run: kernel \([^,]*\), .*/\1/p' "$dir/raw.log")" \
	accelerator="$(sed -n 's/^run: .*, accelerator \([a-z]*\).*/\1/p' \
		"$dir/raw.log")" wall_s=$SECONDS >"$dir/report.json"
"$DEMO/page.py" "$dir"
say "done"
echo
"$DEMO/verdict.py" "$dir"
