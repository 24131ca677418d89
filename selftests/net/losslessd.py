#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The daemon: watchdogs as configured, the log, metrics, and restarts after it was killed.

h3 storms; p3 is the port to it. Deadlocks are those of ring.sh.
"""
import collections
import json
import os
import pathlib
import re
import signal
import socket
import time

from lib import (bkg, ctl, end, js, ksft_eq, ksft_in_range, ksft_run, ksft_true, received,
                 refused, sh, stat, undo, until_listens, wait_eq, wait_for)

CONF = pathlib.Path('/tmp/lossless.conf')
LOG = pathlib.Path('/tmp/lossless.log')
ERR = pathlib.Path('/tmp/losslessd.err')
OUT = pathlib.Path(os.environ.get('OUT') or '/tmp')
LONG = os.environ.get('LLE_LONG')

H3 = '02:00:00:00:00:03'
ON = 'watchdog { action = "drop" }'
P1, P2, P3 = (f'p{i}:3:drop:100:200' for i in (1, 2, 3))
INTERVAL_1S = 'metrics { interval = 1 }'


def config(*lines, log=LOG):
    """Writes the configuration."""
    CONF.write_text('\n'.join((f'log = "{log}"', *lines, '')))


def start(*lines, log=LOG, netns='sw', env=''):
    """Starts the daemon with a configuration; it is ready when it listens to events."""
    config(*lines, log=log)
    daemon = bkg(f'ip netns exec {netns} env {env} losslessd -c {CONF} 2>{ERR}')
    until_listens(netns, 1000)
    return daemon


def runs(daemon):
    ksft_true(daemon.poll() is None, 'it has ended')


def setup():
    LOG.unlink(missing_ok=True)
    sh('llet_star 3')
    sh('llet_ports 3 rate 100mbit buffer 1m xoff 40k headroom 100k prio-pfc 3:on')


def setup_on(*lines):
    """All ports have watchdogs."""
    setup()
    daemon = start(ON, *lines)
    until_watched(P1, P2, P3)
    return daemon


def until_watched(*wanted):
    """Waits for PORT:PRIORITY:ACTION:DETECTION:RESTORATION of all watchdogs."""
    text = '{ifname}:{prio}:{action}:{detection_ms}:{restoration_ms}'
    wait_eq(2000, lambda: sorted(text.format(**w) for w in ctl('watchdog show config')),
            list(wanted), 'watched')


def events(*names):
    """The events of these names in the log."""
    # watchdogs come first, then the log
    log = map(json.loads, LOG.read_text().splitlines() if LOG.exists() else [])
    return [event for event in log if event.get('event') in names]


def until_logged(name, n):
    wait_eq(3000, lambda: len(events(name)), n, name)


def said(pattern, file=LOG):
    """The lines with PATTERN."""
    return re.findall(f'.*{pattern}.*', file.read_text() if file.exists() else '')


def until_said(ms, pattern, file=LOG):
    wait_for(ms, f'not said: {pattern}', lambda: said(pattern, file))


def storm(option=''):
    program = bkg(f'ip netns exec h3 lle-storm -p 3 -r 2000 -q 1000 {option} eth0 >/dev/null')
    wait_for(1000, 'no pause', lambda: stat('p3', 3, 'rx_paused') == 1)
    sh('send 1 3 -n 20 -d 24')
    return program


def applies_to_edge():
    setup()
    sh('port 2 fabric prio-pfc 3:on')
    start('watchdog { action = "forward" detection = 50 restoration = 300 }')
    until_watched('p1:3:forward:50:300', 'p3:3:forward:50:300')


def exceptions():
    setup()
    start(ON, 'port "p1" { action = "off" }', 'port "p2" { detection = 30 }')
    until_watched('p2:3:drop:30:200', P3)


def new_port():
    setup()
    sh('sw tc qdisc del dev p3 root')
    start(ON)
    until_watched(P1, P2)
    sh('port 3 prio-pfc 3:on 4:on')
    until_watched(P1, P2, P3, 'p3:4:drop:100:200')
    sh('sw tc qdisc del dev p2 root')
    sh('port 2 prio-pfc 5:on')
    until_watched(P1, 'p2:5:drop:100:200', P3, 'p3:4:drop:100:200')


def names():
    """An alternative name of any length; a device that gets the name of a section."""
    setup()
    sh('sw ip link property add dev p1 altname leaf-7-port-1-to-host-1')
    start(ON, INTERVAL_1S, 'port "leaf-7-port-1-to-host-1" { action = "alert" }',
          'port "q2" { action = "off" }')
    until_watched('p1:3:alert:100:200', P2, P3)
    ksft_eq(len(ctl('prio show -a leaf-7-port-1-to-host-1')), 8, 'losslessctl')
    sh('sw ip link set p2 down; sw ip link set p2 name q2; sw ip link set q2 up')
    until_watched('p1:3:alert:100:200', P3)


def pfc_off():
    """By another program: it is logged, and no watchdog stays that could not be set again."""
    setup()
    sh('port 1 prio-pfc 3:on 4:on')
    start(ON, 'metrics { interval = 3600 }')
    until_watched(P1, 'p1:4:drop:100:200', P2, P3)
    sh('tc -n sw qdisc change dev p1 root lossless prio-pfc 4:off')
    until_logged('pfc_off', 1)
    until_watched(P1, P2, P3)
    sh('sw losslessctl save >/tmp/saved && sw losslessctl restore /tmp/saved')
    until_watched(P1, P2, P3)
    sh('tc -n sw qdisc change dev p2 root lossless prio-pfc all:off')
    until_logged('pfc_off', 2)
    until_watched(P1, P3)
    ksft_eq([(e['device'], e['prio']) for e in events('pfc_off')], [('p1', 4), ('p2', 3)], 'off')
    ksft_true(said('port p1: PFC of priority 4 was switched off'), 'words')


def port_gone():
    """A qdisc that another program deletes is logged, unless its device goes, too."""
    setup()
    start(ON, 'metrics { interval = 3600 }')
    time.sleep(2)
    sh('sw tc qdisc del dev p3 root; port 3 prio-pfc 3:on')
    sh('sw tc qdisc del dev p1 root')
    sh('ip -n sw link del p2')
    until_logged('port_gone', 1)
    time.sleep(3)
    ksft_eq([e['device'] for e in events('port_gone')], ['p1'], 'gone')
    ksft_true(said('port p1: its qdisc lossless was deleted'), 'words')


def by_hand_holds():
    setup_on()
    sh('sw losslessctl watchdog stop p1')
    time.sleep(0.5)
    until_watched(P2, P3)


def without_action():
    """The daemon stops no watchdog but those that it has started."""
    setup()
    sh('sw losslessctl watchdog start p1 50')
    daemon = start(INTERVAL_1S)
    sh('sw tc qdisc del dev p2 root; port 2 prio-pfc 3:on; sw losslessctl watchdog start p2 60')
    time.sleep(3)
    until_watched('p1:3:drop:50:200', 'p2:3:drop:60:200')
    config(ON)
    daemon.send_signal(signal.SIGHUP)
    until_watched(P1, P2, P3)
    config()
    daemon.send_signal(signal.SIGHUP)
    until_watched()


def reload():
    daemon = setup_on()
    config('watchdog { action = "off" }', 'port "p3" { action = "alert" }')
    daemon.send_signal(signal.SIGHUP)
    until_watched('p3:3:alert:100:200')


def reload_all_or_nothing():
    daemon = setup_on()
    config('watchdog { action = "off" }', 'metrics { interval = 0 }')
    daemon.send_signal(signal.SIGHUP)
    until_said(2000, 'rejected, keeping the running configuration')
    ksft_true(said(':3: interval: a number from 1'), 'line not said')
    until_watched(P1, P2, P3)


def debug_topics():
    """Messages of the topics that are configured, until the configuration has none."""
    def topics():
        log = map(json.loads, LOG.read_text().splitlines() if LOG.exists() else [])
        return {line['topic'] for line in log if 'topic' in line}

    setup()
    daemon = start(ON, 'debug = { "events", "watchdogs", "config" }', INTERVAL_1S)
    until_watched(P1, P2, P3)
    sh('port 3 prio-pfc 3:off')
    until_said(2000, 'event: port p3')
    # watchdogs come first, then the log
    ksft_true(said('port p1: watchdogs of priorities 3: drop, detection 100 ms', ERR), 'start')
    ksft_true(said('port p3: watchdogs of priorities 3: off'), 'stop')
    ksft_eq(topics(), {'events', 'watchdogs', 'config'}, 'topics')
    config(ON, INTERVAL_1S)
    daemon.send_signal(signal.SIGHUP)
    until_said(2000, 'lossless.conf: taken')
    before = len(said('"topic"'))
    sh('port 3 prio-pfc 3:on')
    until_watched(P1, P2, P3)
    ksft_eq(len(said('"topic"')), before, 'messages after')


def status_for_systemd():
    """systemctl status shows it."""
    path = pathlib.Path('/tmp/notify')
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(path))
        notify.settimeout(10)

        def until_status(wanted):
            for _ in range(100):
                message = notify.recv(4096).decode()
                if message.startswith('STATUS='):
                    found.append(message)
                if message == f'STATUS={wanted}':
                    return
            ksft_true(False, f'no {wanted}: {found}')

        found = []
        setup()
        start(ON, INTERVAL_1S, env=f'NOTIFY_SOCKET={path}')
        until_status('3 ports, 3 watchdogs, 0 storms, 0 deadlocks')
        program = storm()
        until_status('3 ports, 3 watchdogs, 1 storm, 0 deadlocks')
        end(program)
        until_status('3 ports, 3 watchdogs, 0 storms, 0 deadlocks')


def metrics_address_comes_later():
    """The watchdogs do not wait for it; the endpoint is there as soon as it is."""
    setup()
    # a namespace without addresses has no local table, so it would accept all
    sh('ip -n sw link set lo up')
    start(ON, 'metrics { listen = "203.0.113.1:9417" }')
    until_watched(P1, P2, P3)
    until_said(2000, 'listen: 203.0.113.1:9417: no device has this address yet')
    sh('sw ip addr add 203.0.113.1 dev lo')
    ksft_true('lossless_watchdog_stormed' in sh('sw curl -s http://203.0.113.1:9417/metrics'),
              'no metrics')


def metrics_port_is_taken():
    """The reason is the kernel's. The endpoint is there when the port is free."""
    setup()
    sh('ip -n sw link set lo up')
    other = bkg('ip netns exec sw python3 -m http.server -b 127.0.0.1 9417 >/dev/null 2>&1')
    wait_for(5000, 'no server', lambda: not sh.status('sw curl -s http://127.0.0.1:9417/')[1])
    daemon = start(ON, 'metrics { listen = "127.0.0.1:9417" interval = 1 }')
    until_watched(P1, P2, P3)
    until_said(2000, 'listen: 127.0.0.1:9417: Address already in use: ss -ltnp')
    time.sleep(3)
    ksft_eq(len(said('Address already in use')), 1, 'said')
    end(other)
    until_said(3000, 'listen: 127.0.0.1:9417: it works again')
    ksft_true('lossless_watchdog_stormed' in scrape(), 'no metrics')
    end(daemon)
    # a port that needs a privilege
    config(ON, 'metrics { listen = "127.0.0.1:80" }')
    bkg('ip netns exec sw setpriv --bounding-set=-all,+net_admin --inh-caps=-all,+net_admin '
        f'losslessd -c {CONF} 2>/dev/null')
    until_said(3000, 'listen: 127.0.0.1:80: Permission denied; it is tried again')


