# SPDX-License-Identifier: GPL-2.0
"""Result of the deadlock act: table, sentences, contradictions to its point."""
import deadlock
import words as w
from words import host, number, together

HEADS = ("deadlock off", "deadlock lossless")
SWITCHES = [1, 2, 3, 4]


def arms(report):
    return [report["deadlock"][arm] for arm in deadlock.ARMS]


def of_found(show):
    """Apply SHOW to the deadlock of an arm, if there is one."""
    return lambda arm: show(arm["deadlock"]) if arm["deadlock"] else "-"


def kilobytes(n):
    return f"{n / 1000:.1f} kB"


def begun(found):
    who = found["trigger"]
    return f"{host(who['peer_mac'])} at port {who['ifname']}" \
        if who["host"] else f"switch {who['switch']}"


def rows():
    """(label, text of an arm); page.py has the same table."""
    for label, when in (("before", "before_mbit"), ("with host 5 slow", "slow_mbit"),
                        ("with it well again", "after_mbit")):
        yield f"throughput {label}", lambda a, when=when: \
            f"{together(a, when):.1f} Mbit/s"
    yield "waits in switches then", lambda a: kilobytes(a["waiting_bytes"])
    yield "deadlocks found", lambda a: number(a["deadlocks"])
    yield "found after", of_found(lambda d: number(d["found_us"], " us"))
    yield "initial trigger", of_found(begun)
    yield "freed by parking", of_found(lambda d: kilobytes(d["parked_bytes"]))
    yield "dropped by switches", lambda a: number(sum(a["dropped_others"].values()))
    yield "dropped by host 5", lambda a: number(a["dropped_slow"])


def table(report):
    return w.table("Deadlock: hosts 1 to 4", HEADS, arms(report), rows())


def words(report):
    """The result in sentences."""
    params = report["deadlock"]["params"]
    off, freed = arms(report)
    yield f"Host 5 stood still for {params['stopped_s']} s and then took " \
        f"{params['little_mbit']} of the {params['slow_mbit']} Mbit/s it is sent. " \
        "First all waited for host 5, then four switches for each other: hosts 1 to " \
        f"4 got {together(off, 'slow_mbit'):.1f} of " \
        f"{together(off, 'before_mbit'):.1f} Mbit/s, and " \
        f"{together(off, 'after_mbit'):.1f} when host 5 was well again."
    found = freed["deadlock"]
    if not found:
        return
    yield f"With detection the deadlock was found {number(found['found_us'])} us after " \
        f"the last pause of the loop began, with {begun(found)} as the one who had " \
        f"begun it. Parking {kilobytes(found['parked_bytes'])} freed it; switches " \
        f"dropped {number(sum(freed['dropped_others'].values()))} packets."
    if found["resolved"]:
        yield "Host 5 was quarantined until it was well, and dropped " \
            f"{number(freed['dropped_slow'])} packets that it had no room for. While " \
            f"it was still slow the others got {together(freed, 'slow_mbit'):.1f} " \
            "Mbit/s, as they caught up on what they had not been able to send."


def rate_failures(name, arm):
    """Compare rates with those before the deadlock in the same run."""
    for who, before in arm["before_mbit"].items():
        slow, after = arm["slow_mbit"][who], arm["after_mbit"][who]
        if name == "off" and slow > w.STALLED * before:
            yield f"{who} had {slow} of {before} Mbit/s: nothing to be cured"
        if name == "off" and after:
            yield f"{who} got packets again, it was no deadlock"
        if name == "lossless" and slow < w.WELL * before:
            yield f"{who} had only {slow} of {before} Mbit/s"
        if name == "lossless" and after < w.WELL * before:
            yield f"{who} had only {after} of {before} Mbit/s when host 5 was well"


def deadlock_failures(arm):
    """Check the deadlock that must be found and broken."""
    found = arm["deadlock"]
    if not found:
        yield f"{arm['deadlocks']} deadlocks found, not one"
        return
    if not found["whole"] or found["switches"] != SWITCHES:
        yield f"the loop is said to be of switches {found['switches']}"
    if found["cure"] != "parked":
        yield f"it was not freed by parking: {found['cure']}"
    who = found["trigger"]
    if not who["host"] or who["ifname"] != arm["slow_port"]:
        yield f"{begun(found)} is said to have begun, it was host 5"
    if not found["resolved"] or arm["quarantine"]["times"] != 1:
        yield f"host 5 was quarantined {arm['quarantine']['times']} times, not once"
    if not arm["quarantine"]["over"]:
        yield "host 5 is well, and quarantined for all that"


def failures(report):
    """Contradictions to the point of the deadlock act."""
    for name, arm in zip(deadlock.ARMS, arms(report)):
        bad = list(rate_failures(name, arm))
        bad += [f"dropped: {place} {n}" for place, n in arm["dropped_others"].items()]
        if name == "lossless":
            bad += deadlock_failures(arm)
        elif arm["deadlocks"] or arm["dropped_slow"]:
            bad.append("somebody was looking for deadlocks")
        yield from (f"deadlock, {name}: {line}" for line in bad)
