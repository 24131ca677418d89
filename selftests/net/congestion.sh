#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# RCM isolates congested flows, also upstream, without loss or reordering.
#
# Links are slow, as a guest without KVM carries 20000 packet hops per second.
# Times of RCM are multiples of ten packet times of the link: at 10 Mbit/s a
# hold lasts 100 ms.

ALL_TESTS="microburst shown victim alone forged marked off mtu deleted"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/cn.sh
. "$(dirname "$0")/cn.sh"

TRACE=/sys/kernel/tracing
PORT="prio-pfc 3:on xoff 60k headroom 60k"

# testbed ARM RATE STATEMENT...: switches and hosts, with RCM if ARM is "rcm"
testbed()
{
	local port=$PORT edge=

	[ "$1" != rcm ] || port+=" rcm on" edge="rcm-host-cn on"
	printf '%s\n' "${@:3}" >/tmp/topology
	check "no testbed" lle-testbed up --name t file /tmp/topology --rate "$2" --delay 1us \
		--edge "$port $edge" --fabric "$port" --host "$port fabric" >/dev/null
	# shellcheck disable=SC2034 # of lib.sh
	TESTBED=t-
	defer gone
	: >$TRACE/trace
}

gone()
{
	lle-testbed down --name t 2>/dev/null
	unset TESTBED
}

trace()
{
	echo 1 >$TRACE/events/lossless/lle_congested/enable
	defer sh -c "echo 0 >$TRACE/events/lossless/lle_congested/enable"
}

# is_found PORT: has CFR identified the flow that fills PORT?
is_found()
{
	grep -q "lle_congested: .* ifindex=$(sw cat "/sys/class/net/$1/ifindex") .* prio=3" \
		$TRACE/trace
}

# frames I J [OPTION...]: host I sends frames of 1500 bytes to J; waits for the
# end
frames()
{
	ip netns exec "t-h$1" lle_traffic send eth0 "$(mac "$2")" -s 1500 -d 24 -f "$1" "${@:3}"
}

# background I J OPTION...: the same in the background, until the test ends
background()
{
	frames "$@" 2>/dev/null &
	defer stop_job $!
}

