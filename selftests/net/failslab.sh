#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# If any allocation fails while something is set, the old state stays whole and
# nothing leaks.
#
# Each setter runs with its first allocation failing, then its second, and so
# on, until none is left (lle_fail.c). It reports a failure, and nothing visible
# has changed; or it can do without that memory, and all of the setting holds.
# Then the same with pages: the Nth and all later ones fail, as only that makes
# kvmalloc() fail.
#
# Without memory for the answer, the answer is lost, and the socket says so
# (ENOBUFS). The setting may hold then, but only as a whole.

ALL_TESTS="switches watchdogs paths agents ldcp hosts replace_keeps_packets replace change
	attach attach_to_a_switch listeners namespaces nothing_left"

# in a network namespace of its own, with its sysfs
if [ -z "${INSIDE:-}" ]; then
	INSIDE=y exec unshare -n -m bash "$0"
fi
mount -t sysfs sysfs /sys
mount -t debugfs debugfs /sys/kernel/debug
# no packets
sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

DEBUGFS=/sys/kernel/debug
PAGES=$DEBUGFS/fail_page_alloc
LEFT=/tmp/left
HEARD=/tmp/heard
MANY=1000000
# Of a long series of allocations, as for sysfs: all EDGE ones at both ends, and
# each STEPth in between
EDGE=60 STEP=9
failed=0 half=0

supported()
{
	[ -e /proc/self/fail-nth ] && [ -e $DEBUGFS/failslab ] && [ -e $PAGES ] &&
		grep -q slub_debug=A, /proc/cmdline
}

# Allocations that may wait fail, too; of slab caches only those of uml-run.sh.
set_up()
{
	local what

	for what in $DEBUGFS/failslab $PAGES; do
		echo 0 >"$what/verbose"
		echo N >"$what/ignore-gfp-wait"
		echo Y >"$what/task-filter"
	done
	# quiet console; kobject_add() prints each failure
	dmesg -n 2
	echo Y >$DEBUGFS/failslab/cache-filter
	echo N >$PAGES/ignore-gfp-highmem
	echo 100 >$PAGES/probability
}

# Queries of dcb for each port
DCB=/tmp/dcb
for dev in p1 p2; do
	printf '%s show dev %s\n' pfc $dev ets $dev buffer $dev
done >$DCB

