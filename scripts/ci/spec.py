#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the YNL spec and the C header of the netlink family.

Usage: spec.py SPEC HEADER

Prints differences: names and order of commands, attributes, enums and struct
members, and the multicast groups. Exit status: 0; 1 there is a difference.
"""
import re
import sys

import yaml


def words(header, pattern):
    """Enumerators, with names as in the spec."""
    return [w.lower().replace("_", "-") for w in re.findall(pattern, header, re.M)]


def differ(what, spec, header):
    if spec != header:
        print(f"{what}: the spec has {spec}, the header {header}")
    return spec != header


def member(m):
    """A member of a struct, as in the header."""
    if m["type"] == "pad":
        return f"u8 {m['name']}[{m['len']}]"
    return f"{m.get('struct', m['type'])} {m['name']}"


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        spec = yaml.safe_load(f)
    with open(sys.argv[2], encoding="utf-8") as f:
        header = f.read()

    commands = spec["operations"]["list"]
    attributes = spec["attribute-sets"][0]["attributes"]
    known = {a["name"] for a in attributes}
    bad = differ("commands", [c["name"] for c in commands],
                 words(header, r"^\tLLE_CMD_(?!UNSPEC)(\w+),$"))
    bad |= differ("attributes", [a["name"] for a in attributes],
                  words(header, r"^\tLLE_A_(?!UNSPEC)(\w+),$"))
    bad |= differ("groups", [g["name"] for g in spec["mcast-groups"]["list"]],
                  re.findall(r'LLE_MCGRP_\w+\s+"(\w+)"', header))
    for value, command in enumerate(commands, 1):
        parts = [p for k in ("do", "dump") for p in command.get(k, {}).values()]
        numbers = [p["value"] for p in parts if "value" in p] or [command["value"]]
        bad |= differ(f"number of {command['name']}", set(numbers), {value})
        for part in parts + [command.get("event", {})]:
            bad |= differ(f"attributes of {command['name']} that there are not",
                          set(part.get("attributes", [])) - known, set())
    for thing in spec["definitions"]:
        name = thing["name"].replace("-", "_")
        if thing["type"] == "enum":
            prefix = {"wd_action": "WD", "direction": "DIR",
                      "deadlock_cure": "DEADLOCK", "crd_role": "CRD"}[name]
            bad |= differ(name, [e["name"] for e in thing["entries"]],
                          words(header, rf"^\tLLE_{prefix}_(\w+),$"))
        else:
            body = re.search(rf"struct lle_{name} {{(.*?)}}", header, re.S)[1]
            bad |= differ(name, [member(m) for m in thing["members"]],
                          words(body, r"(?:__|struct lle_)(\w+ [\w\[\]]+);"))
    return bad


sys.exit(main())
