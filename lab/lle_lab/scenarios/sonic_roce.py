# SPDX-License-Identifier: GPL-2.0
"""The data-plane tests of SONiC's RoCEv2 suite, with hosts as traffic generators.

They are those of sonic-mgmt, tests/snappi_tests/rocev2: one switch, four hosts, payload of 4 KB,
all ports at line rate. Queues 3 and 4 are lossless, CNPs have queue 5, and ACKs 6. Weights of
queues are SONiC's defaults (qos_config.j2); marks are those of HPCC's authors for DCQCN at 100
Gbit/s. With SONiC's default marks (KMIN=1048576 KMAX=2097152 PMAX=5%), or the qdisc's ALPHA=1/16,
queues are paused more often than the suite allows.

basic           TC1: h1 and h3 exchange messages of 1 MB in a lossless queue, h2 and h4 in the lossy
                queues 0 and 1. Nothing is congested: no loss, no mark, no CNP, no pause
pfc             TC2: h1 and h2 send to h4 by lossless queues, h3 by lossy ones. Pauses protect the
                lossless ones, and those only; queues share the link by their weights
dcqcn           TC3: the same with DCQCN and marks: no loss, few pauses
storage-pfc     TC4: messages of 1 MB; senders ignore CNPs, and are paused
storage-dcqcn   TC4: the same with DCQCN: few pauses

LOSSLESS are the queues of h1 and h2; mixed: 3 with messages of 128 KB, 4 with 4 KB. The suite sends
for 20 to 180 s, and allows 100 pauses where it wants few. Latencies, which it prints only, and its
data that are marked by the sender, are left out.
"""
from lle_lab import Network, OneOf, Scenario, ecn, flow, keys, link_mtu, metrics

LOSSY = 0, 1
WEIGHTS = 14, 14, 14, 15, 15, 14, 14, 14    # of queues 0 to 7
FEW = 100           # pauses that TC3 and TC4 with DCQCN allow


