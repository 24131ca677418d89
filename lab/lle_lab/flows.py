# SPDX-License-Identifier: GPL-2.0
"""Flows for lle_rnic.ko."""
import pathlib
import subprocess

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
    """Lines of lle_flows: incast, permutation, poisson, collective; numbers in bit/s, ns, bytes."""
    program = TOP / "build/bin/lle_flows"
    if not program.exists():
        subprocess.run(["make", "-s", "-C", TOP, "build/bin/lle_flows"], check=True)
    words = [word for name, value in options.items()
             for word in (f"--{name.replace('_', '-')}", str(value))]
    return subprocess.run([program, kind, *words], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()


def payload_bps(rate, payload):
    """Bits per second of payload that fill a link."""
    return round(rate * payload / (payload + HEADERS))


class Draws:
    """Random numbers of scenarios, from a seed."""

    def __init__(self, state):
        self.state = state

    def draw(self, n):
        """One of 0 to n - 1."""
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return self.state // 65536 % n
