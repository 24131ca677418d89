#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Generates the tables by which the client library decodes messages.

Usage: ynl_tables.py [-s] SPEC [OTHER...]

Prints build/gen/netlink_tables.h: for each message, and for each attribute set
that is nested in one, the type of each attribute and the member of the struct
that takes it. A member is called as its attribute, unless NAMES says otherwise.
-s: prints build/gen/state.h: the structs of these sets, and the names of enums.

Exit status: 0; 1 an attribute, operation or enum entry of SPEC or OTHER has no
doc, a set has an attribute twice, or a table here names one that there is not.
"""
import sys
import textwrap

import yaml

WHO = {"ifindex": "who.ifindex", "ifname": "who.ifname", "switch": "who.sw"}
BYTES = {n: n.replace("-", "_") + "_bytes"
         for n in ("buffer", "shared", "used", "used-max", "mtu", "xoff", "headroom",
                   "headroom-need", "backlog")}

# message: struct, attributes that may be absent, names of members
MESSAGES = {
    "switch-get": ("lle_nl_switch", (),
                   BYTES | {"deadlock-action": "deadlock", "deadlock-stats": "deadlocks"}),
    "port-get": ("lle_nl_port",
                 ("peer", "peer-mac", "rcm", "unaccounted", "unaccounted-ifindex", "time-ns",
                  "prio-stats"), WHO | BYTES | {"prio-stats": "stats"}),
    "port-ntf": ("lle_nl_port", ("peer", "peer-mac", "rcm", "author", "author-pid"),
                 WHO | BYTES),
    "port-del-ntf": ("lle_nl_port", ("author", "author-pid"), WHO),
    "history-get": ("lle_nl_history", ("since-ns", "episode"),
                    WHO | {"episode": "episodes, num_episodes"}),
    "watchdog-get": ("lle_nl_watchdog", (), WHO),
    "queue-get": ("lle_nl_queue", (), WHO | BYTES | {"waiting": "waiting, num_waiting"}),
    "congestion-get": ("lle_nl_congestion", ("congested",),
                       WHO | {"state": "info", "congested": "ids, num_ids"}),
    "path-get": ("lle_nl_path", ("moved", "saved"),
                 {"switch": "sw", "id": "group", "member": "ifindex, ports",
                  "moved": "stats.moved", "saved": "stats.saved"}),
    "deadlock-get": ("lle_nl_deadlock", ("initiator", "trigger"),
                     {n: "info." + n.replace("-", "_")
                      for n in ("number", "prio", "cure", "resolved", "bytes", "parked-bytes",
                                "dropped-bytes", "initiator", "trigger", "since-ns",
                                "declared-ns", "reported-ns")} |
                     {"switch": "sw", "complete": "info.loop", "hop": "hops, num_hops"}),
    "pause-ntf": ("lle_nl_pause", (), WHO),
    "storm-ntf": ("lle_nl_storm", ("peer-mac",), WHO),
    "congestion-ntf": ("lle_nl_root", (), WHO),
    "headroom-ntf": ("lle_nl_headroom", (),
                     WHO | {"headroom": "headroom_bytes", "headroom-need": "need_bytes"}),
    "unaccounted-ntf": ("lle_nl_unaccounted", (),
                        WHO | {"unaccounted": "packets", "unaccounted-ifindex": "ifindex"}),
}

ALL = object()
# nested attribute set: as above; ALL: a set of counters
NESTED = {
    "deadlock-stats": ("lle_deadlock_stats", ALL, {}),
    "prio-stats": ("lle_prio_stats", ALL, {}),
    "episode": ("lle_episode", (), {"duration-ns": "ns"}),
    "watchdog-stats": ("lle_watchdog_stats", ALL, {}),
    "waiting": ("lle_waiting", (), {}),
    "deadlock-pause": ("lle_deadlock_who", (), {"switch": "sw"}),
    "deadlock-hop": ("lle_deadlock_hop", ("trigger",), {"switch": "sw"}),
    "congestion-state": ("lle_congestion", ALL, {}),
    "congested": ("lle_congested", (), {}),
}


def c(name):
    return name.replace("-", "_")


def attribute(of, name):
    return f"LOSSLESS_A_{of}_{name}".upper().replace("-", "_")


def entry(a, struct, member):
    """The macro of decode.c for an attribute."""
    what = f"struct {struct}, {member}"
    many = "S" if a.get("multi-attr") else ""
    if a["name"] == "prio-stats":
        return f"PRIOS({c(a['nested-attributes'])}, {what})"
    if a["type"] == "nest":
        return f"NEST{many}({c(a['nested-attributes'])}, {what})"
    if a["type"] == "string":
        return f"NAME({what})"
    if a["type"] == "binary":
        return f"BYTES({what})"
    if a["type"] == "u64" and not many:
        return f"COUNTER({what})"
    return f"NUMBER{many}({what})"


def table(name, of, attributes, struct, optional, names):
    """A table, as C."""
    lines = [f"static const struct lle_nl_field lle_nl_{c(name)}_fields[] = {{"]
    required = []
    for a in attributes:
        member = names.get(a["name"], c(a["name"]))
        number = attribute(of, a["name"])
        line = f"\t[{number}] = {entry(a, struct, member)},"
        if len(line.expandtabs(8)) > 80:
            line = line.replace("] = ", "] =\n\t\t", 1)
        lines.append(line)
        if optional is not ALL and a["name"] not in optional:
            required.append(f"REQUIRED({number})")
    lines += ["};", "", f"static const struct lle_nl_table lle_nl_{c(name)}_table = {{",
              f"\tTABLE(lle_nl_{c(name)}_fields),",
              "\t.required = " + " |\n\t\t".join(required or ["0"]) + ",", "};", ""]
    return "\n".join(lines)


def comment(text, indent):
    """A sentence of the spec, as comment."""
    lines = textwrap.wrap(text, 80 - len(indent.expandtabs(8)))
    if len(lines) == 1:
        return f"{indent}/* {lines[0]} */"
    return "\n".join([f"{indent}/*", *(f"{indent} * {line}" for line in lines), f"{indent} */"])


def define(of, doc, attributes):
    """A struct, as C."""
    name, _, names = NESTED[of]
    lines = ["", comment(doc, ""), f"struct {name} {{"]
    for a in attributes:
        kind = (f"struct {NESTED[a['nested-attributes']][0]}" if a["type"] == "nest" else
                f"__{a['type']}")
        lines += [comment(a["doc"], "\t"),
                  f"\t{kind} {names.get(a['name'], c(a['name']))};"]
    return "\n".join([*lines, "};"])


def undocumented(spec):
    """What parts of the spec without a doc are called."""
    parts = {}
    for s in spec["attribute-sets"]:
        parts[s["name"]] = s
        parts |= {f"{s['name']}.{a['name']}": a for a in s["attributes"]}
    for d in spec["definitions"]:
        parts[d["name"]] = d
        parts |= {f"{d['name']}.{e['name']}": e for e in d.get("entries", [])}
        if d["name"] != "tcmsg":
            parts |= {f"{d['name']}.{m['name']}": m for m in d.get("members", [])}
    parts |= {o["name"]: o for o in spec["operations"]["list"]}
    return [name for name, part in parts.items() if not part.get("doc")]


def load(path):
    with open(path, encoding="utf-8") as f:
        return yaml.safe_load(f)


def main():
    structs = sys.argv[1] == "-s"
    specs = [load(path) for path in sys.argv[1 + structs:]]
    spec = specs[0]
    sets = {s["name"]: {a["name"]: a for a in s["attributes"]} for s in spec["attribute-sets"]}
    bad = [f"{name} has no doc" for s in specs for name in undocumented(s)]
    bad += [f"{s['name']} has an attribute twice" for of in specs for s in of["attribute-sets"]
            if len({a["name"] for a in s["attributes"]}) < len(s["attributes"])]

    # a nested set comes before those that have it
    nested = sorted(NESTED, key=lambda n: any(a["type"] == "nest" for a in sets[n].values()))
    print("""/* SPDX-License-Identifier: GPL-2.0 */
