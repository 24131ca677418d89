#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Switches detect deadlocks: the switches on the loop, and the initial trigger.

ALL_TESTS="nothing_is_sent ring who_waits host_began already_locked congestion
	breaks drops out_of_loop resolves demotes held_back off forged flood refusals grows
	gone_without_slot algorithm_dcfit mixed changes_mode"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/ring.sh
. "$(dirname "$0")/ring.sh"

ctl() { sw losslessctl "$@"; }
found() { deadlocks | jq -e 'any(.whole)' >/dev/null; }

# A deadlock of all four switches was found.
is_ring()
{
	local list

	wait_for 5000 found || llet_fail "no deadlock was found"
	list=$(deadlocks)
	equal "deadlocks" "$(jq length <<<"$list")" 1
	equal "switches" "$(jq -c '[.[0].loop[].switch] | sort' <<<"$list")" "[1,2,3,4]"
	equal "priority" "$(jq '.[0].prio' <<<"$list")" 3
	# each pauses its neighbour because of packets that wait for the next
	# one
	equal "ports" "$(jq -c '[.[0].loop[] | [.ingress[2:], .egress[2:]]] | unique | length' <<<"$list")" 2
	equal "all wait" "$(jq ".[0].loop | all(.bytes > 40000)" <<<"$list")" true
}

# The deadlock was found by one switch only.
is_ring_once()
{
	is_ring
	# a rival waits for the declaration as long as a message takes in theory
	! virtual_time || equal "found again" "$(deadlocks | jq '.[0].duplicates')" 0
}

# Time from the pause that closes the loop to the declaration, in us: all
# switches share one clock.
latency()
{
	ctl -j history | jq --argjson list "$(deadlocks)" '$list[0] as $d |
		($d.found_ns - ([.[] | select(.direction == "tx" and .paused) |
			select([.ifname] | inside([$d.loop[].ingress])) | .since_ns] |
			max)) / 1000'
}

# Prints medians in us: from the last pause of a loop to its declaration, and
# from a pause to that of the next switch.
times()
{
	ctl -j history | jq -r --argjson list "$(deadlocks)" '
		def median: sort | .[length / 2 | floor] / 1000;
		def starts($ifname; $direction): [.[] | select(.prio == 3 and
			.ifname == $ifname and .direction == $direction).episodes[].start_ns];
		[$list[] | select(.whole) | .found_ns - .closed_ns] as $found |
		[["s2p2", "s1p2"], ["s3p2", "s2p3"], ["s4p2", "s3p3"], ["s1p3", "s4p3"]] as $links |
		[$links[] as [$from, $to] | starts($from; "tx") as $sent |
			starts($to; "rx")[] as $came | [$sent[] | select(. <= $came)] |
			select(length > 0) | $came - max] as $hop |
		"# found \($found | median) us after the loop has closed (\($found | length)), " +
		"a pause takes \($hop | median) us (\($hop | length))"'
}

# deadlock_options SWITCH WORD...: sets options of SWITCH
deadlock_options()
{
	tc -n t-sw qdisc change dev "s${1}p1" root lossless "${@:2}"
}

# all_options WORD...: sets options of all switches
all_options()
{
	local i

	for i in 1 2 3 4; do
		deadlock_options "$i" "$@"
	done
}

# Without pauses: no messages, no timers.
nothing_is_sent()
{
	local what

	build_ring
	all_send -g 1000000 -n 200
	sleep 0.5
	equal "packets" "$(ctl -j prio show | jq 'map(select(.ifname == "s1p1") | .rx_packets) | add')" 200
	for what in declared probes cancels sent received timers; do
		equal "$what" "$(counted $what)" 0
	done
}

ring()
{
	build_ring
	all_send
	is_ring_once
	check "no probes" test "$(counted probes)" -ge 4
	check "no messages" test "$(counted received)" -ge 4
	# the declaration has a time
	echo "# found $(latency) us after the last pause of the loop began"
	equal "times in order" "$(deadlocks | jq '.[0] | .formed_ns <= .closed_ns and .closed_ns <= .found_ns')" true
	sleep 1
	is_ring_once
	keeps_counting
}

