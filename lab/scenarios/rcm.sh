# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Common parts of scenarios about RCM. ARMS are
#
#	pfc		pauses only
#	dcqcn		hosts with DCQCN
#	rcm		regional congestion mitigation in switches and at hosts
#	rcm+dcqcn	both
#	rcm+dcqcn+las	both, with least attained service
#	rcm-nosar	both, without SAR
#
# Parameters are those of "Regional Congestion Mitigation" (section 4.1): 100
# Gbit/s, 1 us, 100 KB, and DCQCN's defaults.

# shellcheck source=lab/scenarios/draw.sh
. "${LAB:-/lab}/draw.sh"

# Isolated bytes stay below XOFF, with those in flight twice and two packets.
rcm_limits()
{
	[ "${LOSS:-0}" = 0 ] || [ "$PARTS" = 0 ] || refuse LOSS "needs PARTS=0"
	limit_delay "${K:-5}" 32m
	[[ ,$ARMS, != *,rcm* ]] || limit BUF "$(awk -v rate="$(bits "$RATE")" \
		-v ns="$(nanoseconds "$DELAY")" -v mtu=$((LINK_MTU)) '
		function most(a, b) { return a > b ? a : b }
		BEGIN {
			flight = 2 * ns * rate / 8e9 + most(10 * mtu, 150e-9 * rate) * 5 / 48
			frames = 2 * (mtu + 18)
			printf "%d", 41 + (flight + frames + most(flight, frames)) / 1024
		}')" 100000 "with RCM, of which 40 are for headroom, with these RATE, DELAY and MTU"
}

limits() { rcm_limits; }

# has PART: does the present arm have rcm, las, sar or dcqcn?
has()
{
	case $1 in
	rcm) [[ $ARM == rcm* ]] ;;
	las) [[ $ARM == *+las ]] ;;
	sar) [[ $ARM == rcm || $ARM == rcm+dcqcn* ]] ;;
	dcqcn) [[ $ARM != pfc && $ARM != rcm ]] ;;
	esac
}

# Prints options of ports: BUF KB, with 40 of headroom; more headroom is added
rcm_port()
{
	local port="prio-pfc 3:on xoff $((BUF - 40))k" las=0

	! has las || las=${LAS_QEQ:-20}
	port+=" xon-delta 20k reaction 0 burst 0"
	! has rcm || port+=" rcm on rcm-las $las"
	echo "$port"
}

rcm_wred() { ! has dcqcn || echo "wred 3 kmin ${KMIN:-20000} kmax ${KMAX:-80000} pmax ${PMAX:-10%} ecn"; }

# rcm_testbed TOPOLOGY...: builds a testbed for the present arm
rcm_testbed()
{
	local port cn=

	port="$(rcm_port) buffer 32m $(rcm_wred)"
	! has rcm || cn="rcm-host-cn on"
	testbed_up "$@" --rate "$RATE" --delay "$DELAY" --mtu $((LINK_MTU)) --edge "$port $cn" \
		--fabric "$port" --host "$(rcm_port) fabric"
	rcm_paths
	[ "${LOSS:-0}" = 0 ] || rcm_lose
}

# Makes path groups: flows hash over their ports; SAR leaves congested ones.
rcm_paths()
{
	local words adaptive=

	! has sar || adaptive=-a
	# shellcheck disable=SC2154 # of guest.sh
	lle-testbed show "${parts[@]}" --format paths >/tmp/paths
	lle_until every "$SETUP_NS" >/dev/null
	while read -ra words; do
		switches path set $adaptive "${words[@]}"
	done </tmp/paths
}

# Drops LOSS percent of the CNs on each link, by drawn sequence numbers
rcm_lose()
{
	local netns dev number

	state=$SEED
	for netns in $(ip netns list | awk '{ print $1 }'); do
		for dev in $(ip -n "$netns" -o link show type veth | awk -F'[ @]' '{ print $2 }'); do
			echo "qdisc add dev $dev clsact"
			for ((number = 0; number < 1024; number++)); do
				draw 1000
				[ $drawn -ge $((LOSS * 10)) ] ||
					echo "filter add dev $dev ingress protocol 0x88b6" \
						"u32 match u16 $number 0x3ff at 16 action drop"
			done
		done >/tmp/lose
		tc -n "$netns" -b /tmp/lose
	done
}

rcm_lost()
{
	ip netns exec lle-sw tc -s qdisc show | awk '
		/^qdisc/ { ours = $2 == "clsact" }
		/Sent/ && ours { split($0, n, /dropped |,/); lost += n[2] }
		END { print "notifications.lost", lost + 0 }'
}

