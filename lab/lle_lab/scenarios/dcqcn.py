# SPDX-License-Identifier: GPL-2.0
"""DCQCN alone at a bottleneck: N hosts begin to send to one, after each other.

The next one begins STAGGER ms later. In the second half of the time all get the same share of the
link, which is full; the queue is short, and no host is paused. Parameters are those of "Congestion
Control for Large-Scale RDMA Deployments" (SIGCOMM 2015, section 5.2), for hosts with 40 Gbit/s. The
packets to mark are drawn from SEED. Marks are rare, so shares are uneven over some ten ms; less so
with a larger PMAX.
"""
from lle_lab import Integer, Network, Scenario, ecn, flow, keys, link_mtu, metrics


def half(number):
    """The first of so many samples that is in the second half of the time."""
    return (number + 1) // 2 - 1


def second_half(run):
    """Bytes that each flow receives in the second half of the time, and the ns of that."""
    bytes = run.bins.bytes[:, half(len(run.bins.starts_ns)):]
    return bytes.sum(axis=1).tolist(), bytes.shape[1] * run.bins.width_ns


class Dcqcn(Scenario):
    N = Integer(2, 1, 60, "hosts that send")
    RATE = keys.RATE("40gbit")
    DELAY = keys.DELAY("1us")
    BUFFER = keys.BUFFER("32m")
    KMIN = keys.KMIN(5000)
    KMAX = keys.KMAX(200000)
    PMAX = keys.PMAX("1%")
    MARK = keys.MARK("arrival")
    STAGGER = Integer(10, 0, 10000, "ms from the start of one flow to that of the next one")
    MS = keys.MS(400)
    MTU = keys.MTU(1024)
    QUEUES = keys.QUEUES("s1p1")

    def limits(self):
        self.limit_buffer(self.N + 1)

    def port(self):
        return (f"buffer {self.BUFFER} reaction 0 prio-pfc 3:on "
                f"wred 3 kmin {self.KMIN} kmax {self.KMAX} pmax {self.PMAX} {ecn(self.MARK)}")

    def network(self):
        return Network(("star", self.N + 1), self.RATE, self.DELAY, link_mtu(self.MTU),
                       edge=self.port(), host="prio-pfc 3:on")

    def nic(self):
        # samples are dense enough for metrics.marks(): 100000, or one each us
        sample_us = -(-self.MS // 100)
        return {"mtu": self.MTU, "ack_every": 16, "cc": "dcqcn", "line_mbps": self.RATE // 10**6,
                "sample_us": sample_us, "samples": self.MS * 1000 // sample_us}

    def flows(self):
        for i in range(self.N):
            yield flow(i + 2, 1, 10**12, i * self.STAGGER * 10**6)

    def seconds(self):
        return self.MS / 1e3

    def metrics(self, run):
        yield from metrics.losses(run)
        yield from metrics.marks(run)
        yield from metrics.cnps(run)
        if "h1" in self.CAPTURE:
            yield from metrics.cnps_due(run, "h1")
        received, ns = second_half(run)
        total = sum(received)
        shares = [bytes * len(received) / total for bytes in received] if total else []
        for i, share in enumerate(shares, 1):
            yield f"share_{i}", metrics.fixed(share, 4)
        yield "share_off_max", metrics.fixed(max((abs(s - 1) for s in shares), default=0), 4)
        yield "goodput_share", metrics.fixed(total * 8e9 / ns / self.RATE, 4)
        if len(run.queue):
            later = run.queue.bytes[half(len(run.queue)):]
            yield "queue_mean_bytes", metrics.fixed(int(later.sum()) / len(later), 0)
            yield "queue_max_bytes", later.max()

    def expectations(self, m):
        yield "dropped == 0"
        yield "lost_bytes == 0"
        yield from metrics.expect_marks(m)
        # at the end one CNP of each flow may be in flight
        for name in "cnps.under_way", "cnps.due":
            if name in m and self.DELAY <= 10000:
                yield f"{name} >= 0"
                yield f"{name} <= {self.N}"
        # with enough marks
        if self.MS * self.PMAX >= 400 and \
                self.defaults("N RATE DELAY BUFFER KMIN KMAX MARK STAGGER MTU"):
            yield "pauses == 0"
            # of 23 seeds: 0.001 to 0.183; without a reaction nearly 1
            yield "share_off_max <= 0.3"
            yield "goodput_share > 0.9"
            if self.QUEUES:
                yield f"queue_max_bytes < {self.KMAX}"
