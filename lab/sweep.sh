#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a scenario of the lab with all combinations of some keys' values.
#
# Usage: sweep.sh FILE
#
# FILE, or a name in lab/sweeps, has lines, and comments that begin with #:
#
#	scenario NAME		the first line
#	KEY VALUE...		a key of the scenario, or SEED
#	plot METRIC KEY [KEY]	METRIC over the first KEY, a line for each value
#				of the second; mean, minimum and maximum over
#				all other keys
#
# Writes to out/sweep/NAME-OF-FILE a folder for each combination (a point),
# results.csv with a line for each, plots, and index.html. A point is not run
# again if it has a result of this version of kernel, modules and scenario.
# LLE_SWEEP_OUT: another folder than out/sweep. LLE_LAB_BUILT: as for lab.sh.
#
# SWEEP_ENGINE: local (runs SWEEP_JOBS points in parallel, by default one for
# each CPU), or slurm (a job array; the tree is on a file system that all nodes
# share).
#
# Exit status: 0 all points have results, which may miss expectations; 1 some
# have none; 2 wrong use; 4 the kernel cannot be had.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
LAB=$TOP/lab/scenarios

# shellcheck source-path=SCRIPTDIR source=../scripts/job-lib.sh
. "$HERE/../scripts/job-lib.sh"
number=0

# shellcheck source-path=SCRIPTDIR source=report/plot.sh
. "$HERE/report/plot.sh"
# shellcheck source=lab/scenarios/keys.sh
. "$LAB/keys.sh"

usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }
die() { echo "sweep.sh: $*" >&2; exit 2; }
bad() { die "$file, line $number: $*"; }

key_line()
{
	local key=$1 value seen=' '

	shift
	[ -n "${default[$key]+set}" ] || bad "$SCENARIO has no key '$key'"
	[ -z "${values[$key]:-}" ] || bad "'$key' is there twice"
	[ $# -gt 0 ] || bad "no value of '$key'"
	for value in "$@"; do
		[[ $value =~ ^[A-Za-z0-9.:_/%+,-]+$ ]] || bad "'$value' is not a value"
		[[ $seen != *" $value "* ]] || bad "'$value' is there twice"
		seen+="$value "
	done
	varied+=("$key")
	values[$key]=$*
}

plot_line()
{
	local key

	[ $# -eq 2 ] || [ $# -eq 3 ] || bad "not METRIC KEY [KEY]"
	for key in "${@:2}"; do
		[ -n "${values[$key]:-}" ] || bad "there is no line '$key' above"
	done
	plots+=("$*")
}

# Sets SCENARIO, varied (keys), values (by key) and plots.
read_file()
{
	local words

	SCENARIO='' varied=() plots=()
	declare -gA values=()
	while read -ra words || [ ${#words[@]} -gt 0 ]; do
		number=$((number + 1))
		set -- "${words[@]}"
		case ${1:-} in
		'') continue ;;
		scenario)
			[ -z "$SCENARIO" ] || bad "a second scenario"
			grep -qs '^# keys: ' "$LAB/${*:2}.sh" ||
				bad "there is no scenario '${*:2}'"
			SCENARIO=$2
			declare_keys
			continue
			;;
		esac
		[ -n "$SCENARIO" ] || bad "the scenario comes first"
		case $1 in
		plot) plot_line "${@:2}" ;;
		[A-Z]*) key_line "$@" ;;
		*) bad "'$1' is not scenario, plot or a key" ;;
		esac
	done < <(sed 's/#.*//' "$file")
	[ -n "$SCENARIO" ] || bad "no scenario"
}

# all_points KEY=VALUE...: prints all combinations that begin with these
all_points()
{
	local key value name

	if [ $# -eq ${#varied[@]} ]; then
		name=${*//\//_}
		echo "${name// /,} $*"
		return
	fi
	key=${varied[$#]}
	for value in ${values[$key]}; do
		all_points "$@" "$key=$value"
	done
}

# version_of KEY=VALUE...: prints the version of a point, if it is not refused
version_of()
{
	if grep -q '^# key [A-Z]*: path' "$HERE/scenarios/$SCENARIO.sh"; then
		LLE_LAB_BUILT=$built "$HERE/lab.sh" -v "$SCENARIO" "$@" 2>/dev/null || echo refused
	else
		echo "$version"
	fi
}

missing()
{
	local name pairs

	while read -r name pairs; do
		# shellcheck disable=SC2086 # a list of words
		[ "$(cat "$name/version" 2>/dev/null)" = "$(version_of $pairs)" ] ||
			echo "$name $pairs"
	done <points
}

# tell POINTS JOBS: prints the result of each point, after the progress
tell()
{
	local ended=0 beside line left

	SECONDS=0
	while IFS= read -r line; do
		ended=$((ended + 1))
		beside=$(($1 - ended < $2 - 1 ? $1 - ended : $2 - 1))
		time_left $((SECONDS * (2 * ($1 - ended) - beside) / (2 * ended + beside)))
		echo "[$ended of $1, $left] $line"
	done
}

run_local()
{
	local jobs=${SWEEP_JOBS:-$(nproc)}

	seq "$1" | xargs -P "$jobs" -I{} "$HERE/sweep-point.sh" . {} "$1" | tell "$1" "$jobs"
}

# A job array has at most 1000 tasks by default.
run_slurm()
{
	local tasks=$(($1 < 1000 ? $1 : 1000))

	rm -rf slurm
	mkdir slurm
	sbatch --wait --quiet --job-name="lle-$name" --array="1-$tasks" --cpus-per-task=1 \
		--output="$PWD/slurm/%a" --wrap "$(printf '%q ' "$HERE/sweep-point.sh" \
		"$PWD") \$SLURM_ARRAY_TASK_ID $tasks" || :
	cat slurm/*
}

report()
{
	local plot metric over data
	export SCENARIO

	new_plots
	"$REPORT/sweep.py" csv >results.csv
	[ "$(wc -l <results.csv)" -gt 1 ] || return 0
	for plot in "${plots[@]}"; do
		read -r metric over <<<"$plot"
		# shellcheck disable=SC2086 # a list of words
		data=$("$REPORT/sweep.py" data "$metric" $over) || continue
		{ echo "$data"; cat "$REPORT/sweep.gp"; } |
			plot "${plot// /-}"
	done
	"$REPORT/sweep.py" page
}

case ${1:-} in
-h | --help) usage; exit ;;
'' | -*) usage >&2; exit 2 ;;
esac
file=$1
engine=${SWEEP_ENGINE:-local}
[ -r "$file" ] || file=$HERE/sweeps/$file
[ -r "$file" ] || die "there is no file '$1'"
[[ $engine = local || $engine = slurm ]] || die "there is no engine '$engine'"
read_file
name=$(basename "$file")
out=${LLE_SWEEP_OUT:-$TOP/out/sweep}/$name
mkdir -p "$out"
built=${LLE_LAB_BUILT:-$("$HERE/build.sh")}

cp "$file" "$out/sweep"
cd "$out"
all_points >points
all=$(wc -l <points)
version=$(LLE_LAB_BUILT=$built "$HERE/lab.sh" -v "$SCENARIO")
missing >todo
printf '%s\n' "$SCENARIO" "$version" "$built" >run
todo=$(wc -l <todo)
echo "$name: $all points of $SCENARIO, $todo of them to be run"
[ "$todo" -eq 0 ] || "run_$engine" "$todo"
missing >failed
report
while read -r _ point; do
	echo "no result: $point"
done <failed
echo "page: $out/index.html"
[ ! -s failed ]
