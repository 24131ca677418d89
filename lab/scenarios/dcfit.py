#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Metrics of scenarios with deadlocks, from files in the current folder:

dcfit.py found NAME         from runs.json: deadlocks, and when they were found
dcfit.py together PORT...   from pauses.csv: runs in which neighbours paused all
                            of these ports at one time
"""
import csv
import json
import os
import re
import sys

PRIO = 3
FRAME_BITS = 84 * 8     # of a message, with preamble, FCS and gap
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "k": 1e3, "m": 1e6, "g": 1e9}


def quantity(text):
    """Parses a rate or a time of tc(8): bit/s or ns."""
    number, unit = re.match(r"([\d.]+)([a-z]+)", text).groups()
    return float(number) * UNITS[unit.removesuffix("bit")]


def hop_us():
    """Time of a message from one switch to the next."""
    return (FRAME_BITS * 1e9 / quantity(os.environ["RATE"]) +
            quantity(os.environ["DELAY"])) / 1e3


def since(pauses, port, direction):
    """When the present pause of a port began."""
    return next(p["since_ns"] for p in pauses if
                (p["ifname"], p["direction"], p["prio"]) == (port, direction, PRIO))


def closing(deadlock, pauses):
    """When the last pause of the loop was decided, and when it arrived; packets go from
    the egress of a hop to the ingress of the next."""
    loop = deadlock["loop"]
    return max((since(pauses, hop["ingress"], "tx"),
                since(pauses, loop[n - 1]["egress"], "rx"))
               for n, hop in enumerate(loop))


def trigger_is(deadlock):
    trigger = deadlock["trigger"]
    if trigger["host"]:
        return "host"
    on_loop = any((hop["switch"], hop["ingress_slot"]) == (trigger["switch"], trigger["slot"])
                  for hop in deadlock["loop"])
    return "on_loop" if on_loop else "out_of_loop"


def first_pauses():
    """Times and ports of pauses in pauses.csv, sent and received, in order."""
    if not os.path.exists("pauses.csv"):
        return []
    with open("pauses.csv", encoding="ascii") as file:
        return [(int(pause["time_us"]) * 1e3, pause["port"]) for pause in csv.DictReader(file)
                if pause["event"] == "pause" and int(pause["prio"]) == PRIO]


def is_first(deadlock, run, pauses):
    """Is the trigger the port of the first pause of the run, sent or received?"""
    # times are whole microseconds
    first = next(port for at_ns, port in pauses if at_ns > run["start_ns"] - 1e3)
    return deadlock["trigger"]["ifname"] == first


def arrays(name, values):
    for n, value in enumerate(values):
        print(f"{name}.{n} {value:.3f}")
    if values:
        print(f"{name}_mean {sum(values) / len(values):.3f}")
        print(f"{name}_max {max(values):.3f}")


def found(name):
    closed, decided, received, rounds, hops = [], [], [], [], []
    triggers = dict.fromkeys(("on_loop", "out_of_loop", "host"), 0)
    missed = duplicates = declared = runs = unknown = first = 0
    pauses = first_pauses()
    with open("runs.json", encoding="ascii") as file:
        for line in file:
            run = json.loads(line)
            runs += 1
            deadlocks = [d for d in run["deadlocks"] if d["found_ns"] > run["start_ns"]]
            declared += len(deadlocks)
            missed += not deadlocks
            duplicates += sum(d["duplicates"] for d in deadlocks)
            for deadlock in deadlocks:
                triggers[trigger_is(deadlock)] += 1
                first += bool(pauses) and is_first(deadlock, run, pauses)
                if not deadlock["whole"]:
                    unknown += 1
                    continue
                tx_ns, rx_ns = closing(deadlock, run["pauses"])
                hops.append(len(deadlock["loop"]))
                closed.append((tx_ns - run["start_ns"]) / 1e3)
                decided.append((deadlock["found_ns"] - tx_ns) / 1e3)
                received.append((deadlock["found_ns"] - rx_ns) / 1e3)
                rounds.append(received[-1] / hops[-1] / hop_us())
    print(f"runs {runs}\ndeclared {declared}\nmissed {missed}\nduplicates {duplicates}")
    print(f"loops_unknown {unknown}\nt_hop_us {hop_us():.4f}")
    for where, number in triggers.items():
        print(f"trigger_{where} {number}")
    if pauses:
        print(f"trigger_first {first}")
    if hops:
        print(f"hops {max(hops)}\nclosed_after_us_min {min(closed):.3f}")
    arrays(f"{name}_us", received)
    arrays(f"{name}_decided_us", decided)
    arrays(f"{name}_rounds", rounds)


def together(*ports):
    period_us = int(os.environ["PERIOD"]) / 1e3
    paused, first, runs = set(), None, set()
    with open("pauses.csv", encoding="ascii") as file:
        for pause in csv.DictReader(file):
            time_us = int(pause["time_us"])
            first = time_us - period_us / 4 if first is None else first
            if pause["direction"] != "rx" or int(pause["prio"]) != PRIO:
                continue
            if pause["event"] == "pause":
                paused.add(pause["port"])
            else:
                paused.discard(pause["port"])
            if paused.issuperset(ports):
                runs.add(int((time_us - first) / period_us))
    print(f"together {len(runs)}")


if __name__ == "__main__":
    {"found": found, "together": together}[sys.argv[1]](*sys.argv[2:])
