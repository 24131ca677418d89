# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# alpha-incident: the same incast at switches with different alpha. "RDMA over
# Commodity Ethernet at Scale" (SIGCOMM 2016, section 6.2) reports a new type of
# ToR switch with alpha 1/64 instead of 1/16, and servers with 60000 pauses in
# five minutes.
#
# At each switch N hosts answer one host at once: first with BIG bytes each, so
# that every switch must pause; then ROUNDS times with 50 to 550 KB. The first
# pause must come when each ingress port has alpha * S / (1 + N * alpha) bytes,
# where S is the shared buffer.
#
# keys: ALPHAS=16,64 N=4 RATE=100gbit DELAY=1us BUFFER=12m BIG=1000000 ROUNDS=20 MTU=1440
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key ALPHAS: integers 2..1024, a switch each: alpha is 1/ALPHA
# key N: integer 2..60, hosts that answer one
# key BIG: integer 10000..100000000, bytes of each of the first answers
# key ROUNDS: integer 1..1000, number of rounds

# Prints the ports of switch number I; port 1: to the answered host
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
		echo "switch s$((i + 1)) alpha 1/${list[i]}"
		# no delay: a frame that leaves the buffer is captured at once
		seq $((i * (N + 1) + 1)) $(((i + 1) * (N + 1))) |
			sed "s/.*/host h& s$((i + 1))/; 1s/$/ delay 0/"
		[ "$i" -eq 0 ] || echo "link s$i s$((i + 1))"
	done >/tmp/topology
	testbed_up file /tmp/topology --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --host "prio-pfc 3:on" \
		--edge "buffer $BUFFER reaction 0 prio-pfc 3:on" >/dev/null
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

# first_pause I: prints "TIME PORT" of the first pause of switch I on a link
first_pause()
{
	local port

	for port in $(ports "$1" | tail -n +2); do
		frames "$port" 'ether proto 0x8808' | sed "s/ .*/ $port/; q"
	done | sort -n | awk -v delay="$(nanoseconds "$DELAY")" -v rate="$(bits "$RATE")" '
		NR == 1 { printf "%.0f %s\n", $1 - delay - int(84 * 8e9 / rate), $2 }'
}

# buffered I TIME PORT: prints bytes from this ingress that have not left port 1
buffered()
{
	local src

	src=$(jq -r --arg dev "$3" '.hosts[] | select(.peer_dev == $dev) | .address' testbed.json)
	{
		frames "$3" "ip src $src"
		frames "s$1p1" "ip src $src" | sed 's/ / -/'
	} | awk -v t="$2" '$1 <= t { b += $2 } END { printf "%.0f\n", b }'
}

# formula I ALPHA: prints the result of the closed form, and count of pauses
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
	# packets are admitted as a whole
	for alpha in "${list[@]}"; do
		expect "onset_over_bytes_$alpha" '>=' 0
		expect "onset_over_bytes_$alpha" '<' $((MTU + 74))
	done
	expect pauses_ratio '>' 5
}
