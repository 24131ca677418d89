#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's own client of netlink families, cli.py of YNL, reads and changes
# the family "lossless", and the qdisc, with nothing but the specs of this tree.

ALL_TESTS="ynl_ports ynl_histories ynl_queues ynl_watchdogs ynl_paths ynl_events ynl_refusals
	ynl_options ynl_statistics ynl_sets_options"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

# ynl ARG...: prints JSON; nothing if the spec lacks an attribute. cli.py of 6.12
# takes pads, which a kernel for CPUs without unaligned loads sends, for unknown.
ynl()
{
	local said

	said=$(sw python3 /ynl/cli.py --spec /ynl/lossless.yaml --no-schema --output-json \
		--process-unknown "$@") || { echo "$said"; return 1; }
	[[ $said = *UnknownAttr* ]] || echo "$said"
}

ctl() { sw losslessctl -j "$@"; }

# ifindex NAME
ifindex() { sw cat "/sys/class/net/$1/ifindex"; }

# p2 is paused, for 34 s, and has packets from p1
busy()
{
	llet_star 2
	llet_ports 2 rate 1mbit prio-pfc 3:on
	pfc 2 0x08 0 0 0 65535
	send 1 2 -n 20 -d 24
}

# of NAME FILTER: a member of a port
of() { ynl --dump port-get | jq -r ".[] | select(.ifname == \"$1\") | $2"; }

ynl_ports()
{
	busy
	equal "paused" "$(of p2 '."prio-stats"[] | select(.prio == 3)."rx-paused"')" 1
	equal "ports" "$(ynl --dump port-get | jq -c 'map(.ifname) | sort')" '["p1","p2"]'
	equal "facing" "$(of p1 .facing)" edge
	equal "received" "$(of p1 '."prio-stats"[] | select(.prio == 3)."rx-packets"')" \
		"$(stat p1 3 rx_packets)"
	equal "priorities without packets" "$(of p1 '."prio-stats" | map(.prio) | contains([5])')" \
		false
	equal "zeros" "$(of p1 '."prio-stats"[] | select(.prio == 3) | has("drop-nomem")')" false
	equal "one port" "$(ynl --do port-get --json "{\"ifindex\": $(ifindex p2)}" |
		jq -r .ifname)" p2
	equal "a dump of one port" "$(ynl --dump port-get \
		--json "{\"ifindex\": $(ifindex p2)}" | jq -c 'map(.ifname)')" '["p2"]'
	equal "switch" "$(ynl --dump switch-get | jq -r '.[0] | "\(.ports) \(."deadlock-mode")"')" \
		"2 exact"
}

ynl_histories()
{
	busy
	pfc 2 0x08 0 0 0 0
	equal "episodes" "$(ynl --dump history-get |
		jq -c 'map(select(.direction == "rx")) | .[0].episode | map(."duration-ns")')" \
		"$(ctl history | jq -c 'map(select(.direction == "rx")) | .[0].episodes |
			map(.duration_ns)')"
}

ynl_queues()
{
	busy
	equal "queued" "$(ynl --dump queue-get | jq -c '.[] | .waiting | map(.packets)')" "[20]"
	equal "from" "$(ynl --dump queue-get | jq -c '.[] | .waiting[0].ifindex')" "$(ifindex p1)"
}

ynl_watchdogs()
{
	llet_star 2
	llet_ports 2 prio-pfc 3:on
	ynl --do watchdog-set --json "{\"ifindex\": $(ifindex p1), \"prios\": 8,
		\"detection-ms\": 70, \"restoration-ms\": 80, \"action\": \"alert\"}" >/dev/null
	equal "watchdog" "$(ynl --dump watchdog-get |
		jq -c '.[] | [.ifname, .prio, ."detection-ms", .action, .stats]')" \
		'["p1",3,70,"alert",{}]'
}

ynl_paths()
{
	llet_star 3
	llet_ports 3 prio-pfc 3:on
	ynl --do path-set --json "{\"id\": 5, \"member\": [$(ifindex p1), $(ifindex p3)],
		\"adaptive\": 1}" >/dev/null
	equal "group" "$(ynl --dump path-get | jq -c '.[] | [.id, .adaptive, .member]')" \
		"[5,1,[$(ifindex p1),$(ifindex p3)]]"
	ynl --do path-del --json '{"id": 5}' >/dev/null
	equal "groups" "$(ynl --dump path-get)" "[]"
}

ynl_events()
{
	llet_star 1
	ynl --subscribe config --sleep 3 >/tmp/events &
	sleep 2
	port 1
	wait $!
	equal "events" "$(jq -r '.[] | "\(.name) \(.msg.ifname)"' /tmp/events | sort -u)" \
		"port-ntf p1"
}

# refused_by TEXT ARG...: with a text that the kernel gives
refused_by()
{
	local text=$1 said

	shift
	said=$(ynl "$@" 2>&1)
	[[ $said == *"$text"* ]] || llet_fail "$*: says '$said', should say '$text'"
}

ynl_refusals()
{
	llet_star 2
	llet_ports 2
	refused_by "No such device, or no lossless qdisc" --do port-get --json '{"ifindex": 9999}'
	refused_by "integer out of range" --do port-get --json '{"ifindex": 0}'
	refused_by "No such switch" --do switch-get --json '{"id": 77}'
	refused_by "requires at least two ports" --do path-set \
		--json "{\"id\": 1, \"member\": [$(ifindex p1)]}"
	refused_by "No such path group" --do path-del --json '{"id": 1}'
	refused_by "watchdog requires PFC" --do watchdog-set \
		--json "{\"ifindex\": $(ifindex p1), \"prios\": 1, \"detection-ms\": 70}"
}

