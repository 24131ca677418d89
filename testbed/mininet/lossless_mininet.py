# SPDX-License-Identifier: GPL-2.0
"""Lossless switches, links and hosts for Mininet.

    net = Mininet(switch=LosslessSwitch, link=LosslessLink, host=LosslessHost,
                  controller=None)

A LosslessLink has the qdisc lossless, tc-lossless(8), at both ends. The qdisc computes headroom
from the rate, the delay and the MTU. Documentation/guide/mininet.rst has an example.
"""
import json
import shlex

from mininet.link import Link
from mininet.node import Host, Switch

__all__ = ['LosslessError', 'LosslessHost', 'LosslessLink', 'LosslessSwitch', 'dropped', 'pauses']


class LosslessError(RuntimeError):
    """A command of a node has failed; the text has the command and its output."""


def run(node, *words):
    """Runs a program at a node, without a shell; returns what it prints."""
    words = [str(word) for word in words]
    out, err, status = node.pexec(words)
    if status:
        why = (err or out).strip() or f'exit status {status}'
        if 'qdisc kind is unknown' in why:
            why += ' Load the module: modprobe sch_lossless.'
        raise LosslessError(f'{node.name}: {" ".join(words)}: {why}')
    return out


def priorities(pfc):
    """The options of the qdisc for pfc: 3, '3', (3, 4), 'all', or None without PFC."""
    if pfc is None:
        return []
    if pfc == 'all':
        return ['prio-pfc', 'all:on']
    several = pfc if isinstance(pfc, (list, tuple, set, frozenset, range)) else [pfc]
    numbers = []
    for one in several:
        if str(one) not in list('01234567'):
            raise ValueError(f'pfc: {pfc!r} is not None, "all", or priorities of 0 to 7')
        numbers.append(int(one))
    return ['prio-pfc'] + [f'{one}:on' for one in sorted(set(numbers))] if numbers else []


class LosslessLink(Link):
    """A pair of veth devices with the qdisc at both ends.

    rate     of both directions, as tc reads it: '1gbit'
    delay    of the wire: '1us'; None: none
    pfc      lossless priorities: 3, (3, 4), 'all'; None: no PFC
    options  more options of the qdiscs, in the grammar of tc-lossless(8)
    """

    def __init__(self, node1, node2, rate='1gbit', delay='1us', pfc=3, options='', **params):
        self.words = ['rate', rate] + (['delay', delay] if delay else []) + priorities(pfc) + \
            shlex.split(options)
        super().__init__(node1, node2, **params)
        try:
            self.attach(self.intf1, self.intf2.node)
            self.attach(self.intf2, self.intf1.node)
        except LosslessError:
            self.delete()
            raise

    def attach(self, intf, neighbour):
        """Gives a device the qdisc."""
        node = intf.node
        words = list(self.words)
        if isinstance(node, LosslessSwitch):
            words += ['fabric' if isinstance(neighbour, Switch) else 'edge',
                      'switch', node.number, *node.options]
        elif isinstance(node, LosslessHost):
            words += ['role', 'host', *node.options]
        run(node, 'tc', 'qdisc', 'replace', 'dev', intf.name, 'root', 'handle', '1:', 'lossless',
            *words)


class LosslessSwitch(Switch):
    """A bridge; its ports with a LosslessLink are those of one lossless switch.

    It learns addresses, and has no spanning tree: a network must not have loops.

    number   of the switch, 1 to 65535; None: the one after the highest so far
    options  more options of the qdiscs of its ports, in the grammar of tc-lossless(8):
             'buffer 1mb'
    """

    controlIntf = None      # of Mininet; none in a network namespace of its own
    numbers = 0

    def __init__(self, name, number=None, options='', **params):
        if number is None:
            number = LosslessSwitch.numbers + 1
        LosslessSwitch.numbers = max(LosslessSwitch.numbers, number)
        self.number = number
        self.options = shlex.split(options)
        params.setdefault('dpid', f'{number:x}')
        super().__init__(name, **params)

    def start(self, controllers):
        """Makes the bridge. Controllers are those of OpenFlow, and not used."""
        run(self, 'ip', 'link', 'add', 'name', self.name, 'type', 'bridge', 'mcast_snooping', 0)
        for intf in self.ports_of_bridge():
            run(self, 'ip', 'link', 'set', 'dev', intf.name, 'up', 'master', self.name)
        run(self, 'ip', 'link', 'set', 'dev', self.name, 'up')

    def stop(self, deleteIntfs=True):
        """Removes the bridge."""
        if self.shell:
            self.cmd('ip link del dev', self.name)
        super().stop(deleteIntfs)

    def ports_of_bridge(self):
        return [intf for intf in self.intfList() if intf.link]

    def stats(self):
        """The counters of tc -s -j qdisc show, by the name of the port."""
        return statistics(self)


class LosslessHost(Host):
    """A host whose NIC has the qdisc: it honours PFC frames of its switch, and sends them.

    options  more options of its qdisc: 'rx-rate 500mbit' makes a slow receiver
    """

    def __init__(self, name, options='', **params):
        self.options = shlex.split(options)
        super().__init__(name, **params)

    def stats(self):
        """The counters of tc -s -j qdisc show, by the name of the device."""
        return statistics(self)


def statistics(node):
    """{device: counters} of the qdiscs of a node."""
    names = {intf.name for intf in node.intfList()}
    found = json.loads(run(node, 'tc', '-s', '-j', 'qdisc', 'show') or '[]')
    return {one['dev']: one for one in found
            if one['kind'] == 'lossless' and one['dev'] in names}


def each(net):
    """The counters of all qdiscs of a network."""
    for node in net.switches + net.hosts:
        yield from statistics(node).values()


def dropped(net):
    """Packets that switches and hosts have dropped, for any reason, in all priorities."""
    return sum(sum(prio['drops'].values()) for port in each(net) for prio in port['prios'])


def pauses(net, direction='tx'):
    """Pauses that ports and hosts have sent ('tx'), or PFC frames with a pause that they have
    received and honour ('rx')."""
    name = {'tx': 'tx_pause_transition', 'rx': 'rx_pause'}[direction]
    return sum(prio[name] for port in each(net) for prio in port['prios'])
