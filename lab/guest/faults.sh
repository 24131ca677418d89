# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The guest's part of the key FAULT: what happens to links, hosts and processes (faults.py).
# Writes a line for each step to faults.csv.

# shellcheck disable=SC2154 # guest.sh has set them

declare -A fault_port fault_netns fault_dev fault_active

# fault_links NAME...: finds the link of each port or host: a port of a switch, and a device in a
# namespace. What is found in advance takes no time in the run.
fault_links()
{
	local name link

	for name; do
		link=$(jq -r --arg name "${name%/*}" '
			[.switches[].ports[] |
			 select(.dev == $name or .role == "edge" and .peer == $name)][0] // empty |
			"\(.dev) lle-\(if .role == "edge" then .peer else "sw" end) \(.peer_dev)"
			' "$OUT/testbed.json")
		[ -n "$link" ] || refuse FAULT "$faults" "there is no port or host ${name%/*}"
		read -r fault_port["$name"] fault_netns["$name"] fault_dev["$name"] <<<"$link"
	done
}

# fault_at NS KIND begins|ends NAME [VALUE]: that time after the start of the flows. Of faults of a
# kind at one link or host at a time, the latest counts, until all have ended.
fault_at()
{
	local kind=$2 name=$4 value=${5:-} key

	lle_until $((run_ns + $1))
	key="$kind ${fault_port[$name]} ${name#"${name%/*}"}"
	if [ "$3" = begins ]; then
		[ "${fault_active[$key]:-0}" = 0 ] || "fault_${kind}_ends" "$name"
		fault_active[$key]=$((${fault_active[$key]:-0} + 1))
	else
		fault_active[$key]=$((fault_active[$key] - 1))
	fi
	if [ "$3" = begins ]; then
		"fault_$kind" "$name" "$value"
	elif [ "${fault_active[$key]}" = 0 ]; then
		"fault_${kind}_ends" "$name"
	fi || fault_failed "$kind" "$name" >&2
	echo "$1,$kind,$3,$name,$value" >>"$OUT/faults.csv"
}

# The run has no result.
fault_failed()
{
	echo "guest.sh: $1 $2 failed"
	kill -TERM $$
}

# The port of the switch goes down, so its peer has no carrier, but keeps addresses and routes.
fault_flap() { ip -n lle-sw link set "${fault_port[$1]}" down; }
fault_flap_ends() { ip -n lle-sw link set "${fault_port[$1]}" up; }

# fault_loss NAME N: both ends lose one in N of the IP packets that arrive, and no PFC frame.
fault_loss()
{
	fault_loss_of lle-sw "${fault_port[$1]}" "$2"
	fault_loss_of "${fault_netns[$1]}" "${fault_dev[$1]}" "$2"
}

fault_loss_of()
{
	tc -n "$1" qdisc show dev "$2" | grep -q clsact || tc -n "$1" qdisc add dev "$2" clsact
	tc -n "$1" -b - <<-END
		filter add dev $2 ingress pref 4 protocol ip matchall action pass random netrand drop $3
		filter add dev $2 ingress pref 6 protocol ipv6 matchall action pass random netrand drop $3
	END
}

fault_loss_ends()
{
	tc -n lle-sw filter del dev "${fault_port[$1]}" ingress
	tc -n "${fault_netns[$1]}" filter del dev "${fault_dev[$1]}" ingress
}

# fault_slow HOST RATE: the host's NIC takes packets at RATE, and pauses its switch.
fault_slow()
{
	tc -n "lle-$1" qdisc change dev "${fault_dev[$1]}" root lossless role host rx-rate "$2"
}

fault_slow_ends() { fault_slow "$1" unlimited; }

# processes HOST[/NAME]: their IDs
processes()
{
	local pid

	for pid in $(ip netns pids "lle-${1%/*}"); do
		[[ $1 != */* ]] || [ "$(cat "/proc/$pid/comm")" = "${1#*/}" ] || continue
		echo "$pid"
	done
}

# signal SIGNAL HOST[/NAME]: a host may have no process
signal()
{
	local pids

	mapfile -t pids < <(processes "$2")
	[ ${#pids[@]} -eq 0 ] || kill "-$1" "${pids[@]}" 2>/dev/null || :
}

fault_stop() { signal STOP "$1"; }
fault_stop_ends() { signal CONT "$1"; }
fault_kill() { signal KILL "$1"; }
