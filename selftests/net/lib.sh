# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the scenarios. A scenario sources this file, lists its tests in
# ALL_TESTS, and ends with llet_main. Each test is a function, which calls check
# CONDITION... and the like, and is reported once, in TAP 13.
#
# The testbed is a star: netns "sw" has bridge br0 with ports p1..pN, netns hI
# has eth0, the other end of pI.
#
#	h1 eth0 -- p1 +----+ p3 -- eth0 h3
#	              | br0|
#	h2 eth0 -- p2 +----+ ...
#
# Addresses are fixed, forwarding is static and IPv6 is off, so all packets are
# those of the test, and counters are exact.

llet_n=0
llet_failed=0
llet_why=
llet_undo=()
LLET_CPUS=$(nproc)
# programs of the tests, where kselftest installs them
PATH+=:$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH LLE_MODULES=${LLE_MODULES:-/mods}

# --- verdicts -------------------------------------------------------------

llet_fail() { llet_why+="${llet_why:+; }$*"; }

# check WHAT COMMAND...: fails with WHAT if COMMAND fails
check()
{
	local what=$1

	shift
	"$@" || llet_fail "$what"
}

# equal WHAT IS SHOULD
equal() { [ "$2" = "$3" ] || llet_fail "$1: is $2, should be $3"; }

# between WHAT IS MIN MAX
between()
{
	if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then
		llet_fail "$1: is $2, should be $3..$4"
	fi
}

# refused TEXT COMMAND...: COMMAND fails and prints TEXT
refused()
{
	local text=$1 said

	shift
	if said=$("$@" 2>&1); then
		llet_fail "not refused: $*"
	elif [[ $said != *"$text"* ]]; then
		llet_fail "refused with '$said' instead of '$text'"
	fi
}

llet_skip() { llet_why="SKIP $*"; }

# Does time stand still while a process runs? (User Mode Linux, lab or debug)
virtual_time() { grep -q time-travel= /proc/cmdline; }

# Do CPUs run in parallel, in real time? (race and kcsan) Then events may be
# late, as the machine allows, but never early.
real_time() { [ "$LLET_CPUS" -gt 1 ]; }

# defer COMMAND...: runs COMMAND at the end of the test, last one first
defer()
{
	local undo

	printf -v undo '%q ' "$@"
	llet_undo+=("$undo")
}

llet_cleanup()
{
	local i

	for ((i = ${#llet_undo[@]} - 1; i >= 0; i--)); do
		eval "${llet_undo[i]}" || :
	done
	llet_undo=()
}

# llet_load MODULE...: loads modules of $LLE_MODULES, or the kernel's own; some may
# be built in
llet_load()
{
	local module

	for module; do
		[ -d "/sys/module/$module" ] || insmod "$LLE_MODULES/$module.ko" 2>/dev/null ||
			modprobe -q "$module" || return
	done
}

# The guest has the modules in a folder of their own, where modprobe finds nothing.
llet_install()
{
	local dir

	dir=/lib/modules/$(uname -r)/updates
	modprobe -n -q sch_lossless || {
		mkdir -p "$dir"
		cp "${LLE_MODULES:-/mods}"/{lossless,sch_lossless}.ko "$dir"
		depmod
	}
}

# has KIND OPTION...: can this kernel make such a device? Else skips the test.
has()
{
	ip link add llet_probe type "$@" 2>/dev/null || {
		llet_skip "this kernel has no $1"
		return 1
	}
	ip link del llet_probe
}

# Is it loaded, and not part of the kernel?
is_module() { [ -e "/sys/module/$1/initstate" ]; }

# Loads what a scenario tests. Without it, ends as kselftest skips.
llet_begin()
{
	llet_load lossless sch_lossless || {
		echo "1..0 # SKIP the modules cannot be loaded"
		exit 4
	}
	# a fabric bursts: losses in the backlog of a CPU are losses below the
	# qdisc
	sysctl -qw net.core.netdev_max_backlog=100000
}

llet_main()
{
	local test name only=''

	name=$(basename "$0" .sh)
	for test in ${LLE_TESTS:-}; do
		[[ $test = *:* && $test != "$name":* ]] || only+=" ${test#*:} "
	done
	echo "TAP version 13"
	llet_begin
	for test in $ALL_TESTS; do
		[[ ${only:- $test } = *" $test "* ]] || continue
		llet_why=
		llet_n=$((llet_n + 1))
		"$test"
		llet_cleanup
		case $llet_why in
		'')	echo "ok $llet_n - $name: $test" ;;
		SKIP*)	echo "ok $llet_n - $name: $test # $llet_why" ;;
		*)	echo "not ok $llet_n - $name: $test"
			echo "# $llet_why"
			llet_failed=$((llet_failed + 1)) ;;
		esac
	done
	echo "1..$llet_n"
	exit $((llet_failed > 0))
}

