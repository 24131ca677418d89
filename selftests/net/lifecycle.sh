#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Whatever happens to a port under traffic, no neighbour stays paused, and no
# byte of the accounting is lost.
#
# p3 is paused by hand, so packets of h1 wait there and p1 pauses h1. Then an
# event hits p3, which has the packets, or p1, which sent the pause.

ALL_TESTS="egress_down egress_reset_by_delete egress_replace egress_change
	ingress_delete ingress_delete_prio7 ingress_replace ingress_down ingress_netns_move
	egress_netns_move egress_unregister pfc_switched_off
	netns_goes module_is_pinned second_module_load change_under_traffic
	replace_under_traffic carrier_flap wire_is_purged
	switch_stays replace_with_own_packets ingress_replace_refreshes
	device_with_a_lock listens_to_pauses replace_is_reported
	defaults_without_options defaults_of_the_page size_table"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

LONG=65535
PORT=(rate 1mbit prio-pfc 3:on xoff 15000b headroom 40k)

# 15 kB wait at p3: the last frame made p1 pause h1, which has no more
paused_testbed()
{
	llet_star 3
	llet_ports 3 "${PORT[@]}"
	host 1 rate "${PORT[1]}" prio-pfc 3:on
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 15 -d 24
	check "testbed: p1 does not pause" wait_for 2000 stat_is p1 3 tx_paused = 1
	check "testbed: h1 is not paused" host_paused 1
	waiting=15000
	equal "testbed: waiting" "$(stat p3 3 backlog)" $waiting
}

host_paused() { [ "$(host_stat 1 3 rx_paused)" = "$1" ]; }

# 65535 quanta at 1 Mbit/s are 34 s, and p1 refreshes after 17: a frame within 1
# s is neither expiry nor refresh
h1_resumed()
{
	check "h1 stays paused" wait_for 1000 host_paused 0
	check "h1 was not told to resume" test "$(host_stat 1 3 rx_resume)" -ge 1
}

# The accounting of p1 is empty when p3 has sent its packets
p1_empty()
{
	wait_for 500 stat_is p1 3 occupancy = 0
	equal "occupancy of p1" "$(stat p1 3 occupancy)" 0
	equal "headroom of p1" "$(stat p1 3 headroom)" 0
	equal "shared buffer" "$(port_stat p1 shared_used)" 0
}

# Packets reach h3 from h1 after all that
works_again()
{
	receive 3 1000
	send 1 3 -n 50 -d 24 -f 9
	equal "received afterwards" "$(received 3 '."9".packets')" 50
}

egress_down()
{
	paused_testbed
	equal "backlog of tc -s" "$(port_stat p3 backlog)" "$waiting"
	ip -n sw link set p3 down
	h1_resumed
	p1_empty
	equal "purged" "$(stat p3 3 drop_bytes)" "$waiting"
	ip -n sw link set p3 up
	conserved
	works_again
	equal "backlog of tc -s afterwards" "$(port_stat p3 backlog)" 0
}

egress_reset_by_delete()
{
	paused_testbed
	tc -n sw qdisc del dev p3 root
	h1_resumed
	p1_empty
	works_again
}

egress_replace()
{
	paused_testbed
	sw losslessctl monitor pause >/tmp/pauses &
	defer kill $!
	check "nobody listens" wait_for 2000 listeners sw
	# another handle: the new qdisc exists before the old one is destroyed
	tc -n sw qdisc replace dev p3 root handle 77: lossless "${PORT[@]}"
	h1_resumed
	p1_empty
	equal "purged" "$(stat p3 3 drop_bytes)" "$waiting"
	equal "p3 is still paused" "$(stat p3 3 rx_paused)" 1
	conserved
	send 1 3 -n 15 -d 24
	check "h1 is not paused again" wait_for 1000 host_paused 1
	equal "events" "$(sed -n 's/.* p1 tx //p' /tmp/pauses | xargs)" "resumed 3 paused 3"
}

