# SPDX-License-Identifier: GPL-2.0
"""Devices between a host and the switch: one function each, by the name in the table.

A function makes the device at both ends of a side, and returns their names. Those in
LAYER2 can be in a bridge.
"""
import os
import subprocess

from lib import wait_for

from situations.testbed import IN, Ends, has

OVS = '/tmp/ovs'
KEY = '01234567890123456789012345678901'
PRIVATE = {'sw': 'GAHCWA1kSWJP3v3U1Vx2vdD2yqDRjvVvAbfW1Yv7mkk=',
           'host': 'qNXWIGSBQDLhHZJ8eTtBCqrHPEHqDkD6pZvSZQnTRFU='}


def _below(dev):
    """The name of a device on top of DEV."""
    return dev.replace('eth', 'u') if dev.startswith('eth') else dev.replace('p', 'u')


def _uppers(tb, side, kind, sw_only=False):
    """A device KIND on the link: at both ends, or at the switch."""
    upper = _below(side.port)
    tb.ip('sw', f'link add link {side.port} name {upper} type {kind}', f'link set {upper} up')
    if sw_only:
        return Ends(upper, 'eth0')
    tb.ip(side.host, f'link add link eth0 name u0 type {kind}', 'link set u0 up')
    return Ends(upper, 'u0')


def _underlay(tb, side, v6=False):
    """Addresses for a tunnel on the link; returns those of the switch and of the host."""
    ends = (f'fd02:{side.net}::1', f'fd02:{side.net}::2') if v6 else \
        (f'172.16.{side.net}.1', f'172.16.{side.net}.2')
    for ns, dev, address in (('sw', side.port, ends[0]), (side.host, 'eth0', ends[1])):
        tb.ip(ns, f'link set {dev} mtu 1600',
               f'addr add {address}/{64 if v6 else 24} dev {dev}' + ' nodad' * v6)
    return ends


def _tunnel(tb, side, kind, options, v6=False):
    """A tunnel with these ends, and no others."""
    here, there = _underlay(tb, side, v6)
    name = f't{side.net}'
    for ns, local, remote in (('sw', here, there), (side.host, there, here)):
        where = f'remote {remote}' if kind == 'geneve' else f'local {local} remote {remote}'
        tb.ip(ns, f'link add {name} mtu 1500 type {kind} {where} {options}',
               f'link set {name} up')
    return Ends(name, name)


# --- links, and what is on top of them

def veth(_tb, side):
    """A cable."""
    return Ends(side.port, 'eth0')


def tap(tb, side):
    """A program is the cable."""
    tb.run('sw', 'modprobe', 'tun')
    tb.ip('sw', f'link del {side.port}', f'tuntap add {side.port} mode tap',
           f'link set {side.port} up')
    tb.ip(side.host, 'tuntap add eth0 mode tap', 'link set eth0 address 02:00:00:00:00:01',
           'link set eth0 up')
    tb.background('lle_tap', 'sw', side.port, side.host, 'eth0')
    return Ends(side.port, 'eth0')


def vlan(tb, side):
    """A VLAN device at both ends."""
    return _uppers(tb, side, 'vlan id 10')


def qinq(tb, side):
    """Two tags."""
    outer = _uppers(tb, side, 'vlan protocol 802.1ad id 10')
    tb.ip('sw', f'link add link {outer.sw} name {outer.sw}.20 type vlan id 20',
           f'link set {outer.sw}.20 up')
    tb.ip(side.host, 'link add link u0 name u0.20 type vlan id 20', 'link set u0.20 up')
    return Ends(outer.sw + '.20', 'u0.20')


def _lag(tb, side, kind, mode):
    """Two links as one, at both ends."""
    tb.second_link(side.host)
    tb.ingress = [side.port, 'p5']
    tb.port[side.port] = [Ends(side.port, 'eth0'), Ends('p5', 'eth1')]
    for ns, members in (('sw', (side.port, 'p5')), (side.host, ('eth0', 'eth1'))):
        tb.ip(ns, f'link add lag0 type {kind} {mode}')
        if kind == 'team':
            has('teamnl')
            tb.run(ns, 'teamnl', 'lag0', 'setoption', 'mode', 'roundrobin')
        for member in members:
            tb.ip(ns, f'link set {member} down', f'link set {member} master lag0',
                   f'link set {member} up')
        tb.ip(ns, 'link set lag0 up')
    return Ends('lag0', 'lag0')


