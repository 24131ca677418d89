#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Refusals: user namespaces, unsuitable devices, malformed netlink messages.

ALL_TESTS="userns_refused userns_allowed_by_parameter not_ethernet
	link_pause_refused netlink_fuzz dcb_fuzz genl_fuzz genl_unprivileged pause_unprivileged
	genl_dump_interrupted pfc_flood pfc_flapping
	pfc_flapping_reported pfc_flapping_of_a_switch pfc_budget_follows_the_rate"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

PARAM=/sys/module/sch_lossless/parameters/allow_userns

RUNS=${LLE_FUZZ_RUNS:-3000}

in_userns() { unshare -Urn bash -c "$1"; }

userns_refused()
{
	refused "user namespace" in_userns \
		'ip link add d0 type dummy; tc qdisc add dev d0 root lossless 2>&1'
}

userns_allowed_by_parameter()
{
	echo 1 >$PARAM
	defer sh -c "echo 0 >$PARAM"
	check "attach" in_userns '
		ip link add d0 type dummy && ip link set d0 up &&
		tc qdisc add dev d0 root lossless prio-pfc 3:on &&
		tc qdisc change dev d0 root lossless rate 1gbit'
	# a qdisc that was attached cannot be changed when it is no longer
	# allowed
	rm -f /tmp/attached /tmp/forbidden
	in_userns 'ip link add d0 type dummy; tc qdisc add dev d0 root lossless
		touch /tmp/attached
		until [ -e /tmp/forbidden ]; do sleep 0.1; done
		tc qdisc change dev d0 root lossless rate 1gbit' \
		>/tmp/said 2>&1 &
	check "not attached" wait_for 5000 test -e /tmp/attached
	echo 0 >$PARAM
	touch /tmp/forbidden
	wait $! && llet_fail "change was not refused"
	check "refused otherwise" grep -q "user namespace" /tmp/said
}

# A device without a link of its own cannot be a port.
not_ethernet()
{
	refused "Ethernet" tc qdisc add dev lo root lossless
	llet_star 1
	ip -n sw link add link p1 name p1.5 type vlan id 5
	refused "its ports" tc -n sw qdisc add dev br0 root lossless
	refused "the device below it" tc -n sw qdisc add dev p1.5 root lossless
}

# 802.3x pause stops the whole link: such a NIC must not get PFC, too.
link_pause_refused()
{
	local nic

	modprobe e1000 2>/dev/null
	nic=$(basename "$(echo /sys/bus/pci/drivers/e1000/*/net/*)")
	if [ "$nic" = '*' ]; then
		llet_skip "no NIC with 802.3x pause"
		return
	fi
	# the name eth0 in this namespace collides with those of the hosts
	ip link set "$nic" name nic0
	nic=nic0
	defer modprobe -r e1000
	check "pause on" ethtool -A "$nic" autoneg off rx on tx on
	check "attach without PFC" tc qdisc add dev "$nic" root lossless
	refused "802.3x" tc qdisc change dev "$nic" root lossless prio-pfc 3:on
	tc qdisc del dev "$nic" root
	refused "802.3x" tc qdisc add dev "$nic" root lossless prio-pfc 3:on
	# one direction is enough for a refusal
	check "rx alone" ethtool -A "$nic" autoneg off rx on tx off
	refused "802.3x" tc qdisc add dev "$nic" root lossless prio-pfc 3:on
	check "tx alone" ethtool -A "$nic" autoneg off rx off tx on
	refused "802.3x" tc qdisc add dev "$nic" root lossless prio-pfc 3:on
	check "pause off" ethtool -A "$nic" autoneg off rx off tx off
	check "attach" tc qdisc add dev "$nic" root lossless prio-pfc 3:on
	tc qdisc del dev "$nic" root
}

# Random options at a live port: each is accepted or refused; the port survives.
netlink_fuzz()
{
	llet_star 2
	llet_ports 2 rate 100mbit prio-pfc 3:on
	check "fuzzer failed" sw lle_nlfuzz qdisc p2 "$RUNS" 1
	check "fuzzer failed" sw lle_nlfuzz qdisc p2 "$RUNS" 2
	port_lives_on
}

port_lives_on()
{
	tc -n sw qdisc del dev p2 root
	port 2 rate 100mbit buffer 1m
	receive 2 500
	send 1 2 -B -n 10
	equal "received afterwards" "$(received 2 .sum.packets)" 10
}

dcb_fuzz()
{
	llet_star 2
	llet_ports 2 rate 100mbit prio-pfc 3:on
	check "fuzzer failed" sw lle_nlfuzz dcb p2 "$RUNS" 3
	equal "PFC as dcb has it" "$(dcb -n sw -j pfc show dev p2 |
		jq -c '[.prio_pfc | to_entries[] | select(.value).key]')" \
		"$(option p2 prio_pfc)"
	port_lives_on
}

