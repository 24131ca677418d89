#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Switches detect deadlocks: the switches on the loop, and the initial trigger."""
import binascii
import time
from collections import Counter
from pathlib import Path
from statistics import median_high

from lib import (VIRTUAL_TIME, ctl, defer, js, ksft_eq, ksft_in_range, ksft_run,
                 ksft_true, port, received, refused, sh, stat, wait_for)

sh.source('ring.sh')

RING = 1, 2, 3, 4
ACROSS = {1: 3, 2: 4, 3: 1, 4: 2}
# a deadlock message, of a switch
PROBE = 'dc11680100010001010001000000000000010100010100013858'
FROM = '0180c2000001020000000001'
# modules of the lab: detection that begins uses the algorithm of the paper
DCFIT = Path('/sys/module/lossless/parameters/dcfit')


def deadlocks():
    return ctl('deadlock history')


def counted(what):
    """Sum over all switches."""
    return sum(switch['deadlocks'][what] for switch in ctl('switch show'))


def total(name):
    """A counter of packets, over all priorities of all switches."""
    return sum(row[name] for row in ctl('prio show'))


def dropped():
    """Dropped packets, by reason; without reasons of none."""
    return +sum((Counter(row['drops']) for row in ctl('prio show')), Counter())


def change(netns, dev, words):
    """Sets options of a port."""
    sh(f'tc -n t-{netns} qdisc change dev {dev} root lossless {words}')


def all_options(words):
    """Sets options of all switches."""
    for i in RING:
        change('sw', f's{i}p1', words)


def found():
    return any(deadlock['whole'] for deadlock in deadlocks())


def is_ring():
    """A deadlock of all four switches was found, which is returned."""
    wait_for(5000, 'no deadlock was found', found)
    list_ = deadlocks()
    ksft_eq(len(list_), 1, 'deadlocks')
    loop = list_[0]['loop']
    ksft_eq(sorted(hop['switch'] for hop in loop), [1, 2, 3, 4], 'switches')
    ksft_eq(list_[0]['prio'], 3, 'priority')
    # each pauses its neighbour because of packets that wait for the next one
    ksft_eq(len({(hop['ingress'][2:], hop['egress'][2:]) for hop in loop}), 2, 'ports')
    ksft_true(all(hop['bytes'] > 40000 for hop in loop), f'not all wait: {loop}')
    return list_[0]


def is_ring_once():
    """The deadlock was found by one switch only."""
    deadlock = is_ring()
    # a rival waits for the declaration as long as a message takes in theory
    if VIRTUAL_TIME:
        ksft_eq(deadlock['duplicates'], 0, 'found again')
    return deadlock


def print_latency(deadlock):
    """From the pause that closes the loop to the declaration: all switches share one clock."""
    ports = [hop['ingress'] for hop in deadlock['loop']]
    closed = max(row['since_ns'] for row in ctl('history')
                 if row['direction'] == 'tx' and row['paused'] and row['ifname'] in ports)
    print(f'# found {(deadlock["found_ns"] - closed) / 1000} us after the last pause of the loop',
          'began')


def print_times():
    """Medians: from the last pause of a loop to its declaration, and from a pause to that of
    the next switch."""
    starts = {(row['ifname'], row['direction']): [e['start_ns'] for e in row['episodes']]
              for row in ctl('history') if row['prio'] == 3}
    took = [d['found_ns'] - d['closed_ns'] for d in deadlocks() if d['whole']]
    hops = [came - max(sent)
            for one, other in [('s2p2', 's1p2'), ('s3p2', 's2p3'), ('s4p2', 's3p3'),
                               ('s1p3', 's4p3')]
            for came in starts[other, 'rx']
            if (sent := [ns for ns in starts[one, 'tx'] if ns <= came])]
    print(f'# found {median_high(took) / 1000} us after the loop has closed ({len(took)}),',
          f'a pause takes {median_high(hops) / 1000} us ({len(hops)})')


