# SPDX-License-Identifier: GPL-2.0
"""Common parts of scenarios about LDCP. ARMS are

ldcp            TCP sockets with LDCP
dctcp, cubic    TCP sockets with these, and ECN
ldcp-roce       RoCEv2 with LDCP: a window, and an ACK of each packet
ldcp-rate       RoCEv2 with LDCP: a rate, from CNPs and RTTs alone
dcqcn           RoCEv2 with DCQCN
dcqcn+pfc       the same, with pauses instead of losses

RTT is that of a packet on an idle path; a BDP is what the path holds in that time. Each arm has the
marks that it needs: LDCP by PROFILE; DCTCP and Cubic a step at 0.17 BDP (RFC 8257, equation 1);
DCQCN those of HPCC's authors for 25 Gbit/s, scaled with the rate. TCP connections exist before
flows begin.
"""
import functools
import itertools
import random

from lle_lab import ListOf, Network, OneOf, Scenario, dcqcn_marks, ecn, flow, keys
from lle_lab import numpy as np
from lle_lab.metrics import fixed
from lle_lab.plots import picture

ARMS = functools.partial(ListOf, words="ldcp-roce ldcp-rate ldcp dctcp cubic dcqcn dcqcn+pfc",
                         help="variants")
TCP, LDCP = ("ldcp", "dctcp", "cubic"), ("ldcp", "ldcp-roce")
CC = {"ldcp-roce": {"cc": "ldcp"}, "ldcp-rate": {"cc": "ldcp-rate", "cnp_us": 0},
      "dcqcn": {"cc": "dcqcn"}, "dcqcn+pfc": {"cc": "dcqcn"}}

FRAME, ACK = 1538, 90   # bytes of a packet and of an ACK of TCP on a link; RoCEv2 has a little less
# payload of a packet, and its bytes on a link, of TCP or not; the first RoCEv2 packet of a message
# has 1500 bytes with headers
PAYLOAD, WIRE = {True: 1448, False: 1440}, {True: 1538, False: 1522}
WINDOW_MAX = 4095       # packets, of LDCP
ENDLESS = 10**12        # bytes of a long flow
QUIET_RTTS = 100        # between two messages that are sent one at a time
OVERDUE = 100           # times the time of a message on an idle path
# rates and RTTs that were measured: results depend on the packets of a BDP
MEASURED = {("100gbit", "10us"), ("10gbit", "40us"), ("1gbit", "400us"), ("10gbit", "10us"),
            ("10gbit", "20us")}
QUANTILES = {"p50": 0.5, "p99": 0.99}


def quantile(values, part):
    """The value below which a part of the sorted values lies."""
    return values[min(int(len(values) * part), len(values) - 1)]


def is_tcp(run):
    return (run.folder / "tcp.csv").exists()


def rows_of(run):
    """The flows: tcp.csv and flows.csv have the same columns."""
    return run.table("tcp.csv") if is_tcp(run) else run.flows


def times_ns(run):
    """Times of messages, of RDMA until their senders' ACKs; negative: not yet."""
    rows = rows_of(run)
    done_ns = rows.last_ns if is_tcp(run) else rows.acked_ns
    return np.where(done_ns < 0, done_ns, done_ns - rows.start_ns)


def losses(run):
    """Lost packets by reason (not ECN capable, full buffer, others), marks, and retransmissions."""
    drops = [prio["drops"] for q in run.qdiscs() for prio in q["prios"]]
    first = sum(drop["nonect_discard"] for drop in drops)
    stable = sum(drop["cong_discard"] + drop["bufmax_discard"] for drop in drops)
    yield "loss.first_rtt", first
    yield "loss.stable", stable
    yield "loss.other", sum(sum(drop.values()) for drop in drops) - first - stable
    yield "pauses", run.total("tx_pause")
    yield "marked.switch", run.total("ecn_marked")
    yield "marked.seen", int(rows_of(run).marked.sum())
    yield "retransmitted", int(rows_of(run).retrans.sum())


