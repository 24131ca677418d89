#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Runs cases of which results of other simulators are stored, and compares them.

Usage: crossval.py [CASE...]    "metric CASE.QUANTITY VALUE" for each, for lab/figures

Stored are results of HPCC's ns-3 (alibaba-edu/High-Precision-Congestion-Control 9f4be2a; built
with times rounded to 1 ns, where it truncates them, and at most one CNP of a flow in 50 us) and of
htsim_roce (Broadcom/csg-htsim 841d9e7; pauses with its built-in topology, as those of a .topo file
take no time). Frames have 1050 bytes on a link in all.
"""
import collections
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
OUT = TOP / "out/crossval"
CONFIG = {
    "ENABLE_QCN": 0, "PACKET_PAYLOAD_SIZE": 1002, "CC_MODE": 1, "ALPHA_RESUME_INTERVAL": 55,
    "RATE_DECREASE_INTERVAL": 4, "CLAMP_TARGET_RATE": 1, "RP_TIMER": 55, "EWMA_GAIN": 0.00390625,
    "FAST_RECOVERY_TIMES": 4, "RATE_AI": "50Mb/s", "RATE_HAI": "50Mb/s", "MIN_RATE": "100Mb/s",
    "L2_ACK_INTERVAL": 1, "HAS_WIN": 0, "ACK_HIGH_PRIO": 1, "BUFFER_SIZE": 4}
MARKS = "{0} 100000000000 {1} 400000000000 {1}"
DCQCN = {"ENABLE_QCN": 1, "KMIN_MAP": MARKS.format(2, 100), "KMAX_MAP": MARKS.format(2, 400),
         "PMAX_MAP": MARKS.format(2, 0.2)}
STEP = DCQCN | {"KMAX_MAP": MARKS.format(2, 100), "PMAX_MAP": MARKS.format(2, 1.0)}
ARGS = "htsim_roce -mtu 986 -queue_type lossless_input -pfc_thresholds 80 100\n"
PACKET = 1002
BEGIN_NS = 2 * 10**9


def links(hosts, switches, found):
    """topology.txt: links are (node, node, Gbit/s), of 1 us."""
    names = range(hosts, hosts + switches)
    lines = [f"{hosts + switches} {switches} {len(found)}", " ".join(map(str, names))]
    return "\n".join(lines + [f"{a} {b} {gbps}Gbps 1000ns 0" for a, b, gbps in found]) + "\n"


def star(hosts, slow=None):
    """slow: a host of 1 Gbit/s"""
    return links(hosts, 1, [(n, hosts, 1 if n == slow else 100) for n in range(hosts)])


def flows(*found):
    """flow.txt: flows are (from, to, bytes), and a priority and a start in ns."""
    lines = [str(len(found))]
    for src, dst, size, *more in found:
        prio, start = more or (3, 0)
        lines.append(f"{src} {dst} {prio} 100 {size} {(BEGIN_NS + start) / 1e9:.9f}")
    return "\n".join(lines) + "\n"


def incast(senders, packets, gap_ns=0):
    return flows(*((n, 0, packets * PACKET, 3, (n - 1) * gap_ns) for n in range(1, senders + 1)))


def leaf_spine(racks, hosts, spine_gbps=400):
    every = racks * hosts
    return links(every, racks + 1, [(n, every + n // hosts, 100) for n in range(every)] +
                 [(every + n, every + racks, spine_gbps) for n in range(racks)])


def htsim(hosts):
    """A .topo of two racks."""
    return (f"Nodes {2 * hosts}\nTiers 2\nPodsize {2 * hosts}\n"
            f"Tier 0\nDownlink_speed_Gbps 100\nRadix_Down {hosts}\nRadix_Up 1\n"
            f"Downlink_Latency_ns 1000\nSwitch_Latency_ns 0\nOversubscribed {hosts}\n"
            "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nDownlink_Latency_ns 1000\n"
            "Switch_Latency_ns 0\n")


def matrix(nodes, *pairs):
    lines = [f"{a}->{b} id {n} start 0 size 986000" for n, (a, b) in enumerate(pairs, 1)]
    return "\n".join([f"Nodes {nodes}", f"Connections {len(pairs)}", *lines]) + "\n"


def web_search():
    lines = (HERE / "web-search").read_text().splitlines()
    return "\n".join([str(len(lines)), *lines]) + "\n"


# config: of CONFIG, or arguments; seeds: how many; stored: {quantity: (value, tolerance)}, None: any
Case = collections.namedtuple("Case", "topology flows config seeds stored")


def case(topology, found, config=None, seeds=1, **stored):
    return Case(topology, found, config or {}, seeds, stored)


def alone(topology, dst, size, fct_ns):
    return case(topology, flows((0, dst, size)), fct_ns=(fct_ns, 0))


PER_CENT = 0.01
TREE = links(4, 3, [(0, 4, 100), (1, 4, 100), (2, 5, 100), (3, 5, 100), (4, 6, 400), (5, 6, 400)])
CASES = {
    "one-1": alone(star(2), 1, PACKET, 4178),
    "one-10": alone(star(2), 1, 10 * PACKET, 4934),
    "one-1000": alone(star(2), 1, 1000 * PACKET, 88094),
    "one-20000": alone(star(2), 1, 20000 * PACKET, 1684094),
    "one-odd": alone(star(2), 1, 124707, 14551),
    "far-1": alone(TREE, 3, PACKET, 8222),
    "far-1000": alone(TREE, 3, 1000 * PACKET, 92138),
    "incast-2": case(star(3), incast(2, 2000), fct_mean_us=(340.05, PER_CENT),
                     pauses=(48, 0.1)),
    "incast-8": case(star(9), incast(8, 1000), fct_mean_us=(671.1, PER_CENT), pauses=(192, 0.1)),
    "incast-8-staggered": case(star(9), incast(8, 1000, 10007), fct_mean_us=(559.4, PER_CENT),
                               pauses=(124, 0.1)),
    "two-groups": case(star(3), flows((1, 0, 2000 * PACKET, 3, 0), (2, 0, 2000 * PACKET, 4, 0)),
                       fct_max_us=(340, PER_CENT), fct_min_us=(340, PER_CENT)),
    "slow-host": case(star(3, 2), flows((0, 2, 800 * PACKET), (1, 2, 800 * PACKET)),
                      pauses=(30, 0)),
    "web-search": case(leaf_spine(4, 4), web_search(), fct_sum_ms=(94.954, PER_CENT)),
    "dcqcn-2": case(star(3), incast(2, 100000, 10007), STEP, fct_mean_us=(17330, 0.03)),
    "dcqcn-8": case(star(9), incast(8, 20000, 10007), DCQCN, 6, fct_sum_ms=(126.7, 0.03),
                    pauses=(44, None)),
    "dcqcn-web-search": case(leaf_spine(4, 4), web_search(), DCQCN, 6, fct_sum_ms=(88.6, 0.03)),
    "htsim-1": case(htsim(2), matrix(4, (0, 3)), ARGS, fct_ns=(92272, 0)),
    "htsim-7": case(htsim(8), matrix(16, *((n, 0) for n in range(1, 8))), ARGS,
                    fct_max_us=(592.1, 0.001), pauses=(117, 0)),
}
LONG = "dcqcn-8", "dcqcn-web-search"


def run(name, seed):
    """Runs a case; returns its quantities."""
    found = CASES[name]
    folder = OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    config = found.config if isinstance(found.config, str) else "".join(
        f"{key} {value}\n" for key, value in (CONFIG | found.config).items())
    keys = []
    for key, text in ("TOPOLOGY", found.topology), ("FLOWS", found.flows), ("CONFIG", config):
        (folder / key).write_text(text)
        keys.append(f"{key}={folder / key}")
    done = subprocess.run([TOP / "lab/lle-lab", "run", "import", *keys, f"SEED={seed}"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          env=os.environ | {"LLE_LAB_OUT": str(folder), "LLE_LAB_PAGE": "no"})
    if done.returncode:
        sys.exit(f"{name}: {done.stdout[-2000:]}")
    files = folder / "import/latest/hpcc"
    fct_ns = [int(line.split()[6]) for line in (files / "fct.txt").read_text().splitlines()]
    pauses = [line.split()[4] for line in (files / "pfc.txt").read_text().splitlines()]
    return {"fct_ns": fct_ns[0], "fct_min_us": min(fct_ns) / 1e3, "fct_max_us": max(fct_ns) / 1e3,
            "fct_mean_us": statistics.mean(fct_ns) / 1e3, "fct_sum_ms": sum(fct_ns) / 1e6,
            "pauses": pauses.count("1")}


def measured(name):
    """Means of the quantities that are stored, over all seeds."""
    runs = [run(name, seed) for seed in range(1, CASES[name].seeds + 1)]
    return {quantity: statistics.mean(found[quantity] for found in runs)
            for quantity in CASES[name].stored}


def main():
    for name in sys.argv[1:] or CASES:
        for quantity, value in measured(name).items():
            print(f"# metric {name}.{quantity} {value:.9g}", flush=True)


if __name__ == "__main__":
    main()
