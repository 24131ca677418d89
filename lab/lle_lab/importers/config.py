# SPDX-License-Identifier: GPL-2.0
"""Settings of HPCC's ns-3: config.txt of simulation/scratch/third.cc of
alibaba-edu/High-Precision-Congestion-Control."""
import decimal
import math
import re

from .text import Refused, integer, rows

# names of files, of reports, and of congestion controls that the lab does not have
WITHOUT_EFFECT = set("""
    TOPOLOGY_FILE FLOW_FILE TRACE_FILE TRACE_OUTPUT_FILE FCT_OUTPUT_FILE PFC_OUTPUT_FILE
    QLEN_MON_FILE QLEN_MON_START QLEN_MON_END ENABLE_TRACE DCTCP_RATE_AI FAST_REACT U_TARGET
    MI_THRESH INT_MULTI MULTI_RATE SAMPLE_FEEDBACK PINT_LOG_BASE PINT_PROB RATE_BOUND""".split())
# what else has an effect there, and none here
NOT_CARRIED = {
    "SIMULATOR_STOP_TIME": "MS says how long flows last",
    "L2_CHUNK_SIZE": "a sender goes back to the lost packet",
    "L2_BACK_TO_ZERO": "a sender goes back to the lost packet"}
DCQCN = 1               # CC_MODE
RATES = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
HEADERS = 48            # bytes of a packet there, without payload
GROUP = 4096            # bytes that a port and priority keep for themselves
RESUME = 3072           # bytes below its limit at which a queue resumes
SHIFT = 3               # a queue takes 2^-SHIFT of the free buffer, at the rate of hosts