# Packets wait at a paused port, so that watchdogs have something to detect.
genl_testbed()
{
	llet_star 2
	llet_ports 2 rate 100mbit prio-pfc 3:on
	pfc 2 0x08 0 0 0 65535
	send 1 2 -n 20 -d 24
}

genl_fuzz()
{
	genl_testbed
	check "fuzzer failed" sw lle_genlfuzz random p2 "$RUNS" 4
	check "fuzzer failed" sw lle_genlfuzz random p2 "$RUNS" 5
	check "no end of it" sw losslessctl switch discard 0 off
	port_lives_on
}

# all_settings: of switches, ports and watchdogs, without changing values
all_settings()
{
	local what

	for what in switch port "watchdog show config"; do
		# shellcheck disable=SC2086 # words
		sw losslessctl -j $what | jq -c 'map(del(.used_bytes, .used_max_bytes))' ||
			return
	done
}

# Another user, and the root of a user namespace, may read but not change: ports
# of this namespace, and of the own one.
# Each pause of each port would be an event for it.
pause_unprivileged()
{
	genl_testbed
	refused "not permitted" sw setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all timeout 5 losslessctl monitor pause
	equal "other events: status" "$(sw setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all timeout 1 losslessctl monitor config >/dev/null 2>&1; echo $?)" 124
}

genl_unprivileged()
{
	local before

	genl_testbed
	before=$(all_settings)
	check "nothing there" test -n "$before"
	check "another user" sw setpriv --reuid=65534 --regid=65534 --clear-groups \
		--inh-caps=-all lle_genlfuzz unprivileged p2 "$RUNS" 6
	check "a user namespace" sw unshare -Ur lle_genlfuzz unprivileged p2 "$RUNS" 7
	equal "settings" "$(all_settings)" "$before"
	echo 1 >$PARAM
	defer sh -c "echo 0 >$PARAM"
	check "ports of its own" in_userns "
		ip link add d0 type dummy && ip link set d0 up &&
		tc qdisc add dev d0 root lossless prio-pfc 3:on &&
		lle_genlfuzz unprivileged d0 $RUNS 8"
}

# Ports appear and disappear between the parts of a dump: it ends, and is marked
# as inconsistent. A part has about 20 ports without traffic.
genl_dump_interrupted()
{
	local i said

	llet_netns sw
	for i in {1..60}; do
		ip -n sw link add "p$i" type dummy
		port "$i"
	done
	ip -n sw link add other type dummy
	equal "undisturbed" "$(sw lle_genlfuzz dump true)" 60
	for i in "tc qdisc del dev p1 root" "tc qdisc add dev other root lossless" \
		"ip link del p60" "for i in \$(seq 2 59); do tc qdisc del dev p\$i root; done"; do
		said=$(sw lle_genlfuzz dump "$i")
		check "$i: dump says $said" test "${said#* }" = interrupted
	done
	equal "undisturbed again" "$(sw lle_genlfuzz dump true)" 1
}

# A host floods pauses and resumes: the switch sends nothing in return.
pfc_flood()
{
	local i

	llet_star 2
	llet_ports 2 rate 100mbit prio-pfc 3:on
	for ((i = 0; i < 50; i++)); do
		pfc 1 0x08 0 0 0 65535
		pfc 1 0x08 0 0 0 0
	done
	equal "pauses" "$(stat p1 3 rx_pause)" 50
	equal "resumes" "$(stat p1 3 rx_resume)" 50
	equal "answers" "$(sum .tx_pause)" 0
	equal "paused" "$(stat p1 3 rx_paused)" 0
}

