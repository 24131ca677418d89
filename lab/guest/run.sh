# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The guest's part of the scenario run: a script of the user with programs of the machine.

# shellcheck disable=SC2154 # guest.sh has set them

# shellcheck source=scripts/vm/host-commands
. /lab/host-commands

# Folders of the machine that the script sees; the others are in /machine
FOLDERS="bin sbin lib lib32 lib64 libx32 usr opt etc srv"

# Gives hosts addresses of IPv6, names for them, and permanent neighbours: switches pass no
# multicast.
add_ipv6()
{
	local name names mac n=0

	while read -r name mac; do
		n=$((n + 1))
		names+=("$name")
		echo "neigh add fd00::$n lladdr $mac dev eth0 nud permanent" >>/tmp/neighbours
		echo "fd00::$n $name" >>/etc/hosts
	done < <(jq -r '.hosts[] | "\(.name) \(.mac)"' "$OUT/testbed.json")
	n=0
	for name in "${names[@]}"; do
		n=$((n + 1))
		ip -n "lle-$name" link set eth0 addrgenmode none
		ip netns exec "lle-$name" sysctl -qw net.ipv6.conf.eth0.disable_ipv6=0
		ip -n "lle-$name" address add "fd00::$n/64" dev eth0 nodad
		ip -n "lle-$name" -b /tmp/neighbours
	done
}

# new_root SCRIPT: makes /new: read-only folders of the machine, and empty ones in memory.
# /lab/script becomes /root/SCRIPT there.
new_root()
{
	local dir mounts='' folders=()

	mkdir /machine /new
	mount -t hostfs none /machine -o ro,machine
	mount -t tmpfs -o mode=755 tmpfs /new
	for dir in $FOLDERS; do
		if [ -L "/machine/$dir" ]; then
			cp -P "/machine/$dir" /new/
		elif [ -d "/machine/$dir" ]; then
			folders+=("/new/$dir")
			mounts+="/machine/$dir /new/$dir none bind"$'\n'
		fi
	done
	mkdir -p "${folders[@]}" /new/{dev,home,machine,mnt,out,proc,root,run,sys,var} "$OUT/files"
	mkdir -m 1777 /new/tmp /new/var/tmp
	ln -s /run /new/var/run
	# servers want folders of their own there; a user may not look into all
	(cd /machine/var && find cache lib log spool -maxdepth 2 -type d | sort |
		cpio -o -H newc) 2>/dev/null | (cd /new/var && cpio -i -d -m 2>/dev/null)
	# names are those of hosts only; nothing else can answer
	jq -r '.hosts[] | "\(.address) \(.name)"' "$OUT/testbed.json" >>/etc/hosts
	mount -a -T /dev/stdin <<-END
		$mounts/machine /new/machine none bind
		$OUT/files /new/out none bind
		/dev /new/dev none rbind
		/sys /new/sys none rbind
		/run /new/run none rbind
		/etc/hosts /new/etc/hosts none bind
		/etc/nsswitch.conf /new/etc/nsswitch.conf none bind
	END
	host_commands /new/lle
	cp -r /usr/bin/{losslessctl,lle-testbed} /usr/lib/x86_64-linux-gnu/tc /new/lle/
	cp /lab/script "/new/root/$1"
	chmod 755 "/new/root/$1"
	cp /lab/random_device.so /new/lle/
}

# run_script SCRIPT SECONDS: runs it in /new, with its output to output.txt, and ends it after
# that time; 0: never
run_script()
{
	local status

	echo "start $run_ns" >"$RNIC/control"
	lle_until "$run_ns"
	# the processes that the script leaves end with it
	# shellcheck disable=SC2016 # for the inner shell
	PATH=/lle:/usr/local/sbin:/usr/local/bin:$PATH TC_LIB_DIR=/lle/tc OUT=/out \
		unshare --fork --pid --mount-proc=/new/proc chroot /new \
		/usr/bin/timeout "$2" /bin/bash -c 'cd && export LD_PRELOAD=/lle/random_device.so && "./$0"; exit $?' "$1" 2>&1 | tee "$OUT/output.txt"
	status=${PIPESTATUS[0]}
	awk -v ns=$(($(lle_until every 1) - run_ns)) -v status="$status" \
		'BEGIN { printf "exit_status %d\nscript_s %.6f\n", status, ns / 1e9 }' >"$OUT/script.txt"
}
