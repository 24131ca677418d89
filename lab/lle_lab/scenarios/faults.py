# SPDX-License-Identifier: GPL-2.0
"""Runs a script with any programs of this machine while links, packets and hosts fail.

As the scenario run, with faults that are drawn from SEED, or those of FAULT. The script judges the
programs by its exit status; it is ended after TIMEOUT. SEEDS=100 tries as many seeds, and prints
the command that repeats each failure.
"""
import functools
import random

from lle_lab import Integer, ListOf, Names, Number
from lle_lab.faults import fault

from .run import Run

# Ranges of values and lengths, of which logarithms are drawn evenly
SECONDS = {"flap": (0.001, 0.3), "loss": (0.01, 1), "slow": (0.001, 0.3), "stop": (0.001, 0.3),
           "kill": (1, 1)}
LOSS_PERCENT, SLOW_KBIT = (0.1, 10), (1000, 100000)


class Faults(Run):
    SEEDS = Integer(1, 1, 100000, "seeds, from SEED on, each of which is a run of a sweep")
    TIMEOUT = Number(60, 1, 10**6, "seconds until the script is ended, with exit status 124")
    FAULTS = Integer(4, 1, 100, "faults that are drawn, if there is no FAULT")
    KINDS = ListOf("flap,loss,stop", "flap loss slow stop kill", "kinds of faults that are drawn")
    AT = Names("", "hosts and ports that fail; empty: all")
    S = Number(1, 0.001, 1000, "seconds in which faults begin")

    def limits(self):
        super().limits()
        if not self.PFC and "slow" in self.KINDS:
            self.refuse("KINDS", "slow needs PFC=on")
        hosts, ports = self.links().names()
        for name in self.AT:
            if name not in [*hosts, *ports]:
                self.refuse("AT", f"there is no host or port {name}")
        self.hosts = [name for name in self.AT or hosts if name in hosts]
        # a name for each link
        self.ends = self.AT or hosts + sorted(port for port, peer in ports.items()
                                              if port < peer and peer in ports)
        if not self.hosts and {"slow", "stop", "kill"} & set(self.KINDS):
            self.refuse("AT", f"no host for {','.join(self.KINDS)}")

    @functools.cached_property
    def drawn(self):
        draws = random.Random(self.SEED)

        def log(least, most):
            return least * (most / least) ** draws.random()

        def draw():
            kind = draws.choice(self.KINDS)
            begin, length = draws.random() * self.S, log(*SECONDS[kind])
            name = draws.choice(self.ends if kind in ("flap", "loss") else self.hosts)
            value = {"loss": f":{log(*LOSS_PERCENT):.2f}%",
                     "slow": f":{log(*SLOW_KBIT):.0f}kbit"}.get(kind, "")
            lasts = "" if kind == "kill" else f"+{length * 1e6:.0f}us"
            return fault(f"{kind}:{name}{value}@{begin * 1e6:.0f}us{lasts}")

        return sorted((draw() for _ in range(self.FAULTS)), key=lambda each: each.begin_ns)

    def faults(self):
        return self.FAULT or self.drawn

    def seeds(self):
        return self.SEEDS
