# SPDX-License-Identifier: GPL-2.0
"""Common parts of scenarios about RCM. ARMS are

pfc             pauses only
dcqcn           hosts with DCQCN
rcm             regional congestion mitigation in switches and at hosts
rcm+dcqcn       both
rcm+dcqcn+las   both, with least attained service
rcm-nosar       both, without SAR

Parameters are those of "Regional Congestion Mitigation" (section 4.1): 100 Gbit/s, 1 us, 100 KB,
and DCQCN's defaults.
"""
import functools

from lle_lab import ListOf, Network, Scenario, keys, link_mtu, metrics

ARMS = functools.partial(ListOf, words="pfc dcqcn rcm rcm+dcqcn rcm+dcqcn+las rcm-nosar",
                         help="variants")


def percentile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


class Rcm(Scenario):
    BUF = keys.BUF(100)
    RATE = keys.RATE("100gbit")
    DELAY = keys.DELAY("1us")
    MTU = keys.MTU(1024)

    # the most ports of a switch; percent of lost notifications; marks; young bytes of LAS
    K, LOSS = 5, 0
    # seconds for flows that are left after seconds()
    overtime = 0
    KMIN, KMAX, PMAX = 20000, 80000, "10%"
    LAS_QEQ = 20

    # the arm; a scenario without arms has a variant of its own
    variant = property(lambda self: self.arm)
    rcm = property(lambda self: self.variant.startswith("rcm"))
    las = property(lambda self: self.variant.endswith("+las"))
    sar = property(lambda self: self.rcm and self.variant != "rcm-nosar")
    dcqcn = property(lambda self: self.variant not in ("pfc", "rcm"))

    def limits(self):
        """Isolated bytes stay below XOFF, with those in flight twice and two packets."""
        if self.LOSS and self.PARTS:
            self.refuse("LOSS", "needs PARTS=0")
        self.limit_delay(self.K, "32m")
        if any(arm.startswith("rcm") for arm in self.arms or [self.variant]):
            mtu = link_mtu(self.MTU)
            flight = 2 * self.DELAY * self.RATE / 8e9 + max(10 * mtu, 150e-9 * self.RATE) * 5 / 48
            frames = 2 * (mtu + 18)
            self.limit("BUF", int(41 + (flight + frames + max(flight, frames)) / 1024), 100000,
                       "with RCM, of which 40 are for headroom, with these RATE, DELAY and MTU")

    def port(self):
        """Options of all ports: BUF KB, with 40 of headroom; more headroom is added."""
        port = f"prio-pfc 3:on xoff {self.BUF - 40}k xon-delta 20k reaction 0 burst 0"
        return port + f" rcm on rcm-las {self.LAS_QEQ if self.las else 0}" * self.rcm

    def marks(self):
        return f" wred 3 kmin {self.KMIN} kmax {self.KMAX} pmax {self.PMAX} ecn" * self.dcqcn

    def paths(self):
        """A command of the guest: flows hash over the ports of path groups; SAR leaves congested
        ones."""
        return "path_groups" + " -a" * self.sar

    def network_of(self, topology):
        port = f"{self.port()} buffer 32m{self.marks()}"
        return Network(topology, self.RATE, self.DELAY, link_mtu(self.MTU),
                       edge=port + " rcm-host-cn on" * self.rcm, fabric=port,
                       host=f"{self.port()} fabric",
                       after=[self.paths()] + [f"lose {self.LOSS}"] * bool(self.LOSS))

    def nic(self):
        # messages wait in the NIC: two packets of each are in the qdisc
        nic = {"depth": 1000000, "flow_depth": 2, "mtu": self.MTU, "ack_every": 16,
               "rto_us": 10000000, "cc": "none"}
        return nic | {"cc": "dcqcn", "line_mbps": self.RATE // 10**6} if self.dcqcn else nic

    def traffic(self):
        yield f"run_flows {self.seconds()} {self.overtime}"
        if self.LOSS:
            yield "count_lost"

    def losses(self, run):
        """Drops, pauses to hosts and to switches, holds that are left, and the share of reordered
        packets."""
        yield from ((name, value) for name, value in metrics.losses(run) if name != "pauses")
        yield "pauses.host", run.total("tx_pause", "edge")
        yield "pauses.fabric", run.total("tx_pause", "fabric")
        yield "stuck_holds", sum(port["held"] + port["tells"] + bool(port["class_held"])
                                 + bool(port["tells_class"]) for port in run.congestion)
        if self.LOSS:
            yield "notifications.lost", int(run.text("lost"))
        yield from metrics.reorder_share(run)

    def ends(self, run):
        """Numbers of flows, without completion times."""
        yield from ((name, value) for name, value in metrics.flow_times(run)
                    if not name.startswith("fct_"))

    def gbps(self, payload_bytes, us):
        """Throughput on a link, with headers."""
        return payload_bytes * 8 * (self.MTU + metrics.HEADERS) / self.MTU / us / 1e3

    def gains(self, m, metric, name, sign=1):
        """How much more than dcqcn the other arms have, in percent; less, if SIGN is -1."""
        base = m.get(f"dcqcn.{metric}", 0)
        for arm in self.ARMS:
            own = m.get(f"{arm}.{metric}")
            if arm != "dcqcn" and base > 0 and own is not None:
                yield f"{arm}.{name}", metrics.fixed(sign * 100 * (own - base) / base, 2)


class RcmFatTree(Rcm):
    """Arms that are compared with dcqcn, in a fat tree."""
    ARMS = ARMS("dcqcn,rcm+dcqcn")
    # a smaller one has too few hosts for hot ones or groups
    K = keys.K(6, least=4)
    KMIN = keys.KMIN(20000)
    KMAX = keys.KMAX(80000)
    PMAX = keys.PMAX("10%")

    hosts = property(lambda self: self.K**3 // 4)

    def network(self):
        return self.network_of(("fat-tree", self.K))

    def metrics(self, run):
        yield from self.losses(run)
        yield from self.ends(run)
