# SPDX-License-Identifier: GPL-2.0
"""Common parts of scenarios about deadlocks. Each has RUNS runs, whose differences are drawn: from
SEED and the number of the run; run 0 is for what all runs share."""
import json

from lle_lab import Draws, Network, Scenario, flow, keys, link_mtu, metrics

PRIO = 3
FRAME_BITS = 84 * 8     # of a message, with preamble, FCS and gap


class Dcfit(Scenario):
    RUNS = keys.RUNS(10)
    MODE = keys.MODE("exact")
    RATE = keys.RATE("10gbit")
    DELAY = keys.DELAY("1us")
    MTU = keys.MTU(1024)

    BUFFER, XOFF = "1m", "xoff 40k "
    PORTS = 4   # of the largest switch

    def limits(self):
        self.limit_delay(self.PORTS, self.BUFFER)

    def draws(self, run):
        draws = Draws(self.SEED * 100003 + run)
        draws.draw(1)
        return draws

    def network(self):
        port = f"buffer {self.BUFFER} {self.XOFF}reaction 0 prio-pfc 3:on deadlock alert"
        return Network(self.topology(), self.RATE, self.DELAY, link_mtu(self.MTU), edge=port,
                       fabric=port, host="prio-pfc 3:on", options=self.options(),
                       after=self.after())

    def options(self):
        """Further arguments of `lle-testbed up`."""
        return ()

    def after(self):
        """Commands of the guest when the testbed is up."""
        return ()

    def nic(self):
        return {"mtu": self.MTU, "rto_us": 100000000, "ack_every": 16, "bin_us": 0}


class Deadlocks(Dcfit):
    """Runs that deadlock, one after the other."""
    US = keys.US(500)
    PARTS = keys.ONE_PART()

    def repeats(self):
        return self.RUNS

    def seconds(self):
        return self.US / 1e6

    def traffic(self):
        yield from super().traffic()
        yield "note_run"

    def hop_us(self):
        """Time of a message from one switch to the next."""
        return (FRAME_BITS * 1e9 / self.RATE + self.DELAY) / 1e3

    def found(self, run, name):
        """Deadlocks, and the times to find them."""
        pauses = [(ns, port) for ns, port, _, prio, event in run.pauses.rows()
                  if event == "pause" and prio == PRIO]
        runs = [json.loads(line) for line in run.text("runs.json").splitlines()]
        found = [[d for d in r["deadlocks"] if d["found_ns"] > r["start_ns"]] for r in runs]
        pairs = [(r, d) for r, deadlocks in zip(runs, found) for d in deadlocks]
        yield "runs", len(runs)
        yield "declared", len(pairs)
        yield "missed", found.count([])
        yield "duplicates", sum(d["duplicates"] for _, d in pairs)
        yield "loops_unknown", sum(not d["whole"] for _, d in pairs)
        yield "t_hop_us", metrics.fixed(self.hop_us(), 4)
        kinds = [trigger_is(d) for _, d in pairs]
        for kind in "on_loop", "out_of_loop", "host":
            yield f"trigger_{kind}", kinds.count(kind)
        if pauses:
            yield "trigger_first", sum(is_first(d, r["start_ns"], pauses) for r, d in pairs)
        yield from self.times(name, [(r, d) for r, d in pairs if d["whole"]])
        # without packets that watchdogs drop after a run
        yield "dropped", sum(number for testbed in run.testbeds() for q in testbed["qdiscs"]
                             for prio in q["prios"] for why, number in prio["drops"].items()
                             if why not in ("storm_discard", "storm_rx_discard"))

    def times(self, name, pairs):
        """When deadlocks with known loops were found: after the start, after the pause that closes
        the loop was decided, and after it was received."""
        if not pairs:
            return
        hops = [len(d["loop"]) for _, d in pairs]
        closed = [closing(d, r["pauses"]) for r, d in pairs]
        yield "hops", max(hops)
        yield "closed_after_us_min", metrics.fixed(
            min((tx_ns - r["start_ns"]) / 1e3 for (tx_ns, _), (r, _) in zip(closed, pairs)), 3)
        received = [(d["found_ns"] - rx_ns) / 1e3 for (_, rx_ns), (_, d) in zip(closed, pairs)]
        decided = [(d["found_ns"] - tx_ns) / 1e3 for (tx_ns, _), (_, d) in zip(closed, pairs)]
        rounds = [us / number / self.hop_us() for us, number in zip(received, hops)]
        for what, values in (("us", received), ("decided_us", decided), ("rounds", rounds)):
            for n, value in enumerate(values):
                yield f"{name}_{what}.{n}", metrics.fixed(value, 3)
            yield f"{name}_{what}_mean", metrics.fixed(sum(values) / len(values), 3)
            yield f"{name}_{what}_max", metrics.fixed(max(values), 3)

    def expect_found(self, name, rounds, *more):
        """Each run has one deadlock, which is declared once, within ROUNDS times the delay of a
        message around the loop; and MORE."""
        yield "dropped == 0"
        yield f"runs == {self.RUNS}"
        # other keys may give no deadlock
        if self.US < int(self.keys["US"].default) or not self.defaults("RATE DELAY MTU"):
            return
        yield "missed == 0"
        if self.MODE == "exact":
            yield f"declared == {self.RUNS}"
            yield "duplicates == 0"
            yield "loops_unknown == 0"
            yield f"{name}_rounds_max <= {rounds}"
        yield from more


