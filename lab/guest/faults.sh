# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The guest's part of the key FAULT: what happens to links, hosts and processes (faults.py).
# Writes a line for each step to faults.csv.

# shellcheck disable=SC2154 # guest.sh has set them

declare -A fault_port fault_netns fault_dev fault_active fault_receives

# fault_links KIND:NAME...: finds the link of each port or host: a port of a switch, and a device in
# a namespace. What is found in advance takes no time in the run.
fault_links()
{
	local name port netns dev

	while read -r name port netns dev; do
		[ -n "$port" ] || refuse FAULT "$*" "there is no port or host ${name%/*}"
		fault_port["$name"]=$port fault_netns["$name"]=$netns fault_dev["$name"]=$dev
	done < <(jq -r '
		[.switches[].ports[]] as $ports | $ARGS.positional[] | . as $name | split("/")[0] as $at |
		([$ports[] | select(.dev == $at or .role == "edge" and .peer == $at)][0] | values |
		 "\($name) \(.dev) lle-\(if .role == "edge" then .peer else "sw" end) \(.peer_dev)"
		) // $name' "$OUT/testbed.json" --args "${@#*:}")
}

# Begins the faults of a run.
faults_begin()
{
	# shellcheck disable=SC2086 # a list of words
	fault_links $faults
	[ -e "$OUT/faults.csv" ] || echo time_ns,kind,step,name,value >"$OUT/faults.csv"
	let_fail &
	failing=$!
}

# Ends the wait for steps that come after the run, and all faults: the next run may have the same
# network. If a step has failed, the run has no result.
faults_end()
{
	local status=0 fault kind step name
	local -A lasts

	kill "$failing" 2>/dev/null || :
	wait "$failing" || status=$?
	[ $status -eq 0 ] || [ $status -eq $((128 + 15)) ] || {
		echo "guest.sh: a fault failed" >&2
		return 1
	}
	while IFS=, read -r _ kind step name _; do
		fault=$kind:$name
		case $kind,$step in
		kill,*) ;;
		*,begins) lasts[$fault]=$((${lasts[$fault]:-0} + 1)) ;;
		*,ends) lasts[$fault]=$((lasts[$fault] - 1)) ;;
		esac
	done <"$OUT/faults.csv"
	for fault in "${!lasts[@]}"; do
		[ "${lasts[$fault]}" -le 0 ] || "fault_${fault%%:*}_ends" "${fault#*:}" 2>/dev/null || :
	done
}

# fault_at NS KIND begins|ends NAME [VALUE]: that time after the start of the flows. If several
# faults of a kind last at one link or host, the latest counts, until all have ended.
fault_at()
{
	local kind=$2 step=$3 name=$4 value=${5:-} key active

	lle_until $((run_ns + $1))
	key="$kind ${fault_port[$name]}"
	active=${fault_active[$key]:-0}
	# a step that the end of the run cuts short counts as not ended
	[ "$step" = ends ] || echo "$1,$kind,$step,$name,$value" >>"$OUT/faults.csv"
	if [ "$kind" = kill ]; then
		fault_kill "$name"
	elif [ "$step" = begins ]; then
		[ "$active" -eq 0 ] || "fault_${kind}_ends" "$name"
		"fault_$kind" "$name" "$value"
		fault_active[$key]=$((active + 1))
	else
		[ "$active" -gt 1 ] || "fault_${kind}_ends" "$name"
		fault_active[$key]=$((active - 1))
		echo "$1,$kind,$step,$name,$value" >>"$OUT/faults.csv"
	fi
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
	local pref

	for pref in 4 6; do
		tc -n lle-sw filter del dev "${fault_port[$1]}" ingress pref $pref
		tc -n "${fault_netns[$1]}" filter del dev "${fault_dev[$1]}" ingress pref $pref
	done
}

# fault_slow HOST RATE: the host's NIC takes packets at RATE, and pauses its switch.
fault_slow()
{
	fault_receives[$1]=$(tc -n "lle-$1" -j qdisc show dev "${fault_dev[$1]}" root |
		jq -r '.[0].options | "role \(.role) rx-rate " + if .rx_rate == null then "unlimited"
			elif .rx_rate == 0 then "stopped" else "\(8 * .rx_rate)bit" end')
	fault_receive "$1" role host rx-rate "$2"
}

# As it was before
fault_slow_ends()
{
	# shellcheck disable=SC2086 # a list of words
	fault_receive "$1" ${fault_receives[$1]}
}

fault_receive() { tc -n "lle-$1" qdisc change dev "${fault_dev[$1]}" root lossless "${@:2}"; }

# fault_pids HOST[/NAME]: IDs of processes
fault_pids()
{
	local pid

	for pid in $(ip netns pids "lle-${1%/*}"); do
		[[ $1 != */* ]] || [ "$(cat "/proc/$pid/comm")" = "${1#*/}" ] || continue
		echo "$pid"
	done
}

# fault_signal SIGNAL HOST[/NAME]: a host may have no process
fault_signal()
{
	local pids

	mapfile -t pids < <(fault_pids "$2")
	[ ${#pids[@]} -eq 0 ] || kill "-$1" "${pids[@]}" 2>/dev/null || :
}

fault_stop() { fault_signal STOP "$1"; }
fault_stop_ends() { fault_signal CONT "$1"; }
fault_kill() { fault_signal KILL "$1"; }
