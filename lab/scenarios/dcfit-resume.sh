# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-resume: all links of a ring are paused, and each has packets that wait
# for the next one. But one of the switches will resume, as most of the bytes
# that it pauses for go to a host of its own. This is no deadlock: paper section
# 5, "a causality-loop is formed but then one of the ports is immediately
# resumed".
#
#	     h1          h2
#	      |           |
#	    +----+      +----+	h1 to h3, h2 to h4, h4 to h2, clockwise;
#	    | s1 |----->| s2 |	h5 and h6 to h4, more than its link carries;
#	    +----+      +----+	h3 to h1 little: less than XON, for which
#	      ^           |	s4 keeps s3 paused
#	      |           v
#	    +----+      +----+
#	    | s4 |<-----| s3 |
#	    +----+      +----+
#	    / |  \        |
#	  h5 h4  h6      h3
#
# Sizes, rates and times of flows are drawn, RUNS times. No switch may declare a
# deadlock.
#
# keys: RUNS=1000 MODE=exact RATE=10gbit DELAY=1us MTU=1024 PERIOD=2000000 PAUSES=yes

# shellcheck source=lab/scenarios/dcfit.sh
. "${LAB:-/lab}/dcfit.sh"

PORT="buffer 2m xoff 30k reaction 0 prio-pfc 3:on deadlock alert"
LITTLE=20000		# bytes from h3 to h1, at most; with headers below XON

limits() { limit_delay 5 2m; }

testbed()
{
	{
		printf 'switch s%d\n' 1 2 3 4
		printf 'host h%d s%d\n' 1 1 2 2 3 3 4 4 5 4 6 4
		printf 'link s%d s%d\n' 1 2 2 3 3 4 4 1
		printf 'route s%d h%d via s%d\n' 1 3 2 2 4 3 3 1 4 4 2 1
	} >/tmp/ring
	testbed_up file /tmp/ring --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:on"
}

# send FROM TO MIN MAX: prints a flow with a size of MIN to MAX kB
send()
{
	local start size

	draw 20000
	start=$drawn
	draw $(($4 - $3 + 1))
	size=$((($3 + drawn) * 1000))
	draw 4
	echo "$start $size 10.0.0.$1 10.0.0.$2 3 $(($(bits "$RATE") * (drawn + 7) / 10))"
}

run_flows()
{
	send 1 3 200 400
	send 2 4 200 400
	send 4 2 200 400
	send 5 4 200 400
	send 6 4 200 400
	send 3 1 10 $((LITTLE / 1000))
}

flows() { all_flows; }
duration() { all_ns; }
metrics() { innocent_metrics s1p2 s2p3 s3p3 s4p5; }

expectations()
{
	innocent_expectations
	expect together ">" $((RUNS / 2))
}
