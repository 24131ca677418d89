# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Random numbers of scenarios.

# draw N: sets `drawn` to one of 0 to N-1, and changes `state`, without overflow
draw()
{
	state=$(((state % 2147483648 * 1103515245 + 12345) % 2147483648))
	# shellcheck disable=SC2034 # the caller reads it
	drawn=$((state / 65536 % $1))
}
