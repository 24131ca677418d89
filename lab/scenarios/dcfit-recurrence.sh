# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-recurrence: four switches in a ring. Their links are not full, however
# much the hosts queue. After CALM ms server h5 accepts next to nothing, for
# ever, and pauses its switch; so all other ports wait, in the end for each
# other. As in figure 5 of "DCFIT: Initial Trigger-Based PFC Deadlock Detection
# in the Data Plane", there are three arms: deadlocks stay; they are broken;
# they are broken, and the initial trigger is quarantined. Only in the third
# they do not recur.
#
#	  h1          h2
#	  |           |
#	+----+      +----+	clockwise: h1 to h3 and h5, h2 to h4,
#	| s1 |----->| s2 |	h3 to h1, h4 to h2
#	+----+      +----+
#	  ^           |
#	  |           v
#	+----+      +----+
#	| s4 |<-----| s3 |-- h5
#	+----+      +----+
#	  |           |
#	  h4          h3
#
# keys: ARMS=nothing,break_only,resolve RATE=1gbit DELAY=1us RX=5mbit MTU=4096 S=30 CALM=3000 MODE=exact
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key ARMS: list of nothing break_only resolve, variants
# key RX: rate 1mbit..1gbit, rate at which h5 receives after CALM
# key CALM: integer 100..1000000, ms until h5 receives less
# key S: integer 2..10000, seconds of each arm

PORT="buffer 1m prio-pfc 3:on xoff 100k headroom $(larger 61440 "$(headroom_bytes)")"
BIN_US=100000

limits() { limit_delay 4 1m; }

deadlocks()
{
	case $ARM in
	nothing) echo "deadlock off" ;;
	break_only) echo "deadlock lossless deadlock-trigger leave" ;;
	resolve) echo "deadlock lossless" ;;
	esac
}

# Hosts send at most a quarter of the rate, so two of them do not fill a link.
testbed()
{
	local host

	{
		printf 'switch s%d\n' 1 2 3 4
		printf 'host h%d s%d\n' 1 1 2 2 3 3 4 4 5 3
		printf 'link s%d s%d\n' 1 2 2 3 3 4 4 1
		printf 'route s%d h%d via s%d\n' 1 3 2 1 5 2 2 4 3 3 1 4 4 2 1
	} >/tmp/ring
	testbed_up file /tmp/ring --rate "$RATE" --delay "$DELAY" --mtu $((LINK_MTU)) \
		--edge "$PORT" --fabric "$PORT $(deadlocks)" \
		--host "prio-pfc 3:on role host"
	for host in 1 2 3 4; do
		on_time tc -n lle-h$host qdisc change dev eth0 root lossless rate $(($(bits "$RATE") / 4))
	done
}

flows()
{
	local pair from to share bps

	bps=$(bits "$RATE")
	for pair in 1.3.20 2.4.20 3.1.20 4.2.20 1.5.4; do
		IFS=. read -r from to share <<<"$pair"
		echo "0 1000000000000 10.0.0.$from 10.0.0.$to 3 $((bps * share / 100))"
	done
}

duration() { echo "$S"; }

prepare()
{
	# window: the packets that a NIC has in flight
	insmod /mods/lle_rnic.ko mtu="$MTU" ack_every=4 rto_us=67000 window=128 \
		bin_us=$BIN_US bins=$((S * 1000000 / BIN_US)) timeline_us=1
	cat /lab/flows >"$RNIC/flows"
}

# shellcheck disable=SC2154 # guest.sh has set run_ns and end_ns
traffic()
{
	schedule "$S"
	begin
	lle_until $((run_ns + CALM * 1000000))
	tc -n lle-h5 qdisc change dev eth0 root lossless xoff 50k rx-rate "$RX"
	lle_until "$end_ns"
}

