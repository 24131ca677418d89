# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Metrics of scenarios: functions print "NAME VALUE" from guest files.

# metric NAME: prints its value, after all metrics have been written
metric() { sed -n "s/^$1 //p" metrics.txt; }

bits()
{
	awk -v r="$1" 'BEGIN {
		power["k"] = 1; power["m"] = 2; power["g"] = 3; power["t"] = 4
		printf "%.0f", r * 1000 ^ power[substr(tolower(r), match(r, /[a-zA-Z]/), 1)] }'
}

nanoseconds()
{
	awk -v t="$1" 'BEGIN {
		factor["ns"] = 1; factor["us"] = 1e3; factor["ms"] = 1e6; factor["s"] = 1e9
		unit = match(t, /[a-z]/) ? substr(t, RSTART) : "us"
		printf "%.0f", t * factor[unit] }'
}

bytes()
{
	awk -v s="$1" 'BEGIN {
		factor["k"] = 1024; factor["m"] = 1024 ^ 2; factor["g"] = 1024 ^ 3
		unit = match(s, /[kmg]/) ? factor[substr(s, RSTART, 1)] : 1
		printf "%.0f", s * unit }'
}

# rnic_cc: prints options of lle_rnic.ko for $CC
rnic_cc() { echo "cc=$CC line_mbps=$(($(bits "$RATE") / 1000000))"; }

# ratio NAME METRIC OTHER: NAME is METRIC over OTHER; nothing without OTHER
ratio()
{
	awk -v name="$1" -v a="$(metric "$2")" -v b="$(metric "$3")" \
		'BEGIN { if (a != "" && b > 0) printf "%s %.3f\n", name, a / b }'
}

# dcqcn_marks: prints marks for DCQCN of HPCC's authors: KMIN 100 KB at 25g
dcqcn_marks()
{
	local kmin=$(($(bits "$RATE") / 250000))

	echo "wred 3 kmin $kmin kmax $((4 * kmin)) pmax 20% ecn"
}

# MTU of links for MTU bytes of payload. The first packet of a message has 60
# bytes more.
LINK_MTU='MTU > 1440 ? MTU + 100 : 1500'

larger() { echo $(($1 > $2 ? $1 : $2)); }

# headroom_bytes: prints the maximum headroom of a port: a round trip of DELAY
# at RATE, and four frames: one that the pause waits for, one in progress when
# it arrives, and the remainders of two
headroom_bytes()
{
	local MTU=${MTU:-1024}

	awk -v rate="$(bits "$RATE")" -v ns="$(nanoseconds "$DELAY")" \
		-v mtu=$((LINK_MTU)) \
		'BEGIN { printf "%.0f", 2 * ns * rate / 8e9 + 4 * (mtu + 38) }'
}

# limit_buffer PORTS: for limits(): half of BUFFER must hold its ports' headroom
limit_buffer()
{
	limit BUFFER $((2 * $1 * $(headroom_bytes))) 1g \
		"half of it is headroom of $1 ports, with these RATE, DELAY and MTU"
}

# limit_delay PORTS SIZE: the same for DELAY, with a buffer that is no key
limit_delay()
{
	limit DELAY 0ns "$(DELAY=0ns headroom_bytes | awk -v rate="$(bits "$RATE")" \
		-v room=$(($(bytes "$2") / 2 / $1)) '
		{ printf "%.0fns", (room > $1 ? (room - $1) * 4e9 / rate : 0) }')" \
		"half of a buffer of $2 is headroom of $1 ports, with these RATE and MTU"
}

# flows_need sum|last: prints the seconds that $flows_file may need: five times
# the busiest link, and delays, after the sum of start times or the last one
flows_need()
{
	# shellcheck disable=SC2154 # flows_file: of lab.sh and of guest.sh
	awk -v how="$1" -v rate="$(bits "$RATE")" -v mtu="$MTU" -v ns="$(nanoseconds "$DELAY")" '
		/^#/ { next }
		{
			sent[$3] += $2; received[$4] += $2
			if (how == "sum") start += $1
			else if ($1 > start) start = $1
			if (sent[$3] > most) most = sent[$3]
			if (received[$4] > most) most = received[$4]
			if (++steps[$3] > longest) longest = steps[$3]
		}
		END {
			delays = longest * 24 * (ns + mtu * 16e9 / rate) / 1e9
			links = most * (mtu + 82) / mtu * 8 / rate
			printf "%.6f", 0.005 + start / 1e9 + delays + 5 * links
		}' "$flows_file"
}

