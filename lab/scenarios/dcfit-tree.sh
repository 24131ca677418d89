# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The fat tree of dcfit-on-loop and dcfit-out-of-loop: 4 pods, 20 switches, 16
# hosts. Two links from cores to pods have failed, so packets take a detour by
# another pod:
#
#	pod p to pod x: up to core 1, down to pod q, up to core 2, down to x
#	pod q to pod y: up to core 2, down to pod p, up to core 1, down to y
#
# The loop is core 1, pod q, core 2, pod p. The pods and cores are drawn for
# each run, which builds its own tree.

PORT="buffer 1m xoff 40k reaction 0 prio-pfc 3:on deadlock alert"

limits() { limit_delay 4 1m; }

# Numbers of switches and hosts, by pod $1, or by number in the group $1
edge() { echo $((2 * $1 - 2 + $2)); }
aggregation() { echo $((6 + 2 * $1 + group)); }
core() { echo $((14 + 2 * group + $1)); }
# host POD EDGE: prints the number of the first host at an edge switch
host() { echo $((2 * $(edge "$1" "$2") - 1)); }

# draw_pods: draws pods p, q, x and y, and the group of cores
draw_pods()
{
	local pods=(1 2 3 4) i swap

	for i in 4 3 2; do
		draw $i
		swap=${pods[drawn]}
		pods[drawn]=${pods[i - 1]}
		pods[i - 1]=$swap
	done
	p=${pods[0]} q=${pods[1]} x=${pods[2]} y=${pods[3]}
	draw 2
	group=$((drawn + 1))
}

links()
{
	local i pod group=$1

	for i in 1 2; do
		for pod in 1 2 3 4; do
			echo "link s$(aggregation $pod) s$(core $i)"
		done
	done
}

# detour FROM THROUGH HOST FIRST SECOND: prints routes: packets of pod FROM for
# a host go up to core FIRST, by pod THROUGH, to core SECOND
detour()
{
	local up down host=h$3 first second

	up=s$(aggregation "$1") down=s$(aggregation "$2")
	first=s$(core "$4") second=s$(core "$5")
	echo "route s$(edge "$1" 1) $host via $up"
	echo "route s$(edge "$1" 2) $host via $up"
	echo "route $up $host via $first"
	echo "route $first $host via $down"
	echo "route $down $host via $second"
}

topology()
{
	local i pod

	printf 'switch s%d\n' {1..20}
	for ((i = 1; i <= 16; i++)); do
		echo "host h$i s$(((i + 1) / 2))$([ $i != "$(host "$x" 1)" ] || sink_link)"
	done
	for pod in 1 2 3 4; do
		for i in 1 2; do
			echo "link s$(edge $pod $i) s$(group=1; aggregation $pod)"
			echo "link s$(edge $pod $i) s$(group=2; aggregation $pod)"
		done
	done
	links 1
	links 2
	detour "$p" "$q" "$(host "$x" 1)" 1 2
	detour "$q" "$p" "$(host "$y" 1)" 2 1
}

testbed()
{
	topology >/tmp/topology
	testbed_up file /tmp/topology --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) \
		--fail "s$(aggregation "$x")-s$(core 1)" \
		--fail "s$(aggregation "$y")-s$(core 2)" \
		--edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:on"
	sink
}

next_testbed()
{
	echo "lab: build"
	echo clear >"$RNIC"/control
	at_once lle-testbed stats >>"$OUT/testbeds.json"
	lle-testbed down
	begin_draws
	draw_pods
	testbed
	lle-testbed show --format json >"$OUT/testbed.json"
}

# detour_flow POD EDGE TO [BITS_PER_SECOND]: prints a flow without an end
detour_flow()
{
	draw 20000
	echo "$drawn 100000000000 10.0.0.$(host "$1" "$2") 10.0.0.$(host "$3" 1) 3 ${4:-}"
}

# Properties of the first host of x: of its link, and of the built host
sink_link() { :; }
sink() { :; }

begin_draws
draw_pods