# A change keeps the packets and the pause.
egress_change()
{
	paused_testbed
	tc -n sw qdisc change dev p3 root lossless rate 20mbit
	equal "backlog" "$(stat p3 3 backlog)" "$waiting"
	check "p1 does not pause any more" stat_is p1 3 tx_paused = 1
	receive 3 1000
	pfc 3 0x08
	equal "received" "$(received 3 .sum.packets)" 15
	h1_resumed
	p1_empty
	conserved
}

ingress_delete()
{
	paused_testbed
	tc -n sw qdisc del dev p1 root
	h1_resumed
	equal "packets still wait" "$(stat p3 3 backlog)" "$waiting"
	# they were charged to a port that was removed
	receive 3 1000
	pfc 3 0x08
	equal "received" "$(received 3 .sum.packets)" 15
	equal "shared buffer" "$(port_stat p3 shared_used)" 0
	works_again
}

# The port lives until its last packet has left, of any priority, so another port
# does not get its memory.
ingress_delete_prio7()
{
	local PORT=(rate 1mbit prio-pfc 7:on xoff 15000b headroom 40k)

	llet_star 3
	llet_ports 3 "${PORT[@]}"
	pfc 3 0x80 0 0 0 0 0 0 0 $LONG
	send 1 3 -n 15 -d 56
	equal "waiting" "$(stat p3 7 backlog)" 15000
	tc -n sw qdisc del dev p1 root
	# ports are freed after a grace period
	sleep 0.2
	port 1 "${PORT[@]}"
	pfc 3 0x80
	check "queue does not drain" wait_for 1000 stat_is p3 7 backlog = 0
	equal "occupancy of the new p1" "$(stat p1 7 occupancy)" 0
	equal "shared buffer" "$(port_stat p3 shared_used)" 0
}

ingress_replace()
{
	paused_testbed
	tc -n sw qdisc replace dev p1 root handle 77: lossless "${PORT[@]}"
	equal "p1 still pauses" "$(stat p1 3 tx_paused)" 1
	pfc 3 0x08
	h1_resumed
	p1_empty
	works_again
}

ingress_down()
{
	paused_testbed
	ip -n sw link set p1 down
	# h1 is notified that its carrier is off within a second (net/core/link_watch.c)
	check "h1 stays paused" wait_for 2000 host_paused 0
	ip -n sw link set p1 up
	# p3 still has the packets: h1 must be paused again
	check "p1 does not pause" wait_for 1000 stat_is p1 3 tx_paused = 1
	check "h1 was not told again" wait_for 1000 host_paused 1
	pfc 3 0x08
	h1_resumed
	p1_empty
}

ingress_netns_move()
{
	paused_testbed
	llet_netns other
	ip -n sw link set p1 netns other
	check "h1 stays paused" wait_for 1000 host_paused 0
	equal "directories left in sysfs" \
		"$(ip netns exec other sh -c 'ls -d /sys/class/net/p1/lossless 2>/dev/null')" ""
	pfc 3 0x08
	check "queue does not drain" wait_for 1000 stat_is p3 3 backlog = 0
	equal "shared buffer" "$(port_stat p3 shared_used)" 0
}

egress_netns_move()
{
	paused_testbed
	llet_netns other
	ip -n sw link set p3 netns other
	h1_resumed
	p1_empty
}

egress_unregister()
{
	paused_testbed
	ip -n sw link del p3
	h1_resumed
	p1_empty
}

pfc_switched_off()
{
	paused_testbed
	tc -n sw qdisc change dev p1 root lossless prio-pfc all:off
	h1_resumed
	tc -n sw qdisc change dev p3 root lossless prio-pfc all:off
	equal "p3 still obeys" "$(stat p3 3 rx_paused)" 0
	check "queue does not drain" wait_for 1000 stat_is p3 3 backlog = 0
	p1_empty
	conserved
}

netns_goes()
{
	paused_testbed
	ip netns del sw
	# its end of the link disappears with the namespace
	check "h1 still has eth0" wait_for 5000 no_link h1 eth0
	ip netns add sw
}

no_link() { ! ip -n "$1" link show "$2" >/dev/null 2>&1; }

