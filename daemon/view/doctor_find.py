# SPDX-License-Identifier: GPL-2.0
"""losslessctl doctor: table of checks, findings, and commands that mend them."""

import os
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from functools import partial
from typing import Any, NamedTuple

from common import fail, printable
from doctor_state import DSCPS, NUM_PRIO, End, State, Watchdog


class Scope(Enum):
    """What a check is about, which is what its function gets."""

    ANYWHERE = auto()  # the machine, also without the modules: nothing
    MACHINE = auto()  # the machine, or its switches: State
    DEVICE = auto()  # a device of the network namespace: State, End
    PORT = auto()  # a port: State, End
    LINK = auto()  # a port with a known device at the other end: State, End, End


class Finding(NamedTuple):
    """Something that is wrong; mend: commands of a shell; device: if not the check's.

    error: packets of lossless priorities may be lost. warning: they are not, but a fault
    elsewhere spreads, or is not noticed.
    """

    severity: str
    text: str
    mend: str
    device: str | None = None


error = partial(Finding, "error")
warning = partial(Finding, "warning")
Found = Iterator[Finding]
CHECKS: list[tuple[str, Scope, Callable[..., Found]]] = []


def check(name: str, scope: Scope) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Add a function to the table of checks; they run in that order."""
    def add(function: Callable[..., Found]) -> Callable[..., Found]:
        CHECKS.append((name, scope, function))
        return function
    return add


class Run:
    """A run of all checks, and what they have found."""

    def __init__(self) -> None:
        self.done = 0
        self.findings: list[dict[str, str]] = []

    def checks(self, scope: Scope, *about: Any) -> None:
        """Run all checks of a scope."""
        device = about[1].dev.name if len(about) > 1 else ""
        for name, of, function in CHECKS:
            if of is not scope:
                continue
            self.done += 1
            for found in function(*about):
                # names may have any bytes
                text = "".join(chr(byte) if ord(" ") <= byte <= ord("~") else "?"
                               for byte in os.fsencode(found.text))
                self.findings.append({
                    "check": name, "severity": found.severity, "device": found.device or device,
                    "text": text, "mend": found.mend})


def change(end: End, options: str) -> str:
    """Get the command that changes options of a port."""
    return f"{end.net.shell}tc qdisc change dev {end.word} root lossless {options}"


def pfc(prios: Iterable[int]) -> str:
    """Get the list that makes priorities lossless."""
    return "prio-pfc " + " ".join(f"{prio}:on" for prio in sorted(prios))


def vlan_map(end: End, direction: str, prios: Iterable[int]) -> str:
    """Get the command that makes a VLAN device keep priorities."""
    words = " ".join(f"{prio}:{prio}" for prio in sorted(prios))
    return f"{end.net.shell}ip link set dev {end.word} type vlan {direction}-qos-map {words}"


def start_watchdog(end: End, prios: str, watchdog: Watchdog) -> str:
    """Get the command that sets a watchdog, which is on."""
    detection, restoration, action = watchdog
    return (f"losslessctl watchdog start -a {action} -r {restoration} -- {end.word} {detection}"
            f" prio {prios}")


def saved(state: State, end: End) -> tuple[str, list[str]]:
    """Get handle and options of a port, as words."""
    words = state.saved.get(("tc", end.dev.name))
    if not words:
        fail(f"{printable(end.dev.name)}: its qdisc has just been deleted")
    return words[2], words[4:]


def switch(state: State, end: End, number: int) -> str:
    """Get commands that move a port to another switch.

    EtherTypes of dcb app go with the qdisc, and so do watchdogs.
    """
    handle, words = saved(state, end)
    if "switch" in words:
        words[words.index("switch") + 1] = str(number)
    commands = [f"tc qdisc del dev {end.word} root",
                " ".join([f"tc qdisc add dev {end.word} root handle {handle} lossless", *words])]
    ethertypes = state.saved.get(("dcb", end.dev.name))
    if ethertypes:
        commands.append(f"dcb app add dev {end.word} {' '.join(ethertypes)}")
    for (name, prio), watchdog in sorted(state.watchdogs.items()):
        if name == end.dev.name and prio in end.pfc:
            commands.append(start_watchdog(end, str(prio), watchdog))
    return " && ".join(commands)


def copy_dscp(end: End) -> str:
    """Get the map of DSCPs of a port, for a new port; empty: it is the default."""
    words = "".join(f" {e['dscp']}:{e['prio']}" for e in end.options.get("dscp_prio", []))
    return words and f" dscp-prio{words}"


def dscp(end: End, lacks: Iterable[int]) -> str:
    """Get the list that gives priorities a DSCP, but none of another lossless priority.

    It is one of its eight, or else the next one that may change.
    """
    prios, words = end.dscp_map or [], []
    for prio in sorted(lacks):
        first = DSCPS // NUM_PRIO * prio
        order = [*range(first, DSCPS), *range(first)]
        taken = next((at for at in order if prios[at] not in end.pfc), first)
        prios[taken] = prio
        words.append(f"{taken}:{prio}")
    return f"dscp-prio {' '.join(words)}"
