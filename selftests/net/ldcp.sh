#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# LDCP for TCP sockets, and for the RoCEv2 endpoints of lle_rnic.ko, on hosts of
# a testbed of lle-testbed: lle-h1 and lle-h2 send to lle-h3.

ALL_TESTS="unload no_socket first_rtt first_rtt_v6 first_rtt_ip6tnl first_rtt_vxlan first_rtt_vrf first_rtt_ipvlan
	fast_start first_window echo_exact below_one below_one_fq no_ecn route parameters
	roce_first_rtt roce_goes_back roce_marks roce_rate"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

CC=/proc/sys/net/ldcp
RNIC=/sys/kernel/debug/lle_rnic

# testbed WRED...: of all ports of the switch; links: RATE and DELAY
testbed()
{
	llet_load tcp_ldcp
	check "no testbed" lle-testbed up star 3 --rate "${RATE:-20mbit}" \
		--delay "${DELAY:-1ms}" --arp \
		--edge "prio-pfc all:off alpha 8 wred 3 $*" --host "prio-pfc all:off" >/dev/null
	defer down
	check "a port does not forward" wait_for 5000 forwards
}

forwards() { [ "$(bridge -n lle-sw link | grep -vc 'state forwarding')" = 0 ]; }

down() { lle-testbed down 2>/dev/null; }

# at I COMMAND...: in host I
at() { ip netns exec "lle-h$1" "${@:2}"; }

# path I WORD...: attributes of the route from host I to host 3, see ip-route(8)
path() { ip -n "lle-h$1" route replace 10.0.0.3 dev eth0 "${@:2}"; }

# stat_of I NAME: counter of the sockets of host I
stat_of() { at "$1" sed -n "s/^$2 *//p" /proc/net/ldcp; }

# flows "I BYTES"...: from host I to host 3, priority 3; lines "I RECEIVED
# RETRANS MARKED"
flows()
{
	local flow

	for flow in "$@"; do
		# shellcheck disable=SC2086 # two words
		set -- $flow
		echo "0 $2 10.0.0.$1 10.0.0.3 3"
	done | lle_tcp ldcp 60 | awk -F, 'NR > 1 { sub(/.*\./, "", $2); print $2, $8, $9, $11 }'
}

marked() { tc -n lle-sw -s -j qdisc show dev "$1" root | lle_json ".[0].prios[3].ecn_marked"; }

# capture [DEV]: records what host 1 sends from now on
capture()
{
	: >/tmp/tcpdump
	# with whole packets its buffer would hold eight of a tunnel
	ip netns exec lle-h1 tcpdump -nn -s 200 -U --immediate-mode -i "${1:-eth0}" -Q out -w /tmp/sent \
		"greater 200" 2>/tmp/tcpdump &
	capturer=$!
	defer end_capture
	check "no capture" wait_for 5000 grep -q 'listening on' /tmp/tcpdump
}

end_capture() { kill $capturer 2>/dev/null; }

