#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# losslessctl doctor: finds nothing at a correct switch. Each misconfiguration is
# planted alone: doctor finds it, at that device, and nothing else, and the command
# that it prints mends it.

ALL_TESTS="correct hostile_names usage machine modules clock
	priorities buffers watchdogs gro order xdp link_pause bridges bonds vlan peers fabric"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/links.sh
. "$(dirname "$0")/links.sh"

HOST="rate 100mbit prio-pfc 3:on"
# priorities 7 and 6 are strict
PORT="$HOST bands 8 strict 2 priomap 7 6 5 4 3 2 1 0"
# shellcheck source=selftests/net/doctor_testbed.sh
. "$(dirname "$0")/doctor_testbed.sh"

PLUGIN=/usr/lib/x86_64-linux-gnu/tc/q_lossless.so

# The guest has the modules in a folder of their own, where modprobe finds nothing.
modprobe -n -q sch_lossless || {
	mkdir -p "/lib/modules/$(uname -r)/updates"
	cp "${LLE_MODULES:-/mods}"/{lossless,sch_lossless}.ko "/lib/modules/$(uname -r)/updates"
	depmod
}

# correct_star OPTION...: two hosts at a switch, with nothing to find
correct_star()
{
	new_star 2 "$@"
	nothing_found
}

# planted CHECK DEVICE COMMAND...: after COMMAND doctor finds CHECK at DEVICE, and
# nothing after the commands that it prints
planted()
{
	local check=$1 device=$2 said mend

	shift 2
	check "$check: not planted" "$@"
	said=$(doctor)
	equal "$check" "$(checks_of "$said")" "$(xargs <<<"$check $device")"
	equal "$check: exit status" "$(sw losslessctl doctor >/dev/null; echo $?)" 1
	mend=$(jq -r '.[0].mend' <<<"$said")
	check "$check: fails: $mend" sw sh -c "$mend" >/dev/null
	check "$check: after $mend: $(doctor)" wait_for 4000 silent
}

correct()
{
	correct_star
	equal "exit status" "$(sw losslessctl doctor >/dev/null; echo $?)" 0
	check "text" grep -qE '^nothing found, [0-9]+ checks$' <(sw losslessctl doctor)
	equal "JSON" "$(doctor)" "[]"
}

# Commands are safe, and so is the terminal.
# losslessd sets the watchdog of a renamed port once more
stopped()
{
	sw losslessctl watchdog stop all
	[ "$(doctor | jq length)" = 2 ]
}

hostile_names()
{
	local name bad

	correct_star
	bad=$(printf 'e\033\303\244')
	# shellcheck disable=SC2016 # names, no commands
	for name in 'a;b$(c)' "q'\"" "$bad" -x '*'; do
		ip -n sw link set p1 down
		ip -n sw link set dev p1 name "$name"
		ip -n sw link set dev "$name" up
		bridge -n sw link set dev "$name" flood on
		equal "found" "$(doctor | jq -r '.[0].check')" flood
		check "bytes that are not printable" test -z "$(sw losslessctl doctor | tr -d '\n\t -~')"
		sw sh -c "$(doctor | jq -r '.[0].mend')"
		check "not mended: $(doctor)" wait_for 4000 silent
		check "watchdogs: $(doctor)" wait_for 4000 stopped
		sw sh -c "$(doctor | jq -r '.[].mend')"
		check "no watchdogs: $(doctor)" wait_for 4000 silent
		ip -n sw link set dev "$name" down
		ip -n sw link set dev "$name" name p1
		ip -n sw link set p1 up
	done
}

usage()
{
	refused 'unknown argument "x"' losslessctl doctor x
	equal "exit status" "$(losslessctl doctor x 2>/dev/null; echo $?)" 2
}

machine()
{
	correct_star
	planted backlog "" sysctl -qw net.core.netdev_max_backlog=1000
	equal "of the machine" "$(sysctl -n net.core.netdev_max_backlog)" 100000
	planted losslessd "" stop_daemon
	planted discard "" sw losslessctl switch discard 0 on
	mkdir -p /usr/local/lib/x86_64-linux-gnu/tc
	planted tc-plugin "" mv $PLUGIN /usr/local/lib/x86_64-linux-gnu/tc
	rm $PLUGIN
	mv /usr/local/lib/x86_64-linux-gnu/tc/q_lossless.so $PLUGIN
}

