#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests keys of the lab: a bad key is refused with its name, value and range
# before any file is written; each set of keys has a folder of its own. Prints
# TAP.
#
# Usage: keys_test.sh
#
# Exit status: 0; 1 a test failed; 4 there is no kernel here.

set -uo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
OUT=$TOP/out/keys-test
lab=$TOP/lab/lab.sh
export LLE_LAB_OUT=$OUT/lab LLE_LAB_PAGE=no
suite=keys
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

# refused TEXT SCENARIO KEY=VALUE...: prints TEXT in one line, creates no files
refused()
{
	local text=$1 rc=0

	shift
	"$lab" "$@" >"$OUT/log" 2>&1 || rc=$?
	[ "$rc" -eq 2 ] && [ "$(wc -l <"$OUT/log")" -eq 1 ] && grep -qF -- "$text" "$OUT/log" &&
		[ ! -e "$LLE_LAB_OUT" ]
	point $? "$* is refused" "$OUT/log"
}

refuse_all()
{
	refused "there is no scenario 'nope'" nope
	refused "incast has no key 'FOO'; it has: SEED" incast FOO=1
	refused "incast has no key 'N'" incast N
	refused 'N=abc: not an integer from 1 to 15' incast N=abc
	refused 'N=0: not from 1 to 15' incast N=0
	refused 'N=-1: not an integer from 1 to 15' incast N=-1
	refused 'N=08: not an integer from 1 to 15' incast N=08
	refused 'N=1e1: not an integer from 1 to 15' incast N=1e1
	refused 'N=: not an integer from 1 to 15' incast N=
	refused 'N=99: not from 1 to 15 (hosts that send' incast N=99
	refused 'N=16: not from 1 to 15' incast N=16
	refused 'N=2: not from 1 to 1' incast N=2 K=2
	refused 'N=99999999999999999999: not an integer' incast N=99999999999999999999
	# shellcheck disable=SC2016 # not to be expanded
	refused 'N=a[$(reboot)]: not an integer' incast 'N=a[$(reboot)]'
	refused 'K=5: not from 2 to 16, even' incast K=5
	refused 'K=0: not from 2 to 16' incast K=0
	refused 'K=18: not from 2 to 16' incast K=18
	refused 'RATE=fast: not a rate (100gbit) from 10mbit to 400gbit' incast RATE=fast
	refused 'RATE=100: not a rate' incast RATE=100
	refused 'RATE=0gbit: not from 10mbit to 400gbit' incast RATE=0gbit
	refused 'RATE=1000gbit: not from 10mbit to 400gbit' incast RATE=1000gbit
	refused 'RATE=100GBIT: not a rate' incast RATE=100GBIT
	refused 'DELAY=1: not a time (10us) from 0ns to 1ms' incast DELAY=1
	refused 'DELAY=2s: not from 0ns to 1ms' incast DELAY=2s
	refused 'BUFFER=1: not from 128k to 1g' incast BUFFER=1
	refused 'BUFFER=lots: not a size (32m) from' incast BUFFER=lots
	refused 'MTU=10: not from 256 to 9000' incast MTU=10
	refused 'MTU=65536: not from 256 to 9000' incast MTU=65536
	refused 'MS=1.5: not an integer' incast MS=1.5
	refused 'PFC=maybe: not one of: on off' incast PFC=maybe
	refused 'PFC=on off: has blanks' incast 'PFC=on off'
	refused 'CC=tahoe: not one of: none dcqcn' incast CC=tahoe
	refused 'SEED=abc: not an integer from 1 to 2147483647' incast SEED=abc
	refused 'SEED=0: not from 1 to 2147483647' incast SEED=0
	refused 'SEED=2147483648: not from 1' incast SEED=2147483648
	refused 'CAPTURE=-w: not names' incast CAPTURE=-w
	refused 'QUEUES=s1p1/9: not names' incast QUEUES=s1p1/9
	refused 'SIZE=0: not from 1' permutation SIZE=0
	refused 'LOAD=2: not from 0.01 to 1' poisson LOAD=2
	refused 'CDF=../keys: not one of: data-mining enterprise' poisson CDF=../keys
	refused 'PMAX=200%: not from 0.01% to 100%' dcqcn PMAX=200%
	refused "ARMS=pfc,nope: 'nope' is not one of: pfc dcqcn rcm" rcm-victim ARMS=pfc,nope
	refused "ARMS=rcm,rcm: 'rcm' is there twice" rcm-victim ARMS=rcm,rcm
	refused "ARMS=: '' is not one of" rcm-victim ARMS=
	refused 'LOSS=101: not from 0 to 100' rcm-victim LOSS=101
	refused 'PFC=on: not with LDCP' collective CC=ldcp
	refused 'PARTS=1: not one of: 0' headroom PARTS=1
	refused 'RX=some: not a rate (100gbit) from 1mbit to 400gbit, or unlimited' \
		slow-receiver RX=some
	refused 'DEAD=100: not from 121 to' storm DEAD=100
	refused 'RATES=10,,25: not an integer' headroom RATES=10,,25
	refused 'SIZES=1,x: not a number' ldcp-faststart SIZES=1,x
	refused 'MODE=draft: not one of: exact dcfit' dcfit-ring MODE=draft
	refused 'RUNS=0: not from 1' dcfit-ring RUNS=0
	refused 'TOPOLOGY=: a file is required' import
	refused 'TOPOLOGY=/nope: no file' import TOPOLOGY=/nope
	refused 'TOPOLOGY=/: no file' import TOPOLOGY=/
	refused 'SCRIPT=: a file is required' run
	refused 'SCRIPT=/nope: no file' run SCRIPT=/nope
	refused 'PRIOS=0,8: not from 0 to 7' run PRIOS=0,8
	refused 'MTU=100: not from 576 to 9000' run MTU=100
}