# frames NAME [FILTER]: prints "TIME BYTES" from NAME.pcap, ns since the boot
frames()
{
	tcpdump -r "$1.pcap" --time-stamp-precision=nano -tt -n -q -e "${2:-}" 2>/dev/null |
		awk '{
			split($1, t, ".")
			match($0, /, length [0-9]+:/)
			printf "%.0f %d\n", (t[1] - 1767225600) * 1e9 + t[2],
				substr($0, RSTART + 9) }'
}

# jq_stats NAME EXPRESSION: sums EXPRESSION over all qdiscs of stats.json
jq_stats() { jq -r "[.qdiscs[] | $2] | add // 0 | \"$1 \\(.)\"" stats.json; }

# Dropped packets, and lost bytes: neither received, dropped nor queued
count_losses()
{
	jq -r 'def sum(f): [.qdiscs[] | f] | add // 0;
		"dropped \(sum(.prios[].drops | add))",
		"lost_bytes \(sum(if .role == "host" then .prios[] | .tx_bytes - .rx_bytes
			else -.wire_bytes, (.prios[] | -.drop_bytes - .backlog) end))",
		"pauses \(sum(.prios[].tx_pause))",
		"headroom_max_bytes \([.qdiscs[].prios[].headroom_max] | max)",
		"backlog_max_bytes \([.qdiscs[] | select(.role != "host") | .prios[].backlog_max] |
			max)"' stats.json
}

# expect_arrival: all flows end; with PFC, no packet is lost
expect_arrival()
{
	expect unfinished == 0
	expect lost_bytes == 0
	if [ "$PFC" = on ]; then
		expect dropped == 0
		expect retransmitted == 0
	fi
}

# Completion times from flows.csv, and repaired losses
flow_times()
{
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{
			retrans += $c["retrans"]; ooo += $c["ooo"]
			received += $c["received"]; flows++
			if ($c["last_ns"] < 0) { unfinished++; next }
			t = $c["last_ns"] - $c["start_ns"]
			sum += t; done++
			if (t > max) max = t
			if (!min || t < min) min = t
		}
		END {
			print "flows", flows + 0
			print "unfinished", unfinished + 0
			print "retransmitted", retrans + 0
			print "out_of_order", ooo + 0
			print "received_bytes", received + 0
			if (done) {
				printf "fct_mean_us %.3f\n", sum / done / 1e3
				printf "fct_min_us %.3f\n", min / 1e3
				printf "fct_max_us %.3f\n", max / 1e3
			}
		}' flows.csv
}

# Marks of the queues in queue.csv, and those that WRED should have made, with
# the standard deviation of its draws. A packet is marked with the probability
# of the curve at the queue length on its arrival. Arrivals between two samples
# are the bytes sent at link rate and the growth of the queue. A packet does not
# count itself, but samples do. Samples must be dense, and cover all packets.
count_marks()
{
	jq -r '.qdiscs[] | . as $q | .options.wred[]? | select(.ecn) | $q.prios[.prio] as $p |
		select($p.tx_packets > 0) |
		"\($q.dev),\(.prio) \(.kmin) \(.kmax) \(.pmax / 100) \($q.options.rate) " +
		"\($q.options.overhead) \($p.tx_bytes / $p.tx_packets) \($p.ecn_marked)"
		' stats.json | awk -F'[ ,]' '
		curves {
			kmin[$1,$2] = $3; kmax[$1,$2] = $4; pmax[$1,$2] = $5
			bytes_ns[$1,$2] = $6 / 1e9; overhead[$1,$2] = $7
			frame[$1,$2] = $8; marked[$1,$2] = $9
			next
		}
		function curve(q, bytes) {
			if (bytes < kmin[q]) return 0
			if (bytes >= kmax[q]) return 1
			return (bytes - kmin[q]) / (kmax[q] - kmin[q]) * pmax[q]
		}
		{ q = $2 SUBSEP $3 }
		!(q in frame) { next }
		q in bytes {
			n = ($1 - time[q]) * bytes_ns[q] / (frame[q] + overhead[q])
			n += ($4 - bytes[q]) / frame[q]
			p = (curve(q, bytes[q]) + curve(q, $4)) / 2
			most += n * p
			variance += n * p * (1 - p)
			least += n * (curve(q, bytes[q] - frame[q]) + curve(q, $4 - frame[q])) / 2
		}
		{ time[q] = $1; bytes[q] = $4; looked[q] }
		END {
			for (q in looked) all += marked[q]
			printf "marked.queues %d\nmarked.wred_least %.1f\n", all, least
			printf "marked.wred_most %.1f\nmarked.sigma %.1f\n", most, sqrt(variance)
		}' curves=1 - curves=0 queue.csv
}

