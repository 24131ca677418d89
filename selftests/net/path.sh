#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several paths to the same hosts: flows are spread over them, and leave paths
# that are down or congested. Two switches with three links between them:
#
#	h1 -- s1p1 [s1] s1p2 ---- s2p2 [s2] s2p1 -- h2
#	                s1p3 ---- s2p3      s2p5 -- h3
#	                s1p4 ---- s2p4

ALL_TESTS="spread dead two_dead dead_queue mtu backups adaptive named refused_all deleted"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/cn.sh
. "$(dirname "$0")/cn.sh"

PORT="prio-pfc 3:on xoff 60k headroom 60k rcm on"
LINKS="s1p2 s1p3 s1p4"
FLOWS=24

# testbed RATE [OPTION...]: switches, and path groups of the links with OPTION
testbed()
{
	local group

	printf '%s\n' "switch s1" "switch s2" "host h1 s1" "host h2 s2" \
		"link s1 s2" "link s1 s2" "link s1 s2" "host h3 s2" >/tmp/topology
	check "no testbed" lle-testbed up --name t file /tmp/topology --rate "$1" --delay 1us \
		--edge "$PORT" --fabric "$PORT" --host "$PORT fabric" >/dev/null
	# shellcheck disable=SC2034 # of lib.sh
	TESTBED=t-
	defer gone
	lle-testbed show file /tmp/topology --format paths >/tmp/paths
	equal "groups" "$(sort -k 2 /tmp/paths | cut -d ' ' -f 2-)" "$LINKS"$'\n'"s2p2 s2p3 s2p4"
	GROUP=$(sed -n 's/ s1p2 .*//p' /tmp/paths)
	while read -ra group; do
		check "no group" ctl path set "${@:2}" "${group[@]}"
	done </tmp/paths
}

gone()
{
	lle-testbed down --name t 2>/dev/null
	unset TESTBED
}

ctl() { sw losslessctl "$@"; }
# of_group KEY: an attribute of the group at s1
of_group() { ctl -j path show | jq -c ".[] | select(.group == $GROUP) | .$1"; }

# frames I J FLOW N [OPTION...]: frames of a flow from host I to host J
frames()
{
	ip netns exec "t-h$1" lle_traffic send eth0 "$(mac "$2")" -d 24 -f "$3" \
		-P $((1000 + $3)) -n "$4" "${@:5}"
}

# all_flows N OPTION...: each flow has N frames from h1 to h2, all at the same
# time
all_flows()
{
	local flow jobs=()

	for ((flow = 1; flow <= FLOWS; flow++)); do
		frames 1 2 $flow "$@" &
		jobs+=($!)
	done
	wait "${jobs[@]}"
}

# left PORT...: packets of priority 3 that each port sent; links: of the links
# shellcheck disable=SC2046 # a list of paths
left() { sw cat $(printf '/sys/class/net/%s/lossless/prio3/tx_packets\n' "$@") | paste -s -d ' '; }
# shellcheck disable=SC2086 # a list of ports
links() { left $LINKS; }
have_left() { local of; read -ra of < <(links); [ $((of[0] + of[1] + of[2])) = "$1" ]; }
total() { tc -n t-sw -s -j qdisc show | lle_json ".[].prios[]$1"; }

# probe FLOW [J]: sends a frame of FLOW to h2, or hJ; sets link to its egress
probe()
{
	local before after dev

	read -ra before < <(links)
	frames 1 "${2:-2}" "$1" 1
	check "a frame of flow $1 does not leave" wait_for 2000 have_left \
		$((before[0] + before[1] + before[2] + 1))
	read -ra after < <(links)
	for dev in $LINKS; do
		[ "${before[0]}" = "${after[0]}" ] || link=$dev
		before=("${before[@]:1}") after=("${after[@]:1}")
	done
}

# all_arrive N: packets of h1 at h2, in order
all_arrive()
{
	equal "received" "$(received 2 .sum.packets)" "$1"
	equal "out of order" "$(received 2 .sum.reordered)" 0
	equal "dropped" "$(total '.drops[]')" 0
}