# ECN fields of the captured packets, in order: 0 is Not-ECT, 2 is ECT
fields()
{
	sleep 0.3
	end_capture
	tcpdump -nn -v -r /tmp/sent 2>/dev/null |
		sed -n 's/.*tos 0x.\(.\),.*/\1/p; s/.*IP6 (class 0x.\(.\),.*/\1/p
			s/.*IP6 (flow.*/0/p' | tr -d '\n'
}

# repeat N WORD: prints WORD N times
repeat() { printf "%$1s" | sed "s/ /$2/g"; }

# A reset has no TCP socket: KASAN reports if its socket is used as one.
no_socket()
{
	testbed kmin 3k kmax 30k pmax 100% ecn
	check "a connection" not at 1 bash -c "exec 3<>/dev/tcp/10.0.0.3/9" 2>/dev/null
}

# Segments of the first RTT are Not-ECT, except the last three of the window or
# of the available data; later ones are ECT.
first_rtt()
{
	testbed kmin 100k kmax 200k pmax 1% ecn
	path 1 initcwnd 30
	capture
	equal "received" "$(flows "1 30000")" "1 30000 0 0"
	equal "shorter than the window" "$(fields)" "$(repeat 18 0)222"

	path 1 initcwnd 10
	capture
	equal "received" "$(flows "1 60000")" "1 60000 0 0"
	equal "longer" "$(fields)" "$(repeat 7 0)$(repeat 35 2)"
}

# with_v6 DEV PREFIX: hosts 1 and 3 have addresses PREFIX::1 and PREFIX::3
with_v6()
{
	local i

	for i in 1 3; do
		at $i sysctl -q -w "net.ipv6.conf.$1.disable_ipv6=0"
		ip -n lle-h$i addr add "$2::$i/64" dev "$1" nodad
	done
}

# first_rtt_of_v6 DEV PREFIX FIELDS: sockets get LDCP from routes
first_rtt_of_v6()
{
	ip -n lle-h1 route add "$2::3" dev "$1" congctl ldcp initcwnd 30
	ip -n lle-h3 route add "$2::1" dev "$1" congctl ldcp
	at 3 iperf3 -s -D
	defer pkill -x iperf3
	check "no server" wait_for 5000 eval 'at 3 ss -Hltn | grep -q 5201'
	capture "$1"
	# the server discards the data
	at 1 bash -c "dd if=/dev/zero bs=29000 count=1 2>/dev/null >/dev/tcp/$2::3/5201"
	equal "fields" "$(fields)" "$3"
	equal "sent again" "$(stat_of 1 first_rtt_lost)" 0
}

# The same with IPv6
first_rtt_v6()
{
	testbed kmin 100k kmax 200k pmax 1% ecn
	with_v6 eth0 2001:db8
	first_rtt_of_v6 eth0 2001:db8 "$(repeat 18 0)222"
}

# first_rtt_in TYPE OPTION...: in a tunnel over IPv6 each packet is sent, and
# captured, twice
first_rtt_in()
{
	local i

	testbed kmin 100k kmax 200k pmax 1% ecn
	with_v6 eth0 2001:db8
	for i in 1 3; do
		ip -n lle-h$i link add tunnel mtu 1400 type "$1" \
			local 2001:db8::$i remote 2001:db8::$((4 - i)) "${@:2}" 2>/dev/null ||
			{ llet_skip "the kernel has no $1"; return; }
	done
	with_v6 tunnel 2001:db8:1
	for i in 1 3; do
		ip -n lle-h$i link set tunnel up
	done
	first_rtt_of_v6 tunnel 2001:db8:1 "$(repeat 19 0)222"
}

first_rtt_ip6tnl() { first_rtt_in ip6tnl mode ip6ip6 encaplimit none; }
first_rtt_vxlan() { first_rtt_in vxlan id 5246976 dstport 4789; }

# behind DEV ROUTE...: a sink at host 3, and the route of host 1 to it
behind()
{
	local i

	for i in 1 3; do
		ip -n lle-h$i neigh replace "10.0.0.$((4 - i))" dev eth0 nud permanent \
			lladdr "$(at $((4 - i)) cat /sys/class/net/eth0/address)"
	done
	ip -n lle-h1 route add 10.0.0.3 "$@" congctl ldcp initcwnd 30
	ip -n lle-h3 route add 10.0.0.1 dev eth0 congctl ldcp
	at 3 iperf3 -s -D
	defer pkill -x iperf3
	check "no server" wait_for 5000 eval 'at 3 ss -Hltn | grep -q 5201'
}

# first_rtt_behind DEV: each packet passes the hook twice, and is one of the first RTT
first_rtt_behind()
{
	capture
	# 25 is SO_BINDTODEVICE, 0x60 priority 3; the server discards the data
	at 1 python3 -c "import socket
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, 25, b'$1')
s.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0x60)
s.connect(('10.0.0.3', 5201))
s.send(bytes(30000))"
	equal "fields" "$(fields)" "$(repeat 18 0)222"
	equal "sent again" "$(stat_of 1 first_rtt_lost)" 0
}

first_rtt_vrf()
{
	has vrf table 7 || return 0
	testbed kmin 100k kmax 200k pmax 1% ecn
	ip -n lle-h1 link add red up type vrf table 7
	ip -n lle-h1 link set eth0 master red
	behind dev eth0 table 7
	first_rtt_behind red
	# with a queue, a VRF sends what it has got from the first pass
	tc -n lle-h1 qdisc add dev red root pfifo
	first_rtt_behind red
}

