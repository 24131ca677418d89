#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Stress for kernels that detect races. Their messages are the verdict
# (lab/uml-run.sh looks for them); the tests only require that the stress
# reached all interesting states, however long that takes, and left nothing
# behind.
#
#	h1, h2 --> p1, p2 [switch] p3 --> h3	lossless; p3 is overloaded
#	                           p4 --> h4	lossy, WRED; p4 is overloaded
#	h3, h4 ------------------> p1, p2	the opposite direction
#
# h3 and h4 are hosts that receive at any rate, or stop to receive; h1 also has
# TCP connections to h3.
#
# Under that congestion, many processes change, replace, read, move and remove
# everything at once, in batches, as starting a program is slow. A round takes
# ten seconds, or a thirtieth of the total; each begins with loading the
# modules. Every other round tears the testbed down under traffic.
#
# LLE_STRESS_SECONDS: total duration, without the time between rounds (60).

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/../net/lib.sh"
# shellcheck source=selftests/net/cn.sh
. "$(dirname "$0")/../net/cn.sh"

SECONDS_ALL=${LLE_STRESS_SECONDS:-60}
ROUND=$((SECONDS_ALL > 300 ? SECONDS_ALL / 30 : 10))
STOP=/tmp/stress.stop
SEEN=/tmp/stress.seen
CONNECTED=/tmp/stress.connected
# counters that must become nonzero on any port and priority of the switch; a
# replaced qdisc restarts at 0
COUNTERS=(tx_pause tx_resume rx_pause headroom_max ecn_marked drops.cong_discard
	drops.wred_discard drops.purge_discard rcm.identified)
RNIC=/sys/kernel/debug/lle_rnic
TRACING=/sys/kernel/tracing
MODULES=${LLE_MODULES:-/mods}

ALL_TESTS=
for ((i = 0; i < SECONDS_ALL; i += 2 * ROUND)); do
	ALL_TESTS+=" congested torn_down"
done
ALL_TESTS+=" unloads"

# slow links, so that the slowest kernels can fill them
COMMON="prio-pfc 3:on headroom 100k buffer 2m"
HOST="rate 40mbit $COMMON"
SWITCH="switch 7 deadlock alert fabric $COMMON"
PORT="rate 16mbit xoff 48k rcm on wred 3 kmin 6k kmax 20k pmax 50% ecn $SWITCH"
LOSSY="rate 4mbit xoff 12k wred 0 kmin 4k kmax 10k pmax 50% ecn $SWITCH"

# with two CPUs, KCSAN can watch more accesses than by default
WATCH=/sys/module/kcsan/parameters/skip_watch
[ ! -e $WATCH ] || echo 400 >$WATCH

# --- modules

unload()
{
	local module

	for module in lle_rnic tcp_ldcp sch_lossless lossless; do
		[ ! -d /sys/module/$module ] ||
			wait_for 20000 rmmod $module 2>/dev/null || return
	done
}

unloads()
{
	check "modules stay" unload
}

# load PARAMETER...: loads the modules, with parameters of lle_rnic
load()
{
	check "modules of the last round stay" unload
	insmod "$MODULES/lossless.ko"
	insmod "$MODULES/sch_lossless.ko"
	insmod "$MODULES/tcp_ldcp.ko"
	# timers that a slow kernel can keep up with
	insmod "$MODULES/lle_rnic.ko" line_mbps=40 mtu=1024 rto_us=200000 \
		cnp_us=2000 dcqcn_min_mbps=1 dcqcn_cut_us=2000 \
		dcqcn_timer_us=6000 dcqcn_alpha_us=4000 "$@"
}

# --- actions, each in a process of its own

# until_stopped COMMAND...: repeats COMMAND until the round ends
until_stopped()
{
	while [ ! -e $STOP ]; do
		"$@"
	done >/dev/null 2>&1
}

act()
{
	until_stopped "$@" &
	actors+=($!)
}

