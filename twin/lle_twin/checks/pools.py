# SPDX-License-Identifier: GPL-2.0
"""P: pools, A: alpha, X: XON."""
import math

from . import ERROR, INFO, WARNING, Found, Skip, check
from ..show import plain

LEAST_ALPHA = 1 / 32


def cells(switch, size):
    """Bytes in whole cells."""
    return -(-size // switch.asic.cell) if switch.asic.cell else size


@check("P1", ERROR, "pools fit into the packet memory",
       "sum of ingress pools [+ headroom pools, if apart] [+ reserved, if apart] <= memory",
       "sonic-buildimage issue 28657; saibuffer.h:315-372", asic=True)
def p1(switch):
    asic = switch.asic
    for kinds in (("ingress", "both"), ("egress",)):
        pools = [pool for pool in switch.pools.values() if pool.type in kinds and pool.size]
        for pool in pools:
            if pool.xoff >= pool.size and asic.xoff != "out":
                yield Found(f"BUFFER_POOL {pool.name}", f"headroom pool {pool.xoff} of a pool of "
                            f"{pool.size}", pool.xoff, pool.size, "bytes")
        if asic.memory is None:
            if kinds[0] == "ingress":
                yield Skip("the ASIC's memory is not known")
            continue
        size = sum(pool.size for pool in pools)
        apart = sum(pool.xoff for pool in pools) if asic.xoff == "out" else 0
        reserved = switch.reserved if asic.reserved == "out" and kinds[0] == "ingress" and \
            pools else 0
        # egress pools of one memory are limits: each alone has to fit
        total = size + apart + reserved if kinds[0] == "ingress" else \
            max((pool.size for pool in pools), default=0)
        if total > asic.memory:
            names = ", ".join(pool.name for pool in pools)
            amount = f"{cells(switch, total)} cells of {cells(switch, asic.memory)}" \
                if asic.cell else f"{total} bytes of {asic.memory}"
            yield Found(f"BUFFER_POOL {names}", f"size {size} + headroom pool {apart} + reserved "
                        f"{reserved} = {amount}: the ASIC refuses them", total, asic.memory,
                        "bytes", {"cell": asic.cell, "xoff": asic.xoff, "reserved": reserved,
                                  "source": asic.sources.get("memory", "")})


@check("P2", ERROR, "no lossless packet is dropped at egress",
       "limit of a lossless queue * layers >= size of the ingress pool [+ headroom pool, if apart]",
       "sonic-buildimage PR 21320; sonic-mgmt issue 17149, 6173", asic=True)
def p2(switch):
    pool = switch.lossless_pool()
    if pool is None or pool.size is None or pool.type == "both":
        return
    layers = switch.asic.layers
    seen = {}
    for port in switch.lossless():
        for prio in port.pfc:
            number = switch.pfc_to_queue(port).get(prio, prio)
            profile = switch.queue(port, number)
            if profile is not None:
                seen.setdefault(profile.name, []).append(f"{port.name} q {number}")
    for name, places in seen.items():
        profile = switch.profiles[name]
        limits = []
        if profile.static_th:
            # of one layer if it is below a pool that is the sum of all
            per_layer = layers > 1 and switch.asic.xoff == "in"
            limits.append((profile.static_th * (layers if per_layer else 1), "static_th"))
        if profile.pool and profile.pool.size:
            limits.append((profile.pool.size, f"size of {profile.pool.name}"))
        if not limits:
            continue
        limit, which = min(limits)
        if limit < pool.size and "lossy" not in name:
            # what the pool holds for others does not reach this queue
            slack = switch.reserved + pool.xoff if switch.asic.xoff == "in" else 0
            sure = limit < pool.size - slack
            for place in places:
                yield Found(place, f"{which} of {name} is {limit}, the ingress pool {pool.size}: "
                            "lossless packets are dropped at egress", limit, pool.size, "bytes",
                            {"layers": layers, "headroom pool": pool.xoff},
                            "" if sure or switch.asic.xoff != "in" or layers == 1 else WARNING,
                            [(("BUFFER_PROFILE", name, "static_th"), str(pool.size // (
                                layers if switch.asic.xoff == "in" else 1)))]
                            if which == "static_th" else
                            [(("BUFFER_POOL", profile.pool.name, "size"), str(pool.size))])


