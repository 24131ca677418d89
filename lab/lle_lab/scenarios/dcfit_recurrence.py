# SPDX-License-Identifier: GPL-2.0
"""A server that stops to take packets deadlocks a ring, again and again, until it is quarantined.

Four switches are in a ring. Their links are not full, however much the hosts queue. After CALM ms
server h5 accepts next to nothing (RX), for ever, and pauses its switch; so all other ports wait,
in the end for each other. As in figure 5 of "DCFIT: Initial Trigger-Based PFC Deadlock Detection
in the Data Plane", there are three ARMS, of S seconds each: deadlocks stay; they are broken; they
are broken, and the initial trigger is quarantined. Only in the third they do not recur.

      h1          h2
      |           |
    +----+      +----+  clockwise: h1 to h3 and h5, h2 to h4,
    | s1 |----->| s2 |  h3 to h1, h4 to h2
    +----+      +----+
      ^           |
      |           v
    +----+      +----+
    | s4 |<-----| s3 |-- h5
    +----+      +----+
      |           |
      h4          h3
"""
from lle_lab import (Integer, ListOf, Network, Rate, Scenario, Topology, flow, headroom, keys,
                     link_mtu, metrics)
from lle_lab.plots import COLOURS, LIGHTER, graph, loop_of, mark, picture

BIN_US = 100000
SECOND = 1000000 // BIN_US      # bins
DEADLOCKS = {"nothing": "deadlock off", "break_only": "deadlock lossless deadlock-trigger leave",
             "resolve": "deadlock lossless"}
# hosts, and the percentage of the rate: two flows do not fill a link
FLOWS = (1, 3, 20), (2, 4, 20), (3, 1, 20), (4, 2, 20), (1, 5, 4)


class DcfitRecurrence(Scenario):
    ARMS = ListOf("nothing,break_only,resolve", "nothing break_only resolve", "variants")
    RATE = keys.RATE("1gbit")
    DELAY = keys.DELAY("1us")
    RX = Rate("5mbit", "1mbit", "1gbit", "rate at which h5 receives after CALM")
    MTU = keys.MTU(4096)
    S = Integer(30, 2, 10000, "seconds of each arm")
    CALM = Integer(3000, 100, 1000000, "ms until h5 receives less")
    MODE = keys.MODE("exact")
    PARTS = keys.ONE_PART()

    def limits(self):
        self.limit_delay(4, "1m")
        self.limit("CALM", 100, 1000 * self.S - BIN_US // 1000, "h5 receives less within S seconds")

    def network(self):
        ring = Topology()
        ring.switches("s1", "s2", "s3", "s4")
        for n in 1, 2, 3, 4:
            ring.host(f"h{n}", f"s{n}")
        ring.host("h5", "s3")
        ring.path("s1 s2 s3 s4 s1")
        for route in "s1 h3 s2", "s1 h5 s2", "s2 h4 s3", "s3 h1 s4", "s4 h2 s1":
            ring.route(*route.split())
        room = max(61440, headroom(self.RATE, self.DELAY, self.MTU))
        port = f"buffer 1m prio-pfc 3:on xoff 100k headroom {room}"
        return Network(ring, self.RATE, self.DELAY, link_mtu(self.MTU), edge=port,
                       fabric=f"{port} {DEADLOCKS[self.arm]}", host="prio-pfc 3:on role host",
                       after=[f"on_time tc -n lle-h{n} qdisc change dev eth0 root lossless "
                              f"rate {self.RATE // 4}" for n in (1, 2, 3, 4)])

    def nic(self):
        # window: the packets that a NIC has in flight
        return {"mtu": self.MTU, "ack_every": 4, "rto_us": 67000, "window": 128, "bin_us": BIN_US,
                "bins": self.S * SECOND}

    def flows(self):
        for src, dst, percent in FLOWS:
            yield flow(src, dst, 10**12, bps=self.RATE * percent // 100)

    def seconds(self):
        return self.S

    def traffic(self):
        yield f"start_flows {self.S}"
        yield (f"at {self.CALM * 1000} tc -n lle-h5 qdisc change dev eth0 root lossless xoff 50k "
               f"rx-rate {self.RX}")
        yield 'lle_until "$end_ns"'

    def calm(self):
        """Bins until h5 receives less."""
        return self.CALM * 1000 // BIN_US

    def metrics(self, run):
        received = bytes_of_others(run)
        before = sum(received[:self.calm()]) / self.calm()
        if before and len(received) > self.calm():
            after = sum(received[self.calm():]) / (len(received) - self.calm())
            yield "victims_share", metrics.fixed(after / before, 4)
            yield "victims_share_last", metrics.fixed(
                sum(received[-SECOND:]) / SECOND / before, 4)
        deadlocks = [switch["deadlocks"] for switch in run.switches]
        for name, of_all in (("broken", sum), ("declared", sum), ("parking_max_bytes", max),
                             ("parking_limit_bytes", max)):
            yield name, of_all(of_switch[name] for of_switch in deadlocks)
        # of switches only: h5 overflows while its pauses are ignored
        yield "dropped", sum(sum(prio["drops"].values()) for q in run.qdiscs("edge", "fabric")
                             for prio in q["prios"])

    def expectations(self, m):
        # other keys may give no deadlock, or too little time
        measured = 1000 * self.S >= self.CALM + 5000 and self.defaults("RATE DELAY RX MTU MODE")
        findings = {"nothing": ["victims_share_last == 0"], "break_only": ["broken >= 3"],
                    "resolve": ["broken == 1", "victims_share >= 0.95"]}
        for arm in self.ARMS:
            yield f"{arm}.dropped == 0"
            if measured:
                yield from (f"{arm}.{text}" for text in findings[arm])
            if arm == "resolve":
                yield f"resolve.parking_max_bytes <= {m['resolve.parking_limit_bytes']}"

    @graph("The last deadlock.")
    def loop(self, results):
        return loop_of(results["resolve"])

    @picture("What the others receive when h5 stops to take anything.")
    def recurrence(self, ax, results):
        labels = {"resolve": "h5 quarantined",
                  "break_only": f"broken {results.metrics.get('break_only.broken')} times",
                  "nothing": "nothing done"}
        for colour, (arm, label) in zip(COLOURS, labels.items()):
            if arm not in self.ARMS:
                continue
            received = bytes_of_others(results[arm])
            share = received / received[:self.calm()].mean() * 100
            times = [(i + 0.5) * BIN_US / 1e6 for i in range(len(share))]
            ax.plot(times, share, color=colour, label=label)
            if arm == "resolve":
                ax.fill_between(times, share, color=LIGHTER)
        mark(ax, self.CALM / 1000, "h5 misbehaves")
        ax.set(xlabel="time (s)", ylabel="received by all but h5\n(share of before)",
               yticks=[0, 50, 100, 150], yticklabels=["0 %", "50 %", "100 %", "150 %"],
               xlim=(0, self.S), ylim=(0, 160))


def bytes_of_others(run):
    """Bytes of the flows that do not end at h5, in each bin."""
    return run.bins.bytes[run.flows.dst != "10.0.0.5"].sum(axis=0)
