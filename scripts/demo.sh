#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Shows the difference a lossless switch makes: two hosts send to a third, with
# RDMA and with TCP, through a stock bridge, the bridge with our qdisc but
# without PFC, and with PFC. In a virtual machine; selftests/demo/guest.sh is
# what it does there.
#
# Usage: demo.sh DIR [SERIES]	write DIR/report.json, DIR/report.html and
#				DIR/pfc.pcap, and print a table
#
# Exit status: 0; 1 the lossless switch lost something, or a lossy one did not;
# 4 the kernel cannot be had here; else something failed.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
DEMO=$TOP/selftests/demo
dir=${1:?usage: demo.sh DIR [SERIES]}
series=${2:-${KERNEL:-6.1}}

# The time since the start goes before every line, so that whoever waits sees
# that something happens.
say() { printf '[%3d s] %s\n' "$SECONDS" "$*"; }
stamped() { while IFS= read -r line; do say "$line"; done; }

fail() { echo "demo.sh: $2" >&2; exit "$1"; }

# The frames the switch sent, as an independent program reads them.
decode()
{
	local raw=$1 fields=(frame.time_relative eth.src eth.dst macc.opcode
		macc.cbfc.enbv macc.cbfc.pause_time.c{0..7} _ws.malformed)

	mergecap -F pcap -w "$dir/pfc.pcap" "$raw"/pfc[12].pcap
	tshark -r "$dir/pfc.pcap" -T fields -E header=y "${fields[@]/#/-e}" \
		>"$dir/pfc.tsv" 2>"$dir/tshark.log"
}

mkdir -p "$dir"
say "building the modules for Linux $series"
mods=$("$HERE/build.sh" "$series" 2> >(tail -n 20 >&2))
make -s -C "$TOP" tc
mkdir -p "$TOP/build/bin"
"${CC:-gcc}" -std=gnu11 -Wall -Wextra -O2 -o "$TOP/build/bin/lle_sample" \
	"$DEMO/lle_sample.c"

# One CPU: when this machine takes it away, senders and switch stop alike. Of
# two, a sender may go on while the switch cannot pause it. Modules go by -m, so
# that modprobe finds them.
say "packing and booting a virtual machine"
"$HERE/vm-run.sh" -s 1 -k "$series" -t 500 -o "$dir/raw" \
	-m veth -m bridge -m rdma_rxe -m sch_tbf \
	-m "$mods/lossless.ko" -m "$mods/sch_lossless.ko" \
	-b ib_send_bw -b iperf3 -b "$TOP/build/bin/lle_sample" \
	-f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so" \
	-f "$DEMO:/demo" -- bash /demo/guest.sh 2>&1 |
	tee "$dir/vm.log" | stamped || fail "$?" "the virtual machine failed: see $dir/vm.log"

say "writing the report"
export PYTHONDONTWRITEBYTECODE=1	# the source tree stays clean
decode "$dir/raw/roce_incast.lossless"
"$DEMO/collect.py" "$dir/raw" "$dir/pfc.tsv" \
	kernel="$(sed -n 's/^vm-run: kernel \([^,]*\), .*/\1/p' "$dir/vm.log")" \
	accelerator="$(sed -n 's/^vm-run: .*, accelerator \([a-z]*\).*/\1/p' \
		"$dir/vm.log")" wall_s=$SECONDS >"$dir/report.json"
"$DEMO/page.py" "$dir"
say "done"
echo
"$DEMO/verdict.py" "$dir"
