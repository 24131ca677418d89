#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Do NIC and driver pass received PFC frames up? With a qdisc, the frames must
# reach LLE. Prints a line of the table in Documentation/results/nics.rst.

ALL_TESTS="reach_lle"

# shellcheck source=selftests/pair/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/pair/testbed.sh
. "$(dirname "$0")/testbed.sh"
line_open

FRAMES=10
PFC=1 IP=2		# preferences of the filters that count

counters()
{
	tc -n h1 qdisc add dev eth0 clsact
	tc -n h1 filter add dev eth0 ingress pref $PFC protocol 0x8808 matchall action pass
	tc -n h1 filter add dev eth0 ingress pref $IP protocol ip matchall action pass
}

# seen PREF: frames that reached the stack of h1
seen()
{
	tc -n h1 -s -j filter show dev eth0 ingress pref "$1" |
		jq '[.[].options.actions[]?.stats.packets] | add'
}

seen_more() { [ "$(seen "$1")" -gt "$2" ]; }

# come COUNT: how many of COUNT PFC frames reach the stack; the broadcast behind
# them always does
come()
{
	local pfc ip

	pfc=$(seen $PFC)
	ip=$(seen $IP)
	peer pauses "$1"
	wait_for 20000 seen_more $IP "$ip" || echo "no broadcast"
	echo $(($(seen $PFC) - pfc))
}

# Drivers may apply filters a little later.
reach() { [ "$(come 1)" = "$1" ]; }

reach_lle()
{
	local alone promisc lle before verdict=no

	near_host "$MODEL"
	defer peer llet_cleanup
	peer_check far_host "$MODEL"
	counters
	alone=$(come $FRAMES)
	ip -n h1 link set eth0 promisc on
	wait_for 3000 reach 1
	promisc=$(come $FRAMES)
	ip -n h1 link set eth0 promisc off
	wait_for 3000 reach $((alone / FRAMES))
	host 1 rate 10mbit prio-pfc 3:on
	wait_for 3000 reach 1
	before=$(host_stat 1 3 rx_resume)
	lle=$(come $FRAMES)
	equal "frames that LLE has got" $(($(host_stat 1 3 rx_resume) - before)) $FRAMES
	tc -n h1 qdisc del dev eth0 root
	check "without LLE it is not as before" wait_for 3000 reach $((alone / FRAMES))

	if [ "$lle" = $FRAMES ]; then
		verdict=yes
	elif [ "$promisc" = $FRAMES ]; then
		verdict="only promiscuous"
	fi
	echo "# passes PFC frames up: | $MODEL | $LLE_KERNEL | $verdict | of $FRAMES:" \
		"$lle with LLE, $alone without, $promisc if promiscuous |"
}

llet_main
