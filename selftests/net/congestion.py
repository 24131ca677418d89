#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""RCM isolates congested flows, also upstream, without loss or reordering.

Links are slow, as a guest without KVM carries 20000 packet hops per second. Times of RCM are
multiples of ten packet times of the link: at 10 Mbit/s a hold lasts 100 ms.
"""
import json
import re
import time

from lib import (bkg, ctl, defer, js, ksft_eq, ksft_run, ksft_true, received, sh, undo,
                 wait_for)

sh.source('cn.sh')

TRACE = '/sys/kernel/tracing'
EVENTS = '/tmp/events'
PORT = 'prio-pfc 3:on xoff 60k headroom 60k'
# ports of s3
TO_H6 = 's3p1'
FROM_S1 = 's3p2'


def testbed(arm, rate, *statements):
    """Switches and hosts, with RCM if ARM is rcm."""
    port = PORT + ' rcm on' * (arm == 'rcm')
    edge = port + ' rcm-host-cn on' * (arm == 'rcm')
    with open('/tmp/topology', 'w', encoding='ascii') as file:
        print(*statements, sep='\n', file=file)
    defer(gone)
    sh(f'lle-testbed up --name t file /tmp/topology --rate {rate} --delay 1us '
       f'--edge "{edge}" --fabric "{port}" --host "{port} fabric" >/dev/null')
    sh(f'TESTBED=t-; : >{TRACE}/trace')


def gone():
    sh.status('lle-testbed down --name t 2>/dev/null; unset TESTBED')


def is_found(dev):
    """Has CFR identified the flow that fills the port?"""
    index = sh(f'sw cat /sys/class/net/{dev}/ifindex')
    return re.search(f'lle_congested: .* ifindex={index} .* prio=3', sh(f'cat {TRACE}/trace'))


def frames(i, j, options):
    """Host I sends frames of 1500 bytes to J, in the background."""
    return bkg(f'ip netns exec t-h{i} lle_traffic send eth0 02:00:00:00:00:0{j} -s 1500 -d 24 '
               f'-f {i} {options}')


def dump(dev=''):
    """What tc says of all priorities of all switch ports, or of one port."""
    show = f'tc -n t-sw -s -j qdisc show {"dev " * bool(dev)}{dev}'
    return [prio for qdisc in js(show) for prio in qdisc.get('prios', ())]


def total(name, dev=''):
    return sum(prio[name] for prio in dump(dev))


def nothing_waits():
    return total('backlog') == 0


def ksft_no_drops():
    ksft_eq([prio['drops'] for prio in dump() if any(prio['drops'].values())], [], 'dropped')


def row(dev):
    """What losslessctl says of congestion at priority 3 of the port."""
    return ctl(f'congestion show -a {dev} 3')[0]


def microburst_testbed(arm):
    """Figure 6 of the paper: h1 to h4 fill the link from s1 to s3, then h5 bursts."""
    testbed(arm, '20mbit', 'switch s1', 'switch s2', 'switch s3', 'host h1 s1', 'host h2 s1',
            'host h3 s1', 'host h4 s1', 'host h5 s2', 'host h6 s3', 'link s1 s3', 'link s2 s3')
    enable = f'{TRACE}/events/lossless/lle_congested/enable'
    sh(f'echo 1 >{enable}')
    defer(sh, f'echo 0 >{enable}')


def steady(n, gap_ns):
    """h1 to h4 send N packets each."""
    sh('receive 6 1000')
    for i in 1, 2, 3, 4:
        frames(i, 6, f'-n {n} -g {gap_ns}')
    time.sleep(0.2)


def all_arrives(n):
    """N packets arrived, in order."""
    got = received(6)['sum']
    ksft_eq([got['packets'], got['reordered']], [n, 0], 'received, and out of order')
    ksft_no_drops()
    ksft_eq(total('backlog'), 0, 'wait in the end')


def burst(arm):
    """h5 bursts, and a monitor writes EVENTS. Returns the pauses that s1 received."""
    def listens():
        return sh.status(f'sw losslessctl watchdog stop {TO_H6}; sleep 0.02; '
                         f'test -s {EVENTS}')[1] == 0

    microburst_testbed(arm)
    bkg(f'ip netns exec t-sw losslessctl -j monitor config congestion >{EVENTS} 2>&1')
    wait_for(5000, 'nobody listens', listens)
    # a packet takes 0.61 ms: the four hosts just fill the link
    steady(400, 2440000)
    frames(5, 6, '-n 200').wait()
    all_arrives(4 * 400 + 200)
    return total('tx_pause_transition', FROM_S1)


def events():
    with open(EVENTS, encoding='ascii') as file:
        return [event for event in map(json.loads, file) if event['event'] == 'congestion']


def regions():
    """Events of the regions with the port to h6 as root."""
    return [event for event in events() if (event['ifname'], event['prio']) == (TO_H6, 3)]


def lasted(region):
    return region['time_ns'] - region['since_ns']


def root_is_reported():
    """Regions begin and end in turn; one of them, for the 120 ms of the burst, has an
    identified flow."""
    found = regions()
    return ([event['root'] for event in found] == [True, False] * (len(found) // 2) and
            any(event['identified'] > 0 and lasted(event) > 120e6 for event in found[1::2]))


def microburst():
    """RCM holds the burst, so the four other hosts need no pauses. Listeners receive the
    congested port."""
    without = burst('pfc')
    ksft_eq(events(), [], 'told of without rcm')
    ksft_true(not is_found(TO_H6), 'found without rcm')
    undo()
    pauses = burst('rcm')
    wait_for(5000, 'not told of', root_is_reported)
    # the counters of the port to h6 agree with the events
    ended, shows = regions()[1::2], row(TO_H6)
    ksft_eq([shows['regions'], shows['root_ns']], [len(ended), sum(map(lasted, ended))],
            'regions, and how long')
    ksft_true(is_found(TO_H6), 'not found')
    print(f'# s1 was paused {without} times, with rcm {pauses}')
    ksft_true(without > 0, 's1 is not paused without rcm')
    ksft_eq(pauses, 0, 'pauses of s1')


def rcm(dev):
    """RCM of priority 3, as tc shows it."""
    return dump(dev)[3]['rcm']


def shown_by_tc():
    """Isolated packets of the port to h6, as text, then as JSON."""
    if not re.search(r'^ (prio 3|      ) rcm +(root|inner) isolated [0-9.]+K?b of [1-9]\d*, '
                     r'window [0-9.]+K?b of [0-9.]+K?b, identified [1-9]\d*$',
                     sh(f'tc -n t-sw -s qdisc show dev {TO_H6} root'), re.M):
        return False
    found = rcm(TO_H6)
    return (found['ids'] > 0 and found['isolated_bytes'] > 0 and
            found['wc_bytes'] <= found['w_bytes'] and found['identified'] > 0)


def shown():
    """Output of tc during congestion, then of tc, losslessctl and sysfs."""
    def sysfs(dev):
        """All RCM attributes of the port and of its priority 3."""
        at = f'/sys/class/net/{dev}/lossless'
        return [int(word) for word in sh(
            f'sw cat {at}/rcm_cn_{{sent,received,ignored}} {at}/prio3/rcm_{{ids,isolated_bytes,'
            'identified,regions,root_duration}').split()]

    def shows_nothing():
        found = rcm(TO_H6)
        return found['role'] == 'none' and found['ids'] == 0

    microburst_testbed('rcm')
    ksft_eq(rcm(TO_H6), {'role': 'none', 'isolated_bytes': 0, 'ids': 0, 'identified': 0},
            'before')
    steady(400, 2440000)
    frames(5, 6, '-n 200')
    wait_for(1000, 'tc does not show it', shown_by_tc)
    wait_for(2000, 'the burst does not end', nothing_waits)
    wait_for(2000, 'something is isolated for ever', shows_nothing)
    ksft_eq(rcm(TO_H6)['identified'], row(TO_H6)['identified'], 'found')
    for dev in TO_H6, FROM_S1, 's1p5':
        told = row(dev)
        ksft_eq(sysfs(dev), [*(told[name] for name in (
            'cn_sent', 'cn_received', 'cn_ignored', 'ids', 'isolated_bytes', 'identified',
            'regions')), told['root_ns'] // 1000], f'sysfs of {dev}')
    ksft_true(sysfs(FROM_S1)[0] > 0, 's3 sends none')
    before = sysfs(TO_H6)
    sh(f'ip -n t-sw link set {TO_H6} down')
    ksft_eq(sysfs(TO_H6), before, 'sysfs of a port that is down')


def victim_ms(arm, without=''):
    """Figure 7: h1 to h4 send to h6, two on each of two paths. h5, the victim, sends to h7 on
    the first path, which has half of its rate left. Returns the time in which 300 packets of h5
    arrive; WITHOUT is a pattern of ports without RCM."""
    testbed(arm, '10mbit', 'switch e0', 'switch e0b with e0',
            *(f'switch {name}' for name in 'a0 a5 c0 c5 b0 b5 e1 e2'.split()),
            'host h1 e0', 'host h2 e0', 'host h3 e0b', 'host h4 e0b', 'host h5 e0',
            'host h6 e1', 'host h7 e2',
            'link e0 a0', 'link a0 c0', 'link c0 b0', 'link b0 e1', 'link a0 e2',
            'link e0b a5', 'link a5 c5', 'link c5 b5', 'link b5 e1')
    for dev in re.findall(rf'^\d+: ({without})@', sh('ip -n t-sw -o link'), re.M):
        sh(f'tc -n t-sw qdisc change dev {dev} root lossless rcm off')
    for i in 1, 2, 3, 4:
        frames(i, 6, '-n 100000')
    time.sleep(1)
    sh('receive 7 1000')
    frames(5, 7, '-n 300').wait()
    got = received(7)['sum']
    ksft_eq([got['packets'], got['reordered']], [300, 0], f'received, and reordered with {arm}')
    ksft_no_drops()
    undo()
    return got['ns'] // 1000000


def victim():
    pfc, ms = victim_ms('pfc'), victim_ms('rcm')
    print(f'# 300 packets in {pfc} ms, with rcm in {ms} ms')
    ksft_true(ms * 7 < pfc * 4, 'the victim is not faster')


def alone():
    """RCM at e0 only, so neighbours know nothing of it: not slower than without RCM."""
    pfc, ms = victim_ms('pfc'), victim_ms('rcm', r'[abc][05]p\d|e[12]p\d')
    print(f'# 300 packets in {pfc} ms, with rcm at e0 only in {ms} ms')
    ksft_true(ms * 4 < pfc * 5, 'the victim is slower')


def note(netns, dev, words):
    """Sends a notification from a device; WORDS as those of note in cn.sh."""
    sh(f'ip netns exec t-{netns} lle_traffic raw {dev} "$(note {words})"')


def left(dev):
    """Packets of priority 3 that the port sent."""
    return dump(dev)[3]['tx_packets']


def forged():
    """Ports ignore notifications of host h1, as its port is an edge port. Those of s2 count:
    s1 holds the listed destination, for 1 s at 1 Mbit/s."""
    testbed('rcm', '1mbit', 'switch s1', 'switch s2', 'host h1 s1', 'host h2 s2', 'host h3 s2',
            'host h4 s1', 'link s1 s2')
    note('h1', 'eth0', '1 $(name 1 4)')
    frames(4, 1, '-n 5').wait()
    # shorter than a hold
    time.sleep(0.3)
    ksft_eq(left('s1p1'), 5, 'left while a host says hold')

    note('sw', 's2p3', '1 $(name 2)')
    frames(1, 2, '-n 5').wait()
    frames(1, 3, '-n 5').wait()
    wait_for(800, 'what is not identified is held', lambda: left('s2p2') == 5)
    ksft_eq(left('s2p1'), 2, 'of what is identified, first packets')
    ksft_eq(total('backlog', 's1p3'), 4500, 'waits at s1')
    wait_for(3000, 'it is held for ever', lambda: left('s2p1') == 5)
    ksft_no_drops()


def marked():
    """Packets that were held for long are marked, others are not."""
    def until_left(n, when):
        wait_for(3000, 'it is held for ever', lambda: left('s2p1') == n)
        ksft_eq(total('ecn_marked', 's1p2'), 3, f'marked {when}')

    testbed('rcm', '1mbit', 'switch s1', 'switch s2', 'host h1 s1', 'host h2 s2', 'host h3 s2',
            'link s1 s2')
    sh('tc -n t-sw qdisc change dev s1p2 root lossless wred 3 kmin 100k kmax 200k pmax 1% ecn')
    # a hold lasts 1 s; 1.2 s are long
    note('sw', 's2p3', '1 $(name 2)')
    frames(1, 2, '-n 5 -e 2').wait()
    frames(1, 3, '-n 5 -e 2').wait()
    time.sleep(0.7)
    note('sw', 's2p3', '2 $(name 2)')
    until_left(5, 'after a long hold')

    note('sw', 's2p3', '3 $(name 2)')
    frames(1, 2, '-n 5 -e 2').wait()
    time.sleep(0.3)
    note('sw', 's2p3', '4 0')
    until_left(10, 'after a short hold')


def mouse_ms(options):
    """h1 and h2 fill the port to h4, which isolates destinations, with flows that have grown; then
    h3 sends a flow of 40 packets, which are 24 ms of the link. Returns the time in which they
    arrive."""
    testbed('rcm', '20mbit', 'switch s1', *(f'host h{i} s1' for i in (1, 2, 3, 4)))
    for dev in 's1p1', 's1p2', 's1p3', 's1p4':
        sh(f'tc -n t-sw qdisc change dev {dev} root lossless {options}')
    sh('tc -n t-sw qdisc change dev s1p4 root lossless fabric')
    sh('receive 4 1000')
    for i in 1, 2:
        frames(i, 4, '-n 1200')
    # both have sent more than their first 300 KB
    wait_for(2000, 'they do not grow', lambda: left('s1p4') > 500)
    frames(3, 4, '-n 40').wait()
    got = received(4)
    ksft_eq([got['sum']['packets'], got['sum']['reordered'], got['3']['packets']],
            [2440, 0, 40], f'received, out of order, and of h3, with {options}')
    ksft_no_drops()
    undo()
    return got['3']['ns'] // 1000000


def least_attained():
    """First packets of a flow overtake those of flows that have grown; with rcm-las 0 they do
    not."""
    ms = mouse_ms('rcm-las 20')
    fifo_ms = mouse_ms('rcm-las 0')
    print(f'# 40 packets in {ms} ms; without rcm-las in {fifo_ms} ms')
    ksft_true(ms * 3 < fifo_ms * 2, 'the mouse is not faster')


def off():
    """RCM is switched off while a burst is isolated, and on for the next one. Between bursts,
    four fifths of the link are used. Counters keep their values."""
    def switches_rcm(value):
        """Option of all ports."""
        sh(f"printf 'qdisc change dev s%dp%d root lossless rcm {value}\n' "
           '1 1 1 2 1 3 1 4 1 5 2 1 2 2 3 1 3 2 3 3 | tc -n t-sw -batch -')

    microburst_testbed('rcm')
    steady(800, 3000000)
    before = 0
    for i in 11, 12, 13:
        sh(f': >{TRACE}/trace')
        frames(5, 6, f'-n 100 -f {i}')
        wait_for(1000, f'burst {i} is not found', lambda: is_found(TO_H6))
        switches_rcm('off')
        wait_for(2000, f'burst {i} does not end', lambda: total('backlog') < 15000)
        switches_rcm('on')
        found = row(TO_H6)['identified']
        ksft_true(found > before, f'found until burst {i}: {found}')
        before = found
    all_arrives(4 * 800 + 3 * 100)


def mtu():
    """The MTU changes while a burst is isolated. A port with an MTU that leaves no budget sends
    no holds."""
    def limits(dev, value):
        """Those of the port, after its MTU is set."""
        sh(f'ip -n t-sw link set {dev} mtu {value}')
        return row(dev)

    microburst_testbed('rcm')
    first = row(FROM_S1)
    ksft_eq(first['qeq_bytes'], 15000, 'Q_eq')
    steady(400, 2440000)
    frames(5, 6, '-n 200')
    wait_for(1000, 'the burst is not found', lambda: is_found(TO_H6))
    ksft_eq(limits(TO_H6, 3000)['qeq_bytes'], 30000, 'Q_eq of 3000')
    now = limits(FROM_S1, 25000)
    ksft_eq([now[name] for name in ('qeq_bytes', 'room_bytes', 'tells')], [250000, 0, 0],
            'Q_eq, room and notifications of 25000')
    all_arrives(4 * 400 + 200)
    ksft_true(limits(FROM_S1, 9000)['room_bytes'] not in (0, first['room_bytes']),
              'room of 9000')
    now = limits(FROM_S1, 1500)
    for name in 'room_bytes', 'qeq_bytes':
        ksft_eq(now[name], first[name], f'{name} again')


def deleted():
    """A port disappears while it isolates packets, and neighbours hold for it."""
    microburst_testbed('rcm')
    steady(800, 3000000)
    frames(5, 6, '-n 100')
    wait_for(1000, 'the burst is not found', lambda: is_found(TO_H6))
    sh(f'tc -n t-sw qdisc del dev {TO_H6} root')
    wait_for(5000, 'somebody waits for it', nothing_waits)
    ksft_eq([prio for prio in ctl('prio show') if prio['tx_paused'] or prio['rx_paused']], [],
            'pauses')
    wait_for(5000, 'some is isolated for ever',
             lambda: sum(prio['in_bytes'] for prio in ctl('congestion show -a')) == 0)


ksft_run([microburst, shown, victim, alone, forged, marked, least_attained, off, mtu,
          deleted])
