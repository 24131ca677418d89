#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# losslessctl reload: the modules are exchanged while lossless packets flow, and
# none is lost; or it refuses.

ALL_TESTS="nothing_lost ignores_pauses own_programs netns_ends forced
	hidden_user not_installed old_modules daemon_ends"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

TIMES=${TIMES:-20}
GAP_NS=160000		# 50 Mbit/s of 1000 bytes
SECONDS_OF_TRAFFIC=10

ctl() { sw losslessctl "$@"; }
state() { sw tc -j qdisc show root | jq -c 'map(select(.kind == "lossless"))'; }

# Two ports, and a watchdog; the hosts have no qdisc.
two_ports()
{
	llet_star 2
	llet_ports 2 rate 100mbit prio-pfc 3:on xoff 40k
	ctl watchdog start p1 100
}

# traffic [OPTION...]: from h1 to h2, in the background; PID in $sender
traffic()
{
	ip netns exec h2 lle_traffic count eth0 3000 >/tmp/got &
	counter=$!
	sleep 0.1
	send 1 2 -d 24 -g $GAP_NS -n $((SECONDS_OF_TRAFFIC * 1000000000 / GAP_NS)) "$@" &
	sender=$!
}

all_arrived()
{
	wait $sender $counter
	equal "packets" "$(jq -c '.sum.packets' /tmp/got)" $((SECONDS_OF_TRAFFIC * 1000000000 / GAP_NS))
	equal "lost" "$(jq -c '.sum.lost' /tmp/got)" 0
}

# At random moments of the traffic, 20 times; SEED makes others.
nothing_lost()
{
	local before watchdog i exchanged=0

	RANDOM=${SEED:-1}
	two_ports
	before=$(state) watchdog=$(ctl -j watchdog show config)
	for ((i = 0; i < TIMES; i++)); do
		# ten in each run of traffic
		[ $((i % 10)) -ne 0 ] || traffic -O 3:100
		sleep 0.$((RANDOM % 5))$((RANDOM % 10))
		if ctl reload >/tmp/said 2>&1; then
			exchanged=$((exchanged + 1))
			check "what it says: $(cat /tmp/said)" grep -q 'the peers of 2 ports were paused for' /tmp/said
		else
			llet_fail "$(cat /tmp/said)"
		fi
		equal "settings" "$(state)" "$before"
		equal "watchdog" "$(ctl -j watchdog show config)" "$watchdog"
		[ $((i % 10)) -ne 9 ] || all_arrived
	done
	equal "exchanged" $exchanged "$TIMES"
	check "files are left: $(ls /run/lossless)" test -z "$(ls /run/lossless)"
}

# It refuses, names the port, and changes nothing.
ignores_pauses()
{
	local before

	two_ports
	before=$(state)
	traffic
	sleep 0.5
	refused "packets of priority 3 arrive at p1 in network namespace sw" \
		losslessctl reload --wait 200
	equal "settings" "$(state)" "$before"
	all_arrived
}

own_programs()
{
	two_ports
	host 1 prio-pfc 3:on role host
	refused "eth0 in network namespace h1 has the role host" losslessctl reload
}

# The kernel removes the qdisc of a network namespace after the namespace.
netns_ends()
{
	two_ports
	llet_netns gone
	ip -n gone link add d0 type dummy
	tc -n gone qdisc add dev d0 root lossless
	ip netns del gone
	ctl reload >/tmp/said 2>&1 || llet_fail "$(cat /tmp/said)"
}

forced()
{
	two_ports
	host 1 prio-pfc 3:on role host
	check "not forced" losslessctl reload --force
	equal "qdisc" "$(tc -n h1 -j qdisc show dev eth0 root | jq -r '.[0].options.role')" host
}

# A qdisc in a network namespace that only a file descriptor keeps.
hidden_user()
{
	check "other users" wait_for 5000 no_users
	llet_netns hidden
	ip -n hidden link add d0 type dummy
	tc -n hidden qdisc add dev d0 root lossless
	exec 9</run/netns/hidden
	ip netns del hidden
	refused "sch_lossless has 1 users, and only 0" losslessctl reload
	exec 9<&-
}
no_users() { [ "$(cat /sys/module/sch_lossless/refcnt)" = 0 ]; }

not_installed()
{
	local before

	two_ports
	before=$(state)
	mount -t tmpfs none "/lib/modules"
	defer umount /lib/modules
	refused "no module sch_lossless is installed" losslessctl reload
	equal "settings" "$(state)" "$before"
}

# Modules of 0.2 have other netlink attributes: no program talks to them.
# "ip netns exec" would hide the mounted file.
old_modules()
{
	local before refusal="the module lossless has version 0.2, with other netlink attributes"
	local sw="nsenter --net=/run/netns/${TESTBED-}sw"

	two_ports
	before=$(state)
	echo 0.2 >/tmp/version
	mount --bind /tmp/version /sys/module/lossless/version
	defer umount /sys/module/lossless/version
	refused "$refusal" losslessctl reload
	refused "$refusal" $sw losslessctl port
	refused "$refusal" $sw losslessd -c /dev/null
	refused "$refusal" $sw tc qdisc change dev p1 root lossless prio-pfc 4:on
	check "tc shows options" eval "$sw tc qdisc show dev p1 2>&1 >/dev/null | grep -q '$refusal'"
	echo 0.3 >/tmp/version
	check "a version since 0.3" $sw losslessctl port
	equal "settings" "$(state)" "$before"
}

# systemd starts it again
daemon_ends()
{
	two_ports
	echo 'log = "stderr"' >/tmp/conf
	sw losslessd -c /tmp/conf 2>/tmp/log &
	defer kill_quietly $!
	sleep 1
	check "not reloaded" losslessctl reload
	check "it runs on" wait_for 5000 not_running $!
	check "it does not say why" grep -q "the module has been unloaded" /tmp/log
}
kill_quietly() { kill "$1" 2>/dev/null || :; }
not_running() { ! kill -0 "$1" 2>/dev/null; }

llet_install
llet_main
