#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Storm watchdog of the switch. h3 pauses p3, the port to it, continuously; h1 and h2 send
through p3, and h3 sends to h1.

Times are those of the kernel's events. They may be late by the error of this kernel's timers,
which is 0 with virtual time, and are never early.
"""
import json
import os
import time
from statistics import median_low

from lib import (VIRTUAL_TIME, bkg, ctl, end, js, ksft_eq, ksft_in_range, ksft_run, ksft_true,
                 received, refused, sh, stat, until_listens, wait_for)

DETECTION = 100
RESTORATION = 200
# largest delay of an event, in microseconds
LATE = 1000 if VIRTUAL_TIME else 10000


def watch(words='p3', restoration=RESTORATION):
    """Starts watchdogs with the defaults of this file."""
    sh(f'sw losslessctl watchdog start -r {restoration} {words} {DETECTION}')


def attach(options=''):
    """The qdiscs."""
    sh('llet_ports 3 rate 100mbit buffer 1m xoff 40k headroom 100k prio-pfc 3:on 4:on ' + options)
    for i in 1, 2, 3:
        sh(f'host {i} rate 100mbit buffer 64m prio-pfc 3:on 4:on')


def setup(options=''):
    sh('llet_star 3')
    attach(options)
    monitor = bkg('ip netns exec sw losslessctl monitor -j storm >/tmp/events')
    until_listens()
    return monitor


def events(**match):
    """Events that have these values."""
    with open('/tmp/events', encoding='ascii') as file:
        return [event for event in map(json.loads, file) if match.items() <= event.items()]


def storm(i, prio, options=''):
    """Pauses from host I in the background; they end with the test, or by end()."""
    return bkg(f'ip netns exec h{i} lle-storm -p {prio} -r 2000 {options} eth0 >/dev/null')


def send(i, j, options):
    """Sends in the background."""
    return bkg(f'ip netns exec h{i} lle_traffic send eth0 02:00:00:00:00:0{j} {options}')


def sent(line):
    """As send of lib.sh, and waits until the host's queue is empty."""
    sh(f'send {line}')
    time.sleep(0.1)


def all_received(n, to=3):
    """What h1 sends arrives."""
    sh(f'receive {to} 1000; send 1 {to} -n {n} -d 24')
    ksft_eq(received(to)['sum']['packets'], n, f'received by h{to}')


def by_flow(i):
    """Packets that host I received, by the number in option -f."""
    return {flow: count['packets'] for flow, count in received(i).items() if flow != 'sum'}


def watchdog(dev='p3', prio=3):
    """Its counters."""
    return next(row for row in ctl('watchdog show stats -e')
                if (row['ifname'], row['prio']) == (dev, prio))


def ksft_watchdog(dev='p3', prio=3, **wanted):
    found = watchdog(dev, prio)
    ksft_eq({name: found.get(name) for name in wanted}, wanted, f'{dev}, prio {prio}')


def no_storm(*devs, prio=3):
    """There was none."""
    for dev in devs:
        ksft_watchdog(dev, prio, storm_detected=0)


def until_paused(dev='p3', prio=3):
    """The storm has begun; packets sent from now on wait."""
    wait_for(1000, f'{dev} is not paused', lambda: stat(dev, prio, 'rx_paused'))


def until(status, dev='p3', prio=3, ms=2000):
    wait_for(ms, f'{dev} is not {status}', lambda: watchdog(dev, prio)['status'] == status)


def calm(program):
    """Ends the storm of h3, and waits until the watchdog notices."""
    end(program)
    until('operational')


def blocked(*watched):
    """h3 storms, and 20 packets of h1 wait for it, until the storm is detected."""
    watch(*watched)
    storm_of_h3 = storm(3, 3)
    until_paused()
    sh('send 1 3 -n 20 -d 24')
    until('stormed')
    return storm_of_h3


def in_storm(*watched):
    setup()
    return blocked(*watched)


def check_storm(status):
    ksft_eq(sh.status('sw losslessctl watchdog show stats --check-storm'), ('', status),
            'output and exit status of --check-storm')


def detects():
    in_storm()
    ksft_watchdog(storm_detected=1)
    check_storm(1)
    sh('conserved')


def restores():
    calm(in_storm())
    ksft_watchdog(storm_restored=1)
    check_storm(0)
    all_received(50)
    sh('nothing_stuck')


