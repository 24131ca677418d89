# SPDX-License-Identifier: GPL-2.0
"""A fat tree with two failed links, whose detours form a loop that deadlocks.

Packets take a detour by another pod, as in "DCFIT: Initial Trigger-Based PFC Deadlock Detection
in the Data Plane" (section 5). The detours form a loop. A host at each edge switch of two pods
sends at line rate, more than the links of the loop carry. So its switches pause each other, and
it deadlocks, RUNS times.
"""
from lle_lab import Topology, flow

from . import _dcfit as dcfit


class Tree(Topology):
    """4 pods, 20 switches, 16 hosts. Two links from cores to pods have failed, so packets take a
    detour by another pod:

    pod p to pod x: up to core 1, down to pod q, up to core 2, down to x
    pod q to pod y: up to core 2, down to pod p, up to core 1, down to y

    The loop is core 1, pod q, core 2, pod p. Pods and the group of cores are drawn.
    """

    def __init__(self, draws, sink_options):
        super().__init__()
        pods = [1, 2, 3, 4]
        for i in 4, 3, 2:
            drawn = draws.draw(i)
            pods[drawn], pods[i - 1] = pods[i - 1], pods[drawn]
        self.p, self.q, self.x, self.y = pods
        self.group = draws.draw(2) + 1
        self.sink = host(self.x)
        self.switches(*(f"s{n}" for n in range(1, 21)))
        for n in range(1, 17):
            self.host(f"h{n}", f"s{(n + 1) // 2}", *(sink_options if n == self.sink else ()))
        for pod in 1, 2, 3, 4:
            for i in 1, 2:
                for group in 1, 2:
                    self.path(f"s{edge(pod, i)} {aggregation(pod, group)}")
        for group in 1, 2:
            for i in 1, 2:
                for pod in 1, 2, 3, 4:
                    self.path(f"{aggregation(pod, group)} {core(i, group)}")
        self.detour(self.p, self.q, self.sink, 1, 2)
        self.detour(self.q, self.p, host(self.y), 2, 1)

    def detour(self, pod, through, to, first, second):
        """Packets of a pod for a host go up to core FIRST, by pod THROUGH, to core SECOND."""
        up, down = aggregation(pod, self.group), aggregation(through, self.group)
        first, second = core(first, self.group), core(second, self.group)
        for switch, via in ((f"s{edge(pod, 1)}", up), (f"s{edge(pod, 2)}", up), (up, first),
                            (first, down), (down, second)):
            self.route(switch, f"h{to}", via)

    def failed(self):
        """The links that have failed."""
        for pod, i in (self.x, 1), (self.y, 2):
            yield f"{aggregation(pod, self.group)}-{core(i, self.group)}"


def edge(pod, i):
    return 2 * pod - 2 + i


def aggregation(pod, group):
    return f"s{6 + 2 * pod + group}"


def core(i, group):
    return f"s{14 + 2 * group + i}"


def host(pod, i=1):
    """The number of the first host at edge switch I of a pod."""
    return 2 * edge(pod, i) - 1


class DcfitOnLoop(dcfit.Deadlocks):
    share = None        # bit/s of a flow; None: as much as its link carries

    def begin(self):
        # the tree of the first run is that of run 0
        draws = self.draws(self.run if self.run > 1 else 0)
        self.tree = Tree(draws, self.sink_link())
        self.drawn = draws if self.run > 1 else self.draws(1)

    def sink_link(self):
        """Properties of the link to the first host of pod x."""
        return ()

    def topology(self):
        return self.tree

    def options(self):
        return [word for link in self.tree.failed() for word in ("--fail", link)]

    def prepare(self):
        return super().prepare() if self.run == 1 else ["next_testbed", "load_flows"]

    def flows(self):
        for i in 1, 2:
            for pod, to in (self.tree.p, self.tree.x), (self.tree.q, self.tree.y):
                yield flow(host(pod, i), host(to), 10**11, self.drawn.draw(20000), dcfit.PRIO,
                           self.share)

    def metrics(self, run):
        return self.found(run, "on_loop")

    def expectations(self, m):
        return self.expect_found("on_loop", 1.1, f"trigger_on_loop == {self.RUNS}", "hops == 4")
