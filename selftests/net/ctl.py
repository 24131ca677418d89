#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""losslessctl against the kernel: it shows the same as tc, and the traffic that was sent.

It applies settings, and prints a reason for each refusal.

h3 pauses p3 with hand-made frames; h1 sends through p3. At 1 Mbit/s a pause of 65535
quanta lasts 33.5 s, one of 1000 quanta 512 ms.
"""
import json
import pathlib
import re
import shlex
import signal
import subprocess
import time

from lib import (bkg, ctl, defer, end, js, ksft_eq, ksft_run, ksft_true, port, received, refused,
                 sh, stat, wait_eq, wait_for)

PAUSE = 'pfc 3 0x08 0 0 0 65535'
PAUSE_3_4 = 'pfc 3 0x18 0 0 0 65535 65535'
RESUME = 'pfc 3 0x08'
SEND = 'send 1 3 -n 5 -d 24'
EVENTS = pathlib.Path('/tmp/events')


def setup(rate='1mbit', more=''):
    sh('llet_star 3')
    sh(f'llet_ports 3 rate {rate} prio-pfc 3:on 4:on {more} 2>/dev/null')


def losslessctl(line):
    return sh(f'sw losslessctl {line}')


def shows(line, names, *wanted):
    """A command shows objects with these values of NAMES; None: it does not have one."""
    # as text, since True and 1 are equal
    ksft_eq(json.dumps([[shown.get(name) for name in names.split()] for shown in ctl(line)]),
            json.dumps([values if isinstance(values, tuple) else [values] for values in wanted]),
            f'{names} of {line}')


def option(dev, name):
    return port(dev)['options'][name]


def rows(line):
    """The words of the head and the rows of the table that a command prints."""
    return [row.split() for row in losslessctl(line).splitlines()]


def fails(status, text, line=''):
    """losslessctl exits with STATUS, and prints nothing but one line with TEXT.

    After a wrong command line it also prints the usage of the command, if that is known, and a
    hint.
    """
    ended = subprocess.run(['ip', 'netns', 'exec', 'sw', 'losslessctl', *shlex.split(line)],
                           capture_output=True, text=True, check=False)
    ksft_eq((ended.returncode, ended.stderr.count('\n'), ended.stdout),
            (status, status + ('\nUsage: ' in ended.stderr), ''),
            f'status, lines and output of {line}')
    ksft_true(text in ended.stderr, f'{line}: says {ended.stderr}')


def not_loaded():
    said, err = pathlib.Path('/tmp/top'), pathlib.Path('/tmp/top.err')
    said.write_text('')
    top = bkg(f'losslessctl top -b -d 0.1 >{said} 2>{err}')
    wait_for(3000, 'top does not show anything', said.read_text)
    # namespaces of another scenario may still exist for a while
    wait_eq(5000, lambda: sh.status('rmmod sch_lossless 2>/dev/null')[1], 0, 'status of rmmod')
    ksft_eq(sh.status('rmmod lossless')[1], 0, 'status of rmmod lossless')
    ksft_eq(top.wait(), 1, 'status of top')
    ksft_eq(err.read_text(), 'losslessctl: the module lossless is not loaded: modprobe sch_lossless\n', 'top says')
    sh('llet_netns sw')
    fails(1, 'the module lossless is not loaded', 'port')
    fails(1, 'the module lossless is not loaded', 'watchdog show stats --check-storm')
    for module in 'lossless', 'sch_lossless':
        ksft_eq(sh.status(f'llet_load {module}')[1], 0, f'loading {module}')
    # a namespace without any
    for line in 'port', 'switch', 'watchdog show config', 'history':
        ksft_eq(ctl(line), [], line)


def ports():
    setup('10mbit', 'fabric')
    sh('port 2 rate 2500mbit edge prio-pfc all:off xoff 20k headroom 30000b alpha 1/4')
    sh(RESUME)
    shows('port', 'ifname', 'p1', 'p2', 'p3')
    shows('port show p1', 'ifname switch facing rate_bytes_per_s mtu_bytes pfc_prios rcm_prios '
          'alpha to_alpha xoff_bytes headroom_bytes headroom_need_bytes',
          ('p1', 0, 'fabric', 1250000, 1500, [3, 4], [], '1/16', 6, None,
           option('p1', 'headroom_now'), option('p1', 'headroom_need')))
    shows('port show p2', 'facing rate_bytes_per_s pfc_prios alpha xoff_bytes headroom_bytes '
          'peer_mac', ('edge', 312500000, [], '1/4', 20480, 30000, None))
    shows('port show p3', 'peer_mac ifindex',
          ('02:00:00:00:00:03', int(sh('sw cat /sys/class/net/p3/ifindex'))))
    ksft_eq(rows('port show p1')[1], 'p1 0 up 10Gbit fabric - 10Mbit 1500 3,4'.split(), 'text of p1')
    ksft_eq(rows('port show p2')[1][6:9:2], ['2500Mbit', '-'], 'text of p2')
    # computed, and configured
    ksft_eq([row[:3] for row in rows('port show p1')[2:4]],
            [['headroom', 'auto:', str(option('p1', 'headroom_now'))],
             ['xon-delta', 'auto:', str(option('p1', 'xon_delta_now'))]], 'in force at p1')
    shows('port show p2', 'configured', {
        'rate_bytes_per_s': 312500000, 'headroom_bytes': 30000, 'xoff_bytes': 20480, 'gso': 'auto'})
    ksft_eq(losslessctl('p3').splitlines(),
            [*losslessctl('port p3').splitlines(), '', *losslessctl('prio p3').splitlines()], 'p3')
    sh('ip -n sw link set p2 down; ip -n h3 link set eth0 down')
    shows('port', 'link', 'up', 'down', 'no carrier')
    ksft_eq([row[2] for row in rows('port')[1:]], ['up', 'down', 'no'], 'links')
    sh('ip -n sw link set p2 up; ip -n h3 link set eth0 up')
    # -j has the same effect in all places
    ksft_eq(losslessctl('port -j show p1'), losslessctl('-j port show p1'), 'port -j')
    indented = losslessctl('-p port')
    ksft_eq(json.dumps(json.loads(indented), separators=(',', ':')), losslessctl('-j port'), '-p')
    ksft_true(len(indented.splitlines()) > 20, 'lines of -p')
    ksft_eq(js('h 1 losslessctl -j port'), [], 'in another namespace')
    sh('port 2 rate 10mbit prio-pfc 3:on 5:on xoff 20k rcm on')
    shows('port show p2', 'rcm_prios', [3, 5])


def switches():
    setup('10mbit')
    sh('tc -n sw qdisc del dev p3 root')
    sh('port 3 rate 10mbit switch 7 buffer 1m')
    shows('switch', 'switch ports buffer_bytes discard',
          (0, 2, 12582912, False), (7, 1, 1048576, False))
    losslessctl('switch set 7 buffer 2mb')
    shows('switch show 7', 'buffer_bytes', 2097152)
    ksft_eq(option('p3', 'buffer'), 2097152, 'as tc says')
    # in bytes
    losslessctl('switch set 0 buffer 3000001')
    shows('switch show 0', 'buffer_bytes shared_bytes', (3000001, option('p1', 'shared_size')))
    row = rows('switch show 7')[1]
    ksft_eq(row[:3] + row[6:7], ['7', '1', '2097152', 'off'], 'text')
    for line in 'show 5', 'set 5 buffer 1m', 'discard 5 on':
        fails(1, 'switch 5: No such switch', f'switch {line}')
    # less than the port has reserved
    sh('port 3 switch 7 prio-pfc 3:on headroom 1m')
    fails(1, 'switch 7: ', 'switch set 7 buffer 64k')
    shows('switch show 7', 'buffer_bytes', 2097152)


def switch_keeps_deadlock():
    """The last setting of deadlock options counts.

    A change of another option does not restore those of the first port, whichever that is.
    """
    sh('llet_star 2')
    sh('port 1 switch 7 deadlock alert')
    sh('port 2 switch 7 deadlock drop')
    losslessctl('switch set 7 buffer 2mb')
    ksft_eq(option('p2', 'deadlock'), 'drop', 'said by p2')
    sh('port 1 switch 7 deadlock alert')
    losslessctl('switch set 7 buffer 3mb')
    ksft_eq(option('p1', 'deadlock'), 'alert', 'said by p1')


def buffers():
    setup('10mbit')
    sh('port 2 rate 10mbit prio-pfc 3:on headroom 1000b 2>/dev/null')
    sh(PAUSE)
    sh(SEND)
    shows('buffer', 'used_bytes', port('p1')['shared_used'])
    shown, = ctl('buffer show')
    ksft_true(shown['used_bytes'] > 0, 'used, not 0')
    ksft_eq([p['headroom_low'] for p in shown['ports']], [False, True, False], 'low')
    ksft_eq([(row[0], row[3], len(row) > 5) for row in rows('buffer')
             if re.search('p[123]', ' '.join(row))],
            [('p1', str(option('p1', 'headroom_now')), False), ('p2', '1000', True),
             ('p3', str(option('p3', 'headroom_now')), False)], 'text')


def prios():
    """every number of tc, by name"""
    units = dict.fromkeys(('rx_pause_duration', 'tx_pause_duration'), '_us') | dict.fromkeys(
        ('occupancy', 'occupancy_max', 'headroom', 'headroom_max', 'backlog', 'backlog_max'),
        '_bytes')

    setup('1mbit', 'xoff 10000b headroom 5000b')
    sh(PAUSE)
    sh('send 1 3 -B -n 20 -d 24')
    for dev in 'p1', 'p3':
        shown, = ctl(f'prio show {dev} 3')
        told = {key + units.get(key, ''): n for key, n in port(dev)['prios'][3].items()}
        for key in 'ifname', 'ifindex', 'switch', 'rx_pause_duration_us', 'tx_pause_duration_us':
            shown.pop(key, None)
            told.pop(key, None)
        ksft_eq(shown, told, dev)
    ksft_true(ctl('prio show p3 3')[0]['rx_pause_duration_us'] > 0, 'paused for us')
    ksft_eq(losslessctl('prio show p1 3').splitlines()[-1], '    dropped: headroom_discard 5',
            'drops as text')
    row = rows('prio show p3 3')[1]
    ksft_eq((row[4], row[5][-2:]), ('1', 's*'), 'p3 is paused now')
    # priorities with all counters 0 are shown on request only
    shows('prio', 'ifname prio', ('p1', 3), ('p3', 3))
    ksft_eq(len(ctl('prio show -a')), 24, 'all priorities')
    shows('prio show --all p1 2,5', 'prio', 2, 5)
    ksft_eq(len(rows('prio show -a p2')), 9, 'lines')


def usage_refused():
    """Wrong command lines: status 2, no change. selftests/ctl/words_test.py has others."""
    setup()
    for text, line in (
            ('is not the name of a device', f"port show {'x' * 128}"),
            ('is not the name of a device', "port show ''")):
        fails(2, text, line)
    for text, line, wrong in (
            ('"{}" is not a size of 65536..1073741824 bytes', "switch set -- 0 buffer '{}'",
             ('0', '65535', '1073741825', '2g', '99999999999999999999', '-1', '1e6', '12q', '',
              ' 1m')),
            ('switch: "{}" is not a number', "switch show -- '{}'",
             ('-1', '4294967296', 'x', '')),
            ('DETECTION_MS: "{}" is not a number of 1..60000', "watchdog start -- p1 '{}'",
             ('0', '60001', '99999999999999999999', '-5', '10ms', '0x10', '')),
            ('"{}" is not a list of priorities', "watchdog start -- p1 100 prio '{}'",
             ('8', '3,8', '3,', ',3', '34', '-1', 'x', ''))):
        for word in wrong:
            fails(2, text.format(word), line.format(word))
    ksft_eq(ctl('watchdog show config'), [], 'watchdogs')
    shows('switch', 'buffer_bytes', 12582912)


def devices_refused():
    setup()
    for command in 'port show', 'prio show', 'history', 'watchdog clear', 'watchdog stop':
        fails(1, 'p9: no such device', f'{command} p9')
        fails(1, 'br0: No such device, or no lossless qdisc at its root', f'{command} br0')
    # one wrong name: no change at the right ones either
    fails(1, 'p9: no such device', 'watchdog start p1 p9 100')
    fails(1, 'br0: No such device, or no', 'watchdog start p1 br0 100')
    ksft_eq(ctl('watchdog show config'), [], 'watchdogs')


def needs_privilege():
    nobody = 'sw setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all losslessctl'

    setup()
    sh(f'{nobody} port')
    refused('switch 0: Operation not permitted', f'{nobody} switch set 0 buffer 1m')
    refused('p1: Operation not permitted', f'{nobody} watchdog start p1 100')
    refused('Operation not permitted', f'{nobody} watchdog clear')


def output_fails():
    """Lost output is a failure."""
    setup()
    for line in ('-j prio show -a', 'port', 'watchdog show config', 'top -b', '--help',
                 '--version'):
        refused('losslessctl: standard output: No space left on device',
                f'sw sh -c "losslessctl {line} >/dev/full"')


def show_is_left_out():
    """Also before arguments."""
    setup()
    for line in ('port', 'prio -a', 'prio', 'switch', 'congestion -a'):
        name, *option = line.split()
        words = ' '.join([*option, '0' if name == 'switch' else 'p1'])
        ksft_eq(losslessctl(f'{name} {words}'), losslessctl(f'{name} show {words}'), line)
    refused('no such device', 'sw losslessctl port bogus')


def watchdog_config():
    fields = 'ifname prio action detection_ms restoration_ms'

    setup()
    sh('port 2 prio-pfc all:off')
    losslessctl('watchdog start -a forward -r 300 p1 150 prio 3')
    losslessctl('watchdog start p3 200')
    shows('watchdog show config', fields, ('p1', 3, 'forward', 150, 300),
          ('p3', 3, 'drop', 200, 200), ('p3', 4, 'drop', 200, 200))
    ksft_eq(rows('watchdog show config')[1][:7], 'p1 3 forward 150 ms 300 ms'.split(), 'text')
    # never by itself
    losslessctl('watchdog start -a alert -r 0 p1 60000')
    shows('watchdog show config', fields,
          ('p1', 3, 'alert', 60000, 0), ('p1', 4, 'alert', 60000, 0),
          ('p3', 3, 'drop', 200, 200), ('p3', 4, 'drop', 200, 200))
    ksft_eq(rows('watchdog show config')[1][5], 'never', 'text of never')
    # without PFC
    refused('p2: no priority has PFC: skipped', 'sw losslessctl watchdog start p2 100')
    # the others, and the hint adds what lacks
    ksft_eq(losslessctl('watchdog start p1 100 prio 4,5 2>&1'),
            'losslessctl: warning: p1: no PFC on priority 5: skipped; "tc qdisc change dev p1 '
            'root lossless prio-pfc 5:on" turns it on', 'hint')
    shows('watchdog show config', 'detection_ms', 60000, 100, 200, 200)


def watchdog_of_all():
    setup()
    sh('port 2 prio-pfc all:off 3:on fabric')
    losslessctl('watchdog start all 100')
    # at the edge
    shows('watchdog show config', 'ifname prio', ('p1', 3), ('p1', 4), ('p3', 3), ('p3', 4))
    losslessctl('watchdog start --fabric all 100 prio 3')
    shows('watchdog show config', 'ifname prio',
          ('p1', 3), ('p1', 4), ('p2', 3), ('p3', 3), ('p3', 4))
    ksft_eq(losslessctl('watchdog start --fabric all 100 prio 4 2>&1'),
            'losslessctl: warning: p2: no PFC on priority 4: skipped; "tc qdisc change dev p2 '
            'root lossless prio-pfc 4:on" turns it on', 'warned of p2')


def watchdog_stops():
    setup()
    losslessctl('watchdog start all 100')
    losslessctl('watchdog stop p1')
    shows('watchdog show config', 'ifname prio', ('p2', 3), ('p2', 4), ('p3', 3), ('p3', 4))
    losslessctl('watchdog stop')
    ksft_eq(ctl('watchdog show config'), [], 'left')
    # of all, which are off
    losslessctl('watchdog stop all')


def storm(ms, options=''):
    """p3 has a storm on priority 3 that drops five packets"""
    losslessctl(f'watchdog start {options} all {ms} prio 3')
    sh(PAUSE)
    sh(SEND)


def stormed():
    """What --check-storm says, and its status."""
    return sh.status('sw losslessctl watchdog show stats --check-storm 2>&1')


def storm_of_a_test():
    setup()
    storm(100)
    wait_eq(3000, stormed, ('', 1), 'storm')
    shows('watchdog show stats', 'ifname prio status storm_detected storm_restored tx_packets '
          'tx_dropped_packets rx_packets rx_dropped_packets last_tx_dropped_packets restored_ns',
          ('p3', 3, 'stormed', 1, 0, 0, 5, 0, 0, 5, None))
    # those that are 0, too
    shows('watchdog show stats -e', 'ifname', 'p1', 'p2', 'p3')
    ksft_eq([' '.join(row) for row in rows('watchdog show stats')],
            ['QUEUE STATUS STORM DETECTED/RESTORED TX OK/DROP RX OK/DROP TX LAST OK/DROP '
             'RX LAST OK/DROP', 'p3:3 stormed 1/0 0/5 0/0 0/5 0/0'], 'text')
    # clear has no effect during a storm
    losslessctl('watchdog clear p3')
    shows('watchdog show stats', 'storm_detected', 1)
    sh('send 1 3 -n 3 -d 24')
    shows('watchdog show stats', 'tx_dropped_packets', 8)
    sh(RESUME)
    wait_eq(3000, stormed, ('', 0), 'restored')
    shows('watchdog show stats', 'status storm_detected storm_restored tx_dropped_packets',
          ('operational', 1, 1, 8))
    stats, = ctl('watchdog show stats')
    ksft_true(stats['restored_ns'] - stats['detected_ns'] > 200000000, 'restored early')
    losslessctl('watchdog clear')
    ksft_eq(ctl('watchdog show stats'), [], 'cleared')
    no_storm_left()


def no_storm_left():
    """No state of the storm is left: the next packets pass."""
    sh('receive 3 500')
    sh(SEND)
    ksft_eq(received(3)['sum']['packets'], 5, 'received after the storm')


def check_storm():
    """Repeated pauses of 512 ms, like those of a broken NIC."""
    setup()
    losslessctl('watchdog start p3 600 prio 3')
    ksft_eq(stormed(), ('', 0), 'no storm yet')
    sh('pfc 3 0x08 0 0 0 1000')
    sh(SEND)
    for _ in range(8):
        time.sleep(0.1)
        sh('pfc 3 0x08 0 0 0 1000')
    ksft_eq(stormed(), ('', 1), 'storm')
    shows('watchdog show stats', 'ifname', 'p3')
    wait_eq(3000, stormed, ('', 0), 'restored')
    shows('watchdog show stats', 'storm_restored', 1)
    no_storm_left()


def forward_and_alert():
    setup()
    storm(100, '-a alert')
    wait_eq(3000, stormed, ('', 1), 'storm')
    ksft_eq(stat('p3', 3, 'backlog'), 5000, 'alert keeps them')
    sh('receive 3 500')
    losslessctl('watchdog start -a forward p3 100 prio 3')
    ksft_eq(received(3)['sum']['packets'], 5, 'received')
    shows('watchdog show stats', 'tx_packets tx_dropped_packets', (5, 0))
    # stop ends it
    losslessctl('watchdog stop p3')
    ksft_eq(stormed(), ('', 0), 'no storm')


def history_counts():
    """The counter of pauses is exact; the last eight are listed."""
    setup()
    for _ in range(11):
        sh(PAUSE_3_4)
        sh(RESUME)
    sh('pfc 3 0x10')
    shows('history', 'ifname prio direction count paused',
          ('p3', 3, 'rx', 11, False), ('p3', 4, 'rx', 1, False))
    ksft_eq([len(shown['episodes']) for shown in ctl('history')], [8, 1], 'episodes')
    history, = ctl('history p3 3')
    last = history['episodes']
    durations, starts = ([e[key] for e in last] for key in ('duration_ns', 'start_ns'))
    ksft_true(history['total_ns'] >= sum(durations) and history['longest_ns'] >= max(durations),
              'total is less than the episodes')
    ksft_eq(starts, sorted(starts, reverse=True), 'newest first')
    ksft_true(history['now_ns'] >= starts[0] + durations[0], 'not all in the past')
    shows('history p3 4', 'prio', 4)
    ksft_eq(ctl('history p1'), [], 'of another port')
    ksft_eq(rows('history p3 3')[1][:4], 'p3 3 rx 11'.split(), 'text')
    ksft_eq(len(re.findall('^    [0-9.]+[mun]?s ago, for [0-9.]+[mun]?s$',
                           losslessctl('history p3 3'), re.M)), 8, 'lines')


def history_now():
    """A pause that continues, and the other direction: p1 pauses h1."""
    setup('1mbit', 'xoff 10000b headroom 20000b')
    sh(PAUSE)
    sh('send 1 3 -n 15 -d 24')
    wait_eq(3000, lambda: stat('p1', 3, 'tx_paused'), 1, 'p1 pauses')
    shows('history', 'ifname prio direction count paused',
          ('p1', 3, 'tx', 0, True), ('p3', 3, 'rx', 0, True))
    ksft_true(all(shown['now_ns'] > shown['since_ns'] for shown in ctl('history')), 'since')
    shows('history p1', 'ifname', 'p1')
    ksft_eq(len(re.findall('^p1 .* paused for [0-9.]+[mun]?s$', losslessctl('history p1'), re.M)),
            1, 'text')
    sh(RESUME)
    wait_eq(3000, lambda: stat('p1', 3, 'tx_paused'), 0, 'p1 pauses')
    shows('history p1', 'direction count paused', ('tx', 1, False))


def monitor(words=''):
    """Writes EVENTS in the background; returns when it listens."""
    def config_event():
        losslessctl('watchdog stop p2')
        time.sleep(0.02)
        return EVENTS.read_text()

    EVENTS.write_text('')
    program = bkg(f'ip netns exec sw losslessctl monitor config {words} >{EVENTS} 2>&1')
    wait_for(5000, 'it does not listen', config_event)
    return program


def has_seen(pattern):
    return re.search(pattern, EVENTS.read_text(), re.M)


def seen(pattern):
    """Waits, although the monitor does not buffer its output."""
    wait_for(3000, f'not seen: {pattern}', lambda: has_seen(pattern))


def monitor_pause():
    stamp = r'^\[[0-9]+\.[0-9]{9}\]'

    # a pause of 65535 quanta lasts 0.3 s
    setup('100mbit')
    program = monitor('pause')
    sh(PAUSE_3_4)
    sh(RESUME)
    seen(f'{stamp} p3 rx paused 3,4$')
    seen(f'{stamp} p3 rx resumed 3$')
    # this one expires
    seen(f'{stamp} p3 rx resumed 4$')
    end(program)
    ksft_eq([line for line in EVENTS.read_text().splitlines()
             if not re.search(' p3 rx | p2 is new or has changed(, by .*)?$', line)], [], 'others')

    monitor('-j pause')
    sh(PAUSE_3_4)
    seen('"event":"pause"')
    ksft_eq([(e['ifname'], e['direction'], e['changed'], e['paused'], e['time_ns'] > 0)
             for e in map(json.loads, EVENTS.read_text().splitlines()) if e['event'] == 'pause'][:1],
            [('p3', 'rx', [3, 4], [3, 4], True)], 'as JSON')
    seen('"changed":.*3,4.*"paused":.*\\[\\]')
    sh('tc -n sw qdisc del dev p2 root')
    seen('"event":"port_gone".*"ifname":"p2"')


def monitor_storm():
    setup()
    monitor('storm')
    storm(100)
    seen(' detected PFC storm on port p3, prio 3, from 02:00:00:00:00:03$')
    sh(RESUME)
    seen(' storm restored on port p3, prio 3$')
    ksft_true(not has_seen('paused'), 'pauses, not asked for')


def monitor_lost():
    """A monitor that does not read loses events, reports it, and continues."""
    def goes_on():
        # more events may be lost until the monitor has read the queued ones
        sh('port 3 rate 1mbit')
        sh('tc -n sw qdisc del dev p3 root')
        return has_seen(r'\] p3 is gone(, by .*)?$')

    setup()
    program = monitor()
    program.send_signal(signal.SIGSTOP)
    defer(program.send_signal, signal.SIGCONT)
    subprocess.run(['tc', '-n', 'sw', '-batch', '-'], text=True, check=True, input=''.join(
        f'qdisc change dev p1 root handle 1: lossless limit {100000 + i}\n' for i in range(3000)))
    program.send_signal(signal.SIGCONT)
    seen(r'\] events were lost$')
    wait_for(3000, 'p3 is not seen to go', goes_on)


def discard_all():
    setup()
    losslessctl('watchdog start p3 1000 prio 3')
    losslessctl('switch discard 0 on')
    shows('switch', 'discard', True)
    ksft_eq(rows('switch')[1][-1], 'on', 'as text')
    sh('receive 3 500')
    sh(SEND)
    sh('send 1 3 -n 5 -d 32')
    ksft_eq(received(3)['sum']['packets'], 5, 'received')
    ksft_eq(ctl('prio show p3 3')[0]['drops']['storm_discard'], 5, 'dropped')
    losslessctl('switch discard 0 off')
    no_storm_left()


def names():
    """A name that would reverse the colours of the terminal."""
    name = 'p\033[7m'

    setup()
    sh('ip -n sw link set p3 down')
    sh(f"ip -n sw link set p3 name '{name}'")
    sh(f"ip -n sw link set '{name}' up")
    losslessctl(f"watchdog start '{name}' 100 prio 3")
    monitor('pause storm')
    sh(PAUSE)
    sh(SEND)
    seen('paused 3$')
    wait_eq(3000, stormed, ('', 1), 'storm')
    for line in ('port', 'prio', 'buffer', 'history', 'tree', 'tree -g', 'watchdog show config',
                 'watchdog show stats -e', 'top -b -d 0.1 -n 1'):
        said = losslessctl(line)
        ksft_true('p?[7m' in said, f'{line}: does not name it')
        ksft_true('\033' not in said, f'{line}: an escape')
    seen(r'storm on port p\?\[7m')
    ksft_true(not has_seen('\033'), 'events: an escape')
    ksft_eq([shown['ifname'] for shown in ctl('prio')].count(name), 1, 'JSON')


ksft_run([not_loaded, ports, switches, switch_keeps_deadlock, buffers, prios, usage_refused,
          devices_refused, needs_privilege, output_fails, show_is_left_out, watchdog_config,
          watchdog_of_all,
          watchdog_stops, storm_of_a_test, check_storm, forward_and_alert, history_counts,
          history_now, monitor_pause, monitor_storm, monitor_lost, discard_all, names])
