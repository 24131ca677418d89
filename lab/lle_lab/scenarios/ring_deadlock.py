# SPDX-License-Identifier: GPL-2.0
"""Four flows around a ring of four switches deadlock; switches find it, and may break it.

Switches forward clockwise, four flows of two hops each, so that each link of the ring may wait for
the next one. A burst fills the buffers; pauses spread around the ring; then no packet moves
although every host would receive. With DEADLOCK=off it stays. With alert one of the switches
reports it; with lossless and drop it breaks the deadlock, again and again, as the hosts continue.

With MODE=dcfit a trigger reports it, after two rounds; but if all four flows begin at once, all
are triggers, in step, and each replaces the one before it: none is sure before pauses are
repeated. STAGGER us apart they may not be.
"""
from lle_lab import Network, Number, OneOf, Scenario, Topology, flow, headroom, keys, link_mtu

XOFF = 100 * 1024     # 100k


class RingDeadlock(Scenario):
    RATE = keys.RATE("100gbit")
    DELAY = keys.DELAY("5us")
    MTU = keys.MTU(1024)
    HOLD = Number(1, 0.001, 1000, "seconds of the run")
    DEADLOCK = OneOf("off", "off alert lossless drop", "reaction of switches to a deadlock")
    TRIGGER = OneOf("leave", "leave resolve", "reaction to its initial trigger")
    MODE = keys.MODE("exact")
    STAGGER = keys.STAGGER(0, help="us from the start of one flow to that of the next one")

    def network(self):
        """h1 to h4 are at s1 to s4."""
        net = Topology()
        net.switches("s1", "s2", "s3", "s4")
        for i in (1, 2, 3, 4):
            net.host(f"h{i}", f"s{i}")
        net.path("s1 s2 s3 s4 s1")
        for i in (1, 2, 3, 4):
            net.route(f"s{i}", f"h{(i + 1) % 4 + 1}", f"s{i % 4 + 1}")
        room = max(160 * 1024, headroom(self.RATE, self.DELAY, self.MTU))
        # three ports, and what a port without PFC needs
        buffer = max(2**20, 3 * (XOFF + room) + 64 * 1024)
        port = f"buffer {buffer} prio-pfc 3:on xoff 100k headroom {room}"
        return Network(
            net, self.RATE, self.DELAY, link_mtu(self.MTU), edge=port, host="prio-pfc 3:on",
            fabric=f"{port} deadlock {self.DEADLOCK} deadlock-trigger {self.TRIGGER}")

    def nic(self):
        # the RTO is short only if packets are dropped
        return {"mtu": self.MTU, "rto_us": 1000 if self.DEADLOCK == "drop" else 100000000,
                "bin_us": int(self.HOLD * 1e4), "bins": 100}

    def flows(self):
        """Each to the host two switches further."""
        for i in (1, 2, 3, 4):
            yield flow(i, (i + 1) % 4 + 1, 10**11, (i - 1) * self.STAGGER * 1000)

    def seconds(self):
        return self.HOLD

    def metrics(self, run):
        yield from super().metrics(run)
        # bytes that arrived in the first and in the last tenth of the time
        yield "first_bytes", run.bins.bytes[:, :10].sum()
        yield "last_bytes", run.bins.bytes[:, -10:].sum()
        yield "cycle_ports", sum(q["prios"][3]["tx_paused"] for q in run.qdiscs("fabric"))
        if run.deadlocks:
            yield "declared", len(run.deadlocks)
            yield "duplicates", sum(found["duplicates"] for found in run.deadlocks)
            yield "cures", sum(found["cure"] != "left" for found in run.deadlocks)
            # the newest is first
            first = run.deadlocks[-1]
            yield "hops", len(first["loop"])
            yield "on_loop_us", (first["found_ns"] - first["closed_ns"]) / 1000

    def round_us(self, rounds):
        """Time of messages around the loop, with 0.1 us at 100 Gbit/s for their bits."""
        return f"{rounds * 4 * self.DELAY / 1e3 + 1e10 / self.RATE:.6g}"

    def deadlocks(self):
        """Is there time for all flows to begin, and for the buffers to fill?"""
        fill_s = 100 * (XOFF * 8 / self.RATE + self.DELAY / 1e9)
        return 3 * self.STAGGER / 1e6 + fill_s < self.HOLD / 2

    def expectations(self, m):
        yield "lost_bytes == 0"
        if self.DEADLOCK != "drop":
            yield "dropped == 0"
        if self.DEADLOCK == "lossless":
            yield "out_of_order == 0"
        if not self.deadlocks():
            return
        if self.DEADLOCK in ("lossless", "drop"):
            yield "last_bytes > 0"
            yield "cures > 0"
            return
        yield "last_bytes == 0"
        yield "cycle_ports == 4"
        if self.DEADLOCK == "off":
            return
        yield "declared == 1"
        yield "hops == 4"
        if self.MODE == "dcfit":
            # two rounds and a tenth, if there is one trigger
            yield f"on_loop_us <= {self.round_us(2.2)}"
        else:
            yield "duplicates == 0"
            # one round, and the time of the pause to the neighbour
            yield f"on_loop_us < {self.round_us(1.25)}"
