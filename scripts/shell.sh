#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# A root shell in a virtual machine with a testbed, losslessd and tools, to try
# things out.
#
# Usage: shell.sh [-l] [-c COMMANDS] [-o DIR] [TOPOLOGY]
#
#  -l  in virtual time (the kernel lab of lab/uml.sh): time stands still while
#      the shell waits for a line, and sleeping costs nothing
#  -c  run COMMANDS, and end; without a terminal, commands are read from the
#      standard input
#  -o  folder for results (out/shell): files that commands leave in $OUT, and
#      console.log and dmesg.txt
#
# TOPOLOGY is a file of testbed/examples, without its suffix (default: incast),
# another file that lle-testbed reads, or a topology of lle-testbed: "star 3".
# KERNEL is the kernel of the virtual machine, as in vm/run.sh. LLE_SHELL_TMUX=no:
# one pane, without losslessctl top.
#
# Exit status: that of the shell, or of COMMANDS; 2 wrong use; 4 the kernel
# cannot be had here; 97, 124 and 125 as in vm/run.sh.

set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")
TOP=$(dirname "$HERE")
EXAMPLES=$TOP/testbed/examples
BIN=$TOP/build/bin

# shellcheck source-path=SCRIPTDIR source=job-lib.sh
. "$HERE/job-lib.sh"

die() { echo "shell.sh: $*" >&2; exit 2; }
usage() { sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; }

# Prints the names of the topologies in testbed/examples.
examples()
{
	local file

	for file in "$EXAMPLES"/*.{clab.yml,graphml}; do
		file=${file##*/}
		echo "${file%%.*}"
	done
}

# Prints the file that TOPOLOGY names, or nothing.
file_of()
{
	local file

	for file in "$EXAMPLES/$1".{clab.yml,graphml} "$1"; do
		[ ! -f "$file" ] || { readlink -f "$file"; return; }
	done
}

convert()
{
	"$BIN/lle-topology" "$1" >"$WORK/topology" 2>"$WORK/why" ||
		die "TOPOLOGY: $(<"$WORK/why")"
}

# Writes the topology to the file topology, and the words for lle-testbed to
# the file words; lle-testbed checks both here.
prepare_topology()
{
	local file words=()

	file=$(file_of "$1")
	case $file in
	'') read -ra words <<<"$1" ;;
	*.yml | *.yaml | *.graphml) convert "$file" ;;
	*) cp "$file" "$WORK/topology" ;;
	esac
	[ -z "$file" ] || words=(file "$WORK/topology")
	"$BIN/lle-testbed" show "${words[@]}" >/dev/null 2>"$WORK/why" ||
		die "TOPOLOGY: $(sed 's/^lle-testbed: //' "$WORK/why")
examples: $(examples | xargs)
others, with numbers: line N, star N, dumbbell N, ring N, leaf-spine L S H, fat-tree K
or a file: see lle-testbed(8)"
	[ -z "$file" ] || words=(file /shell/topology)
	echo "${words[*]}" >"$WORK/words"
}

# Adds the descriptions of this terminal, and of that in a pane of tmux.
add_terminal()
{
	local name dir

	for name in "${TERM:-dumb}" screen dumb; do
		for dir in "$HOME/.terminfo" /etc/terminfo /lib/terminfo /usr/share/terminfo; do
			[ ! -e "$dir/${name:0:1}/$name" ] || {
				pack+=(-f "$dir/${name:0:1}/$name:/usr/share/terminfo/${name:0:1}/$name")
				break
			}
		done
	done
}

commands='' lab='' dir=$TOP/out/shell
while getopts c:lo:h opt; do
	case $opt in
	c) commands=$OPTARG ;;
	l) lab=y ;;
	o) dir=$OPTARG ;;
	h) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
topology="${*:-incast}"

WORK=$(mktemp -d)
echo "shell.sh: building the programs of the guest" >&2
make -s -C "$TOP" tc ctl daemon testbed build/bin/lle_traffic >&2
prepare_topology "$topology"
interactive=
if [ -n "$commands" ]; then
	printf '%s\n' "$commands" >"$WORK/commands"
elif [ -t 0 ] && [ -t 1 ]; then
	interactive=y
else
	cat >"$WORK/commands"
fi

series=${lab:+lab}
series=${series:-${KERNEL:-6.1}}
mods=$("$HERE/build.sh" "$series" -j"$(nproc)")
pack=(-m veth -m bridge -m "$mods/lossless.ko" -m "$mods/sch_lossless.ko" -m "$mods/tcp_ldcp.ko"
	-m tcp_dctcp -m tcp_diag -f "$TOP/build/tc/q_lossless.so:/usr/lib/x86_64-linux-gnu/tc/q_lossless.so"
	-b "$BIN/losslessctl" -b "$BIN/losslessd" -b "$BIN/lle-testbed" -b "$BIN/lle-storm"
	-b "$BIN/lle_traffic" -b iperf3 -b curl -b less -b python3 -b setsid
	-f "$HERE/vm/shell-guest:/shell/guest" -f "$HERE/vm/shell-rc:/shell/rc"
	-f "$HERE/vm/host-commands:/shell/host-commands"
	-f "$HERE/vm/shell-roce:/shell/roce" -f "$HERE/vm/shell-tmux.conf:/shell/tmux.conf"
	-f /usr/lib/locale/C.utf8:/usr/lib/locale/C.utf8
	-f "$TOP/daemon/losslessctl/losslessctl.bash:/usr/share/bash-completion/completions/losslessctl"
	-f "$WORK:/shell")
tmux=
if [ -n "$interactive" ]; then
	add_terminal
	if [ -z "$lab" ] && [ "${LLE_SHELL_TMUX:-}" != no ] && [ "${TERM:-dumb}" != dumb ]; then
		tmux=y
		pack+=(-b tmux -b script)
	fi
fi
run=("$TOP/lab/uml-run.sh" -k lab)
[ -n "$lab" ] || run=("$HERE/vm/run.sh" -k "$series" -m rdma_rxe -b ib_send_bw -b ib_write_bw
	-b ib_send_lat -f "$TOP/selftests/demo:/demo")
size=
[ -z "$interactive" ] || size=$(stty size)
# the folder is packed before the guest runs
"${run[@]}" -t 0 -o "$dir" ${interactive:+-I} "${pack[@]}" -- \
	env SIZE="$size" TMUX_PANES="$tmux" LINES_OF_HOST="$lab" TERM="${TERM:-dumb}" bash /shell/guest
