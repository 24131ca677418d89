# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Common parts of scenarios about deadlocks. Each has RUNS runs. Differences
# between runs are drawn, from SEED and the number of the run; run 0 is for the
# first testbed.
#
# If runs deadlock, the scenario's traffic is `each_run`. Before each further
# run it calls `next_testbed`, which clears the testbed, or builds another one.
# Otherwise the runs follow each other, PERIOD ns apart, as flows of one run:
# `all_flows`. Both call `run_flows`, which prints the flows of run number $run.

# shellcheck source=lab/scenarios/draw.sh
. "${LAB:-/lab}/draw.sh"

run=0
state=0

rnic_options() { echo "mtu=$MTU rto_us=100000000 ack_every=16 bin_us=0"; }

begin_draws()
{
	state=$((SEED * 100003 + run))
	draw 1
}

first_flows()
{
	run=1
	begin_draws
	run_flows
}

all_flows()
{
	local start rest

	for ((run = 1; run <= RUNS; run++)); do
		begin_draws
		while read -r start rest; do
			echo "$(((run - 1) * PERIOD + start)) $rest"
		done < <(run_flows)
	done
}

all_ns() { echo "$((RUNS * PERIOD))e-9"; }

# Keeps the testbed: a watchdog ends the deadlock by dropping packets.
next_testbed()
{
	echo clear >"$RNIC"/control
	on_time switches watchdog start --fabric all 1 >/dev/null
	on_time switches watchdog stop all >/dev/null
	begin_draws
}

# Adds deadlocks and pauses at the end of run $run to runs.json, as one line.
note_run()
{
	# shellcheck disable=SC2154 # guest.sh has set it
	echo "{\"run\":$run,\"start_ns\":$run_ns,\"deadlocks\":$(switches -j deadlock history)," \
		"\"pauses\":$(switches -j history)}" >>"$OUT/runs.json"
}

each_run()
{
	for ((run = 1; run <= RUNS; run++)); do
		if [ $run -gt 1 ]; then
			next_testbed
			run_flows >"$RNIC"/flows
			settle
		fi
		echo "lab: run $run of $RUNS"
		send_flows "$(duration)"
		at_once note_run
	done
}

# Messages in frames of their own, over pauses that begin between switches
count_messages()
{
	jq -r --slurpfile stats stats.json '
		(map(.deadlocks.sent) | add) as $sent |
		([$stats[0].qdiscs[] | select(.role == "fabric") |
			.prios[3].tx_pause_transition] | add) as $pauses |
		"fabric_pauses \($pauses)", "messages \($sent)",
		(if $pauses > 0 then "msgs_per_pause \($sent / $pauses)" else empty end)
		' switches.json
}

# found_metrics NAME: deadlocks and times to find them, also of earlier testbeds
found_metrics()
{
	local testbeds=(stats.json)

	"$LAB/dcfit.py" found "$1"
	[ ! -e testbeds.json ] || testbeds+=(testbeds.json)
	# without packets that watchdogs drop after a run
	jq -rs '[.[].qdiscs[].prios[].drops | del(.storm_discard, .storm_rx_discard) | add] |
		add | "dropped \(.)"' "${testbeds[@]}"
}

# found_expectations NAME ROUNDS: each run is declared once, in time
found_expectations()
{
	local name=$1 rounds=$2

	expect dropped == 0
	expect runs == "$RUNS"
	expect missed == 0
	[ "$MODE" = exact ] || return 0
	expect declared == "$RUNS"
	expect duplicates == 0
	expect loops_unknown == 0
	expect "${name}_rounds_max" "<=" "$rounds"
}

# innocent_metrics PORT...: runs, wrong deadlocks, runs with all PORTs paused
innocent_metrics()
{
	count_losses
	flow_times
	awk -F, -v period="$PERIOD" 'NR > 1 { runs += !began[int($6 / period)]++ }
		END { print "runs", runs + 0 }' flows.csv
	jq -r 'map(.deadlocks.declared) | add | "declared \(.)", "false \(.)"' switches.json
	count_messages
	[ $# -eq 0 ] || "$LAB/dcfit.py" together "$@"
}

innocent_expectations()
{
	expect dropped == 0
	# all flows ended: there was no deadlock
	expect unfinished == 0
	expect pauses ">" "$RUNS"
	[ "$MODE" = exact ] || return 0
	expect declared == 0
}
