# SPDX-License-Identifier: GPL-2.0
"""`show` and `what-if`: the effective model of a switch, a line for each lossless profile."""
import math

from . import headroom

COLUMNS = ("profile", "groups", "alpha", "T(1)", "T(8)", "T(all)", "XON below", "headroom",
           "need", "ECN first up to")


def ecn_limit(shared, alpha, kmin):
    """Groups up to which ECN begins before PFC: n = S/kmin - 1/alpha; None: never."""
    if not shared or not kmin or not alpha:
        return None
    return shared / kmin - (0 if math.isinf(alpha) else 1 / alpha)


def kmin_of(switch, places):
    """Least threshold of green packets of the queues of a profile's priorities."""
    found = []
    for port, prio in places:
        fields = switch.schedule.get((port.name, prio), {})
        wred = switch.table("WRED_PROFILE").get(
            fields.get("wred_profile", "").strip("[]").split("|")[-1], {})
        text = wred.get("green_min_threshold", "")
        if text.isdigit():
            found.append(int(text))
    return min(found, default=None)


def model(switch):
    """Rows of numbers, in bytes."""
    rows = []
    for name, places in sorted(switch.lossless_profiles().items()):
        profile = switch.profiles[name]
        port = places[0][0]
        shared, alpha = switch.shared(profile.pool), switch.alpha(profile)
        need = headroom.need(port.speed, port.cable, switch.mtu, switch.reaction) \
            if port.speed and port.cable else None
        t = {n: switch.threshold(profile, n) for n in (1, 8, max(1, len(places)))}
        xon = None if t[1] is None or math.isinf(t[1]) else max(
            profile.xon or 0, t[1] - (profile.xon_offset or 0))
        rows.append(dict(zip(COLUMNS, (
            name, len(places), alpha, t[1], t[8], t[max(1, len(places))], xon, profile.xoff, need,
            ecn_limit(shared, alpha, kmin_of(switch, places))))))
    return rows


def pools(switch):
    return [{"pool": pool.name, "type": pool.type, "mode": pool.mode, "size": pool.size,
             "headroom pool": pool.xoff, "shared (a layer)": switch.shared(pool)}
            for pool in switch.pools.values()]


def plain(value):
    """A value for people."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return "infinite" if math.isinf(value) else f"{value:.4g}" if abs(value) < 10 else \
            str(math.floor(value))
    return str(value)


def grid(rows):
    """Lines of a table, columns aligned."""
    if not rows:
        return []
    names = list(rows[0])
    text = [names, *([plain(row[name]) for name in names] for row in rows)]
    width = [max(len(line[i]) for line in text) for i in range(len(names))]
    return ["  ".join(part.ljust(size) for part, size in zip(line, width)).rstrip()
            for line in text]


def finite(rows):
    """For JSON, which has no infinity."""
    return [{name: "infinite" if isinstance(value, float) and math.isinf(value) else value
             for name, value in row.items()} for row in rows]


def show(switch):
    lines = [f"{switch.name}  {switch.asic.about()}"]
    lines += [f"  {line}" for line in grid(pools(switch)) + [""] + grid(model(switch))]
    if switch.asic.dispute:
        lines.append(f"  disputed: {switch.asic.dispute}")
    return lines


def compare(before, after):
    """Lines of what a change changes."""
    lines = []
    old = {row["profile"]: row for row in model(before)}
    for row in model(after):
        was = old.get(row["profile"])
        if was is None:
            lines.append(f"{row['profile']}: new")
            continue
        changes = [f"{name} {plain(was[name])} -> {plain(row[name])}" for name in COLUMNS
                   if was[name] != row[name]]
        if changes:
            lines.append(f"{row['profile']}: {', '.join(changes)}")
    lines += [f"{name}: gone" for name in old if name not in {row["profile"]
                                                             for row in model(after)}]
    return lines or ["nothing changes"]
