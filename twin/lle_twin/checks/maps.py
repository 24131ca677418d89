# SPDX-License-Identifier: GPL-2.0
"""M: maps of DSCP, TC, priority group, queue and PFC priority."""
from . import ERROR, INFO, Found, check


def classes(switch, port):
    """PFC priority -> (DSCPs, TCs, queues) that lead to its group."""
    to_pg, to_queue = switch.tc_to_pg(port), switch.tc_to_queue(port)
    dscp = switch.map("DSCP_TO_TC_MAP", port, "dscp_to_tc_map")
    result = {}
    for prio in port.pfc:
        tcs = sorted(tc for tc, pg in to_pg.items() if pg == prio) if to_pg else [prio]
        result[prio] = (sorted(code for code, tc in dscp.items() if tc in tcs), tcs,
                        sorted({to_queue.get(tc, tc) for tc in tcs}))
    return result


def text(numbers):
    return ",".join(str(number) for number in numbers) or "none"


@check("M1", ERROR, "both ends map a lossless class alike",
       "DSCPs, TCs, queues of a PFC priority are the same at both ends of a link",
       "sonic-buildimage issue 27310, 8770", fabric=True)
def m1(fabric):
    for one, port, other, peer in fabric.links:
        here, there = classes(one, port), classes(other, peer)
        for prio in sorted(set(here) & set(there)):
            for name, have, need in zip(("DSCP", "TC", "queue"), here[prio], there[prio]):
                if have != need and have and need:
                    # a bounced class (dual ToR) differs by design where tunnels end
                    tunnel = any("TUNNEL" in key for switch in (one, other)
                                 for key in switch.table("DSCP_TO_TC_MAP"))
                    yield Found(f"{port.name} prio {prio}", f"{name} {text(have)}, but "
                                f"{text(need)} at {other.name} {peer.name}", text(have),
                                text(need), name, severity=INFO if tunnel else "",
                                device=one.name)
    for switch in fabric.switches:
        maps = {port.map("dscp_to_tc_map") for port in switch.lossless()} - {""}
        tables = [switch.table("DSCP_TO_TC_MAP").get(name) for name in sorted(maps)]
        if len(tables) > 1 and None not in tables:
            differ = [code for code in tables[0] if tables[0][code] != tables[1].get(code)]
            if differ:
                yield Found("DSCP_TO_TC_MAP", f"ports use {len(tables)} maps, which differ at DSCP "
                            f"{text(differ)} (legal: tunnels)", len(tables), 1, severity=INFO,
                            device=switch.name)


@check("M2", ERROR, "PFC, groups and queues belong together",
       "a priority has pfc_enable if and only if its group and its queue are lossless",
       "sonic-buildimage PR 11157")
def m2(switch):
    for port in switch.ports.values():
        if not port.up:
            continue
        to_queue = switch.pfc_to_queue(port)
        for prio in port.pfc:
            profile = switch.group(port, prio)
            # without headroom, and without the name of a lossless profile
            if profile and not profile.xoff and "lossless" not in profile.name and \
                    profile.name != "NULL":
                yield Found(f"{port.name} pg {prio}", f"PFC is enabled, but {profile.name} is "
                            "lossy", profile.name, "a lossless profile")
            number = to_queue.get(prio, prio)
            queue = switch.queues.get((port.name, number))
            own = any(place == port.name for place, _ in switch.queues)
            if queue is None and own or queue and "lossy" in queue:
                yield Found(f"{port.name} q {number}", f"PFC is enabled for priority {prio}, but "
                            f"the queue has {queue or 'no profile'}", queue or "none",
                            "a lossless profile")
    pfc = {(port.name, prio) for port in switch.ports.values() for prio in port.pfc}
    known = {port.name for port in switch.ports.values() if port.qos != switch.common}
    for (port, prio), name in switch.groups.items():
        profile = switch.profiles.get(name)
        lossless = profile is not None and (profile.xoff or name.startswith("pg_lossless_"))
        if (port, prio) not in pfc and port in known and lossless and \
                switch.ports.get(port) and switch.ports[port].up:
            yield Found(f"{port} pg {prio}", f"{name} is lossless, but pfc_enable lacks {prio}",
                        name, "pfc_enable",
                        fix=[(("PORT_QOS_MAP", port, "pfc_enable"), ",".join(
                            str(one) for one in sorted({*switch.ports[port].pfc, prio})))])


