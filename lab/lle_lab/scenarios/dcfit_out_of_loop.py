# SPDX-License-Identifier: GPL-2.0
"""The tree of dcfit-on-loop, where a slow link or host off the loop causes the deadlock.

The links of the loop are not full. A switch off the loop has to pause, as in figure 3 of the
paper: a detour leads to a server by a link of a fiftieth of the rate. With TRIGGER=host the link
is fast, but the server pauses. Pauses spread from switch to switch to the loop, which deadlocks,
RUNS times.
"""
from lle_lab import OneOf, keys

from .dcfit_on_loop import DcfitOnLoop


class DcfitOutOfLoop(DcfitOnLoop):
    TRIGGER = OneOf("switch", "switch host", "the first to pause")
    US = keys.US(5000)
    PAUSES = keys.PAUSES("yes")

    share = property(lambda self: self.RATE * 22 // 100)
    slow = property(lambda self: f"{self.RATE // 50}bit")

    def sink_link(self):
        return ("rate", self.slow) if self.TRIGGER == "switch" else ()

    def after(self):
        if self.TRIGGER == "host":
            yield (f"on_time tc -n lle-h{self.tree.sink} qdisc change dev eth0 root lossless "
                   f"role host xoff 40k rx-rate {self.slow}")

    def metrics(self, run):
        return self.found(run, "out_loop")

    def expectations(self, m):
        where = "host" if self.TRIGGER == "host" else "out_of_loop"
        # about one round; one more if an ingress asks a smaller initiator
        yield from self.expect_found(
            "out_loop", 2.4, f"trigger_{where} == {self.RUNS}",
            # only that link or server is slow: its pause causes the others
            f"trigger_first == {self.RUNS}", "hops == 4")
