# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-microburst: four hosts send to one, by one link that they share and fill; then
# another host sends to it for 20 us, by another link. Figure 6 of "Regional Congestion
# Mitigation".
#
# keys: ARMS=pfc,dcqcn,rcm,rcm+dcqcn,rcm-literal BUF=100 RATE=100gbit DELAY=1us US=200

# shellcheck source=selftests/lab/rcm.sh
. "${LAB:-/lab}/rcm.sh"

bed()
{
	cat >/tmp/bed <<-end
	switch s1
	switch s2
	switch s3
	host h1 s1
	host h2 s1
	host h3 s1
	host h4 s1
	host h5 s2
	host h6 s3
	link s1 s3
	link s2 s3
	end
	rcm_bed file /tmp/bed
}

rnic_options() { rcm_rnic window=0; }

# A quarter of the link each, and a burst of 20 us
flows()
{
	local i rate

	rate=$(payload_bits)
	for i in 1 2 3 4; do
		echo "0 1000000000 10.0.0.$i 10.0.0.6 3 $((rate / 4))"
	done
	echo "100000 250000 10.0.0.5 10.0.0.6 3"
}

duration() { echo "${US}e-6"; }
metrics() { rcm_losses; flow_times; }
expectations() { :; }