def files_come_later():
    """No folder for the log, the textfile and the state: the watchdogs run without."""
    away = pathlib.Path('/tmp/away')
    log = away / 'log'
    sh(f'rm -rf {away}')
    setup()
    config(ON, log=log)
    refused(f'log: {log} cannot be written: No such file', f'losslessd --check -c {CONF}')
    start(ON, f'metrics {{ textfile = "{away}/prom" interval = 1 }}',
          f'ldcp {{ prefixes = {{ "10.9.0.0/16" }} state = "{away}/state" }}', log=log)
    until_watched(P1, P2, P3)
    until_said(2000, f'log: {log}: No such file or directory', ERR)
    until_said(2000, f'textfile: {away}/prom: No such file or directory', ERR)
    away.mkdir()
    # JSON has slashes as \\/
    until_said(3000, 'log: .*log: it works again', log)
    until_said(3000, 'textfile: .*prom: it works again', log)
    sh('sw tc qdisc del dev p3 root')
    sh('port 3 prio-pfc 3:on')
    until_watched(P1, P2, P3)


def log_is_a_pipe():
    """One that nobody reads, one whose reader ends: the daemon goes on."""
    pipe = pathlib.Path('/tmp/log.pipe')
    sh(f'rm -f {pipe}; mkfifo {pipe}')
    setup()
    daemon = start(ON, INTERVAL_1S, log=pipe)
    until_watched(P1, P2, P3)
    reader = bkg(f'head -n 1 {pipe} >/dev/null')
    until_said(3000, 'No such device or address', ERR)
    reader.wait()
    for _ in range(3):
        daemon.send_signal(signal.SIGHUP)
        time.sleep(0.5)
    runs(daemon)


