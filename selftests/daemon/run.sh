#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests losslessd without root or the kernel modules, built with ASan and UBSan:
# the command line, valid and invalid configurations, and the reports of pauses,
# losses, storms, deadlocks and congestion.
#
# Usage: run.sh
# Environment: CC
#
# Exit status: 0; 1 something failed.

set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=$root/build/daemon
flags=(-Werror -g -O1 "-fsanitize=address,undefined" -fno-sanitize-recover=all)

make -s -C "$root" daemon "$bin/all.a" BIN="$bin" CFLAGS="${flags[*]}" >&2 || exit 1

# test_of NAME WHAT [WORD...]: builds a test program, and a test point for what it prints.
# A function of the test takes the place of the daemon's.
test_of()
{
	local name=$1 what=$2

	shift 2
	"${CC:-gcc}" -std=gnu11 -Wall -Wextra -Wno-unused-parameter \
		-Wno-missing-field-initializers "${flags[@]}" \
		-D_GNU_SOURCE -DLLE_VERSION="\"$(<"$root/VERSION")\"" \
		-DCONF_PATH='"/etc/lossless.conf"' -I "$root/include/uapi" \
		-I "$root/build/gen" -I "$root/daemon/tc" -I /usr/include/libnl3 -o "$bin/$name" \
		"$root/selftests/daemon/$name.c" "$bin/all.a" -Wl,-z,muldefs -lnl-genl-3 \
		-lnl-3 -ljson-c -lsystemd -lconfuse -lmicrohttpd -lm || exit 1
	report "losslessd: $what" "$("$bin/$name" "$@" 2>&1 || echo "exit status $?")"
}

suite=daemon
# shellcheck source=selftests/tap.sh
. "$root/selftests/tap.sh"

# exits STATUS TEXT WORD...: losslessd WORD... exits with STATUS, prints TEXT
exits() { exits_with "losslessd ${*:3}" "$1" "$2" "$bin/losslessd" "${@:3}"; }

# config STATUS TEXT LINE...: the same for losslessd --check of a file of LINEs
config()
{
	exits_with "lossless.conf: ${*:3}" "$1" "$2" "$bin/losslessd" --check -c /dev/stdin \
		< <(printf '%s\n' "${@:3}")
}

echo "TAP version 13"
config 0 ""
config 0 "" 'watchdog { action = "drop" detection = 1 restoration = 60000 }' \
	'port "a" { action = "off" }' 'metrics { interval = 3600 }'
report "lossless.conf: the packaged one" "$("$bin/losslessd" --check -c "$root/daemon/losslessd/lossless.conf" 2>&1)"
report "lossless.conf: the packaged one, with all that is commented" \
	"$(sed 's/^#\([^ ]\)/\1/; s|/var/lib/prometheus/node-exporter|/tmp|' "$root/daemon/losslessd/lossless.conf" |
		"$bin/losslessd" --check -c /dev/stdin 2>&1)"
config 1 "losslessd: /dev/stdin:3: action: drop, forward, alert or off, not \"explode\"" \
	'watchdog {' '	detection = 1' '	action = "explode"' '}'
config 1 "ports: edge or all" 'watchdog { ports = "some" }'
config 1 "detection: a number from 1 to 60000, not 0" 'watchdog { detection = 0 }'
config 1 "detection: a number from 1 to 60000, not -1" 'port "a" { detection = -1 }'
config 1 "detection: a number from 1 to 60000, not 60001" 'watchdog { detection = 60001 }'
config 1 "integer" 'watchdog { detection = 99999999999999999999 }'
config 1 "integer" 'watchdog { detection = forever }'
config 1 "restoration: a number from 0 to 60000, not 60001" 'port "a" { restoration = 60001 }'
config 1 "interval: a number from 1 to 3600, not 0" 'metrics { interval = 0 }'
config 1 "interval: a number from 1 to 3600, not 3601" 'metrics { interval = 3601 }'
config 1 "is not the name of a device" 'port "a/b" { action = "drop" }'
config 1 "is not the name of a device" "port \"$(printf 'a%.0s' {1..128})\" { action = \"drop\" }"
config 1 ":2: found duplicate title" 'port "a" { action = "off" }' 'port "a" { action = "drop" }'
config 1 ":2: metrics: the section is there twice" 'metrics { interval = 3 }' 'metrics { }'
config 1 ":1: watchdog: the section is there twice" 'watchdog { } ldcp { } watchdog { }'
config 1 "log: /nowhere/log cannot be written: No such file" 'log = "/nowhere/log"'
config 1 "textfile: /nowhere/t cannot be written: No such file" 'metrics { textfile = "/nowhere/t" }'
config 1 "state: /nowhere/s cannot be written: No such file" \
	'ldcp { prefixes = { "10.0.0.0/8" } state = "/nowhere/s" }'
