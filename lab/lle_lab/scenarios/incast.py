# SPDX-License-Identifier: GPL-2.0
"""Hosts of a fat tree send to one at once, more than its link carries.

With PFC=on they are paused, and no packet is lost; with PFC=off packets are dropped and sent
again. With WATCHDOG=yes all ports of switches have a watchdog: an incast, however long, is no
pause storm. With VERB=read the receiver reads from all others at once.
"""
from lle_lab import FatTree, Integer, OneOf, keys, metrics, pattern


class Incast(FatTree):
    SIZE = keys.SIZE(1000000)
    N = Integer(15, 1, lambda s: s.hosts - 1, "hosts that send; one of all K*K*K/4 receives")
    VERB = keys.VERB("write")
    RECOVERY = OneOf("go-back-n", "go-back-n irn",
                     "how losses are repaired; irn: with a window of 256 packets")
    TURN = keys.TURN(0)
    WATCHDOG = keys.WATCHDOG("no")

    def after(self):
        return ["switches watchdog start --fabric all 100"] if self.WATCHDOG else []

    def nic(self):
        # RTO: 1 ms at 100 Gbit/s
        nic = super().nic() | {"rto_us": 10**14 // self.RATE, "turn_bytes": int(self.TURN)}
        return nic | {"irn": 1, "window": 256} if self.RECOVERY == "irn" else nic

    def flows(self):
        for line in pattern("incast", hosts=self.hosts, senders=self.N, size=self.SIZE):
            yield f"{line} {self.VERB}"

    def metrics(self, run):
        yield from super().metrics(run)
        yield from metrics.goodput_share(run, self.RATE)
        yield "watchdogs", len(run.watchdogs)
        yield "storms", sum(watchdog["storm_detected"] for watchdog in run.watchdogs)

    def expectations(self, m):
        yield from super().expectations(m)
        if self.WATCHDOG:
            yield "watchdogs > 0"
            yield "storms == 0"
        # other keys may give a queue that fits the buffer
        if self.N >= 7 and self.defaults("K RATE DELAY BUFFER SIZE MTU MS"):
            if self.PFC:
                yield "pauses > 0"
                yield "goodput_share > 0.85"
            else:
                yield "dropped > 0"
                yield "retransmitted > 0"