# Switches grow by more ports than their state had space for.
keeps_counting()
{
	local i

	for i in 1 2 3 4; do
		ip -n t-sw link add "q$i" type veth peer name "r$i"
		tc -n t-sw qdisc add dev "q$i" root lossless switch "$i" prio-pfc 3:on
		tc -n t-sw qdisc add dev "r$i" root lossless switch "$i" prio-pfc 3:on
	done
	sleep 0.2
	equal "deadlocks of a switch that has grown" "$(counted declared)" \
		"$(deadlocks | jq 'map(1 + .duplicates) | add')"
}

all_beside_wait()
{
	ctl -j prio show | jq -e 'map(select(.prio == 3 and .tx_paused and
		(.ifname | test("^s[1-4]p4$")))) | length == 4' >/dev/null
}

send_beside()
{
	local i

	for i in 1 2 3 4; do
		frames $((i + 4)) $(((i + 1) % 4 + 1))
	done
}

# Switches beside the ring wait for it, but no port of the ring waits for them:
# they are not on the loop.
who_waits()
{
	local i beside=()

	for i in 1 2 3 4; do
		beside+=("switch s$((i + 4))" "host h$((i + 4)) s$((i + 4))" \
			"link s$((i + 4)) s$i")
	done
	build_ring alert "${beside[@]}"
	for i in 1 2 3 4; do
		# with more packets than those of the ring
		tc -n t-sw qdisc change dev "s${i}p4" root lossless xoff 60k
	done
	send_beside
	all_send
	is_ring_once
	# their first packets may have left; now their queues fill
	send_beside
	check "switches beside it do not all wait" wait_for 5000 all_beside_wait
	is_ring_once
}

# Packets do not fill the links, and an emulated CPU keeps up. But h3 stops to
# receive, then is slow: its pauses make all switches wait, in the end for each
# other.
h3_stops()
{
	local i

	build_ring "$1"
	for i in 1 2 3 4; do
		# both ends, as a pause is counted in bit times
		tc -n "t-h$i" qdisc change dev eth0 root lossless rate 20mbit
		deadlock_options "$i" rate 20mbit
	done
	all_send -g 2500000 -n 4000
	sleep 0.2
	tc -n t-h3 qdisc change dev eth0 root lossless role host rx-rate stopped xoff 20k
	sleep 1
	equal "deadlocks while h3 can end it" "$(deadlocks | jq length)" 0
	tc -n t-h3 qdisc change dev eth0 root lossless role host rx-rate 1mbit
}

host_began()
{
	h3_stops alert
	is_ring_once
	# in real time, pauses may also end and restart before the loop closes
	virtual_time || return
	equal "trigger" "$(deadlocks | jq -c '.[0].trigger | [.switch, .ifname, .host]')" \
		'[3,"s3p1",true]'
}

broken() { [ "$(counted broken)" -gt 0 ]; }

# A counter of the packets of the ring, over all switches.
total() { ctl -j prio show | jq "map(.$1) | add"; }

# all_arrive ACTION: breaks deadlocks until all packets are sent
all_arrive()
{
	local i

	build_ring "$1"
	for i in 1 2 3 4; do
		receive "$i" 2000
	done
	all_send
	check "not broken" wait_for 5000 broken
	got=0
	for i in 1 2 3 4; do
		got=$((got + $(received "$i" .sum.packets)))
		equal "out of order at h$i" "$(received "$i" .sum.reordered)" 0
	done
	equal "parked in the end" "$(counted parking_bytes)" 0
	equal "waits in the end" "$(total backlog_bytes)" 0
	equal "pauses in the end" "$(ctl -j prio show | jq 'any(.tx_paused)')" false
}

# Without loss or reordering, and with bounded memory.
breaks()
{
	local got

	all_arrive "lossless deadlock-trigger leave"
	equal "received" "$got" 8000
	equal "dropped" "$(total 'drops | add')" 0
	check "nothing was parked" test "$(counted parked_bytes)" -gt 0
	equal "over the limit" "$(ctl -j switch show | jq '[.[].deadlocks |
		select(.parking_max_bytes > .parking_limit_bytes)] | length')" 0
	echo "# $(counted broken) deadlocks, $(counted parking_max_bytes) bytes parked at most"
	times
}

