# SPDX-License-Identifier: GPL-2.0
"""One server that accepts half of what is sent to it slows down other servers.

Server h1 of a fat tree receives at rate RX, half of the rate sent to it. As in "RDMA over
Commodity Ethernet at Scale" (SIGCOMM 2016, section 4.4), its NIC pauses the ToR switch, and
congestion spreads: to other switches, and to servers that also send to others, which become
victims.

Each server sends to three others at 6 Gbit/s each, so little that no link is full on any paths:
with RX=unlimited there are no pauses.
"""
from lle_lab import FatTree, Rate, address, flow, keys, metrics

FLOW = 6 * 10**9
HEADERS = 58    # of a packet, without what the link adds


class SlowReceiver(FatTree):
    PFC, CC = "on", "none"
    BUFFER = keys.BUFFER("2m")
    RX = Rate("9gbit", "1mbit", "400gbit", "rate at which h1 receives", other="unlimited")
    MS = keys.MS(4)
    PAUSES = keys.PAUSES("yes")

    def limits(self):
        self.limit("RATE", "25gbit", "400gbit", "each server sends 18 Gbit/s, and headers")
        super().limits()

    def port(self):
        return f"buffer {self.BUFFER} reaction 0 prio-pfc 3:on"

    host_port = port

    def after(self):
        return ["on_time tc -n lle-h1 qdisc change dev eth0 root lossless role host "
                f"rx-rate {self.RX}"]

    def nic(self):
        return {"mtu": self.MTU, "ack_every": 16, "rto_us": 100000000}

    def flows(self):
        for src in range(self.hosts):
            for to in 1, 5, 9:
                # never ends
                yield flow(src + 1, (src + to) % self.hosts + 1, 10**12, bps=FLOW)

    def metrics(self, run):
        yield from metrics.losses(run)
        yield "host_pauses", run.total("tx_pause", "host")
        for name, role in ("servers_paused", "edge"), ("fabric_ports_pausing", "fabric"):
            yield name, sum(q["prios"][3]["tx_pause"] > 0 for q in run.qdiscs(role))
        # in the second half: the rate of h1, and the share of others
        number = run.bins.bytes.shape[1]
        bins = run.bins.bytes[:, (number + 1) // 2 - 2:number - 1]
        bits = bins.sum(axis=1) * 8
        frames = self.MTU / (self.MTU + HEADERS) * (bins.shape[1] * run.bins.width_ns / 1e9)
        to_h1 = run.flows.dst == address(1)
        if self.RX != "unlimited":
            yield "rx_share", metrics.fixed(bits[to_h1].sum() / (self.RX * frames), 4)
        if not to_h1.all():
            yield "victims_share", metrics.fixed(
                bits[~to_h1].sum() / (FLOW * (~to_h1).sum() * frames), 4)
        yield "rate_off_max", metrics.fixed(abs(bits / (FLOW * frames) - 1).max(), 5)

    def pacing_off(self):
        """Maximum deviation of a rate: two packets, and a nanosecond for each gap."""
        gap_ns = (self.MTU + HEADERS) * 8e9 / FLOW
        return 2 * gap_ns / (self.MS * 5e5) + 1 / gap_ns

    def never_full(self):
        """Is no link full, even if all flows of a pod take one?"""
        return 3 * (self.K // 2)**2 * FLOW * (self.MTU + metrics.HEADERS) < self.RATE * self.MTU

    def expectations(self, m):
        yield "dropped == 0"
        yield "lost_bytes == 0"
        if self.RX == "unlimited" and self.never_full():
            yield "pauses == 0"
            yield "victims_share > 0.99"
            yield f"rate_off_max <= {self.pacing_off():.5f}"
        elif self.defaults("K RATE DELAY BUFFER RX MS MTU"):
            yield "host_pauses > 0"
            yield "rx_share > 0.98"
            yield "rx_share <= 1"
            yield "fabric_ports_pausing > 0"
            yield "servers_paused >= 3"
            yield "victims_share < 0.95"