def storm_is_logged():
    setup_on()
    program = storm()
    until_logged('storm_detected', 1)
    until_logged('storm_origin', 1)
    ksft_eq([(e['device'], e['prio'], e['peer'], e['pause_frames_per_s'] > 1900,
              e['paused_share'] > 0.99, e['rx_packets']) for e in events('storm_origin')],
            [('p3', 3, H3, True, True, 0)], 'who')
    ksft_true(said('detected PFC storm on port p3, queue index 3'), 'words')
    end(program)
    until_logged('storm_restored', 1)
    ksft_true(said('storm restored on port p3, queue index 3'), 'words')
    ksft_eq(events('storm_restored')[0]['tx_dropped'], 20, 'dropped')


def violation_is_logged():
    """headroom of 1 kB overflows"""
    setup()
    sh('port 1 headroom 1k; port 3 rate 1mbit')
    start(INTERVAL_1S)
    time.sleep(2)
    sh('send 1 3 -n 200 -d 24')
    until_logged('lossless_violation', 1)
    found = events('lossless_violation')
    ksft_eq((found[0]['device'], found[0]['prio'], found[0]['where']),
            ('p1', 3, 'headroom exhausted'), 'where')
    ksft_eq(sum(e['packets'] for e in found), stat('p1', 3, 'drops.headroom_discard'), 'packets')