module_is_pinned()
{
	is_module sch_lossless || { llet_skip "it is part of the kernel"; return; }
	paused_testbed
	refused "in use" rmmod sch_lossless
	refused "in use" rmmod lossless
}

second_module_load()
{
	is_module sch_lossless || { llet_skip "it is part of the kernel"; return; }
	# namespaces of the last test may still exist for a while
	check "rmmod sch_lossless" wait_for 5000 rmmod sch_lossless 2>/dev/null
	check "rmmod lossless" rmmod lossless
	check "load lossless" llet_load lossless
	check "load sch_lossless" llet_load sch_lossless
	paused_testbed
	pfc 3 0x08
	h1_resumed
}

# A change loses no packet. In real time h1 may react late, when its CPU is
# busy: headroom is enough for all its packets.
change_under_traffic()
{
	local PORT=(rate 10mbit prio-pfc 3:on xoff 15000b buffer 8m headroom 2m)
	local i pid

	llet_star 3
	llet_ports 3 "${PORT[@]}"
	host 1 rate 20mbit prio-pfc 3:on
	receive 3 2000
	send 1 3 -n 2000 -d 24 &
	pid=$!
	for ((i = 0; i < 20; i++)); do
		tc -n sw qdisc change dev p$((i % 2 * 2 + 1)) root lossless \
			rate $((10 + i % 3))mbit xoff $((15 + i % 5))k
	done
	wait $pid
	equal "received" "$(received 3 .sum.packets)" 2000
	no_drops
	conserved
	p1_empty
	equal "h1 paused" "$(host_stat 1 3 rx_paused)" 0
}

# While a qdisc is replaced the device has none: noop_qdisc drops packets that
# arrive then, which LLE never sees. All others are accounted for.
replace_under_traffic()
{
	local opts=(rate 1mbit prio-pfc 3:on xoff 15000b headroom 40k)
	local i pid got purged fewest=900

	# the time without a qdisc depends on the machine
	! real_time || fewest=1
	llet_star 3
	llet_ports 3 "${opts[@]}"
	host 1 rate 2mbit prio-pfc 3:on
	receive 3 2000
	send 1 3 -n 1000 -d 24 &
	pid=$!
	for ((i = 0; i < 20; i++)); do
		tc -n sw qdisc replace dev p$((i % 2 * 2 + 1)) root \
			handle $((i + 10)): lossless "${opts[@]}"
		sleep 0.1
	done
	wait $pid
	check "queue does not drain" wait_for 20000 stat_is p3 3 backlog = 0
	got=$(received 3 .sum.packets)
	purged=$(sum .drops.purge_discard)
	between "received + purged" $((got + purged)) $fewest 1000
	equal "packets out of p3" "$(stat p3 3 tx_packets)" "$got"
	equal "other drops" "$(sum .drops[])" "$purged"
	p1_empty
	check "h1 stays paused" wait_for 1000 host_paused 0
}

carrier_flap()
{
	local i

	paused_testbed
	for ((i = 0; i < 5; i++)); do
		ip -n h1 link set eth0 down
		ip -n h1 link set eth0 up
	done
	pfc 3 0x08
	check "h1 stays paused" wait_for 1000 host_paused 0
	p1_empty
	works_again
}

# Frames on the wire are lost when the port goes down, and accounted for.
wire_is_purged()
{
	llet_star 2
	llet_ports 2 rate 10mbit delay 1s
	send 1 2 -B -n 20
	ip -n sw link set p2 down
	real_time || equal "purged" "$(stat p2 0 drop_bytes)" 20000
	equal "bytes on the wire" "$(port_stat p2 wire_bytes)" 0
	conserved
	ip -n sw link set p2 up
}

switch_stays()
{
	llet_star 1
	port 1 switch 5
	refused "another one" tc -n sw qdisc change dev p1 root lossless switch 6
	refused "another one" tc -n sw qdisc replace dev p1 root handle 77: \
		lossless switch 6
	equal "switch" "$(option p1 switch)" 5
}