def nothing_is_sent():
    """Without pauses: no messages, no timers."""
    sh('build_ring; all_send -g 1000000 -n 200')
    time.sleep(0.5)
    ksft_eq(sum(row['rx_packets'] for row in ctl('prio show') if row['ifname'] == 's1p1'), 200,
            'packets')
    for what in 'declared', 'probes', 'cancels', 'sent', 'received', 'timers':
        ksft_eq(counted(what), 0, what)


def ring():
    sh('build_ring; all_send')
    deadlock = is_ring_once()
    ksft_true(counted('probes') >= 4, 'no probes')
    ksft_true(counted('received') >= 4, 'no messages')
    # the declaration has a time
    print_latency(deadlock)
    times = [deadlock[name] for name in ('formed_ns', 'closed_ns', 'found_ns')]
    ksft_eq(times, sorted(times), 'times in order')
    time.sleep(1)
    is_ring_once()
    keeps_counting()


def walk_lost():
    """The first walk around the loop is lost at a link; it is repeated before the deadlock is
    reported, so all hops are known."""
    sh('build_ring')
    sh('tc -n t-sw qdisc add dev s1p2 clsact')
    # a walk, number 0
    sh('tc -n t-sw filter add dev s1p2 ingress protocol 0x88b5 u32'
       ' match u16 0xdc16 0xffff at 0 match u8 0 0xff at 18 action drop')
    sh('all_send')
    is_ring()
    actions = [a for f in js('tc -n t-sw -s -j filter show dev s1p2 ingress')
               for a in f.get('options', {}).get('actions', [])]
    ksft_true(sum(a['stats']['drops'] for a in actions) > 0, f'no walk was lost: {actions}')


def keeps_counting():
    """Switches grow by more ports than their state had space for."""
    for i in RING:
        sh(f'ip -n t-sw link add q{i} type veth peer name r{i}')
        for dev in f'q{i}', f'r{i}':
            sh(f'tc -n t-sw qdisc add dev {dev} root lossless switch {i} prio-pfc 3:on')
    time.sleep(0.2)
    ksft_eq(counted('declared'), sum(1 + deadlock['duplicates'] for deadlock in deadlocks()),
            'deadlocks of a switch that has grown')


def who_waits():
    """Switches beside the ring wait for it, but no port of the ring waits for them: they are
    not on the loop."""
    def send_beside():
        for i in RING:
            sh(f'frames {i + 4} {ACROSS[i]}')

    def all_beside_wait():
        return {f's{i}p4' for i in RING} <= {row['ifname'] for row in ctl('prio show')
                                             if row['prio'] == 3 and row['tx_paused']}

    sh('build_ring alert ' + ' '.join(
        f'"switch s{i + 4}" "host h{i + 4} s{i + 4}" "link s{i + 4} s{i}"' for i in RING))
    for i in RING:
        # with more packets than those of the ring
        change('sw', f's{i}p4', 'xoff 60k')
    send_beside()
    sh('all_send')
    is_ring_once()
    # their first packets may have left; now their queues fill
    send_beside()
    wait_for(5000, 'switches beside it do not all wait', all_beside_wait)
    is_ring_once()


def h3_stops(action):
    """Packets do not fill the links, and an emulated CPU keeps up. But h3 stops to receive,
    then is slow: its pauses make all switches wait, in the end for each other."""
    sh(f'build_ring "{action}"')
    for i in RING:
        # both ends, as a pause is counted in bit times
        change(f'h{i}', 'eth0', 'rate 20mbit')
    all_options('rate 20mbit')
    sh('all_send -g 2500000 -n 4000')
    time.sleep(0.2)
    change('h3', 'eth0', 'role host rx-rate stopped xoff 20k')
    time.sleep(1)
    ksft_eq(len(deadlocks()), 0, 'deadlocks while h3 can end it')
    change('h3', 'eth0', 'role host rx-rate 1mbit')


def ksft_h3_began(deadlock):
    ksft_eq([deadlock['trigger'][name] for name in ('switch', 'ifname', 'host')],
            [3, 's3p1', True], 'trigger')


def host_began():
    h3_stops('alert')
    deadlock = is_ring_once()
    # in real time, pauses may also end and restart before the loop closes
    if VIRTUAL_TIME:
        ksft_h3_began(deadlock)


def broken(times=1):
    return counted('broken') >= times