@check("P3", INFO, "lossy groups leave room for lossless ones",
       "limit of a lossy group < size of the lossless pool",
       "samples of sonic-buildimage; saibuffer.h:695-715")
def p3(switch):
    pool = switch.lossless_pool()
    if pool is None or pool.size is None:
        return
    lossless = {(port.name, prio) for port in switch.lossless() for prio in port.pfc}
    seen = {}
    for (port, number), name in switch.groups.items():
        if (port, number) not in lossless and name in switch.profiles:
            seen.setdefault(name, f"{port} pg {number}")
    for name, place in seen.items():
        profile = switch.profiles[name]
        whole = profile.pool is pool and profile.static_th is not None and (
            profile.unlimited() or profile.static_th * switch.asic.layers >= pool.size)
        if whole:
            # the queue is the real limit
            alphas = [switch.alpha(queue) for (own, number), queue_name in switch.queues.items()
                      if own == place.split()[0] and "lossy" in queue_name
                      for queue in [switch.profiles.get(queue_name)] if queue]
            strong = any(alpha is not None and alpha > 8 for alpha in alphas)
            yield Found(place, f"{name} may take the whole pool {pool.name}: lossy bursts can "
                        "cause PFC", profile.static_th, pool.size, "bytes", {"queues": alphas},
                        WARNING if strong else "")


@check("P4", WARNING, "profile and pool have one threshold mode",
       "dynamic_th in a dynamic pool, static_th in a static one (or as a limit in a dynamic one)",
       "sonic-swss issue 2438, PR 485; sonic-buildimage issue 10627")
def p4(switch):
    used = {*switch.groups.values(), *switch.queues.values()}
    for profile in switch.profiles.values():
        where = f"BUFFER_PROFILE {profile.name}"
        if profile.dynamic_th is not None and profile.static_th is not None:
            yield Found(where, "dynamic_th and static_th are both set", "both", "one")
        elif profile.pool and profile.pool.mode == "static" and profile.dynamic_th is not None \
                and profile.pool.type != "egress":
            yield Found(where, f"dynamic_th in the static pool {profile.pool.name}", "dynamic_th",
                        "static_th")
        elif profile.pool and profile.pool.mode == "static" and profile.dynamic_th is not None \
                and not any(other.pool is profile.pool and other.static_th is not None
                            for other in switch.profiles.values()):
            yield Found(where, f"dynamic_th in the static pool {profile.pool.name}", "dynamic_th",
                        "static_th")
        elif profile.static_th == 0 and profile.pool and profile.pool.size and \
                profile.name in used:
            yield Found(where, "static_th 0 means no limit", 0, "more than 0", "bytes")
        elif profile.xoff and profile.dynamic_th in (7, 8, -8) and \
                profile.dynamic_th not in switch.asic.alpha and profile.name in used:
            yield Found(where, f"dynamic_th {profile.dynamic_th} of a lossless group: vendors read "
                        "it as 2^n, as no limit, or as 0", profile.dynamic_th, "-7 to 6",
                        severity=INFO)


@check("P5", WARNING, "thresholds hold some packets",
       "T(n) = S / (1/alpha + n) >= 2 * (MTU + xon_offset), n: groups of all facing ports",
       "Documentation/guide/shared-buffer.rst", asic=True)
def p5(switch):
    count = switch.congested()
    for name, places in switch.lossless_profiles().items():
        profile = switch.profiles[name]
        t = switch.threshold(profile, count)
        # where XON is a level of the whole group, xon_offset is no part of it
        offset = 0 if switch.asic.low_alpha else profile.xon_offset or 0
        least = 2 * (switch.mtu + offset)
        if t is not None and t < least:
            yield Found(f"{places[0][0].name} pg {places[0][1]}", f"{name}: T({count}) = "
                        f"{math.floor(t)} bytes, less than {least}: pauses at each packet",
                        math.floor(t), least, "bytes",
                        {"S": switch.shared(profile.pool), "alpha": switch.alpha(profile)})


