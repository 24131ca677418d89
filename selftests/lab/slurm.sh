#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command in a Slurm cluster of one node: this machine. The cluster has
# its own network, processes and files, and ends with the command.
#
# Usage: slurm.sh COMMAND [ARG...]
#
# Exit status: that of COMMAND; 125 the cluster did not start.

set -euo pipefail

if [ "${1:-}" != --inside ]; then
	exec unshare --net --uts --ipc --pid --mount --mount-proc --fork --kill-child \
		"$0" --inside "$@"
fi
shift

# Slurm does not accept 127.0.0.0/8 as the address of a node
ip link set lo up
ip addr add 192.0.2.1/32 dev lo
hostname lab
dir=/etc/slurm
mount -t tmpfs -o mode=755 slurm $dir
mkdir $dir/{munge,state,spool}
echo "192.0.2.1 lab localhost" >$dir/hosts
mount --bind $dir/hosts /etc/hosts
(umask 077 && head -c 1024 /dev/urandom >$dir/munge/key)
cat >$dir/slurm.conf <<END
ClusterName=lab
SlurmctldHost=lab
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge/socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=lab CPUs=$(nproc) State=UNKNOWN
PartitionName=lab Nodes=lab Default=YES State=UP
END

munged --force --key-file=$dir/munge/key --socket=$dir/munge/socket \
	--pid-file=$dir/munge/pid --log-file=$dir/munge/log --seed-file=$dir/munge/seed
slurmctld
slurmd -N lab
for ((i = 0; i < 100; i++)); do
	[ "$(timeout 1 sinfo -h -o %T 2>/dev/null)" != idle ] || break
	sleep 0.2
done
[ "$i" -lt 100 ] || {
	tail -n 20 $dir/*.log $dir/munge/log >&2
	exit 125
}
"$@"