def all_arrive(action):
    """Breaks deadlocks until all packets are sent; returns how many are received."""
    sh(f'build_ring "{action}"')
    for i in RING:
        sh(f'receive {i} 2000')
    sh('all_send')
    wait_for(5000, 'not broken', broken)
    got = [received(i)['sum'] for i in RING]
    ksft_eq([host['reordered'] for host in got], [0] * 4, 'out of order')
    ksft_eq(counted('parking_bytes'), 0, 'parked in the end')
    ksft_eq(total('backlog_bytes'), 0, 'waits in the end')
    ksft_eq(total('tx_paused'), 0, 'pauses in the end')
    return sum(host['packets'] for host in got)


def breaks():
    """Without loss or reordering, and with bounded memory."""
    ksft_eq(all_arrive('lossless deadlock-trigger leave'), 8000, 'received')
    ksft_eq(dropped(), {}, 'dropped')
    ksft_true(counted('parked_bytes') > 0, 'nothing was parked')
    for switch in ctl('switch show'):
        ksft_in_range(switch['deadlocks']['parking_max_bytes'], 0,
                      switch['deadlocks']['parking_limit_bytes'], 'parked at most')
    print(f'# {counted("broken")} deadlocks, {counted("parking_max_bytes")} bytes parked at most')
    print_times()


def out_of_loop():
    """h3 is off the loop; while it is slow, deadlocks recur."""
    h3_stops('drop deadlock-trigger leave')
    wait_for(20000, 'not broken again and again', lambda: broken(10))
    print_times()