def alphas(switch):
    """role -> alpha -> ports, of lossless groups."""
    found = {}
    for port in switch.lossless():
        for prio in port.pfc:
            profile = switch.group(port, prio)
            if profile and profile.dynamic_th is not None and profile.xoff:
                found.setdefault((switch.role(port), prio), {}).setdefault(
                    profile.dynamic_th, []).append((port, profile))
    return found


@check("A1", ERROR, "equal ports have equal alpha",
       "alpha of a priority is the same on ports of one role, and on switches of one type",
       "Guo et al., RDMA over commodity Ethernet at scale, SIGCOMM 2016, 6.2", fabric=True)
def a1(fabric):
    types = {}
    for switch in fabric.switches:
        for (role, prio), by_alpha in alphas(switch).items():
            # tables of a chassis give each speed its own alpha: roles have one speed
            usual = max(by_alpha, key=lambda th: len(by_alpha[th]))
            for th, places in by_alpha.items():
                for port, profile in places if th != usual else ():
                    yield Found(f"{port.name} pg {prio}", f"alpha {plain(2.0 ** th)}, but "
                                f"{plain(2.0 ** usual)} at {len(by_alpha[usual])} ports of this "
                                "role", th, usual, "dynamic_th", device=switch.name,
                                fix=[] if profile.made else
                                [(("BUFFER_PROFILE", profile.name, "dynamic_th"), str(usual))])
            if switch.type:
                types.setdefault((switch.type, role, prio), []).append((switch, usual))
    for (kind, _, prio), found in types.items():
        counts = [th for _, th in found]
        usual = max(set(counts), key=lambda th: (counts.count(th), th))
        for switch, th in found:
            if th != usual:
                yield Found(f"pg {prio}", f"alpha {plain(2.0 ** th)}, but {plain(2.0 ** usual)} at "
                            f"{counts.count(usual)} other {kind}", th, usual, "dynamic_th",
                            device=switch.name)


@check("A2", WARNING, "alpha leaves a threshold",
       "alpha > 1/32", "Guo et al., SIGCOMM 2016, 6.2")
def a2(switch):
    if switch.asic.low_alpha:
        return
    for name, places in switch.lossless_profiles().items():
        profile = switch.profiles[name]
        alpha = switch.alpha(profile)
        if alpha is not None and alpha <= LEAST_ALPHA:
            t = [plain(switch.threshold(profile, n)) for n in (1, 8, 32)]
            big = (switch.shared(profile.pool) or 0) > 2**30
            yield Found(f"{places[0][0].name} pg {places[0][1]}", f"{name}: alpha {plain(alpha)}: "
                        f"T(1) {t[0]}, T(8) {t[1]}, T(32) {t[2]}", profile.dynamic_th, -4,
                        "dynamic_th", {"S": switch.shared(profile.pool)}, INFO if big else "",
                        [] if profile.made else
                        [(("BUFFER_PROFILE", name, "dynamic_th"), "-4")])


@check("X1", WARNING, "XON is below XOFF, and not zero",
       "xon > 0 or 0 < xon_offset < T(n); XON = max(xon, limit - xon_offset)",
       "saibuffer.h:737-770")
def x1(switch):
    for name, places in switch.lossless_profiles().items():
        profile = switch.profiles[name]
        if profile.xoff is None or not profile.xoff:
            continue
        where = f"{places[0][0].name} pg {places[0][1]}"
        t = switch.threshold(profile, 1)
        if not profile.xon and not profile.xon_offset:
            yield Found(where, f"{name}: xon and xon_offset are 0: no hysteresis", 0,
                        "more than 0", "bytes")
        elif profile.xon_offset and t is not None and profile.xon_offset >= t and \
                not switch.asic.low_alpha:
            yield Found(where, f"{name}: xon_offset {profile.xon_offset} is not below T(1) = "
                        f"{plain(t)}: the group drains whole", profile.xon_offset, math.floor(t),
                        "bytes")
