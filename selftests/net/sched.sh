#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Strict priority and deficit round robin. A pause makes packets wait, and its
# end releases them: the order in which they are received shows the order of
# service.

ALL_TESTS="control_beside_full_lossless strict_order drr_shares pause_does_not_block_band priomap_default
	rate_is_kept delay_is_exact delay_can_go burst_only_when_late
	rate_is_raised_at_once limit_is_for_lossy limit_leaves_out_the_wire wire_without_pauses
	host_is_limited_by_the_buffer"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

LONG=65535
ALL="prio-pfc 0:on 1:on 2:on 3:on 4:on 5:on 6:on 7:on xoff 4m buffer 64m headroom 10k"

# testbed OPTION...: p2 paused in all priorities
testbed()
{
	llet_star 2
	llet_ports 2 rate 10mbit $ALL "$@"
	pfc 2 0xff $LONG $LONG $LONG $LONG $LONG $LONG $LONG $LONG
}

# queue PRIO COUNT
queue() { send 1 2 -B -n "$2" -d $(($1 * 8)) -f "$1"; }

# go: resumes p2, and sets order to the flow of each received packet
go()
{
	h 2 timeout 5 tcpdump -nni eth0 -Q in -x udp port 9 -c "$1" \
		2>/dev/null >/tmp/order &
	sleep 0.5
	pfc 2 0xff
	wait $!
	# the flow is the second word of the payload, at 28 + 4 of the packet
	order=$(awk '/0x0020:/ { print $3 }' /tmp/order | sed 's/^0*//;s/^$/0/')
}

# udp_at PORT SECONDS: begins a program in Python with a socket for broadcasts
udp_at()
{
	echo "import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
s.setsockopt(socket.SOL_SOCKET, 25, b'eth0')	# SO_BINDTODEVICE
s.bind(('', $1))
s.settimeout($2)"
}

# The four messages of DHCP between host 3 and a server at host 2; prints those that
# the client has got.
dhcp()
{
	h 2 python3 -c "$(udp_at 67 10)
for _ in 'offer', 'ack':
    s.recv(100)
    s.sendto(bytes(300), ('255.255.255.255', 68))" 2>/dev/null &
	wait_for 5000 h 2 grep -q ':0043 ' /proc/net/udp
	h 3 python3 -c "$(udp_at 68 1)
for request in 'discover', 'request':
    s.sendto(bytes(300), ('255.255.255.255', 67))
    print(len(s.recv(1000)))" 2>/dev/null | wc -l
	kill $! 2>/dev/null
}

# Packets of priority 3 always wait at p2. ARP, DHCP and ping of priority 0 have their
# turns.
control_beside_full_lossless()
{
	local i answers=0

	llet_star 3
	llet_ports 3 rate 100mbit prio-pfc 3:on xoff 100k
	port 2 rate 10mbit prio-pfc 3:on xoff 100k
	host 1 rate 100mbit prio-pfc 3:on
	send 1 2 -d 24 -n 8000 -s 1442 &
	check "p1 does not pause" wait_for 5000 stat_is p1 3 tx_pause -gt 0
	for i in 1 2 3; do
		ip -n h3 neigh flush dev eth0
		! h 3 ping -q -c 1 -W 1 192.0.2.2 >/dev/null || answers=$((answers + 1))
	done
	equal "answers to ARP" "$answers" 3
	equal "answers to DHCP" "$(dhcp)" 2
	equal "pings lost" "$(h 3 ping -q -c 20 -i 0.1 -W 1 192.0.2.2 |
		sed -n 's/.* \([0-9]*%\) packet loss.*/\1/p')" 0%
	check "priority 3 has ended" stat_is p2 3 backlog -gt 0
	wait
	no_drops
}

strict_order()
{
	testbed strict 8
	queue 1 10
	queue 5 10
	queue 3 10
	go 30
	# the first one was about to enter the link when the others arrived
	equal "order" "$(uniq -c <<<"$order" | awk '{ printf "%s:%s ", $2, $1 }')" \
		"5:10 3:10 1:10 "
}

# Bands 0 and 1 share 3 to 1, as long as both have packets.
drr_shares()
{
	local high

	testbed bands 2 quanta 3000 1000 priomap 1 1 1 0 0 0 0 0
	queue 1 60
	queue 5 60
	go 120
	high=$(head -n 60 <<<"$order" | grep -c 5)
	between "of 60 packets of band 0" "$high" 44 46
}

# Priorities 4 and 5 are one band. 5 stays paused; 4 and the band below
# continue.
pause_does_not_block_band()
{
	testbed bands 2 strict 2 priomap 1 1 1 1 0 0 0 0
	queue 5 10
	queue 4 10
	queue 1 10
	receive 2 1000
	pfc 2 0xdf 0 0 0 0 0 0 0 0
	equal "prio 4" "$(received 2 '."4".packets')" 10
	equal "prio 1" "$(received 2 '."1".packets')" 10
	equal "prio 5" "$(received 2 '."5".packets')" null
}

# Fewer bands: the higher half of the priorities is the first of two.
priomap_default()
{
	llet_star 1
	port 1 bands 2 strict 2
	equal "priomap" "$(option p1 priomap)" "[1,1,1,1,0,0,0,0]"
	port 1 bands 8 strict 8
	equal "priomap" "$(option p1 priomap)" "[7,6,5,4,3,2,1,0]"
}

