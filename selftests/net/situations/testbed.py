# SPDX-License-Identifier: GPL-2.0
"""The testbed of a situation: three hosts at a switch, built by batches of ip and tc.

	h1 eth0 -- p1 [sw] p3 -- eth0 h3
	           p4 -- eth0 m

h1 sends to h3; m stands by, or gets copies. The qdiscs come last, when all devices have
their MTU.
"""
import collections
import contextlib
import ctypes
import json
import os
import subprocess

from lib import KsftSkipEx

CLONE_NEWNET = 0x40000000
HOSTS = {'h1': 'p1', 'h3': 'p3', 'm': 'p4'}
MAC = {'h1': '02:00:00:00:00:01', 'h3': '02:00:00:00:00:03', 'm': '02:00:00:00:00:04'}
NO_SUCH = ('Unknown device type', 'Operation not supported')

# the two ends of what carries packets between a host and the switch
Ends = collections.namedtuple('Ends', 'sw host')
Side = collections.namedtuple('Side', 'host port net')
IN, OUT = Side('h1', 'p1', 1), Side('h3', 'p3', 3)

_libc = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def inside(ns):
    """Sockets, sysctls and programs are those of the namespace NS."""
    with open('/proc/self/ns/net', encoding='ascii') as here, \
            open(f'/run/netns/{ns}', encoding='ascii') as there:
        if _libc.setns(there.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f'setns {ns}')
        try:
            yield
        finally:
            _libc.setns(here.fileno(), CLONE_NEWNET)


def has(program):
    """Skips the line without PROGRAM."""
    if not any(os.access(f'{path}/{program}', os.X_OK) for path in os.environ['PATH'].split(':')):
        raise KsftSkipEx(f'no {program}')


