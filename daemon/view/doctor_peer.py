# SPDX-License-Identifier: GPL-2.0
"""losslessctl doctor: the other end of a link.

It is known of a veth, also in another network namespace.
"""

from common import prios_text, rate_text
from doctor_find import Found, Scope, change, check, copy_dscp, error, pfc, vlan_map, warning
from doctor_layers import unmapped
from doctor_state import End, State


def is_examined(own: End, peer: End) -> bool:
    """Is the other end examined as a port of its own?"""
    return bool(peer.port) and peer.net is own.net


def needs_headroom(own: End) -> bool:
    """Do packets from the neighbour wait here? A host takes them at once."""
    return bool(own.pfc) and bool(own.bridge)


@check("peer-qdisc", Scope.LINK)
def peer_qdisc(_: State, own: End, peer: End) -> Found:
    """Does the neighbour obey pauses? It gets the same priorities."""
    if not own.pfc or peer.port:
        return
    mend = f"{peer.net.shell}tc qdisc replace dev {peer.word} root lossless {pfc(own.pfc)}"
    if own.options.get("rate"):
        mend += f" rate {own.port['rate_bytes_per_s']}bps"
    mend += copy_dscp(own) if own.trust == "dscp" else f" trust {own.trust}"
    if own.port["facing"] == "fabric" and peer.bridge:
        mend += " fabric"
    yield error(f"its neighbour {peer.where} has no lossless qdisc: it does not obey pauses, and"
                " headroom overflows", mend)


@check("peer-pfc", Scope.LINK)
def peer_pfc(_: State, own: End, peer: End) -> Found:
    """Does the neighbour obey the pauses of each priority?"""
    lacks = own.pfc - peer.pfc
    if peer.port and lacks:
        yield error(f"its neighbour {peer.where} has no PFC on priority {prios_text(lacks)}: it"
                    " does not obey these pauses, and headroom overflows", change(peer, pfc(lacks)))


@check("peer-rate", Scope.LINK)
def peer_rate(_: State, own: End, peer: End) -> Found:
    """Is headroom computed for the rate of the neighbour?"""
    rate, sends = (end.port.get("rate_bytes_per_s", 0) for end in (own, peer))
    if needs_headroom(own) and sends > rate:
        yield error(f"its neighbour {peer.where} sends at up to {rate_text(sends)}, and headroom is"
                    f" computed for {rate_text(rate)}: more arrives after a pause than fits",
                    change(peer, f"rate {rate}bps"))


@check("peer-mtu", Scope.LINK)
def peer_mtu(_: State, own: End, peer: End) -> Found:
    """Have both ends of a link the same MTU?"""
    mtu, other = own.dev.mtu, peer.dev.mtu
    if mtu == other or (mtu > other and is_examined(own, peer)):
        return
    short = own if mtu < other else peer
    yield error(f"its MTU is {mtu}, that of its neighbour {peer.where} {other}: longer packets are"
                " dropped, and headroom is computed for the wrong size",
                f"{short.net.shell}ip link set dev {short.word} mtu {max(mtu, other)}")


@check("peer-gso", Scope.LINK)
def peer_gso(_: State, own: End, peer: End) -> Found:
    """Do both ends of a link cut GSO packets, or neither?"""
    if not peer.port or not needs_headroom(own) or own.sends_whole == peer.sends_whole or \
            (peer.sends_whole and is_examined(own, peer)):
        return
    sender = peer if peer.sends_whole else own
    yield error(f"{sender.where} sends GSO packets whole, and the other end of the link has"
                " headroom for frames: more arrives after a pause than fits",
                change(sender, "split-gso"))


@check("peer-gro", Scope.LINK)
def peer_gro(_: State, own: End, peer: End) -> Found:
    """Does the neighbour drop packets because of GRO?"""
    if own.pfc and not is_examined(own, peer) and peer.drops_gro:
        yield error(f"GRO is on at its neighbour {peer.where}: that veth drops packets that arrive"
                    " while its ring of 256 packets is full, and no port counts them",
                    f"{peer.net.shell}ethtool -K {peer.word} gro off")


@check("peer-facing", Scope.LINK)
def peer_facing(_: State, own: End, peer: End) -> Found:
    """Is a link between switches fabric?"""
    if peer.port and peer.bridge and own.bridge and own.port["facing"] == "edge":
        yield warning(f"its neighbour {peer.where} is a switch, and the port takes it for a host:"
                      " it ignores messages about deadlocks and congestion, and limits pauses",
                      change(own, "fabric"))


@check("peer-vlan", Scope.LINK)
def peer_vlan(_: State, own: End, peer: End) -> Found:
    """Do VLAN devices of the neighbour write priorities into tags?

    The port takes the priority from the PCP.
    """
    if own.trust != "pcp" or is_examined(own, peer):
        return
    for vlan in peer.net.vlans.get(peer.dev.name, []):
        prios = unmapped(own.pfc, vlan.vlan_out)
        if prios:
            yield error(f"{vlan.name} of its neighbour {peer.where} does not write priority"
                        f" {prios_text(prios)} into the tag: packets arrive with the PCP of a"
                        " priority without PFC", vlan_map(End(peer.net, vlan), "egress", prios))
