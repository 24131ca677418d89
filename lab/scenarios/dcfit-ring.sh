# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-ring: the links of a ring of four switches are full, but not overloaded,
# as in the evaluation of Hawkeye (SIGCOMM 2025): two flows of three hops share
# each link, each at half of its rate. Then four hosts at one switch send bursts
# of 10 MB to hosts at the next one, and the ring deadlocks. With TRIGGER=host
# there are no bursts, and all send less; but a host at the end of a flow
# receives slowly, and pauses its switch.
#
#	       h1,h2
#	        |
#	      +----+      +----+
#	      | s1 |----->| s2 |-- h3,h4; h9-h12 send bursts
#	      +----+      +----+
#	        ^           |
#	        |           v
#	      +----+      +----+
#	      | s3 |<-----| s4 |-- h7,h8; h13-h16 receive them
#	      +----+      +----+
#	        |
#	       h5,h6
#
# keys: RUNS=3 MODE=exact TRIGGER=burst RATE=100gbit DELAY=5us MTU=4096 US=4000
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key TRIGGER: one of burst host, initial trigger

# shellcheck source=lab/scenarios/dcfit.sh
. "${LAB:-/lab}/dcfit.sh"

PORT="buffer 4m xoff 100k reaction 0 prio-pfc 3:on deadlock alert"

limits() { limit_delay 8 4m; }

half() { echo $(($(bits "$RATE") / 2)); }

testbed()
{
	local i half

	half=$(half)
	{
		printf 'switch s%d\n' 1 2 3 4
		for ((i = 1; i <= 8; i++)); do
			echo "host h$i s$(((i + 1) / 2)) rate ${half}bit"
		done
		printf 'host h%d s2\n' 9 10 11 12
		printf 'host h%d s4\n' 13 14 15 16
		printf 'link s%d s%d\n' 1 2 2 4 4 3 3 1
		printf 'route s%d h%d via s%d\n' 1 7 2 2 7 4 4 2 3 3 2 1 3 3 1 1 3 2 2 6 4 4 6 3
	} >/tmp/ring
	testbed_up file /tmp/ring --rate "$RATE" --delay "$DELAY" --mtu $((LINK_MTU)) \
		--edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:on"
	[ "$TRIGGER" != host ] || on_time tc -n lle-h7 qdisc change dev eth0 root lossless \
		role host buffer 4m xoff 100k rx-rate $((half / 20))bit
}

send()
{
	draw 20000
	echo "$(($3 + drawn)) $4 10.0.0.$1 10.0.0.$2 3 ${5:-}"
}

run_flows()
{
	local i pair share=

	[ "$TRIGGER" != host ] || share=$(($(half) * 8 / 10))
	for pair in 1.7 8.2 5.3 4.6; do
		send ${pair/./ } 0 1000000000000 $share
	done
	[ "$TRIGGER" = burst ] || return 0
	for i in 9 10 11 12; do
		send $i $((i + 4)) 2000000 10000000
	done
}

flows() { first_flows; }
traffic() { each_run; }
duration() { echo "${US}e-6"; }

metrics()
{
	if [ "$TRIGGER" = host ]; then
		found_metrics out_loop
	else
		found_metrics on_loop
	fi
}

expectations()
{
	if [ "$TRIGGER" = host ]; then
		found_expectations out_loop 1.1
		expect trigger_host == "$RUNS"
	else
		found_expectations on_loop 1.1
		expect trigger_on_loop == "$RUNS"
		# a deadlock needs the bursts
		expect closed_after_us_min ">" 2000
	fi
	expect hops == 4
}
