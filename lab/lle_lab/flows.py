# SPDX-License-Identifier: GPL-2.0
"""Flows for lle_rnic.ko."""
import collections
import pathlib
import subprocess

from .errors import Refused
from .metrics import HEADERS

TOP = pathlib.Path(__file__).parent.parent.parent


def address(host):
    """The address of host number HOST."""
    return f"10.0.{host // 256}.{host % 256}"


def flow(src, dst, size, start_ns=0, prio=3, bps=None):
    """One flow, between numbers of hosts."""
    words = [round(start_ns), round(size), address(src), address(dst), prio]
    return " ".join(map(str, words if bps is None else [*words, bps]))


def pattern(kind, /, **options):
    """Yields lines of lle_flows: incast, permutation, poisson, collective; in bit/s, ns, bytes."""
    program = TOP / "build/bin/lle_flows"
    if not program.exists():
        subprocess.run(["make", "-s", "-C", TOP, "build/bin/lle_flows"], check=True)
    words = [word for name, value in options.items()
             for word in (f"--{name.replace('_', '-')}", str(value))]
    with subprocess.Popen([program, kind, *words], text=True, stdout=subprocess.PIPE) as process:
        try:
            for line in process.stdout:
                yield line.rstrip("\n")
        except GeneratorExit:
            process.terminate()     # more lines than a guest can have
            raise
    if process.returncode:
        raise Refused(f"lle_flows {kind} {' '.join(words)} fails")


def payload_bps(rate, payload):
    """Bits per second of payload that fill a link."""
    return round(rate * payload / (payload + HEADERS))


def seconds_needed(lines, start, rate, delay, payload):
    """Seconds that flows may need: five times the busiest link of a host, and delays, after the
    start times: the latest (max), or all together (sum)."""
    sent, received, steps = (collections.Counter() for _ in range(3))
    starts = [0]
    for line in lines:
        if not line.startswith("#"):
            at, size, src, dst, *_ = line.split()
            starts.append(int(at))
            sent[src] += int(size)
            received[dst] += int(size)
            steps[src] += 1
    most = max([*sent.values(), *received.values()], default=0)
    delays = max(steps.values(), default=0) * 24 * (delay + payload * 16e9 / rate) / 1e9
    links = most * (payload + HEADERS) / payload * 8 / rate
    return float(f"{0.005 + start(starts) / 1e9 + delays + 5 * links:.6f}")


class Draws:
    """Random numbers of scenarios, from a seed."""

    def __init__(self, state):
        self.state = state

    def draw(self, n):
        """One of 0 to n - 1."""
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return self.state // 65536 % n
