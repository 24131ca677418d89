#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's own client of netlink families, cli.py of YNL, reads and changes
# the family "lossless" with nothing but the spec of this tree.

ALL_TESTS="ynl_ports ynl_histories ynl_queues ynl_watchdogs ynl_paths ynl_events ynl_refusals"

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

if [ ! -e /ynl/cli.py ]; then
	echo "1..0 # SKIP no tools of YNL"
	exit 0
fi
llet_main
