#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The commands that losslessctl doctor prints, run as they are printed. Ports have two
# lossless priorities, a map of DSCPs, WRED and bands of their own, so a command that
# writes a part of a complete list changes something else, and that is seen: after
# each command all settings are those from before the fault, but for what the fault
# concerns, and doctor finds what it found before.
#
# 30 faults are wanted; the last test counts them. If no command can be the remedy of a
# fault, doctor prints a line that begins with "#".

ALL_TESTS="lists peers ports bridges tunnels vlan firewall machine fabric counted"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=selftests/net/links.sh
. "$(dirname "$0")/links.sh"

HOST="rate 100mbit prio-pfc 3:on 4:on dscp-prio 46:2 26:4 10:7"
PORT="$HOST bands 8 strict 2 quanta 3k 3k 3k 3k 3k 9k priomap 7 6 5 4 3 2 1 0 wred 1 kmin 20k kmax 60k pmax 10%"
# shellcheck source=selftests/net/doctor_testbed.sh
. "$(dirname "$0")/doctor_testbed.sh"

WANTED=30
planted=0 mended=0 before=

h() { local i=$1; shift; tc -n "h$i" qdisc change dev eth0 root lossless "$@"; }

# what a command for the switch, a host or the machine may change, a setting a line
settings()
{
	local ns

	for ns in sw h1 h2 h3 sw2; do
		[ -e "/run/netns/$ns" ] || continue
		tc -n "$ns" qdisc show | sed -Ez "s/\n[ \t]+/ /g; s/(^|\n)(.)/\1$ns \2/g"
		ip -n "$ns" -d -j link | jq -r --arg ns "$ns" '.[] | "\($ns) \(.ifname) mtu \(.mtu)
			\(.master) \(.xdp) \(.linkinfo.info_data | [.ingress_qos?, .egress_qos?])
			\(.linkinfo.info_slave_data | [.flood?, .learning?])"'
		# shellcheck disable=SC2016 # for the inner shell
		ip netns exec "$ns" sh -c 'for dev in /sys/class/net/[pe]*; do
			ethtool -k "${dev##*/}" 2>/dev/null | grep generic-receive
			dcb -N app show dev "${dev##*/}" 2>/dev/null; done'
	done
	sw losslessctl -j port | jq -r '.[] | del(.unaccounted, .peer_mac, .configured) | .ifname as $dev |
		to_entries[] | "\($dev) \(.key) \(.value)"'
	sw losslessctl -j watchdog show config | jq -c '.[]'
	sw losslessctl -j switch | jq -c '.[] | {switch, discard, deadlock}, "buffer_bytes \(.buffer_bytes)"'
	sysctl -n net.core.netdev_max_backlog
}
# without what the fault concerns, an expression, or "-"; in order, as that may change it
# shellcheck disable=SC2016 # an expression that nothing matches
but()
{
	local what=$1

	[ "$what" != - ] || what='$^'
	sed -E "s/$what//g; s/ +/ /g; /^[^ ]* *$/d" | sort
}
same() { [ "$(settings | but "$1")" = "$(but "$1" <<<"$before")" ]; }

# fault CHECK DEVICE BUT COMMAND...: after COMMAND doctor finds CHECK at DEVICE. Its
# command is accepted, ends the finding, and changes nothing else. BUT: expression
# for sed, which removes what may differ from before. $before: the settings of all
# faults at these ports.
fault()
{
	local check=$1 device=$2 but=$3 said mend

	shift 3
	planted=$((planted + 1))
	check "$check: not planted" "$@"
	said=$(doctor)
	equal "$check at $device" "$(checks_of "$said")" "$(xargs <<<"$check $device")"
	mend=$(jq -r ".[] | select(.check == \"$check\") | .mend" <<<"$said")
	sw sh -c "$mend" >/dev/null || { llet_fail "$check: refused: $mend"; return; }
	check "$check: after $mend: $(doctor)" wait_for 15000 silent || return
	wait_for 15000 same "$but" || {
		llet_fail "$check: changed by $mend: $(diff <(but "$but" <<<"$before") <(settings | but "$but") | grep "^[-+<>]" | tr "\n" ";" | cut -c1-3000)"
		return
	}
	mended=$((mended + 1))
	[ "$but" = - ] || before=$(settings)
}
# any handle, as that of a new qdisc
HANDLE='lossless [0-9a-f]+:'

