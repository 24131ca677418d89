#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lle-testbed builds the requested topology, the whole of it or nothing, and
# removes it.
#
# The testbed is called t: its switches are in netns t-sw, its hosts in t-h1,
# t-h2...

ALL_TESTS="line star ring leaf_spine fat_tree given_path failed_link mtu quiet
	no_qdisc statistics_are_those_of_tc values_are_those_of_tc
	show_is_what_was_built two_testbeds built_twice refused_by_the_kernel
	refused_late name_clash device_clash output_lost interrupted killed
	down_of_the_rest down_of_nothing"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

tb() { local command=$1; shift; lle-testbed "$command" --name t "$@"; }

# up TOPOLOGY [OPTION...]
up()
{
	check "up $*: failed" tb up "$@" >/tmp/up
	defer gone
}

gone() { tb down 2>/dev/null; }

# ip4 N: address of host N
ip4() { echo "10.0.0.$1"; }

# reaches I J: a ping arrives, and its answer
reaches()
{
	ip netns exec "t-h$1" ping -q -c 1 -W 1 "$(ip4 "$2")" >/dev/null ||
		llet_fail "h$1 does not reach h$2"
}

# frames I J N: priority 3
frames()
{
	ip netns exec "t-h$1" lle_traffic send eth0 "$(mac "$2")" -n "$3" -d 24
}

# of_switches EXPRESSION: over the qdiscs of all ports of switches
of_switches()
{
	tb stats | jq -c "[.qdiscs[] | select(.netns == \"t-sw\")] | $1"
}

# Egress ports of the frames in switches, with their numbers
ways()
{
	of_switches 'map(select(.prios[3].tx_packets > 0) |
		"\(.dev):\(.prios[3].tx_packets)") | sort | join(" ")' | tr -d '"'
}

# all_out N: N frames left switches
all_out()
{
	[ "$(of_switches 'map(.prios[3].tx_packets) | add')" = "$1" ]
}

# nothing_left: not even the folder with the list of testbeds
nothing_left()
{
	equal "network namespaces left" "$(cd /run/netns && echo t-*)" "t-*"
	check "a note is left" test ! -e /run/lle-testbed
}

line()
{
	up line 3 --rate 1gbit
	reaches 1 2
	frames 1 2 5
	check "frames do not arrive" wait_for 2000 all_out 15
	equal "ways" "$(ways)" "s1p2:5 s2p2:5 s3p1:5"
}

star()
{
	up star 4 --rate 1gbit
	reaches 1 4
	reaches 4 2
	frames 3 1 7
	check "frames do not arrive" wait_for 2000 all_out 7
	equal "ways" "$(ways)" "s1p1:7"
}

# A broadcast is not flooded, or it would loop for ever
ring()
{
	up ring 4 --rate 1gbit
	check "an ARP request was answered" \
		test "$(ip netns exec t-h1 ping -q -c 1 -W 1 "$(ip4 3)" |
			grep -c ' 0 received')" = 1
	equal "broadcasts in the ring" \
		"$(of_switches 'map(.prios[].tx_packets) | add')" 0
	tb down
	up ring 4 --rate 1gbit --arp
	reaches 1 3
	frames 1 4 2
	check "frames do not arrive" wait_for 2000 all_out 4
	equal "ways" "$(ways)" "s1p3:2 s4p1:2"
}

leaf_spine()
{
	local i j

	up leaf-spine 2 2 2 --rate 1gbit --arp
	for i in 1 2 3 4; do
		for j in 1 2 3 4; do
			[ "$i" = "$j" ] || reaches "$i" "$j"
		done
	done
	frames 1 3 4
	frames 1 4 6
	check "frames do not arrive" wait_for 2000 all_out 30
	equal "ways" "$(ways)" "s1p3:4 s1p4:6 s2p1:4 s2p2:6 s3p2:4 s4p2:6"
}

# Hosts send to hosts of other pods, a different one each: each direction of
# each link has the same share
fat_tree()
{
	local i

	up fat-tree 4 --rate 1gbit --delay 2us --arp \
		--edge "prio-pfc 3:on" --fabric "prio-pfc 3:on" \
		--host "prio-pfc 3:on"
	reaches 1 16
	for ((i = 1; i <= 16; i++)); do
		frames $i $(((i + 7) % 16 + 1)) 10
	done
	check "frames do not arrive" wait_for 5000 all_out 800
	equal "ports, and what each has sent" \
		"$(of_switches '[length, (map(.prios[3].tx_packets) | unique)]')" \
		"[80,[10]]"
	equal "drops" "$(of_switches 'map(.prios[].drops | add) | add')" 0
}

