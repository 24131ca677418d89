# SPDX-License-Identifier: GPL-2.0
"""What the switch does with the packets: one function each, by the name in the table.

The tested device is between h1 and the switch, and with "encap" between the switch and h3. A
function makes the rest of the way, and says where packets go to: tb.target.
"""
from lib import KsftSkipEx

from situations import bpf
from situations.testbed import IN, MAC, OUT, Ends, has
from situations.devices import DEVICES, LAYER2

SLOW = '2mbit'          # of what gets copies

# --- ways through the switch


def _plain(side):
    return Ends(side.port, 'eth0')


def _bridge(tb, ins, out):
    """Both ends in one subnet."""
    tb.ip('h1', f'addr add 10.0.1.1/24 dev {ins.host}',
           f'neigh replace 10.0.1.3 lladdr {MAC["h3"]} dev {ins.host}')
    tb.ip('h3', f'addr add 10.0.1.3/24 dev {out.host}')
    tb.target = '10.0.1.3'


def _bridged(tb, ins, out):
    devices = ins.sw, out.sw, 'p4'
    if tb.join:
        tb.join(devices)
    else:
        tb.ip('sw', 'link add br0 up type bridge mcast_snooping 0',
              *(f'link set {dev} master br0' for dev in devices))
        tb.run('sw', 'bridge', 'fdb', 'replace', MAC['h3'], 'dev', out.sw, 'master', 'static')
    _bridge(tb, ins, out)


def _routed(tb, ins, out):
    """Addresses and routes; in v6 where that is asked for."""
    if tb.into_vrf:
        tb.ip('sw', f'link set {out.sw} master vrf1')
    if tb.v6:
        nets, size, dead = ('fd01:1::', 'fd01:3::'), 64, ' nodad'
    else:
        nets, size, dead = ('10.0.1.', '10.0.3.'), 24, ''
    gate = 'fe' if tb.v6 else '254'
    for ns, end, mine, other, i in (('h1', ins, *nets, 1), ('h3', out, *nets[::-1], 3)):
        tb.ip('sw', f'addr add {mine}{gate}/{size} dev {end.sw}{dead}')
        if tb.v6:       # a router asks for neighbours by such an address
            tb.ip('sw', f'addr add fe80::{i}/64 dev {end.sw} nodad')
        tb.ip(ns, f'addr add {mine}{i}/{size} dev {end.host}{dead}',
               f'route add {other}/{size} via {mine}{gate} dev {end.host}' if tb.v6 else
               f'route add {other}0/{size} via {mine}{gate} dev {end.host} onlink')
    tb.sysctl('sw', **({'ipv6__conf__all__forwarding': 1} if tb.v6 else {'ipv4__ip_forward': 1}))
    tb.target = nets[1] + '3'


def _labelled(tb, ins, out):
    """h1 sends with a label, which the switch takes away."""
    _routed(tb, ins, out)
    tb.ip('h1', 'route del 10.0.3.0/24',
           'route add 10.0.3.0/24 encap mpls 100 via inet 10.0.1.254')
    tb.run('sw', *f'ip -f mpls route add 100 via inet 10.0.3.3 dev {out.sw}'.split())


def _way(tb, ins, out):
    """The usual way for the device."""
    if tb.base == 'mpls':
        raise KsftSkipEx('a label has its own way')
    (_bridged if tb.base == 'bridged' else _routed)(tb, ins, out)


def bridged(tb, device):
    """A bridge of the device and p3."""
    _bridged(tb, DEVICES[device](tb, IN), _plain(OUT))


def routed(tb, device):
    """A router, v4."""
    ins = DEVICES[device](tb, IN)
    (_labelled if tb.base == 'mpls' else _routed)(tb, ins, _plain(OUT))


def routed6(tb, device):
    """A router, v6."""
    routed(tb, device)


def encap(tb, device):
    """The router sends by the device."""
    out = DEVICES[device](tb, OUT)
    tb.ingress = ['p1']
    _routed(tb, _plain(IN), out)
    if tb.base == 'mpls':
        tb.ip('sw', 'route replace 10.0.3.0/24 encap mpls 100 via inet 10.0.3.3')
        tb.run('h3', *'ip -f mpls route add 100 dev lo'.split())


def encap_dscp(tb, device):
    """The outer header has DSCP 8; the next hop is slow."""
    tb.tos = '0x20'
    encap(tb, device)
    _slow_next_hop(tb)


def encap_lossy(tb, device):
    """The outer header has DSCP 0."""
    tb.tos = '0'
    encap(tb, device)


def _slow_next_hop(tb):
    tb.pfc = '1:on 3:on'
    tb.rate['p3'] = '50mbit'
    tb.options['h3', 'eth0'] = 'role host rx-rate 10mbit buffer 300k xoff 30k'


