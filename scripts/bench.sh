#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures the cost of the qdisc in instructions per packet, and that of the
# kernel's qdiscs, in a virtual machine that counts instructions: the results do
# not depend on the load of the machine.
#
# Usage: bench.sh DIR [SERIES]            writes DIR/qdisc.json, prints it as a
# table
#        bench.sh -m RUNS DIR [SERIES]	prints lines METRIC VALUE of RUNS runs

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
runs=
if [ "${1:-}" = -m ]; then
	runs=${2:-}
	shift 2
fi
dir=${1:?usage: bench.sh [-m RUNS] DIR [SERIES]}
series=${2:-6.1}

mods=$("$HERE/build.sh" "$series" 2> >(tail -n 20 >&2))
make -s -C "$TOP" tc ctl
mkdir -p "$dir"

measure()
{
	"$HERE/vm/run.sh" -q -i -k "$series" -t 1500 -o "$dir" \
		-m veth -m bridge -m dummy -m pktgen -m sch_red -m sch_tbf -m sch_prio \
		-m sch_ets -m sch_htb \
		-f "$mods/lossless.ko:/mods/lossless.ko" \
		-f "$mods/sch_lossless.ko:/mods/sch_lossless.ko" \
		-f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so" \
		-b "$TOP/build/bin/losslessctl" \
		-f "$TOP/selftests/bench/guest.sh:/bench.sh" \
		-- bash -c 'insmod /mods/lossless.ko && insmod /mods/sch_lossless.ko && \
			modprobe pktgen && bash /bench.sh'
}

# show FILTER: prints groups of results, each with the figure it is compared
# with
show()
{
	jq -r '
		def groups: . as $all |
			["dummy", "dummy path", .insn_per_packet],
			["bridged", "bridged path", .bridged],
			["deadlock", "bridged path, lossless, without and with detection of deadlocks", .deadlock],
			["rcm", "bridged path, lossless, without and with regional congestion mitigation", .rcm],
			["rcm_full", "bridged path, lossless, packets wait, without it and isolated by it", .rcm_full],
			["group", "bridged path, lossless, at a port of a group of two", .group],
			["ports", "bridged path, lossless, by number of ports in the switch (over noqueue)", .ports] |
			{ name: .[0], title: .[1], figures: .[2], base:
				(if .[0] == "ports" then $all.bridged else .[2] end |
					to_entries[0].value) };
		'"$1" "$dir/qdisc.json"
}

if [ -z "$runs" ]; then
	measure
	# shellcheck disable=SC2016 # jq expands it
	show '"kernel \(.kernel), \(.packet_bytes) byte packets, instructions per packet, and over the first",
		(groups | .base as $base | "\(.title):", (.figures | to_entries[] |
			"  \(.key)\t\(.value)\t\(.value - $base)"))' | column -t -s $'\t'
	exit
fi
for ((i = 0; i < runs; i++)); do
	measure
	# shellcheck disable=SC2016 # jq expands it
	show 'groups | . as $group | .figures | to_entries[] |
		"\($group.name).\(.key | gsub("[^A-Za-z0-9]+"; "-"))" as $name |
		"\($name) \(.value)", "\($name).more \(.value - $group.base)"'
done
