# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-diamond: an initial trigger reaches a switch by two ports, without a
# deadlock: figure 4 of "DCFIT: Initial Trigger-Based PFC Deadlock Detection in
# the Data Plane". Hosts of s2, s4 and s7 send more to the hosts of s1 than
# these can receive, so pauses of s1 spread by s5 and by s6 to s7.
#
#	h1,h2 -- s1 ---- s3 ---- s5
#	         |        |       |
#	h5,h6 -- s2      s6 ---- s7 -- h7,h8
#	                          |
#	                         s4 -- h3,h4
#
# Sizes, rates and times of flows are drawn, RUNS times. No switch may declare a
# deadlock.
#
# keys: RUNS=1000 MODE=exact RATE=10gbit DELAY=1us MTU=1024 PERIOD=1500000 PAUSES=yes

# shellcheck source=lab/scenarios/dcfit.sh
. "${LAB:-/lab}/dcfit.sh"

PORT="buffer 1m xoff 20k reaction 0 prio-pfc 3:on deadlock alert"

limits() { limit_delay 5 1m; }

# Paths: to h1 by s5, to h2 by s6
testbed()
{
	{
		printf 'switch s%d\n' 1 2 3 4 5 6 7
		printf 'host h%d s%d\n' 1 1 2 1 3 4 4 4 5 2 6 2 7 7 8 7
		printf 'link s%d s%d\n' 2 1 3 1 5 3 6 3 7 5 7 6 4 7
		printf 'route s7 h%d via s%d\n' 1 5 2 6
	} >/tmp/diamond
	testbed_up file /tmp/diamond --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:on"
}

run_flows()
{
	local from to start size

	for from in 3 4 5 6 7 8; do
		for to in 1 2; do
			draw 50000
			start=$drawn
			draw 100
			size=$(((drawn + 20) * 1000))
			draw 7
			echo "$start $size 10.0.0.$from 10.0.0.$to 3" \
				$(($(bits "$RATE") * (drawn + 4) / 10))
		done
	done
}

flows() { all_flows; }
duration() { all_ns; }
# ports where s5 and s6 pause s7
metrics() { innocent_metrics s7p3 s7p4; }

expectations()
{
	innocent_expectations
	expect together ">" $((RUNS * 9 / 10))
}