def drops():
    """Each time, at most the bytes of XOFF and headroom above XON are dropped."""
    got = all_arrive('drop deadlock-trigger leave')
    lost = dropped()
    ksft_eq(got + lost['deadlock_discard'], 8000, 'received and dropped')
    ksft_eq(set(lost), {'deadlock_discard'}, 'reasons of drops')
    ksft_in_range(lost['deadlock_discard'] // counted('broken'), 1, 10, 'dropped by each break')
    ksft_eq(counted('parked_bytes'), 0, 'parked')
    print(f'# {counted("broken")} deadlocks, {lost["deadlock_discard"]} packets dropped')


def resolves():
    """The host that triggered the deadlock is quarantined before the loop is broken. Packets
    queued by then may deadlock once more. Then deadlocks stop, and the others receive all
    their packets, 400 per second. When the host receives again, the quarantine ends."""
    def quarantine(name):
        """A counter of the watchdog at the port of h3, if there is one, as a list."""
        return [row[name] for row in ctl('watchdog show stats -e')
                if (row['ifname'], row['prio']) == ('s3p1', 3)]

    def h4_gets():
        return ctl('prio show -a s4p1 3')[0]['tx_packets']

    h3_stops('lossless')
    wait_for(5000, 'not broken', broken)
    wait_for(2000, 'h3 is not quarantined', lambda: any(quarantine('quarantined')))
    time.sleep(1)
    known = counted('broken')
    before = h4_gets()
    time.sleep(0.5)
    ksft_true(h4_gets() - before > 180, 'h4 gets less than before')
    ksft_eq(counted('broken'), known, 'deadlocks later')
    for reason in 'deadlock', 'storm', 'storm_rx':
        ksft_eq(dropped()[f'{reason}_discard'], 0, f'dropped, {reason}')
    if VIRTUAL_TIME:
        first = deadlocks()[-1]
        ksft_h3_began(first)
        ksft_eq(first['resolved'], True, 'resolved')
    change('h3', 'eth0', 'role host rx-rate unlimited')
    wait_for(5000, 'h3 stays quarantined', lambda: quarantine('status') == ['operational'])
    print(f'# {known} deadlocks, quarantined {quarantine("quarantined")[0]} times')


def demotes():
    """Hosts fill the ring until a hop is demoted after three deadlocks with the same trigger:
    it is lossy until traffic becomes quiet."""
    sh('build_ring lossless; all_send -n 100000')
    # that lasts 200 ms, and a query takes longer while all hosts send
    wait_for(15000, 'no hop was lossy', lambda: counted('demoted') > 0)
    sh('kill $(jobs -p); wait')
    ksft_true(broken(3), 'demoted early')
    ksft_true(any(deadlock['cure'] == 'demoted' for deadlock in deadlocks()), 'no cure of one')
    wait_for(5000, 'a hop stays lossy', lambda: counted('lossy') == 0)
    lost = dropped()
    ksft_true(lost['cong_discard'] > 0, 'nothing was dropped for it')
    ksft_eq(lost['deadlock_discard'], 0, 'dropped on the loop')
    print(f'# {counted("broken")} deadlocks, {counted("demoted")} times lossy,',
          f'{lost["cong_discard"]} packets dropped')


def held_back():
    """The trigger is a switch with overloaded links. RCM holds its packets upstream before
    they fill the ring: deadlocks do not recur."""
    sh('build_ring "lossless deadlock-trigger leave"; all_send -n 20000')
    wait_for(5000, 'not broken again and again', lambda: broken(3))
    for i in RING:
        change('sw', f's{i}p2', 'rcm on')
        change('sw', f's{i}p3', 'rcm on')
    # packets queued by then may deadlock once more
    time.sleep(2)
    known = counted('broken')
    time.sleep(3)
    ksft_eq(counted('broken'), known, 'deadlocks later')
    ksft_eq(dropped(), {}, 'dropped')
    for i in RING:
        ksft_true(ctl(f'prio show s{i}p1 3')[0]['tx_packets'] > 1000, f'h{i} gets nothing')
    print(f'# {known} deadlocks before, none after')


def already_locked():
    """Detection starts when the ring is deadlocked already."""
    sh('build_ring off; all_send')
    time.sleep(1)
    ksft_eq(len(deadlocks()), 0, 'deadlocks')
    all_options('deadlock alert')
    is_ring_once()


def congestion():
    """A slow link makes all switches wait, but not for ever."""
    sh('build_ring')
    change('sw', 's3p1', 'rate 5mbit')
    sh('frames 1 3 -n 300; frames 2 4 -n 300; frames 4 2 -n 300')
    time.sleep(3)
    ksft_eq(len(deadlocks()), 0, 'deadlocks')


def off():
    sh('build_ring; all_send')
    one = is_ring_once()['switch']
    change('sw', f's{one}p1', 'deadlock off')
    ksft_true(all(deadlock['switch'] != one for deadlock in deadlocks()), f's{one} remembers')


def dcfit_from_now():
    DCFIT.write_text('Y')
    defer(DCFIT.write_text, 'N')


def algorithm_dcfit():
    """The loop is the same. A trigger declares. If all ports are triggers, in step, each
    trigger displaces the one before it at all ports, and none declares."""
    dcfit_from_now()
    sh('build_ring')
    for i in RING:
        sh(f'frames {i} {ACROSS[i]}')
        time.sleep(0.02)
    deadlock = is_ring()
    for place in deadlock, *deadlock['loop']:
        ksft_true(place['trigger']['switch'], f'a trigger that is none: {place}')
    ksft_true(counted('sent') >= 4, 'no messages')
    ksft_eq(counted('cancels'), 0, 'cancels, which only exact has')
    print_latency(deadlock)
    keeps_counting()


def heard():
    return counted('received') > 0


def begins_anew(dev):
    change('sw', dev, 'deadlock off')
    change('sw', dev, 'deadlock alert')


def mixed():
    """Switches of different algorithms ignore each other's messages: no loop is found, and no
    false one. After a change, two switches may find the loop at once, as a switch repeats all
    its waits."""
    sh('build_ring')
    dcfit_from_now()
    begins_anew('s2p1')
    sh('all_send')
    time.sleep(2)
    ksft_true(heard(), 'not heard')
    ksft_eq(counted('declared'), 0, 'deadlocks')
    DCFIT.write_text('N')
    begins_anew('s2p1')
    is_ring()


def begins_again():
    """Detection that begins counts queued packets anew: packets that can be sent are no
    deadlock."""
    sh('build_ring; all_send -g 300000 -n 6000')
    for _ in range(5):
        for i in RING:
            begins_anew(f's{i}p1')
        time.sleep(0.2)
    ksft_eq(counted('declared'), 0, 'deadlocks')
    sh('all_send')
    is_ring()
    keeps_counting()


def forged():
    """Deadlock messages of hosts are ignored, separate or in a pause; those of switches
    count."""
    def raw(frame):
        sh(f'ip netns exec t-h1 lle_traffic raw eth0 {FROM}{frame}')

    separate = f'88b5{PROBE}{"0" * 40}'
    sh('build_ring')
    for _ in range(5):
        raw(separate)
        raw(f'880801010008{"0" * 32}{PROBE}')
    time.sleep(0.2)
    ksft_eq(ctl('prio show -a s1p1 3')[0]['rx_resume'], 5, 'pauses')
    ksft_eq(counted('received'), 0, 'received')
    change('sw', 's1p1', 'fabric')
    raw(separate)
    wait_for(1000, 'a switch is not heard', heard)
    # a 1 Gbit/s link carries one in 700 ns, the budget allows one in 10000 ns
    if VIRTUAL_TIME:
        change('h1', 'eth0', 'rate 1gbit')
        raw(f'{separate} 1000')
        time.sleep(0.2)
        ksft_eq(counted('received'), 1001, 'messages of a flood')
        ksft_in_range(counted('ignored'), 600, 750, 'of them ignored')


def message(kind, ids):
    """A message of priority 3 about host 1 of switch 99, the initial trigger, as hex."""
    pad = bytes.fromhex(f'dc1{kind}{0x62 | ids << 3:02x}010001' + '0063010001' * ids +
                        '0000000000' * (2 - ids) + '0001010063010001')
    return (pad + binascii.crc_hqx(pad, 0xffff).to_bytes(2, 'big')).hex()


def messages_are_limited():
    """h1 is a switch that is held by a host far away; h2, a switch too, asks again and again to
    resolve that. Of the messages to h1, on a slow link, 256 wait at most."""
    def raw(host, frame):
        sh(f'ip netns exec t-h{host} lle_traffic raw eth0 {FROM}{frame}')

    def arrived():
        return int(sh('ip netns exec t-h1 cat /sys/class/net/eth0/statistics/rx_packets'))

    sh('testbed drop star 2 --rate 100mbit')
    change('sw', 's1p1', 'rate 8kbit fabric')
    change('sw', 's1p2', 'fabric')
    raw(1, f'880801010008000000000000ffff0000000000000000{message(1, 1)}')
    before = arrived()
    for _ in range(3):
        raw(2, f'88b5{message(7, 0)}{"0" * 40} 200')
        time.sleep(0.01)
    ksft_eq(counted('received'), 601, 'received')
    time.sleep(60)
    ksft_in_range(arrived() - before, 250, 270, 'messages')


def pauses(action):
    """64 neighbours of a switch send 200 pauses each as fast as they can, with messages that
    these pauses wait for another one. Returns ns."""
    # class 3 for 65535 quanta
    frame = f'{FROM}880801010008000000000000ffff0000000000000000{PROBE}'
    every = 'for i in {1..64}; do ip netns exec t-h$i lle_traffic'
    sh(f'testbed {action} star 64 --rate 1gbit')
    sh("printf 'qdisc change dev s1p%d root lossless fabric\n' {1..64} | tc -n t-sw -batch -")
    # each waits for the next one, and so pauses its own neighbour
    sh(f'{every} raw eth0 {frame}; done')
    sh(f'{every} send eth0 $(mac $((i % 64 + 1))) -n 100 -d 24; done')
    began = time.time_ns()
    sh(f'{every} raw eth0 {frame} 200 & done; wait')
    wait_for(5000, 'not all has come', lambda: total('rx_pause') >= 12864)
    return time.time_ns() - began


def flood():
    without = pauses('off')
    sh('gone')
    more = pauses('alert') - without
    ksft_eq(counted('declared'), 0, 'declared')
    sent, got = counted('sent'), counted('received')
    ksft_true(sent <= got, 'more messages sent than received')
    print(f'# 12800 pauses of 64 ports: {got} messages received, {sent} sent,',
          f'{counted("probes")} probes; {more // 12800} ns more a frame than without')


def tc(command, dev, words):
    return f'tc -n sw qdisc {command} dev {dev} root lossless {words}'


def refusals():
    def ksft_option(name, wanted):
        ksft_eq(port('p1')['options'].get(name), wanted, name)

    sh('llet_netns sw; sw ip link add p1 type veth peer name p2; sw ip link set p1 up')
    refused('deadlock: requires a switch number', tc('add', 'p1', 'prio-pfc 3:on deadlock alert'))
    sh(tc('add', 'p1', 'prio-pfc 3:on switch 7'))
    ksft_option('deadlock', None)
    sh(tc('change', 'p1', 'deadlock alert'))
    ksft_option('deadlock', 'alert')
    refused('"frog"', tc('change', 'p1', 'deadlock frog'))
    ksft_option('deadlock', 'alert')


def grows():
    """Memory follows the number of ports, within the limits of the design."""
    def memory(what):
        """Bytes of priority 3, from sysfs."""
        return int(sh(f'sw cat /sys/class/net/p1/lossless/prio3/deadlock_{what}_bytes'))

    def add(dev):
        return tc('add', dev, 'prio-pfc 3:on switch 7')

    sh('llet_netns sw')
    for i in range(1, 64, 2):
        sh(f'sw ip link add p{i} type veth peer name p{i + 1}')
    for i in range(1, 5):
        sh(add(f'p{i}'))
    ksft_eq([memory('state'), memory('counter')], [0, 0], 'without')
    sh(tc('change', 'p1', 'deadlock alert'))
    ksft_in_range(memory('state'), 1, 1024, 'state of 4 ports')
    for i in range(5, 65):
        sh(add(f'p{i}'))
    ksft_in_range(memory('state'), 2048, 3072, 'state of 64 ports')
    print(f'# {memory("state")} bytes of state and {memory("counter")} of counters at 64 ports')
    sh('sw ip link add q1 type veth peer name q2')
    refused('deadlock: the switch has more than 64 ports', add('q1'))
    sh('tc -n sw qdisc del dev p64 root')
    sh(add('q1'))
    sh(tc('change', 'p1', 'deadlock off'))
    sh(add('p64'))
    refused('deadlock: the switch has more than 64 ports', tc('change', 'p1', 'deadlock alert'))
    ksft_eq([memory('state'), memory('counter')], [0, 0], 'in the end')


def gone_without_slot():
    """A switch has one port more than deadlock detection supports. That port is deleted while
    its packets, which made p3 pause h3, wait at p1; they leave after detection is switched
    on."""
    options = 'switch 7 prio-pfc 7:on rate 10mbit xoff 15000b headroom 40k'
    sh('llet_star 3')
    sh("printf 'link add q%d type dummy\n' {1..62} | ip -n sw -batch -")
    sh(f'llet_ports 2 {options}')
    sh("printf 'qdisc add dev q%d root lossless switch 7\n' {1..62} | tc -n sw -batch -")
    sh(f'port 3 {options}')
    refused('more than 64 ports', tc('change', 'p1', 'deadlock alert'))
    sh('pfc 1 0x80 0 0 0 0 0 0 0 65535')
    sh('send 3 1 -n 20 -d 56')
    wait_for(2000, 'nothing waits', lambda: stat('p1', 7, 'backlog') == 20000)
    sh('tc -n sw qdisc del dev p3 root')
    sh("printf 'qdisc del dev q%d root\n' {1..62} | tc -n sw -batch -")
    sh(tc('change', 'p1', 'deadlock alert'))
    sh('pfc 1 0x80')
    wait_for(2000, 'packets still wait', lambda: stat('p1', 7, 'backlog') == 0)
    ksft_eq(port('p1')['shared_used'], 0, 'shared bytes left')


sh.status('llet_load lossless')
ksft_run([nothing_is_sent, ring, walk_lost, who_waits, host_began, already_locked, congestion,
          breaks, drops, out_of_loop, resolves, demotes, held_back, off, forged,
          messages_are_limited, flood, refusals, grows, gone_without_slot, begins_again] +
         [algorithm_dcfit, mixed] * DCFIT.exists())
