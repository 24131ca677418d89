# SPDX-License-Identifier: GPL-2.0
"""Evaluates deadlock.sh: a slow host makes switches wait for each other."""
import files
import runs

ARMS = ("off", "lossless")  # values of the option deadlock
SLOW = "h5"
# hosts that do not need the slow host, and the switch ports to them
OTHERS = {f"host {i}": f"s{i}p1" for i in (1, 2, 3, 4)}
SETTLE_S = 0.5  # between a change and the first rate


class Run(runs.Run):
    """One of the two runs; time 0 is when host 5 stops to receive."""

    def __init__(self, raw, arm):
        super().__init__(raw, arm, OTHERS, "lossless/prio3/tx_bytes")
        self.history = files.load(self.dir, "history.json")

    def found(self):
        """Times at which deadlocks were found, in seconds."""
        return [self.relative(d["found_ns"]) for d in self.history]


def drops(stats):
    """Packets dropped by the slow host, and drops at all other places."""
    return runs.drops(stats, lambda qdisc, reason: qdisc["node"] == SLOW)


def deadlock(history):
    """The deadlock and its cure, or None unless exactly one was found."""
    if len(history) != 1:
        return None
    found = {key: history[0][key] for key in
             ("bytes", "cure", "parked_bytes", "resolved", "whole", "trigger")}
    found["switches"] = sorted(hop["switch"] for hop in history[0]["loop"])
    found["formed_ms"] = round((history[0]["closed_ns"] -
                                history[0]["formed_ns"]) / 1e6, 1)
    found["found_us"] = round((history[0]["found_ns"] -
                               history[0]["closed_ns"]) / 1e3)
    return found


def quarantine(watchdog, port):
    """How often the host at PORT was quarantined, and whether that is over."""
    found = next((w for w in watchdog if w["ifname"] == port and w["quarantined"]), None)
    return {"times": found["quarantined"], "over": found["status"] == "operational"} \
        if found else {"times": 0, "over": True}


def report_arm(raw, arm):
    run = Run(raw, arm)
    stats = files.load(run.dir, "stats.json")
    # of the slow phase only the last second: pauses need time to spread
    windows = {"before_mbit": (-1, 0),
               "slow_mbit": (run.marks["well"] - 1, run.marks["well"]),
               "after_mbit": (run.marks["well"] + SETTLE_S, run.marks["over"])}
    found = {name: {who: round(run.mbit(who, *window), 3) for who in OTHERS}
             for name, window in windows.items()}
    found["waiting_bytes"] = sum(prio["backlog_bytes"] for prio in
                                 files.load(run.dir, "prios.json"))
    found["slow_port"] = runs.edge_port(stats, SLOW)
    found["deadlocks"] = len(run.history)
    found["deadlock"] = deadlock(run.history)
    found["quarantine"] = quarantine(files.load(run.dir, "watchdog.json"),
                                   found["slow_port"])
    found["dropped_slow"], found["dropped_others"] = drops(stats)
    return found


def report(raw):
    found = {arm: report_arm(raw, arm) for arm in ARMS}
    found["params"] = files.load(raw, "params.json")
    return found
