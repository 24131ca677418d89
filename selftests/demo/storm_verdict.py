# SPDX-License-Identifier: GPL-2.0
"""Result of the storm act: table, sentences, contradictions to its point."""
import storm
import words as w
from words import host, number, together

HEADS = ("without watchdog", "with losslessd")


def arms(report):
    return [report["storm"][arm] for arm in storm.ARMS]


def culprit(arm):
    named = arm["culprit"]
    return f"{host(named['peer'])} at port {named['device']}" if named else "-"


def rows():
    """(label, text of an arm); page.py has the same table."""
    for label, when in (("before", "before_mbit"), ("in the storm", "storm_mbit"),
                        ("after the repair", "after_mbit")):
        yield f"throughput {label}", lambda a, when=when: \
            f"{together(a, when):.1f} Mbit/s"
    yield "longest silence", lambda a: f"{max(a['silent_s'].values()):.2f} s"
    yield "storm detected after", lambda a: number(a["detect_ms"], " ms")
    yield "lossless again after", lambda a: number(a["restore_ms"], " ms")
    yield "dropped, to the dead NIC", lambda a: number(a["dropped_storm"])
    yield "dropped, anything else", lambda a: \
        number(sum(a["dropped_others"].values()))
    yield "culprit", culprit


def table(report):
    return w.table("Storm: hosts 3 and 4", HEADS, arms(report), rows())


def words(report):
    """The result in sentences."""
    without, watched = arms(report)
    yield "The receive pipeline of host 5 died, and its NIC paused the switch for " \
        f"as long as that lasted, {report['storm']['params']['storm_s']} s. Hosts " \
        "3 and 4 have nothing to do with host 5; they got " \
        f"{together(without, 'storm_mbit'):.1f} of " \
        f"{together(without, 'before_mbit'):.1f} Mbit/s."
    yield f"With losslessd they got {together(watched, 'storm_mbit'):.1f} of " \
        f"{together(watched, 'before_mbit'):.1f} Mbit/s, and nothing for " \
        f"{max(watched['silent_s'].values()):.2f} s at most: the storm was detected " \
        f"after {number(watched['detect_ms'])} ms."
    if watched["culprit"]:
        yield culprit_words(watched)


def culprit_words(arm):
    named = arm["culprit"]
    return f"losslessd named the culprit: {host(named['peer'])} " \
        f"({named['peer']}) at port {named['device']}, " \
        f"{named['pause_frames_per_s']:.0f} pause frames/s, paused " \
        f"{named['paused_share']:.0%} of the time."


def failures(report):
    """Contradictions to the point of the act, by rates before the storm."""
    for name in storm.ARMS:
        arm = report["storm"][name]
        if arm["failed"]:
            yield f"storm, {name}: failed: {', '.join(arm['failed'])}"
        for place, n in arm["dropped_others"].items():
            yield f"storm, {name}: dropped: {place} {n}"
        for who, before in arm["before_mbit"].items():
            got = arm["storm_mbit"][who]
            if name == "without" and got > w.STALLED * before:
                yield f"storm, without: {who} had {got} of {before} Mbit/s: " \
                    "nothing to be cured"
            if name == "with" and got < w.WELL * before:
                yield f"storm, with: {who} had only {got} of {before} Mbit/s"
            if name == "with" and arm["after_mbit"][who] < w.WELL * before:
                yield f"storm, with: {who} had only {arm['after_mbit'][who]} " \
                    f"of {before} Mbit/s after the repair"
    without, watched = arms(report)
    if without["storms"] or without["dropped_storm"]:
        yield "storm, without: somebody was watching"
    if watched["storms"] != 1:
        yield f"storm, with: detected {watched['storms']} times, not once"
    if watched["restore_ms"] is None:
        yield "storm, with: not lossless again, or more than once"
    named, dead = watched["culprit"], watched["dead"]
    if not named:
        yield "storm, with: losslessd has named nobody, or several"
    elif {key: named[key] for key in dead} != dead:
        yield f"storm, with: losslessd has named {named['peer']} at " \
            f"{named['device']}, it was {dead['peer']} at {dead['device']}"
