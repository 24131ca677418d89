# SPDX-License-Identifier: GPL-2.0
"""What happens to a port that is set up, before or while packets come: one function each."""
import time

from situations import bpf
from situations.devices import ovs_vswitchd, vsctl
from situations.testbed import HOSTS, has


def link_flap(tb):
    """The link of the sender goes and comes."""
    tb.ip('sw', 'link set p1 down', 'link set p1 up')


def queues(tb):
    """TX queues of the slow port change twenty times under load."""
    tb.during = lambda i: tb.run('sw', 'ethtool', '-L', 'p3', 'tx', str(1 + i // 20 % 2 * 3),
                                   check=False)


def xdp_later(tb):
    """A program of XDP comes."""
    bpf.xdp(tb, 'sw', 'p1', bpf.PASS)


def filter_later(tb):
    """A filter at ingress comes."""
    tb.tc('sw', 'qdisc add dev p1 clsact',
           'filter add dev p1 ingress protocol ip matchall action gact pass')


def egress_filter_later(tb):
    """A filter at egress comes, which lets pass."""
    tb.tc('sw', 'qdisc add dev p3 clsact',
           'filter add dev p3 egress protocol ip matchall action gact pipe')


def vrf_later(tb):
    """Both devices join a VRF; addresses stay."""
    tb.ip('sw', 'link add vrf1 type vrf table 10', 'link set vrf1 up', 'link set p1 master vrf1',
           'link set p3 master vrf1')


def rename(tb):
    """The port has another name; it is down meanwhile."""
    tb.ip('sw', 'link set p1 down', 'link set p1 name swp1', 'link set swp1 up')
    tb.ingress = ['swp1']


def mtu(tb):
    """The link has another MTU at both ends."""
    tb.ip('sw', 'link set p1 mtu 1600')
    tb.ip('h1', 'link set eth0 mtu 1600')


def change(tb):
    """tc changes an option of the port."""
    tb.tc('sw', 'qdisc change dev p1 root lossless xoff 40k')


def app(tb):
    """dcb app gives an EtherType a priority."""
    for ns, dev in (('sw', 'p1'), ('sw', 'p3'), ('h1', 'eth0')):
        tb.run(ns, 'dcb', 'app', 'add', 'dev', dev, 'ethtype-prio', '0x8906:3')


def app_port(tb):
    """dcb app gives a UDP port a priority."""
    tb.attempt = ('sw', 'dcb', 'app', 'add', 'dev', 'p1', 'dgram-port-prio', '4791:3')


def app_stream(tb):
    """dcb app gives a TCP port a priority."""
    tb.attempt = ('sw', 'dcb', 'app', 'add', 'dev', 'p1', 'stream-port-prio', '3260:3')


def _lldpad(tb):
    """An agent without a setting of its own."""
    has('lldpad')
    agent = tb.background(
        'ip', 'netns', 'exec', 'sw', 'unshare', '-m', 'sh', '-c',
        'mkdir -p /dev/shm; mount -t tmpfs shm /dev/shm; exec lldpad -p -f /tmp/lldpad.conf')
    time.sleep(4)
    tb.run('sw', 'lldptool', '-L', '-i', 'p1', 'adminStatus=rxtx')
    return agent


def lldpad(tb):
    """An agent starts, and switches PFC off after a while."""
    _lldpad(tb)
    time.sleep(40)


def lldpad_flap(tb):
    """Its link goes and comes."""
    _lldpad(tb)
    time.sleep(40)
    tb.tc('sw', 'qdisc change dev p1 root lossless prio-pfc 3:on')
    link_flap(tb)
    tb.flush()
    time.sleep(20)


def lldpad_ends(tb):
    """It ends."""
    agent = _lldpad(tb)
    time.sleep(40)
    agent.terminate()
    agent.wait()


def deleted(tb):
    """Another program takes the qdisc away."""
    tb.tc('sw', 'qdisc del dev p1 root')


def ovs_restarts(tb):
    """Open vSwitch takes the qdisc of a port that it does not manage."""
    tb.ovs.terminate()
    tb.ovs.wait()
    tb.ovs = ovs_vswitchd(tb)
    time.sleep(3)


def ovs_noop(tb):
    """The same, where it knows that the qdisc is not its own."""
    for port in HOSTS.values():
        vsctl(tb, 'set', 'port', port, 'qos=@q', '--', '--id=@q', 'create', 'qos',
              'type=linux-noop')
    ovs_restarts(tb)


EVENTS = {
    '-': None, 'link-flap': link_flap, 'queues': queues, 'xdp-later': xdp_later,
    'filter-later': filter_later, 'egress-filter-later': egress_filter_later,
    'vrf-later': vrf_later, 'rename': rename, 'mtu': mtu, 'change': change, 'app': app,
    'app-port': app_port, 'app-stream': app_stream, 'lldpad': lldpad, 'lldpad-flap': lldpad_flap,
    'lldpad-ends': lldpad_ends, 'deleted': deleted, 'ovs-restarts': ovs_restarts,
    'ovs-noop': ovs_noop,
}