stop_job()
{
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# total WHAT [PORT]: sum over priorities and ports of all switches
total() { tc -n t-sw -s -j qdisc show ${2:+dev "$2" root} | lle_json ".[].prios[]$1"; }

# Figure 6 of the paper: h1 to h4 fill the link from s1 to s3, then h5 bursts.
microburst_testbed()
{
	testbed "$1" 20mbit "switch s1" "switch s2" "switch s3" "host h1 s1" "host h2 s1" \
		"host h3 s1" "host h4 s1" "host h5 s2" "host h6 s3" "link s1 s3" "link s2 s3"
	trace
}

# Ports of s3
TO_H6=s3p1
FROM_S1=s3p2

# steady N GAP_NS: h1 to h4 send N packets each
steady()
{
	local i

	receive 6 1000
	for i in 1 2 3 4; do
		frames $i 6 -n "$1" -g "$2" &
	done
	sleep 0.2
}

# all_arrives N: N packets arrived, in order
all_arrives()
{
	equal "received" "$(received 6 .sum.packets)" "$1"
	equal "out of order" "$(received 6 .sum.reordered)" 0
	equal "dropped" "$(total '.drops[]')" 0
	equal "wait in the end" "$(total .backlog)" 0
}

listens() { sw losslessctl watchdog stop $TO_H6; sleep 0.02; test -s "$1"; }

# burst ARM FILE: h5 bursts; sets pauses to the pauses that s1 received
burst()
{
	microburst_testbed "$1"
	ip netns exec t-sw losslessctl -j monitor config congestion >"$2" 2>&1 &
	defer stop_job $!
	check "nobody listens" wait_for 5000 listens "$2"
	# a packet takes 0.61 ms: the four hosts just fill the link
	steady 400 2440000
	frames 5 6 -n 200
	all_arrives $((4 * 400 + 200))
	pauses=$(total .tx_pause_transition $FROM_S1)
}

# roots FILE FILTER: events of the regions with the port to h6 as root
roots()
{
	jq -sce "map(select(.event == \"congestion\" and .ifname == \"$TO_H6\" and .prio == 3)) |
		$2" "$1"
}

# Regions begin and end in turn; one of them, for the 120 ms of the burst, has
# an identified flow.
told_of_root()
{
	roots "$1" 'length > 1 and length % 2 == 0 and
		(to_entries | all(.value.root == (.key % 2 == 0))) and
		(map(select(.root | not)) | any(.identified > 0 and .time_ns - .since_ns > 120e6))' >/dev/null
}

# The counters of the port to h6 agree with the events.
counts_roots()
{
	equal "regions, and how long" "$(sw losslessctl -j congestion show -a $TO_H6 3 |
		jq -c '.[] | [.regions, .root_ns]')" \
		"$(roots "$1" 'map(select(.root | not)) |
			[length, (map(.time_ns - .since_ns) | add)]')"
}

# RCM holds the burst, so the four other hosts need no pauses. Listeners receive
# the congested port.
microburst()
{
	local pauses without events=/tmp/events

	burst pfc $events
	equal "told of without rcm" "$(grep -c congestion $events)" 0
	equal "found without rcm" "$(is_found $TO_H6 && echo yes)" ""
	without=$pauses
	llet_cleanup
	burst rcm $events
	check "not told of" wait_for 5000 told_of_root $events
	counts_roots $events
	check "not found" is_found $TO_H6
	echo "# s1 was paused $without times, with rcm $pauses"
	check "s1 is not paused without rcm" test "$without" -gt 0
	equal "pauses of s1" "$pauses" 0
}

# shown_by_tc DEV: isolated packets of DEV, as text, then as JSON
shown_by_tc()
{
	tc -n t-sw -s qdisc show dev "$1" root | grep -qE \
		'^ (prio 3|      ) rcm +(root|inner) isolated [0-9.]+K?b of [1-9][0-9]*, window [0-9.]+K?b of [0-9.]+K?b, identified [1-9][0-9]*$' ||
		return
	tc -n t-sw -s -j qdisc show dev "$1" root | jq -e '.[0].prios[3].rcm |
		.ids > 0 and .isolated_bytes > 0 and .wc_bytes <= .w_bytes and .identified > 0' >/dev/null
}

# rcm PORT: RCM of priority 3, as tc shows it
rcm() { tc -n t-sw -s -j qdisc show dev "$1" root | jq -c '.[0].prios[3].rcm'; }

# sysfs PORT: all RCM attributes of the port and of its priority 3
sysfs()
{
	local at=/sys/class/net/$1/lossless

	sw cat $at/rcm_cn_{sent,heard,ignored} \
		$at/prio3/rcm_{ids,isolated_bytes,identified,overflows,regions,root_duration} |
		paste -sd' ' -
}

# Output of tc during congestion, then of tc, losslessctl and sysfs.
shown()
{
	local port before

	microburst_testbed rcm
	equal "before" "$(rcm $TO_H6)" '{"role":"none","isolated_bytes":0,"ids":0,"identified":0,"overflows":0}'
	steady 400 2440000
	frames 5 6 -n 200 &
	check "tc does not show it" wait_for 1000 shown_by_tc $TO_H6
	check "the burst does not end" wait_for 2000 nothing_waits
	check "something is isolated for ever" wait_for 2000 shows_nothing $TO_H6
	equal "found" "$(rcm $TO_H6 | jq .identified)" "$(identified $TO_H6)"
	for port in $TO_H6 $FROM_S1 s1p5; do
		equal "sysfs of $port" "$(sysfs $port)" "$(sw losslessctl -j congestion show -a $port 3 |
			jq -r '.[] | [.cn_sent, .cn_heard, .cn_ignored, .ids, .isolated_bytes, .identified,
				.overflows, .regions, (.root_ns / 1000 | floor)] | join(" ")')"
	done
	check "s3 sends none" test "$(sw cat /sys/class/net/$FROM_S1/lossless/rcm_cn_sent)" -gt 0
	before=$(sysfs $TO_H6)
	ip -n t-sw link set $TO_H6 down
	equal "sysfs of a port that is down" "$(sysfs $TO_H6)" "$before"
}

shows_nothing() { rcm "$1" | jq -e '.role == "none" and .ids == 0' >/dev/null; }

