# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# headroom: the computed headroom is enough in the worst case, and a cell less
# is not, for each rate and each length of cable (5 ns a metre).
#
# Each rate and length has two switches, one with the computed headroom, one
# with CELL bytes less. At each switch:
#
#	a --cable-- p1 [switch] p3 --slow-- c
#	b ----------p2
#
# b fills the shared buffer, and sends one frame to a. A nanosecond after that
# frame took the link, a frame of a arrives, finds no shared buffer, goes to
# headroom and makes p1 pause. The pause waits for b's frame. Meanwhile a sends
# two frames, and then frames of maximum size. The size of the two is such that
# the last frame begins when the pause arrives. Further rounds vary their size a
# little, as nanoseconds are not bytes. A cable of 0 m is 1 ns: without any
# delay a frame arrives with its first bit.
#
# keys: RATES=10,25,100,400 METRES=0,10,100,300,1000 CELL=144 DATA=1440 OVERHEAD=24
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key RATES: integers 1..400, speeds of links, in Gbit/s
# key METRES: integers 0..10000, lengths of cables
# key CELL: integer 16..1024, bytes of headroom that are missing
# key DATA: integer 256..9000, bytes of payload in a packet

FRAME=$((DATA + 74))	# Ethernet to BTH and RETH, ICRC
FILL=4			# frames of shared buffer
STEPS='-128 -112 -96 -80 -64 -48 -32 -16 0 16 32 48 64'	# of the two frames, bytes
SLOW=250		# Mbit/s to c, so that no packet leaves in time

