# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# storm-spread: the NIC of server h1 of a fat tree breaks and pauses its ToR
# switch for ever. As in "RDMA over Commodity Ethernet at Scale" (SIGCOMM 2016,
# section 4.3)
#
#	1 the ToR switch pauses the leaves
#	2 the leaves pause the spines
#	3 the spines pause the other leaves
#	4 these leaves pause their ToR switches
#	5 these ToR switches pause their servers
#
# All servers but h1 send to all others. In the end no server sends, and it
# stays so.
#
# keys: K=4 RATE=100gbit DELAY=1us BUFFER=2m START=1 MS=20 MTU=1024 PAUSES=yes
# key START: integer 0..10000, ms until the NIC breaks

PORT="buffer $BUFFER reaction 0 prio-pfc 3:on"

limits() { limit_buffer "$K"; }

testbed()
{
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:on"
}

rnic_options() { echo "mtu=$MTU ack_every=16 rto_us=100000000"; }

flows()
{
	local i j hosts=$((K * K * K / 4))

	echo "storm ${START}000000 10.0.0.1 3"
	for ((i = 2; i <= hosts; i++)); do
		for ((j = 1; j <= hosts; j++)); do
			[ "$i" -eq "$j" ] || echo "0 1000000000000 10.0.0.$i 10.0.0.$j 3"
		done
	done
}

duration() { echo "${MS}e-3"; }

stages()
{
	jq -r '.qdiscs[] | select(.role != "host") |
		"\(.dev) \(.node[1:]) \(.peer[1:]) \(.role)"' stats.json |
	awk -v half=$((K / 2)) '
		function tier(n) { return n <= tors ? "tor" : n <= 2 * tors ? "leaf" : "spine" }
		function near(n) { return (n - 1) % tors < half }
		BEGIN { tors = 2 * half * half }
		{
			stage = 0
			if ($4 == "edge")
				stage = near($2) ? 0 : 5
			else if ($2 == 1)
				stage = 1
			else if (tier($2) == "leaf" && tier($3) == "spine" && near($2))
				stage = 2
			else if (tier($2) == "spine" && !near($3))
				stage = 3
			else if (tier($2) == "leaf" && tier($3) == "tor" && !near($2))
				stage = 4
			print $1, stage
		}'
}

# blocked: prints "TIME PORT" of ports that pause for good, in us of the storm
blocked()
{
	awk -F, '
		$2 == "s1p1" && $3 == "rx" && !storm { storm = $1 }
		$3 == "tx" && $5 == "resume" { delete since[$2] }
		$3 == "tx" && $5 == "pause" && !($2 in since) { since[$2] = $1 }
		END { for (port in since) print since[port] - storm, port }' pauses.csv
}

metrics()
{
	count_losses
	join -1 2 -2 1 <(blocked | sort -k 2) <(stages | sort) | sort -n -k 2 | awk '
		$3 {
			if (!ports[$3]++) { order = order $3; first[$3] = $2 }
			last[$3] = $2
		}
		END {
			print "order", order + 0
			for (i = 1; i <= 5; i++)
				if (i in first) {
					print "first_us_" i, first[i]
					print "last_us_" i, last[i]
					print "ports_" i, ports[i]
				}
		}'
	# servers that sent no byte in the last tenth of the time
	awk -F, '
		FILENAME == "flows.csv" { if (FNR > 1) { src[$1] = $2; servers += !seen[$2]++ }; next }
		FNR > 1 { for (i = int(NF * 0.9); i <= NF; i++) sent[src[$1]] += $i }
		END {
			for (s in sent) if (sent[s]) alive++
			if (servers)
				printf "stalled_share %.4f\n", 1 - alive / servers
		}' flows.csv bins.csv
}

expectations()
{
	expect dropped == 0
	expect order == 12345
	expect stalled_share == 1
}