class SonicRoce(Scenario):
    CASE = OneOf("pfc", "basic pfc dcqcn storage-pfc storage-dcqcn", "test of the suite")
    LOSSLESS = OneOf("3,4", "3 3,4 mixed", "queues of the lossless senders")
    KMIN = keys.KMIN(400000)
    KMAX = keys.KMAX(1600000)
    PMAX = keys.PMAX("20%")
    MARK = keys.MARK("dequeue")
    ALPHA = keys.ALPHA("1/8")
    RATE = keys.RATE("100gbit")
    DELAY = keys.DELAY("1us")
    BUFFER = keys.BUFFER("16m")
    MTU = keys.MTU(4096)
    MS = keys.MS(20)

    marks = property(lambda self: self.CASE not in ("basic", "pfc"))
    dcqcn = property(lambda self: self.CASE.endswith("dcqcn"))

    @property
    def queues(self):
        """The queue of h1 and that of h2; of basic, that of h1 and h3."""
        both = (3, 3) if self.LOSSLESS == "3" else (3, 4)
        return (both[self.SEED % 2],) if self.CASE == "basic" else both

    def limits(self):
        self.limit_buffer(4)

    def network(self):
        # all queues of a host are fed alike
        host = ("prio-pfc 3:on 4:on bands 8 strict 0 priomap 0 1 2 3 4 5 6 7 quanta "
                + " ".join(f"{weight}000" for weight in WEIGHTS))
        port = f"{host} reaction 0 buffer {self.BUFFER} alpha {self.ALPHA}"
        if self.marks:
            marks = f"kmin {self.KMIN} kmax {self.KMAX} pmax {self.PMAX} {ecn(self.MARK)}"
            port += "".join(f" wred {queue} {marks}" for queue in (3, 4))
        return Network(("star", 4), self.RATE, self.DELAY, link_mtu(self.MTU), edge=port, host=host)

    def nic(self):
        nic = {"mtu": self.MTU, "ect": int(self.marks), "ack_prio": 6, "cnp_prio": 5,
               "ack_every": 32, "rto_us": 4000, "pair_us": 4000000,
               "line_mbps": self.RATE // 10**6}
        if self.marks:
            nic["cc"] = "dcqcn"
        if self.CASE == "storage-pfc":
            # a sender that ignores CNPs has the rate of its link as the lowest one
            nic["dcqcn_min_mbps"] = nic["line_mbps"]
        return nic

    def pair(self, src, dst, queue):
        """Messages of a queue pair, for longer than the run."""
        if self.CASE == "basic" or self.CASE.startswith("storage"):
            size = 1048576
        else:
            size = 4096 if self.LOSSLESS == "mixed" and queue == 4 else 131072
        return [flow(src, dst, size, prio=queue)] * (self.RATE * self.MS // 8000 // size + 2)

    def flows(self):
        if self.CASE == "basic":
            pairs = [(1, 3, *self.queues), (3, 1, *self.queues)]
            pairs += [(*ends, queue) for queue in LOSSY for ends in ((2, 4), (4, 2))]
        else:
            pairs = [(1, 4, self.queues[0]), (2, 4, self.queues[1])]
            pairs += [(3, 4, queue) for queue in LOSSY]
        for pair in pairs:
            yield from self.pair(*pair)

    def seconds(self):
        return self.MS / 1e3

    def metrics(self, run):
        """Counters of each queue: of NICs from flows.csv, of the switch from stats.json. The ports
        to receivers are all of basic, and that to h4. under_way: CNPs, and ACKs, that hosts have
        sent, but have not left the switch."""
        yield from metrics.losses(run)
        flows = run.flows
        counts = {"messages": flows.last_ns >= 0, "retransmitted": flows.retrans,
                  "naks": flows.naks, "out_of_order": flows.ooo, "marked": flows.marked,
                  "cnps_sent": flows.cnps_sent, "cnps_received": flows.cnps}
        for queue in sorted(set(flows.prio.tolist())):
            for name, values in counts.items():
                yield f"queue.{queue}.{name}", int(values[flows.prio == queue].sum())
        hosts, ports = ([q["prios"] for q in run.qdiscs(role)] for role in ("host", "edge"))

        def total(prios, queue, counter):
            return sum(prio[queue][counter] for prio in prios)
        for queue in range(8):
            if sent := total(hosts, queue, "tx_packets"):
                yield f"queue.{queue}.dropped", sum(sum(p[queue]["drops"].values()) for p in ports)
                yield f"queue.{queue}.pauses", total(ports, queue, "tx_pause")
                yield f"queue.{queue}.under_way", sent - total(ports, queue, "tx_packets")
        yield "acks", total(ports, 6, "rx_packets")
        yield "cnps", total(ports, 5, "rx_packets")
        to_h4 = next(q["prios"] for q in run.qdiscs("edge") if q["peer"] == "h4")
        sent = [prio["tx_bytes"] for prio in to_h4[:5]]
        for queue, bytes in enumerate(sent):
            if bytes:
                # half a ten-thousandth is rounded up
                yield f"share.{queue}", int(bytes / sum(sent) * 10000 + 0.5) / 10000

    def expectations(self, m):
        lossless = sorted(set(self.queues))
        yield "lost_bytes == 0"
        for queue in lossless:
            yield f"queue.{queue}.dropped == 0"
        if self.CASE != "basic":
            for queue in LOSSY:
                yield f"queue.{queue}.pauses == 0"
        if self.defaults("KMIN KMAX PMAX MARK ALPHA RATE DELAY BUFFER MTU MS"):
            yield "acks > 0"
            yield from self.basic() if self.CASE == "basic" else self.congested(lossless)

    def arrive(self, queue):
        """Messages of a queue arrive, and no packet is out of order."""
        yield f"queue.{queue}.messages > 0"
        for name in "retransmitted", "naks", "out_of_order":
            yield f"queue.{queue}.{name} == 0"

    def unmarked(self, queue):
        yield f"queue.{queue}.marked == 0"
        yield f"queue.{queue}.cnps_sent == 0"

    def basic(self):
        yield "pauses == 0"
        for queue in *LOSSY, *self.queues:
            if queue in LOSSY:
                yield f"queue.{queue}.dropped == 0"
            yield from self.arrive(queue)
            yield from self.unmarked(queue)
            # data are in the queue of their priority
            yield f"queue.{queue}.under_way <= 20"

    def congested(self, lossless):
        for queue in lossless:
            yield from self.arrive(queue)
            if self.marks:
                yield f"queue.{queue}.marked > 0"
                yield f"queue.{queue}.cnps_received > 0"
            else:
                yield from self.unmarked(queue)
            yield f"queue.{queue}.pauses " + (f"<= {FEW}" if self.dcqcn else "> 0")
        if self.marks:
            yield "cnps > 0"
            yield "queue.5.under_way <= 20"
        yield "queue.6.under_way <= 20"
        if self.CASE == "pfc":
            for queue in LOSSY:
                yield f"queue.{queue}.dropped > 0"
            # a queue that is never empty has its weight of the link, within 5 %
            queues = [*lossless, *LOSSY]
            total = sum(WEIGHTS[queue] for queue in queues)
            for queue in queues:
                yield f"share.{queue} >= {95 * WEIGHTS[queue] / 100 / total}"
                yield f"share.{queue} <= {105 * WEIGHTS[queue] / 100 / total}"
