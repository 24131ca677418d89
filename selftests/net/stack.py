#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What others do to arriving packets: the qdisc at a device of a host changes none of it.

    h1 eth0 -- p1 [sw, a host]

p1 has the lossless qdisc. In half of the tests it also receives slowly, so that packets
wait there.
"""
import re
import socket

from lib import defer, ksft_eq, ksft_run, ksft_true, port
from situations import bpf
from situations.testbed import MAC, Testbed, inside

COUNT = 50
PORT, OTHER = 9, 7777
MAC_SW = '02:00:00:00:00:02'
QDISC = 'qdisc replace dev p1 root handle 1: lossless rate 100mbit prio-pfc 3:on '
SLOW = 'role host rx-rate 1mbit'


class Link(Testbed):
    """See above."""

    def __init__(self, options=''):
        super().__init__()
        defer(self.end)
        self.links()
        self.ip('sw', f'link set p1 address {MAC_SW}', 'addr add 192.0.2.2/24 dev p1',
                f'neigh replace 192.0.2.1 lladdr {MAC["h1"]} dev p1')
        self.ip('h1', 'addr add 192.0.2.1/24 dev eth0', 'route add default via 192.0.2.2',
                f'neigh replace 192.0.2.2 lladdr {MAC_SW} dev eth0')
        self.tc('sw', QDISC + options)

    def socket(self, ns, number=0, *options):
        """A UDP socket."""
        with inside(ns):
            sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.undo.append(sock.close)
        for option in options:
            sock.setsockopt(*option)
        sock.bind(('', number))
        return sock

    def send(self, to='192.0.2.2'):
        """COUNT packets of DSCP 24, without a checksum."""
        self.flush()
        sock = self.socket('h1', 0, (socket.IPPROTO_IP, socket.IP_TOS, 24 << 2),
                           (socket.SOL_SOCKET, 11, 1))
        for _ in range(COUNT):
            sock.sendto(bytes(100), (to, PORT))


def received(sock):
    """The packets of a socket."""
    sock.settimeout(1)
    packets = []
    try:
        while True:
            packets.append(sock.recv(2048))
    except TimeoutError:
        return packets


def waited():
    """Packets have waited at p1 for its receive side."""
    ksft_true(port('p1')['prios'][3]['occupancy_max'], 'nothing has waited')


def assign(number):
    """IPv4: sk = bpf_sk_lookup_udp(port NUMBER); bpf_sk_assign(skb, sk, 0)"""
    tail = (bpf.insn(0xbf, 0x07) + bpf.insn(0xbf, 0x61) + bpf.insn(0xbf, 0x72) +
            bpf.insn(0xb7, 3) + bpf.insn(0x85, 0, 0, 124) + bpf.insn(0xbf, 0x71) +
            bpf.insn(0x85, 0, 0, 86))
    find = (bpf.insn(0x7a, 10, -16) + bpf.insn(0x7a, 10, -8) +
            bpf.insn(0x6a, 10, -6, socket.htons(number)) + bpf.insn(0xbf, 0x61) +
            bpf.insn(0xbf, 0xa2) + bpf.insn(0x07, 2, 0, -16) + bpf.insn(0xb7, 3, 0, 12) +
            bpf.insn(0xb7, 4, 0, -1) + bpf.insn(0xb7, 5) + bpf.insn(0x85, 0, 0, 85) +
            bpf.insn(0x15, 0, len(tail) // 8))
    return (bpf.insn(0xbf, 0x16) + bpf.insn(0x61, 0x12, 16) +
            bpf.insn(0x55, 2, len(find + tail) // 8, socket.htons(0x0800)) + find + tail +
            bpf.insn(0xb7) + bpf.EXIT)


# increments byte 42, the first of the payload of UDP
CHANGE = (bpf.insn(0x61, 0x12) + bpf.insn(0x61, 0x13, 4) + bpf.insn(0xbf, 0x24) +
          bpf.insn(0x07, 4, 0, 43) + bpf.insn(0xb7, 0, 0, 2) + bpf.insn(0x2d, 0x34, 3) +
          bpf.insn(0x71, 0x25, 42) + bpf.insn(0x07, 5, 0, 1) + bpf.insn(0x73, 0x52, 42) +
          bpf.EXIT)


def _sk_assign(tb):
    program = bpf.pin(tb, bpf.TC, assign(OTHER))
    assigned, found = tb.socket('sw', OTHER), tb.socket('sw', PORT)
    tb.tc('sw', 'qdisc add dev p1 clsact',
           f'filter add dev p1 ingress bpf da object-pinned {program}')
    tb.send()
    ksft_eq(len(received(assigned)), COUNT, 'packets of the assigned socket')
    ksft_eq(len(received(found)), 0, 'packets of the socket at their port')


def sk_assign():
    """bpf_sk_assign() determines the socket."""
    _sk_assign(Link())


def sk_assign_of_packets_that_wait():
    """The same at a slow host; the socket is not freed meanwhile."""
    _sk_assign(Link(SLOW))
    waited()


def skbedit_priority():
    """The priority that a filter has set is that at the next qdisc."""
    tb = Link()
    tb.ip('sw', 'addr flush dev p1', 'link add br0 up type bridge mcast_snooping 0',
           'link set p1 master br0', 'link set p3 master br0')
    tb.ip('h1', f'neigh replace 192.0.2.3 lladdr {MAC["h3"]} dev eth0')
    tb.ip('h3', 'addr add 192.0.2.3/24 dev eth0')
    tb.run('sw', 'bridge', 'fdb', 'replace', MAC['h3'], 'dev', 'p3', 'master', 'static')
    tb.tc('sw', 'qdisc add dev p3 root handle 5: prio bands 8', 'qdisc add dev p1 clsact',
           'filter add dev p1 ingress matchall action skbedit priority 5:6 pipe')
    sock = tb.socket('h3', PORT)
    tb.send('192.0.2.3')
    ksft_eq(len(received(sock)), COUNT, 'received')
    said = tb.run('sw', 'tc', '-s', 'class', 'show', 'dev', 'p3')[1]
    ksft_eq(re.findall(r'class prio (\S+) .*\n Sent \d+ bytes ([1-9]\d*) pkt', said),
            [('5:6', str(COUNT))], 'packets by class')


def _tproxy(tb):
    tb.nft('sw', 'table ip t { chain c { type filter hook prerouting priority -150; '
            f'ip protocol udp tproxy to :{OTHER} meta mark set 1 accept; }} }}')
    tb.ip('sw', 'rule add fwmark 1 lookup 100', 'route add local default dev lo table 100')
    proxy = tb.socket('sw', OTHER, (socket.IPPROTO_IP, 19, 1))     # IP_TRANSPARENT
    tb.send('198.51.100.9')
    ksft_eq(len(received(proxy)), COUNT, 'packets of the proxy')


def tproxy():
    """nftables hands packets for others to a socket."""
    _tproxy(Link())


def tproxy_of_packets_that_wait():
    """The same at a slow host."""
    _tproxy(Link(SLOW))
    waited()


def _generic_xdp(tb):
    sock = tb.socket('sw', PORT)
    bpf.xdp(tb, 'sw', 'p1', CHANGE)
    tb.send()
    ksft_eq([packet[0] for packet in received(sock)], [1] * COUNT, 'changes of each packet')


def generic_xdp():
    """A program runs once for each packet."""
    _generic_xdp(Link())


def generic_xdp_for_packets_that_wait():
    """The same at a slow host."""
    _generic_xdp(Link(SLOW))
    waited()


ksft_run([sk_assign, sk_assign_of_packets_that_wait, skbedit_priority, tproxy,
          tproxy_of_packets_that_wait, generic_xdp, generic_xdp_for_packets_that_wait])
