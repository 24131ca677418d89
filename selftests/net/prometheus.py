#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A real Prometheus scrapes losslessd during an incast and a pause storm: alerts fire and resolve.

It is in the guest, as losslessd is: in virtual time half an hour of scrapes takes a minute, and
alerts fire at the same second in each run. Recorded metrics would need a second losslessd that
replays them. Links have 1 Mbit/s, so that half an hour has few packets.

Writes panels.json to $OUT: what each panel of grafana.json shows of that time.
"""
import json
import os
import pathlib
import time

from lib import (VIRTUAL_TIME, KsftSkipEx, bkg, ctl, ksft_eq, ksft_in_range, ksft_run, ksft_true,
                 sh, until_listens, wait_for)

FILES = pathlib.Path('/prometheus')
OUT = pathlib.Path(os.environ.get('OUT') or '/tmp')
API = 'http://127.0.0.1:9090/api/v1'
STEP = 5  # seconds of a scrape, and of an evaluation of rules
CONF = f"""
global: {{ scrape_interval: {STEP}s, evaluation_interval: {STEP}s }}
rule_files: [{FILES}/lossless.rules.yml]
scrape_configs:
  - job_name: lossless
    static_configs: [{{ targets: ['127.0.0.1:9417'] }}]
"""
# what Grafana would fill in
VARIABLES = {'$instance': '.*', '$device': '.*', '$__rate_interval': f'{4 * STEP}s'}


def ask(what, **parameters):
    """The data of an answer of Prometheus."""
    words = ' '.join(f"--data-urlencode '{name}={value}'" for name, value in parameters.items())
    answer = json.loads(sh(f'sw curl -sG --max-time 60 {words} {API}/{what}'))
    ksft_eq(answer['status'], 'success', f'{what} {parameters}: {answer.get("error")}')
    return answer.get('data')


def now():
    return time.time()


class Run:
    """Half an hour: an incast, and a storm of twelve minutes."""
    begin = storm = calm = end = 0
    firing = ()


def build():
    if not pathlib.Path('/usr/bin/prometheus').exists():
        raise KsftSkipEx('there is no Prometheus in this guest')
    if not VIRTUAL_TIME:
        raise KsftSkipEx('it takes half an hour in real time')
    sh('llet_star 3')
    sh('llet_ports 3 rate 1mbit buffer 1m xoff 20k headroom 40k prio-pfc 3:on rcm on '
       'wred 3 kmin 5k kmax 30k pmax 20 ecn')
    sh('for i in 1 2; do host $i rate 1mbit buffer 8m prio-pfc 3:on; done')
    sh('sw ip link set lo up')
    pathlib.Path('/tmp/lossless.conf').write_text(
        'log = "/tmp/lossless.log"\nwatchdog { action = "drop" }\n'
        f'metrics {{ listen = "127.0.0.1:9417" interval = {STEP} }}\n', 'ascii')
    pathlib.Path('/tmp/prometheus.yml').write_text(CONF, 'ascii')
    bkg('ip netns exec sw losslessd -c /tmp/lossless.conf')
    until_listens()
    bkg(f'ip netns exec sw env GOMAXPROCS=1 prometheus --config.file=/tmp/prometheus.yml '
        '--storage.tsdb.path=/tmp/tsdb --web.listen-address=127.0.0.1:9090 --log.level=warn '
        f'>{OUT}/prometheus.log 2>&1')
    wait_for(20000, 'it is not ready', lambda: not sh.status(
        'sw curl -sf http://127.0.0.1:9090/-/ready')[1])


def happens():
    """Metrics of 3 minutes of calm, 3 of incast, 12 of storm, and the time around them."""
    Run.begin = now()
    time.sleep(180)
    sh('(send 1 3 -n 18000 -d 24 -e 2 & send 2 3 -n 18000 -d 24 -e 2 & wait) 2>/dev/null')
    time.sleep(180)
    program = bkg('ip netns exec h3 lle-storm -p 3 -r 20 -q 500 -t 720000 eth0 >/dev/null')
    Run.storm = now()
    sh('(send 1 3 -n 200 -d 24 -e 2; send 2 3 -n 200 -d 24 -e 2) 2>/dev/null')
    time.sleep(690 - (now() - Run.storm))
    Run.firing = {(a['labels']['alertname'], a['state']) for a in ask('alerts')['alerts']}
    program.wait()
    Run.calm = now()
    time.sleep(420)
    Run.end = now()


def over_time(query):
    """The series of QUERY in the run."""
    return ask('query_range', query=query, start=Run.begin, end=Run.end, step=STEP)['result']


def alert_fires_and_resolves():
    build()
    happens()
    ksft_eq(ctl('watchdog show stats')[0]['storm_restored'], 1, 'storms')
    ksft_true({('PfcStorm', 'firing'), ('PfcPausedLong', 'firing')} <= Run.firing,
              f'in the storm: {Run.firing}')
    ksft_eq(ask('alerts')['alerts'], [], 'alerts in the end')
    alerts = {(s['metric']['alertname'], s['metric']['alertstate']): [float(t) for t, _ in s['values']]
              for s in over_time('ALERTS')}
    times = alerts.pop(('PfcStorm', 'firing'), [0])
    ksft_in_range(times[0] - Run.storm, 0, 3 * STEP, 'PfcStorm fires after')
    ksft_in_range(times[-1] - Run.calm, -STEP, 2 * STEP, 'PfcStorm resolves after')
    ksft_eq(len(times), (times[-1] - times[0]) // STEP + 1, 'PfcStorm fires all the time')
    ksft_true(alerts.pop(('PfcPausedLong', 'pending'), None), 'PfcPausedLong does not wait')
    times = alerts.pop(('PfcPausedLong', 'firing'), [0])
    ksft_in_range(times[0] - Run.storm, 300 + 150 - STEP, 300 + 150 + 4 * STEP,
                  'PfcPausedLong fires after')
    ksft_in_range(times[-1] - Run.calm, 100, 200, 'PfcPausedLong resolves after')
    ksft_eq(list(alerts), [], 'other alerts')
    panels()


def panels():
    """Each expression of the dashboard is valid, and has data."""
    board = json.loads((FILES / 'grafana.json').read_text('utf-8'))
    found = []
    for panel in board['panels']:
        for target in panel['targets']:
            query = target['expr']
            for name, value in VARIABLES.items():
                query = query.replace(name, value)
            series = over_time(query)
            ksft_true(series, f'no data: {panel["title"]}: {query}')
            found.append({'title': panel['title'], 'unit': panel['fieldConfig']['defaults']['unit'],
                          'legend': target['legendFormat'], 'series': series})
    for variable in board['templating']['list']:
        if variable['type'] == 'query':
            metric = variable['query'].removeprefix('label_values(').split(',')[0].replace(
                '$instance', '.*')
            ksft_true(over_time(metric), f'no data: variable {variable["name"]}')
    OUT.joinpath('panels.json').write_text(json.dumps(
        {'begin': Run.begin, 'storm': Run.storm, 'calm': Run.calm, 'end': Run.end,
         'alerts': over_time('ALERTS'), 'panels': found}), 'utf-8')


ksft_run([alert_fires_and_resolves])