# Figure 7: h1 to h4 send to h6, two on each of two paths. h5, the victim, sends
# to h7 on the first path, which has half of its rate left.
victim_testbed()
{
	testbed "$1" 10mbit "switch e0" "switch e0b with e0" \
		"switch "{a0,a5,c0,c5,b0,b5,e1,e2} \
		"host h"{"1 e0","2 e0","3 e0b","4 e0b","5 e0","6 e1","7 e2"} \
		"link e0 a0" "link a0 c0" "link c0 b0" "link b0 e1" "link a0 e2" \
		"link e0b a5" "link a5 c5" "link c5 b5" "link b5 e1"
}

# victim_ms [WORD]: sets ms to the time in which 300 packets of h5 arrive
victim_ms()
{
	local i

	for i in 1 2 3 4; do
		background $i 6 -n 100000
	done
	sleep 1
	receive 7 1000
	frames 5 7 -n 300
	equal "received of the victim with $1" "$(received 7 .sum.packets)" 300
	equal "reordered with $1" "$(received 7 .sum.reordered)" 0
	equal "dropped with $1" "$(total '.drops[]')" 0
	ms=$(($(received 7 .sum.ns) / 1000000))
	llet_cleanup
}

victim()
{
	local ms pfc

	victim_testbed pfc
	victim_ms pfc
	pfc=$ms
	victim_testbed rcm
	victim_ms rcm
	echo "# 300 packets in $pfc ms, with rcm in $ms ms"
	check "the victim is not faster" test $((ms * 7)) -lt $((pfc * 4))
}

# RCM at e0 only, so neighbours know nothing of it: not slower than without RCM.
alone()
{
	local ms pfc port

	victim_testbed pfc
	victim_ms pfc
	pfc=$ms
	victim_testbed rcm
	for port in $(ip -n t-sw -o link | sed -n 's/^[0-9]*: \([abc][05]p[0-9]\|e[12]p[0-9]\)@.*/\1/p'); do
		tc -n t-sw qdisc change dev "$port" root lossless rcm off
	done
	victim_ms rcm
	echo "# 300 packets in $pfc ms, with rcm at e0 only in $ms ms"
	check "the victim is slower" test $((ms * 4)) -lt $((pfc * 5))
}

# left PORT: packets of priority 3 that PORT sent
left() { tc -n t-sw -s -j qdisc show dev "$1" root | lle_json ".[0].prios[3].tx_packets"; }
has_left() { [ "$(left "$1")" = "$2" ]; }

# Ports ignore notifications of host h1, as its port is an edge port. Those of
# s2 count: s1 holds the listed destination, for 1 s at 1 Mbit/s.
forged()
{
	testbed rcm 1mbit "switch s1" "switch s2" "host h1 s1" "host h2 s2" "host h3 s2" \
		"host h4 s1" "link s1 s2"

	ip netns exec t-h1 lle_traffic raw eth0 "$(note 1 "$(name 1 4)")"
	frames 4 1 -n 5
	# shorter than a hold
	sleep 0.3
	equal "left while a host says hold" "$(left s1p1)" 5

	ip netns exec t-sw lle_traffic raw s2p3 "$(note 1 "$(name 2)")"
	frames 1 2 -n 5
	frames 1 3 -n 5
	check "what is not identified is held" wait_for 800 has_left s2p2 5
	equal "of what is identified, first packets" "$(left s2p1)" 2
	equal "waits at s1" "$(total .backlog s1p3)" 4500
	check "it is held for ever" wait_for 3000 has_left s2p1 5
	equal "dropped" "$(total '.drops[]')" 0
}

# Packets that were held for long are marked, others are not.
marked()
{
	testbed rcm 1mbit "switch s1" "switch s2" "host h1 s1" "host h2 s2" "host h3 s2" \
		"link s1 s2"
	tc -n t-sw qdisc change dev s1p2 root lossless \
		wred 3 kmin 100k kmax 200k pmax 1% ecn

	# a hold lasts 1 s; 1.2 s are long
	ip netns exec t-sw lle_traffic raw s2p3 "$(note 1 "$(name 2)")"
	frames 1 2 -n 5 -e 2
	frames 1 3 -n 5 -e 2
	sleep 0.7
	ip netns exec t-sw lle_traffic raw s2p3 "$(note 2 "$(name 2)")"
	check "it is held for ever" wait_for 3000 has_left s2p1 5
	equal "marked" "$(total .ecn_marked s1p2)" 3

	ip netns exec t-sw lle_traffic raw s2p3 "$(note 3 "$(name 2)")"
	frames 1 2 -n 5 -e 2
	sleep 0.3
	ip netns exec t-sw lle_traffic raw s2p3 "$(note 4 0)"
	check "it is held for ever" wait_for 3000 has_left s2p1 10
	equal "marked after a short hold" "$(total .ecn_marked s1p2)" 3
}