def drifts():
    """Reported and mended drifts, once each, in the words of the log."""
    return [(e['event'], e['device'], e['what'], e.get('is'), e.get('usual'))
            for e in events('drift', 'drift_mended')]


def until_drifts(*wanted):
    wait_eq(5000, drifts, list(wanted), 'drifts')


def drift_of_alpha():
    """Ports to hosts and ports to switches are compared separately."""
    first = ('drift', 'p3', 'alpha', '1/64', '1/16')
    setup()
    sh('llet_ports 3 prio-pfc 3:on alpha 1/16')
    sh('port 3 fabric prio-pfc 3:on alpha 1/64')
    start(INTERVAL_1S)
    time.sleep(3)
    ksft_eq(drifts(), [], 'drifts')
    sh('port 3 edge prio-pfc 3:on alpha 1/64')
    until_drifts(first)
    time.sleep(3)
    sh('port 3 edge prio-pfc 3:on alpha 1/16')
    until_drifts(first, ('drift_mended', 'p3', 'alpha', None, None))


def drift_of_watchdog():
    wanted = [('drift', 'p2', 'watchdog', 'drop 50 200 ms', 'drop 100 200 ms'),
              ('drift_mended', 'p2', 'watchdog', None, None),
              ('drift', 'p2', 'watchdog', 'off', 'drop 100 200 ms')]
    setup_on(INTERVAL_1S)
    sh('sw losslessctl watchdog start p2 50')
    until_drifts(*wanted[:1])
    time.sleep(3)
    sh('sw losslessctl watchdog start p2 100')
    until_drifts(*wanted[:2])
    sh('sw losslessctl watchdog stop p2')
    until_drifts(*wanted)


