# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# interrupt SIGNAL WHEN COMMAND...: starts COMMAND as a terminal does, waits
# until WHEN succeeds, then sends SIGNAL: INT to the process group, as ctrl-C
# does, another signal to COMMAND alone. Fails if WHEN does not succeed, or if a
# process, temporary file or mount is left 5 s after COMMAND ended, and prints
# it. Sourced; TMP is a folder.

# Processes of the session, or with its mark in their environment; no zombies
left()
{
	{
		pgrep -s "$1"
		grep -slzx "LLE_INTERRUPT=$1" /proc/[0-9]*/environ | cut -d/ -f3
	} | sort -u | xargs -r ps -o pid=,stat=,args= -p | awk '$2 !~ /^Z/' | cut -c1-200
}

# within SECONDS COMMAND...: COMMAND succeeds in that time
within()
{
	local tries=$(($1 * 10)) i

	shift
	for ((i = 0; i < tries; i++)); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}

# shellcheck disable=SC2317 # called by within
none_left() { [ -z "$(left "$1")" ]; }
# shellcheck disable=SC2317
ended() { ! kill -0 "$1" 2>/dev/null; }

interrupt()
{
	interrupted "$@" >"$TMP/said" || { mv "$TMP/said" "$TMP/stdout"; return 1; }
}

interrupted()
{
	local signal=$1 when=$2 pid rc=0 mounts

	shift 2
	mounts=$(</proc/self/mounts)
	rm -rf "$TMP/tmp"
	mkdir "$TMP/tmp"
	# background jobs of a shell, and their children, would ignore ctrl-C
	# shellcheck disable=SC2016 # for the inner shell
	TMPDIR=$TMP/tmp setsid env --default-signal=INT,QUIT \
		bash -c 'export LLE_INTERRUPT=$$; exec "$@"' - "$@" \
		</dev/null >"$TMP/stdout" 2>"$TMP/stderr" &
	pid=$!
	# shellcheck disable=SC2086 # a list of words
	within 60 $when || { echo "it does not come so far: $when"; rc=1; }
	if [ "$signal" = INT ]; then
		kill -INT -- "-$pid"
	else
		kill -s "$signal" "$pid"
	fi
	within 20 ended $pid || { echo "it does not end"; rc=1; }
	if ! within 5 none_left $pid; then
		echo "processes are left:"
		left $pid
		left $pid | awk '{ print $1 }' | xargs -r kill -KILL
		rc=1
	fi
	if [ -n "$(ls -A "$TMP/tmp")" ]; then
		echo "files are left:"
		ls -A "$TMP/tmp"
		rc=1
	fi
	[ "$mounts" = "$(</proc/self/mounts)" ] || { echo "mounts are left"; rc=1; }
	return $rc
}
