#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# losslessctl save and restore: what was saved is the same after it has been
# restored, in a new network namespace or over other settings.

ALL_TESTS="each_option words_of_all_options over_other_options netns_again
	ethertypes watchdogs paths discard nothing wrong_lines part_fails without_root names
	later_devices later_wrong_line"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

# Each keyword of the qdisc is in one of these, with a value that is not its default.
OPTIONS=(
	""
	"rate 123457bps delay 1234ns overhead 38 burst 9001 limit 123457"
	"rate 40gbit delay 5us split-gso"
	"no-split-gso"
	"bands 8 strict 3 quanta 1500 3000 4500 6000 7500 priomap 7 6 5 4 3 2 1 0"
	"prio-pfc 3:on 4:on pause-quanta 1000 switch 4 buffer 7m reserved 1000"
	"prio-pfc 3:on switch 4 deadlock lossless deadlock-trigger leave"
	"prio-pfc 3:on switch 5 deadlock drop alpha 1/4 xon-delta 3001 reaction 12345ns"
	"prio-pfc 0:on alpha 1/128 headroom 50001"
	"prio-pfc 3:on xoff 2000001 rate 10gbit rcm on rcm-qeq 20001"
	"prio-pfc 3:on xoff 3m rate 10gbit rcm on rcm-host-cn on rcm-las 9 fabric"
	"trust pcp dscp-prio 46:3 0:7 fabric"
	"trust none dscp-prio all:5"
	"wred 0 kmin 10001 kmax 20003 pmax 33.333% nonect 15001 bufmax 99999 ecn dequeue wred 5 kmin 0 kmax 1 pmax 100%"
	"prio-pfc 3:on wred 3 kmin 5k kmax 200k pmax 0.0001% ecn"
	"role host prio-pfc 3:on rate 1gbit rx-rate 500mbit"
	"role host prio-pfc 3:on rx-rate stopped"
	"role host rx-rate unlimited"
)
SAVED=/tmp/saved AGAIN=/tmp/again

ctl() { sw losslessctl "$@"; }
# what save promises to keep
state() { sw tc -j qdisc show root | jq -c 'map(select(.kind == "lossless"))'; }

# port_with OPTIONS: p1, in a new network namespace sw
port_with()
{
	llet_netns sw
	ip -n sw link add p1 type dummy
	ip -n sw link set p1 up
	# shellcheck disable=SC2086 # a list of words
	check "not added: $1" sw tc qdisc add dev p1 root lossless $1
}

# Saves, deletes, restores.
again()
{
	local before

	before=$(state)
	check "$1: not saved" ctl save >$SAVED
	sw tc qdisc del dev p1 root
	check "$1: not restored" ctl restore $SAVED
	equal "$1" "$(state)" "$before"
	ctl save >$AGAIN
	check "$1: save prints other words" cmp -s $SAVED $AGAIN
}

each_option()
{
	local options

	for options in "${OPTIONS[@]}"; do
		port_with "$options"
		again "$options"
		llet_cleanup
	done
}

# Each option of the usage is in what save prints of one of these.
words_of_all_options()
{
	local options word

	: >/tmp/all
	for options in "${OPTIONS[@]}"; do
		port_with "$options"
		ctl save >>/tmp/all
		llet_cleanup
	done
	port_with ""
	for word in $(sw tc qdisc add dev p1 root lossless help 2>&1 | sed '1d; /^Defaults/,$d' |
			grep -oE '[a-z][a-z-]+[a-z]' | sort -u); do
		case $word in
		# values; those that save says in another way; what clearmax does is no setting
		all | auto | default | exact | off | on | none | strict | drop | resolve | leave | alert | \
		dscp | pcp | host | unlimited | stopped | lossless | switch | clearmax) continue ;;
		esac
		check "save never says $word" grep -qE " $word( |$)" /tmp/all
	done
}

over_other_options()
{
	local before

	port_with "prio-pfc 3:on rate 1gbit wred 5 kmin 10k kmax 20k pmax 1% dscp-prio 46:3"
	before=$(state)
	ctl save >$SAVED
	sw tc qdisc change dev p1 root lossless prio-pfc all:off 4:on unlimited nowred \
		wred 6 kmin 1k kmax 2k pmax 2% dscp-prio 46:4 fabric alpha 1/2 trust pcp
	ctl restore $SAVED
	equal "settings" "$(state)" "$before"
}

