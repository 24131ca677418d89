# SPDX-License-Identifier: GPL-2.0
"""fill(DIR) writes fake results of a demo, as few as its page needs."""
import json
import os

ARMS = {"stock": 20, "lossy": 25, "lossless": 90}  # goodput, Mbit/s
DEAD = {"device": "s2p2", "prio": 3, "peer": "02:00:00:00:00:05"}
TRIGGER = {"switch": 3, "slot": 1, "ifname": "s3p2", "host": True,
           "peer_mac": "02:00:00:00:00:05", "seq": 6}
FIELDS = ("frame.time_relative eth.src eth.dst macc.opcode macc.cbfc.enbv " +
          " ".join(f"macc.cbfc.pause_time.c{i}" for i in range(8)) + " _ws.malformed")
GRAPH = """digraph loop { node [style=filled, fillcolor="#f4a3a3", fontsize=11]
 a [label="switch 1"]; b [label="switch 2"]; a -> b -> a }"""


def incast(arm, traffic):
    lossless = arm == "lossless"
    found = {
        "dropped_by": {"switch_buf_discard": 0 if lossless else 9000}, "failed": [],
        "dropped_pkts": 0 if lossless else 9000, "completion_s": 400 / ARMS[arm],
        "goodput_mbit": ARMS[arm], "pfc_tx": 500 if lossless else 0,
        "pfc_rx": 500 if lossless else 0, "headroom_max_bytes": 0,
        "paused_ms": {f"host{i}": 0 for i in (1, 2, 3)}, "peak_occupancy_bytes": 10 ** 6}
    if traffic == "tcp":
        return {**found, "retransmits": 15}
    return {**found, "out_of_seq": 0 if lossless else 200, "needed_pkts": 1280,
            "completer_retry": 0, "sent_pkts": 1280 if lossless else 7000}


def of(hosts, mbit):
    return {f"host {i}": mbit for i in hosts}


def storm(watched):
    return {
        "before_mbit": of((3, 4), 20), "storm_mbit": of((3, 4), 19 if watched else 0),
        "after_mbit": of((3, 4), 20), "silent_s": of((3, 4), 0.1 if watched else 2.9),
        "spread_ms": {"host 5 pauses switch 2": 0, "switch 2 pauses switch 1": 23,
                      "switch 1 pauses host 1": 43, "switch 1 pauses host 2": 46},
        "storms": int(watched), "detect_ms": 100.1 if watched else None,
        "restore_ms": 200.2 if watched else None, "dead": DEAD, "failed": [],
        "culprit": {**DEAD, "pause_frames_per_s": 6, "paused_share": 1.0, "rx_packets": 0,
                    "message": "it comes from there"} if watched else None,
        "dropped_storm": 57 if watched else 0, "dropped_others": {}}


def deadlock(freed):
    found = {"bytes": 162000, "cure": "parked", "parked_bytes": 3000, "resolved": True,
             "whole": True, "trigger": TRIGGER, "switches": [1, 2, 3, 4],
             "formed_ms": 71.4, "found_us": 135}
    return {
        "before_mbit": of((1, 2, 3, 4), 20), "slow_port": "s3p2",
        "slow_mbit": of((1, 2, 3, 4), 24 if freed else 0),
        "after_mbit": of((1, 2, 3, 4), 21 if freed else 0), "waiting_bytes": 9000,
        "deadlocks": int(freed), "deadlock": found if freed else None,
        "quarantine": {"times": int(freed), "over": True},
        "dropped_slow": 997 if freed else 0, "dropped_others": {}}


REPORT = {
    "link_mbit": 100, "kernel": "6.1.0", "accelerator": "tcg",
    "pfc_pcap": {"frames": 4, "malformed": 0, "quanta": {"65535": 2, "0": 2}},
    "params": {"buffer": "1m", "xoff": "100k", "headroom": "350k", "qps": 4,
               "message_bytes": 65536, "sample_ms": 20, "pause_quanta": 65535},
    "storm": {"params": {"storm_s": 3, "flow_mbit": 16},
              "without": storm(False), "with": storm(True)},
    "deadlock": {"params": {"link_mbit": 100, "host_mbit": 25, "flow_mbit": 20,
                            "slow_mbit": 4, "little_mbit": 0.5, "stopped_s": 0.5},
                 "off": deadlock(False), "lossless": deadlock(True)},
    **{f"{traffic}_incast": {arm: incast(arm, traffic) for arm in ARMS}
       for traffic in ("roce", "tcp")},
}