# correct: doctor finds nothing; from now on the settings are to stay
correct()
{
	nothing_found
	before=$(settings)
}

star()
{
	new_star 3 "$@"
	correct
}

lists()
{
	star
	fault pfc-differs p1 - p 1 prio-pfc 4:off
	fault pfc-differs p2 - p 2 prio-pfc 3:off
	fault pfc-differs p3 - p 3 prio-pfc all:off
	fault peer-pfc p1 - h 1 prio-pfc 3:off
	fault peer-pfc p2 - h 2 prio-pfc 4:off
	fault peer-pfc p3 - h 3 prio-pfc all:off
	# the DSCP that the priority gets is another one
	fault priority p1 'dscp-prio [0-9: ]+' p 1 dscp-prio 26:default 32:0 33:0 34:0 35:0 36:0 37:0 38:0 39:0
	equal "the rest of the map" "$(tc -n sw qdisc show dev p1 root | grep -oE 'dscp-prio [0-9: ]+' | xargs)" \
		"dscp-prio 10:7 33:0 34:0 35:0 36:0 37:0 38:0 39:0 46:2"
	p 1 dscp-prio all:default 46:2 26:4 10:7
	correct
	fault priority p2 - p 2 trust none
	fault watchdog p1 - sw losslessctl watchdog stop p1
	fault watchdog p2 - one_of_two p2
	fault watchdog-differs p3 - sw losslessctl watchdog start -a alert p3 700
}
one_of_two() { sw losslessctl watchdog stop "$1" && sw losslessctl watchdog start "$1" 100 prio 3; }

peers()
{
	star
	fault peer-qdisc p1 "$HANDLE" tc -n h1 qdisc del dev eth0 root
	fault peer-rate p1 - h 1 rate 200mbit
	fault peer-mtu p1 - ip -n h1 link set dev eth0 mtu 1400
	fault peer-gso p1 '(no-)?(auto|split)-gso( [(][a-z]+[)])?' h 1 no-split-gso
	fault peer-gso p2 '(no-)?(auto|split)-gso( [(][a-z]+[)])?' p 2 no-split-gso
	drops_gro || return 0
	fault peer-gro p1 - ip netns exec h1 ethtool -K eth0 gro on
	fault gro p2 - sw ethtool -K p2 gro on
}

ports()
{
	star
	fault headroom p1 - p 1 headroom 3000b
	fault xoff p2 'dynamic|(xoff|alpha|xoff_bytes|to_alpha) [^ ]+' p 2 xoff 2000b
	p 2 dynamic
	correct
	fault alpha p1 - p 1 alpha 1/64
	fault strict p3 'bands [0-9]+ strict [0-9]+ quanta [0-9 ]+' p 3 bands 8 strict 7 quanta 9k priomap 7 6 5 4 3 2 1 0
	equal "bands" "$(tc -n sw qdisc show dev p3 root | grep -oE 'bands .* priomap [0-9 ]+' | xargs)" \
		"bands 8 strict 3 quanta 3000 3000 3000 3000 9216 priomap 7 6 5 4 3 2 1 0"
	# shellcheck disable=SC2086 # words
	port 3 $PORT
	correct
	fault discard "" - sw losslessctl switch discard 0 on
}

bridges()
{
	local fcoe=

	star
	fault flood p1 - bridge -n sw link set dev p1 flood on
	fault flood p3 - bridge -n sw link set dev p3 flood on
	fault bridge-port p1 "$HANDLE" tc -n sw qdisc del dev p1 root
	! sw dcb app add dev p2 ethtype-prio 0x8906:4 2>/dev/null || fcoe=0x8906:4
	correct
	fault switches p2 - other_switch_with_fcoe
	ip -n sw link add d1 up type dummy
	# shellcheck disable=SC2086 # words
	tc -n sw qdisc add dev d1 root lossless $PORT
	joins d1
	correct
	fault bridge-mtu d1 - ip -n sw link set d1 mtu 1400
	# a device of another kind: no rate
	fault bridge-port d1 "$HANDLE|rate [^ ]+|rate_bytes_per_s [0-9]+|headroom[a-z_-]* [^ ]+|burst [^ ]+|[(][^)]*(shared|needed)[)]|unlimited" tc -n sw qdisc del dev d1 root
}
other_switch_with_fcoe() { other_switch && { [ -z "$fcoe" ] || sw dcb app add dev p2 ethtype-prio $fcoe; }; }

