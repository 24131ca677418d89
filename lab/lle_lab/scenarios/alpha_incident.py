# SPDX-License-Identifier: GPL-2.0
"""The same incast causes more pauses at a switch with a smaller alpha.

"RDMA over Commodity Ethernet at Scale" (SIGCOMM 2016, section 6.2) reports a new type of ToR
switch with alpha 1/64 instead of 1/16, and servers with 60000 pauses in five minutes.

There is a switch for each of ALPHAS. At each of them N hosts answer one host at once: first with
BIG bytes each, so that every switch must pause; then ROUNDS times with 50 to 550 KB. The first
pause must come when each ingress port has alpha * S / (1 + N * alpha) bytes, where S is the shared
buffer.
"""
import tempfile

from lle_lab import (Integer, Integers, Network, Scenario, Topology, flow, keys, link_mtu, metrics,
                     pattern)

PFC_FRAME = 84      # with preamble and gap
SMALLEST, LARGEST = 50000, 550000   # bytes of an answer


class AlphaIncident(Scenario):
    ALPHAS = Integers("16,64", 2, 1024, "a switch each: alpha is 1/ALPHA")
    N = Integer(4, 2, 60, "hosts that answer one")
    RATE = keys.RATE("100gbit")
    DELAY = keys.DELAY("1us")
    BUFFER = keys.BUFFER("12m")
    BIG = Integer(1000000, 10000, 100000000, "bytes of each of the first answers")
    ROUNDS = Integer(20, 1, 1000, "number of rounds")
    MTU = keys.MTU(1440)
    PARTS = keys.ONE_PART()

    def limits(self):
        self.limit_buffer(self.N + 3)
        # by default, all ports
        self.CAPTURE = self.CAPTURE or [port for i in self.switches for port in self.ports(i)]

    @property
    def switches(self):
        return range(1, len(self.ALPHAS) + 1)

    def ports(self, switch):
        """Ports of a switch to hosts; the first one to the answered host."""
        return [f"s{switch}p{port}" for port in range(1, self.N + 2)]

    def network(self):
        net = Topology()
        for i, alpha in enumerate(self.ALPHAS, 1):
            net.switches(f"s{i} alpha 1/{alpha}")
            first = (i - 1) * (self.N + 1) + 1
            # no delay: a frame that leaves the buffer is captured at once
            net.host(f"h{first}", f"s{i}", "delay", "0")
            for host in range(first + 1, first + self.N + 1):
                net.host(f"h{host}", f"s{i}")
            if i > 1:
                net.path(f"s{i - 1} s{i}")
        return Network(
            net, self.RATE, self.DELAY, link_mtu(self.MTU), host="prio-pfc 3:on",
            edge=f"buffer {self.BUFFER} reaction 0 prio-pfc 3:on")

    def nic(self):
        return {"mtu": self.MTU, "ack_every": 16}

    def flows(self):
        lines = [*pattern("incast", hosts=self.N + 1, size=self.BIG)]
        with tempfile.NamedTemporaryFile("w") as sizes:
            sizes.write(f"{SMALLEST},0\n{LARGEST},1\n")
            sizes.flush()
            lines += pattern("incast", hosts=self.N + 1, cdf=sizes.name, rounds=self.ROUNDS,
                             start=1000000, period=500000, seed=self.SEED)
        for line in lines:
            start_ns, size, src, dst, _ = line.split()
            for i in self.switches:
                ends = (metrics.host_number(end) + 1 + (i - 1) * (self.N + 1) for end in (src, dst))
                yield flow(*ends, int(size), int(start_ns))

    def seconds(self):
        return (self.ROUNDS // 2 + 5) / 1e3

    def onset(self, run, switch):
        """Bytes in the buffer of a switch, from the ingress that is first to pause, at that time;
        nothing without a pause."""
        first, *others = self.ports(switch)
        pauses = [(next(run.frames(port, "ether proto 0x8808"), None), port) for port in others]
        pauses = [(frame[0], port) for frame, port in pauses if frame]
        if not pauses:
            return None
        ns, port = min(pauses)
        ns -= self.DELAY + PFC_FRAME * 8 * 10**9 // self.RATE
        src = next(h["address"] for h in run.testbed["hosts"] if h["peer_dev"] == port)
        arrived, left = (sum(size for at, size in run.frames(dev, f"ip src {src}") if at <= ns)
                         for dev in (port, first))
        return arrived - left

    def metrics(self, run):
        yield from super().metrics(run)
        counts = []     # of pauses, of switches that paused
        for i, alpha in enumerate(self.ALPHAS, 1):
            ports = [q for q in run.qdiscs("edge") if q["node"] == f"s{i}"]
            formula = -(-ports[0]["options"]["shared_size"] // (alpha + self.N))
            pauses = sum(q["prios"][3]["tx_pause"] for q in ports)
            yield f"formula_bytes_{alpha}", formula
            yield f"pauses_{alpha}", pauses
            onset = self.onset(run, i)
            if onset is not None:
                counts.append(pauses)
                yield f"onset_bytes_{alpha}", onset
                yield f"onset_over_bytes_{alpha}", onset - formula
        if counts:
            yield from metrics.ratio("pauses_ratio", counts[-1], counts[0], 1)

    def ends(self):
        """Is there time for all answers?"""
        most = self.N * (self.BIG + self.ROUNDS * LARGEST)
        needs_s = most * (self.MTU + metrics.HEADERS) / self.MTU * 8 / self.RATE
        return self.defaults("DELAY") and needs_s < self.seconds()

    def expectations(self, m):
        yield "dropped == 0"
        if self.ends():
            yield "unfinished == 0"
        for alpha in self.ALPHAS:
            # the first answers fill the buffer; packets are admitted as a whole
            if self.BIG * (self.N - 1) / self.N > self.BUFFER / (alpha + self.N) + 2 * self.MTU:
                yield f"onset_over_bytes_{alpha} >= 0"
                yield f"onset_over_bytes_{alpha} < {self.MTU + 74}"
        if self.defaults("ALPHAS N RATE DELAY BUFFER BIG ROUNDS MTU"):
            yield "pauses_ratio > 5"