locked_more() { [ "$(counted broken)" -ge "$1" ]; }

# h3 is off the loop; while it is slow, deadlocks recur.
out_of_loop()
{
	h3_stops "drop deadlock-trigger leave"
	check "not broken again and again" wait_for 20000 locked_more 10
	times
}

# Each time, at most the bytes of XOFF and headroom above XON are dropped.
drops()
{
	local got lost

	all_arrive "drop deadlock-trigger leave"
	lost=$(total drops.deadlock_discard)
	equal "received and dropped" $((got + lost)) 8000
	equal "other drops" "$(total 'drops | del(.deadlock_discard) | add')" 0
	between "dropped by each break" $((lost / $(counted broken))) 1 10
	equal "parked" "$(counted parked_bytes)" 0
	echo "# $(counted broken) deadlocks, $lost packets dropped"
}

# quarantine FIELD: a counter of the watchdog at the port of h3
quarantine()
{
	ctl -j watchdog show stats -e |
		jq -r ".[] | select(.ifname == \"s3p1\" and .prio == 3) | .$1"
}

quarantine_is() { [ "$(quarantine status)" = "$1" ]; }

was_quarantined() { [ "$(quarantine quarantined)" -gt 0 ]; }

# The host that triggered the deadlock is quarantined before the loop is broken.
# Packets queued by then may deadlock once more. Then deadlocks stop, and the
# others receive all their packets, 400 per second. When the host receives
# again, the quarantine ends.
resolves()
{
	local before deadlocks

	h3_stops lossless
	check "not broken" wait_for 5000 broken
	check "h3 is not quarantined" wait_for 2000 was_quarantined
	sleep 1
	deadlocks=$(counted broken)
	before=$(ctl -j prio show -a s4p1 3 | jq '.[0].tx_packets')
	sleep 0.5
	check "h4 gets less than before" test \
		$(($(ctl -j prio show -a s4p1 3 | jq '.[0].tx_packets') - before)) -gt 180
	equal "deadlocks later" "$(counted broken)" "$deadlocks"
	equal "dropped on the loop" "$(total drops.deadlock_discard)" 0
	if virtual_time; then
		equal "trigger of the first" "$(deadlocks |
			jq -c '.[-1].trigger | [.switch, .ifname, .host]')" '[3,"s3p1",true]'
		equal "resolved" "$(deadlocks | jq '.[-1].resolved')" true
	fi
	tc -n t-h3 qdisc change dev eth0 root lossless role host rx-rate unlimited
	check "h3 stays quarantined" wait_for 5000 quarantine_is operational
	echo "# $deadlocks deadlocks, quarantined $(quarantine quarantined) times"
}

is_lossy() { [ "$(counted lossy)" -gt 0 ]; }
was_lossy() { [ "$(counted demoted)" -gt 0 ]; }
all_lossless() { ! is_lossy; }

# Hosts fill the ring until a hop is demoted after three deadlocks with the same
# trigger: it is lossy until traffic becomes quiet.
demotes()
{
	build_ring lossless
	all_send -n 100000
	# that lasts 200 ms, and a query takes longer while all hosts send
	check "no hop was lossy" wait_for 15000 was_lossy
	# shellcheck disable=SC2046 # a list of words
	kill $(jobs -p)
	wait
	check "demoted early" test "$(counted broken)" -ge 3
	equal "cure of one" "$(deadlocks | jq 'any(.cure == "demoted")')" true
	check "a hop stays lossy" wait_for 5000 all_lossless
	check "nothing was dropped for it" test "$(total drops.cong_discard)" -gt 0
	equal "dropped on the loop" "$(total drops.deadlock_discard)" 0
	echo "# $(counted broken) deadlocks, $(counted demoted) times lossy," \
		"$(total drops.cong_discard) packets dropped"
}

