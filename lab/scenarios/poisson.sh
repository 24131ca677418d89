# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# poisson: flows begin at random times between random hosts of a fat tree, with
# sizes as measured in a data centre (CDF: a file of lab/flow-sizes), and use
# LOAD of the hosts' links; HOT_SHARE of them go to HOT hot hosts. No packet is
# lost. A slowdown is the completion time of a flow over that of the flow alone.
#
# keys: K=4 RATE=100gbit DELAY=1us BUFFER=32m CDF=web-search LOAD=0.4 HOT=2 HOT_SHARE=0 PFC=on CC=none MTU=1024 MS=4
# key HOT: integer 1..K*K*K/4-1, hot hosts

PORT="buffer $BUFFER reaction 0 prio-pfc 3:$PFC wred 3 kmin 100kb kmax 400kb pmax 20% ecn"

limits() { [ "$PFC" = off ] || limit_buffer "$K"; }

testbed()
{
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$PORT" --fabric "$PORT" --host "prio-pfc 3:$PFC"
}

rnic_options() { echo "mtu=$MTU ack_every=16 $(rnic_cc)"; }

flows()
{
	lle_flows poisson --hosts $((K * K * K / 4)) --rate "$(bits "$RATE")" --load "$LOAD" \
		--cdf "$LAB/../flow-sizes/$CDF.csv" --hot "$HOT" --hot-share "$HOT_SHARE" \
		--duration "${MS}e6" --seed "$SEED"
}

# until the last flows have ended, too
duration() { echo "$((5 * MS + 20))e-3"; }

# Prints lines "SLOWDOWN SIZE", ascending. A flow alone takes the time of its
# bytes on one link, and of one packet on each later link; hosts at one switch
# have fewer links.
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

metrics()
{
	count_losses
	jq_stats marked '.prios[].ecn_marked'
	flow_times
	slowdowns >slowdowns.txt
	awk '{ n++; all[n] = $1 } $2 < 100000 { s++; small[s] = $1 }
		function at(share) { return int(n * share) > 1 ? int(n * share) : 1 }
		END {
			if (n) {
				printf "slowdown_min %.4f\n", all[1]
				printf "slowdown_p50 %.3f\nslowdown_p99 %.3f\n",
					all[int((n + 1) / 2)], all[at(0.99)]
			}
			if (s > 99)
				printf "slowdown_small_p50 %.3f\nslowdown_small_p99 %.3f\n",
					small[int((s + 1) / 2)], small[int(s * 0.99)]
		}' slowdowns.txt
}

expectations()
{
	expect lost_bytes == 0
	expect unfinished == 0
	if [ "$PFC" = on ]; then
		expect dropped == 0
		expect retransmitted == 0
	fi
	# some small flow meets no other; each port rounds down to a nanosecond
	expect slowdown_min '>=' 0.999
	expect slowdown_min '<' 1.01
}
