# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For scenarios with a network of the user: links of $topology_file.

# shellcheck disable=SC2154 # topology_file: of lab.sh and of guest.sh

# values host|link COLUMN: values in these lines of the topology, least first
values()
{
	awk -v word="$1" -v column="$2" '$1 == word { print $column }' "$topology_file" | sort -u |
		while read -r value; do
			if [ "$2" = 5 ]; then bits "$value"; else nanoseconds "$value"; fi
			echo " $value"
		done | sort -n | cut -d' ' -f2
}
rates() { values "$1" 5; }

# check_links: refuses a link without rate or delay, and too small a BUFFER
check_links()
{
	local bad

	bad=$(awk '/^(host|link)/ && ($4 != "rate" || $6 != "delay") { print $1, $2, $3; exit }' \
		"$topology_file")
	[ -z "$bad" ] || refuse TOPOLOGY "a link without a rate or a delay: $bad"
	[ "$PFC" = off ] || limit BUFFER $((2 * $(headroom_of_switch))) 1g \
		"half of it is headroom of the ports of a switch"
}

headroom_of_switch()
{
	local rate delay

	{
		awk '/^(host|link)/ { print $5, $7 }' "$topology_file" | sort -u |
			while read -r rate delay; do
				echo "$rate $delay $(RATE=$rate DELAY=$delay headroom_bytes)"
			done
		cat "$topology_file"
	} | awk '
		/^[0-9]/ { bytes[$1, $2] = $3; next }
		$1 == "link" { sum[$2] += bytes[$5, $7] }
		/^(host|link)/ { sum[$3] += bytes[$5, $7] }
		END { for (s in sum) if (sum[s] > most) most = sum[s]; print most + 0 }'
}