# switches_rcm on|off: option of all ports
switches_rcm()
{
	printf "qdisc change dev s%sp%s root lossless rcm $1\n" 1 1 1 2 1 3 1 4 1 5 2 1 2 2 \
		3 1 3 2 3 3 | tc -n t-sw -batch -
}

# identified PORT: number of flows that PORT has identified
identified()
{
	sw losslessctl -j congestion show -a "$1" 3 | jq '.[].identified'
}

little_waits() { [ "$(total .backlog)" -lt 15000 ]; }

# RCM is switched off while a burst is isolated, and on for the next one.
# Between bursts, four fifths of the link are used. Counters keep their values.
off()
{
	local i before=0

	microburst_testbed rcm
	steady 800 3000000
	for i in 11 12 13; do
		: >$TRACE/trace
		frames 5 6 -n 100 -f $i &
		check "burst $i is not found" wait_for 1000 is_found $TO_H6
		switches_rcm off
		check "burst $i does not end" wait_for 2000 little_waits
		switches_rcm on
		check "found until burst $i: $(identified $TO_H6)" test "$(identified $TO_H6)" -gt $before
		before=$(identified $TO_H6)
	done
	all_arrives $((4 * 800 + 3 * 100))
}

nothing_isolated() { [ "$(sw losslessctl -j congestion show -a | jq 'map(.in_bytes) | add')" = 0 ]; }
nothing_waits() { [ "$(total .backlog)" = 0 ]; }
paused() { sw losslessctl -j prio show | jq -r 'map(select(.tx_paused or .rx_paused)) | length'; }

# limit PORT WHICH: room_bytes or qeq_bytes
limit() { sw losslessctl -j congestion show -a "$1" 3 | jq ".[0].$2"; }

# The MTU changes while a burst is isolated. A port with an MTU that leaves no
# budget sends no holds.
mtu()
{
	local room

	microburst_testbed rcm
	room=$(limit $FROM_S1 room_bytes)
	equal "Q_eq" "$(limit $FROM_S1 qeq_bytes)" 15000
	steady 400 2440000
	frames 5 6 -n 200 &
	check "the burst is not found" wait_for 1000 is_found $TO_H6
	ip -n t-sw link set $TO_H6 mtu 3000
	equal "Q_eq of 3000" "$(limit $TO_H6 qeq_bytes)" 30000
	ip -n t-sw link set $FROM_S1 mtu 25000
	equal "Q_eq of 25000" "$(limit $FROM_S1 qeq_bytes)" 250000
	equal "room" "$(limit $FROM_S1 room_bytes)" 0
	equal "told" "$(limit $FROM_S1 tells)" 0
	all_arrives $((4 * 400 + 200))
	ip -n t-sw link set $FROM_S1 mtu 9000
	check "room of 9000" test "$(limit $FROM_S1 room_bytes)" -ne "$room"
	check "no room of 9000" test "$(limit $FROM_S1 room_bytes)" -gt 0
	ip -n t-sw link set $FROM_S1 mtu 1500
	equal "room again" "$(limit $FROM_S1 room_bytes)" "$room"
	equal "Q_eq again" "$(limit $FROM_S1 qeq_bytes)" 15000
}

# A port disappears while it isolates packets, and neighbours hold for it.
deleted()
{
	microburst_testbed rcm
	steady 800 3000000
	frames 5 6 -n 100 &
	check "the burst is not found" wait_for 1000 is_found $TO_H6
	tc -n t-sw qdisc del dev $TO_H6 root
	check "somebody waits for it" wait_for 5000 nothing_waits
	equal "pauses" "$(paused)" 0
	check "some is isolated for ever" wait_for 5000 nothing_isolated
}

llet_main
