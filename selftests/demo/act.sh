# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the acts with a testbed of lle-testbed. Sourced by storm.sh and
# deadlock.sh, which use PORT, and set dir to the folder of a run.
#
# shellcheck disable=SC2034,SC2154 # PORT and dir

PORT="buffer 1m xoff 40k headroom 100k prio-pfc 3:on"

say() { echo "demo: $*"; }
sw() { ip netns exec lle-sw "$@"; }
h() { local i=$1; shift; ip netns exec "lle-h$i" "$@"; }

# nic OPTION...: changes the qdisc of host 5
nic() { tc -n lle-h5 qdisc change dev eth0 root lossless "$@"; }

# mark WHAT: records that WHAT happens now
mark()
{
	local now

	read -r now _ </proc/uptime
	echo "$1 $now" >>"$dir/marks"
}

# until_true COMMAND...: repeats COMMAND until it succeeds; fails after 30 s
until_true()
{
	local tries

	for ((tries = 300; tries > 0; tries--)); do
		"$@" && return
		sleep 0.1
	done
	echo "$0: not true: $*" >&2
	return 1
}

started=()

# start PLACE COMMAND...: runs COMMAND in the background until stop_started
start()
{
	ip netns exec "lle-$1" "${@:2}" &
	started+=($!)
}

stop_started()
{
	kill "${started[@]}"
	wait "${started[@]}" || :
	started=()
}