def rewritten(tb, device):
    """A filter changes DSCP 24 to 8 behind the hook; the next hop is slow."""
    _way(tb, DEVICES[device](tb, IN), _plain(OUT))
    _slow_next_hop(tb)
    tb.tc('sw', 'qdisc add dev p3 clsact', 'filter add dev p3 egress protocol ip matchall '
           'action pedit ex munge ip dsfield set 0x20 retain 0xfc pipe action csum ip pipe')


def fragmented(tb, device):
    """The next link has a smaller MTU."""
    routed(tb, device)
    tb.ip('sw', 'link set p3 mtu 600')
    tb.ip('h3', 'link set eth0 mtu 600')


def nat(tb, device):
    """Masquerade."""
    routed(tb, device)
    tb.nft('sw', 'table ip n { chain c { type nat hook postrouting priority 100; '
            'oifname "p3" masquerade; } }')


def flowtable(tb, device):
    """Flows that skip the stack."""
    ins = DEVICES[device](tb, IN)
    _routed(tb, ins, _plain(OUT))
    tb.nft('sw', 'table ip f { flowtable t { hook ingress priority 0; '
            f'devices = {{ "{ins.sw}", "p3" }}; }} chain c {{ type filter hook forward priority 0; '
            'meta l4proto udp flow add @t; } }')


def ipvs(tb, device):
    """A virtual server."""
    has('ipvsadm')
    routed(tb, device)
    tb.ip('sw', 'addr add 10.0.9.9/32 dev lo')
    tb.ip('h1', 'route add 10.0.9.9/32 via 10.0.1.254')
    tb.run('sw', 'ipvsadm', '-A', '-u', '10.0.9.9:9', '-s', 'rr')
    tb.run('sw', 'ipvsadm', '-a', '-u', '10.0.9.9:9', '-r', '10.0.3.3:9', '-m')
    tb.target = '10.0.9.9'


# --- filters

def _forward(tb, device, how):
    """HOW(device of the switch) takes packets at its ingress to p3; there is no bridge."""
    ins = DEVICES[device](tb, IN)
    _bridge(tb, ins, _plain(OUT))
    how(ins.sw)


def nft_fwd(tb, device):
    """nftables."""
    _forward(tb, device, lambda dev: tb.nft(
        'sw', f'table netdev x {{ chain c {{ type filter hook ingress device "{dev}" priority 0; '
        'ip protocol udp fwd to "p3"; } }'))


def redirect_in(tb, device):
    """tc, at ingress."""
    _forward(tb, device, lambda dev: tb.tc(
        'sw', f'qdisc add dev {dev} clsact', f'filter add dev {dev} ingress protocol ip matchall '
        'action mirred egress redirect dev p3'))


def bpf_redirect(tb, device):
    """A program, at ingress."""
    def add(dev):
        program = bpf.pin(tb, bpf.TC, bpf.redirect(_ifindex(tb, 'p3')))
        tb.tc('sw', f'qdisc add dev {dev} clsact',
               f'filter add dev {dev} ingress protocol ip bpf da object-pinned {program}')
    _forward(tb, device, add)


def redirect_out(tb, device):
    """tc, at egress of p3, to p4, where the receiver is then."""
    _way(tb, DEVICES[device](tb, IN), _plain(OUT))
    tb.tc('sw', 'qdisc add dev p3 clsact', 'filter add dev p3 egress protocol ip matchall '
           'action mirred egress redirect dev p4')
    tb.ip('m', f'link set eth0 address {MAC["h3"]}', f'addr add {tb.target}/24 dev eth0')
    tb.rate |= {'p3': '50mbit', 'p4': '10mbit'}
    tb.receiver = 'm'


# --- copies

def _mirror(tb, dev, way):
    tb.rate['p4'] = SLOW
    tb.tc('sw', f'qdisc add dev {dev} clsact',
           f'filter add dev {dev} {way} matchall action mirred egress mirror dev p4')


def mirror_in(tb, device):
    """What the device receives."""
    ins = DEVICES[device](tb, IN)
    _way(tb, ins, _plain(OUT))
    _mirror(tb, ins.sw, 'ingress')


def mirror_out(tb, device):
    """What p3 sends."""
    _way(tb, DEVICES[device](tb, IN), _plain(OUT))
    _mirror(tb, 'p3', 'egress')


def encap_mirror(tb, device):
    """What the device sends by which the router sends."""
    out = DEVICES[device](tb, OUT)
    tb.ingress = ['p1']
    _routed(tb, _plain(IN), out)
    _mirror(tb, out.sw, 'egress')


def bpf_clone(tb, device):
    """What the device receives, by bpf_clone_redirect()."""
    ins = DEVICES[device](tb, IN)
    _way(tb, ins, _plain(OUT))
    tb.rate['p4'] = SLOW
    program = bpf.pin(tb, bpf.TC, bpf.clone(_ifindex(tb, 'p4')))
    tb.tc('sw', f'qdisc add dev {ins.sw} clsact',
           f'filter add dev {ins.sw} ingress protocol ip bpf da object-pinned {program}')


