# SPDX-License-Identifier: GPL-2.0
"""Words and units of keys and metrics, for axes and tables.

A scenario has words for its own metrics, if it needs them: words = {"late": ("late", "packets")}.
Other metrics are called by their names; the last part of a name is the unit, as in
resume_reaction_ns.
"""

KEYS = {
    "ALPHAS": "alphas", "ARMS": "arms", "BUF": "buffer of a port in KB",
    "BUFFER": "buffer of a switch", "BYTES": "bytes of a host", "CC": "congestion control",
    "CDF": "flow sizes",
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
    "acks": ("ACKs sent", ""),
    "backlog_max_bytes": ("longest queue", "bytes"),
    "bottleneck_util": ("bottleneck used", "share of the link"),
    "broken": ("deadlocks broken", ""),
    "burst_gbps_after": ("rest of the burst leaves at", "Gbit/s"),
    "closed_after_us": ("time until the loop was closed", "µs"),
    "cnps": ("CNPs sent", ""),
    "cnps_received": ("CNPs received", ""),
    "cnps_sent": ("CNPs sent", ""),
    "cures": ("deadlocks cured", ""),
    "cut_runs": ("runs in which the burst was slowed down", ""),
    "cycle_ports": ("ports that pause in a circle", ""),
    "decision_us": ("burst identified, after its first byte", "µs"),
    "declared": ("deadlocks declared", ""),
    "delayed_share": ("bytes of others that are late, over those of the burst", ""),
    "dropped": ("dropped", "packets"),
    "dropped_elsewhere": ("dropped elsewhere", "packets"),
    "duplicates": ("deadlocks declared again", "declarations"),
    "duplicates_share": ("deadlocks declared again, for each deadlock", "declarations"),
    "exit_status": ("exit status of the script", ""),
    "fabric_pauses": ("pauses between switches", ""),
    "fabric_pauses_in_time": ("pauses between switches, in time", ""),
    "fabric_ports_pausing": ("ports between switches that pause", ""),
    "false": ("deadlocks declared wrongly", "declarations"),
    "fct_max_us": ("slowest flow", "µs"),
    "fct_mean_us": ("mean completion time", "µs"),
    "fct_min_us": ("fastest flow", "µs"),
    "fct_over_ideal": ("completion time over that of an idle path", ""),
    "fct_us": ("completion time", "µs"),
    "first_bytes": ("received in the first tenth of the time", "bytes"),
    "first_cut_us": ("burst slowed down, after its first byte", "µs"),
    "first_us": ("time until the first port pauses for good, stage", "µs"),
    "flows": ("flows", ""),
    "found_share": ("deadlocks found", "share"),
    "gaps": ("gaps between packets", ""),
    "gaps_exact": ("gaps that are exact", ""),
    "goodput_share": ("goodput", "share of the link"),
    "headroom_max_bytes": ("most headroom used", "bytes"),
    "hops": ("switches in the loop of a deadlock, at most", ""),
    "host_pauses": ("pauses that hosts sent", ""),
    "hosts_died": ("hosts whose NIC died", ""),
    "ideal_us": ("time of the job with an ideal network", "µs"),
    "identified_others": ("other flows identified", ""),
    "identified_runs": ("runs in which the burst was identified", ""),
    "incast_gbps_after": ("incast leaves meanwhile at", "Gbit/s"),
    "incast_recover_us": ("incast as fast as before, after the burst's first byte", "µs"),
    "jain": ("fairness (Jain)", ""),
    "job_us": ("time of the slowest job", "µs"),
    "kept": ("share that long flows keep of what messages leave", "share"),
    "last_bytes": ("received in the last tenth of the time", "bytes"),
    "last_us": ("time until the last port pauses for good, stage", "µs"),
    "latency": ("time until found, over that of a message around the loop", ""),
    "latency_us": ("latency of messages", "µs"),
    "loops_unknown": ("deadlocks whose loop is not known", ""),
    "loss": ("dropped", "packets"),
    "lost_bytes": ("lost without a trace", "bytes"),
    "low_runs": ("runs in which the burst became slow", ""),
    "low_us": ("burst slow, after its first byte", "µs"),
    "marked": ("marked", "packets"),
    "messages": ("messages sent", ""),
    "messages_load": ("messages", "share of the link"),
    "missed": ("deadlocks not found", ""),
    "msgs_per_pause": ("messages of deadlock detection, for each pause", ""),
    "notifications": ("congestion notifications", ""),
    "on_loop_decided_us": ("closing of the loop to decision, trigger on it", "µs"),
    "on_loop_rounds": ("rounds of a message until found, trigger on the loop", ""),
    "on_loop_us": ("time until found, trigger on the loop", "µs"),
    "oracle": ("deadlocks that there were", ""),
    "order": ("order of the stages", ""),
    "origin_correct": ("storms whose origin was named", ""),
    "out_loop_decided_us": ("closing of the loop to decision, trigger off it", "µs"),
    "out_loop_rounds": ("rounds of a message until found, trigger off the loop", ""),
    "out_loop_us": ("time until found, trigger off the loop", "µs"),
    "out_of_order": ("out of order", "packets"),
    "overdue": ("unfinished after 100 times the time of an idle path", "messages"),
    "packets": ("packets", ""),
    "paused_us": ("time that links were paused", "µs"),
    "pauses": ("pauses sent", ""),
    "pauses_begun": ("pauses that began", ""),
    "pauses_ratio": ("pauses sent, most over least", ""),
    "pauses_sent": ("pauses sent", ""),
    "ports": ("ports that pause for good, stage", ""),
    "queue_max_bytes": ("longest queue", "bytes"),
    "queue_mean_bytes": ("queue, mean", "bytes"),
    "queue_p50_bdp": ("queue, median", "BDP"),
    "queue_p50_kb": ("queue, median", "KB"),
    "queue_p99_bdp": ("queue, p99", "BDP"),
    "queue_p99_kb": ("queue, p99", "KB"),
    "reorder_share": ("out of order", "share of packets"),
    "repaired_throughput": ("throughput after the repair", "share of before"),
    "resumes_sent": ("resumes sent", ""),
    "retransmitted": ("sent again", "packets"),
    "runs": ("runs", ""),
    "rx_share": ("time the receiver pauses", "share"),
    "servers_paused": ("servers paused", ""),
    "slowdown_mean": ("slowdown, mean", ""),
    "slowdown_min": ("slowdown, least", ""),
    "slowdown_p50": ("slowdown, median", ""),
    "slowdown_p99": ("slowdown of the slowest percent, at least", ""),
    "slowdown_small_p50": ("slowdown of small flows, median", ""),
    "slowest_victim_with": ("slowest victim, with watchdogs", "share of before"),
    "source_gbps": ("source receives", "Gbit/s"),
    "stalled_share": ("hosts stalled", "share"),
    "stalled_share_without": ("hosts stalled without watchdogs", "share"),
    "storms": ("pause storms detected", ""),
    "straggler_us": ("last host after the median host", "µs"),
    "stuck_holds": ("holds left over", ""),
    "t_hop_us": ("time of a message over one hop", "µs"),
    "timeouts": ("time-outs of senders", ""),
    "together": ("runs in which all ports pause at a time", ""),
    "trigger_averts": ("deadlocks that do not occur without their initial trigger", "share"),
    "trigger_first": ("initial triggers that paused first", ""),
    "trigger_host": ("initial triggers that are hosts", ""),
    "trigger_on_loop": ("initial triggers on the loop", ""),
    "trigger_out_of_loop": ("initial triggers off the loop", ""),
    "unexpected": ("pauses and resumes at a wrong time", ""),
    "unfinished": ("unfinished", "flows"),
    "utilisation": ("used", "share of the link"),
    "victim_gbps": ("victim receives", "Gbit/s"),
    "victim_throughput_with": ("victims receive, with watchdogs", "share of before"),
    "victims_share": ("victims receive", "share of what they should"),
    "victims_share_last": ("victims receive in the last second", "share of what they should"),
    "watchdogs": ("ports with a watchdog", ""),
}