# Each flow uses one of the links, and the same one if all flows send at once.
spread()
{
	local flow i link at_once before after
	local -A flows

	testbed 10mbit
	for ((flow = 1; flow <= FLOWS; flow++)); do
		probe $flow
		flows[$link]=$((${flows[$link]:-0} + 1))
	done
	echo "# flows by link: ${flows[s1p2]-0} ${flows[s1p3]-0} ${flows[s1p4]-0}"
	at_once="$((21 * flows[s1p2])) $((21 * flows[s1p3])) $((21 * flows[s1p4]))"
	receive 2 1000
	all_flows 20 -s 500
	all_arrive $((FLOWS * 20))
	equal "by link in the end" "$(links)" "$at_once"
	# a third each, by chance
	read -ra before < <(links)
	FLOWS=96 all_flows 1
	check "they do not leave" wait_for 2000 have_left $((FLOWS * 21 + 96))
	read -ra after < <(links)
	for i in 0 1 2; do
		between "of 96 flows, link $i" $((after[i] - before[i])) 8 60
	done
	equal "moved and saved" "$(of_group moved) $(of_group saved)" "0 0"
}

works() { [ "$(sw cat "/sys/class/net/$1/operstate")" = up ]; }
has_more() { [ "$(left "$1")" -gt "$2" ]; }

# When a link goes down, its flows lose only the frames on the link. Each link
# in turn, so also the one in the FDB.
dead()
{
	local dev before lost on

	for dev in $LINKS; do
		testbed 10mbit -g 20000
		all_flows 1
		check "they do not leave" wait_for 2000 have_left $FLOWS
		on=$(left "$dev")
		receive 2 1000
		all_flows 40 -s 200 -g 10000000 &
		sleep 0.15
		ip -n t-sw link set "$dev" down
		wait $!
		lost=$((FLOWS * 40 - $(received 2 .sum.packets)))
		echo "# $dev goes down: $lost of $((FLOWS * 40)) are lost," \
			"$(of_group saved) of $FLOWS flows go on by others"
		between "lost when $dev went down" $lost 0 3
		equal "out of order when $dev went down" "$(received 2 .sum.reordered)" 0
		# flows with the same slot of 4096 count as one, by chance
		between "flows saved when $dev went down" "$(of_group saved)" \
			$((on > 4 ? on - 4 : on > 0)) "$on"

		# forgotten flows do not try that link
		sleep 0.5
		receive 2 1000
		all_flows 5 -s 200
		equal "received while $dev is down" "$(received 2 .sum.packets)" $((FLOWS * 5))
		ip -n t-sw link set "$dev" up
		check "$dev does not come up" wait_for 2000 works "$dev"
		sleep 0.5
		before=$(left "$dev")
		all_flows 1
		check "$dev is not used again" wait_for 1000 has_more "$dev" "$before"
		llet_cleanup
	done
}

# all_by DEV: all flows use DEV
all_by()
{
	local before

	before=$(left "$1")
	receive 2 1000
	all_flows 5 -s 200
	equal "received by $1 alone" "$(received 2 .sum.packets)" $((FLOWS * 5))
	equal "by $1" $(($(left "$1") - before)) $((FLOWS * 5))
}

# Two of three links go down at once: all flows continue on the third one, also
# those that the first link had passed to the second. But the bridge drops
# packets to a port if it and its backup port are down, until it gets another
# backup.
two_dead()
{
	local pair lost

	for pair in "s1p2 s1p3 s1p4" "s1p4 s1p2 s1p3"; do
		read -ra pair <<<"$pair"
		testbed 10mbit -g 20000
		receive 2 1000
		all_flows 40 -s 200 -g 10000000 &
		sleep 0.15
		printf 'link set %s down\n' "${pair[0]}" "${pair[1]}" | ip -n t-sw -batch -
		wait $!
		lost=$((FLOWS * 40 - $(received 2 .sum.packets)))
		echo "# ${pair[*]:0:2} go down: $lost of $((FLOWS * 40)) are lost"
		between "lost when ${pair[*]:0:2} went down" $lost 0 6
		equal "out of order" "$(received 2 .sum.reordered)" 0
		all_by "${pair[2]}"
		llet_cleanup
	done
	testbed 10mbit
	ip -n t-sw link set s1p3 down
	ip -n t-sw link set s1p4 down
	bridge -n t-sw link set dev s1p3 backup_port s1p2
	all_by s1p2
}