# Packets of h1 wait at p1 itself, their ingress port. When its qdisc is
# replaced, they are purged while p1 has no qdisc to resume h1.
replace_with_own_packets()
{
	llet_star 1
	llet_ports 1 "${PORT[@]}"
	host 1 rate "${PORT[1]}" prio-pfc 3:on
	bridge -n sw link set dev p1 hairpin on
	bridge -n sw fdb replace "$(mac 9)" dev p1 master static
	pfc 1 0x08 0 0 0 $LONG
	send 1 9 -n 15 -d 24
	check "h1 is not paused" wait_for 2000 host_paused 1
	equal "waiting" "$(stat p1 3 backlog)" 15000
	tc -n sw qdisc replace dev p1 root handle 77: lossless "${PORT[@]}"
	h1_resumed
	p1_empty
}

# p1 refreshes the pause: 65535 quanta at 10 Mbit/s are 3.4 s.
ingress_replace_refreshes()
{
	local PORT=(rate 10mbit prio-pfc 3:on xoff 15000b headroom 40k)

	if real_time; then
		llet_skip "a refresh may be late in real time"
		return
	fi
	paused_testbed
	tc -n sw qdisc replace dev p1 root handle 77: lossless "${PORT[@]}"
	# p3 stays paused in the meantime
	sleep 2
	pfc 3 0x08 0 0 0 $LONG
	sleep 2
	equal "p1 still pauses" "$(stat p1 3 tx_paused)" 1
	equal "h1 is paused" "$(host_stat 1 3 rx_paused)" 1
}

# The stack may hold the lock of a device when it calls LLE. dummy has such a
# lock since Linux 6.15.
device_with_a_lock()
{
	llet_netns sw
	ip -n sw link add d0 type dummy
	check "attach" tc -n sw qdisc add dev d0 root lossless prio-pfc 3:on
	ip -n sw link set d0 up
	check "change" tc -n sw qdisc change dev d0 root lossless prio-pfc 4:on
	ip -n sw link set d0 mtu 9000
	ip -n sw link set d0 carrier off
	ip -n sw link set d0 carrier on
	equal "xon-delta" "$(option d0 xon_delta_now)" $((2 * 9018))
	check "replace" tc -n sw qdisc replace dev d0 root handle 77: lossless
	check "delete" tc -n sw qdisc del dev d0 root
}

PAUSE_MAC=01:80:c2:00:00:01

# listens NETNS: does its d0 pass frames with the address of pauses up?
listens() { ip -n "$1" maddr show dev d0 | grep -q "link *$PAUSE_MAC"; }
deaf() { ! listens "$1"; }

# A NIC, unlike veth, filters addresses. A port adds the address of pauses once;
# another user of the address keeps it.
listens_to_pauses()
{
	local opts=(handle 1: lossless prio-pfc 3:on)

	llet_netns sw
	llet_netns other
	ip -n sw link add d0 type dummy
	check "listens without a qdisc" deaf sw
	tc -n sw qdisc add dev d0 root "${opts[@]}"
	check "does not listen" listens sw
	tc -n sw qdisc change dev d0 root lossless prio-pfc 4:on
	tc -n sw qdisc replace dev d0 root handle 77: lossless
	refused "another one" tc -n sw qdisc replace dev d0 root handle 78: \
		lossless switch 6
	check "does not listen after replace" listens sw
	ip -n sw link set d0 up
	ip -n sw link set d0 down
	check "does not listen after down" listens sw
	refused "" ip -n sw maddr del $PAUSE_MAC dev d0
	check "a user has taken the address away" listens sw
	tc -n sw qdisc del dev d0 root
	check "listens after the qdisc" deaf sw

	refused "leave nothing to share" tc -n sw qdisc add dev d0 root "${opts[@]}" \
		headroom 100m
	check "listens after a refusal" deaf sw

	ip -n sw maddr add $PAUSE_MAC dev d0
	tc -n sw qdisc add dev d0 root "${opts[@]}"
	tc -n sw qdisc del dev d0 root
	check "another user does not listen any more" listens sw
	ip -n sw maddr del $PAUSE_MAC dev d0
	check "listens after all users" deaf sw

	tc -n sw qdisc add dev d0 root "${opts[@]}"
	ip -n sw link set d0 netns other
	check "listens in another namespace" deaf other
}

