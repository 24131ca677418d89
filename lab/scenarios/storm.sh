# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# storm: a NIC dies in a Clos network of two podsets: its receive pipeline
# accepts no packets, so it pauses its ToR switch for ever. As in "RDMA over
# Commodity Ethernet at Scale" (SIGCOMM 2016, section 4.3), that stops the whole
# network, unless the switches have watchdogs: then only packets for that NIC
# are lost.
#
#	podset 1            podset 2
#	 s5     s6           s7     s8      leaves; spines: s9 and s10
#	  | \ / |             | \ / |       of s5 and s7, s11 and s12
#	  | / \ |             | / \ |       of s6 and s8
#	 s1     s2           s3     s4      ToRs
#	h1-h4  h5-h8       h9-h12 h13-h16   servers
#
# All servers send to all others, so little that no link is full. Each of SEEDS
# seeds, from SEED on, draws a NIC, and the times at which it dies: first
# without watchdogs, then with them. It is repaired after DEAD ms, more than
# DETECTION + 20. The storms in the events of losslessctl are compared with the
# pauses that ports received, and with the NIC that died.
#
# keys: SEEDS=3 WATCHDOG=yes DETECTION=100 RESTORATION=200 DEAD=160 RATE=1gbit DELAY=1us BUFFER=1m MTU=4096 PAUSES=yes
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key SEEDS: integer 1..1000, seeds, each of which draws a NIC that dies
# key DETECTION: integer 1..5000, detection time in ms
# key RESTORATION: integer 1..60000, restoration time in ms
# key DEAD: integer DETECTION+21..100000, ms until the NIC is repaired

# shellcheck source=lab/scenarios/draw.sh
. "${LAB:-/lab}/draw.sh"

PORT="buffer $BUFFER reaction 0 prio-pfc 3:on"
HOSTS=16
PEACE=30		# ms without a storm before a death, and after a repair

limits() { limit_buffer 6; }

topology()
{
	local tor leaf spine host

	printf 'switch s%d\n' {1..12}
	for ((host = 1; host <= HOSTS; host++)); do
		echo "host h$host s$(((host + 3) / 4))"
	done
	for tor in 1 2 3 4; do
		leaf=$((5 + (tor - 1) / 2 * 2))
		echo "link s$tor s$leaf"
		echo "link s$tor s$((leaf + 1))"
	done
	for spine in 9 10; do
		printf 'link s%d s%d\n' 5 $spine 7 $spine 6 $((spine + 2)) 8 $((spine + 2))
	done
}

testbed()
{
	topology >/tmp/topology
	testbed_up file /tmp/topology --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" --host "$PORT role host"
}

# RTO: time-out 14 of RoCE is 67 ms.
rnic_options() { echo "mtu=$MTU ack_every=4 rto_us=67000 bin_us=1000 bins=$(all_ms)"; }

flows()
{
	local i j share=$(($(bits "$RATE") * 3 / 100))

	for ((i = 1; i <= HOSTS; i++)); do
		for ((j = 1; j <= HOSTS; j++)); do
			[ "$i" -eq "$j" ] ||
				echo "0 1000000000000 10.0.0.$i 10.0.0.$j 3 $share"
		done
	done
}

# Prints the plan: "SEED HOST ALONE WATCHED END": the dying NIC, deaths, end; us
plan()
{
	local i state drawn host alone watched end=0

	for ((i = 0; i < SEEDS; i++)); do
		state=$((SEED + i))
		draw $HOSTS
		host=$((drawn + 1))
		draw 10000
		alone=$((end + PEACE * 1000 + drawn))
		draw 10000
		watched=$((alone + (DEAD + 2 * PEACE) * 1000 + drawn))
		end=$(((watched / 1000 + DEAD + RESTORATION + 2 * PEACE) * 1000))
		echo "$((SEED + i)) $host $alone $watched $end"
	done
}

all_ms() { plan | awk '{ end = $5 } END { print end / 1000 }'; }

duration() { echo "$(all_ms)e-3"; }

# at US: waits until then
# shellcheck disable=SC2154 # guest.sh has set it
at() { lle_until $((run_ns + $1 * 1000)); }

nic() { tc -n "lle-h$1" qdisc change dev eth0 root lossless role host rx-rate "$2"; }

