# SPDX-License-Identifier: GPL-2.0
"""Runs the flows of another simulator in its network.

Topologies and flows are files of HPCC's ns-3 and of htsim. Links have the rates and delays of the
file. The run begins with the first flow. With CONFIG, switches and NICs have the settings of HPCC's
config.txt. The folder hpcc of the results has its topology, flows, completion times and pauses as
files of HPCC.

An own scenario may have other ports and NICs:

    from lle_lab import scenario

    class Mine(scenario.load("import")):
        def port(self, rate):
            return super().port(rate) + " alpha 8"
"""
import collections
import functools
import sys

from lle_lab import Integer, Network, Path, Scenario, Topology, dcqcn_marks, hpcc, importers, keys
from lle_lab import link_mtu, metrics, seconds_needed
from lle_lab.importers.config import GROUP, RESUME, Config
from lle_lab.scenarios._topology import FileNetwork

FRAME = 58              # bytes of headers of a packet, without those of a link
LONGER = FRAME - 48     # than the headers in HPCC
NO_RTO_US = 10**8       # no packet is lost


class Hpcc:
    """What the settings of config.txt are in the lab. Frames are as long as there: the payload is
    less, as headers of the lab are longer, and no preamble and gap are counted."""

    def __init__(self, scenario, config):
        self.scenario, self.config = scenario, config
        self.mtu = config.payload - LONGER
        links = {"host": set(), "link": set()}
        for link in scenario.file.links:
            links[link.kind].add((link.rate, link.delay))
        for kind, found in links.items():
            if len(found) > 1:
                raise importers.Refused(f"links of a {kind} need one rate and one delay")
        self.edge, = links["host"]
        self.fabric, *_ = [*links["link"], self.edge]
        self.marks = {rate: config.mark(rate) for rate, _ in (self.edge, self.fabric)}
        self.dcqcn = {"cc": "dcqcn"} | config.dcqcn() if config.marks else {"cc": "none"}

    def flow(self, flow):
        return flow._replace(size=self.config.size(flow.size, self.mtu),
                             comment=(flow.comment or " #") + f" size {flow.size}")

    def prios(self):
        return sorted({int(line.split()[4]) for line in self.scenario.lines[1:]})

    def bands(self):
        """Priorities are served in turn, and ACKs first if they have a priority of their own."""
        if len(self.prios()) < 2:
            return ""
        return f"bands 8 strict 1 quanta {' '.join([str(self.mtu + FRAME)] * 7)} " \
               "priomap 1 2 3 4 5 6 7 0 "

    def port(self, rate, delay):
        config, prios = self.config, self.prios()
        pfc = " ".join(f"{prio}:on" for prio in prios)
        marks = "".join(f" wred {prio} {self.marks[rate]}" for prio in prios if self.marks[rate])
        return (f"{self.bands()}overhead 0 burst 0 reaction 0 "
                f"alpha {config.alpha(rate, self.edge[0])} reserved {GROUP} xon-delta {RESUME} "
                f"headroom {config.headroom(rate, delay)} prio-pfc {pfc}{marks}")

    def network(self, topology):
        ports = collections.Counter(end for link in self.scenario.file.links
                                    for end in link.ends[link.kind == "host":])
        # there a port keeps GROUP bytes, here each of eight priorities
        topology.lines = [
            f"{line} buffer {self.config.buffer + 7 * GROUP * ports[line.split()[1]]}"
            if line.startswith("switch ") else line for line in topology.lines]
        host = f"{self.bands()}overhead 0 burst 0 prio-pfc " + \
            " ".join(f"{prio}:on" for prio in self.prios())
        return Network(topology, mtu=link_mtu(self.mtu), edge=self.port(*self.edge),
                       fabric=self.port(*self.fabric), host=host)

    def ack_prio(self):
        """7 is the first, as theirs of ACK_HIGH_PRIO."""
        if self.config.ack_is_first:
            return 7
        prio, *more = self.prios()
        if more:
            self.scenario.refuse("CONFIG", "ACKs in the priorities of several flows: "
                                           "ACK_HIGH_PRIO 1 is required")
        return prio

    def nic(self):
        nic = {"mtu": self.mtu, "line_mbps": self.edge[0] // 10**6, "rto_us": NO_RTO_US,
               "ack_every": self.config.ack_every, "ack_prio": self.ack_prio()}
        if self.config.window:
            bdp = self.scenario.file.largest_bdp(self.config.payload)
            nic["window"] = -(-bdp // self.config.payload)
        return nic | self.dcqcn


class Import(Scenario):
    TOPOLOGY = Path("", "topology for lle-testbed, such as those of HPCC and htsim")
    FLOWS = Path("", "flows of HPCC, or a connection matrix of htsim")
    CONFIG = Path("", "config.txt of HPCC, which sets what BUFFER, CC, MARK, MTU and PFC are for")
    BUFFER = keys.BUFFER("32m")
    PFC = keys.PFC("on")
    CC = keys.CC("none")
    MARK = keys.MARK("dequeue")
    MTU = keys.MTU(1024)
    MS = Integer(0, 0, 1000000, "ms that flows last; 0: five times those that links need")
    PAUSES = keys.PAUSES("yes")

    def limits(self):
        for key in "TOPOLOGY", "FLOWS":
            if not getattr(self, key):
                self.refuse(key, "a file is required")
        for key in "BUFFER", "CC", "MARK", "MTU", "PFC":
            if self.CONFIG and not self.defaults(key):
                self.refuse(key, "CONFIG sets it")

    def warn(self, key, text):
        print(f"{self.name}: {key}={self.texts[key]}: {text}", file=sys.stderr)

    @functools.cached_property
    def hpcc(self):
        """The settings of CONFIG, or nothing."""
        if not self.CONFIG:
            return None
        try:
            return Hpcc(self, Config(self.CONFIG, functools.partial(self.warn, "CONFIG")))
        except importers.Refused as why:
            self.refuse("CONFIG", why)

    @functools.cached_property
    def file(self):
        """The network."""
        found = FileNetwork(("file", self.TOPOLOGY), functools.partial(self.refuse, "TOPOLOGY"))
        if self.CONFIG:
            return found
        if self.PFC:
            self.limit("BUFFER", 2 * found.headroom(self.MTU), "1g",
                       "half of it is headroom of the ports of a switch")
        if self.CC != "none" and any(len(found.rates(kind)) > 1 for kind in ("host", "link")):
            self.refuse("CC", "links of hosts, and links of switches, need one rate each")
        return found

    @functools.cached_property
    def lines(self):
        """Flows, after the time in the file at which they begin."""
        try:
            flows = importers.read(self.FLOWS, functools.partial(self.warn, "FLOWS"))
            if self.hpcc:
                flows = [self.hpcc.flow(flow) for flow in flows]
            return list(importers.converted(flows, self.file.addresses()))
        except importers.Refused as why:
            self.refuse("FLOWS", why)

    def pfc(self):
        """PFC of the priorities of flows."""
        prios = sorted({line.split()[4] for line in self.lines[1:]})
        return " ".join(["prio-pfc", *(f"{prio}:{self.PFC}" for prio in prios)])

    def port(self, rate):
        """Options of a port of a switch, at a link of this rate."""
        marks = f" {dcqcn_marks(rate, self.MARK)}" if self.CC != "none" else ""
        return f"buffer {self.BUFFER} reaction 0 {self.pfc()}{marks}"

    def host_port(self):
        return self.pfc()

    def network(self):
        topology = Topology()
        topology.lines = self.file.text.splitlines()
        if self.hpcc:
            return self.hpcc.network(topology)
        edge, *_ = self.file.rates("host")
        fabric, *_ = self.file.rates("link") or [edge]
        return Network(topology, mtu=link_mtu(self.MTU), edge=self.port(edge),
                       fabric=self.port(fabric), host=self.host_port())

    def nic(self):
        if self.hpcc:
            return self.hpcc.nic()
        rate, *_ = self.file.rates("host")
        # 1 ms at 100 Gbit/s, and two round trips of twelve links
        rto_us = 10**14 // rate + 48 * self.file.delay() // 1000
        return {"mtu": self.MTU, "rto_us": NO_RTO_US if self.PFC else rto_us,
                "cc": self.CC, "line_mbps": rate // 10**6}

    def flows(self):
        return self.lines

    def seconds(self):
        if self.MS:
            return self.MS / 1e3
        rate, *_ = self.file.rates("host")
        return seconds_needed(self.lines, max, rate, self.file.delay(), self.MTU)

    def metrics(self, run):
        yield from super().metrics(run)
        # without refreshes
        yield "pauses_begun", run.total("tx_pause_transition")
        self.export(run)

    def export(self, run):
        lines = importers.hpcc.topology(self.TOPOLOGY)
        if self.hpcc:
            hpcc.export(run.folder, self.hpcc.config.payload, FRAME - LONGER, lines)
        else:
            hpcc.export(run.folder, self.MTU, topology_lines=lines)

    def expectations(self, m):
        yield from metrics.arrival(self.PFC)
