#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Script for the scenario faults: programs as they are, which TCP and QUIC carry over a bad network.
#
# Exit status: 0; 1 a file did not arrive whole

set -euo pipefail

BYTES=5000000

# fetch NAME COMMAND...: repeats the command until it has fetched a file, and compares it
fetch()
{
	until "${@:2}"; do
		sleep 0.2
	done 2>>"$1.log" >&2
	cmp /tmp/www/file "$1/file" && echo "$1: received"
}

mkdir /tmp/www nginx quic
head -c $BYTES /dev/urandom >/tmp/www/file

h1 iperf3 -s >/dev/null &

# clients of nginx on h2 know the address of h3
cat >/tmp/nginx.conf <<-END
	user root;
	events {}
	http { access_log off; server { listen 80; root /tmp/www; } }
END
h2 nginx -c /tmp/nginx.conf
h3 sysctl -qw net.ipv4.ip_forward=1
h3 nft -f - <<-END
	table ip nat {
		chain in {
			type nat hook prerouting priority dstnat
			tcp dport 80 dnat to $(awk '$2 == "h2" { print $1; exit }' /etc/hosts)
		}
		chain out {
			type nat hook postrouting priority srcnat
			masquerade
		}
	}
END

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=h4 \
	-keyout key -out cert 2>/dev/null
h4 gtlsserver -q -d /tmp/www h4 4433 key cert &

h16 iperf3 -6 -c h1 -n $BYTES --connect-timeout 1000 >iperf.txt &
iperf=$!
fetch nginx h15 curl -sS -m 10 -o nginx/file http://h3/file &
nginx=$!
fetch quic h14 timeout 10 gtlsclient -q --exit-on-all-streams-close --download=quic h4 4433 https://h4/file &
quic=$!
wait $iperf
grep receiver iperf.txt
wait $nginx
wait $quic
