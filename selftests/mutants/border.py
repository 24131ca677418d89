#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Plants the faults of border.tab in the modules: the test named for each must fail.

Usage: border.py [-b N] [--applies | --build | --tests] [WHAT...]

WHAT is a number of a mutant, a range of numbers (7-12), or text of its line (all).

  --applies  say which lines do not fit the sources, and do no more
  --build    build the modules, and do no more
  --tests    print the tests, SCENARIO:TEST, and do no more; not those of a scenario
             whose file has changed (see mutate.py), so that all of its tests run
  -b N       mutants of a boot (10)

A mutant is killed if one of its tests fails, or the kernel crashes, hangs or warns.
All tests pass without a mutant; a boot begins with that. What follows a crash in a
boot runs again, and the mutant that was running then runs alone. Modules are kept in
out/mutants-border as long as the sources are the same.

Prints TAP, a point a mutant, and the score of each folder. Exit status: 0; 1 a mutant
is missed, or a line does not fit; 4 there is no kernel here.
"""
import argparse
import collections
import hashlib
import os
import re
import shutil
import subprocess
import sys

import mutate

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = 'out/mutants-border'
SRC = f'{OUT}/src'
# what scripts/build.sh links
PARTS = ('Kbuild VERSION kmod qdisc include lab/rnic lab/oracle lab/wire lab/dcfit '
         'selftests/race selftests/unit selftests/vectors').split()
MODULES = 'lossless.ko', 'sch_lossless.ko', 'tcp_ldcp.ko'
# seconds of a boot, and of each mutant in it
BOOT, EACH = 300, 300

Mutant = collections.namedtuple(
    'Mutant', 'number file function before after effect kernel scenario tests')


class NotThere(Exception):
    """The text of a line is not there, or not once."""


# ------------------------------------------------------------------ the table

def table():
    """All mutants, by number."""
    with open('selftests/mutants/border.tab', encoding='utf-8') as file:
        rows = [line.rstrip('\n').split('\t') for line in file
                if line.strip() and not line.startswith('#')]
    mutants = []
    for number, (*words, test) in enumerate(rows, 1):
        kernel, _, test = test.rpartition('/')
        scenario, tests = test.split(':')
        mutants.append(Mutant(number, *words, kernel or 'lab', scenario,
                              tuple(tests.split(','))))
    return mutants


def named(mutant):
    """The tests of a mutant, as its line has them."""
    return f'{mutant.scenario}:{",".join(mutant.tests)}'


def tests(mutants):
    """The tests of the mutants, but not those of a changed scenario."""
    changed = {os.path.basename(path).partition('.')[0] for path in
               mutate.git('diff', '--name-only', mutate.base(), '--', 'selftests/net').split()}
    return sorted({f'{m.scenario}:{test}' for m in mutants for test in m.tests
                   if m.scenario not in changed})


def selected(mutants, what):
    def is_it(mutant, word):
        if re.fullmatch(r'\d+(-\d+)?', word):
            first, _, last = word.partition('-')
            return int(first) <= mutant.number <= int(last or first)
        return word in '\t'.join((*mutant[1:6], named(mutant)))

    return [m for m in mutants if not what or any(is_it(m, word) for word in what)]


def place(text, mutant):
    """Begin and end of the function of a mutant."""
    if mutant.function == '-':
        return 0, len(text)
    head = rf'^[A-Za-z][^;{{}}]*?\b{mutant.function}\([^;{{}}]*\)\n'
    found = re.search(head + '{\n.*?^}', text, re.M | re.S)
    if not found:
        raise NotThere(f'{mutant.file} has no function {mutant.function}()')
    return found.span()


def mutated(text, mutant):
    """The source with the fault."""
    begin, end = place(text, mutant)
    before = r'\s+'.join(map(re.escape, mutant.before.split()))
    found = list(re.finditer(before, text[begin:end]))
    if len(found) != 1:
        raise NotThere(f'{mutant.file}: {mutant.function}() has {len(found)} times: '
                       f'{mutant.before}')
    after = '' if mutant.after == '-' else mutant.after
    return text[:begin + found[0].start()] + after + text[begin + found[0].end():]


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def misfits(mutants):
    """What is wrong with lines of the table."""
    for m in mutants:
        try:
            mutated(read(m.file), m)
        except (NotThere, OSError) as why:
            yield f'mutant {m.number}: {why}'
        scenario = next((path for path in (f'selftests/net/{m.scenario}.sh',
                                           f'selftests/net/{m.scenario}.py')
                         if os.path.exists(path)), None)
        text = read(scenario) if scenario else ''
        yield from (f'mutant {m.number}: no test {m.scenario}:{test}' for test in m.tests
                    if not re.search(rf'^(def )?{test}\(', text, re.M))


# ------------------------------------------------------------------ modules

def sources():
    """All files that modules depend on."""
    for part in PARTS:
        if os.path.isfile(part):
            yield part
        for folder, _, names in os.walk(part):
            yield from (os.path.join(folder, name) for name in names)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


class Builder:
    """Builds modules with and without a mutant, from a copy of the sources."""

    def __init__(self):
        files = sorted(sources())
        self.hash = hashlib.sha256()
        for path in files:
            text = read(path)
            self.hash.update(text.encode())
            if not os.path.exists(f'{SRC}/{path}') or read(f'{SRC}/{path}') != text:
                write(f'{SRC}/{path}', text)

    def build(self, kernel, mutant=None):
        """The folder of the modules."""
        folder = f'{OUT}/{kernel}/{mutant.number if mutant else 0}'
        stamp = f'{self.hash.hexdigest()} {mutant[1:5] if mutant else ""}'
        if os.path.exists(f'{folder}/stamp') and read(f'{folder}/stamp') == stamp:
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        if mutant:
            original = read(mutant.file)
            write(f'{SRC}/{mutant.file}', mutated(original, mutant))
        try:
            made = subprocess.run(
                ['scripts/build.sh', kernel], text=True, capture_output=True, check=False,
                env={**os.environ, 'LLE_SOURCES': f'{TOP}/{SRC}',
                     'LLE_BUILD': f'mutants-border-{kernel}'})
        finally:
            if mutant:
                write(f'{SRC}/{mutant.file}', original)
        if made.returncode == 4:
            sys.stderr.write(made.stderr)
            sys.exit(4)
        if made.returncode:
            raise NotThere(f'it cannot be built: {made.stderr}')
        os.makedirs(folder)
        for name in MODULES:
            shutil.copy(f'{made.stdout.strip()}/{name}', folder)
        write(f'{folder}/stamp', stamp)
        return folder


# ------------------------------------------------------------------ boots

def boot(kernel, plan):
    """Runs (number, folder, scenario, tests) in a guest. Returns results of each number by
    "SCENARIO: TEST", and the last line of each number: "begins", "ends", or "ends, WHY"."""
    shutil.rmtree(f'{OUT}/boot', ignore_errors=True)
    lines = ''
    for number, folder, scenario, tests in plan:
        os.makedirs(f'{OUT}/boot/{number}', exist_ok=True)
        for name in MODULES:
            shutil.copy(f'{folder}/{name}', f'{OUT}/boot/{number}')
        lines += f'{number} {scenario} {" ".join(tests)}\n'
    write(f'{OUT}/boot/plan', lines)
    guest = subprocess.run(
        ['scripts/vm/test.sh', '-k', kernel, '-o', f'{OUT}/guest', 'net',
         *{scenario for _, _, scenario, _ in plan}], text=True, errors='replace',
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        env={**os.environ, 'LLE_MUTANTS': f'{TOP}/{OUT}/boot',
             'LLE_TIMEOUT': str(BOOT + EACH * len(plan))})
    write(f'{OUT}/guest.log', guest.stdout)
    points, ended, number = collections.defaultdict(dict), {}, None
    for line in guest.stdout.splitlines():
        if found := re.match(r'# mutant (\d+) (begins|ends(?:, .*)?)$', line):
            number = int(found[1]) if found[2] == 'begins' else None
            ended[int(found[1])] = found[2]
        elif found := re.match(r'(not )?ok \d+ - (\w+: \w+)( # SKIP)?', line):
            points[number][found[2]] = 'fails' if found[1] else 'skips' if found[3] else 'passes'
    if not ended:
        sys.stderr.write(guest.stdout)
        sys.exit(4 if guest.returncode == 4 else 1)
    return points, ended


def verdict(mutant, points, ended):
    """What has happened, and whether that kills the mutant."""
    results = [points.get(f'{mutant.scenario}: {test}', 'did not end') for test in mutant.tests]
    if ended == 'begins':
        return 'the guest died', True
    if ', ' in ended:
        return ended.partition(', ')[2], True
    if 'fails' in results:
        return 'killed', True
    return 'missed' if set(results) == {'passes'} else ', '.join(results), False


class Runner:
    """Runs mutants, and prints a point for each."""

    def __init__(self, mutants, builder, each):
        self.waiting, self.builder, self.each = list(mutants), builder, each
        self.alone = set()
        self.sound = {}     # tests that have run without a mutant, and whether they pass
        self.n = self.failed = 0
        self.score = collections.Counter()

    def point(self, mutant, why, good):
        self.n += 1
        self.failed += not good
        folder = re.match('kmod/[^/]*|[^/]*', mutant.file)[0]
        self.score[folder, good] += 1
        print(f'{"" if good else "not "}ok {self.n} - mutants-border: {mutant.number} '
              f'{mutant.file} {mutant.function}: {mutant.effect}', flush=True)
        print(f'# {named(mutant)}: {why}', flush=True)

    def group(self):
        """The next mutants of a boot, with their modules."""
        kernel, group = self.waiting[0].kernel, []
        for m in [m for m in self.waiting if m.kernel == kernel]:
            if len(group) == self.each or (group and m in self.alone):
                break
            try:
                group.append((m, self.builder.build(kernel, m)))
            except NotThere as why:
                self.waiting.remove(m)
                self.point(m, str(why).replace('\n', '\n# '), False)
            if m in self.alone:
                break
        return kernel, group

    def run_group(self):
        kernel, group = self.group()
        if not group:
            return
        new = collections.defaultdict(dict)
        for m, _ in group:
            new[m.scenario] |= {test: True for test in m.tests
                                if (kernel, m.scenario, test) not in self.sound}
        real = self.builder.build(kernel)
        points, ended = boot(kernel,
                             [(0, real, *tests) for tests in new.items() if tests[1]] +
                             [(m.number, folder, m.scenario, m.tests) for m, folder in group])
        for scenario, tests in new.items():
            for test in tests:
                if (name := f'{scenario}: {test}') in points[0]:
                    self.sound[kernel, scenario, test] = points[0][name]
        for m, _ in group:
            self.judge(m, points, ended, len(group))

    def judge(self, m, points, ended, num):
        """Prints the result, unless the guest died, and other mutants shared the boot."""
        sound = {self.sound.get((m.kernel, m.scenario, test), 'did not end') for test in m.tests}
        if sound != {'passes'}:
            result = f'without it: {", ".join(sound)}', False
        elif num > 1 and ended.get(m.number, 'begins') == 'begins':
            if m.number in ended:
                self.alone.add(m)
            return
        elif m.number not in ended:
            result = 'the guest did not run it', False
        else:
            result = verdict(m, points[m.number], ended[m.number])
        self.waiting.remove(m)
        self.point(m, *result)

    def run(self):
        while self.waiting:
            self.run_group()
        for folder in sorted({folder for folder, _ in self.score}):
            killed, missed = self.score[folder, True], self.score[folder, False]
            print(f'# {folder}: {killed} of {killed + missed} killed')
        print(f'1..{self.n}')
        return self.failed > 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__[__doc__.index('Usage'):])
    parser.add_argument('-b', type=int, default=10)
    parser.add_argument('--applies', action='store_true')
    parser.add_argument('--build', action='store_true')
    parser.add_argument('--tests', action='store_true')
    parser.add_argument('what', nargs='*')
    args = parser.parse_args()
    os.chdir(TOP)
    mutants = selected(table(), args.what)
    if args.applies:
        wrong = list(misfits(mutants))
        print(*wrong, sep='\n', end='\n' * bool(wrong))
        return len(wrong) > 0
    if args.tests:
        print(*tests(mutants))
        return 0
    builder = Builder()
    if args.build:
        failed = 0
        for m in [None, *mutants]:
            try:
                builder.build(m.kernel if m else 'lab', m)
            except NotThere as why:
                failed = 1
                print(f'mutant {m and m.number}: {why}', flush=True)
        return failed
    return Runner(mutants, builder, args.b).run()


if __name__ == '__main__':
    sys.exit(main())