given_path()
{
	cat >/tmp/given <<-END
		switch a
		switch b xoff 50kb
		switch c with b
		host h1 a
		host h2 b rate 1gbit delay 10us
		link a b
		link b c rate 2gbit
		link c a
		route a h2 via c
		qdisc fabric prio-pfc 3:on
	END
	up file /tmp/given --arp --format json
	check "show differs" cmp -s /tmp/up <(tb show --format json)
	reaches 1 2
	frames 1 2 3
	check "frames do not arrive" wait_for 2000 all_out 9
	equal "ways" "$(ways)" "ap3:3 bp1:3 cp1:3"
	equal "rates, delays, roles" "$(tb stats | jq -r '.qdiscs | map(
		select(.role != "host") | "\(.dev) " + (.options |
		"\(.switch) \(.rate) \(.delay) \(.facing) \(.prio_pfc) \(.xoff)")) |
		sort | .[]')" \
		"$(printf '%s\n' "ap1 1 0 0 edge [] 0" "ap2 1 0 0 fabric [3] 0" \
			"ap3 1 0 0 fabric [3] 0" "bp1 2 125000000 10000 edge [] 51200" \
			"bp2 2 0 0 fabric [3] 51200" "bp3 2 250000000 0 fabric [3] 51200" \
			"cp1 2 250000000 0 fabric [3] 0" "cp2 2 0 0 fabric [3] 0")"
}

failed_link()
{
	up leaf-spine 2 2 2 --fail s1-s4 --arp
	reaches 1 3
	reaches 2 4
	frames 1 4 2
	check "frames do not arrive" wait_for 2000 all_out 6
	equal "ways" "$(ways)" "s1p3:2 s2p2:2 s3p2:2"
	equal "state" "$(ip -n t-sw -j link show s1p4 | jq -r '.[0].operstate')" \
		DOWN
}

mtu()
{
	up line 2 --mtu 9000
	check "a jumbo frame does not pass" ip netns exec t-h1 \
		ping -q -c 1 -W 1 -M 'do' -s 8972 "$(ip4 2)" >/dev/null
}

# No packets but those of the test
quiet()
{
	up line 2
	sleep 20
	equal "packets" "$(tb stats | jq '[.qdiscs[].prios[] |
		.rx_packets + .tx_packets] | add')" 0
}

no_qdisc()
{
	up line 2 --no-qdisc --edge "alpha 1"
	reaches 1 2
	equal "statistics" "$(tb stats)" '{"name":"t","qdiscs":[]}'
	equal "qdiscs" "$(tc -n t-sw qdisc show | grep -c lossless)" 0
}

# of_tc NETNS: in the form of the statistics of lle-testbed
of_tc()
{
	tc -n "$1" -s -j qdisc show | jq -cS '[.[] |
		select(.kind == "lossless") | del(.kind, .handle, .root, .refcnt,
		.bytes, .packets, .drops, .overlimits, .requeues, .backlog,
		.qlen)] | sort_by(.dev)'
}

of_tb()
{
	tb stats | jq -cS "[.qdiscs[] | select(.netns == \"$1\") |
		del(.netns, .node, .role, .peer, .ifindex)] | sort_by(.dev)"
}

statistics_are_those_of_tc()
{
	local netns

	up line 2 --rate 100mbit --delay 5us --fabric "prio-pfc all:on" \
		--edge "wred 2 kmin 3kb kmax 9kb pmax 50 ecn dscp-prio 9:4" \
		--host "quanta 2000 3000"
	ip netns exec t-h1 ping -q -c 20 -i 0.01 -Q 0x60 "$(ip4 2)" >/dev/null
	for netns in t-sw t-h1 t-h2; do
		equal "$netns" "$(of_tb $netns)" "$(of_tc $netns)"
	done
	equal "ports" "$(tb stats | jq -r '.qdiscs | map(
		"\(.netns) \(.node) \(.dev) \(.role) \(.peer)") | sort | .[]')" \
		"$(printf '%s\n' "t-h1 h1 eth0 host s1" "t-h2 h2 eth0 host s2" \
			"t-sw s1 s1p1 edge h1" "t-sw s1 s1p2 fabric s2" \
			"t-sw s2 s2p1 edge h2" "t-sw s2 s2p2 fabric s1")"
}

# Numbers and units have the same meaning as in tc
values_are_those_of_tc()
{
	local words option

	while read -r words; do
		# shellcheck disable=SC2086 # a list of words
		tb up star 1 --edge "$words" >/dev/null ||
			llet_fail "refused: $words"
		option=$(of_tb t-sw)
		# shellcheck disable=SC2086
		tc -n t-sw qdisc replace dev s1p1 root handle 2: lossless \
			edge switch 1 $words
		equal "$words" "$option" "$(of_tc t-sw)"
		tb down
	done <<-END
		rate 1000000
		rate 9.6Mbit
		rate 1GIBIT delay 3.5us
		rate 20kbps delay 100
		rate 7MiBps delay 1ms
		rate 1e9
		rate 0.1tbit burst 10k
		limit 20000 overhead 32
		limit 0.5mb overhead 20b
		xoff 800kbit xon-delta 4k
		buffer 2m reserved 1.5kb
		buffer 0.03gb headroom 3Mbit prio-pfc 0:on
		bands 3 strict 1 quanta 3kb 1500 priomap 0 1 2
	END
}

