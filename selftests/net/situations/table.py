# SPDX-License-Identifier: GPL-2.0
"""Reads situations.tab, and finds pairs that it lacks.

scripts/ci/situations.py makes a page from it, so nothing here needs a guest.
"""
import collections
import os
import re

TABLE = os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'situations.tab')
VERDICTS = ('lossless', 'refused', 'loud', 'unharmed', 'missed')

Line = collections.namedtuple('Line', 'device path load event verdict what number')


def load(path=TABLE):
    """The lines to run, and {(device, path): reason} of those that cannot be."""
    lines, absent = [], {}
    with open(path, encoding='utf-8') as file:
        for number, text in enumerate(file, 1):
            text = text.split('#')[0].strip()
            if not text:
                continue
            devices, paths, load_, event, verdict, *what = text.split(None, 5)
            what = ' '.join(what)
            if verdict == 'n/a':
                absent.update(((device, path_), what) for device in devices.split(',')
                              for path_ in paths.split(','))
            elif verdict in VERDICTS:
                lines.append(Line(devices, paths, load_, event, verdict, what, number))
            else:
                raise ValueError(f'line {number}: {verdict} is no verdict')
    return lines, absent


def faults(lines, absent, devices, paths):
    """What is wrong with the table, for all devices and paths that there are."""
    listed = {(line.device, line.path) for line in lines}
    for pair in ((device, path) for device in devices for path in paths):
        if pair not in listed and pair not in absent:
            yield f'{pair[0]} {pair[1]}: no line'
        if pair in listed and pair in absent:
            yield f'{pair[0]} {pair[1]}: runs, and is not applicable'
    for (device, path), reason in absent.items():
        as_ = re.match(r'as ([^ :]+): ', reason)
        if as_ and (as_[1], path) not in listed:
            yield f'{device} {path}: {as_[1]} {path} has no line'
    for device, path in sorted(listed | set(absent)):
        if device not in devices or path not in paths:
            yield f'{device} {path}: there is no such device or path'
    for text, count in collections.Counter(line[:4] for line in lines).items():
        if count > 1:
            yield f'{" ".join(text)}: {count} lines'
