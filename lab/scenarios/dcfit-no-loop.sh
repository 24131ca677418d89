# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-no-loop: congestion in all parts of a leaf-spine network. Paths go up
# and then down, so buffers never wait for each other in a loop. Thresholds are
# dynamic, with another alpha at each switch. Senders, receivers and sizes of
# flows are drawn, RUNS times. No switch may declare a deadlock.
#
# keys: RUNS=1000 MODE=exact RATE=10gbit DELAY=1us MTU=1024 PERIOD=4000000 PAUSES=no

# shellcheck source=lab/scenarios/dcfit.sh
. "${LAB:-/lab}/dcfit.sh"

PORT="buffer 400k reaction 0 prio-pfc 3:on deadlock alert"
SWITCHES=6
HOSTS=8

limits() { limit_delay 4 400k; }

testbed()
{
	local i

	begin_draws
	for ((i = 1; i <= SWITCHES; i++)); do
		draw 4
		echo "s|^switch s$i\$|& alpha 1/$((1 << drawn))|"
	done >/tmp/alphas
	lle-testbed show leaf-spine 4 2 2 --rate "$RATE" --delay "$DELAY" --format file |
		sed -f /tmp/alphas >/tmp/leaf-spine
	testbed_up file /tmp/leaf-spine --mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" \
		--host "prio-pfc 3:on"
}

# 16 flows; two of the hosts receive half of them
run_flows()
{
	local i from to start hot

	draw $HOSTS
	hot=$drawn
	for ((i = 0; i < 16; i++)); do
		draw $HOSTS
		from=$drawn
		draw $((HOSTS - 1))
		to=$(((from + 1 + drawn) % HOSTS))
		[ $((i % 2)) -eq 1 ] || to=$(((hot + i / 2 % 2) % HOSTS))
		[ "$to" -ne "$from" ] || to=$(((from + 2) % HOSTS))
		draw 30000
		start=$drawn
		draw 280
		echo "$start $(((drawn + 20) * 1000)) 10.0.0.$((from + 1)) 10.0.0.$((to + 1)) 3"
	done
}

flows() { all_flows; }
duration() { all_ns; }
metrics() { innocent_metrics "$@"; }
expectations() { innocent_expectations; }
