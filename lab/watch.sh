#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Watches the guest of a lab run from outside: a process inside would disturb
# it. Prints the progress and the estimated time left, every few seconds. After
# each run prints "run_s" with the CPU seconds of all runs so far, and
# "memory_kb" with the guest's peak memory. Names a process that uses the CPU in a
# run and does not sleep, so that virtual time stands still; if it is so until the
# guest ends, prints this after "stands" as well.
#
# It reads the guest's memory, and lines of its console: "lab: build", "lab: run
# NUMBER of COUNT" and "lab: gather". The estimate assumes that the rest of this
# run's virtual time passes as fast as since its first packets (before them the
# clock jumps, for 0.1 s), and that each following run takes as long as this
# one.
#
# Usage: watch.sh KERNEL NAME DIR PID [SECONDS]
#
# KERNEL is the guest's executable, NAME its name in the output. DIR has
# console.log, and guest.pid as soon as the guest runs. PID is the process that
# starts the guest. SECONDS is the virtual time in which packets of a run are
# sent.

set -uo pipefail

START_US=100000		# START_NS of guest.sh
STANDS_MS=2000		# CPU time without virtual time until a process is named

kernel=$1 name=$2 dir=$3 runner=$4 seconds=${5:-}
ticks=$(getconf CLK_TCK)
tty=
every=10
if [ -t 2 ]; then
	tty=y every=1
fi
every=${LLE_PROGRESS:-$every}

# shellcheck source-path=SCRIPTDIR source=../scripts/job-lib.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/job-lib.sh"

# a wait without a process: sleep(1) would cost more than all the rest
exec {never}<> <(:)
wait_a_bit() { read -rt 0.05 -u "$never"; }

# peek ADDRESS BYTES: prints a number in the memory of the guest's process
peek()
{
	dd if="/proc/$pid/mem" bs="$2" skip=$(($1 / $2)) count=1 status=none 2>/dev/null |
		od -An -tu"$2"
}

# address SYMBOL: prints its address, in hexadecimal
address() { nm "$kernel" | sed -n "s/^\([0-9a-f]*\) . $1\$/0x\1/p"; }

# Sets ms to the time since the start of this script.
read_ms() { ms=$((${EPOCHREALTIME/[.,]/} / 1000 - start_ms)); }

read_us()
{
	us=$(peek "$clock" 8)
	us=$((${us:-0} / 1000))
}

# Sets "of" to the end of this run, and "left", if they are known.
estimate()
{
	local this

	of='' left=''
	[ "$phase" = run ] && [ "$end_us" -gt "$us" ] || return 0
	printf -v of ' of %d.%03d' $((end_us / 1000000)) $((end_us / 1000 % 1000))
	[ "$us" -gt "$traffic_us" ] && [ "$traffic_us" -gt 0 ] || return 0
	read_ms
	this=$(((end_us - us) * (ms - traffic_ms) / (us - traffic_us)))
	time_left $(((this + (count - number) * (this + ms - began_ms)) / 1000))
	left=", $left"
}

# Counts received frames: softnet_data.processed of the CPU, behind 40 bytes
progress()
{
	local frames line of left us

	read_us
	frames=$(peek $((softnet + 40)) 4)
	[ "$us" -gt 0 ] && [ -n "$frames" ] || return	# the guest has just ended
	estimate
	printf -v line '%s: %s, %d s, %d.%06d%s s of virtual time%s, %d packet-hops' \
		"$name" "$phase$which" "$SECONDS" $((us / 1000000)) $((us % 1000000)) \
		"$of" "$left" "$frames"
	if [ -n "$tty" ]; then
		printf '\r%s\033[K' "$line" >&2
	else
		echo "$line" >&2
	fi
}

read_cpu()
{
	local stat fields

	read -r stat <"/proc/$pid/stat" || return
	read -ra fields <<<"${stat##*) }"
	cpu_ms=$(((fields[11] + fields[12]) * 1000 / ticks))
}

# Sets guest_ms to the CPU time of the guest with its processes, which are children.
read_guest_cpu()
{
	local children child stat fields

	guest_ms=0
	read -ra children <"/proc/$pid/task/$pid/children" || :
	for child in "$pid" "${children[@]}"; do
		read -r stat <"/proc/$child/stat" || continue
		read -ra fields <<<"${stat##*) }"
		guest_ms=$((guest_ms + (fields[11] + fields[12] + fields[13] + fields[14]) * 1000 / ticks))
	done
} 2>/dev/null

