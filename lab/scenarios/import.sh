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

# shellcheck source=lab/scenarios/topology.sh
. "${LAB:-/lab}/topology.sh"

limits()
{
	[ -n "$TOPOLOGY" ] || refuse TOPOLOGY "a file is required"
	[ -n "$FLOWS" ] || refuse FLOWS "a file is required"
}

topology() { lle-testbed show file "$TOPOLOGY" --format file; }

flows()
{
	check_links
	check_rates
	"$LAB/import.py" "$FLOWS" <(lle-testbed show file "$topology_file" --format json)
}

# check_rates: CC has one curve for all links of hosts, and one for all others
check_rates()
{
	[ "$CC" = none ] || [ $(($(rates host | wc -l) > 1 || $(rates link | wc -l) > 1)) = 0 ] ||
		refuse CC "links of hosts, and links of switches, need one rate each"
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

# with_links COMMAND...: runs it with the lowest RATE of hosts, and the highest DELAY
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
