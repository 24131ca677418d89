# SPDX-License-Identifier: GPL-2.0
"""Numbers in words, and tables, for the verdicts and the page."""

STALLED = 0.1  # a victim stalls below that share of the rate before
WELL = 0.9


def number(value, unit=""):
    """A value that was not measured is a dash, never 0."""
    if value is None:
        return "-"
    return f"{value:,}".replace(",", " ") + unit


def size(text):
    """A size in the format of tc, for readers: 350k is 350 KB."""
    return f"{text[:-1]} {text[-1].upper()}B"


def together(arm, when):
    return sum(arm[when].values())


def host(peer):
    """Host number N has the address 02:00:00:00:x:y of the bytes of N."""
    return f"host {int(peer[-5:].replace(':', ''), 16)}"


def table(title, heads, arms, rows, width=24):
    """Text with a column for each of ARMS; ROWS are (label, text of an arm)."""
    text = f"{title:<28}" + "".join(f"{h:>{width}}" for h in heads) + "\n"
    for label, show in rows:
        text += f"  {label:<26}" + "".join(f"{show(arm):>{width}}" for arm in arms) + "\n"
    return text + "\n"
