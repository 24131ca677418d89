# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The demo's instruments, the same in all arms. Sourced by guest.sh, which sets
# the parameters, and traffic to roce or tcp.
#
# shellcheck disable=SC2154 # parameters

# counters DIR: stores counters of losses outside the qdiscs, and of Soft-RoCE
counters()
{
	local i f

	mkdir -p "$1"
	cp /proc/net/softnet_stat "$1/"
	ip -n sw -s -j link show >"$1/link.sw.json"
	for i in 1 2 3; do
		h "$i" ip -s -j link show "r$i" >"$1/link.r$i.json"
		h "$i" cat /proc/net/snmp >"$1/snmp.$i"
		[ "$traffic" = roce ] || continue
		for f in "/sys/class/infiniband/rxe$i/ports/1/hw_counters"/*; do
			[ "${f##*/}" = lifespan ] || echo "${f##*/} $(<"$f")"
		done >"$1/rxe$i"
	done
}

# Stores the counters of the qdiscs before their deletion.
qdisc_counters()
{
	local i

	for i in 1 2 3; do
		tc -n sw -s -j qdisc show dev "p$i" root >"$1/qdisc.p$i.json"
		h "$i" tc -s -j qdisc show dev "r$i" root >"$1/qdisc.r$i.json"
	done
}

instruments=()

# start COMMAND...: starts an instrument in the namespace of the switch
start()
{
	nsenter --net=/run/netns/sw "$@" &
	instruments+=($!)
}

# A lossless port has files for all counters; netlink reads another qdisc.
instruments_start()
{
	local dir=$1 i dev=p3 sys=/run/sys.sw/class/net lossless=lossless/prio$PRIO
	local hosts=/sys/class/net files

	files=("$sys/p3/statistics/tx_bytes")
	[ "$traffic" = tcp ] ||
		files+=(/sys/class/infiniband/rxe3/ports/1/hw_counters/rdma_recvs)
	if [ "$2" != stock ]; then
		dev=-
		files+=("$sys/p3/$lossless/backlog")
		for i in 1 2; do
			[ "$traffic" = roce ] || hosts=/run/sys.h$i/class/net
			files+=("$sys/p$i/$lossless"/{buf_discard,occupancy,tx_paused}
				"$hosts/r$i/$lossless"/{rx_paused,rx_pause_duration})
		done
	fi
	for i in 1 2; do
		start tcpdump -qnU -i "p$i" -w "$dir/pfc$i.pcap" \
			ether proto 0x8808 2>"$dir/tcpdump$i.log"
	done
	start lle_sample "$SAMPLE_MS" $dev "${files[@]}" >"$dir/sample.csv"
	sleep 1
}

instruments_stop()
{
	sleep 0.3
	kill "${instruments[@]}"
	wait "${instruments[@]}" || :
	instruments=()
}
