#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The dynamic threshold, to the byte.
#
# With n congested priority groups of equal size the threshold alpha * free is T
# = alpha * S / (1 + n * alpha), where S is the shared buffer. Here S makes T a
# whole number. The egress port is paused, so sent packets stay: n - 1 groups
# get T bytes; the last one pauses its upstream neighbour with T bytes, and not
# with T - 1.

ALL_TESTS="n1_alpha16 n2_alpha16 n8_alpha16 n1_alpha64 n2_alpha64 n8_alpha64
	static_xoff reserved_comes_first lossy_is_dropped
	buffer_can_be_full carved_comes_back buffer_is_of_the_switch
	switches_are_apart
	memory_lossless memory_lossy"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

HEADROOM=20000
LONG=65535

# send_bytes I J BYTES: exactly BYTES from host I to J, priority 3
send_bytes()
{
	local i=$1 j=$2 bytes=$3 rest

	# rest is 100..1099, so that it is a frame
	rest=$(((bytes - 100) % 1000 + 100))
	send "$i" "$j" -B -n $(((bytes - rest) / 1000)) -d 24
	send "$i" "$j" -B -n 1 -s $rest -d 24
}

# threshold N A T LAST: is the last of N groups above XOFF with LAST bytes?
threshold()
{
	local n=$1 a=$2 t=$3 last=$4 dst=$(($1 + 1)) i

	llet_star "$dst"
	llet_ports "$dst" rate 1mbit prio-pfc 3:on alpha "1/$a" \
		headroom $HEADROOM buffer $((t * (a + n) + dst * HEADROOM))
	equal "shared buffer" "$(option p1 shared_size)" $((t * (a + n)))
	pfc "$dst" 0x08 0 0 0 $LONG
	for ((i = 1; i < n; i++)); do
		send_bytes "$i" "$dst" "$t"
		equal "bytes of group $i" "$(stat "p$i" 3 occupancy)" "$t"
	done
	send_bytes "$n" "$dst" "$last"
	equal "bytes of group $n" "$(stat "p$n" 3 occupancy)" "$last"
	equal "headroom used" "$(stat "p$n" 3 headroom_max)" 0
	paused=$(stat "p$n" 3 tx_paused)
	no_drops
	conserved
	llet_cleanup
}

both_sides()
{
	threshold "$1" "$2" "$3" $(($3 - 1))
	equal "paused at T - 1" "$paused" 0
	threshold "$1" "$2" "$3" "$3"
	equal "paused at T" "$paused" 1
}

n1_alpha16() { both_sides 1 16 40001; }
n2_alpha16() { both_sides 2 16 40001; }
n8_alpha16() { both_sides 8 16 20011; }
n1_alpha64() { both_sides 1 64 10007; }
n2_alpha64() { both_sides 2 64 10007; }
n8_alpha64() { both_sides 8 64 10007; }

static_xoff()
{
	local last

	for last in 29999 30000; do
		llet_star 2
		llet_ports 2 rate 1mbit prio-pfc 3:on xoff 30000 headroom $HEADROOM
		pfc 2 0x08 0 0 0 $LONG
		send_bytes 1 2 $last
		equal "paused at $last" "$(stat p1 3 tx_paused)" \
			$((last >= 30000))
		llet_cleanup
	done
}

# Reserved bytes are not shared, and do not count for the threshold.
reserved_comes_first()
{
	llet_star 2
	llet_ports 2 rate 1mbit prio-pfc 3:on xoff 30000 headroom $HEADROOM \
		reserved 5000
	pfc 2 0x08 0 0 0 $LONG
	send_bytes 1 2 34999
	equal "paused" "$(stat p1 3 tx_paused)" 0
	equal "shared bytes" "$(port_stat p1 shared_used)" 29999
	# nothing was lent besides
	equal "most shared bytes" "$(port_stat p1 shared_max)" 29999
	send 1 2 -B -d 24
	equal "paused" "$(stat p1 3 tx_paused)" 1
}

lossy_is_dropped()
{
	llet_star 2
	llet_ports 2 rate 1mbit prio-pfc 4:on xoff 30000
	send 1 2 -B -n 100 -s 1000 -d 24
	equal "occupancy never above" "$(stat p1 3 occupancy_max)" 30000
	check "no drops" stat_is p1 3 drops.cong_discard -gt 60
	equal "pauses" "$(stat p1 3 tx_pause)" 0
	conserved
}

# One frame is on the link. With this alpha the buffer is full before the
# threshold is reached.
buffer_can_be_full()
{
	llet_star 2
	llet_ports 2 rate 8kbit alpha 1024 buffer 100000b
	send 1 2 -B -n 110
	equal "occupancy" "$(stat p1 0 occupancy)" 100000
	equal "no room in the buffer" "$(stat p1 0 drops.buf_discard)" 9
	equal "over the threshold" "$(stat p1 0 drops.cong_discard)" 0
	conserved
}

carved_comes_back()
{
	llet_star 2
	port 1 buffer 1000000b
	equal "shared bytes" "$(option p1 shared_size)" 1000000
	port 2 rate 1mbit prio-pfc 3:on headroom 100000b reserved 1000b
	equal "shared bytes" "$(option p1 shared_size)" 892000
	tc -n sw qdisc del dev p2 root
	equal "shared bytes" "$(option p1 shared_size)" 1000000
}

# The last port that sets a size counts; a change of another option does not.
buffer_is_of_the_switch()
{
	llet_star 2
	port 1 buffer 1000000b
	port 2 buffer 2000000b
	tc -n sw qdisc change dev p1 root lossless alpha 1/8
	equal "shared bytes" "$(option p1 shared_size)" 2000000
}

# Two switches have a buffer each. Packets from a port of the other switch are
# not charged.
switches_are_apart()
{
	llet_star 4
	port 1 switch 1 buffer 1000000b
	port 2 switch 1
	port 3 switch 2 buffer 2000000b rate 8kbit
	port 4 switch 2
	equal "shared bytes of 1" "$(option p2 shared_size)" 1000000
	equal "shared bytes of 2" "$(option p4 shared_size)" 2000000
	send 1 3 -B -n 10
	send 4 3 -B -n 10
	equal "queued" "$(stat p3 0 backlog)" 19000
	equal "occupancy of p1" "$(stat p1 0 occupancy_max)" 0
	equal "occupancy of p4" "$(stat p4 0 occupancy)" 10000
}

# Memory of the kernel that it cannot reclaim, in MB
slab() { awk '$1 == "SUnreclaim:" { printf "%d", $2 / 1024 }' /proc/meminfo; }

# Small frames take 12 times as much memory as bytes. They leave a buffer of MB slowly.
# small_frames PRIO MB
small_frames()
{
	local before mb=$2

	llet_star 2
	port 1 rate 1gbit prio-pfc 3:on alpha 1024 headroom 100k buffer "${mb}m"
	port 2 rate 8kbit
	host 1 rate 1gbit prio-pfc 3:on
	before=$(slab)
	timeout 100 ip netns exec h1 lle_traffic send eth0 "$(mac 2)" \
		-n $((mb * 3000)) -s 62 -d $(($1 * 8))
	between "memory in MB" $(($(slab) - before)) $((mb * 3 / 2)) $((mb * 2))
	conserved
}

memory_lossless()
{
	small_frames 3 128
	equal "the sender is paused" "$(stat p1 3 tx_paused)" 1
	no_drops
}

memory_lossy()
{
	small_frames 0 32
	check "refused" test "$(stat p1 0 drops.buf_discard)" -gt 0
}

llet_main
