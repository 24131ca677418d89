#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the kernel's own tests of bridges, routers and qdiscs
# (selftests/net/forwarding) twice, without and with lossless on the ports, and
# compares each verdict. Needs root, and a machine that may be changed: the
# virtual machine of scripts/vm/test.sh.
#
# Usage: run.sh [NAME...]	default: all tests
#
# LLE_MODULES	folder of lossless.ko and sch_lossless.ko (/mods)
# FORWARDING	folder of the tests
# OUT		folder for the output of the tests: NAME.without, NAME.with

# Each test with its devices, in the order of its arguments: h1 is a host, swp1
# the switch port at the other end, and so on. The test itself sets the root
# qdisc of a device with a "-", so that device never has lossless.
TESTBEDS="
bridge_vlan_aware	h1 swp1 swp2 h2
bridge_sticky_fdb	h1 swp1 h2 swp2
bridge_port_isolation	h1 swp1 swp2 h2 swp3 h3
router_bridge		h1 swp1 swp2 h2
no_forwarding		h1 swp1 h2 swp2
sch_red			-h1 swp1 h2 swp2 -swp3 h3
sch_tbf_root		h1 swp1 -swp2 h2
sch_tbf_prio		h1 swp1 -swp2 h2
sch_tbf_ets		h1 swp1 -swp2 h2
"
# Parts to run of tests that need minutes on an emulated CPU: each nesting once.
declare -A PARTS=(
	[sch_tbf_prio]="ping_ipv4 tbf_test"
	[sch_tbf_ets]="ping_ipv4 tbf_root_test"
)

suite=upstream
# shellcheck source=selftests/tap.sh
. "$(dirname "$0")/../tap.sh"

# testbed DEV...: the cables of a test in a namespace of its own. A test creates
# cables that do not exist; these exist before, to have the qdisc.
testbed()
{
	ip netns add testbed
	while [ $# -gt 0 ]; do
		ip -n testbed link add "${1#-}" type veth peer name "${2#-}"
		shift 2
	done
}

# attach DEV...: adds lossless to a switch with PFC, and to its hosts
attach()
{
	local dev options

	for dev; do
		case $dev in
		-*) continue ;;
		h*) options="role host switch ${dev#h}" ;;
		*) options="switch 0" ;;
		esac
		# shellcheck disable=SC2086 # a list of options
		tc -n testbed qdisc add dev "$dev" root lossless prio-pfc all:on $options
	done
}

# without NAME DEV..., with NAME DEV...: runs the test; the output is
# NAME.without or NAME.with, which ends with the exit status
without() { testbed "${@:2}" && perform without "$@"; ip netns del testbed; }
with()
{
	testbed "${@:2}" && attach "${@:2}" && perform with "$@"
	carried "${@:2}" >"$OUT/$1.carried"
	ip netns del testbed
}

perform()
{
	local how=$1 name=$2

	shift 2
	(cd "$FORWARDING" && TESTS=${PARTS[$name]:-} ip netns exec testbed bash "./$name.sh" "${@#-}"
	 echo "exit status $?") >"$OUT/$name.$how" 2>&1
}

# carried DEV...: prints faults of our qdiscs after the test, or else the
# packets that they sent
carried()
{
	local dev stats sent all=0

	for dev; do
		[[ $dev != -* ]] || continue
		stats=$(tc -n testbed -s -j qdisc show dev "$dev" root)
		if [[ $stats != *'"kind":"lossless"'* ]]; then
			echo "$dev has lost its qdisc"
			continue
		fi
		sent=$(lle_json '.[].packets' <<<"$stats")
		[ "$sent" -gt 0 ] || echo "$dev has not sent anything"
		[ "$(lle_json '.[].prios[].drops[]' <<<"$stats")" -eq 0 ] ||
			echo "$dev has dropped packets"
		all=$((all + sent))
	done
	echo "$all packets"
}

# verdicts FILE: verdicts, one per line, and the exit status
verdicts() { sed -nE 's/^TEST: (.*[^ ]) +\[ *(OK|FAIL|SKIP) *\]$/\2 \1/p; /^exit status /p' "$1"; }

# counts FILE: numbers of verdicts
counts()
{
	verdicts "$1" | awk '{ n[$1]++ }
		END { printf "%d passed, %d failed, %d skipped", n["OK"], n["FAIL"], n["SKIP"] }'
}

# compare NAME: a test point for the two runs
compare()
{
	local out=$OUT/$1 carried

	if [ "$(tail -n 1 "$out.without")" = "exit status 4" ]; then
		point 0 "$1 # $(grep -m 1 SKIP: "$out.without")"
		return
	fi
	carried=$(<"$out.carried")
	report "$1: $(counts "$out.without"); with lossless $(counts "$out.with"), ${carried##*$'\n'}" \
		"$(grep -q '^OK' <(verdicts "$out.without") || echo "nothing passes without lossless"
		   diff -U 0 <(verdicts "$out.without") <(verdicts "$out.with") | grep '^[-+][^-+]'
		   sed '$d' "$out.carried")"
}

# chosen NAME...: lines of TESTBEDS, all without NAMEs
chosen() { grep -E "^(${*:-.+})\s" <<<"$TESTBEDS"; }

OUT=${OUT:-$(mktemp -d)}
mapfile -t tests < <(IFS='|'; chosen "$@")
[ ${#tests[@]} -gt 0 ] || { echo "Bail out! no such test"; exit 1; }

for test in "${tests[@]}"; do
	read -ra testbed <<<"$test"
	without "${testbed[@]}"
	echo "# ${testbed[0]} without lossless: $(counts "$OUT/${testbed[0]}.without")"
done
insmod "${LLE_MODULES:-/mods}/lossless.ko" && insmod "${LLE_MODULES:-/mods}/sch_lossless.ko" ||
	exit 1
for test in "${tests[@]}"; do
	read -ra testbed <<<"$test"
	with "${testbed[@]}"
	compare "${testbed[0]}"
done
end
