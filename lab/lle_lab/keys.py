# SPDX-License-Identifier: GPL-2.0
"""Keys of scenarios: types, ranges, and the keys that several scenarios have.

A key is a class attribute of a scenario. Its value is an attribute of the same name of the
scenario's object: a number computes in bit/s, ns or bytes and prints as it was typed; a word
of "yes no" or "on off" is true or false and prints as it was typed.
"""
import functools
import os
import pathlib
import re

from . import units
from .errors import Refused

FLOW_SIZES = pathlib.Path(__file__).parent.parent / "flow-sizes"


class Key:
    """A key with a default. Subclasses parse the text of a value."""
    nothing = None      # the value of an empty text, if the default is empty

    def __init__(self, default, help):
        self.default, self.help = str(default), help

    def __set_name__(self, owner, name):
        self.name = name

    def parse(self, text, scenario):
        """Returns the value; raises Refused."""
        if any(map(str.isspace, text)):
            raise self.refused(text, f"has blanks ({self.help})")
        return self.value(text, scenario)

    def refused(self, text, reason):
        return Refused(f"{self.name}={text}: {reason}")

    def describe(self, scenario):
        """Range and meaning, for the list of keys."""
        return self.help


class Word(str):
    """A word; "no" and "off" are false."""

    def __bool__(self):
        return self not in ("no", "off")


class OneOf(Key):
    def __init__(self, default, words, help):
        super().__init__(default, help)
        self.words = words.split()

    def value(self, text, scenario):
        if text not in self.words:
            raise self.refused(text, f"not one of: {' '.join(self.words)} ({self.help})")
        return Word(text)

    def describe(self, scenario):
        return f"{' | '.join(self.words)}: {self.help}"


class ListOf(OneOf):
    def value(self, text, scenario):
        found = text.split(",")
        for word in found:
            if word not in self.words:
                raise self.refused(text, f"'{word}' is not one of: {' '.join(self.words)} "
                                         f"({self.help})")
            if found.count(word) > 1:
                raise self.refused(text, f"'{word}' is there twice")
        return found


class Number(Key):
    """A number from least to most; each may be a function of the keys above."""
    example = "a number"

    def __init__(self, default, least, most, help, even=False, other=None):
        """other: a word that is allowed, too"""
        super().__init__(default, help)
        self.least, self.most, self.even, self.other = least, most, even, other

    @staticmethod
    def read(text):
        return float(text) if re.fullmatch(units.NUMBER, text) else None

    def range(self, scenario):
        return [str(end(scenario) if callable(end) else end) for end in (self.least, self.most)]

    def value(self, text, scenario):
        if self.other and text == self.other:
            return Word(text)
        return self.number(text, text, scenario)

    def number(self, word, text, scenario):
        """Returns the number of a word of the text; raises Refused."""
        least, most = self.range(scenario)
        more = (", even" if self.even else "") + (f", or {self.other}" if self.other else "")
        found = self.read(word)
        if found is None:
            raise self.refused(text, f"not {self.example} from {least} to {most}{more} "
                                     f"({self.help})")
        if not self.read(least) <= found <= self.read(most):
            raise self.refused(text, f"not from {least} to {most} ({self.help})")
        if self.even and found % 2:
            raise self.refused(text, f"not from {least} to {most}{more} ({self.help})")
        return found

    def describe(self, scenario):
        return f"{'..'.join(self.range(scenario))}: {self.help}"


class Integer(Number):
    example = "an integer"

    @staticmethod
    def read(text):
        return int(text) if re.fullmatch(r"0|[1-9]\d{0,17}", text) else None


class Percent(Number):
    example = "a percentage (1%)"

    @staticmethod
    def read(text):
        return float(text[:-1]) if re.fullmatch(units.NUMBER + "%", text) else None

    def value(self, text, scenario):
        return units.Text(super().value(text, scenario), text)


class Rate(Number):
    example, read = "a rate (100gbit)", staticmethod(units.rate)


class Time(Number):
    example, read = "a time (10us)", staticmethod(units.time)


class Size(Number):
    example, read = "a size (32m)", staticmethod(units.size)


class Numbers(Number):
    """Numbers, with commas."""

    def value(self, text, scenario):
        return [self.number(word, text, scenario) for word in text.split(",")]


class Integers(Numbers):
    example, read = Integer.example, staticmethod(Integer.read)


class Names(Key):
    """Hosts and ports."""
    nothing = ()

    def value(self, text, scenario):
        if not re.fullmatch(r"([a-z]+\d+[a-z0-9]*(/[0-7])?(,|$))*", text):
            raise self.refused(text, f"not names with commas, such as h1,s1p1 ({self.help})")
        return [name for name in text.split(",") if name]


