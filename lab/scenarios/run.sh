# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# run: runs a script with any programs of this machine on the hosts of a network:
# "h1 COMMAND" runs a command on the host h1. Its output goes to output.txt, and
# what it writes to $OUT goes to the folder files of the results.
#
# keys: SCRIPT= TOPOLOGY= K=4 RATE=10gbit DELAY=1us MTU=1500 BUFFER=32m PFC=on PRIOS=0
# key PARTS: one of 0, kernels that share the network: this scenario needs one
# key SCRIPT: path, script to run, in Bash or with a line #!
# key TOPOLOGY: path, topology for lle-testbed, instead of a fat tree with K
# key MTU: integer 576..9000, bytes of an IP packet
# key PFC: one of on off, PRIOS have PFC
# key PRIOS: integers 0..7, priorities that have PFC; programs that set none use 0

# shellcheck disable=SC2153,SC2154 # keys; topology_file: of lab.sh and of guest.sh

# shellcheck source=lab/scenarios/topology.sh
. "${LAB:-/lab}/topology.sh"

# Folders of the machine that the script sees; the others are in /machine
FOLDERS="bin sbin lib lib32 lib64 libx32 usr opt etc srv"

limits() { [ -n "$SCRIPT" ] || refuse SCRIPT "a file is required"; }

topology()
{
	local words=(fat-tree "$K")

	[ -z "$TOPOLOGY" ] || words=(file "$TOPOLOGY")
	lle-testbed show "${words[@]}" --rate "$RATE" --delay "$DELAY" --format file
}

flows() { check_links; }

duration() { :; }

guest_options()
{
	printf '%s\n' -r -f "$(readlink -f "$SCRIPT"):/lab/script" \
		-f "$LAB/../../scripts/vm/host-commands:/lab/host-commands"
}

testbed()
{
	local pfc="prio-pfc ${PRIOS//,/:$PFC }:$PFC" port

	port="buffer $BUFFER reaction 0 $pfc"
	testbed_up file "$topology_file" --mtu "$MTU" --arp --edge "$port" --fabric "$port" \
		--host "$pfc" >/dev/null
}

# Makes /new: read-only folders of the machine, and empty ones in memory.
new_root()
{
	local dir

	mkdir /machine /new
	mount -t hostfs none /machine -o ro,machine
	mount -t tmpfs -o mode=755 tmpfs /new
	for dir in $FOLDERS; do
		if [ -L "/machine/$dir" ]; then
			cp -P "/machine/$dir" /new/
		elif [ -d "/machine/$dir" ]; then
			mkdir "/new/$dir"
			mount --bind "/machine/$dir" "/new/$dir"
		fi
	done
	mkdir -p /new/{dev,home,machine,mnt,out,proc,root,run,sys,var} "$OUT/files"
	mkdir -m 1777 /new/tmp /new/var/tmp
	ln -s /run /new/var/run
	# servers want folders of their own there; a user may not look into all
	(cd /machine/var && find cache lib log spool -maxdepth 2 -type d | sort |
		cpio -o -H newc) 2>/dev/null | (cd /new/var && cpio -i -d -m 2>/dev/null)
	mount --bind /machine /new/machine
	mount --bind "$OUT/files" /new/out
	for dir in dev sys run; do
		mount --rbind "/$dir" "/new/$dir"
	done
	# names are those of hosts only; nothing else can answer
	jq -r '.hosts[] | "\(.address) \(.name)"' "$OUT/testbed.json" >>/etc/hosts
	mount --bind /etc/hosts /new/etc/hosts
	mount --bind /etc/nsswitch.conf /new/etc/nsswitch.conf
	host_commands /new/lle
	cp /usr/bin/{losslessctl,lle-testbed} /new/lle/
	cp -r /usr/lib/x86_64-linux-gnu/tc /new/lle/
	cp /lab/script "/new/root/${SCRIPT##*/}"
	chmod 755 "/new/root/${SCRIPT##*/}"
}

# lle_rnic.ko only records the timeline and queues.
prepare()
{
	# shellcheck source=scripts/vm/host-commands
	. /lab/host-commands
	new_root
	insmod /mods/lle_rnic.ko timeline_us=1
}

traffic()
{
	local status

	echo "start $run_ns" >"$RNIC"/control
	lle_until "$run_ns"
	# the processes that the script leaves end with it
	# shellcheck disable=SC2016 # for the inner shell
	PATH=/lle:/usr/local/sbin:/usr/local/bin:$PATH TC_LIB_DIR=/lle/tc OUT=/out \
		unshare --fork --pid --mount-proc=/new/proc chroot /new \
		/bin/bash -c 'cd && "./$0"; exit $?' "${SCRIPT##*/}" 2>&1 | tee "$OUT/output.txt"
	status=${PIPESTATUS[0]}
	awk -v ns=$(($(lle_until every 1) - run_ns)) -v status="$status" \
		'BEGIN { printf "exit_status %d\nscript_s %.6f\n", status, ns / 1e9 }' >"$OUT/script.txt"
}

metrics()
{
	cat script.txt
	count_losses
	jq -r --arg prios "$PRIOS" '($prios | split(",") | map(tonumber)) as $p |
		[.qdiscs[].prios[] | select([.prio] | inside($p)).drops | add] |
		"dropped_lossless \(add // 0)"' stats.json
}

expectations()
{
	expect exit_status == 0
	[ "$PFC" = off ] || expect dropped_lossless == 0
	expect lost_bytes == 0
}
