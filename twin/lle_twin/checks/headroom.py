# SPDX-License-Identifier: GPL-2.0
"""H: headroom."""
from . import ERROR, INFO, WARNING, Found, Skip, check
from .. import headroom
from ..model import MTU, TIERS

SHORT = 0.8                     # of the vendor's own formula (H9)
PORT_FIXED = 4096 + 20480       # bytes of a Spectrum port: swss buffer_check_headroom_mellanox.lua


def places(switch):
    """(profile, port, priorities) of lossless groups with headroom of a known link."""
    for name, found in switch.lossless_profiles().items():
        profile = switch.profiles[name]
        for port in {port.name: port for port, _ in found}.values():
            yield profile, port, [prio for own, prio in found if own is port]


def object_of(port, prios):
    return f"{port.name} pg {','.join(str(prio) for prio in prios)}"


def link(port):
    return f"{port.speed // 1000}G, {port.cable} m"


def unused_rows(switch):
    """Rows of the lookup table that no port uses."""
    used = {(port.speed, port.cable) for port in switch.lossless()}
    return [row for key, row in switch.rows.items() if key not in used]


def fix_xoff(profile, need):
    """Sets xoff; a row of pg_profile_lookup.ini has to be changed in its file."""
    return [] if profile.made else [(("BUFFER_PROFILE", profile.name, "xoff"), str(need))]


@check("H1", ERROR, "headroom covers the link",
       "xoff >= need(speed, cable, MTU, reaction of the neighbour) * cell factor; "
       "need = m * frame + max(0, r - overhead) + 2 * frame",
       "lle_sb_headroom_need(); sonic-mgmt issue 20422; sonic-buildimage PR 8420, 11901",
       asic=True)
def h1(switch):
    for profile, port, prios in places(switch):
        if profile.xoff is None or not port.speed or not port.cable:
            continue
        mtus = (min(switch.mtu, port.mtu), ERROR), (port.mtu, WARNING)
        for mtu, severity in mtus:
            reaction = headroom.reaction_ns(port.speed) if switch.reaction is None \
                else switch.reaction
            bare = headroom.need(port.speed, port.cable, mtu, reaction)
            need = round(bare * switch.asic.factor(mtu))
            if profile.xoff < need:
                yield Found(
                    object_of(port, prios),
                    f"headroom {profile.xoff}, need {need} ({link(port)}, MTU {mtu}, neighbour "
                    f"{reaction / 1000:.1f} us): {-(-(need - profile.xoff) // (mtu + 18))} frames "
                    "can be lost per pause", profile.xoff, need, "bytes",
                    {"speed": port.speed, "cable": port.cable, "mtu": mtu, "reaction_ns": reaction,
                     "need without cells": bare, "cell": switch.asic.cell},
                    severity, fix_xoff(profile, need))
                break
    for row in unused_rows(switch):
        if not row.cable or row.xoff < headroom.wire(row.speed, row.cable):
            continue            # H2
        least = headroom.need(row.speed, row.cable, MTU, 0)
        need = headroom.need(row.speed, row.cable, MTU)
        if row.xoff < need:
            bad = row.xoff < least
            yield Found(f"pg_profile_lookup {row.name()}", f"headroom {row.xoff}, need "
                        f"{least if bad else need} (MTU {MTU}, neighbour "
                        f"{'stops at once' if bad else 'of 802.3'})", row.xoff,
                        least if bad else need, "bytes", {"mtu": MTU},
                        WARNING if not bad else ERROR)


@check("H2", ERROR, "headroom holds what the cable holds",
       "xoff >= 2 * metres / 1.98e8 * rate / 8", "arithmetic")
def h2(switch):
    rows = [(f"pg_profile_lookup {row.name()}", row.speed, row.cable, row.xoff, None)
            for row in unused_rows(switch)]
    rows += [(object_of(port, prios), port.speed, port.cable, profile.xoff, profile)
             for profile, port, prios in places(switch)]
    for where, speed, metres, xoff, profile in rows:
        if xoff is None or not speed or not metres:
            continue
        wire = round(headroom.wire(speed, metres))
        if xoff < wire:
            yield Found(where, f"headroom {xoff} is less than the {wire} bytes in the cable "
                        f"({speed // 1000}G, {metres} m)", xoff, wire, "bytes",
                        {"speed": speed, "cable": metres},
                        fix=fix_xoff(profile, headroom.need(speed, metres, switch.mtu))
                        if profile else [])


@check("H3", WARNING, "headroom grows with speed and cable",
       "xoff(speed, longer) >= xoff(speed, cable); at 40 m and more xoff(4 * speed) > xoff(speed)",
       "rows of sonic-buildimage device/*/*/*/pg_profile_lookup.ini")