class Config:
    """What a file sets. Attributes have the units of the lab: bytes, bit/s."""

    def __init__(self, path, warn):
        """warn: gets what is not carried"""
        self.words = {}
        for line, (name, *words) in rows(path):
            self.words[name] = line, words
        self.check()
        self.payload = self.integer("PACKET_PAYLOAD_SIZE", 1000, 266, 9010)
        self.buffer = self.integer("BUFFER_SIZE", 16, 1, 1000) << 20
        self.marks = bool(self.integer("ENABLE_QCN", 1, 0, 1))
        interval = self.integer("L2_ACK_INTERVAL", 0, 0, 10**9)
        self.ack_every = max(1, -(-interval // self.payload))
        self.ack_is_first = bool(self.integer("ACK_HIGH_PRIO", 0, 0, 1))
        self.window = bool(self.integer("HAS_WIN", 1, 0, 1))
        self.kmin, self.kmax, self.pmax = (self.by_rate(name)
                                           for name in ("KMIN_MAP", "KMAX_MAP", "PMAX_MAP"))
        self.report(warn)

    def line(self, name):
        return f"line {self.words[name][0]}: {name}"

    def check(self):
        """Refuses what the lab does not have."""
        def refuse(name, why):
            raise Refused(f"{self.line(name)} {' '.join(self.words[name][1])}: {why}")
        if self.integer("CC_MODE", DCQCN, 0, 99) != DCQCN:
            refuse("CC_MODE", "the lab has DCQCN (1) only, and none with ENABLE_QCN 0")
        if self.number("ERROR_RATE_PER_LINK", 0):
            refuse("ERROR_RATE_PER_LINK", "links of the lab lose no packets")
        if not self.integer("USE_DYNAMIC_PFC_THRESHOLD", 1, 0, 1):
            refuse("USE_DYNAMIC_PFC_THRESHOLD", "thresholds are dynamic")
        if any(float(word) for word in self.words.get("LINK_DOWN", (0, ()))[1]):
            refuse("LINK_DOWN", "links do not fail")
        # without DCQCN the rate is that of the link
        if self.integer("HAS_WIN", 1, 0, 1) and self.integer("VAR_WIN", 0, 0, 1) and \
                self.integer("ENABLE_QCN", 1, 0, 1):
            refuse("VAR_WIN", "a window does not follow the rate of DCQCN")

    def report(self, warn):
        known = WITHOUT_EFFECT | set(NOT_CARRIED) | self.read
        if self.window and not self.integer("GLOBAL_T", 1, 0, 1):
            warn(f"{self.line('GLOBAL_T')} is not carried: all windows are that of the largest BDP")
        if self.marks:
            warn("a flow gets one CNP in 50 us, in HPCC one with each ACK of a marked packet")
        for name in self.words:
            if name in NOT_CARRIED:
                warn(f"{self.line(name)} is not carried: {NOT_CARRIED[name]}")
            elif name not in known:
                warn(f"{self.line(name)} is unknown")

    # names that the lab carries
    read = set("""
        PACKET_PAYLOAD_SIZE BUFFER_SIZE ENABLE_QCN L2_ACK_INTERVAL ACK_HIGH_PRIO HAS_WIN GLOBAL_T
        VAR_WIN CC_MODE ERROR_RATE_PER_LINK USE_DYNAMIC_PFC_THRESHOLD LINK_DOWN KMIN_MAP KMAX_MAP
        PMAX_MAP EWMA_GAIN ALPHA_RESUME_INTERVAL RATE_DECREASE_INTERVAL RP_TIMER
        FAST_RECOVERY_TIMES RATE_AI RATE_HAI MIN_RATE CLAMP_TARGET_RATE""".split())

    def integer(self, name, default, least, most):
        words = self.words.get(name, (0, [str(default)]))[1]
        return integer(self.line(name) if name in self.words else name, " ".join(words), least,
                       most)

    def number(self, name, default):
        words = self.words.get(name, (0, [str(default)]))[1]
        try:
            found = decimal.Decimal(" ".join(words))
        except decimal.InvalidOperation:
            found = decimal.Decimal("NaN")
        if not 0 <= found < 10**12:
            raise Refused(f'{self.line(name)} "{" ".join(words)[:20]}" is not a number')
        return found

    def mbps(self, name, default):
        """A rate such as 50Mb/s, in Mbit/s."""
        text = " ".join(self.words.get(name, (0, [default]))[1])
        found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([KMGT]?)(?:bps|b/s)", text)
        if not found:
            raise Refused(f'{self.line(name)} "{text[:20]}" is not a rate')
        return round(decimal.Decimal(found[1]) * RATES[found[2]] / 10**6)

    def by_rate(self, name):
        """{bit/s: number} of NUMBER RATE VALUE RATE VALUE..."""
        if name not in self.words:
            return {}
        line, words = self.words[name]
        if len(words) % 2 == 0 or words[0] != str(len(words) // 2):
            raise Refused(f"{self.line(name)}: not a number of pairs, and a rate and a value each")
        try:
            return {int(rate): float(value) for rate, value in zip(words[1::2], words[2::2])}
        except ValueError:
            raise Refused(f"line {line}: {name}: not a number") from None

    def mark(self, rate):
        """Options of wred for a link of a rate: kmin, kmax, pmax; "" without marks."""
        if not self.marks:
            return ""
        for name, found in ("KMIN", self.kmin), ("KMAX", self.kmax), ("PMAX", self.pmax):
            if rate not in found:
                raise Refused(f"{name}_MAP has no value for {int(rate)} bit/s")
        return (f"kmin {self.kmin[rate] * 1000:.0f} kmax {self.kmax[rate] * 1000:.0f} "
                f"pmax {self.pmax[rate] * 100:.6g}% ecn dequeue")

    def dcqcn(self):
        """Parameters of lle_rnic.ko."""
        for name in "EWMA_GAIN", "RP_TIMER", "RATE_AI", "RATE_HAI":
            if name not in self.words:
                raise Refused(f"{name} is missing")
        gain = self.number("EWMA_GAIN", 0)
        shift = -math.log2(gain) if gain else 0
        if shift != round(shift) or not 1 <= shift <= 16:
            raise Refused(f"{self.line('EWMA_GAIN')} {gain}: not 2^-1, 2^-2 ... 2^-16")
        # no round of increase by bytes
        return {"dcqcn_ticks": 1, "dcqcn_clamp": self.integer("CLAMP_TARGET_RATE", 1, 0, 1),
                "dcqcn_g_shift": round(shift), "dcqcn_kbytes": 4000000,
                "dcqcn_alpha_us": max(1, round(self.number("ALPHA_RESUME_INTERVAL", 55))),
                "dcqcn_cut_us": max(1, round(self.number("RATE_DECREASE_INTERVAL", 4))),
                "dcqcn_timer_us": max(1, round(self.number("RP_TIMER", 0))),
                "dcqcn_rounds": self.integer("FAST_RECOVERY_TIMES", 5, 0, 1000) + 1,
                "dcqcn_ai_mbps": self.mbps("RATE_AI", ""),
                "dcqcn_hai_mbps": self.mbps("RATE_HAI", ""),
                "dcqcn_min_mbps": max(1, self.mbps("MIN_RATE", "100Mb/s"))}

    def alpha(self, rate, host_rate):
        """The share of the free buffer: it doubles with each doubling of the rate of hosts."""
        shift = SHIFT
        while rate > host_rate and shift:
            shift, rate = shift - 1, rate // 2
        return f"1/{2**shift}" if shift else "1"

    @staticmethod
    def headroom(rate, delay_ns):
        return rate * delay_ns // 8 // 10**9 * 3
