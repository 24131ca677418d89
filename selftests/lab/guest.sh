#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The guest's part of a lab run: build the bed, let the flows run while user space
# sleeps, gather what the counters say. The scenario and its keys are in the
# environment: see scripts/lab.sh.
#
# Writes to $OUT: bed.json, stats.json (of the qdiscs), flows.csv, hosts.csv, bins.csv

set -eu

# shellcheck source=selftests/lab/permutation.sh
. "/lab/$SCENARIO.sh"

RNIC=/sys/kernel/debug/lle_rnic

# All start at one time, when what came before has settled.
START_NS=100000000

run_flows()
{
	# shellcheck disable=SC2046 # a list of words
	insmod /mods/lle_rnic.ko $(rnic_options)
	cat /lab/flows >$RNIC/flows
	echo "start +$START_NS" >$RNIC/control
	sleep "$(awk -v ns=$START_NS -v s="$(duration)" 'BEGIN { print ns / 1e9 + s }')"
}

gather()
{
	lle-testbed stats >"$OUT/stats.json"
	cat $RNIC/results >"$OUT/flows.csv"
	cat $RNIC/hosts >"$OUT/hosts.csv"
	cat $RNIC/bins >"$OUT/bins.csv"
}

# one queue for the packets of all links
sysctl -qw net.core.netdev_max_backlog=10000000
ulimit -n 100000
insmod /mods/lossless.ko
insmod /mods/sch_lossless.ko

echo "lab: build"
bed
lle-testbed show --format json >"$OUT/bed.json"
echo "lab: run"
run_flows
echo "lab: gather"
gather
cut -d' ' -f1 /proc/uptime >"$OUT/uptime"
echo "$LLE_KERNEL" >"$OUT/release"
