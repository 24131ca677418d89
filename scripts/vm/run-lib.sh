# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Common parts of scripts/vm/run.sh and lab/uml-run.sh: options, packing the
# guest, judging its results. Sourced, not run. Sets the variables below, and
# TMP.

VM=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

# shellcheck source-path=SCRIPTDIR source=../job-lib.sh
. "$VM/../job-lib.sh"

seconds=300 DIR=out/vm smp=1 quiet='' interactive=''
pack=()
guest_pid=		# killed on exit
terminal=		# settings to restore on exit

NAME=${0##*/}
say() { echo "${NAME%.sh}: $*" >&2; }
die() { say "$*"; exit 125; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# common_option LETTER VALUE: handles common options; ends the script on -h and
# on unknown options
# shellcheck disable=SC2034 # the sourcing script uses them
common_option()
{
	case $1 in
	k) kernel=$2 ;;
	t) seconds=$2 ;;
	o) DIR=$2 ;;
	s) smp=$2 ;;
	M) mb=$2 ;;
	q) quiet=y ;;
	I) interactive=y ;;
	m | b | f) pack+=("-$1" "$2") ;;
	h) usage; exit 0 ;;
	*) usage >&2; exit 125 ;;
	esac
}

# The guest ends first, and by SIGKILL: any other signal would make User Mode
# Linux run its exit code wherever it is.
end_run()
{
	trap '' INT TERM HUP
	if [ -n "$guest_pid" ]; then
		kill -KILL "$guest_pid" 2>/dev/null || true
		wait "$guest_pid" 2>/dev/null || true
	fi
	[ -z "$terminal" ] || stty "$terminal" || true
	cleanup
}
trap end_run EXIT

make_tmp()
{
	TMP=$(mktemp -d)
	WORK=$TMP
}

# Removes the files of an earlier run, and no others: DIR may be any folder.
clean_dir()
{
	local file

	mkdir -p "$DIR"
	if [ -e "$DIR/.vm-run" ]; then
		(cd "$DIR" && tac .vm-run | while read -r file; do
			if [ -d "$file" ] && [ ! -L "$file" ]; then
				rmdir "$file" 2>/dev/null || true
			else
				rm -f "$file"
			fi
		done)
	fi
	rm -f "$DIR"/{.vm-run,.lle-verdict,dmesg.txt}
	: >"$DIR/console.log"
}

# pack_guest KERNEL IMAGE COMMAND...
pack_guest()
{
	local kernel=$1 image=$2

	shift 2
	printf '%q ' "$@" >"$TMP/cmd"
	"$VM/mkinitramfs.sh" -K "$kernel" "${pack[@]}" -f "$TMP/cmd:/lle/cmd" \
		-o "$image" || die "cannot pack the guest"
}

# Prints the console as a terminal shows it, without the kernel's last message.
show_console() { sed -u -e 's/\r$//' -e '/^\[[ 0-9.]*\] reboot: \(Power down\|System halted\)$/d'; }

# A kernel log line that makes a run fail.
bad='WARNING: |BUG: |Oops|Kernel panic|kernel BUG at|KASAN|KCSAN|UBSAN|-+\[ cut here'
bad+='|general protection fault|double fault|list_(add|del) corruption'
bad+='|INFO: task .* blocked for more|INFO: .*(self-detected stall|detected stalls)'
bad+='|INFO: trying to register non-static key|suspicious RCU'
bad+='|unregister_netdevice: waiting|kmemleak: .* new suspected'

# Prints titles of data races without any module of ours: the stack has races of
# its own, and tolerates them. Data that we have passed to the stack is its own,
# too.
foreign_races() {
	awk '
		/BUG: KCSAN: / { title = $0; ours = theirs = 0 }
		/ by (task|interrupt)/ { theirs = 0 }
		/ (__dev_queue_xmit|__dev_direct_xmit|__netif_schedule|is_skb_forwardable)\+/ { theirs = 1 }
		/\[(lossless|sch_lossless|tcp_ldcp|lle_[a-z]+)\]/ && !theirs { ours = 1 }
		/======/ && title != "" { if (!ours) print title; title = "" }
	' "$DIR/dmesg.txt" 2>/dev/null
}

# Prints kernel log and console, as one.
guest_log() { cat "$DIR/dmesg.txt" "$DIR/console.log" 2>/dev/null | tr -d '\r'; }

# The time stamp tells the kernel's lines from COMMAND's output; a word may
# precede the message, as in "watchdog: BUG: soft lockup".
kernel_complaints() {
	guest_log |
		grep -aE "\[ *[0-9]+\.[0-9]{6}\](\[[^]]*\])? ([a-z_0-9]+: )?($bad)" |
		grep -avxFf <(foreign_races) | sort -u
}

# judge STATUS RESULT: STATUS of the guest's process, RESULT from guest-init.
# Unpacks it and ends the script.
judge()
{
	local status=$1 result=$2 rc=

	tar -xvf "$result" -C "$DIR" --strip-components=1 --no-same-owner \
		--show-transformed-names >"$DIR/.vm-run" 2>"$TMP/tar.log" ||
		cat "$TMP/tar.log" >&2
	if [ -e "$DIR/.lle-verdict" ]; then
		rc=$(<"$DIR/.lle-verdict")
		rm "$DIR/.lle-verdict"
	fi
	if kernel_complaints >"$TMP/complaints"; then
		say "the kernel complained:"
		head -n 20 "$TMP/complaints" >&2
		say "what came after the first of them:"
		guest_log |
			grep -aF -m 1 -A 40 -e "$(head -n 1 "$TMP/complaints")" >&2 || true
		exit 97
	elif [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
		say "time-out after $seconds s"
		exit 124
	elif [ "$status" -ne 0 ]; then
		die "the guest could not be run ($status)"
	elif [ -z "$rc" ]; then
		say "the guest ended without a verdict"
		exit 97
	fi
	exit "$rc"
}
