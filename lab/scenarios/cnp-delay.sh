# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# cnp-delay: how fast a NIC answers marked packets decides whether DCQCN needs
# pauses. A host with 100 Gbit/s sends to one with 25 Gbit/s; its switch marks from
# 400 cells of 256 bytes on, PMAX of the packets at 1625 cells. Until the first CNP
# arrives the queue grows by 9.4 KB a microsecond, and each microsecond of CNP_DELAY
# adds as much: from some CNP_DELAY on the switch pauses the sender. A Trident 3
# with these marks and 32 MB paused from 55 us on (issue 12 of ns-3-alibabacloud);
# here ALPHA decides: 1/32 pauses from 40 us on, 1/16 from 120 us on.
#
# keys: CNP_DELAY=0us CNP_GAP=50us NIC_GAP=0ns RATE=100gbit SLOW=25gbit DELAY=1us BUFFER=32m ALPHA=1/16 KMIN=102400 KMAX=416000 PMAX=20% MS=5 MTU=1024 QUEUES=s1p1
# key CNP_DELAY: time 0ns..10ms, that the receiver's NIC takes to generate a CNP
# key CNP_GAP: time 0us..10ms, least time between two CNPs of a flow
# key NIC_GAP: time 0ns..10ms, least time between two CNPs of a NIC
# key SLOW: rate 10mbit..400gbit, speed of the receiver's link
# key ALPHA: one of 1/128 1/64 1/32 1/16 1/8 1/4 1/2 1 2 4 8, share of the free buffer that a queue may take

limits() { limit BUFFER $((2 * ($(headroom_bytes) + $(RATE=$SLOW headroom_bytes)))) 1g \
	"half of it is headroom of two ports"; }

topology()
{
	cat <<-END
		switch s1
		host h1 s1 rate $SLOW delay $DELAY
		host h2 s1 rate $RATE delay $DELAY
	END
}

testbed()
{
	local port="buffer $BUFFER alpha $ALPHA prio-pfc 3:on wred 3 kmin $KMIN kmax $KMAX pmax $PMAX ecn"

	# shellcheck disable=SC2154 # guest.sh has set it
	testbed_up file "$topology_file" --mtu $((LINK_MTU)) --edge "$port" \
		--host "prio-pfc 3:on" >/dev/null
}

rnic_options()
{
	local ns

	ns=$(nanoseconds "$CNP_DELAY")
	echo "mtu=$MTU ack_every=16 $(CC=dcqcn rnic_cc) cnp_delay_ns=$ns" \
		"cnp_us=$(($(nanoseconds "$CNP_GAP") / 1000)) cnp_nic_ns=$(nanoseconds "$NIC_GAP")" \
		"sample_us=1 samples=$((MS * 1000))"
}

flows() { echo "0 1000000000000 10.0.0.2 10.0.0.1 3"; }

duration() { echo "${MS}e-3"; }

# Throughput in the second half of the time, as a share of the slow link
metrics()
{
	count_losses
	count_marks
	count_cnps
	awk -F, -v rate="$(bits "$SLOW")" '
		NR == 1 {
			first = int(NF / 2) + 1
			ns = (NF - first + 1) * ($3 - $2)
			next
		}
		{ for (i = first; i <= NF; i++) all += $i }
		END { printf "goodput_share %.4f\n", all * 8e9 / ns / rate }' bins.csv
}

# Bounds are for the default ALPHA, see above; 120 us was the first multiple of 20.
expectations()
{
	local ns

	ns=$(nanoseconds "$CNP_DELAY")
	expect dropped == 0
	expect lost_bytes == 0
	expect_marks
	expect cnps.sent '>' 0
	[ "$ns" -ne 0 ] || expect pauses == 0
	[ "$ns" -lt 140000 ] || expect pauses '>' 0
}
