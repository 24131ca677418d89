# SPDX-License-Identifier: GPL-2.0
"""Settings of htsim: arguments of htsim_roce (sim/datacenter/main_roce.cpp of csg-htsim), in a
file."""
from .text import Refused, integer, rows

VALUES = set("""-o -nodes -topo -tm -conns -strat -paths -mtu -q -linkspeed -end -seed -start_delta
    -hop_latency -switch_latency -queue_type -pfc_thresholds -host_queue_type -flowsize -log
    -logtime""".split())
# without effect on packets that have one path
WITHOUT_EFFECT = set("""-o -nodes -topo -tm -conns -linkspeed -log -logtime -seed
    -queue_type""".split())
NOT_CARRIED = {
    "-end": "MS says how long flows last",
    "-q": "an ingress holds what comes after a pause",
    "-strat": "each pair of hosts has one path",
    "-paths": "each pair of hosts has one path"}
HEADERS = 64            # bytes of a packet there, without payload


class Args:
    """What the arguments set. Attributes are in bytes."""

    def __init__(self, path, warn):
        """warn: gets what is not carried"""
        words = [word for _, line in rows(path) for word in line]
        self.value = dict(self.pairs(words[not words[0].startswith("-"):]))
        if self.value.get("-queue_type") != "lossless_input":
            raise Refused("-queue_type lossless_input is required: the lab has PFC at ingresses")
        self.mtu = integer("-mtu", self.value.get("-mtu", ""), 256, 9000)
        low, _, high = self.value.get("-pfc_thresholds", "").partition(" ")
        high = integer("-pfc_thresholds: the second", high, 1, 10**6)
        # packets, without headers
        self.xoff = high * self.mtu + 1
        self.xon = integer("-pfc_thresholds: the first", low, 1, high) * self.mtu - 1
        for name, text in self.value.items():
            if name in NOT_CARRIED:
                warn(f"{name} {text} is not carried: {NOT_CARRIED[name]}")
            elif name not in WITHOUT_EFFECT | {"-mtu", "-pfc_thresholds"}:
                warn(f"{name} {text} is not carried")

    @staticmethod
    def pairs(words):
        """(argument, its value)"""
        words = iter(words)
        for name in words:
            if name not in VALUES:
                raise Refused(f'"{name[:20]}" is no argument of htsim_roce with a value')
            value = [next(words, "") for _ in range(1 + (name == "-pfc_thresholds"))]
            yield name, " ".join(value)
