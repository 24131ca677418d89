# SPDX-License-Identifier: GPL-2.0
"""losslessctl doctor: what it reads, as the checks look at it."""

import glob
import json
import os
import re
import socket
import string
import struct
import subprocess
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any, NamedTuple

from common import CTL, NUM_PRIO, ctl, decode, fail

PLAIN = frozenset(string.ascii_letters + string.digits + "._-+@%=,")
DSCPS = 64

# The settings of a watchdog: detection and restoration in ms, action; (): it is off
Watchdog = tuple[int, int, str] | tuple[()]


def word(name: str) -> str:
    """Write a name, which may have any bytes, as one word of a shell.

    Plain, in quotes, or, with bytes that a terminal must not get, by printf.
    """
    if PLAIN.issuperset(name):
        return name
    if "'" not in name and name.isascii() and name.isprintable():
        return f"'{name}'"
    return '''"$(printf '%s')"''' % "".join(f"\\{byte:03o}" for byte in os.fsencode(name))


def first_line(path: str) -> str | None:
    """Read the first line of a file of sysfs or procfs, if that can be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.readline().rstrip("\n")
    except OSError:
        return None


def output(*words: str, check: bool = True) -> str:
    """Get the output of a program; check: a failure ends this program."""
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except OSError as error:
        fail(f"{words[0]}: {error.strerror}")
    if check and done.returncode:
        said = decode(done.stderr).strip().removeprefix("losslessctl: ")
        fail(said or f"{words[0]}: exit status {done.returncode}")
    return decode(done.stdout)


def parse(said: str) -> Any:
    """Read JSON of iproute2 or ethtool.

    Control bytes of names are as they are, and ethtool escapes also an apostrophe.
    """
    return json.loads(re.sub(r"\\(.)", lambda m: "'" if m[1] == "'" else m[0], said), strict=False)


class Device(NamedTuple):
    """A network device; link: name of that below, or at the other end of a veth.

    If that is in another network namespace, netns is its number here, and link its
    ifindex there.
    """

    ifindex: int
    name: str
    kind: str
    slave_kind: str
    is_up: bool
    mtu: int
    master: str
    link: str | int
    netns: int | None
    address: str
    xdp: int
    flood: bool
    vlan_in: list[int]
    vlan_out: list[int]

    @classmethod
    def of(cls, said: dict[str, Any]) -> "Device":
        """Read an object of ip -d -j link."""
        info = said.get("linkinfo", {})
        data = info.get("info_data", {})
        netns = said.get("link_netnsid", -1)
        maps = [{m["from"]: m["to"] for m in data.get(key, [])}
                for key in ("ingress_qos", "egress_qos")]
        return cls(said["ifindex"], said["ifname"], info.get("info_kind", ""),
                   info.get("info_slave_kind", ""), "UP" in said["flags"], said["mtu"],
                   said.get("master", ""), said.get("link", said.get("link_index", "")),
                   netns if netns >= 0 else None, said.get("address", ""),
                   said.get("xdp", {}).get("mode", 0),
                   bool(info.get("info_slave_data", {}).get("flood")),
                   *([m.get(prio, 0) for prio in range(NUM_PRIO)] for m in maps))


class Netns:
    """A network namespace; name and path are empty for that of this program.

    prefix: begin of commands that run there; shell: the same for the user
    """

    def __init__(self, name: str = "", path: str = "") -> None:
        self.name = name
        self.prefix = ["nsenter", f"--net={path}"] if path else []
        self.shell = f"ip netns exec {word(name)} " if path else ""
        if path.startswith("/proc/"):
            self.shell = f"nsenter -n -t {name} "
        links = [Device.of(said) for said in parse(self.output("ip", "-d", "-j", "link"))]
        self.devices = {dev.name: dev for dev in links}
        self.vlans: dict[str | int, list[Device]] = {}
        for dev in links:
            if dev.kind == "vlan" and dev.netns is None:
                self.vlans.setdefault(dev.link, []).append(dev)
        self.ports = {port["ifname"]: port for port in ctl("port", prefix=self.prefix, quiet=True)}
        # what tc prints of options that need a plugin is no JSON
        said = re.sub(r"\[Unknown qdisc[^]]*\] *", "", self.output("tc", "-j", "qdisc"))
        self.options = {qdisc["dev"]: qdisc["options"] for qdisc in parse(said or "[]")
                        if qdisc["kind"] == "lossless" and "root" in qdisc}

    def output(self, *words: str, check: bool = True) -> str:
        """Get the output of a program there."""
        return output(*self.prefix, *words, check=check)

    @cached_property
    def paused(self) -> set[str]:
        """Names of devices with 802.3x pause. ethtool 6.1 has it in JSON also if it is off."""
        said, name = set(), ""
        for line in self.output("ethtool", "-a", "*", check=False).split("\n"):
            if line.startswith("Pause parameters for "):
                name = line.removeprefix("Pause parameters for ")[:-1]
            elif re.fullmatch(r"[RT]X:\s+on", line):
                said.add(name)
        return said

    @cached_property
    def features(self) -> dict[str, Any]:
        """Offloads by device, as far as the drivers answer."""
        said = self.output("ethtool", "--json", "-k", "*", check=False)
        return {answer["ifname"]: answer for answer in parse(said or "[]")}

    def bridge(self, dev: Device) -> Device | None:
        """Find the bridge above a device, or above a bond, team or VLAN device of it."""
        above = self.devices.get(dev.master)
        if above:
            return above if dev.slave_kind == "bridge" else self.bridge(above)
        return next(filter(None, map(self.bridge, self.vlans.get(dev.name, []))), None)


class End:
    """An end of a link: a device, and its port; {} if the device is no port."""

    def __init__(self, net: Netns, dev: Device) -> None:
        self.net = net
        self.dev = dev
        self.word = word(dev.name)
        self.master = net.devices.get(dev.master)
        self.bridge = net.bridge(dev)
        self.port: dict[str, Any] = net.ports.get(dev.name, {})
        self.options: dict[str, Any] = net.options.get(dev.name, {})
        self.pfc = set(self.port.get("pfc_prios", []))
        self.trust = self.options.get("trust", "dscp")

    @property
    def where(self) -> str:
        """Its name, for messages about the other end."""
        return f"{self.dev.name} of {self.net.name}" if self.net.name else self.dev.name

    @property
    def headroom_low(self) -> bool:
        """Has it less headroom than its link needs?"""
        return bool(self.pfc) and self.port["headroom_bytes"] < self.port["headroom_need_bytes"]

    @property
    def dscp_map(self) -> list[int] | None:
        """The priority of each DSCP, if it is known."""
        if "dscp_prio" not in self.options:
            return None
        others = {entry["dscp"]: entry["prio"] for entry in self.options["dscp_prio"]}
        return [others.get(dscp, dscp // NUM_PRIO) for dscp in range(DSCPS)]

    @property
    def sends_whole(self) -> bool:
        """Does it send GSO packets whole?"""
        return self.options.get("split_gso") is False

    @property
    def drops_gro(self) -> bool:
        """Does a veth drop packets because of GRO?

        With GRO, veth has a ring of 256 packets. Until Linux 6.16 it drops those that
        find the ring full.
        """
        kernel = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
        if self.dev.kind != "veth" or kernel >= (6, 16):
            return False
        gro = self.net.features.get(self.dev.name, {}).get("generic-receive-offload", {})
        return bool(gro.get("active"))


class State:
    """The network namespace of this program, and those in which its links end."""

    def __init__(self) -> None:
        self.here = Netns()
        self.nets = {number: Netns(name, path) for number, name, path in other_netnses()}
        self.switches = {sw["switch"]: sw for sw in ctl("switch", quiet=True)}
        self.watchdogs: dict[tuple[str, int], Watchdog] = {
            (wd["ifname"], wd["prio"]): (wd["detection_ms"], wd["restoration_ms"], wd["action"])
            for wd in ctl("watchdog", "show", "config", quiet=True)}
        self.links = [(End(self.here, dev), self.peer(dev)) for dev in self.here.devices.values()]
        self.ends = {own.dev.name: own for own, _ in self.links}
        self.ports = [self.ends[name] for name in self.here.ports if name in self.ends]

    def peer(self, dev: Device) -> End | None:
        """Find the other end of a veth."""
        if dev.kind != "veth":
            return None
        if dev.netns is None:
            net, other = self.here, self.here.devices.get(str(dev.link))
        elif dev.netns in self.nets:
            net = self.nets[dev.netns]
            other = next((o for o in net.devices.values() if o.ifindex == dev.link), None)
        else:
            return None
        return other and End(net, other)

    def port_below(self, top: Device) -> End | None:
        """Find the first port with PFC of a bridge, bond or team."""
        return next((end for end in self.ports
                     if end.pfc and (end.bridge is top or end.master is top)), None)

    @cached_property
    def saved(self) -> dict[tuple[str, str], list[str]]:
        """The words of losslessctl save, by command and device, after the device."""
        lines = [line.split(" ") for line in output(CTL, "save").split("\n")]
        return {(words[0], words[words.index("dev") + 1]): words[words.index("dev") + 2:]
                for words in lines if words[0] in ("tc", "dcb")}

    @cache
    def prios(self, sw: int) -> set[int]:
        """Find the priorities that are lossless at any port of a switch."""
        return {prio for own in self.ports if own.port["switch"] == sw for prio in own.pfc}

    def settings(self, own: End, setting: str) -> list[Any]:
        """Get "to_alpha" or "watchdog" of the lossless priorities of a port."""
        if setting == "watchdog":
            return [self.watchdogs.get((own.dev.name, prio), ()) for prio in own.pfc]
        return [own.port[setting]] * len(own.pfc)

    @cache
    def usual(self, facing: str, setting: str) -> tuple[Any, bool]:
        """Find the median of a setting of ports that face the same kind of device.

        Return: the median, and whether more than half have it.
        """
        values = sorted(value for end in self.ports if end.port["facing"] == facing
                        for value in self.settings(end, setting))
        median = values[len(values) // 2] if values else ()
        return median, 2 * values.count(median) > len(values)

    def differs(self, own: End, setting: str) -> bool:
        """Has a port another setting than the majority?"""
        median, is_usual = self.usual(own.port["facing"], setting)
        return is_usual and any(value != median for value in self.settings(own, setting))


def netns_id(path: str) -> int:
    """Get the number that links here have for a network namespace; negative: none.

    It is the answer to RTM_GETNSID with the attribute NETNSA_FD.
    """
    with open(path, "rb") as netns, \
            socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as sock:
        sock.sendto(struct.pack("=IHHII4xHHI", 28, 90, 1, 0, 0, 8, 3, netns.fileno()), (0, 0))
        reply = sock.recv(4096)
    length, kind = struct.unpack_from("=IH", reply)
    # RTM_NEWNSID with NETNSA_NSID
    return struct.unpack_from("=i", reply, 24)[0] if kind == 88 and length >= 28 else -1


def other_netnses() -> Iterator[tuple[int, str, str]]:
    """Find the namespaces in which links of this one end: number, name and path.

    They are those of "ip netns", and those of processes.
    """
    known = {os.stat("/proc/self/ns/net").st_ino}
    for path in (*glob.glob("/run/netns/*"), *glob.glob("/proc/[0-9]*/ns/net")):
        try:
            inode = os.stat(path).st_ino
            number = -1 if inode in known else netns_id(path)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
        except OSError as error:
            fail(f"{path}: {error.strerror}")
        known.add(inode)
        if number >= 0:
            parts = path.split("/")
            yield number, parts[2 if parts[1] == "proc" else 3], path
