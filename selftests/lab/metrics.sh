# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What scenarios count. Each function prints lines "NAME VALUE" from the files
# that the guest left in the current folder.

# metric NAME: its value, when all were counted
metric() { sed -n "s/^$1 //p" metrics.txt; }

# bits RATE: bits per second, of a rate as tc(8) has it
bits()
{
	awk -v r="$1" 'BEGIN {
		power["k"] = 1; power["m"] = 2; power["g"] = 3; power["t"] = 4
		printf "%.0f", r * 1000 ^ power[substr(tolower(r), match(r, /[a-zA-Z]/), 1)] }'
}

# nanoseconds TIME: of a time as tc(8) has it
nanoseconds()
{
	awk -v t="$1" 'BEGIN {
		factor["ns"] = 1; factor["us"] = 1e3; factor["ms"] = 1e6; factor["s"] = 1e9
		unit = match(t, /[a-z]/) ? substr(t, RSTART) : "us"
		printf "%.0f", t * factor[unit] }'
}

# bytes SIZE: as tc(8) has it
bytes()
{
	awk -v s="$1" 'BEGIN {
		factor["k"] = 1024; factor["m"] = 1024 ^ 2; factor["g"] = 1024 ^ 3
		unit = match(s, /[kmg]/) ? factor[substr(s, RSTART, 1)] : 1
		printf "%.0f", s * unit }'
}

# rnic_cc: options of lle_rnic.ko for $CC
rnic_cc() { echo "cc=$CC line_mbps=$(($(bits "$RATE") / 1000000))"; }

# dcqcn_marks: for hosts with DCQCN, as HPCC's authors have it: from 100 KB at 25 Gbit/s on
dcqcn_marks()
{
	local kmin=$(($(bits "$RATE") / 250000))

	echo "wred 3 kmin $kmin kmax $((4 * kmin)) pmax 20% ecn"
}

# frames NAME [FILTER]: from NAME.pcap, lines "TIME BYTES", nanoseconds since the guest
# was started
frames()
{
	tcpdump -r "$1.pcap" --time-stamp-precision=nano -tt -n -q -e "${2:-}" 2>/dev/null |
		awk '{
			split($1, t, ".")
			match($0, /, length [0-9]+:/)
			printf "%.0f %d\n", (t[1] - 1767225600) * 1e9 + t[2],
				substr($0, RSTART + 9) }'
}

# from stats.json: jq_stats NAME EXPRESSION, of all qdiscs
jq_stats() { jq -r "[.qdiscs[] | $2] | add // 0 | \"$1 \\(.)\"" stats.json; }

# packets that are gone, and bytes that nobody can account for
count_losses()
{
	jq_stats dropped '.prios[].drops | add'
	jq -r '
		[.qdiscs[] | select(.role != "host")] |
		([.[].prios[] | .rx_bytes - .tx_bytes - .drop_bytes - .backlog] | add) -
		(map(.wire_bytes) | add) | "lost_bytes \(.)"' stats.json
	jq_stats pauses '.prios[].tx_pause'
	jq -r '[.qdiscs[].prios[].headroom_max] | max | "headroom_max_bytes \(.)"' stats.json
	jq -r '[.qdiscs[] | select(.role != "host") | .prios[].backlog_max] | max |
		"backlog_max_bytes \(.)"' stats.json
}

# from flows.csv: completion times, and what had to be repaired
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
			print "flows", flows
			print "unfinished", unfinished + 0
			print "retransmitted", retrans + 0
			print "out_of_order", ooo + 0
			print "received_bytes", received
			if (done) {
				printf "fct_mean_us %.3f\n", sum / done / 1e3
				printf "fct_min_us %.3f\n", min / 1e3
				printf "fct_max_us %.3f\n", max / 1e3
			}
		}' flows.csv
}
