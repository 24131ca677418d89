# SPDX-License-Identifier: GPL-2.0
"""Hosts of a fat tree send to one at once, by the kernel's own TCP.

With PFC=off packets are dropped, and senders that lose their last ones wait for a time-out; with
PFC=on no packet is lost, and all flows end when the link has carried all bytes. CC=dctcp: with ECN
marks from KMIN bytes on.
"""
import dataclasses

from lle_lab import FatTree, Integer, OneOf, ecn, keys, metrics, pattern


class TcpIncast(FatTree):
    PARTS = keys.ONE_PART()
    RATE = keys.RATE("10gbit")
    N = Integer(8, 1, lambda s: s.hosts - 1, "hosts that send; one of all K*K*K/4 receives")
    SIZE = keys.SIZE(1000000)
    CC = OneOf("cubic", "cubic reno dctcp", "congestion control of TCP")
    BUFFER = keys.BUFFER("1mb")
    KMIN = keys.KMIN(65000)
    MARK = keys.MARK("arrival")
    GSO = OneOf("split-gso", "split-gso no-split-gso", "how ports send TCP's GSO packets")
    S = keys.S(3)
    MTU, MS = 1024, None

    def port(self):
        port = f"buffer {self.BUFFER} reaction 0 prio-pfc 3:{self.PFC}"
        if self.CC == "dctcp":
            port += f" wred 3 kmin {self.KMIN} kmax {self.KMIN} pmax 100% {ecn(self.MARK)}"
        return port

    def network(self):
        return dataclasses.replace(super().network(), options=("--arp",))

    def nic(self):
        # lle_rnic.ko records the timeline and queues only
        return {"bin_us": 0}

    def flows(self):
        return pattern("incast", hosts=self.hosts, senders=self.N, size=self.SIZE)

    def seconds(self):
        return self.S

    def prepare(self):
        yield "insert_rnic"

    def traffic(self):
        yield f'tcp_flows {self.CC} {self.S} >"$OUT/flows.csv"'

    def metrics(self, run):
        yield from metrics.losses(run)
        yield "marked", run.total("ecn_marked")
        yield from metrics.flow_times(run)
        yield from metrics.goodput_share(run, self.RATE)

    def expectations(self, m):
        yield "lost_bytes == 0"
        yield "dropped == 0" if self.PFC else "pauses == 0"
        if self.N >= 8 and self.defaults("K RATE DELAY SIZE BUFFER KMIN S"):
            yield "unfinished == 0"
            if self.PFC:
                yield "retransmitted == 0"
                yield "pauses > 0"
                yield "goodput_share > 0.85"
            else:
                yield "dropped > 0"
                yield "retransmitted > 0"
