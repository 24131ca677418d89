#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The worked examples of Documentation/guide/mininet.rst, by the commands of the page:
# Mininet, Containerlab, GraphML. An incast of iperf3 loses nothing, and there are
# pauses. Without PFC the same incast drops packets.

ALL_TESTS="mininet mininet_without_pfc mininet_fabric mininet_refuses containerlab
	containerlab_without_pfc graphml"

# shellcheck source=selftests/net/lib.sh
. "$(dirname "$0")/lib.sh"

DOC=${LLE_DOC:-/usr/share/doc/lossless-testbed}
BYTES=4194304		# of each sender

# commands SECTION: the commands of a section of the page, in one script
commands()
{
	awk -v section="$1" '
		/^[=]+$/ && last != "" { on = last == section }
		{ last = $0 }
		on && /^\t# / { sub(/^\t# /, ""); print; more = 1; next }
		# lines that go on, as those of a loop
		on && more && /^\t +/ { print; next }
		{ more = 0 }
	' "$DOC/mininet.rst"
}

# needs MODULE...: Python has them; else the test is skipped
needs()
{
	local module

	for module; do
		python3 -c "import $module" 2>/dev/null && continue
		llet_skip "no Python module $module"
		return 1
	done
	[ -e "$DOC/mininet.rst" ] || { llet_skip "no $DOC/mininet.rst"; return 1; }
}

# line FILE N: line N of the output of incast.py
line() { grep -aE '^(arrived|sent) ' "$1" | sed -n "$2p"; }

# numbers TEXT: the numbers in it
numbers() { grep -oE '[0-9]+' <<<"$1" | tr '\n' ' '; }

# all_arrived BYTES: of four senders; when the senders end, iperf3 does not count what is
# in the queues of hosts and switch. Its control connection, of priority 0, does not
# wait for these.
all_arrived() { between "arrived" "${1:-0}" $((4 * BYTES - 4194304)) $((4 * BYTES)); }

# The first two commands of the section; those without PFC are a test of their own.
mininet()
{
	local arrived dropped pauses received script

	needs mininet || return
	script=$(commands Mininet | head -n 2)
	equal "commands" "$script" $'cd /usr/share/doc/lossless-testbed/examples\n./incast.py'
	bash -e -c "$script" >/tmp/incast 2>&1 || llet_fail "$(tail -n 5 /tmp/incast)"
	read -r arrived dropped < <(numbers "$(line /tmp/incast 1)")
	read -r pauses received < <(numbers "$(line /tmp/incast 2)")
	all_arrived "$arrived"
	equal "dropped" "$dropped" 0
	check "no pauses" test "${pauses:-0}" -gt 0
	check "hosts honour no pauses" test "${received:-0}" -gt 0
	echo "# $(line /tmp/incast 1); $(line /tmp/incast 2)"
	nothing_left
}

# No device, namespace or process of Mininet stays.
nothing_left()
{
	equal "devices left" "$(ip -o link show type veth; ip -o link show type bridge)" ""
	check "hosts left" test -z "$(pgrep -f mininet:)"
}

mininet_without_pfc()
{
	local arrived dropped pauses

	needs mininet || return
	equal "command" "$(commands Mininet | sed -n 3p)" "./incast.py --no-pfc"
	bash -e -c "$(commands Mininet | sed '2d')" >/tmp/incast 2>&1 ||
		llet_fail "$(tail -n 5 /tmp/incast)"
	read -r arrived dropped < <(numbers "$(line /tmp/incast 1)")
	read -r pauses _ < <(numbers "$(line /tmp/incast 2)")
	all_arrived "$arrived"
	check "nothing was dropped" test "${dropped:-0}" -gt 0
	equal "pauses" "$pauses" 0
	echo "# $(line /tmp/incast 1)"
}

# python TEXT: runs a program, and prints what it prints
python()
{
	printf '%s\n' 'from lossless_mininet import *' 'from mininet.net import Mininet' \
		'net = Mininet(switch=LosslessSwitch, host=LosslessHost, link=LosslessLink, controller=None)' \
		"$1" >/tmp/program.py
	python3 /tmp/program.py 2>&1
}