show_is_what_was_built()
{
	up fat-tree 4 --rate 1gbit --delay 1us --fail s1-s9 --format json \
		--edge "prio-pfc 3:on alpha 1/8" --host "limit 50kb"
	check "show differs" cmp -s /tmp/up <(tb show --format json)
	equal "forwarding entries" "$(bridge -n t-sw fdb show |
		grep -c ' 02:00:00:00:00\|^02:00:00:00:00')" 320
	equal "forwarding of s1" "$(bridge -n t-sw -j fdb show br s1 |
		jq -cS 'map(select(.mac | startswith("02:00:00:00:00:")) |
			{(.mac): .ifname}) | add')" \
		"$(jq -cS '(.hosts | map({(.name): .mac}) | add) as $mac |
			.switches[0].forward | with_entries(.key |= $mac[.])' \
			/tmp/up)"
	equal "addresses of ports" "$(ip -n t-sw -o link show type veth |
		grep -o 'link/ether 02:00:01:00:00:[0-9a-f]*' | sort -u | wc -l)" \
		"$(jq '[.switches[].ports[]] | length' /tmp/up)"
}

two_testbeds()
{
	up line 2
	check "second testbed" lle-testbed up star 2 --name u >/dev/null
	tb down
	equal "network namespaces" "$(cd /run/netns && echo [tu]-*)" \
		"u-h1 u-h2 u-sw"
	check "the other testbed is broken" ip netns exec u-h1 \
		ping -q -c 1 -W 1 "$(ip4 2)" >/dev/null
	check "down" lle-testbed down --name u
}

built_twice()
{
	up line 2
	refused 'there is a testbed "t" already' tb up line 2
	reaches 1 2
}

# The first port is refused: delay requires a rate
refused_by_the_kernel()
{
	refused "cannot set up qdisc of s1p1 at s1: delay: requires rate" \
		tb up line 2 --delay 1us
	nothing_left
}

# The last host is refused, when all others exist
refused_late()
{
	printf '%s\n' 'switch s1' 'host h1 s1' 'host h2 s1' \
		'qdisc host quanta 2000 strict 8' >/tmp/late
	refused "cannot set up qdisc of eth0 at h1: bands: strict and quanta" \
		tb up file /tmp/late
	nothing_left
}

# An existing network namespace of that name is an error, and stays
name_clash()
{
	local before

	ip netns add t-h3
	defer ip netns del t-h3
	before=$(command stat -Lc %i /run/netns/t-h3)
	refused "/run/netns/t-h3: File exists" tb up star 5
	equal "network namespaces" "$(cd /run/netns && echo t-*)" t-h3
	equal "is another one" "$(command stat -Lc %i /run/netns/t-h3)" "$before"
	check "a note is left" test ! -e /run/lle-testbed
}

# The port s1p1 of s1, and a switch of that name
device_clash()
{
	printf '%s\n' 'switch s1' 'switch s1p1' 'host h1 s1' >/tmp/clash
	refused "cannot set up link of s1p1 at h1: File exists" \
		tb up file /tmp/clash
	nothing_left
}

output_lost()
{
	refused "No space left on device" eval 'tb up line 2 >/dev/full'
	nothing_left
}

# stopped_by SIGNAL: during the creation of hosts; false if that is too fast
stopped_by()
{
	local pid

	if virtual_time; then
		llet_skip "time stands while up runs: nobody stops it half way"
		return 1
	fi
	lle-testbed up fat-tree 6 --name t >/tmp/up 2>&1 &
	pid=$!
	while [ ! -e /run/netns/t-h20 ]; do
		sleep 0.001
	done
	kill -s "$1" $pid
	! wait $pid || llet_fail "up succeeded"
}

interrupted()
{
	stopped_by TERM || return
	equal "said" "$(cat /tmp/up)" "lle-testbed: interrupted"
	nothing_left
}

# There is no cleanup then, but down finds what may exist
killed()
{
	stopped_by KILL 2>/dev/null || return
	check "there is nothing to remove" test -e /run/netns/t-h1
	check "down" tb down
	nothing_left
}

down_of_the_rest()
{
	up star 4
	ip netns del t-sw
	ip netns del t-h2
	check "down" tb down
	nothing_left
}

down_of_nothing()
{
	refused 'there is no testbed "t"' tb down
	refused 'there is no testbed "t"' tb stats
	refused 'there is no testbed "t"' tb show
}

llet_main