def write(path, *lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(map(str, lines)) + "\n")


def samples(path, columns, seconds, rows):
    """A sample each 50 ms: the time in ns, then ROWS(second)."""
    names = [f"/sys/class/net/{name}" for name in columns]
    write(path, ",".join(["ns"] + names), *(
        ",".join(str(int(x)) for x in (i * 5e7, *rows(i / 20)))
        for i in range(int(20 * seconds))))


def fill(path):
    """Write the files that selftests/demo/page.py reads."""
    write(f"{path}/report.json", json.dumps(REPORT))
    frames = [f"{i / 100} 02:00:00:00:01:0{1 + i % 2} 01:80:c2:00:00:01 0x0101 0x0008 "
              f"0 0 0 {65535 * (i % 4 < 2)} 0 0 0 0 " for i in range(100)]
    write(f"{path}/pfc.tsv", *(line.replace(" ", "\t") for line in [FIELDS] + frames))
    for arm, mbit in ARMS.items():
        for traffic in ("roce", "tcp"):
            samples(f"{path}/raw/{traffic}_incast.{arm}/sample.csv",
                    ("p3/statistics/tx_bytes", "rxe3/hw_counters/rdma_recvs",
                     "p3/lossless/prio3/backlog", "r1/lossless/prio3/rx_pause_duration",
                     "r2/lossless/prio3/rx_pause_duration"), 420 / mbit,
                    lambda s, mbit=mbit: (
                        min(s, 400 / mbit) * mbit * 125e3,
                        min(s, 400 / mbit) * mbit * 125e3 // 65536,
                        500e3 + 500e3 * (int(s * 7) % 2), s * 4e5, s * 5e5))
    for arm, stalled in (("without", 3), ("with", 0.1)):
        run = f"{path}/storm/{arm}"
        write(f"{run}/marks", "died 1.0", "repaired 4.0", "over 5.5")
        samples(f"{run}/sample.csv", ("s1p3/statistics/tx_bytes", "s2p1/statistics/tx_bytes"),
                6, lambda s, stalled=stalled: [
                    2e6 * (s - min(max(s - 1, 0), stalled))] * 2)
        events = [{"event": "pause", "time_ns": at, "ifname": port, "direction": way,
                   "paused": paused}
                  for port, way in (("s2p2", "rx"), ("s1p4", "rx"), ("s1p1", "tx"))
                  for at, paused in ((1.02e9, [3]), (1e9 + 1e9 * stalled, []))]
        if arm == "with":
            events += [{"event": "storm", "status": "stormed", "time_ns": 1.1e9},
                       {"event": "storm", "status": "operational", "time_ns": 4.2e9}]
            write(f"{run}/losslessd.log", json.dumps({
                "time": "2026-01-01T00:00:17.973473Z", "event": "storm_detected",
                "message": "PFC Watchdog detected PFC storm on port s2p2, queue index 3"}))
        write(f"{run}/events", *map(json.dumps, events))
    for arm, stalled in (("off", 9), ("lossless", 0.6)):
        run = f"{path}/deadlock/{arm}"
        write(f"{run}/marks", "stopped 1.0", "slow 1.5", "well 4.5", "over 6.0")
        samples(f"{run}/sample.csv", [f"s{i}p1/lossless/prio3/tx_bytes" for i in range(1, 5)],
                7, lambda s, stalled=stalled: [
                    2.5e6 * (s - min(max(s - 1, 0), stalled))] * 4)
        write(f"{run}/history.json", json.dumps(
            [{"found_ns": 1.6e9}] if arm == "lossless" else []))
        write(f"{run}/graph", GRAPH)
        write(f"{run}/show", "deadlock 1.1 on priority 3: s1p3 -> s1p2 -> s2p2 -> s1p3; freed "
              "by parking 3000 bytes; it is over")
