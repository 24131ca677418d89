# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-on-loop: a fat tree in which two links have failed, and packets for what is
# behind them go round by another pod, as in "DCFIT: Initial Trigger-Based PFC Deadlock
# Detection in the Data Plane" (section 5): the detours make a loop. All hosts of two pods
# send more than its links take, so its switches pause each other, and RUNS times it locks
# up.
#
# keys: RUNS=10 MODE=exact RATE=10gbit DELAY=1us MTU=1024 US=500

# shellcheck source=lab/scenarios/dcfit.sh
. "${LAB:-/lab}/dcfit.sh"
# shellcheck source=lab/scenarios/dcfit-tree.sh
. "${LAB:-/lab}/dcfit-tree.sh"

run_flows()
{
	local edge

	for edge in 1 2; do
		detour_flow "$p" $edge "$x"
		detour_flow "$q" $edge "$y"
	done
}

flows() { first_flows; }
traffic() { each_run; }
duration() { echo "${US}e-6"; }
metrics() { found_metrics on_loop; }

expectations()
{
	found_expectations on_loop 1.1
	expect trigger_on_loop == "$RUNS"
	expect hops == 4
}
