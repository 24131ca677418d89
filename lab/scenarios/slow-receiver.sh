# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# slow-receiver: server h1 of a fat tree receives at rate RX, half of the rate
# sent to it. As in "RDMA over Commodity Ethernet at Scale" (SIGCOMM 2016,
# section 4.4), its NIC pauses the ToR switch, and congestion spreads: to other
# switches, and to servers that also send to others, which become victims.
#
# Each server sends to three others at 6 Gbit/s each, so little that no link is
# full on any paths: with RX=unlimited there are no pauses.
#
# keys: K=4 RATE=100gbit DELAY=1us BUFFER=2m RX=9gbit MS=4 MTU=1024 PAUSES=yes
# key RX: rate 1mbit..400gbit or unlimited, rate at which h1 receives

PORT="buffer $BUFFER reaction 0 prio-pfc 3:on"
FLOW=6000000000

limits()
{
	limit RATE 25gbit 400gbit "each server sends 18 Gbit/s, and headers"
	limit_buffer "$K"
}

testbed()
{
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" --host "$PORT"
	on_time tc -n lle-h1 qdisc change dev eth0 root lossless role host rx-rate "$RX"
}

rnic_options() { echo "mtu=$MTU ack_every=16 rto_us=100000000"; }

flows()
{
	local i to hosts=$((K * K * K / 4))

	for ((i = 0; i < hosts; i++)); do
		for to in 1 5 9; do
			echo "0 1000000000000 10.0.0.$((i + 1))" \
				"10.0.0.$(((i + to) % hosts + 1)) 3 $FLOW"
		done
	done
}

duration() { echo "${MS}e-3"; }

metrics()
{
	count_losses
	jq_stats host_pauses 'select(.role == "host") | .prios[].tx_pause'
	jq_stats servers_paused 'select(.role == "edge") | select(.prios[3].tx_pause > 0) | 1'
	jq_stats fabric_ports_pausing \
		'select(.role == "fabric") | select(.prios[3].tx_pause > 0) | 1'
	# in the second half: the rate of h1, and the share of others
	awk -F, -v flow=$FLOW -v rx="$([ "$RX" = unlimited ] || bits "$RX")" -v mtu="$MTU" '
		FILENAME == "flows.csv" { dst[$1] = $3; next }
		FNR == 1 { width = $3; next }
		{
			for (i = int(NF / 2); i < NF; i++)
				bits[dst[$1] == "10.0.0.1"] += $i * 8
			flows += dst[$1] != "10.0.0.1"
			seconds = (NF - int(NF / 2)) * width / 1e9
			for (i = int(NF / 2); i < NF; i++)
				own[FNR] += $i * 8
		}
		END {
			frames = mtu / (mtu + 58) * seconds
			if (rx && frames)
				printf "rx_share %.4f\n", bits[1] / (rx * frames)
			if (flows && frames)
				printf "victims_share %.4f\n", bits[0] / (flow * flows * frames)
			for (i in own) {
				off = own[i] / (flow * frames) - 1
				if (off > most) most = off
				if (-off > most) most = -off
			}
			printf "rate_off_max %.5f\n", most
		}' flows.csv bins.csv
}

# Maximum deviation of a rate: two packets, and a nanosecond for each gap
pacing_off()
{
	awk -v flow=$FLOW -v mtu="$MTU" -v ms="$MS" 'BEGIN {
		gap_ns = (mtu + 58) * 8e9 / flow
		printf "%.5f", 2 * gap_ns / (ms * 5e5) + 1 / gap_ns }'
}

expectations()
{
	expect dropped == 0
	expect lost_bytes == 0
	if [ "$RX" = unlimited ]; then
		expect pauses == 0
		expect victims_share '>' 0.99
		expect rate_off_max '<=' "$(pacing_off)"
		return
	fi
	expect host_pauses '>' 0
	expect rx_share '>' 0.98
	expect rx_share '<=' 1
	expect fabric_ports_pausing '>' 0
	expect servers_paused '>=' 3
	expect victims_share '<' 0.95
}