def queue_samples(run):
    """Sorted samples of the queue, without the first third of the time."""
    values = run.queue.bytes if len(run.queue) else ()
    return np.sort(values[len(values) // 3:])


def ccdf(ax, runs, values_of, xlabel, ylabel):
    """Plots the share of the values of each arm that are above x: {arm: run}."""
    for arm, run in runs.items():
        values = values_of(run)
        if len(values):
            share = 1 - np.arange(1, len(values) + 1) / len(values)
            some = np.unique(np.linspace(0, len(values) - 1, 1001).astype(int))
            ax.plot(np.maximum(values[some], 0.01), np.maximum(share[some], 1e-6), label=arm)
    ax.set(xscale="log", yscale="log", xlabel=xlabel, ylabel=ylabel, ylim=(0.001, 1))
    ax.set_yticks([1, 0.1, 0.01, 0.001], ["100 %", "10 %", "1 %", "0.1 %"])
    return bool(ax.lines)


class Ldcp(Scenario):
    RATE = keys.RATE("100gbit")
    RTT = keys.RTT("10us")
    PROFILE = keys.PROFILE("churn")
    MODE = OneOf("smooth", "smooth draft", "mode of LDCP")
    MARK = keys.MARK("arrival")
    BUFFER = keys.BUFFER("64m")
    PARTS = keys.ONE_PART()

    # packets of the initial window; None: a BDP
    IW = None
    # links of the longest path, ports of a switch
    links, ports = 2, property(lambda self: self.hosts)

    tcp = property(lambda self: self.arm in TCP)
    bdp = property(lambda self: self.RATE * self.RTT / 8e9)
    window = property(lambda self: -(-round(self.bdp) // FRAME))
    iw = property(lambda self: self.IW or self.window)

    def limits(self):
        """The RTT has room for a packet and an ACK, an initial window for a BDP, half of the buffer
        for headroom."""
        least = self.links * (FRAME + ACK) * 8e9 / self.RATE + 1
        self.limit("RTT", f"{least:.0f}ns", "100ms",
                   f"a packet and its ACK are sent over {self.links} links with this RATE")
        if self.iw > WINDOW_MAX:
            self.refuse("RTT", f"with this RATE it holds more than {WINDOW_MAX} packets")
        if "dcqcn+pfc" in self.ARMS:
            room = round(self.bdp) // self.links + 4 * FRAME
            self.limit("BUFFER", 2 * self.ports * room, "1g",
                       f"half of it is headroom of {self.ports} ports, with these RATE and RTT")

    def bdps(self, n):
        """Bytes of N BDPs."""
        return round(n * self.RATE * self.RTT / 8e9)

    def thresholds(self):
        """kmin and kmax of LDCP, in bytes."""
        kmin = max(self.bdps(0.05), 2 * FRAME)
        return kmin, kmin + max(self.bdps(1 if self.PROFILE == "lowq" else 2), 16 * FRAME)

    def marks(self):
        if self.arm.startswith("dcqcn"):
            return dcqcn_marks(self.RATE, self.MARK)
        kmin, kmax, nonect = self.bdps(0.17), self.bdps(0.17), ""
        if self.arm.startswith("ldcp"):
            kmin, kmax = self.thresholds()
            nonect = f" nonect {kmax}"
        return f"wred 3 kmin {kmin} kmax {kmax} pmax 100%{nonect} {ecn(self.MARK)}"

    def ldcp_network(self, topology, *options):
        # pauses prevent all drops, if the buffer holds the packets in flight
        port = "alpha 1/8 reaction 0 prio-pfc 3:on burst 0" if self.arm == "dcqcn+pfc" else \
            "alpha 8 prio-pfc all:off burst 0"
        switch = f"buffer {self.BUFFER} {port} {self.marks()}"
        return Network(topology, self.RATE, f"{self.delay_ns():.0f}ns", edge=switch, fabric=switch,
                       host=port, options=options)

    def delay_ns(self):
        """An RTT passes each link twice; a packet and its ACK take time on each."""
        return (self.RTT - self.links * (FRAME + ACK) * 8e9 / self.RATE) / 2 / self.links

    def nic(self):
        return {"mtu": PAYLOAD[False], "line_mbps": self.RATE // 10**6, "cc": "none",
                "ldcp_draft": int(self.MODE == "draft"), "ldcp_iw": self.iw} | CC.get(self.arm, {})

    def prepare(self):
        yield "insert_rnic"
        if not self.tcp:
            yield "load_flows"
            return
        # all hosts share this limit of neighbours
        yield "echo 8192 >/proc/sys/net/ipv4/neigh/default/gc_thresh3"
        if self.arm == "ldcp":
            yield f"insmod /mods/tcp_ldcp.ko seed={self.SEED}"

    def traffic(self):
        """Settings of hosts are those that the daemon would apply. -c: a SYN of Cubic is not ECN
        capable, and would be lost behind first flows."""
        if not self.tcp:
            yield from super().traffic()
            return
        options = "-c -s ipv4/tcp_ecn=1"
        if self.arm == "ldcp":
            options += f" -s ldcp/initial_window={self.iw}" + " -s ldcp/mode=1" * (
                self.MODE == "draft")
        yield f'tcp_flows {options} {self.arm} {self.seconds()} >"$OUT/tcp.csv"'

    def expect_ldcp(self, arm, m):
        """Only packets of first RTTs are lost, in a buffer that holds the last ones of all flows
        and their retransmissions. TCP counts no more marks than switches have made; RoCEv2 flows
        continue, so their marks cannot be compared."""
        yield f"{arm}.loss.other == 0"
        flows = max(self.hosts, getattr(self, "FLOWS", 0))
        if self.BUFFER >= 2 * (self.thresholds()[1] + 4 * flows * FRAME):
            yield f"{arm}.loss.stable == 0"
        if arm == "ldcp":
            yield f"ldcp.marked.seen <= {m['ldcp.marked.switch']}"


class Star(Ldcp):
    """Hosts of one switch that send to the first one: FLOWS long flows, and messages."""
    S = keys.S(0.1)
    QUEUES = keys.QUEUES("s1p1")

    def seconds(self):
        return self.S

    def network(self):
        return self.ldcp_network(("star", self.hosts))

    def sample_us(self):
        """Eight samples an RTT, of which there are at most a million."""
        us = max(self.RTT // 8000, 1)
        return us if self.S * 1e6 / us <= 1e6 else int(self.S) + 1

    def nic(self):
        us = self.sample_us()
        return super().nic() | {"sample_us": us, "samples": max(int(self.S * 1e6 / us), 1),
                                "bin_us": int(self.S * 1e6 / 20), "bins": 20}

    def is_measured(self):
        """Have these RATE, RTT and MODE been measured?"""
        return (self.texts["RATE"], self.texts["RTT"]) in MEASURED and \
            self.defaults("MODE MARK QUEUES")

    def long_flows(self, apart_ns=1000):
        for i in range(self.FLOWS):
            yield flow(2 + i % (self.hosts - 1), 1, ENDLESS, i * apart_ns)

    def messages(self, sizes, load=0):
        """Flows of these sizes, in BDP, that begin at random, or one at a time without LOAD, at the
        hosts after those of long flows, in turn."""
        rng, at_ns, first = random.Random(self.SEED), 0, self.FLOWS + 2
        for number in itertools.count():
            size = sizes[number % len(sizes)]
            if load:
                at_ns += rng.expovariate(load / (size * self.RTT))
            else:
                at_ns += (QUIET_RTTS + rng.random() + 2 * size) * self.RTT
            if at_ns >= self.S * 1e9:
                return
            yield flow(first + number % (self.hosts - first + 1), 1,
                       max(1, round(size * self.bdp / FRAME)) * PAYLOAD[True], at_ns)

    def queue_lengths(self, run):
        values = queue_samples(run)
        for name, part in QUANTILES.items() if len(values) else ():
            value = int(quantile(values, part))
            yield f"queue_{name}_kb", fixed(value / 1e3, 3)
            yield f"queue_{name}_bdp", fixed(value / self.bdp, 4)

    def received(self, run):
        """Payload of each flow, and the seconds in which it was received: for RoCEv2 without the
        first third of the time."""
        if is_tcp(run):
            return rows_of(run).received.tolist(), self.S
        bins = run.bins
        skip = (bins.bytes.shape[1] + 1) // 3
        return (bins.bytes[:, skip:].sum(axis=1).tolist(),
                (bins.bytes.shape[1] - skip) * bins.width_ns * 1e-9)

    def rates(self, run):
        """Throughput of the long flows, and its fairness; the share that they keep of what the
        messages leave."""
        everything, seconds = self.received(run)
        taken, others = everything[:self.FLOWS], sum(everything[self.FLOWS:])
        link = self.RATE / 8 * seconds * PAYLOAD[is_tcp(run)] / WIRE[is_tcp(run)]
        if not link:
            return
        yield "utilisation", fixed(sum(taken) / link, 4)
        if others:
            yield "messages_load", fixed(others / link, 4)
            if others < link:
                yield "kept", fixed(sum(taken) / link / (1 - others / link), 4)
        if sum(taken):
            yield "jain", fixed(sum(taken)**2 / len(taken) / sum(n * n for n in taken), 4)

    def ideal_ns(self, run, size):
        """The first packet passes both links, the others follow; with RDMA an ACK returns."""
        tcp, byte_ns = is_tcp(run), 8e9 / self.RATE
        delay_ns = round(self.delay_ns())
        wire = size + -(-size // PAYLOAD[tcp]) * (WIRE[tcp] - PAYLOAD[tcp])
        back_ns = 0 if tcp else 2 * (delay_ns + ACK * byte_ns)
        return 2 * delay_ns + (min(FRAME, wire) + wire) * byte_ns + back_ns

    def message_times(self, run, sizes):
        """Completion times of messages, over those on an idle path; unfinished ones, and overdue
        ones of them. A size in whole packets may differ from 0.1 BDP; it is called 0_1."""
        rows = rows_of(run)
        done, unfinished, overdue = {}, 0, 0
        for size, start_ns, took_ns in list(zip(rows.size.tolist(), rows.start_ns.tolist(),
                                                times_ns(run).tolist()))[self.FLOWS:]:
            ideal_ns = self.ideal_ns(run, size)
            if took_ns < 0:
                unfinished += 1
                overdue += start_ns + OVERDUE * ideal_ns < self.S * 1e9
            else:
                done.setdefault(size, []).append((took_ns, took_ns / ideal_ns))
        yield "messages", sum(map(len, done.values()))
        yield "unfinished", unfinished
        yield "overdue", overdue
        if done:
            yield "fct_over_ideal.least", fixed(min(min(over for _, over in group)
                                                    for group in done.values()), 3)
        for size in sorted(done):
            bdps = size / PAYLOAD[True] * FRAME / self.bdp
            name = min(sizes.split(","), key=lambda text, bdps=bdps: abs(float(text) - bdps))
            name = name.replace(".", "_")
            took, over = (sorted(values) for values in zip(*done[size]))
            for which, part in QUANTILES.items():
                yield f"fct_us.bdp_{name}.{which}", fixed(quantile(took, part) / 1e3, 3)
                yield f"fct_over_ideal.bdp_{name}.{which}", fixed(quantile(over, part), 3)

    def expect_messages(self, arm, m):
        """No message is too fast."""
        if m[f"{arm}.messages"]:
            yield f"{arm}.fct_over_ideal.least >= 1"


class LongFlows(Star):
    @picture("What waits at the receiver's port.")
    def queue(self, ax, results):
        return ccdf(ax, {arm: results[arm] for arm in results.arms},
                    lambda run: queue_samples(run) / self.bdp,
                    "queue (BDP)", "share of the time that it is longer")
