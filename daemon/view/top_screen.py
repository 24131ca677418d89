# SPDX-License-Identifier: GPL-2.0
"""losslessctl top: lines on a terminal, and keys."""

import contextlib
import curses
import os
import select
import signal
import time
from typing import Any

import common
from top_rows import ORDERS, Row

HELP = " q quit   s sort   a active only   space hold   arrows scroll"
QUIT = signal.SIGINT, signal.SIGTERM, signal.SIGHUP


class Screen:
    """The terminal, in a with statement.

    first: the first row that is shown; page: rows that fit
    held: take no new samples
    """

    def __init__(self, top: Any) -> None:
        self.top = top
        self.first = self.page = 0
        self.held = False
        try:
            curses.setupterm(fd=1)
        except curses.error:
            common.fail(f'top: terminal "{os.environ.get("TERM", "")}" is not known;'
                        " -b does without")

    def __enter__(self) -> "Screen":
        self.window = curses.initscr()
        curses.cbreak()
        curses.noecho()
        curses.nonl()
        self.window.keypad(True)
        self.window.nodelay(True)
        curses.set_escdelay(50)
        self.red = self.yellow = 0
        with contextlib.suppress(curses.error):
            curses.curs_set(0)
        with contextlib.suppress(curses.error):
            curses.start_color()
            curses.use_default_colors()
            curses.init_pair(1, curses.COLOR_RED, -1)
            curses.init_pair(2, curses.COLOR_YELLOW, -1)
            self.red, self.yellow = curses.color_pair(1), curses.color_pair(2)
        # signals end the wait: a new size, or the end of the program, as q does
        self.signals, end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(end)
        for number in (*QUIT, signal.SIGWINCH):
            signal.signal(number, lambda *_: None)
        return self

    def __exit__(self, *_: object) -> None:
        # the terminal may be gone
        with contextlib.suppress(curses.error):
            curses.endwin()

    def line(self, y: int, text: str, look: int = 0) -> None:
        """Draw a line; what does not fit is cut off."""
        if 0 <= y < curses.LINES:
            # unlike addnstr(), this can fill the last line
            self.window.insnstr(y, 0, text, curses.COLS, look)

    def reverse(self, y: int, text: str) -> None:
        """Draw a line in reverse video, over the whole width."""
        self.line(y, text.ljust(curses.COLS), curses.A_REVERSE)

    def look(self, row: Row) -> int:
        """Choose the attributes of a row."""
        if row["stormed"]:
            return curses.A_BOLD | self.red
        return self.yellow if row["rx_paused"] or row["tx_paused"] else 0

    def show(self) -> bool:
        """Draw the screen."""
        top = self.top
        top.refresh()
        self.window.erase()
        self.line(0, top.title(), curses.A_BOLD | (self.red if top.now.storms else 0))
        # use at most a third of the screen
        lines, room = top.switches(), curses.LINES // 3
        if len(lines) > room:
            lines[max(room - 1, 0):] = [f"and {len(lines) - max(room - 1, 0)} more switches"]
        for y, line in enumerate(lines, 1):
            self.line(y, line)
        y = len(lines) + 1
        # without the column heads and the last line
        self.page = max(curses.LINES - y - 2, 0)
        self.first = max(min(self.first, len(top.rows) - self.page), 0)
        head, *lines = top.table(curses.COLS)
        self.reverse(y, head)
        for i in range(self.first, min(self.first + self.page, len(lines))):
            self.line(y + 1 + i - self.first, lines[i], self.look(top.rows[i]))
        self.reverse(curses.LINES - 1, HELP + ("   HELD" if self.held else ""))
        self.window.refresh()
        return True

    def key(self, key: int) -> bool:
        """Obey a key. False: quit."""
        match key:
            case 113:  # q
                return False
            case 115:  # s
                orders = list(ORDERS)
                self.top.order = orders[(orders.index(self.top.order) + 1) % len(orders)]
            case 97:  # a
                self.top.active = not self.top.active
            case 32:  # space
                self.held = not self.held
            case curses.KEY_UP:
                self.first -= 1
            case curses.KEY_DOWN:
                self.first += 1
            case curses.KEY_PPAGE:
                self.first -= self.page
            case curses.KEY_NPAGE:
                self.first += self.page
            case curses.KEY_HOME:
                self.first = 0
            case curses.KEY_END:
                self.first = len(self.top.rows)
        return True

    def wait(self, due: float) -> bool:
        """Wait for the next round, and draw meanwhile. False: quit."""
        poll = select.poll()
        poll.register(0, select.POLLIN)
        poll.register(self.signals, select.POLLIN)
        while True:
            # at least one look at the keys, also if the round is late
            left = None if self.held else max(due - time.monotonic(), 0) * 1000
            events = dict(poll.poll(left))
            if events.get(0, 0) & ~select.POLLIN:
                return False
            if self.signals in events:
                if set(os.read(self.signals, 4096)) & set(QUIT):
                    return False
                size = os.get_terminal_size(1)
                curses.resizeterm(size.lines, size.columns)
            while (key := self.window.getch()) != -1:
                if not self.key(key):
                    return False
            if not self.held and time.monotonic() >= due:
                return True
            self.show()