/* Do not edit directly, generated by scripts/ci/ynl_tables.py from: */
/*	build/gen/lossless.yaml */""")
    if structs:
        docs = {s["name"]: s["doc"] for s in spec["attribute-sets"]}
        print("#ifndef LLE_CLIENT_STATE_H\n#define LLE_CLIENT_STATE_H\n\n#include <linux/types.h>")
        # uapi has the struct of prio-stats
        for of in nested:
            if of != "prio-stats":
                print(define(of, docs[of], [a for a in sets[of].values() if a["type"] != "pad"]))
        print()
        for d in spec["definitions"]:
            if d["type"] == "enum":
                words = ", ".join(f'"{e["name"]}"' for e in d["entries"])
                print(f"#define LOSSLESS_{c(d['name']).upper()}_NAMES {{ {words} }}")
        print("\n#endif /* LLE_CLIENT_STATE_H */")
        return bool(bad)
    print("/* decode.c includes it once, and defines its macros. */\n")
    for of in nested:
        struct, optional, names = NESTED[of]
        known = [a for a in sets[of].values() if a["type"] != "pad"]
        if of == "prio-stats":
            optional = [a["name"] for a in known if a["name"] != "prio"]
        print(table(of, of, known, struct, optional, names))
    for op in spec["operations"]["list"]:
        if op["name"] not in MESSAGES:
            continue
        struct, optional, names = MESSAGES[op["name"]]
        of = op["attribute-set"]
        answer = op["event"] if "event" in op else op.get("do", op["dump"])["reply"]
        bad += [f"{op['name']}: there is no {n}" for n in optional
                if n not in answer["attributes"]]
        print(table(op["name"], of, [sets[of][n] for n in answer["attributes"]], struct,
                    optional, names))
    for line in bad:
        print(line, file=sys.stderr)
    return bool(bad)


sys.exit(main())