config 0 "" 'log = "/dev/null"' 'metrics { textfile = "/tmp/t" }'
config 1 "no such option 'color'" 'watchdog { color = 3 }'
config 1 "no such option 'detektion'; did you mean 'detection'?" 'watchdog { detektion = 3 }'
config 1 "no such option 'watchdogs'; did you mean 'watchdog'?" 'watchdogs { detection = 3 }'
config 0 "" 'debug = { "events", "watchdogs", "metrics", "config", "ldcp" }'
config 1 'debug: events, watchdogs, metrics, config, ldcp, not "evens"' 'debug = { "ldcp", "evens" }'
config 1 "premature end of file" 'watchdog {'
config 1 "premature end of file" 'log = "not closed'
config 1 "unexpected closing brace" 'watchdog { } }'
config 1 'listen: ADDRESS:PORT, not "nowhere"' 'metrics { listen = "nowhere" }'
config 1 'listen: ADDRESS:PORT, not "127.0.0.1:0"' 'metrics { listen = "127.0.0.1:0" }'
config 1 'listen: ADDRESS:PORT, not "127.0.0.1:65536"' 'metrics { listen = "127.0.0.1:65536" }'
config 1 'listen: ADDRESS:PORT, not "::1:9417"' 'metrics { listen = "::1:9417" }'
config 0 "" 'metrics { listen = "[::1]:65535" }'
config 0 "" 'ldcp { prefixes = { "10.0.0.0/8", "2001:db8::/32" } rate = 100000 mode = 1 }'
config 1 'prefixes: "192.0.2.0/33" is no prefix' 'ldcp { prefixes = { "192.0.2.0/33" } }'
config 1 'prefixes: "h" is no prefix' 'ldcp { prefixes = { "10.0.0.0/8", "h" } }'
config 1 "rate: a number from 1 to 1000000, not 0" 'ldcp { rate = 0 }'
config 1 "rtt: a number from 1 to 1000000, not -1" 'ldcp { rtt = -1 }'
config 0 "" 'ldcp { priority = 3 profile = "lowq" }'
config 1 "priority: a number from 0 to 7, not 8" 'ldcp { priority = 8 }'
config 1 'profile: churn or lowq, not "x"' 'ldcp { profile = "x" }'
config 1 'state: a path from / on, not "x"' 'ldcp { state = "x" }'
test_of daemon_test "from its start to its end"
test_of tc_test "options of the qdisc"
test_of http_test "the endpoint of metrics"
test_of events_test "events that are lost"
test_of rates_test "pauses of five minutes, and their origin"
test_of losses_test "losses, and where" "$root/daemon/prometheus/lossless.rules.yml"
test_of changes_test "changes by other programs"
test_of storms_test "who makes a storm"
test_of deadlocks_test "deadlocks, and their metrics"
test_of congestion_test "regions of congestion, and their metrics"
test_of ldcp_test "routes of LDCP, and how they were before"
exits 1 "/nonexistent: cannot be read: No such file or directory" --check -c /nonexistent
exits 1 "/: cannot be read: Is a directory" --check -c /
exits 2 "Usage: losslessd" -x
exits 0 "Usage: losslessd" --help
end
