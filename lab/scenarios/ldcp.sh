# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Common parts of scenarios about LDCP: hosts of one switch that send to the
# first one; and ARMS:
#
#	ldcp		TCP sockets with LDCP
#	dctcp, cubic	TCP sockets with these, and ECN
#	ldcp-roce	RoCEv2 with LDCP: a window, and an ACK of each packet
#	ldcp-rate	RoCEv2 with LDCP: a rate, from CNPs and RTTs alone
#	dcqcn		RoCEv2 with DCQCN
#	dcqcn+pfc	the same, with pauses instead of losses
#
# RTT is that of a packet on an idle path; a BDP is what the path holds in that
# time. Each arm has the marks that it needs: LDCP by PROFILE; DCTCP and Cubic a
# step at 0.17 BDP (RFC 8257, equation 1); DCQCN those of HPCC's authors for 25
# Gbit/s, scaled with the rate.

# bytes of a packet and of an ACK on a link, for TCP; RoCEv2 has a little less
FRAME=1538
ACK=90
# payload of RoCEv2: the first packet of a message has 1500 bytes with headers
ROCE_MTU=1440

is_tcp() { [[ $ARM == ldcp || $ARM == dctcp || $ARM == cubic ]]; }
is_ldcp() { [[ $ARM == ldcp* ]]; }

# bdp_times FACTOR: prints this multiple of the BDP, in bytes
bdp_times()
{
	awk -v rate="$(bits "$RATE")" -v ns="$(nanoseconds "$RTT")" -v n="$1" \
		'BEGIN { printf "%.0f", n * rate * ns / 8e9 }'
}

window() { echo $((($(bdp_times 1) + FRAME - 1) / FRAME)); }

# ldcp_limits LINKS PORTS: the RTT has room for a packet, an ACK, and headroom
ldcp_limits()
{
	limit RTT "$(awk -v rate="$(bits "$RATE")" -v bytes=$(($1 * (FRAME + ACK))) \
		'BEGIN { printf "%.0fns", bytes * 8e9 / rate + 1 }')" 100ms \
		"a packet and its ACK are sent over $1 links with this RATE"
	[[ ,$ARMS, != *,dcqcn+pfc,* ]] || limit BUFFER \
		$((2 * $2 * ($(bdp_times 1) / $1 + 4 * FRAME))) 1g \
		"half of it is headroom of $2 ports, with these RATE and RTT"
}

# Sets kmin and kmax of LDCP, DCTCP and Cubic, in bytes.
thresholds()
{
	if is_ldcp; then
		kmin=$(larger "$(bdp_times 0.05)" $((2 * FRAME)))
		kmax=$((kmin + $(larger "$(bdp_times "$([ "$PROFILE" = lowq ] && echo 1 || echo 2)")" \
			$((16 * FRAME)))))
	else
		kmin=$(bdp_times 0.17)
		kmax=$kmin
	fi
}

wred()
{
	local kmin kmax nonect

	[[ $ARM != dcqcn* ]] || { dcqcn_marks; return; }
	thresholds
	! is_ldcp || nonect="nonect $kmax"
	echo "wred 3 kmin $kmin kmax $kmax pmax 100% ${nonect:-} ecn"
}

# ldcp_testbed LINKS TOPOLOGY...: the longest path has LINKS links
ldcp_testbed()
{
	local delay port="alpha 8 prio-pfc all:off burst 0"

	# an RTT passes each link twice; a packet and its ACK take time on each
	delay=$(awk -v ns="$(nanoseconds "$RTT")" -v rate="$(bits "$RATE")" -v n="$1" \
		-v bytes=$((FRAME + ACK)) \
		'BEGIN { printf "%.0fns", (ns - n * bytes * 8e9 / rate) / 2 / n }')
	# pauses prevent all drops, if the buffer holds the packets in flight
	[ "$ARM" != dcqcn+pfc ] || port="alpha 1/8 reaction 0 prio-pfc 3:on burst 0"
	testbed_up "${@:2}" --rate "$RATE" --delay "$delay" \
		--edge "buffer $BUFFER $port $(wred)" --fabric "buffer $BUFFER $port $(wred)" \
		--host "$port" >/dev/null
}

# ldcp_rnic OPTION...: prints options of lle_rnic.ko, which samples all queues
ldcp_rnic()
{
	local cc=none

	case $ARM in
	ldcp-roce) cc=ldcp ;;
	ldcp-rate) cc="ldcp-rate cnp_us=0" ;;
	dcqcn*) cc=dcqcn ;;
	esac
	echo "mtu=$ROCE_MTU line_mbps=$(($(bits "$RATE") / 1000000)) cc=$cc" \
		"ldcp_draft=$([ "$MODE" = draft ] && echo 1 || echo 0) ldcp_iw=${IW:-$(window)} $*"
}

prepare()
{
	# shellcheck disable=SC2046 # a list of words
	insert_rnic timeline_us=1 $(rnic_options)
	if is_tcp; then
		# all hosts share this limit of neighbours
		echo 8192 >/proc/sys/net/ipv4/neigh/default/gc_thresh3
		# shellcheck disable=SC2154 # guest.sh has set it
		[ "$ARM" != ldcp ] || [ -d /sys/module/tcp_ldcp ] || insmod /mods/tcp_ldcp.ko "${random[@]}"
	else
		cat /lab/flows >"$RNIC"/flows
	fi
}

# Prints the settings of each host, as the daemon would apply them.
ldcp_sysctls()
{
	echo "-s ipv4/tcp_ecn=1"
	[ "$ARM" = ldcp ] || return 0
	echo "-s ldcp/initial_window=${IW:-$(window)}"
	[ "$MODE" = smooth ] || echo "-s ldcp/mode=1"
}

