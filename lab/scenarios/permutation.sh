# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# permutation: each host of a fat tree sends to one host and receives from one,
# at line rate. The fabric has as many paths as hosts, so that flows below line
# rate share a path.
#
# keys: K=4 RATE=100gbit DELAY=1us BUFFER=1g SIZE=12500000 PFC=on CC=none MTU=1024 MS=8

limits() { [ "$PFC" = off ] || limit_buffer "$K"; }

testbed()
{
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:$PFC"
}
PORT="buffer $BUFFER xoff 200k prio-pfc 3:$PFC
	wred 3 kmin 400k kmax 1600k pmax 20% ecn"

rnic_options() { echo "mtu=$MTU $(rnic_cc)"; }

flows() { lle_flows permutation --hosts $((K * K * K / 4)) --size "$SIZE" --seed "$SEED"; }

duration() { echo "${MS}e-3"; }

metrics()
{
	count_losses
	flow_times
}

expectations() { expect_arrival; }
