# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Hand-made congestion notifications, in a testbed of lle-testbed with name t.

# address I: IP address of host I in lle_traffic, as a number
address()
{
	local mac

	mac=$(mac "$1")
	echo $((198 << 24 | 51 << 16 | 100 << 8 | 0x${mac##*:}))
}

# mix WORD: mixes WORD into the hash, as kmod/core/path/flow.c does
mix()
{
	hash=$(((hash ^ $1) * 0x9e3779b97f4a7c15))
	hash=$((hash ^ (hash >> 32 & 0xffffffff)))
}

# name I [J]: ID of host I as a destination, or of the flow from J to I
name()
{
	local hash=0x0800

	mix "$(address "$1")"
	if [ $# -gt 1 ]; then
		mix "$(address "$2")"
		# UDP, discard to discard
		mix $((17 << 32 | 9 << 16 | 9))
	fi
	printf '%08x' $((hash * 0xd6e8feb86659fd93 >> 32 & 0xffffffff))
}

# note SEQ NAME: notification of priority 3 that lists one destination
note()
{
	printf '0180c200000102000000000988b61025%08x%08x60000001%08x%s%040d' 99 1 "$1" "$2" 0
}
