#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dcb(8) and lldpad at ports of veth, which itself does not support DCB.
#
# dcb of iproute2 6.1 ignores the kernel's answer when it sets PFC, ETS or
# buffers. So a refusal is tested as a command that changes nothing.

ALL_TESTS="pfc_is_what_tc_says pfc_counts_frames pfc_set pfc_set_works
	pfc_set_refused buffer_show buffer_is_not_set dcbx dcbx_static
	ets_is_what_tc_says ets_set ets_set_works ets_keeps_quanta ets_refused
	changes_are_reported changes_have_an_author
	replace_keeps_it delete_ends_it netns_move_ends_it modules_can_go
	userns_cannot_set app_dscp app_follows_tc app_ethertype app_refused
	device_with_a_lock
	lldpad_pfc lldpad_ets lldpad_static"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

LONG=65535

# swdcb OBJECT COMMAND ...: dcb in the switch; dcb_json OBJECT EXPRESSION: of p1
swdcb() { dcb -n sw "$@"; }
dcb_json() { dcb -n sw -s -j "$1" show dev p1 | jq -c "$2"; }

# All settings of p1 in dcb and tc, without counters
all_settings()
{
	local what

	for what in pfc ets buffer dcbx app; do
		swdcb -j $what show dev p1 || return
	done
	tc -n sw -j qdisc show dev p1 root
}

# unchanged COMMAND...: COMMAND does not change p1
unchanged()
{
	local before

	before=$(all_settings)
	"$@" >/dev/null 2>&1
	equal "after $*" "$(all_settings)" "$before"
}

# lossless_prios: from dcb; pfc_of DEV: from tc
lossless_prios() { dcb_json pfc '[.prio_pfc | to_entries[] | select(.value).key]'; }
pfc_of() { option "$1" prio_pfc; }

pfc_is_what_tc_says()
{
	llet_star 1
	port 1 prio-pfc 3:on 5:on
	equal "dcb says" "$(lossless_prios)" "[3,5]"
	equal "capability" "$(dcb_json pfc .pfc_cap)" 8
	equal "delay" "$(dcb_json pfc .delay)" 0
	equal "macsec-bypass" "$(dcb_json pfc .macsec_bypass)" false
	tc -n sw qdisc change dev p1 root lossless prio-pfc all:off 0:on
	equal "after a change" "$(lossless_prios)" "[0]"
}

# Counters of both ends, and frames that tcpdump captures between them: the
# enable vector is at octet 16, in the second line of -xx.
pfc_counts_frames()
{
	local frames

	llet_star 3
	llet_ports 3 rate 10mbit prio-pfc 3:on 4:on xoff 15000b headroom 40k \
		pause-quanta 1000
	host 1 rate 10mbit prio-pfc 3:on
	h 1 tcpdump -nn -U -i eth0 -Q in -w /tmp/pauses ether proto 0x8808 \
		2>/dev/null &
	defer kill $!
	check "no capture" wait_for 5000 test -e /tmp/pauses
	pfc 3 0x08 0 0 0 $LONG
	pfc 3 0x18 0 0 0 $LONG $LONG
	send 1 3 -n 20 -d 24
	sleep 0.5
	pfc 3 0x18
	sleep 1
	frames=$(tcpdump -nn -xx -r /tmp/pauses 2>/dev/null |
		grep -c '0x0010:  0008')
	between "frames that h1 got" "$frames" 10 100
	equal "p1: requests" "$(dcb_json pfc '.requests[3]')" "$frames"
	equal "p1: requests of others" "$(dcb_json pfc '.requests | add')" \
		"$frames"
	equal "p1: indications" "$(dcb_json pfc '.indications | add')" 0
	equal "h1: indications" "$(dcb -n h1 -s -j pfc show dev eth0 |
		jq '.indications[3]')" "$frames"
	equal "p3: indications" "$(dcb -n sw -s -j pfc show dev p3 |
		jq -c .indications)" "[0,0,0,3,2,0,0,0]"
	equal "p3: requests" "$(dcb -n sw -s -j pfc show dev p3 |
		jq '.requests | add')" 0
}