def drift_of_headroom():
    """The kernel sends an event, so the daemon does not wait for its next check."""
    first = ('drift', 'p2', 'headroom', None, None)
    mended = ('drift_mended', 'p2', 'headroom', None, None)
    setup()
    start('metrics { interval = 3600 }')
    time.sleep(2)
    sh('port 2 headroom 1k')
    until_drifts(first)
    drift, = events('drift')
    ksft_true(re.match('port p2: headroom of 1024 bytes, it needs [0-9]+: .*raise the switch',
                       drift['message']), 'what to do')
    sh('port 2 headroom 100k')
    until_drifts(first, mended)
    # of a new port, and of one without changes
    sh('tc -n sw qdisc del dev p2 root')
    sh('port 2 rate 100mbit headroom 1k prio-pfc 3:on')
    until_drifts(first, mended, first)


def pauses_of_five_minutes():
    """The peer of p3 pauses, and sends data; all other ports are idle."""
    setup()
    start('metrics { interval = 10 }')
    time.sleep(1)
    sh('ip netns exec h3 lle-storm -p 3 -r 100 -q 10 -c 500 eth0 >/dev/null')
    sh('send 3 1 -n 7 -d 24')
    time.sleep(315)
    ksft_eq([(e['device'], e['rx_pause'], e['tx_pause'], e['rx_packets'],
              300 <= e['seconds'] < 310) for e in events('pauses')],
            [('p3', 500, 0, 7, True)], 'reports')
    ksft_eq(events('pause_origin'), [], 'origins')
    time.sleep(310)
    ksft_eq(len(events('pauses')), 1, 'reports of silence')


def pause_origin():
    """h3 pauses continuously and sends no data. selftests/daemon tests other cases."""
    setup()
    start('metrics { interval = 60 }')
    bkg('ip netns exec h3 lle-storm -p 3 -r 2100 -q 10 eth0 >/dev/null')
    time.sleep(310)
    ksft_eq([(e['device'], e['peer'], round(e['pause_frames_per_s']))
             for e in events('pause_origin')], [('p3', H3, 2100)], 'origins')
    ksft_true(said(f'{H3}, at port p3, is likely the origin'), 'words')


def missed_storm_is_reported_once():
    end(setup_on(), 'kill')
    storm('-t 200').wait()
    time.sleep(0.5)
    ksft_eq(ctl('watchdog show stats')[0]['storm_restored'], 1, 'watched')
    start(ON)
    until_logged('storm_detected', 1)
    until_logged('storm_restored', 1)
    time.sleep(2)
    ksft_eq(len(events('storm_detected')), 1, 'detected, told')


def killed_in_storm():
    """Killed at each of 50 moments of a storm (10 if not LLE_LONG), and restarted.

    Counters of the kernel stay exact, and no packet is dropped in the end.
    """
    setup()
    moments = range(1, 51) if LONG else range(1, 51, 5)
    for i in moments:
        daemon = start(ON)
        program = storm('-t 150')
        time.sleep(i * 0.007)
        end(daemon, 'kill')
        program.wait()
        time.sleep(0.25)
    start(ON)
    stats = ctl('watchdog show stats')[0]
    ksft_eq((stats['storm_detected'], stats['storm_restored']), (len(moments),) * 2, 'detected, restored')
    ksft_eq(stat('p3', 3, 'drops.storm_discard'), 20 * len(moments), 'dropped')
    sh('receive 3 1000')
    sh('send 1 3 -n 50 -d 24')
    ksft_eq(received(3)['sum']['packets'], 50, 'received')
    sh('conserved')


def scrape(path='/metrics', option='--max-time 5'):
    return sh(f'sw curl -s {option} http://127.0.0.1:9417{path}')


def start_ring():
    return start('metrics { listen = "127.0.0.1:9417" interval = 1 }', netns='t-sw')


def setup_ring(prios='3:on'):
    LOG.unlink(missing_ok=True)
    sh(f'RING_PRIOS="prio-pfc {prios}" build_ring alert')
    sh('sw ip link set lo up')
    daemon = start_ring()
    sh('all_send')
    until_logged('deadlock', 1)
    return daemon


