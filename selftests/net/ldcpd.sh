#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# losslessd configures a host for LDCP, and restores all its changes: h has d0
# (192.0.2.1/24) and d1 (198.51.100.1/24).

ALL_TESTS="sets metrics_stay part_of_a_route all_kinds put_back killed reload by_hand
	made_again settings no_module unwritable
	marks marks_killed marks_by_hand marks_wrong counts"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

CONF=/tmp/lossless.conf
LOG=/tmp/lossless.log
STATE=/tmp/ldcp.json
CC=/proc/sys/net/ldcp

h() { ip netns exec t-h "$@"; }

setup()
{
	local i

	rm -f $LOG $STATE
	[ -d /sys/module/tcp_ldcp ] || insmod "${LLE_MODULES:-/mods}/tcp_ldcp.ko"
	ip netns add t-h
	defer ip netns del t-h
	for i in 0 1; do
		ip -n t-h link add d$i type dummy
		ip -n t-h link set d$i up
	done
	ip -n t-h addr add 192.0.2.1/24 dev d0
	ip -n t-h addr add 198.51.100.1/24 dev d1
	check "no IPv6" h sysctl -qw net.ipv6.conf.d0.disable_ipv6=0 2>/dev/null
	ip -n t-h addr add 2001:db8::1/64 dev d0 nodad
	# routes may change while a link-local address is tentative
	wait_for 5000 settled
}

settled() { [ "$(ip -n t-h -6 addr show tentative)" = "" ]; }

# routes: all routes in the format of ip-route(8), for comparison
routes()
{
	ip -n t-h -d -4 route show table all
	# without the remaining time
	ip -n t-h -d -6 route show table all | sed 's/ expires [^ ]*//'
}

# config LINE...: of section ldcp; other sections may follow after a }
config() { printf '%s\n' "log = \"$LOG\"" "ldcp {" "state = \"$STATE\"" "$@" "}" >$CONF; }

start()
{
	ip netns exec t-h losslessd -c $CONF 2>/tmp/losslessd.err &
	daemon=$!
	defer stop TERM
	check "it does not run" wait_for 5000 listening
}

# the daemon is ready when it listens to events, after its initial changes
listening()
{
	# shellcheck disable=SC2016 # awk's
	h awk '$2 == 16 && $4 != "00000000" { found = 1 } END { exit !found }' \
		/proc/net/netlink
}

stop()
{
	kill "-$1" $daemon 2>/dev/null
	wait $daemon 2>/dev/null
}

# ldcp ROUTE: does ROUTE have LDCP?
ldcp() { ip -n t-h route show "$1" | grep -q 'congctl ldcp'; }

until_ldcp() { check "$1 has no LDCP: $(ip -n t-h route show "$1")" wait_for 5000 ldcp "$1"; }

# 10 Gbit/s and 40 us are 33 packets
sets()
{
	setup
	config 'prefixes = { "192.0.2.0/24" }' 'rate = 10000' 'rtt = 40'
	start
	until_ldcp 192.0.2.0/24
	equal "metrics" "$(ip -n t-h route show 192.0.2.0/24 | grep -o 'initcwnd.*')" \
		"initcwnd 33 features ecn initrwnd 33 quickack 1 congctl ldcp "
	check "another, too" not ldcp 198.51.100.0/24
}

not() { ! "$@"; }

# Other attributes of a route stay.
metrics_stay()
{
	setup
	ip -n t-h route add 203.0.113.0/24 via 192.0.2.9 mtu 1400 congctl cubic initcwnd 5 \
		rto_min 5ms
	config 'prefixes = { "203.0.113.0/24" }'
	start
	until_ldcp 203.0.113.0/24
	equal "metrics" "$(ip -n t-h route show 203.0.113.0/24 | grep -o 'mtu 1400\|rto_min lock 5ms\|cubic\|initcwnd [0-9]*' | xargs)" \
		"mtu 1400 initcwnd 33 rto_min lock 5ms"
}

