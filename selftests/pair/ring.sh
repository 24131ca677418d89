#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Four switches that wait for each other, two in each guest: they find the
# deadlock and break it without loss, although the guests have unrelated clocks.
#
#	guest               peer
#	 h1                  h4
#	 |                   |
#	[s1] <--- NIC 2 --- [s4]	flows of two hops each:
#	 |                   ^		h1 to h3, h2 to h4, h3 to h1, h4 to h2
#	 v                   |
#	[s2] ---- NIC 1 --> [s3]
#	 |                   |
#	 h2                  h3

ALL_TESTS="breaks"

# shellcheck source=selftests/pair/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/pair/testbed.sh
. "$(dirname "$0")/testbed.sh"
line_open

testbed()
{
	half_ring "$MODEL" 1 2
	defer peer llet_cleanup
	peer_check half_ring "$MODEL" 3 4
	cable_works sw out sw in
	cable_works sw in sw out
}

broken() { [ $(($(deadlocks broken) + $(peer deadlocks broken))) -gt 0 ]; }

# total PATH: sum over both guests
total() { echo $(($(sum "$1") + $(peer sum "$1"))); }

breaks()
{
	local i got=0 dropped here there

	testbed
	receive 1 10000
	receive 2 10000
	peer receive 3 10000
	peer receive 4 10000
	peer ring_sends 3 1 4 2
	ring_sends 1 3 2 4
	wait_for 60000 broken
	for i in 1 2; do
		got=$((got + $(received "$i" .sum.packets)))
		equal "out of order at h$i" "$(received "$i" .sum.reordered)" 0
	done
	for i in 3 4; do
		got=$((got + $(peer received "$i" .sum.packets)))
		equal "out of order at h$i" "$(peer received "$i" .sum.reordered)" 0
	done
	dropped=$(total '.drops[]')
	here=$(nics_have_lost)
	there=$(peer nics_have_lost)
	# NICs may also have lost deadlock messages
	between "received, dropped by switches and lost by the NICs between them" \
		$((got + dropped + here + there)) $((4 * RING_FRAMES)) \
		$((4 * RING_FRAMES + here + there))
	nics_lost "$here" "$there"
	equal "received" "$got" $((4 * RING_FRAMES))
	equal "dropped" "$dropped" 0
	equal "waits in the end" "$(total .backlog)" 0
	# a deadlock that is not broken keeps packets
	if ! broken; then
		[ -n "$llet_why" ] || llet_skip "no deadlock forms: NICs are too slow for the links"
		return
	fi
	for i in "" peer; do
		# separate messages, and not only those in pauses
		check "no message came to the ${i:-guest}" test "$($i deadlocks received)" -gt 0
	done
	echo "# $(deadlocks broken) + $(peer deadlocks broken) deadlocks broken"
}

llet_main