# look [-q]: prints the visible state. Starting programs is slow in this kernel:
# -q only runs tc, and $shown, a command
look()
{
	tc -s -d qdisc show
	$shown
	[ "${1:-}" != -q ] || return 0
	losslessctl -j switch
	grep -rs . /sys/class/net/*/lossless /proc/sys/net/ldcp
	ip maddr show
	dcb -force -batch $DCB
} 2>&1

# same WHAT IS SHOULD: fails with a diff if IS differs from SHOULD
same()
{
	[ "$2" != "$3" ] || return 0
	llet_fail "$1"
	diff <(echo "$3") <(echo "$2") | sed 's/^/# /'
}

# try FAIL: runs the setter; sets rc, said, and the values of lle_fail.so
try()
{
	rm -f $LEFT
	said=$(LLE_FAIL=$1 LLE_FAIL_LOG=$LEFT LD_PRELOAD=lle_fail.so "${set[@]}" 2>&1 <<<"$input")
	rc=$?
	read -r left lost <$LEFT
}

# judge WHAT: if the setter fails, the state must be unchanged, else complete
judge()
{
	local now

	now=$(look -q)
	case $now in
	"$after")
		[ $rc = 0 ] || [ "$lost" ] ||
			llet_fail "$1: has failed, and was done: $said"
		eval "$undo" 2>/dev/null ;;
	"$before")
		[ $rc != 0 ] || [ -n "$silent" ] || llet_fail "$1: was not done" ;;
	*)
		half=$((half + 1))
		same "$1: half a state, rc $rc: $said" "$now" "$before"
		eval "$undo" 2>/dev/null ;;
	esac
}

# fails SET UNDO: SET is a command, UNDO a line for the shell. shown: for look;
# input: of SET; silent: SET does not report a failure
fails()
{
	local set undo=$2 before after whole said rc left lost total n pages

	read -ra set <<<"$1"
	whole=$(look)
	before=$(look -q)
	echo 10 >$PAGES/min-order
	try $MANY
	equal "$1: $said: rc" $rc 0
	total=$((MANY - left))
	after=$(look -q)
	check "$1: does not show" test "$before" != "$after"
	check "$2" eval "$2" 2>/dev/null
	same "$1: not undone" "$(look)" "$whole"

	for ((n = 1; ; n += n > EDGE && n < total - EDGE ? STEP : 1)); do
		try $n
		judge "$1: allocation $n"
		[ "$left" = 0 ] || break
		failed=$((failed + 1))
	done
	check "$1: no allocation has failed" test $n -gt 1
	echo 0 >$PAGES/min-order
	for ((pages = 1; ; pages += pages > 10 ? STEP : 1)); do
		echo $pages >$PAGES/space
		echo $MANY >$PAGES/times
		try task
		judge "$1: page $pages"
		[ "$(<$PAGES/times)" != $MANY ] || break
		failed=$((failed + 1))
	done
	same "$1: in the end" "$(look)" "$whole"
	echo "# $total allocations, $((pages - 1)) pages: $1"
}

LESS="rate 20mbit switch 5 prio-pfc 3:on"
MORE="rate 10mbit delay 10us switch 5 deadlock alert buffer 8m prio-pfc 3:on 4:on xoff 200k
	headroom 50k rcm on wred 3 kmin 10k kmax 20k pmax 10% ecn strict 4 quanta 1500 3000"
MORE=${MORE//[$'\t\n']/ }

# Ports of a bridge, in the namespace of this shell
testbed()
{
	shown='' input='' silent=''
	ip link add br0 up type bridge mcast_snooping 0
	ip link add p1 up master br0 type veth peer name q1
	ip link add p2 up master br0 type veth peer name q2
	ip link set q1 up
	ip link set q2 up
	defer ip link del br0
	defer ip link del p1
	defer ip link del p2
}

# ports OPTION...: the qdiscs of p1 and p2
ports()
{
	tc qdisc replace dev p1 root handle 1: lossless "$@"
	tc qdisc replace dev p2 root handle 1: lossless "$@"
}

# Restores p1, and then the switch
AGAIN="tc qdisc del dev p1 root; tc qdisc add dev p1 root handle 1: lossless $LESS"
SWITCH="tc qdisc change dev p2 root lossless deadlock off buffer 12m"

attach()
{
	testbed
	fails "tc qdisc add dev p1 root handle 1: lossless $MORE" "tc qdisc del dev p1 root"
}

# A failed attach of a port does not change the switch.
attach_to_a_switch()
{
	testbed
	tc qdisc replace dev p2 root handle 1: lossless $LESS
	fails "tc qdisc add dev p1 root handle 1: lossless $LESS deadlock alert buffer 8m" \
		"tc qdisc del dev p1 root; $SWITCH"
}

# The stack allocates more after the new qdisc was created.
replace()
{
	testbed
	ports $LESS
	fails "tc qdisc replace dev p1 root handle 77: estimator 1sec 4sec lossless $MORE" \
		"$AGAIN; $SWITCH"
}

replace_keeps_packets()
{
	local set replace="tc -n sw qdisc replace dev p2 root handle 77:"
	local port="rate 1mbit switch 5 prio-pfc 3:on xoff 15000b headroom 40k"
	local n said rc left lost now input=''

	read -ra set <<<"$replace estimator 1sec 4sec lossless $MORE"
	llet_star 2
	llet_ports 2 "$port"
	# shellcheck disable=SC2086 # a list of words
	host 1 $port
	pfc 2 0x08 0 0 0 65535
	send 1 2 -n 15 -d 24
	check "p1 does not pause" wait_for 2000 stat_is p1 3 tx_paused = 1
	now=$(tc -n sw -j qdisc show dev p2 root)
	echo 10 >$PAGES/min-order
	for ((n = 1; ; n++)); do
		try $n
		[ $rc != 0 ] || break
		same "allocation $n: options" "$(tc -n sw -j qdisc show dev p2 root)" "$now"
		equal "allocation $n: waiting" "$(stat p2 3 backlog)" 15000
		equal "allocation $n: paused" "$(stat p2 3 rx_paused)" 1
		failed=$((failed + 1))
	done
	check "never failed" test $n -gt 10
}

change()
{
	testbed
	ports $LESS
	fails "tc qdisc change dev p1 root lossless $MORE" "$AGAIN; $SWITCH"
	fails "tc qdisc change dev p1 root lossless xoff 200k rcm on" "$AGAIN"
	fails "tc qdisc change dev p2 root lossless deadlock alert" \
		"tc qdisc change dev p2 root lossless deadlock off"
}

hosts()
{
	testbed
	ip link set p1 nomaster
	ports $LESS
	fails "tc qdisc change dev p1 root lossless role host rx-rate 5mbit" "$AGAIN"
}

switches()
{
	testbed
	ports $LESS
	shown='losslessctl -j switch show'
	fails "losslessctl switch set 5 buffer 8m" "losslessctl switch set 5 buffer 12m"
	fails "losslessctl switch discard 5 on" "losslessctl switch discard 5 off"
}

watchdogs()
{
	testbed
	ports $LESS
	shown='losslessctl -j watchdog show config'
	fails "losslessctl watchdog start p1 100" "losslessctl watchdog stop p1"
}

paths()
{
	testbed
	ports $LESS
	shown='losslessctl -j path show'
	fails "losslessctl path set 7 p1 p2" "losslessctl path del 7"
	losslessctl path set 7 p1 p2
	fails "losslessctl path set -g 1000 7 p1 p2" "losslessctl path set 7 p1 p2"
	fails "losslessctl path del 7" "losslessctl path set 7 p1 p2"
}

# dcb of iproute2 6.1 ignores the kernel's answer.
agents()
{
	testbed
	ports $LESS
	silent=y
	fails "dcb pfc set dev p1 prio-pfc 4:on" "dcb pfc set dev p1 prio-pfc 4:off"
	fails "dcb ets set dev p1 tc-tsa 0:ets 1:ets tc-bw 0:25 1:75" "$AGAIN"
}

ldcp()
{
	llet_load tcp_ldcp
	defer rmmod tcp_ldcp
	testbed
	shown='cat /proc/sys/net/ldcp/alpha' input=900
	fails "dd of=/proc/sys/net/ldcp/alpha status=none" "echo 1024 >/proc/sys/net/ldcp/alpha"
}

# A listener receives an event of the change, or a report that one is lost.
listeners()
{
	local set n said rc left lost input='' rate events=0

	testbed
	ports $LESS
	losslessctl monitor config >$HEARD &
	defer kill $!
	check "nothing is heard" wait_for 5000 heard_of tc qdisc change dev p1 root lossless $LESS
	for ((n = 1; ; n++)); do
		rate=$((20 + n))
		read -ra set <<<"tc qdisc change dev p1 root lossless rate ${rate}mbit"
		events=$(wc -l <$HEARD)
		try $n
		[ "$left" = 0 ] || break
		failed=$((failed + 1))
		[[ $(tc qdisc show dev p1 root) == *" rate ${rate}Mbit "* ]] || continue
		check "allocation $n: was done, and nothing is heard" wait_for 1000 heard_of true
	done
	check "no event was lost" grep -q 'events were lost' $HEARD
}

# heard_of COMMAND...: does COMMAND cause an event?
heard_of() { "$@" && [ "$(wc -l <$HEARD)" -gt $events ]; }

# A network namespace, with all modules
namespaces()
{
	local n said rc left lost set=(unshare -n true) input=''

	llet_load tcp_ldcp
	defer rmmod tcp_ldcp
	echo 10 >$PAGES/min-order
	for ((n = 1; ; n++)); do
		try $n
		[ "$left" = 0 ] || break
		failed=$((failed + 1))
	done
	echo "# $((n - 1)) allocations: ${set[*]}"
	equal "without a fault" $rc 0
}

nothing_left()
{
	local leaks

	llet_star 2
	llet_ports 2 $LESS xoff 15000b headroom 40k
	host 1 $LESS
	receive 2 1000
	send 1 2 -n 500 -d 24
	equal "received" "$(received 2 .sum.packets)" 500
	no_drops
	nothing_stuck
	llet_cleanup

	check "rmmod sch_lossless" wait_for 5000 rmmod sch_lossless 2>/dev/null
	check "rmmod lossless" rmmod lossless
	# kmemleak reports unreferenced memory after 5 s, when two scans agree
	sleep 6
	echo scan >$DEBUGFS/kmemleak
	sleep 1
	echo scan >$DEBUGFS/kmemleak
	leaks=$(grep -c ^unreferenced $DEBUGFS/kmemleak)
	equal "leaks" "$leaks" 0
	equal "half states" $half 0
	echo "# $failed allocations failed: $leaks leaks, $half half states"
	llet_load lossless sch_lossless
}

if supported; then
	set_up
else
	ALL_TESTS=no_faults
	no_faults() { llet_skip "no fault injection, or no slub_debug=A,CACHES in the command line"; }
fi
llet_main