# From one network namespace to another, by standard input; a whole bridge.
netns_again()
{
	local before

	llet_star 3
	llet_ports 3 rate 10mbit prio-pfc 3:on headroom 40k
	tc -n sw qdisc change dev p2 root lossless fabric
	ctl watchdog start p1 100
	before=$(state)
	ctl save >$SAVED
	for port in p1 p2 p3; do
		tc -n sw qdisc del dev $port root
	done
	equal "deleted" "$(state)" "[]"
	check "not restored" ctl restore <$SAVED
	equal "settings" "$(state)" "$before"
	equal "watchdog" "$(ctl -j watchdog show config | jq -r '.[] | .ifname, .prio, .detection_ms' | xargs)" \
		"p1 3 100"
}

# dcb sets them, so they are no options of the qdisc.
ethertypes()
{
	local before

	port_with "prio-pfc 3:on"
	sw dcb app add dev p1 ethtype-prio 0x8906:3 0x8914:5 2>/dev/null ||
		{ llet_skip "this kernel has no DCB"; return; }
	before=$(sw dcb -j app show dev p1)
	again "EtherTypes"
	equal "EtherTypes" "$(sw dcb -j app show dev p1)" "$before"
	sw dcb app replace dev p1 ethtype-prio 0x8914:1
	check "not restored over another priority" ctl restore $SAVED
	equal "another priority" "$(sw dcb -j app show dev p1)" "$before"
}

watchdogs()
{
	local before

	port_with "prio-pfc 3:on 4:on 5:on"
	ctl watchdog start -a forward -r 777 p1 333 prio 3,5
	ctl watchdog start -a alert -r 0 p1 100 prio 4
	before=$(ctl -j watchdog show config)
	equal "commands" "$(ctl save | grep -c '^losslessctl watchdog')" 2
	again "watchdogs"
	equal "watchdogs" "$(ctl -j watchdog show config)" "$before"
}

paths()
{
	local before

	llet_star 4
	llet_ports 4
	ctl path set -a -g 123 9 p1 p3
	ctl path set 7 p4 p2
	before=$(ctl -j path show)
	ctl save >$SAVED
	for port in p1 p2 p3 p4; do
		tc -n sw qdisc del dev $port root
	done
	check "not restored" ctl restore $SAVED
	equal "path groups" "$(ctl -j path show)" "$before"
}

discard()
{
	port_with "prio-pfc 3:on switch 5"
	ctl switch discard 5 on
	again "discard"
	equal "discard" "$(ctl -j switch show 5 | jq '.[0].discard')" true
}

nothing()
{
	llet_netns sw
	check "not saved" ctl save >$SAVED
	equal "lines" "$(grep -vc '^#' $SAVED)" 0
	check "not restored" ctl restore $SAVED
}

# Each is named, and does not run; the others do.
WRONG=(
	"rm -r /tmp/there"
	"tc qdisc del dev p1 root"
	"tc qdisc replace dev"
	"tc qdisc replace dev p1 root handle 1: pfifo"
	"tc -force qdisc replace dev p1 root lossless"
	"dcb app replace dev"
	"losslessctl reload"
	"losslessctl watchdog start all 100"
	"losslessctl watchdog start 100 prio 3"
	"losslessctl watchdog start --action drop p1 100"
	"losslessctl path set 7"
	"losslessctl switch discard on"
)
wrong_lines()
{
	local line n=0

	port_with "prio-pfc 3:on"
	mkdir -p /tmp/there
	{ printf '%s\n' "${WRONG[@]}" && ctl save && echo "losslessctl watchdog start p1 100"; } >$SAVED
	sw tc qdisc del dev p1 root
	for line in "${WRONG[@]}"; do
		n=$((n + 1))
		refused "$SAVED:$n: not a command of \"losslessctl save\": $line" ctl restore $SAVED
	done
	check "rm ran" test -d /tmp/there
	rmdir /tmp/there
	equal "watchdogs" "$(ctl -j watchdog show config | jq length)" 1
	refused "/tmp/none: No such file" ctl restore /tmp/none
}

