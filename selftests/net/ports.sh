#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Kinds of devices: as a port each is lossless with more traffic than the buffer
# holds, or it is refused with a hint.
#
#	h1 10M -- p1 +----+
#	             | br0| p3 -- 5M h3
#	h2 10M -- p2 +----+
#
# h1 and h2 send 1.5 MB each; the buffer holds 1 MB. "p1" has the tested device
# above or below it.

ALL_TESTS="veth several_queues vlan_device vlan_device_pcp vlan_aware_bridge tag_is_on_the_link
	routed_by_bridge routed_vlan
	bond_8023ad bond_active_backup bond_rr bond_xor bond_broadcast bond_tlb bond_alb
	pause_concerns_the_member storm_concerns_the_member bond_vlan
	team_roundrobin team_activebackup team_loadbalance
	vxlan geneve gretap macsec tap
	macvlan_of_a_host ipvlan_of_a_host
	tc_redirect bpf_redirect redirect_obeys_pauses redirect_in_storm
	mark_overwritten own_frames_pass_no_filter stp_change
	refused_masters refused_uppers refused_tunnels another_end
	host_stays_out_of_bridge mtu_above_pause bridge_in_bridge"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/links.sh
. "$(dirname "$0")/links.sh"

veth()
{
	testbed
	blast eth0
	lossless p1 p2
	conserved
}

# p1 and p3 have four TX queues, over which the kernel spreads flows. One qdisc
# serves all of them, instead of mq.
several_queues()
{
	local i

	testbed
	for i in 1 3; do
		ip -n sw link del p$i
		ip link add eth0 numtxqueues 4 numrxqueues 4 netns h$i address "$(mac $i)" \
			type veth peer name p$i numtxqueues 4 numrxqueues 4 netns sw
		ip -n h$i link set eth0 up
		ip -n sw link set p$i up master br0
		bridge -n sw fdb replace "$(mac $i)" dev p$i master static
		tc -n sw qdisc replace dev p$i root handle 9: mq
		refused "Only at the root" tc -n sw qdisc add dev p$i parent 9:2 lossless
	done
	qdiscs 10mbit 1 2
	qdiscs 5mbit 3
	receive 3 3000
	for i in 1 2 3 4 5 6 7 8; do
		send 1 3 -n 250 -d 24 -f $i -P $((5000 + i)) &
		send 2 3 -n 250 -d 24 -f $((i + 8)) -P $((6000 + i)) &
	done
	wait
	equal "arrived" "$(received 3 .sum.packets)" 4000
	equal "lost" "$(received 3 .sum.lost)" 0
	equal "reordered" "$(received 3 .sum.reordered)" 0
	lossless p1 p2
}

vlan_device()
{
	testbed
	vlan_devices
	blast eth0.10
	lossless p1 p2
}

# The VLAN device removes the tag, and with it the priority.
vlan_device_pcp()
{
	local LINK="$LINK trust pcp"

	testbed
	vlan_devices egress-qos-map 0:3
	blast eth0.10
	lossless p1 p2
}

vlan_aware_bridge()
{
	local i

	testbed
	ip -n sw link set br0 type bridge vlan_filtering 1
	for i in 1 2 3; do
		host_vlan $i
		bridge -n sw vlan add dev "p$i" vid 10
		bridge -n sw fdb replace "$(mac $i)" dev "p$i" master static vlan 10
	done
	blast eth0.10
	lossless p1 p2
}

# The link carries the tag, which the stack stores beside the data: 64 bytes and
# a tag take as long as 68 bytes.
tag_is_on_the_link()
{
	local plain tagged

	llet_star 2
	qdiscs 1mbit 1 2
	host_vlan 1
	receive 2 1000
	HOST_DEV=eth0.10 send 1 2 -n 400 -d 24 -s 64
	tagged=$(received 2 .sum.ns)
	receive 2 1000
	send 1 2 -n 400 -d 24 -s 68
	plain=$(received 2 .sum.ns)
	between "time of tagged frames in permille" \
		$((tagged * 1000 / plain)) 990 1010
}

