#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints report.json as a table and judges whether the demo showed its point.

Usage: verdict.py DIR

Exit status: 0; 1 if one of these is wrong: the lossless switch drops nothing,
the lossy one does; the storm stalls victims, but not with losslessd, which
names its origin; the deadlock forms, is found, broken without loss, stays away.
"""
import json
import sys

import deadlock_verdict
import storm_verdict
import words as w
from words import number, size

ARMS = ("stock", "lossy", "lossless")
ACTS = (storm_verdict, deadlock_verdict)  # the second and the third act
HEADS = ("stock bridge, tbf", "ours, PFC off", "ours, PFC on")


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
    return "".join(
        w.table(title, HEADS, [report[f"{traffic}_incast"][arm] for arm in ARMS],
                rows(traffic), 20)
        for traffic, title in (("roce", "RDMA (Soft-RoCE)"), ("tcp", "TCP")))


def ratio(report):
    arms = report["roce_incast"]
    return arms["lossless"]["goodput_mbit"] / arms["lossy"]["goodput_mbit"]


def words(report):
    """The result in sentences."""
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


def failures(report):
    """Contradictions to the point of the act. The emulated machine limits rates."""
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
    print(table(report) + "".join(act.table(report) for act in ACTS), end="")
    print("\n".join(words(report) + [s for act in ACTS for s in act.words(report)]))
    if ratio(report) < 1.5:
        print(f"Note: only {ratio(report):.1f} times the goodput: "
              "this machine was busy.")
    print(f"See {path}/report.html, report.json and pfc.pcap.")
    bad = list(failures(report)) + [s for act in ACTS for s in act.failures(report)]
    for line in bad:
        print(f"FAILED: {line}", file=sys.stderr)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
