# SPDX-License-Identifier: GPL-2.0
"""losslessctl doctor: what is wrong with this machine, or with a switch as a whole."""

import glob
import os
import subprocess

from common import CTL
from doctor_find import Found, Scope, change, check, error, switch, warning
from doctor_state import State, first_line, output

# As systemd/60-lossless.conf sets them
BACKLOG = 100000
BURST = 65536
# Fewer packets come while a CPU holds the lock of a port.
BURST_MIN = 16384

CLOCKSOURCE = "/sys/devices/system/clocksource/clocksource0/"
SLOW_CLOCKS = {"hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies"}
# From this rate on, bytes per second, a slow clock delays packets: 1 Gbit/s
FAST_RATE = 125000000

PLUGINS = ("/usr/local/lib/*/tc/q_lossless.so", "/usr/lib/*/tc/q_lossless.so",
           "/opt/*/lib/*/tc/q_lossless.so")


def has_module() -> bool:
    """Can ports be read?"""
    return os.path.exists("/sys/module/sch_lossless")


@check("module", Scope.ANYWHERE)
def module() -> Found:
    """Is the module loaded?"""
    if not has_module():
        yield error("the module sch_lossless is not loaded: no port is lossless",
                    "modprobe sch_lossless")


@check("version", Scope.ANYWHERE)
def version() -> Found:
    """Are the modules as new as this program?"""
    loaded = first_line("/sys/module/lossless/version")
    own = output(CTL, "--version").split()[-1]
    if loaded and loaded != own:
        yield warning(f"the module lossless has version {loaded}, this program {own}: install one"
                      " version of both, then run losslessctl reload or restart the machine",
                      "losslessctl reload")


def find_plugin() -> str | None:
    """Find the plugin where another PREFIX, or make, has put it."""
    near = os.path.realpath(os.path.join(os.path.dirname(CTL), "../tc/q_lossless.so"))
    found = [near] if os.path.exists(near) else []
    for pattern in PLUGINS:
        found += sorted(glob.glob(pattern))
    return next(iter(found), None)


@check("tc-plugin", Scope.ANYWHERE)
def plugin() -> Found:
    """Does tc know the options of the qdisc?"""
    said = subprocess.run("tc qdisc add dev lo root lossless help 2>&1", shell=True, text=True,
                          stdout=subprocess.PIPE, check=False).stdout
    if "prio-pfc" in said:
        return
    path = find_plugin()
    folder = os.environ.get("TC_LIB_DIR") or next(
        iter(sorted(glob.glob("/usr/lib/*-linux-*/tc"))), "/usr/lib/tc")
    yield error("tc does not find the plugin q_lossless.so: it refuses all options of the qdisc",
                f"ln -sf {path} {folder}/" if path else
                "apt-get install --reinstall lossless-tools")


def sysctl(name: str) -> tuple[int | None, str]:
    """Read a setting of the machine, which only the first network namespace shows.

    Return: its value, and the begin of commands that set it.
    """
    path = f"/proc/sys/net/core/{name}"
    prefix = "" if os.path.exists(path) else "nsenter -n -t 1 "
    said = output(*prefix.split(), "cat", path, check=False)
    return int(said) if said else None, f"{prefix}sysctl -w net.core.{name}="


@check("backlog", Scope.MACHINE)
def backlog(state: State) -> Found:
    """Has the packet queue of a CPU room for a burst of all ports?

    A device without hardware hands packets to it.
    """
    if not any(own.dev.kind and own.pfc for own in state.ports):
        return
    packets, mend = sysctl("netdev_max_backlog")
    if packets is not None and packets < BACKLOG:
        yield error(f"net.core.netdev_max_backlog is {packets}: a CPU with more packets in its"
                    " queue drops them, and no port counts that", f"{mend}{BACKLOG}")


@check("burst", Scope.MACHINE)
def burst(state: State) -> Found:
    """May enough packets wait for the lock of a qdisc?

    Linux 7.1 and later queue packets of other CPUs before the qdisc.
    """
    packets, mend = sysctl("qdisc_max_burst") if state.ports else (None, "")
    if packets is not None and packets < BURST_MIN:
        yield error(f"net.core.qdisc_max_burst is {packets}: with more packets of other CPUs before"
                    " a port, the kernel drops them, also of lossless priorities", f"{mend}{BURST}")


@check("losslessd", Scope.MACHINE)
def daemon(state: State) -> Found:
    """Does losslessd run?"""
    with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as file:
        runs = any(line.endswith(" @losslessd\n") for line in file)
    if not state.ports or runs:
        return
    is_first = os.path.samefile("/proc/self/ns/net", "/proc/1/ns/net")
    yield warning("losslessd does not run in this network namespace: lost packets are not logged,"
                  " and new ports get no watchdog",
                  "systemctl enable --now losslessd"
                  if is_first and os.path.exists("/run/systemd/system") else "losslessd &")


@check("clock", Scope.MACHINE)
def clock(state: State) -> Found:
    """Is the clock fast enough for the rates of ports, if there is a better one?"""
    now = first_line(f"{CLOCKSOURCE}current_clocksource")
    better = [name for name in (first_line(f"{CLOCKSOURCE}available_clocksource") or "").split()
              if name not in SLOW_CLOCKS]
    if now in SLOW_CLOCKS and better and any(
            own.port.get("rate_bytes_per_s", 0) >= FAST_RATE for own in state.ports):
        yield warning(f"the clock source is {now}: each look at it takes microseconds, so packets"
                      " and pauses are late at this rate",
                      f"echo {better[0]} >{CLOCKSOURCE}current_clocksource")


@check("discard", Scope.MACHINE)
def discard(state: State) -> Found:
    """Are all watched priorities treated as stormed?"""
    for number, sw in state.switches.items():
        if sw["discard"]:
            yield error(f"switch {number} treats all priorities with a watchdog as stormed (discard"
                        " on): their packets are dropped",
                        f"losslessctl switch discard {number} off")


@check("deadlock", Scope.MACHINE)
def deadlock(state: State) -> Found:
    """Does each switch of a fabric look for deadlocks?

    Messages between switches need a number that is not 0: that of an address. All ports
    of switch 0 become those of another one first.
    """
    for number, sw in state.switches.items():
        own = next((own for own in state.ports if own.port["switch"] == number
                    and own.port["facing"] == "fabric" and own.pfc), None)
        if sw["deadlock"] != "off" or not own:
            continue
        mends = []
        if not number:
            other = int("".join(own.dev.address.split(":")[4:6]) or "0", 16)
            while not other or other in state.switches:
                other += 1
            mends = [switch(state, end, other) for end in state.ports if not end.port["switch"]]
        yield warning(f"switch {number} does not look for deadlocks, and this port faces another"
                      " switch: switches that pause each other in a loop may stay so for ever",
                      " && ".join([*mends, change(own, "deadlock lossless")]), own.dev.name)
