# SPDX-License-Identifier: GPL-2.0
"""Physical bounds: results that no network can have."""
import collections
import csv
import heapq
import json
import math
import re

SLACK = 0.001           # of a rounded share
ARP_BYTES = 42          # a request, without padding
PFC_BYTES = 60          # a PFC frame on a link, without FCS, preamble and gap
NS = 1e9

# Metrics with a name like a share's that may exceed 1, and why
SHARE = re.compile(r"(^|[._])(share|util|utilisation|jain)([._]|$)")
ABOVE_ONE = {
    r"share_(\d+|off_max)": "of a flow, over an even share of the link",
    r"victims_share(_last)?": "of what victims received before, or asked for",
    r"delayed_share(_min|_max)?": "bytes of all flows that are late, over those of one burst",
    r"duplicates_share": "declarations beyond the first, over deadlocks",
}


class Run:
    """Files of a folder of an arm; those that a scenario does not write are empty.

    plans      folder with what the guest got for each run: 1/flows and so on
    keys       texts of keys: MTU (DATA of the scenario headroom) and PFC_LOSS count here
    seconds    time after which counters are read
    """

    def __init__(self, folder, plans, keys, seconds):
        self.folder, self.end_ns = folder, seconds * NS
        # minimum payload of the largest frame
        self.frame = int(keys.get("MTU") or keys.get("DATA") or 1500)
        self.pfc_loss = float(keys.get("PFC_LOSS", 0)) / 100
        self.qdiscs = json.loads(self.text("stats.json"))["qdiscs"]
        self.host_of = {host["address"]: host["name"]
                        for host in json.loads(self.text("testbed.json"))["hosts"]}
        self.asked, self.broken = [], set()
        for path in sorted(plans.glob("*/flows"), key=lambda path: int(path.parent.name)):
            lines = [line.split("#")[0].split() for line in path.read_text("ascii").splitlines()]
            # a testbed that is used several times has the flows of the last run
            self.asked = [line for line in lines if line and line[0] != "storm"]
            self.broken |= {(self.host_of.get(line[2]), int(line[3]))
                            for line in lines if line and line[0] == "storm"}
        # scenarios with both kinds of flows have a file of their own for TCP
        table = self.text("tcp.csv") or self.text("flows.csv")
        self.flows = list(csv.DictReader(table.splitlines()))
        self.bins = list(csv.reader(self.text("bins.csv").splitlines()))
        self.ends = collections.defaultdict(list)
        for qdisc in self.qdiscs:
            self.ends[qdisc["node"], qdisc["peer"]].append(qdisc)
        # by node: neighbours that send to it, with the smallest delay of their links
        self.into = collections.defaultdict(list)
        for (node, peer), senders in self.ends.items():
            self.into[peer].append((node, min(q["options"]["delay"] for q in senders)))
        self.of_node = collections.defaultdict(list)
        self.edge_to = {}
        for qdisc in self.qdiscs:
            self.of_node[qdisc["node"]].append(qdisc)
            if qdisc["role"] == "edge":
                self.edge_to.setdefault(qdisc["peer"], qdisc)
        self.delays = {}    # of path_delays()

    def text(self, name):
        path = self.folder / name
        return path.read_text(encoding="ascii") if path.exists() else ""

    def links(self):
        """(qdiscs of senders, of receivers) by direction; parallel links are one."""
        for (node, peer), senders in self.ends.items():
            yield senders, self.ends[peer, node]

    def flows_to_hosts(self):
        flows = collections.defaultdict(list)
        for flow in self.flows:
            flows[flow["dst"]].append(flow)
        return flows.items()

    def port_to(self, address):
        """The switch's port to a host; None: none."""
        return self.edge_to.get(self.host_of.get(address))

    def own(self, address):
        """The qdiscs of a host."""
        return self.of_node[self.host_of.get(address)]

    def path_delays(self, target):
        """Minimum delays to a node by node, in ns; the testbed may use another path."""
        if target in self.delays:
            return self.delays[target]
        delays, queue = {}, [(0, target)]
        while queue:
            delay, node = heapq.heappop(queue)
            if node not in delays:
                delays[node] = delay
                for sender, more in self.into[node]:
                    if sender not in delays:
                        heapq.heappush(queue, (delay + more, sender))
        self.delays[target] = delays
        return delays

    def path_delay(self, src, dst):
        """The smallest delay between two hosts, in ns. Many of them have the same neighbour."""
        return min((more + self.path_delays(neighbour).get(self.host_of.get(src), 0)
                    for neighbour, more in self.into[self.host_of[dst]]), default=0)


def end_name(qdiscs):
    """Names a host, or ports of a switch."""
    if not qdiscs:
        return "nothing"
    return "+".join(q["node"] if q["role"] == "host" else q["dev"] for q in qdiscs)


def total(qdiscs, *counters, prio=None):
    return sum(p[counter] for q in qdiscs for p in q["prios"] for counter in counters
               if prio is None or p["prio"] == prio)


def quantity(number, unit):
    return f"{number} {unit}{'' if number == 1 else 's'}"


