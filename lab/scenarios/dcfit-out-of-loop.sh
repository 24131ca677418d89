# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-out-of-loop: the fat tree of dcfit-on-loop, but the links of its loop
# are not full. A switch off the loop has to pause, as in figure 3 of the paper:
# a detour leads to a server by a link of a fiftieth of the rate. With
# TRIGGER=host the link is fast, but the server pauses. Pauses spread from
# switch to switch to the loop, which deadlocks, RUNS times.
#
# keys: RUNS=10 MODE=exact TRIGGER=switch RATE=10gbit DELAY=1us MTU=1024 US=5000 PAUSES=yes
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key TRIGGER: one of switch host, the first to pause

# shellcheck source=lab/scenarios/dcfit.sh
. "${LAB:-/lab}/dcfit.sh"
# shellcheck source=lab/scenarios/dcfit-tree.sh
. "${LAB:-/lab}/dcfit-tree.sh"

slow() { echo "$(($(bits "$RATE") / 50))bit"; }

sink_link() { [ "$TRIGGER" != switch ] || echo " rate $(slow)"; }

sink()
{
	[ "$TRIGGER" != host ] || on_time tc -n "lle-h$(host "$x" 1)" qdisc change dev eth0 root lossless \
		role host xoff 40k rx-rate "$(slow)"
}

run_flows()
{
	local edge share=$(($(bits "$RATE") * 22 / 100))

	for edge in 1 2; do
		detour_flow "$p" $edge "$x" $share
		detour_flow "$q" $edge "$y" $share
	done
}

flows() { first_flows; }
traffic() { each_run; }

duration() { echo "${US}e-6"; }
metrics() { found_metrics out_loop; }

# About one round; one more if an ingress asks a smaller initiator.
expectations()
{
	found_expectations out_loop 2.4
	if [ "$TRIGGER" = host ]; then
		expect trigger_host == "$RUNS"
	else
		expect trigger_out_of_loop == "$RUNS"
	fi
	# only that link or server is slow: its pause causes the others
	expect trigger_first == "$RUNS"
	expect hops == 4
}