# tcp.csv and flows.csv have the same columns.
traffic()
{
	if is_tcp; then
		# shellcheck disable=SC2046,SC2086 # lists of words
		tcp_traffic ${LLE_TCP_OPTIONS:-} $(ldcp_sysctls) "$ARM" "$(duration)" >"$OUT/tcp.csv"
	else
		send_flows "$(duration)"
	fi
}

# ldcp_long COUNT HOSTS: prints endless flows to host 1, a microsecond apart
ldcp_long()
{
	awk -v n="$1" -v hosts="$2" 'BEGIN {
		for (i = 0; i < n; i++) {
			host = 2 + i % (hosts - 1)
			printf "%d 1000000000000 10.0.%d.%d 10.0.0.1 3\n", i * 1000,
				host / 256, host % 256
		} }'
}

ldcp_samples()
{
	awk -v ns="$(nanoseconds "$RTT")" -v s="$(duration)" 'BEGIN {
		us = int(ns / 8000)
		us = us < 1 ? 1 : us
		us = s * 1e6 / us > 1000000 ? int(s) + 1 : us
		print "sample_us=" us, "samples=" int(s * 1e6 / us),
			"bin_us=" int(s * 1e6 / 20), "bins=20" }'
}

# Lost packets by reason: not ECN capable, full buffer, others
ldcp_losses()
{
	jq -r '[.qdiscs[] | .prios[]] |
		(map(.drops.nonect_discard) | add) as $first |
		(map(.drops | .cong_discard + .bufmax_discard) | add) as $stable |
		"loss.first_rtt \($first)", "loss.stable \($stable)",
		"loss.other \((map(.drops | add) | add) - $first - $stable)",
		"pauses \(map(.tx_pause) | add)"' stats.json
	jq_stats marked.switch '.prios[].ecn_marked'
	awk -F, '
		FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ seen += $c["marked"]; again += $c["retrans"] }
		END { print "marked.seen", seen + 0; print "retransmitted", again + 0 }
		' "$([ -s tcp.csv ] && echo tcp.csv || echo flows.csv)"
}

# expect_ldcp ARM: only packets of first RTTs are lost; TCP counts no more marks
# than switches. RoCEv2 flows continue, so their marks cannot be compared.
expect_ldcp()
{
	expect "$1.loss.other" == 0
	expect "$1.loss.stable" == 0
	[ "$1" != ldcp ] || expect ldcp.marked.seen '<=' "$(metric ldcp.marked.switch)"
}

# expect_messages ARM: no message is too fast; with LDCP none is overdue.
expect_messages()
{
	expect "$1.fct_over_ideal.least" '>=' 1
	[[ $1 != ldcp && $1 != ldcp-roce ]] || expect "$1.overdue" == 0
}

# ldcp_plot_ccdf NAME WHAT X Y ABOUT: plots the share of "ldcp.py WHAT" above X
ldcp_plot_ccdf()
{
	local arm

	for arm in ${ARMS//,/ }; do
		(cd "$arm" && ARM=$arm "$LAB/ldcp.py" "$2") | sed "s/^/$arm,/"
	done >cdf.csv
	plot "$1" "$5" <<-END
		set datafile separator ','
		set logscale xy
		set xlabel '$3'
		set ylabel '$4'
		set yrange [0.001:1]
		set ytics ('100 %%' 1, '10 %%' 0.1, '1 %%' 0.01, '0.1 %%' 0.001)
		set label 1 scenario at graph 0,1.06 font ',22'
		set rmargin at screen 0.82
		set key at screen 0.99,0.85 right top vertical maxcols 1 width -1
		arms = '${ARMS//,/ }'
		shown(x) = x < 0.01 ? 0.01 : x
		more(part) = part < 1 ? 1 - part : 1e-6
		of(arm) = strcol(1) eq arm ? more(column(2)) : NaN
		plot for [i=1:words(arms)] 'cdf.csv' using (shown(\$3)):(of(word(arms, i))) \
			with lines lt i lw 3 title word(arms, i)
	END
}

ldcp_plot_queue()
{
	ldcp_plot_ccdf queue cdf 'queue (BDP)' 'share of the time that it is longer' \
		"What waits at the receiver's port."
}

# Plots completion times by message size, by arm; needs the metrics of messages.
ldcp_plot_messages()
{
	local arm part

	# one block for each line of the plot
	for part in p50 p99; do
		for arm in ${ARMS//,/ }; do
			sed -n "s/^$arm\.fct_over_ideal\.bdp_\([0-9_]*\)\.$part /\1 /p" metrics.txt |
				tr _ .
			printf '\n\n'
		done
	done >messages.txt
	plot fct 'Completion times of messages: median and p99.' <<-END
		set datafile separator whitespace
		set logscale x
		set xrange [0.05:*]
		set xlabel 'message (BDP)'
		set ylabel 'completion time (1 = idle path)'
		set yrange [0:*]
		set label 1 scenario at graph 0,1.06 font ',22'
		set rmargin at screen 0.78
		set key at screen 0.99,0.85 right top vertical maxcols 1 width -1
		arms = '${ARMS//,/ }'
		n = words(arms)
		plot for [i=1:n] 'messages.txt' index i-1 using 1:2 \
				with linespoints lt i lw 3 pt 7 title word(arms, i).', p50', \
			for [i=1:n] '' index n+i-1 using 1:2 \
				with linespoints lt i lw 1.5 dt 2 pt 6 title word(arms, i).', p99'
	END
}
