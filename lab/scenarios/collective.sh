# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# collective: JOBS jobs of HOSTS hosts of a fat tree run a collective operation
# (KIND) on BYTES of each host. A step begins when its host has received what it
# sends. job_us is the time of the slowest job, ideal_us that in a network in
# which only the links of hosts limit flows. A ring of n hosts on an idle network
# takes 2 (n - 1) / n * BYTES / RATE, and the delays of its steps.
#
# keys: KIND=ring-allreduce HOSTS=16 BYTES=4m JOBS=1 PLACE=packed PIECES=8 COMPUTE=0ns K=4 PFC=on RCM=no CC=none BUF=1000 RATE=100gbit DELAY=1us MTU=1024 MS=0
# key KIND: one of ring-allreduce tree-allreduce all-gather reduce-scatter all-to-all parameter-server pipeline, collective operation
# key HOSTS: integer 2..K*K*K/4, hosts of a job
# key BYTES: size 1k..16g, data of each host; of pipeline, of a micro-batch
# key JOBS: integer 1..K*K*K/4/HOSTS, jobs, each on hosts of its own
# key PLACE: one of packed spread random, hosts of a job: neighbours, in turn, or drawn
# key PIECES: integer 1..1000, pieces of tree-allreduce, micro-batches of pipeline
# key COMPUTE: time 0ns..1s, for which a stage of pipeline computes
# key RCM: one of yes no, regional congestion mitigation in switches and at hosts
# key CC: one of none dcqcn ldcp, congestion control of the senders
# key MS: integer 0..1000000, ms that flows last; 0: five times those that links need

# shellcheck source=lab/scenarios/rcm.sh
. "${LAB:-/lab}/rcm.sh"

# the parts of RCM are those of an arm of other scenarios
case $RCM,$CC in
no,none | no,ldcp) ARM=pfc ;;
no,dcqcn) ARM=dcqcn ;;
yes,dcqcn) ARM=rcm+dcqcn ;;
*) ARM=rcm ;;
esac

limits()
{
	[ "$CC" != ldcp ] || [ "$PFC" = off ] ||
		refuse PFC "not with LDCP: switches drop packets of the first RTT"
	[ "$PFC" = on ] || [ "$RCM" = no ] || refuse RCM "not without PFC"
	[ "$PFC" = off ] || ARMS=$ARM rcm_limits
}

# Of the longest path and back, for LDCP: bytes that are in flight.
bdp()
{
	awk -v rate="$(bits "$RATE")" -v ns="$(nanoseconds "$DELAY")" -v bytes=$((MTU + 82 + 90)) \
		'BEGIN { printf "%.0f", 6 * (2 * ns * rate / 8e9 + bytes) }'
}

# Marks of LDCP as in its scenarios, from 5 % of a BDP on, and full buffers.
ldcp_marks()
{
	local kmin kmax

	kmin=$(larger $(($(bdp) / 20)) $((2 * (MTU + 82))))
	kmax=$((kmin + $(larger $((2 * $(bdp))) $((16 * (MTU + 82))))))
	echo "wred 3 kmin $kmin kmax $kmax pmax 100% nonect $kmax ecn"
}

testbed()
{
	local port="buffer 32m alpha 8 burst 0 prio-pfc 3:$PFC"

	if [ "$PFC" = on ]; then
		rcm_testbed fat-tree "$K"
		return
	fi
	case $CC in
	ldcp) port+=" $(ldcp_marks)" ;;
	dcqcn) port+=" $(rcm_wred)" ;;
	esac
	testbed_up fat-tree "$K" --rate "$RATE" --delay "$DELAY" --mtu $((LINK_MTU)) \
		--edge "$port" --fabric "$port" --host "prio-pfc 3:$PFC"
	rcm_paths
}

# A sender that loses packets goes back after ten times the delay of a full path.
rnic_options()
{
	case $CC in
	ldcp) echo "depth=1000000 flow_depth=2 mtu=$MTU cc=ldcp line_mbps=$(($(bits "$RATE") / 1000000))" \
		"ldcp_iw=$(($(bdp) / (MTU + 82) + 1)) rto_us=1000" ;;
	*) rcm_rnic rto_us="$([ "$PFC" = on ] && echo 10000000 || echo 1000)" ;;
	esac
}

flows()
{
	lle_flows collective --kind "$KIND" --hosts $((K * K * K / 4)) --ranks "$HOSTS" \
		--jobs "$JOBS" --place "$PLACE" --size "$(bytes "$BYTES")" --pieces "$PIECES" \
		--compute "$(nanoseconds "$COMPUTE")" --seed "$SEED"
}

# Seconds: the busiest link of a host, and delays of all steps.
duration()
{
	if [ "$MS" = 0 ]; then
		flows_need sum
	else
		echo "${MS}e-3"
	fi
}

metrics()
{
	count_losses
	flow_times
	"$LAB/collective.py"
}

expectations()
{
	expect unfinished == 0
	expect lost_bytes == 0
	[ "$PFC" = off ] || expect dropped == 0
	# the last host may be nearer than in the ideal order
	expect job_us '>=' "$(awk -v us="$(metric ideal_us)" 'BEGIN { print 0.99 * us }')"
	# neighbours of a ring share no link
	[[ $KIND != ring-allreduce && $KIND != all-gather && $KIND != reduce-scatter ]] ||
		[ "$PLACE" != packed ] ||
		expect job_us '<=' "$(awk -v us="$(metric ideal_us)" 'BEGIN { print 1.01 * us }')"
}
