# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# dcfit-random: random networks, one after the other, with detours, switches
# that a path passes twice, static and dynamic thresholds, and hosts that pause
# for some time. An oracle computes from queues and pauses alone which ports are
# dead when no packet moves. The switches must have declared these deadlocks, in
# time and once each, and no others. SHAPE is g0, g1, g2 or all. LOSS percent of
# messages and PFC_LOSS percent of PFC frames are lost; all are delayed by up to
# JITTER packet times. RCM=on: switches run RCM, which needs a higher XOFF;
# RCM=las: likewise, with LAS; RCM=off: the same XOFF without RCM; all with static
# thresholds.
# COUNTERFACTUAL=yes: repeats each deadlock while its initial trigger does not
# pause. Mode dcfit is only measured. The graph is that of the last run: RUNS=1
# SEED=N shows one.
#
# keys: RUNS=100 SHAPE=all THRESHOLDS=all MODE=exact RATE=10gbit LOSS=0 PFC_LOSS=0 JITTER=0 RCM=no COUNTERFACTUAL=no
# key SHAPE: one of all g0 g1 g2, shape of the networks
# key THRESHOLDS: one of all static dynamic, thresholds of the buffers
# key PFC_LOSS: integer 0..100, percent of the PFC frames that are lost
# key LOSS: integer 0..100, percent of the messages of deadlock detection that are lost
# key JITTER: integer 0..1000, maximum delay of messages, in packet times
# key RCM: one of no off on las, RCM in switches (las: with LAS; off: thresholds that leave buffer for it)
# key COUNTERFACTUAL: one of no yes, repeat each deadlock without its initial trigger

random()
{
	local args=(--seed "$SEED" --runs "$RUNS" --rate "$(bits "$RATE")"
		--loss "$(per_mille "$LOSS")" --pfc-loss "$(per_mille "$PFC_LOSS")"
		--jitter "$JITTER")

	[ "$SHAPE" = all ] || args+=(--shape "${SHAPE#g}")
	case $RCM in
	off) args+=(--dynamic 0 --rcm 0) ;;
	on) args+=(--dynamic 0 --rcm 1) ;;
	las) args+=(--dynamic 0 --rcm 2) ;;
	esac
	case $THRESHOLDS in
	static) args+=(--dynamic 0) ;;
	dynamic) args+=(--dynamic 1) ;;
	esac
	[ "$COUNTERFACTUAL" = no ] || args+=(--counterfactual)
	# shellcheck disable=SC2154 # guest.sh has set it
	args+=("${part[@]}")
	[ -z "${run_ns:-}" ] || lle_until "$run_ns"
	lle_random "${args[@]}" "$@"
}

per_mille() { awk -v percent="$1" 'BEGIN { printf "%.0f", percent * 10 }'; }

# The testbed of the first run, which stays if that is the only one
testbed()
{
	random testbed >/tmp/first
	on_time lle-testbed up file /tmp/first "${part[@]}"
}

prepare()
{
	insmod /mods/lle_rnic.ko mtu=1024 ack_every=64 rto_us=100000000 \
		line_mbps=$(($(bits "$RATE") / 1000000)) \
		timeline_us=$((RUNS == 1))
	insmod /mods/lle_oracle.ko
}

traffic()
{
	random --dot "$OUT/waits.dot" run >"$OUT/runs.csv"
	cat /sys/kernel/debug/lle_oracle/state >"$OUT/state"
	testbed_json
}

flows() { :; }

duration() { :; }

metrics()
{
	# time until a core was found, over that of a message around it
	awk -F, '$1 == "core" { printf "%.3f\n", $4 / ($5 * $6) }' runs.csv |
		sort -n >latency
	awk '{ value[NR] = $1 }
		function at(share) { return value[int((NR - 1) * share + 1)] + 0 }
		END { print "latency.p50", at(0.5); print "latency.p99", at(0.99)
			print "latency.max", at(1) }' latency
	awk -F, '
		$1 != "run" { next }
		{ runs++; cores += $6; declared += $7; missed += $8; wrong += $9
			twice += $10; pauses += $11; messages += $12; dropped += $13 }
		$14 >= 0 { tried++; averted += $14 }
		END {
			print "runs", runs + 0
			print "oracle", cores + 0
			print "declared", declared + 0
			print "missed", missed + 0
			print "false", wrong + 0
			print "duplicates", twice + 0
			print "dropped", dropped + 0
			printf "found_share %.4f\n", cores ? 1 - missed / cores : 1
			printf "duplicates_share %.4f\n", cores ? twice / cores : 0
			printf "msgs_per_pause %.3f\n", messages / (pauses ? pauses : 1)
			if (tried)
				printf "trigger_averts %.3f\n", averted / tried
		}' runs.csv
	# to inspect one: SEED=N RUNS=1
	awk -F, '$1 == "run" && $8 + $9 + $10' runs.csv >wrong.csv
	sed 's/^/wrong: /' wrong.csv >&2
}

# Bounds are three standard deviations from the median of ten seeds: 0.25 for
# medians with LOSS, 0.044 for a share. Mode dcfit declares each deadlock twice.
expectations()
{
	local p50=1 p99=12

	[ "$LOSS" != 0 ] || p50=0.75
	[ "$LOSS $PFC_LOSS $JITTER" != "0 0 0" ] || p99=6
	expect runs == "$RUNS"
	# RCM may prevent all; RCM=off shows that these networks have deadlocks
	[[ $RCM =~ ^(on|las)$ ]] || expect oracle ">" 0
	[ "$MODE" = exact ] || return 0
	expect false == 0
	expect latency.p50 "<=" $p50
	expect latency.p99 "<=" $p99
	if [ "$LOSS $PFC_LOSS $JITTER" = "0 0 0" ]; then
		expect found_share ">=" 0.998
		expect duplicates "<=" $((2 + $(metric oracle) / 50))
		expect msgs_per_pause "<=" 2
	else
		expect found_share ">=" 0.995
	fi
	[ "$PFC_LOSS" != 0 ] || expect dropped == 0
	[ "$COUNTERFACTUAL" = no ] || expect trigger_averts ">=" 0.77
}

plots()
{
	graph waits 'Ports that pause, and for whom they wait; red: dead, bold: has declared.' \
		waits.dot
}