def within(ms, rounds=1, **match):
    """All events with these values followed their cause after MS."""
    what = ' '.join(f'{name} {value}' for name, value in match.items())
    took = [(event['time_ns'] - event['since_ns']) // 1000 for event in events(**match)]
    ksft_eq(len(took), rounds, f'{what}: events')
    print(f'# {what} after {min(took)} {median_low(took)} {max(took)} us',
          f'(least, median, most of {rounds})')
    for us in min(took), max(took):
        ksft_in_range(us, ms * 1000, ms * 1000 + LATE, f'{what}: us')


def times_are_exact():
    """Storms one after another, with packets that always wait. Pauses are short, so they end
    soon after the last frame."""
    rounds = 200 if os.uname().release.endswith('-lab') else 10
    setup()
    watch()
    send(1, 3, f'-n {rounds * 100} -d 24 -g 5000000')
    # until the last storm ended, and before another one begins
    storm(3, 3, f'-q 1000 -g 150:350 -t {rounds * 500 - 100}').wait()
    time.sleep(0.5)
    ksft_watchdog(storm_detected=rounds)
    within(DETECTION, rounds, status='stormed')
    within(RESTORATION, rounds, status='operational')


def shorter_is_no_storm():
    setup()
    watch()
    send(1, 3, '-n 20 -d 24 -g 1000000')
    storm(3, 3, f'-t {DETECTION - 20} -z').wait()
    time.sleep(0.3)
    no_storm('p3')
    sh('no_drops')


def no_traffic_is_no_storm():
    setup()
    watch()
    storm(3, 3, '-t 1000 -z').wait()
    no_storm('p3')


def xon_is_no_storm():
    setup()
    watch()
    sh('receive 3 1000')
    storm(3, 3, '-x -c 1000')
    sh('send 1 3 -n 500 -d 24 -g 1000000')
    ksft_eq(received(3)['sum']['packets'], 500, 'received')
    no_storm('p3')
    sh('no_drops')


def interrupted(n, options):
    """N packets arrive in spite of pauses, with OPTIONS, which end again and again."""
    setup()
    watch()
    sh('receive 3 2000')
    pauses = storm(3, 3, options)
    sh(f'send 1 3 -n {n} -d 24')
    pauses.wait()
    ksft_eq(received(3)['sum']['packets'], n, 'received')
    no_storm('p3')
    sh('no_drops')


def flapping_is_no_storm():
    """Pause and resume in turns, each half millisecond, with packets that wait."""
    interrupted(2000, '-f -t 1000 -z')


def gap_starts_anew():
    """80 ms of pauses, 80 ms without: always shorter than the detection time."""
    interrupted(3000, '-q 1000 -g 80:80 -t 1600')


def starvation_is_no_storm():
    """A priority starves because of a higher one: it waits, but is not paused."""
    setup('bands 8 strict 8 priomap 7 6 5 4 3 2 1 0')
    watch('all')
    send(1, 3, '-n 20000 -d 32')
    time.sleep(0.05)
    sh('send 2 3 -n 10 -d 24')
    time.sleep(0.3)
    no_storm('p3')
    no_storm('p3', prio=4)


def incast_is_no_storm():
    setup()
    watch('all')
    sh('receive 3 2000')
    send(1, 3, '-n 6000 -d 24 -f 1')
    sh('send 2 3 -n 6000 -d 24 -f 2')
    ksft_eq(received(3)['sum']['packets'], 12000, 'received')
    ksft_true(stat('p1', 3, 'tx_pause') > 0, 'p1 has paused nobody')
    no_storm('p1', 'p2', 'p3')
    sh('no_drops')


def long_pause(enable):
    """One frame only: h3 pauses p3 for three seconds."""
    sh(f'port 3 rate 10mbit; pfc 3 {enable} 0 0 0 65535 65535')


def late_packet():
    """A packet that arrives late in a pause waits from then on."""
    setup()
    watch()
    long_pause('0x08')
    paused_ns = ctl('history p3')[0]['since_ns']
    time.sleep(0.15)
    sh('send 1 3 -n 1 -d 24')
    until('stormed')
    within(DETECTION, status='stormed')
    ksft_true(events(status='stormed')[0]['since_ns'] - paused_ns > 150000000,
              'stuck before the packet came')


def started_in_a_pause():
    """A queue that was stuck for longer than the detection time is a storm at once."""
    setup()
    long_pause('0x08')
    sh('send 1 3 -n 1 -d 24')
    time.sleep(0.2)
    watch()
    until('stormed', ms=60)


def two_times():
    """Two priorities wait at one port, and the second one is due first."""
    setup()
    sh('sw losslessctl watchdog start p3 500 prio 4')
    sh(f'sw losslessctl watchdog start p3 {DETECTION} prio 3')
    long_pause('0x18')
    sh('send 1 3 -n 1 -d 32; send 1 3 -n 1 -d 24')
    until('stormed', prio=4)
    within(DETECTION, prio=3)
    within(500, prio=4)


def port_toggle():
    """The link goes down and up: neither pause nor storm survives."""
    end(in_storm())
    sh('sw ip link set p3 down')
    ksft_watchdog(status='operational')
    sh('sw ip link set p3 up')
    time.sleep(0.3)
    ksft_watchdog(storm_detected=1, storm_restored=1)
    all_received(50)


def xon_does_not_prolong():
    end(in_storm())
    resumes = storm(3, 3, '-x -t 500')
    until('operational')
    resumes.wait()
    ksft_watchdog(storm_detected=1)


def drop_counts():
    """Exact drop counters: queued packets, new packets, and packets of the NIC."""
    in_storm()
    ksft_watchdog(last_tx_dropped_packets=20)
    sent('1 3 -n 100 -d 24')
    sent('3 1 -n 50 -d 24')
    ksft_watchdog(last_tx_dropped_packets=120, last_rx_dropped_packets=50)
    for name, n in ('drops.storm_discard', 120), ('drops.storm_rx_discard', 50), ('tx_packets', 0):
        ksft_eq(stat('p3', 3, name), n, name)
    sh('conserved')


def drop_from_the_nic():
    in_storm()
    sh('receive 1 1000; send 3 1 -n 50 -d 24; send 3 1 -n 50 -d 32 -f 4')
    ksft_eq(by_flow(1), {'4': 50}, 'received')
    # a GSO packet counts as its segments
    sh('send 3 1 -B -d 24 -s 1514 -G 10')
    ksft_eq(stat('p3', 3, 'drops.storm_rx_discard'), 60, 'dropped')


def forward():
    """The queue drains in spite of the pauses, which are still counted."""
    setup()
    sh('receive 3 1000')
    storm_of_h3 = blocked('-a forward p3')
    sh('send 1 3 -n 100 -d 24')
    pauses = stat('p3', 3, 'rx_pause')
    ksft_eq(received(3)['sum']['packets'], 120, 'received')
    ksft_watchdog(last_tx_packets=120)
    sent('3 1 -n 30 -d 24')
    ksft_watchdog(last_rx_packets=30)
    ksft_true(stat('p3', 3, 'rx_pause') > pauses, 'pauses are not counted')
    sh('no_drops')
    calm(storm_of_h3)
    # in the storm, and in all storms
    ksft_watchdog(last_tx_packets=120, tx_packets=120, rx_packets=30)


def alert():
    setup()
    sh('receive 3 1000')
    storm_of_h3 = blocked('-a alert p3')
    ksft_eq(stat('p3', 3, 'backlog'), 20000, 'queued')
    sh('no_drops')
    end(storm_of_h3)
    sh('pfc 3 0x08 0 0 0 0')
    until('operational')
    ksft_eq(received(3)['sum']['packets'], 20, 'received')


def last_is_frozen():
    calm(in_storm())
    sent('1 3 -n 30 -d 24')
    sent('3 1 -n 30 -d 24')
    ksft_watchdog(last_tx_dropped_packets=20, last_tx_packets=0, last_rx_packets=0)
    storm(3, 3)
    until_paused()
    sh('send 1 3 -n 7 -d 24')
    until('stormed')
    # of the second, and of both
    ksft_watchdog(restored_ns=None, last_tx_dropped_packets=7, tx_dropped_packets=27)


def other_priority():
    in_storm()
    sh('receive 3 1000')
    sent('1 3 -n 100 -d 32 -f 4')
    sent('1 3 -n 100 -d 24 -f 3')
    ksft_eq(by_flow(3), {'4': 100}, 'received')
    ksft_eq(stat('p3', 4, 'drop_bytes'), 0, 'drops of prio 4')
    ksft_watchdog(prio=4, status='operational')


def other_port():
    in_storm('all')
    all_received(100, to=2)
    for dev in 'p1', 'p2':
        ksft_eq(stat(dev, 3, 'drop_bytes'), 0, f'drops of {dev}')
    ksft_watchdog('p2', status='operational')


def no_xoff_upstream():
    """Before the storm p1 pauses h1, as its packets wait; from then on the switch pauses
    neither h1 nor the NIC."""
    setup()
    watch()
    storm(3, 3)
    sh('send 1 3 -n 60 -d 24')
    wait_for(60, 'p1 does not pause h1 before', lambda: stat('p1', 3, 'tx_paused'))
    until('stormed')
    ksft_true(not stat('p1', 3, 'tx_paused'), 'p1 pauses h1 in the storm')
    pauses = sh('sum .tx_pause')
    sent('1 3 -n 500 -d 24')
    sent('3 1 -n 500 -d 24')
    ksft_eq(sh('sum .tx_pause'), pauses, 'pauses sent in the storm')
    sh('conserved')


def restore_resumes():
    """Packets of the NIC fill the group of p3 before the storm: the NIC is paused then, not
    during the storm, and again afterwards if the group is still full."""
    def until_nic(paused, when):
        wait_for(1000, f'the NIC is{" not" * paused} paused {when}', lambda: js(
            'tc -n h3 -s -j qdisc show dev eth0 root')[0]['prios'][3]['rx_paused'] == paused)

    setup()
    watch()
    # p1 is paused, too, without a watchdog: packets of p3 wait there
    hold = storm(1, 3)
    sh('send 3 1 -n 60 -d 24')
    until_nic(True, 'before')
    storm_of_h3 = storm(3, 3, '-q 1000')
    sh('send 2 3 -n 5 -d 24')
    until('stormed')
    until_nic(False, 'in the storm')
    calm(storm_of_h3)
    until_nic(True, 'afterwards')
    end(hold)
    sh('pfc 1 0x08 0 0 0 0')
    wait_for(2000, 'packets wait', lambda: stat('p1', 3, 'backlog') == 0)
    time.sleep(0.1)
    sh('nothing_stuck')


def two_ports():
    setup()
    watch('all')
    stormed = ('p3', 3), ('p2', 4)
    storm(3, 3)
    storm(2, 4)
    for dev, prio in stormed:
        until_paused(dev, prio)
    sh('send 1 3 -n 20 -d 24; send 1 2 -n 20 -d 32')
    for dev, prio in stormed:
        until('stormed', dev, prio)
    no_storm('p3', prio=4)
    no_storm('p1', 'p2')
    for dev, prio in stormed:
        ksft_eq(stat(dev, prio, 'drops.storm_discard'), 20, f'dropped at {dev}')


def all_ports():
    setup()
    watch('all')
    for i in 1, 2, 3:
        storm(i, 3)
    for dev in 'p1', 'p2', 'p3':
        until_paused(dev)
    for i in 1, 2, 3:
        send(i, i % 3 + 1, '-n 20 -d 24')
    for dev in 'p1', 'p2', 'p3':
        until('stormed', dev)
    sh('conserved')


def alpha_changed():
    storm_of_h3 = in_storm()
    for dev in 'p3', 'p1':
        sh(f'tc -n sw qdisc change dev {dev} root lossless alpha 1/64')
    ksft_watchdog(status='stormed')
    calm(storm_of_h3)
    ksft_watchdog(storm_detected=1)


def change_in_storm():
    """The action changes from drop to forward during the storm."""
    in_storm()
    watch('-a forward p3')
    all_received(50)
    ksft_watchdog(storm_detected=1)


def ends_by(line):
    """LINE ends a storm, and leaves no rule behind."""
    storm_of_h3 = in_storm()
    sh(line)
    end(storm_of_h3)
    sh('pfc 3 0x08 0 0 0 0')
    all_received(50)


def stop_in_storm():
    ends_by('sw losslessctl watchdog stop p3')


def pfc_off_in_storm():
    ends_by('tc -n sw qdisc change dev p3 root lossless prio-pfc 3:off')


def replace_in_storm():
    ends_by('tc -n sw qdisc replace dev p3 root handle 2: lossless rate 100mbit')


def delete_in_storm():
    ends_by('tc -n sw qdisc del dev p3 root; port 3 rate 100mbit prio-pfc 3:on')
    ksft_eq(ctl('watchdog show stats -e'), [], 'storms of the new port')


def discard_all():
    """Discards as if each port with a watchdog had a storm, also queued packets."""
    setup()
    sh('sw losslessctl watchdog start p3 60000')
    sh('pfc 3 0x08 0 0 0 65535')
    sent('1 3 -n 5 -d 24')
    ksft_eq(stat('p3', 3, 'backlog'), 5000, 'waiting')
    sh('sw losslessctl switch discard 0 on')
    wait_for(60, 'they wait on', lambda: stat('p3', 3, 'backlog') == 0)
    ksft_eq(stat('p3', 3, 'drops.storm_discard'), 5, 'dropped')
    sh('pfc 3 0x08; receive 3 1000')
    sh('send 1 3 -n 20 -d 24; send 1 3 -n 20 -d 32 -f 4')
    # p2 has no watchdog
    all_received(20, to=2)
    ksft_eq(received(3)['sum']['packets'], 0, 'received by h3')
    sh('sw losslessctl switch discard 0 off')
    all_received(20)
    no_storm('p3')


def clear_not_in_storm():
    storm_of_h3 = in_storm()
    sh('sw losslessctl watchdog clear p3')
    ksft_watchdog(storm_detected=1, tx_dropped_packets=20)
    calm(storm_of_h3)
    sh('sw losslessctl watchdog clear p3')
    ksft_watchdog(storm_detected=0, tx_dropped_packets=0, last_tx_dropped_packets=0)
    ksft_eq(stat('p3', 3, 'drops.storm_discard'), 20, 'counter of the port')


def never_restores():
    end(in_storm('p3', 0))
    time.sleep(1)
    ksft_watchdog(status='stormed')
    watch('p3', 100)
    until('operational')


def without_pfc_refused():
    sh('llet_star 1; port 1')
    refused('no PFC on priority 3', 'sw losslessctl watchdog start p1 100 prio 3')
    sh('port 1 prio-pfc 3:on')
    refused('60000', 'sw losslessctl watchdog start p1 60001')
    refused('nosuch', 'sw losslessctl watchdog start nosuch 100')
    ksft_eq(ctl('watchdog show config'), [], 'set')


def no_pauses():
    """Frames that pause no priority, whatever quanta they have, or that resume one: they
    neither begin a storm nor prolong it."""
    no_pause = f'pfc 3 0x00 {"65535 " * 8}; pfc 3 0x08'
    setup()
    watch()
    sh('receive 3 1000')
    sh(f'{no_pause}; send 1 3 -n 20 -d 24')
    ksft_eq(received(3)['sum']['packets'], 20, 'received')
    no_storm('p3')
    sh('no_drops')
    ksft_eq(stat('p3', 3, 'rx_pause'), 0, 'pauses')
    ksft_eq(stat('p3', 3, 'rx_resume'), 1, 'resumes')

    end(blocked())
    sh(f'while sleep 0.02; do {no_pause}; done & defer kill $!')
    until('operational')
    ksft_watchdog(storm_detected=1)
    ksft_eq(sh("sum '.drops[]'"), '20', 'dropped')
    sh('conserved')


def modules_replaced():
    """Modules are replaced during a storm, as in an update. The storm continues: it is
    detected again, and counted from 0."""
    monitor = setup()
    storm_of_h3 = blocked()
    end(monitor)
    for i in 1, 2, 3:
        sh(f'tc -n sw qdisc del dev p{i} root; tc -n h{i} qdisc del dev eth0 root')
    # namespaces of the last test may still exist for a while
    wait_for(5000, 'rmmod sch_lossless',
             lambda: sh.status('rmmod sch_lossless 2>/dev/null')[1] == 0)
    sh('rmmod lossless')
    for name in 'lossless', 'sch_lossless':
        sh(f'llet_load {name}')
    attach()
    watch()
    until_paused()
    no_storm('p3')
    sh('send 1 3 -n 20 -d 24')
    until('stormed')
    ksft_watchdog(storm_detected=1, last_tx_dropped_packets=20)
    calm(storm_of_h3)
    ksft_watchdog(storm_restored=1)
    all_received(50)
    sh('nothing_stuck')


ksft_run([
    detects, restores, times_are_exact, shorter_is_no_storm, no_traffic_is_no_storm,
    xon_is_no_storm, flapping_is_no_storm, gap_starts_anew, starvation_is_no_storm,
    incast_is_no_storm, late_packet, started_in_a_pause, two_times, port_toggle,
    xon_does_not_prolong, drop_counts, drop_from_the_nic, forward, alert, last_is_frozen,
    other_priority, other_port, no_xoff_upstream, restore_resumes, two_ports, all_ports,
    alpha_changed, change_in_storm, stop_in_storm, pfc_off_in_storm, delete_in_storm,
    replace_in_storm, discard_all, clear_not_in_storm, never_restores, without_pfc_refused,
    no_pauses, modules_replaced])