# A route from br0, with a MAC that ends like that of h3, to br1.
routed()
{
	local from=$1 to=$2

	ip -n sw link set "$from" address 02:00:00:00:01:03
	ip -n sw addr add 192.0.2.254/24 dev "$from"
	ip -n sw addr add 203.0.113.254/24 dev "$to"
	ip -n sw route add 198.51.100.3/32 dev "$to"
	ip -n sw neigh replace 198.51.100.3 lladdr "$(mac 3)" dev "$to"
	sw sysctl -qw net.ipv4.ip_forward=1
}

routed_by_bridge()
{
	testbed
	ip -n sw link add br1 up type bridge mcast_snooping 0
	ip -n sw link set p3 master br1
	bridge -n sw fdb replace "$(mac 3)" dev p3 master static
	routed br0 br1
	MAC=02:00:00:00:01:%02x blast eth0
	lossless p1 p2
}

# A router with VLAN devices, without a bridge.
routed_vlan()
{
	testbed
	vlan_devices
	ip -n sw link set p1.10 nomaster
	ip -n sw link set p3.10 nomaster
	routed p1.10 p3.10
	MAC=02:00:00:00:01:%02x blast eth0.10 1
	lossless p1
}

# bonded PAUSES COPIES MODE OPTION...: PAUSES is p1, p4, both or any
bonded()
{
	local pauses=$1 copies=$2

	shift 2
	has bond || return 0
	bond "$@"
	blast_flows bond0
	equal "received" "$(received 3 .sum.packets)" $((8 * FLOW * copies))
	case $pauses in
	both) lossless p1 p4 ;;
	any) lossless
		check "no member has paused" \
			test $(($(stat p1 3 tx_pause) + $(stat p4 3 tx_pause))) -gt 0 ;;
	esac
}

bond_8023ad()	{ bonded both 1 802.3ad lacp_rate fast xmit_hash_policy layer3+4; }
bond_active_backup() { bonded any 1 active-backup; }
bond_rr()	{ bonded both 1 balance-rr; }
bond_xor()	{ bonded both 1 balance-xor xmit_hash_policy layer3+4; }
bond_broadcast() { bonded both 2 broadcast; }
bond_tlb()	{ bonded any 1 balance-tlb; }
bond_alb()	{ bonded any 1 balance-alb; }

# A pause of the peer of one member stops that member only.
pause_concerns_the_member()
{
	has bond || return 0
	bond balance-rr
	h 1 lle_traffic pfc eth1 8 0 0 0 65535 0 0 0 0
	wait_for 1000 stat_is p4 3 rx_pause -gt 0
	equal "pauses at p4" "$(stat p4 3 rx_pause)" 1
	equal "p4 is paused" "$(stat p4 3 rx_paused)" 1
	equal "pauses at p1" "$(stat p1 3 rx_pause)" 0
}

# The peer of one member storms. Packets sent on that member are dropped;
# packets on the other one, and received packets, are not.
storm_concerns_the_member()
{
	local passed stuck storm

	has bond || return 0
	bond balance-xor xmit_hash_policy layer3+4
	ctl watchdog start -r 200 p1 p4 100
	ip netns exec h1 lle-storm -p 3 -r 2000 -q 1000 eth1 >/dev/null &
	storm=$!
	defer stop_job $storm
	check "p4 is not paused" wait_for 1000 stat_is p4 3 rx_paused = 1
	HOST_DEV=bond0 receive 1 2000
	flows_to_bond
	check "no storm at p4" wait_for 2000 status_is p4 stormed
	stuck=$(stat p4 3 drops.storm_discard)
	passed=$(stat p1 3 tx_packets)
	check "p1 sends nothing" test "$passed" -gt 0
	check "p4 drops nothing" test "$stuck" -gt 0
	equal "passed by p1 and dropped at p4" $((passed + stuck)) 160
	equal "received" "$(received 1 .sum.packets)" "$passed"
	flows_to_bond
	equal "dropped at p4 by now" "$(stat p4 3 drops.storm_discard)" $((2 * stuck))
	equal "sent by p1 by now" "$(stat p1 3 tx_packets)" $((2 * passed))
	equal "dropped at p1" "$(sw_drops p1)" 0
	check "p1 has a storm" status_is p1 operational
	stop_job $storm
	check "the storm lasts" wait_for 2000 status_is p4 operational
	HOST_DEV=bond0 receive 1 1000
	flows_to_bond
	equal "received after it" "$(received 1 .sum.packets)" 160
}