def h3(switch):
    rows = list(switch.rows.values())
    by_cable, by_speed = {}, {}
    for row in rows:
        by_cable.setdefault(row.cable, []).append(row)
        by_speed.setdefault(row.speed, []).append(row)
    pairs = []
    for group, key in ((by_speed, "cable"), (by_cable, "speed")):
        for same in group.values():
            same.sort(key=lambda row: getattr(row, key))
            pairs += [(low, high, low.xoff > high.xoff) for low, high in zip(same, same[1:])]
    for same in by_cable.values():
        for low in same:
            pairs += [(low, high, low.cable >= 40 and low.xoff == high.xoff)
                      for high in same if high.speed == 4 * low.speed]
    for low, high, bad in pairs:
        if bad:
            yield Found(f"pg_profile_lookup {high.name()}", f"headroom {high.xoff}, but "
                        f"{low.xoff} at {low.name()}", high.xoff, low.xoff, "bytes")


@check("H5", ERROR, "each link has a row",
       "pg_profile_lookup.ini has a row of (speed, cable)",
       "sonic-swss cfgmgr/buffermgr.cpp; sonic-buildimage PR 25208, 25606")
def h5(switch):
    if not switch.rows:
        yield Skip("there is no pg_profile_lookup.ini")
    for port in switch.missing:
        yield Found(port.name, f"no row for {link(port)}: SONiC makes no lossless group",
                    "no row", f"{port.speed} {port.cable}m")
    known = bool(switch.table("CABLE_LENGTH"))
    for port in switch.lossless():
        lossless = all(switch.group(port, prio) or switch.groups.get((port.name, prio))
                       for prio in port.pfc)
        if known and port.cable is None and not lossless:
            yield Found(port.name, "the port has no cable length: SONiC makes no lossless group",
                        "none", "a length")


@check("H6", ERROR, "a lossless link has a length",
       "cable > 0 m if pfc_enable and a neighbour are set",
       "sonic-swss cfgmgr/buffermgr.cpp:159, PR 1830, 3548")
def h6(switch):
    for port in switch.lossless():
        if port.cable == 0 and (port.neighbour or not switch.table("DEVICE_NEIGHBOR")):
            yield Found(port.name, "cable 0m: SONiC makes no lossless group, PFC is enabled",
                        0, "more than 0", "m")


@check("H7", WARNING, "both ends of a link agree", "cable, speed and MTU are the same",
       "sonic-buildimage issue 1602", fabric=True)
def h7(fabric):
    for one, port, other, peer in fabric.links:
        for name, unit in (("cable", "m"), ("speed", "Mbit/s"), ("mtu", "bytes")):
            have, need = getattr(port, name), getattr(peer, name)
            if have is not None and need is not None and have != need:
                yield Found(port.name, f"{name} {have}, but {need} at {other.name} {peer.name}",
                            have, need, unit, device=one.name)


@check("H8", ERROR, "a profile is that of its port",
       "speed and cable in the profile's name are those of PORT and CABLE_LENGTH; "
       "adv_speeds allow no other",
       "sonic-buildimage issue 1602; sonic-mgmt PR 21150")
def h8(switch):
    for profile, port, prios in places(switch):
        parts = profile.name.split("_")
        if profile.name.startswith("pg_lossless_") and len(parts) > 3 and parts[2].isdigit():
            speed, cable = int(parts[2]), parts[3].removesuffix("m")
            if port.speed and speed != port.speed or \
                    cable.isdigit() and port.cable is not None and int(cable) != port.cable:
                yield Found(object_of(port, prios), f"profile {profile.name}, but the port has "
                            f"{port.speed} Mbit/s and {port.cable} m", profile.name,
                            f"pg_lossless_{port.speed}_{port.cable}m_profile")
    for port in switch.lossless():
        listed = port.fields.get("adv_speeds", "")
        speeds = [int(text) for text in listed.split(",") if text.strip().isdigit()
                  and len(text) < 9]
        if port.speed and port.fields.get("autoneg") == "on" and max(speeds, default=0) > \
                port.speed and not switch.dynamic:
            yield Found(port.name, f"adv_speeds allow {max(speeds)} Mbit/s, headroom is for "
                        f"{port.speed}", port.speed, max(speeds), "Mbit/s")


@check("H9", WARNING, "a static table follows the vendor's formula",
       "xoff >= 0.8 * roundup_KiB(mtu + (port MTU + wire + MAC and PHY + peer) * occupancy)",
       "sonic-swss cfgmgr/buffer_headroom_mellanox.lua:120-199")
def h9(switch):
    asic = switch.asic
    if asic.vendor != "NVIDIA":
        return
    used = {(port.speed, port.cable) for _, port, _ in places(switch)}
    for key, row in switch.rows.items():
        if not row.cable or used and key not in used or row.speed not in headroom.QUANTA:
            continue
        formula = headroom.spectrum(row.speed, row.cable, asic.cell,
                                    mac_phy=asic.mac_phy, tile=asic.tile)
        if row.xoff < SHORT * formula:
            yield Found(f"pg_profile_lookup {row.name()}", f"headroom {row.xoff}, the vendor's "
                        f"formula gives {formula}", row.xoff, formula, "bytes",
                        {"cell": asic.cell, "mtu": 1024, "small packets": 100,
                         "peer": headroom.QUANTA[row.speed] * 64}, INFO if not used else "")