first_rtt_ipvlan()
{
	testbed kmin 100k kmax 200k pmax 1% ecn
	ip -n lle-h1 link add v0 link eth0 type ipvlan mode l3 2>/dev/null ||
		{ llet_skip "the kernel has no ipvlan"; return; }
	ip -n lle-h1 addr flush dev eth0
	ip -n lle-h1 addr add 10.0.0.1/32 dev v0
	ip -n lle-h1 link set v0 up
	ip -n lle-h1 route add 10.0.0.0/24 dev eth0
	behind dev v0
	first_rtt_behind v0
}

# On an idle path, a message of a BDP needs the ideal time: 26 packets of 1538
# bytes at 4 Mbit/s, the last one twice, and two delays of 20 ms.
fast_start()
{
	local ideal_us=$((27 * 1538 * 8 / 4 + 2 * 20000)) us

	RATE=4mbit DELAY=20ms testbed kmin 3k kmax 83k pmax 100% nonect 83k ecn
	path 1 initcwnd 26
	us=$(echo "0 $((26 * 1448)) 10.0.0.1 10.0.0.3 3" | lle_tcp -c ldcp 20 |
		awk -F, 'NR > 1 { printf "%.0f", ($7 - $6) / 1000 }')
	echo "# $us us, at best $ideal_us"
	check "slower" test "$us" -le $((ideal_us * 110 / 100))
	check "impossible" test "$us" -ge $((ideal_us * 99 / 100))
}

# message_us BEGIN_MS: completion time of 100 packets on a connection that begins
# 100 ms before 0 and has no data before
message_us()
{
	echo "${1}000000 $((100 * 1448)) 10.0.0.1 10.0.0.3 3" | lle_tcp -c ldcp 20 |
		awk -F, 'NR > 1 { printf "%.0f", ($7 - $6) / 1000 }'
}

# A connection has a receive window of 145 KB from its second RTT on, if the
# route of the receiver has that. The window field of a SYN-ACK has 64 KB at
# most: with it the sender waits for the first ACK after 45 packets, for an RTT
# of 160 ms less 28 ms. The connection is established after 160 ms; the ACK with
# the scaled window arrives 160 ms later.
first_window()
{
	local ideal_us=$((101 * 1538 * 8 / 20 + 2 * 40000)) us

	RATE=20mbit DELAY=40ms testbed kmin 3k kmax 400k pmax 100% nonect 400k ecn
	path 1 initcwnd 100
	us=$(message_us 400)
	echo "# $us us, at best $ideal_us"
	check "no limit of 64 KB" test "$us" -ge $((ideal_us + 100000))
	ip -n lle-h3 route replace 10.0.0.1 dev eth0 initrwnd 100
	us=$(message_us 400)
	echo "# $us us with initrwnd"
	check "slower" test "$us" -le $((ideal_us * 105 / 100))
	check "impossible" test "$us" -ge $((ideal_us * 99 / 100))
	# established at 60 ms; the sender waits for that ACK from 128 to 220 ms
	us=$(message_us 100)
	echo "# $us us with initrwnd, at once"
	check "the window is used before it is known" test "$us" -ge $((ideal_us + 90000))
	equal "lost" "$(awk '$1 == "Tcp:" && $2 ~ /[0-9]/ { print $13 }' <(at 1 cat /proc/net/snmp))" 0
}

# Each mark is echoed exactly once.
echo_exact()
{
	local marks

	testbed kmin 5k kmax 60k pmax 100% nonect 30k ecn
	flows "1 1500000" "2 1500000" >/tmp/flows
	marks=$(awk '{ n += $4 } END { print n }' /tmp/flows)
	check "no marks" test "$marks" -gt 50
	equal "seen by senders" "$marks" "$(marked s1p3)"
	equal "received" "$(awk '{ print $1, $2 }' /tmp/flows | xargs)" "1 1500000 2 1500000"
	echo "# $marks marks"
}

