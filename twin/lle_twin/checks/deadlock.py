# SPDX-License-Identifier: GPL-2.0
"""D: cyclic buffer dependencies of (link, priority)."""
from . import ERROR, WARNING, Found, check
from ..wiring import cycle


@check("D1", ERROR, "no cycle of pauses",
       "the graph of (link, priority) dependencies, over the routes or up and down the tiers, "
       "has no cycle",
       "SONiC PR 950; Dally and Seitz 1987", fabric=True)
def d1(fabric):
    edges = fabric.dependencies()
    found = cycle(edges)
    if found:
        path = " > ".join(f"{one}:{prio}" for (one, _, _), prio in found)
        first = found[0][0][0]
        yield Found(f"prio {found[0][1]}", f"pauses can wait for each other: {path}", len(found),
                    0, "links", severity=ERROR if fabric.sure() else WARNING, device=first)
