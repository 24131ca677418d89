# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# rcm-victim-xs: as rcm-victim, but two hosts beside D0 send to it, too. So less than half
# of the first path is D0's, and the victim can have two thirds.
#
# keys: ARMS=pfc,rcm FLOWS=1 PLACE=pod LOSS=0 BUF=100 RATE=100gbit DELAY=1us MTU=1024 MS=2 PAUSES=yes
# key ARMS: list of pfc dcqcn rcm rcm+dcqcn rcm-nosar rcm-literal, variants

# shellcheck source=selftests/lab/rcm-victim.sh
. "${LAB:-/lab}/rcm-victim.sh"

XS=2

victim_least()
{
	case $1-$FLOWS in
	*dcqcn*) echo 0 ;;
	*-1) echo 63 ;;
	*) echo 52 ;;
	esac
}
