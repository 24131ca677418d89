# SPDX-License-Identifier: GPL-2.0
"""Congestion in all parts of a leaf-spine network, which cannot deadlock.

Paths go up and then down, so buffers never wait for each other in a loop. Thresholds are dynamic,
with another alpha at each switch. Senders, receivers and sizes of flows are drawn, RUNS times. No
switch may declare a deadlock.
"""
from lle_lab import Topology, keys

from . import _dcfit as dcfit

HOSTS = 8


class DcfitNoLoop(dcfit.Innocent):
    PERIOD = keys.PERIOD(4000000)

    BUFFER, XOFF = "400k", ""

    def topology(self):
        """4 leaves with 2 hosts each, and 2 spines."""
        draws, found = self.draws(0), Topology()
        found.switches(*(f"s{n} alpha 1/{1 << draws.draw(4)}" for n in range(1, 7)))
        for n in range(1, HOSTS + 1):
            found.host(f"h{n}", f"s{(n + 1) // 2}")
        for leaf in "s1", "s2", "s3", "s4":
            for spine in "s5", "s6":
                found.path(f"{leaf} {spine}")
        return found

    def run_flows(self, draws):
        """16 flows; two of the hosts receive half of them."""
        hot = draws.draw(HOSTS)
        for i in range(16):
            src = draws.draw(HOSTS)
            dst = (src + 1 + draws.draw(HOSTS - 1)) % HOSTS
            if i % 2 == 0:
                dst = (hot + i // 2 % 2) % HOSTS
            if dst == src:
                dst = (src + 2) % HOSTS
            start_ns = draws.draw(30000)
            yield start_ns, (draws.draw(280) + 20) * 1000, src + 1, dst + 1
