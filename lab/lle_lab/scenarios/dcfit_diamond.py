# SPDX-License-Identifier: GPL-2.0
"""An initial trigger reaches a switch by two ports, without a deadlock.

This is figure 4 of "DCFIT: Initial Trigger-Based PFC Deadlock Detection in the Data Plane". Hosts
of s2, s4 and s7 send more to the hosts of s1 than these can receive, so pauses of s1 spread by s5
and by s6 to s7.

    h1,h2 -- s1 ---- s3 ---- s5
             |        |       |
    h5,h6 -- s2      s6 ---- s7 -- h7,h8
                              |
                             s4 -- h3,h4

Sizes, rates and times of flows are drawn, RUNS times. No switch may declare a deadlock.
"""
from lle_lab import Topology, keys

from . import _dcfit as dcfit

HOMES = "s1 s1 s4 s4 s2 s2 s7 s7".split()       # of h1 to h8


class DcfitDiamond(dcfit.Innocent):
    PERIOD = keys.PERIOD(1500000)
    PAUSES = keys.PAUSES("yes")

    XOFF = "xoff 20k "
    PORTS = 5
    # where s5 and s6 pause s7
    TOGETHER = "s7p3", "s7p4"

    def topology(self):
        found = Topology()
        found.switches(*(f"s{n}" for n in range(1, 8)))
        for n, switch in enumerate(HOMES, 1):
            found.host(f"h{n}", switch)
        for link in "s2 s1", "s3 s1", "s5 s3", "s6 s3", "s7 s5", "s7 s6", "s4 s7":
            found.path(link)
        found.route("s7", "h1", "s5")
        found.route("s7", "h2", "s6")
        return found

    def run_flows(self, draws):
        for src in range(3, 9):
            for dst in 1, 2:
                start_ns = draws.draw(50000)
                size = (draws.draw(100) + 20) * 1000
                yield start_ns, size, src, dst, self.RATE * (draws.draw(7) + 4) // 10

    def expectations(self, m):
        yield from super().expectations(m)
        if self.defaults("RATE DELAY MTU PERIOD PAUSES"):
            yield f"together > {self.RUNS * 9 // 10}"
