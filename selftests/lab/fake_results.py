# SPDX-License-Identifier: GPL-2.0
"""Results of runs that never were: a tree of switches, and a ring that deadlocks."""
import json
import pathlib

from lle_lab import results

START = 100_000_000     # ns
RING = (1, 2, 3, 4)


def write(folder, **files):
    """Writes files into a folder, which is made; name_csv is name.csv. Returns the folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        text = text if isinstance(text, str) else json.dumps(text)
        stem, _, suffix = name.rpartition("_")
        (folder / (f"{stem}.{suffix}" if stem else name)).write_text(text, encoding="utf-8")
    return folder


def load(folder, **files):
    return results.load(write(folder, **files))


def result(**more):
    return {"scenario": "incast", "kernel": "6.1", "version": "0", "seed": 1, "keys": {"SEED": "1"},
            "virtual_s": 0.5, "cpu_s": 1, "run_cpu_s": 1, "memory_mb": 100, "packet_hops": 1000,
            "hops_per_cpu_s": 1000, "metrics": {}, "expected": [], "broken_bounds": []} | more


def testbed(switches, links):
    """testbed.json of switches with links between them, each with a host."""
    numbers = {name: n for n, name in enumerate(switches, 1)}
    ends = {name: [(f"h{numbers[name]}", "eth0", "edge")] for name in switches}
    for a, b in links:
        ends[a].append((b, None, "fabric"))
        ends[b].append((a, None, "fabric"))
    def dev(name, peer):
        return f"{name}p{1 + next(i for i, end in enumerate(ends[name]) if end[0] == peer)}"
    return {
        "switches": [{"name": name, "number": 10 + numbers[name], "ports": [
            {"dev": dev(name, peer), "role": role, "peer": peer,
             "peer_dev": peer_dev or dev(peer, name)} for peer, peer_dev, role in ends[name]]}
            for name in switches],
        "hosts": [{"name": f"h{n}", "address": f"10.0.0.{n}", "peer": name, "peer_dev": f"{name}p1"}
                  for name, n in numbers.items()]}


def stats(plan, paused_us=(), **counts):
    """stats.json; PAUSED_US: of ports of switches; COUNTS: {port: pauses that it has sent}"""
    paused_us = dict(paused_us)
    return {"qdiscs": [
        {"node": s["name"], "dev": p["dev"], "peer": p["peer"], "role": p["role"], "prios": [{
            "rx_pause_duration": paused_us.get(p["dev"], 0), "tx_pause": counts.get(p["dev"], 0),
            "ecn_marked": 0, "drops": {"bufmax_discard": 0}}]}
        for s in plan["switches"] for p in s["ports"]]}


def after(switch):
    return switch % 4 + 1


def ring(folder):
    """A run of 1 ms: the ports to the next switch, sNp2, are paused from 200 us, the last from
    230 us, until 400 us. Queues grow from 100 us."""
    # the numbers of switches are not those of their names
    plan = testbed([f"s{n}" for n in RING], [])
    for switch, n in zip(plan["switches"], RING):
        before = (n + 2) % 4 + 1
        switch["ports"] += [
            {"dev": f"s{n}p2", "role": "fabric", "peer": f"s{after(n)}",
             "peer_dev": f"s{after(n)}p3"},
            {"dev": f"s{n}p3", "role": "fabric", "peer": f"s{before}", "peer_dev": f"s{before}p2"}]
    rows = []
    for n in RING:
        paused = 230 if n == 4 else 200
        rows += [(at, f"s{n}p2", queue, 0, max(0, min(at, 400) - paused) * 1000)
                 for at, queue in ((0, 0), (100, 0), (150, 50_000), (paused, 90_000),
                                   (400, 90_000), (500, 0), (1000, 0))]
        rows += [(at, name, 0, 0, 0) for at in (0, 1000)
                 for name in (f"s{n}p1", f"s{n}p3", f"10.0.0.{n}")]
    text = "time_ns,port,queue,buffer,paused_ns,role\n" + "".join(
        f"{START + us * 1000},{port},{queue},{buffer},{ns},0\n"
        for us, port, queue, buffer, ns in sorted(rows, key=lambda row: row[0]))
    hops = [{"switch": 10 + n, "ingress": f"s{n}p3", "egress": f"s{n}p2"} for n in RING]
    write(f"{folder}/plan/arms/1", flows="storm 50000 10.0.0.1 3 20000 # dies\n"
          "0 1 10.0.0.1 10.0.0.2 3\n")
    deadlock = {"whole": True, "found_ns": START + 250_000, "closed_ns": START + 230_000,
                "cure": "parked", "loop": hops}
    return load(folder, testbed_json=plan, stats_json=stats(plan), timeline_csv=text,
                result_json=result(scenario="ring"), deadlocks_json=[deadlock],
                events_csv="time_ns,event,port,prio,since_ns,hops,trigger\n"
                           f"{START + 250_000},deadlock,12/2,3,{START + 200_000},4,11/2\n")
