#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Script for the scenario run: programs as they are, on hosts of a fat tree. A bulk
# transfer gets the rate of a link, and a time-out of five minutes takes no real time.
# Prints figures.
#
# RATE, MTU: keys of the scenario; RATE is in gbit
#
# Exit status: 0; 1 a figure is not as expected

set -uo pipefail

rc=0

# expect TEXT CONDITION: prints both, and whether the condition of awk holds
expect()
{
	local ok=ok

	awk "BEGIN { exit !($2) }" || { ok='NOT ok'; rc=1; }
	echo "$ok: $1: $2"
}

# Payload of TCP: 52 bytes of headers, and 38 more on the link
limit=$(awk -v gbit="${RATE%gbit}" -v mtu="$MTU" 'BEGIN {
	printf "%.0f", gbit * 1e9 * (mtu - 52) / (mtu + 38) }')
bytes=$((limit / 80))	# of a file: a tenth of a second

# bulk NAME BITS_PER_SECOND: within 2 % of the limit
bulk() { expect "$1" "$2 >= 0.98 * $limit && $2 <= $limit"; }

# until_answer COMMAND...: waits until a server answers
until_answer()
{
	until "$@" >/dev/null 2>&1; do
		sleep 0.1
	done
}

iperf()
{
	h1 iperf3 -s -1 >/dev/null &
	sleep 1
	h16 iperf3 -c h1 -t 1 -J >iperf.json
	bulk iperf3 "$(jq .end.sum_received.bits_per_second iperf.json)"
	expect "iperf3: sent again" "$(jq .end.sum_sent.retransmits iperf.json) == 0"
	wait
}

# A sender that always has data leaves the CPU to the receiver.
udp()
{
	h9 iperf3 -s -1 >/dev/null &
	sleep 1
	h8 iperf3 -c h9 -u -b 0 -n 10M -J >udp.json
	expect "UDP: lost" "$(jq .end.sum.lost_packets udp.json) == 0"
	wait
}

# Two programs of one name draw different addresses.
addresses()
{
	local i

	for i in 0 1; do
		ip link add "own$i" type veth peer name "peer$i"
	done
	expect "addresses of two devices" \
		"\"$(cat /sys/class/net/own0/address)\" != \"$(cat /sys/class/net/own1/address)\""
	ip link del own0
	ip link del own1
}

nginx_curl()
{
	cat >/tmp/nginx.conf <<-END
		user root;
		events {}
		http { access_log off; server { listen 80; root /tmp/www; } }
	END
	mkdir /tmp/www
	head -c $bytes /dev/zero >/tmp/www/zero
	h2 nginx -c /tmp/nginx.conf
	# bytes a second
	bulk "nginx and curl" \
		"$(h15 curl -sS -o /dev/null -w '%{speed_download}' http://h2/zero) * 8"
	h2 nginx -s stop -c /tmp/nginx.conf
}

redis()
{
	h3 redis-server --bind h3 --protected-mode no --save '' --dir /tmp >redis.log &
	until_answer h14 redis-cli -h h3 ping
	h14 redis-benchmark -h h3 -n 10000 -c 10 -t set,get --csv
	h14 redis-cli -h h3 shutdown nosave
	wait
	cp redis.log "$OUT"
}

# A server that never answers
time_out()
{
	local start=$SECONDS

	h5 python3 -c 'import socket, time
server = socket.create_server(("", 80))
time.sleep(1000)' &
	sleep 1
	h12 curl -sS -m 300 http://h5/
	expect "time-out" "$((SECONDS - start)) == 301"
	kill $!
	wait
}

python_server()
{
	(cd /tmp && exec h4 python3 -m http.server 80 2>/dev/null) &
	until_answer h13 curl -s http://h4/
	h13 curl -sS http://h4/nginx.conf | cmp - /tmp/nginx.conf
	expect "python's server and curl: exit status" "$? == 0"
	kill $!
	wait
}

date
h16 ping -c 3 h1
addresses
iperf
udp
nginx_curl
redis
python_server
time_out
date
exit $rc
