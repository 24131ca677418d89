#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests daemon/wireshark/*.lua in tshark, field by field, with frames of our own
# encoders.
#
# Usage: run.sh
# Environment: CC
#
# Exit status: 0; 1 a test failed; 4 there is no tshark.

set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/wireshark

command -v tshark >/dev/null || { echo "no tshark" >&2; exit 4; }
mkdir -p "$build"
for frames in frames cn; do
	"${CC:-gcc}" -std=gnu11 -Wall -Wextra -Wno-missing-field-initializers -Werror -O1 -g \
		-fsanitize=address,undefined -fno-sanitize-recover=all \
		-I "$root/include/uapi" -o "$build/$frames" \
		"$root/selftests/wireshark/$frames.c" && "$build/$frames" "$build" || exit 1
done

suite=wireshark
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

# do not load an installed plugin, too
export HOME=$build WIRESHARK_CONFIG_DIR=$build WIRESHARK_PLUGIN_DIR=$build

# columns of valid.tsv
fields=(pfc.class_enable pfc.quanta.c{0..7} dcfit.{type,prio,num_ids,waits,hops,hop_epoch}
	dcfit.id{,.switch,.port,.seq} dcfit.min{,.switch,.port}
	dcfit.trigger{,.switch,.port,.seq,.host} dcfit.crc.status dcfit.target
	dcfit.hop{,.trigger,.switch,.ingress,.egress,.bytes,.age_ns}
	dcfit.hop.trigger.{switch,port,seq,host})
# columns of cn.tsv
cn_fields=(rcm.{version,fb,switch,port,prio,class_held,count,seq}
	rcm.{fb,prio,flags}.reserved rcm.name)

# stock FILE WORD...: tshark without the plugin
stock() { tshark -n -r "$build/$1" "${@:2}" 2>>"$build/tshark.err"; }
# ours FILE WORD...: tshark with the plugin
ours()
{
	stock "$1" -X "lua_script:$root/daemon/wireshark/lle.lua" \
		-X "lua_script:$root/daemon/wireshark/lle_cn.lua" "${@:2}"
}
# same NAME: a test point: file descriptors 3 and 4 have the same content
same() { report "$1" "$(diff /dev/fd/3 /dev/fd/4 2>&1)"; }

# An ignored message has exactly one sentence that says why.
hostile()
{
	ours hostile.pcap -T fields -e dcfit.crc.status -e dcfit.ignored |
		sed 's/\t..*/\tignored/'
}

# Captured octets, and decoded fields: a PFC frame has 34 octets, its message
# ends at octet 60; a separate message begins at octet 14.
cut()
{
	ours cut.pcap -T fields -e frame.cap_len -e pfc.class_enable -e dcfit.cut_short \
		-e dcfit.crc.status
}

cut_should()
{
	local len round

	for ((round = 0; round < 16; round++)); do
		for ((len = 14; len < 60; len++)); do
			echo "$len $((len >= 34)) $((len > 34)) 0"
		done
		for ((len = 14; len < 60; len++)); do
			echo "$len 0 $((len > 14 && len < 40)) $((len >= 40))"
		done
	done | awk -v OFS='\t' '{ print $1, $2 ? "0x0008" : "", $3 ? 1 : "", $4 ? 1 : "" }'
	printf '60\t0x0008\t\t1\n60\t\t\t1\n'
}

# Hops of 22 octets after octet 40: only complete hops are decoded. Octets that
# were not captured are another fault than octets that were not sent.
walks()
{
	ours loop.pcap -Y 'dcfit.type == 6' -T fields -e dcfit.hop.switch -e dcfit.cut_short \
		-e dcfit.ignored |
		awk -F'\t' '{ print split($1, hops, ","), $2 != "", $3 != "" }'
}

walks_should()
{
	local len

	for ((len = 40; len <= 106; len++)); do
		echo "$(((len - 40) / 22)) $((len < 106)) 0"
	done
	for ((len = 105; len >= 40; len--)); do
		echo "$(((len - 40) / 22)) 0 1"
	done
	printf '62 0 0\n63 0 1\n'
}

# ignored FILE: prints 1 for a congestion notification that switches ignore
ignored() { ours "$1" -T fields -e rcm.ignored | sed 's/..*/1/'; }

# Octets of a notification of 64, number of IDs, and its faults
notes()
{
	ours cn-cut.pcap -T fields -e frame.cap_len -e rcm.name -e rcm.cut_short \
		-e rcm.ignored |
		awk -F'\t' '{ print $1, split($2, names, ","), $3 != "", $4 != "" }'
}

