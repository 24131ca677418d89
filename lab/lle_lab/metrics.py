# SPDX-License-Identifier: GPL-2.0
"""Common metrics: pairs of a name and a number, from the files of a run."""
from .lazy import numpy as np

HEADERS = 82    # of a RoCEv2 packet on a link: headers, ICRC, FCS, preamble and gap


def fixed(value, digits):
    """The value with so many decimals, rounded as printf does."""
    return float(f"{float(value):.{digits}f}")


def plain(value):
    """A number for JSON: an integer if it is whole."""
    if isinstance(value, np.generic):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def losses(run):
    """Dropped packets, and bytes that are not accounted for: hosts have sent them, no host has
    received them, and no switch has dropped or queued them."""
    prios = [prio for q in run.qdiscs() for prio in q["prios"]]
    switches = run.qdiscs("edge", "fabric")
    yield "dropped", sum(sum(prio["drops"].values()) for prio in prios)
    yield "lost_bytes", (run.total("tx_bytes", "host") - run.total("rx_bytes", "host")
                         - sum(q["wire_bytes"] for q in switches)
                         - run.total("drop_bytes", "edge", "fabric")
                         - run.total("backlog", "edge", "fabric"))
    yield "pauses", sum(prio["tx_pause"] for prio in prios)
    yield "headroom_max_bytes", max(prio["headroom_max"] for prio in prios)
    yield "backlog_max_bytes", max(p["backlog_max"] for q in switches for p in q["prios"])


def flow_times(run):
    """Completion times, and repaired losses."""
    flows = run.flows
    yield "flows", len(flows)
    ended = flows.last_ns >= 0
    took_ns = (flows.last_ns - flows.start_ns)[ended]
    yield "unfinished", int((~ended).sum())
    yield "retransmitted", int(flows.retrans.sum())
    yield "out_of_order", int(flows.ooo.sum())
    yield "received_bytes", int(flows.received.sum())
    if len(took_ns):
        yield "fct_mean_us", fixed(int(took_ns.sum()) / len(took_ns) / 1e3, 3)
        yield "fct_min_us", fixed(took_ns.min() / 1e3, 3)
        yield "fct_max_us", fixed(took_ns.max() / 1e3, 3)


def goodput_share(run, rate):
    """Share of the receiver's link that carried payload until the last flow ended."""
    last_ns = run.flows.last_ns
    if len(last_ns) and last_ns.min() >= 0 and last_ns.max() > 0:
        yield "goodput_share", fixed(int(run.flows.received.sum()) * 8e9 / int(last_ns.max())
                                     / rate, 4)


def gbps(run, payload, wanted, from_us, to_us):
    """Gbit/s on the link of flows with wanted(src, dst), in whole bins of this time."""
    bins, flows = run.bins, run.flows
    starts_us, wide_us = bins.starts_ns / 1e3, bins.width_ns / 1e3
    whole = (starts_us >= from_us) & (starts_us + wide_us <= to_us)
    rows = [i for i, ends in enumerate(zip(flows.src, flows.dst)) if wanted(*ends)]
    seconds = int(whole.sum()) * wide_us / 1e6
    received = int(bins.bytes[rows][:, whole].sum())
    return fixed(received * 8 * (payload + HEADERS) / payload / seconds / 1e9, 2) if seconds else 0


def reorder_share(run):
    """Share of packets that arrived out of order."""
    sent = int(run.hosts.data.sum())
    if sent:
        yield "reorder_share", fixed(int(run.flows.ooo.sum()) / sent, 6)


def ratio(name, a, b, digits=3):
    """NAME is a over b; nothing without b."""
    if a is not None and b:
        yield name, fixed(a / b, digits)


def arrival(pfc):
    """Expectations: all flows end; with PFC no packet is lost."""
    yield "unfinished == 0"
    yield "lost_bytes == 0"
    if pfc:
        yield "dropped == 0"
        yield "retransmitted == 0"