# Deadlocks; throughput of others than h5, after CALM and in the last second
metrics()
{
	awk -F, -v calm=$((CALM * 1000 / BIN_US)) -v second=$((1000000 / BIN_US)) '
		FILENAME ~ /flows/ { if (FNR > 1) victim[$1] = $3 != "10.0.0.5"; next }
		FNR == 1 || !victim[$1] { next }
		{
			for (i = 2; i < calm + 2; i++) before += $i
			for (i = calm + 2; i <= NF; i++) after += $i
			for (i = NF - second + 1; i <= NF; i++) last += $i
			bins = NF - 1
		}
		END {
			if (!before || bins <= calm)
				exit
			before /= calm
			printf "victims_share %.4f\n", after / (bins - calm) / before
			printf "victims_share_last %.4f\n", last / second / before
		}' flows.csv bins.csv
	jq -r '"broken \(map(.deadlocks.broken) | add)",
		"declared \(map(.deadlocks.declared) | add)",
		"parking_max_bytes \(map(.deadlocks.parking_max_bytes) | max)",
		"parking_limit_bytes \(map(.deadlocks.parking_limit_bytes) | max)"' switches.json
	# of switches only: h5 overflows while its pauses are ignored
	jq_stats dropped 'select(.role != "host") | .prios[].drops | add'
}

expectations()
{
	local arm

	for arm in ${ARMS//,/ }; do
		expect "$arm.dropped" == 0
		case $arm in
		nothing) expect nothing.victims_share_last == 0 ;;
		break_only) expect break_only.broken ">=" 3 ;;
		resolve)
			expect resolve.broken == 1
			expect resolve.victims_share ">=" 0.95
			expect resolve.parking_max_bytes "<=" "$(jq \
				'map(.deadlocks.parking_limit_bytes) | max' resolve/switches.json)"
			;;
		esac
	done
}

# By bin, throughput of flows that do not end at h5, in percent of that before
received()
{
	awk -F, -v calm=$((CALM * 1000 / BIN_US)) -v arm="$ARM" -v us=$BIN_US '
		FILENAME ~ /flows/ { if (FNR > 1) victim[$1] = $3 != "10.0.0.5"; next }
		FNR == 1 || !victim[$1] { next }
		{ for (i = 2; i <= NF; i++) bytes[i - 2] += $i; bins = NF - 1 }
		END {
			for (i = 0; i < calm; i++) before += bytes[i] / calm
			for (i = 0; i < bins; i++)
				printf "%s,%.3f,%.2f\n", arm, (i + 0.5) * us / 1e6,
					bytes[i] / before * 100
		}' flows.csv bins.csv
}

plots()
{
	local ARM

	loop resolve
	{
		for ARM in ${ARMS//,/ }; do
			(cd "$ARM" && received)
		done
	} >received.csv
	plot recurrence "What the others receive when h5 stops to take anything." <<-END
		set datafile separator ','
		set label scenario.': received by all but h5, as a share of before' \
			at graph 0,1.06 font ',22'
		set xlabel 'time (s)'
		set ylabel 'received (share of before)'
		set format y '%.0f %%'
		set ytics 50
		set yrange [0:160]
		set xrange [0:$S]
		set arrow from $CALM/1000.,0 to $CALM/1000.,graph 1 nohead dt 3 lc rgb '#888888' front
		set label 'h5 misbehaves' at $CALM/1000.,graph 1 offset 0.5,-0.7 tc rgb '#444444' front
		of(arm) = strcol(1) eq arm ? column(3) : NaN
		plot 'received.csv' using 2:(of('resolve')) with filledcurves y1=0 \
				fc rgb '#d6e6f2' notitle, \
			'' using 2:(of('resolve')) with lines lt 1 \
				title 'h5 quarantined', \
			'' using 2:(of('break_only')) with lines lt 2 \
				title 'broken $(sed -n 's/^break_only.broken //p' metrics.txt) times', \
			'' using 2:(of('nothing')) with lines lt 3 title 'nothing done'
	END
}