# Kernel endpoints send from softirqs, the other senders are processes.
traffic()
{
	printf '%s\n' "0 1000000000 192.0.2.1 192.0.2.3 3" \
		"0 1000000000 192.0.2.3 192.0.2.1 3" \
		"0 1000000000 192.0.2.2 192.0.2.4 0" >$RNIC/flows
	echo "start +1000000" >$RNIC/control
	act send 2 3 -n 2000 -d 24 -e 2 -s 700
	act send 4 2 -n 1000 -d 24 -s 1514 -r 7
	act send 1 4 -n 1000 -s 300 -e 1 -g 1000000
	act send 2 4 -n 1000 -s 400 -g 2000000
}

# Sockets open and close; the parameters of their congestion control change.
sockets()
{
	timeout 10 ip netns exec h1 iperf3 -c 127.0.0.2 -n 400K -P 4
	h 1 losslessctl ldcp
	# leave the CPU to others
	sleep 0.5
}

# A connection through the switch, beside the traffic of kernel endpoints, to an
# echo server. Several run at once, as a connection with a lost packet may wait
# for its whole time.
connection()
{
	local bytes

	bytes=$(head -c 20000 /dev/zero | ip netns exec h1 timeout 20 \
		socat -t 20 - TCP:192.0.2.3:5201,tos=0x60 | wc -c)
	[ "$bytes" != 20000 ] || : >$CONNECTED
}

connections()
{
	local i

	for i in 1 2 3 4; do
		connection &
	done
	wait
	sleep 0.2
}

settings()
{
	# shellcheck disable=SC2016 # for the shell in there
	h 1 bash -c 'cd /proc/sys/net/ldcp && for ((i = 0; i < 20; i++)); do
		echo $((RANDOM % 2)) >mode
		echo $((RANDOM % 1024 + 1)) >gamma
		echo $((RANDOM % 64 + 1)) >min_window
		echo $((RANDOM % 50 + 1)) >initial_window
		read -r value </proc/net/ldcp
	done'
	sleep 0.1
}

# Servers for these sockets. The path marks packets, many small ones rather than
# few large ones, and drops packets that cannot be marked. A socket that lost
# its peer gives up within the end of a round.
serve()
{
	ip -n h1 link set lo up mtu 1500 gso_max_segs 2
	ip -n h1 route replace local 127.0.0.2 dev lo table local congctl ldcp
	h 1 sysctl -qw net.ipv4.tcp_ecn=1 net.ipv4.tcp_orphan_retries=1
	tc -n h1 qdisc replace dev lo root netem rate 40mbit loss 5% ecn
	ip netns exec h1 setsid iperf3 -s -B 127.0.0.2 >/dev/null 2>&1 &
	servers=($!)
	# without ARP, nothing is flooded
	ip -n h1 neigh replace 192.0.2.3 lladdr "$(mac 3)" dev eth0
	ip -n h3 neigh replace 192.0.2.1 lladdr "$(mac 1)" dev eth0
	ip -n h1 route replace 192.0.2.3 dev eth0 congctl ldcp
	ip netns exec h3 setsid socat -T 20 TCP-LISTEN:5201,fork,reuseaddr,tos=0x60 PIPE \
		2>/dev/null &
	servers+=($!)
}

# ldcp COUNTER: value of a counter of LDCP
ldcp() { h 1 sed -n "s/^$1 //p" /proc/net/ldcp; }

# times N COMMAND...: prints a batch of the output of COMMAND
times()
{
	local n=$1 i

	shift
	for ((i = 0; i < n; i++)); do
		"$@"
	done
}

change_line()
{
	local rates=(12 16 24) marks=(44 48 60) delays=(0 1 5) quanta=(500 9000 65535)
	local reactions=(off alert lossless drop) bools=(on off)
	local young=(0 20)

	echo "qdisc change dev p$((RANDOM % 3 + 1)) root lossless" \
		"rate ${rates[RANDOM % 3]}mbit xoff ${marks[RANDOM % 3]}k" \
		"delay ${delays[RANDOM % 3]}ms pause-quanta ${quanta[RANDOM % 3]}" \
		"deadlock ${reactions[RANDOM % 4]}" \
		"rcm ${bools[RANDOM % 2]} rcm-host-cn ${bools[RANDOM % 2]}" \
		"rcm-las ${young[RANDOM % 2]}"
}

