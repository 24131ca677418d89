#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The pause tree of losslessctl: which pause causes which.
#
#	h1 -- s1p1 +----+          +----+          +----+ s3p1 -- h3
#	           | s1 |p3 ---- p1| s2 |p2 ---- p3| s3 |
#	h2 -- s1p2 +----+          +----+          +----+ s3p2 -- h4

ALL_TESTS="nothing dead_receiver from_a_port slow_receiver congestion loop refusals"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

PORT="prio-pfc 3:on xoff 50k headroom 100k"

ctl() { ip netns exec t-sw losslessctl "$@"; }
gone() { lle-testbed down --name t 2>/dev/null; }

# testbed FILE
testbed()
{
	check "no testbed" lle-testbed up --name t file "$1" --rate 100mbit --delay 1us \
		--edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:on buffer 16m" >/dev/null
	defer gone
}

row()
{
	printf '%s\n' "switch s1" "switch s2" "switch s3" "host h1 s1" "host h2 s1" \
		"host h3 s3" "host h4 s3" "link s1 s2" "link s2 s3" >/tmp/row
	testbed /tmp/row
}

# frames I J: more than any buffer holds
frames() { ip netns exec "t-h$1" lle_traffic send eth0 "$(mac "$2")" -n 2000 -d 24 & }

# receiver I RATE: rate at which host I receives
receiver() { tc -n "t-h$1" qdisc change dev eth0 root lossless role host rx-rate "$2"; }

pausing() { ctl -j history "$1" 3 | jq -e 'any(.direction == "tx" and .paused)' >/dev/null; }
wait_paused() { check "$1 does not pause" wait_for 5000 pausing "$1"; }

# nodes CONDITION: the nodes of the tree with CONDITION
nodes()
{
	ctl -j tree | jq -c "[.nodes[] | select($1) | \"\(.ifname) \(.side)\"] | sort"
}

# Pauses travel from h3 to h1, and to no other host.
h3_is_dead()
{
	row
	receiver 3 stopped
	frames 1 3
	wait_paused s1p1
}

nothing()
{
	row
	equal "text" "$(ctl tree)" ""
	equal "JSON" "$(ctl -j tree | jq -c '[.nodes, .edges]')" "[[],[]]"
}

dead_receiver()
{
	local tree

	h3_is_dead
	tree=$(ctl -j tree)
	equal "nodes" "$(nodes true)" \
		'["s1p1 ingress","s1p3 egress","s2p1 ingress","s2p2 egress","s3p1 egress","s3p3 ingress"]'
	equal "root" "$(jq -c '[.nodes[] | select(.root) | [.ifname, .root, .peer_mac]]' <<<"$tree")" \
		"[[\"s3p1\",\"peer\",\"$(mac 3)\"]]"
	# packets of each ingress port wait in one queue
	equal "bytes" "$(jq -c '(.nodes | INDEX(.id)) as $n | [.edges[] | select(.bytes > 0) |
		.bytes == $n[.cause | tostring].bytes and .bytes == $n[.effect | tostring].bytes]' <<<"$tree")" \
		"[true,true,true]"
	equal "depth of s1p1" "$(ctl tree | sed -n 's/\( *\)s1p1 .*/\1/p' | wc -c)" 11
	equal "graph" "$(ctl tree -g | grep -c -e '-> n.*pauses')" 3
}

from_a_port()
{
	h3_is_dead
	equal "ports" "$(ctl tree s1p1 | sed 's/ prio.*//; s/ *//' | tr '\n' ' ')" \
		"s1p1 s1p3 s2p1 s2p2 s3p3 s3p1 "
	check "h3 is not named" grep -q "paused by $(mac 3)" <(ctl tree s1p1 3)
	equal "way" "$(ctl explain s1p1 | sed -n 's/ *because of: //p')" \
		"s1p3 <- s2p1 <- s2p2 <- s3p3 <- s3p1"
	check "origin" grep -q "begins: at s3p1: $(mac 3), a host outside" <(ctl explain s1p1)
	equal "of another port" "$(ctl tree s1p2)" ""
	equal "of another priority" "$(ctl tree s1p1 4)" ""
}

# Seen from h3: h3 is not paused, its receiver is the root.
slow_receiver()
{
	h3_is_dead
	equal "root" "$(ip netns exec t-h3 losslessctl -j tree |
		jq -c '[.nodes[] | [.ifname, .side, .root]]')" '[["eth0","ingress","receiver"]]'
}

# The link to h4 is slow, without pauses from h4. Pauses of the switches come
# and go: while s2 does not pause s1, packets at s1p3 wait for that port, and
# s1p3 is the root.
congestion()
{
	row
	tc -n t-sw qdisc change dev s3p2 root lossless rate 1mbit
	frames 1 4
	frames 2 4
	wait_paused s1p2
	wait_paused s1p1
	check "s3p2 is not the root" wait_for 5000 root_is s3p2
	check "s3p2 is no cause of s1p2" wait_for 5000 s1p2_for_s3p2
}

root_is()
{
	ctl -j tree | jq -e --arg port "$1" \
		'[.nodes[] | select(.root) | [.ifname, .root]] == [[$port, "congestion"]]' >/dev/null
}

s1p2_for_s3p2() { ctl tree s1p2 | tail -n 1 | grep -q "s3p2 prio 3: more comes"; }

# Each switch waits for the next one, as in the lab's scenario ring-deadlock.
loop()
{
	local i

	{
		printf 'switch s%d\n' 1 2 3 4
		printf 'host h%d s%d\n' 1 1 2 2 3 3 4 4
		printf 'link s%d s%d\n' 1 2 2 3 3 4 4 1
		printf 'route s%d h%d via s%d\n' 1 3 2 2 4 3 3 1 4 4 2 1
	} >/tmp/ring
	testbed /tmp/ring
	for i in 1 2 3 4; do
		frames "$i" $(((i + 1) % 4 + 1))
	done
	for i in 1 2 3 4; do
		wait_paused "s${i}p1"
	done
	sleep 1
	equal "loop" "$(nodes .loop | jq -c 'map(split(" ")[1]) | sort')" \
		'["egress","egress","egress","egress","ingress","ingress","ingress","ingress"]'
	equal "roots" "$(nodes .root)" "[]"
	check "text does not say loop" grep -q '\[loop\] (see above)' <(ctl tree)
}

refusals()
{
	row
	refused "No such device, or no lossless qdisc at its root" ctl tree lo
	refused "only one of JSON, graph" ctl -j tree -g
	refused "only one of JSON, graph" ctl tree -g s1p1
}

llet_main
