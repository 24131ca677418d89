# SPDX-License-Identifier: GPL-2.0
"""Common parts of scenarios with a network of the user: links of a file for lle-testbed(8)."""
import collections
import functools
import json
import pathlib
import subprocess
import sys

from lle_lab import headroom, units

TOP = pathlib.Path(__file__).resolve().parents[3]

# kind: host or link; ends: names; rate, delay: as lle-testbed(8) takes them, in bit/s and ns
Link = collections.namedtuple("Link", "kind ends rate delay")

rate_of = units.quantity(rf"({units.NUMBER})(?P<unit>[kmgt]?)(bit)?", {**units.RATE, "t": 10**12})
time_of = units.quantity(rf"({units.NUMBER})(?P<unit>ns|us|ms|s|)", {**units.TIME, "": 10**3})


@functools.cache
def shown(*words):
    """What lle-testbed shows of a network."""
    program = TOP / "build/bin/lle-testbed"
    if not program.exists():
        subprocess.run(["make", "-s", "-C", TOP, "testbed"], check=True)
    return subprocess.run([program, "show", *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


class FileNetwork:
    """The network of a file. refuse(reason) gets what is wrong with it."""

    def __init__(self, words, refuse):
        """words: of lle-testbed show"""
        self.words, self.links = words, []
        done = shown(*words, "--format", "file")
        if done.returncode:
            # without the names of the program and of the file
            refuse(done.stderr.splitlines()[-1].split(": ", 2)[-1])
        print(done.stderr, end="", file=sys.stderr)
        self.text = done.stdout
        for line in self.text.splitlines():
            kind, *ends = line.split()[:3]
            if kind not in ("host", "link"):
                continue
            options = line.split()[3:]
            value = dict(zip(options[::2], options[1::2]))
            rate, delay = rate_of(value.get("rate", "")), time_of(value.get("delay", ""))
            if rate is None or delay is None:
                refuse(f"a link without a rate or a delay: {kind} {' '.join(ends)}")
            self.links.append(Link(kind, ends, rate, delay))

    def addresses(self):
        """Addresses of hosts by name."""
        text = shown(*self.words, "--format", "json").stdout
        return {host["name"]: host["address"] for host in json.loads(text)["hosts"]}

    def names(self):
        """Names of hosts, and the device at the other end of each port of a switch."""
        found = json.loads(shown(*self.words, "--format", "json").stdout)
        return [host["name"] for host in found["hosts"]], {
            port["dev"]: port["peer_dev"] for switch in found["switches"]
            for port in switch["ports"]}

    def rates(self, kind):
        """Rates of links of a kind, the lowest first."""
        return sorted({link.rate for link in self.links if link.kind == kind})

    def delay(self):
        """The highest delay."""
        return max(link.delay for link in self.links)

    def largest_bdp(self, payload):
        """The most bytes that the path between two hosts holds, as HPCC counts them: delays there
        and back, and the time of a packet on each link, at the lowest rate."""
        near = collections.defaultdict(list)
        for link in self.links:
            for a, b in (link.ends, link.ends[::-1]):
                near[a].append((b, link))
        hosts = {link.ends[0] for link in self.links if link.kind == "host"}
        most = 0
        for host in hosts:
            # (delay, time of a packet, rate) from the host, in a breadth-first search
            found, queue = {host: (0, 0, 10**18)}, collections.deque([host])
            while queue:
                now = queue.popleft()
                delay, sending, rate = found[now]
                for node, link in near[now]:
                    if node not in found:
                        found[node] = (delay + link.delay,
                                       sending + payload * 8 * 10**9 // link.rate,
                                       min(rate, link.rate))
                        if node not in hosts:
                            queue.append(node)
            most = max(most, *((2 * delay + sending) * rate // 10**9 // 8
                               for node, (delay, sending, rate) in found.items()
                               if node in hosts and node != host))
        return most

    def headroom(self, payload):
        """The most bytes of headroom of the ports of a switch."""
        sums = collections.Counter()
        for link in self.links:
            for switch in link.ends[link.kind == "host":]:
                sums[switch] += headroom(link.rate, link.delay, payload)
        return max(sums.values(), default=0)