pfc_set()
{
	llet_star 1
	port 1 prio-pfc 3:on rate 10mbit headroom 40k
	swdcb pfc set dev p1 prio-pfc 4:on
	equal "one more: tc" "$(pfc_of p1)" "[3,4]"
	equal "one more: dcb" "$(lossless_prios)" "[3,4]"
	swdcb pfc set dev p1 prio-pfc all:off 1:on
	equal "another: tc" "$(pfc_of p1)" "[1]"
	swdcb pfc set dev p1 prio-pfc all:off
	equal "none: tc" "$(pfc_of p1)" "[]"
	swdcb pfc set dev p1 prio-pfc all:on
	equal "all: tc" "$(pfc_of p1)" "[0,1,2,3,4,5,6,7]"
	equal "shared" "$(option p1 shared_size)" $(((12 << 20) - 8 * 40960))
	# other settings stay
	equal "headroom" "$(option p1 headroom)" 40960
}

host_paused() { [ "$(host_stat 1 3 rx_paused)" = "$1" ]; }

# 15 kB wait at p3. dcb ends the pause that holds them, and the pause of p1.
pfc_set_works()
{
	local dev

	llet_star 3
	llet_ports 3 rate 10mbit xoff 15000b headroom 40k
	host 1 rate 10mbit prio-pfc 3:on
	for dev in p1 p2 p3; do
		swdcb pfc set dev $dev prio-pfc 3:on
	done
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 15 -d 24
	check "p1 does not pause" wait_for 2000 stat_is p1 3 tx_paused = 1
	check "h1 is not paused" wait_for 2000 host_paused 1
	equal "waiting" "$(stat p3 3 backlog)" 15000
	swdcb pfc set dev p1 prio-pfc 3:off
	check "h1 stays paused" wait_for 1000 host_paused 0
	equal "h1 was told to resume" "$(host_stat 1 3 rx_resume)" 1
	receive 3 1000
	swdcb pfc set dev p3 prio-pfc 3:off
	equal "received" "$(received 3 .sum.packets)" 15
	nothing_stuck
}

pfc_set_refused()
{
	llet_star 1
	port 1 prio-pfc 3:on headroom 1m wred 4 kmin 10k kmax 20k pmax 1%
	unchanged swdcb pfc set dev p1 delay 5
	unchanged swdcb pfc set dev p1 macsec-bypass on
	# WRED without ECN would drop
	unchanged swdcb pfc set dev p1 prio-pfc 4:on
	tc -n sw qdisc change dev p1 root lossless nowred 4
	swdcb pfc set dev p1 prio-pfc 4:on
	equal "without WRED" "$(pfc_of p1)" "[3,4]"
	# 12 MB are not enough for 15 MB of headroom
	tc -n sw qdisc change dev p1 root lossless headroom 5m
	unchanged swdcb pfc set dev p1 prio-pfc 5:on
	# tc must refuse such a WRED for a priority that dcb made lossless
	refused "without ecn" tc -n sw qdisc change dev p1 root lossless \
		wred 4 kmin 10k kmax 20k pmax 1%
}

buffer_show()
{
	llet_star 1
	port 1 rate 10mbit buffer 1mb reserved 2k headroom 30k prio-pfc 3:on \
		2>/dev/null
	equal "map" "$(dcb_json buffer .prio_buffer)" "[0,1,2,3,4,5,6,7]"
	equal "sizes" "$(dcb_json buffer .buffer_size)" \
		"[2048,2048,2048,32768,2048,2048,2048,2048]"
	equal "total" "$(dcb_json buffer .total_size)" $((1 << 20))
	tc -n sw qdisc change dev p1 root lossless headroom auto
	equal "computed" "$(dcb_json buffer '.buffer_size[3]')" \
		$((2048 + $(option p1 headroom_now)))
}

buffer_is_not_set()
{
	llet_star 1
	port 1 prio-pfc 3:on
	unchanged swdcb buffer set dev p1 buffer-size 3:40k
	unchanged swdcb buffer set dev p1 prio-buffer 3:0
}