# Packets queued at a port that goes down are lost and counted; later ones use
# other links.
dead_queue()
{
	local flow=0

	testbed 1mbit
	flow_on s1p2
	receive 2 2000
	pause_link 10000
	# the first bytes of a flow pass the hold
	check "the link is not paused" wait_for 5000 is_paused s1p2
	frames 1 2 $flow 10 -s 100
	check "10 do not wait" wait_for 500 waits s1p2 1000
	ip -n t-sw link set s1p2 down
	frames 1 2 $flow 15 -s 100
	equal "received" "$(received 2 .sum.packets)" 15
	equal "dropped" "$(total '.drops[]')" 10
	equal "saved" "$(of_group saved)" 1
}

# A frame that exceeds the MTU of a link uses another one. The link in the FDB
# must accept it.
mtu()
{
	local dev

	testbed 10mbit
	dev=$(bridge -n t-sw fdb show | sed -n "s/^$(mac 2) dev \(s1p.\) .*/\1/p")
	check "the bridge does not know h2" test -n "$dev"
	[ "$dev" = s1p4 ] && dev=3 || dev=4
	ip -n t-sw link set s1p$dev mtu 600
	ip -n t-sw link set s2p$dev mtu 600
	receive 2 1000
	all_flows 5 -s 500
	all_flows 5 -s 1500
	equal "received" "$(received 2 .sum.packets)" $((FLOWS * 10))
	check "s1p$dev has nothing" has_more s1p$dev 0
}

# backup DEV [BACKUP]: is BACKUP the backup port of DEV?
backup()
{
	ip -n t-sw -d -j link show "$1" |
		jq -e --arg backup "${2-}" \
			'(.[0].linkinfo.info_slave_data.backup_port // "") == $backup' >/dev/null
}

# The bridge gets the next port of the group as backup port of each; but not of
# a port with a backup port that was set by hand.
backups()
{
	testbed 10mbit
	check "s1p2: not the next" backup s1p2 s1p3
	check "s1p4: not the first" backup s1p4 s1p2
	check "set" ctl path set "$GROUP" s1p4 s1p2
	check "s1p2 of two" backup s1p2 s1p4
	check "s1p4 of two" backup s1p4 s1p2
	check "s1p3 has left" backup s1p3
	bridge -n t-sw link set dev s1p2 backup_port s1p1
	check "set again" ctl path set "$GROUP" s1p2 s1p3 s1p4
	check "the user's" backup s1p2 s1p1
	check "s1p3 again" backup s1p3 s1p4
	check "del" ctl path del "$GROUP"
	check "s1p3 at the end" backup s1p3
	check "s1p4 at the end" backup s1p4
	check "the user's at the end" backup s1p2 s1p1
	check "the other group's" backup s2p3 s2p4
}

# flow_on LINK [J]: sets flow to the next flow, to h2 or hJ, that uses LINK
flow_on()
{
	local link=

	while [ "$link" != "$1" ] && [ $((++flow)) -lt 64 ]; do
		probe $flow "${2:-2}"
	done
}

# pause_link MS: s2 pauses its first link for MS at 1 Mbit/s
pause_link() { sw lle_traffic pfc s2p2 0x08 0 0 0 $(($1 * 1000 / 512)) 0 0 0 0; }
backlog() { tc -n t-sw -s -j qdisc show dev "$1" root | lle_json ".[0].prios[3].backlog"; }

# A link is paused. A flow without a gap stays on it; a flow with a gap leaves
# it, and so does a new flow; unless the group is not adaptive.
adaptive()
{
	local goes_on pauses before flow=0

	testbed 1mbit -a -g 1000000
	flow_on s1p2
	goes_on=$flow
	flow_on s1p2
	pauses=$flow
	sleep 1.2
	probe "$goes_on"
	receive 2 6000
	pause_link 4000
	frames 1 2 "$goes_on" 10 -s 100 -g 20000000
	equal "waits for s1p2" "$(backlog s1p2)" 1000
	equal "moved" "$(of_group moved)" 0
	before=$(left s1p2)
	frames 1 2 "$pauses" 10 -s 100 -g 20000000
	equal "waits for s1p2 besides" "$(backlog s1p2)" 1000
	equal "moved, then" "$(of_group moved)" 1
	equal "left by s1p2" "$(left s1p2)" "$before"
	equal "reordered" "$(received 2 .sum.reordered)" 0
	equal "received" "$(received 2 .sum.packets)" 20

	check "set" ctl path set -g 1000000 "$GROUP" $LINKS
	flow_on s1p2
	sleep 1.2
	pause_link 4000
	frames 1 2 "$flow" 10 -s 100
	check "it leaves" wait_for 500 waits s1p2 1000
	equal "moved of a group that does not" "$(of_group moved)" 0
}

