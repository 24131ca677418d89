# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# ring-deadlock: four switches in a ring, forwarding clockwise, four flows of
# two hops each, so that each link of the ring may wait for the next one. A
# burst fills the buffers; pauses spread around the ring; then no packet moves
# although every host would receive. With DEADLOCK=off it stays. With
# alert one of the switches reports it; with lossless and drop it breaks the
# deadlock, again and again, as the hosts continue. With MODE=dcfit a trigger
# reports it, after two rounds; but if all four flows begin at once, all are
# triggers, in step, and each replaces the one before it: none is sure before
# pauses are repeated. STAGGER us apart they may not be.
#
# keys: RATE=100gbit DELAY=5us MTU=1024 HOLD=1 DEADLOCK=off TRIGGER=leave MODE=exact STAGGER=0
# key HOLD: number 0.001..1000, seconds of the run
# key DEADLOCK: one of off alert lossless drop, reaction of switches to a deadlock
# key TRIGGER: one of leave resolve, reaction to its initial trigger
# key STAGGER: integer 0..1000000, us from the start of one flow to that of the next one

HEADROOM=$(larger 163840 "$(headroom_bytes)")
# three ports, and what a port without PFC needs
BUFFER=$(larger 1048576 $((3 * (102400 + HEADROOM) + 65536)))
PORT="buffer $BUFFER prio-pfc 3:on xoff 100k headroom $HEADROOM"

# h1 to h4 are at s1 to s4; each sends to the host two switches further.
testbed()
{
	cat >/tmp/ring <<-END
		switch s1
		switch s2
		switch s3
		switch s4
		host h1 s1
		host h2 s2
		host h3 s3
		host h4 s4
		link s1 s2
		link s2 s3
		link s3 s4
		link s4 s1
		route s1 h3 via s2
		route s2 h4 via s3
		route s3 h1 via s4
		route s4 h2 via s1
	END
	testbed_up file /tmp/ring --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" \
		--fabric "$PORT deadlock $DEADLOCK deadlock-trigger $TRIGGER" \
		--host "prio-pfc 3:on"
}

# The RTO is short only if packets are dropped.
rnic_options()
{
	local rto=100000000

	[ "$DEADLOCK" != drop ] || rto=1000
	awk -v s="$HOLD" -v mtu="$MTU" -v rto=$rto 'BEGIN {
		printf "mtu=%d rto_us=%d bin_us=%d bins=100", mtu, rto, s * 1e4 }'
}

flows()
{
	local i

	for i in 1 2 3 4; do
		echo "$(((i - 1) * STAGGER))000 100000000000 10.0.0.$i 10.0.0.$(((i + 1) % 4 + 1)) 3"
	done
}

duration() { echo "$HOLD"; }

metrics()
{
	count_losses
	flow_times
	# bytes that arrived in the first and in the last tenth of the time
	awk -F, 'NR > 1 { for (i = 2; i <= 11; i++) first += $i
		for (i = NF - 9; i <= NF; i++) last += $i }
		END { print "first_bytes", first + 0; print "last_bytes", last + 0 }' bins.csv
	jq -r '[.qdiscs[] | select(.role == "fabric") |
		select(.prios[3].tx_paused == 1 or .prios[3].tx_paused == true)] |
		"cycle_ports \(length)"' stats.json
	# recorded deadlocks, newest first; hops and time of the first one
	jq -r 'if . == [] then empty else "declared \(length)",
		"duplicates \(map(.duplicates) | add)",
		"cures \(map(select(.cure != "left")) | length)",
		(last | "hops \(.loop | length)",
			"on_loop_us \((.found_ns - .closed_ns) / 1000)")
		end' deadlocks.json
}

expectations()
{
	expect lost_bytes == 0
	case $DEADLOCK in
	lossless)
		expect dropped == 0
		expect out_of_order == 0
		;&
	drop)
		expect last_bytes ">" 0
		expect cures ">" 0
		return
		;;
	esac
	expect dropped == 0
	expect last_bytes == 0
	expect cycle_ports == 4
	[ "$DEADLOCK" = off ] && return
	expect declared == 1
	expect hops == 4
	if [ "$MODE" = dcfit ]; then
		# two rounds and a tenth, if there is one trigger
		expect on_loop_us "<=" 44.1
		return
	fi
	expect duplicates == 0
	# one round, and the time of the pause to the neighbour
	expect on_loop_us "<" 25.1
}
