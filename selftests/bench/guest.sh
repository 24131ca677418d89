#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest. The guest counts instructions as time: nanoseconds per
# packet are instructions per packet. Writes lines of GROUP, NAME and FIGURE to
# $OUT/figures, with tabs. GROUPS_TO_RUN: some of these groups. QDISCS: those of
# the first two.
#
#   insn_per_packet  pktgen -> dev_queue_xmit -> qdisc -> dummy
#   bridged          pktgen -> veth -> bridge -> qdisc -> veth -> netns
#   no_rate.dummy    like the first, without an emulated rate
#   no_rate.bridged  like the second, likewise
#   features         as bridged, with one feature of the qdisc more or less
#   daemon           as bridged, while losslessd runs
#   deadlock         as bridged, with deadlock detection off and on
#   rcm              as bridged, with RCM off and on
#   rcm_full         as rcm, with a full link: packets wait, and with RCM all
#                    of them are isolated
#   group            as bridged, with a path group of two ports to the netns:
#                    the packet leaves on the port of the FDB, or on the other
#   ports            as bridged, in a switch with that many ports
#   smp              two CPUs, packets a second: two pairs of ports of one switch,
#                    and of two switches, in turn. Not with icount
#   pairs            the qemu plugin counts runs of two pairs of ports: of two
#                    switches, then of one
#   ldcp             segments of TCP, without GSO, and an ACK for each, with DCTCP
#                    and LDCP, and with the delayed ACKs of DCTCP: through lossless
#                    ports of 100 Mbit/s that mark. The idle CPU does not count
#   ldcp_calls       the qemu plugin counts what tcp_ldcp and the functions that it
#                    calls execute of that
#   bulk_tcp         TCP instead of pktgen; the qemu plugin counts each transfer,
#                    and $OUT/marked has the names
#
# Figures are compared with one without a qdisc. The bridge finds addresses in
# hash chains of random length, which change with its ports: after that, the
# figure without a qdisc is measured again.
#
# Each figure is the median of ROUNDS runs of COUNT packets, because a timer
# tick or an RCU callback falls into some runs.
#
# PROFILE="GROUP NAME": the qemu plugin counts one more run of that figure.

set -euo pipefail

ROUNDS=${ROUNDS:-5}
COUNT=10000
SIZE=1000
SETTLE=0	# seconds after a run: time to drain the queues

LOSSLESS="prio-pfc 3:on wred 3 kmin 400k kmax 1600k pmax 20% ecn \
	wred 0 kmin 400k kmax 1600k pmax 20% ecn"

# add_NAME DEVICE: installs the qdisc NAME as the root of DEVICE
add_noqueue()	{ :; }
add_pfifo()	{ tc qdisc add dev "$1" root handle 1: pfifo limit 1000; }
add_tbf()	{ tc qdisc add dev "$1" root handle 1: tbf rate 100gbit burst 1m limit 10m; }
add_fq_codel()	{ tc qdisc add dev "$1" root handle 1: fq_codel; }
add_cake()	{ tc qdisc add dev "$1" root handle 1: cake unlimited no-split-gso; }
add_ets()	{ tc qdisc add dev "$1" root handle 1: ets bands 8 strict 4; }
add_lossless()	{
	# shellcheck disable=SC2086 # lists of words
	tc qdisc add dev "$1" root handle 1: lossless ${RATE:-rate 100gbit} \
		buffer "${BUFFER:-12m}" $LOSSLESS ${OPTIONS:-}
}
add_lossless_split() { OPTIONS=split-gso add_lossless "$1"; }
red()	{ tc qdisc add dev "$1" parent "$2" red limit 4m min 400k max 1600k avpkt 1000 ecn; }
add_tbf_prio_red()
{
	add_tbf "$1"
	tc qdisc add dev "$1" parent 1: handle 2: prio bands 3
	red "$1" 2:1; red "$1" 2:2; red "$1" 2:3
}
add_htb_red()
{
	tc qdisc add dev "$1" root handle 1: htb default 1
	tc class add dev "$1" parent 1: classid 1:1 htb rate 100gbit quantum 60000
	red "$1" 1:1
}
[ -n "${QDISCS:-}" ] || QDISCS='noqueue pfifo tbf ets tbf_prio_red htb_red lossless'

