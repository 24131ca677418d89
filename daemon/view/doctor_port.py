# SPDX-License-Identifier: GPL-2.0
"""losslessctl doctor: settings of a port, and what acts on packets before it."""

import os

from common import prios_text
from doctor_find import (Found, Scope, change, check, dscp, error, pfc, start_watchdog, switch,
                         warning)
from doctor_state import NUM_PRIO, End, State, first_line

# The lossless priority of a switch that has none, as in the pages
LOSSLESS_PRIO = 3
# Bytes of a turn of a band, if it has none: two frames
QUANTUM = 3000
# The watchdog that losslessd sets, if no port has one
WATCHDOG = 100, 200, "drop"
BUFFER_MAX = 1 << 30
# How ip removes an XDP program, by its mode
XDP_WORDS = {1: "xdpdrv", 2: "xdpgeneric", 3: "xdpoffload"}


@check("no-pfc", Scope.PORT)
def no_pfc(state: State, own: End) -> Found:
    """Has a switch any lossless priority? One for LDCP has none, and marks instead."""
    if not state.prios(own.port["switch"]) and own.options.get("wred") == []:
        yield error("no priority has PFC: the port never pauses its neighbour, and drops packets"
                    " when the buffer is full", change(own, pfc([LOSSLESS_PRIO])))


@check("pfc-differs", Scope.PORT)
def pfc_differs(state: State, own: End) -> Found:
    """Are the same priorities lossless as at the other ports?"""
    lacks = state.prios(own.port["switch"]) - own.pfc
    if lacks:
        yield error(f"no PFC on priority {prios_text(lacks)}, which is lossless at other ports of"
                    " the switch: this port drops its packets, where the others pause their"
                    " neighbours", change(own, pfc(lacks)))


@check("headroom", Scope.PORT)
def headroom(_: State, own: End) -> Found:
    """Is headroom that was set by hand large enough?"""
    if own.headroom_low and own.options.get("headroom"):
        yield error(f"headroom is set to {own.port['headroom_bytes']} bytes, and rate, delay, MTU"
                    f" and reaction time need {own.port['headroom_need_bytes']}: packets are lost"
                    " after each pause", change(own, "headroom auto"))


@check("buffer", Scope.PORT)
def buffer(state: State, own: End) -> Found:
    """Has the switch buffer for the headroom of all ports?

    The kernel uses half of it at most for headroom and reserved bytes.
    """
    number = own.port["switch"]
    sw = state.switches.get(number)
    if not sw or not own.headroom_low or own.options.get("headroom"):
        return
    ends = [end for end in state.ports if end.port["switch"] == number]
    largest = max(end.port["headroom_need_bytes"] - end.port["headroom_bytes"]
                  for end in ends if end.headroom_low)
    need = 2 * (sw["buffer_bytes"] - sw["shared_bytes"] + sum(len(e.pfc) for e in ends) * largest)
    yield error(f"headroom of {own.port['headroom_bytes']} bytes, {own.port['headroom_need_bytes']}"
                f" needed: half of the buffer of switch {number} is too little for the headroom of"
                " all ports, and packets are lost after a pause",
                f"losslessctl switch set {number} buffer {min(need, BUFFER_MAX)}")


@check("xoff", Scope.PORT)
def xoff(_: State, own: End) -> Found:
    """Does a pause end before the queue is empty?"""
    threshold = own.port.get("xoff_bytes", 0)
    delta = own.options.get("xon_delta_now", 0)
    if 0 < threshold <= delta:
        yield warning(f"xoff of {threshold} bytes is not above xon-delta of {delta}: a pause ends"
                      " when nothing is left to send, and the link idles",
                      change(own, f"xoff {4 * delta}"))


@check("alpha", Scope.PORT)
def alpha(state: State, own: End) -> Found:
    """Is alpha that of most ports?"""
    if own.port.get("xoff_bytes") or not state.differs(own, "to_alpha"):
        return
    usual, _ = state.usual(own.port["facing"], "to_alpha")
    others = next(end.port["alpha"] for end in state.ports if end.port["to_alpha"] == usual)
    yield warning(f"alpha is {own.port['alpha']}, that of most ports that face the same {others}:"
                  " this port pauses its neighbour at another level than they do",
                  change(own, f"alpha {others}"))


@check("priority", Scope.PORT)
def priority(_: State, own: End) -> Found:
    """Can a packet that arrives have each lossless priority?"""
    without = set()
    if own.trust != "pcp" and own.dscp_map:
        without = own.pfc - set(own.dscp_map)
    lacks = own.pfc - {0} if own.trust == "none" else without
    if not lacks or not own.bridge:
        return
    options = ["trust dscp"] if own.trust == "none" else []
    options += [dscp(own, without)] if without else []
    yield error(f"no IP packet that arrives here gets priority {prios_text(lacks)}"
                f" ({'trust none' if own.trust == 'none' else 'dscp-prio'}): its packets are"
                " treated as those of a priority without PFC", change(own, " ".join(options)))