# The trigger is a switch with overloaded links. RCM holds its packets upstream
# before they fill the ring: deadlocks do not recur.
held_back()
{
	local port deadlocks

	build_ring "lossless deadlock-trigger leave"
	all_send -n 20000
	check "not broken again and again" wait_for 5000 locked_more 3
	for port in s{1,2,3,4}p{2,3}; do
		tc -n t-sw qdisc change dev "$port" root lossless rcm on
	done
	# packets queued by then may deadlock once more
	sleep 2
	deadlocks=$(counted broken)
	sleep 3
	equal "deadlocks later" "$(counted broken)" "$deadlocks"
	equal "dropped" "$(total 'drops | add')" 0
	for port in 1 2 3 4; do
		check "h$port gets nothing" test "$(ctl -j prio show "s${port}p1" 3 |
			jq '.[0].tx_packets')" -gt 1000
	done
	echo "# $deadlocks deadlocks before, none after"
}

# Detection starts when the ring is deadlocked already.
already_locked()
{
	build_ring off
	all_send
	sleep 1
	equal "deadlocks" "$(deadlocks | jq length)" 0
	all_options deadlock alert
	is_ring_once
}

# A slow link makes all switches wait, but not for ever.
congestion()
{
	build_ring
	tc -n t-sw qdisc change dev s3p1 root lossless rate 5mbit
	frames 1 3 -n 300
	frames 2 4 -n 300
	frames 4 2 -n 300
	sleep 3
	equal "deadlocks" "$(deadlocks | jq length)" 0
}

off()
{
	build_ring
	all_send
	is_ring_once
	deadlock_options 1 deadlock off
	equal "s1 remembers" "$(deadlocks | jq '[.[] | select(.switch == 1)] | length')" 0
}

# The loop is the same. A trigger declares. If all ports are triggers, in step,
# each trigger displaces the one before it at all ports, and none declares.
algorithm_dcfit()
{
	local i

	build_ring "alert deadlock-mode dcfit"
	equal "modes" "$(ctl -j switch show | jq -c 'map(.deadlock_mode) | unique')" '["dcfit"]'
	for i in 1 2 3 4; do
		frames "$i" $(((i + 1) % 4 + 1))
		sleep 0.02
	done
	wait_for 5000 found || llet_fail "no deadlock was found"
	equal "deadlocks" "$(deadlocks | jq length)" 1
	equal "switches" "$(deadlocks | jq -c '[.[0].loop[].switch] | sort')" "[1,2,3,4]"
	equal "ports" "$(deadlocks | jq -c \
		'[.[0].loop[] | [.ingress[2:], .egress[2:]]] | unique | length')" 2
	equal "a trigger that is none" "$(deadlocks | jq \
		'[.[0] | .trigger, .loop[].trigger | select(.switch == 0)] | length')" 0
	check "no messages" test "$(counted sent)" -ge 4
	equal "what only the other mode does" "$(counted cancels) $(counted deferred)" "0 0"
	echo "# found $(latency) us after the last pause of the loop began"
	keeps_counting
}

# Switches of different algorithms ignore each other's messages: no loop is
# found, and no false one. After a change, two switches may find the loop at
# once, as a switch repeats all its waits.
mixed()
{
	build_ring
	deadlock_options 2 deadlock-mode dcfit
	equal "modes" "$(ctl -j switch show | jq -c 'map(.deadlock_mode)')" \
		'["exact","dcfit","exact","exact"]'
	all_send
	sleep 2
	check "not heard" heard
	equal "deadlocks" "$(counted declared)" 0
	deadlock_options 2 deadlock-mode exact
	is_ring
}

more_than() { [ "$(counted declared)" -gt "$1" ]; }

# A change of algorithm counts queued packets anew: packets that can be sent are
# no deadlock, and a deadlock of one algorithm is one of the other.
changes_mode()
{
	local mode known

	build_ring
	all_send -g 300000 -n 6000
	for mode in dcfit exact dcfit exact dcfit; do
		all_options deadlock-mode "$mode"
		sleep 0.2
	done
	equal "deadlocks" "$(counted declared)" 0
	all_send
	sleep 1
	known=$(counted declared)
	all_options deadlock-mode exact
	check "not found in mode exact" wait_for 5000 more_than "$known"
	known=$(counted declared)
	all_options deadlock-mode dcfit
	check "deadlocks are forgotten" test "$(counted declared)" -ge "$known"
	keeps_counting
}

