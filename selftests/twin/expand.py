# SPDX-License-Identifier: GPL-2.0
"""Makes SONiC's tables of configs.yaml."""
import pathlib
import re

import yaml

from lle_twin import schema

HERE = pathlib.Path(__file__).resolve().parent


def ports(text):
    """Ethernet:0-8/4,20 -> Ethernet0, Ethernet4, Ethernet8, Ethernet20"""
    for group in text.split():
        prefix, _, numbers = group.rpartition(":")
        for part in numbers.split(","):
            found = re.fullmatch(r"(\d+)(?:-(\d+)/(\d+))?", part)
            first, last, step = (int(number) if number else 0 for number in found.groups())
            for number in range(first, (last or first) + 1, step or 1):
                yield f"{prefix}{number}"


def mapping(text):
    """identity N, N all VALUE, KEY=VALUE..., or KEY=VALUE..."""
    found = re.match(r"identity (\d+)$|(\d+) all (\d+), (.*)$", text)
    if found and found[1]:
        return {str(number): str(number) for number in range(int(found[1]))}
    pairs = dict(part.split("=", 1) for part in (found[4] if found else text).split())
    if not found:
        return pairs
    return {str(key): pairs.get(str(key), found[3]) for key in range(int(found[2]))}


def table(name, rows):
    result = {}
    for row in rows:
        key, _, text = row.partition(": ")
        if name == "CABLE_LENGTH":
            own, length = key.split()
            result.setdefault(own, {}).update(dict.fromkeys(ports(text), length))
        elif name in schema.MAPS:
            result[key] = mapping(text)
        else:
            fields = dict(part.split("=", 1) for part in text.split())
            before, at, rest = key.partition("@")
            if not at:
                result[key] = fields
                continue
            listed, bar, after = rest.partition("|")
            for port in ports(listed):
                result[f"{before}{port}{bar}{after}"] = fields
    return result


def configs():
    """name -> tables"""
    data = yaml.safe_load((HERE / "configs.yaml").read_text(encoding="utf-8"))
    return {name: {key: table(key, rows) for key, rows in one["tables"].items()}
            for name, one in data.items()}
