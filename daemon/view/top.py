#!/usr/bin/python3 -ESsBXutf8
# SPDX-License-Identifier: GPL-2.0
"""losslessctl top."""

import contextlib
import json
import re
import subprocess
import sys
import time

import common
from top_rows import COUNTS, ORDERS, Row, Sample, fill, make_rows

# characters of a line in batch mode, and of all columns but number, name and bar
WIDTH, FIXED = 80, 54


def number(value: float, base: int) -> str:
    """Format with three digits and a unit letter, at most five characters."""
    units = " KMGTPE"
    while value >= 999.5 and len(units) > 1:
        value /= base
        units = units[1:]
    places = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    if units[0] == " " and value == int(value):
        places = 0
    return f"{value:.{places}f}{units[0].strip()}"


def bar(width: int, share: float, over: bool) -> str:
    """Draw a bar; over: mark its end."""
    inner = width - 2
    # show any share above 0
    full = max(int(min(share, 1) * inner), share > 0)
    line = ("|" * full).ljust(inner)
    return f'[{line[:-1] + "!" if over else line}]'


class Top:
    """A run of top.

    now, before: the newest sample and the previous one, at first empty
    rows: rows of these samples, as order, active and devs want them
    """

    def __init__(self, devs: list[str]) -> None:
        self.devs = devs
        self.order = "name"
        self.active = False
        self.now = self.before = Sample()
        self.rows: list[Row] = []

    def ask(self) -> None:
        """Take a sample; if ports come and go all the time, show the last one again."""
        for attempt in range(2):
            done = subprocess.run([common.CTL, "-j", "state"], capture_output=True, check=False)
            why = common.decode(done.stderr)
            # Ctrl-C ends the other program, too: this one sees the signal when it waits
            if done.returncode <= 0 or why.endswith("; try again\n"):
                break
            # the module may have been unloaded, or reloaded, meanwhile
            if attempt:
                sys.exit(why.rstrip("\n") or common.FAIL)
        if not done.returncode:
            # a warning, once
            sys.stderr.write("" if self.now.time_ns else why)
            self.before = self.now
            self.now = Sample(json.loads(common.decode(done.stdout)))

    @property
    def interval_ns(self) -> int:
        """Time between the samples."""
        return self.now.time_ns - self.before.time_ns

    def refresh(self) -> None:
        """Make the rows."""
        self.rows = make_rows(self.now, self.before, self.order, self.active, self.devs)

    def title(self) -> str:
        """Format the first line."""
        return (f'losslessctl top - {time.strftime("%H:%M:%S")}   storms: {len(self.now.storms)}'
                f'   rows: {len(self.rows)}{" active" if self.active else ""}, by {self.order}')

    def switches(self) -> list[str]:
        """Format the lines of the switches."""
        lines = []
        for sw in self.now.switches:
            used, of, most = (sw[key] for key in ("used_bytes", "shared_bytes", "used_max_bytes"))
            lines.append(f'switch {sw["switch"]} {bar(30, used / (of or 1), False)} '
                         f"{number(used, 1024)} of {number(of, 1024)}, max {number(most, 1024)}"
                         f'{", discards" if sw["discard"] else ""}')
        return lines

    def table(self, width: int) -> list[str]:
        """Format the column heads, and the rows."""
        number_width = max([2, *(len(str(row["switch"])) for row in self.rows)])
        name_width = max([4, *(len(common.printable(row["ifname"])) for row in self.rows)])
        bar_width = min(max(width - FIXED - number_width - name_width, 6), 42)

        def line(*words: object, state: str) -> str:
            sw, name, prio, fills, *numbers, drops = words
            return (f"{sw:>{number_width}} {name:<{name_width}} {prio} {fills:<{bar_width}} "
                    f'{" ".join(f"{word:>5}" for word in numbers)} {drops:>6}{state}')

        return [line("SW", "PORT", "P", "BUFFER", "USED", "QUEUE", "RX", "TX", "RX-P%", "TX-P%",
                     "DROP/s", state=" STATE"), *(
            line(row["switch"], common.printable(row["ifname"]), row["prio"],
                 bar(bar_width, fill(row), row["headroom_bytes"] > 0),
                 number(row["occupancy_bytes"], 1024), number(row["backlog_bytes"], 1024),
                 *self._counts(row), state=state_of(row)) for row in self.rows)]

    def _counts(self, row: Row) -> list[str]:
        if COUNTS[0] not in row:
            return ["-"] * len(COUNTS)
        rx, tx, drops, *paused = (row[key] for key in COUNTS)
        interval_ns = self.interval_ns
        return [number(rx * 8e9 / interval_ns, 1000), number(tx * 8e9 / interval_ns, 1000),
                *(f"{ns * 100 / interval_ns:.1f}" if ns else "0" for ns in paused),
                number(drops * 1e9 / interval_ns, 1000)]

    def show_batch(self, view: common.View) -> None:
        """Print a round."""
        self.refresh()
        if view.json:
            view.show_json({"time_ns": self.now.time_ns, "interval_ns": self.interval_ns,
                            "storms": len(self.now.storms), "switches": self.now.switches,
                            "prios": self.rows})
        else:
            print(self.title(), *self.switches(), *self.table(WIDTH), "", sep="\n")
        sys.stdout.flush()


def state_of(row: Row) -> str:
    """Name the state of a row."""
    return " STORM" if row["stormed"] else " PAUSED" if row["rx_paused"] else \
        " PAUSES" if row["tx_paused"] else ""


def number_of(view: common.View, word: str) -> int:
    """Read the number of rounds."""
    if not re.fullmatch("[0-9]+", word) or not 1 <= int(word) < 1 << 32:
        view.wrong(f'rounds: "{word}" is not a number of 1..4294967295')
    return int(word)


def seconds_of(view: common.View, word: str) -> float:
    """Read the time between rounds: no sign, and no exponent."""
    if not re.fullmatch(r"[0-9]+\.?[0-9]*|\.[0-9]+", word) or not 0.1 <= float(word) <= 3600:
        view.wrong(f'top: "{word}" is not a number of seconds, 0.1..3600')
    return float(word)


def main() -> int:
    """Run top [-b] [-d SECONDS] [-n ROUNDS] [DEV...]."""
    view = common.View("top", "bd:n:", ["batch", "delay=", "rounds="])
    batch, delay, rounds = view.json, 1.0, 0
    for option, value in view.options:
        match option:
            case "-b" | "--batch":
                batch = True
            case "-d" | "--delay":
                delay = seconds_of(view, value)
            case _:
                rounds = number_of(view, value)
    # a wrong name is an error at the start; later, ports come and go
    top = Top([common.ctl("port", "show", dev)[0]["ifname"] for dev in view.words])
    screen: contextlib.AbstractContextManager = contextlib.nullcontext()
    if not batch:
        if not sys.stdin.isatty() or not sys.stdout.isatty():
            common.fail("top: this is no terminal; -b does without")
        # the machine of a batch may lack curses
        from top_screen import Screen  # pylint: disable=import-outside-toplevel
        screen = Screen(top)
    top.ask()
    due = time.monotonic()
    done = 0
    with screen:
        # the first sample has no rates: only a screen shows it
        while batch or screen.show():
            if done and batch:
                top.show_batch(view)
            if rounds and done == rounds:
                break
            due = max(due + delay, time.monotonic())
            if batch:
                time.sleep(max(due - time.monotonic(), 0))
            elif not screen.wait(due):
                break
            top.ask()
            done += 1
    return common.OK


common.run(main)
