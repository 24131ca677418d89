#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Watches the guest of a lab run from outside, since a process that runs inside
# would disturb it. Says every now and then how far it is; and prints, at each
# "lab: WORD" on the guest's console, the WORD and the CPU seconds until then, and the
# most memory that the guest had.
#
# Usage: lab-watch.sh KERNEL NAME DIR PID
#
# KERNEL is the guest's executable, NAME what to call it, DIR has guest.pid (as soon
# as there is a guest) and console.log, PID is the process that may start the guest.

set -uo pipefail

kernel=$1 name=$2 dir=$3 runner=$4
ticks=$(getconf CLK_TCK)
tty=
every=10
if [ -t 2 ]; then
	tty=y every=1
fi
every=${LLE_PROGRESS:-$every}

# without a process, which would cost more than all else here
exec {never}<> <(:)
wait_a_bit() { read -rt 0.05 -u "$never"; }

# peek ADDRESS BYTES: a number in the guest's memory, which is a process's
peek()
{
	dd if="/proc/$pid/mem" bs="$2" skip=$(($1 / $2)) count=1 status=none 2>/dev/null |
		od -An -tu"$2"
}

# address SYMBOL, in hexadecimal
address() { nm "$kernel" | sed -n "s/^\([0-9a-f]*\) . $1\$/0x\1/p"; }

# What all devices have received, PFC frames too: softnet_data.processed of the only
# CPU, which stands behind a list_head (16 bytes) and a sk_buff_head (24).
progress()
{
	local ns frames line

	ns=$(peek "$clock" 8) frames=$(peek $((softnet + 40)) 4)
	[ -n "$ns" ] && [ -n "$frames" ] || return	# it has just ended
	printf -v line '%s: %s, %d s, %d.%06d s of virtual time, %d packet-hops' \
		"$name" "$phase" "$SECONDS" $((ns / 1000000000)) \
		$((ns / 1000 % 1000000)) "$frames"
	if [ -n "$tty" ]; then
		printf '\r%s\033[K' "$line" >&2
	else
		echo "$line" >&2
	fi
}

cpu()
{
	local stat fields

	read -r stat <"/proc/$pid/stat" || return
	read -ra fields <<<"${stat##*) }"
	stat=$(((fields[11] + fields[12]) * 1000 / ticks))
	printf '%s %d.%03d\n' "$1" $((stat / 1000)) $((stat % 1000))
}

memory() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/memory_kb \1/p' "/proc/$pid/status"; }

until [ -s "$dir/guest.pid" ]; do
	wait_a_bit
	kill -0 "$runner" 2>/dev/null || exit
done
pid=$(<"$dir/guest.pid")
clock=$(address time_travel_time) softnet=$(address softnet_data)
phase=boot
phases=(build run gather)
next=$((SECONDS + every))
while [ -r "/proc/$pid/stat" ]; do
	read -rd '' console <"$dir/console.log"
	while [[ ${#phases[@]} -gt 0 && $'\n'$console == *$'\n'"lab: ${phases[0]}"* ]]; do
		phase=${phases[0]}
		phases=("${phases[@]:1}")
		cpu "$phase"
		memory
	done
	if [ "$SECONDS" -ge "$next" ]; then
		progress
		next=$((SECONDS + every))
	fi
	wait_a_bit
done
[ -z "$tty" ] || printf '\r\033[K' >&2
