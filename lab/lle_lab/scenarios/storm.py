# SPDX-License-Identifier: GPL-2.0
r"""A NIC that dies stops a whole Clos network, unless its switches have watchdogs.

The network has two podsets. A NIC's receive pipeline accepts no packets, so it pauses its ToR
switch for ever. As in "RDMA over Commodity Ethernet at Scale" (SIGCOMM 2016, section 4.3), that
stops the whole network, unless the switches have watchdogs: then only packets for that NIC are
lost.

    podset 1            podset 2
     s5     s6           s7     s8      leaves; spines: s9 and s10
      | \ / |             | \ / |       of s5 and s7, s11 and s12
      | / \ |             | / \ |       of s6 and s8
     s1     s2           s3     s4      ToRs
    h1-h4  h5-h8       h9-h12 h13-h16   servers

All servers send to all others, so little that no link is full. Each of SEEDS seeds, from SEED on,
draws a NIC, and the times at which it dies: first without watchdogs, then with them. It is
repaired after DEAD ms, more than DETECTION + 21. The storms in the events of losslessctl are
compared with the pauses that ports received, and with the NIC that died.
"""
import csv
import dataclasses
import functools
import json
import math
import statistics

from lle_lab import Draws, Integer, Network, Scenario, Topology, flow, keys, link_mtu, metrics
from lle_lab.plots import LIGHTER, mark, picture

HOSTS = 16
PRIO = 3
PEACE = 30          # ms without a storm before a death, and after a repair
BEFORE_MS = 20      # before a death, for the throughput without a storm
STALLED_MS = 50     # a host that sends no byte in the last of them is stalled
WITHIN_MS = 20      # after the detection time, victims must have recovered
SMOOTH_MS = 4       # averaging time of received.csv
BACK = 0.95         # of the throughput before, for a victim that has recovered


@dataclasses.dataclass
class Death:
    """The turn of a seed: numbers of seed and host; times in us at which the NIC dies without and
    with watchdogs, and the end."""
    seed: int
    host: int
    alone: int
    watched: int
    end: int


class Record:
    """What has happened in a run; times are ms since its start."""

    def __init__(self, run):
        self.hosts = run.testbed["hosts"]
        self.src, self.dst = run.flows.src, run.flows.dst
        self.bins = run.bins.bytes
        self.start_ms = run.start_ns / 1e6
        self.events = [json.loads(line) for line in run.text("storms.json").splitlines()]
        for event in self.events:
            event["ms"] = event["time_ns"] / 1e6 - self.start_ms
        # by port: its pauses and resumes, as pairs of that and a time
        self.edges = {}
        for ns, port, direction, prio, event in run.pauses.rows():
            edges = self.edges.setdefault(port, [("resume", 0)])
            if direction == "rx" and prio == PRIO and event != edges[-1][0]:
                edges.append((event, ns / 1e6 - self.start_ms))

    def of(self, host):
        """Which flows are from or to a host?"""
        return (self.src == host["address"]) | (self.dst == host["address"])

    def received(self, flows, start, end):
        """Bytes per ms, the mean of whole bins within this time."""
        start, end = math.ceil(start), math.floor(end)
        return int(self.bins[flows, start:end].sum()) / (end - start)

    def share(self, flows, died, start, end):
        """Throughput over that before a death; 0 if there was none before."""
        before = self.received(flows, died - BEFORE_MS, died)
        return self.received(flows, start, end) / before if before else 0

    def stalled(self, others, end):
        """Share of the living hosts that send no byte to each other."""
        sent = self.bins[:, math.ceil(end - STALLED_MS):math.floor(end)].any(axis=1)
        return 1 - len(set(self.src[sent & others])) / (len(self.hosts) - 1)

    def last_arrival(self, flows, start, end):
        """End of the last ms in this time with bytes of these flows."""
        first = math.floor(start)
        arrived = self.bins[flows, first:math.floor(end)].any(axis=0).nonzero()[0].tolist()
        return first + arrived[-1] + 1 if arrived else start

    def reported(self, status, start, end):
        """Events of watchdogs."""
        return [e for e in self.events if e["status"] == status and start <= e["ms"] < end]

    def since(self, edge, event):
        """Time from the last such edge at the port of an event to the event."""
        return event["ms"] - max(ms for what, ms in self.edges[event["ifname"]]
                                 if what == edge and ms <= event["ms"])


