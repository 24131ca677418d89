#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests losslessctl without root or the kernel modules: the command line, built
# with ASan and UBSan; bash completion; top, tree, explain, deadlock, congestion,
# path and ldcp with fake kernels.
#
# Usage: run.sh
# Environment: CC
#
# Exit status: 0; 1 something failed.

set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=$root/build/ctl

flags="-Werror -g -O1"
asan="-fsanitize=address,undefined -fno-sanitize-recover=all"

# fake FILE FUNCTION...: prints the flags to build with FILE, which replaces the
# functions
fake()
{
	local file=$1

	shift
	printf '%s' -Wl
	printf ',--wrap=%s' ctl_now_ns lle_nl_{open,close,text} "$@"
	echo " selftests/ctl/$file"
}

fake=$(fake fake.c if_name{toindex,index} lle_nl_get_{switches,ports,histories,watchdogs} \
	lle_nl_{get_{switch,port,devices,qdiscs},ethtool})
client=selftests/ctl/fake_nl.c
deadlock=$(fake fake_deadlock.c lle_nl_{ethtool,get_{devices,qdiscs,ports,deadlocks},listen,read_events})
congestion=$(fake fake_congestion.c lle_nl_{ethtool,get_{devices,qdiscs}} if_{nametoindex,indextoname} \
	lle_nl_{get_{ports,port,congestions},listen,read_events})
path=$(fake fake_path.c if_{nametoindex,indextoname} lle_nl_{get_paths,{set,del}_path})
ldcp=$(fake fake_ldcp.c lle_nl_get_tcps)

# make does not know these files
rm -f "$bin"/{fake,deadlock,congestion,path,ldcp}/losslessctl
make -s -C "$root" ctl testbed daemon "$bin/all.a" BIN="$bin" CFLAGS="$flags $asan" >&2 &&
	make -s -C "$root" ctl BIN="$bin/fake" CFLAGS="$flags $asan" LDFLAGS="$fake" >&2 &&
	make -s -C "$root" ctl BIN="$bin/deadlock" CFLAGS="$flags $asan" LDFLAGS="$deadlock $client" >&2 &&
	make -s -C "$root" ctl BIN="$bin/congestion" CFLAGS="$flags $asan" LDFLAGS="$congestion $client" >&2 &&
	make -s -C "$root" ctl BIN="$bin/path" CFLAGS="$flags $asan" LDFLAGS="$path $client" >&2 &&
	make -s -C "$root" ctl BIN="$bin/ldcp" CFLAGS="$flags $asan" LDFLAGS="$ldcp $client" >&2 &&
	make -s -C "$root" tc >&2 || exit 1

suite=ctl
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

# exits STATUS TEXT WORD...: losslessctl WORD... exits with STATUS, prints TEXT
exits() { exits_with "losslessctl ${*:3}" "$1" "$2" "$bin/losslessctl" "${@:3}"; }

# Fake machine of two ports on two switches, for the completion.
losslessctl()
{
	case $1 in
	port) printf '%s\n' PORT swp1 swp2 ;;
	switch) printf '%s\n' SWITCH 0 7 ;;
	deadlock) printf 'deadlock %s on priority 3\n' 2.2 2.1 ;;
	path) printf '%s\n' GROUP 4 11 ;;
	esac
}

# completes OFFER WORD...: the words that complete the last WORD are OFFER
completes()
{
	local offer=$1

	shift
	COMP_WORDS=(losslessctl "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	_losslessctl
	report "completion of '$*'" "$(
		[ "${COMPREPLY[*]}" = "$offer" ] || echo "is ${COMPREPLY[*]}, should be $offer")"
}

# tap NAME COMMAND...: one test point for COMMAND, which prints TAP
tap()
{
	local name=$1

	shift
	report "$name" "$({ "$@" || echo "exit status $?"; } 2>&1 |
		grep -v -e '^ok' -e '^TAP' -e '^1\.\.')"
}

# unit NAME: builds and runs a test program in C
unit()
{
	# shellcheck disable=SC2086,SC2317 # lists of words; tap calls it
	"${CC:-gcc}" -std=gnu11 -Wall -Wextra -Wno-unused-parameter \
		-Wno-missing-field-initializers $flags $asan -D_GNU_SOURCE \
		-DLLE_VERSION="\"$(<"$root/VERSION")\"" -I "$root/include/uapi" \
		-I "$root/build/gen" -I "$root/daemon/tc" -I /usr/include/libnl3 -o "$bin/$1" \
		"$root/selftests/ctl/$1.c" "$bin/all.a" -Wl,-z,muldefs -lnl-genl-3 -lnl-3 \
		-ljson-c && "$bin/$1"
}

