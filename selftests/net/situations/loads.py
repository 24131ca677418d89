# SPDX-License-Identifier: GPL-2.0
"""Traffic: sockets of this process in the namespaces, so that N sent and N counted are exact.

Packets are UDP to port 9, 1000 bytes with headers, DSCP 24 unless a load says otherwise.
"""
import select
import socket
import struct
import time

from situations.testbed import MAC, inside

TOS = 24 << 2
PORT = 9
SIZE = 972              # of the payload; 1000 bytes with IPv4 and UDP
COUNT = 600             # 480 ms of 10 Mbit/s, twice what the buffer holds
UDP_SEGMENT = 103
SO_TIMESTAMPNS = 35
SO_RCVBUFFORCE = 33
SILENCE = 0.25          # seconds after which nothing more comes


def _udp(tb, ns, tos=TOS):
    """A socket that sends."""
    with inside(ns):
        sock = socket.socket(socket.AF_INET6 if tb.v6 else socket.AF_INET, socket.SOCK_DGRAM)
    # a packet that never leaves must not stop the scenario
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack('ll', 5, 0))
    if tb.v6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, tos)
    else:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, tos)
        sock.setsockopt(socket.IPPROTO_IP, 10, 0)       # IP_MTU_DISCOVER: may be fragmented
    tb.undo.append(sock.close)
    return sock


def _packet(tb, ns, dev, protocol):
    """A packet socket."""
    with inside(ns):
        sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        sock.bind((dev, protocol))
    tb.undo.append(sock.close)
    return sock


class Receiver:
    """Counts what comes, with the times of the first and of the last packet."""

    def __init__(self, tb, ns, port=PORT, packet=False):
        if packet:
            self.sock = _packet(tb, ns, 'eth0', 3)
            self.sock.setsockopt(263, 23, 1)            # PACKET_IGNORE_OUTGOING
        else:
            with inside(ns):
                self.sock = socket.socket(socket.AF_INET6 if tb.v6 else socket.AF_INET,
                                          socket.SOCK_DGRAM)
            self.sock.bind(('::' if tb.v6 else '', port))
            tb.undo.append(self.sock.close)
        self.sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 32 << 20)
        self.sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.sock.setblocking(False)
        self.packet = packet
        self.count, self.times = 0, []

    def drain(self):
        """Takes what has come; returns whether there was anything."""
        before = self.count
        while True:
            try:
                data, more, *_ = self.sock.recvmsg(2048, 64)
            except BlockingIOError:
                return self.count > before
            if self.packet and data[12:14] == b'\x88\x08':
                continue
            self.count += 1
            for _, kind, value in more:
                if kind == SO_TIMESTAMPNS:
                    sec, nsec = struct.unpack('qq', value[:16])
                    self.times.append(sec * 10 ** 9 + nsec)

    def wait(self):
        """Until nothing has come for a while."""
        while select.select([self.sock], [], [], SILENCE)[0]:
            self.drain()


def warm_up(tb):
    """A lossy packet finds the neighbours; without a way, the line fails."""
    first = Receiver(tb, tb.receiver, 7)
    sock = _udp(tb, tb.sender, 0)
    for _ in range(40):
        sock.sendto(b'?', (tb.target, 9 if tb.target == '10.0.9.9' else 7))
        time.sleep(0.05)
        if tb.target == '10.0.9.9' or first.drain():
            break
    else:
        raise RuntimeError('no packet comes through')
    first.sock.close()


def _send(tb, socks, count, data=bytes(SIZE), gap=0.0, to=None):
    """COUNT packets by these sockets in turn, with the event between them."""
    start = time.monotonic()
    for i in range(count):
        socks[i % len(socks)].sendto(data, to or (tb.target, PORT))
        if tb.during and i % (count // 20 or 1) == 0:
            tb.during(i)
        if gap:
            time.sleep(max(0, start + (i + 1) * gap - time.monotonic()))
    return count


def _udp_load(tb, flows=1, count=COUNT, gap=0.0):
    receiver = Receiver(tb, tb.receiver)
    socks = [_udp(tb, tb.sender) for _ in range(flows)]
    sent = _send(tb, socks, count, gap=gap)
    receiver.wait()
    return sent, receiver


def fast2slow(tb):
    """50 Mbit/s meet 10."""
    return _udp_load(tb)


def light(tb):
    """20 Mbit/s where there is room for them."""
    tb.offered = SIZE * 8 / 20e6
    return _udp_load(tb, count=300, gap=SIZE * 8 / 20e6)


def flows(tb):
    """Each packet is a flow."""
    return _udp_load(tb, flows=COUNT)


def senders32(tb):
    """32 sockets."""
    return _udp_load(tb, flows=32, count=2 * COUNT)


def gso(tb):
    """Segments that the stack cuts late."""
    receiver = Receiver(tb, tb.receiver)
    sock = _udp(tb, tb.sender)
    sock.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, SIZE)
    _send(tb, [sock], COUNT // 20, bytes(20 * SIZE))
    receiver.wait()
    return COUNT, receiver


def multicast(tb):
    """To a group, which the bridge floods."""
    receiver = Receiver(tb, tb.receiver)
    member = socket.inet_aton('239.1.1.1') + socket.inet_aton(tb.target)
    receiver.sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    sock = _udp(tb, tb.sender)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton('10.0.1.1'))
    sent = _send(tb, [sock], COUNT, to=('239.1.1.1', PORT))
    receiver.wait()
    return sent, receiver