# Not loaded, and of another version. Without them there is no port.
modules()
{
	local other

	is_module sch_lossless || { llet_skip "the modules are part of the kernel"; return; }
	llet_netns sw
	planted module "" unload
	equal "loaded" "$(cat /sys/module/sch_lossless/initstate)" live
	other="/lib/modules/$(uname -r)/updates/lossless.ko"
	[ -e "$other" ] || { llet_skip "no place for a module of another version"; return; }
	sed "s/version=$(modinfo -F version lossless)\x00/version=9.9\x00/" "$other" >/tmp/old.ko
	planted version "" exchange /tmp/old.ko
}
# the kernel removes network namespaces, with their qdiscs, in the background
unload() { wait_for 5000 rmmod sch_lossless 2>/dev/null && rmmod lossless; }
exchange() { unload && insmod "$1" && modprobe sch_lossless; }

clock()
{
	local at=/sys/devices/system/clocksource/clocksource0 before

	before=$(cat $at/current_clocksource)
	if ! grep -qE '(tsc|kvm-clock).* acpi_pm' $at/available_clocksource; then
		llet_skip "this machine has no choice of clocks: $(cat $at/available_clocksource)"
		return
	fi
	HOST=${HOST/100mbit/10gbit} PORT=${PORT/100mbit/10gbit} correct_star
	planted clock "" sh -c "echo acpi_pm >$at/current_clocksource"
	echo "$before" >$at/current_clocksource
}

priorities()
{
	correct_star
	planted pfc-differs p1 p 1 prio-pfc 3:off
	planted priority p1 p 1 trust none
	planted priority p1 p 1 dscp-prio 24:0 25:0 26:0 27:0 28:0 29:0 30:0 31:0
	planted alpha p1 one_of_three
	llet_cleanup
	llet_netns sw
	start_daemon
	ip -n sw link add d1 up type dummy
	nothing_found
	planted no-pfc d1 tc -n sw qdisc add dev d1 root lossless
}
# a majority is more than half of two
one_of_three()
{
	llet_cleanup
	new_star 3
	wait_for 4000 silent && p 1 alpha 1/64
}

buffers()
{
	correct_star
	planted headroom p1 p 1 headroom 3000b
	planted xoff p1 p 1 xoff 2000b
	p 1 dynamic
	check "one port is short of buffer" sw losslessctl switch set 0 buffer 80k 2>/dev/null
	equal "both ports" "$(checks_of "$(doctor)")" "buffer p1 buffer p2"
	sw sh -c "$(doctor | jq -r '.[0].mend')"
	check "after its command: $(doctor)" wait_for 4000 silent
}

watchdogs()
{
	correct_star
	planted watchdog p1 sw losslessctl watchdog stop p1
	planted watchdog-differs p1 three_watchdogs
}
three_watchdogs()
{
	one_of_three
	p 1 alpha 1/16
	sw losslessctl watchdog start -a alert p1 700
}

gro()
{
	drops_gro || { llet_skip "veth of this kernel does not drop"; return; }
	correct_star
	planted gro p1 sw ethtool -K p1 gro on
	planted peer-gro p1 ip netns exec h1 ethtool -K eth0 gro on
}

order()
{
	[ "$LLET_CPUS" -gt 1 ] || { llet_skip "one CPU keeps the order"; return; }
	correct_star
	planted order p1 sw sh -c "echo 0 >/sys/class/net/p1/queues/rx-0/rps_cpus"
}

# not in /sys/fs/bpf: "ip -n" mounts a /sys of its own
xdp()
{
	mkdir -p /tmp/bpf
	mount -t bpf bpf /tmp/bpf 2>/dev/null || { llet_skip "this kernel has no BPF"; return; }
	defer umount /tmp/bpf
	correct_star
	check "no program" lle_redirect /tmp/bpf/xdp 1 xdp
	planted xdp p1 ip -n sw link set dev p1 xdpgeneric pinned /tmp/bpf/xdp
	ip -n sw link set dev p1 xdpdrv pinned /tmp/bpf/xdp 2>/dev/null || return 0
	# with a program of its own, a veth receives by GRO
	check "native: $(doctor)" grep -q 'xdp p1$' <<<"$(checks_of "$(doctor)")"
	sw sh -c "$(doctor | jq -r '.[].mend')"
	check "native: after its commands: $(doctor)" wait_for 4000 silent
}