echo "TAP version 13"
tap deadlock_test unit deadlock_test
tap decode_test unit decode_test
tap commands_test unit commands_test
exits 0 "losslessctl [-j] [-p] DEV" --help
exits 0 "losslessctl [-j] [-p] port show [DEV]" --help
exits 0 "--restoration" watchdog --help
exits 0 "--restoration" watchdog start -h
exits 0 "--all" prio --help
exits 0 "losslessctl " --version
exits 2 "Try: losslessctl --help" -x
exits 2 "Try: losslessctl port --help" port show -x
exits 2 "Usage: losslessctl top" top -x
exits 2 'doctor: unknown argument "x"' doctor x
exits 2 '"60001" is not a number of 0..60000' watchdog start -r 60001 p 100
exits 2 '"99999999999999999999" is not a size' switch set 0 buffer 99999999999999999999
exits 2 "is not a list of priorities" watchdog start p 100 prio 3,4,9
exits 2 "only one of JSON, graph" tree -g -j
exits 2 '"8" is not a list of priorities' tree swp1 8
exits 2 'tree: unknown argument "x"' tree swp1 3 x
exits 2 "explain: DEV is required" explain
exits 2 'state: unknown argument "x"' state x
exits 2 'unknown argument "x"' deadlock history x
exits 2 'unknown argument "3.1"' deadlock graph 2.1 3.1
exits 2 "for dot, not JSON" deadlock graph -j
exits 0 "--all" congestion show --help
exits 2 'unknown argument "4"' congestion show swp1 3 4
exits 2 '"8" is not a list of priorities' congestion show swp1 8
exits 2 'unknown argument "swp1"' congestion graph swp1
exits 2 "for dot, not JSON" congestion graph -j
exits 0 "--adaptive" path set --help
exits 2 'there is no "x"' path x
exits 2 'unknown argument "x"' ldcp show x
exits 2 'path show: unknown argument "1"' path show 1
exits 2 "a group has 32 devices at most" path set 1 d{1..33}
exits 2 '"-1" is not a number of 0..4294967295' path set -- -1 swp1 swp2
exits 2 '"a/b" is not the name of a device' path set 1 a/b swp2
exits 2 'gap: "0" is not a number of 1..60000000' path set -g 0 1 swp1 swp2
exits 2 'gap: "60000001" is not a number' path set -g 60000001 1 swp1 swp2
exits 2 "GROUP is required" path del 1 2
exits 2 'GROUP: "x" is not a number' path del x
exits 2 '"0" is not a number of seconds, 0.1..3600' top -d 0
exits 2 '"0.09" is not a number of seconds' top -b -d 0.09
exits 2 '"3600.1" is not a number of seconds' top -d 3600.1
for seconds in '' . -1 1e2 0x10 inf nan ' 1' 1.1.1 1s; do
	exits 2 "\"$seconds\" is not a number of seconds" top -d "$seconds"
done
echo 'losslessctl reload' >"$bin/settings"
exits 1 "$bin/settings:1: not a command of \"losslessctl save\": losslessctl reload" restore "$bin/settings"
exits 1 "/none: No such file" restore -f "$bin/none"
exits 2 'rounds: "0" is not a number of 1..4294967295' top -n 0
if [ ! -d /sys/module/lossless ]; then
	exits 1 "modprobe sch_lossless" doctor
	exits 1 '"check":"module","severity":"error"' -j doctor
	exits 1 "the module lossless is not loaded" port
	exits 1 "the module lossless is not loaded" monitor -j pause
	exits 1 "the module lossless is not loaded" top -b
	exits 1 "the module lossless is not loaded" tree
	exits 1 "the module lossless is not loaded" state
	exits 1 "the module lossless is not loaded" deadlock
	exits 1 "the module lossless is not loaded" congestion
	exits 1 "the module lossless is not loaded" congestion graph
	exits 1 "the module lossless is not loaded" path
	exits 1 "the module lossless is not loaded" path del 1
	exits 1 "the module lossless is not loaded" ldcp
fi

# shellcheck source=daemon/losslessctl/losslessctl.bash
. "$root/daemon/losslessctl/losslessctl.bash"
completes "port switch prio pfc buffer watchdog history tree explain deadlock congestion path ldcp state save restore reload doctor monitor top" ""
completes "deadlock doctor" d
completes "" doctor ""
completes "port prio pfc path" p
completes "history" -j h
completes "show set discard" switch ""
completes "0 7" switch set ""
completes "buffer" switch set 7 ""
completes "on off" switch discard 0 o
completes "start stop show" watchdog s
completes "config stats" watchdog show ""
completes "--empty" watchdog show stats --e
completes "--fabric" watchdog start --f
completes "drop forward alert" watchdog start -a ""
completes "" watchdog start -r ""
completes "all swp1 swp2" watchdog start -a drop ""
completes "swp1 swp2" watchdog start -r 200 swp1 s
completes "prio" watchdog start swp1 200 ""
completes "" watchdog start all ""
completes "" watchdog start swp1 200 prio ""
completes "--graph" tree --g
completes "swp1 swp2" explain ""
completes "--queues" state --q
completes "swp2" port show swp2
completes "swp1 swp2" prio -a show s
completes "show history graph" deadlock ""
completes "2.2 2.1" deadlock graph ""
completes "" deadlock graph 2.2 ""
completes "show graph" congestion ""
completes "swp1 swp2" congestion show -a ""
completes "" congestion graph ""
completes "--all" congestion show --a
completes "" congestion graph --a
completes "show set del" path ""
completes "show" ldcp ""
completes "4 11" path set -a ""
completes "" path set -g ""
completes "swp1 swp2" path set -g 5 4 swp1 ""
completes "--adaptive" path set --a
completes "--follow" restore --f
completes "11" path del 1
completes "" path del 4 ""
completes "storm" monitor pause s
completes "deadlock" monitor d
completes "congestion config" monitor co
completes "swp1 swp2" top ""
completes "--delay" top --d
completes "" top -d ""
completes "swp2" top -n 3 swp1 swp2

BIN=$bin tap words_test.py pytest-3 "$root/selftests/ctl/words_test.py"
PROGRAM=$bin/fake/losslessctl tap port_test.py pytest-3 "$root/selftests/ctl/port_test.py"
for test in top top_rows pauses; do
	VIEWS=$root/build/lib/lossless tap ${test}_test.py pytest-3 "$root/selftests/ctl/${test}_test.py"
done
for test in deadlock congestion path ldcp; do
	PROGRAM=$bin/$test/losslessctl tap ${test}_test.py pytest-3 "$root/selftests/ctl/${test}_test.py"
done
end