def _frames(tb, header, protocol=0x0800):
    """Frames of a packet socket, counted as frames."""
    receiver = Receiver(tb, tb.receiver, packet=True)
    sock = _packet(tb, 'h1', 'eth0', protocol)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack('ll', 5, 0))
    frame = bytes.fromhex((MAC['h3'] + MAC['h1']).replace(':', '')) + header
    for _ in range(COUNT):
        sock.send(frame.ljust(1014, b'\0'))
    receiver.wait()
    return COUNT, receiver


def _ip_header():
    """IPv4 with DSCP 24, in a documentation range."""
    head = struct.pack('>BBHHHBBH4s4s', 0x45, TOS, 986, 0, 0, 64, 17, 0,
                       bytes((198, 51, 100, 1)), bytes((198, 51, 100, 3)))
    sums = sum(struct.unpack('>10H', head))
    sums = (sums & 0xffff) + (sums >> 16)
    return head[:10] + struct.pack('>H', ~sums & 0xffff) + head[12:]


def tagged(tb):
    """The tag is in the frame, as a packet socket sends it: scapy, tcpreplay."""
    return _frames(tb, struct.pack('>HHH', 0x8100, 10, 0x0800) + _ip_header(), 0x8100)


def tagged_as_ip(tb):
    """The same by a socket that says IP."""
    return _frames(tb, struct.pack('>HHH', 0x8100, 10, 0x0800) + _ip_header())


def double(tb):
    """Two tags in the frame."""
    return _frames(tb, struct.pack('>HHHHH', 0x88a8, 10, 0x8100, 20, 0x0800) + _ip_header(),
                   0x88a8)


def fcoe(tb):
    """Frames without IP, whose class is that of "dcb app"."""
    return _frames(tb, struct.pack('>H', 0x8906), 0x8906)


def control(tb):
    """ARP, ping and DHCP of priority 0 from m to h3, beside a full priority 3."""
    receiver = Receiver(tb, tb.receiver)
    dhcp = Receiver(tb, tb.receiver, 67)
    tb.ip('m', 'addr add 10.0.1.4/24 dev eth0')
    tb.flush()
    sent = _send(tb, [_udp(tb, 'h1') for _ in range(8)], 2 * COUNT)
    discover = _udp(tb, 'm', 0)
    discover.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    with inside('m'):
        ping = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    tb.undo.append(ping.close)
    for i in range(5):
        discover.sendto(bytes(300), ('10.0.1.255', 67))
        ping.sendto(struct.pack('>BBHHH', 8, 0, 0xf7ff - 1 - i, 1, i), (tb.target, 0))
        time.sleep(0.02)
    ping.setblocking(False)
    replies = 0
    try:
        while ping.recv(2048):
            replies += 1
    except BlockingIOError:
        pass
    dhcp.drain()
    receiver.drain()
    tb.wrong(receiver.count < sent, 'priority 3 was not full')
    tb.wrong(replies == 5, f'{replies} of 5 pings are answered')
    tb.wrong(dhcp.count == 5, f'{dhcp.count} of 5 DHCP messages arrive')
    receiver.wait()
    return sent, receiver


LOADS = {
    'fast2slow': fast2slow, '20of100': light, 'flows': flows, 'senders32': senders32, 'gso': gso,
    'multicast': multicast, 'tagged': tagged, 'tagged-as-ip': tagged_as_ip, 'double-tagged': double,
    'fcoe': fcoe, 'control': control, '-': None,
}