# With a default route only, the prefix gets a temporary route of its own.
part_of_a_route()
{
	local before

	setup
	ip -n t-h route add default via 192.0.2.9
	before=$(routes)
	config 'prefixes = { "203.0.113.0/24", "2001:db8:1::/48" }'
	start
	until_ldcp 203.0.113.0/24
	equal "its way" "$(ip -n t-h route show 203.0.113.0/24 | grep -o 'via 192.0.2.9 dev d0')" \
		"via 192.0.2.9 dev d0"
	check "all have it" not ldcp default
	stop TERM
	equal "routes" "$(routes)" "$before"
}

# Routes of all kinds in a prefix
kinds()
{
	ip -n t-h route add 203.0.113.0/26 nexthop via 192.0.2.9 weight 3 \
		nexthop via 198.51.100.9
	ip -n t-h nexthop add id 7 via 192.0.2.8 dev d0
	ip -n t-h route add 203.0.113.64/26 nhid 7
	ip -n t-h route add 203.0.113.128/26 via 10.9.9.9 dev d1 onlink proto 77 metric 50 \
		src 198.51.100.1
	ip -n t-h route add 203.0.113.128/26 dev d0 metric 60 mtu lock 1300
	ip -n t-h route add 203.0.113.192/26 dev d0 tos 0x10 realm 5
	ip -n t-h route add blackhole 203.0.113.250
	ip -n t-h -6 route add 2001:db8:2::/64 via 2001:db8::9 metric 77 pref high
	ip -n t-h -6 route add 2001:db8:3::/64 nexthop via 2001:db8::8 nexthop via 2001:db8::9
}

# all_are N: N routes have LDCP
all_are() { [ "$({ ip -n t-h -4 -o route; ip -n t-h -6 -o route; } | grep -c 'congctl ldcp')" = "$1" ]; }

all_kinds()
{
	local before

	setup
	kinds
	before=$(routes)
	config 'prefixes = { "0.0.0.0/0", "2001:db8::/32" }'
	start
	check "not all have it: $(routes)" wait_for 5000 all_are 10
	stop TERM
	equal "routes" "$(routes)" "$before"
	check "a state is left" test ! -e $STATE
}

put_back()
{
	local before

	setup
	before=$(routes)
	config 'prefixes = { "192.0.2.0/24", "2001:db8::/64" }'
	start
	until_ldcp 192.0.2.0/24
	stop TERM
	equal "routes" "$(routes)" "$before"
}

# A killed daemon leaves its changes to the next one, which may have other
# prefixes.
killed()
{
	local before

	setup
	kinds
	before=$(routes)
	config 'prefixes = { "0.0.0.0/0", "2001:db8::/32" }' 'mode = 1'
	start
	check "not all have it" wait_for 5000 all_are 10
	stop KILL
	check "no state" test -e $STATE
	config 'prefixes = { "192.0.2.0/24" }'
	start
	check "not one has it: $(routes)" wait_for 5000 all_are 1
	equal "mode" "$(h cat $CC/mode)" 0
	stop KILL
	start
	stop TERM
	equal "routes" "$(routes)" "$before"
}

reload()
{
	setup
	config 'prefixes = { "192.0.2.0/24" }'
	start
	until_ldcp 192.0.2.0/24
	config 'prefixes = { "198.51.100.0/24" }'
	kill -HUP $daemon
	until_ldcp 198.51.100.0/24
	check "the first one has it still" not ldcp 192.0.2.0/24
}

# A route that is changed by hand meanwhile stays as it is at the end.
by_hand()
{
	setup
	ip -n t-h route add 203.0.113.0/24 via 192.0.2.9
	config 'prefixes = { "203.0.113.0/24" }'
	start
	until_ldcp 203.0.113.0/24
	ip -n t-h route replace 203.0.113.0/24 via 192.0.2.10
	stop TERM
	equal "way" "$(ip -n t-h route show 203.0.113.0/24 | xargs)" \
		"203.0.113.0/24 via 192.0.2.10 dev d0"
}