waits() { [ "$(backlog "$1")" = "$2" ]; }

is_paused()
{
	sw losslessctl -j prio show |
		jq -e "any(.ifname == \"$1\" and .prio == 3 and .rx_paused)" >/dev/null
}

# A neighbour lists a destination: its flows stay, others leave.
named()
{
	local to2 to3 flow=0

	testbed 1mbit -a -g 200000
	flow_on s1p2 2
	to2=$flow
	flow_on s1p2 3
	to3=$flow
	sleep 0.3
	# for 1 s
	sw lle_traffic raw s2p2 "$(note 1 "$(name 2)")"
	pause_link 10000
	# the first bytes of a flow pass the hold
	check "the link is not paused" wait_for 5000 is_paused s1p2
	frames 1 2 "$to2" 5 -s 100
	frames 1 3 "$to3" 5 -s 100
	check "to h2 waits" wait_for 5000 waits s1p2 500
	equal "moved" "$(of_group moved)" 1
}

# Contradictory settings: refused with a reason, without any change.
refused_all()
{
	local before as=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all)

	testbed 10mbit
	before=$(ctl -j path show)
	refused "two devices at least" ctl path set 7 s1p2
	refused "group 7: A port is listed twice" ctl path set 7 s1p1 s1p1
	refused "group 7: All ports of a path group must be ports of one bridge" ctl path set 7 s1p1 s2p1
	refused "group 7: A port is already in another path group" ctl path set 7 s1p1 s1p2
	refused "group 7: No such path group" ctl path del 7
	ip -n t-sw link add lone type dummy
	refused "group 7: No such device, or no lossless qdisc at its root" \
		ctl path set 7 s1p1 lone
	tc -n t-sw qdisc add dev lone root lossless switch 1
	refused "group 7: All ports of a path group must be ports of one bridge" ctl path set 7 lone s1p1
	tc -n t-sw qdisc replace dev lone root lossless switch 1
	tc -n t-sw qdisc del dev lone root
	ip -n t-sw link set lone master "$(sw cat /sys/class/net/s1p1/master/uevent |
		sed -n 's/^INTERFACE=//p')"
	tc -n t-sw qdisc add dev lone root lossless switch 99
	refused "group 7: All ports of a path group must belong to one switch" ctl path set 7 s1p1 lone
	check "anybody may look" sw "${as[@]}" losslessctl path >/tmp/said
	refused "group 7: Operation not permitted" \
		sw "${as[@]}" losslessctl path set 7 s1p1 lone
	refused "group $GROUP: Operation not permitted" \
		sw "${as[@]}" losslessctl path del "$GROUP"
	equal "groups" "$(ctl -j path show)" "$before"
}

ports_are() { [ "$(of_group 'ports | join(" ")')" = "\"$1\"" ]; }

busy_testbed()
{
	local job

	testbed 10mbit -a
	for job in 1 2 3 4 5 6; do
		frames 1 2 $job 100000 -s 500 2>/dev/null &
		defer stop_job $!
	done
	sleep 0.2
}

# Members and groups are removed under traffic.
deleted()
{
	busy_testbed
	tc -n t-sw qdisc del dev s1p3 root
	check "after s1p3" ports_are "s1p2 s1p4"
	ip -n t-sw link set s1p4 nomaster
	check "after s1p4" ports_are "s1p2"
	tc -n t-sw qdisc del dev s1p2 root
	equal "after all" "$(of_group group)" ""
	check "groups of s2" ctl path del "$(ctl -j path show | jq '.[0].group')"
	equal "groups" "$(ctl -j path show)" "[]"
	llet_cleanup

	busy_testbed
	check "del" ctl path del "$GROUP"
	check "set" ctl path set -a "$GROUP" s1p3 s1p4
	check "set again" ctl path set "$GROUP" $LINKS
	ip netns del t-sw
	sleep 0.2
}

stop_job()
{
	kill "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

llet_main
