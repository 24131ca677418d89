# SPDX-License-Identifier: GPL-2.0
"""E: ECN and WRED of lossless queues."""
import math

from . import ERROR, WARNING, Found, check
from ..model import Profile
from ..reading import name_of
from ..show import ecn_limit, plain

COLOURS = ("green", "yellow", "red")


def lossless_queues(switch):
    """(port, priority, queue, fields of QUEUE)."""
    for port in switch.lossless():
        to_queue = switch.pfc_to_queue(port)
        for prio in port.pfc:
            number = to_queue.get(prio, prio)
            yield port, prio, number, switch.schedule.get((port.name, number), {})


def by_wred(switch):
    """WRED profile -> [(port, priority, queue)]."""
    found = {}
    for port, prio, number, fields in lossless_queues(switch):
        name = name_of(fields.get("wred_profile", ""))
        if name in switch.table("WRED_PROFILE"):
            found.setdefault(name, []).append((port, prio, number))
    return found


def value(switch, name, field):
    return switch.number(switch.table("WRED_PROFILE")[name], field, f"WRED_PROFILE|{name}")


def marked(ecn):
    """Colours that an ecn setting marks."""
    return set(COLOURS) if ecn == "ecn_all" else set(ecn.removeprefix("ecn_").split("_")) & \
        set(COLOURS)


def enabled(fields, colour):
    return fields.get(f"wred_{colour}_enable", "false").lower() == "true"


@check("E1", WARNING, "ECN begins before PFC",
       "kmin < T(n) = S / (1/alpha + n): n* = S/kmin - 1/alpha >= facing groups; an error if "
       "kmin > T(1)",
       "DCQCN, SIGCOMM 2015, section 4; LDCP")
def e1(switch):
    count = switch.congested()
    for name, places in by_wred(switch).items():
        kmin = value(switch, name, "green_min_threshold")
        profile = next((group for port, prio, _ in places
                        for group in [switch.group(port, prio)] if group and group.xoff), None)
        if not kmin:
            continue
        # buffermgrd makes groups later: an alpha of 1 is usual
        profile = profile or Profile("", switch.lossless_pool(), 0, 0, 0, 0, 0, None)
        shared, alpha = switch.shared(profile.pool), switch.alpha(profile)
        limit = ecn_limit(shared, alpha, kmin)
        if limit is None:
            continue
        if limit < 1:
            yield Found(f"WRED_PROFILE {name}", f"kmin {kmin} is above T(1) = "
                        f"{plain(switch.threshold(profile, 1))} (alpha {plain(alpha)}): PFC always "
                        "comes before ECN", kmin, math.floor(switch.threshold(profile, 1)),
                        "bytes", {"S": shared, "alpha": alpha}, ERROR,
                        [(("WRED_PROFILE", name, "green_min_threshold"),
                          str(math.floor(switch.threshold(profile, count))))])
        elif limit < count:
            first = math.floor(limit) + 1
            # an incast fills the queue with n groups, so ECN comes earlier: n * T(n)
            yield Found(f"WRED_PROFILE {name}", f"kmin {kmin}: from {first} congested groups on, "
                        f"PFC comes before ECN (alpha {plain(alpha)}); in an incast of {first} the "
                        f"queue holds {plain(first * switch.threshold(profile, first))} at XOFF",
                        kmin, math.floor(switch.threshold(profile, count)), "bytes",
                        {"S": shared, "alpha": alpha, "n*": round(limit, 1), "ports": count})


@check("E2", WARNING, "lossless queues mark",
       "QUEUE has a wred_profile with ecn other than ecn_none and wred_green_enable true",
       "sonic-buildimage issue 4545")
def e2(switch):
    if not switch.table("QUEUE") and not switch.table("WRED_PROFILE"):
        return
    for port, _, number, fields in lossless_queues(switch):
        name = name_of(fields.get("wred_profile", ""))
        wred = switch.table("WRED_PROFILE").get(name)
        where = f"{port.name} q {number}"
        if wred is None:
            if not name:
                yield Found(where, "a lossless queue without a wred_profile: no ECN", "none",
                            "a WRED profile")
        elif wred.get("ecn", "ecn_none") == "ecn_none":
            yield Found(where, f"ecn of {name} is ecn_none", "ecn_none", "ecn_all",
                        fix=[(("WRED_PROFILE", name, "ecn"), "ecn_all")])
        elif not any(enabled(wred, colour) for colour in marked(wred["ecn"])):
            yield Found(where, f"{name} enables WRED for no colour that it marks (default: false)",
                        "false", "true",
                        fix=[(("WRED_PROFILE", name, "wred_green_enable"), "true")])


@check("E3", ERROR, "WRED drops no lossless packet",
       "each colour with wred_*_enable is in ecn; thresholds of drops are not below XOFF",
       "sonic-buildimage issue 27606")
def e3(switch):
    for name, places in by_wred(switch).items():
        wred = switch.table("WRED_PROFILE")[name]
        drops = [colour for colour in COLOURS
                 if enabled(wred, colour) and colour not in marked(wred.get("ecn", "ecn_none"))]
        if drops:
            port, _, number = places[0]
            yield Found(f"WRED_PROFILE {name}", f"WRED drops {', '.join(drops)} packets in "
                        f"lossless queues ({port.name} q {number}), before XOFF is reached",
                        wred.get("ecn", "ecn_none"), "ecn_all",
                        fix=[(("WRED_PROFILE", name, "ecn"), "ecn_all")])


@check("E4", WARNING, "the WRED curve is sound",
       "kmin < kmax <= pool; drop_probability set and below 100",
       "sonic-yang-models sonic-wred-profile.yang (default 100)")
def e4(switch):
    pool = switch.lossless_pool()
    for name, places in by_wred(switch).items():
        wred = switch.table("WRED_PROFILE")[name]
        where = f"WRED_PROFILE {name}"
        for colour in COLOURS:
            if not enabled(wred, colour):
                continue
            kmin, kmax = (value(switch, name, f"{colour}_{end}_threshold")
                          for end in ("min", "max"))
            chance = value(switch, name, f"{colour}_drop_probability")
            if kmin is not None and kmax is not None and kmin >= kmax:
                yield Found(where, f"{colour}: kmin {kmin} is not below kmax {kmax}: a step",
                            kmin, kmax, "bytes")
            elif kmax is not None and pool and pool.size and kmax > pool.size:
                yield Found(where, f"{colour}: kmax {kmax} is above the pool {pool.size}", kmax,
                            pool.size, "bytes")
            if chance is None or chance == 100:
                yield Found(where, f"{colour}: drop_probability is 100"
                            f"{' (the default)' if chance is None else ''}: each packet is marked "
                            "at kmax", 100, "less than 100", "%",
                            fix=[(("WRED_PROFILE", name, f"{colour}_drop_probability"), "5")])
