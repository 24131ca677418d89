# SPDX-License-Identifier: GPL-2.0
"""Runs the flows of another simulator in its network.

Topologies and flows are files of HPCC's ns-3 and of htsim. Links have the rates and delays of the
file. The run begins with the first flow. With CONFIG, switches and NICs have the settings of HPCC's
config.txt, or of the arguments of htsim_roce. The folder hpcc of the results has its topology,
flows, completion times and pauses as files of HPCC.

An own scenario may have other ports and NICs:

    from lle_lab import scenario

    class Mine(scenario.load("import")):
        def port(self, rate):
            return super().port(rate) + " alpha 8"
"""
import collections
import functools
import sys

from lle_lab import Integer, Network, Path, Scenario, Topology, dcqcn_marks, headroom, hpcc
from lle_lab import importers, keys, link_mtu, metrics, seconds_needed
from lle_lab.importers.args import HEADERS as HTSIM_HEADERS, Args
from lle_lab.importers.config import GROUP, HEADERS as HPCC_HEADERS, RESUME, Config
from lle_lab.scenarios._topology import FileNetwork

FRAME = 58              # bytes of headers of a packet, without those of a link
NO_RTO_US = 10**8       # no packet is lost


class Settings:
    """What the settings of a simulator are in the lab. Frames are as long as there: the payload
    differs as headers do, and no preamble and gap are counted."""

    def __init__(self, scenario, payload, headers):
        self.scenario, self.payload, self.headers = scenario, payload, headers
        self.mtu = payload + headers - FRAME

    def size(self, size):
        """Bytes of a flow whose packets have as many bytes on a link as those there."""
        packets = -(-size // self.payload)
        last = size - (packets - 1) * self.payload
        return (packets - 1) * self.mtu + max(1, last + self.mtu - self.payload)

    def flow(self, flow):
        return flow._replace(size=self.size(flow.size),
                             comment=(flow.comment or " #") + f" size {flow.size}")


class Htsim(Settings):
    """The arguments of htsim_roce. All flows have one priority, and ACKs another one."""

    def __init__(self, scenario, args):
        super().__init__(scenario, args.mtu, HTSIM_HEADERS)
        self.args = args

    def network(self, topology):
        def port(kind):
            file = self.scenario.file
            room = headroom(max(file.rates(kind), default=0), file.delay(), self.mtu)
            return (f"overhead 0 burst 0 reaction 0 buffer 1g reserved 0 xoff {self.args.xoff} "
                    f"xon-delta {self.args.xoff - self.args.xon} headroom {room} prio-pfc 3:on")
        return Network(topology, mtu=link_mtu(self.mtu), edge=port("host"), fabric=port("link"),
                       host="overhead 0 burst 0 prio-pfc 3:on")

    def nic(self):
        return {"mtu": self.mtu, "line_mbps": self.scenario.file.rates("host")[0] // 10**6,
                "rto_us": NO_RTO_US, "ack_prio": 7, "cc": "none"}


class Hpcc(Settings):
    """config.txt of HPCC's ns-3."""

    def __init__(self, scenario, config):
        super().__init__(scenario, config.payload, HPCC_HEADERS)
        self.config = config
        links = scenario.file.links
        self.line, *_ = (link.rate for link in links if link.kind == "host")
        self.ports = {kind: self.port_of([link for link in links if link.kind == kind] or links)
                      for kind in ("host", "link")}
        self.dcqcn = {"cc": "dcqcn"} | config.dcqcn() if config.marks else {"cc": "none"}

    def room(self, link):
        return self.config.headroom(link.rate, link.delay)

    def port_of(self, links):
        """alpha, marks, and the most headroom of ports to these links."""
        alpha, *more = {self.config.alpha(link.rate, self.line) for link in links}
        marks, *others = {self.config.mark(link.rate) for link in links}
        if more or others:
            raise importers.Refused("links of hosts, and links of switches, need one rate each, "
                                    "or rates with equal thresholds")
        return alpha, marks, max(map(self.room, links))

    def prios(self):
        return sorted({int(line.split()[4]) for line in self.scenario.lines[1:]})

    def bands(self):
        """Priorities are served in turn, and ACKs first if they have a priority of their own."""
        if len(self.prios()) < 2:
            return ""
        return f"bands 8 strict 1 quanta {' '.join([str(self.mtu + FRAME)] * 7)} " \
               "priomap 1 2 3 4 5 6 7 0 "

    def port(self, kind):
        alpha, mark, room = self.ports[kind]
        prios = self.prios()
        pfc = " ".join(f"{prio}:on" for prio in prios)
        marks = "".join(f" wred {prio} {mark}" for prio in prios if mark)
        return (f"{self.bands()}overhead 0 burst 0 reaction 0 alpha {alpha} reserved {GROUP} "
                f"xon-delta {RESUME} headroom {room} prio-pfc {pfc}{marks}")

    def network(self, topology):
        # there a port keeps GROUP bytes, here each of eight priorities; and its own headroom, here
        # the most
        buffers = collections.Counter()
        for link in self.scenario.file.links:
            for switch in link.ends[link.kind == "host":]:
                buffers[switch] += 7 * GROUP + self.ports[link.kind][2] - self.room(link)
        topology.lines = [
            f"{line} buffer {self.config.buffer + buffers[line.split()[1]]}"
            if line.startswith("switch ") else line for line in topology.lines]
        host = f"{self.bands()}overhead 0 burst 0 prio-pfc " + \
            " ".join(f"{prio}:on" for prio in self.prios())
        return Network(topology, mtu=link_mtu(self.mtu), edge=self.port("host"),
                       fabric=self.port("link"), host=host)

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
        nic = {"mtu": self.mtu, "line_mbps": self.line // 10**6, "rto_us": NO_RTO_US,
               "ack_every": self.config.ack_every, "ack_prio": self.ack_prio()}
        if self.config.window:
            bdp = self.scenario.file.largest_bdp(self.config.payload)
            nic["window"] = -(-bdp // self.config.payload)
        return nic | self.dcqcn


class Import(Scenario):
    TOPOLOGY = Path("", "topology for lle-testbed, such as those of HPCC and htsim")
    FLOWS = Path("", "flows of HPCC, or a connection matrix of htsim")
    CONFIG = Path("", "config.txt of HPCC, or arguments of htsim_roce, which set what BUFFER, CC, "
                      "MARK, MTU and PFC are for")
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
    def settings(self):
        """Those of CONFIG, or nothing."""
        if not self.CONFIG:
            return None
        warn = functools.partial(self.warn, "CONFIG")
        try:
            if importers.is_args(self.CONFIG):
                return Htsim(self, Args(self.CONFIG, warn))
            return Hpcc(self, Config(self.CONFIG, warn))
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
            if self.settings:
                flows = [self.settings.flow(flow) for flow in flows]
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
        if self.settings:
            return self.settings.network(topology)
        edge, *_ = self.file.rates("host")
        fabric, *_ = self.file.rates("link") or [edge]
        return Network(topology, mtu=link_mtu(self.MTU), edge=self.port(edge),
                       fabric=self.port(fabric), host=self.host_port())

    def nic(self):
        if self.settings:
            return self.settings.nic()
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
        if self.settings:
            hpcc.export(run.folder, self.settings.payload, self.settings.headers, lines)
        else:
            hpcc.export(run.folder, self.MTU, topology_lines=lines)

    def expectations(self, m):
        yield from metrics.arrival(self.PFC)