heard() { [ "$(counted received)" -gt 0 ]; }

# Deadlock messages of hosts are ignored, separate or in a pause; those of
# switches count.
forged()
{
	local probe=dc11680100010001010001000000000000010100010100013858
	local from=0180c2000001020000000001 rest i

	rest=$(printf '%040d' 0)
	build_ring
	for i in 1 2 3 4 5; do
		ip netns exec t-h1 lle_traffic raw eth0 "${from}88b5$probe$rest"
		ip netns exec t-h1 lle_traffic raw eth0 \
			"${from}880801010008${rest:0:32}$probe"
	done
	sleep 0.2
	equal "pauses" "$(ctl -j prio show -a s1p1 3 | jq '.[0].rx_resume')" 5
	equal "received" "$(counted received)" 0
	tc -n t-sw qdisc change dev s1p1 root lossless fabric
	ip netns exec t-h1 lle_traffic raw eth0 "${from}88b5$probe$rest"
	check "a switch is not heard" wait_for 1000 heard
	# a 1 Gbit/s link carries one in 700 ns, the budget allows one in 10000
	# ns
	virtual_time || return
	tc -n t-h1 qdisc change dev eth0 root lossless rate 1gbit
	ip netns exec t-h1 lle_traffic raw eth0 "${from}88b5$probe$rest" 1000
	sleep 0.2
	equal "messages of a flood" "$(counted received)" 1001
	between "of them ignored" "$(counted ignored)" 600 750
}

# pauses ACTION: 64 neighbours of a switch send 200 pauses each as fast as they
# can, with messages that these pauses wait for another one. Prints ns.
pauses()
{
	local probe=dc11680100010001010001000000000000010100010100013858
	local from=0180c2000001020000000001 i began
	# class 3 for 65535 quanta
	local frame=${from}880801010008000000000000ffff0000000000000000$probe

	testbed "$1" star 64 --rate 1gbit
	printf 'qdisc change dev s1p%d root lossless fabric\n' {1..64} | tc -n t-sw -batch -
	# each waits for the next one, and so pauses its own neighbour
	for i in {1..64}; do
		ip netns exec "t-h$i" lle_traffic raw eth0 "$frame"
	done
	for i in {1..64}; do
		ip netns exec "t-h$i" lle_traffic send eth0 "$(mac $((i % 64 + 1)))" \
			-n 100 -d 24
	done
	began=$(date +%s%N)
	for i in {1..64}; do
		ip netns exec "t-h$i" lle_traffic raw eth0 "$frame" 200 &
	done
	wait
	check "not all has come" wait_for 5000 all_heard 12864
	ns=$(($(date +%s%N) - began))
}

all_heard() { [ "$(total rx_pause)" -ge "$1" ]; }

flood()
{
	local ns without

	pauses off
	without=$ns
	gone
	pauses alert
	equal "declared" "$(counted declared)" 0
	check "more messages sent than received" test \
		"$(counted sent)" -le "$(counted received)"
	echo "# 12800 pauses of 64 ports: $(counted received) messages received," \
		"$(counted sent) sent, $(counted probes) probes;" \
		"$(((ns - without) / 12800)) ns more a frame than without"
}

refusals()
{
	llet_netns sw
	sw ip link add p1 type veth peer name p2
	sw ip link set p1 up
	refused "deadlock: requires a switch number" \
		tc -n sw qdisc add dev p1 root lossless prio-pfc 3:on deadlock alert
	tc -n sw qdisc add dev p1 root lossless prio-pfc 3:on switch 7
	equal "deadlock" "$(tc -n sw -j qdisc show dev p1 root | jq -r '.[0].options.deadlock')" null
	tc -n sw qdisc change dev p1 root lossless deadlock alert
	equal "deadlock" "$(tc -n sw -j qdisc show dev p1 root | jq -r '.[0].options.deadlock')" alert
	refused '"frog" is not exact or dcfit' \
		tc -n sw qdisc change dev p1 root lossless deadlock-mode frog
	equal "mode" "$(tc -n sw -j qdisc show dev p1 root | jq -r '.[0].options.deadlock_mode')" null
	tc -n sw qdisc change dev p1 root lossless deadlock off deadlock-mode dcfit
	tc -n sw qdisc change dev p1 root lossless deadlock alert
	equal "mode" "$(tc -n sw -j qdisc show dev p1 root | jq -r '.[0].options.deadlock_mode')" dcfit
}

