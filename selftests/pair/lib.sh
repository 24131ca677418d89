# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the scenarios of a pair: two guests with a cable between NICs, and a
# serial line by which the first guest, where tests run, runs commands on the
# second one, the peer. Both guests source this file, and it sources that of
# selftests/net.
#
#	guest                          peer
#	NIC 1 ------- cable ------- NIC 1
#	NIC 2 ------- cable ------- NIC 2
#
# The guests have no common clock and run at the speed of this machine: tests
# check counters, and peer() returns when the command has ended.

# shellcheck source=selftests/net/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../net/lib.sh"

PEER_SECONDS=120	# time limit of a command

# line_open: opens the line as fd 3. sysfs of newer kernels has two more folders
# between PCI device and tty.
line_open()
{
	local tty

	tty=$(find /sys/bus/pci/drivers/serial/*:*/ -name 'ttyS*')
	tty=/dev/${tty##*/}
	[ -c "$tty" ] || { echo "no serial line to the other guest" >&2; exit 1; }
	stty -F "$tty" raw -echo 115200
	exec 3<>"$tty"
}

# peer COMMAND...: runs a function of this file, or a program, on the peer; has
# its output and exit status
peer()
{
	local id=$RANDOM$RANDOM command from rc said

	printf -v command '%q ' "$@"
	echo "run $id $(base64 -w 0 <<<"$command")" >&3
	while read -r -t $PEER_SECONDS -u 3 from rc said; do
		[ "$from" != "$id" ] || break
	done
	if [ "$from" != "$id" ]; then
		llet_fail "no answer of the peer to '$command'"
		return 125
	fi
	base64 -d <<<"$said"
	return "$rc"
}

# The peer's side: serves commands until it receives "leave".
line_serve()
{
	local verb id command rc

	while read -r -u 3 verb id command; do
		case $verb in
		run)
			rc=0
			eval "$(base64 -d <<<"$command")" >/tmp/said 2>&1 </dev/null || rc=$?
			echo "$id $rc $(base64 -w 0 </tmp/said)" >&3
			;;
		leave)
			return
			;;
		esac
	done
}

# peer_check FUNCTION...: runs check, equal and the like on the peer
peer_check()
{
	local why

	why=$(peer verdict "$@")
	[ -z "$why" ] || llet_fail "peer: $why"
}

verdict()
{
	llet_why=
	"$@"
	printf %s "$llet_why"
	llet_why=
}

# line_meet: waits until the peer serves; it may not have started
line_meet()
{
	local PEER_SECONDS=1 i

	for ((i = 0; i < 300; i++)); do
		! peer true 2>/dev/null || return 0
	done
	return 1
}

# nic MODEL I: the device of cable I of a MODEL, by the address of the NIC
nic()
{
	local dev mac driver=$1

	case $1 in
	virtio-net-*) driver=virtio_net ;;
	rtl8139) driver=8139cp ;;
	esac
	for dev in /sys/class/net/*; do
		mac=$(<"$dev/address")
		[ "$(basename "$(readlink -f "$dev/device/driver")")" != $driver ] ||
			[ $((0x${mac##*:} % 2 + 1)) != "$2" ] || echo "${dev##*/}"
	done
}

declare -A nic_had	# by device: nic_missed at take_nic

# take_nic MODEL I NETNS NAME [MAC]: moves the NIC to NETNS as NAME, up, until
# the test ends
take_nic()
{
	local dev

	dev=$(nic "$1" "$2")
	ethtool -A "$dev" autoneg off rx off tx off 2>/dev/null || :
	defer give_nic "$3" "$4" "$dev" "$(<"/sys/class/net/$dev/address")"
	ip link set "$dev" down
	ip link set "$dev" name "$4" netns "$3"
	ip netns exec "$3" sysctl -qw "net.ipv6.conf.$4.disable_ipv6=1" 2>/dev/null || :
	ip -n "$3" link set "$4" up
	# when it is up: qemu's vmxnet3 forgets an earlier address
	[ -z "${5-}" ] || ip -n "$3" link set "$4" address "$5"
	nic_had[$4]=$(nic_missed "$3" "$4")
	# an earlier frame would be lost
	check "$4 has no carrier" wait_for 20000 has_carrier "$3" "$4"
}

has_carrier() { ip netns exec "$1" grep -q 1 "/sys/class/net/$2/carrier"; }

give_nic()
{
	tc -n "$1" qdisc del dev "$2" root 2>/dev/null
	ip -n "$1" link set "$2" down
	ip -n "$1" link set "$2" name "$3" netns 1 address "$4"
}

# cable_works NETNS DEV PEER_NETNS PEER_DEV: waits until both ports hear each
# other; NICs may be deaf for a second after a filter was set
cable_works()
{
	check "$2 does not hear the peer" wait_for 20000 here_hears "$@"
	check "the peer does not hear $2" wait_for 20000 there_hears "$@"
}

here_hears() { peer probe "$3" "$4"; hears "$1" "$2"; }
there_hears() { probe "$1" "$2"; peer hears "$3" "$4"; }

# sends a resume of a priority that was never paused, past the qdisc
probe() { ip netns exec "$1" lle-storm -p 7 -x -c 1 "$2" >/dev/null; }
hears() { ip netns exec "$1" grep -qv '^0$' "/sys/class/net/$2/lossless/prio7/rx_resume"; }

# nic_missed NETNS DEV: frames that found no NIC buffer, by the driver's
# counters
nic_missed()
{
	ip netns exec "$1" sh -c "cd /sys/class/net/$2/statistics &&
		cat rx_missed_errors rx_fifo_errors rx_over_errors" | jq -s add
}

# nic_lost NETNS DEV: the same since take_nic
nic_lost() { echo $(($(nic_missed "$1" "$2") - nic_had[$2])); }

# nics_lost HERE THERE: frames that the NICs of a cable lost. Switches cannot
# count them, so such a run is no failure; TAP says that it shows nothing
nics_lost()
{
	[ -n "$llet_why" ] || [ $(($1 + $2)) = 0 ] ||
		llet_skip "NICs had no buffer for $1 frames here and $2 at the peer"
}

# nic_counters NETNS DEV: prints the counters, to help find a loss
nic_counters()
{
	ip netns exec "$1" sh -c "cd /sys/class/net/$2/statistics && grep -H . *" |
		awk -F: -v dev="$2" '$2 { all = all " " $1 "=" $2 } END { print "# " dev ":" all }'
}
