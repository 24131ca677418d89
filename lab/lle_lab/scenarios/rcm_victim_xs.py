# SPDX-License-Identifier: GPL-2.0
"""As rcm-victim, but two more hosts, beside the destination of the four sources, send to it.

So packets to it need less than half of the first path, and the victim can have two thirds.
"""
from .rcm_victim import RcmVictim


class RcmVictimXs(RcmVictim):
    XS = 2
    # when the first flows end, the others get more at once: one pause was seen
    PAUSES_AFTER = 2

    def bottleneck_least(self):
        """With DCQCN: 0.754 at least. Without RCM's isolation it would be below 0.4."""
        return 0.65

    def victim_least(self, arm):
        """With DCQCN: minimum 65.3, median 68.4, maximum 75.7. Without holds it is 33."""
        return 50 if "dcqcn" in arm else 63 if self.FLOWS == 1 else 52
