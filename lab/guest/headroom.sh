# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the scenario headroom.

# set_headroom CELL ROOM: gives the first port of each switch the headroom that its link needs, and
# that of every second switch CELL bytes less; its buffer has ROOM bytes for other packets
set_headroom()
{
	# tc warns of too little headroom
	tc -n lle-sw -j qdisc show | jq -r --argjson cell "$1" --argjson room "$2" '
		[.[] | select(.dev | test("p1$"))] | to_entries[] |
		(.value.options.headroom_need - .key % 2 * $cell) as $headroom |
		"qdisc change dev \(.value.dev) root lossless headroom \($headroom)" +
			" buffer \($headroom + $room)"' | tc -n lle-sw -batch - 2>/dev/null
}