def bond(tb, side):
    """Two links."""
    return _lag(tb, side, 'bond', 'mode balance-rr miimon 100')


def team(tb, side):
    """Two links, by teamd's driver."""
    return _lag(tb, side, 'team', '')


def vlan_bond(tb, side):
    """A VLAN device on a bond."""
    bond(tb, side)
    for ns in ('sw', side.host):
        tb.ip(ns, 'link add link lag0 name lag0.10 type vlan id 10', 'link set lag0.10 up')
    return Ends('lag0.10', 'lag0.10')


def macvlan(tb, side):
    """A macvlan of the router."""
    return _uppers(tb, side, 'macvlan mode bridge', sw_only=True)


def macvtap(tb, side):
    """A macvtap of the router; nothing reads it."""
    return _uppers(tb, side, 'macvtap mode bridge', sw_only=True)


def ipvlan_l2(tb, side):
    """An ipvlan of the router."""
    return _uppers(tb, side, 'ipvlan mode l2', sw_only=True)


def ipvlan_l3(tb, side):
    """An ipvlan of a container of the host, which has no ARP."""
    tb.container(side.host)
    tb.ip(side.host, 'link add link eth0 name u0 netns c1 type ipvlan mode l3')
    tb.flush()
    tb.ip('c1', 'link set u0 up', 'addr add 10.0.5.1/32 dev u0', 'route add default dev u0')
    return Ends(side.port, 'eth0')


def vrf(tb, side):
    """The port is in a VRF."""
    tb.into_vrf = True
    tb.ip('sw', 'link add vrf1 type vrf table 10', 'link set vrf1 up',
           f'link set {side.port} master vrf1')
    return Ends(side.port, 'eth0')


def vlan_vrf(tb, side):
    """A VLAN device is in a VRF."""
    ends = vlan(tb, side)
    tb.into_vrf = True
    tb.ip('sw', 'link add vrf1 type vrf table 10', 'link set vrf1 up',
           f'link set {ends.sw} master vrf1')
    return ends


def bridge(tb, side):
    """A bridge that routes."""
    tb.ip('sw', 'link add br1 up type bridge mcast_snooping 0',
           f'link set {side.port} master br1')
    return Ends('br1', 'eth0')


def svi(tb, side):
    """A VLAN device on a VLAN-aware bridge."""
    tb.ip('sw', 'link add br1 up type bridge mcast_snooping 0 vlan_filtering 1 '
           'vlan_default_pvid 0', f'link set {side.port} master br1')
    tb.run('sw', 'bridge', '-batch', '-', text=f'vlan add dev {side.port} vid 10 pvid untagged\n'
            'vlan add dev br1 vid 10 self\n')
    tb.ip('sw', 'link add link br1 name br1.10 type vlan id 10', 'link set br1.10 up')
    return Ends('br1.10', 'eth0')


def svi_vrf(tb, side):
    """The same in a VRF."""
    ends = svi(tb, side)
    tb.into_vrf = True
    tb.ip('sw', 'link add vrf1 type vrf table 10', 'link set vrf1 up',
           'link set br1.10 master vrf1')
    return ends


def macvlan_svi(tb, side):
    """A virtual MAC, as of VRRP, on the same."""
    svi(tb, side)
    tb.ip('sw', 'link add link br1.10 name vmac type macvlan mode bridge', 'link set vmac up')
    return Ends('vmac', 'eth0')


# --- tunnels

def vxlan(tb, side):
    """One end."""
    return _tunnel(tb, side, 'vxlan', f'id {side.net} dstport 4789 tos {tb.tos}')


def geneve(tb, side):
    """One end."""
    return _tunnel(tb, side, 'geneve', f'id {side.net} tos {tb.tos}')


def gretap(tb, side):
    """Ethernet in GRE."""
    return _tunnel(tb, side, 'gretap', f'tos {tb.tos}')


def gre(tb, side):
    """IP in GRE."""
    return _tunnel(tb, side, 'gre', f'tos {tb.tos}')


def ipip(tb, side):
    """IPv4 in IPv4."""
    return _tunnel(tb, side, 'ipip', f'tos {tb.tos}')


def sit(tb, side):
    """IPv6 in IPv4."""
    return _tunnel(tb, side, 'sit', f'tos {tb.tos}')


def ip6tnl(tb, side):
    """IP in IPv6."""
    return _tunnel(tb, side, 'ip6tnl', f'mode any tclass {tb.tos} encaplimit none', True)


