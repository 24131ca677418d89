# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A ring of switches that wait for each other, for scenarios that sourced
# lib.sh.
#
#	     h1          h2
#	      |           |
#	    +----+      +----+
#	    | s1 |----->| s2 |		flows of two hops each, clockwise:
#	    +----+      +----+		h1 to h3, h2 to h4, h3 to h1, h4 to h2
#	      ^           |
#	      |           v
#	    +----+      +----+
#	    | s4 |<-----| s3 |
#	    +----+      +----+
#	      |           |
#	     h4          h3

RING_PRIOS="prio-pfc 3:on"
RING_PORT="xoff 50k headroom 100k"

# testbed DEADLOCK WORD...: lle-testbed up WORD... with that value of the option
# deadlock; sw runs in its switches until it is removed
testbed()
{
	local port="$RING_PRIOS $RING_PORT deadlock $1"

	check "no testbed" lle-testbed up --name t "${@:2}" --delay 1us \
		--edge "$port" --fabric "$port" --host "$RING_PRIOS buffer 16m" >/dev/null
	# shellcheck disable=SC2034 # of lib.sh
	TESTBED=t-
	defer gone
}

gone()
{
	lle-testbed down --name t 2>/dev/null
	unset TESTBED
}

# build_ring [DEADLOCK [STATEMENT...]]: the ring, with that value of the option
# deadlock (alert), and STATEMENTs
build_ring()
{
	{
		printf 'switch s%d\n' 1 2 3 4
		printf 'host h%d s%d\n' 1 1 2 2 3 3 4 4
		printf 'link s%d s%d\n' 1 2 2 3 3 4 4 1
		printf 'route s%d h%d via s%d\n' 1 3 2 2 4 3 3 1 4 4 2 1
		printf '%s\n' "${@:2}"
	} >/tmp/ring
	testbed "${1:-alert}" file /tmp/ring --rate 100mbit
}

# frames I J [OPTION...]: more than any buffer holds
frames()
{
	local i=$1 j=$2

	shift 2
	ip netns exec "t-h$i" lle_traffic send eth0 "$(mac "$j")" -n 2000 -d 24 "$@" \
		2>/dev/null &
}

# all_send [OPTION...]: the four flows
all_send()
{
	local i

	for i in 1 2 3 4; do
		frames "$i" $(((i + 1) % 4 + 1)) "$@"
	done
}