def difference(sent, received, unit):
    if sent > received:
        return f"{quantity(sent - received, unit)} not accounted for"
    return f"{quantity(received - sent, unit)} more than sent"


def links_lose_nothing(run):
    """A packet counts as sent when the wire delivers it, and as received before anything drops it:
    both are equal, in packets and bytes, for each link, direction and priority. Notifications of
    RCM and messages of deadlock detection do not count: LOSS filters are no excuse for data."""
    for senders, receivers in run.links():
        for prio in range(8):
            for unit, tx, rx in (("packet", "tx_packets", "rx_packets"),
                                 ("byte", "tx_bytes", "rx_bytes")):
                sent = total(senders, tx, prio=prio)
                received = total(receivers, rx, prio=prio)
                if sent != received:
                    yield (f"link {end_name(senders)}-{end_name(receivers)}, priority {prio}: "
                           f"{end_name(senders)} sent {quantity(sent, unit)}, "
                           f"{end_name(receivers)} received {received}: "
                           f"{difference(sent, received, unit)}")


def most_pauses_on_wire(senders):
    """A PFC frame counts as sent when it takes the link."""
    most = 0
    for qdisc in senders:
        options = qdisc["options"]
        frame = PFC_BYTES + options.get("overhead", 0)
        most += math.ceil(options["delay"] * options["rate"] / NS / frame) + 1
    return most


def broken_nics(run, senders, prio):
    """NICs of lines "storm" of flows bypass the counters of their qdisc. dcfit-random draws such
    lines in the guest."""
    return any((q["node"], prio) in run.broken or q["role"] == "host" and not run.asked
               for q in senders)


def links_lose_no_pause(run):
    """PFC frames sent = received + on the wire + malformed, for each link, direction and priority.
    Links may lose PFC_LOSS percent, plus six standard deviations."""
    share = run.pfc_loss
    all_sent = all_lost = 0
    for senders, receivers in run.links():
        wire = most_pauses_on_wire(senders)
        malformed = sum(q["rx_malformed"] for q in receivers)
        for prio in range(8):
            sent = total(senders, "tx_pause", "tx_resume", prio=prio)
            received = total(receivers, "rx_pause", "rx_resume", prio=prio)
            lost = max(0, sent - received - wire - malformed)
            more = received > sent and not broken_nics(run, senders, prio)
            all_sent += sent
            all_lost += lost
            if lost and not share or more:
                yield (f"link {end_name(senders)}-{end_name(receivers)}, priority {prio}: "
                       f"{end_name(senders)} sent {quantity(sent, 'PFC frame')}, "
                       f"{end_name(receivers)} received {received}, {malformed} malformed, "
                       f"{wire} on the wire at most: "
                       f"{difference(received + lost if lost else sent, received, 'frame')}")
    most = share * all_sent + 6 * math.sqrt(share * (1 - share) * all_sent)
    if share and all_lost > most:
        yield (f"all links: {all_lost} of {quantity(all_sent, 'PFC frame')} lost: "
               f"PFC_LOSS={share * 100:g} explains {most:.0f}")


def without_arp(qdisc, counter):
    """Bridges copy ARP requests, or end them. So packets of 42 bytes and priority 0 do not count,
    at a port with no other packets of that priority."""
    prio = qdisc["prios"][0]
    is_arp = prio[f"{counter}_bytes"] == ARP_BYTES * prio[f"{counter}_packets"]
    return total([qdisc], f"{counter}_bytes") - (prio[f"{counter}_bytes"] if is_arp else 0)


def switches_lose_nothing(run):
    """For each switch: received bytes = sent + dropped + queued + on the wire."""
    switches = collections.defaultdict(list)
    for qdisc in run.qdiscs:
        if qdisc["role"] != "host":
            switches[qdisc["node"]].append(qdisc)
    for name, qdiscs in switches.items():
        came = sum(without_arp(q, "rx") for q in qdiscs)
        left = sum(without_arp(q, "tx") for q in qdiscs)
        dropped, waits = total(qdiscs, "drop_bytes"), total(qdiscs, "backlog")
        wire = sum(q["wire_bytes"] for q in qdiscs)
        if came != left + dropped + waits + wire:
            yield (f"switch {name}: {came} bytes came in, {left} left, {dropped} dropped, "
                   f"{waits} wait, {wire} on the wire: "
                   f"{difference(came, left + dropped + waits + wire, 'byte')}")


def flows_are_those_asked(run):
    """Lines of flows are between hosts; dcfit-random has none."""
    if run.asked and len(run.flows) != len(run.asked):
        yield f"{quantity(len(run.asked), 'flow')} asked for, {len(run.flows)} in the results"
    for address in sorted({line[n] for line in run.asked for n in (2, 3)} - set(run.host_of)):
        yield f"{address} is to send or receive, and is no host"


