# SPDX-License-Identifier: GPL-2.0
"""The computed headroom is enough in the worst case, and a cell less is not.

That is so for each of RATES and each length of cable in METRES (5 ns a metre): each rate and
length has two switches, one with the computed headroom, one with CELL bytes less. At each switch:

    a --cable-- p1 [switch] p3 --slow-- c
    b ----------p2

b fills the shared buffer, and sends one frame to a. A nanosecond after that frame took the link, a
frame of a arrives, finds no shared buffer, goes to headroom and makes p1 pause. The pause waits
for b's frame. Meanwhile a sends two frames, and then frames of maximum size. The size of the two
is such that the last frame begins when the pause arrives. Further rounds vary their size a little,
as nanoseconds are not bytes. A cable of 0 m is 1 ns: without any delay a frame arrives with its
first bit.
"""
import csv
import functools
import itertools

from lle_lab import Integer, Integers, Network, Scenario, Topology, flow, keys, metrics
from lle_lab.plots import picture

FILL = 4        # frames of shared buffer
STEPS = (-128, -112, -96, -80, -64, -48, -32, -16, 0, 16, 32, 48, 64)   # of the two frames, bytes
SLOW = 250      # Mbit/s to c, so that no packet leaves in time
HEAD = "rate_gbit", "metres", "need", "used", "dropped", "dropped_less"


class Headroom(Scenario):
    RATES = Integers("10,25,100,400", 1, 400, "speeds of links, in Gbit/s")
    METRES = Integers("0,10,100,300,1000", 0, 10000, "lengths of cables")
    CELL = Integer(144, 16, 1024, "bytes of headroom that are missing")
    DATA = Integer(1440, 256, 9000, "bytes of payload in a packet")
    OVERHEAD = keys.OVERHEAD(24)
    PARTS = keys.ONE_PART()

    # Ethernet to BTH and RETH, ICRC
    frame = property(lambda self: self.DATA + 74)

    @property
    def pairs(self):
        """(Gbit/s, delay of the cable in ns)"""
        return [(rate, 5 * metres or 1) for rate, metres in
                itertools.product(self.RATES, self.METRES)]

    def network(self):
        net = Topology()
        for i, (rate, delay) in enumerate(self.pairs):
            for n in 2 * i + 1, 2 * i + 2:
                net.switches(f"s{n}")
                net.host(f"a{n}", f"s{n}", f"rate {rate}gbit delay {delay}ns")
                net.host(f"b{n}", f"s{n}", f"rate {rate}gbit")
                net.host(f"c{n}", f"s{n}", f"rate {SLOW}mbit")
        # a testbed must be connected
        switches = [f"s{n}" for n in range(1, 2 * len(self.pairs) + 1)]
        net.path(" ".join(switches))
        # the largest frame of p1, with a tag, is that of the flows
        links = [f"link set {switch}p1 mtu {self.frame - 18}" for switch in switches]
        # p2: for b's frame to a; p3: a buffer has at least 64 KB
        ports = [f"qdisc change dev {switch}{port} root lossless {options}"
                 for port, options in (("p1", "prio-pfc 3:on"), ("p2", f"reserved {self.frame}"),
                                       ("p3", "reserved 8192")) for switch in switches]
        common = f"overhead {self.OVERHEAD} burst 0"
        return Network(
            net, mtu=self.frame - 14, host=f"{common} prio-pfc 3:on",
            edge=f"{common} reaction 0 buffer 64m xoff 1m",
            after=["on_time ip -n lle-sw -batch - <<END\n" + "\n".join(links) + "\nEND",
                   "tc -n lle-sw -batch - <<END\n" + "\n".join(ports) + "\nEND",
                   ". /lab/headroom.sh",
                   f"set_headroom {self.CELL} {(8 + FILL) * self.frame + 65536}"])

    def nic(self):
        # ACKs do not matter here, and must not go first
        return {"mtu": self.DATA, "ack_prio": 0, "rto_us": 1000000000, "bin_us": 0}

    def flows(self):
        return self.all_flows[0]

    def seconds(self):
        return metrics.fixed(self.all_flows[1] / 1e9 + 0.1, 6)

    @functools.cached_property
    def all_flows(self):
        """Flows, and the latest of their times in ns."""
        flows, last_ns, frame = [], 0, self.frame
        wire = frame + self.OVERHEAD

        def send(number, start_ns, size, src, dst, prio):
            """Frames of some bytes each."""
            flows.extend([flow(src, dst, int(size) - 74, start_ns, prio)] * number)

        for pair, (rate, delay) in enumerate(self.pairs):
            ns = 8 / rate
            # from the frame that makes p1 pause to the pause at a
            waits = 2 * delay / ns + wire + 60 + self.OVERHEAD
            many = int(waits / wire)
            two = frame + waits - many * wire - self.OVERHEAD
            filled = int((FILL + 4) * wire * ns) + 1
            begun = int(wire * ns) + delay
            start_ns = 2 * delay
            for step in STEPS:
                half = min((two - two % 8 + step) / 2, frame)
                for a in 6 * pair + 1, 6 * pair + 4:
                    b, c = a + 1, a + 2
                    send(2 + FILL, start_ns, frame, b, c, 1)
                    send(1, start_ns + filled - 1, frame, b, a, 0)
                    send(1, start_ns + filled - begun, frame, a, c, 3)
                    send(2, start_ns + filled - begun, half, a, c, 3)
                    send(many + 3, start_ns + filled - begun, frame, a, c, 3)
                last_ns = max(last_ns, start_ns + filled - 1)
                start_ns += int((many + FILL + 10) * wire * 8000 / SLOW)
        return flows, last_ns

    def metrics(self, run):
        yield from metrics.losses(run)
        ports = [q for q in run.qdiscs() if q["dev"].endswith("p1")]
        rows = []
        for pair, full, less in zip(itertools.product(self.RATES, self.METRES), ports[::2],
                                    ports[1::2]):
            rows.append((*pair, full["options"]["headroom_now"], full["prios"][3]["headroom_max"],
                         *(q["prios"][3]["drops"]["headroom_discard"] for q in (full, less))))
        with (run.folder / "headroom.csv").open("w") as file:
            csv.writer(file, lineterminator="\n").writerows([HEAD, *rows])
        yield "pairs", len(rows)
        yield "pairs_without_loss", sum(dropped == 0 for *_, dropped, _ in rows)
        yield "pairs_with_loss_less", sum(less > 0 for *_, less in rows)
        yield "dropped_less", sum(less for *_, less in rows)
        yield "unused_max_bytes", max(max(need - used for _, _, need, used, *_ in rows), 0)

    def expectations(self, m):
        yield f"pairs_without_loss == {len(self.pairs)}"
        yield f"pairs_with_loss_less == {len(self.pairs)}"
        yield f"unused_max_bytes < {self.CELL}"

    @picture("Headroom of a port: computed (lines) and used (points).")
    def headroom(self, ax, results):
        table = results.table("headroom.csv")
        for rate in self.RATES:
            mine = table.rate_gbit == rate
            line, = ax.plot(table.metres[mine], table.need[mine], label=f"{rate} Gbit/s")
            ax.plot(table.metres[mine], table.used[mine], "o", color=line.get_color())
        ax.set(xlabel="length of the cable (m)", ylabel="headroom (bytes)", yscale="log",
               xlim=(0, None))
