# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-on-loop: a fat tree with two failed links, where packets take a detour
# by another pod, as in "DCFIT: Initial Trigger-Based PFC Deadlock Detection in
# the Data Plane" (section 5). The detours form a loop. A host at each edge
# switch of two pods sends at line rate, more than the links of the loop carry.
# So its switches pause each other, and it deadlocks, RUNS times.
#
# keys: RUNS=10 MODE=exact RATE=10gbit DELAY=1us MTU=1024 US=500
# key PARTS: one of 0, kernels that share the network: this scenario needs one

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
