# SPDX-License-Identifier: GPL-2.0
"""Runs the flows of another simulator in its network.

Topologies and flows are files of HPCC's ns-3 and of htsim. Links have the rates and delays of the
file. The run begins with the first flow. The folder hpcc of the results has its topology, flows,
completion times and pauses as files of HPCC.

An own scenario may have other ports and NICs:

    from lle_lab import scenario

    class Mine(scenario.load("import")):
        def port(self, rate):
            return super().port(rate) + " alpha 8"
"""
import functools
import sys

from lle_lab import Integer, Network, Path, Scenario, Topology, dcqcn_marks, hpcc, importers, keys
from lle_lab import link_mtu, metrics, seconds_needed
from lle_lab.scenarios._topology import FileNetwork


class Import(Scenario):
    TOPOLOGY = Path("", "topology for lle-testbed, such as those of HPCC and htsim")
    FLOWS = Path("", "flows of HPCC, or a connection matrix of htsim")
    BUFFER = keys.BUFFER("32m")
    PFC = keys.PFC("on")
    CC = keys.CC("none")
    MTU = keys.MTU(1024)
    MS = Integer(0, 0, 1000000, "ms that flows last; 0: five times those that links need")
    PAUSES = keys.PAUSES("yes")

    def limits(self):
        for key in "TOPOLOGY", "FLOWS":
            if not getattr(self, key):
                self.refuse(key, "a file is required")

    @functools.cached_property
    def file(self):
        """The network."""
        found = FileNetwork(("file", self.TOPOLOGY), functools.partial(self.refuse, "TOPOLOGY"))
        if self.PFC:
            self.limit("BUFFER", 2 * found.headroom(self.MTU), "1g",
                       "half of it is headroom of the ports of a switch")
        if self.CC != "none" and any(len(found.rates(kind)) > 1 for kind in ("host", "link")):
            self.refuse("CC", "links of hosts, and links of switches, need one rate each")
        return found

    @functools.cached_property
    def lines(self):
        """Flows, after the time in the file at which they begin."""
        def warn(text):
            print(f"{self.name}: FLOWS={self.FLOWS}: {text}", file=sys.stderr)
        try:
            return list(importers.converted(importers.read(self.FLOWS, warn),
                                            self.file.addresses()))
        except importers.Refused as why:
            self.refuse("FLOWS", why)

    def pfc(self):
        """PFC of the priorities of flows."""
        prios = sorted({line.split()[4] for line in self.lines[1:]})
        return " ".join(["prio-pfc", *(f"{prio}:{self.PFC}" for prio in prios)])

    def port(self, rate):
        """Options of a port of a switch, at a link of this rate."""
        marks = f" {dcqcn_marks(rate)}" if self.CC != "none" else ""
        return f"buffer {self.BUFFER} {self.pfc()}{marks}"

    def host_port(self):
        return self.pfc()

    def network(self):
        topology = Topology()
        topology.lines = self.file.text.splitlines()
        edge, *_ = self.file.rates("host")
        fabric, *_ = self.file.rates("link") or [edge]
        return Network(topology, mtu=link_mtu(self.MTU), edge=self.port(edge),
                       fabric=self.port(fabric), host=self.host_port())

    def nic(self):
        rate, *_ = self.file.rates("host")
        # RTO: 1 ms at 100 Gbit/s, and two round trips of twelve links
        return {"mtu": self.MTU, "rto_us": 10**14 // rate + 48 * self.file.delay() // 1000,
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
        hpcc.export(run.folder, self.MTU)

    def expectations(self, m):
        yield from metrics.arrival(self.PFC)