def deadlocks_agree():
    """The log has each deadlock of the kernel once, and metrics have its counters."""
    def said_of(deadlocks):
        # without times of the report and numbers of finders
        other = ('time', 'priority', 'message', 'event', 'ago_ns', 'reports', 'duplicates',
                 'now_ns', 'holds')
        return sorted({json.dumps({k: d[k] for k in sorted(d) if k not in other})
                       for d in deadlocks})

    ksft_eq(said_of(events('deadlock')), said_of(ctl('deadlock history')), 'deadlocks in the log')
    text = scrape()
    found = [(str(s['switch']), str(s['deadlocks']['declared'])) for s in ctl('switch show')]
    ksft_eq(re.findall('^lossless_deadlock_detected_total{switch="(.*)"} (.*)', text, re.M), found,
            'deadlocks of each switch')
    # the deadlocks do not end
    ksft_eq(re.findall('^lossless_deadlocked{switch="(.*)"} 1$', text, re.M),
            [switch for switch, n in found if n != '0'], 'those that hold')


def deadlock_is_logged():
    setup_ring()
    ksft_true(said(r'deadlock [1-4]\.1 on priority 3: s1p. -> .* \(4 switches, .* stuck\); '
                   'triggered by s[1-4]p'), 'words')
    deadlocks_agree()
    ksft_eq(len(re.findall('^lossless_deadlocked{.*} 1$', scrape(), re.M)), 1, 'those that hold')
    time.sleep(3)
    ksft_eq(len(events('deadlock')), 1, 'told')


def killed_between_deadlocks():
    """The second deadlock has another priority, as the first one lasts.

    Each daemon reports the kernel's list, with ages.
    """
    end(setup_ring('3:on 4:on'), 'kill')
    sh('all_send -d 32')
    wait_eq(5000, lambda: len(ctl('deadlock history')), 2, 'deadlocks')
    ksft_eq(len(events('deadlock')), 1, 'told by nobody')
    start_ring()
    until_logged('deadlock', 3)
    deadlocks_agree()
    time.sleep(3)
    # the first is reported by its event, or late, if the daemon checks just then
    ksft_eq([(e['prio'], e['ago_ns'] > 0) for e in events('deadlock')[1:]],
            [(3, True), (4, True)], 'told since, priority and whether late')


class Storm:
    """A storm of h5 in priority 4, and a loss, in the ring with two hosts more."""

    def __init__(self):
        LOG.unlink(missing_ok=True)
        sh('RING_PRIOS="prio-pfc 3:on 4:on" build_ring alert "host h5 s1" "host h6 s2"')
        sh('sw ip link set lo up')
        ports = [port for switch in js('lle-testbed show --name t --format json')['switches']
                 for port in switch['ports']]
        self.to = {port['peer']: port['dev'] for port in ports}
        self.program = None

    def watchdog(self, what='stats'):
        """Its row in what losslessctl shows; there is none without a storm."""
        return next((w for w in ctl(f'watchdog show {what}')
                     if (w['ifname'], w['prio']) == (self.to['h5'], 4)), {})

    def begins(self):
        self.program = bkg('ip netns exec t-h5 lle-storm -p 4 -r 2000 -q 1000 eth0 >/dev/null')
        time.sleep(0.1)
        sh('frames 6 5 -n 20 -d 32')
        wait_eq(2000, lambda: self.watchdog().get('storm_detected'), 1, 'detected')

    def ends(self):
        end(self.program)
        wait_eq(2000, lambda: self.watchdog()['storm_restored'], 1, 'restored')

    def loses(self):
        """h6 ignores the pauses that it gets, as h5 is slow, and finds no headroom."""
        sh('tc -n t-h6 qdisc change dev eth0 root lossless prio-pfc all:off')
        sh(f'tc -n t-sw qdisc change dev {self.to["h5"]} root lossless rate 1mbit')
        sh(f'tc -n t-sw qdisc change dev {self.to["h6"]} root lossless headroom 1k')
        sh('frames 6 5 -n 300 -d 32')

    @staticmethod
    def deadlocks():
        sh('all_send')
        wait_eq(5000, lambda: len(ctl('deadlock history')), 1, 'deadlocks')

    def lost(self):
        rows = js(f'tc -n t-sw -s -j qdisc show dev {self.to["h6"]} root')
        return rows[0]['prios'][4]['drops']['headroom_discard']