def receivers_get_what_arrives(run):
    """A flow receives at most its size, and all of it when it has ended; all flows to a host at
    most the bytes of its link. Flows that go on when counters are read count with bins.csv, which
    ends before."""
    for flow in run.flows:
        received, size = int(flow["received"]), int(flow["size"])
        if received > size or int(flow["last_ns"]) >= 0 and received != size:
            yield (f"flow {flow['id']} from {flow['src']} to {flow['dst']}: "
                   f"{'received' if received > size else 'ended, and has received'} {received} "
                   f"of {size} bytes")
    binned = {name: sum(map(int, numbers)) for name, *numbers in run.bins[1:]}
    for address, flows in run.flows_to_hosts():
        received = sum(int(flow["received"]) if 0 <= int(flow["last_ns"]) <= run.end_ns else
                       binned.get(flow["id"], 0) for flow in flows)
        carried = total(run.own(address), "rx_bytes")
        if received > carried:
            yield (f"host {address}: its flows received {received} bytes, "
                   f"its link carried {carried}")


def flows_are_not_faster_than_links(run):
    """The payload of a flow, and of all flows to a host, takes its time on the host's link, and
    the delays of the path. Without a delay the last frame takes no time."""
    for address, flows in run.flows_to_hosts():
        port = run.port_to(address)
        if not port or not port["options"]["rate"]:
            continue
        ended = [flow for flow in flows if int(flow["last_ns"]) >= 0]
        groups = [[flow] for flow in ended] + ([ended] if len(ended) > 1 else [])
        for group in groups:
            took = max(int(flow["last_ns"]) for flow in group) - \
                min(int(flow["start_ns"]) for flow in group)
            payload = sum(int(flow["size"]) for flow in group)
            if not port["options"]["delay"]:
                payload = max(0, payload - run.frame)
            least = payload * NS / port["options"]["rate"] + \
                min(run.path_delay(flow["src"], address) for flow in group)
            if took < least:
                what = f"flow {group[0]['id']}" if len(group) == 1 else f"{len(group)} flows"
                yield (f"host {address}: {what} of {payload} bytes took {took} ns, "
                       f"links take {least:.0f}")


def bins_fit_the_links(run):
    """In a bin, a host receives at most what its link carries in that time, a frame begun before,
    and the buffer of a slow host, which it may receive at once."""
    if len(run.bins) < 2 or len(run.bins[0]) < 3:
        return
    width = int(run.bins[0][2]) - int(run.bins[0][1])
    host_of_flow = {flow["id"]: flow["dst"] for flow in run.flows}
    received = {}
    for name, *numbers in run.bins[1:]:
        address = host_of_flow.get(name)
        sums = received.setdefault(address, [0] * len(numbers))
        received[address] = [a + int(b) for a, b in zip(sums, numbers)]
    for address, sums in received.items():
        port = run.port_to(address)
        if not port or not port["options"]["rate"]:
            continue
        most = port["options"]["rate"] * width / NS + run.frame + \
            total(run.own(address), "occupancy_max")
        for n, number in enumerate(sums):
            if number > most:
                yield (f"host {address}, bin at {run.bins[0][1 + n]} ns: its flows received "
                       f"{number} bytes in {width} ns, its link carries {most:.0f} at most")
                break


def bins_add_up(run):
    """Bins of a flow add up to its bytes, or less if it ends after the bins."""
    if not run.bins or len(run.bins[0]) < 3:
        return
    starts = [int(start) for start in run.bins[0][1:]]
    end = starts[-1] + starts[1] - starts[0]
    flows = {flow["id"]: flow for flow in run.flows}
    for name, *numbers in run.bins[1:]:
        flow, binned = flows.get(name), sum(map(int, numbers))
        if not flow:
            yield f"bins.csv has flow {name}, flows.csv has not"
            continue
        received = int(flow["received"])
        if binned > received or 0 <= int(flow["last_ns"]) < end and binned != received:
            yield (f"flow {name} from {flow['src']} to {flow['dst']}: "
                   f"its bins have {binned} bytes, it received {received}")


LOSSLESS = (links_lose_nothing, links_lose_no_pause, switches_lose_nothing)
RULES = (flows_are_those_asked, receivers_get_what_arrives, flows_are_not_faster_than_links,
         bins_fit_the_links, bins_add_up)


def metrics_are_possible(metrics):
    """Metrics are finite; shares are 0 to 1, unless ABOVE_ONE has a reason."""
    for name, value in metrics.items():
        if value is None or not math.isfinite(value):
            yield f"metric {name}: {value} is no finite number"
            continue
        above = any(re.search(rf"(^|\.){pattern}(\.|$)", name) for pattern in ABOVE_ONE)
        if SHARE.search(name) and (value < -SLACK or value > 1 + SLACK and not above):
            yield f"metric {name}: {value} is no share: it is not within 0 and 1"


def broken(scenario, top, metrics):
    """Yields a line for each bound that a run in a folder breaks. metrics: values by name."""
    loses = any(fault.kind in ("flap", "loss") for fault in scenario.faults())
    for arm in scenario.arms or [""]:
        run = Run(top / arm, top / "plan/arms" / arm, scenario.texts, scenario.seconds())
        for rule in RULES if loses else LOSSLESS + RULES:
            for line in rule(run):
                yield f"{arm}: {line}" if arm else line
    yield from metrics_are_possible(metrics)
