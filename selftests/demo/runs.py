# SPDX-License-Identifier: GPL-2.0
"""A run over time of an act with a testbed of lle-testbed."""
import bisect

import files


def edge_port(stats, host):
    """The port of a switch that leads to the host."""
    return next(q["dev"] for q in stats["qdiscs"]
                if q["peer"] == host and q["role"] == "edge")


def drops(stats, is_expected):
    """Packets dropped as is_expected(qdisc, reason), and other drops by place."""
    expected, others = 0, {}
    for qdisc in stats["qdiscs"]:
        for prio in qdisc["prios"]:
            for reason, n in prio["drops"].items():
                if is_expected(qdisc, reason):
                    expected += n
                elif n:
                    place = f"{qdisc['node']} {qdisc['dev']} {reason}"
                    others[place] = others.get(place, 0) + n
    return expected, others


class Run:
    """One run; time 0 is its first mark. RECEIVERS: switch port by receiver; COUNTER:
    of bytes sent by the port."""

    def __init__(self, raw, arm, receivers, counter):
        self.arm = arm
        self.dir = f"{raw}/{arm}"
        marks = [line.split() for line in files.lines(self.dir, "marks")]
        self.start = float(marks[0][1])
        self.marks = {what: float(at) - self.start for what, at in marks}
        table = files.samples(self.dir)
        self.seconds = [s - self.start for s in table["s"]]
        self.sent = {who: table[f"{port}/{counter}"]
                     for who, port in receivers.items()}

    def mbit(self, who, begin, end):
        """Rate at which packets were sent to a receiver."""
        i = bisect.bisect_left(self.seconds, begin)
        j = bisect.bisect_right(self.seconds, end) - 1
        return (self.sent[who][j] - self.sent[who][i]) * 8e-6 / \
            (self.seconds[j] - self.seconds[i])

    def relative(self, ns):
        return ns / 1e9 - self.start
