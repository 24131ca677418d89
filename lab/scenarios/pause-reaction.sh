# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# pause-reaction: the time from the packet that crosses XOFF to the pause on the
# wire, and from the packet that reaches XON to the resume, to the nanosecond.
#
# h2 sends to h1 by a link of a quarter of the rate, so port 2 pauses and
# resumes h2 all the time. Captures at both ports give the buffer occupancy, and
# the times at which it crosses XOFF and XON. With REVERSE=idle the PFC frame
# takes the link at once; with REVERSE=busy, where h3 sends frames of maximum
# size to h2, after one of these at most.
#
# keys: RATE=100gbit DELAY=1us BUFFER=4m REVERSE=idle XOFF=60000 XON_DELTA=10000 MTU=1440 SIZE=10000000 CAPTURE=s1p1,s1p2
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key REVERSE: one of idle busy, whether h3 sends to h2
# key XOFF: integer 10000..100000000, bytes at which a port pauses
# key XON_DELTA: integer 0..100000000, bytes below XOFF at which a port resumes

FRAME=$((MTU + 74))	# Ethernet to BTH and RETH, ICRC
OVERHEAD=24

limits() { limit_buffer 3; }

testbed()
{
	{
		echo "switch s1"
		# no delay: a frame that leaves the buffer is captured at once
		echo "host h1 s1 rate $(($(bits "$RATE") / 4))bit delay 0"
		echo "host h2 s1"
		echo "host h3 s1"
	} >/tmp/topology
	testbed_up file /tmp/topology --rate "$RATE" --delay "$DELAY" \
		--mtu $((LINK_MTU)) --host "prio-pfc 3:on" \
		--edge "buffer $BUFFER reaction 0 xoff $XOFF xon-delta $XON_DELTA prio-pfc 3:on"
}

# ACKs for the last packet only
rnic_options() { echo "mtu=$MTU ack_every=1000000 rto_us=100000000"; }

flows()
{
	echo "0 $SIZE 10.0.0.2 10.0.0.1 3"
	# leaves some of the link to pauses
	[ "$REVERSE" = idle ] ||
		echo "0 1000000000000 10.0.0.3 10.0.0.2 1 $(($(bits "$RATE") * 95 / 100))"
}

duration() { awk -v b="$SIZE" -v r="$(bits "$RATE")" 'BEGIN { print 2 * b * 8 / (r / 4) }'; }

# Prints what happens to packets of h2, in order: lines "TIME EVENT BYTES".
events()
{
	local took

	took=$(($(nanoseconds "$DELAY") + 84 * 8000000000 / $(bits "$RATE")))
	{
		frames s1p1 'ip src 10.0.0.2 and ip dst 10.0.0.1' | sed 's/ / 1-out /'
		frames s1p2 'ip src 10.0.0.2 and ip dst 10.0.0.1' | sed 's/ / 2-in /'
		frames s1p2 'ether proto 0x8808 and ether[24:2] != 0' |
			awk -v took="$took" '{ printf "%.0f 3-pause\n", $1 - took }'
		frames s1p2 'ether proto 0x8808 and ether[24:2] = 0' |
			awk -v took="$took" '{ printf "%.0f 3-resume\n", $1 - took }'
	} | sort -n -k 1,1 -k 2,2
}

metrics()
{
	count_losses
	events | awk -v xoff="$XOFF" -v xon=$((XOFF - XON_DELTA)) '
		function crossed(what) { due = what; since = $1 }
		$2 == "1-out" { bytes -= $3 }
		$2 == "2-in" { bytes += $3 }
		$2 == "2-in" && !over && bytes >= xoff { over = 1; crossed("3-pause"); pauses++ }
		$2 == "1-out" && over && bytes <= xon { over = 0; crossed("3-resume"); resumes++ }
		$2 ~ /^3/ && $2 != due { unexpected++ }
		$2 ~ /^3/ && $2 == due {
			t = $1 - since
			if (t > max[$2]) max[$2] = t
			n[$2]++
			due = ""
		}
		END {
			print "xoff_crossed", pauses + 0
			print "pauses_sent", n["3-pause"] + 0
			print "xon_crossed", resumes + 0
			print "resumes_sent", n["3-resume"] + 0
			print "unexpected", unexpected + 0
			print "reaction_ns", max["3-pause"] + 0
			print "resume_reaction_ns", max["3-resume"] + 0
		}'
}

expectations()
{
	local n

	n=$(sed -n 's/^xoff_crossed //p' metrics.txt)
	expect dropped == 0
	expect xoff_crossed '>' 100
	expect pauses_sent == "$n"
	expect resumes_sent == "$n"
	expect unexpected == 0
	if [ "$REVERSE" = idle ]; then
		expect reaction_ns == 0
		expect resume_reaction_ns == 0
	else
		expect reaction_ns '>' 0
		expect reaction_ns '<=' $(((FRAME + OVERHEAD) * 8000000000 / $(bits "$RATE") + 1))
	fi
}
