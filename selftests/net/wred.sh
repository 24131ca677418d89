#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# WRED by the instantaneous queue (LDCP section 2.1): compares the frequency of
# marks at thirteen queue lengths with
#
#	p(q) = 0				q < kmin
#	       (q - kmin) / (kmax - kmin) * pmax	kmin <= q < kmax
#	       1				kmax <= q
#
# by chi-square, and both edges to the byte. p2, towards h2, is paused by hand,
# so the queue has all sent packets. Each probe makes it 100 bytes longer, and
# the expected number of marks is the sum of p(q) over the probes.

ALL_TESTS="curve_chi_square edges_are_exact not_ect_follows_k
	not_ect_without_k_follows_curve pfc_priority_is_never_dropped
	all_is_dropped_over_bufmax ipv6_is_marked
	copies_are_not_marked leaving_packets_are_marked"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

LONG=65535
KMIN=1000000
KMAX=5000000
PMAX=50		# percent

testbed()
{
	llet_star 2
	port 1 buffer 64m alpha 1024
	port 2 rate 1mbit prio-pfc 3:on alpha 1024 headroom 10k "$@"
	pfc 2 0x08 0 0 0 $LONG
}

# fill BYTES: until BYTES are queued at p2. Not-ECT, so never marked.
fill()
{
	local now rest

	now=$(stat p2 3 backlog)
	rest=$((($1 - now - 100) % 1000 + 100))
	send 1 2 -B -n $((($1 - now - rest) / 1000)) -d 24
	send 1 2 -B -n 1 -s $rest -d 24
	equal "queue" "$(stat p2 3 backlog)" "$1"
}

# probes N: ECT frames of 100 bytes; sets marks to the number of marked ones
probes()
{
	local before

	before=$(stat p2 3 ecn_marked)
	send 1 2 -B -n "$1" -s 100 -d 24 -e 2
	marks=$(($(stat p2 3 ecn_marked) - before))
}

curve_chi_square()
{
	local q n=1000 data=

	testbed wred 3 kmin $KMIN kmax $KMAX pmax $PMAX% ecn
	for q in 500000 1100000 1400000 1700000 2000000 2400000 2800000 \
		3200000 3600000 4000000 4400000 4800000 5200000; do
		fill $q
		probes $n
		data+="$q $marks"$'\n'
	done
	# 11 lengths inside the curve; chi-square with 11 degrees of freedom
	# exceeds 31.3 in one of 1000 runs
	awk -v n=$n -v kmin=$KMIN -v kmax=$KMAX -v pmax=$PMAX '
		NF == 2 {
			e = v = 0
			for (i = 0; i < n; i++) {
				q = $1 + i * 100
				p = (q - kmin) / (kmax - kmin) * pmax / 100
				if (q < kmin)
					p = 0
				if (q >= kmax)
					p = 1
				e += p
				v += p * (1 - p)
			}
			printf "# q=%d marked %d of %d, expected %.1f\n", $1, $2, n, e
			if (v > 0)
				chi += ($2 - e) ^ 2 / v
			else if ($2 != e)
				bad = 1
		}
		END {
			printf "# chi-square %.1f, 11 degrees of freedom\n", chi
			exit bad || chi > 31.3
		}' <<<"$data" || llet_fail "marks do not follow the curve"
	no_drops
}

edges_are_exact()
{
	testbed wred 3 kmin $KMIN kmax $KMIN pmax 100% ecn
	fill $((KMIN - 100))
	probes 1
	equal "marks at kmin - 100" "$marks" 0
	equal "queue" "$(stat p2 3 backlog)" $KMIN
	probes 50
	equal "marks at kmax" "$marks" 50
	llet_cleanup

	# p(kmin) is 0 and p(kmax - 1) is just below pmax, which is tiny here
	testbed wred 3 kmin $KMIN kmax $((KMIN + 50000)) pmax 0.0001% ecn
	fill $KMIN
	probes 500
	equal "marks below kmax" "$marks" 0
	probes 20
	equal "marks from kmax on" "$marks" 20
}

# Equation 3: Not-ECT is dropped iff q >= K.
not_ect_follows_k()
{
	llet_star 2
	port 1 buffer 64m alpha 1024
	port 2 rate 8kbit wred 3 kmin $KMIN kmax $KMAX pmax $PMAX% ecn nonect 50000
	# one frame is on the link, 49 and 50 are the queue
	send 1 2 -B -n 50 -d 24
	equal "queue" "$(stat p2 3 backlog)" 49000
	send 1 2 -B -n 1 -d 24
	equal "queue" "$(stat p2 3 backlog)" 50000
	equal "drops below K" "$(stat p2 3 drops.nonect_discard)" 0
	send 1 2 -B -n 7 -d 24
	equal "drops at K" "$(stat p2 3 drops.nonect_discard)" 7
	send 1 2 -B -n 7 -d 24 -e 1
	equal "ECT(1) drops" "$(stat p2 3 drops.nonect_discard)" 7
	equal "queue" "$(stat p2 3 backlog)" 57000
	send 1 2 -B -n 1 -d 24 -N
	conserved
}

