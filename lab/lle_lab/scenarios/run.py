# SPDX-License-Identifier: GPL-2.0
"""Runs a script with any programs of this machine on the hosts of a network.

"h1 COMMAND" runs a command on the host h1. The script's output goes to output.txt, and what it
writes to $OUT goes to the folder files of the results.
"""
import functools
import math
import pathlib
import shlex

from lle_lab import (Integer, Integers, Network, Number, OneOf, Path, Scenario, Topology, keys,
                     metrics)

from ._topology import FileNetwork

TOP = pathlib.Path(__file__).resolve().parents[3]


class Run(Scenario):
    PARTS = keys.ONE_PART()
    SCRIPT = Path("", "script to run, in Bash or with a line #!")
    TOPOLOGY = Path("", "topology for lle-testbed, instead of a fat tree with K")
    K = keys.K(4)
    RATE = keys.RATE("10gbit")
    DELAY = keys.DELAY("1us")
    MTU = Integer(1500, 576, 9000, "bytes of an IP packet")
    BUFFER = keys.BUFFER("32m")
    IPV6 = OneOf("off", "on off", "hosts also have the addresses fd00::1, fd00::2 and so on")
    PFC = OneOf("on", "on off", "PRIOS have PFC")
    TIMEOUT = Number(0, 0, 10**6,
                     "seconds until the script is ended, with exit status 124; 0: never")
    PRIOS = Integers(0, 0, 7, "priorities that have PFC; programs that set none use 0")

    def limits(self):
        if not self.SCRIPT:
            self.refuse("SCRIPT", "a file is required")

    def links(self):
        words = ("file", self.TOPOLOGY) if self.TOPOLOGY else ("fat-tree", self.K)
        return FileNetwork((*words, "--rate", self.RATE, "--delay", self.DELAY),
                           functools.partial(self.refuse, "TOPOLOGY"))

    def network(self):
        found = self.links()
        if self.PFC:
            self.limit("BUFFER", 2 * found.headroom(self.MTU), "1g",
                       "half of it is headroom of the ports of a switch")
        topology = Topology()
        topology.lines = found.text.splitlines()
        pfc = " ".join(["prio-pfc", *(f"{prio}:{self.PFC}" for prio in self.PRIOS)])
        port = f"buffer {self.BUFFER} reaction 0 {pfc}"
        return Network(topology, mtu=self.MTU, edge=port, fabric=port, host=pfc,
                       options=["--arp"])

    def nic(self):
        return {"timeline_us": 1}

    def flows(self):
        return ()

    def seconds(self):
        return math.inf     # until the script ends

    def busy(self):
        return None

    def guest_options(self):
        return ["-r", "-f", f"{self.SCRIPT.resolve()}:/lab/script",
                "-f", f"{TOP}/scripts/vm/host-commands:/lab/host-commands",
                "-f", f"{TOP}/build/bin/random_device.so:/lab/random_device.so"]

    def prepare(self):
        # keys are variables of the script's environment
        texts = self.texts | {"SCENARIO": self.name, "SCRIPT": self.SCRIPT.resolve()}
        yield shlex.join(["export", *(f"{name}={text}" for name, text in texts.items())])
        yield ". /lab/run.sh"
        yield f"new_root {shlex.quote(self.SCRIPT.name)}"
        if self.IPV6:
            yield "add_ipv6"
        yield "insert_rnic"

    def traffic(self):
        yield f"run_script {shlex.quote(self.SCRIPT.name)} {self.TIMEOUT}"

    def metrics(self, run):
        status, seconds = (line.split()[1] for line in run.text("script.txt").splitlines())
        yield "exit_status", int(status)
        yield "script_s", float(seconds)
        yield from metrics.losses(run)
        yield "dropped_lossless", sum(sum(q["prios"][prio]["drops"].values())
                                      for q in run.qdiscs() for prio in set(self.PRIOS))

    def expectations(self, m):
        yield "exit_status == 0"
        if self.PFC:
            yield "dropped_lossless == 0"
        if not self.IPV6:   # switches drop the hosts' MLD reports, as all multicast
            yield "lost_bytes == 0"
