# SPDX-License-Identifier: GPL-2.0
"""Keys that make a run of each scenario short. Expectations need not hold."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
IMPORT = os.path.join(HERE, 'import')

SMALL = {
    'alpha-incident': 'ROUNDS=2 BIG=100000',
    'cnp-delay': 'MS=1',
    'collective': 'HOSTS=4 BYTES=64k CC=dcqcn',
    'dcfit-diamond': 'RUNS=2',
    'dcfit-no-loop': 'RUNS=2',
    'dcfit-on-loop': 'RUNS=2',
    'dcfit-out-of-loop': 'RUNS=2',
    'dcfit-random': 'RUNS=2',
    'dcfit-recurrence': 'S=2 CALM=500',
    'dcfit-resume': 'RUNS=2',
    'dcfit-ring': 'RUNS=2',
    'dcqcn': 'MS=5 STAGGER=1',
    'exact-gap': 'SIZE=200000 MS=1',
    'faults': f'SCRIPT={HERE}/run/faults.sh RATE=100mbit IPV6=on CAPTURE=h1,h3',
    'headroom': 'RATES=10 METRES=0,100',
    'import': f'TOPOLOGY={IMPORT}/topology.txt FLOWS={IMPORT}/flow.txt',
    'incast': 'N=4 SIZE=100000 MS=1 CC=dcqcn WATCHDOG=yes',
    'irn': 'ARMS=gbn,irn+pfc MS=1',
    'ldcp-churn': 'FLOWS=4 S=0.004',
    'ldcp-faststart': 'FLOWS=4 SIZES=0.1,1 S=0.004',
    'ldcp-fct': 'ARMS=ldcp-roce,dcqcn+pfc,ldcp MS=1 DRAIN=10',
    'ldcp-incast': 'ARMS=ldcp-roce,dcqcn,dctcp N=20 S=0.004',
    'ldcp-steady': 'ARMS=ldcp,dctcp,cubic,ldcp-rate S=0.01',
    'pause-reaction': 'SIZE=300000 REVERSE=busy',
    'permutation': 'SIZE=1000000 MS=1 CC=dcqcn',
    'poisson': 'MS=1 CC=dcqcn CDF=hadoop',
    'rcm-fct': 'K=4 MS=1 DRAIN=20',
    'rcm-hotspot': 'K=4 RUNS=1 MS=0.3',
    'rcm-microburst': 'RUNS=2 CONGESTED=yes',
    'rcm-victim': 'MS=1 ARMS=pfc,dcqcn,rcm+dcqcn',
    'rcm-victim-xs': 'MS=1 ARMS=rcm+dcqcn',
    'ring-deadlock': 'DEADLOCK=lossless HOLD=0.02',
    'run': f'SCRIPT={HERE}/run/stock.sh CAPTURE=h5',
    'slow-receiver': 'MS=1',
    'sonic-roce': 'CASE=dcqcn MS=2',
    'storm': 'SEEDS=1',
    'storm-spread': 'MS=3',
    'tcp-incast': 'N=4 SIZE=200000 S=1 CAPTURE=h1,s17p1',
}