def marks(run):
    """Marks of the queues in queue.csv, and those that WRED should have made, with the standard
    deviation of its draws. A packet is marked with the probability of the curve at the queue length
    on its arrival, or behind it when it leaves. What leaves between two samples are the bytes sent at
    link rate, what arrives is that and the growth of the queue. A packet does not count itself, but
    samples do. Samples must be dense, and cover all packets."""
    marked = most = least = variance = 0
    for q in run.qdiscs():
        for wred in q["options"].get("wred") or []:
            prio = q["prios"][wred["prio"]]
            rows = (run.queue.port == q["dev"]) & (run.queue.prio == wred["prio"])
            if not wred["ecn"] or not prio["tx_packets"] or not rows.any():
                continue
            marked += prio["ecn_marked"]
            ns, length = run.queue.time_ns[rows], run.queue.bytes[rows]
            frame = prio["tx_bytes"] / prio["tx_packets"]

            def curve(bytes):
                share = (bytes - wred["kmin"]) / max(wred["kmax"] - wred["kmin"], 1)
                return np.where(bytes < wred["kmin"], 0, np.where(
                    bytes >= wred["kmax"], 1, share * (wred["pmax"] / 100)))

            def mean(bytes):
                return (curve(bytes[:-1]) + curve(bytes[1:])) / 2

            moved = np.diff(ns) * (q["options"]["rate"] / 1e9) / (frame + q["options"]["overhead"])
            if not wred.get("dequeue"):
                moved = moved + np.diff(length) / frame
            share = mean(length)
            most += float((moved * share).sum())
            variance += float((moved * share * (1 - share)).sum())
            least += float((moved * mean(length - frame)).sum())
    yield "marked.queues", marked
    yield "marked.wred_least", fixed(least, 1)
    yield "marked.wred_most", fixed(most, 1)
    yield "marked.sigma", fixed(variance**0.5, 1)


def expect_marks(m, arm="", unmarked=0):
    """Expectations: marks within three standard deviations, and 1 %; so many packets are not ECN
    capable."""
    least, most, sigma = (m.get(f"{arm}marked.{name}", 0)
                          for name in ("wred_least", "wred_most", "sigma"))
    yield f"{arm}marked.queues >= {0.99 * least - 3 * sigma - unmarked:.1f}"
    yield f"{arm}marked.queues <= {1.01 * most + 3 * sigma:.1f}"


def cnps(run):
    """CNPs sent, and CNPs not received; one a flow may be in flight."""
    sent = int(run.flows.cnps_sent.sum()) if len(run.flows) else 0
    yield "cnps.sent", sent
    yield "cnps.under_way", sent - (int(run.flows.cnps.sum()) if len(run.flows) else 0)


def cnps_due(run, host):
    """CNPs that are missing in HOST.pcap, if each flow to the host has its own sender. A marked
    packet needs one, unless one was due within the last 50 us ("Congestion Control for Large-Scale
    RDMA Deployments", section 3.1)."""
    address = next(h["address"] for h in run.testbed["hosts"] if h["name"] == host)
    due, last = 0, {}
    for ns, src in run.packets(host, f"dst {address} and ip[1] & 3 = 3 and udp dst port 4791"):
        if src not in last or ns - last[src] >= 50000:
            due += 1
            last[src] = ns
    sent = run.packets(host, f"src {address} and udp[8] = 0x81 and udp dst port 4791")
    yield "cnps.due", due - len(list(sent))


def host_number(address):
    """The number of the host with an address, from 0 on."""
    parts = address.split(".")
    return int(parts[2]) * 256 + int(parts[3]) - 1


def slowdowns(run, k, rate, delay_ns, payload):
    """(slowdown, size) of the flows in a fat tree that have ended, ascending. A slowdown is the
    completion time over that of the flow alone: its bytes on one link, and one packet on each later
    link. Bytes are those of a WRITE without IRN."""
    found, flows = [], run.flows
    for src, dst, size, start, last in zip(flows.src, flows.dst, flows.size.tolist(),
                                           flows.start_ns.tolist(), flows.last_ns.tolist()):
        if last < 0:
            continue
        a, b = host_number(src), host_number(dst)
        links = 2 if a // (k // 2) == b // (k // 2) else \
            4 if a // (k * k // 4) == b // (k * k // 4) else 6
        alone = size + (size + payload - 1) // payload * HEADERS + 16
        alone += (links - 1) * (min(size, payload) + HEADERS)
        # six digits, as in slowdowns.txt of earlier results
        slowdown = f"{(last - start) / (alone * 8e9 / rate + links * delay_ns):.6g}"
        found.append((float(slowdown), size))
    return sorted(found)


def slowdown_metrics(found):
    """Mean and percentiles of slowdowns(), also of flows below 100 KB."""
    values = [slowdown for slowdown, _ in found]
    small = [slowdown for slowdown, size in found if size < 100000]
    if values:
        yield "slowdown_min", fixed(values[0], 4)
        yield "slowdown_mean", fixed(sum(values) / len(values), 3)
        yield "slowdown_p50", fixed(values[(len(values) + 1) // 2 - 1], 3)
        yield "slowdown_p99", fixed(values[max(1, int(len(values) * 0.99)) - 1], 3)
    if len(small) > 99:
        yield "slowdown_small_p50", fixed(small[(len(small) + 1) // 2 - 1], 3)
        yield "slowdown_small_p99", fixed(small[int(len(small) * 0.99) - 1], 3)
