#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draws Documentation/guide/pictures/monitoring.svg: panels of the dashboard in an incast and a storm.

Usage: picture.py DIR [FILE]

DIR is the output of the scenario prometheus: panels.json. FILE is another picture. Series that are 0
all the time are left out.
"""
import json
import math
import os
import sys
import textwrap

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# title in grafana.json: (title here, unit, factor, numbers of the axis, its end)
PANELS = {
    'Pausing the peer, share of time': ('Switch pauses its peers', '% of time', 100, (0, 50, 100), 105),
    'Paused by the peer, share of time': ('Switch is paused by its peers', '% of time', 100, (0, 50, 100), 105),
    'Queues': ('Queues', 'kB', 1e-3, (0, 20, 40, 60), 60),
    'Sent': ('Sent', 'kB/s', 1e-3, (0, 50, 100, 150), 150),
}
COLOUR = {'p1': '#0072b2', 'p2': '#e69f00', 'p3': '#b34a00'}
ALERT = {'pending': ('#f0c6c0', '#7a2a20'), 'firing': ('#c0392b', '#fff')}
# in the first panel: (word, minute)
NOTES = ('two hosts send to a third', 3.1), ('p3 has a pause storm', 11.1)
# place of the first panel, sizes of panels, distance of two panels, height of an alert
LEFT, TOP_EDGE, WIDTH, HEIGHT, STEP, ROW = 238, 78, 1306, 162, 270, 38
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1350" fill="#444" font-size="28"
     font-family="DejaVu Sans, Verdana, sans-serif">
<!-- SPDX-License-Identifier: GPL-2.0 -->
<!-- Do not edit directly, made by selftests/prometheus/picture.py -->
<rect width="1600" height="1350" fill="#fff"/>"""


def tag(name, text=None, **attributes):
    words = ''.join(f' {key.replace("_", "-")}="{value:.5g}"' if isinstance(value, float) else
                    f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<{name}{words}/>' if text is None else f'<{name}{words}>{text}</{name}>'


def bends(points):
    """The points at which a curve leaves the line between its ends by more than half a pixel."""
    (x, y), (last, end) = points[0], points[-1]
    far, at = max(((abs(b - y - (end - y) * (a - x) / (last - x or 1)), i)
                   for i, (a, b) in enumerate(points)), default=(0, 0))
    return bends(points[:at + 1])[:-1] + bends(points[at:]) if far > .5 else [points[0], points[-1]]


class Picture:
    """Lines of SVG."""

    def __init__(self, run):
        self.run, self.end = run, math.floor((run['end'] - run['begin']) / 60)
        self.lines, self.y = [HEAD], TOP_EDGE

    def x(self, when):
        return (float(when) - self.run['begin']) / 60 / self.end * WIDTH

    def add(self, name, text=None, **attributes):
        self.lines.append('  ' + tag(name, text, **attributes))

    def frame(self, title, height, numbers):
        """Axes; @numbers: by place on the vertical one, what stands there."""
        self.lines.append(f'<g transform="translate({LEFT} {self.y})">')
        self.add('rect', x=self.x(self.run['storm']), fill='#f6f1ea', height=height,
                 width=self.x(self.run['calm']) - self.x(self.run['storm']))
        self.add('path', stroke='#e6e6e6', d=''.join(f'M0 {y:.5g}h{WIDTH}' for y in numbers))
        self.add('path', stroke='#999', fill='none', d=f'M0 0V{height}H{WIDTH}' + ''.join(
            f'M{minute / self.end * WIDTH:.5g} {height}v7' for minute in range(0, self.end, 5)))
        self.add('text', title, y=-14, font_size=31, fill='#222')
        for y, text in numbers.items():
            self.add('text', text, x=-21, y=y + 6.5, text_anchor='end')

    def panel(self, found):
        title, unit, factor, numbers, top = PANELS[found['title']]
        self.frame(title, HEIGHT, {HEIGHT * (1 - n / top): n for n in numbers})
        self.add('text', unit, x=-HEIGHT // 2, y=-113, transform='rotate(-90)', text_anchor='middle')
        for word, minute in NOTES if self.y == TOP_EDGE else ():
            self.add('text', word, x=minute / self.end * WIDTH, y=29, font_size=25, fill='#8a7a66')
        curves = [(s['metric']['device'], [(self.x(when), HEIGHT * (1 - float(value) * factor / top))
                                           for when, value in s['values']
                                           if value != 'NaN' and self.x(when) <= WIDTH])
                  for s in found['series']]
        curves = [curve for curve in curves if any(y < HEIGHT for _, y in curve[1])]
        for i, (device, points) in enumerate(reversed(curves)):
            self.add('text', device, x=1235 - i * 113, y=39, fill='#222', text_anchor='end')
            points = ' '.join(f'{x:.5g},{min(y, HEIGHT):.4g}' for x, y in bends(points))
            points = '\n    '.join(textwrap.wrap(points, 110))
            self.add('path', d=f'M{1249 - i * 113} 32h29M{points}', fill='none', stroke_width=3.6,
                     stroke=COLOUR[device])
        self.lines.append('</g>')
        self.y += STEP

    def alerts(self):
        """A row for each alert: pending is pale, firing is not."""
        names = sorted({a['metric']['alertname'] for a in self.run['alerts']})
        rows = {name: (i + .6) * ROW for i, name in enumerate(names)}
        self.frame('Alerts', len(names) * ROW + 8, {y: name for name, y in rows.items()})
        for alert in self.run['alerts']:
            metric, values = alert['metric'], alert['values']
            y, (back, fore) = rows[metric['alertname']], ALERT[metric['alertstate']]
            first, last = (self.x(values[i][0]) for i in (0, -1))
            self.add('rect', x=first, y=y - ROW * .3, width=last - first, height=ROW * .6, fill=back)
            self.add('text', metric['alertstate'], x=(first + last) / 2, y=y + 6, fill=fore, font_size=24,
                     text_anchor='middle')
        for minute in range(0, self.end, 5):
            self.add('text', minute, x=minute / self.end * WIDTH, y=len(names) * ROW + 44, text_anchor='middle')
        self.add('text', 'minutes', x=WIDTH // 2, y=len(names) * ROW + 78, text_anchor='middle')
        self.lines.append('</g>')


def main(folder, path=f'{TOP}/Documentation/guide/pictures/monitoring.svg'):
    with open(f'{folder}/panels.json', encoding='utf-8') as file:
        run = json.load(file)
    found = {panel['title']: panel for panel in run['panels']}
    picture = Picture(run)
    for title in PANELS:
        picture.panel(found[title])
    picture.alerts()
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join([*picture.lines, '</svg>', '']))


main(*sys.argv[1:])