class Path(Key):
    """A file of the user. Its contents count for the version of results."""

    def value(self, text, scenario):
        if not os.path.isfile(text) or not os.access(text, os.R_OK):
            raise self.refused(text, f"no file ({self.help})")
        return pathlib.Path(text)


# Common keys: call one with the default of the scenario.
K = functools.partial(Integer, least=2, most=16, even=True,
                      help="ports of a switch of the fat tree: K*K*K/4 hosts")
RATE = functools.partial(Rate, least="10mbit", most="400gbit", help="speed of the links")
DELAY = functools.partial(Time, least="0ns", most="1ms", help="propagation delay of a link")
BUFFER = functools.partial(Size, least="128k", most="1g", help="shared buffer of a switch")
ALPHA = functools.partial(OneOf, words="1/128 1/64 1/32 1/16 1/8 1/4 1/2 1 2 4 8",
                          help="share of the free buffer that a queue may take")
BUF = functools.partial(Integer, least=80, most=100000, help="KB of buffer of a port")
KMIN = functools.partial(Integer, least=0, most=100000000,
                         help="bytes in a queue from which on packets are marked")
KMAX = functools.partial(Integer, least=0, most=100000000,
                         help="bytes in a queue at which PMAX of the packets are marked")
PMAX = functools.partial(Percent, least="0.01%", most="100%",
                         help="packets that are marked at KMAX")
MARK = functools.partial(OneOf, words="arrival dequeue", help="when switches mark packets")
OVERHEAD = functools.partial(Integer, least=0, most=64, help="bytes of preamble, FCS and gap")
SIZE = functools.partial(Integer, least=1, most=10**11, help="bytes of a flow")
FLOWS = functools.partial(Integer, least=1, most=1000, help="flows of a host")
N = functools.partial(Integer, least=1, most=1000, help="hosts that send")
PFC = functools.partial(OneOf, words="on off", help="priority 3 has PFC")
CC = functools.partial(OneOf, words="none dcqcn", help="congestion control of the senders")
VERB = functools.partial(OneOf, words="write send read", help="how messages are moved")
WATCHDOG = functools.partial(OneOf, words="yes no", help="switches have storm watchdogs")
TURN = functools.partial(Size, least=0, most="1m",
                         help="bytes that a flow of a NIC sends before the next one; 0: one packet")
MTU = functools.partial(Integer, least=256, most=9000, help="bytes of payload in a packet")
RTT = functools.partial(Time, least="1us", most="100ms", help="of a packet on an idle path")
MS = functools.partial(Integer, least=1, most=1000000, help="ms that flows last")
US = functools.partial(Integer, least=1, most=10**9, help="us of a run")
S = functools.partial(Number, least=0.001, most=10000, help="seconds that flows last")
DRAIN = functools.partial(Integer, least=0, most=10000, help="ms for flows that are left")
PERIOD = functools.partial(Integer, least=100000, most=10**9, help="ns of a run")
STAGGER = functools.partial(Integer, least=0, most=1000000,
                            help="time from the start of one flow to that of the next one")
RUNS = functools.partial(Integer, least=1, most=100000, help="runs, each drawn anew")
MODE = functools.partial(OneOf, words="exact dcfit",
                         help="algorithm of deadlock detection; dcfit: that of the paper")
LOSS = functools.partial(Integer, least=0, most=100,
                         help="percent of the congestion notifications that are lost")
PLACE = functools.partial(OneOf, words="pod same beside", help="where the victim's destination is")
PROFILE = functools.partial(OneOf, words="churn lowq", help="thresholds of LDCP")
CDF = functools.partial(OneOf, words=" ".join(sorted(p.stem for p in FLOW_SIZES.glob("*.csv"))),
                        help="distribution of the sizes of flows")
LOAD = functools.partial(Number, least=0.01, most=1, help="part of the links that flows need")
HOT_SHARE = functools.partial(Number, least=0, most=1,
                              help="part of the flows that goes to hot hosts")
PAUSES = functools.partial(OneOf, words="yes no", help="pauses of switches go to pauses.csv")
CONGESTED = functools.partial(OneOf, words="yes no", help="what RCM finds goes to congested.csv")
QUEUES = functools.partial(
    Names, help="ports of switches (s1p1; s1p1/7: priority 7) whose queue goes to queue.csv")
CAPTURE = functools.partial(
    Names, help="hosts (h1) and ports of switches (s1p1) whose packets go to NAME.pcap")
ONE_PART = functools.partial(Integer, 0, 0, 0,
                             "kernels that share the network: this scenario needs one")