# qdisc ARG...: JSON of qdiscs, also of what this spec of tc lacks
qdisc()
{
	sw python3 /ynl/cli.py --spec /ynl/tc-lossless.yaml --no-schema --output-json \
		--process-unknown "$@"
}

# qdisc_of NAME FILTER: a member of the qdisc of a port
qdisc_of()
{
	qdisc --dump getqdisc | jq -Sc ".[] | select(.ifindex == $(ifindex "$1")) | $2"
}

# Every option has a value of its own, and the spec lacks none of them.
ynl_options()
{
	llet_star 1
	port 1 rate 10mbit delay 3us overhead 30 burst 20000b limit 5000000b bands 4 strict 1 \
		quanta 3000 4000 5000 priomap 3 2 1 0 3 2 1 0 prio-pfc 3:on pause-quanta 40000 \
		switch 7 buffer 2000000b reserved 1000b alpha 1/4 xoff 40000b xon-delta 5000b \
		headroom 60000b reaction 20us trust pcp dscp-prio all:0 46:5 fabric \
		wred 1 kmin 10000b kmax 20000b pmax 25 nonect 30000b bufmax 50000b ecn \
		rcm on rcm-qeq 9000b rcm-wq 3 rcm-wremote 25 rcm-cam 16 \
		deadlock alert deadlock-mode dcfit deadlock-trigger leave
	equal "options" "$(qdisc_of p1 '.options | ."dscp-prio" |= [length, .[46], add] |
		del(.pad, .shared, ."headroom-need")')" "$(jq -Sc . <<<'{
		"rate64": 1250000, "delay-ns": 3000, "overhead": 30, "burst": 20000,
		"limit": 5000000, "bands": 4, "strict": 1, "quanta": [3000, 4000, 5000],
		"priomap": [3, 2, 1, 0, 3, 2, 1, 0], "pfc-en": 8, "pause-quanta": 40000,
		"switch": 7, "buffer": 2000000, "reserved": 1000, "to-alpha": 8, "xoff": 40000,
		"xon-delta": 5000, "xon-delta-now": 5000, "headroom": 60000,
		"headroom-now": 60000, "reaction-ns": 20000, "trust": "pcp",
		"dscp-prio": [64, 5, 5], "facing": "fabric",
		"wred": [{"prio": 1, "kmin": 10000, "kmax": 20000, "pmax": 1073741824,
			"nonect": 30000, "bufmax": 50000, "ecn": 1}],
		"role": "switch", "rx-rate64": 18446744073709551615, "deadlock": "alert",
		"deadlock-mode": "dcfit", "deadlock-trigger": "leave", "rcm": 1, "rcm-qeq": 9000,
		"rcm-wq": 3, "rcm-wremote": 1073741824, "rcm-cam": 16, "rcm-sample": "packet",
		"rcm-cfr": "stands-out", "rcm-rcc": "conserving", "rcm-host-cn": 0}')"
}

stop_monitor()
{
	kill "$1"
	wait "$1"
}

# All priorities with everything that they can have fit into one message, that
# of a change, too.
ynl_statistics()
{
	local prio wred=()

	for prio in 0 1 2 3 4 5 6 7; do
		wred+=(wred "$prio" kmin 10kb kmax 100kb pmax 10 ecn)
	done
	llet_star 2
	llet_ports 2 rate 10mbit prio-pfc all:on xoff 40kb rcm on bands 8 strict 0 "${wred[@]}"
	for prio in 0 1 2 3 4 5 6 7; do
		send 1 2 -n $((prio + 1)) -d $((8 * prio))
	done
	sleep 0.2
	equal "packets" "$(qdisc_of p2 '[.stats2.app.prio[] | [.prio, ."tx-packets"]]')" \
		"[[0,1],[1,2],[2,3],[3,4],[4,5],[5,6],[6,7],[7,8]]"
	equal "RCM" "$(qdisc_of p2 '[.stats2.app.rcm[] | .role] | [length, unique]')" '[8,["none"]]'
	equal "of the port" "$(qdisc_of p2 '.stats2.app.port."shared-max" > 0')" true
	equal "what there is" "$(qdisc_of p2 '.stats2.app | keys')" '["port","prio","rcm"]'
	sw tc monitor >/tmp/monitor &
	defer stop_monitor $!
	sleep 0.2
	tc -n sw qdisc change dev p2 root handle 1: lossless rate 11mbit
	check "no message of a change" wait_for 1000 grep -q "rate 11Mbit" /tmp/monitor
}

ynl_sets_options()
{
	llet_star 1
	port 1 rate 10mbit
	qdisc --do newqdisc --json "{\"ifindex\": $(ifindex p1), \"parent\": 4294967295,
		\"handle\": 65536, \"kind\": \"lossless\", \"options\": {\"pfc-en\": 24,
		\"wred\": [{\"prio\": 2, \"kmin\": 1000, \"kmax\": 2000, \"pmax\": 4294967295}]}}" \
		>/dev/null
	equal "PFC" "$(option p1 prio_pfc | jq -c .)" "[3,4]"
	equal "WRED" "$(qdisc_of p1 '.options.wred | map([.prio, .kmin])')" "[[2,1000]]"
}

if [ ! -e /ynl/cli.py ]; then
	echo "1..0 # SKIP no tools of YNL"
	exit 0
fi
llet_main