# Two switches, one of them in a namespace of its own, and options of each kind.
mininet_fabric()
{
	needs mininet || return
	python "$(cat <<-'END'
		import json
		a = net.addSwitch('a', options='buffer 1mb')
		b = net.addSwitch('b', inNamespace=True, number=77)
		x, y = net.addHost('x'), net.addHost('y', options='rx-rate 50mbit')
		net.addLink(x, a, rate='100mbit', delay='5us', pfc=(4, 3))
		net.addLink(a, b, rate='200mbit', delay=None, pfc='all', options='alpha 1/8')
		net.addLink(y, b, pfc=None)
		net.start()
		for node in net.switches + net.hosts:
		    for dev, port in node.stats().items():
		        option = port['options']
		        print(dev, option['switch'], option['facing'], option['prio_pfc'], option['rate'],
		              option['delay'], option['role'], option.get('rx_rate'))
		print('lost', net.pingAll())
		print(dropped(net), pauses(net))
		net.stop()
		END
	)" >/tmp/said
	equal "ports" "$(grep -E '^[abxy]-eth. ' /tmp/said)" "$(cat <<-'END'
		a-eth1 1 edge [3, 4] 12500000 5000 switch None
		a-eth2 1 fabric [0, 1, 2, 3, 4, 5, 6, 7] 25000000 0 switch None
		b-eth1 77 fabric [0, 1, 2, 3, 4, 5, 6, 7] 25000000 0 switch None
		b-eth2 77 edge [] 125000000 1000 switch None
		x-eth0 0 edge [3, 4] 12500000 5000 host None
		y-eth0 0 edge [] 125000000 1000 host 6250000
		END
	)"
	check "packets lost: $(tail -n 3 /tmp/said)" grep -q '^lost 0.0' /tmp/said
	check "drops or pauses: $(tail -n 3 /tmp/said)" grep -qx '0 0' /tmp/said
	nothing_left
}

# Errors of tc end the program, with what tc said; nothing stays.
mininet_refuses()
{
	local words said

	needs mininet || return
	while IFS='|' read -r words said; do
		check "$words" grep -qF "$said" < <(python "net.addLink(net.addHost('h'), net.addSwitch('s'), $words)")
		nothing_left
	done <<-'END'
		rate='fast'|LosslessError: h: tc qdisc replace dev h-eth0 root handle 1: lossless rate fast
		rate='fast'|rate: "fast" is not a rate of 8kbit..1tbit.
		options='xoff 1kb headroom'|LosslessError: h: tc
		options='quanta 2000 strict 8'|bands: strict and quanta
		pfc=8|ValueError: pfc: 8 is not None, "all", or priorities of 0 to 7
		pfc=(3, 'x')|ValueError: pfc: (3, 'x') is not None
	END
	said=$(python "s = net.addSwitch('lo'); net.start()")
	check "a bridge that cannot be made: $said" grep -q 'LosslessError: lo: ip link add name lo' <<<"$said"
	ip link del lo 2>/dev/null
}

# testbed SECTION [SED]: runs the commands of a section, changed by SED; sets dropped
# and pauses
testbed()
{
	local count

	defer gone
	commands "$1" | sed "${2:-}" >/tmp/commands
	check "no commands" test "$(wc -l </tmp/commands)" -ge 8
	bash -e /tmp/commands >/tmp/said 2>&1 || llet_fail "$(tail -n 5 /tmp/said)"
	equal "receivers" "$(grep -c receiver /tmp/said)" 3
	# what the last two but one commands have printed
	count=$(grep -xE '[0-9]+' /tmp/said)
	{ read -r dropped; read -r pauses; } <<<"$count"
	echo "# $1 ${2:+without PFC}: ${dropped:-?} dropped, ${pauses:-?} pauses"
	check "a testbed is left" test ! -e /run/lle-testbed/lle
}

gone() { lle-testbed down 2>/dev/null; }

lossless()
{
	local dropped pauses

	testbed "$1"
	equal "dropped" "$dropped" 0
	check "no pauses" test "${pauses:-0}" -gt 0
}

containerlab()
{
	needs yaml || return
	lossless Containerlab
}

containerlab_without_pfc()
{
	local dropped pauses

	needs yaml || return
	sed 's/pfc: "3"/pfc: none/' "$DOC/examples/incast.clab.yml" >/tmp/lossy.clab.yml
	testbed Containerlab 's|file incast|file /tmp/lossy|'
	check "nothing was dropped" test "${dropped:-0}" -gt 0
	equal "pauses" "$pauses" 0
}

graphml()
{
	needs networkx || return
	lossless GraphML
}

llet_main
