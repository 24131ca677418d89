# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# exact-gap: hosts send to one, more than its link carries: the last bits of two
# frames arrive as far apart as the second frame occupies the link, to the
# nanosecond. 1498 bytes and Ethernet's overhead are 121.76 ns at 100 Gbit/s:
# gaps of 121 and 122 ns. With OVERHEAD=2 it is 1500 bytes, 120 ns each.
#
# keys: N=2 RATE=100gbit DELAY=1us OVERHEAD=24 MTU=1440 SIZE=75000000 MS=20 CAPTURE=s1p1
# key N: integer 2..60, hosts that send

PORT="overhead $OVERHEAD buffer 16m xoff 200k reaction 0 prio-pfc 3:on"

limits() { limit_delay $((N + 1)) 16m; }

testbed()
{
	testbed_up star $((N + 1)) --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --host "overhead $OVERHEAD prio-pfc 3:on"
}

rnic_options() { echo "mtu=$MTU ack_every=16"; }

flows() { lle_flows incast --hosts $((N + 1)) --senders "$N" --size "$SIZE"; }

duration() { echo "${MS}e-3"; }

metrics()
{
	count_losses
	flow_times
	# fractions of a nanosecond are carried over to the next frame
	frames s1p1 'ip dst 10.0.0.1' | awk -v rate="$(bits "$RATE")" -v overhead="$OVERHEAD" '
		{
			rest += ($2 + overhead) * 8e9
			want = int(rest / rate)
			rest -= want * rate
			gap = $1 - last
			last = $1
		}
		NR > 1 {
			if (!gaps++ || gap < min) min = gap
			if (gap > max) max = gap
			exact += gap == want
		}
		END {
			print "gaps", gaps + 0
			print "gaps_exact", exact + 0
			print "gap_min_ns", min + 0
			print "gap_max_ns", max + 0
		}'
}

expectations()
{
	local gaps=$((N * ((SIZE + MTU - 1) / MTU) - 1))

	expect dropped == 0
	expect unfinished == 0
	expect pauses '>' 0
	expect gaps == "$gaps"
	expect gaps_exact == "$gaps"
}