# Listeners (RTNLGRP_TC) receive the options of the new qdisc, not of the old
# one.
replace_is_reported()
{
	local heard=/tmp/heard

	llet_star 1
	port 1 "${PORT[@]}"
	ip netns exec sw timeout 3 tc monitor >$heard &
	sleep 0.5
	tc -n sw qdisc replace dev p1 root handle 77: lossless rate 20mbit
	wait $!
	check "told: $(<$heard)" grep -q 'qdisc lossless 77: .*rate 20Mbit' $heard
}

# As the kernel makes it, with no options at all: also those are in force that
# follow from others, such as whole GSO packets.
defaults_without_options()
{
	local dev

	modprobe tun 2>/dev/null || :
	llet_netns sw
	sysctl -qw net.core.default_qdisc=lossless
	defer sysctl -qw net.core.default_qdisc=pfifo_fast
	for dev in p1 p2; do
		ip -n sw tuntap add dev $dev mode tap 2>/dev/null ||
			{ llet_skip "no tap"; return; }
		ip -n sw link set $dev up
	done
	tc -n sw qdisc replace dev p2 root lossless
	equal "options" "$(options_of p1)" "$(options_of p2)"
}

options_of() { tc -n sw -j qdisc show dev "$1" root | jq -c '.[0].options'; }

# The words of tc-lossless(8) that follow "default" set what is set without them.
defaults_of_the_page()
{
	local words

	[ -e "$PAGE" ] || { llet_skip "no page"; return; }
	llet_netns sw
	ip -n sw link add p1 up type dummy
	ip -n sw link add p2 up type dummy
	words=$(python3 -c "$DEFAULTS" <"$PAGE")
	check "few defaults: $words" test "$(wc -w <<<"$words")" -ge 45
	tc -n sw qdisc add dev p1 root lossless
	# shellcheck disable=SC2086 # a list of words
	check "refused" tc -n sw qdisc add dev p2 root lossless $words
	equal "options" "$(options_of p1)" "$(options_of p2)"
}

# Refused, or, where the kernel does not let it, said in the log.
size_table()
{
	local said

	llet_netns sw
	ip -n sw link add p1 up type dummy
	said=$(tc -n sw qdisc add dev p1 root stab overhead 20 lossless 2>&1) ||
		[[ $said == *"stab: has no effect"* ]] || llet_fail "refused with $said"
	tc -n sw qdisc replace dev p1 root lossless
	dmesg -C
	tc -n sw qdisc change dev p1 root stab overhead 20 lossless
	tc -n sw qdisc show >/dev/null
	equal "told" "$(dmesg | grep -c 'p1: stab: has no effect')" 1
	tc -n sw qdisc change dev p1 root lossless
	equal "no table" "$(tc -n sw -s qdisc show dev p1 | grep -c stab)" 0
}

PAGE=/usr/share/man/man8/tc-lossless.8
DEFAULTS='
import re, sys
# parts of others, or prose
SKIP = ("bands", "strict", "priomap", "dscp-prio", "rx-rate", "wred")
# words without a value
ALONE = ("unlimited", "nolimit", "auto-gso", "dynamic", "edge")
text = re.sub(r"\\f[BIP]", "", sys.stdin.read()).replace("\\-", "-")
text = text.partition(".SH OPTIONS")[2].partition(".SH STATISTICS")[0]
for part in text.split(".TP\n.B ")[1:]:
    name, _, text = part.partition("\n")
    name = re.split(", | ", name)[0]
    value = re.search(r"[Dd]efault:? ([a-z0-9/%-]*[a-z0-9%])", text.replace("\n", " "))
    if not value or name in SKIP:
        continue
    print("" if value[1] in ALONE else name, ("all:" if name == "prio-pfc" else "") + value[1])'

llet_main