# The rate of a tunnel is below that of a device that doctor does not know.
tunnels()
{
	local mend

	has vxlan id 1 dstport 4789 || return 0
	star
	ip -n sw link add vx0 up master br0 type vxlan id 7 remote 192.0.2.1 dstport 4789 dev p3
	bridge -n sw link set dev vx0 flood off
	equal "found" "$(doctor | jq -r '.[] | select(.device == "vx0") | .check' | head -n 1)" bridge-port
	mend=$(doctor | jq -r '.[] | select(.check == "bridge-port") | .mend')
	check "says that there is no command: $mend" grep -q '^# no command: choose a rate below' <<<"$mend"
	check "a rate of another device: $mend" test -z "$(grep -o 'rate [0-9]*bps' <<<"$mend")"
}

vlan()
{
	star trust pcp
	ip -n sw link add link p1 name p1.5 type vlan id 5 ingress-qos-map 3:3 4:4 5:1 egress-qos-map 3:3 4:4 5:1
	correct
	fault vlan-ingress p1.5 - ip -n sw link set dev p1.5 type vlan ingress-qos-map 4:0
	fault vlan-egress p1.5 - ip -n sw link set dev p1.5 type vlan egress-qos-map 3:0
	ip -n h3 link add link eth0 name eth0.5 type vlan id 5 egress-qos-map 3:3 4:4 5:1
	correct
	fault peer-vlan p3 - ip -n h3 link set dev eth0.5 type vlan egress-qos-map 4:0
	fault peer-qdisc p2 "$HANDLE|dscp-prio [0-9: ]+|trust [a-z]+" tc -n h2 qdisc del dev eth0 root
	equal "trust of the neighbour" "$(tc -n h2 -j qdisc show dev eth0 root | grep -o '"trust":"[a-z]*"')" '"trust":"pcp"'
}

# The firewall of the network namespace of the switch
firewall()
{
	[ -e /proc/sys/net/bridge ] || modprobe br_netfilter 2>/dev/null || { llet_skip "no br_netfilter"; return; }
	defer modprobe -r br_netfilter
	new_star 3
	sw sysctl -qw net.bridge.bridge-nf-call-iptables=0 net.bridge.bridge-nf-call-ip6tables=0 net.bridge.bridge-nf-call-arptables=0
	correct
	fault firewall br0 - sw sysctl -qw net.bridge.bridge-nf-call-iptables=1 net.bridge.bridge-nf-call-arptables=1
	equal "others" "$(sw sh -c 'cat /proc/sys/net/bridge/bridge-nf-call-*' | xargs)" "0 0 0"
}

machine()
{
	sysctl -qw net.core.netdev_max_backlog=100000
	star
	fault backlog "" - sysctl -qw net.core.netdev_max_backlog=1000
	fault losslessd "" - stop_daemon
	[ -e /proc/sys/net/core/qdisc_max_burst ] || return 0
	fault burst "" - sysctl -qw net.core.qdisc_max_burst=1000
}

# Two switches; the other one is in another network namespace.
fabric()
{
	new_star 3
	other_fabric
	# shellcheck disable=SC2086 # words
	tc -n sw qdisc add dev up1 root handle 1: lossless $PORT fabric deadlock off
	joins up1
	# all ports move to a switch with a number, and keep all else
	before=$(settings)
	fault deadlock up1 'switch"?[: ][0-9]+|slot [0-9]+|"?deadlock[-a-z"]*[: ]"?[a-z]+"?' true
	fault deadlock up1 - tc -n sw qdisc change dev up1 root lossless deadlock off
	fault peer-facing up1 '^[{].*up1.*$' at_edge
	fault peer-qdisc up1 '^sw2 qdisc.*$' tc -n sw2 qdisc del dev up1 root
}

counted()
{
	echo "# $mended of $planted"
	check "faults: $planted, $WANTED are wanted" test "$planted" -ge "$WANTED"
	equal "mended" "$mended" "$planted"
}

llet_main