dcbx()
{
	llet_star 1
	port 1
	equal "mode" "$(dcb_json dcbx .)" '{"host":true,"ieee":true}'
	check "the same" swdcb dcbx set dev p1 host ieee
	refused "Attribute write" swdcb dcbx set dev p1 host cee
	refused "Attribute write" swdcb dcbx set dev p1 lld-managed ieee
	equal "mode afterwards" "$(dcb_json dcbx .)" '{"host":true,"ieee":true}'
}

# dcb and agents can add a lossless priority then, and tc can do all.
dcbx_static()
{
	llet_star 1
	port 1 prio-pfc 3:on headroom 1m
	check "static" swdcb dcbx set dev p1 host ieee static
	equal "mode" "$(dcb_json dcbx .static)" true
	unchanged swdcb pfc set dev p1 prio-pfc 3:off
	check "no reason" said "p1: PFC stays on, as DCBX is static: dcb ("
	unchanged swdcb pfc set dev p1 prio-pfc all:off 4:on
	swdcb pfc set dev p1 prio-pfc 4:on
	equal "one more" "$(pfc_of p1)" "[3,4]"
	tc -n sw qdisc change dev p1 root lossless prio-pfc 5:on 3:off
	equal "tc merges" "$(pfc_of p1)" "[4,5]"
	tc -n sw qdisc change dev p1 root lossless prio-pfc all:off 4:on
	equal "tc sets the list" "$(pfc_of p1)" "[4]"
	refused "Attribute write" swdcb dcbx set dev p1 host ieee
	port 1 prio-pfc 3:on
	equal "replaced" "$(dcb_json dcbx .static)" true
	tc -n sw qdisc del dev p1 root
	port 1 prio-pfc 3:on
	equal "new" "$(dcb_json dcbx .static)" null
	swdcb pfc set dev p1 prio-pfc 3:off
	equal "off" "$(pfc_of p1)" "[]"
}

# ets WHAT PRIO_TC TC_TSA TC_BW: checks dcb; s (strict) or e (ets) per class
ets()
{
	equal "$1: prio-tc" "$(dcb_json ets '.prio_tc | join("")')" "\"$2\""
	equal "$1: tc-tsa" "$(dcb_json ets '.tc_tsa | map(.[:1]) | join("")')" \
		"\"$3\""
	equal "$1: tc-bw" "$(dcb_json ets .tc_bw)" "$4"
}

ets_is_what_tc_says()
{
	llet_star 1
	port 1
	ets "default" 01234567 eeeeeess "[17,17,17,17,16,16,0,0]"
	equal "classes" "$(dcb_json ets .ets_cap)" 8
	equal "willing" "$(dcb_json ets .willing)" false
	port 1 strict 1 quanta 3000 1000 priomap 2 2 2 1 2 2 2 0
	ets "three bands" 00010002 eessssss "[25,75,0,0,0,0,0,0]"
	tc -n sw qdisc change dev p1 root lossless quanta 500 500 500
	ets "a change" 00111222 eeesssss "[34,33,33,0,0,0,0,0]"
}

# sched_of NETNS DEV: from tc: bands, strict bands, quanta, priomap
sched_of()
{
	tc -n "$1" -j qdisc show dev "$2" root | jq -c \
		'.[0].options | [.bands, .strict, .quanta, .priomap]'
}

sched_is() { equal "tc: $1" "$(sched_of sw p1)" "$2"; }

ets_set()
{
	llet_star 1
	port 1 strict 8
	swdcb ets set dev p1 tc-tsa 0:ets 1:ets tc-bw 0:25 1:75
	ets "shares" 01234567 eessssss "[25,75,0,0,0,0,0,0]"
	# a frame of 1518 bytes makes 61 bytes per percent
	sched_is "shares" "[8,6,[4575,1525],[7,6,5,4,3,2,1,0]]"
	swdcb ets set dev p1 prio-tc all:0 3:1 7:7
	ets "map" 00010007 eessssss "[25,75,0,0,0,0,0,0]"
	sched_is "map" "[8,6,[4575,1525],[7,7,7,6,7,7,7,0]]"
	swdcb ets set dev p1 tc-tsa all:ets tc-bw all:12 0:16
	ets "all share" 00010007 eeeeeeee "[16,12,12,12,12,12,12,12]"
	swdcb ets set dev p1 tc-tsa all:strict tc-bw all:0
	ets "all strict" 00010007 ssssssss "[0,0,0,0,0,0,0,0]"
	swdcb ets set dev p1 prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
	sched_is "eight strict" "[8,8,[],[7,6,5,4,3,2,1,0]]"
}

