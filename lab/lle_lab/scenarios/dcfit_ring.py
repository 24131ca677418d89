# SPDX-License-Identifier: GPL-2.0
"""The links of a ring are full, but not overloaded, until bursts or a slow host deadlock it.

As in the evaluation of Hawkeye (SIGCOMM 2025), two flows of three hops share each link of a ring
of four switches, each at half of its rate. Then four hosts at one switch send bursts of 10 MB to
hosts at the next one, and the ring deadlocks. With TRIGGER=host there are no bursts, and all send
less; but a host at the end of a flow receives slowly, and pauses its switch.

           h1,h2
            |
          +----+      +----+
          | s1 |----->| s2 |-- h3,h4; h9-h12 send bursts
          +----+      +----+
            ^           |
            |           v
          +----+      +----+
          | s3 |<-----| s4 |-- h7,h8; h13-h16 receive them
          +----+      +----+
            |
           h5,h6
"""
from lle_lab import OneOf, Topology, flow, keys

from . import _dcfit as dcfit

ROUTES = "s1 h7 s2, s2 h7 s4, s4 h2 s3, s3 h2 s1, s3 h3 s1, s1 h3 s2, s2 h6 s4, s4 h6 s3"


class DcfitRing(dcfit.Deadlocks):
    RUNS = keys.RUNS(3)
    TRIGGER = OneOf("burst", "burst host", "initial trigger")
    RATE = keys.RATE("100gbit")
    DELAY = keys.DELAY("5us")
    MTU = keys.MTU(4096)
    US = keys.US(4000)

    BUFFER, XOFF = "4m", "xoff 100k "
    PORTS = 8
    half = property(lambda self: self.RATE // 2)

    def topology(self):
        found = Topology()
        found.switches("s1", "s2", "s3", "s4")
        for n in range(1, 9):
            found.host(f"h{n}", f"s{(n + 1) // 2}", f"rate {self.half}bit")
        for n in range(9, 17):
            found.host(f"h{n}", "s2" if n < 13 else "s4")
        found.path("s1 s2 s4 s3 s1")
        for route in ROUTES.split(", "):
            found.route(*route.split())
        return found

    def after(self):
        if self.TRIGGER == "host":
            yield ("on_time tc -n lle-h7 qdisc change dev eth0 root lossless role host buffer 4m "
                   f"xoff 100k rx-rate {self.half // 20}bit")

    def prepare(self):
        # further runs have the same testbed
        return super().prepare() if self.run == 1 else ["end_deadlock", "load_flows"]

    def flows(self):
        draws = self.draws(self.run)
        share = self.half * 8 // 10 if self.TRIGGER == "host" else None
        for src, dst in (1, 7), (8, 2), (5, 3), (4, 6):
            yield flow(src, dst, 10**12, draws.draw(20000), dcfit.PRIO, share)
        if self.TRIGGER == "burst":
            for n in range(9, 13):
                yield flow(n, n + 4, 10**7, 2000000 + draws.draw(20000), dcfit.PRIO)

    def metrics(self, run):
        return self.found(run, "out_loop" if self.TRIGGER == "host" else "on_loop")

    def expectations(self, m):
        if self.TRIGGER == "host":
            return self.expect_found("out_loop", 1.1, f"trigger_host == {self.RUNS}", "hops == 4")
        # a deadlock needs the bursts
        return self.expect_found("on_loop", 1.1, f"trigger_on_loop == {self.RUNS}",
                                 "closed_after_us_min > 2000", "hops == 4")
