# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Switches at which losslessctl doctor finds nothing: shared by the scenarios doctor
# and doctor_mends. A scenario sets HOST, the options of hosts, and PORT, those of
# ports.
#
# Commands of doctor run by sh, in the network namespace of the switch. There is no
# systemd here, so doctor prints how to start losslessd without it.

CONF=/etc/lossless.conf
printf 'watchdog {\n action = "drop"\n}\nlog = "stderr"\n' >$CONF

doctor() { sw losslessctl -j doctor; }
# checks_of JSON: CHECK DEVICE of each finding
checks_of() { jq -r '.[] | "\(.check) \(.device)"' <<<"$1" | xargs; }
silent() { [ "$(doctor)" = "[]" ]; }
daemon_runs() { sw grep -q '@losslessd$' /proc/net/unix; }
daemon_stops() { ! daemon_runs; }

# start_daemon: at the end, the one that runs then ends, whatever has started it
start_daemon()
{
	sw losslessd 2>/dev/null &
	defer stop_daemon
	check "losslessd does not run" wait_for 3000 daemon_runs
}

# shellcheck disable=SC2046 # none, or one
stop_daemon()
{
	kill $(pgrep -x losslessd)
	wait_for 3000 daemon_stops
}

# new_star N OPTION...: N hosts at a switch; OPTION: more of its ports
new_star()
{
	local n=$1 i

	shift
	llet_star "$n"
	start_daemon
	for ((i = 1; i <= n; i++)); do
		# shellcheck disable=SC2086 # words
		host $i $HOST
	done
	# shellcheck disable=SC2086 # words
	llet_ports "$n" $PORT "$@"
}

nothing_found() { check "something is found: $(doctor)" wait_for 4000 silent; }

# p I OPTION...: changes a port
p() { local i=$1; shift; tc -n sw qdisc change dev "p$i" root lossless "$@"; }

# watched DEV: losslessd has set a watchdog at each of its lossless priorities
watched()
{
	local prios

	prios=$(tc -n sw -j qdisc show dev "$1" root | jq '.[0].options.prio_pfc | length')
	[ "$(sw losslessctl -j watchdog show config |
		jq -r "map(select(.ifname == \"$1\")) | length")" = "$prios" ]
}

# p2 goes to switch 7
other_switch()
{
	tc -n sw qdisc del dev p2 root
	# shellcheck disable=SC2086 # words
	tc -n sw qdisc add dev p2 root handle 1: lossless switch 7 $PORT
	wait_for 3000 watched p2
}

# other_fabric: up1, which leads to a bridge in sw2, is in no bridge and has no qdisc
other_fabric()
{
	llet_netns sw2
	ip -n sw2 link add br0 up type bridge
	ip -n sw link add up1 type veth peer name up1 netns sw2
	ip -n sw2 link set up1 up master br0
	ip -n sw link set up1 up
	llet_steer sw up1 3
	# shellcheck disable=SC2086 # words
	tc -n sw2 qdisc add dev up1 root handle 1: lossless $PORT fabric
}

# joins DEV: a device joins the bridge
joins() { ip -n sw link set "$1" master br0 && bridge -n sw link set dev "$1" learning off flood off; }

# A port to a host cannot learn of a deadlock.
at_edge()
{
	tc -n sw qdisc change dev up1 root lossless edge
	sw losslessctl watchdog start up1 100
}

drops_gro()
{
	local major minor

	IFS=.- read -r major minor _ < <(uname -r)
	[ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 16 ]; }
}