# The others run all the same, also where tc ends at a line (invalid handle).
part_fails()
{
	port_with "prio-pfc 3:on"
	ctl save >$SAVED
	sed -i '1a tc qdisc replace dev gone root lossless' $SAVED
	sed -i '1a tc qdisc replace dev p1 root handle zzz lossless' $SAVED
	printf 'losslessctl watchdog start %s 100 prio 3\n' gone p1 >>$SAVED
	sw tc qdisc del dev p1 root
	refused 'Cannot find device "gone"' ctl restore $SAVED
	refused "$SAVED:2: failed: tc qdisc replace dev p1 root handle zzz lossless" ctl restore $SAVED
	refused "$SAVED:3: failed: tc qdisc replace dev gone root lossless" ctl restore $SAVED
	refused 'gone: no such device' ctl restore $SAVED
	refused "$SAVED:5: failed: losslessctl watchdog start gone" ctl restore $SAVED
	equal "the other port" "$(state | jq length)" 1
	equal "its watchdog" "$(ctl -j watchdog show config | jq length)" 1
}

without_root()
{
	port_with ""
	ctl save >$SAVED
	refused "not permitted" ctl_nobody restore $SAVED
}
ctl_nobody() { sw setpriv --reuid 65534 --clear-groups --inh-caps=-all --bounding-set=-all losslessctl "$@"; }

# No shell reads them.
names()
{
	# shellcheck disable=SC2016 # a name, no command
	local name='a;b$(c)'

	llet_netns sw
	ip -n sw link add "$name" type dummy
	tc -n sw qdisc add dev "$name" root lossless rate 1mbit
	ctl save >$SAVED
	tc -n sw qdisc del dev "$name" root
	check "not restored" ctl restore $SAVED
	equal "rate" "$(state | jq '.[0].options.rate')" 125000
}

watched() { ctl -j watchdog show config | grep -q "\"$1\""; }
# a device that is made again comes last
is_same() { cmp -s <(ctl save | sort) <(grep -v discard $SAVED | sort); }

# Devices that a file names are ports with all settings as soon as they are there:
# at the start, renamed, new, again, with another name.
later_devices()
{
	local i

	llet_star 4
	llet_ports 4 prio-pfc 3:on switch 5
	for i in 1 2 3; do
		ctl watchdog start -a alert -r 77 p$i $((100 + i))
	done
	ctl path set -g 50 7 p2 p3
	ctl switch discard 5 on
	ctl save >$SAVED
	for i in 1 2 3 4; do
		tc -n sw qdisc del dev p$i root
	done
	ip -n sw link set p2 down
	ip -n sw link set p2 name later
	ip -n sw link del p3
	sed 's/ p4 / other /' $SAVED >/tmp/file
	ip netns exec sw losslessctl restore --follow /tmp/file 2>/tmp/said >/tmp/status &
	defer kill $!
	check "p1 has no watchdog" wait_for 1000 watched p1
	equal "ports" "$(ctl -j port show | jq -r '.[].ifname' | xargs)" p1
	equal "discard" "$(ctl -j switch show 5 | jq '.[0].discard')" true
	ctl switch discard 5 off

	ip -n sw link set later name p2
	ip -n sw link property add dev p4 altname other
	for i in 1 2; do
		ip -n sw link add p3 type veth peer name p3b
		check "p3 has no watchdog" wait_for 1000 watched p3
		ip -n sw link set p3 master br0
		check "other settings" wait_for 1000 is_same
		ip -n sw link del p3
	done
	# what is set by hand stays
	tc -n sw qdisc change dev p1 root lossless rate 1mbit
	ip -n sw link set p1 down
	sleep 1
	equal "rate set by hand" "$(option p1 rate)" 125000
	equal "discard set by hand" "$(ctl -j switch show 5 | jq '.[0].discard')" false
	equal "errors" "$(cat /tmp/said)" ""
	equal "messages" "$(head -n 1 /tmp/status)" '9 commands, 6 wait for devices, 0 failed'
}

later_wrong_line()
{
	port_with "prio-pfc 3:on"
	{
		echo "losslessctl wachdog start p1 100"
		ctl save
		echo "tc qdisc replace dev p1 root lossless prio-pfc 9:on"
		echo "losslessctl watchdog start p1 100"
	} >$SAVED
	sw tc qdisc del dev p1 root
	ip netns exec sw losslessctl restore -f $SAVED 2>/tmp/said &
	defer kill $!
	check "no watchdog" wait_for 1000 watched p1
	check "line 1 is not named" grep -q "$SAVED:1: not a command" /tmp/said
	check "line 4 is not named" grep -q "$SAVED:4: failed: tc qdisc" /tmp/said
	check "it has ended" kill -0 $!
}

llet_main
