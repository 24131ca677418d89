#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that tshark reads the packets of the lab's RoCEv2 endpoints as what they are:
# the opcodes of each verb, in order, with their headers. Prints TAP. Results go to
# out/lab-roce.
#
# Usage: roce.sh
#
# Exit status: 0; 1 a test failed; 4 there is no tshark, or no kernel here.

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/lab-roce
suite=roce
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

command -v tshark >/dev/null || { echo "no tshark" >&2; exit 4; }
"$TOP/lab/uml.sh" get lab >/dev/null || exit

# Prints packets of h1.pcap, data first: opcode, sequence number, request for an
# ACK, bytes of RETH and syndrome of AETH.
packets()
{
	tshark -n -r "$1/h1.pcap" -Y infiniband -T fields -e infiniband.bth.opcode \
		-e infiniband.bth.psn -e infiniband.bth.a -e infiniband.reth.dmalen \
		-e infiniband.aeth.syndrome 2>>"$OUT/log" |
		sed 's/\t/ /g; s/ *$//' |
		sort -s -k 1,1n
}

# verb NAME EXPECTED [KEY=VALUE...]: h2 and h1 exchange 3000 bytes, 1024 a
# packet
verb()
{
	local name=$1 expected=$2 dir=$OUT/incast/latest

	shift 2
	LLE_LAB_PAGE=no LLE_LAB_OUT=$OUT "$TOP/lab/lle-lab" run incast K=2 N=1 SIZE=3000 \
		CAPTURE=h1 "$@" >"$OUT/log" 2>&1
	packets "$dir" >"$OUT/packets"
	diff "$OUT/packets" - <<<"$expected" >>"$OUT/log"
	point $? "tshark: $name" "$OUT/log"
}

mkdir -p "$OUT"
echo "TAP version 13"
verb WRITE '6 0 1 3000
7 1 1
8 2 1
17 0 0  31
17 1 0  31
17 2 0  31' VERB=write
verb SEND '0 0 1
1 1 1
2 2 1
17 0 0  31
17 1 0  31
17 2 0  31' VERB=send
verb READ '12 0 0 3000
13 0 1  31
14 1 1
15 2 1  31' VERB=read
verb 'READ of a packet' '12 0 0 500
16 0 1  31' VERB=read SIZE=500
verb 'WRITE with IRN' '6 0 1 3000
7 1 1
8 2 1
17 0 0  31
17 1 0  31
17 2 0  31' RECOVERY=irn
end