# Frames of priorities 5 and 1 wait at p1 while it is paused; then p1 serves 1
# first, as its class has become the higher one.
ets_set_works()
{
	local order

	llet_star 2
	llet_ports 2 rate 10mbit prio-pfc 1:on 5:on strict 8
	pfc 1 0x22 0 $LONG 0 0 0 $LONG
	send 2 1 -n 10 -d 40 -f 5
	send 2 1 -n 10 -d 8 -f 1
	swdcb ets set dev p1 prio-tc 1:7
	h 1 timeout 5 tcpdump -nnvi eth0 -Q in -c 20 udp port 9 \
		2>/dev/null >/tmp/order &
	sleep 0.5
	pfc 1 0x22
	wait $!
	order=$(grep -o 'tos 0x[0-9a-f]*' /tmp/order | uniq -c |
		awk '{ printf "%s:%s ", $3, $1 }')
	equal "order" "$order" "0x20:10 0xa0:10 "
}

# tc's quanta are finer than percentages.
ets_keeps_quanta()
{
	llet_star 1
	port 1 strict 0 quanta 3001 1000
	unchanged swdcb ets set dev p1 tc-bw 0:25 1:75
	swdcb ets set dev p1 prio-tc 7:0
	sched_is "another map" "[8,6,[3001,1000],[7,7,7,7,6,6,6,7]]"
	swdcb ets set dev p1 tc-bw 0:24 1:76
	sched_is "other shares" "[8,6,[4864,1536],[7,7,7,7,6,6,6,7]]"
}

ets_refused()
{
	llet_star 1
	port 1 strict 1 quanta 3000 1000
	unchanged swdcb ets set dev p1 tc-tsa 1:cbs
	unchanged swdcb ets set dev p1 tc-tsa 2:vendor
	unchanged swdcb ets set dev p1 tc-bw 1:70
	unchanged swdcb ets set dev p1 tc-bw 0:0 1:100
	# a strict class has no share, and stays above those with a share
	unchanged swdcb ets set dev p1 tc-tsa 1:strict
	unchanged swdcb ets set dev p1 tc-tsa 0:strict tc-bw 0:0 1:100
	unchanged swdcb ets set dev p1 tc-tsa 7:ets tc-bw 7:25 1:50
	unchanged swdcb ets set dev p1 willing on
	unchanged swdcb ets set dev p1 reco-tc-bw 0:50 1:50
	unchanged swdcb ets set dev p1 reco-prio-tc 1:1
}

reported_is() { [ "$(wc -l </tmp/told)" = "$1" ]; }

# Each change sends one event to listeners, whatever program made it.
changes_are_reported()
{
	llet_star 1
	port 1 prio-pfc 3:on
	sw lle_dcbmon >/tmp/told 2>/tmp/told.ready &
	defer kill $!
	check "nobody listens" wait_for 5000 test -s /tmp/told.ready
	tc -n sw qdisc change dev p1 root lossless prio-pfc 3:on 4:on
	tc -n sw qdisc change dev p1 root lossless priomap 0 1 2 3 4 5 6 7
	swdcb pfc set dev p1 prio-pfc 3:off
	swdcb ets set dev p1 prio-tc 7:7
	refused "leave nothing to share" tc -n sw qdisc change dev p1 root lossless \
		buffer 64k reserved 64k
	tc -n sw qdisc replace dev p1 root handle 77: lossless prio-pfc 5:on
	wait_for 1000 reported_is 5
	tc -n sw qdisc del dev p1 root
	sleep 0.1
	equal "told" "$(cat /tmp/told)" "p1 0x18 01234567
p1 0x18 76543210
p1 0x10 76543210
p1 0x10 76543217
p1 0x20 01234567"
}