class Storm(Scenario):
    SEEDS = Integer(3, 1, 1000, "seeds, each of which draws a NIC that dies")
    WATCHDOG = keys.WATCHDOG("yes")
    DETECTION = Integer(100, 1, 5000, "detection time in ms")
    RESTORATION = Integer(200, 1, 60000, "restoration time in ms")
    DEAD = Integer(160, lambda s: s.DETECTION + 22, 100000, "ms until the NIC is repaired")
    RATE = keys.RATE("1gbit")
    DELAY = keys.DELAY("1us")
    BUFFER = keys.BUFFER("1m")
    MTU = keys.MTU(4096)
    PAUSES = keys.PAUSES("yes")
    PARTS = keys.ONE_PART()

    def limits(self):
        self.limit_buffer(6)

    @functools.cached_property
    def deaths(self):
        found, end = [], 0
        for seed in range(self.SEED, self.SEED + self.SEEDS):
            draws = Draws(seed)
            host = draws.draw(HOSTS) + 1
            alone = end + PEACE * 1000 + draws.draw(10000)
            watched = alone + (self.DEAD + 2 * PEACE) * 1000 + draws.draw(10000)
            end = (watched // 1000 + self.DEAD + self.RESTORATION + 2 * PEACE) * 1000
            found.append(Death(seed, host, alone, watched, end))
        return found

    def network(self):
        net = Topology()
        net.switches(*(f"s{i}" for i in range(1, 13)))
        for host in range(1, HOSTS + 1):
            net.host(f"h{host}", f"s{(host + 3) // 4}")
        for tor, leaf in (1, 5), (2, 5), (3, 7), (4, 7):
            net.path(f"s{tor} s{leaf}")
            net.path(f"s{tor} s{leaf + 1}")
        for i in 9, 10:
            for leaf, spine in (5, i), (7, i), (6, i + 2), (8, i + 2):
                net.path(f"s{leaf} s{spine}")
        port = f"buffer {self.BUFFER} reaction 0 prio-pfc 3:on"
        return Network(net, self.RATE, self.DELAY, link_mtu(self.MTU), edge=port, fabric=port,
                       host=f"{port} role host")

    def seconds(self):
        return self.deaths[-1].end / 1e6

    def nic(self):
        # RTO: time-out 14 of RoCE is 67 ms
        return {"mtu": self.MTU, "ack_every": 4, "rto_us": 67000, "bin_us": 1000,
                "bins": self.deaths[-1].end // 1000}

    def flows(self):
        for src in range(1, HOSTS + 1):
            for dst in range(1, HOSTS + 1):
                if src != dst:
                    # never ends
                    yield flow(src, dst, 10**12, bps=self.RATE * 3 // 100)

    def traffic(self):
        yield "switches monitor -j storm >\"$OUT/storms.json\" &"
        yield f"start_flows {self.seconds()}"
        for death in self.deaths:
            nic = f"tc -n lle-h{death.host} qdisc change dev eth0 root lossless role host rx-rate"
            yield f"at {death.alone} {nic} stopped"
            yield f"at {death.alone + self.DEAD * 1000} {nic} unlimited"
            if self.WATCHDOG:
                yield f"at {death.watched - PEACE * 1000} " \
                    f"switches watchdog start -r {self.RESTORATION} all {self.DETECTION} >/dev/null"
            yield f"at {death.watched} {nic} stopped"
            yield f"at {death.watched + self.DEAD * 1000} {nic} unlimited"
            yield f"at {death.end} switches watchdog stop all >/dev/null"
        yield "kill $!"

    def back_ms(self, record, others, watched, detected):
        """Time from the detection until the victims have recovered."""
        return next((ms for ms in range(self.DEAD) if BACK <= record.share(
            others, watched, detected + ms, detected + ms + 2)), None)

    def line(self, record, death):
        """A row of storms.csv."""
        host = record.hosts[death.host - 1]
        alone, watched, end = death.alone / 1000, death.watched / 1000, death.end / 1000
        repaired = watched + self.DEAD
        others = ~record.of(host)
        storms = record.reported("stormed", alone, end)
        with_ = watched + self.DETECTION + WITHIN_MS, repaired
        line = {
            "seed": death.seed, "host": host["name"], "detected": None, "restored": None,
            "detect_ms": None, "stuck_ms": None, "restore_ms": None, "back_ms": None,
            # do watchdogs report this NIC, and no other?
            "origin_correct": int([(e["ifname"], e["prio"], e["peer_mac"]) for e in storms] ==
                                  [(host["peer_dev"], PRIO, host["mac"])]),
            # time until the last byte arrives from one living host at another
            "stalled_ms": record.last_arrival(others, alone, alone + self.DEAD) - alone,
            "stalled_without": record.stalled(others, alone + self.DEAD),
            "victims_with": record.share(others, watched, *with_),
            "slowest_with": min(record.share(others & record.of(other), watched, *with_)
                                for other in record.hosts if other != host),
            "repaired": record.share(~others, watched, repaired + self.RESTORATION + WITHIN_MS,
                                     end)}
        for event in record.reported("stormed", watched, end)[:1]:
            line["detected"] = event["ms"] - watched
            line["detect_ms"] = record.since("pause", event)
            # time that the port is paused while a packet waits
            line["stuck_ms"] = (event["time_ns"] - event["since_ns"]) / 1e6
            line["back_ms"] = self.back_ms(record, others, watched, event["ms"])
        for event in record.reported("operational", watched, end)[:1]:
            line["restored"] = event["ms"] - watched
            line["restore_ms"] = record.since("resume", event)
        return {name: round(value, 3) if isinstance(value, float) else value
                for name, value in line.items()}

    def received(self, record):
        """Rows of received.csv: flows, time, and throughput around the first death over that
        before."""
        death = self.deaths[0]
        host = record.hosts[death.host - 1]
        others, to_host = ~record.of(host), record.dst == host["address"]
        alone, watched, end = death.alone / 1000, death.watched / 1000, death.end / 1000
        for who, flows, died, until in (
                ("others_without", others, alone, watched - BEFORE_MS),
                ("others_with", others, watched, end), ("host_with", to_host, watched, end)):
            for ms in range(-BEFORE_MS, int(until - died) - SMOOTH_MS):
                yield who, ms + SMOOTH_MS / 2, record.share(flows, died, died + ms,
                                                            died + ms + SMOOTH_MS)

    @staticmethod
    def dropped_elsewhere(run):
        """Without drops of watchdogs, and ACKs that a dead NIC cannot buffer"""
        prios = [prio for q in run.qdiscs()
                 for prio in ([q["prios"][PRIO]] if q["role"] == "host" else q["prios"])]
        return sum(number for prio in prios for why, number in prio["drops"].items()
                   if why not in ("storm_discard", "storm_rx_discard"))

    def metrics(self, run):
        yield from metrics.losses(run)
        yield "dropped_elsewhere", self.dropped_elsewhere(run)
        record = Record(run)
        lines = [self.line(record, death) for death in self.deaths]
        columns = {name: [line[name] for line in lines] for name in lines[0]}
        for name, head, rows in (
                ("storms.csv", columns, zip(*columns.values())),
                ("received.csv", ("who", "ms", "share"), self.received(record))):
            with (run.folder / name).open("w", encoding="ascii") as file:
                csv.writer(file, lineterminator="\n").writerows([head, *rows])
        yield "hosts_died", len(set(columns["host"]))
        yield "stalled_share_without", min(columns["stalled_without"])
        yield "storms", sum(event["status"] == "stormed" for event in record.events)
        yield "origin_correct", sum(columns["origin_correct"])
        for name in "stalled_ms", "detect_ms", "stuck_ms", "restore_ms", "back_ms":
            # nothing if an event is missing: expectations fail
            if None not in columns[name]:
                for what in min, statistics.median, max:
                    yield f"{name}.{what.__name__}", metrics.fixed(what(columns[name]), 3)
        yield "victim_throughput_with", min(columns["victims_with"])
        yield "slowest_victim_with", min(columns["slowest_with"])
        yield "repaired_throughput", min(columns["repaired"])

    def expectations(self, m):
        yield "lost_bytes == 0"
        yield "dropped_elsewhere == 0"
        # time to send a full buffer over a link: no victim waits longer
        buffer_ms = self.BUFFER * 8e3 / self.RATE
        # servers send 3 % of a link to the dead one: paused before it is full
        stalled_ms = buffer_ms / 0.03 / (HOSTS - 1)
        if stalled_ms + STALLED_MS < self.DEAD:
            yield "stalled_share_without == 1"
            yield f"stalled_ms.max <= {stalled_ms:.6g}"
        if not self.defaults("RATE DELAY MTU") or self.DEAD < self.DETECTION + 2 * WITHIN_MS:
            return
        yield f"storms == {self.SEEDS}"
        yield f"origin_correct == {self.SEEDS}"
        yield f"detect_ms.min >= {self.DETECTION}"
        yield f"detect_ms.max < {self.DETECTION + 1}"
        # from the first packet that waits
        yield f"stuck_ms.min >= {self.DETECTION}"
        yield f"stuck_ms.max < {self.DETECTION}.001"
        yield f"back_ms.max <= {buffer_ms:.6g}"
        yield f"restore_ms.min >= {self.RESTORATION}"
        yield f"restore_ms.max < {self.RESTORATION + 1}"
        yield "victim_throughput_with >= 0.95"
        yield "repaired_throughput >= 0.95"

    @picture("A NIC dies and is repaired: flows to it, and flows of all others.")
    def death(self, ax, results):
        storm = next(results.table("storms.csv").lines())
        received = results.table("received.csv")
        if not self.WATCHDOG or not storm["detected"]:
            return False

        def of(who):
            return received.ms[received.who == who], 100 * received.share[received.who == who]

        ax.fill_between(*of("others_with"), color=LIGHTER, linewidth=0)
        ax.plot(*of("others_with"), color="C0", label="others, with watchdogs")
        ax.plot(*of("others_without"), color="C1", label="others, without")
        ax.plot(*of("host_with"), color="C2", label=f"to {storm['host']}, with watchdogs")
        mark(ax, 0, "NIC dies")
        mark(ax, storm["detected"], "detected")
        mark(ax, self.DEAD, "repaired")
        if storm["restored"]:
            mark(ax, storm["restored"], "lossless again", right=False)
        ax.set(xlabel=f"time since the NIC of {storm['host']} died (ms)",
               ylabel="received (% of before)", ylim=(0, 140),
               xlim=(-BEFORE_MS, self.DEAD + self.RESTORATION + 2 * PEACE - 5))
        return True
