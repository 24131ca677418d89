# SPDX-License-Identifier: GPL-2.0
"""Congestion in all parts of a leaf-spine network, which cannot deadlock.

Paths go up and then down, so buffers never wait for each other in a loop. Thresholds are dynamic,
with another alpha at each switch. Senders, receivers and sizes of flows are drawn, RUNS times. No
switch may declare a deadlock.
"""
from lle_lab import keys

from . import _dcfit as dcfit

SWITCHES, HOSTS = 6, 8


class DcfitNoLoop(dcfit.Innocent):
    PERIOD = keys.PERIOD(4000000)

    BUFFER, XOFF = "400k", ""

    def topology(self):
        return "leaf-spine", 4, 2, 2

    def after(self):
        draws = self.draws(0)
        lines = [f"qdisc change dev s{i}p{port} root lossless alpha 1/{alpha}"
                 for i in range(1, SWITCHES + 1) for alpha in [1 << draws.draw(4)]
                 for port in (1, 2, 3, 4)]
        yield "on_time tc -n lle-sw -batch - <<END\n" + "\n".join(lines) + "\nEND"

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
