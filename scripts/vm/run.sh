#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command in a virtual machine with a kernel of our choice; needs no
# root, no network and no KVM.
#
# Usage: run.sh [-k KERNEL] [-t SECONDS] [-o DIR] [-s SMP] [-M MB] [-i] [-q] [-I]
#               [-c PLUGIN] [-d DEV]... [-p ROLE:SOCKETS [-n MODEL]...]
#               [-m MODULE]... [-b BIN]... [-f SRC:DST]...
#               -- COMMAND [ARG...]
#
#  -k  kernel: a series kernel.sh knows (6.1, 6.12, newest) or a directory it
#      made; default $KERNEL, else 6.1
#  -t  seconds until the guest is killed (300)
#  -o  folder for results (out/vm)
#  -s  CPUs (1); more only for tests of concurrency, they are slow
#  -M  memory in MB (1024)
#  -i  deterministic: guest time is the number of executed instructions, not the
#      host's clock (TCG and one CPU only)
#  -q  do not show the guest's output
#  -I  interactive: this terminal is the guest's /dev/ttyS0, and the kernel's
#      messages go to dmesg.txt only; -t 0 then waits for ever
#  -c  let this plugin of qemu count: a path, and its arguments after a comma
#  -d  add this qemu device to the guest (e1000: a NIC without a cable)
#  -p  connect the guest to a peer, which another vm/run.sh runs with the same
#      folder SOCKETS, by a PCI serial line. ROLE is listen, or connect, which
#      waits for the other; not with -i
#  -n  add a NIC of this qemu model, with a cable to the peer, which needs the
#      same -n
#  -m, -b, -f  modules, programs and files for the guest: see mkinitramfs.sh
#  -h  this text
#
# COMMAND runs as root in /root. Files in the folder $OUT are copied to DIR;
# LLE_KERNEL is the kernel release. DIR also gets console.log (the whole
# console) and dmesg.txt (the kernel log). VM_ACCEL is tcg, kvm, auto (default)
# or probe; LLE_QEMU is the qemu to use.
#
# Exit status: COMMAND's own; 97 the kernel panicked, died or logged a warning,
# whatever COMMAND said; 124 time-out; 125 the guest could not be set up.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lle
QEMU=${LLE_QEMU:-qemu-system-x86_64}
RESULT_BYTES=2G		# sparse; maximum of the results

# shellcheck source-path=SCRIPTDIR source=accel.sh
. "$HERE/accel.sh"
# shellcheck source-path=SCRIPTDIR source=run-lib.sh
. "$HERE/run-lib.sh"

kernel=${KERNEL:-6.1} mb=1024 icount='' role='' sockets=''
devices=() nics=()
while getopts k:t:o:s:M:iqIc:d:p:n:m:b:f:h opt; do
	case $opt in
	i) icount=y ;;
	c) devices+=(-plugin "$OPTARG") ;;
	d) devices+=(-device "$OPTARG") ;;
	p) role=${OPTARG%%:*} sockets=${OPTARG#*:} ;;
	n) nics+=("$OPTARG") ;;
	*) common_option "$opt" "${OPTARG:-}" ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 125; }

# Adds cables and a serial line to the other guest.
add_peer()
{
	local i server=off mac=2

	[ -z "$icount" ] || die "-i: what a peer sends comes when the host likes"
	case $role in
	listen) server=on mac=1 ;;
	connect) ;;
	*) die "-p: $role is neither listen nor connect" ;;
	esac
	for i in "${!nics[@]}"; do
		devices+=(-netdev "stream,id=cable$i,server=$server,addr.type=unix,addr.path=${sockets//,/,,}/cable$i"
			-device "${nics[i]},netdev=cable$i,romfile=,mac=$(printf '02:00:00:00:%02x:%02x' $mac "$i")")
	done
	[ $server = off ] || server=on,wait=off
	devices+=(-chardev "socket,id=line,server=$server,path=${sockets//,/,,}/line"
		-device 'pci-serial,chardev=line')
}