changes_have_an_author()
{
	local events=/tmp/events

	llet_star 1
	sw losslessctl monitor config >$events &
	defer kill $!
	check "nobody listens" wait_for 5000 listeners sw
	port 1 prio-pfc 3:on
	swdcb pfc set dev p1 prio-pfc 3:off
	tc -n sw qdisc del dev p1 root
	port 1
	ip -n sw link del p1
	check "few events" wait_for 5000 lines_are $events 5
	equal "authors" "$(sed 's/^\[[^]]*\] //; s/ ([1-9][0-9]*)$//' $events)" \
"p1 is new or has changed, by tc
p1 is new or has changed, by dcb
p1 is gone, by tc
p1 is new or has changed, by tc
p1 is gone, by ip"
}

lines_are() { [ "$(wc -l <"$1")" = "$2" ]; }

# The new qdisc exists before the old one is destroyed.
replace_keeps_it()
{
	llet_star 1
	port 1 prio-pfc 3:on
	tc -n sw qdisc replace dev p1 root handle 77: lossless \
		prio-pfc 5:on strict 0 quanta 2000 2000
	equal "dcb says" "$(lossless_prios)" "[5]"
	swdcb pfc set dev p1 prio-pfc all:off 6:on
	swdcb ets set dev p1 tc-bw 0:40 1:60
	equal "tc says" "$(pfc_of p1)" "[6]"
	ets "shares" 00001111 eessssss "[40,60,0,0,0,0,0,0]"
}

delete_ends_it()
{
	local what

	llet_star 1
	port 1 prio-pfc 3:on
	check "dcb" swdcb pfc show dev p1 >/dev/null
	tc -n sw qdisc del dev p1 root
	for what in pfc ets buffer dcbx; do
		refused "not supported" swdcb $what show dev p1
	done
	refused "not supported" swdcb pfc set dev p1 prio-pfc 3:on
	# another qdisc replaces it
	tc -n sw qdisc add dev p1 root pfifo
	refused "not supported" swdcb pfc show dev p1
	port 1 prio-pfc 4:on
	equal "and again" "$(lossless_prios)" "[4]"
	# a failed attach leaves nothing behind
	tc -n sw qdisc del dev p1 root
	refused "buffer" port 1 buffer 64k prio-pfc 3:on headroom 1m
	refused "not supported" swdcb pfc show dev p1
}

netns_move_ends_it()
{
	llet_star 1
	port 1 prio-pfc 3:on
	llet_netns other
	ip -n sw link set p1 netns other
	refused "not supported" dcb -n other pfc show dev p1
	tc -n other qdisc add dev p1 root lossless prio-pfc 6:on
	equal "in the other" "$(dcb -n other -j pfc show dev p1 |
		jq -c '.prio_pfc | index(true)')" 6
}

# No device keeps operations of a module that was unloaded.
modules_can_go()
{
	is_module sch_lossless || { llet_skip "it is part of the kernel"; return; }
	llet_star 1
	port 1 prio-pfc 3:on
	check "dcb" swdcb pfc show dev p1 >/dev/null
	tc -n sw qdisc del dev p1 root
	check "rmmod sch_lossless" wait_for 5000 rmmod sch_lossless 2>/dev/null
	check "rmmod lossless" rmmod lossless
	refused "not supported" swdcb pfc show dev p1
	llet_load lossless sch_lossless
	port 1 prio-pfc 4:on
	equal "and again" "$(lossless_prios)" "[4]"
}

# dcb reports no error, but changes nothing.
userns_cannot_set()
{
	echo 1 >/sys/module/sch_lossless/parameters/allow_userns
	defer sh -c "echo 0 >/sys/module/sch_lossless/parameters/allow_userns"
	equal "in a user namespace" "$(unshare -Urn bash -c '
		ip link add d0 type dummy
		tc qdisc add dev d0 root lossless prio-pfc 3:on
		dcb pfc set dev d0 prio-pfc 4:on
		dcb ets set dev d0 prio-tc 0:7
		dcb dcbx set dev d0 host ieee 2>&1
		dcb -j pfc show dev d0; dcb -j ets show dev d0' |
		jq -Rr 'fromjson? // . | if type == "object" then
			.prio_tc // .prio_pfc | tostring else . end')" \
"Attribute write: Operation not permitted
[false,false,false,true,false,false,false,false]
[0,1,2,3,4,5,6,7]"
}