change_lossy_line()
{
	local pfc=(3:on all:off 0:on) alphas=(1/4 1 8) limits=(8k 30k) stricts=(8 0)

	echo "qdisc change dev p4 root lossless nowred prio-pfc ${pfc[RANDOM % 3]}" \
		"alpha ${alphas[RANDOM % 3]} limit ${limits[RANDOM % 2]}" \
		"bands 8 strict ${stricts[RANDOM % 2]} reserved $((RANDOM % 2000))b clearmax"
	echo "qdisc change dev p4 root lossless nolimit prio-pfc all:off $LOSSY"
}

change()
{
	local refused

	refused=$(times 10 change_line | tc -n sw -force -batch - 2>&1 | grep -c '^Command failed')
	echo "changed $((10 - refused))" >>$SEEN
	times 5 change_lossy_line | tc -n sw -force -batch -
}

role_line()
{
	local rates=(stopped 1mbit 10mbit unlimited)

	echo "qdisc change dev eth0 root lossless role host rx-rate ${rates[RANDOM % 4]}"
}

# Hosts receive too slowly, and at the end at full speed. h4 is at times an
# endpoint without a receive buffer.
roles()
{
	local i

	for i in 3 4; do
		times 5 role_line | tc -n h$i -force -batch -
		echo "slow_host $(host_stat $i 3 tx_pause)" >>$SEEN
		echo "qdisc change dev eth0 root lossless role host rx-rate unlimited" |
			tc -n h$i -force -batch -
	done
	tc -n h4 qdisc change dev eth0 root lossless role switch
	sleep 0.1
}

replace_line()
{
	echo "qdisc replace dev p$((RANDOM % 3 + 1)) root handle $((RANDOM % 9 + 1)):" \
		"lossless $PORT"
}

replace()
{
	times 5 replace_line | tc -n sw -force -batch -
	tc -n sw qdisc del dev p2 root
	tc -n sw qdisc add dev p2 root handle 1: lossless $PORT
	tc -n h3 qdisc replace dev eth0 root handle $((RANDOM % 9 + 1)): lossless $HOST
	sleep 0.1
}

links()
{
	printf 'link set p%s\n' "2 down" "2 up" "4 mtu 1600" "4 down" "4 up" "4 mtu 1500" |
		ip -n sw -force -batch -
	printf 'link set eth0 %s\n' down "mtu 1600" up "mtu 1500" | ip -n h4 -force -batch -
	sleep 0.2
}

bridge_moves()
{
	ip -n sw link set p4 nomaster
	ip -n sw link set p4 master br0
	bridge -n sw link set dev p4 learning off flood off
	bridge -n sw fdb replace "$(mac 4)" dev p4 master static
	sleep 0.3
}

# A host appears, sends, and disappears with its namespace; its port disappears
# with it, or moved there before.
namespaces()
{
	ip netns add h5
	ip link add eth0 netns h5 type veth peer name p5 netns sw
	ip -n h5 link set eth0 up
	ip -n sw link set p5 master br0 up
	port 5 $PORT
	host 5 $HOST
	sw losslessctl path set -a 2 p5 p4
	send 5 3 -n 200 -d 24 -e 2
	[ $((RANDOM % 2)) = 0 ] || ip -n sw link set p5 netns h5
	ip netns del h5
}

read_netlink()
{
	printf '%s\n' "qdisc show" "class show dev p1" "class show dev p3" "qdisc show" \
		"class show dev p4" "qdisc show" | tc -n sw -s -force -batch -
	cat $RNIC/results $RNIC/hosts $RNIC/bins
	tc -n sw -s -j qdisc show | lle_json "${COUNTERS[@]/#/.[].prios[].}" |
		paste -d ' ' <(printf '%s\n' "${COUNTERS[@]}") - >>$SEEN
}

# Flows are spread over ports, although these lead to different hosts.
paths()
{
	sw losslessctl path set -a 1 p1 p2 p3
	sw losslessctl path show
	sw losslessctl congestion show
	sw losslessctl path set -g $((RANDOM * 10)) 1 p3 p1
	sw losslessctl path del 1
	sw losslessctl path del 2
}

