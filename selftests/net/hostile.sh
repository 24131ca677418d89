#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who must not, cannot: user namespaces, bad devices, bad netlink.

ALL_TESTS="userns_refused userns_allowed_by_parameter not_ethernet
	link_pause_refused netlink_fuzz pfc_flood"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

PARAM=/sys/module/sch_lossless/parameters/allow_userns

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
	# what was allowed once is not changed when it no longer is
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

# What has no link of its own is no port.
not_ethernet()
{
	refused "Ethernet" tc qdisc add dev lo root lossless
	llet_star 1
	ip -n sw link add link p1 name p1.5 type vlan id 5
	refused "its ports" tc -n sw qdisc add dev br0 root lossless
	refused "its ports" tc -n sw qdisc add dev p1.5 root lossless
}

# 802.3x pause stops the whole link: a NIC that has it must not get PFC, too.
link_pause_refused()
{
	local nic

	modprobe e1000 2>/dev/null
	nic=$(basename "$(echo /sys/bus/pci/drivers/e1000/*/net/*)")
	if [ "$nic" = '*' ]; then
		llet_skip "no NIC with 802.3x pause"
		return
	fi
	# eth0 in this namespace is in the way of those of the hosts
	ip link set "$nic" name nic0
	nic=nic0
	defer modprobe -r e1000
	check "pause on" ethtool -A "$nic" autoneg off rx on tx on
	check "attach without PFC" tc qdisc add dev "$nic" root lossless
	refused "802.3x" tc qdisc change dev "$nic" root lossless prio-pfc 3:on
	tc qdisc del dev "$nic" root
	refused "802.3x" tc qdisc add dev "$nic" root lossless prio-pfc 3:on
	# one direction is one too many
	check "rx alone" ethtool -A "$nic" autoneg off rx on tx off
	refused "802.3x" tc qdisc add dev "$nic" root lossless prio-pfc 3:on
	check "tx alone" ethtool -A "$nic" autoneg off rx off tx on
	refused "802.3x" tc qdisc add dev "$nic" root lossless prio-pfc 3:on
	check "pause off" ethtool -A "$nic" autoneg off rx off tx off
	check "attach" tc qdisc add dev "$nic" root lossless prio-pfc 3:on
	tc qdisc del dev "$nic" root
}

# Random options at a live port: each is taken or refused; the port lives on.
netlink_fuzz()
{
	llet_star 2
	llet_ports 2 rate 100mbit prio-pfc 3:on
	check "fuzzer failed" sw lle_nlfuzz p2 "${LLE_FUZZ_RUNS:-3000}" 1
	check "fuzzer failed" sw lle_nlfuzz p2 "${LLE_FUZZ_RUNS:-3000}" 2
	tc -n sw qdisc del dev p2 root
	port 2 rate 100mbit
	receive 2 500
	send 1 2 -B -n 10
	equal "received afterwards" "$(received 2 .sum.packets)" 10
}

# A host that floods pauses and resumes: nothing is sent in answer.
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


llet_main
