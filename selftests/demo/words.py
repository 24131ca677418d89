# SPDX-License-Identifier: GPL-2.0
"""Numbers in words, and tables, as the verdicts and the page have them."""

STALLED = 0.1  # of the throughput before
WELL = 0.9


def number(value, unit=""):
    """What was not measured is a dash, never 0."""
    if value is None:
        return "-"
    return f"{value:,}".replace(",", " ") + unit


def size(text):
    """As tc takes it, for readers: 350k is 350 KB."""
    return f"{text[:-1]} {text[-1].upper()}B"


def together(arm, when):
    return sum(arm[when].values())


def host(peer):
    """The testbed gives host number N the address 02:00:00:00:x:y of the bytes of N."""
    return f"host {int(peer[-5:].replace(':', ''), 16)}"


def table(title, heads, arms, rows):
    """As text: a column each of ARMS; ROWS are (label, text of an arm)."""
    text = f"{title:<28}" + "".join(f"{h:>24}" for h in heads) + "\n"
    for label, show in rows:
        text += f"  {label:<26}" + "".join(f"{show(arm):>24}" for arm in arms) + "\n"
    return text + "\n"
