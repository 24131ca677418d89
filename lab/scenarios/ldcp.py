#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Flows of scenarios about LDCP, and metrics from files in the folder of an
arm:

ldcp.py flows LOAD SIZE...   prints messages to host 1, of each SIZE in BDP
ldcp.py queue                from queue.csv
ldcp.py rates                from tcp.csv, or from bins.csv and flows.csv:
                             throughput of long flows, and its fairness
ldcp.py messages             completion times of messages, over those on an idle
                             path; unfinished messages, and overdue ones of them
ldcp.py fct                  completion times by size, of hosts of a fat tree
ldcp.py cdf                  lines "part of the time,queue in BDP", for a plot
ldcp.py below_100k           lines "part of the messages,us" of small messages

RATE, RTT, S, FLOWS, HOSTS, SEED, BUFFER are keys of the scenario. The first
FLOWS flows are long ones. Messages begin at random, one at a time with LOAD 0,
at the hosts after those of long flows, in turn. The first third of the time does
not count, except for rates of TCP.
"""
import csv
import os
import random
import re
import sys

FRAME, ACK = 1538, 90           # bytes of a packet and an ACK of TCP on a link
PAYLOAD = {True: 1448, False: 1440}     # of TCP, of RoCEv2
OVERHEAD = {True: 90, False: 82}
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "k": 1e3, "m": 1e6, "g": 1e9}
TEXT = ("src", "dst", "verb")     # columns of flows.csv
QUIET_RTTS = 100                # between two messages of LOAD 0
OVERDUE = 100                   # times the time of a message on an idle path
SIZES = ((0, 100e3, "below_100k"), (100e3, 1e6, "100k_to_1m"), (1e6, 1e18, "from_1m"))


def quantity(name):
    """Parses a rate or a time of tc(8): bit/s or s."""
    number, unit = re.match(r"([\d.]+)([a-z]+)", os.environ[name]).groups()
    return float(number) * UNITS[unit.removesuffix("bit")]


def bdp():
    return quantity("RATE") * quantity("RTT") / 8


def packets(size):
    return -(-size // PAYLOAD[is_tcp()])


def is_tcp():
    return os.path.exists("tcp.csv")


def rows():
    """Flows, with numbers in all columns but those of TEXT."""
    with open("tcp.csv" if is_tcp() else "flows.csv", encoding="ascii") as file:
        return [{key: value if key in TEXT else int(value)
                 for key, value in row.items()} for row in csv.DictReader(file)]


def quantile(values, part):
    """The value below which a part of the sorted values lies."""
    return values[min(int(len(values) * part), len(values) - 1)]


def address(host):
    return f"10.0.{host // 256}.{host % 256}"


def flows(load, sizes):
    rng = random.Random(int(os.environ["SEED"]))
    first, hosts = int(os.environ["FLOWS"]) + 2, int(os.environ["HOSTS"])
    end_ns = float(os.environ["S"]) * 1e9
    at_ns = number = 0
    while True:
        size = sizes[number % len(sizes)]
        payload = max(1, round(size * bdp() / FRAME)) * 1448
        if load:
            at_ns += rng.expovariate(load / (size * quantity("RTT") * 1e9))
        else:
            at_ns += (QUIET_RTTS + rng.random() + 2 * size) * quantity("RTT") * 1e9
        if at_ns >= end_ns:
            return
        host = first + number % (hosts - first + 1)
        print(f"{at_ns:.0f} {payload} {address(host)} {address(1)} 3")
        number += 1


def samples():
    with open("queue.csv", encoding="ascii") as file:
        queue = [int(row[-1]) for row in list(csv.reader(file))[1:]]
    return sorted(queue[len(queue) // 3:])


def queue():
    values = samples()
    if not values:
        return
    for name, part in ("p50", 0.5), ("p99", 0.99):
        value = quantile(values, part)
        print(f"queue_{name}_kb {value / 1e3:.3f}\nqueue_{name}_bdp {value / bdp():.4f}")


def received():
    """Payload of each flow, and the seconds in which it was received."""
    if is_tcp():
        return [row["received"] for row in rows()], float(os.environ["S"])
    with open("bins.csv", encoding="ascii") as file:
        starts, *lines = csv.reader(file)
    skip = 1 + len(starts) // 3         # 1: the column of names
    taken = [sum(int(n) for n in line[skip:]) for line in lines]
    return taken, (len(starts) - skip) * int(starts[2]) * 1e-9


def rates():
    everything, seconds = received()
    taken = everything[:int(os.environ["FLOWS"])]
    payload = PAYLOAD[is_tcp()]
    link = quantity("RATE") / 8 * seconds * payload / (payload + OVERHEAD[is_tcp()])
    if not link:
        return
    used = sum(taken) / link
    others = sum(everything[len(taken):]) / link
    print(f"utilisation {used:.4f}")
    if others:
        print(f"messages_load {others:.4f}")
        if others < 1:
            print(f"kept {used / (1 - others):.4f}")
    if sum(taken):
        print(f"jain {sum(taken) ** 2 / len(taken) / sum(n * n for n in taken):.4f}")


def took_ns(row):
    """Time of a message, of RDMA until its sender's ACK; -1: not yet."""
    done_ns = row["last_ns" if is_tcp() else "acked_ns"]
    return done_ns if done_ns < 0 else done_ns - row["start_ns"]


