#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command in a kernel that is a process (User Mode Linux); needs no root,
# no network, and nothing of the machine but a C library.
#
# Usage: uml-run.sh [-k KERNEL] [-t SECONDS] [-o DIR] [-s CPUS] [-M MB]
#                   [-S SEED] [-q] [-I] [-r] [-p FILE] [-w FILE]
#                   [-m MODULE]... [-b BIN]... [-f SRC:DST]...
#                   -- COMMAND [ARG...]
#
#  -k  kernel: a name of uml.sh (lab, debug, race, kcsan) or a directory it
#      made; default lab
#  -t  seconds of the host's time until the guest is killed (300)
#  -o  folder for results (out/vm)
#  -s  CPUs (1) of race and kcsan; no more than the host has
#  -M  memory in MB (1024); the host provides only what is used
#  -S  seed of all randomness in lab and debug (1)
#  -q  do not show the guest's output
#  -I  interactive: this terminal is the guest's /dev/ttyS0, and the kernel's
#      messages go to dmesg.txt only; COMMAND asks for lines as in prompt.py.
#      -t 0 then waits for ever
#  -r  the guest can mount the machine's files:
#      mount -t hostfs none DIR -o ro,machine
#  -p  file for the process ID of the kernel
#  -w  memory that kernels share, for lle_wire.ko
#  -m, -b, -f  modules, programs and files to have in the guest: mkinitramfs.sh
#  -h  this text
#
# COMMAND runs as root in /root. Files in the folder $OUT are copied to DIR;
# LLE_KERNEL is the kernel release. DIR also gets console.log (the whole
# console) and dmesg.txt (the kernel log).
#
# In lab and debug time is virtual: it stops while any process runs and jumps
# when all sleep. The same kernel, command, files and SEED give the same console
# and results, byte for byte. A process that spins without reading the time
# spins until -t.
#
# Exit status: COMMAND's own; 97 the kernel panicked, died or logged a warning,
# whatever the status of COMMAND; 124 time-out; 125 the guest could not be set up.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")

# shellcheck source-path=SCRIPTDIR source=../scripts/vm/run-lib.sh
. "$HERE/../scripts/vm/run-lib.sh"

kernel=lab mb=1024 seed=1 pid_file=/dev/null machine='' wire=''
while getopts k:t:o:s:M:S:p:w:qIrm:b:f:h opt; do
	case $opt in
	S) seed=$OPTARG ;;
	r) machine=y ;;
	w) wire=$(readlink -f "$OPTARG") ;;
	p) pid_file=$(readlink -f "$OPTARG") ;;
	*) common_option "$opt" "${OPTARG:-}" ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 125; }
[[ $seed =~ ^[1-9][0-9]*$ ]] || die "a seed is a number above 0, not $seed"

if [[ $kernel != */* ]]; then
	kernel=$("$HERE/uml.sh" get "$kernel") || die "no kernel"
fi
[ -x "$kernel/linux" ] || die "$kernel: no kernel there (see uml.sh)"
kernel=$(readlink -f "$kernel")

make_tmp
clean_dir
DIR=$(readlink -f "$DIR")
mkdir "$TMP/host"
: >"$TMP/host/result"
[ -z "$machine" ] || ln -s / "$TMP/host/machine"
pack_guest "$kernel" "$TMP/initrd" "$@"

# All randomness comes from the seed: the load address, which decides the size
# of memory, is fixed, and the command line has no random path.
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()
# random.trust_cpu: random numbers of the host or the seed are entropy.
# Otherwise readers wait for jitter, which this clock does not have.
args=(mem="${mb}M" initrd=initrd uml_dir=./ panic=-1 quiet random.trust_cpu=on
	log_buf_len=4M con=null ssl=null ssl1='null,fd:3')
[ -z "$wire" ] || args+=(iomem="wire,$wire")
if [ -n "$interactive" ]; then
	args+=(console=ttyS1 ssl0='fd:0,fd:1')
else
	args+=(console=ttyS0 ssl0='null,fd:1')
fi
if grep -q '^CONFIG_UML_TIME_TRAVEL_SUPPORT=y' "$kernel/build/.config"; then
	args+=(hostfs=host time-travel=inf-cpu time-travel-start=1767225600000000000 uml_seed="$seed"
		norandmaps)
else
	# SMP needs seccomp, not ptrace, and Linux 7.2 rejects a relative path
	args+=(hostfs="$TMP/host" ncpus="$smp" seccomp=on)
	# KASAN keeps each stack trace once, but those of UML have stale words,
	# so most are new. The pools last for an hour of stress.
	args+=(stack_depot_max_pools=32768)
fi
# caches with allocations that may fail; without those that kmemleak uses
! grep -q '^CONFIG_FAILSLAB=y' "$kernel/build/.config" ||
	args+=('slub_debug=A,kmalloc-*,skbuff_*,kernfs_*,proc_*,net_namespace,vmap_area,radix_tree_node')
# the kernel's own IPv6 packets would disturb a measurement
[[ $(<"$kernel/release") != *-lab ]] || args+=(ipv6.disable_ipv6=1)
say "kernel $(<"$kernel/release")"

# Guest memory is an unlinked file. Huge pages, from a tmpfs of our own, make a
# large testbed faster by a third; users mount it in a user namespace.
memory=$TMP/memory
mkdir "$memory"
huge=()
for namespace in -m -Urm; do
	# shellcheck disable=SC2016 # for the inner shell
	mount=(unshare "$namespace" sh -c 'mount -t tmpfs -o huge=always,size="$0" tmpfs "$1" && shift && exec "$@"'
		"$((mb + 64))m" "$memory")
	! "${mount[@]}" true 2>/dev/null || { huge=("${mount[@]}"); break; }
done
if [ ${#huge[@]} -eq 0 ] && [ -w /dev/shm ] &&
	[ "$(df -m --output=avail /dev/shm | tail -n 1)" -gt "$mb" ]; then
	memory=/dev/shm
fi
# pdeathsig: the guest ends with this script, even after a SIGKILL
cd "$TMP"
console=$DIR/console.log keys=/dev/null
if [ -n "$interactive" ]; then
	console=$TMP/console keys=$TMP/keys pid_file=$TMP/pid
	mkfifo "$console" "$keys"
fi
# shellcheck disable=SC2016 # for the inner shell, which becomes the kernel
TMPDIR=$memory setpriv --pdeathsig KILL timeout -s KILL "$seconds" \
	"${fixed[@]}" "${huge[@]}" setpriv --pdeathsig KILL \
	sh -c 'echo $$ >"$0"; exec "$@"' "$pid_file" "$kernel/linux" "${args[@]}" \
	<"$keys" >"$console" 3>"$DIR/dmesg.txt" 2>"$TMP/uml.log" &
guest_pid=$!
viewer=
if [ -n "$interactive" ]; then
	terminal=$(stty -g)
	"$HERE/prompt.py" "$console" "$keys" "$pid_file" "$TMP/host"
elif [ -z "$quiet" ]; then
	tail -n +1 -s 0.1 -f --pid="$guest_pid" "$DIR/console.log" | show_console &
	viewer=$!
fi
status=0
wait "$guest_pid" 2>/dev/null || status=$?
guest_pid=
[ -z "$viewer" ] || wait "$viewer" || true

# At a panic UML aborts after printing the reason; else its first output helps.
if [ "$status" -ne 0 ] && [ -s "$DIR/console.log" ] && [ "$status" -ne 137 ]; then
	status=0
elif [ "$status" -ne 0 ]; then
	tail -n 5 "$TMP/uml.log" >&2
fi
judge "$status" "$TMP/host/result"
