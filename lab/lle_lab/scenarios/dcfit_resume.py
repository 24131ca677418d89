# SPDX-License-Identifier: GPL-2.0
"""All links of a ring are paused, but one of the switches will resume: no deadlock.

Each link has packets that wait for the next one. But most of the bytes that one of the switches
pauses for go to a host of its own: paper section 5, "a causality-loop is formed but then one of
the ports is immediately resumed".

         h1          h2
          |           |
        +----+      +----+  h1 to h3, h2 to h4, h4 to h2, clockwise;
        | s1 |----->| s2 |  h5 and h6 to h4, more than its link carries;
        +----+      +----+  h3 to h1 little: less than XON, for which
          ^           |     s4 keeps s3 paused
          |           v
        +----+      +----+
        | s4 |<-----| s3 |
        +----+      +----+
        / |  \\        |
      h5 h4  h6      h3

Sizes, rates and times of flows are drawn, RUNS times. No switch may declare a deadlock.
"""
from lle_lab import Topology, keys

from . import _dcfit as dcfit

HOMES = "s1 s2 s3 s4 s4 s4".split()     # of h1 to h6
# hosts, and the least and the most KB; from h3 to h1 with headers less than XON
FLOWS = (1, 3, 200, 400), (2, 4, 200, 400), (4, 2, 200, 400), (5, 4, 200, 400), (6, 4, 200, 400), \
    (3, 1, 10, 20)


class DcfitResume(dcfit.Innocent):
    PAUSES = keys.PAUSES("yes")

    BUFFER, XOFF = "2m", "xoff 30k "
    PORTS = 5
    TOGETHER = "s1p2", "s2p3", "s3p3", "s4p5"

    def topology(self):
        found = Topology()
        found.switches("s1", "s2", "s3", "s4")
        for n, switch in enumerate(HOMES, 1):
            found.host(f"h{n}", switch)
        found.path("s1 s2 s3 s4 s1")
        for route in "s1 h3 s2", "s2 h4 s3", "s3 h1 s4", "s4 h2 s1":
            found.route(*route.split())
        return found

    def run_flows(self, draws):
        for src, dst, least, most in FLOWS:
            start_ns = draws.draw(20000)
            size = (least + draws.draw(most - least + 1)) * 1000
            yield start_ns, size, src, dst, self.RATE * (draws.draw(4) + 7) // 10

    def expectations(self, m):
        yield from super().expectations(m)
        if self.defaults("RATE DELAY MTU PERIOD PAUSES"):
            yield f"together > {self.RUNS // 2}"