UNITS = {"us": "µs", "ms": "ms", "ns": "ns", "s": "s", "bytes": "bytes", "kb": "KB", "bdp": "BDP",
         "gbps": "Gbit/s", "mbps": "Mbit/s", "pct": "%", "share": "share",
         "util": "share of the link"}


STATISTICS = {"mean": "mean", "min": "least", "max": "most", "p50": "median"}


def known(name, own):
    """Words and unit of a name without parts; None if both are unknown."""
    if name in own or name in METRICS:
        return own.get(name) or METRICS[name]
    words = name.split("_")
    *first, last = words
    if last.isdigit() or last in STATISTICS:
        found = known("_".join(first), own)
        more = f", {STATISTICS[last]}" if last in STATISTICS else f" {last}"
        return found and (found[0] + more, found[1])
    for at in range(len(first), 0, -1):
        if words[at] in UNITS:
            return " ".join(words[:at] + words[at + 1:]), UNITS[words[at]]
    return None


def metric(name, own=()):
    """Words and unit: of the group in source_gbps.S1, without the arm in rcm.victim_gbps; OWN:
    words of the scenario."""
    own = dict(own)
    first, _, rest = name.partition(".")
    number, _, last = rest.partition(".")
    if number.isdigit() and last:
        words, unit = metric(last, own)
        return f"{first} {number}: {words}", unit
    found = known(first, own)
    if not rest:
        return found or (name.replace("_", " "), "")
    if found:
        return f"{found[0]}, {rest.replace('_', ' ').replace('.', ', ')}", found[1]
    words, unit = metric(rest, own)
    return f"{first}: {words}", unit


def axis(name, own=()):
    """Label of an axis for a metric: words (unit)."""
    words, unit = metric(name, own)
    return f"{words} ({unit})" if unit else words


def key_axis(key):
    """Label of an axis for a key: words (KEY)."""
    return f"{KEYS[key]} ({key})" if key in KEYS else key