# backlog PORT: bytes of priority 3
backlog() { tc -n lle-sw -s -j qdisc show dev "$1" root | lle_json ".[0].prios[3].backlog"; }

# 48 flows share a link that holds seven packets; with one packet per flow in
# flight 41 would wait, 62 KB.
below_one()
{
	testbed kmin 3k kmax 30k pmax 100% nonect 60k ecn
	many_flows
}

# The same paced by sch_fq, which receives the time of transmission.
below_one_fq()
{
	testbed kmin 3k kmax 30k pmax 100% nonect 60k ecn
	for i in 1 2; do
		check "no fq" tc -n lle-h$i qdisc replace dev eth0 root fq
	done
	many_flows
}

many_flows()
{
	local flows=() i queue=() median

	path 1 initcwnd 2
	path 2 initcwnd 2
	for ((i = 0; i < 24; i++)); do
		flows+=("1 200000" "2 200000")
	done
	flows "${flows[@]}" >/tmp/flows &
	# all flows begin at once
	sleep 1
	for ((i = 0; i < 15; i++)); do
		sleep 0.1
		queue+=("$(backlog s1p3)")
	done
	wait $!
	echo "# ${queue[*]} bytes wait"
	median=$(printf '%s\n' "${queue[@]}" | sort -n | sed -n 8p)
	check "they wait" test "$median" -lt 31000
	check "the link waits" test "$median" -gt 1500
	equal "received" "$(awk '$2 == 200000' /tmp/flows | wc -l)" 48
	# a flow that waits for its pacing timer is not idle
	for i in 1 2; do
		equal "started again" "$(stat_of $i restarts)" 0
	done
}

# sending I...: hosts that send for seconds, with the congestion control of
# their route
sending()
{
	local i

	for i in "$@"; do
		echo "0 100000000 10.0.0.$i 10.0.0.3 3"
	done | lle_tcp - 60 >/dev/null &
	sender=$!
	defer stop_sending
	check "nothing is sent" wait_for 5000 eval 'at 3 ss -Htin | grep -q bytes_received'
}

stop_sending() { kill $sender 2>/dev/null; }

# cc I: congestion control of the connection of host I
cc() { at "$1" ss -Htin | grep -o 'ldcp-reno\|ldcp\|cubic' | head -n 1; }

# With a peer without LDCP and ECN, a flow uses Reno without ECN.
no_ecn()
{
	testbed kmin 100k kmax 200k pmax 1% ecn
	path 1 congctl ldcp initcwnd 30
	capture
	sending 1
	equal "its congestion control" "$(cc 1)" ldcp-reno
	equal "ECN fields" "$(fields | tr -d 0)" ""
}

# Flows use LDCP if their route says so; others do not.
route()
{
	testbed kmin 100k kmax 200k pmax 1% ecn
	path 1 congctl ldcp
	ip -n lle-h3 route replace 10.0.0.1 dev eth0 congctl ldcp
	sending 1 2
	equal "with the route" "$(cc 1)" ldcp
	equal "without" "$(cc 2)" cubic
}

set_in() { at "$1" bash -c "echo $3 >$CC/$2" 2>/dev/null; }
get_in() { at "$1" cat "$CC/$2"; }

parameters()
{
	testbed kmin 100k kmax 200k pmax 1% ecn
	check "set" set_in 1 gamma 128
	equal "here" "$(get_in 1 gamma)" 128
	equal "there" "$(get_in 2 gamma)" 256
	check "draft" set_in 1 mode 1
	check "a mode that is none" not set_in 1 mode 2
	check "beta 0" not set_in 1 beta 0
	check "beta of two packets" not set_in 1 beta 2048
	check "growth that does not meet" not eval 'set_in 2 alpha 100'
	equal "as before" "$(get_in 2 alpha)" 1024
}

not() { ! "$@"; }

