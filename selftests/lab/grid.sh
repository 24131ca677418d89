#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs scenarios of the lab with their defaults, with other seeds, other sizes, and
# extreme keys: no run may break a physical bound, and the expectations must hold
# with each seed. Prints TAP.
#
# Usage: grid.sh [-o DIR] KIND [SCENARIO...]
#
# KIND is seeds, sizes or extreme: it selects the lines of the file `grid`
# beside this script, of all or of the given scenarios. Or it is defaults: each
# scenario with no key but seeds, 1 to 5 and five drawn anew, incasts of 2 to 8
# hosts, and the sweeps in lab/sweeps. Each line is a sweep
# (lle-lab sweep), which does not repeat points that have a result of this
# version. DIR: folder for results (out/grid).
#
# Exit status: 0; 1 a test failed; 2 wrong usage; 4 there is no kernel here.

set -uo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$(dirname "$HERE")")
OUT=$TOP/out/grid
# small, large and medium seeds; chosen before the first run
SEEDS='2 7 13 17 31337 90817 100003 1000003 20260101 123456789 987654321 2147483647'
MTUS='4096 9000'
RATES='25gbit 40gbit 400gbit'
suite=grid
# shellcheck source=selftests/tap.sh
. "$TOP/selftests/tap.sh"

usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# Prints failed expectations and broken bounds, one per line
misses()
{
	local file

	for file in "$1"/*/*/latest/result.json; do
		[ ! -e "$file" ] || jq -r --arg point "$(cut -d/ -f1 <<<"${file#"$1"/}")" '
			(.expected[] | select(.ok | not) |
				"\($point): not \(.metric) \(.operator) \(.value): \(.was)"),
			(.broken_bounds[] | "\($point): BROKEN BOUND \(.)")' "$file"
	done
}

# sweep MAY NAME SCENARIO KEY=VALUE... [-- KEY VALUE...]: all points have
# results and break no bound; MAY also "miss" an expectation, or be "refused"
sweep()
{
	local may=$1 name=$2 scenario=$3

	shift 3
	{
		echo "scenario $scenario"
		while [ $# -gt 0 ] && [ "$1" != -- ]; do
			echo "${1%%=*} ${1#*=}"
			shift
		done
		echo "${*:2}"
	} >"$OUT/files/$name"
	run_sweep "$may" "$name"
}

# run_sweep MAY NAME: runs the file NAME in $OUT/files
run_sweep()
{
	local may=$1 name=$2 rc=0 found

	LLE_SWEEP_OUT=$OUT "$TOP/lab/lle-lab" sweep "$OUT/files/$name" >"$OUT/$name.log" 2>&1 || rc=1
	grep -E ': failed with status |^lle-lab: ' "$OUT/$name.log" | sed 's/^/# /'
	[ "$may" != refused ] || ! grep -q ': failed with status 2: ' "$OUT/$name.log" || rc=0
	found=$(misses "$OUT/$name")
	[ -z "$found" ] || echo "# ${found//$'\n'/$'\n'# }"
	case $may in
	nothing) [ -z "$found" ] || rc=1 ;;
	*) ! grep -q 'BROKEN BOUND' <<<"$found" || rc=1 ;;
	esac
	point $rc "$name"
}

# median NAME METRIC OPERATOR VALUE: the median of a metric over the seeds of a sweep
median()
{
	local value

	value=$(jq -r --arg metric "$2" '[.metrics | getpath($metric / ".")] | .[]' \
		"$OUT/seeds-$1"/*/*/latest/result.json | sort -g | awk '
		{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }')
	echo "# median $2: $value"
	awk "BEGIN { exit !($value $3 $4) }"
	point $? "median $1: $2 $3 $4"
}

# defaults [SCENARIO...]
defaults()
{
	local seeds name

	seeds="1 2 3 4 5 $(shuf -i 1-2147483647 -n 5 | xargs)"
	echo "# seeds: $seeds"
	for name in $("$TOP/lab/lle-lab" list | awk '{ print $1 }' | grep -vxE 'import|run|faults'); do
		[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
		# shellcheck disable=SC2086 # a list of words
		sweep nothing "defaults-$name" "$name" -- SEED $seeds
	done
	[ $# -eq 0 ] || return
	for name in on off; do
		sweep nothing "incast-PFC=$name" incast PFC=$name -- N 2 3 4 5 6 7 8
	done
	for name in "$TOP"/lab/sweeps/*; do
		cp "$name" "$OUT/files"
		run_sweep nothing "${name##*/}"
	done
}

has_key() { "$TOP/lab/lle-lab" keys "$1" | grep -q "^$2="; }

if [ "${1:-}" = -o ] && [ $# -ge 2 ]; then
	OUT=$(realpath -m "$2")
	shift 2
fi
case ${1:-} in
-h | --help) usage; exit ;;
seeds) kind='seeds|median' ;;
sizes | extreme | defaults) kind=$1 ;;
*) usage >&2; exit 2 ;;
esac
shift

mkdir -p "$OUT/files"
LLE_LAB_BUILT=$("$TOP/lab/build.sh") || exit
export LLE_LAB_BUILT
[ "$kind" != defaults ] || defaults "$@"
while read -r line scenario keys; do
	[ $# -eq 0 ] || [[ " $* " == *" $scenario "* ]] || continue
	name=${keys:+ $keys}
	name=$scenario${name// /,}
	# shellcheck disable=SC2086 # lists of words
	case $line in
	seeds) sweep nothing "seeds-$name" "$scenario" $keys -- SEED $SEEDS ;;
	median) median "${name%%,--*}" ${keys#*-- } ;;
	extreme) sweep refused "extreme-$name" "$scenario" $keys -- SEED 1 ;;
	sizes)
		! has_key "$scenario" MTU || sweep miss "MTU-$name" "$scenario" $keys -- MTU $MTUS
		sweep miss "RATE-$name" "$scenario" $keys -- RATE $RATES
		;;
	esac </dev/null
done < <(grep -E "^($kind) " "$HERE/grid")
end
