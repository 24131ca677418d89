# SPDX-License-Identifier: GPL-2.0
"""losslessctl doctor: bridges, bonds and VLAN devices above ports."""

from collections.abc import Iterable

from common import prios_text
from doctor_find import Found, Scope, check, error, saved, vlan_map, warning
from doctor_state import Device, End, State, first_line

# Devices with no link of their own, to which the qdisc cannot be attached
NO_LINKS = {"bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "vrf"}
# Devices that add a header, and send by another one
TUNNELS = {"vxlan", "geneve", "gretap", "ip6gretap", "erspan", "ip6erspan", "bareudp", "l2tpeth"}


def gap(state: State, dev: End, top: Device) -> Found:
    """Find a link of a bridge or bond without the qdisc, although another one has it.

    The mend has the options of that one. Whether the neighbour is a switch is not known;
    the rate of an emulated link fits devices of one kind only.
    """
    like = state.port_below(top)
    if dev.port or not like or dev.dev.kind in NO_LINKS or not dev.dev.is_up:
        return
    words = saved(state, like)[1]
    without = {"edge", "fabric"}
    if like.dev.kind != dev.dev.kind:
        without |= {"rate", "unlimited"}
    # "rx-rate unlimited" stays
    words = [word for before, word in zip(["", *words], words) if before == "rx-rate" or (
        word not in without and not (before == "rate" and "rate" in without))]
    comment = ("# no command: choose a rate below that of the device under it, and add \"rate"
               " RATE\": " if dev.dev.kind in TUNNELS else "")
    yield error(f"it has no lossless qdisc, and {like.dev.name}, also in {top.name}, has one:"
                " packets that arrive here are charged to no port and pause no neighbour",
                " ".join([f"{comment}tc qdisc replace dev {dev.word} root lossless", *words]))


def is_bond(dev: Device | None) -> bool:
    """Is it a bond or team?"""
    return bool(dev) and dev.kind in ("bond", "team")


@check("bridge-port", Scope.DEVICE)
def bridge_port(state: State, dev: End) -> Found:
    """Have all ports of a bridge the qdisc, if one has?

    A member of a bond of which another one has it is found as such.
    """
    if dev.bridge and not (is_bond(dev.master) and state.port_below(dev.master)):
        yield from gap(state, dev, dev.bridge)


@check("bond-member", Scope.DEVICE)
def member(state: State, dev: End) -> Found:
    """Have all members of a bond or team the qdisc, if one has?"""
    if is_bond(dev.master):
        yield from gap(state, dev, dev.master)


@check("flood", Scope.DEVICE)
def flood(state: State, dev: End) -> Found:
    """Does a lossless bridge flood unicast?"""
    if dev.dev.flood and dev.bridge and state.port_below(dev.bridge):
        yield warning("the bridge floods unicast to unknown addresses here: one slow receiver can"
                      " then make every port pause, as it can with multicast if no querier keeps"
                      " that from being flooded", f"bridge link set dev {dev.word} flood off")


@check("firewall", Scope.DEVICE)
def firewall(state: State, dev: End) -> Found:
    """Does a firewall see the packets of a lossless bridge?"""
    if dev.dev.kind != "bridge" or not state.port_below(dev.dev):
        return
    names = [f"bridge-nf-call-{family}" for family in ("iptables", "ip6tables", "arptables")]
    names = [name for name in names
             if first_line(f"/proc/sys/net/bridge/{name}") not in (None, "0")]
    if names:
        yield warning("packets of the bridge pass the firewall (br_netfilter): what its rules or"
                      " its policy drop, no port counts",
                      "sysctl -w " + " ".join(f"net.bridge.{name}=0" for name in names))


@check("bridge-mtu", Scope.DEVICE)
def bridge_mtu(state: State, dev: End) -> Found:
    """Have all ports of a bridge the same MTU?"""
    if dev.dev.slave_kind != "bridge" or not dev.bridge or not state.port_below(dev.bridge):
        return
    largest = max((other for other in dev.net.devices.values() if other.slave_kind == "bridge"
                   and other.master == dev.dev.master), key=lambda other: other.mtu)
    if largest.mtu > dev.dev.mtu:
        yield error(f"its MTU is {dev.dev.mtu}, that of {largest.name} in the same bridge"
                    f" {largest.mtu}: the bridge drops longer packets to this port, and counts them"
                    " nowhere", f"ip link set dev {dev.word} mtu {largest.mtu}")


def unmapped(prios: Iterable[int], vlan: list[int]) -> set[int]:
    """Find priorities that a map of a VLAN device changes."""
    return {prio for prio in prios if vlan[prio] != prio}


def changed(state: State, dev: End, direction: str, vlan: list[int], consequence: str) -> Found:
    """Find a map that changes priorities above a port that takes them from the PCP."""
    below = state.ends.get(str(dev.dev.link))
    if dev.dev.kind != "vlan" or dev.dev.netns is not None or not below or not below.port or \
            below.trust != "pcp":
        return
    prios = unmapped(below.pfc, vlan)
    if prios:
        yield error(f"{direction}-qos-map does not keep priority {prios_text(prios)}: {consequence}"
                    " with the PCP of a priority without PFC", vlan_map(dev, direction, prios))


@check("vlan-ingress", Scope.DEVICE)
def vlan_in(state: State, dev: End) -> Found:
    """Does a VLAN device keep the priority of a tag?"""
    yield from changed(state, dev, "ingress", dev.dev.vlan_in,
                       "packets that arrive are sent by another VLAN device")


@check("vlan-egress", Scope.DEVICE)
def vlan_out(state: State, dev: End) -> Found:
    """Does a VLAN device write the priority into a tag?"""
    yield from changed(state, dev, "egress", dev.dev.vlan_out, "packets reach the neighbour")
