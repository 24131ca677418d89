#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints report.json as a table and says whether the demo showed its point.

Usage: verdict.py DIR

Exit status: 0; 1 the lossless switch lost something, or a lossy one nothing; or the
storm hurt nobody, or hurt others in spite of losslessd, or losslessd has not named who
it was.
"""
import json
import sys

ARMS = ("stock", "lossy", "lossless")
HEADS = ("stock bridge, tbf", "ours, PFC off", "ours, PFC on")
STORM_ARMS = ("without", "with")
STORM_HEADS = ("without watchdog", "with losslessd")
STALLED = 0.1  # of the throughput before
WELL = 0.9


def number(value, unit=""):
    """What was not measured is a dash, never 0."""
    if value is None:
        return "-"
    return f"{value:,}".replace(",", " ") + unit


def size(text):
    """As tc takes it, for readers: 350k is 350 KB."""
    return f"{text[:-1]} {text[-1].upper()}B"


def drops(arm):
    where = [f"{place} {n}" for place, n in arm["dropped_by"].items() if n]
    return ", ".join(where) or "none"


def paused(arm):
    if not arm["paused_ms"]:
        return "-"
    return " / ".join(number(ms) for ms in arm["paused_ms"].values())


def frames(arm):
    if arm["pfc_tx"] is None:
        return "-"
    return f"{number(arm['pfc_tx'])} / {number(arm['pfc_rx'])}"


def rows(traffic):
    """(label, text of an arm); page.py has the same table."""
    yield "packets dropped, everywhere", lambda a: number(a["dropped_pkts"])
    if traffic == "roce":
        yield "out-of-sequence requests", lambda a: number(a["out_of_seq"])
        yield "sender retries", lambda a: number(a["completer_retry"])
        yield "packets sent / needed", lambda a: \
            f"{number(a['sent_pkts'])} / {number(a['needed_pkts'])}"
    else:
        yield "retransmits", lambda a: number(a["retransmits"])
    yield "completion time", lambda a: f"{a['completion_s']:.2f} s"
    yield "goodput", lambda a: f"{a['goodput_mbit']:.1f} Mbit/s"
    yield "PFC frames sent / received", frames
    yield "ms paused, host 1 / 2 / 3", paused
    yield "peak queue of port p3", lambda a: \
        f"{a['peak_occupancy_bytes'] / 1024:.0f} KB"


def table(report):
    text = ""
    for traffic, title in (("roce", "RDMA (Soft-RoCE)"), ("tcp", "TCP")):
        arms = [report[f"{traffic}_incast"][arm] for arm in ARMS]
        text += f"{title:<28}" + "".join(f"{h:>20}" for h in HEADS) + "\n"
        for label, show in rows(traffic):
            text += f"  {label:<26}" + \
                "".join(f"{show(arm):>20}" for arm in arms) + "\n"
        text += "\n"
    return text


def together(arm, when):
    return sum(arm[when].values())


def host(peer):
    """The bed gives host number N the address 02:00:00:00:x:y of the bytes of N."""
    return f"host {int(peer[-5:].replace(':', ''), 16)}"


def culprit(arm):
    named = arm["culprit"]
    return f"{host(named['peer'])} at port {named['device']}" if named else "-"


def storm_rows():
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


def storm_table(report):
    arms = [report["storm"][arm] for arm in STORM_ARMS]
    text = f"{'Storm: hosts 3 and 4':<28}" + \
        "".join(f"{h:>24}" for h in STORM_HEADS) + "\n"
    for label, show in storm_rows():
        text += f"  {label:<26}" + "".join(f"{show(arm):>24}" for arm in arms) + "\n"
    return text + "\n"


def storm_words(report):
    """The same, in sentences."""
    without, watched = (report["storm"][arm] for arm in STORM_ARMS)
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


def ratio(report):
    arms = report["roce_incast"]
    return arms["lossless"]["goodput_mbit"] / arms["lossy"]["goodput_mbit"]


def words(report):
    """What was seen, in sentences."""
    roce, tcp = report["roce_incast"], report["tcp_incast"]
    ours, lossy = roce["lossless"], roce["lossy"]
    wasted = lossy["sent_pkts"] - lossy["needed_pkts"]
    share = ours["goodput_mbit"] / report["link_mbit"]
    return [
        f"Two hosts sent 26 MB each to a third over {report['link_mbit']} "
        f"Mbit/s links; the switch has {size(report['params']['buffer'])} "
        "of packet memory in every arm.",
        f"Without PFC the queue overflowed: {number(lossy['dropped_pkts'])} "
        f"drops, and RDMA, which goes back and sends again, put "
        f"{number(wasted)} surplus packets on the wire.",
        f"With PFC the switch paused the senders instead: "
        f"{number(ours['dropped_pkts'])} drops, "
        f"{number(ours['sent_pkts'] - ours['needed_pkts'])} surplus packets, "
        f"{ratio(report):.1f} times the goodput, {share:.0%} of the link.",
        f"TCP repairs its losses by itself: retransmits "
        f"{number(tcp['stock']['retransmits'])} / "
        f"{number(tcp['lossy']['retransmits'])} without PFC, "
        f"{number(tcp['lossless']['retransmits'])} with it.",
    ]


def storm_failures(report):
    """What contradicts the point of the storm. Rates are compared with those
    before, in the same run."""
    for name in STORM_ARMS:
        arm = report["storm"][name]
        if arm["failed"]:
            yield f"storm, {name}: failed: {', '.join(arm['failed'])}"
        for place, n in arm["dropped_others"].items():
            yield f"storm, {name}: dropped: {place} {n}"
        for who, before in arm["before_mbit"].items():
            got = arm["storm_mbit"][who]
            if name == "without" and got > STALLED * before:
                yield f"storm, without: {who} had {got} of {before} Mbit/s: " \
                    "nothing to be cured"
            if name == "with" and got < WELL * before:
                yield f"storm, with: {who} had only {got} of {before} Mbit/s"
            if name == "with" and arm["after_mbit"][who] < WELL * before:
                yield f"storm, with: {who} had only {arm['after_mbit'][who]} " \
                    f"of {before} Mbit/s after the repair"
    without, watched = (report["storm"][arm] for arm in STORM_ARMS)
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


def failures(report):
    """What contradicts the point of the demo. Rates of an emulated machine
    are not judged."""
    roce, tcp = report["roce_incast"], report["tcp_incast"]
    pcap = report["pfc_pcap"]
    for name, arms in (("roce", roce), ("tcp", tcp)):
        for kind, arm in arms.items():
            if arm["failed"]:
                yield f"{name}, {kind}: failed: {', '.join(arm['failed'])}"
        if arms["lossless"]["dropped_pkts"]:
            yield f"{name}, lossless: dropped: {drops(arms['lossless'])}"
    for kind in ("stock", "lossy"):
        for what in ("dropped_pkts", "out_of_seq"):
            if not roce[kind][what]:
                yield f"roce, {kind}: {what} is 0: nothing to be cured"
    ours = roce["lossless"]
    for what in ("out_of_seq", "completer_retry"):
        if ours[what]:
            yield f"roce, lossless: {what} is {ours[what]}"
    if ours["sent_pkts"] != ours["needed_pkts"]:
        yield f"roce, lossless: sent {ours['sent_pkts']} packets, " \
            f"needed {ours['needed_pkts']}"
    for what in ("pfc_tx", "pfc_rx"):
        if not ours[what]:
            yield f"roce, lossless: {what} is 0: it never paused"
    if pcap["malformed"] or not pcap["frames"]:
        yield f"pfc.pcap: {pcap['malformed']} of {pcap['frames']} frames are " \
            "not what tshark takes for PFC"
    odd = [q for q in pcap["quanta"] if
           q not in ("0", str(report["params"]["pause_quanta"]))]
    if odd:
        yield f"pfc.pcap: quanta {', '.join(odd)} were never configured"


def main():
    path = sys.argv[1]
    with open(f"{path}/report.json", encoding="utf-8") as file:
        report = json.load(file)
    print(table(report) + storm_table(report), end="")
    print("\n".join(words(report) + list(storm_words(report))))
    if ratio(report) < 1.5:
        print(f"Note: only {ratio(report):.1f} times the goodput: "
              "this machine was busy.")
    print(f"See {path}/report.html, report.json and pfc.pcap.")
    bad = list(failures(report)) + list(storm_failures(report))
    for line in bad:
        print(f"FAILED: {line}", file=sys.stderr)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