# A route that is deleted and added again gets LDCP again, at the next check.
made_again()
{
	local before

	setup
	config 'prefixes = { "192.0.2.0/24" }' '}' 'metrics {' 'interval = 1'
	start
	until_ldcp 192.0.2.0/24
	ip -n t-h link set d0 down
	ip -n t-h link set d0 up
	before=$(ip -n t-h -d -4 route)
	until_ldcp 192.0.2.0/24
	stop TERM
	equal "routes" "$(ip -n t-h -d -4 route)" "$before"
}

settings()
{
	setup
	config 'prefixes = { "192.0.2.0/24" }' 'gamma = 128' 'min_window = 32'
	start
	until_ldcp 192.0.2.0/24
	equal "set" "$(h cat $CC/gamma $CC/min_window | xargs)" "128 32"
	stop TERM
	equal "put back" "$(h cat $CC/gamma $CC/min_window | xargs)" "256 16"
}

# said TEXT: the log has TEXT
said() { grep -q "$1" $LOG; }

no_module()
{
	local before

	setup
	check "tcp_ldcp stays" wait_for 5000 eval 'rmmod tcp_ldcp 2>/dev/null'
	before=$(routes)
	config 'prefixes = { "192.0.2.0/24" }' 'mode = 1'
	start
	check "not said" wait_for 5000 said "tcp_ldcp is not loaded"
	equal "routes" "$(routes)" "$before"
}

# Without a state file the daemon changes nothing.
unwritable()
{
	local before

	setup
	before=$(routes)
	STATE=/nowhere/ldcp.json config 'prefixes = { "192.0.2.0/24" }'
	start
	check "not said" wait_for 5000 said "no route is changed"
	equal "routes" "$(routes)" "$before"
}

# ports: d0 has WRED of its own, d1 none
ports()
{
	check "no port" tc -n t-h qdisc replace dev d0 root lossless rate 10gbit \
		wred 3 kmin 10k kmax 20k pmax 10% bufmax 1mb ecn wred 4 kmin 1k kmax 2k pmax 1%
	check "no port" tc -n t-h qdisc replace dev d1 root lossless rate 1gbit
}

# wred DEV: of priority 3
wred()
{
	tc -n t-h -j qdisc show dev "$1" root |
		jq -c '.[0].options.wred // [] | map(select(.prio == 3)) | .[]'
}

marked_as() { [ "$(wred "$1")" = "$2" ]; }

# wred_of KMIN KMAX: Not-ECT packets are dropped from KMAX on
wred_of()
{
	echo "{\"prio\":3,\"kmin\":$1,\"kmax\":$2,\"pmax\":100,\"nonect\":$2,\"bufmax\":0,\"ecn\":true}"
}

# in the format of tc(8), without handles
qdiscs() { tc -n t-h -d qdisc | sed 's/lossless [0-9a-f]*:/lossless/'; }

# 10 Gbit/s and 40 us are 50000 bytes, and a twentieth is less than two packets;
# at 1 Gbit/s two packets are less than 16.
marks()
{
	local before

	setup
	ports
	before=$(qdiscs)
	config 'priority = 3' 'rate = 10000' 'rtt = 40' '}' 'metrics {' 'interval = 1'
	start
	check "d0: $(wred d0)" wait_for 5000 marked_as d0 "$(wred_of 3076 103076)"
	check "d1: $(wred d1)" wait_for 5000 marked_as d1 "$(wred_of 3076 27684)"
	check "the rate" wait_for 5000 said "is more than the 1000 of the port carry"
	# a new port
	tc -n t-h qdisc del dev d1 root
	tc -n t-h qdisc add dev d1 root lossless rate 1gbit
	check "again: $(wred d1)" wait_for 5000 marked_as d1 "$(wred_of 3076 27684)"
	stop TERM
	equal "ports" "$(qdiscs)" "$before"
	check "a state is left" test ! -e $STATE
}