# memory_at ADDRESS BYTES: prints memory of the guest's process as it is
memory_at()
{
	dd if="/proc/$pid/mem" iflag=skip_bytes,count_bytes skip=$(($1)) count="$2" status=none \
		2>/dev/null
}

# name_of TASK: prints its name, which is where the idle task has "swapper"
name_of()
{
	local offset

	offset=$(memory_at "$idle" 8192 | grep -abom 1 swapper)
	memory_at $(($1 + ${offset%%:*})) 16 | tr -d '\0'
}

# Names a process that has run since virtual time stood still, for STANDS_MS.
find_spinning()
{
	local us task guest_ms

	[ "$phase" = run ] || return 0
	read_us
	task=$(peek $((tasks + 8)) 8)	# cpu_tasks[0].task follows a pid
	[ -n "$task" ] || return 0	# the guest has just ended
	read_guest_cpu
	if [ "$us $task" != "$stood" ] || [ "$((task))" -eq $((idle)) ]; then
		stood="$us $task" stood_ms=$guest_ms stands=''
	elif [ -z "$stands" ] && [ $((guest_ms - stood_ms)) -ge $STANDS_MS ]; then
		printf -v stands '%s: process "%s" has used %d s of CPU without sleeping: virtual time stands at %d.%06d s' \
			"$name" "$(name_of "$task")" $((STANDS_MS / 1000)) $((us / 1000000)) $((us % 1000000))
		echo "${tty:+$'\n'}$stands" >&2
	fi
}

enter()
{
	local before=$phase before_ms=$cpu_ms us

	phase=$1 which=''
	read_cpu
	[ "$before" != run ] || run_ms=$((run_ms + cpu_ms - before_ms))
	case $phase in
	build)
		read_ms
		began_ms=$ms
		;;
	run)
		number=$2 count=$4
		[ "$count" -eq 1 ] || which=" $2 of $4"
		# a further run on the same testbed
		[ "$before" = build ] || { read_ms; began_ms=$ms; }
		read_us
		began_us=$us traffic_us=0
		[ -z "$seconds" ] || end_us=$(awk -v s="$seconds" -v us=$((us + START_US)) \
			'BEGIN { printf "%d", us + s * 1e6 }')
		;;
	gather)
		printf 'run_s %d.%03d\n' $((run_ms / 1000)) $((run_ms % 1000))
		memory
		;;
	esac
}

see_traffic()
{
	local us

	[ "$phase" = run ] && [ "$traffic_us" -eq 0 ] || return 0
	read_us
	[ "$us" -ge $((began_us + START_US)) ] || return 0
	read_ms
	traffic_us=$us traffic_ms=$ms
}

memory() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/memory_kb \1/p' "/proc/$pid/status"; }

until [ -s "$dir/guest.pid" ]; do
	wait_a_bit
	kill -0 "$runner" 2>/dev/null || exit
done
pid=$(<"$dir/guest.pid")
clock=$(address time_travel_time) softnet=$(address softnet_data)
tasks=$(address cpu_tasks) idle=$(address init_task)
start_ms=0
read_ms
start_ms=$ms
phase=boot which='' line='' cpu_ms=0 run_ms=0 end_us=0
stood='' stood_ms=0 stands='' looked=0
next=$((SECONDS + every))
exec {console}<"$dir/console.log"
while [ -r "/proc/$pid/stat" ]; do
	see_traffic
	# a line may be incomplete yet
	while read -r -u "$console" part; do
		line+=$part
		# shellcheck disable=SC2086 # a list of words
		[[ ! $line =~ ^lab:\ (build|run|gather)($|\ ) ]] || enter ${line#lab: }
		line=
	done
	line+=$part
	if [ "$SECONDS" -ne "$looked" ]; then
		looked=$SECONDS
		find_spinning
	fi
	if [ "$SECONDS" -ge "$next" ]; then
		progress
		next=$((SECONDS + every))
	fi
	wait_a_bit
done
[ -z "$tty" ] || printf '\r\033[K' >&2
[ -z "$stands" ] || echo "stands $stands"
