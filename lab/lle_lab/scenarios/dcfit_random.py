# SPDX-License-Identifier: GPL-2.0
"""Random networks, whose deadlocks an oracle knows: switches must declare these, and no others.

RUNS networks come one after the other, with detours, switches that a path passes twice, static and
dynamic THRESHOLDS, and hosts that pause for some time. The oracle computes from queues and pauses
alone which ports are dead when no packet moves. The switches must have declared these deadlocks,
in time and once each, and no others. SHAPE is g0, g1, g2 or all. LOSS percent of messages and
PFC_LOSS percent of PFC frames are lost; all are delayed by up to JITTER packet times. RCM=on:
switches run RCM, which needs a higher XOFF; RCM=las: likewise, with LAS; RCM=off: the same XOFF
without RCM; all with static thresholds. COUNTERFACTUAL=yes: repeats each deadlock while its
initial trigger does not pause. Mode dcfit is only measured. The graph is that of the last run:
RUNS=1 SEED=N shows one.
"""
import math
import shlex
import subprocess
import sys

from lle_lab import Integer, Network, OneOf, Scenario, Topology, keys, metrics
from lle_lab.flows import TOP
from lle_lab.plots import graph

PROGRAM = "build/bin/lle_random"
RCM = {"no": [], "off": ["--dynamic", 0, "--rcm", 0], "on": ["--dynamic", 0, "--rcm", 1],
       "las": ["--dynamic", 0, "--rcm", 2]}
THRESHOLDS = {"all": [], "static": ["--dynamic", 0], "dynamic": ["--dynamic", 1]}


class DcfitRandom(Scenario):
    RUNS = keys.RUNS(100)
    SHAPE = OneOf("all", "all g0 g1 g2", "shape of the networks")
    THRESHOLDS = OneOf("all", "all static dynamic", "thresholds of the buffers")
    MODE = keys.MODE("exact")
    RATE = keys.RATE("10gbit")
    LOSS = Integer(0, 0, 100, "percent of the messages of deadlock detection that are lost")
    PFC_LOSS = Integer(0, 0, 100, "percent of the PFC frames that are lost")
    JITTER = Integer(0, 0, 1000, "maximum delay of messages, in packet times")
    RCM = OneOf("no", "no off on las", "RCM in switches (las: with LAS; off: thresholds that leave "
                                       "buffer for it)")
    COUNTERFACTUAL = OneOf("no", "no yes", "repeat each deadlock without its initial trigger")

    def options(self):
        """Options of lle_random."""
        words = ["--seed", self.SEED, "--runs", self.RUNS, "--rate", int(self.RATE),
                 "--loss", self.LOSS * 10, "--pfc-loss", self.PFC_LOSS * 10,
                 "--jitter", self.JITTER]
        words += [] if self.SHAPE == "all" else ["--shape", self.SHAPE[1:]]
        words += RCM[self.RCM] + THRESHOLDS[self.THRESHOLDS]
        words += ["--counterfactual"] * bool(self.COUNTERFACTUAL)
        return [str(word) for word in words]

    def network(self):
        """The network of the first run, which stays if that is the only one."""
        subprocess.run(["make", "-s", "-C", TOP, PROGRAM], check=True)
        first = Topology()
        first.lines = subprocess.run([TOP / PROGRAM, *self.options(), "testbed"], check=True,
                                     text=True, stdout=subprocess.PIPE).stdout.splitlines()
        return Network(first)

    def flows(self):
        """lle_random has its own."""
        return ()

    def nic(self):
        return {"mtu": 1024, "ack_every": 64, "rto_us": 100000000,
                "line_mbps": self.RATE // 10**6, "timeline_us": int(self.RUNS == 1)}

    def seconds(self):
        """A run ends when no packet moves."""
        return math.inf

    def busy(self):
        return None

    def prepare(self):
        # lle_random builds each network anew
        yield "insmod /mods/lle_rnic.ko $nic"
        yield "insmod /mods/lle_oracle.ko"

    def traffic(self):
        yield 'lle_until "$run_ns"'
        yield (f'lle_random {shlex.join(self.options())} "${{part[@]}}" --dot "$OUT/waits.dot" run '
               '>"$OUT/runs.csv"')
        yield 'cat /sys/kernel/debug/lle_oracle/state >"$OUT/state"'
        yield "testbed_json"

    def metrics(self, run):
        lines = [line.split(",") for line in run.text("runs.csv").splitlines()]
        yield from latencies(line for line in lines if line[0] == "core")
        runs = [line for line in lines if line[0] == "run"]
        cores, declared, missed, false, twice, pauses, messages, dropped = (
            sum(int(line[column]) for line in runs) for column in range(5, 13))
        yield "runs", len(runs)
        yield "oracle", cores
        yield "declared", declared
        yield "missed", missed
        yield "false", false
        yield "duplicates", twice
        yield "dropped", dropped
        yield "found_share", metrics.fixed(1 - missed / cores if cores else 1, 4)
        yield "duplicates_share", metrics.fixed(twice / cores if cores else 0, 4)
        yield "msgs_per_pause", metrics.fixed(messages / (pauses or 1), 3)
        tried = [int(line[13]) for line in runs if int(line[13]) >= 0]
        if tried:
            yield "trigger_averts", metrics.fixed(sum(tried) / len(tried), 3)
        # to inspect one: SEED=N RUNS=1
        for line in runs:
            if any(map(int, line[7:10])):
                print("wrong:", ",".join(line), file=sys.stderr)

    def expectations(self, m):
        """Bounds are three standard deviations from the median of ten seeds: 0.25 for medians with
        LOSS, 0.044 for a share. Mode dcfit declares each deadlock twice."""
        lossless = not (self.LOSS or self.PFC_LOSS or self.JITTER)
        # few networks may have no deadlock
        measured = self.RUNS >= 30 and self.LOSS <= 10 and self.PFC_LOSS <= 1 and \
            self.defaults("SHAPE THRESHOLDS RATE JITTER")
        yield f"runs == {self.RUNS}"
        # RCM may prevent all; RCM=off shows that these networks have deadlocks
        if measured and self.RCM not in ("on", "las"):
            yield "oracle > 0"
        if self.MODE != "exact":
            return
        yield "false == 0"
        if lossless:
            yield "found_share >= 0.998"
        if self.PFC_LOSS == 0:
            yield "dropped == 0"
        if not measured:
            return
        yield f"latency.p50 <= {0.75 if self.LOSS == 0 else 1}"
        yield f"latency.p99 <= {6 if lossless else 12}"
        if lossless:
            yield f"duplicates <= {2 + m['oracle'] // 50}"
            yield "msgs_per_pause <= 2"
        else:
            yield "found_share >= 0.995"
        if self.COUNTERFACTUAL and self.RUNS >= 100:
            yield "trigger_averts >= 0.77"

    @graph("Ports that pause, and for whom they wait; red: dead, bold: has declared.")
    def waits(self, results):
        return results.text("waits.dot")


def latencies(cores):
    """Percentiles of the time until a core was found, over that of a message around it."""
    values = sorted(metrics.fixed(int(found) / (int(hops) * int(hop_ns)), 3)
                    for _, _, _, found, hops, hop_ns in cores)
    for name, share in ("p50", 0.5), ("p99", 0.99), ("max", 1):
        at = int((len(values) - 1) * share)
        yield f"latency.{name}", float(f"{values[at]:.6g}") if values else 0
