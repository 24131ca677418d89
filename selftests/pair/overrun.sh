#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A NIC with full receive buffers: packets wait before it, or it drops them. No
# switch can count those drops, so the driver must, and losslessd must report
# them. Prints a line of the table in Documentation/results/nics.rst.

ALL_TESTS="losses_are_reported"

# shellcheck source=selftests/pair/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/pair/testbed.sh
. "$(dirname "$0")/testbed.sh"
line_open

N=2000			# packets; more than the buffers of any NIC
LOG=/tmp/overrun.log

daemon()
{
	rm -f $LOG /tmp/overrun.prom
	echo "log = \"$LOG\" metrics { interval = 1 textfile = \"/tmp/overrun.prom\" }" \
		>/tmp/overrun.conf
	ip netns exec h1 losslessd -c /tmp/overrun.conf &
	defer daemon_end $!
	# losslessd does not report losses before its first check
	check "losslessd does not look" wait_for 20000 test -e /tmp/overrun.prom
}

daemon_end() { kill "$1" && wait "$1"; }

# polled NS: after an interrupt the driver polls each NS, without other
# interrupts; 0: normal operation
polled()
{
	ip netns exec h1 sh -c "cd /sys/class/net/eth0 &&
		echo $(($1 ? 1000000 : 0)) >napi_defer_hard_irqs && echo $1 >gro_flush_timeout"
}

# only ethtool shows these losses of vmxnet3
out_of_buffers()
{
	ip netns exec h1 ethtool -S eth0 2>/dev/null |
		awk -F: '/pkts rx OOB/ { n += $2 } END { print n + 0 }'
}

told() { jq -s 'map(select(.event == "lossless_violation").packets) | add // 0' $LOG; }
told_all() { [ "$(told)" = "$1" ]; }

losses_are_reported()
{
	local got counted other

	# the driver adds up a register that real hardware clears on each read
	if [ "$MODEL" = e1000 ]; then
		llet_skip "qemu's e1000 does not clear its count of missed packets when it is read"
		return
	fi
	near_host "$MODEL"
	host 1 prio-pfc 3:on
	defer peer llet_cleanup
	peer_check far_host "$MODEL"
	peer host 2 prio-pfc 3:on
	cable_works h1 eth0 h2 eth0
	daemon

	receive 1 10000
	polled 5000000000
	defer polled 0
	peer send 2 1 -n $N
	polled 0
	got=$(received 1 .sum.packets)
	counted=$(nic_lost h1 eth0)
	other=$(out_of_buffers)
	echo "# without buffers: | $MODEL | $LLE_KERNEL | of $N: $got received," \
		"$counted counted as lost, $other by ethtool only |"
	nic_counters h1 eth0
	equal "received and counted as lost" $((got + counted + other)) $N
	check "losslessd has told of $(told) of $counted" wait_for 20000 told_all $counted
	[ -z "$llet_why" ] || { peer nic_counters h2 eth0; sed 's/^/# /' $LOG; }
}

llet_main
