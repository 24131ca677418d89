# SPDX-License-Identifier: GPL-2.0
"""Headroom formulas. Speeds are Mbit/s, lengths metres, results bytes.

need() is lle_sb_headroom_need() of kmod/core/buffer (Documentation/guide/headroom.rst);
spectrum() is the formula of sonic-swss cfgmgr/buffer_headroom_mellanox.lua:120-199.
"""
import math

LIGHT = 1.98e8                  # m/s in a cable: swss buffer_headroom_mellanox.lua
PFC_FRAME = 60
OVERHEAD = 24                   # preamble, FCS and gap
# pause_quanta of 512 bits until a port stops: IEEE 802.3 annex 31B.3.7
QUANTA = {100: 1, 1000: 2, 10000: 67, 25000: 80, 40000: 118, 50000: 147, 100000: 394,
          200000: 453, 400000: 905, 800000: 905}


def reaction_ns(speed):
    """Longest time until a standard neighbour stops."""
    known = [rate for rate in QUANTA if rate <= speed] or [min(QUANTA)]
    return round(QUANTA[max(known)] * 512 * 1000 / speed)


def wire(speed, metres):
    """Bytes that the cable holds, there and back."""
    return 2 * metres * speed * 1e6 / (8 * LIGHT)


def need(speed, metres, mtu=1500, reaction=None, overhead=OVERHEAD, burst=0, delay_ns=None):
    """Headroom of a lossless priority."""
    rate = speed * 10**6 // 8
    frame = mtu + 18
    delay = round(metres * 1e9 / LIGHT) if delay_ns is None else delay_ns
    reaction = reaction_ns(speed) if reaction is None else reaction
    flight = rate * (2 * delay + reaction) // 10**9 + 1
    flight += frame + overhead + PFC_FRAME + overhead + burst
    frames, rest = divmod(flight, frame + overhead)
    return frames * frame + max(0, rest - overhead) + 2 * frame


def occupancy(cell, mtu, small_percent):
    """Bytes of buffer for a byte of packets, with a share of 64-byte packets."""
    worst = math.ceil(cell / 64 if cell > 128 else 2 * cell / (1 + cell))
    small = 100 * 64 / ((small_percent * 64 + (100 - small_percent) * mtu) / 100)
    return (100 - small + small * worst) / 100


def spectrum(speed, metres, cell, port_mtu=9100, mtu=1024, small_percent=100, mac_phy=0.8,
             peer=None, tile=0):
    """xoff that the vendor's own formula gives. peer: bytes, else those of QUANTA."""
    peer = QUANTA.get(speed, 905) * 64 if peer is None else peer
    flight = port_mtu + wire(speed, metres) + mac_phy * 1024 + peer + tile * speed / 1000
    return math.ceil((mtu + flight * occupancy(cell, mtu, small_percent)) / 1024) * 1024
