# SPDX-License-Identifier: GPL-2.0
"""Messages on an idle path or beside long flows: completion times with LDCP.

Messages of SIZES BDP to one host, one at a time, beside FLOWS long flows or none. Measures their
completion times, over those on an idle path. With ECT=yes all packets of the first RTT are ECN
capable. Connections exist before, without data. A message of TCP is complete when the receiver has
it, one of RoCEv2 when the sender has the last ACK.
"""
from lle_lab import Integer, Numbers, OneOf, metrics
from lle_lab.plots import picture

from . import _ldcp as ldcp


class LdcpFaststart(ldcp.Star):
    ARMS = ldcp.ARMS("ldcp-roce,ldcp,dctcp")
    FLOWS = Integer(0, 0, 900, "long flows")
    SIZES = Numbers("0.1,0.25,0.5,1,2,4", 0.01, 100, "of messages, in BDP")
    ECT = OneOf("no", "no yes", "packets of the first RTT are ECN capable")

    hosts = property(lambda self: self.FLOWS + 9)

    def nic(self):
        # RTO: 20 RTTs, above queueing delays; a window below one packet needs more
        return super().nic() | {"rto_us": self.RTT * 20 // 1000, "ldcp_fast": int(not self.ECT)}

    def flows(self):
        """The long flows begin 100 RTTs before the first message."""
        yield from self.long_flows()
        yield from self.messages(self.SIZES)

    def metrics(self, run):
        yield from ldcp.losses(run)
        if self.FLOWS:
            yield from self.queue_lengths(run)
            yield from self.rates(run)
        yield from self.message_times(run, self.texts["SIZES"])

    def compare(self, m):
        for arm in "ldcp", "ldcp-roce":
            yield from metrics.ratio(f"of_dctcp.{arm}", m.get(f"{arm}.fct_us.bdp_1.p50"),
                                     m.get("dctcp.fct_us.bdp_1.p50"))

    def expect_short(self, arm):
        if self.FLOWS:
            yield f"{arm}.fct_over_ideal.bdp_1.p50 <= 2.5"
            if "dctcp" in self.ARMS:
                yield f"of_dctcp.{arm} <= 0.35"
        else:
            yield f"{arm}.fct_over_ideal.bdp_1.p50 <= 1.01"
            yield f"{arm}.fct_over_ideal.bdp_1.p99 <= 1.01"
            yield f"{arm}.fct_over_ideal.bdp_2.p99 <= 1.05"
            yield f"{arm}.fct_over_ideal.bdp_4.p99 <= 1.05"

    def expectations(self, m):
        # over TCP, more messages have smaller buffers
        measured = self.is_measured() and self.FLOWS in (0, 8) and self.S <= 0.4 \
            and self.defaults("BUFFER SIZES PROFILE ECT")
        for arm in self.ARMS:
            yield from self.expect_messages(arm, m)
            if arm in ldcp.LDCP:
                yield from self.expect_ldcp(arm, m)
                if measured:
                    yield f"{arm}.overdue == 0"
                if measured and f"{arm}.fct_us.bdp_1.p50" in m:
                    yield from self.expect_short(arm)

    @picture("Completion times of messages: median and p99.")
    def fct(self, ax, results):
        sizes = self.texts["SIZES"].split(",")
        for colour, arm in enumerate(results.arms):
            for part, style in ("p50", "o-"), ("p99", "o--"):
                over = [results.metrics.get(
                    f"{arm}.fct_over_ideal.bdp_{size.replace('.', '_')}.{part}", float("nan"))
                    for size in sizes]
                ax.plot(self.SIZES, over, style, color=f"C{colour}", label=f"{arm}, {part}",
                        fillstyle="full" if part == "p50" else "none")
        ax.set(xscale="log", xlabel="message (BDP)", ylabel="completion time (1 = idle path)",
               ylim=(0, None))