def ip6gre(tb, side):
    """IP in GRE over IPv6."""
    return _tunnel(tb, side, 'ip6gre', f'tclass {tb.tos} encaplimit none', True)


def _macsec(tb, side, port):
    """Keys for both directions; PORT: the MACsec device is the port."""
    name = f's{side.net}'
    ends = {'sw': side.port, side.host: 'eth0'}
    address = {'sw': f'02:00:00:00:01:0{side.net}', side.host: f'02:00:00:00:02:0{side.net}'}
    for ns, dev in ends.items():
        peer = next(address[other] for other in ends if other != ns)
        tb.ip(ns, f'link set {dev} mtu 1600 address {address[ns]}',
               f'link add link {dev} name {name} type macsec encrypt on',
               f'macsec add {name} tx sa 0 pn 1 on key 01 {KEY}',
               f'macsec add {name} rx port 1 address {peer}',
               f'macsec add {name} rx port 1 address {peer} sa 0 pn 1 on key 01 {KEY}',
               f'link set {name} up')
    tb.rate |= {'p1': '20mbit', 'p3': '5mbit'}       # an emulated CPU encrypts slowly
    if port:
        tb.port[side.port] = [Ends(name, name)]
        if side is IN:
            tb.ingress = [name]
    return Ends(name, name)


def macsec(tb, side):
    """The MACsec device is the port."""
    return _macsec(tb, side, True)


def macsec_below(tb, side):
    """The port is below MACsec, where the class cannot be read."""
    return _macsec(tb, side, False)


def wireguard(tb, side):
    """Keys, and all addresses allowed."""
    has('wg')
    here, there = _underlay(tb, side)
    public = {}
    for ns in ('sw', side.host):
        private = PRIVATE['sw' if ns == 'sw' else 'host']
        public[ns] = tb.run(ns, 'wg', 'pubkey', text=private + '\n')[1].strip()
        tb.ip(ns, 'link add wg0 mtu 1500 type wireguard')
        tb.run(ns, 'wg', 'set', 'wg0', 'listen-port', '51820', 'private-key', '/dev/stdin',
                text=private + '\n')
    for ns, peer, remote in (('sw', side.host, there), (side.host, 'sw', here)):
        tb.run(ns, 'wg', 'set', 'wg0', 'peer', public[peer], 'endpoint', f'{remote}:51820',
                'allowed-ips', '0.0.0.0/0')
        tb.ip(ns, 'link set wg0 up')
    return Ends('wg0', 'wg0')


def _sas(tb, side, options):
    """An IPsec SA in tunnel mode for each direction, without encryption."""
    here, there = _underlay(tb, side)
    for ns in ('sw', side.host):
        tb.ip(ns, *(f'xfrm state add src {src} dst {dst} proto esp spi {spi} reqid 1 '
                     f'mode tunnel enc ecb(cipher_null) "" auth digest_null "" {options}'
                     for src, dst, spi in ((here, there, 1), (there, here, 2))))
    return here, there


def xfrm(tb, side):
    """IPsec by policies."""
    here, there = _sas(tb, side, '')
    near, far = (f'10.0.{net}.0/24' for net in ((1, 3) if side is IN else (3, 1)))
    for ns, out in (('sw', (far, near, here, there)), (side.host, (near, far, there, here))):
        back = (out[1], out[0], out[3], out[2])
        ways = [('out', out), ('fwd' if ns == 'sw' else 'in', back)]
        tb.ip(ns, *(f'xfrm policy add src {way[0]} dst {way[1]} dir {name} tmpl src {way[2]} '
                     f'dst {way[3]} proto esp reqid 1 mode tunnel' for name, way in ways))
    return Ends(side.port, 'eth0')


def xfrmi(tb, side):
    """IPsec by an interface."""
    here, there = _sas(tb, side, 'if_id 7')
    for ns, (src, dst), dev in (('sw', (here, there), side.port),
                                (side.host, (there, here), 'eth0')):
        anywhere = 'xfrm policy add src 0.0.0.0/0 dst 0.0.0.0/0'
        tb.ip(ns, f'link add x0 mtu 1500 type xfrm dev {dev} if_id 7', 'link set x0 up',
               f'{anywhere} dir out tmpl src {src} dst {dst} proto esp reqid 1 mode tunnel if_id 7',
               *(f'{anywhere} dir {way} tmpl src {dst} dst {src} proto esp reqid 1 mode tunnel '
                 'if_id 7' for way in ('in', 'fwd')))
    return Ends('x0', 'x0')


