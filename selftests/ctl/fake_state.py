#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Fake losslessctl for top. Each answer to "state" is a second later:

    swp1, 3       receives 1 Gbit/s, uses half its threshold, pauses half of the time
    swp2, 0       lossy; sends 8 Mbit/s, drops 10 packets/s, exceeds its threshold, uses
                  100 kB of headroom; missing in second 3
    swp10, 3      paused from 0.25 s, a storm from 2 s; small backlog
    evil, 3 and 4 idle

LLE_FAKE_CLOCK     file that keeps the time
LLE_FAKE_HOSTS     number of further ports, each like swp1
LLE_FAKE_SWITCHES  number of further switches, without ports
LLE_FAKE_UNLOAD    the module is unloaded from that second on
LLE_FAKE_RELOAD    the module was reloaded in that second
LLE_FAKE_BUSY      ports keep changing during that answer
"""
import json
import os
import sys

SECOND, MB = 10**9, 1 << 20


def setting(name):
    return int(os.environ.get(f'LLE_FAKE_{name}', 1 << 60))


def switch(number, **more):
    return {'switch': number, 'used_bytes': 0, 'used_max_bytes': 0, 'shared_bytes': 0,
            'discard': False, **more}


def state(seconds, age):
    """@age: seconds since the module was loaded."""
    receives = {'rx_packets': age * 125000, 'rx_bytes': age * 125000000,
                # the threshold is 1/16 of 8 MB
                'occupancy_bytes': MB // 4}
    ports = [('swp1', 0, [3], 3, receives),
             ('swp10', 0, [3], 3, {'occupancy_bytes': 100, 'backlog_bytes': 5000, 'rx_paused': True}),
             ('evil\033[2J\udcff', 7, [3, 4], 3, {}),
             ('swp2', 0, [], 0, {
                 'occupancy_bytes': 700000, 'headroom_bytes': 100000, 'tx_packets': age,
                 'tx_bytes': age * 1000000, 'drops': {'limit': age * 4, 'wred': age * 6}}),
             *((f'host{i}', 0, [3], 3, receives) for i in range(setting('HOSTS') % (1 << 60)))]
    who = {name: {'ifname': name, 'ifindex': i, 'switch': number}
           for i, (name, number, *_) in enumerate(ports, 11)}
    if seconds == 3:
        del ports[3]
    swp1, swp10 = ({**who[name], 'prio': 3} for name in ('swp1', 'swp10'))
    return {
        'time_ns': seconds * SECOND,
        'switches': [switch(0, shared_bytes=10 * MB, used_bytes=2 * MB, used_max_bytes=5 * MB),
                     switch(7, shared_bytes=MB, discard=True),
                     *(switch(100 + i) for i in range(setting('SWITCHES') % (1 << 60)))],
        'ports': [{**who[name], 'pfc_prios': pfc, 'to_alpha': 6} for name, _, pfc, *_ in ports],
        'prios': [{**who[name], 'prio': prio, **stats} for name, *_, prio, stats in ports],
        'histories': [{**swp1, 'direction': 'tx', 'total_ns': age * SECOND // 2},
                      {**swp10, 'direction': 'rx', 'total_ns': 0, 'since_ns': SECOND // 4}],
        'watchdogs': [{**swp10, 'status': 'stormed' if seconds >= 2 else 'operational'}]}


def main(words):
    if words[0] == 'port':
        print(json.dumps([{'ifname': words[2]}]))
        return
    with open(os.environ['LLE_FAKE_CLOCK'], 'a', encoding='ascii') as clock:
        clock.write('.')
    asked = os.path.getsize(clock.name)
    if asked == setting('BUSY'):
        sys.exit('losslessctl: ports: changed during each attempt to read it; try again')
    seconds = asked - (asked > setting('BUSY'))
    if seconds >= setting('UNLOAD'):
        sys.exit('losslessctl: the module lossless is not loaded: modprobe sch_lossless')
    age = seconds - (setting('RELOAD') if seconds >= setting('RELOAD') else 0)
    sys.stdout.reconfigure(encoding='utf-8', errors='surrogateescape')
    print(json.dumps(state(seconds, age), ensure_ascii=False))


main(sys.argv[2:])
