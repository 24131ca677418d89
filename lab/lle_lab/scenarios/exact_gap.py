# SPDX-License-Identifier: GPL-2.0
"""Frames of a full link are as far apart as their bits need, to the nanosecond.

N hosts send to one, more than its link carries: the last bits of two frames arrive as far apart
as the second frame occupies the link. 1498 bytes and Ethernet's overhead are 121.76 ns at 100
Gbit/s: gaps of 121 and 122 ns. With OVERHEAD=2 it is 1500 bytes, 120 ns each.
"""
from lle_lab import Integer, Network, Scenario, keys, link_mtu, metrics, pattern


class ExactGap(Scenario):
    N = Integer(2, 2, 60, "hosts that send")
    RATE = keys.RATE("100gbit")
    DELAY = keys.DELAY("1us")
    OVERHEAD = keys.OVERHEAD(24)
    MTU = keys.MTU(1440)
    SIZE = keys.SIZE(75000000)
    MS = keys.MS(20)
    CAPTURE = keys.CAPTURE("s1p1")

    packets = property(lambda self: self.N * -(-self.SIZE // self.MTU))

    def limits(self):
        self.limit_delay(self.N + 1, "16m")

    def network(self):
        return Network(
            ("star", self.N + 1), self.RATE, self.DELAY, link_mtu(self.MTU),
            edge=f"overhead {self.OVERHEAD} buffer 16m xoff 200k reaction 0 prio-pfc 3:on",
            host=f"overhead {self.OVERHEAD} prio-pfc 3:on")

    def nic(self):
        return {"mtu": self.MTU, "ack_every": 16}

    def flows(self):
        return pattern("incast", hosts=self.N + 1, senders=self.N, size=self.SIZE)

    def seconds(self):
        return self.MS / 1e3

    def metrics(self, run):
        yield from super().metrics(run)
        gaps, exact, rest, last = [], 0, 0, None
        for ns, size in run.frames("s1p1", "ip dst 10.0.0.1"):
            # fractions of a nanosecond are carried over to the next frame
            want, rest = divmod(rest + (size + self.OVERHEAD) * 8 * 10**9, self.RATE)
            if last is not None:
                gaps.append(ns - last)
                exact += gaps[-1] == want
            last = ns
        yield "gaps", len(gaps)
        yield "gaps_exact", exact
        yield "gap_min_ns", min(gaps, default=0)
        yield "gap_max_ns", max(gaps, default=0)

    def backlogged(self):
        """Do all flows end, on a link that always has packets? A port that pauses must hold as much
        as the link sends until packets come again."""
        needs_s = self.packets * (self.MTU + metrics.HEADERS + 40) * 8 / self.RATE
        return needs_s + 10 * self.DELAY / 1e9 < self.seconds() and \
            2 * self.DELAY * self.RATE / 8e9 < self.N * 100e3

    def expectations(self, m):
        yield "dropped == 0"
        if self.backlogged():
            if self.SIZE >= 10**6:
                yield "pauses > 0"
            yield "unfinished == 0"
            yield f"gaps == {self.packets - 1}"
            yield f"gaps_exact == {self.packets - 1}"