@check("strict", Scope.PORT)
def strict(_: State, own: End) -> Found:
    """Does a lossless priority starve priority 0?

    A lossless queue is never empty while the port is congested. The same bands, of which
    fewer are strict, mend that: those from the first such one on share the link, as the
    others do.
    """
    band = own.options.get("priomap", [])
    if len(band) != NUM_PRIO or not own.bridge:
        return
    bands, before = own.options["bands"], own.options["strict"]
    above = {prio for prio in own.pfc - {0} if band[prio] < min(before, band[0])}
    if not above:
        return
    first = min(band[prio] for prio in above)
    quanta = [QUANTUM] * (before - first) + own.options["quanta"]
    quanta += [QUANTUM] * (bands - first - len(quanta))
    yield warning(f"priority {prios_text(above)} is lossless and strict above priority 0: while the"
                  " port is congested, ARP, DHCP and all else of priority 0 stand still",
                  change(own, f"bands {bands} strict {first} quanta {' '.join(map(str, quanta))}"
                              f" priomap {' '.join(map(str, band))}"))


def watched(state: State, own: End, is_on: bool) -> set[int]:
    """Find priorities of a port to a host with the watchdog off, or on."""
    if not own.bridge or own.port["facing"] != "edge":
        return set()
    return {prio for prio in own.pfc if ((own.dev.name, prio) in state.watchdogs) == is_on}


@check("watchdog", Scope.PORT)
def watchdog(state: State, own: End) -> Found:
    """Has a port to a host a watchdog?"""
    prios = watched(state, own, False)
    if prios:
        usual, _ = state.usual(own.port["facing"], "watchdog")
        yield warning(f"no watchdog on priority {prios_text(prios)}: if the host's NIC pauses for"
                      " ever, the switch fills, and all its neighbours stall",
                      start_watchdog(own, prios_text(prios), usual or WATCHDOG))


@check("watchdog-differs", Scope.PORT)
def watchdog_differs(state: State, own: End) -> Found:
    """Has a watchdog the settings of most ports?"""
    prios = watched(state, own, True)
    usual, _ = state.usual(own.port["facing"], "watchdog")
    if usual and prios and not watched(state, own, False) and state.differs(own, "watchdog"):
        yield warning("the watchdog has another action or other times than those of most ports that"
                      " face hosts: storms are handled in different ways",
                      start_watchdog(own, prios_text(prios), usual))


@check("link-pause", Scope.PORT)
def link_pause(_: State, own: End) -> Found:
    """Is 802.3x pause off? The qdisc refuses it, but does not learn of a later change."""
    if own.pfc and own.dev.name in own.net.paused:
        yield error("802.3x pause is on: it stops all priorities, also those without PFC",
                    f"ethtool -A {own.word} autoneg off rx off tx off")


@check("gro", Scope.PORT)
def gro(_: State, own: End) -> Found:
    """Is GRO off where veth would drop packets?"""
    if own.pfc and own.drops_gro:
        yield error("GRO is on: this veth drops packets that arrive while its ring of 256 packets"
                    " is full, and the port does not count them", f"ethtool -K {own.word} gro off")


@check("order", Scope.PORT)
def order(_: State, own: End) -> Found:
    """Do packets of a veth stay in order?"""
    cpus = first_line(f"/sys/class/net/{own.dev.name}/queues/rx-0/rps_cpus")
    if (os.cpu_count() or 1) > 1 and own.dev.kind == "veth" and cpus and not cpus.strip("0,"):
        yield warning("several CPUs handle the packets that arrive: these overtake each other, and"
                      " RDMA takes that for loss",
                      f"echo 1 >/sys/class/net/{own.word}/queues/rx-0/rps_cpus")


@check("xdp", Scope.PORT)
def xdp(_: State, own: End) -> Found:
    """Does an XDP program see packets before the port? There may be one more in the NIC."""
    if own.dev.xdp:
        removed = [XDP_WORDS[own.dev.xdp]] if own.dev.xdp in XDP_WORDS else ["xdpoffload", "xdp"]
        yield warning("it has an XDP program: pauses whose frames it drops (EtherType 0x8808) are"
                      " not obeyed, and packets that it drops or redirects pass by the port: they"
                      " are not accounted and cause no pause",
                      " && ".join(f"ip link set dev {own.word} {word} off" for word in removed))


@check("switches", Scope.PORT)
def switches(state: State, own: End) -> Found:
    """Are all ports of a bridge in one switch?"""
    first = own.bridge and state.port_below(own.bridge)
    if first and first.port["switch"] != own.port["switch"]:
        number = first.port["switch"]
        yield error(f"it is in switch {own.port['switch']}, and {first.dev.name} of the same bridge"
                    f" in switch {number}: packets between them are charged to no port and pause no"
                    " neighbour", switch(state, own, number))


@check("role", Scope.PORT)
def role(_: State, own: End) -> Found:
    """Has a port of a bridge the role of a switch?

    It may have joined the bridge after it became a host.
    """
    if own.options.get("role") == "host" and own.dev.slave_kind == "bridge":
        yield error(f"role host, and it is a port of {own.dev.master}: packets that the bridge"
                    " sends on are charged to no port, and each change of its options is refused",
                    change(own, "role switch"))
