# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Common parts of long-running scripts: they name the process they wait for, and
# leave nothing behind when interrupted. Sourced, not run.
#
# When a script that sources this ends, all processes that it has started end
# too, and its folder WORK is removed. It does not catch SIGTERM: so bash runs
# the trap of EXIT at once, not after the command in the foreground. Ctrl-C has
# reached that command, too; SIGINT is caught, since bash might continue with
# "wait" otherwise.

WORK=			# half-built directory or temporary files
COMMAND="${0##*/} $*"

# Prints the processes below this one, except for ps itself.
list_children()
{
	ps -e -o pid=,ppid=,comm= | awk -v top=$$ '
		{ parent[$1] = $2; name[$1] = $3 }
		END {
			for (pid in parent) {
				for (p = parent[pid]; p in parent && p != top; p = parent[p])
					;
				if (p == top && name[pid] != "ps")
					print pid
			}
		}'
}

# Ends all processes below this one: SIGTERM, and SIGKILL after 5 s. They are
# stopped first: otherwise a loop would start its next command when the present
# one ends, and that command would no longer be below this process when the
# loop has ended.
end_children()
{
	local -A stopped=([$BASHPID]=y)
	local below=() pid is_new=y i

	while [ -n "$is_new" ]; do
		is_new=
		for pid in $(list_children); do
			[ -z "${stopped[$pid]:-}" ] || continue
			stopped[$pid]=y
			! kill -STOP "$pid" 2>/dev/null || { below+=("$pid"); is_new=y; }
		done
	done
	kill "${below[@]}" 2>/dev/null || return 0
	kill -CONT "${below[@]}" 2>/dev/null || :
	for ((i = 0; i < 50; i++)); do
		kill -0 "${below[@]}" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL "${below[@]}" 2>/dev/null || :
}

# shellcheck disable=SC2317 # called by the trap
cleanup()
{
	trap '' INT TERM HUP
	end_children
	[ -z "$WORK" ] || rm -rf "$WORK"
}
trap cleanup EXIT
# sends itself the signal, so that a script that has started this one ends, too
trap 'trap - INT; kill -INT $$' INT

# take_lock FILE WHAT: waits until no other process has FILE's lock, and names
# that process after a second. Sets LOCK, a file descriptor: closing it releases
# the lock.
take_lock()
{
	local holder

	exec {LOCK}>>"$1"
	if ! flock -w 1 "$LOCK"; then
		holder=$(<"$1")
		echo "${0##*/}: waiting for ${holder:-another process}" >&2
		flock "$LOCK"
	fi
	echo "$2, held by pid $$ ($COMMAND)" >"$1"
}
