# SPDX-License-Identifier: GPL-2.0
"""The ASIC table: data/asics.yaml."""
import functools
import pathlib
import re

import yaml

from .errors import Usage

FIELDS = ("cell", "layers", "xoff", "reserved", "memory", "port_max", "levels", "alpha",
          "xon_pool", "low_alpha", "mac_phy", "tile")
USUAL = {"layers": 1, "levels": 1, "alpha": {}, "xon_pool": False, "low_alpha": False,
         "mac_phy": 0.8, "tile": 0}


class Asic:
    """One row. An attribute without a cell is None, or the usual value of USUAL."""

    def __init__(self, name, row):
        self.name = name
        self.vendor = row.get("vendor", "")
        self.match = re.compile(row.get("match", "(?!)"), re.I)
        self.dispute = row.get("dispute", "")
        self.known = name != "unknown"
        self.sources = {}
        for field in FIELDS:
            cell = row.get(field)
            value = cell[0] if cell else USUAL.get(field)
            if cell:
                self.sources[field] = cell[1]
            setattr(self, field, value)

    def bytes(self, length):
        """Bytes of buffer that a packet takes."""
        return -(-length // self.cell) * self.cell if self.cell else length

    def factor(self, mtu):
        """Bytes of buffer for a byte of packets of the MTU."""
        return self.bytes(mtu + 18) / (mtu + 18)

    def multiplier(self, code):
        """alpha of a dynamic_th."""
        meaning = self.alpha.get(code)
        return {"zero": 0.0, "infinite": float("inf")}.get(meaning, 2.0 ** code)

    def about(self):
        words = [f"cell {self.cell}" if self.cell else "cell unknown"]
        if self.layers > 1:
            words.append(f"{self.layers} layers")
        words.append({"in": "size includes the headroom pool", "out": "headroom pool apart"}
                     .get(self.xoff, "meaning of size unknown"))
        return f"{self.name}: {', '.join(words)}"


@functools.lru_cache(None)
def table():
    path = pathlib.Path(__file__).with_name("data") / "asics.yaml"
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))["asics"]
    return {name: Asic(name, row) for name, row in rows.items()}


def unknown():
    return Asic("unknown", {})


def find(words, forced=""):
    """The ASIC of a platform and HwSKU; --asic forces one."""
    if forced and forced != "auto":
        for name, asic in table().items():
            if name.lower() == forced.lower():
                return asic
        raise Usage(f"--asic: there is no {forced}; the table has {', '.join(table())}")
    found = [asic for asic in table().values() if words.strip() and asic.match.search(words)]
    return found[0] if found else unknown()