# 802.3x pause that comes after the qdisc
link_pause()
{
	local nic

	modprobe e1000 2>/dev/null
	nic=$(basename "$(echo /sys/bus/pci/drivers/e1000/*/net/*)")
	[ "$nic" != '*' ] || { llet_skip "no NIC with 802.3x pause"; return; }
	defer modprobe -r e1000
	# hosts have the name eth0
	ip link set "$nic" name nic0
	correct_star
	ip link set nic0 netns sw
	defer ip -n sw link set nic0 netns 1
	sw ethtool -A nic0 autoneg off rx off tx off
	tc -n sw qdisc add dev nic0 root lossless prio-pfc 3:on
	nothing_found
	planted link-pause nic0 sw ethtool -A nic0 autoneg off rx on tx on
}

bridges()
{
	correct_star
	planted flood p1 bridge -n sw link set dev p1 flood on
	planted bridge-port p1 tc -n sw qdisc del dev p1 root
	planted switches p2 other_switch
	ip -n sw link add d1 up mtu 1400 type dummy
	# shellcheck disable=SC2086 # words
	tc -n sw qdisc add dev d1 root lossless $PORT
	planted bridge-mtu d1 joins_watched d1
}
joins_watched() { joins "$1" && wait_for 3000 watched "$1"; }

bonds()
{
	has bond || return 0
	correct_star
	ip -n sw link add bond0 type bond mode balance-xor
	ip -n sw link set p2 nomaster
	ip -n sw link set p2 down
	ip -n sw link set p2 master bond0
	ip -n sw link set bond0 up master br0
	bridge -n sw link set dev bond0 flood off
	ip -n sw link set p2 up
	nothing_found
	# no member has it, but other ports of the bridge
	planted bridge-port p2 tc -n sw qdisc del dev p2 root
	planted bond-member d1 second_member
}
second_member()
{
	ip -n sw link add d1 master bond0 type dummy
	ip -n sw link set d1 up
}

vlan()
{
	correct_star trust pcp
	ip -n sw link add link p1 name p1.5 type vlan id 5 ingress-qos-map 3:3 egress-qos-map 3:3
	nothing_found
	planted vlan-ingress p1.5 ip -n sw link set dev p1.5 type vlan ingress-qos-map 3:0
	planted vlan-egress p1.5 ip -n sw link set dev p1.5 type vlan egress-qos-map 3:0
}

peers()
{
	correct_star
	planted peer-qdisc p1 tc -n h1 qdisc del dev eth0 root
	planted peer-pfc p1 tc -n h1 qdisc change dev eth0 root lossless prio-pfc 3:off
	planted peer-rate p1 tc -n h1 qdisc change dev eth0 root lossless rate 200mbit
	planted peer-mtu p1 ip -n h1 link set dev eth0 mtu 1400
	planted peer-gso p1 tc -n h1 qdisc change dev eth0 root lossless no-split-gso
	planted peer-gso p1 p 1 no-split-gso
	p 1 auto-gso
}

# Two switches; the other one is in another network namespace.
fabric()
{
	correct_star
	other_fabric
	joins up1
	# shellcheck disable=SC2086 # words
	tc -n sw qdisc add dev up1 root lossless $PORT fabric deadlock off
	equal "switch 0" "$(checks_of "$(doctor)")" "deadlock up1"
	sw sh -c "$(doctor | jq -r '.[0].mend')"
	check "after its commands: $(doctor)" wait_for 4000 silent
	check "still switch 0" test "$(sw losslessctl -j switch | jq '.[0].switch')" -gt 0
	planted deadlock up1 tc -n sw qdisc change dev up1 root lossless deadlock off
	planted peer-facing up1 at_edge
}

llet_main