# die HOST US: its NIC dies then, and is repaired later
die()
{
	at "$2"
	nic "$1" stopped
	at $(($2 + DEAD * 1000))
	nic "$1" unlimited
}

traffic()
{
	local host alone watched end monitor

	switches monitor -j storm >"$OUT/storms.json" &
	monitor=$!
	echo "$run_ns" >"$OUT/start"
	schedule "$(duration)"
	begin
	while read -r _ host alone watched end; do
		die "$host" "$alone"
		at $((watched - PEACE * 1000))
		[ "$WATCHDOG" != yes ] ||
			switches watchdog start -r "$RESTORATION" all "$DETECTION" >/dev/null
		die "$host" "$watched"
		at "$end"
		switches watchdog stop all >/dev/null
	done < <(plan)
	kill $monitor
}

metrics()
{
	count_losses
	# without drops of watchdogs, and ACKs that a dead NIC cannot buffer
	jq_stats dropped_elsewhere '(if .role == "host" then .prios[3] else .prios[] end) |
		.drops | del(.storm_discard, .storm_rx_discard) | add'
	plan | "$LAB/storms.py"
}

expectations()
{
	local buffer_ms

	# time to send a full buffer over a link: no victim waits longer
	buffer_ms=$(awk -v bytes="$(bytes "$BUFFER")" -v rate="$(bits "$RATE")" \
		'BEGIN { print bytes * 8e3 / rate }')
	expect lost_bytes == 0
	expect dropped_elsewhere == 0
	expect stalled_share_without == 1
	# servers send 3 % of a link to the dead one: paused before it is full
	expect stalled_ms.max '<=' \
		"$(awk -v ms="$buffer_ms" -v hosts=$HOSTS 'BEGIN { print ms / 0.03 / (hosts - 1) }')"
	expect storms == "$SEEDS"
	expect origin_correct == "$SEEDS"
	expect detect_ms.min '>=' "$DETECTION"
	expect detect_ms.max '<' $((DETECTION + 1))
	# from the first packet that waits
	expect stuck_ms.min '>=' "$DETECTION"
	expect stuck_ms.max '<' "$DETECTION.001"
	expect back_ms.max '<=' "$buffer_ms"
	expect restore_ms.min '>=' "$RESTORATION"
	expect restore_ms.max '<' $((RESTORATION + 1))
	expect victim_throughput_with '>=' 0.95
	expect repaired_throughput '>=' 0.95
}

# mark MS WORDS [SIDE]: prints commands of gnuplot: a vertical line with words
mark()
{
	[ -z "$1" ] || echo "set arrow from $1,0 to $1,graph 1 nohead dt 3 lc rgb '#888888' front
		set label '$2' at $1,graph 1 ${3:-left offset 0.5},-0.7 tc rgb '#444444' front"
}

plots()
{
	local host detected restored

	[ "$WATCHDOG" = yes ] || return 0
	IFS=, read -r _ host detected restored _ < <(sed -n 2p storms.csv)
	plot death "The NIC of $host dies and is repaired: flows to it, and flows of all others." <<-END
		set datafile separator ','
		set label scenario.': received, as a share of before the NIC of $host died' \
			at graph 0,1.06 font ',22'
		set xlabel 'time since then (ms)'
		set ylabel 'received (share of before)'
		set format y '%.0f %%'
		set ytics 50
		set yrange [0:140]
		set xrange [-20:$((DEAD + RESTORATION + 2 * PEACE - 5))]
		$(mark 0 'NIC dies')
		$(mark "$detected" 'detected')
		$(mark "$DEAD" repaired)
		$(mark "$restored" 'lossless again' 'right offset -0.5')
		of(who) = strcol(1) eq who ? 100 * \$3 : NaN
		plot 'received.csv' skip 1 using 2:(of('others_with')) with filledcurves y1=0 \
				fc rgb '#d6e6f2' notitle, \
			'' skip 1 using 2:(of('host_with')) with lines lt 3 \
				title 'to $host, with watchdogs', \
			'' skip 1 using 2:(of('others_with')) with lines lt 1 \
				title 'others, with watchdogs', \
			'' skip 1 using 2:(of('others_without')) with lines lt 2 lw 1.3 \
				title 'others, without'
	END
}
