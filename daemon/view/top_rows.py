# SPDX-License-Identifier: GPL-2.0
"""losslessctl top: from two samples to rows, without any input or output."""

import re
from collections.abc import Container
from typing import Any

from common import NUM_PRIO

ALPHA_ONE, ALPHA_MAX = 10, 20
COUNTS = "rx_bytes", "tx_bytes", "dropped_packets", "rx_paused_ns", "tx_paused_ns"

Row = dict[str, Any]


class Sample:
    """State of the kernel at one time, from the answer of losslessctl -j state."""

    def __init__(self, state: dict[str, Any] | None = None) -> None:
        state = state or {}
        self.time_ns: int = state.get("time_ns", 0)
        self.switches: list[dict[str, Any]] = state.get("switches", [])
        self.ports = {(p["switch"], p["ifindex"]): p for p in state.get("ports", [])}
        self._stats = {self._key(s): s for s in state.get("prios", [])}
        self._histories = {(*self._key(h), h["direction"]): h for h in state.get("histories", [])}
        self.storms = {self._key(w) for w in state.get("watchdogs", [])
                       if w["status"] == "stormed"}

    @staticmethod
    def _key(entry: dict[str, Any]) -> tuple[int, int, int]:
        return entry["switch"], entry["ifindex"], entry["prio"]

    def stats(self, key: tuple[int, int], prio: int) -> dict[str, Any]:
        """Get the counters of a priority; none: all are 0."""
        return self._stats.get((*key, prio), {})

    def threshold(self, port: dict[str, Any]) -> int:
        """Compute the threshold of each priority of a port, bytes of the shared buffer."""
        if "xoff_bytes" in port:
            return port["xoff_bytes"]
        for switch in self.switches:
            if switch["switch"] == port["switch"]:
                free = max(switch["shared_bytes"] - switch["used_bytes"], 0)
                return (free << min(port["to_alpha"], ALPHA_MAX)) >> ALPHA_ONE
        return 0

    def paused_ns(self, key: tuple[int, int], prio: int, direction: str) -> int:
        """Compute the total time that a priority was paused until the sample."""
        history = self._histories.get((*key, prio, direction))
        if not history:
            return 0
        # a pause may have begun between the sample's time and the answer
        return history["total_ns"] + max(self.time_ns - history.get("since_ns", self.time_ns), 0)

    def counts(self, key: tuple[int, int], prio: int) -> list[int]:
        """Get the counters of COUNTS."""
        stats = self.stats(key, prio)
        return [stats.get("rx_bytes", 0), stats.get("tx_bytes", 0),
                sum(stats.get("drops", {}).values()),
                self.paused_ns(key, prio, "rx"), self.paused_ns(key, prio, "tx")]


def fill(row: Row) -> float:
    """Compute the share of its threshold that a priority uses; 1: all."""
    used = max(row["occupancy_bytes"] - row["headroom_bytes"], 0)
    return used / row["threshold_bytes"] if used and row["threshold_bytes"] else bool(used)


def make_row(now: Sample, before: Sample, key: tuple[int, int], prio: int) -> Row:
    """Describe a priority; without COUNTS if they are not known, as one began anew."""
    port, stats = now.ports[key], now.stats(key, prio)
    row = {
        "ifname": port["ifname"], "ifindex": port["ifindex"], "switch": port["switch"],
        "prio": prio, "lossless": prio in port["pfc_prios"],
        "stormed": (*key, prio) in now.storms,
        "rx_paused": stats.get("rx_paused", False), "tx_paused": stats.get("tx_paused", False),
        "occupancy_bytes": stats.get("occupancy_bytes", 0), "headroom_bytes": stats.get("headroom_bytes", 0),
        "threshold_bytes": now.threshold(port), "backlog_bytes": stats.get("backlog_bytes", 0)}
    if key not in before.ports:
        return row
    grown = [new - old for new, old in zip(now.counts(key, prio), before.counts(key, prio))]
    if min(grown) < 0:
        return row
    # a pause may have ended after the sample's time
    interval_ns = now.time_ns - before.time_ns
    return row | dict(zip(COUNTS, grown[:3] + [min(ns, interval_ns) for ns in grown[3:]]))


def is_wanted(row: Row, stats: dict[str, Any], active: bool) -> bool:
    """Show this row?  active: only with packets queued, traffic or pauses."""
    if any(row[key] for key in ("stormed", "rx_paused", "tx_paused", "occupancy_bytes",
                                "backlog_bytes")):
        return True
    if active:
        return any(row.get(key) for key in COUNTS)
    return row["lossless"] or any(stats.get(key) for key in ("rx_packets", "tx_packets"))


def by_name(row: Row) -> tuple[Any, ...]:
    """Order by switch, name and priority; numbers in names by their value."""
    words = re.split("([0-9]+)", row["ifname"])
    return row["switch"], [(int(word), word) if word.isdigit() else word for word in words], \
        row["prio"]


ORDERS = {
    "name": by_name,
    "buffer": lambda row: (-fill(row), by_name(row)),
    "paused": lambda row: (-max(row.get(key, 0) for key in COUNTS[3:]), by_name(row)),
}


def make_rows(now: Sample, before: Sample, order: str, active: bool,
              devs: Container[str]) -> list[Row]:
    """Make the rows; devs: names of ports; empty: all."""
    rows = []
    for key, port in now.ports.items():
        for prio in range(NUM_PRIO) if not devs or port["ifname"] in devs else ():
            row = make_row(now, before, key, prio)
            if is_wanted(row, now.stats(key, prio), active):
                rows.append(row)
    return sorted(rows, key=ORDERS[order])