@check("M3", ERROR, "a lossless group has one class",
       "one TC on each lossless group and queue, none of them shared with lossy TCs",
       "sonic-buildimage PR 11157")
def m3(switch):
    for port in switch.lossless():
        to_queue = switch.tc_to_queue(port)
        used = {tc for tc in switch.map("DSCP_TO_TC_MAP", port, "dscp_to_tc_map").values()} | \
            set(switch.map("DOT1P_TO_TC_MAP", port, "dot1p_to_tc_map").values())
        to_pg = switch.tc_to_pg(port)
        for prio in port.pfc:
            tcs = [tc for tc, pg in to_pg.items() if pg == prio and (not used or tc in used)]
            if len(tcs) > 1:
                yield Found(f"{port.name} pg {prio}", f"TCs {text(sorted(tcs))} share a lossless "
                            "group", text(sorted(tcs)), "one TC")
            lossless = {to_queue.get(tc) for tc in tcs} - {None}
            others = [tc for tc, queue in to_queue.items() if queue in lossless and tc not in tcs
                      and to_pg.get(tc, tc) not in port.pfc and (not used or tc in used)]
            if others:
                yield Found(f"{port.name} q {text(sorted(lossless))}", f"lossy TCs "
                            f"{text(sorted(others))} share the queue of priority {prio}",
                            text(sorted(others)), "none")


@check("M4", ERROR, "a pause stops the queue of its class",
       "pfc_to_queue(pg) = tc_to_queue(tc) for each tc with tc_to_pg(tc) = pg",
       "sonic-mgmt issue 24215")
def m4(switch):
    for port in switch.lossless():
        to_pg, to_queue = switch.tc_to_pg(port), switch.tc_to_queue(port)
        pause, used = switch.pfc_to_queue(port), set(
            switch.map("DSCP_TO_TC_MAP", port, "dscp_to_tc_map").values())
        if not pause or not to_queue:
            continue
        for prio in port.pfc:
            tcs = [tc for tc, pg in to_pg.items() if pg == prio] if to_pg else [prio]
            for tc in tcs:
                queue, want = pause.get(prio), to_queue.get(tc)
                if used and tc not in used or want is None:
                    continue
                if queue != want:
                    yield Found(f"{port.name} prio {prio}", f"a pause stops queue {queue}, packets "
                                f"of TC {tc} are in queue {want}", queue, want, "queue",
                                fix=[(("MAP_PFC_PRIORITY_TO_QUEUE", port.map("pfc_to_queue_map"),
                                       str(prio)), str(want))] if port.map("pfc_to_queue_map")
                                else [])


@check("M6", ERROR, "PFC is alike at both ends, without 802.3x",
       "no 802.3x pause (flow_control) and no pfc_asym on a port with PFC; "
       "pfc_enable is the same at both ends",
       "sonic-swss PR 1128, 1055; IEEE 802.1Q 36.1.1", fabric=True)
def m6(fabric):
    for switch in fabric.switches:
        for port in switch.lossless():
            if port.fields.get("pfc_asym", "off").lower() == "on":
                yield Found(port.name, "pfc_asym is on: the port obeys no pauses of some "
                            "priorities", "on", "off", device=switch.name,
                            fix=[(("PORT", port.name, "pfc_asym"), "off")])
            pause = next((port.fields[name] for name in ("flow_control", "pause", "fc_mode")
                          if port.fields.get(name, "").lower() not in ("", "off", "none",
                                                                       "false")), None)
            if pause:
                yield Found(port.name, f"802.3x pause ({pause}) and PFC on one port", pause,
                            "off", device=switch.name)
    for one, port, other, peer in fabric.links:
        if port.pfc != peer.pfc:
            yield Found(port.name, f"pfc_enable {text(port.pfc)}, but {text(peer.pfc)} at "
                        f"{other.name} {peer.name}", text(port.pfc), text(peer.pfc), "priorities",
                        device=one.name)
