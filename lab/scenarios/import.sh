# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# import: runs the flows of another simulator in its network: topologies and flows
# of HPCC's ns-3 and of htsim. Links have the rates and delays of the file. The run
# begins with the first flow. The folder hpcc of the results has its topology,
# flows, completion times and pauses as files of HPCC.
#
# keys: TOPOLOGY= FLOWS= BUFFER=32m PFC=on CC=none MTU=1024 MS=0 PAUSES=yes
# key TOPOLOGY: path, topology for lle-testbed, such as those of HPCC and htsim
# key FLOWS: path, flows of HPCC, or a connection matrix of htsim
# key MS: integer 0..1000000, ms that flows last; 0: five times those that links need

# shellcheck disable=SC2154 # topology_file, flows_file: of lab.sh and of guest.sh

limits()
{
	[ -n "$TOPOLOGY" ] || refuse TOPOLOGY "a file is required"
	[ -n "$FLOWS" ] || refuse FLOWS "a file is required"
}

topology() { lle-testbed show file "$TOPOLOGY" --format file; }

flows()
{
	check_links
	"$LAB/import.py" "$FLOWS" <(lle-testbed show file "$topology_file" --format json)
}

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

check_links()
{
	local bad hosts links

	bad=$(awk '/^(host|link)/ && ($4 != "rate" || $6 != "delay") { print $1, $2, $3; exit }' \
		"$topology_file")
	[ -z "$bad" ] || refuse TOPOLOGY "a link without a rate or a delay: $bad"
	hosts=$(rates host | wc -l)
	links=$(rates link | wc -l)
	[ "$CC" = none ] || [ $((hosts > 1 || links > 1)) = 0 ] ||
		refuse CC "links of hosts, and links of switches, need one rate each"
	[ "$PFC" = off ] || limit BUFFER $((2 * $(headroom_of_switch))) 1g \
		"half of it is headroom of the ports of a switch"
}

# Prints the most headroom that the ports of a switch need.
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

# PFC of the priorities of flows
pfc()
{
	awk -v pfc="$PFC" '!/^#/ { on[$5] } END { for (p in on) printf " %d:%s", p, pfc }' \
		"$flows_file"
}

# port RATE: prints options of a port of a switch
port()
{
	echo "buffer $BUFFER prio-pfc$(pfc)"
	[ "$CC" = none ] || RATE=$1 dcqcn_marks
}

testbed()
{
	local edge fabric

	edge=$(rates host)
	fabric=$(rates link)
	testbed_up file "$topology_file" --mtu $((LINK_MTU)) --edge "$(port "$edge")" \
		--fabric "$(port "${fabric:-$edge}")" --host "prio-pfc$(pfc)"
}

# with_links COMMAND...: runs it with RATE and DELAY of the slowest link of a host,
# and of the longest link
with_links()
{
	local RATE DELAY

	RATE=$(rates host | head -n 1)
	DELAY=$({ values host 7; values link 7; } | while read -r value; do
		echo "$(nanoseconds "$value")ns"
	done | sort -n | tail -n 1)
	"$@"
}

# RTO: 1 ms at 100 Gbit/s, and two round trips of twelve links
rto_us() { echo $((10 ** 14 / $(bits "$RATE") + 48 * $(nanoseconds "$DELAY") / 1000)); }

rnic_options() { echo "mtu=$MTU rto_us=$(with_links rto_us) $(with_links rnic_cc)"; }

duration()
{
	if [ "$MS" = 0 ]; then
		with_links flows_need last
	else
		echo "${MS}e-3"
	fi
}

metrics()
{
	count_losses
	flow_times
	"$LAB/hpcc.py" .
}

expectations() { expect_arrival; }