# --- the testbed --------------------------------------------------------------

# TESTBED: prefix of the names of namespaces, in another testbed
sw() { ip netns exec "${TESTBED-}sw" "$@"; }
h() { local i=$1; shift; ip netns exec "h$i" "$@"; }
MAC=02:00:00:00:00:%02x
# shellcheck disable=SC2059 # a format
mac() { printf "$MAC" "$1"; }

llet_netns()
{
	llet_netns_add "$1"
	ip netns exec "$1" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 \
		net.ipv6.conf.default.disable_ipv6=1
}

# llet_netns_add NAME...: with IPv6
llet_netns_add()
{
	printf 'netns add %s\n' "$@" | ip -batch -
	defer llet_netns_del "$@"
}

# Also deletes the namespaces after one that the test itself deleted.
llet_netns_del() { printf 'netns del %s\n' "$@" | ip -force -batch - 2>/dev/null; }

# llet_steer NETNS DEV N: packets that arrive at DEV are processed on CPU N.
# veth leaves them on the sending CPU, and a qdisc runs on changing CPUs, so
# that several CPUs would reorder packets, whatever the qdisc.
llet_steer()
{
	[ "$LLET_CPUS" -eq 1 ] || ip netns exec "$1" sh -c \
		"printf %x $((1 << $3 % LLET_CPUS)) >/sys/class/net/$2/queues/rx-0/rps_cpus"
}

# llet_star N: the testbed with N hosts, without qdiscs; uses few programs, as
# each test builds it
llet_star()
{
	local i mac hosts=() links=() ports=("link add br0 up type bridge mcast_snooping 0") fdb=()

	for ((i = 1; i <= $1; i++)); do
		# shellcheck disable=SC2059 # a format
		printf -v mac "$MAC" "$i"
		hosts+=("h$i")
		links+=("link add eth0 netns h$i address $mac type veth peer name p$i netns sw")
		ports+=("link set p$i up master br0")
		fdb+=("link set dev p$i learning off flood off"
			"fdb replace $mac dev p$i master static")
	done
	llet_netns sw
	llet_netns_add "${hosts[@]}"
	printf '%s\n' "${links[@]}" | ip -batch -
	printf '%s\n' "${ports[@]}" | ip -n sw -batch -
	for ((i = 1; i <= $1; i++)); do
		llet_steer "h$i" eth0 "$i"
		llet_steer sw "p$i" "$i"
		printf '%s\n' "link set eth0 addrgenmode none" \
			"addr add 192.0.2.$i/24 dev eth0" "link set eth0 up" |
			ip -n "h$i" -batch -
	done
	printf '%s\n' "${fdb[@]}" | bridge -n sw -batch -
}

# port I OPTION...: a qdisc for pI; host I OPTION...: one for eth0 of host I
port() { local i=$1; shift; tc -n sw qdisc replace dev "p$i" root handle 1: lossless "$@"; }
host() { local i=$1; shift; tc -n "h$i" qdisc replace dev eth0 root handle 1: lossless "$@"; }

# llet_ports N OPTION...: the same qdisc on p1..pN
llet_ports()
{
	local n=$1 i

	shift
	for ((i = 1; i <= n; i++)); do
		echo "qdisc replace dev p$i root handle 1: lossless $*"
	done | tc -n sw -batch -
}

# --- counters -------------------------------------------------------------

# stat DEV PRIO NAME: a counter of a switch port
stat() { tc -n sw -s -j qdisc show dev "$1" root | lle_json ".[0].prios[$2].$3"; }