# IDs of 4 octets after octet 32; without own octets it is not decoded
notes_should()
{
	local len

	for ((len = 14; len <= 64; len++)); do
		echo "$len $((len < 32 ? 0 : (len - 32) / 4)) $((len > 14 && len < 64)) 0"
	done
	for ((len = 64; len > 14; len--)); do
		echo "$len $((len < 32 ? 0 : (len - 32) / 4)) 0 $((len < 64))"
	done
}

# info_is FILE FILTER TEXT: info column of the first frame that passes FILTER
info_is()
{
	local said

	said=$(ours "$1" -Y "$2" -T fields -e _ws.col.Info | head -n 1)
	shift
	report "in a line: $2" "$([ "$said" = "$2" ] || echo "it is: $said")"
}

with_8() { awk -F'\t' '$10 == 1 && $17 ~ /(^|,)8(,|$)/ { n++ } END { print n + 0 }' "$build/valid.tsv"; }

: >"$build/tshark.err"
echo "TAP version 13"
same "messages" 3< <(ours valid.pcap -T fields "${fields[@]/#/-e}") 4<"$build/valid.tsv"
same "messages that switches ignore" 3< <(hostile) 4<"$build/hostile.tsv"
same "1472 frames cut short, and whole ones after them" 3< <(cut) 4< <(cut_should)
same "walks of which hops are missing" 3< <(walks) 4< <(walks_should)
same "a filter" 3< <(ours valid.pcap -Y 'dcfit.type == 1 && dcfit.id.switch == 8' | wc -l) \
	4< <(with_8)
info_is valid.pcap 'dcfit.id == "7/0#1" && dcfit.hops == 3' "p0 probe 7/0#1, smallest 7/0, trigger none"
info_is valid.pcap 'dcfit.id == "7/0#1" && dcfit.min == "declared"' "p0 probe 7/0#1, smallest declared, trigger none"
info_is valid.pcap 'frame.number == 1' "Class Based Flow Control [CBFC] Pause: p0 pause, p6 pause, p7 resume; DCFIT p0 none, trigger none"
info_is loop.pcap 'frame.number == 1' "p3 resolve, trigger host at 8/3#1"
info_is loop.pcap 'frame.len == 106 && frame.cap_len == 106' "p3 walk 7/0#1, past 6, 5, 4, trigger host at 8/3#1"
info_is loop.pcap 'frame.len == 106 && frame.cap_len == 105' "p3 walk 7/0#1, past 6, 5, trigger host at 8/3#1"
same "congestion notifications" 3< <(ours cn.pcap -T fields "${cn_fields[@]/#/-e}") \
	4<"$build/cn.tsv"
same "congestion notifications that switches ignore" 3< <(ignored cn-hostile.pcap) \
	4<"$build/cn-hostile.tsv"
same "and those that they do not" 3< <(ignored cn.pcap | sort -u) 4< <(echo)
same "congestion notifications cut short" 3< <(notes) 4< <(notes_should)
info_is cn-cut.pcap 'rcm.name == 0xd5a1c30f' "p3 F_b 37, hold 0x00000001, 0x00000002, \
0x00000003, 0x00000004, 0x00000005, 0x00000006, 0x00000007, 0xd5a1c30f"
info_is cn.pcap 'frame.number == 1' "p5 F_b 0, hold nothing"
info_is cn.pcap 'frame.number == 2' "p5 F_b 0, hold all recently listed destinations"
same "a frame of the same type" 3< <(ours cn-foreign.pcap -V) 4< <(stock cn-foreign.pcap -V)
macc=(macc.cbfc.enbv{,.c{0..7}} macc.cbfc.pause_time.c{0..7})
pfc=(pfc.class_enable{,.c{0..7}} pfc.quanta.c{0..7})
same "classes, as Wireshark has them" 3< <(ours valid.pcap -T fields "${pfc[@]/#/-e}") \
	4< <(stock valid.pcap -T fields "${macc[@]/#/-e}")
macc+=(macc.opcode _ws.expert)
same "Wireshark's own names" 3< <(ours valid.pcap -T fields "${macc[@]/#/-e}") \
	4< <(stock valid.pcap -T fields "${macc[@]/#/-e}")
same "frames that are none of ours" 3< <(ours foreign.pcap -V) 4< <(stock foreign.pcap -V)
report "Lua has nothing to say" "$(for file in {,cn-}{hostile,cut,foreign} valid loop cn; do
	ours "$file.pcap" -V | grep -F "Lua Error"
done; grep -i lua "$build/tshark.err")"
end
