#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures what the qdisc costs in instructions per packet, beside qdiscs of the
# kernel, in a virtual machine that counts instructions: the figures do not
# depend on the load of the machine.
#
# Usage: bench.sh DIR [SERIES]	write DIR/qdisc.json and print it as a table

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
dir=${1:?usage: bench.sh DIR [SERIES]}
series=${2:-6.1}

mods=$("$HERE/build.sh" "$series" 2> >(tail -n 20 >&2))
make -s -C "$TOP" tc ctl
mkdir -p "$dir"
"$HERE/vm-run.sh" -q -i -k "$series" -t 1500 -o "$dir" \
	-m veth -m bridge -m dummy -m pktgen -m sch_red -m sch_tbf -m sch_prio \
	-m sch_ets -m sch_htb \
	-f "$mods/lossless.ko:/mods/lossless.ko" \
	-f "$mods/sch_lossless.ko:/mods/sch_lossless.ko" \
	-f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so" \
	-b "$TOP/build/bin/losslessctl" \
	-f "$TOP/selftests/bench/guest.sh:/bench.sh" \
	-- bash -c 'insmod /mods/lossless.ko && insmod /mods/sch_lossless.ko && \
		modprobe pktgen && bash /bench.sh'

jq -r '
	def row(path; base): base as $base | path | to_entries[] |
		"  \(.key)\t\(.value)\t+\(.value - $base)";
	"kernel \(.kernel), \(.packet_bytes) byte packets, instructions per packet (over noqueue)",
	"dummy path:", row(.insn_per_packet; .insn_per_packet.noqueue),
	"bridged path:", row(.bridged; .bridged.noqueue),
	"bridged path, lossless, without and with detection of deadlocks:",
	row(.dcfit; .dcfit | to_entries[0].value),
	"bridged path, lossless, without and with regional congestion mitigation:",
	row(.rcm; .rcm | to_entries[0].value),
	"bridged path, lossless, packets wait, without it and held apart by it:",
	row(.rcm_full; .rcm_full | to_entries[0].value),
	"bridged path, lossless, at a port of a group of two:",
	row(.group; .group.none),
	"bridged path, lossless, by number of ports in the switch:",
	row(.ports; .bridged.noqueue)' "$dir/qdisc.json" | column -t -s $'\t'
