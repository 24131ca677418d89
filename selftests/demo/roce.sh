# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Parameters of the demo's testbed, and its RDMA traffic. Sourced, with
# testbed.sh, by guest.sh and by scripts/vm/shell-roce.
#
# shellcheck disable=SC2034 # for the sourcing script

LINK=100mbit		# all links; TCG can forward 5 times that rate
MTU=4200		# IB MTU 4096
BUFFER=1m		# packet memory of the switch in all arms
XOFF=100k
XON_DELTA=20k
QUANTA=65535		# a pause lasts 0.3 s, then a refresh is needed
HEADROOM=350k		# p1, p2: an emulated CPU may react after 20 ms
HEADROOM_ACKS=64k	# p3
HOST_BUFFER=16m		# in the hosts' memory: never the bottleneck
MESSAGES=100		# 64 KB messages per queue pair, each of 2 hosts
MESSAGE=65536
QPS=4
TOS=104			# DSCP 26, which maps to PRIO
PRIO=3
SAMPLE_MS=20
PATIENCE=60		# seconds a program may take

# listening PORT...: waits until servers on any host listen on the PORTs
listening()
{
	local port tries

	for port; do
		port=$(printf '%04X' "$port")
		for ((tries = 300; tries > 0; tries--)); do
			h 3 grep -qE ":$port [0-9A-F:]+ 0A " /proc/net/tcp \
				/proc/net/tcp6 2>/dev/null && break
			sleep 0.1
		done
	done
}

# Queue pairs are set up over lo; -e: no polling; -u 17: time-outs of 0.5 s
ib_send()
{
	timeout "$PATIENCE" ib_send_bw -x 1 -F -e -u 17 "--tclass=$TOS" \
		-n "$MESSAGES" -q "$QPS" -s "$MESSAGE" "$@"
}

roce_server() { ib_send -d rxe3 -p "1851$1"; }
roce_client() { ib_send -d "rxe$1" -p "1851$1" 127.0.0.1; }
