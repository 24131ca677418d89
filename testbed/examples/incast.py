#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Incast in Mininet: all hosts but h1 send to h1, through one lossless switch.

The senders are iperf3, with DSCP 24, which is priority 3. Prints the bytes that arrived, and
the packets that were dropped.
"""
import argparse
import json
import sys

from lossless_mininet import LosslessHost, LosslessLink, LosslessSwitch, dropped, pauses
from mininet.net import Mininet
from mininet.topo import SingleSwitchTopo


def build(args):
    def link(*nodes, **params):
        return LosslessLink(*nodes, rate=args.rate, delay=args.delay,
                            pfc=None if args.no_pfc else 3, **params)

    def switch(name, **params):
        return LosslessSwitch(name, options='buffer 512kb', **params)

    return Mininet(topo=SingleSwitchTopo(args.hosts), switch=switch, host=LosslessHost,
                   link=link, controller=None, autoSetMacs=True, autoStaticArp=True)


def listening(receiver, port):
    """A server of iperf3 that has begun to listen."""
    server = receiver.popen(['iperf3', '-s', '-1', '--forceflush', '-p', str(port)])
    while b'listening' not in server.stdout.readline():
        if server.poll() is not None:
            sys.exit(f'iperf3 -s: {server.stderr.read().decode()}')
    return server


def incast(net, megabytes):
    """All hosts send to the first; returns the bytes that arrived."""
    receiver, *senders = net.hosts
    ports = range(5201, 5201 + len(senders))
    servers = [listening(receiver, port) for port in ports]
    clients = [sender.popen(['iperf3', '-c', receiver.IP(), '-p', str(port), '-J',
                             '-S', '0x60', '-n', f'{megabytes}M'])
               for sender, port in zip(senders, ports)]
    arrived = 0
    for client in clients:
        result = json.loads(client.communicate()[0])
        if 'error' in result:
            sys.exit(f'iperf3 -c: {result["error"]}')
        arrived += result['end']['sum_received']['bytes']
    for server in servers:
        server.communicate()
    return arrived


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--hosts', type=int, default=5, help='number of hosts (5)')
    parser.add_argument('--rate', default='100mbit', help='of each link (100mbit)')
    parser.add_argument('--delay', default='10us', help='of each link (10us)')
    parser.add_argument('--megabytes', type=int, default=4, help='of each sender (4)')
    parser.add_argument('--no-pfc', action='store_true', help='a switch that drops')
    args = parser.parse_args()

    net = build(args)
    try:
        net.start()
        arrived = incast(net, args.megabytes)
        print(f'arrived {arrived} bytes, dropped {dropped(net)} packets')
        print(f'sent {pauses(net)} pauses, received {pauses(net, "rx")} PFC frames that pause')
    finally:
        net.stop()


if __name__ == '__main__':
    main()