not_ect_without_k_follows_curve()
{
	llet_star 2
	port 1 buffer 64m alpha 1024
	port 2 rate 8kbit wred 3 kmin 50000 kmax 50000 pmax 100% ecn
	send 1 2 -B -n 51 -d 24
	send 1 2 -B -n 9 -d 24
	equal "dropped" "$(stat p2 3 drops.wred_discard)" 9
	send 1 2 -B -n 9 -d 24 -e 2
	equal "marked" "$(stat p2 3 ecn_marked)" 9
	conserved
}

pfc_priority_is_never_dropped()
{
	testbed wred 3 kmin 10000 kmax 20000 pmax 100% ecn
	fill 500000
	probes 50
	equal "marked" "$marks" 50
	# packets with CE were marked elsewhere
	send 1 2 -B -n 9 -d 24 -e 3
	equal "marked" "$(stat p2 3 ecn_marked)" 50
	no_drops
	conserved
}

all_is_dropped_over_bufmax()
{
	llet_star 2
	port 1 buffer 64m alpha 1024
	port 2 rate 8kbit wred 3 kmin 10000 kmax 20000 pmax 100% ecn bufmax 50000
	send 1 2 -B -n 51 -d 24 -e 2
	equal "queue" "$(stat p2 3 backlog)" 50000
	# 50000 is not above bufmax
	send 1 2 -B -n 1 -d 24 -e 2
	equal "drops at bufmax" "$(stat p2 3 drops.bufmax_discard)" 0
	send 1 2 -B -n 5 -d 24 -e 2
	equal "drops over bufmax" "$(stat p2 3 drops.bufmax_discard)" 5
	conserved
}

# send6 CLASS: an IPv6 frame of that traffic class
send6()
{
	local dst src

	dst=$(mac 2)
	src=$(mac 1)
	h 1 lle_traffic raw eth0 "${dst//:/}${src//:/}86dd6${1}00000000811ff$(
		printf '20010db8%024x20010db8%024x' 1 2)0009000900080000"
}

ipv6_is_marked()
{
	testbed wred 3 kmin 0 kmax 1 pmax 100% ecn
	# one plain frame fills the queue; then DSCP 24 with ECT(0) and with CE
	send 1 2 -B -n 1 -d 24
	send6 62
	equal "marked" "$(stat p2 3 ecn_marked)" 1
	equal "queued" "$(stat p2 3 backlog)" 1062
	send6 63
	equal "marked, of those with CE" "$(stat p2 3 ecn_marked)" 1
	llet_cleanup

	llet_star 2
	port 1
	port 2 rate 8kbit wred 3 kmin 100b kmax 200b pmax 100% ecn nonect 500b
	# one frame is on the link, one waits; then DSCP 24 with Not-ECT
	send 1 2 -B -n 2 -d 24
	send6 60
	equal "dropped" "$(stat p2 3 drops.nonect_discard)" 1
	equal "marked" "$(stat p2 3 ecn_marked)" 0
}

# The bridge floods copies that share their data: one is marked at p2, which is
# congested; the other leaves p3 without a mark.
copies_are_not_marked()
{
	llet_star 3
	port 1
	port 2 rate 1mbit prio-pfc 3:on wred 3 kmin 0 kmax 1 pmax 100% ecn
	port 3
	pfc 2 0x08 0 0 0 $LONG
	send 1 2 -B -n 1 -d 24
	receive 3 500
	h 1 lle_traffic send eth0 ff:ff:ff:ff:ff:ff -B -n 5 -d 24 -e 2
	equal "received by h3" "$(received 3 .sum.packets)" 5
	equal "marked at p2" "$(stat p2 3 ecn_marked)" 5
	equal "CE at h3" "$(received 3 .sum.ce)" 0
}

# With dequeue, the queue that a packet leaves behind decides: all that the paused
# port holds pass on arrival, and those are marked that leave at least kmin.
leaving_packets_are_marked()
{
	testbed wred 3 kmin 5000 kmax 5000 pmax 100% ecn dequeue
	send 1 2 -B -n 10 -d 24 -e 2
	equal "queue" "$(stat p2 3 backlog)" 10000
	equal "marked on arrival" "$(stat p2 3 ecn_marked)" 0
	receive 2 500
	pfc 2 0x08 0 0 0 0
	equal "received" "$(received 2 .sum.packets)" 10
	# they leave 9000, 8000 ... 5000
	equal "marked" "$(stat p2 3 ecn_marked)" 5
	equal "CE at h2" "$(received 2 .sum.ce)" 5
	no_drops
	conserved
}

llet_main
