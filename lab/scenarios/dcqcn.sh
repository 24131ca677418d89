# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcqcn: DCQCN alone at a bottleneck. N hosts begin to send to one, STAGGER ms
# after each other. In the second half of the time all get the same share of the
# link, which is full; the queue is short, and no host is paused. Parameters are
# those of "Congestion Control for Large-Scale RDMA Deployments" (SIGCOMM 2015,
# section 5.2), for hosts with 40 Gbit/s. The packets to mark are drawn from
# SEED. Marks are rare, so shares are uneven over some ten ms; less so with a
# larger PMAX.
#
# keys: N=2 RATE=40gbit DELAY=1us BUFFER=32m KMIN=5000 KMAX=200000 PMAX=1% STAGGER=10 MS=400 MTU=1024 QUEUES=s1p1
# key STAGGER: integer 0..10000, ms from the start of one flow to that of the next one
# key N: integer 1..60, hosts that send

limits() { limit_buffer $((N + 1)); }

testbed()
{
	local port="buffer $BUFFER prio-pfc 3:on wred 3 kmin $KMIN kmax $KMAX pmax $PMAX ecn"

	testbed_up star $((N + 1)) --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --edge "$port" --host "prio-pfc 3:on"
}

# Samples the queue often enough for count_marks: 100000 times, or each us.
rnic_options()
{
	local us=$(((MS + 99) / 100))

	echo "mtu=$MTU ack_every=16 $(CC=dcqcn rnic_cc) sample_us=$us samples=$((MS * 1000 / us))"
}

flows()
{
	local i

	for ((i = 0; i < N; i++)); do
		echo "$((i * STAGGER))000000 1000000000000 10.0.0.$((i + 2)) 10.0.0.1 3"
	done
}

duration() { echo "${MS}e-3"; }

metrics()
{
	count_losses
	count_marks
	count_cnps
	[[ ,$CAPTURE, != *,h1,* ]] || count_cnps_due h1
	awk -F, -v rate="$(bits "$RATE")" '
		NR == 1 {
			first = int(NF / 2) + 1
			ns = (NF - first + 1) * ($3 - $2)
			next
		}
		{
			for (i = first; i <= NF; i++) bytes[NR - 1] += $i
			all += bytes[NR - 1]
		}
		END {
			for (i = 1; all && i < NR; i++) {
				share = bytes[i] * (NR - 1) / all
				off = share > 1 ? share - 1 : 1 - share
				if (off > most) most = off
				printf "share_%d %.4f\n", i, share
			}
			printf "share_off_max %.4f\n", most
			printf "goodput_share %.4f\n", all * 8e9 / ns / rate
		}' bins.csv
	[ ! -s queue.csv ] || awk -F, '
		{ bytes[NR] = $4 }
		END {
			for (i = int(NR / 2) + 1; i <= NR; i++) {
				sum += bytes[i]
				n++
				if (bytes[i] > max) max = bytes[i]
			}
			printf "queue_mean_bytes %.0f\nqueue_max_bytes %d\n", sum / n, max
		}' queue.csv
}

# share_off_max of 23 seeds: 0.001 to 0.183. Without a reaction it is nearly 1.
expectations()
{
	local name

	expect dropped == 0
	expect lost_bytes == 0
	expect pauses == 0
	expect share_off_max '<=' 0.3
	expect goodput_share '>' 0.9
	expect queue_max_bytes '<' "$KMAX"
	expect_marks
	# at the end one CNP of each flow may be in flight
	for name in cnps.under_way cnps.due; do
		[ -n "$(metric $name)" ] || continue
		expect $name '>=' 0
		expect $name '<=' "$N"
	done
}