# app_of DEV: all entries that dcb shows; said TEXT: has the log of the kernel it?
app_of() { swdcb -j app show dev "$1" | jq -cS 'map_values(map(join(":")) | sort)'; }
said() { dmesg | grep -qF "$1"; }

# frames I J TYPE N [DEV]: N frames of an EtherType from host I to J
frames()
{
	local dst src

	dst=$(mac "$2") src=$(mac "$1")
	h "$1" lle_traffic raw "${5:-eth0}" \
		"${dst//:/}${src//:/}$3$(printf '00%.0s' {1..100})" "$4"
}

app_dscp()
{
	llet_star 2
	llet_ports 2
	check "add" swdcb app add dev p1 dscp-prio 26:6 24:3
	equal "tc" "$(tc -n sw qdisc show dev p1 | grep -o 'dscp-prio.*26:[0-9]')" \
		"dscp-prio 26:6"
	equal "dcb" "$(app_of p1)" '{"dscp_prio":["24:3","26:6"]}'
	send 1 2 -n 5 -d 26
	equal "packets of priority 6" "$(stat p1 6 rx_packets)" 5
	check "replace" swdcb app replace dev p1 dscp-prio 26:5
	equal "one priority" "$(app_of p1)" '{"dscp_prio":["24:3","26:5"]}'
	send 1 2 -n 5 -d 26
	equal "packets of priority 5" "$(stat p1 5 rx_packets)" 5
	check "del" swdcb app del dev p1 dscp-prio 26:5
	send 1 2 -n 5 -d 26
	equal "packets of priority 3" "$(stat p1 3 rx_packets)" 5
	equal "default" "$(app_of p1)" '{"dscp_prio":["24:3"]}'
}

# What tc sets, dcb shows; what is not in force, it does not.
app_follows_tc()
{
	llet_star 1
	port 1
	tc -n sw qdisc change dev p1 root lossless dscp-prio 46:7 10:2
	equal "set" "$(app_of p1)" '{"dscp_prio":["10:2","46:7"]}'
	tc -n sw qdisc change dev p1 root lossless dscp-prio 46:6
	equal "merged" "$(app_of p1)" '{"dscp_prio":["10:2","46:6"]}'
	tc -n sw qdisc change dev p1 root lossless dscp-prio 10:default
	equal "default" "$(app_of p1)" '{"dscp_prio":["46:6"]}'
	tc -n sw qdisc change dev p1 root lossless dscp-prio all:3
	equal "all" "$(option p1 dscp_prio | jq -c 'map(.prio) | unique')" "[3]"
	tc -n sw qdisc change dev p1 root lossless dscp-prio all:default 46:6
	equal "set" "$(app_of p1)" '{"dscp_prio":["46:6"]}'
	tc -n sw qdisc change dev p1 root lossless trust pcp
	equal "not trusted" "$(app_of p1)" '{}'
	unchanged swdcb app add dev p1 dscp-prio 11:4
	check "no reason" said "trust dscp"
	tc -n sw qdisc change dev p1 root lossless trust dscp
	equal "trusted again" "$(app_of p1)" '{"dscp_prio":["46:6"]}'
	check "EtherType" swdcb app add dev p1 ethtype-prio 0x8906:3
	tc -n sw qdisc replace dev p1 root handle 77: lossless dscp-prio 9:5
	equal "replaced" "$(app_of p1)" '{"dscp_prio":["9:5"]}'
	tc -n sw qdisc del dev p1 root
	port 1
	equal "new" "$(app_of p1)" '{}'
}

