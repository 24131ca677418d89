# SPDX-License-Identifier: GPL-2.0
"""The verdicts: each notes what is wrong in tb.faults."""
import collections
import time

NAMESPACES = ('sw', 'h1', 'h3', 'm')
LOG = '/tmp/situation.log'
CONFIG = '/tmp/situation.conf'
RATE_ERROR = 0.05


def _all_stats(tb):
    """{(namespace, device): what tc says} of all lossless qdiscs."""
    names = NAMESPACES + ('c1',) * tb.inner
    return {(ns, dev): q for ns in names for dev, q in tb.qdisc_stats(ns).items()}


def _drops(q):
    """(priority, name, count) of each counter of drops that is not 0."""
    return [(prio, name, count) for prio, p in enumerate(q['prios'])
            for name, count in p['drops'].items() if count]


def _paused(tb, stats, prio, by):
    """PRIO is paused by a port of BY, if there is one, and nothing else is."""
    count = 0
    for (ns, dev), q in stats.items():
        for i, p in enumerate(q['prios']):
            if ns == 'sw' and dev in by and i == prio:
                count += p['tx_pause']
            elif ns == 'sw':
                tb.wrong(not p['tx_pause'], f'{dev} paused priority {i} {p["tx_pause"]} times')
    tb.wrong(count or not by, f'{" and ".join(by)} did not pause priority {prio}')


def lossless(tb, what, sent, receiver):
    """WHAT: the priority; "-": nothing is paused."""
    prio = 3 if what == '-' else int(what)
    stats = _all_stats(tb)
    tb.wrong(receiver.count == sent, f'{receiver.count} of {sent} received')
    arrived = sum(stats['sw', dev]['prios'][prio]['rx_packets'] for dev in tb.ingress)
    tb.wrong(not tb.ingress or arrived == sent,
              f'{" and ".join(tb.ingress)} received {arrived} packets, not {sent}')
    _paused(tb, stats, prio, [] if what == '-' else tb.ingress)
    for (ns, dev), q in stats.items():
        where = f'{ns} {dev}'
        for i, name, count in _drops(q):
            tb.wrong(False, f'{where}: {count} packets of priority {i} dropped, {name}')
        tb.wrong(not q['unaccounted'], f'{where}: {q["unaccounted"]} packets unaccounted')
        tb.wrong(not q['shared_used'], f'{where}: {q["shared_used"]} shared bytes left')
        for name in ('occupancy', 'headroom', 'backlog', 'tx_paused', 'rx_paused'):
            left = sum(p[name] for p in q['prios'])
            tb.wrong(not left, f'{where}: {left} of {name} left')


def unharmed(tb, what, sent, receiver):
    """Copies cost production nothing; WHAT: the counter of those that are dropped."""
    stats = _all_stats(tb)
    tb.wrong(receiver.count == sent, f'{receiver.count} of {sent} received')
    if len(receiver.times) > 1:
        each = (receiver.times[-1] - receiver.times[0]) / (len(receiver.times) - 1) / 1e9
        tb.wrong(each <= tb.offered * (1 + RATE_ERROR),
                  f'{20 * tb.offered / each:.1f} of 20 Mbit/s')
    _paused(tb, stats, 3, [])
    if what:
        names = {name for q in stats.values() for _, name, _ in _drops(q)}
        tb.wrong(what in names, f'no {what}, but {sorted(names) or "no drops"}')


def listen(tb):
    """losslessd watches the switch for a line that is to be loud."""
    with open(CONFIG, 'w', encoding='ascii') as file:
        file.write(f'log = "{LOG}"\n')
    with open(LOG, 'w', encoding='ascii'):
        pass
    tb.background('ip', 'netns', 'exec', 'sw', 'losslessd', '-c', CONFIG)
    time.sleep(2)


def loud(tb, what, sent, receiver):
    """Each lost packet is counted; a counter, losslessd or the doctor says WHAT."""
    grown, unaccounted = collections.Counter(), 0
    for q in _all_stats(tb).values():
        for _, name, count in _drops(q):
            grown[name] += count
        unaccounted += q['unaccounted']
    for ns in NAMESPACES:
        for name, count in tb.link_stats(ns).items():
            grown[name] += count
    lost = sent - receiver.count
    tb.wrong(lost <= grown.total(), f'{lost} lost, {grown.total()} of them counted')
    if what in grown or unaccounted and what == 'unaccounted':
        return
    time.sleep(2)
    with open(LOG, encoding='utf-8') as file:
        said = file.read()
    for ns in ('sw', 'h1'):
        if what not in said:
            said += tb.run(ns, 'ip', 'netns', 'exec', ns, 'losslessctl', 'doctor', check=False)[1]
    tb.wrong(what in said, f'{lost} lost; no {what} in {dict(grown)}, nor in:\n{said}')


def _settings(tb, ns):
    return [tb.run(ns, *words, check=False)[1] for words in
            (('tc', 'qdisc', 'show'), ('dcb', 'app', 'show', 'dev', 'p1'))]


def refused(tb, what):
    """The command fails, it or the kernel's log says WHAT, and nothing changes."""
    ns, *words = tb.attempt
    before = _settings(tb, ns)
    log = tb.run(ns, 'dmesg')[1]
    status, said = tb.run(ns, *words, check=False)
    after = _settings(tb, ns)
    said += tb.run(ns, 'dmesg')[1].removeprefix(log)
    tb.wrong(status, f'accepted: {" ".join(words)}')
    tb.wrong(what in said, f'{said.strip()!r} has no {what!r}')
    tb.wrong(before == after, 'something has changed')


VERDICTS = {'lossless': lossless, 'unharmed': unharmed, 'loud': loud}