# The version has the contents of files that keys name.
files_count()
{
	local first

	echo 1 >"$OUT/file"
	first=$("$lab" -v import TOPOLOGY="$OUT/file" 2>"$OUT/log")
	echo 2 >"$OUT/file"
	[ -n "$first" ] && [ "$("$lab" -v import TOPOLOGY="$OUT/file" 2>"$OUT/log")" != "$first" ] &&
		[ "$("$lab" -v import 2>"$OUT/log")" != "$first" ]
	point $? "the version depends on files" "$OUT/log"
}

# run STATUS KEY=VALUE...: a small incast exits with STATUS
run()
{
	local status=$1 rc=0

	shift
	"$lab" incast SIZE=10000 "$@" >"$OUT/log" 2>&1 || rc=$?
	[ "$rc" -eq "$status" ]
}

latest() { [ "$(readlink "$LLE_LAB_OUT/incast/latest")" = "$1" ]; }
folders() { [ "$(cd "$LLE_LAB_OUT/incast" && echo *)" = "$*" ]; }

own_folders()
{
	run 1 N=1 && latest SIZE=10000,N=1,SEED=1 && run 1 SEED=2 N=2 &&
		latest SIZE=10000,N=2,SEED=2 &&
		folders SIZE=10000,N=1,SEED=1 SIZE=10000,N=2,SEED=2 latest
	point $? "a folder for each set of keys, the latest is linked" "$OUT/log"

	run 2 N=abc && latest SIZE=10000,N=2,SEED=2 &&
		[ -s "$LLE_LAB_OUT/incast/latest/result.json" ]
	point $? "a refused key leaves all as it was" "$OUT/log"
	run 2 CAPTURE=h99 && grep -q 'CAPTURE=h99: there is no host or port h99' "$OUT/log" &&
		latest SIZE=10000,N=2,SEED=2 &&
		folders SIZE=10000,N=1,SEED=1 SIZE=10000,N=2,SEED=2 latest
	point $? "so does a host that there is not" "$OUT/log"
}

same_again()
{
	local dir=$LLE_LAB_OUT/incast/SIZE=10000,N=1,SEED=1

	# K=4 is the default
	run 1 K=4 N=1 && latest SIZE=10000,N=1,SEED=1 &&
		folders SIZE=10000,N=1,SEED=1 SIZE=10000,N=2,SEED=2 latest
	point $? "the same keys again: the same folder" "$OUT/log"
	jq '.version = "other"' "$dir/result.json" >"$OUT/result" && cp "$OUT/result" "$dir/result.json"
	run 1 N=1 && [ "$(jq -r .version "$dir.1/result.json")" = other ] &&
		[ "$(jq -r .version "$dir/result.json")" = "$("$lab" -v incast)" ]
	point $? "results of another version stay" "$OUT/log"
}

unfinished()
{
	# minutes of the host's time: the time-out cannot come late on any machine
	local size=1000000000
	local dir=$LLE_LAB_OUT/incast/SIZE=$size,SEED=1.unfinished

	LLE_TIMEOUT=1 run 1 SIZE=$size && grep -q 'time-out after 1 s' "$OUT/log" &&
		[ -e "$dir/console.log" ] && latest SIZE=10000,N=1,SEED=1
	point $? "a run without a result is marked unfinished" "$OUT/log"
	flock "$dir" sleep 20 &
	run 2 SIZE=$size && grep -q 'another run of incast with these keys' "$OUT/log" &&
		[ -e "$dir/console.log" ]
	point $? "two runs do not share a folder" "$OUT/log"
	kill $!
	wait $! 2>/dev/null
}

# builds PATH...: lab/build.sh builds after a change of each, and not again
builds()
{
	local path last=$TOP/build/lab.built at rc=0

	for path; do
		touch "$path"
		"$TOP/lab/build.sh" >"$OUT/log" && [ "$last" -nt "$path" ] || rc=1
		at=$(stat -c %y "$last")
		"$TOP/lab/build.sh" >"$OUT/again" && cmp "$OUT/log" "$OUT/again" || rc=1
		[ "$at" = "$(stat -c %y "$last")" ] || rc=1
	done
	point $rc "a changed file or folder is built, and once" "$OUT/log"
}

rm -rf "$OUT"
mkdir -p "$OUT"
LLE_LAB_BUILT=$("$TOP/lab/build.sh") || exit
export LLE_LAB_BUILT

refuse_all
files_count
own_folders
same_again
unfinished
builds "$TOP/Makefile" "$TOP/kmod"
end