# reads all files in one process
read_sysfs()
{
	# shellcheck disable=SC2016 # for the shell in there
	sw bash -c 'for file in /sys/class/net/p*/lossless/prio*/*; do
		read -r value <"$file"
	done'
}

trace()
{
	echo 1 >$TRACING/events/lossless/enable
	sleep 0.1
	head -n 1000 $TRACING/trace
	echo 0 >$TRACING/events/lossless/enable
}

# Unsolicited pauses, deadlock probes, holds without congestion, malformed
# frames, and an impatient administrator.
hostile()
{
	local i opcodes=(0101 010100ff 0001ffff 9999)
	local probe=dc11680100010001010001000000000000010100010100013858

	for i in 3 4; do
		h $i lle_traffic raw eth0 "0180c2000001020000000001880801010008$(
			printf '000000000000%04x0000000000000000' $((RANDOM % 9000)))$probe"
		h $i lle_traffic raw eth0 \
			"0180c200000102000000000188b5$probe$(printf '%040d' 0)"
		h $i lle_traffic raw eth0 "$(note $((++sequence)) "$(name $((i - 2)))")"
		pfc $i 0xff $((RANDOM % 300)) 0 0 $((RANDOM % 9000 + 1)) 10 10 10 10
		h $i lle_traffic raw eth0 \
			"0180c20000010200000000018808${opcodes[RANDOM % 4]}"
	done
	rmmod sch_lossless
}

# --- a round

# begin PARAMETER...: testbed, traffic, and all actions for the time of a round
begin()
{
	local i

	rm -f $STOP $SEEN $CONNECTED
	actors=()
	load "$@"
	# last, so that the switch disappears before its traffic
	defer stop
	llet_star 4
	llet_ports 3 $PORT
	port 4 $LOSSY
	for i in 1 2 3 4; do
		host $i $HOST
	done
	traffic
	serve
	for i in sockets connections settings change replace roles links bridge_moves namespaces \
		read_netlink paths read_sysfs trace hostile; do
		act $i
	done
	sleep $ROUND
}

stop()
{
	touch $STOP
	# with their child processes
	kill -- "${servers[@]/#/-}" 2>/dev/null
	wait "${actors[@]}" "${servers[@]}"
	ip netns del h5 2>/dev/null
	echo clear >$RNIC/control
}

empty()
{
	local what

	for what in occupancy headroom backlog tx_paused; do
		[ "$(sum ".$what")" = 0 ] || return
	done
	[ "$(port_stat p1 shared_used)" = 0 ]
}

# was WHAT COMMAND...: COMMAND succeeds, however slow the machine is
was() { check "no $1" wait_for 5000 "${@:2}"; }

seen() { grep -q "^$1 [1-9]" $SEEN; }
marked() { [ "$(ldcp marked)" -gt 0 ]; }
h1_paused() { [ "$(host_stat 1 3 rx_pause)" -gt 0 ]; }

congested()
{
	begin
	was "marks of LDCP" marked
	was "TCP connection through the switch" test -e $CONNECTED
	was "pauses sent" seen tx_pause
	was "resumes sent" seen tx_resume
	was "pauses received by a host" h1_paused
	was "pauses received by the switch" seen rx_pause
	was "pauses sent by a slow host" seen slow_host
	was "packets in headroom" seen headroom_max
	was "marks" seen ecn_marked
	was "drops of the shared buffer" seen drops.cong_discard
	was "drops of WRED" seen drops.wred_discard
	was "packets dropped with their qdisc" seen drops.purge_discard
	was "flows identified by RCM" seen rcm.identified
	was "options that are changed" seen changed
	stop
	check "something is left" wait_for 20000 empty
	echo "# $(sum .rx_packets) packets, $(sum .tx_pause) pauses sent," \
		"$(sum .rx_pause) received, $(sum .ecn_marked) marks," \
		"$(sum .drops[]) drops, $(sed -n 's/^rcm.identified //p' $SEEN | sort -n | xargs) found by RCM," \
		"$(sw cat /sys/class/net/p3/lossless/rcm_cn_received) notifications received by p3," \
		"$(ldcp marked) of $(ldcp packets) packets marked for LDCP"
}

# Namespaces are removed while all actions run.
torn_down()
{
	begin cc=dcqcn
}

llet_main
