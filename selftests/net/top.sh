#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# losslessctl top: a round shows the growth of counters, and of the history of
# pauses.
#
# h3 pauses p3 with hand-made frames; h1 sends through p3. At 1 Mbit/s a pause
# of 65535 quanta lasts 33.5 s.

ALL_TESTS="counts pauses rows ports refusals"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

LONG=65535

setup()
{
	llet_star 3
	llet_ports 3 rate 1mbit prio-pfc 3:on 4:on
}

ctl() { sw losslessctl "$@"; }

# during COMMAND...: runs COMMAND in a round of top of three seconds
during()
{
	ip netns exec sw losslessctl -j top -d 3 -n 1 >/tmp/top &
	sleep 1
	"$@"
	wait $!
}

# row PORT:PRIO EXPRESSION: of that round
row()
{
	jq -c --arg row "$1" ".interval_ns as \$t | .prios[] | . + { interval_ns: \$t } |
		select(\"\(.ifname):\(.prio)\" == \$row) | $2" /tmp/top
}

# text PORT:PRIO [DEV...]: of a short round, without the bar
text()
{
	local row=$1

	shift
	ctl top -b -d 0.1 -n 1 "$@" |
		awk -v row="$row" '$2 ":" $3 == row { sub(/\[.*\]/, ""); $1 = $1; print }'
}

counts()
{
	setup
	port 1 xoff 10000b headroom 5000b 2>/dev/null
	port 2 alpha 1/4
	pfc 3 0x08 0 0 0 $LONG
	during send 1 3 -B -n 20 -d 24
	equal "p1" "$(row p1:3 '[.rx_bytes, .dropped_packets, .occupancy_bytes, .headroom_bytes,
			.threshold_bytes, .tx_paused]')" \
		"[$(stat p1 3 rx_bytes),5,$(stat p1 3 occupancy),$(stat p1 3 headroom),10000,true]"
	equal "queue of p3" "$(row p3:3 .backlog_bytes)" "$(stat p3 3 backlog)"
	equal "buffer" "$(jq -c '.switches[0] | [.used_bytes, .shared_bytes]' /tmp/top)" \
		"[$(port_stat p1 shared_used),$(option p1 shared_size)]"
	equal "dynamic threshold of p2" "$(row p2:3 .threshold_bytes)" \
		$((($(option p1 shared_size) - $(port_stat p1 shared_used)) / 4))
	pfc 3 0x08
	check "not sent" wait_for 3000 stat_is p3 3 backlog = 0
	during :
	equal "nothing happens" "$(row p1:3 '[.rx_bytes, .dropped_packets, .tx_paused_ns]')" \
		"[0,0,0]"
	port 2 rate 8mbit
	receive 2 1000
	during send 1 2 -n 10 -d 24
	equal "sent by p2" "$(row p2:3 .tx_bytes)" "$(stat p2 3 tx_bytes)"
}

pause_a_while() { pfc 3 0x08 0 0 0 $LONG; sleep 0.5; pfc 3 0x08; }

# To the nanosecond.
pauses()
{
	setup
	during pause_a_while
	equal "paused" "$(row p3:3 .rx_paused_ns)" "$(ctl -j history p3 3 | jq '.[0].total_ns')"
	during pfc 3 0x08 0 0 0 $LONG
	equal "paused from then on" \
		"$(row p3:3 '.rx_paused_ns > 1000000000 and .rx_paused_ns < .interval_ns')" true
	during :
	equal "paused all the time" "$(row p3:3 '.rx_paused_ns == .interval_ns')" true
	equal "another priority" "$(row p3:4 .rx_paused_ns)" 0
}

stormed() { ! ctl watchdog show stats --check-storm; }

rows()
{
	setup
	equal "idle" "$(text p3:3)" "0 p3 3 0 0 0 0 0 0 0"
	check "watchdog" ctl watchdog start p3 100 prio 3
	pfc 3 0x08 0 0 0 $LONG
	send 1 3 -n 5 -d 24
	check "no storm" wait_for 3000 stormed
	equal "stormed" "$(text p3:3)" "0 p3 3 0 0 0 0 100.0 0 0 STORM"
	equal "title" "$(ctl top -b -d 0.1 -n 1 | grep -c 'storms: 1   rows: 6, by name$')" 1
	pfc 3 0x10 0 0 0 0 $LONG
	equal "paused" "$(text p3:4 p3 p1)" "0 p3 4 0 0 0 0 100.0 0 0 PAUSED"
	equal "not wanted" "$(text p3:4 p1)" ""
}

stop_top() { kill $llet_top; wait $llet_top; } 2>/dev/null

# Ports appear and disappear, which is no error, even if none is left.
ports()
{
	setup
	ip netns exec sw losslessctl top -b -d 0.1 p2 p3 >/tmp/top 2>&1 &
	llet_top=$!
	defer stop_top
	check "p2 and p3" wait_for 3000 grep -q 'rows: 4, by' /tmp/top
	tc -n sw qdisc del dev p2 root
	check "p3" wait_for 3000 grep -q 'rows: 2, by' /tmp/top
	port 2 rate 1mbit prio-pfc 3:on
	check "p2 is new" wait_for 3000 grep -qE '^ 0 p2 .* - +- +- +- +-$' /tmp/top
	ip -n sw link del p2
	tc -n sw qdisc del dev p3 root
	check "none" wait_for 3000 grep -q 'rows: 0, by' /tmp/top
	check "it goes on" kill -0 $llet_top
}

refusals()
{
	setup
	refused "p9: no such device" ctl top -b p9
	refused "br0: No such device, or no lossless qdisc" ctl top -b p1 br0
	refused "this is no terminal" ctl top
}

llet_main
