# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# sonic-roce: the data-plane tests of SONiC's RoCEv2 suite (sonic-mgmt,
# tests/snappi_tests/rocev2), with hosts as traffic generators: one
# switch, four hosts, payload of 4 KB, all ports at line rate. Queues 3 and 4 are
# lossless, CNPs have queue 5, and ACKs 6. Weights of queues are SONiC's defaults
# (qos_config.j2); marks are those of HPCC's authors for DCQCN at 100 Gbit/s.
# With SONiC's default marks (KMIN=1048576 KMAX=2097152 PMAX=5%), or the qdisc's
# ALPHA=1/16, queues are paused more often than the suite allows.
#
#	basic	TC1: h1 and h3 exchange messages of 1 MB in a lossless queue, h2 and
#		h4 in the lossy queues 0 and 1. Nothing is congested: no loss, no
#		mark, no CNP, no pause
#	pfc	TC2: h1 and h2 send to h4 by lossless queues, h3 by lossy ones. Pauses
#		protect the lossless ones, and those only; queues share the link by
#		their weights
#	dcqcn	TC3: the same with DCQCN and marks: no loss, few pauses
#	storage-pfc	TC4: messages of 1 MB; senders ignore CNPs, and are paused
#	storage-dcqcn	TC4: the same with DCQCN: few pauses
#
# LOSSLESS are the queues of h1 and h2; mixed: 3 with messages of 128 KB, 4 with 4 KB.
# The suite sends for 20 to 180 s, and allows 100 pauses where it wants few. Latencies,
# which it prints only, and its data that are marked by the sender, are left out.
#
# keys: CASE=pfc LOSSLESS=3,4 KMIN=400000 KMAX=1600000 PMAX=20% ALPHA=1/8 RATE=100gbit DELAY=1us BUFFER=16m MTU=4096 MS=20
# key CASE: one of basic pfc dcqcn storage-pfc storage-dcqcn, test of the suite
# key ALPHA: one of 1/128 1/64 1/32 1/16 1/8 1/4 1/2 1 2 4 8, share of the free buffer that a queue may take
# key LOSSLESS: one of 3 3,4 mixed, queues of the lossless senders

LOSSY='0 1'
# of queues 0 to 7
WEIGHTS=(14 14 14 15 15 14 14 14)
# pauses that TC3 and TC4 with DCQCN allow
FEW=100

has_marks() { [[ $CASE = dcqcn || $CASE = storage-* ]]; }
has_dcqcn() { [[ $CASE = *dcqcn ]]; }
# queue of h1 and that of h2
queues() { [ "$LOSSLESS" = 3 ] && echo 3 3 || echo 3 4; }
lossless() { queues | xargs -n 1 | sort -u; }

message()
{
	case $CASE,$LOSSLESS,$1 in
	basic* | storage*) echo 1048576 ;;
	*,mixed,4) echo 4096 ;;
	*) echo 131072 ;;
	esac
}

limits() { limit_buffer 4; }

testbed()
{
	local host port queue

	# all queues of a host are fed alike
	host="prio-pfc 3:on 4:on bands 8 strict 0 priomap 0 1 2 3 4 5 6 7 quanta"
	host+=$(printf ' %d' "${WEIGHTS[@]/%/000}")
	port="$host buffer $BUFFER alpha $ALPHA"
	for queue in 3 4; do
		! has_marks || port+=" wred $queue kmin $KMIN kmax $KMAX pmax $PMAX ecn"
	done
	testbed_up star 4 --rate "$RATE" --delay "$DELAY" --mtu $((LINK_MTU)) \
		--host "$host" --edge "$port"
}

# A sender that ignores CNPs has the rate of its link as the lowest one.
rnic_options()
{
	local ect=0

	! has_marks || ect=1
	echo "mtu=$MTU ect=$ect ack_prio=6 cnp_prio=5 ack_every=32 rto_us=4000 pair_us=4000000" \
		"line_mbps=$(($(bits "$RATE") / 1000000))"
	! has_marks || echo "cc=dcqcn"
	[ "$CASE" != storage-pfc ] || echo "dcqcn_min_mbps=$(($(bits "$RATE") / 1000000))"
}

# pair FROM TO QUEUE: messages of a queue pair for longer than the run
pair()
{
	local size

	size=$(message "$3")
	awk -v n=$(($(bits "$RATE") * MS / 8000 / size + 2)) -v size="$size" -v from="$1" -v to="$2" \
		-v prio="$3" 'BEGIN {
		while (n--)
			print 0, size, "10.0.0." from, "10.0.0." to, prio }'
}

