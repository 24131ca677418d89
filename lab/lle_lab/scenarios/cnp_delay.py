# SPDX-License-Identifier: GPL-2.0
"""How fast a NIC answers marked packets decides whether DCQCN needs pauses.

A host with 100 Gbit/s sends to one with 25 Gbit/s; its switch marks from 400 cells of 256 bytes on,
PMAX of the packets at 1625 cells. Until the first CNP arrives the queue grows by 9.4 KB a
microsecond, and each microsecond of CNP_DELAY adds as much: from some CNP_DELAY on the switch
pauses the sender. A Trident 3 with these marks and 32 MB paused from 55 us on (issue 12 of
ns-3-alibabacloud); here ALPHA decides: 1/32 pauses from 40 us on, 1/16 from 120 us on.
"""
from lle_lab import Network, Rate, Time, Topology, headroom, keys, link_mtu, metrics

from . import dcqcn


class CnpDelay(dcqcn.Dcqcn):
    CNP_DELAY = Time("0us", "0ns", "10ms", "that the receiver's NIC takes to generate a CNP")
    CNP_GAP = Time("50us", "0us", "10ms", "least time between two CNPs of a flow")
    NIC_GAP = Time("0ns", "0ns", "10ms", "least time between two CNPs of a NIC")
    RATE = keys.RATE("100gbit")
    SLOW = Rate("25gbit", "10mbit", "400gbit", "speed of the receiver's link")
    ALPHA = keys.ALPHA("1/16")
    KMIN = keys.KMIN(102400)
    KMAX = keys.KMAX(416000)
    PMAX = keys.PMAX("20%")
    MS = keys.MS(5)
    N, STAGGER = 1, 0

    def limits(self):
        room = sum(headroom(rate, self.DELAY, self.MTU) for rate in (self.RATE, self.SLOW))
        self.limit("BUFFER", 2 * room, "1g", "half of it is headroom of two ports")

    def network(self):
        topology = Topology()
        topology.switches("s1")
        for host, rate in ("h1", self.SLOW), ("h2", self.RATE):
            topology.host(host, "s1", f"rate {rate} delay {self.DELAY}")
        return Network(topology, mtu=link_mtu(self.MTU), edge=f"alpha {self.ALPHA} {self.port()}",
                       host="prio-pfc 3:on")

    def nic(self):
        return super().nic() | {
            "cnp_delay_ns": int(self.CNP_DELAY), "cnp_us": self.CNP_GAP // 1000,
            "cnp_nic_ns": int(self.NIC_GAP)}

    def metrics(self, run):
        yield from metrics.losses(run)
        yield from metrics.marks(run)
        yield from metrics.cnps(run)
        received, ns = dcqcn.second_half(run)
        yield "goodput_share", metrics.fixed(sum(received) * 8e9 / ns / self.SLOW, 4)

    def expectations(self, m):
        yield "dropped == 0"
        yield "lost_bytes == 0"
        yield from metrics.expect_marks(m)
        if self.defaults("CNP_GAP NIC_GAP RATE SLOW DELAY BUFFER ALPHA KMIN KMAX PMAX MARK MS MTU"):
            yield "cnps.sent > 0"
            if not self.CNP_DELAY:
                yield "pauses == 0"
            # 120 us was the first multiple of 20
            if self.CNP_DELAY >= 140000:
                yield "pauses > 0"
