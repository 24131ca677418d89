#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draws Documentation/guide/pictures/monitoring.svg: panels of the dashboard in an incast and a storm.

Usage: picture.py DIR [FILE]

DIR is the output of the scenario prometheus: panels.json. FILE is another picture; a .png is one,
too. Series that are 0 all the time are left out.
"""
import json
import math
import os
import shutil
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(f'{TOP}/lab/report')
# pylint: disable=wrong-import-position
import draw

# title in grafana.json: (title here, unit, factor)
PANELS = {
    'Pausing the peer, share of time': ('Switch pauses its peers', '% of time', 100),
    'Paused by the peer, share of time': ('Switch is paused by its peers', '% of time', 100),
    'Queues': ('Queues', 'kB', 1e-3),
    'Sent': ('Sent', 'kB/s', 1e-3),
}
COLOUR = {'p1': '#0072b2', 'p2': '#e69f00', 'p3': '#b34a00'}
MINUTE = 60


def points(series, begin, factor):
    """(minute, value) where the value changes, and beside it."""
    rows = [((float(when) - begin) / MINUTE, round(float(value) * factor, 1))
            for when, value in series['values'] if not math.isnan(float(value))]
    return [row for i, row in enumerate(rows) if i in (0, len(rows) - 1) or
            not rows[i - 1][1] == row[1] == rows[i + 1][1]]


def head(title):
    return f"unset label\nset label '{title}' at graph 0,1.13 left font ',22' tc rgb '#222222'\n"


def block(name, rows):
    lines = ''.join(f'{x:.4g}\t{y:.4g}\n' for x, y in rows)
    return f'${name} << EOD\n{lines}EOD\n'


def plot(number, panel, begin):
    """Data and commands of a panel."""
    title, unit, factor = PANELS[panel['title']]
    data, curves = '', []
    for series in panel['series']:
        device = series['metric']['device']
        rows = list(points(series, begin, factor))
        if any(y for _, y in rows):
            data += block(f'{device}_{number}', rows)
            curves.append(f"${device}_{number} using 1:2 with lines lw 1.8 lc rgb "
                          f"'{COLOUR[device]}' title '{device}'")
    top = ('set yrange [0:105]; set ytics 50' if factor == 100 else
           'set yrange [0:*]; set ytics autofreq; set ytics 0,20' if unit == 'kB' else
           'set yrange [0:150]; set ytics 50')
    marks = '' if number else "".join(
        f"set label '{word}' at {x},90 left front tc rgb '#8a7a66' font ',18'\n"
        for word, x in (('two hosts send to a third', 3.1), ('p3 has a pause storm', 11.1)))
    return (f"{data}{head(title)}{marks}set ylabel '{unit}'\n{top}\n"
            f"plot {', '.join(curves)}\n")


def alerts(found, begin):
    """A row for each alert: pending is pale, firing is not."""
    names = sorted({a['metric']['alertname'] for a in found}, reverse=True)
    boxes = []
    for alert in found:
        metric, values = alert['metric'], alert['values']
        y = names.index(metric['alertname'])
        first, last = ((float(values[i][0]) - begin) / MINUTE for i in (0, -1))
        firing = metric['alertstate'] == 'firing'
        boxes.append(f"set object rect from {first:.3f},{y - .3} to {last:.3f},{y + .3} "
                     f"fc rgb '{'#c0392b' if firing else '#f0c6c0'}' fs solid noborder")
        boxes.append(f"set label '{metric['alertstate']}' at {(first + last) / 2:.3f},{y} center "
                     f"front tc rgb '{'#ffffff' if firing else '#7a2a20'}' font ',17'")
    tics = ', '.join(f"'{name}' {y}" for y, name in enumerate(names))
    return (head('Alerts') + '\n'.join(boxes) + "\nunset ylabel\nset format x\nset bmargin 3.6\n"
            f"set yrange [-.6:{len(names) - .4}]\nset ytics ({tics})\nset xlabel 'minutes' offset 0,.4\n"
            'plot NaN notitle\n')


def commands(run):
    def minute(name):
        return (run[name] - run['begin']) / MINUTE

    found = {panel['title']: panel for panel in run['panels']}
    text = (f"eval canvas(1350)\nset multiplot layout {len(PANELS) + 1},1\n"
            f"set xrange [0:{math.floor(minute('end'))}]\n"
            "set key inside top right horizontal samplen 1\nset lmargin 17\nset bmargin 1\n"
            "set tmargin 2.6\nset xtics 5\nset format x ''\n"
            f"set object 99 rect from {minute('storm'):.3f},graph 0 to {minute('calm'):.3f},graph 1 "
            "fc rgb '#f6f1ea' fs solid noborder behind\n")
    for number, title in enumerate(PANELS):
        text += plot(number, found[title], run['begin'])
    return text + alerts(run['alerts'], run['begin']) + 'unset multiplot\n'


def main(folder, path=f'{TOP}/Documentation/guide/pictures/monitoring.svg'):
    with open(f'{folder}/panels.json', encoding='utf-8') as file:
        run = json.load(file)
    with tempfile.TemporaryDirectory() as scratch:
        os.makedirs(f'{scratch}/plots')
        draw.plot('monitoring', 'monitoring', commands(run), scratch)
        shutil.copy(f'{scratch}/plots/monitoring{os.path.splitext(path)[1]}', path)


main(*sys.argv[1:])