# status_is PORT STATUS: of the storm watchdog of priority 3
status_is()
{
	[ "$(ctl -j watchdog show stats -e |
		jq -r ".[] | select(.ifname == \"$1\" and .prio == 3).status")" = "$2" ]
}

sw_drops() { tc -n sw -s -j qdisc show dev "$1" root | lle_json '.[0].prios[].drops[]'; }

# Eight flows of h3, 160 packets, so that each member has some; waits until they
# are in the switch.
flows_to_bond()
{
	local i

	for ((i = 1; i <= 8; i++)); do
		send 3 1 -n 20 -d 24 -f $i -P $((100 + i))
	done
	sleep 0.5
}

# The VLAN device of the bond is in the bridge.
bond_vlan()
{
	has bond || return 0
	bond balance-rr
	ip -n sw link set bond0 nomaster
	ip -n sw link add link bond0 name bond0.10 type vlan id 10
	ip -n sw link set bond0.10 master br0 up
	ip -n h1 link add link bond0 name bond0.10 type vlan id 10
	ip -n h1 link set bond0.10 up
	blast_flows bond0.10
	equal "received" "$(received 3 .sum.packets)" $((8 * FLOW))
	lossless p1 p4
}

# team MODE
team()
{
	local ns

	type -P teamnl >/dev/null || { llet_skip "no teamnl"; return; }
	has team || return 0
	two_links
	for ns in sw h1; do
		ip -n $ns link add team0 type team
		ip netns exec $ns teamnl team0 setoption mode "$1"
	done
	ip -n h1 link set team0 address "$(mac 1)"
	members team0
	if [ "$1" = activebackup ]; then
		sw teamnl team0 setoption activeport \
			"$(sw cat /sys/class/net/p1/ifindex)"
		h 1 teamnl team0 setoption activeport \
			"$(h 1 cat /sys/class/net/eth0/ifindex)"
	fi
	check "the team is not up" wait_for 10000 bundle_is_up team0
	blast_flows team0
	equal "received" "$(received 3 .sum.packets)" $((8 * FLOW))
	lossless
	check "no member has paused" \
		test $(($(stat p1 3 tx_pause) + $(stat p4 3 tx_pause))) -gt 0
}

team_roundrobin()	{ team roundrobin; }
team_activebackup()	{ team activebackup; }
team_loadbalance()	{ team loadbalance; }

# The third host is at another switch, behind a tunnel.
#
#	h1, h2 -- sw -- t0 == u0 --- u1 == t0 -- sw2 -- q3 -- h3
tunnel_testbed()
{
	llet_star 2
	qdiscs 10mbit 1 2
	llet_netns sw2
	llet_netns h3
	ip link add u0 netns sw type veth peer name u1 netns sw2
	ip link add q3 netns sw2 type veth peer name eth0 netns h3
	ip -n sw addr add 203.0.113.1/24 dev u0
	ip -n sw2 addr add 203.0.113.2/24 dev u1
	ip -n sw link set u0 up
	ip -n sw2 link set u1 up
	ip -n h3 link set eth0 address "$(mac 3)"
	ip -n h3 link set eth0 up
	ip -n sw2 link add br0 up type bridge mcast_snooping 0
	ip -n sw2 link set q3 master br0 up
}

# Both ends of the tunnel exist: adds qdiscs and traffic.
tunnelled()
{
	local ns

	for ns in sw sw2; do
		ip -n $ns link set t0 master br0 up
		tc -n $ns qdisc add dev t0 root handle 1: lossless rate 10mbit $LINK buffer 1m fabric
	done
	tc -n sw2 qdisc add dev q3 root handle 1: lossless rate 5mbit $LINK buffer 1m
	bridge -n sw fdb replace "$(mac 3)" dev t0 master static
	bridge -n sw2 fdb replace "$(mac 3)" dev q3 master static
	blast eth0
	lossless_tunnel
}

