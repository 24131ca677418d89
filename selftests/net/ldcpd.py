#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""losslessd configures a host for LDCP, and restores all its changes.

The host has d0 (192.0.2.1/24) and d1 (198.51.100.1/24).
"""
import pathlib
import re
import signal

from lib import bkg, end, js, ksft_eq, ksft_run, ksft_true, sh, until_listens, wait_eq, wait_for

CONF = pathlib.Path('/tmp/lossless.conf')
LOG = pathlib.Path('/tmp/lossless.log')
STATE = pathlib.Path('/tmp/ldcp.json')
INTERVAL_1S = 'metrics { interval = 1 }'


def h(line):
    return sh(f'ip netns exec t-h {line}')


def ip(line):
    return sh(f'ip -n t-h {line}')


def setup():
    LOG.unlink(missing_ok=True)
    STATE.unlink(missing_ok=True)
    sh('llet_load tcp_ldcp')
    sh('ip netns add t-h && defer ip netns del t-h')
    for dev, address in ('d0', '192.0.2.1/24'), ('d1', '198.51.100.1/24'):
        ip(f'link add {dev} type dummy')
        ip(f'link set {dev} up')
        ip(f'addr add {address} dev {dev}')
    h('sysctl -qw net.ipv6.conf.d0.disable_ipv6=0')
    ip('addr add 2001:db8::1/64 dev d0 nodad')
    # routes may change while a link-local address is tentative
    wait_eq(5000, lambda: ip('-6 addr show tentative'), '', 'tentative')


def routes():
    """All routes in the format of ip-route(8), for comparison; without the remaining time."""
    return re.sub(' expires [^ ]*', '', '\n'.join(
        ip(f'-d {family} route show table all') for family in ('-4', '-6')))


def config(ldcp, more='', state=STATE):
    """Writes a configuration with LDCP in section ldcp, and MORE."""
    CONF.write_text(f'log = "{LOG}"\nldcp {{ state = "{state}" {ldcp} }}\n{more}\n')


def start(*args, **kwargs):
    """Starts the daemon; it is ready when it listens to events, after its first changes."""
    config(*args, **kwargs)
    daemon = bkg(f'ip netns exec t-h losslessd -c {CONF} 2>/tmp/losslessd.err')
    until_listens('t-h')
    return daemon


def has_ldcp(route):
    return 'congctl ldcp' in ip(f'route show {route}')


def until_ldcp(route):
    wait_for(5000, lambda: f'{route} has no LDCP: {ip(f"route show {route}")}',
             lambda: has_ldcp(route))


def until_said(text):
    wait_for(5000, f'not said: {text}', lambda: text in LOG.read_text())


def sets():
    """10 Gbit/s and 40 us are 33 packets"""
    setup()
    start('prefixes = { "192.0.2.0/24" } rate = 10000 rtt = 40')
    until_ldcp('192.0.2.0/24')
    ksft_eq(re.findall('initcwnd.*', ip('route show 192.0.2.0/24')),
            ['initcwnd 33 features ecn initrwnd 33 quickack 1 congctl ldcp '], 'metrics')
    ksft_true(not has_ldcp('198.51.100.0/24'), 'another, too')


def metrics_stay():
    """Other attributes of a route stay."""
    setup()
    ip('route add 203.0.113.0/24 via 192.0.2.9 mtu 1400 congctl cubic initcwnd 5 rto_min 5ms')
    start('prefixes = { "203.0.113.0/24" }')
    until_ldcp('203.0.113.0/24')
    ksft_eq(re.findall('mtu 1400|rto_min lock 5ms|cubic|initcwnd [0-9]*',
                       ip('route show 203.0.113.0/24')),
            ['mtu 1400', 'initcwnd 33', 'rto_min lock 5ms'], 'metrics')


def part_of_a_route():
    """With a default route only, the prefix gets a temporary route of its own."""
    setup()
    ip('route add default via 192.0.2.9')
    before = routes()
    daemon = start('prefixes = { "203.0.113.0/24", "2001:db8:1::/48" }')
    until_ldcp('203.0.113.0/24')
    ksft_eq(re.findall('via .* dev d0', ip('route show 203.0.113.0/24')),
            ['via 192.0.2.9 dev d0'], 'its way')
    ksft_true(not has_ldcp('default'), 'all have it')
    end(daemon)
    ksft_eq(routes(), before, 'routes')


def kinds():
    """Routes of all kinds in a prefix"""
    for line in ('route add 203.0.113.0/26 nexthop via 192.0.2.9 weight 3'
                 ' nexthop via 198.51.100.9',
                 'nexthop add id 7 via 192.0.2.8 dev d0',
                 'route add 203.0.113.64/26 nhid 7',
                 'route add 203.0.113.128/26 via 10.9.9.9 dev d1 onlink proto 77 metric 50'
                 ' src 198.51.100.1',
                 'route add 203.0.113.128/26 dev d0 metric 60 mtu lock 1300',
                 'route add 203.0.113.192/26 dev d0 tos 0x10 realm 5',
                 'route add blackhole 203.0.113.250',
                 'route add 2001:db8:2::/64 via 2001:db8::9 metric 77 pref high',
                 'route add 2001:db8:3::/64 nexthop via 2001:db8::8 nexthop via 2001:db8::9'):
        ip(line)


def until_all_are(n):
    """N routes have LDCP"""
    wait_eq(5000, lambda: len(re.findall('.*congctl ldcp', ip('-4 -o route') + '\n' +
                                         ip('-6 -o route'))), n, 'routes with LDCP')


def all_kinds():
    setup()
    kinds()
    before = routes()
    daemon = start('prefixes = { "0.0.0.0/0", "2001:db8::/32" }')
    until_all_are(10)
    end(daemon)
    ksft_eq(routes(), before, 'routes')
    ksft_true(not STATE.exists(), 'a state is left')


def put_back():
    setup()
    before = routes()
    daemon = start('prefixes = { "192.0.2.0/24", "2001:db8::/64" }')
    until_ldcp('192.0.2.0/24')
    end(daemon)
    ksft_eq(routes(), before, 'routes')


def setting(name):
    return int(h(f'cat /proc/sys/net/ldcp/{name}'))


def killed():
    """A killed daemon leaves its changes to the next one, which may have other prefixes."""
    setup()
    kinds()
    before = routes()
    daemon = start('prefixes = { "0.0.0.0/0", "2001:db8::/32" } mode = 1')
    until_all_are(10)
    end(daemon, 'kill')
    ksft_true(STATE.exists(), 'no state')
    daemon = start('prefixes = { "192.0.2.0/24" }')
    until_all_are(1)
    ksft_eq(setting('mode'), 0, 'mode')
    end(daemon, 'kill')
    end(start('prefixes = { "192.0.2.0/24" }'))
    ksft_eq(routes(), before, 'routes')


def reload():
    setup()
    daemon = start('prefixes = { "192.0.2.0/24" }')
    until_ldcp('192.0.2.0/24')
    config('prefixes = { "198.51.100.0/24" }')
    daemon.send_signal(signal.SIGHUP)
    until_ldcp('198.51.100.0/24')
    ksft_true(not has_ldcp('192.0.2.0/24'), 'the first one has it still')


def by_hand():
    """A route that is changed by hand meanwhile stays as it is at the end."""
    setup()
    ip('route add 203.0.113.0/24 via 192.0.2.9')
    daemon = start('prefixes = { "203.0.113.0/24" }')
    until_ldcp('203.0.113.0/24')
    ip('route replace 203.0.113.0/24 via 192.0.2.10')
    end(daemon)
    ksft_eq(ip('route show 203.0.113.0/24').strip(), '203.0.113.0/24 via 192.0.2.10 dev d0', 'way')


def made_again():
    """A route that is deleted and added again gets LDCP again, at the next check."""
    setup()
    daemon = start('prefixes = { "192.0.2.0/24" }', INTERVAL_1S)
    until_ldcp('192.0.2.0/24')
    ip('link set d0 down')
    ip('link set d0 up')
    before = ip('-d -4 route')
    until_ldcp('192.0.2.0/24')
    end(daemon)
    ksft_eq(ip('-d -4 route'), before, 'routes')


def settings():
    setup()
    daemon = start('prefixes = { "192.0.2.0/24" } gamma = 128 min_window = 32')
    until_ldcp('192.0.2.0/24')
    ksft_eq((setting('gamma'), setting('min_window')), (128, 32), 'set')
    end(daemon)
    ksft_eq((setting('gamma'), setting('min_window')), (256, 16), 'put back')


def no_module():
    setup()
    wait_eq(5000, lambda: sh.status('rmmod tcp_ldcp 2>/dev/null')[1], 0, 'status of rmmod')
    before = routes()
    start('prefixes = { "192.0.2.0/24" } mode = 1')
    until_said('tcp_ldcp is not loaded')
    ksft_eq(routes(), before, 'routes')


def unwritable():
    """Without a state file, as the disk is full, the daemon changes nothing."""
    setup()
    before = routes()
    sh('mkdir -p /tmp/full && mount -t tmpfs -o size=4k none /tmp/full')
    try:
        sh('dd if=/dev/zero of=/tmp/full/file bs=4k count=1 status=none')
        start('prefixes = { "192.0.2.0/24" }', state='/tmp/full/ldcp.json')
        until_said('no route is changed')
        ksft_eq(routes(), before, 'routes')
    finally:
        sh('umount /tmp/full')


def setup_ports():
    """d0 has WRED of its own, d1 none"""
    setup()
    sh('tc -n t-h qdisc replace dev d0 root lossless rate 10gbit'
       ' wred 3 kmin 10k kmax 20k pmax 10% bufmax 1mb ecn wred 4 kmin 1k kmax 2k pmax 1%')
    sh('tc -n t-h qdisc replace dev d1 root lossless rate 1gbit')


def wred(dev):
    """of priority 3"""
    options = js(f'tc -n t-h -j qdisc show dev {dev} root')[0]['options']
    return [profile for profile in options.get('wred', []) if profile['prio'] == 3]


def until_marked(dev, kmin, kmax):
    """Not-ECT packets are dropped from KMAX on"""
    wait_eq(5000, lambda: wred(dev), [{'prio': 3, 'kmin': kmin, 'kmax': kmax, 'pmax': 100,
                                       'nonect': kmax, 'bufmax': 0, 'ecn': True}], dev)


def qdiscs():
    """In the format of tc(8), without handles."""
    return re.sub('lossless [0-9a-f]*:', 'lossless', sh('tc -n t-h -d qdisc'))


def marks():
    """10 Gbit/s and 40 us are 50000 bytes, and a twentieth is less than two packets.

    At 1 Gbit/s two packets are less than 16.
    """
    setup_ports()
    before = qdiscs()
    daemon = start('priority = 3 rate = 10000 rtt = 40', INTERVAL_1S)
    until_marked('d0', 3076, 103076)
    until_marked('d1', 3076, 27684)
    until_said('is more than the 1000 of the port carry')
    # a new port
    sh('tc -n t-h qdisc del dev d1 root')
    sh('tc -n t-h qdisc add dev d1 root lossless rate 1gbit')
    until_marked('d1', 3076, 27684)
    end(daemon)
    ksft_eq(qdiscs(), before, 'ports')
    ksft_true(not STATE.exists(), 'a state is left')


def marks_killed():
    """The profile changes while the daemon is killed and restarted."""
    setup_ports()
    before = qdiscs()
    daemon = start('priority = 3 rate = 10000 rtt = 40')
    until_marked('d0', 3076, 103076)
    end(daemon, 'kill')
    daemon = start('priority = 3 rate = 10000 rtt = 40 profile = "lowq"')
    until_marked('d0', 3076, 53076)
    end(daemon)
    ksft_eq(qdiscs(), before, 'ports')


def marks_by_hand():
    """A change by hand stays, and is logged."""
    said = 'marks are not'
    setup_ports()
    daemon = start('priority = 3', INTERVAL_1S)
    until_marked('d0', 3076, 103076)
    ksft_true(said not in LOG.read_text(), 'told at once')
    sh('tc -n t-h qdisc change dev d0 root lossless wred 3 kmin 7k kmax 8k pmax 100% ecn')
    until_said(f'port d0, priority 3, LDCP: {said} as rate and rtt ask for: '
               'kmin 3076 kmax 103076 nonect 103076, and not 7168 8192 0')
    end(daemon)
    ksft_eq([profile['kmin'] for profile in wred('d0')], [7168], 'd0')
    ksft_eq(wred('d1'), [], 'd1')


def marks_wrong():
    """LDCP on a priority with PFC is an error"""
    setup_ports()
    sh('tc -n t-h qdisc replace dev d1 root lossless rate 10gbit buffer 12mb prio-pfc 3:on')
    start('priority = 3', INTERVAL_1S)
    until_said('port d1, priority 3, LDCP: it is lossless')
    ksft_true('nonect would drop packets of a priority with PFC' in LOG.read_text(), 'not refused')
    ksft_eq(wred('d1'), [], 'd1')
    sh('tc -n t-h qdisc change dev d1 root lossless prio-pfc 3:off')
    until_said('d1, priority 3, LDCP: no longer: it is lossless')


def counts():
    """Metrics have the counters of the module, and the sockets."""
    setup()
    ip('link set lo up')
    h('sysctl -qw net.ipv4.tcp_ecn=1')
    ip('route replace local 127.0.0.2 dev lo congctl ldcp initcwnd 10 table local')
    start('prefixes = { "192.0.2.0/24" }', 'metrics { listen = "127.0.0.1:9417" }')
    h('iperf3 -s -D -B 127.0.0.2 -1 >/dev/null')
    wait_for(5000, 'no server', lambda: '5201' in h('ss -Hltn'))
    client = bkg('ip netns exec t-h iperf3 -c 127.0.0.2 -t 3 >/dev/null')
    # both ends of a socket
    wait_for(3000, lambda: f'no sockets: {h("losslessctl ldcp")}', lambda: sum(
        socket['cc'] == 'ldcp' for socket in js('ip netns exec t-h losslessctl -j ldcp')) >= 2)
    client.wait()
    found = re.findall('^lossless_ldcp_([a-z_]*)_total ([0-9]*)$',
                       h('curl -s http://127.0.0.1:9417/metrics'), re.M)
    ksft_eq(len(found), 8, 'metrics')
    ksft_true(int(dict(found)['flows']) >= 2, 'flows')
    ksft_true(int(dict(found)['packets']) >= 10, 'packets')


ksft_run([sets, metrics_stay, part_of_a_route, all_kinds, put_back, killed, reload, by_hand,
          made_again, settings, no_module, unwritable,
          marks, marks_killed, marks_by_hand, marks_wrong, counts])
