# SPDX-License-Identifier: GPL-2.0
"""Tests the form of the dashboard for Grafana, by the fields that its documentation requires.

That each expression has data, the scenario prometheus tests with a real Prometheus.
"""
import itertools
import json
import os
import re
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

COLUMNS = 24
TYPES = {'stat', 'timeseries'}
UNITS = {'none', 'percentunit', 'pps', 'Bps', 'bytes'}
BUILT_IN = {'__rate_interval', '__all'}
BOARD = json.loads(subprocess.run([f'{TOP}/daemon/prometheus/grafana.py'], check=True,
                                  stdout=subprocess.PIPE).stdout)
PANELS = BOARD['panels']


def overlap(one, other):
    a, b = one['gridPos'], other['gridPos']
    return (a['x'] < b['x'] + b['w'] and b['x'] < a['x'] + a['w'] and
            a['y'] < b['y'] + b['h'] and b['y'] < a['y'] + a['h'])


def test_it_has_what_an_import_requires():
    for key, kind in (('title', str), ('uid', str), ('schemaVersion', int), ('panels', list),
                      ('templating', dict), ('time', dict)):
        assert type(BOARD.get(key)) == kind, key
    assert 'id' not in BOARD, 'an id of another Grafana would be overwritten'


def test_panels_have_numbers_places_types_and_units():
    numbers = [panel['id'] for panel in PANELS]
    assert len(set(numbers)) == len(numbers), 'different numbers'
    for panel in PANELS:
        place = panel['gridPos']
        assert place['x'] + place['w'] <= COLUMNS, f'{panel["title"]} is too wide'
        assert panel['type'] in TYPES, panel['type']
        assert panel['fieldConfig']['defaults']['unit'] in UNITS, panel['title']
    assert [(a['title'], b['title']) for a, b in itertools.combinations(PANELS, 2)
            if overlap(a, b)] == [], 'panels over others'


def test_queries_have_names_and_known_variables():
    known = BUILT_IN | {variable['name'] for variable in BOARD['templating']['list']}
    used = set(re.findall(r'\$\{?(\w+)', json.dumps(BOARD)))
    assert used - known == set(), 'unknown variables'
    for panel in PANELS:
        names = [target['refId'] for target in panel['targets']]
        assert len(set(names)) == len(names), f'refId of {panel["title"]}'
        assert panel['datasource'] == {'type': 'prometheus', 'uid': '${source}'}, panel['title']


def test_curves_of_two_machines_have_different_names():
    assert [panel['title'] for panel in PANELS for target in panel['targets']
            if panel['type'] == 'timeseries' and
            not target['legendFormat'].startswith('{{instance}} ')] == [], 'without instance'


def test_numbers_mean_what_their_title_says():
    exprs = {panel['title']: panel['targets'][0]['expr'] for panel in PANELS}
    assert [title for title, expr in exprs.items()
            if 'increase(' in expr and 'round(increase(' not in expr] == [], 'fractions of events'
    assert exprs['Shared buffer in use'].endswith('/ lossless_buffer_shared_bytes'), 'whole buffer'
    assert exprs['Received'] == exprs['Sent'].replace('_tx_', '_rx_'), 'both directions'