# memory WHAT: bytes of priority 3, from sysfs
memory() { sw cat "/sys/class/net/p1/lossless/prio3/deadlock_${1}_bytes"; }

# Memory follows the number of ports, within the limits of the design.
grows()
{
	local i

	llet_netns sw
	for ((i = 1; i < 64; i += 2)); do
		sw ip link add "p$i" type veth peer name "p$((i + 1))"
	done
	for ((i = 1; i <= 4; i++)); do
		tc -n sw qdisc add dev "p$i" root lossless prio-pfc 3:on switch 7
	done
	equal "without" "$(memory state) $(memory counter)" "0 0"
	tc -n sw qdisc change dev p1 root lossless deadlock alert
	between "state of 4 ports" "$(memory state)" 1 1024
	for ((i = 5; i <= 64; i++)); do
		tc -n sw qdisc add dev "p$i" root lossless prio-pfc 3:on switch 7
	done
	between "state of 64 ports" "$(memory state)" 2048 3072
	echo "# $(memory state) bytes of state and $(memory counter) of counters at 64 ports"
	tc -n sw qdisc change dev p1 root lossless deadlock-mode dcfit
	between "state in mode dcfit" "$(memory state)" 500 1024
	tc -n sw qdisc change dev p1 root lossless deadlock-mode exact
	between "state in mode exact" "$(memory state)" 2048 3072
	sw ip link add q1 type veth peer name q2
	refused "deadlock: the switch has more than 64 ports" \
		tc -n sw qdisc add dev q1 root lossless prio-pfc 3:on switch 7
	tc -n sw qdisc del dev p64 root
	tc -n sw qdisc add dev q1 root lossless prio-pfc 3:on switch 7
	tc -n sw qdisc change dev p1 root lossless deadlock off
	tc -n sw qdisc add dev p64 root lossless prio-pfc 3:on switch 7
	refused "deadlock: the switch has more than 64 ports" \
		tc -n sw qdisc change dev p1 root lossless deadlock alert
	equal "in the end" "$(memory state) $(memory counter)" "0 0"
}

# in_queue PORT PRIO BYTES: the backlog is BYTES
in_queue() { [ "$(stat "$1" "$2" backlog)" = "$3" ]; }

# A switch has one port more than deadlock detection supports. That port is
# deleted while its packets, which made p3 pause h3, wait at p1; they leave
# after detection is switched on.
gone_without_slot()
{
	local i

	llet_star 3
	for ((i = 1; i <= 62; i++)); do
		ip -n sw link add "q$i" type dummy
	done
	llet_ports 2 switch 7 prio-pfc 7:on rate 10mbit xoff 15000b headroom 40k
	for ((i = 1; i <= 62; i++)); do
		echo "qdisc add dev q$i root lossless switch 7"
	done | tc -n sw -batch -
	port 3 switch 7 prio-pfc 7:on rate 10mbit xoff 15000b headroom 40k
	refused "more than 64 ports" tc -n sw qdisc change dev p1 root lossless deadlock alert
	pfc 1 0x80 0 0 0 0 0 0 0 65535
	send 3 1 -n 20 -d 56
	check "nothing waits" wait_for 2000 in_queue p1 7 20000
	tc -n sw qdisc del dev p3 root
	for ((i = 1; i <= 62; i++)); do
		echo "qdisc del dev q$i root"
	done | tc -n sw -batch -
	check "not switched on" tc -n sw qdisc change dev p1 root lossless deadlock alert
	pfc 1 0x80
	check "packets still wait" wait_for 2000 in_queue p1 7 0
	equal "shared bytes left" "$(port_stat p1 shared_used)" 0
}

llet_main