# Frames of FCoE, FIP and RoCE v1, also with a tag of priority 0, as fcoe.ko
# makes it; another priority of the tag counts.
app_ethertype()
{
	local type before

	llet_star 2
	llet_ports 2 prio-pfc 3:on
	host 1 prio-pfc 3:on
	for type in 8906 8914 8915; do
		check "add" swdcb app add dev p1 ethtype-prio "0x$type:3"
		check "add" dcb -n h1 app add dev eth0 ethtype-prio "0x$type:3"
		frames 1 2 "$type" 10
	done
	equal "dcb" "$(swdcb -j app show dev p1 |
		jq -c '[.ethtype_prio[][1]]')" "[3,3,3]"
	equal "arrived" "$(stat p1 3 rx_packets)" 30
	equal "sent" "$(host_stat 1 3 tx_packets)" 30
	ip -n h1 link add link eth0 name eth0.10 up type vlan id 10
	frames 1 2 8906 10 eth0.10
	equal "tagged" "$(stat p1 3 rx_packets)" 40
	equal "tagged, sent" "$(host_stat 1 3 tx_packets)" 40
	ip -n h1 link set eth0.10 type vlan egress-qos-map 0:5
	frames 1 2 8906 10 eth0.10
	equal "priority of the tag" "$(stat p1 5 rx_packets)" 10
	# its frames of IPv6 would count in priority 0
	ip -n h1 link del eth0.10
	check "del" swdcb app del dev p1 ethtype-prio 0x8906:3
	before=$(stat p1 0 rx_packets)
	frames 1 2 8906 10
	equal "deleted" $(($(stat p1 0 rx_packets) - before)) 10
	tc -n sw qdisc change dev p1 root lossless prio-pfc 3:on 4:on
	frames 1 2 8914 10
	equal "kept by tc" "$(stat p1 3 rx_packets)" 50
}

# RTM_SETDCB, DCB_CMD_IEEE_SET of a rate for each class; prints the answer
SET_MAXRATE='
import socket, struct
def attr(kind, data): return struct.pack("HH", 4 + len(data), kind) + data
body = struct.pack("BBH", 0, 20, 0) + attr(1, b"p1\0\0") + attr(13, attr(7, bytes(64)))
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
s.send(struct.pack("IHHII", 16 + len(body), 79, 1, 1, 0) + body)
print(struct.unpack("b", s.recv(4096)[24:25])[0])'

# dcb of iproute2 6.1 does not report all refusals.
app_refused()
{
	local type

	llet_star 1
	port 1
	unchanged swdcb app add dev p1 dgram-port-prio 4791:3
	check "no reason" said "classify by DSCP"
	unchanged swdcb app add dev p1 stream-port-prio 3260:3
	unchanged swdcb app add dev p1 port-prio 4791:3
	unchanged swdcb app add dev p1 default-prio 3
	for type in 0x0800 0x86dd 0x8100 0x8808; do
		unchanged swdcb app add dev p1 ethtype-prio $type:3
	done
	for type in 1 2 3 4 5 6 7 8; do
		check "add" swdcb app add dev p1 ethtype-prio 0x900$type:3
	done
	unchanged swdcb app add dev p1 ethtype-prio 0x9009:3
	check "one of them again" swdcb app replace dev p1 ethtype-prio 0x9008:4
	check "flush" swdcb app flush dev p1
	equal "nothing" "$(app_of p1)" '{}'
	equal "maxrate" "$(sw python3 -c "$SET_MAXRATE")" "-95"
	# newer kernels rewrite priorities, newer tools ask for it
	! dcb rewr help >/dev/null 2>&1 ||
		unchanged swdcb rewr add dev p1 prio-dscp 3:24
}

# The stack does not hold the lock of the device when dcb or losslessctl sets an
# option. dummy has such a lock since Linux 6.15.
device_with_a_lock()
{
	llet_netns sw
	ip -n sw link add p1 type dummy
	port 1 prio-pfc 3:on headroom 1m
	swdcb pfc set dev p1 prio-pfc 4:on
	equal "tc says" "$(pfc_of p1)" "[3,4]"
	swdcb ets set dev p1 prio-tc 4:7
	ets "map" 01237567 eeeeeess "[17,17,17,17,16,16,0,0]"
	check "no other size" sw losslessctl switch set 0 buffer 4mb
	equal "buffer" "$(option p1 buffer)" $((4 << 20))
	refused "leave nothing to share" sw losslessctl switch set 0 buffer 64k
	equal "buffer afterwards" "$(option p1 buffer)" $((4 << 20))
}

# agent NETNS: starts an LLDP agent. It detects other instances by shared
# memory, and keeps a configuration, so it needs its own of both.
agent()
{
	rm -f "/tmp/lldpad.$1"
	# shellcheck disable=SC2016 # expanded there
	ip netns exec "$1" sh -c 'mkdir -p /dev/shm
		mount -t tmpfs none /dev/shm
		exec lldpad -p -f "$1"' - "/tmp/lldpad.$1" >/dev/null 2>&1 &
	defer kill $!
	check "no agent in $1" wait_for 5000 \
		ip netns exec "$1" lldptool ping >/dev/null 2>&1
}

