# SPDX-License-Identifier: GPL-2.0
"""A pause is sent when a packet crosses XOFF, and a resume at XON, to the nanosecond.

The times from the packet that crosses XOFF to the pause on the wire, and from the packet that
reaches XON to the resume. h2 sends to h1 by a link of a quarter of the rate, so port 2 pauses and
resumes h2 all the time. Captures at both ports give the buffer occupancy, and the times at which
it crosses XOFF and XON. With REVERSE=idle the PFC frame takes the link at once; with REVERSE=busy,
where h3 sends frames of maximum size to h2, after one of these at most.
"""
from lle_lab import Integer, Network, OneOf, Scenario, Topology, flow, keys, link_mtu, metrics

OVERHEAD = 24
PFC_FRAME = 84      # with preamble and gap


class PauseReaction(Scenario):
    RATE = keys.RATE("100gbit")
    DELAY = keys.DELAY("1us")
    BUFFER = keys.BUFFER("4m")
    REVERSE = OneOf("idle", "idle busy", "whether h3 sends to h2")
    XOFF = Integer(60000, 10000, 100000000, "bytes at which a port pauses")
    XON_DELTA = Integer(10000, 0, 100000000, "bytes below XOFF at which a port resumes")
    MTU = keys.MTU(1440)
    SIZE = keys.SIZE(10000000)
    CAPTURE = keys.CAPTURE("s1p1,s1p2")
    PARTS = keys.ONE_PART()

    def limits(self):
        self.limit_buffer(3)

    def network(self):
        net = Topology()
        net.switches("s1")
        # no delay: a frame that leaves the buffer is captured at once
        net.host("h1", "s1", "rate", f"{self.RATE // 4}bit", "delay", "0")
        net.host("h2", "s1")
        net.host("h3", "s1")
        return Network(
            net, self.RATE, self.DELAY, link_mtu(self.MTU), host="prio-pfc 3:on",
            edge=f"buffer {self.BUFFER} reaction 0 xoff {self.XOFF} xon-delta {self.XON_DELTA} "
                 "prio-pfc 3:on")

    def nic(self):
        # ACKs for the last packet only
        return {"mtu": self.MTU, "ack_every": 1000000, "rto_us": 100000000}

    def flows(self):
        yield flow(2, 1, self.SIZE)
        if self.REVERSE == "busy":
            # leaves some of the link to pauses
            yield flow(3, 2, 10**12, prio=1, bps=self.RATE * 95 // 100)

    def seconds(self):
        return 2 * self.SIZE * 8 / (self.RATE / 4)

    def captured(self, run):
        """(time, event, bytes) of what happens to packets of h2, in order."""
        own, pfc = "ip src 10.0.0.2 and ip dst 10.0.0.1", "ether proto 0x8808 and ether[24:2]"
        took = self.DELAY + PFC_FRAME * 8 * 10**9 // self.RATE
        found = [(ns, "1-out", -size) for ns, size in run.frames("s1p1", own)]
        found += [(ns, "2-in", size) for ns, size in run.frames("s1p2", own)]
        found += [(ns - took, "3-pause", 0) for ns, _ in run.frames("s1p2", f"{pfc} != 0")]
        found += [(ns - took, "3-resume", 0) for ns, _ in run.frames("s1p2", f"{pfc} = 0")]
        return sorted(found)

    def metrics(self, run):
        yield from metrics.losses(run)
        crossed, took = {"3-pause": 0, "3-resume": 0}, {"3-pause": [], "3-resume": []}
        occupied, over, due, since_ns, unexpected = 0, False, None, 0, 0
        for ns, event, size in self.captured(run):
            occupied += size
            if event == "2-in" and not over and occupied >= self.XOFF:
                over, due, since_ns = True, "3-pause", ns
                crossed[due] += 1
            elif event == "1-out" and over and occupied <= self.XOFF - self.XON_DELTA:
                over, due, since_ns = False, "3-resume", ns
                crossed[due] += 1
            elif event == due:
                took[due].append(ns - since_ns)
                due = None
            elif event in took:
                unexpected += 1
        yield "xoff_crossed", crossed["3-pause"]
        yield "pauses_sent", len(took["3-pause"])
        yield "xon_crossed", crossed["3-resume"]
        yield "resumes_sent", len(took["3-resume"])
        yield "unexpected", unexpected
        yield "reaction_ns", max(took["3-pause"], default=0)
        yield "resume_reaction_ns", max(took["3-resume"], default=0)

    def cycles(self):
        """Do pauses and resumes follow each other, while the link to h1 always has packets?"""
        left = self.XOFF - self.XON_DELTA       # when h2 resumes
        return self.MTU <= self.XON_DELTA and self.XOFF <= self.BUFFER / 4 and \
            2 * self.DELAY * self.RATE / 4 / 8e9 < left

    def expectations(self, m):
        yield "dropped == 0"
        if not self.cycles():
            return
        many = self.SIZE >= 6 * 10**6 and self.defaults("RATE DELAY BUFFER XOFF XON_DELTA MTU")
        if many:
            yield "xoff_crossed > 100"
        yield f"pauses_sent == {m['xoff_crossed']}"
        yield f"resumes_sent == {m['xoff_crossed']}"
        yield "unexpected == 0"
        if self.REVERSE == "idle":
            yield "reaction_ns == 0"
            yield "resume_reaction_ns == 0"
        else:
            frame = self.MTU + 74       # Ethernet to BTH and RETH, ICRC
            if many:
                yield "reaction_ns > 0"
            yield f"reaction_ns <= {(frame + OVERHEAD) * 8 * 10**9 // self.RATE + 1}"
