# SPDX-License-Identifier: GPL-2.0
"""Numbers and names as losslessctl prints them."""

from typing import Any

from common import printable


def time_text(ns: int) -> str:
    """Format a time with three decimal places."""
    for unit, name in ((10**9, "s"), (10**6, "ms"), (1000, "us")):
        if ns >= unit:
            return f"{ns // unit}.{ns % unit * 1000 // unit:03}{name}"
    return f"{ns}ns"


def bytes_text(num: int) -> str:
    """Round a number of bytes, with a unit that is a power of 1000."""
    units = ["bytes", "kB", "MB", "GB"]
    while len(units) > 1 and num >= 10000:
        num = (num + 500) // 1000
        del units[0]
    return f"{num} {units[0]}"


def peer_text(port: dict[str, Any], unknown: str) -> str:
    """Name the device at the other end of a port's link, or its MAC address."""
    return printable(port["peer"]) if "peer" in port else port.get("peer_mac", unknown)