def restarts(how):
    """Ends the daemon before each step of what happens, and starts it after each later one."""
    def begin():
        return start(ON, 'metrics { listen = "127.0.0.1:9417" interval = 1 }', netns='t-sw')

    for first in range(4):
        for last in range(first + 1, 5) if LONG else (4,):
            happens = Storm()
            daemon = begin()
            wait_for(2000, 'no watchdog', lambda h=happens: h.watchdog('config'))
            for n, step in enumerate((happens.begins, happens.ends, happens.loses,
                                      happens.deadlocks)):
                if n == first:
                    end(daemon, how)
                step()
                if n + 1 == last:
                    daemon = begin()
            time.sleep(3)
            all_is_there(happens, f'{how}, away in steps {first + 1} to {last}')
            undo()


def all_is_there(happens, when):
    """The log has each event, and metrics are the kernel's counters."""
    storm, dev = happens.watchdog(), happens.to['h5']
    detected, restored = (sorted({(e['device'], e['prio'], e['time_ns']) for e in events(name)})
                          for name in ('storm_detected', 'storm_restored'))
    ksft_eq([(d, p) for d, p, _ in detected], [(dev, 4)], f'{when}: storms detected')
    ksft_eq([(d, p) for d, p, _ in restored], [(dev, 4)], f'{when}: storms restored')
    ksft_eq(storm.get('storm_detected'), 1, f'{when}: storms')
    ksft_true(events('storm_origin'), f'{when}: no origin')
    told = [e['packets'] for e in events('lossless_violation') if e.get('prio') == 4]
    ksft_true(happens.lost() > 0 and happens.lost() in (sum(told), (told or [0])[-1]),
              f'{when}: lost {happens.lost()}, told {told}')
    deadlocks_agree()
    text = scrape()
    for name, value in (('storm_detected', 1), ('storm_restored', 1)):
        ksft_true(f'lossless_watchdog_{name}_total{{device="{dev}",priority="4"}} {value}' in text,
                  f'{when}: metric {name}')
    ksft_true(f'device="{happens.to["h6"]}",priority="4",reason="headroom_discard"}} '
              f'{happens.lost()}\n' in text, f'{when}: metric of the loss')


def restart_loses_nothing():
    restarts('terminate')


def kill_loses_nothing():
    restarts('kill')


def metrics():
    setup()
    sh('sw ip link set lo up')
    # characters that the kernel accepts in a name
    sh('sw ip link set p2 down')
    sh(r"""sw ip link set p2 name '"\' up""")
    sh('tc -n sw qdisc change dev p3 root lossless rcm on')
    start(ON, 'metrics { listen = "127.0.0.1:9417" }')
    sh('receive 3 1000')
    sh('send 1 3 -n 50 -d 24')
    received(3)
    sh('pfc 3 0x08 0 0 0 65535')
    text = scrape()
    OUT.joinpath('metrics.prom').write_text(text + '\n')
    for line in ('lossless_tx_packets_total{device="p3",priority="3"} 50',
                 'lossless_rx_pause_frames_total{device="p3",priority="3"} 1',
                 'lossless_watchdog_detection_seconds{device="p3",priority="3"} 0.1',
                 'lossless_device_lost_packets_total{counter="rx_missed_errors",device="p3"} 0',
                 r'lossless_rx_paused{device="\"\\",priority="3"} 0',
                 # was congested
                 'lossless_rcm_regions_total{device="p3",priority="3"} 1'):
        ksft_true(line in text.splitlines(), f'no {line}')
    ksft_eq(collections.Counter(re.findall('^lossless_rcm_.*{(.*)} ', text, re.M)),
            {'device="p3"': 3, 'device="p3",priority="3"': 6}, 'rcm')
    ksft_true('priority="4"' not in text, 'no others')
    ksft_eq(scrape('/'), 'the metrics are at /metrics', 'elsewhere')
    ksft_eq(scrape(option='-X POST'), 'GET only', 'other methods')


