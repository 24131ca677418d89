# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-victim-xs: as rcm-victim, but two more hosts, beside the destination of
# the four sources, send to it. So packets to it need less than half of the
# first path, and the victim can have two thirds.
#
# keys: ARMS=pfc,rcm FLOWS=1 PLACE=pod LOSS=0 BUF=100 RATE=100gbit DELAY=1us MTU=1024 MS=2 PAUSES=yes
# key ARMS: list of pfc dcqcn rcm rcm+dcqcn rcm+dcqcn+las rcm-nosar, variants

# shellcheck source=lab/scenarios/rcm-victim.sh
. "${LAB:-/lab}/rcm-victim.sh"

XS=2
# When the first flows end, the others get more at once: one pause was seen.
PAUSES_AFTER=2

# With DCQCN: 0.754 at least. Without RCM's isolation it would be below 0.4.
bottleneck_least() { echo 0.65; }

# With DCQCN: minimum 65.3, median 68.4, maximum 75.7. Without holds it is 33.
victim_least()
{
	case $1-$FLOWS in
	*dcqcn*) echo 50 ;;
	*-1) echo 63 ;;
	*) echo 52 ;;
	esac
}
