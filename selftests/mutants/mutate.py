#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Plants small faults in kmod/core/ or daemon/ and runs the tests with each of them.

Usage: mutate.py [-s SEED] FILE...          all mutants of these files, of one of the two
       mutate.py [-s SEED] --changed        those in lines that have changed
       mutate.py [-s SEED] --sample N [FILE...]   N of each file, by chance

A mutant is a source with one fault: another operator, a constant off by one, a
statement that is missing. A test should fail with it. A mutant that survives
shows behaviour that no test checks, unless it behaves as the original does: then
it belongs in equivalent.txt, with the reason.

--changed: lines that differ from where HEAD left origin/main; on origin/main
itself, from the commit before. It begins no mutant after four minutes, and takes
mutants in the order of SEED. --sample takes each operator with the same chance;
the default is all files of kmod/core. 97 % of them have to be killed, of the daemon's
90 %.

Prints TAP. Each survivor is a failure, except for those of a sample; the line below
it belongs in equivalent.txt, with a reason at its end, if it is equivalent.

Operators:
  ROR  < <= > >= == !=      the neighbour, or the opposite
  AOR  + - * / % << >> ++   another one, also += -= and so on
  LOR  && ||                the other, or without one of the operands
  BOR  & | ^ ~ |= &=        another one, or none
  CRP  a constant           plus one, minus one; true, false; min, max
  CND  if, ?:, !            the opposite
  SDL  a statement          is missing; also break, continue, return
  RVR  return VALUE         another value

