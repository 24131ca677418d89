# SPDX-License-Identifier: GPL-2.0
"""Names of keys and metrics of the lab, with units, for axes and tables.

Other metrics have their own names; the last part of a name is the unit, as
in resume_reaction_ns.
"""

KEYS = {
    "ALPHAS": "alphas", "ARMS": "arms", "BUF": "buffer of a port in KB",
    "BUFFER": "buffer of a switch", "BYTES": "bytes of a host", "CC": "congestion control", "CDF": "flow sizes",
    "DATA": "bytes of a data frame", "DEADLOCK": "deadlock", "DELAY": "delay of a link",
    "DEAD": "NIC dead for, ms", "DETECTION": "detection time in ms",
    "DRAIN": "time to drain in ms", "FLOWS": "flows", "HOT": "hot hosts",
    "HOSTS": "hosts of a job",
    "HOT_SHARE": "share of flows to hot hosts", "JOBS": "jobs", "K": "ports of a switch",
    "KMAX": "marks all from, bytes", "KMIN": "marks from, bytes",
    "LOAD": "load, share of the links", "LOSS": "lost notifications in %",
    "METRES": "length of the cable in m", "MS": "time in ms", "MTU": "MTU in bytes",
    "N": "senders", "OVERHEAD": "overhead of a frame in bytes",
    "PERIOD": "period", "PMAX": "largest share marked", "PROFILE": "profile of WRED",
    "RATE": "rate of a link", "RATES": "rates in Gbit/s", "RESTORATION":
    "restoration time in ms", "RTT": "round-trip time", "RUNS": "runs",
    "RX": "rate of the receiver", "S": "time in s", "SEED": "seed", "SEEDS": "seeds",
    "SIZE": "bytes of a flow", "STAGGER": "stagger in ms", "US": "time in µs",
    "XOFF": "XOFF", "XON_DELTA": "XOFF less XON",
}

METRICS = {
    "backlog_max_bytes": ("longest queue", "bytes"),
    "bottleneck_util": ("bottleneck used", "share of the link"),
    "broken": ("deadlocks broken", ""),
    "declared": ("deadlocks declared", ""),
    "dropped": ("dropped", "packets"),
    "dropped_elsewhere": ("dropped elsewhere", "packets"),
    "duplicates": ("received twice", "packets"),
    "fabric_pauses_in_time": ("pauses between switches, in time", ""),
    "fct_max_us": ("slowest flow", "µs"),
    "fct_mean_us": ("mean completion time", "µs"),
    "fct_min_us": ("fastest flow", "µs"),
    "fct_over_ideal": ("completion time over that of an idle path", ""),
    "flows": ("flows", ""),
    "found_share": ("deadlocks found", "share"),
    "goodput_share": ("goodput", "share of the link"),
    "headroom_max_bytes": ("most headroom used", "bytes"),
    "ideal_us": ("time of the job with an ideal network", "µs"),
    "jain": ("fairness (Jain)", ""),
    "job_us": ("time of the slowest job", "µs"),
    "lost_bytes": ("lost without a trace", "bytes"),
    "marked": ("marked", "packets"),
    "out_of_order": ("out of order", "packets"),
    "overdue": ("unfinished after 100 times the time of an idle path", "messages"),
    "paused_us": ("time that links were paused", "µs"),
    "pauses": ("pauses sent", ""),
    "queue_max_bytes": ("longest queue", "bytes"),
    "queue_mean_bytes": ("queue, mean", "bytes"),
    "reorder_share": ("out of order", "share of packets"),
    "retransmitted": ("sent again", "packets"),
    "rx_share": ("time the receiver pauses", "share"),
    "servers_paused": ("servers paused", ""),
    "slowdown_min": ("slowdown, least", ""),
    "slowdown_p50": ("slowdown, median", ""),
    "slowdown_small_p50": ("slowdown of small flows, median", ""),
    "source_gbps": ("source receives", "Gbit/s"),
    "stalled_share": ("hosts stalled", "share"),
    "storms": ("storms detected", ""),
    "straggler_us": ("last host after the median host", "µs"),
    "stuck_holds": ("holds left over", ""),
    "unfinished": ("unfinished", "flows"),
    "utilisation": ("used", "share of the link"),
    "victim_gbps": ("victim receives", "Gbit/s"),
}

UNITS = {"us": "µs", "ms": "ms", "ns": "ns", "s": "s", "bytes": "bytes",
         "gbps": "Gbit/s", "mbps": "Mbit/s", "pct": "%", "share": "share",
         "util": "share of the link"}


def known(name):
    """Words and unit of a name without parts; None if both are unknown."""
    if name in METRICS:
        return METRICS[name]
    *words, last = name.split("_")
    return (" ".join(words), UNITS[last]) if words and last in UNITS else None


def metric(name):
    """Words and unit: of the group in source_gbps.S1, without the arm in
    rcm.victim_gbps."""
    first, _, rest = name.partition(".")
    found = known(first)
    if not rest:
        return found or (name.replace("_", " "), "")
    if found:
        return f"{found[0]}, {rest.replace('_', ' ')}", found[1]
    words, unit = metric(rest)
    return f"{first}: {words}", unit


def axis(name):
    """Label of an axis for a metric: words (unit)."""
    words, unit = metric(name)
    return f"{words} ({unit})" if unit else words


def key_axis(key):
    """Label of an axis for a key: words (KEY)."""
    return f"{KEYS[key]} ({key})" if key in KEYS else key
