# SPDX-License-Identifier: GPL-2.0
"""Evaluates storm.sh: a NIC dies, and affects the other hosts."""
import files
import runs

ARMS = ("without", "with")
DEAD = "h5"
# victims: hosts that receive from host 2 only, and the switch ports to them
OTHERS = {"host 3": "s1p3", "host 4": "s2p1"}
# how pauses spread: each pause, and the port that receives or sends it
SPREAD = (("host 5 pauses switch 2", "s2p2", "rx"),
          ("switch 2 pauses switch 1", "s1p4", "rx"),
          ("switch 1 pauses host 1", "s1p1", "tx"),
          ("switch 1 pauses host 2", "s1p2", "tx"))
PRIO = 3
SETTLE_S = 0.5  # between a change and the first rate


class Run(runs.Run):
    """One of the two runs; time 0 is the death of the pipeline."""

    def __init__(self, raw, arm):
        super().__init__(raw, arm, OTHERS, "statistics/tx_bytes")
        self.repaired = self.marks["repaired"]
        self.over = self.marks["over"]
        self.events = files.json_lines(self.dir, "events")

    def silence(self, who):
        """The longest time without a packet after the death."""
        sent, longest, last = self.sent[who], 0, None
        for i in range(1, len(sent)):
            if self.seconds[i] > self.over:
                break
            if sent[i] != sent[i - 1]:
                if last is not None and self.seconds[i] > 0:
                    longest = max(longest, self.seconds[i] - last)
                last = self.seconds[i]
        return max(longest, min(self.over, self.seconds[-1]) - last)

    def pauses(self, port, direction):
        """[begin, end) of the pauses of a port after the death."""
        found, on = [], None
        for event in self.events:
            if event["event"] != "pause" or event["ifname"] != port or \
                    event["direction"] != direction:
                continue
            paused = PRIO in event["paused"]
            if paused and on is None:
                on = self.relative(event["time_ns"])
            elif not paused and on is not None:
                found.append((on, self.relative(event["time_ns"])))
                on = None
        if on is not None:
            found.append((on, self.over))
        return [(begin, min(end, self.over)) for begin, end in found
                if end > 0 and begin < self.over]

    def storm(self, status):
        """Events of a storm with that status: stormed or operational."""
        return [event for event in self.events
                if event["event"] == "storm" and event["status"] == status]


def log(run):
    """The log of losslessd, if it ran."""
    return files.json_lines(run.dir, "losslessd.log") \
        if run.arm == "with" else []


def culprit(said):
    """The origin that losslessd named, or None unless exactly one."""
    named = {(line["device"], line["prio"], line["peer"]) for line in said
             if line.get("event") in ("storm_detected", "storm_origin")}
    origin = [line for line in said if line.get("event") == "storm_origin"]
    if len(named) != 1 or len(origin) != 1:
        return None
    return {key: origin[0][key] for key in
            ("device", "prio", "peer", "pause_frames_per_s", "paused_share",
             "rx_packets", "message")}


def drops(stats):
    """Drops by the watchdog at the port of the NIC, and all other drops."""
    port = runs.edge_port(stats, DEAD)
    return runs.drops(stats, lambda qdisc, reason: qdisc["dev"] == port and
                      reason in ("storm_discard", "storm_rx_discard"))


def after_ms(events):
    """Time from cause to event in ms, or None unless exactly one event."""
    if len(events) != 1:
        return None
    return round((events[0]["time_ns"] - events[0]["since_ns"]) / 1e6, 2)


def spread(run):
    """Start of the longest pause of each kind, in ms since the first one."""
    begun = {}
    for what, port, direction in SPREAD:
        pauses = run.pauses(port, direction)
        if pauses:
            begun[what] = max(pauses, key=lambda p: p[1] - p[0])[0]
    first = min(begun.values(), default=0)
    return {what: round((at - first) * 1e3, 1) for what, at in begun.items()}


def report_arm(raw, arm):
    run = Run(raw, arm)
    stats = files.load(run.dir, "stats.json")
    windows = {"before_mbit": (-1, 0),
               "storm_mbit": (SETTLE_S, run.repaired),
               "after_mbit": (run.repaired + SETTLE_S, run.over)}
    found = {name: {who: round(run.mbit(who, *window), 1) for who in OTHERS}
             for name, window in windows.items()}
    found["silent_s"] = {who: round(run.silence(who), 2) for who in OTHERS}
    found["spread_ms"] = spread(run)
    found["storms"] = len(run.storm("stormed"))
    found["detect_ms"] = after_ms(run.storm("stormed"))
    found["restore_ms"] = after_ms(run.storm("operational"))
    found["dead"] = {"device": runs.edge_port(stats, DEAD), "prio": PRIO,
                     "peer": files.lines(run.dir, "dead")[0]}
    found["culprit"] = culprit(log(run))
    found["dropped_storm"], found["dropped_others"] = drops(stats)
    found["failed"] = files.failed(run.dir)
    return found


def report(raw):
    found = {arm: report_arm(raw, arm) for arm in ARMS}
    found["params"] = files.load(raw, "params.json")
    return found