# expect_marks [ARM.] [PACKETS]: within three standard deviations, and 1 %;
# PACKETS are not ECN capable
expect_marks()
{
	local arm=${1:-} unmarked=${2:-0} spread

	spread=$(metric "${arm}marked.sigma")
	expect "${arm}marked.queues" '>=' "$(awk -v m="$(metric "${arm}marked.wred_least")" \
		-v s="$spread" -v u="$unmarked" 'BEGIN { printf "%.1f", 0.99 * m - 3 * s - u }')"
	expect "${arm}marked.queues" '<=' "$(awk -v m="$(metric "${arm}marked.wred_most")" \
		-v s="$spread" 'BEGIN { printf "%.1f", 1.01 * m + 3 * s }')"
}

# From flows.csv: CNPs sent, and CNPs not received; one a flow may be in flight.
count_cnps()
{
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ sent += $c["cnps_sent"]; received += $c["cnps"] }
		END {
			print "cnps.sent", sent + 0
			print "cnps.under_way", sent - received
		}' flows.csv
}

# count_cnps_due HOST: from HOST.pcap, if each flow to it has its own sender:
# missing CNPs. A marked packet needs one, unless one was due within the last 50
# us ("Congestion Control for Large-Scale RDMA Deployments", section 3.1).
count_cnps_due()
{
	local address

	address=$(jq -r --arg name "$1" '.hosts[] | select(.name == $name).address' testbed.json)
	{
		tcpdump -r "$1.pcap" --time-stamp-precision=nano -tt -n -q 2>/dev/null \
			"dst $address and ip[1] & 3 = 3 and udp dst port 4791" | sed 's/^/marked /'
		tcpdump -r "$1.pcap" --time-stamp-precision=nano -tt -n -q 2>/dev/null \
			"src $address and udp[8] = 0x81 and udp dst port 4791" | sed 's/^/cnp /'
	} | awk '
		$1 == "cnp" { due--; next }
		{
			# relative to 2026, so that doubles hold nanoseconds
			split($2, t, ".")
			ns = (t[1] - 1767225600) * 1e9 + t[2]
			sub(/\.[0-9]+$/, "", $4)
		}
		!($4 in last) || ns - last[$4] >= 50000 { due++; last[$4] = ns }
		END { print "cnps.due", due + 0 }'
}

# Share of the receiver's link with payload until all flows ended; or nothing
goodput_share()
{
	awk -F, -v rate="$(bits "$RATE")" '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{
			bytes += $c["received"]
			last = $c["last_ns"]
			if (last < 0) unfinished++
			if (last > end) end = last
		}
		END {
			if (end > 0 && !unfinished)
				printf "goodput_share %.4f\n", bytes * 8e9 / end / rate
		}' flows.csv
}

# Prints "SLOWDOWN SIZE", ascending, of flows in a fat tree of $K. A slowdown is
# the completion time over that of the flow alone: its bytes on one link, and
# one packet on each later link. Bytes are those of a WRITE without IRN.
slowdowns()
{
	awk -F, -v rate="$(bits "$RATE")" -v delay="$(nanoseconds "$DELAY")" -v mtu="$MTU" -v k="$K" '
		function number(ip) { split(ip, a, "."); return a[3] * 256 + a[4] - 1 }
		function group(ip, n) { return int(number(ip) / n) }
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["last_ns"] >= 0 {
			src = $c["src"]; dst = $c["dst"]; size = $c["size"]
			links = 6
			if (group(src, k * k / 4) == group(dst, k * k / 4))
				links = 4
			if (group(src, k / 2) == group(dst, k / 2))
				links = 2
			bytes = size + int((size + mtu - 1) / mtu) * 82 + 16
			bytes += (links - 1) * ((size < mtu ? size : mtu) + 82)
			took = $c["last_ns"] - $c["start_ns"]
			print took / (bytes * 8e9 / rate + links * delay), size
		}' flows.csv | sort -g
}

slowdown_metrics()
{
	slowdowns >slowdowns.txt
	awk '{ n++; all[n] = $1; sum += $1 } $2 < 100000 { s++; small[s] = $1 }
		function at(share) { return int(n * share) > 1 ? int(n * share) : 1 }
		END {
			if (n) {
				printf "slowdown_min %.4f\n", all[1]
				printf "slowdown_mean %.3f\n", sum / n
				printf "slowdown_p50 %.3f\nslowdown_p99 %.3f\n",
					all[int((n + 1) / 2)], all[at(0.99)]
			}
			if (s > 99)
				printf "slowdown_small_p50 %.3f\nslowdown_small_p99 %.3f\n",
					small[int((s + 1) / 2)], small[int(s * 0.99)]
		}' slowdowns.txt
}