def nft_dup(tb, device):
    """What the device receives, by nftables."""
    ins = DEVICES[device](tb, IN)
    _way(tb, ins, _plain(OUT))
    tb.rate['p4'] = SLOW
    tb.nft('sw', f'table netdev x {{ chain c {{ type filter hook ingress device "{ins.sw}" '
            'priority 0; ip protocol udp dup to "p4"; } }')


def tee(tb, device):
    """What is routed, to another address."""
    routed(tb, device)
    tb.rate['p4'] = SLOW
    tb.ip('sw', 'addr add 10.0.4.254/24 dev p4',
           f'neigh add 10.0.4.4 lladdr {MAC["m"]} dev p4')
    tb.nft('sw', 'table ip t { chain c { type filter hook prerouting priority -150; '
            'udp dport 9 dup to 10.0.4.4 device "p4"; } }')


# --- XDP

def xdp_pass(tb, device):
    """A program at the port that passes all."""
    _way(tb, DEVICES[device](tb, IN), _plain(OUT))
    bpf.xdp(tb, 'sw', 'p1', bpf.PASS)


def xdp_drop(tb, device):
    """A program at the sending host drops what is not IP, so pauses, too."""
    _way(tb, DEVICES[device](tb, IN), _plain(OUT))
    bpf.xdp(tb, 'h1', 'eth0', bpf.ACL)


def xdp_redirect(tb, device):
    """A program at the port sends packets to p3 past all queues."""
    ins = DEVICES[device](tb, IN)
    _bridge(tb, ins, _plain(OUT))
    bpf.xdp(tb, 'sw', 'p1', bpf.redirect(_ifindex(tb, 'p3')))


def _ifindex(tb, dev):
    return int(tb.run('sw', 'ip', '-o', 'link', 'show', 'dev', dev)[1].split(':')[0])


# --- other senders

def own(tb, device):
    """The switch itself sends."""
    out = DEVICES[device](tb, OUT)
    _routed(tb, _plain(IN), out)
    tb.sender, tb.ingress = 'sw', []


def senders(tb, device):
    """The host has many sockets, and little buffer."""
    routed(tb, device)
    tb.options['h1', 'eth0'] = 'buffer 100k'
    tb.rate |= {'p1': '10mbit', 'p3': '50mbit'}
    tb.ingress = []


def _container(tb, device):
    """A container of h1, by a veth, a bridge and NAT."""
    routed(tb, device)
    tb.container('h1')
    tb.ip('h1', 'link add veth1 type veth peer name eth0 netns c1',
           'link add docker0 up type bridge mcast_snooping 0', 'link set veth1 master docker0 up',
           'addr add 172.17.0.1/16 dev docker0')
    tb.flush()
    tb.ip('c1', 'link set eth0 up', 'addr add 172.17.0.2/16 dev eth0',
           'route add default via 172.17.0.1')
    tb.sysctl('h1', ipv4__ip_forward=1)
    tb.nft('h1', 'table ip n { chain c { type nat hook postrouting priority 100; '
            'ip saddr 172.17.0.0/16 oifname "eth0" masquerade; } }')


def container_plain(tb, device):
    """No qdisc at the veth of the container."""
    _container(tb, device)
    tb.options['h1', 'eth0'] = 'buffer 100k'


def container(tb, device):
    """The veth of the container has the qdisc at both ends."""
    _container(tb, device)
    tb.options['h1', 'eth0'] = 'buffer 300k xoff 30k'
    tb.inner = True


# --- the qdisc at the device itself

def attach(tb, device):
    """Refused, or the device is the port and the one below it is not."""
    ends = DEVICES[device](tb, IN)
    dev = {'vrf': 'vrf1'}.get(device, ends.sw)
    if not tb.may_attach:
        tb.attempt = ('sw', 'tc', 'qdisc', 'add', 'dev', dev, 'root', 'lossless')
        return
    tb.port['p1'] = [ends]
    tb.ingress = [ends.sw]
    (_bridged if device in LAYER2 else _routed)(tb, ends, _plain(OUT))


PATHS = {
    'attach': attach, 'bridged': bridged, 'routed': routed, 'routed6': routed6, 'nat': nat,
    'flowtable': flowtable, 'ipvs': ipvs, 'nft-fwd': nft_fwd, 'redirect-in': redirect_in,
    'redirect-out': redirect_out, 'bpf-redirect': bpf_redirect, 'mirror-in': mirror_in,
    'mirror-out': mirror_out, 'encap-mirror': encap_mirror, 'nft-dup': nft_dup,
    'bpf-clone': bpf_clone, 'tee': tee,
    'xdp-pass': xdp_pass, 'xdp-drop': xdp_drop, 'xdp-redirect': xdp_redirect, 'encap': encap,
    'encap-dscp': encap_dscp, 'encap-lossy': encap_lossy, 'rewritten': rewritten,
    'fragmented': fragmented, 'own': own, 'senders': senders, 'container': container,
    'container-plain': container_plain,
}
