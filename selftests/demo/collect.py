#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Summarizes the raw files of the guest in report.json.

Usage: collect.py RAW PFC STORM DEADLOCK KEY=VALUE... >report.json

RAW is the folder of guest.sh, PFC the fields of the PFC frames that tshark
prints, STORM the folder of storm.sh, DEADLOCK that of deadlock.sh. KEYs are
added to the report; a VALUE in JSON is parsed. Values that an arm cannot
measure are null.
"""
import csv
import json
import os
import sys

import deadlock
import storm
from files import failed, lines, load, samples

ARMS = ("stock", "lossy", "lossless")
TRAFFICS = ("roce", "tcp")


def span(table, traffic):
    """Indices of the first and last sample of the transfer: frames out of p3. Ignores
    the few frames of iperf3's control connection."""
    sent = table["p3/statistics/tx_bytes"]
    margin = 0 if traffic == "roce" else 8000
    first = max(i for i, n in enumerate(sent) if n <= sent[0] + margin)
    last = min(i for i, n in enumerate(sent) if n >= sent[-1] - margin)
    return first, last


def snmp(path):
    """Packets that IP and UDP dropped."""
    rows = [line.split() for line in lines(path)]
    found = {}
    for names, values in zip(rows[::2], rows[1::2]):
        found.update({names[0] + name: value
                      for name, value in zip(names[1:], values[1:])})
    return sum(int(found[name]) for name in
               ("Ip:InDiscards", "Ip:OutDiscards", "Udp:InErrors",
                "Udp:SndbufErrors"))


def outside(moment, traffic):
    """Counters of losses outside the qdiscs since boot."""
    links = load(moment, "link.sw.json")
    for i in (1, 2, 3):
        links += load(moment, f"link.r{i}.json")
    stats = [link["stats64"] for link in links]
    # with RDMA the three hosts share one IP stack
    hosts = (1,) if traffic == "roce" else (1, 2, 3)
    return {
        "softnet": sum(int(line.split()[1], 16)
                       for line in lines(moment, "softnet_stat")),
        "link_rx": sum(s["rx"]["dropped"] + s["rx"]["errors"] for s in stats),
        "link_tx": sum(s["tx"]["dropped"] + s["tx"]["errors"] for s in stats),
        "host_ip": sum(snmp(os.path.join(moment, f"snmp.{i}"))
                       for i in hosts),
    }


def dropped_by(arm_dir, qdiscs, traffic):
    """Drops by place; by reason for lossless ports of the switch."""
    by = {}
    for name, qdisc in qdiscs.items():
        place = "switch" if name.startswith("p") else "host"
        if place == "switch" and qdisc["kind"] == "lossless":
            for prio in qdisc["prios"]:
                for reason, n in prio["drops"].items():
                    key = f"switch_{reason}"
                    by[key] = by.get(key, 0) + n
        else:
            key = f"{place}_{qdisc['kind']}"
            by[key] = by.get(key, 0) + qdisc["drops"]
    before = outside(os.path.join(arm_dir, "before"), traffic)
    after = outside(os.path.join(arm_dir, "after"), traffic)
    by.update({place: after[place] - before[place] for place in after})
    return by


def rxe(arm_dir, hosts, counter):
    def read(moment, i):
        return int(dict(line.split() for line in
                        lines(arm_dir, moment, f"rxe{i}"))[counter])
    return sum(read("after", i) - read("before", i) for i in hosts)


def report_arm(arm_dir, traffic, params):
    table = samples(arm_dir)
    first, last = span(table, traffic)
    seconds = table["s"][last] - table["s"][first]
    qdiscs = {name: load(arm_dir, f"qdisc.{name}.json")[0]
              for name in ("p1", "p2", "p3", "r1", "r2", "r3")}
    ours = qdiscs["p3"]["kind"] == "lossless"
    prio = {name: q["prios"][params["prio"]] if ours else None
            for name, q in qdiscs.items()}

    def total(names, *fields):
        return sum(prio[name][f] for name in names for f in fields) \
            if ours else None

    arm = {"dropped_by": dropped_by(arm_dir, qdiscs, traffic)}
    arm["dropped_pkts"] = sum(arm["dropped_by"].values())
    messages = 2 * params["qps"] * params["messages"]
    payload = messages * params["message_bytes"]
    if traffic == "roce":
        arm["out_of_seq"] = rxe(arm_dir, (3,), "out_of_seq_request")
        arm["completer_retry"] = rxe(arm_dir, (1, 2), "completer_retry_err")
        arm["sent_pkts"] = rxe(arm_dir, (1, 2), "sent_pkts")
        arm["needed_pkts"] = payload // 4096
        received = rxe(arm_dir, (3,), "rdma_recvs") * params["message_bytes"]
    else:
        ends = [load(arm_dir, f"client{i}")["end"] for i in (1, 2)]
        arm["retransmits"] = sum(e["sum_sent"]["retransmits"] for e in ends)
        received = sum(e["sum_received"]["bytes"] for e in ends)
    arm["completion_s"] = round(seconds, 2)
    arm["goodput_mbit"] = round(received * 8e-6 / seconds, 1)
    arm["pfc_tx"] = total(("p1", "p2", "p3"), "tx_pause", "tx_resume")
    arm["pfc_rx"] = total(("r1", "r2", "r3"), "rx_pause", "rx_resume")
    arm["paused_ms"] = {
        f"host{i}": round(prio[f"r{i}"]["rx_pause_duration"] / 1000)
        for i in (1, 2, 3)} if ours else None
    arm["headroom_max_bytes"] = max(
        prio[p]["headroom_max"] for p in ("p1", "p2", "p3")) if ours else None
    # tbf has no high-water mark
    arm["peak_occupancy_bytes"] = prio["p3"]["backlog_max"] if ours else \
        max(table["backlog"])
    arm["failed"] = failed(arm_dir)
    return arm


def frames(path):
    """Rows of tshark's output, by the names of the fields."""
    return list(csv.DictReader(lines(path), delimiter="\t"))


def pfc_pcap(found):
    """The captured PFC frames, as an independent decoder reads them."""
    good = [f for f in found if f["macc.opcode"] == "0x0101" and
            f["eth.dst"] == "01:80:c2:00:00:01" and not f["_ws.malformed"]]
    quanta = {}
    for frame in good:
        enabled = int(frame["macc.cbfc.enbv"], 0)
        for prio in range(8):
            if enabled & 1 << prio:
                value = str(int(frame[f"macc.cbfc.pause_time.c{prio}"], 0))
                quanta[value] = quanta.get(value, 0) + 1
    return {"frames": len(found), "malformed": len(found) - len(good),
            "quanta": quanta}


def main():
    raw = sys.argv[1]
    report = {"link_mbit": None}
    for word in sys.argv[5:]:
        key, value = word.split("=", 1)
        if not value:
            sys.exit(f"collect.py: {key} has no value")
        try:
            report[key] = json.loads(value)
        except json.JSONDecodeError:
            report[key] = value
    params = load(raw, "params.json")
    for traffic in TRAFFICS:
        name = f"{traffic}_incast"
        report[name] = {arm: report_arm(os.path.join(raw, f"{name}.{arm}"),
                                        traffic, params) for arm in ARMS}
    report["link_mbit"] = int(params["link"].removesuffix("mbit"))
    report["storm"] = storm.report(sys.argv[3])
    report["deadlock"] = deadlock.report(sys.argv[4])
    report["pfc_pcap"] = pfc_pcap(frames(sys.argv[2]))
    report["params"] = params
    json.dump(report, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