pairs()
{
	local rate length

	for rate in ${RATES//,/ }; do
		for length in ${METRES//,/ }; do
			echo "$rate $length"
		done
	done
}

delay_ns() { echo $(($1 ? 5 * $1 : 1)); }

topology()
{
	local i=0 n rate length

	while read -r rate length; do
		for i in $((++i)) $((++i)); do
			echo "switch s$i"
			echo "host a$i s$i rate ${rate}gbit delay $(delay_ns "$length")ns"
			echo "host b$i s$i rate ${rate}gbit"
			echo "host c$i s$i rate ${SLOW}mbit"
		done
	done < <(pairs)
	# a testbed must be connected
	for ((n = 1; n < i; n++)); do
		echo "link s$n s$((n + 1))"
	done
}

testbed()
{
	local dev need less=0

	topology >/tmp/topology
	testbed_up file /tmp/topology --mtu $((FRAME - 14)) \
		--host "overhead $OVERHEAD burst 0 prio-pfc 3:on" \
		--edge "overhead $OVERHEAD burst 0 reaction 0 buffer 64m xoff 1m" >/dev/null

	lle_until every "$SETUP_NS" >/dev/null
	# the largest frame of p1, with a tag, is FRAME
	ip -n lle-sw -j link show |
		jq -r ".[].ifname | select(test(\"p1$\")) | \"link set \\(.) mtu $((FRAME - 18))\"" |
		ip -n lle-sw -batch -
	each p1 prio-pfc 3:on | tc -n lle-sw -batch -
	# p2: for b's frame to a; p3: a buffer has at least 64 KB
	each p2 reserved "$FRAME" | tc -n lle-sw -batch -
	each p3 reserved 8192 | tc -n lle-sw -batch -
	tc -n lle-sw -j qdisc show | jq -r '.[] | select(.dev | test("p1$")) |
		"\(.dev) \(.options.headroom_need)"' | while read -r dev need; do
		need=$((need - less))
		less=$((CELL - less))
		echo "qdisc change dev $dev root lossless headroom $need" \
			"buffer $((need + (8 + FILL) * FRAME + 65536))"
	done | tc -n lle-sw -batch - 2>/dev/null
}

# each PORT OPTION...: prints commands of tc -batch, for that port of switches
each()
{
	local port=$1

	shift
	bridge -n lle-sw -j link | jq -r --arg options "$*" '.[].ifname |
		select(test("'"$port"'$")) | "qdisc change dev \(.) root lossless \($options)"'
}

# ACKs do not matter here, and must not go first
rnic_options() { echo "mtu=$DATA ack_prio=0 rto_us=1000000000 bin_us=0"; }

flows()
{
	pairs | awk -v frame=$FRAME -v overhead="$OVERHEAD" -v steps="$STEPS" \
		-v fill=$FILL -v slow=$SLOW '
		function ip(host) { return "10.0." int(host / 256) "." host % 256 }
		# frames of some bytes each
		function send(n, t, bytes, from, to, prio) {
			while (n-- > 0)
				printf "%d %d %s %s %d\n", t, bytes - 74, ip(from), ip(to), prio
		}
		function round(t, step,    half) {
			half = least((two - two % 8 + step) / 2)
			for (host = base; host <= base + 3; host += 3) {
				send(1 + 1 + fill, t, frame, host + 1, host + 2, 1)
				send(1, t + filled - 1, frame, host + 1, host, 0)
				send(1, t + filled - begun, frame, host, host + 2, 3)
				send(2, t + filled - begun, half, host, host + 2, 3)
				send(many + 3, t + filled - begun, frame, host, host + 2, 3)
			}
		}
		function least(bytes) { return bytes < frame ? bytes : frame }
		{
			wire = frame + overhead
			ns = 8 / $1
			delay = $2 ? 5 * $2 : 1
			base = (NR - 1) * 6 + 1
			# from the frame that makes p1 pause to the pause at a
			w = 2 * delay / ns + wire + 60 + overhead
			many = int(w / wire)
			two = frame + w - many * wire - overhead
			filled = int((fill + 4) * wire * ns) + 1
			begun = int(wire * ns) + delay
			t = 2 * delay
			n = split(steps, step, " ")
			for (i = 1; i <= n; i++) {
				round(t, step[i])
				t += int((many + fill + 10) * wire * 8000 / slow)
			}
		}'
}

# shellcheck disable=SC2154 # of guest.sh, or lab.sh
duration() { awk '{ if ($1 > t) t = $1 } END { print t / 1e9 + 0.1 }' "$flows_file"; }

metrics()
{
	count_losses
	# lines "need,used,dropped,dropped with a cell less", one a pair
	{
		echo rate_gbit,metres,need,used,dropped,dropped_less
		paste -d, <(pairs | tr ' ' ,) <(jq -r '
			[.qdiscs[] | select(.dev | test("p1$"))] |
			[range(0; length; 2) as $i | [.[$i], .[$i + 1]]][] |
			[.[0].options.headroom_now, .[0].prios[3].headroom_max,
			 .[].prios[3].drops.headroom_discard] | @csv' stats.json)
	} >headroom.csv
	awk -F, 'NR > 1 {
			enough += $5 == 0
			lossy += $6 > 0
			dropped += $6
			if ($3 - $4 > unused) unused = $3 - $4
		}
		END {
			print "pairs", NR - 1
			print "pairs_without_loss", enough + 0
			print "pairs_with_loss_less", lossy + 0
			print "dropped_less", dropped + 0
			print "unused_max_bytes", unused + 0
		}' headroom.csv
}

expectations()
{
	local n

	n=$(pairs | wc -l)
	expect pairs_without_loss == "$n"
	expect pairs_with_loss_less == "$n"
	expect unused_max_bytes '<' "$CELL"
}

plots()
{
	plot headroom 'Headroom of a port, by rate and length of its cable.' <<-END
		set datafile separator ','
		set label scenario.': computed (lines) and used (points)' \
			at graph 0,1.06 font ',22'
		set xlabel 'length of the cable (m)'
		set ylabel 'headroom (bytes)'
		set logscale y
		set format y '%.0s%c'
		set xrange [0:*]
		array rate[words('${RATES//,/ }')]
		do for [i=1:|rate|] { rate[i] = int(word('${RATES//,/ }', i)) }
		at(i, y) = column(1) == rate[i] ? column(y) : NaN
		plot for [i=1:|rate|] 'headroom.csv' skip 1 using 2:(at(i, 3)) \
				with lines lt i title sprintf('%d Gbit/s', rate[i]), \
			for [i=1:|rate|] '' skip 1 using 2:(at(i, 4)) with points lt i pt 7 notitle
	END
}