# Waits for all sockets that qemu connects to.
wait_for_peer()
{
	local until=$((SECONDS + seconds))

	while [ "$(find "$sockets" -type s | wc -l)" -le ${#nics[@]} ]; do
		[ $SECONDS -lt $until ] || die "the peer does not listen"
		sleep 0.2
	done
}

# --- set up

[ -z "$role" ] || add_peer
command -v "$QEMU" >/dev/null || die "$QEMU is not installed (see scripts/deps.sh vm)"
if [[ $kernel == */* ]]; then
	[ -r "$kernel/release" ] || die "$kernel: no kernel there (see kernel.sh)"
else
	kernel=$("$HERE/kernel.sh" get "$kernel") || die "no kernel"
fi

make_tmp
clean_dir
pack_guest "$kernel" "$TMP/initrd" "$@"
truncate -s "$RESULT_BYTES" "$TMP/result"

# -erms, -fsrm: string instructions are emulated byte by byte, and take a third
# of the CPU time if the kernel assumes that they are fast. -cx16: cmpxchg16b
# once replaced the flags by low bits of RAX, a double fault in the allocator.
emulated=max,-erms,-fsrm,-cx16
console=ttyS0
[ -z "$interactive" ] || console=ttyS1
append="console=$console panic=-1 quiet mitigations=off log_buf_len=4M"
args=(-M pc -nodefaults -no-user-config -display none -no-reboot)
if [ -n "$icount" ]; then
	accel='tcg (-i)'
	smp=1
	append+=' nokaslr norandmaps'
	# qboot: the usual BIOS reads the disk, and the host determines when the
	# answers come
	args+=(-bios qboot.rom -accel 'tcg,thread=single'
		-cpu "$emulated,-rdrand,-rdseed" -icount 'shift=0,sleep=off'
		-rtc 'base=2026-01-01,clock=vm')
else
	accel=$(accel_choose "$kernel/vmlinuz") || die "no accelerator"
	case $accel in
	kvm*) args+=(-accel kvm -cpu host) ;;
	*) args+=(-accel 'tcg,thread=multi' -cpu "$emulated") ;;
	esac
fi
args+=(-smp "$smp" -m "$mb" -kernel "$kernel/vmlinuz" -initrd "$TMP/initrd"
	-append "$append"
	# double commas: a comma in a path would end qemu's option
	-chardev "stdio,id=console,signal=off,logfile=${DIR//,/,,}/console.log"
	-serial chardev:console
	-chardev "file,id=dmesg,path=${DIR//,/,,}/dmesg.txt" -serial chardev:dmesg
	-drive "if=none,id=result,format=raw,cache=unsafe,file=${TMP//,/,,}/result"
	-device 'virtio-blk-pci,drive=result' "${devices[@]}")
say "kernel $(<"$kernel/release"), accelerator $accel"

# --- run

[ "$role" != connect ] || wait_for_peer
# pdeathsig: qemu ends with this script, even after a SIGKILL
guest=(setpriv --pdeathsig TERM timeout ${interactive:+--foreground} -k 5 "$seconds"
	setpriv --pdeathsig KILL "$QEMU" "${args[@]}")
viewer=
if [ -n "$interactive" ]; then
	terminal=$(stty -g)
	exec {stdin}<&0		# commands in the background get /dev/null
	"${guest[@]}" <&"$stdin" 2>"$TMP/qemu.log" &
else
	mkfifo "$TMP/console"
	if [ -n "$quiet" ]; then
		cat >/dev/null
	else
		show_console
	fi <"$TMP/console" &
	viewer=$!
	"${guest[@]}" </dev/null >"$TMP/console" 2>"$TMP/qemu.log" &
fi
guest_pid=$!
qemu_rc=0
wait "$guest_pid" || qemu_rc=$?
guest_pid=
[ -z "$viewer" ] || wait "$viewer" || true
cat "$TMP/qemu.log" >&2

# --- judge

judge "$qemu_rc" "$TMP/result"
