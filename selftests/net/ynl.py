#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The kernel's own client of netlink families, cli.py of YNL, reads and changes the family
"lossless", and the qdisc, with nothing but the specs of this tree."""
import json
import os
import pathlib
import shlex
import sys
import time

from lib import bkg, ctl, ksft_eq, ksft_run, ksft_true, port, refused, sh, stat, wait_for

MONITOR = pathlib.Path('/tmp/monitor')
ROOT = 0xffffffff


def cli(spec, words, **request):
    """The command line of a request."""
    return (f'sw python3 /ynl/cli.py --spec /ynl/{spec}.yaml --no-schema --output-json '
            f'--process-unknown {words} --json {shlex.quote(json.dumps(request))}')


def ynl(words, **request):
    """The answer of the family. cli.py of 6.12 takes pads, which a kernel for CPUs without
    unaligned loads sends, for unknown."""
    said = sh(cli('lossless', words, **request))
    ksft_true('UnknownAttr' not in said, f'{words}: the spec lacks an attribute: {said}')
    return json.loads(said)


def qdisc(dev):
    """The qdisc of a port. The spec lacks attributes of other parts of tc."""
    found = json.loads(sh(cli('tc-lossless', '--dump getqdisc')))
    return next(row for row in found if row['ifindex'] == ifindex(dev))


def ifindex(dev):
    return int(sh(f'sw cat /sys/class/net/{dev}/ifindex'))


def busy():
    """p2 is paused, for 34 s, and has packets from p1."""
    sh('llet_star 2; llet_ports 2 rate 1mbit prio-pfc 3:on')
    sh('pfc 2 0x08 0 0 0 65535; send 1 2 -n 20 -d 24')


def ynl_ports():
    busy()
    ports = {row['ifname']: row for row in ynl('--dump port-get')}
    stats = {dev: {s['prio']: s for s in row['prio-stats']} for dev, row in ports.items()}
    ksft_eq(sorted(ports), ['p1', 'p2'], 'ports')
    ksft_eq(ports['p1']['facing'], 'edge', 'facing')
    ksft_eq(stats['p2'][3]['rx-paused'], 1, 'paused')
    ksft_eq(stats['p1'][3]['rx-packets'], stat('p1', 3, 'rx_packets'), 'received')
    ksft_true(5 not in stats['p1'], 'a priority without packets')
    ksft_true('drop-nomem' not in stats['p1'][3], 'a counter that is 0')
    ksft_eq(ynl('--do port-get', ifindex=ifindex('p2'))['ifname'], 'p2', 'one port')
    ksft_eq([row['ifname'] for row in ynl('--dump port-get', ifindex=ifindex('p2'))], ['p2'],
            'a dump of one port')
    ksft_eq([(row['ports'], row['deadlock-action']) for row in ynl('--dump switch-get')],
            [(2, 'off')], 'switch')


def ynl_histories():
    busy()
    sh('pfc 2 0x08 0 0 0 0')
    found = [row for row in ynl('--dump history-get') if row['direction'] == 'rx']
    wanted = [row for row in ctl('history') if row['direction'] == 'rx']
    ksft_eq([episode['duration-ns'] for episode in found[0]['episode']],
            [episode['duration_ns'] for episode in wanted[0]['episodes']], 'episodes')


def ynl_queues():
    busy()
    ksft_eq([[(w['packets'], w['ifindex']) for w in row['waiting']]
             for row in ynl('--dump queue-get')], [[(20, ifindex('p1'))]], 'queued')


def ynl_watchdogs():
    sh('llet_star 2; llet_ports 2 prio-pfc 3:on')
    ynl('--do watchdog-set', ifindex=ifindex('p1'), prios=8, action='alert',
        **{'detection-ms': 70, 'restoration-ms': 80})
    ksft_eq([(row['ifname'], row['prio'], row['detection-ms'], row['action'], row['stats'])
             for row in ynl('--dump watchdog-get')], [('p1', 3, 70, 'alert', {})], 'watchdog')


def ynl_paths():
    sh('llet_star 3; llet_ports 3 prio-pfc 3:on')
    member = [ifindex('p1'), ifindex('p3')]
    ynl('--do path-set', id=5, member=member, adaptive=1)
    ksft_eq([(row['id'], row['adaptive'], row['member']) for row in ynl('--dump path-get')],
            [(5, 1, member)], 'group')
    ynl('--do path-del', id=5)
    ksft_eq(ynl('--dump path-get'), [], 'groups')


def ynl_events():
    sh('llet_star 1')
    listener = bkg('ip netns exec sw python3 /ynl/cli.py --spec /ynl/lossless.yaml --no-schema '
                   f'--output-json --subscribe config --sleep 3 >{MONITOR}')
    time.sleep(2)
    sh('port 1')
    listener.wait()
    ksft_eq({(event['name'], event['msg']['ifname']) for event in json.loads(MONITOR.read_text())},
            {('port-ntf', 'p1')}, 'events')


def ynl_refusals():
    sh('llet_star 2; llet_ports 2')
    p1 = ifindex('p1')
    for text, words, request in (
            ('No such device, or no lossless qdisc', '--do port-get', {'ifindex': 9999}),
            ('integer out of range', '--do port-get', {'ifindex': 0}),
            ('No such switch', '--do switch-get', {'id': 77}),
            ('requires at least two ports', '--do path-set', {'id': 1, 'member': [p1]}),
            ('No such path group', '--do path-del', {'id': 1}),
            ('watchdog requires PFC', '--do watchdog-set',
             {'ifindex': p1, 'prios': 1, 'detection-ms': 70})):
        refused(text, cli('lossless', words, **request))


def ynl_options():
    """Every option has a value of its own, and the spec lacks none of them."""
    sh('llet_star 1')
    sh('port 1 rate 10mbit delay 3us overhead 30 burst 20000b limit 5000000b bands 4 strict 1 '
       'quanta 3000 4000 5000 priomap 3 2 1 0 3 2 1 0 prio-pfc 3:on pause-quanta 40000 '
       'switch 7 buffer 2000000b reserved 1000b alpha 1/4 xoff 40000b xon-delta 5000b '
       'headroom 60000b reaction 20us trust pcp dscp-prio all:0 46:5 fabric '
       'wred 1 kmin 10000b kmax 20000b pmax 25 nonect 30000b bufmax 50000b ecn '
       'rcm on rcm-qeq 9000b rcm-las 30 '
       'deadlock alert deadlock-trigger leave')
    options = qdisc('p1')['options']
    ksft_eq({name: value for name, value in options.items()
             if name not in ('pad', 'shared', 'headroom-need')}, {
        'rate64': 1250000, 'delay-ns': 3000, 'overhead': 30, 'burst': 20000, 'limit': 5000000,
        'bands': 4, 'strict': 1, 'quanta': [3000, 4000, 5000],
        'priomap': [3, 2, 1, 0, 3, 2, 1, 0], 'pfc-en': {'value': 8, 'selector': 255},
        'pause-quanta': 40000, 'switch': 7, 'buffer': 2000000, 'reserved': 1000, 'to-alpha': 8,
        'xoff': 40000, 'xon-delta': 5000, 'xon-delta-now': 5000, 'headroom': 60000,
        'headroom-now': 60000, 'reaction-ns': 20000,
        'trust': 'pcp', 'dscp-prio': [5 * (dscp == 46) for dscp in range(64)],
        'facing': 'fabric', 'wred': [{'prio': 1, 'kmin': 10000, 'kmax': 20000,
                                      'pmax': 1 << 30, 'nonect': 30000, 'bufmax': 50000,
                                      'ecn': 1}],
        'role': 'switch', 'rx-rate64': (1 << 64) - 1, 'deadlock': 'alert',
        'deadlock-trigger': 'leave', 'rcm': 1, 'rcm-qeq': 9000,
        'rcm-host-cn': 0, 'rcm-las': 30, 'gso': 'auto', 'gso-now': 'split'}, 'options')


def ynl_statistics():
    """All priorities with everything that they can have fit into one message, that of a
    change, too."""
    wred = ' '.join(f'wred {prio} kmin 10kb kmax 100kb pmax 10 ecn' for prio in range(8))
    sh('llet_star 2; llet_ports 2 rate 10mbit prio-pfc all:on xoff 40kb rcm on bands 8 strict 0 '
       + wred)
    for prio in range(8):
        sh(f'send 1 2 -n {prio + 1} -d {8 * prio}')
    time.sleep(0.2)
    app = qdisc('p2')['stats2']['app']
    ksft_eq([(s['prio'], s['tx-packets']) for s in app['prio']],
            [(prio, prio + 1) for prio in range(8)], 'packets')
    ksft_eq([s['role'] for s in app['rcm']], 8 * ['none'], 'RCM')
    ksft_true(app['port']['shared-max'] > 0, 'no statistics of the port')
    ksft_eq(sorted(app), ['port', 'prio', 'rcm'], 'what there is')
    bkg(f'ip netns exec sw tc monitor >{MONITOR}')
    time.sleep(0.2)
    sh('tc -n sw qdisc change dev p2 root handle 1: lossless rate 11mbit')
    wait_for(1000, 'no message of a change', lambda: 'rate 11Mbit' in MONITOR.read_text())


def ynl_sets_options():
    sh('llet_star 1; port 1 rate 10mbit prio-pfc 1:on 3:on')
    sh(cli('tc-lossless', '--do newqdisc', ifindex=ifindex('p1'), parent=ROOT, handle=0x10000,
           kind='lossless', options={'pfc-en': {'value': 0x10, 'selector': 0x18}, 'wred': [
               {'prio': 2, 'kmin': 1000, 'kmax': 2000, 'pmax': 0xffffffff}]}))
    ksft_eq(port('p1')['options']['prio_pfc'], [1, 4], 'PFC')
    ksft_eq([(w['prio'], w['kmin']) for w in qdisc('p1')['options']['wred']], [(2, 1000)], 'WRED')


if not os.path.exists('/ynl/cli.py'):
    print('TAP version 13\n1..0 # SKIP no tools of YNL')
    sys.exit(4)
ksft_run([ynl_ports, ynl_histories, ynl_queues, ynl_watchdogs, ynl_paths, ynl_events,
          ynl_refusals, ynl_options, ynl_statistics, ynl_sets_options])