class Innocent(Dcfit):
    """Runs without deadlocks, PERIOD ns apart, as flows of one run."""
    RUNS = keys.RUNS(1000)
    PERIOD = keys.PERIOD(2000000)

    # ports that are paused at one time in most runs
    TOGETHER = ()

    def flows(self):
        for run in range(self.RUNS):
            for start_ns, size, src, dst, *bps in self.run_flows(self.draws(run + 1)):
                yield flow(src, dst, size, run * self.PERIOD + start_ns, PRIO, *bps)

    def seconds(self):
        return self.RUNS * self.PERIOD / 1e9

    def metrics(self, run):
        yield from super().metrics(run)
        yield "runs", len(set((run.flows.start_ns // self.PERIOD).tolist()))
        declared = sum(switch["deadlocks"]["declared"] for switch in run.switches)
        yield "declared", declared
        yield "false", declared
        yield from messages(run)
        if self.TOGETHER:
            yield "together", together(run, self.TOGETHER, self.PERIOD / 1e3)

    def expectations(self, m):
        yield "dropped == 0"
        if self.MODE == "exact":
            yield "declared == 0"
        # with other keys flows may take longer, or not need the buffers
        if self.defaults("RATE DELAY MTU PERIOD"):
            # all flows ended: there was no deadlock
            yield "unfinished == 0"
            yield f"pauses > {self.RUNS}"


def messages(run):
    """Messages in frames of their own, over pauses that begin between switches."""
    sent = sum(switch["deadlocks"]["sent"] for switch in run.switches)
    pauses = sum(q["prios"][PRIO]["tx_pause_transition"] for q in run.qdiscs("fabric"))
    yield "fabric_pauses", pauses
    yield "messages", sent
    if pauses:
        yield "msgs_per_pause", sent / pauses


def together(run, ports, period_us):
    """The number of runs in which neighbours paused all of these ports at one time."""
    paused, runs, first = set(), set(), None
    for ns, port, direction, prio, event in run.pauses.rows():
        us = ns / 1e3
        first = us - period_us / 4 if first is None else first
        if direction == "rx" and prio == PRIO:
            if event == "pause":
                paused.add(port)
            else:
                paused.discard(port)
            if paused.issuperset(ports):
                runs.add(int((us - first) / period_us))
    return len(runs)


def since(pauses, port, direction):
    """When the present pause of a port began."""
    return next(p["since_ns"] for p in pauses if
                (p["ifname"], p["direction"], p["prio"]) == (port, direction, PRIO))


def closing(deadlock, pauses):
    """When the last pause of the loop was decided, and when it arrived; packets go from the egress
    of a hop to the ingress of the next one."""
    loop = deadlock["loop"]
    return max((since(pauses, hop["ingress"], "tx"), since(pauses, loop[n - 1]["egress"], "rx"))
               for n, hop in enumerate(loop))


def trigger_is(deadlock):
    trigger = deadlock["trigger"]
    if trigger["host"]:
        return "host"
    on_loop = any((hop["switch"], hop["ingress_slot"]) == (trigger["switch"], trigger["slot"])
                  for hop in deadlock["loop"])
    return "on_loop" if on_loop else "out_of_loop"


def is_first(deadlock, start_ns, pauses):
    """Is the trigger the port of the first pause of the run, sent or received?"""
    first = next(port for at_ns, port in pauses if at_ns >= start_ns)
    return deadlock["trigger"]["ifname"] == first