@check("H10", WARNING, "headroom holds small packets",
       "xoff >= need * occupancy(cell, MTU, small_packet_percentage)",
       "sonic-swss cfgmgr/buffer_headroom_mellanox.lua:142-150")
def h10(switch):
    if not switch.small or not switch.asic.cell:
        return
    factor = headroom.occupancy(switch.asic.cell, switch.mtu, switch.small)
    for profile, port, prios in places(switch):
        if profile.xoff is None or not port.speed or not port.cable:
            continue
        need = headroom.need(port.speed, port.cable, min(switch.mtu, port.mtu), switch.reaction)
        if need <= profile.xoff < need * factor:
            yield Found(object_of(port, prios), f"headroom {profile.xoff}, need "
                        f"{round(need * factor)} with {switch.small} % small packets in cells of "
                        f"{switch.asic.cell}", profile.xoff, round(need * factor), "bytes",
                        {"factor": round(factor, 3)}, fix=fix_xoff(profile, round(need * factor)))


@check("H11", ERROR, "a port's headroom is legal",
       "sum of sizes < max_headroom_size; headroom of a port <= port_max cells",
       "sonic-swss cfgmgr/buffer_check_headroom_mellanox.lua:28-190", asic=True)
def h11(switch):
    asic = switch.asic
    limit = None
    for fields in switch.table("DEFAULT_LOSSLESS_BUFFER_PARAMETER").values():
        limit = switch.number(fields, "max_headroom", "DEFAULT_LOSSLESS_BUFFER_PARAMETER")
    if not (asic.port_max and asic.cell) and not limit:
        yield Skip("the ASIC's limit of a port is not known")
        return
    sizes, shared = {}, {}
    for profile, port, prios in places(switch):
        pooled = bool(profile.pool and profile.pool.xoff)
        sizes[port.name] = sizes.get(port.name, PORT_FIXED) + profile.size * len(prios)
        # xoff of a PG with a headroom pool is a cap: one at a time can reach it
        headroom_ = (profile.xoff or 0) if pooled else profile.size or profile.xoff or 0
        shared[port.name] = max(shared.get(port.name, 0), headroom_) if pooled else \
            shared.get(port.name, 0) + headroom_ * len(prios)
    most = asic.port_max * asic.cell if asic.port_max and asic.cell else None
    for name in sizes:
        if limit and sizes[name] >= limit:
            yield Found(name, f"headroom of the port {sizes[name]}, at most {limit}",
                        sizes[name], limit, "bytes", {"fixed": PORT_FIXED})
        elif most and shared[name] > most:
            yield Found(name, f"headroom of the port {shared[name]}, at most {most} "
                        f"({asic.port_max} cells)", shared[name], most, "bytes",
                        {"cells": asic.port_max, "cell": asic.cell})


def sides(switch):
    """Lossless ports that face up and down; all, if the types of neighbours are not known."""
    tier = switch.tier()
    up, down = [], []
    for port in switch.lossless():
        other = TIERS.get(switch.neighbour_type(port))
        if tier is None or other is None:
            return [switch.lossless()]
        (up if other > tier else down).append(port)
    return [side for side in (up, down) if side]


@check("H12", WARNING, "the headroom pool holds all groups that can be paused at once",
       "pool.xoff / layers >= sum of xoff of the ports that face one way",
       "sonic-buildimage PR 16690, 29565", asic=True)
def h12(switch):
    pool = switch.lossless_pool()
    if pool is None or not pool.xoff:
        return
    for side in sides(switch):
        caps = [switch.group(port, prio).xoff or 0 for port in side for prio in port.pfc
                if switch.group(port, prio) and switch.group(port, prio).pool is pool]
        if caps and sum(caps) > pool.xoff:
            holds = pool.xoff / switch.asic.layers / (sum(caps) / len(caps))
            ratio = sum(caps) / pool.xoff
            yield Found(f"BUFFER_POOL {pool.name}", f"headroom pool {pool.xoff} holds "
                        f"{holds:.1f} groups of a layer, {len(caps)} can be paused at once "
                        f"(1:{ratio:.1f})", pool.xoff, sum(caps), "bytes",
                        {"layers": switch.asic.layers, "groups": len(caps)})


@check("H13", ERROR, "a lossless group has headroom",
       "xoff > 0 and the profile is not NULL (dynamic model: computed)",
       "SONiC issue 480")
def h13(switch):
    for port in switch.lossless():
        for prio in port.pfc:
            name = switch.groups.get((port.name, prio))
            profile = switch.profiles.get(name or "")
            if name in ("NULL", "") and not switch.dynamic:
                yield Found(f"{port.name} pg {prio}", "the profile is NULL, the buffer model is "
                            "not dynamic", name, "a profile")
            elif profile and not profile.xoff and not switch.dynamic and (
                    profile.xoff is not None or "lossless" in profile.name):
                yield Found(f"{port.name} pg {prio}", f"profile {profile.name} has no headroom",
                            profile.xoff or 0, "more than 0", "bytes")