# The settings of p1 count, as h1 is willing, which is the default. MAP keeps
# priorities apart.
MAP=0:0,1:1,2:2,3:3,4:4,5:5,6:6,7:7
agents()
{
	llet_star 1
	port 1 rate 100mbit
	host 1 rate 100mbit
	agent sw
	agent h1
	sw lldptool -L -i p1 adminStatus=rxtx
	h 1 lldptool -L -i eth0 adminStatus=rxtx
	sw lldptool -T -i p1 -V ETS-CFG willing=no up2tc=$MAP
	sw lldptool -T -i p1 -V ETS-REC enableTx=yes up2tc=$MAP
} >/dev/null

has_lldpad()
{
	type lldpad lldptool >/dev/null 2>&1 && return
	llet_skip "no lldpad"
	return 1
}

host_pfc() { tc -n h1 -j qdisc show dev eth0 root | jq -c '.[0].options.prio_pfc'; }
host_pfc_is() { [ "$(host_pfc)" = "$1" ]; }
host_sched_is() { [ "$(sched_of h1 eth0)" = "$1" ]; }
# The sending agent applies its own setting a moment later.
p1_pfc_is() { [ "$(pfc_of p1)" = "$1" ]; }
p1_sched_is() { [ "$(sched_of sw p1)" = "$1" ]; }

lldpad_pfc()
{
	has_lldpad || return
	agents
	equal "h1 at first" "$(host_pfc)" "[]"
	sw lldptool -T -i p1 -V PFC willing=no enabled=3 >/dev/null
	check "h1 has not followed" wait_for 40000 host_pfc_is "[3]"
	check "p1 has not followed" wait_for 5000 p1_pfc_is "[3]"
	check "h1 has another map" wait_for 40000 \
		host_sched_is "[8,8,[],[7,6,5,4,3,2,1,0]]"
	check "h1 has no TLV" grep -q "PFC enabled: 3" \
		<(h 1 lldptool -t -n -i eth0 -V PFC)
	# back again, and with more than one priority
	sw lldptool -T -i p1 -V PFC enabled=4,5 >/dev/null
	check "h1 has not followed again" wait_for 40000 host_pfc_is "[4,5]"
	check "p1 has not followed again" wait_for 5000 p1_pfc_is "[4,5]"
	# frames of one end now pause the other
	pfc 1 0x10 0 0 0 0 $LONG
	equal "p1 obeys" "$(stat p1 4 rx_paused)" 1
}

# Without a neighbour an agent writes its own setting, here none, after 15 s and
# after each time that the link came up.
lldpad_static()
{
	has_lldpad || return
	llet_star 1
	port 1 rate 100mbit prio-pfc 3:on
	agent sw
	swdcb dcbx set dev p1 host ieee static
	sw lldptool -L -i p1 adminStatus=rxtx >/dev/null
	sleep 40
	equal "after 40 s" "$(pfc_of p1)" "[3]"
	ip -n sw link set p1 down
	ip -n sw link set p1 up
	sleep 30
	equal "after a flap" "$(pfc_of p1)" "[3]"
	check "nobody asked" said "PFC stays on, as DCBX is static: lldpad ("
}

lldpad_ets()
{
	local ets="tsa=0:ets,1:ets up2tc=0:0,1:0,2:0,3:1,4:1,5:2,6:3,7:7 \
		tcbw=25,75,0,0,0,0,0,0"
	local now="[8,6,[4575,1525],[7,7,7,6,6,5,4,0]]"

	has_lldpad || return
	agents
	# shellcheck disable=SC2086 # a list of words
	sw lldptool -T -i p1 -V ETS-CFG $ets >/dev/null
	# shellcheck disable=SC2086
	sw lldptool -T -i p1 -V ETS-REC $ets >/dev/null
	check "h1 has not followed" wait_for 40000 host_sched_is "$now"
	check "p1 has not followed" wait_for 5000 p1_sched_is "$now"
}

llet_main
