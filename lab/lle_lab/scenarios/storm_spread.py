# SPDX-License-Identifier: GPL-2.0
"""One broken NIC stops all servers of a fat tree, tier by tier.

The NIC of server h1 of a fat tree breaks after START ms, and pauses its ToR switch for ever. As
in "RDMA over Commodity Ethernet at Scale" (SIGCOMM 2016, section 4.3)

    1 the ToR switch pauses the leaves
    2 the leaves pause the spines
    3 the spines pause the other leaves
    4 these leaves pause their ToR switches
    5 these ToR switches pause their servers

All servers but h1 send to all others. In the end no server sends, and it stays so.
"""
from lle_lab import FatTree, Integer, address, flow, keys, metrics


class StormSpread(FatTree):
    PFC, CC = "on", "none"
    BUFFER = keys.BUFFER("2m")
    START = Integer(1, 0, 10000, "ms until the NIC breaks")
    PAUSES = keys.PAUSES("yes")

    def port(self):
        return f"buffer {self.BUFFER} reaction 0 prio-pfc 3:on"

    def nic(self):
        return {"mtu": self.MTU, "ack_every": 16, "rto_us": 100000000}

    def flows(self):
        yield f"storm {self.START * 10**6} {address(1)} 3"
        for src in range(2, self.hosts + 1):
            for dst in range(1, self.hosts + 1):
                if src != dst:
                    yield flow(src, dst, 10**12)    # never ends

    def stage(self, qdisc):
        """The stage of a port, or 0. ToRs come first, then leaves and spines; h1 is at s1."""
        half = self.K // 2
        tors = 2 * half * half
        node, peer = int(qdisc["node"][1:]), int(qdisc["peer"][1:])

        def near(n):
            return (n - 1) % tors < half

        if qdisc["role"] == "edge":
            return 0 if near(node) else 5
        if node == 1:
            return 1
        if node > 2 * tors:
            return 0 if near(peer) else 3
        if node > tors:
            return {(True, True): 2, (False, False): 4}.get((peer > 2 * tors, near(node)), 0)
        return 0

    @staticmethod
    def blocked(run):
        """(time, port) of ports that pause for good, in us of the storm."""
        since, storm = {}, 0
        for ns, port, direction, _, event in run.pauses.rows():
            us = ns / 1e3
            if (port, direction) == ("s1p1", "rx") and not storm:
                storm = us
            if direction == "tx" and event == "resume":
                since.pop(port, None)
            elif direction == "tx":
                since.setdefault(port, us)
        return sorted((us - storm, port) for port, us in since.items())

    def metrics(self, run):
        yield from metrics.losses(run)
        stages = {q["dev"]: self.stage(q) for q in run.qdiscs("edge", "fabric")}
        times = {}
        for us, port in self.blocked(run):
            if stages[port]:
                times.setdefault(stages[port], []).append(us)
        yield "order", int("".join(map(str, times)) or 0)
        for stage, found in sorted(times.items()):
            yield f"first_us_{stage}", found[0]
            yield f"last_us_{stage}", found[-1]
            yield f"ports_{stage}", len(found)
        # servers that sent no byte in the last tenth of the time
        number = run.bins.bytes.shape[1]
        sent = run.bins.bytes[:, int((number + 1) * 0.9) - 2:].any(axis=1)
        alive, servers = set(run.flows.src[sent]), set(run.flows.src)
        yield "stalled_share", metrics.fixed(1 - len(alive) / len(servers), 4)

    def expectations(self, m):
        yield "dropped == 0"
        if self.defaults("K RATE DELAY BUFFER START MS MTU"):
            yield "order == 12345"
            yield "stalled_share == 1"