It has a lexer, and no parser: what it does not understand it leaves alone, or the
compiler refuses it. It skips macros, declarations of arrays, and memory barriers,
whose order no unit test can see (selftests/race, selftests/proof).
"""
import argparse
import collections
import contextlib
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SECONDS = 240       # of --changed
EQUIVALENT = 'selftests/mutants/equivalent.txt'

# ------------------------------------------------------------------ mutants

TOKEN = re.compile(
    r'(?P<space>\s+|\\\n|//[^\n]*|/\*.*?\*/)'
    r'|(?P<str>"(?:\\.|[^"\\\n])*")'
    r"|(?P<chr>'(?:\\.|[^'\\\n])+')"
    r'|(?P<num>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*)'
    r'|(?P<id>[A-Za-z_]\w*)'
    r'|(?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\S)', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:\\\n|.)*$', re.M)

SKIP = re.compile(r'(smp_\w+|barrier|BUILD_BUG\w*|static_assert|__\w+)$')
TYPE = re.compile(
    r'(struct|union|enum|const|volatile|static|unsigned|signed|void|char|short|int|long|bool'
    r'|[us](8|16|32|64)|__(be|le)(16|32|64)|\w+_t|typeof)$')
KEYWORDS = {'if', 'while', 'for', 'switch', 'return', 'case', 'sizeof', 'do', 'else', 'goto',
            'default', 'break', 'continue'}
ASSIGN = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='}

REPLACE = {
    '<': 'ROR <= >=', '<=': 'ROR < >', '>': 'ROR >= <=', '>=': 'ROR > <',
    '==': 'ROR !=', '!=': 'ROR ==',
    '+': 'AOR -', '-': 'AOR +', '*': 'AOR /', '/': 'AOR *', '%': 'AOR /',
    '<<': 'AOR >>', '>>': 'AOR <<', '++': 'AOR --', '--': 'AOR ++',
    '+=': 'AOR -= =', '-=': 'AOR += =', '*=': 'AOR /=', '/=': 'AOR *=',
    '<<=': 'AOR >>=', '>>=': 'AOR <<=',
    '&&': 'LOR ||', '||': 'LOR &&',
    '&': 'BOR |', '|': 'BOR &', '^': 'BOR |', '|=': 'BOR = &=', '&=': 'BOR = |=', '~': 'BOR ',
    'min': 'CRP max', 'max': 'CRP min', 'min_t': 'CRP max_t', 'max_t': 'CRP min_t',
    'true': 'CRP false', 'false': 'CRP true',
}
UNARY_TOO = {'+', '-', '*', '&'}

Token = collections.namedtuple('Token', 'kind text start end')
Mutant = collections.namedtuple('Mutant', 'file line function operator start end new entry')


def lex(text):
    """Returns the tokens of text, without comments, space and directives."""
    # of the same length
    text = DIRECTIVE.sub(lambda m: ' ' * len(m.group()), text)
    return [Token(m.lastgroup, m.group(), m.start(), m.end())
            for m in TOKEN.finditer(text) if m.lastgroup != 'space']


def pairs(tokens):
    """By the index of a bracket: that of the other one."""
    other, stack = {}, []
    for i, t in enumerate(tokens):
        if t.text in ('(', '[', '{'):
            stack.append(i)
        elif t.text in (')', ']', '}') and stack:
            j = stack.pop()
            other[i], other[j] = j, i
    return other


class Finder:
    """Finds the mutants of a file."""

    def __init__(self, file, text):
        self.file, self.text, self.found = file, text, []
        self.tokens = lex(text)
        self.other = pairs(self.tokens)
        self.function = None
        for words, first, last in self.functions():
            self.function = words[-1]
            self.body(words, first, last)

    def functions(self):
        """Yields (words up to the name, first and last token of the body)."""
        i = 0
        while i < len(self.tokens):
            if self.tokens[i].text != '{' or i not in self.other:
                i += 1
                continue
            if self.tokens[i - 1].text == ')':
                name = k = self.other[i - 1] - 1
                while k and self.tokens[k - 1].text not in (';', '}', ')'):
                    k -= 1
                yield [t.text for t in self.tokens[k:name + 1]], i, self.other[i]
            i = self.other[i] + 1

    def add(self, operator, start, end, new):
        if self.text[start:end] == new:
            return
        first = self.text.rfind('\n', 0, start) + 1
        stop = self.text.find('\n', end)
        before = self.text[first:stop]
        after = self.text[first:start] + new + self.text[end:stop]
        entry = (self.file, self.function, ' '.join(before.split()), ' '.join(after.split()))
        self.found.append(Mutant(self.file, self.text.count('\n', 0, start) + 1, self.function,
                                 operator, start, end, new, entry))

    def body(self, words, first, last):
        skip_until, declaration = 0, False
        for i in range(first + 1, last):
            t, after = self.tokens[i], self.tokens[i + 1]
            if i < skip_until:
                continue
            if self.is_start(i):
                declaration = bool(TYPE.match(t.text))
                if SKIP.match(t.text) and after.text == '(':
                    skip_until = self.end_of_statement(i)
                    continue
                if not declaration:
                    self.statement(words, i)
            if t.text == '=':
                declaration = False
            self.token(i, declaration)

    def is_start(self, i):
        """Does a statement begin at i?"""
        before = self.tokens[i - 1]
        if before.text in ('{', '}', 'else', 'do', ';'):
            return not self.in_parentheses(i)
        if before.text == ':':
            return self.tokens[i - 2].text == 'default' or \
                self.tokens[i - 3].text in (';', '}', '{', 'case')
        if before.text == ')' and i - 1 in self.other:
            word = self.tokens[self.other[i - 1] - 1].text
            return word in ('if', 'while', 'for', 'switch') or 'for_each' in word
        return False

    def in_parentheses(self, i):
        while i:
            i -= 1
            if self.tokens[i].text in ('(', '{'):
                return self.tokens[i].text == '('
            i = min(i, self.other.get(i, i))
        return False

    def end_of_statement(self, i):
        while self.tokens[i].text != ';':
            i = max(i, self.other.get(i, i)) + 1
        return i

    def statement(self, words, i):
        t, after = self.tokens[i], self.tokens[i + 1].text
        if t.text == 'return' and after != ';':
            self.result(words, self.tokens[i + 1].start,
                        self.tokens[self.end_of_statement(i)].start)
        elif t.text in ('return', 'break', 'continue', '*', '(', '++', '--') or (
                t.kind == 'id' and t.text not in KEYWORDS and 'for_each' not in t.text and
                after in ASSIGN | {'.', '->', '[', '(', '++', '--'}):
            start, stop = t.start, self.tokens[self.end_of_statement(i)].end
            # keeps the numbers of lines
            self.add('SDL', start, stop, ';' + '\n' * self.text.count('\n', start, stop))
            if t.text in ('break', 'continue'):
                self.add('SDL', start, stop, 'continue;' if t.text == 'break' else 'break;')

    def result(self, words, start, end):
        value = self.text[start:end]
        if 'bool' in words:
            self.add('RVR', start, end, f'!({value})')
        elif '*' in words:
            self.add('RVR', start, end, 'NULL')
        else:
            self.add('RVR', start, end, '0')
            self.add('RVR', start, end, f'({value}) + 1')

    def is_binary(self, i):
        """Has the operator i an operand on its left?"""
        before = self.tokens[i - 1]
        if before.text == ')':
            opening = self.other[i - 1]
            of = self.tokens[opening - 1].text
            called = of not in KEYWORDS and of[0].isalpha() or of == 'sizeof'
            # not a cast
            return called or not TYPE.match(self.tokens[opening + 1].text)
        if before.kind == 'id':
            return before.text not in KEYWORDS and not TYPE.match(before.text) and \
                self.tokens[i - 2].text not in ('struct', 'enum')
        return before.kind in ('num', 'chr') or before.text == ']'

    def operand(self, i, step):
        """Start and end of the operand of &&, || or ?, on its left (-1) or right (1)."""
        ends = {'(', ')', '[', ']', '{', '}', ';', ',', '?', ':', 'return', 'case'} | ASSIGN
        if self.tokens[i].text != '?':
            ends |= {'&&', '||'}
        j = i + step
        while True:
            across = self.other.get(j, j)
            if (across - j) * step > 0:
                j = across
            elif self.tokens[j].text in ends:
                break
            j += step
        first, last = (j + 1, i - 1) if step < 0 else (i + 1, j - 1)
        return self.tokens[first].start, self.tokens[last].end

    def token(self, i, declaration):
        t, before, after = self.tokens[i], self.tokens[i - 1], self.tokens[i + 1]
        if t.text in REPLACE:
            if t.text in UNARY_TOO and (declaration or not self.is_binary(i)):
                return
            operator, new = REPLACE[t.text].split(' ', 1)
            for text in new.split(' '):
                self.add(operator, t.start, t.end, text)
            if operator == 'LOR':
                for step in (-1, 1):
                    self.add('LOR', *self.operand(i, step), '1' if t.text == '&&' else '0')
        elif t.text == '!':
            if after.text != '!':
                self.add('CND', t.start, t.end, '')
        elif t.text == 'if':
            start, end = after.end, self.tokens[self.other[i + 1]].start
            self.add('CND', start, end, f'!({self.text[start:end]})')
        elif t.text == '?':
            start, end = self.operand(i, -1)
            self.add('CND', start, end, f'!({self.text[start:end]})')
        elif t.kind == 'num' and not declaration:
            digits = t.text.rstrip('uUlL')
            suffix = t.text[len(digits):]
            value = int(digits, 8 if re.match('0[0-7]', digits) else 0)
            for new in (value + 1, value - 1):
                if new >= 0:
                    self.add('CRP', t.start, t.end, f'{new}{suffix}')
        elif re.match(r'[A-Z][A-Z0-9_]{2,}$', t.text) and t.text != 'NULL' and not declaration \
                and after.text != '(' and before.text not in ('case', '.'):
            for sign in '+-':
                self.add('CRP', t.start, t.end, f'({t.text} {sign} 1)')


# -------------------------------------------------------------------- tests

PLAIN = ['gcc', '-std=gnu11', '-w', '-I', 'include/uapi', '-O1']
CHECKED = [*PLAIN, '-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all']
# also functions of a header that nothing calls
OBJECT = [*PLAIN, '-O2', '-fkeep-inline-functions', '-D__always_inline__=__noinline__',
          '-Dalways_inline=noinline', '-x', 'c']

# A folder with sources. Tests include them, or are linked with an archive of them.
Area = collections.namedtuple('Area', 'floor sources tests archive flags libraries')
AREAS = {
    'kmod': Area(97, 'kmod/core/*/*.[ch]', ['selftests/unit/*_test.c'], [], [], []),
    'daemon': Area(90, 'daemon/*/*.c', ['selftests/daemon/*_test.c', 'selftests/ctl/*_test.c'],
                   ['daemon/*/*.c', 'build/gen/*.c'],
                   ['-D_GNU_SOURCE', '-DLLE_VERSION="0"', '-DCONF_PATH="/etc/lossless.conf"',
                    *(f'-I{d}' for d in ('build/gen', 'daemon/tc', '/usr/include/libnl3'))],
                   # the first definition holds: that of the test
                   ['-Wl,-z,muldefs', *(f'-l{name}' for name in (
                       'nl-genl-3', 'nl-3', 'json-c', 'systemd', 'confuse', 'microhttpd', 'm'))]),
}


class Failed(Exception):
    """A test fails without a mutant."""


class Tests:
    """Runs the tests of an area in a copy of the tree."""

    def __init__(self, root, top, area):
        self.area, self.root, self.out = area, f'{top}/tree', f'{top}/out'
        self.made, self.limits = {}, {}
        os.makedirs(self.out)
        if area.archive:
            subprocess.run(['make', '-s', 'generated'], cwd=root, check=True)
        self.tests, self.parts = (sorted(f for p in patterns for f in glob.glob(p, root_dir=root))
                                  for patterns in (area.tests, area.archive))
        said = subprocess.run([*PLAIN, *area.flags, '-MM', *self.tests, *self.parts], cwd=root,
                              capture_output=True, text=True, check=True).stdout
        self.uses = {}
        for rule in said.replace('\\\n', ' ').splitlines():
            files = [os.path.normpath(f) for f in rule.split(':', 1)[1].split()]
            self.uses[files[0]] = {f for f in files if not f.startswith('/')}
        for file in set().union(*self.uses.values()):
            os.makedirs(f'{self.root}/{os.path.dirname(file)}', exist_ok=True)
            shutil.copy(f'{root}/{file}', f'{self.root}/{file}')
        self.linked = {t: self.members(t) for t in self.tests} if self.parts else {}

    def execute(self, command, limit=900):
        """Returns the exit status, 1 if it prints a failure; None: it takes too long."""
        with subprocess.Popen(command, cwd=self.root, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
            try:
                said, _ = p.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                p.kill()
                return None
            return p.returncode or any(
                not re.match(rb'\s*(ok |# |TAP |1\.\.)', line) for line in said.splitlines())

    def compile(self, compiler, source, name):
        """Returns the object; None: the compiler makes none."""
        file = f'{self.out}/{name}'
        return None if self.execute([*compiler, *self.area.flags, '-c', '-o', file, source]) else file

    def object(self, compiler, source, mutated=None):
        """The same; remembers what does not depend on the mutated file."""
        if mutated in self.uses[source]:
            return self.compile(compiler, source, 'mutant-' + os.path.basename(source) + '.o')
        key = len(compiler), source
        if key not in self.made:
            self.made[key] = self.compile(compiler, source,
                                          f'{key[0]}-' + source.replace('/', '-') + '.o')
        return self.made[key]

    def archive(self, compiler):
        key = len(compiler), 'archive'
        if key not in self.made:
            self.made[key] = f'{self.out}/{key[0]}.a'
            self.execute(['ar', 'rcs', self.made[key],
                          *filter(None, (self.object(compiler, p) for p in self.parts))])
        return self.made[key]

    def build(self, compiler, test, mutated=None):
        """Returns the program; None: the compiler makes none."""
        objects = [self.object(compiler, f, mutated)
                   for f in (test, *({mutated} & set(self.parts)))]
        if None in objects:
            return None
        if self.parts:
            objects.append(self.archive(compiler))
        program = f'{self.out}/program'
        return None if self.execute([*compiler, '-o', program, *objects,
                                     *self.area.libraries]) else program

    def members(self, test):
        """The files of the archive that a test is linked with"""
        said = subprocess.run([*PLAIN, '-Wl,-t,-t', '-o', f'{self.out}/program',
                               self.object(PLAIN, test), self.archive(PLAIN),
                               *self.area.libraries], capture_output=True, text=True,
                              cwd=self.root, check=True).stdout
        return {p for p in self.parts if f"-{p.replace('/', '-')}.o" in said}

    def limit(self, compiler, test):
        """A generous time for a test, which has to pass without a mutant."""
        key = len(compiler), test
        if key not in self.limits:
            program = self.build(compiler, test)
            begin = time.monotonic()
            if not program or self.execute([program]):
                raise Failed(f'{test} fails without a mutant')
            self.limits[key] = max(10, 8 * (time.monotonic() - begin))
        return self.limits[key]

    def of(self, file):
        """The tests that have a file, that with its name first, then those that include it."""
        own = f'/{os.path.splitext(os.path.basename(file))[0]}_test.c'
        tests = [t for t in self.tests
                 if file in self.uses[t] or file in self.linked.get(t, ())]
        if not tests and not self.parts:
            raise Failed(f'no test includes {file}')
        return sorted(tests, key=lambda t: (not t.endswith(own), file not in self.uses[t]))

    @contextlib.contextmanager
    def planted(self, m, text):
        with open(f'{self.root}/{m.file}', 'w', encoding='utf-8') as f:
            f.write(text[:m.start] + m.new + text[m.end:])
        try:
            yield
        finally:
            with open(f'{self.root}/{m.file}', 'w', encoding='utf-8') as f:
                f.write(text)

    def verdict(self, m, text, compiler, test):
        """Returns 'killed by TEST', 'stillborn' or 'survived'."""
        limit = self.limit(compiler, test)
        with self.planted(m, text):
            program = self.build(compiler, test, m.file)
            rc = self.execute([program], limit) if program else 0
        if rc == 0:
            return 'survived' if program else 'stillborn'
        return f'killed by {os.path.basename(test)[:-2]}' + ' (time-out)' * (rc is None)

    def code(self, file):
        made = self.compile(OBJECT, file, 'code.o')
        if not made:
            return None
        with open(made, 'rb') as f:
            return f.read()

    def same_code(self, m, text):
        original = self.code(m.file)
        with self.planted(m, text):
            return self.code(m.file) == original

    def judge(self, m, text):
        """Returns a verdict, or 'equivalent' if the compiler makes the same code."""
        for compiler in (PLAIN, CHECKED):
            for test in self.of(m.file):
                verdict = self.verdict(m, text, compiler, test)
                if verdict != 'survived':
                    return verdict
            if compiler is PLAIN and self.same_code(m, text):
                return 'equivalent'
        return 'survived'


# ------------------------------------------------------------------ program

def git(*words):
    return subprocess.run(['git', *words], capture_output=True, text=True, check=True).stdout


def base():
    """The commit before the changes"""
    try:
        left = git('merge-base', 'HEAD', 'origin/main')
    except subprocess.CalledProcessError:       # there is no origin
        return 'HEAD~1'
    return 'HEAD~1' if left == git('rev-parse', 'HEAD') else left.strip()


def changed_lines():
    """By file: the numbers of the lines that have changed"""
    lines = collections.defaultdict(set)
    for line in git('diff', '-U0', '--no-prefix', base(), '--', 'kmod/core').splitlines():
        if line.startswith('+++ '):
            file = line[4:]
        elif m := re.match(r'@@ \S+ \+(\d+)(?:,(\d+))? @@', line):
            first, count = int(m[1]), int(m[2] or 1)
            lines[file].update(range(first, first + count))
    return lines


def sample(mutants, count, rng):
    """Takes count mutants; each operator has the same chance."""
    by, taken = collections.defaultdict(list), []
    for m in mutants:
        by[m.operator].append(m)
    while by and len(taken) < count:
        operator = rng.choice(sorted(by))
        taken.append(by[operator].pop(rng.randrange(len(by[operator]))))
        if not by[operator]:
            del by[operator]
    return taken


def equivalents():
    """The entries of equivalent.txt: file, function, line before, line after."""
    if not os.path.exists(EQUIVALENT):
        return set()
    with open(EQUIVALENT, encoding='utf-8') as f:
        return {tuple(line.split('\t')[:4]) for line in f if not line.startswith('#')}


def mutants_of(file):
    """Returns the text of a file, and its mutants without those of equivalent.txt."""
    with open(file, encoding='utf-8') as f:
        text = f.read()
    known = equivalents()
    return text, [m for m in Finder(file, text).found if m.entry not in known]


def select(args, rng):
    """Returns (mutant, text of its file) of all that are to be tested."""
    lines, chosen = changed_lines() if args.changed else None, []
    for file in args.file or sorted(glob.glob(AREAS['kmod'].sources)):
        text, mutants = mutants_of(file)
        if args.changed:
            mutants = [m for m in mutants if m.line in lines[file]]
        if args.sample:
            mutants = sample(mutants, args.sample, rng)
        chosen += [(m, text) for m in mutants]
    rng.shuffle(chosen)
    return chosen


def percent(count):
    valid = count['killed'] + count['survived']
    return 100 * count['killed'] / valid if valid else 100


def test(args, seed, top):
    """Prints a test point for each mutant, or one for all of a sample."""
    begin, late, n = time.monotonic(), 0, 0
    counts = collections.defaultdict(collections.Counter)
    area = AREAS[args.file[0].split('/')[0] if args.file else 'kmod']
    tests = Tests('.', top, area)
    for m, text in select(args, random.Random(seed)):
        if args.changed and time.monotonic() - begin > SECONDS:
            late += 1
            continue
        n += 1
        verdict = tests.judge(m, text)
        bad = verdict == 'survived'
        for name in (m.file.split('/')[-2], 'all'):
            counts[name][verdict.split()[0]] += 1
        print(f"{'# ' if args.sample else ''}{'not ' if bad else ''}ok {n} - mutants: {m.file}:"
              f"{m.line} {m.function}: {m.entry[3]}: {m.operator} {verdict}")
        if bad:
            print('# ' + '\t'.join(m.entry))
        sys.stdout.flush()
    for name, count in sorted(counts.items()):
        print(f'# {name:12} {percent(count):5.1f} % killed,', dict(count))
    all_of_them = counts['all']
    n = 1 if args.sample else n + 1
    good = not args.sample or percent(all_of_them) >= area.floor
    print(f"{'' if good else 'not '}ok {n} - mutants: {percent(all_of_them):.1f} % of "
          f"{all_of_them.total()} killed, no time for {late}, seed {seed}\n1..{n}")
    return good and (args.sample or not all_of_them['survived'])


def main():
    parser = argparse.ArgumentParser(usage='see the top of mutate.py')
    parser.add_argument('-s', '--seed', default=str(random.SystemRandom().randrange(10**6)))
    parser.add_argument('--changed', action='store_true')
    parser.add_argument('--sample', type=int)
    parser.add_argument('file', nargs='*')
    args = parser.parse_args()
    # ends as ctrl-C does, without the copy of the tree
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.chdir(git('rev-parse', '--show-toplevel').strip())
    with tempfile.TemporaryDirectory(prefix='mutate-') as top:
        return 0 if test(args, args.seed, top) else 1


if __name__ == '__main__':
    sys.exit(main())