def ideal_ns(size, links):
    """The first packet passes all links, the others follow, an ACK returns."""
    frame_s = FRAME * 8 / quantity("RATE")
    ack_s = ACK * 8 / quantity("RATE")
    delay_s = round((quantity("RTT") - 2 * (frame_s + ack_s)) / 4 * 1e9) / 1e9
    wire_s = (size + packets(size) * OVERHEAD[is_tcp()]) * 8 / quantity("RATE")
    first_s = min(frame_s, wire_s)
    back_s = 0 if is_tcp() else links * (delay_s + ack_s)
    return 1e9 * (links * delay_s + (links - 1) * first_s + wire_s + back_s)


def messages():
    done, unfinished, overdue = {}, 0, 0
    for row in rows()[int(os.environ["FLOWS"]):]:
        took, ideal = took_ns(row), ideal_ns(row["size"], 2)
        if took < 0:
            unfinished += 1
            overdue += row["start_ns"] + OVERDUE * ideal < float(os.environ["S"]) * 1e9
            continue
        done.setdefault(row["size"], []).append((took, took / ideal))
    print(f"messages {sum(map(len, done.values()))}\nunfinished {unfinished}\noverdue {overdue}")
    if done:
        least = min(over for group in done.values() for _, over in group)
        print(f"fct_over_ideal.least {least:.3f}")
    asked = (os.environ.get("SIZES") or os.environ["SIZE"]).split(",")
    for size in sorted(done):
        # a size in whole packets may differ from 0.1 BDP; it is called 0_1
        part_bdp = size / 1448 * FRAME / bdp()
        name = min(asked, key=lambda size, is_bdp=part_bdp: abs(float(size) - is_bdp))
        name = name.replace(".", "_")
        took, over = (sorted(values) for values in zip(*done[size]))
        for which, part in ("p50", 0.5), ("p99", 0.99):
            print(f"fct_us.bdp_{name}.{which} {quantile(took, part) / 1e3:.3f}")
            print(f"fct_over_ideal.bdp_{name}.{which} {quantile(over, part):.3f}")


def fct():
    done, unfinished = {name: [] for _, _, name in SIZES}, 0
    for row in rows():
        took = took_ns(row)
        if took < 0:
            unfinished += 1
            continue
        name = next(name for low, high, name in SIZES if low <= row["size"] < high)
        done[name].append(took / 1e3)
    print(f"unfinished {unfinished}")
    for name, values in done.items():
        values.sort()
        if values:
            print(f"flows.{name} {len(values)}\nfct_us.{name}.mean {sum(values) / len(values):.3f}")
            for which, part in ("p50", 0.5), ("p99", 0.99):
                print(f"fct_us.{name}.{which} {quantile(values, part):.3f}")


def below_100k():
    values = sorted(took_ns(row) / 1e3 for row in rows()
                    if took_ns(row) >= 0 and row["size"] < 100000)
    for i, value in enumerate(values, 1):
        print(f"{i / len(values):.4f},{value}")


def cdf():
    values = samples()
    for i in range(1001):
        print(f"{i / 1000},{quantile(values, i / 1000) / bdp():.4f}")


def main():
    what, *arguments = sys.argv[1:]
    if what == "flows":
        flows(float(arguments[0]), [float(size) for size in arguments[1:]])
    else:
        {"queue": queue, "rates": rates, "messages": messages, "fct": fct,
         "below_100k": below_100k, "cdf": cdf}[what]()


main()
