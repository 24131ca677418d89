# SPDX-License-Identifier: GPL-2.0
"""Messages of measured sizes in a fat tree: completion times with LDCP, by size.

For MS ms, messages of measured sizes (CDF) begin at random between hosts of a fat tree, and use
LOAD of the hosts' links; then there are DRAIN ms for the rest. Measures completion times, by size.
TCP connections exist before.
"""
from lle_lab import keys, metrics, pattern, payload_bps
from lle_lab import numpy as np
from lle_lab.metrics import fixed
from lle_lab.plots import picture

from . import _ldcp as ldcp

SIZES = {"below_100k": (0, 100e3), "100k_to_1m": (100e3, 1e6), "from_1m": (1e6, 1e18)}

# (CDF, LOAD, ratio): its range where LDCP is not faster: minimum and maximum of seeds 1 to 5,
# extended by their distance on either side
MISSED = {("storage", 0.6, "mean_of.dctcp"): (1.03, 1.34),
          ("storage", 0.8, "mean_of.dctcp"): (1.22, 1.74),
          ("storage", 0.8, "p99_of.dctcp"): (0.67, 1.21)}


class LdcpFct(ldcp.Ldcp):
    ARMS = ldcp.ARMS("ldcp-roce,dcqcn,dcqcn+pfc,ldcp,dctcp")
    K = keys.K(4)
    CDF = keys.CDF("web-search")
    LOAD = keys.LOAD(0.6)
    RTT = keys.RTT("14us")
    MS = keys.MS(4)
    DRAIN = keys.DRAIN(60)

    links = 6
    hosts = property(lambda self: self.K**3 // 4)
    ports = property(lambda self: self.K)

    def network(self):
        return self.ldcp_network(("fat-tree", self.K), "--arp")

    def nic(self):
        return super().nic() | {"bin_us": 0, "rto_us": self.RTT * 192 // 1000}

    def flows(self):
        return pattern("poisson", hosts=self.hosts, load=self.LOAD,
                       rate=payload_bps(self.RATE, ldcp.PAYLOAD[False]),
                       cdf=keys.FLOW_SIZES / f"{self.CDF}.csv", duration=f"{self.MS}e6",
                       seed=self.SEED)

    def seconds(self):
        return (self.MS + self.DRAIN) / 1e3

    def busy(self):
        return self.MS / 1e3

    def metrics(self, run):
        yield from ldcp.losses(run)
        took_ns = ldcp.times_ns(run)
        ended = took_ns >= 0
        sizes = ldcp.rows_of(run).size
        yield "unfinished", int((~ended).sum())
        for name, (least, below) in SIZES.items():
            values = (took_ns[ended & (least <= sizes) & (sizes < below)] / 1e3).tolist()
            if values:
                # the sum depends on the order
                yield f"flows.{name}", len(values)
                yield f"fct_us.{name}.mean", fixed(sum(sorted(values)) / len(values), 3)
                for which, part in ldcp.QUANTILES.items():
                    yield f"fct_us.{name}.{which}", fixed(ldcp.quantile(sorted(values), part), 3)

    def compare(self, m):
        """Mean and p99 of the smallest messages with LDCP, over those of other arms."""
        for arm in "dcqcn", "dcqcn+pfc", "dctcp":
            of = "ldcp" if arm == "dctcp" else "ldcp-roce"
            for which in "mean", "p99":
                name = f"fct_us.below_100k.{which}"
                yield from metrics.ratio(f"{which}_of.{arm}", m.get(f"{of}.{name}"),
                                         m.get(f"{arm}.{name}"))

    def expect_faster(self, name):
        least, most = MISSED.get((self.CDF, self.LOAD, name), (None, None))
        if least:
            yield f"{name} >= {least}"
            yield f"{name} <= {most}"
        else:
            yield f"{name} < 1"

    def expectations(self, m):
        measured = self.defaults("K RATE RTT PROFILE MODE MARK BUFFER") and self.DRAIN >= 30 \
            and self.CDF in ("web-search", "storage") and self.LOAD in (0.3, 0.6, 0.8)
        for arm in self.ARMS:
            if measured:
                yield f"{arm}.unfinished == 0"
            if arm in ldcp.LDCP:
                yield from self.expect_ldcp(arm, m)
        if not measured:
            return
        for arm in "dcqcn+pfc", "dctcp":
            if f"mean_of.{arm}" in m:
                yield from self.expect_faster(f"mean_of.{arm}")
                # of fewer, the p99 is that of one message
                if m[f"{arm}.flows.below_100k"] >= 100:
                    yield from self.expect_faster(f"p99_of.{arm}")

    @picture("Messages of less than 100 KB: when they are complete.")
    def fct(self, ax, results):
        def small_us(run):
            took_ns = ldcp.times_ns(run)
            return np.sort(took_ns[(took_ns >= 0) & (ldcp.rows_of(run).size < 100000)]) / 1e3
        return ldcp.ccdf(ax, {arm: results[arm] for arm in results.arms}, small_us,
                         "completion time (µs)", "share not yet complete")