def mpls(tb, side):
    """A label; the routes are those of the path."""
    tb.run('sw', 'modprobe', 'mpls_iptunnel')
    for ns, dev in (('sw', side.port), (side.host, 'eth0')):
        tb.ip(ns, f'link set {dev} mtu 1600')
        tb.sysctl(ns, mpls__platform_labels=200, **{f'mpls__conf__{dev}__input': 1})
    tb.base = 'mpls'
    return Ends(side.port, 'eth0')


def ovs(tb, side):
    """A port of Open vSwitch."""
    has('ovs-vswitchd')
    tb.run('sw', 'sh', '-c', f'modprobe openvswitch; rm -rf {OVS}; mkdir {OVS}; ovsdb-tool create '
           f'{OVS}/conf.db /usr/share/openvswitch/vswitch.ovsschema')
    tb.background('ip', 'netns', 'exec', 'sw', 'ovsdb-server', f'{OVS}/conf.db',
                  f'--remote=punix:{OVS}/db.sock', f'--unixctl={OVS}/db.ctl')
    wait_for(5000, 'no database', lambda: os.path.exists(f'{OVS}/db.sock'))
    tb.ovs = ovs_vswitchd(tb)
    tb.join = lambda devices: vsctl(tb, '--', 'add-br', 'ovs0', *(
        word for dev in devices for word in ('--', 'add-port', 'ovs0', dev)))
    return Ends(side.port, 'eth0')


def ovs_vswitchd(tb):
    """Starts its daemon."""
    return tb.background('ip', 'netns', 'exec', 'sw', 'ovs-vswitchd', f'unix:{OVS}/db.sock',
                         f'--unixctl={OVS}/switch.ctl', stderr=subprocess.DEVNULL)


def vsctl(tb, *words):
    """Runs ovs-vsctl, which waits until the daemon has done it."""
    tb.run('sw', 'ovs-vsctl', f'--db=unix:{OVS}/db.sock', '--timeout=20', *words)


# --- not lossless by themselves; their only path is "attach"

def many(tb, side):
    """A vxlan that floods to two ends."""
    ends = vxlan(tb, side)
    tb.run('sw', 'bridge', 'fdb', 'append', '00:00:00:00:00:00', 'dev', ends.sw, 'dst', '172.16.1.9')
    return ends


def group(tb, side):
    """A vxlan that floods to a group."""
    _underlay(tb, side)
    tb.ip('sw', f'link add t1 type vxlan id 1 group 239.1.1.1 dev {side.port} dstport 4789',
           'link set t1 up')
    return Ends('t1', None)


def external(kind):
    """A tunnel with an end for each packet."""
    def add(tb, _side):
        tb.ip('sw', f'link add t1 type {kind} external', 'link set t1 up')
        return Ends('t1', None)
    return add


def dummy(tb, _side):
    """A device without a neighbour."""
    tb.ip('sw', 'link add d1 type dummy', 'link set d1 up')
    return Ends('d1', None)


def loopback(_tb, _side):
    """Packets return."""
    return Ends('lo', None)


DEVICES = {
    'veth': veth, 'tap': tap, 'vlan': vlan, 'qinq': qinq, 'bond': bond, 'team': team,
    'vlan@bond': vlan_bond, 'macvlan': macvlan, 'macvtap': macvtap, 'ipvlan-l2': ipvlan_l2,
    'ipvlan-l3': ipvlan_l3, 'vrf': vrf, 'vlan@vrf': vlan_vrf, 'bridge': bridge, 'svi': svi,
    'svi@vrf': svi_vrf, 'macvlan@svi': macvlan_svi, 'vxlan': vxlan, 'geneve': geneve,
    'gretap': gretap, 'gre': gre, 'ipip': ipip, 'sit': sit, 'ip6tnl': ip6tnl, 'ip6gre': ip6gre,
    'macsec': macsec, 'macsec-below': macsec_below, 'wireguard': wireguard, 'xfrm': xfrm,
    'xfrmi': xfrmi, 'mpls': mpls, 'ovs': ovs, 'vxlan-many': many, 'vxlan-group': group,
    'vxlan-external': external('vxlan dstport 4789'), 'geneve-external': external('geneve'),
    'gretap-external': external('gretap'), 'dummy': dummy, 'lo': loopback,
}
LAYER2 = ('veth', 'tap', 'vlan', 'qinq', 'bond', 'team', 'vlan@bond', 'vxlan', 'geneve',
          'gretap', 'macsec', 'ovs')
