# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# alpha-incident: the same incast at switches that differ in alpha only. "RDMA over
# Commodity Ethernet at Scale" (SIGCOMM 2016, section 6.2) tells of a new type of ToR
# switch with 1/64 instead of 1/16, and of servers with 60000 pauses in five minutes.
#
# At each switch N hosts answer another one all at once: first with BIG bytes each, so
# that every switch has to pause; then ROUNDS times with 50 to 550 KB. The first pause
# has to come when each ingress port has alpha * S / (1 + N * alpha) bytes, S being
# the shared buffer.
#
# keys: ALPHAS=16,64 N=4 RATE=100gbit DELAY=1us BUFFER=12m BIG=1000000 ROUNDS=20 MTU=1440
# key ALPHAS: integers 2..1024, a switch each: alpha is 1/ALPHA
# key N: integer 2..60, hosts that answer one
# key BIG: integer 10000..100000000, bytes of each of the first answers
# key ROUNDS: integer 1..1000, how often all answer at once

# The ports of switch number I: 1 to the host that is answered, the others to those
# who answer.
ports() { seq $((N + 1)) | sed "s/^/s$1p/"; }

IFS=, read -ra list <<<"$ALPHAS"
if [ -z "$CAPTURE" ]; then
	CAPTURE=$(for i in "${!list[@]}"; do ports $((i + 1)); done | paste -sd,)
fi

limits() { limit_buffer $((N + 3)); }

testbed()
{
	local i

	for i in "${!list[@]}"; do
		echo "switch s$((i + 1))"
		# no delay: what leaves the buffer is captured at once
		seq $((i * (N + 1) + 1)) $(((i + 1) * (N + 1))) |
			sed "s/.*/host h& s$((i + 1))/; 1s/$/ delay 0/"
		[ "$i" -eq 0 ] || echo "link s$i s$((i + 1))"
	done >/tmp/topology
	lle-testbed up file /tmp/topology --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --host "prio-pfc 3:on" \
		--edge "buffer $BUFFER reaction 0 prio-pfc 3:on" >/dev/null
	for i in "${!list[@]}"; do
		ports $((i + 1)) | sed "s|.*|qdisc change dev & root lossless alpha 1/${list[i]}|"
	done | tc -n lle-sw -batch -
}

rnic_options() { echo "mtu=$MTU ack_every=16"; }

flows()
{
	{
		lle_flows incast --hosts $((N + 1)) --size "$BIG"
		lle_flows incast --hosts $((N + 1)) --cdf <(printf '%s\n' 50000,0 550000,1) \
			--rounds "$ROUNDS" --start 1000000 --period 500000 --seed "$SEED"
	} | awk -v n=$((N + 1)) -v switches="${#list[@]}" '
		function other(ip) { return "10.0.0." substr(ip, 8) + i * n }
		{ for (i = 0; i < switches; i++) print $1, $2, other($3), other($4), $5 }'
}

duration() { echo "$((ROUNDS / 2 + 5))e-3"; }

# first_pause I: of the ports of switch I, "TIME PORT": when it takes the link
first_pause()
{
	local port

	for port in $(ports "$1" | tail -n +2); do
		frames "$port" 'ether proto 0x8808' | sed "s/ .*/ $port/; q"
	done | sort -n | awk -v delay="$(nanoseconds "$DELAY")" -v rate="$(bits "$RATE")" '
		NR == 1 { printf "%.0f %s\n", $1 - delay - int(84 * 8e9 / rate), $2 }'
}

# buffered I TIME PORT: bytes that have come by the port and not left by port 1
buffered()
{
	local src

	src=$(jq -r --arg dev "$3" '.hosts[] | select(.peer_dev == $dev) | .address' testbed.json)
	{
		frames "$3" "ip src $src"
		frames "s$1p1" "ip src $src" | sed 's/ / -/'
	} | awk -v t="$2" '$1 <= t { b += $2 } END { printf "%.0f\n", b }'
}

# formula I ALPHA: the closed form, and the pauses
formula()
{
	jq -r --arg node "s$1" --arg alpha "$2" --argjson n "$N" '
		[.qdiscs[] | select(.node == $node and .role == "edge")] |
		(.[0].options.shared_size / (($alpha | tonumber) + $n)) as $t |
		"formula_bytes_\($alpha) \($t | ceil)",
		"pauses_\($alpha) \(map(.prios[3].tx_pause) | add)"' stats.json
}

metrics()
{
	local i alpha time port

	count_losses
	flow_times
	for i in "${!list[@]}"; do
		alpha=${list[i]}
		formula $((i + 1)) "$alpha"
		read -r time port < <(first_pause $((i + 1))) || continue
		echo "onset_bytes_$alpha $(buffered $((i + 1)) "$time" "$port")"
	done | awk '{
		print
		value[$1] = $2
		if ($1 ~ /^onset/) {
			alpha = substr($1, 13)
			print "onset_over_bytes_" alpha, $2 - value["formula_bytes_" alpha]
			pauses = value["pauses_" alpha]
			if (!least) least = pauses
		}
	}
	END { if (least) printf "pauses_ratio %.1f\n", pauses / least }'
}

expectations()
{
	local alpha

	expect dropped == 0
	expect unfinished == 0
	# a packet is admitted as a whole, or not
	for alpha in "${list[@]}"; do
		expect "onset_over_bytes_$alpha" '>=' 0
		expect "onset_over_bytes_$alpha" '<' $((MTU + 74))
	done
	expect pauses_ratio '>' 5
}