flows()
{
	local queue

	if [ "$CASE" = basic ]; then
		queue=$(queues | cut -d' ' -f$((1 + SEED % 2)))
		pair 1 3 "$queue"
		pair 3 1 "$queue"
		for queue in $LOSSY; do
			pair 2 4 "$queue"
			pair 4 2 "$queue"
		done
		return
	fi
	# shellcheck disable=SC2046 # a list of words
	set -- $(queues)
	pair 1 4 "$1"
	pair 2 4 "$2"
	for queue in $LOSSY; do
		pair 3 4 "$queue"
	done
}

duration() { echo "${MS}e-3"; }

# Counters of each queue: of NICs from flows.csv, of the switch from stats.json. The ports
# to receivers are all of basic, and that to h4. under_way: CNPs, and ACKs, that hosts have
# sent, but have not left the switch.
metrics()
{
	count_losses
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{
			q = $c["prio"]
			queues[q]
			messages[q] += $c["last_ns"] >= 0
			retrans[q] += $c["retrans"]
			naks[q] += $c["naks"]
			ooo[q] += $c["ooo"]
			marked[q] += $c["marked"]
			cnps[q] += $c["cnps_sent"]
			received[q] += $c["cnps"]
		}
		END {
			for (q in queues) {
				print "queue." q ".messages", messages[q]
				print "queue." q ".retransmitted", retrans[q]
				print "queue." q ".naks", naks[q]
				print "queue." q ".out_of_order", ooo[q]
				print "queue." q ".marked", marked[q]
				print "queue." q ".cnps_sent", cnps[q]
				print "queue." q ".cnps_received", received[q]
			}
		}' flows.csv
	jq -r '[.qdiscs[] | select(.role == "host")] as $hosts |
		[.qdiscs[] | select(.role == "edge")] as $ports |
		def of(ports; q; f): [ports[].prios[q] | f] | add;
		(range(8) | select(of($hosts; .; .tx_packets) > 0) |
			"queue.\(.).dropped \(of($ports; .; .drops | add))",
			"queue.\(.).pauses \(of($ports; .; .tx_pause))",
			"queue.\(.).under_way \(of($hosts; .; .tx_packets) - of($ports; .; .tx_packets))"),
		"acks \(of($ports; 6; .rx_packets))",
		"cnps \(of($ports; 5; .rx_packets))",
		([$ports[] | select(.peer == "h4") | .prios[:5] | map(.tx_bytes)][0] |
			(add // 0) as $all | to_entries[] | select(.value > 0) |
			"share.\(.key) \(.value / $all * 10000 | round / 10000)")
		' stats.json
}

# A queue that is never empty has its weight of the link, within 5 %.
expect_shares()
{
	local queue sum=0

	for queue in $(lossless) $LOSSY; do
		sum=$((sum + WEIGHTS[queue]))
	done
	for queue in $(lossless) $LOSSY; do
		expect "share.$queue" '>=' "$((95 * WEIGHTS[queue]))e-2/$sum"
		expect "share.$queue" '<=' "$((105 * WEIGHTS[queue]))e-2/$sum"
	done
}

# Messages of a queue arrive: nothing is lost, no packet is out of order.
expect_safe()
{
	expect "queue.$1.messages" '>' 0
	expect "queue.$1.dropped" == 0
	expect "queue.$1.retransmitted" == 0
	expect "queue.$1.naks" == 0
	expect "queue.$1.out_of_order" == 0
}

expect_unmarked()
{
	expect "queue.$1.marked" == 0
	expect "queue.$1.cnps_sent" == 0
}

expectations()
{
	local queue

	expect lost_bytes == 0
	expect acks '>' 0
	if [ "$CASE" = basic ]; then
		expect pauses == 0
		for queue in $LOSSY $(sed -n 's/^queue\.\([34]\)\.messages.*/\1/p' metrics.txt); do
			expect_safe "$queue"
			expect_unmarked "$queue"
			# data are in the queue of their priority
			expect "queue.$queue.under_way" '<=' 20
		done
		return
	fi
	for queue in $(lossless); do
		expect_safe "$queue"
		if has_marks; then
			expect "queue.$queue.marked" '>' 0
			expect "queue.$queue.cnps_received" '>' 0
		else
			expect_unmarked "$queue"
		fi
		if has_dcqcn; then
			expect "queue.$queue.pauses" '<=' "$FEW"
		else
			expect "queue.$queue.pauses" '>' 0
		fi
	done
	for queue in $LOSSY; do
		expect "queue.$queue.pauses" == 0
		[ "$CASE" != pfc ] || expect "queue.$queue.dropped" '>' 0
	done
	[ "$CASE" != pfc ] || expect_shares
	! has_marks || expect cnps '>' 0
	! has_marks || expect queue.5.under_way '<=' 20
	expect queue.6.under_way '<=' 20
}