lossless_tunnel()
{
	no_drops
	check "t0 of sw was not paused" stat_is t0 3 rx_pause -gt 0
	check "p1 has not paused its peer" stat_is p1 3 tx_pause -gt 0
	equal "drops in sw2" "$(tc -n sw2 -s -j qdisc show | lle_json '.[].prios[].drops[]')" 0
}

# tunnel KIND OPTION...: adds remote to the options
tunnel()
{
	local kind=$1

	shift
	tunnel_testbed
	ip -n sw link add t0 type "$kind" "$@" remote 203.0.113.2
	ip -n sw2 link add t0 type "$kind" "$@" remote 203.0.113.1
	tunnelled
}

vxlan()
{
	has vxlan id 1 dstport 4789 || return 0
	tunnel vxlan id 1 dstport 4789
}

geneve()
{
	has geneve id 1 remote 203.0.113.9 || return 0
	tunnel geneve id 1
}

gretap()
{
	has gretap remote 203.0.113.9 || return 0
	tunnel gretap
}

macsec()
{
	local key=01234567890123456789012345678901 ns dev peer

	has_macsec || return 0
	tunnel_testbed
	for ns in sw:u0:sw2:u1 sw2:u1:sw:u0; do
		IFS=: read -r ns dev peer peerdev <<<"$ns"
		ip -n "$ns" link add link "$dev" name t0 type macsec encrypt on
		ip -n "$ns" macsec add t0 tx sa 0 pn 1 on key 01 $key
		ip -n "$ns" macsec add t0 rx port 1 address \
			"$(ip netns exec "$peer" cat "/sys/class/net/$peerdev/address")"
		ip -n "$ns" macsec add t0 rx port 1 address \
			"$(ip netns exec "$peer" cat "/sys/class/net/$peerdev/address")" \
			sa 0 pn 1 on key 01 $key
	done
	tunnelled
}

has_macsec()
{
	ip link add llet_probe type dummy
	ip link add link llet_probe name llet_macsec type macsec 2>/dev/null ||
		llet_skip "this kernel has no macsec"
	ip link del llet_probe
	[ -z "$llet_why" ]
}

# A program is the link between h1 and p1.
tap()
{
	modprobe tun
	llet_star 3
	ip -n sw link del p1
	ip -n sw tuntap add p1 mode tap
	ip -n h1 tuntap add eth0 mode tap
	ip -n h1 link set eth0 address "$(mac 1)"
	ip -n sw link set p1 master br0 up
	ip -n h1 link set eth0 up
	lle_tap sw p1 h1 eth0 &
	defer kill $!
	check "no carrier" wait_for 2000 sw grep -q 1 /sys/class/net/p1/carrier
	qdiscs 10mbit 1
	qdiscs 5mbit 3
	blast eth0 1
	lossless p1
}

# upper_of_host KIND OPTION...: packets of the upper device obey pauses of eth0
upper_of_host()
{
	ip -n h1 link add link eth0 name up0 type "$@"
	ip -n h1 link set up0 up
	qdiscs 10mbit 1
	qdiscs 5mbit 3
	receive 3 2000
	HOST_DEV=up0 send 1 3 -n $N -d 24
	equal "received" "$(received 3 .sum.packets)" $N
	lossless p1
	check "h1 was not paused" test "$(host_stat 1 3 rx_pause)" -gt 0
}

macvlan_of_a_host()
{
	llet_star 3
	upper_of_host macvlan mode bridge
}

ipvlan_of_a_host()
{
	has_upper ipvlan || return 0
	llet_star 3
	upper_of_host ipvlan mode l2
}

has_upper()
{
	ip link add llet_probe type dummy
	ip link add link llet_probe name llet_upper type "$@" 2>/dev/null ||
		llet_skip "this kernel has no $1"
	ip link del llet_probe
	[ -z "$llet_why" ]
}

# --- past the receive hook ---

tc_redirect()
{
	testbed
	redirect 1 3
	redirect 2 3
	blast eth0
	lossless p1 p2
	past_the_hook
}