class Testbed:
    """See above. PLANTED: the sender obeys no pause."""

    def __init__(self, planted=False):
        self.planted = planted
        self.pending = {}
        self.undo = []
        self.faults = []
        self.rate = {'p1': '50mbit', 'p3': '10mbit', 'p4': '50mbit'}
        self.options = collections.defaultdict(str)     # of a qdisc, by device
        self.pfc = '3:on'
        self.port = {}          # device with the qdisc where it is not the link: (ns, link)
        self.ingress = ['p1']
        self.base = None        # how packets cross the switch if the path does not matter
        self.into_vrf = False
        self.sender, self.receiver, self.target = 'h1', 'h3', None
        self.join = None        # makes a bridge of devices, if it is not the kernel's
        self.ovs = None         # ovs-vswitchd
        self.tos = 'inherit'    # of a tunnel
        self.queues = ''        # options of the links
        self.v6 = self.v6_below = False         # of the packets, of a tunnel
        self.may_attach = True
        self.attempt = None     # a command that is to be refused
        self.during = None      # an event between two packets
        self.inner = False      # the container's veth is a port
        self.offered = 0        # seconds a packet

    # --- commands

    def run(self, ns, *words, text=None, check=True):
        """Runs a program in NS; returns its exit status and all that it says."""
        self.flush()
        with inside(ns):
            done = subprocess.run(words, input=text, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
        if check and done.returncode:
            said = done.stdout.strip()
            if any(part in said for part in NO_SUCH):
                raise KsftSkipEx(f'{words[0]}: {said.splitlines()[0]}')
            raise RuntimeError(f'{ns}: {" ".join(words)}: {said}\n{text or ""}')
        return done.returncode, done.stdout

    def ip(self, ns, *lines):
        """Lines for "ip -batch", which run together, before the next other command."""
        self.pending.setdefault(ns, []).extend(lines)

    def flush(self):
        """Runs the lines that wait."""
        pending, self.pending = self.pending, {}
        for ns, lines in pending.items():
            self.run(ns, 'ip', '-batch', '-', text='\n'.join(lines) + '\n')

    def tc(self, ns, *lines):
        """Lines for "tc -batch"."""
        return self.run(ns, 'tc', '-batch', '-', text='\n'.join(lines) + '\n')[1]

    def sysctl(self, ns, **values):
        """Keys with __ for each / below /proc/sys/net."""
        self.flush()
        with inside(ns):
            for key, value in values.items():
                with open('/proc/sys/net/' + key.replace('__', '/'), 'w', encoding='ascii') as file:
                    file.write(str(value))

    def nft(self, ns, text):
        """Rules of nftables."""
        has('nft')
        self.run(ns, 'nft', '-f', '-', text=text.replace('} ', '}\n') + '\n')

    def background(self, *words, **options):
        """Starts a program, which ends with the testbed; returns its Popen."""
        self.flush()
        program = subprocess.Popen(words, **options)
        self.undo.append(program.wait)
        self.undo.append(program.kill)
        return program

    # --- building

    def links(self):
        """Namespaces and cables; IPv6 is on where it is asked for."""
        names = ['sw', *HOSTS]
        self.undo.append(lambda: subprocess.run(
            ['ip', '-force', '-batch', '-'], input=''.join(f'netns del {n}\n' for n in names),
            text=True, stderr=subprocess.DEVNULL, check=False))
        cables = [f'link add eth0 {self.queues} netns {host} address {MAC[host]} type veth '
                  f'peer name {port} {self.queues} netns sw' for host, port in HOSTS.items()]
        subprocess.run(['ip', '-batch', '-'], text=True, check=True,
                       input='\n'.join([f'netns add {n}' for n in names] + cables) + '\n')
        # a macvlan has its address, and not the port below it, too
        self.sysctl('sw', ipv4__conf__all__arp_ignore=1)
        off = int(not (self.v6 or self.v6_below))
        for name in names:
            self.sysctl(name, ipv6__conf__all__disable_ipv6=off,
                        ipv6__conf__default__disable_ipv6=off,
                        ipv6__conf__default__addr_gen_mode=1)
        for host, port in HOSTS.items():
            self.ip('sw', f'link set {port} addrgenmode none', f'link set {port} up')
            self.ip(host, 'link set lo up', 'link set eth0 addrgenmode none', 'link set eth0 up')
        self.ip('sw', 'link set lo up')

    def second_link(self, host):
        """A second cable of a host, to p5."""
        subprocess.run(['ip', 'link', 'add', 'eth1', 'netns', host, 'type', 'veth', 'peer', 'name',
                        'p5', 'netns', 'sw'], check=True)

    def container(self, host):
        """A namespace within a host, which sends in its place."""
        self.run(host, 'ip', 'netns', 'add', 'c1')
        self.undo.append(lambda: subprocess.run(['ip', 'netns', 'del', 'c1'], check=False))
        self.ip('c1', 'link set lo up')
        self.sender = 'c1'

    def qdisc(self, ns, dev, rate):
        """The line that makes a port, or the qdisc of a host."""
        pfc = self.pfc
        if self.planted and ns == ('h1' if self.sender == 'c1' else self.sender):
            pfc = 'all:off'
        options = self.options[ns, dev] or ('buffer 300k xoff 30k' if ns == 'sw' else 'buffer 16m')
        return (f'qdisc replace dev {dev} root handle 1: lossless rate {rate} prio-pfc {pfc} '
                f'{options}')

    def qdiscs(self):
        """Makes all ports."""
        sw = []
        for host, port in HOSTS.items():
            ends = self.port.get(port, [Ends(port, 'eth0')])
            sw += [self.qdisc('sw', end.sw, self.rate[port]) for end in ends]
            self.tc(host, *(self.qdisc(host, end.host, self.rate[port]) for end in ends))
        self.tc('sw', *sw)
        if self.inner:
            self.options['h1', 'veth1'] = self.options['h1', 'eth0']
            self.tc('h1', self.qdisc('h1', 'veth1', self.rate['p1']))
            self.tc('c1', self.qdisc('c1', 'eth0', self.rate['p1']))

    def end(self):
        """Takes all down."""
        while self.undo:
            self.undo.pop()()

    def wrong(self, good, what):
        """Notes WHAT, unless all is GOOD."""
        if not good:
            self.faults.append(what)

    # --- counters

    def qdisc_stats(self, ns):
        """What tc says of the lossless qdiscs of NS, by device."""
        said = self.run(ns, 'tc', '-s', '-j', 'qdisc', 'show')[1]
        return {q['dev']: q for q in json.loads(said) if q['kind'] == 'lossless'}

    def link_stats(self, ns):
        """Drops and errors of the devices of NS, by device."""
        said = self.run(ns, 'ip', '-s', '-j', 'link', 'show')[1]
        found = {}
        for link in json.loads(said):
            for way, counters in link.get('stats64', {}).items():
                for name in ('dropped', 'errors'):
                    if counters.get(name):
                        found[f'{link["ifname"]}: {way} {name}'] = counters[name]
        return found
