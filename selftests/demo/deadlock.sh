#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Guest part of the demo's third act: a slow host makes four switches of a ring
# wait for each other, once with deadlock off and once with deadlock lossless.
#
#	host 1 --- switch 1 --> switch 2 --- host 2
#	               ^            |
#	               |            v
#	host 4 --- switch 4 <-- switch 3 --- host 3
#	                            |
#	                         host 5
#
# All packets travel clockwise: host 1 sends to 3 and a little to 5, host 2 to
# 4, 3 to 1, 4 to 2. No link is full. Host 5 stops to receive for a while, then
# receives very slowly, then at full speed.
#
# Stores the output of kernel and programs in $OUT, a folder for each run, for
# collect.py:
#
#	sample.csv	bytes sent to each receiver over time (lle_sample)
#	marks		times: host 5 stopped, was slow, was well; the end
#	stats.json	all counters at the end
#	prios.json	backlogs of the switches (losslessctl prio)
#	history.json	deadlocks (losslessctl deadlock)
#	show		the last deadlock, as text
#	graph		the last deadlock, for dot
#	watchdog.json	the quarantine of host 5 (losslessctl watchdog)

set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=act.sh
. "$(dirname "$0")/act.sh"

LINK_MBIT=100
HOST_MBIT=25		# rate of a host: two hosts do not fill a link
FLOW_MBIT=20		# rate of each of the four flows
SLOW_MBIT=4		# rate of the flow to host 5
LITTLE_MBIT=0.5		# rate at which the slow host 5 receives it
FRAME=1500
DSCP=24			# priority 3
WARM=2			# seconds before host 5 stops
STOPPED=0.5		# seconds without reception
SLOW=3			# seconds of slow reception
AFTER=1.5		# seconds of full reception
SAMPLE_MS=10

# testbed DEADLOCK: builds the ring with that value of the option deadlock
testbed()
{
	local i

	{
		printf 'switch s%d\n' 1 2 3 4
		printf 'host h%d s%d\n' 1 1 2 2 3 3 4 4 5 3
		printf 'link s%d s%d\n' 1 2 2 3 3 4 4 1
		printf 'route s%d h%d via s%d\n' 1 3 2 1 5 2 2 4 3 3 1 4 4 2 1
	} | lle-testbed up file /dev/stdin --rate "${LINK_MBIT}mbit" --edge "$PORT" \
		--fabric "$PORT deadlock $1" --host "prio-pfc 3:on" >/dev/null
	for i in 1 2 3 4; do
		tc -n "lle-h$i" qdisc change dev eth0 root lossless rate "${HOST_MBIT}mbit"
	done
	nic role host xoff 20k
}

# flow I J MBIT: host I sends to J until the end
flow()
{
	start "h$1" lle_traffic send eth0 "02:00:00:00:00:0$2" -d "$DSCP" -s "$FRAME" \
		-g $((FRAME * 8 * 1000 / $3)) -n 1000000
}

# Samples the qdisc: counters of devices include the endless refreshed pauses.
sampler_start()
{
	start sw lle_sample "$SAMPLE_MS" - \
		/sys/class/net/s{1..4}p1/lossless/prio3/tx_bytes >"$dir/sample.csv"
}

asked()
{
	sw losslessctl -j prio show >"$dir/prios.json"
	sw losslessctl -j watchdog show stats -e >"$dir/watchdog.json"
	sw losslessctl -j deadlock history >"$dir/history.json"
	sw losslessctl deadlock show >"$dir/show"
	[ ! -s "$dir/show" ] || sw losslessctl deadlock graph >"$dir/graph"
	lle-testbed stats >"$dir/stats.json"
}

# arm DEADLOCK
arm()
{
	local dir=$OUT/$1

	mkdir -p "$dir"
	testbed "$1"
	sampler_start
	flow 1 3 "$FLOW_MBIT"
	flow 2 4 "$FLOW_MBIT"
	flow 3 1 "$FLOW_MBIT"
	flow 4 2 "$FLOW_MBIT"
	flow 1 5 "$SLOW_MBIT"
	sleep "$WARM"
	mark stopped
	nic rx-rate stopped
	sleep "$STOPPED"
	mark slow
	nic rx-rate "${LITTLE_MBIT}mbit"
	sleep "$SLOW"
	mark well
	nic rx-rate unlimited
	sleep "$AFTER"
	mark over
	asked
	stop_started
	lle-testbed down
}

cat >"$OUT/params.json" <<END
{ "link_mbit": $LINK_MBIT, "host_mbit": $HOST_MBIT, "flow_mbit": $FLOW_MBIT,
  "slow_mbit": $SLOW_MBIT, "little_mbit": $LITTLE_MBIT, "stopped_s": $STOPPED }
END

n=0
for action in off lossless; do
	n=$((n + 1))
	say "deadlock $n of 2: deadlock $action"
	arm "$action"
done