# Each packet counts once at its ingress port, and as one past the hook.
past_the_hook()
{
	equal "packets past the hook" "$(port_stat p1 rx_bypass)" $N
	equal "packets by p1" "$(stat p1 3 rx_packets)" $N
	conserved
}

has_bpf()
{
	grep -q ' /sys/fs/bpf ' /proc/mounts || mount -t bpf bpf /sys/fs/bpf 2>/dev/null || {
		llet_skip "this kernel has no BPF"
		return 1
	}
}

# bpf_filter DEV FILTER...: on p1 and p2, redirects to DEV
bpf_filter()
{
	local i to=$1

	shift
	rm -f /sys/fs/bpf/llet_redirect
	lle_redirect /sys/fs/bpf/llet_redirect "$(sw cat "/sys/class/net/$to/ifindex")" ||
		llet_fail "no program"
	defer rm -f /sys/fs/bpf/llet_redirect
	for i in 1 2; do
		tc -n sw qdisc add dev p$i clsact
		# "tc -n" would mount another /sys
		nsenter --net=/run/netns/sw tc filter add dev p$i "$@" \
			bpf da object-pinned /sys/fs/bpf/llet_redirect
	done
}

bpf_redirect()
{
	has_bpf || return 0
	testbed
	bpf_filter p3 ingress
	blast eth0
	lossless p1 p2
	past_the_hook
}

# A redirected pause frame is obeyed by its ingress port, and not forwarded.
redirect_obeys_pauses()
{
	testbed
	redirect 1 3
	receive 3 1000
	pfc 1 8 0 0 0 65535 0 0 0 0
	wait_for 1000 stat_is p1 3 rx_pause -gt 0
	equal "pauses at p1" "$(stat p1 3 rx_pause)" 1
	equal "pauses passed on to h3" "$(host_stat 3 3 rx_pause)" 0
}

# Redirected packets that a storm drops count as received, too.
redirect_in_storm()
{
	testbed
	redirect 1 3
	ctl watchdog start -r 200 p1 100
	receive 3 500
	send 1 3 -n 10 -d 24
	equal "received" "$(received 3 .sum.packets)" 10
	ip netns exec h1 lle-storm -p 3 -r 2000 eth0 >/dev/null &
	defer stop_job $!
	check "p1 is not paused" wait_for 1000 stat_is p1 3 rx_paused = 1
	send 3 1 -n 20 -d 24
	check "no storm at p1" wait_for 2000 status_is p1 stormed
	receive 3 500
	send 1 3 -n 30 -d 24
	equal "received in the storm" "$(received 3 .sum.packets)" 0
	equal "dropped at p1" "$(stat p1 3 drops.storm_rx_discard)" 30
	equal "packets by p1" "$(stat p1 3 rx_packets)" 40
	conserved
}

# The packet is classified again, and does not count as redirected.
mark_overwritten()
{
	testbed
	overwrite p3
	blast eth0
	lossless p1 p2
	equal "packets past the hook" "$(port_stat p1 rx_bypass)" 0
	conserved
}

# Frames that a port makes do not pass filters at egress.
own_frames_pass_no_filter()
{
	testbed
	tc -n sw qdisc add dev p1 clsact
	tc -n sw filter add dev p1 egress protocol 0x8808 matchall action drop
	port 1 rate 1mbit $LINK buffer 1m
	send 3 1 -n 500 -d 0 &
	blast eth0
	wait $!
	check "p1 has not paused" test "$(stat p1 3 tx_pause)" -gt 0
	equal "frames at the filter" "$(tc -n sw -s -j filter show dev p1 egress |
		lle_json '.[1].options.actions[0].stats.packets')" 0
}

# Ports that the bridge blocks drop received packets, which are not charged.
stp_change()
{
	testbed
	receive 3 40000
	send 1 3 -n $N -d 24 &
	ip -n sw link set br0 type bridge forward_delay 200 stp_state 1
	ip -n sw link set p2 nomaster
	ip -n sw link set p2 master br0
	wait $!
	ip -n sw link set br0 type bridge stp_state 0
	check "bytes are left" wait_for 10000 shared_is_free
	no_drops
	nothing_paused
}

