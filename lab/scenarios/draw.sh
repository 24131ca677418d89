# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Random numbers of scenarios.

# draw N: sets `drawn` to one of 0 to N-1, by `state`, which was a seed. A state
# of more than 33 bits would overflow when it is multiplied, so it is reduced first, too.
draw()
{
	state=$(((state % 2147483648 * 1103515245 + 12345) % 2147483648))
	# shellcheck disable=SC2034 # what the caller reads
	drawn=$((state / 65536 % $1))
}