# port_stat DEV NAME: a counter without priority
port_stat() { tc -n sw -s -j qdisc show dev "$1" root | lle_json ".[0].$2"; }

# host_stat I PRIO NAME: a counter of the qdisc of host I
host_stat() { tc -n "h$1" -s -j qdisc show dev eth0 root | lle_json ".[0].prios[$2].$3"; }

# option DEV NAME: a setting of a switch port, as dumped
option() { tc -n sw -j qdisc show dev "$1" root | lle_json ".[0].options.$2"; }

# sum PATH [PRIO]: sum over all ports and priorities, or one priority, of the
# switch
sum() { tc -n sw -s -j qdisc show | lle_json ".[].prios[${2:-}]$1"; }

# wait_for MS COMMAND...: waits until COMMAND succeeds; in real time up to
# twenty times MS. With virtual time attempts are slow and sleeping is fast, so
# the next attempt follows after another quarter of the time, or a fiftieth of
# MS.
wait_for()
{
	local ms=$1 waited step pause

	shift
	! real_time || ms=$((20 * ms))
	for ((waited = 0; waited < ms; waited += step)); do
		"$@" && return
		step=$((waited / 4 > ms / 50 ? waited / 4 : ms / 50))
		step=$((step > 20 ? step : 20))
		! real_time || step=100
		printf -v pause '%d.%03d' $((step / 1000)) $((step % 1000))
		sleep "$pause"
	done
	return 1
}

# listeners NETNS [N]: do N generic netlink sockets (16) there receive events?
# shellcheck disable=SC2016 # awk's
listeners()
{
	ip netns exec "$1" awk -v n="${2:-1}" '$2 == 16 && $4 != "00000000" { n-- }
		END { exit n > 0 }' /proc/net/netlink
}

stat_is() { test "$(stat "$1" "$2" "$3")" "$4" "$5"; }

# Packets of the switch left it, were dropped with a reason, or wait. Uses one
# dump, so that no packet moves in between. For unicast, which is not flooded.
conserved()
{
	local in out drops queued wire

	{ read -r in; read -r out; read -r drops; read -r queued; read -r wire; } < <(
		tc -n sw -s -j qdisc show | lle_json ".[].prios[]."{rx,tx,drop}_bytes \
			".[].prios[].backlog" ".[].wire_bytes")
	queued=$((queued + wire))
	equal "bytes out + dropped + queued ($out + $drops + $queued)" \
		$((out + drops + queued)) "$in"
}

no_drops() { equal "drops in the switch" "$(sum '.drops[]')" 0; }

# After the traffic: no backlog, no pause, no byte is charged.
nothing_stuck()
{
	conserved
	nothing_waits
}

nothing_waits()
{
	local what

	for what in occupancy headroom backlog tx_paused rx_paused; do
		equal "$what left" "$(sum ".$what")" 0
	done
	equal "shared bytes left" "$(port_stat p1 shared_used)" 0
}

# --- traffic --------------------------------------------------------------

# HOST_DEV: device that hosts send and receive with, if it is not eth0

# send I J OPTION...: frames from host I to J, with options of lle_traffic
send()
{
	local i=$1 j=$2

	shift 2
	ip netns exec "h$i" lle_traffic send "${HOST_DEV:-eth0}" "$(mac "$j")" "$@"
}

# receive I MS [ip]: counts the frames of host I in the background, at its
# device or in IPv4, until MS of silence; in real time three times MS. received
# I PATH then waits for the result.
receive()
{
	local count=/tmp/count.$1 ms=$2

	! real_time || ms=$((3 * ms))
	rm -f "$count".*
	flock "$count.lock" ip netns exec "${TESTBED-}h$1" \
		lle_traffic count "${HOST_DEV:-eth0}" "$ms" "${@:3}" \
		>"$count.json" 2>"$count.ready" &
	wait_for 5000 test -s "$count.ready"
}

received()
{
	flock "/tmp/count.$1.lock" true
	lle_json "$2" <"/tmp/count.$1.json"
}

# pfc I ENABLE Q0..Q7: a PFC frame from host I, which pauses pI
pfc() { local i=$1; shift; ip netns exec "h$i" lle_traffic pfc eth0 "$@"; }