def textfile():
    prom = pathlib.Path('/tmp/lossless.prom')
    setup()
    sh('pfc 3 0x08 0 0 0 65535')
    sh(f'rm -f {prom}*')
    start(ON, f'metrics {{ textfile = "{prom}" interval = 1 }}')
    wait_for(3000, 'no file', lambda: prom.exists() and prom.stat().st_size)
    ksft_true('lossless_buffer_bytes{switch="0"} 1048576' in prom.read_text().splitlines(),
              'metrics')
    ksft_true(not os.path.exists(f'{prom}.new'), 'something is left')
    if OUT != prom.parent:
        OUT.joinpath(prom.name).write_text(prom.read_text())


SMALL = pathlib.Path('/tmp/small')
SMALL_PROM = SMALL / 'lossless.prom'
TO_SMALL = f'metrics {{ textfile = "{SMALL_PROM}" interval = 1 }}'


def setup_small(option=''):
    """A file system of its own at SMALL."""
    setup()
    sh(f'mkdir -p {SMALL}')
    sh(f'mount -t tmpfs {option} none {SMALL} && defer umount {SMALL}')


def looks_now_and_then():
    """Not once for each interval of the uptime.

    A replaced file gets the next inode of its file system.
    """
    setup_small()
    time.sleep(20)
    start(TO_SMALL)
    time.sleep(5)
    ksft_in_range(SMALL_PROM.stat().st_ino, 3, 10, 'inode')


def full_disk():
    setup_small('-o size=4k')
    daemon = start(TO_SMALL)
    until_said(3000, 'textfile: .*: No space left')
    runs(daemon)
    ksft_true(not SMALL_PROM.exists(), 'half a file')
    time.sleep(3)
    ksft_eq(len(said('No space left')), 1, 'said')
    sh(f'mount -o remount,size=1m {SMALL}')
    until_said(3000, 'textfile: .*: it works again')
    ksft_true(SMALL_PROM.stat().st_size, 'no file')


def full_disk_of_log():
    """The disk has space for a page, about thirty lines.

    The rest is lost in whole lines, which is reported on stderr once.
    """
    log, rest = SMALL / 'log', SMALL / 'rest'
    setup_small('-o size=8k')
    rest.write_bytes(bytes(4096))
    daemon = start(log=log)
    with CONF.open('a') as file:
        file.write('not a configuration\n')
    for _ in range(50):
        daemon.send_signal(signal.SIGHUP)
        time.sleep(0.05)
    runs(daemon)
    ksft_eq(len(said('the log cannot be written: No space', ERR)), 1, 'said')
    ksft_true(len([json.loads(line) for line in log.read_text().splitlines()]) > 10,
              'more than ten lines, all JSON')
    rest.unlink()
    config(log=log)
    daemon.send_signal(signal.SIGHUP)
    until_said(2000, '"message":"[^ ]*: taken"', log)


def second_daemon():
    setup()
    daemon = start(ON)
    refused('another losslessd runs', f'sw losslessd -c {CONF}')
    runs(daemon)


def bad_config():
    """selftests/daemon tests all errors."""
    setup()
    config('watchdog { detection = 60001 }')
    refused(':2: detection: a number from 1 to 60000, not 60001', f'sw losslessd -c {CONF}')
    ksft_eq(ctl('watchdog show config'), [], 'watched')


def no_access():
    """Without the right to change anything it still reports."""
    setup()
    config(ON)
    daemon = bkg('ip netns exec sw setpriv --bounding-set=-all --inh-caps=-all '
                 f'losslessd -c {CONF} 2>{ERR}')
    # the watchdogs come before the log
    until_said(3000, 'cannot be set', ERR)
    runs(daemon)


sh.source('ring.sh')
ksft_run([applies_to_edge, exceptions, new_port, names, pfc_off, port_gone, by_hand_holds,
          without_action, reload, reload_all_or_nothing,
          metrics_address_comes_later, metrics_port_is_taken, files_come_later, log_is_a_pipe, debug_topics, status_for_systemd,
          storm_is_logged, violation_is_logged, drift_of_alpha, drift_of_watchdog,
          drift_of_headroom, pauses_of_five_minutes, pause_origin, missed_storm_is_reported_once,
          killed_in_storm, deadlock_is_logged, killed_between_deadlocks,
          restart_loses_nothing, kill_loses_nothing, metrics, textfile,
          looks_now_and_then, full_disk, full_disk_of_log, second_daemon, bad_config, no_access])