# time_frames N: sets us to the time from the first to the last frame at h2
time_frames()
{
	h 2 timeout 10 tcpdump -nni eth0 -tt -Q in -c "$1" udp port 9 \
		2>/dev/null >/tmp/times &
	sleep 0.5
	send 1 2 -B -n "$1"
	wait $!
	us=$(awk 'NR == 1 { first = $1 } { last = $1 }
		END { printf "%d", (last - first) * 1e6 }' /tmp/times)
}

# 1000 frames of 1000 + 24 bytes at 10 Mbit/s take 819.2 ms.
rate_is_kept()
{
	local us

	llet_star 2
	llet_ports 2 rate 10mbit burst 0 buffer 64m alpha 1024
	time_frames 1000
	between "us for 999 frames" \
		"$us" 818300 820500
}

# With a delay a frame arrives when its last bit does: 8.192 ms + 50 ms here.
delay_is_exact()
{
	local us

	llet_star 2
	llet_ports 2 rate 1mbit delay 50ms burst 0
	# a ping that h2 answers: 2 x (frame + delay)
	us=$(h 1 ping -c 3 -i 0.3 -s 958 192.0.2.2 |
		sed -n 's|^rtt min/avg/max/mdev = \([0-9.]*\)/.*|\1|p' | tr -d .)
	# 1000 byte frames: the way there through p2, the way back through p1
	between "round trip in us" "$us" 116384 117500
}

# Frames on the wire arrive in order when the delay is removed.
delay_can_go()
{
	llet_star 2
	llet_ports 2 rate 10mbit delay 500ms
	receive 2 1500
	send 1 2 -B -n 200
	tc -n sw qdisc change dev p2 root lossless delay 0
	equal "received" "$(received 2 .sum.packets)" 200
	equal "reordered" "$(received 2 .sum.reordered)" 0
	no_drops
	conserved
}

# An idle link earns no credit: ten frames after a pause leave at line rate.
burst_only_when_late()
{
	local us

	llet_star 2
	llet_ports 2 rate 10mbit burst 32k
	sleep 1
	time_frames 20
	# 19 frames of 1024 bytes: 15.57 ms
	between "us for 19 frames" \
		"$us" 15200 16200
}

# A frame that still occupies the slow link, for 1.5 s, does not delay the fast
# one.
rate_is_raised_at_once()
{
	llet_star 2
	llet_ports 2 rate 8kbit
	send 1 2 -B -s 1514
	receive 2 500
	tc -n sw qdisc change dev p2 root lossless rate 100mbit
	send 1 2 -B
	equal "received" "$(received 2 .sum.packets)" 1
}

# One frame takes the link for a second, 10000 bytes wait. Priorities with PFC
# do not count for the limit: pauses hold their packets back.
limit_is_for_lossy()
{
	llet_star 2
	port 1
	port 2 rate 8kbit limit 10000b prio-pfc 3:on
	send 1 2 -B -n 20
	equal "queued" "$(stat p2 0 backlog)" 10000
	equal "dropped" "$(stat p2 0 drops.limit_discard)" 9
	send 1 2 -B -n 20 -d 24
	equal "lossless queued" "$(stat p2 3 backlog_max)" 20000
	equal "lossless dropped" "$(sum .drops[] 3)" 0
	conserved
}

# Packets on the wire do not count.
limit_leaves_out_the_wire()
{
	llet_star 2
	port 1
	port 2 rate 10mbit delay 500ms limit 10000b
	send 1 2 -B -n 100 -g 1000000
	check "little on the wire" test "$(port_stat p2 wire_bytes)" -gt 50000
	no_drops
	conserved
}

# Nor do pauses that p2 sends count as packets there: h2 is paused, as its packets
# wait at p1.
wire_without_pauses()
{
	llet_star 2
	llet_ports 2 rate 10mbit delay 20ms limit 10000b prio-pfc 3:on xoff 8000b headroom 40k
	pfc 1 0x08 0 0 0 $LONG
	send 2 1 -B -n 20 -d 24
	check "p2 does not pause" wait_for 1000 stat_is p2 3 tx_pause -gt 0
	sleep 0.1
	equal "bytes on the wire" "$(port_stat p2 wire_bytes)" 0
	send 1 2 -B -n 5
	sleep 0.1
	equal "packets" "$(stat p2 0 tx_packets)" 5
	equal "bytes on the wire" "$(port_stat p2 wire_bytes)" 0
	conserved
}

host_waits() { [ "$(host_stat 1 0 backlog)" = "$1" ]; }

# The host's own packets are limited by the buffer, 56 frames here, and the one
# on the link.
host_is_limited_by_the_buffer()
{
	llet_star 2
	host 1 rate 8kbit buffer 65536b
	h 1 timeout 0.5 lle_traffic send eth0 "$(mac 2)" -n 80
	# each of 1000 bytes occupies 2304, and twice the buffer may be occupied
	equal "queued" "$(host_stat 1 0 backlog_max)" 56000
	check "not dropped" test "$(host_stat 1 0 drops.limit_discard)" -gt 0
	host 1 rate 1gbit
	check "they stay" wait_for 1000 host_waits 0
	host 1 rate 8kbit
	h 1 timeout 0.5 lle_traffic send eth0 "$(mac 2)" -n 80
	equal "queued again" "$(host_stat 1 0 backlog)" 56000
}

llet_main
