# SPDX-License-Identifier: GPL-2.0
"""W: PFC watchdog, S: schedulers."""
from . import ERROR, INFO, WARNING, Found, check
from .ecn import lossless_queues
from ..model import TIERS
from ..reading import name_of

LONGEST = 65535                 # quanta of a pause


def config(switch, port):
    """PFC_WD of a port, or None; POLL_INTERVAL is global."""
    table = switch.table("PFC_WD")
    return table.get(port.name, table.get("default"))


def poll(switch):
    return switch.number(switch.table("PFC_WD").get("GLOBAL", {}), "POLL_INTERVAL",
                         "PFC_WD|GLOBAL", (1, 10**6))


def times(switch, port):
    fields = config(switch, port) or {}
    return [switch.number(fields, name, f"PFC_WD|{port.name}", (0, 10**7))
            for name in ("detection_time", "restoration_time")]


@check("W1", WARNING, "each PFC priority has a watchdog",
       "pfcwd_sw_enable includes pfc_enable; PFC_WD has the port, if it has any",
       "sonic-buildimage samples; Documentation/guide/watchdog.rst")
def w1(switch):
    table = set(switch.table("PFC_WD")) - {"GLOBAL"}
    for port in switch.lossless():
        lacks = sorted(set(port.pfc) - set(port.watched))
        if lacks:
            yield Found(port.name, f"PFC on {','.join(map(str, lacks))} without watchdog",
                        ",".join(map(str, port.watched)) or "none",
                        ",".join(map(str, port.pfc)), "priorities",
                        fix=[(("PORT_QOS_MAP", port.name, "pfcwd_sw_enable"),
                              ",".join(map(str, port.pfc)))])
        elif table and config(switch, port) is None:
            yield Found(port.name, "PFC without a row in PFC_WD", "none", "a row")


@check("W2", ERROR, "times of the watchdog fit",
       "poll < detection; detection > 65535 quanta * 512 / speed; detection of the edge < that of "
       "the fabric; restoration >= detection",
       "sonic-buildimage issue 27865; sonic-mgmt PR 27657, 26045", fabric=True)
def w2(fabric):
    for switch in fabric.switches:
        interval = poll(switch)
        for port in switch.ports.values():
            fields = config(switch, port)
            if fields is None:
                continue
            detection, restoration = times(switch, port)
            if detection is not None and interval is not None and detection <= interval:
                yield Found(port.name, f"detection {detection} ms, poll {interval} ms: "
                            + ("no margin" if detection == interval else "storms are seen late"),
                            detection, interval, "ms",
                            severity=WARNING if detection == interval else "",
                            device=switch.name)
            if detection is not None and port.speed and \
                    detection <= LONGEST * 512 / port.speed / 1000:
                yield Found(port.name, f"detection {detection} ms is not longer than the longest "
                            "pause", detection, round(LONGEST * 512 / port.speed / 1000, 1), "ms",
                            device=switch.name)
            if restoration == 0:
                yield Found(port.name, "restoration 0: never", 0, detection or "", "ms",
                            severity=WARNING, device=switch.name)
            elif restoration is not None and detection is not None and restoration < detection:
                yield Found(port.name, f"restoration {restoration} ms is shorter than detection "
                            f"{detection} ms", restoration, detection, "ms", severity=WARNING,
                            device=switch.name)
            other = TIERS.get(switch.neighbour_type(port))
            if fields.get("action") in ("forward", "alert") and other is not None and other >= 0:
                yield Found(port.name, f"action {fields['action']} on a fabric port",
                            fields["action"], "drop", severity=WARNING, device=switch.name)
    for one, port, other, peer in fabric.links:
        if one.tier() is None or other.tier() is None or one.tier() >= other.tier():
            continue
        edge, core = times(one, port)[0], times(other, peer)[0]
        if edge is not None and core is not None and edge > core:
            yield Found(port.name, f"detection {edge} ms at the edge, {core} ms at {other.name} "
                        f"{peer.name}", edge, core, "ms", severity=WARNING, device=one.name)


def scheduler(switch, fields):
    return switch.table("SCHEDULER").get(name_of(fields.get("scheduler", "")), {})


@check("S1", WARNING, "a lossless queue is served",
       "no strict queue without limit above it; no shaper on it; weights of a class are the same "
       "at both ends",
       "sonic-mgmt issue 20075", fabric=True)
def s1(fabric):
    for switch in fabric.switches:
        by_port = {}
        for (name, number), fields in switch.schedule.items():
            by_port.setdefault(name, {})[number] = fields
        for port, _, number, fields in lossless_queues(switch):
            own = scheduler(switch, fields)
            where = f"{port.name} q {number}"
            if switch.number(own, "pir", "SCHEDULER|pir", (0, 2**50)):
                yield Found(where, f"a shaper of {own['pir']} on a lossless queue", own["pir"],
                            "none", "bytes/s", device=switch.name)
            strict = [one for one, other in by_port.get(port.name, {}).items()
                      if one != number and one not in port.pfc
                      and scheduler(switch, other).get("type") == "STRICT"
                      and not scheduler(switch, other).get("pir")
                      and (own.get("type") != "STRICT" or one > number)]
            # control traffic in queue 7 has this by design
            if strict and own:
                yield Found(where, f"strict queues {','.join(map(str, sorted(strict)))} without "
                            "limit come first", ",".join(map(str, sorted(strict))), "a limit",
                            severity=INFO if max(strict) >= 6 and len(strict) == 1 else "",
                            device=switch.name)
    for one, port, other, peer in fabric.links:
        for prio in sorted(set(port.pfc) & set(peer.pfc)):
            ends = []
            for switch, end in (one, port), (other, peer):
                number = switch.pfc_to_queue(end).get(prio, prio)
                weight = scheduler(switch, switch.schedule.get((end.name, number), {})).get(
                    "weight")
                ends.append(weight)
            if None not in ends and ends[0] != ends[1]:
                yield Found(f"{port.name} prio {prio}", f"weight {ends[0]}, but {ends[1]} at "
                            f"{other.name} {peer.name}", ends[0], ends[1], "weight",
                            device=one.name)


