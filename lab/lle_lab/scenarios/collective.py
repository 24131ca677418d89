# SPDX-License-Identifier: GPL-2.0
"""JOBS jobs of HOSTS hosts of a fat tree run a collective operation (KIND).

It works on BYTES of each host. A step begins when its host has received what it sends. A ring of n
hosts on an idle network takes 2 (n - 1) / n * BYTES / RATE, and the delays of its steps.

job_us          time from the start of the slowest job to its end
ideal_us        the same in a network where only the links of hosts limit flows: each host sends its
                flows in the order in which they may start
straggler_us    the most time that a host ends after the median host of its job
paused_us       time that priority 3 was paused, summed over links; links.csv has it for each link:
                from, to, us
"""
import collections
import functools
import heapq
import statistics

from lle_lab import (Integer, Network, OneOf, Size, Time, keys, link_mtu, pattern,
                     seconds_needed)
from lle_lab.metrics import HEADERS, fixed

from . import _rcm as rcm

RETH = 16            # of the first packet of a message, in addition

Flow = collections.namedtuple("Flow", "start size src dst after job")


class Collective(rcm.Rcm):
    K = keys.K(4)
    KIND = OneOf("ring-allreduce", "ring-allreduce tree-allreduce all-gather reduce-scatter "
                 "all-to-all parameter-server pipeline", "collective operation")
    HOSTS = Integer(16, 2, lambda s: s.K**3 // 4, "hosts of a job")
    BYTES = Size("4m", "1k", "16g", "data of each host; of pipeline, of a micro-batch")
    JOBS = Integer(1, 1, lambda s: s.K**3 // 4 // s.HOSTS, "jobs, each on hosts of its own")
    PLACE = OneOf("packed", "packed spread random",
                  "hosts of a job: neighbours, in turn, or drawn")
    PIECES = Integer(8, 1, 1000, "pieces of tree-allreduce, micro-batches of pipeline")
    COMPUTE = Time("0ns", "0ns", "1s", "for which a stage of pipeline computes")
    PFC = keys.PFC("on")
    RCM = OneOf("no", "yes no", "regional congestion mitigation in switches and at hosts")
    CC = OneOf("none", "none dcqcn ldcp", "congestion control of the senders")
    BUF = keys.BUF(1000)
    MS = Integer(0, 0, 1000000, "ms that flows last; 0: five times those that links need")

    @property
    def variant(self):
        if self.RCM:
            return "rcm+dcqcn" if self.CC == "dcqcn" else "rcm"
        return "dcqcn" if self.CC == "dcqcn" else "pfc"

    def limits(self):
        if self.PFC and self.CC == "ldcp":
            self.refuse("PFC", "not with LDCP: switches drop packets of the first RTT")
        if self.RCM and not self.PFC:
            self.refuse("RCM", "not without PFC")
        if self.PFC:
            super().limits()

    def bdp(self):
        """Bytes in flight on the longest path and back, for LDCP."""
        return round(6 * (2 * self.DELAY * self.RATE / 8e9 + self.MTU + HEADERS + 90))

    def ldcp_marks(self):
        """As in the scenarios of LDCP, from 5 % of a BDP on, and full buffers."""
        frame = self.MTU + HEADERS
        kmin = max(self.bdp() // 20, 2 * frame)
        kmax = kmin + max(2 * self.bdp(), 16 * frame)
        return f" wred 3 kmin {kmin} kmax {kmax} pmax 100% nonect {kmax} ecn"

    def network(self):
        topology = "fat-tree", self.K
        if self.PFC:
            return self.network_of(topology)
        port = "buffer 32m alpha 8 burst 0 prio-pfc 3:off"
        port += self.ldcp_marks() if self.CC == "ldcp" else self.marks()
        return Network(topology, self.RATE, self.DELAY, link_mtu(self.MTU), edge=port, fabric=port,
                       host="prio-pfc 3:off", after=[self.paths()])

    def nic(self):
        nic = super().nic()
        if self.CC == "ldcp":
            nic |= {"ack_every": 1, "cc": "ldcp", "line_mbps": self.RATE // 10**6,
                    "ldcp_iw": self.bdp() // (self.MTU + HEADERS) + 1}
        # a sender that loses packets goes back after ten times the delay of a full path
        return nic if self.PFC else nic | {"rto_us": 1000}

    def flows(self):
        return pattern("collective", kind=self.KIND, hosts=self.K**3 // 4, ranks=self.HOSTS,
                       jobs=self.JOBS, place=self.PLACE, size=int(self.BYTES), pieces=self.PIECES,
                       compute=int(self.COMPUTE), seed=self.SEED)

    @functools.cached_property
    def needed_s(self):
        return seconds_needed(self.flows(), sum, self.RATE, self.DELAY, self.MTU)

    def seconds(self):
        return self.MS / 1e3 if self.MS else self.needed_s

    def metrics(self, run):
        yield from super().metrics(run)
        flows = [parse(line) for line in self.flows()]
        ends = run.flows.last_ns.tolist()
        if min(ends) >= 0:
            job_us, behind_us = of_jobs(flows, ends)
            yield "job_us", fixed(job_us, 3)
            yield "straggler_us", fixed(behind_us, 3)
        ideal = Ideal(run.testbed, 8e9 / self.RATE, self.DELAY, self.MTU)
        yield "ideal_us", fixed(of_jobs(flows, ideal.ends(flows))[0], 3)
        paused = sorted(((q["node"], q["peer"], q["prios"][3]["rx_pause_duration"])
                         for q in run.qdiscs()), key=lambda link: -link[2])
        (run.folder / "links.csv").write_text("".join(f"{a},{b},{us}\n" for a, b, us in paused))
        yield "paused_us", sum(us for *_, us in paused)

    def expectations(self, m):
        yield "lost_bytes == 0"
        if self.PFC:
            yield "dropped == 0"
        # without PFC, senders that go back may take longer
        if not self.MS and (self.PFC or self.CC == "ldcp"):
            yield "unfinished == 0"
        if "job_us" in m:
            # the last host may be nearer than in the ideal order
            yield f"job_us >= {0.99 * m['ideal_us']:.6g}"
            # neighbours of a ring share no link
            if self.JOBS == 1 and self.PLACE == "packed" and \
                    self.KIND in ("ring-allreduce", "all-gather", "reduce-scatter"):
                yield f"job_us <= {1.01 * m['ideal_us']:.6g}"


def numbers(text):
    """The list of "after": "1,4-6"."""
    for part in text.split(","):
        first, _, end = part.partition("-")
        yield from range(int(first), int(end or first) + 1)


def parse(line):
    words, _, comment = line.partition("#")
    words = words.split()
    after = list(numbers(words[6])) if words[5:6] == ["after"] else []
    return Flow(int(words[0]), int(words[1]), words[2], words[3], after, int(comment.split()[1]))


def of_jobs(flows, ends):
    """The longest job, and the latest host behind the median host, in us."""
    jobs, hosts = collections.defaultdict(float), collections.defaultdict(dict)
    for flow, end in zip(flows, ends):
        jobs[flow.job] = max(jobs[flow.job], end)
        of_job = hosts[flow.job]
        for host in (flow.src, flow.dst):
            of_job[host] = max(of_job.get(host, 0), end)
    behind = max(max(h.values()) - statistics.median(h.values()) for h in hosts.values())
    return max(jobs.values()) / 1e3, behind / 1e3


class Ideal:
    """A network in which only the links of hosts limit flows."""

    def __init__(self, testbed, ns_byte, delay_ns, payload):
        self.ns_byte, self.delay_ns, self.payload = ns_byte, delay_ns, payload
        self.hosts = {host["address"]: host for host in testbed["hosts"]}
        self.forward = {switch["name"]: switch["forward"] for switch in testbed["switches"]}
        self.peers = {port["dev"]: port["peer"] for switch in testbed["switches"]
                      for port in switch["ports"]}

    def links(self, src, dst):
        """Number of links from one host to another, as the switches forward."""
        name, at, count = self.hosts[dst]["name"], self.hosts[src]["peer"], 1
        while at != name:
            at = self.peers[self.forward[at][name]]
            count += 1
        return count

    def wire_ns(self, size):
        """Time of a message on a link."""
        return (size + -(-size // self.payload) * HEADERS + RETH) * self.ns_byte

    def path_ns(self, flow):
        """From the last bit sent to its arrival; switches store and forward."""
        links = self.links(flow.src, flow.dst)
        last = flow.size - (-(-flow.size // self.payload) - 1) * self.payload
        first = RETH if flow.size <= self.payload else 0
        return links * self.delay_ns + (links - 1) * (last + HEADERS + first) * self.ns_byte

    def ends(self, flows):
        """End of each flow, in ns: flows take their hosts' links in order of start."""
        sent, ended = {}, {}
        sends, receives = collections.defaultdict(float), collections.defaultdict(float)
        waiters = collections.defaultdict(list)
        waits = [len(flow.after) for flow in flows]
        for n, flow in enumerate(flows):
            for first in flow.after:
                waiters[first - 1].append(n)
        ready = [(flow.start, n) for n, flow in enumerate(flows) if not flow.after]
        heapq.heapify(ready)
        while ready:
            at, n = heapq.heappop(ready)
            flow, ns = flows[n], self.wire_ns(flows[n].size)
            sent[n] = max(at, sends[flow.src]) + ns
            sends[flow.src] = sent[n]
            ended[n] = max(sent[n] + self.path_ns(flow), receives[flow.dst] + ns)
            receives[flow.dst] = ended[n]
            for w in waiters[n]:
                waits[w] -= 1
                if not waits[w]:
                    heapq.heappush(ready, (begins(flows, w, sent, ended), w))
        return [ended[n] for n in range(len(flows))]


def begins(flows, n, sent, ended):
    """When flow @n may begin: START_NS after its inputs and earlier messages."""
    received = [ended[a - 1] for a in flows[n].after if flows[a - 1].dst == flows[n].src]
    before = [sent[a - 1] for a in flows[n].after if flows[a - 1].src == flows[n].src]
    return max(max(received, default=0) + flows[n].start, *before, 0)