pg() { echo "$2" > "/proc/net/pktgen/$1"; }

# pktgen_setup THREAD DEVICE MODE MAC
pktgen_setup()
{
	pg "$1" rem_device_all
	pg "$1" "add_device $2"
	pg "$2" "count $COUNT"
	pg "$2" "pkt_size $SIZE"
	pg "$2" "delay 0"
	pg "$2" "xmit_mode $3"
	pg "$2" "dst 192.0.2.2"
	pg "$2" "dst_mac $4"
	pg "$2" "tos 68"	# hexadecimal: DSCP 26, priority 3
}

# run_once DEVICE MODE MAC: prints the instructions per packet of one run
run_once()
{
	local used

	pktgen_setup kpktgend_0 "$@"
	pg pgctrl start
	used=$(sed -n 's/^Result: OK: \([0-9]*\)(.*/\1/p' "/proc/net/pktgen/$1")
	echo $((used * 1000 / COUNT))
	sleep "$SETTLE"
}

# median NAME DEVICE MODE MAC: prints the median of some runs
median()
{
	local i name=$1

	shift
	run_once "$@" > /dev/null	# caches and slabs warm up
	for ((i = 0; i < ROUNDS; i++)); do
		run_once "$@"
	done | sort -n | sed -n "$((ROUNDS / 2 + 1))p"
	if [ "$GROUP $name" = "${PROFILE:-}" ]; then
		mark begin
		run_once "$@" > /dev/null
		mark end
	fi
}

# figure NAME VALUE
figure() { printf '%s\t%s\t%s\n' "$GROUP" "$1" "$2"; }

# sent DEVICE: prints the number of packets that DEVICE sent
sent() { cat "/sys/class/net/$1/statistics/tx_packets"; }

# topology BRIDGE A B: builds the bridged path from namespace A to B, by ports pA
# and pB of BRIDGE. Writes the address of B to /tmp/mac.
topology()
{
	local i

	ip link add "$1" type bridge mcast_snooping 0
	ip link set "$1" up
	for i in "$2" "$3"; do
		ip netns add "$i"
		ip link add "p$i" type veth peer name eth0 netns "$i"
		ip link set "p$i" master "$1" up
		ip -n "$i" link set eth0 up
	done
	ip netns exec "$3" cat /sys/class/net/eth0/address > /tmp/mac
	bridge fdb replace "$(cat /tmp/mac)" dev "p$3" master static
}

# bridged NAME: prints instructions per packet
bridged()
{
	# pktgen lives in the namespace of its device
	ip netns exec a bash -c "$(declare -f pg pktgen_setup run_once median)
		$(declare -p COUNT SIZE ROUNDS SETTLE GROUP PROFILE)
		median '$1' eth0 start_xmit $(cat /tmp/mac)"
}

# bridged_with NAME: the same, with a lossless qdisc at both ports
bridged_with()
{
	add_lossless pb
	add_lossless pa
	figure "$1" "$(bridged "$1")"
	tc qdisc del dev pb root
	tc qdisc del dev pa root
}

# bridged_full NAME: instructions per packet with a full queue. The time t that
# pktgen measures per packet is one arrival a, plus the departures d that the
# link fits into that time: t = a + d * t / link. Several link rates give a and
# d by least squares, if pktgen is faster than all of these links. (Two of them
# are not enough: t deviates by 1 % where the arrivals beat with the departures.)
bridged_full()
{
	# WRED would act on the full queue
	local LOSSLESS='prio-pfc 3:on' BUFFER=32m links='800 600 400 200' SETTLE=0.5 t='' link RATE

	for link in $links; do
		RATE="rate ${link}mbit"
		add_lossless pb
		add_lossless pa
		t+=" $(bridged "$1 $link")"
		tc qdisc del dev pb root
		tc qdisc del dev pa root
	done
	awk -v links="$links" -v t="$t" -v bits=$(((SIZE + 24) * 8)) 'BEGIN {
		n = split(links, mbit); split(t, ns)
		for (i = 1; i <= n; i++) {
			x = ns[i] / (bits * 1000 / mbit[i])
			if (x > 0.95)
				exit 1	# the link limited pktgen
			sx += x; sy += ns[i]; sxx += x * x; sxy += x * ns[i]
		}
		d = (n * sxy - sx * sy) / (n * sxx - sx * sx)
		printf "%.0f", (sy - d * sx) / n + d	# a + d
	}'
}