# The profile changes while the daemon is killed and restarted.
marks_killed()
{
	local before

	setup
	ports
	before=$(qdiscs)
	config 'priority = 3' 'rate = 10000' 'rtt = 40'
	start
	check "d0: $(wred d0)" wait_for 5000 marked_as d0 "$(wred_of 3076 103076)"
	stop KILL
	config 'priority = 3' 'rate = 10000' 'rtt = 40' 'profile = "lowq"'
	start
	check "d0: $(wred d0)" wait_for 5000 marked_as d0 "$(wred_of 3076 53076)"
	stop TERM
	equal "ports" "$(qdiscs)" "$before"
}

# A change by hand stays, and is logged.
marks_by_hand()
{
	setup
	ports
	config 'priority = 3' '}' 'metrics {' 'interval = 1'
	start
	check "d0: $(wred d0)" wait_for 5000 marked_as d0 "$(wred_of 3076 103076)"
	check "told at once" not said "marks are not"
	tc -n t-h qdisc change dev d0 root lossless wred 3 kmin 7k kmax 8k pmax 100% ecn
	check "not told" wait_for 5000 said "port d0, priority 3, LDCP: marks are not as rate and rtt ask for: kmin 3076 kmax 103076 nonect 103076, and not 7168 8192 0"
	stop TERM
	equal "d0" "$(wred d0 | jq .kmin)" 7168
	equal "d1" "$(wred d1)" ""
}

# LDCP on a priority with PFC is an error
marks_wrong()
{
	setup
	ports
	tc -n t-h qdisc replace dev d1 root lossless rate 10gbit buffer 12mb prio-pfc 3:on
	config 'priority = 3' '}' 'metrics {' 'interval = 1'
	start
	check "not told" wait_for 5000 said "port d1, priority 3, LDCP: it is lossless"
	check "not refused" said "nonect would drop packets of a priority with PFC"
	equal "d1" "$(wred d1)" ""
	tc -n t-h qdisc change dev d1 root lossless prio-pfc 3:off
	check "not mended" wait_for 5000 said "d1, priority 3, LDCP: no longer: it is lossless"
}

scrape() { h curl -s http://127.0.0.1:9417/metrics; }

# both ends of a socket
has_sockets() { [ "$(h losslessctl -j ldcp | jq 'map(select(.cc == "ldcp")) | length')" -ge 2 ]; }

# Metrics have the counters of the module, and the sockets.
counts()
{
	setup
	ip -n t-h link set lo up
	h sysctl -qw net.ipv4.tcp_ecn=1
	ip -n t-h route replace local 127.0.0.2 dev lo congctl ldcp initcwnd 10 table local
	config 'prefixes = { "192.0.2.0/24" }' '}' 'metrics {' 'listen = "127.0.0.1:9417"'
	start
	h iperf3 -s -D -B 127.0.0.2 -1 >/dev/null
	check "no server" wait_for 5000 eval 'h ss -Hltn | grep -q 5201'
	ip netns exec t-h iperf3 -c 127.0.0.2 -t 3 >/dev/null &
	check "no sockets: $(h losslessctl ldcp)" wait_for 3000 has_sockets
	wait $!
	scrape | grep ldcp >/tmp/metrics
	equal "metrics" "$(grep -c '^lossless_ldcp_[a-z_]*_total [0-9]*$' /tmp/metrics)" 8
	check "flows" test "$(sed -n 's/^lossless_ldcp_flows_total //p' /tmp/metrics)" -ge 2
	check "packets" test "$(sed -n 's/^lossless_ldcp_packets_total //p' /tmp/metrics)" -ge 10
}

llet_main