# A socket with LDCP keeps the module loaded.
unload()
{
	testbed kmin 100k kmax 200k pmax 1% ecn
	path 1 congctl ldcp
	ip -n lle-h3 route replace 10.0.0.1 dev eth0 congctl ldcp
	sending 1
	equal "its congestion control" "$(cc 1)" ldcp
	check "unloaded while it is used" not rmmod tcp_ldcp 2>/dev/null
	stop_sending
	# written data is still sent, and keeps the socket
	check "sockets stay" wait_for 20000 eval '! at 1 ss -Htan | grep -qv "LISTEN\|TIME-WAIT"'
	lle-testbed down
	check "is not unloaded" wait_for 5000 eval 'rmmod tcp_ldcp 2>/dev/null'
	llet_load tcp_ldcp
}

# --- RoCEv2

rnic_unload()
{
	echo clear >$RNIC/control
	wait_for 5000 eval 'rmmod lle_rnic 2>/dev/null'
}

# rnic PARAMETER...: loads the endpoints for this test
rnic()
{
	# depth: send the whole window at once; when the link is free would be
	# after an RTT
	insmod "${LLE_MODULES:-/mods}/lle_rnic.ko" line_mbps=20 dcqcn_min_mbps=1 \
		rto_us=2000000 depth=100 "$@"
	defer rnic_unload
}

all_done() { [ "$(awk -F, 'NR > 1 && $9 < 0' $RNIC/results)" = "" ]; }

# messages LINE...: of lle_rnic.ko; waits until all are acknowledged
messages()
{
	echo clear >$RNIC/control
	printf '%s\n' "$@" >$RNIC/flows
	echo "start +1000000" >$RNIC/control
	check "not all is acknowledged" wait_for 20000 all_done
}

# sum COLUMN: of the results
sum() { awk -F, -v c="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) n = i } NR > 1 { s += $n } END { print s + 0 }' $RNIC/results; }

# Packets of the first RTT are Not-ECT, except the last one of the window or of
# the message; later ones are ECT.
roce_first_rtt()
{
	testbed kmin 100k kmax 200k pmax 1% ecn
	rnic cc=ldcp ldcp_iw=20
	capture
	messages "0 16384 10.0.0.1 10.0.0.3 3"
	equal "shorter than the window" "$(fields)" "$(repeat 15 0)2"

	capture
	messages "0 40960 10.0.0.1 10.0.0.3 3"
	equal "longer" "$(fields)" "$(repeat 19 0)$(repeat 21 2)"
}

# Drops of the first RTT are repeated after one NAK, not after a time-out.
roce_goes_back()
{
	testbed kmin 4k kmax 40k pmax 100% nonect 8k ecn
	rnic cc=ldcp ldcp_iw=30
	messages "0 30720 10.0.0.1 10.0.0.3 3" "0 30720 10.0.0.2 10.0.0.3 3"
	check "nothing was dropped" test "$(sum retrans)" -gt 5
	equal "received" "$(sum received)" 61440
	equal "time-outs" "$(awk -F, 'NR > 1 { n += $3 } END { print n }' $RNIC/hosts)" 0
}

# marks by the switch = marks seen; the queue stays below K_max
roce_marks()
{
	testbed kmin 4k kmax 40k pmax 100% nonect 22k ecn
	rnic cc=ldcp ldcp_iw=2
	messages "0 2000000 10.0.0.1 10.0.0.3 3" "0 2000000 10.0.0.2 10.0.0.3 3"
	equal "marked" "$(sum marked)" "$(marked s1p3)"
	check "never" test "$(sum marked)" -gt 50
	equal "sent again" "$(sum retrans)" 0
	check "queue" test "$(tc -n lle-sw -s -j qdisc show dev s1p3 root |
		lle_json ".[0].prios[3].backlog_max")" -lt 40000
}

# Without ACKs that echo marks, LDCP uses CNPs and RTTs.
roce_rate()
{
	testbed kmin 4k kmax 40k pmax 100% ecn
	check "LDCP without ACKs" not insmod "${LLE_MODULES:-/mods}/lle_rnic.ko" \
		cc=ldcp ack_every=16 2>/dev/null
	rnic cc=ldcp-rate cnp_us=0 ldcp_iw=10 depth=2
	messages "0 1000000 10.0.0.1 10.0.0.3 3" "0 1000000 10.0.0.2 10.0.0.3 3"
	check "no CNP" test "$(sum cnps)" -gt 20
	equal "sent again" "$(sum retrans)" 0
}

llet_main