# Figures of qdiscs, on the two paths.
dummy()
{
	local q

	ip link add bench0 type dummy
	ip link set bench0 up
	for q in "$@"; do
		"add_$q" bench0
		figure "${q//_/+}" \
			"$(median "${q//_/+}" bench0 queue_xmit 02:00:00:00:00:02)"
		[ "$q" = noqueue ] || tc qdisc del dev bench0 root
	done
	ip link del bench0
}

bridge_with()
{
	local q

	for q in "$@"; do
		"add_$q" pb
		# every port of a switch has the qdisc
		[ "$q" = noqueue ] || "add_$q" pa
		figure "${q//_/+}" "$(bridged "${q//_/+}")"
		[ "$q" = noqueue ] || { tc qdisc del dev pb root; tc qdisc del dev pa root; }
	done
}

# shellcheck disable=SC2086 # a list of words
group_insn_per_packet()	{ dummy $QDISCS; }
# shellcheck disable=SC2086
group_bridged()		{ bridge_with $QDISCS; }
group_no_rate.dummy()	{ RATE=unlimited dummy noqueue lossless; }
group_no_rate.bridged()	{ RATE=unlimited bridge_with noqueue lossless; }

# One feature beside those of LOSSLESS, or instead of them.
group_features()
{
	local OPTIONS LOSSLESS=$LOSSLESS

	figure noqueue "$(bridged noqueue)"
	OPTIONS=nowred
	LOSSLESS='prio-pfc 3:on' bridged_with nowred
	for OPTIONS in 'delay 1us' 'bands 8 strict 4' 'trust pcp' 'limit 8m' \
		'reserved 10k' 'xoff 1m' fabric; do
		bridged_with "$OPTIONS"
	done
	OPTIONS=''
	add_lossless pb
	add_lossless pa
	losslessctl watchdog start pa pb 100
	figure watchdog "$(bridged watchdog)"
	tc qdisc del dev pb root
	tc qdisc del dev pa root
	OPTIONS='prio-pfc all:off'
	LOSSLESS='' bridged_with "$OPTIONS"
}

# losslessd looks at all ports each second: runs of more than a second.
group_daemon()
{
	local COUNT=200000 ROUNDS=1 daemon

	printf 'metrics {\n\ttextfile = /tmp/metrics\n\tinterval = 1\n}\n' > /tmp/conf
	add_lossless pb
	add_lossless pa
	losslessd -c /tmp/conf 2> "$OUT/losslessd.log" &
	daemon=$!
	sleep 1
	figure losslessd "$(bridged losslessd)"
	[ -s /tmp/metrics ]
	kill $daemon
	tc qdisc del dev pb root
	tc qdisc del dev pa root
}

group_deadlock()
{
	local OPTIONS

	for OPTIONS in 'switch 7' 'switch 7 deadlock lossless'; do
		bridged_with "$OPTIONS"
	done
}

group_rcm()
{
	local OPTIONS

	for OPTIONS in 'xoff 8m headroom 2m' 'xoff 8m headroom 2m rcm on'; do
		bridged_with "$OPTIONS"
	done
}

group_rcm_full()
{
	local OPTIONS

	for OPTIONS in 'xoff 12m headroom 2m' 'xoff 12m headroom 2m fabric rcm on'; do
		figure "$OPTIONS" "$(bridged_full "$OPTIONS")"
	done
}

group_group()
{
	local port name insns before

	# a second port to b; packets end there as on the first one
	ip link add pc up master br0 type veth peer name eth1 netns b address "$(cat /tmp/mac)"
	ip -n b link set eth1 up
	figure noqueue "$(bridged noqueue)"
	for port in pa pb pc; do
		add_lossless $port
	done
	figure none "$(bridged none)"
	losslessctl path set 1 pb pc
	for port in pb pc; do
		bridge fdb replace "$(cat /tmp/mac)" dev $port master static
		before=$(sent $port)
		insns=$(bridged $port)
		name=moved
		# ignore the few packets that the kernel itself sends
		[ $(($(sent $port) - before)) -lt $COUNT ] || name=stays
		figure $name "$insns"
	done
	bridge fdb replace "$(cat /tmp/mac)" dev pb master static
	ip link del pc
	tc qdisc del dev pb root
	tc qdisc del dev pa root
}

group_ports()
{
	local BUFFER=1g have=2 n i

	for n in 4 64 512; do
		for ((; have < n; have++)); do
			ip link add "q$have" type dummy
			ip link set "q$have" master br0 up
		done
		figure "$n noqueue" "$(bridged "$n noqueue")"
		for ((i = 2; i < n; i++)); do
			add_lossless "q$i"
		done
		bridged_with "$n"
		for ((i = 2; i < n; i++)); do
			tc qdisc del dev "q$i" root
		done
	done
}

echo "$LLE_KERNEL" > "$OUT/kernel"
insmod /mods/lossless.ko
insmod /mods/sch_lossless.ko
modprobe pktgen
# transfer NAME PORT: sends BULK_BYTES from a to b; warms up first
transfer()
{
	local i

	for i in 0 1; do
		ip netns exec b bulk recv $(($2 + i)) "$BULK_BYTES" &
		sleep 0.2
		[ $i = 0 ] || mark begin
		ip netns exec a bulk send 192.0.2.2 $(($2 + i)) "$BULK_BYTES"
		wait $!
	done
	mark end
	echo "$1" >> "$OUT/marked"
}

tcp_addresses()
{
	ip -n a addr add 192.0.2.1/24 dev eth0
	ip -n b addr add 192.0.2.2/24 dev eth0
}

no_tcp_addresses()
{
	ip -n a addr del 192.0.2.1/24 dev eth0
	ip -n b addr del 192.0.2.2/24 dev eth0
}

# segments COUNT: sends COUNT from a to b; sets cost to the instructions of one,
# of both hosts and the switch
segments()
{
	local bytes=$(($1 * 1448)) busy number

	port=$((port + 1))
	number=$(sent pb)
	ip netns exec b bulk recv "$port" $bytes &
	sleep 0.2
	busy=$(ip netns exec a bulk cost 192.0.2.2 "$port" $bytes)
	wait $!
	# longer or shorter segments, or retransmissions, would be another figure
	number=$(($(sent pb) - number - $1))
	[ $number -ge 0 ]
	[ $number -lt 10 ]
	cost=$((busy / $1))
}

# segments_with NAME CONTROL OPTION...: likewise, with this congestion control and
# OPTIONs of the routes
segments_with()
{
	local i

	for i in a b; do
		ip -n $i route replace 192.0.2.0/24 dev eth0 congctl "$2" initcwnd 10 "${@:3}"
	done
	if [ "$round $GROUP $1" = "$ROUNDS $PROFILE" ]; then
		mark begin
		segments 10000	# bench.sh divides by as many
		mark end
	fi
	segments 2000
}

# column N: prints the median of a column of $OUT/segments
column()
{
	cut -d ' ' -f "$1" "$OUT/segments" | sort -n | sed -n "$((ROUNDS / 2 + 1))p"
}

# quiet: the kernel sends no packets of its own, which have other priorities and
# take another path, and does not look after its statistics
quiet()
{
	local in

	for in in '' 'ip netns exec a' 'ip netns exec b'; do
		$in sysctl -qw net.ipv6.conf.all.disable_ipv6=1
	done
	sysctl -qw vm.stat_interval=3600
	ip -n a neigh replace 192.0.2.2 dev eth0 lladdr "$(cat /tmp/mac)"
	ip -n b neigh replace 192.0.2.1 dev eth0 \
		lladdr "$(ip netns exec a cat /sys/class/net/eth0/address)"
}

segment_path()
{
	local LOSSLESS='prio-pfc 3:on wred 3 kmin 30k kmax 31k pmax 100% ecn'
	local RATE='rate 100mbit' i

	tcp_addresses
	quiet
	for i in a b; do
		ip -n $i link set eth0 gso_max_segs 1
	done
	add_lossless pb
	add_lossless pa
}

no_segment_path()
{
	local i

	tc qdisc del dev pb root
	tc qdisc del dev pa root
	for i in a b; do
		ip -n $i link set eth0 gso_max_segs 65535
	done
	no_tcp_addresses
}

group_ldcp()
{
	local ROUNDS=5 port=6000 round cost dctcp delayed

	segment_path
	for ((round = 0; round <= ROUNDS; round++)); do
		segments_with 'dctcp delayed ACKs' dctcp
		delayed=$cost
		segments_with dctcp dctcp quickack 1
		dctcp=$cost
		insmod /mods/tcp_ldcp.ko
		segments_with ldcp ldcp
		# the first round warms up; profiles need the symbols of the module
		[ $round = 0 ] || echo "$dctcp $((delayed - dctcp)) $((cost - dctcp))"
		[ $round = $ROUNDS ] || rmmod tcp_ldcp
	done > "$OUT/segments"
	# all drift together: these are medians of the differences
	dctcp=$(column 1)
	figure dctcp "$dctcp"
	figure 'dctcp delayed ACKs' $((dctcp + $(column 2)))
	figure ldcp $((dctcp + $(column 3)))
	no_segment_path
}

# The plugin counts what the module executes and calls, of one transfer.
group_ldcp_calls()
{
	local port=7000 cost round=0 first size

	insmod /mods/tcp_ldcp.ko
	read -r _ size _ _ _ first _ < <(grep '^tcp_ldcp ' /proc/modules)
	segment_path
	segments_with ldcp ldcp
	mark range "$first" "$(printf %x $((first + size - 1)))"
	mark begin
	segments 2000
	mark end
	no_segment_path
}

group_bulk_tcp()
{
	local q name port=5000

	tcp_addresses
	for q in none pfifo fq_codel cake htb_red tbf_prio_red lossless lossless_split; do
		[ $q = none ] || { "add_$q" pa; "add_$q" pb; }
		name=${q//_/+}
		transfer "${name/fq+/fq_}" $((port += 2))
		[ $q = none ] || { tc qdisc del dev pa root; tc qdisc del dev pb root; }
	done
	no_tcp_addresses
}

# both: runs pktgen in a and c at the same time; prints packets a second of both
both()
{
	local i n=0

	for i in a c; do
		ip netns exec $i bash -c 'echo start > /proc/net/pktgen/pgctrl' &
	done
	wait
	for i in a c; do
		n=$((n + $(ip netns exec $i sed -n 's/.* \([0-9]*\)pps.*/\1/p' /proc/net/pktgen/eth0 | tail -n 1)))
	done
	echo $n
}

# four_ports SWITCH: adds lossless to pa and pb in switch 0, pc and pd in SWITCH
four_ports()
{
	local port

	for port in pa pb; do
		OPTIONS='switch 0' add_lossless $port
	done
	for port in pc pd; do
		OPTIONS="switch $1" add_lossless $port
	done
}

no_ports()
{
	local port

	for port in pa pb pc pd; do
		tc qdisc del dev $port root
	done
}

group_smp()
{
	local COUNT=100000 i switch mac pps

	mac=$(cat /tmp/mac)
	topology br1 c d
	ip netns exec a bash -c "$(declare -f pg pktgen_setup)
		COUNT=$COUNT SIZE=$SIZE pktgen_setup kpktgend_0 eth0 start_xmit $mac"
	ip netns exec c bash -c "$(declare -f pg pktgen_setup)
		COUNT=$COUNT SIZE=$SIZE pktgen_setup kpktgend_1 eth0 start_xmit $(cat /tmp/mac)"
	for ((i = 0; i < 31; i++)); do
		for switch in $((i % 2)) $((1 - i % 2)); do
			four_ports "$switch"
			pps=$(both)
			figure "switches $((1 + switch)) run $i" "$pps"
			no_ports
		done
	done
}

group_pairs()
{
	local i mac switch

	mac=$(cat /tmp/mac)
	topology br1 c d
	for switch in 1 0; do
		four_ports "$switch"
		for i in "a $mac" "c $(cat /tmp/mac)"; do
			ip netns exec "${i% *}" bash -c "$(declare -f pg pktgen_setup run_once)
				$(declare -p COUNT SIZE SETTLE)
				run_once eth0 start_xmit ${i#* }; mark begin
				run_once eth0 start_xmit ${i#* }; mark end"
		done
		no_ports
	done
}

bulk seed
PROFILE=${PROFILE:-}
topology br0 a b
for GROUP in $GROUPS_TO_RUN; do
	"group_$GROUP"
done | tee "$OUT/figures"
cp /proc/kallsyms "$OUT"