# control_frame OPCODE HEX: a MAC control frame from h1, in hexadecimal
control_frame()
{
	local frame

	frame="0180c2000001$(mac 1 | tr -d :)8808$1$2"
	printf '%s%0*d' "$frame" $((120 - ${#frame})) 0
}

# flapping_cost COUNT HEX...: instructions that one frame from h1 costs the
# switch
flapping_cost()
{
	local all sender

	all=$(h 1 lle_traffic cost eth0 "$@")
	sender=$(h 1 lle_traffic cost dummy0 "$@")
	echo $((all - sender))
}

# An edge host pauses and resumes all classes as fast as it can: the work of the
# switch per frame is limited. Deadlock detection, at 12 ports, and watchdogs
# are on. Prints instructions per frame.
pfc_flapping()
{
	local ignored cost what n=10000 all frames
	local -A flaps=(
		[resumed]="$(control_frame 0101 00ff"$(printf 'ffff%.0s' 1 2 3 4 5 6 7 8)")
			$(control_frame 0101 00ff)"
		[expires]="$(control_frame 0101 00ff"$(printf '0001%.0s' 1 2 3 4 5 6 7 8)")"
		[one_class]="$(control_frame 0101 0001ffff) $(control_frame 0101 0001)"
	)

	if virtual_time || real_time; then
		llet_skip "time is not instructions"
		return
	fi
	modprobe dummy numdummies=0
	llet_star 12
	all=$(printf '%d:on ' 0 1 2 3 4 5 6 7)
	# shellcheck disable=SC2086 # words
	llet_ports 12 prio-pfc $all buffer 64m switch 1 deadlock drop
	check "watchdogs" sw losslessctl watchdog start all 200 >/dev/null
	ip -n h1 link add dummy0 up type dummy

	ignored=$(flapping_cost $n "$(control_frame 0001 ffff)")
	echo "# metric ignored $ignored"
	# use up the burst of the budget
	h 1 lle_traffic raw eth0 "$(control_frame 0101 00ff)" 100
	for what in "${!flaps[@]}"; do
		read -ra frames -d '' <<<"${flaps[$what]}"
		cost=$(flapping_cost $n "${frames[@]}")
		echo "# metric $what $cost"
		[ "$cost" -le $((2 * ignored)) ] ||
			llet_fail "$what: $cost instructions, more than twice $ignored"
	done
	equal "pauses counted" "$(stat p1 0 rx_pause)" $((2 * n))
	equal "resumes counted" "$(stat p1 0 rx_resume)" $((n + 100))
	check "budget not exceeded" test "$(port_stat p1 rx_pfc_excess)" -gt $((2 * n))

	# listeners have a cost, too: it is printed, without a limit
	sw losslessctl monitor pause >/dev/null &
	defer kill $!
	sleep 0.5
	for what in "${!flaps[@]}"; do
		read -ra frames -d '' <<<"${flaps[$what]}"
		echo "# metric $what-listener $(flapping_cost $n "${frames[@]}")"
	done
}

# State beyond the budget is applied, and its event is sent when the flapping
# stops: the last frame pauses, a packet waits, and the watchdog detects it.
pfc_flapping_reported()
{
	local said=/tmp/events

	llet_star 2
	llet_ports 2 rate 100mbit prio-pfc 3:on switch 1 deadlock drop
	check "watchdog" sw losslessctl watchdog start p1 100 >/dev/null
	sw losslessctl monitor pause >$said 2>&1 &
	defer kill $!
	sleep 0.5
	receive 1 500
	flap
	send 2 1 -n 5 -d 24
	equal "waits" "$(stat p1 3 backlog)" 5000
	check "budget not exceeded" test "$(port_stat p1 rx_pfc_excess)" -gt 500
	check "listeners not told" wait_for 1000 last_said $said "p1 rx paused 3"
	check "few events" test "$(wc -l <$said)" -lt 500
	check "storm not found" wait_for 1000 stormed
	equal "received afterwards" "$(received 1 .sum.packets)" 0
}

# flap: h1 resumes and pauses priority 3 by turns, 1000 frames at once. The last one in
# the budget resumes, the last one of all pauses.
flap()
{
	h 1 lle_traffic cost eth0 1000 "$(control_frame 0101 0008)" \
		"$(control_frame 0101 0008"$(printf 'ffff%.0s' 1 2 3 4)")" >/dev/null
}

# A switch under the same management may pause as often as it has to.
pfc_flapping_of_a_switch()
{
	llet_star 1
	port 1 rate 100mbit prio-pfc 3:on fabric
	flap
	equal "pauses" "$(stat p1 3 rx_pause)" 500
	equal "beyond a budget" "$(port_stat p1 rx_pfc_excess)" 0
}

# The budget has 65 frames, and one more in each millisecond, or on a link of 100 Gbit/s
# in each 84 us. A frame arrives each 500 us: 129 until the budget is used up; then all
# that it has is for reports of the others, unless frames are late: one more each ms.
pfc_budget_follows_the_rate()
{
	local excess

	if real_time; then
		llet_skip "frames may be late"
		return
	fi
	llet_star 1
	port 1 rate 10mbit prio-pfc 3:on
	ip netns exec h1 lle-storm -p 3 -f -r 2000 -c 1000 eth0 >/dev/null
	excess=$(port_stat p1 rx_pfc_excess)
	between "beyond the budget at 10 Mbit/s" "$excess" 500 880
	port 1 rate 100gbit
	sleep 1
	ip netns exec h1 lle-storm -p 3 -f -r 2000 -c 1000 eth0 >/dev/null
	equal "and at 100 Gbit/s" "$(port_stat p1 rx_pfc_excess)" "$excess"
}

last_said() { tail -n 1 "$1" | grep -q "$2"; }
stormed() { ! sw losslessctl watchdog show stats --check-storm; }

llet_main