shared_is_free() { [ "$(port_stat p3 shared_used)" = 0 ]; }

nothing_paused()
{
	equal "pauses left" "$(sum .tx_paused)" 0
	equal "occupancy left" "$(sum .occupancy)" 0
}

# --- refused ---

attach() { tc qdisc add dev "$1" root lossless; }

refused_masters()
{
	local kind

	ip link add llet_d type bridge
	defer ip link del llet_d
	refused "attach to its ports" attach llet_d
	for kind in bond team; do
		ip link add llet_$kind type $kind 2>/dev/null || continue
		refused "attach to each of its members" attach llet_$kind
		ip link del llet_$kind
	done
	if ip link add llet_vrf type vrf table 10 2>/dev/null; then
		refused "attach to the device below it" attach llet_vrf
		ip link del llet_vrf
	fi
}

refused_uppers()
{
	local kind

	ip link add llet_d type dummy
	defer ip link del llet_d
	ip link add link llet_d name llet_v type vlan id 10
	refused "attach to the device below it" attach llet_v
	for kind in macvlan macvtap ipvlan; do
		ip link add link llet_d name llet_u type $kind 2>/dev/null || continue
		refused "attach to the device below it" attach llet_u
		ip link del llet_u
	done
}

# tunnel_of KIND OPTION...: makes llet_t, or fails without the kind
tunnel_of()
{
	ip link del llet_t 2>/dev/null
	ip link add llet_t type "$@" 2>/dev/null
}

# A pause would go to all ends of these.
refused_tunnels()
{
	local options

	defer ip link del llet_t
	while read -ra options; do
		tunnel_of "${options[@]}" || continue
		refused "several ends" attach llet_t
	done <<-END
		vxlan external dstport 4789
		vxlan id 1 dstport 4789 group 239.1.1.1 dev lo
		geneve external
		gretap external
		gretap remote 239.1.1.1
		ip6gretap external
	END
	tunnel_of vxlan id 1 dstport 4789 remote 203.0.113.9 || return 0
	bridge fdb append 00:00:00:00:00:00 dev llet_t dst 203.0.113.10
	refused "several ends" attach llet_t
	bridge fdb del 00:00:00:00:00:00 dev llet_t dst 203.0.113.10
	check "one end is refused" attach llet_t
}

another_end()
{
	has vxlan id 1 dstport 4789 || return 0
	defer ip link del llet_t
	tunnel_of vxlan id 1 dstport 4789 remote 203.0.113.9
	attach llet_t
	dmesg -C
	bridge fdb append 02:00:00:00:00:09 dev llet_t dst 203.0.113.10
	equal "of one station" "$(dmesg | grep -c destination)" 0
	bridge fdb append 00:00:00:00:00:00 dev llet_t dst 203.0.113.10
	equal "told" "$(dmesg | grep -c 'llet_t: another default destination')" 1
}

host_stays_out_of_bridge()
{
	ip link add llet_b type bridge
	defer ip link del llet_b
	ip link add llet_d type dummy
	defer ip link del llet_d
	tc qdisc add dev llet_d root lossless role host
	refused "role host" ip link set llet_d master llet_b
	tc qdisc change dev llet_d root lossless role switch
	check "as a switch" ip link set llet_d master llet_b
}

mtu_above_pause()
{
	ip link add llet_d type dummy
	defer ip link del llet_d
	tc qdisc add dev llet_d root lossless split-gso prio-pfc 3:on pause-quanta 100
	dmesg -C
	ip link set llet_d mtu 1400
	equal "fits" "$(dmesg | grep -c 'pause-quanta')" 0
	ip link set llet_d mtu 9000
	equal "told" "$(dmesg | grep -c 'llet_d: pause-quanta: too short')" 1
}

# The kernel does not support it.
bridge_in_bridge()
{
	ip link add llet_a type bridge
	defer ip link del llet_a
	ip link add llet_b type bridge
	defer ip link del llet_b
	check "a bridge is a port of a bridge" \
		test -z "$(ip link set llet_b master llet_a 2>/dev/null && echo yes)"
}

llet_main
