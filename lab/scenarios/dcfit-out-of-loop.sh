# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-out-of-loop: the fat tree of dcfit-on-loop, but its loop is not full. A switch
# outside has to pause, as in figure 3 of the paper: a detour leads to a server whose link takes
# a fiftieth. With TRIGGER=host the link takes all, but the server does not. Pauses go from switch
# to switch to the loop, and RUNS times it locks up.
#
# keys: RUNS=10 MODE=exact TRIGGER=switch RATE=10gbit DELAY=1us MTU=1024 US=5000 PAUSES=yes
# key TRIGGER: one of switch host, what pauses first

# shellcheck source=lab/scenarios/dcfit.sh
. "${LAB:-/lab}/dcfit.sh"
# shellcheck source=lab/scenarios/dcfit-tree.sh
. "${LAB:-/lab}/dcfit-tree.sh"

slow() { echo "$(($(bits "$RATE") / 50))bit"; }

sink_link() { [ "$TRIGGER" != switch ] || echo " rate $(slow)"; }

sink()
{
	[ "$TRIGGER" != host ] || tc -n "lle-h$(host "$x" 1)" qdisc change dev eth0 root lossless \
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

# Most deadlocks are found in about one round. In the others an ingress waits three rounds for a
# smaller initiator that is not on its loop, and then asks once more: five in all. Seeds 1 to 7,
# 31337, 90817 and 100001, 41 runs, each on its own tree: median 0.55, at most 5.23, and 8 of 41
# above 2 rounds. More than 6 is a second wait, or a proof that had to wait for a refresh.
expectations()
{
	found_expectations out_loop 6
	if [ "$TRIGGER" = host ]; then
		expect trigger_host == "$RUNS"
	else
		expect trigger_out_of_loop == "$RUNS"
	fi
	# but for its link, or the server, nothing is slow: what pauses first is why others do
	expect trigger_first == "$RUNS"
	expect hops == 4
}
