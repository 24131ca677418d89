# SPDX-License-Identifier: GPL-2.0
"""Reports and files of acts, made up for tests."""
import copy
import os


class Reports:
    """Reports of an act, which differ from a good one, and their verdict."""

    def __init__(self, act, verdict, good):
        self.act = act
        self.verdict = verdict
        self.good = good

    def bad(self, arm, **changes):
        """Failures of the good report after changes of an arm."""
        found = copy.deepcopy(self.good)
        found[arm].update(changes)
        return list(self.verdict.failures({self.act: found}))

    def refused(self, text, arm, **changes):
        found = self.bad(arm, **changes)
        assert any(text in line for line in found), \
            f"{arm} {changes}: {found}, should have {text!r}"


def qdisc(node, dev, role, peer, **drops):
    return {"node": node, "dev": dev, "role": role, "peer": peer,
            "prios": [{"drops": {}}, {"drops": drops}]}


def store(raw, act, arm, counter, samples, **files):
    """A Run of ACT with files; SAMPLES: bytes sent to each receiver, each 100 ms."""
    names = ["ns"] + [f"/sys/class/net/{port}/{counter}" for port in act.OTHERS.values()]
    rows = [names] + [[i * 10 ** 8] + [n] * len(act.OTHERS) for i, n in enumerate(samples)]
    files["sample.csv"] = "\n".join(",".join(map(str, row)) for row in rows)
    os.mkdir(os.path.join(raw, arm))
    for name, content in files.items():
        with open(os.path.join(raw, arm, name), "w", encoding="utf-8") as file:
            file.write(content)
    return act.Run(raw, arm)
