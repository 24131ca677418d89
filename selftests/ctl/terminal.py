# SPDX-License-Identifier: GPL-2.0
"""Runs a program on a terminal of its own, and interprets its output: the part
of a vt100 and an xterm that ncurses uses. An unknown sequence is an error."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

SEQUENCE = re.compile(
    rb'\x1b\[(?P<private>\??)(?P<numbers>[0-9;]*)(?P<final>[@-~])'
    rb'|\x1b[()][0AB]|\x1b[=>78MD]|[\x00-\x1f]|[ -~]')


class Terminal:
    """Runs a program until the end of a with statement. rows: lists of
    (character, set of attributes); cursor: it is visible; alternate: the second
    screen is visible."""

    def __init__(self, argv, term='vt100', lines=24, columns=80, env=None):
        self.rows, self.pending, self.status = [], b'', None
        self.cursor, self.alternate, self.raw = True, False, b''
        self.y = self.x = self.top = self.bottom = 0
        self.look = frozenset()
        self.clear(lines, columns)
        self.master, self.slave = pty.openpty()
        self.resize(lines, columns)
        self.settings = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.closerange(3, 64)
            os.execve(argv[0], argv, {**os.environ, **(env or {}), 'TERM': term})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        for fd in {self.master, self.slave} - {None}:
            os.close(fd)

    def clear(self, lines, columns):
        self.lines, self.columns = lines, columns
        self.rows = [self.blank() for _ in range(lines)]
        self.top, self.bottom = 0, lines - 1
        self.y, self.x = min(self.y, lines - 1), min(self.x, columns - 1)

    def blank(self):
        return [(' ', frozenset())] * self.columns

    def resize(self, lines, columns):
        """Resize like a window: cut off text, or leave space beside it."""
        before = self.rows
        self.clear(lines, columns)
        for new, old in zip(self.rows, before):
            new[:len(old)] = old[:columns]
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ,
                    struct.pack('HHHH', lines, columns, 0, 0))

    def keys(self, text):
        os.write(self.master, text)

    def text(self):
        return [''.join(c for c, _ in row).rstrip() for row in self.rows]

    def looks(self, y):
        """Attributes of a line's second character; the first may be blank."""
        return self.rows[y][1][1]

    def read(self, timeout=0.1):
        """Read and interpret output of the program. False: there was none."""
        if not select.select({self.master} - {None}, [], [], timeout)[0]:
            return False
        data = os.read(self.master, 65536)
        self.raw += data
        self.show(data)
        return True

    def until(self, condition, seconds=20):
        """Read output until condition(text); return False after a timeout."""
        end = time.monotonic() + seconds
        while not condition(self.text()):
            self.read()
            if time.monotonic() > end:
                return False
        return True

    def settle(self, seconds=0.3):
        """Read output until the program writes nothing for that long."""
        while self.read(seconds):
            pass

    def end(self, seconds=20):
        """Return the exit status, -signal, or None: the program still runs."""
        end = time.monotonic() + seconds
        while self.status is None and time.monotonic() < end:
            self.read(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        while self.status is not None and self.read(0):
            pass
        return self.status

    def is_restored(self):
        return (self.cursor and not self.alternate and not self.look and
                termios.tcgetattr(self.slave) == self.settings)

    def hang_up(self):
        for fd in (self.slave, self.master):
            os.close(fd)
        self.master = self.slave = None

    def show(self, data):
        data = self.pending + data
        at = 0
        while at < len(data):
            found = SEQUENCE.match(data, at)
            if not found or found.group() == b'\x1b':
                # the sequence continues in the next read
                assert data[at] == 0x1b and len(data) - at < 20, data[at:at + 20]
                break
            at = found.end()
            if found['final']:
                numbers = [int(n or 0) for n in found['numbers'].split(b';')]
                self.control(found['private'] + found['final'], numbers)
            else:
                self.character(found.group())
        self.pending = data[at:]

    def character(self, c):
        if len(c) > 1:
            if c == b'\x1bM':
                if self.y == self.top:
                    self.scroll(-1)
                else:
                    self.y -= 1
            else:
                # character sets, keypad, saved cursor: without effect here
                assert c[1:2] in b'()=>', c
        elif c == b'\n':
            if self.y == self.bottom:
                self.scroll(1)
            else:
                self.y = min(self.y + 1, self.lines - 1)
        elif c == b'\r':
            self.x = 0
        elif c == b'\b':
            self.x = max(min(self.x, self.columns - 1) - 1, 0)
        elif c == b'\t':
            self.x = min(self.x // 8 * 8 + 8, self.columns - 1)
        elif c >= b' ':
            if self.x == self.columns:
                self.character(b'\r')
                self.character(b'\n')
            self.put(c.decode())
        else:
            assert c in b'\x00\x0e\x0f', c

    def put(self, c):
        self.last = c
        self.rows[self.y][self.x] = (c, self.look)
        self.x += 1

    def scroll(self, by):
        """Scroll the lines of the region up by one, or down."""
        row = self.rows.pop(self.top if by > 0 else self.bottom)
        row[:] = self.blank()
        self.rows.insert(self.bottom if by > 0 else self.top, row)

    def erase(self, y, first, last):
        self.rows[y][first:last] = self.blank()[first:last]

    def control(self, final, numbers):
        n = numbers[0] or 1
        row, x = self.rows[self.y], min(self.x, self.columns - 1)
        if final == b'H':
            self.y = min(n, self.lines) - 1
            self.x = min((numbers + [1])[1] or 1, self.columns) - 1
        elif final == b'd':
            self.y = min(n, self.lines) - 1
        elif final == b'G':
            self.x = min(n, self.columns) - 1
        elif final in (b'A', b'B'):
            self.y += -n if final == b'A' else n
            self.y = max(0, min(self.y, self.lines - 1))
        elif final in (b'C', b'D'):
            self.x = max(0, min(x + (n if final == b'C' else -n), self.columns - 1))
        elif final == b'J':
            if numbers[0] == 2:
                for y in range(self.lines):
                    self.erase(y, 0, self.columns)
            else:
                assert numbers[0] == 0, numbers
                self.erase(self.y, x, self.columns)
                for y in range(self.y + 1, self.lines):
                    self.erase(y, 0, self.columns)
        elif final == b'K':
            assert numbers[0] in (0, 1), numbers
            self.erase(self.y, *((x, self.columns) if numbers[0] == 0 else (0, x + 1)))
        elif final == b'X':
            self.erase(self.y, x, x + n)
        elif final == b'P':
            del row[x:x + n]
            row += self.blank()[:self.columns - len(row)]
        elif final == b'@':
            row[x:x] = self.blank()[:n]
            del row[self.columns:]
        elif final in (b'L', b'M', b'S', b'T'):
            top, self.top = self.top, self.y if final in (b'L', b'M') else self.top
            for _ in range(n):
                self.scroll(1 if final in (b'M', b'S') else -1)
            self.top = top
        elif final == b'b':
            for _ in range(n):
                self.put(self.last)
        elif final == b'r':
            self.top = n - 1
            self.bottom = ((numbers + [0])[1] or self.lines) - 1
            self.y = self.x = 0
        elif final == b'm':
            self.attributes(numbers)
        elif final in (b'?h', b'?l'):
            if numbers[0] == 25:
                self.cursor = final == b'?h'
            elif numbers[0] == 1049:
                self.alternate = final == b'?h'
        else:
            # title of the window; end of insert mode, which is not implemented
            assert final in (b't', b'l'), (final, numbers)

    def attributes(self, numbers):
        names = {1: 'bold', 7: 'reverse', 31: 'red', 33: 'yellow'}
        for number in numbers:
            if number in names:
                self.look |= {names[number]}
            elif number in (0, 39, 27, 22):
                off = {0: self.look, 39: {'red', 'yellow'}, 27: {'reverse'},
                       22: {'bold'}}[number]
                self.look -= off
            else:
                assert number in (49, 10), number