rcm_rnic()
{
	local cc=none

	! has dcqcn || cc="dcqcn line_mbps=$(($(bits "$RATE") / 1000000))"
	# messages wait in the NIC: two packets of each are in the qdisc
	echo "depth=1000000 flow_depth=2 mtu=$MTU ack_every=16 rto_us=10000000 cc=$cc $*"
}

# Prints payload bits per second of a full link: 82 bytes of headers a packet
payload_bits() { awk -v bits="$(bits "$RATE")" -v mtu="$MTU" 'BEGIN { printf "%.0f", bits * mtu / (mtu + 82) }'; }

# gbps FILTER FROM_US TO_US: prints Gbit/s of flows by an expression of s and d
gbps()
{
	awk -F, -v from="$2" -v to="$3" -v mtu="$MTU" '
		FNR == NR {
			if (FNR > 1) { s = $2; d = $3; wanted[$1] = ('"$1"') }
			next
		}
		FNR == 1 {
			wide = ($3 - $2) / 1000
			for (i = 2; i <= NF; i++) {
				us[i] = $i / 1000
				whole[i] = us[i] >= from && us[i] + wide <= to
				seconds += whole[i] * wide / 1e6
			}
			next
		}
		wanted[$1] {
			for (i = 2; i <= NF; i++)
				if (whole[i]) bytes += $i
		}
		END { printf "%.2f\n", seconds ? bytes * 8 * (mtu + 82) / mtu / seconds / 1e9 : 0 }
		' flows.csv bins.csv
}

# Drops, pauses to hosts and to switches, and the share of reordered packets
rcm_losses()
{
	count_losses | grep -v '^pauses '
	jq -r '["edge", "fabric"][] as $role |
		([.qdiscs[] | select(.role == $role) | .prios[].tx_pause] | add // 0) |
		"pauses.\(if $role == "edge" then "host" else $role end) \(.)"' stats.json
	rcm_stuck
	[ "${LOSS:-0}" = 0 ] || cat lost
	awk -F, '
		FNR == 1 { file++; for (i = 1; i <= NF; i++) c[$i] = i; next }
		file == 1 { sent += $c["data"] }
		file == 2 { late += $c["ooo"] }
		END { if (sent) printf "reorder_share %.6f\n", late / sent }
		' hosts.csv flows.csv
}

# gains METRIC NAME [less]: NAME is how much more than dcqcn, in percent
gains()
{
	local arm base

	base=$(metric "dcqcn.$1")
	for arm in ${base:+${ARMS//,/ }}; do
		[ "$arm" = dcqcn ] || awk -v base="$base" -v own="$(metric "$arm.$1")" \
			-v name="$arm.$2" -v sign="${3:+-}1" 'BEGIN {
				if (base > 0 && own != "")
					printf "%s %.2f\n", name, sign * 100 * (own - base) / base
			}'
	done
}

rcm_stuck()
{
	jq -r '[.[] | .held, .tells, (.class_held, .tells_class | if . then 1 else 0 end)] |
		"stuck_holds \(add // 0)"' congestion.json
}

# row LABEL METRIC: prints a line of a table with a column for each arm
row()
{
	local arm

	printf '%s' "$1"
	for arm in ${ARMS//,/ }; do
		printf ',%s' "$(metric "$arm.$2")"
	done
	echo
}

# bars LABEL...: prints commands of bar plots: for each line, a bar for each arm
bars()
{
	local label number=0

	cat <<-END
		set datafile separator ','
		arms = '${ARMS//,/ }'
		n = words(arms)
		wide = 0.8 / n
		at(line, i) = line + (i - (n + 1) / 2.0) * wide
		set boxwidth 0.92 * wide
		set style fill solid 0.85 noborder
		set xrange [-0.5:$#-0.5]
		set xtics scale 0 ($(for label in "$@"; do
			echo "'$label' $((number++)),"
		done | xargs -d '\n' | sed 's/,$//'))
		set yrange [0:*]
		set lmargin 9
		set rmargin 1
		set bmargin 5
		set label 1 at graph 0,1.06 font ',20'
		set label 2 scenario at screen 0.01,0.05 tc rgb '#444444'
		unset key
		do for [i=1:n] {
			x = 0.5 + (i - (n + 1) / 2.0) * 0.17
			set label 10+i '■' at screen x-0.055,0.05 right tc lt i
			set label 20+i word(arms, i) at screen x-0.05,0.05 tc rgb '#222222'
		}
	END
}

# rcm_traffic SECONDS: SECONDS for flows after duration()
rcm_traffic()
{
	send_flows "$(duration)" "$1"
	# shellcheck disable=SC2154 # guest.sh has set it
	echo "$run_ns" >"$OUT/start"
	[ "${LOSS:-0}" = 0 ] || at_once rcm_lost >"$OUT/lost"
}

rcm_flow_times() { flow_times | grep -v '^fct_'; }
