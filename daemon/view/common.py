# SPDX-License-Identifier: GPL-2.0
"""What the commands of losslessctl that are written in Python share.

losslessctl runs them: it finds the command, and passes options and words on. Each
begins with "#!/usr/bin/python3 -ESsBXutf8": nothing of the user is imported, no file is
written beside the sources, and names may have any bytes.
"""

import getopt
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

OK, FAIL, USAGE = range(3)
NUM_PRIO = 8

# the program that runs this one
CTL = os.environ.get("LOSSLESSCTL", "losslessctl")


def say(text: str) -> None:
    """Print a message of one line, after earlier output."""
    sys.stdout.flush()
    print(f"losslessctl: {text}", file=sys.stderr)


def fail(text: str) -> NoReturn:
    """End with an error message of one line."""
    say(text)
    sys.exit(FAIL)


class View:
    """A run of a command.

    name: its words in the table of losslessctl, such as "deadlock graph"
    letters, names: its own options, as getopt has them; -j, -p, -h and -V are of all
    most: number of words that it takes, if that is limited
    Result: json, pretty; options: (letter or long name, value); words: the others
    """

    def __init__(self, name: str, letters: str = "", names: Iterable[str] = (),
                 most: int | None = None) -> None:
        self.name = name
        self.json = self.pretty = False
        self.options: list[tuple[str, str]] = []
        self.words: list[str] = []
        try:
            options, self.words = getopt.gnu_getopt(sys.argv[1:], letters + "jphV", [
                *names, "json", "pretty", "help", "version"])
        except getopt.GetoptError as error:
            self.wrong(str(error))
        for option, value in options:
            match option:
                case "-j" | "--json":
                    self.json = True
                case "-p" | "--pretty":
                    self.json = self.pretty = True
                case "-h" | "--help":
                    os.execvp(CTL, [CTL, *name.split(), "--help"])
                case "-V" | "--version":
                    os.execvp(CTL, [CTL, option])
                case _:
                    self.options.append((option, value))
        if most is not None and len(self.words) > most:
            self.wrong(f'{name}: unknown argument "{self.words[most]}"')

    def wrong(self, text: str) -> NoReturn:
        """End with an error message about the command line."""
        say(text)
        said = subprocess.run([CTL, *self.name.split(), "--help"], stdout=subprocess.PIPE,
                              text=True, check=False).stdout
        usage = "losslessctl [-j] [-p] "
        for line in said.splitlines():
            if f"{line} ".startswith(f"{usage}{self.name} "):
                print(f"Usage: losslessctl {line.removeprefix(usage)}", file=sys.stderr)
        print(f"Try: losslessctl {self.name.split()[0]} --help", file=sys.stderr)
        sys.exit(USAGE)

    def show_json(self, document: Any) -> None:
        """Print a document."""
        separators = None if self.pretty else (",", ":")
        print(json.dumps(document, ensure_ascii=False, separators=separators,
                         indent=2 if self.pretty else None))


def ctl(*words: str, prefix: Sequence[str] = (), quiet: bool = False) -> Any:
    """Get what losslessctl -j prints; prefix: a command that runs it elsewhere.

    A failure, after its message, ends this program, too. quiet: without warnings.
    """
    done = subprocess.run([*prefix, CTL, "-j", *words], capture_output=True, check=False)
    if done.returncode or not quiet:
        print(decode(done.stderr), end="", file=sys.stderr)
    if done.returncode:
        sys.exit(FAIL if prefix else done.returncode)
    return json.loads(decode(done.stdout))


def decode(data: bytes) -> str:
    """Decode the output of a program: names of devices may have any bytes."""
    return data.decode(errors="surrogateescape")


def printable(name: str) -> str:
    """Replace each byte of a device's name that a terminal must not get."""
    return "".join(chr(byte) if ord(" ") < byte <= ord("~") else "?"
                   for byte in os.fsencode(name))


def rate_text(rate: int) -> str:
    """Format bytes per second in the largest unit of which they are a multiple."""
    bits = 8 * rate
    if not bits:
        return "-"
    units = ["bit", "Kbit", "Mbit", "Gbit"]
    while len(units) > 1 and not bits % 1000:
        bits //= 1000
        del units[0]
    return f"{bits}{units[0]}"


def prios_text(prios: Iterable[int]) -> str:
    """Format priorities as a list."""
    return ",".join(map(str, sorted(prios))) or "-"


def run(main: Callable[[], int]) -> NoReturn:
    """Run a command, with signals and output as programs in C have them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        try:
            ret = main()
        finally:
            sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        fail(f"standard output: {error.strerror}")
    sys.exit(ret)
