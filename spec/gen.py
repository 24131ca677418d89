#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes from spec/qdisc.yaml what needs the names of options and counters.

Usage: gen.py [-b|-c]

Writes the files of OUTPUTS that git has.

-b: writes only what git does not have, in build/gen.
-c: changes nothing, prints the differences.

Exit status: 0; 1 the spec is wrong, or -c found a difference.
"""
import difflib
import os
import pathlib
import re
import sys
import textwrap

import yaml

TOP = pathlib.Path(__file__).resolve().parent.parent
BITS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}
UNITS = {"b": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "bit": 1 / 8, "kbit": 125, "mbit": 125000,
         "gbit": 125000000, "tbit": 125000000000, "ns": 1, "us": 1000, "ms": 10**6, "s": 10**9}
# what may follow a word of tc: type of the value in q_lossless.h
ARGS = {"N": "NUMBER", "M": "NUMBER", "ID": "NUMBER", "BYTES": "SIZE", "TIME": "TIME", "RATE": "RATE",
        "PERCENT": "PERCENT", "NAME": "NAME", "ONOFF": "NAME", "{ N | 1/N }": "ALPHA",
        "{ RATE | unlimited* | stopped }": "RX_RATE"}
OPTION = {"section", "intro", "id", "type", "enum", "sub-type", "max-len", "exact-len", "min", "max", "range",
          "mask", "nest", "default", "usual", "member", "words", "least", "usage", "key", "text", "unit", "dump",
          "dump-only", "hide", "show", "doc", "man"}
COUNTER = {"attr", "type", "unit", "metric", "drop", "at", "doc", "more", "changes", "read"}
# attribute sets: prefix of enumerators, comment of the enum, struct that has the members
SETS = {"options": ("TCA_LOSSLESS_", "options of the qdisc, nested in TCA_OPTIONS"),
        "wred": ("TCA_LOSSLESS_WRED_", "WRED of one priority, nested in TCA_LOSSLESS_WRED")}


def c(name):
    return name.replace("-", "_")


def upper(name):
    return c(name).upper()


class Word:
    """A word of tc that sets an option."""

    def __init__(self, spec, option, text):
        self.option = option
        self.usual = text.endswith("*")
        fixed = re.fullmatch(r"([a-z-]+)=(\w+)\*?", text)
        if fixed:
            self.word, self.type, self.arg, self.zero = fixed[1], "FIXED", None, None
            self.value = option.literal(int(fixed[2]) if fixed[2].isdigit() else fixed[2])
            return
        self.word, _, arg = text.partition(" ")
        self.arg, _, zero = (arg, "", "") if arg in ARGS else arg.partition("|")
        self.zero = zero.rstrip("*") or None
        self.type = ARGS[self.arg]

    def names(self):
        """The names of the values of a NAME."""
        return ["off", "on"] if self.arg == "ONOFF" else list(self.option.enum["entries"])

    def argument(self, star=True):
        """What follows the word, as usage shows it."""
        mark = "*" if star else ""
        if self.type == "NAME":
            usual = self.option.number("usual", self.option.number("default", 0))
            return "{ " + " | ".join(n + (mark if i == usual else "") for i, n in enumerate(self.names())) + " }"
        if self.zero:
            return f"{{ {self.arg} | {self.zero}{mark} }}"
        return self.arg if star else self.arg.replace("*", "")


class Option:
    """An attribute of netlink."""

    def __init__(self, spec, prefix, name, facts):
        self.spec, self.name, self.facts = spec, name, facts
        self.attr = prefix + upper(name)
        self.type = facts["type"]
        self.enum = spec["enums"].get(facts.get("enum"))
        self.words = [Word(spec, self, w) for w in facts.get("words", [])]
        if set(facts) - OPTION or not facts.get("doc"):
            raise SystemExit(f"{name}: unknown {set(facts) - OPTION}, or no doc")

    def get(self, key, default=None):
        return self.facts.get(key, default)

    def number(self, key, default=None):
        return default if key not in self.facts else self.spec.number(self.facts[key], self.enum)

    def literal(self, value):
        """A value in C: a name where there is one."""
        if isinstance(value, str) and value in (self.enum or {}).get("entries", {}):
            return self.enum["prefix"] + upper(value)
        if isinstance(value, str) and value.isupper():
            return value
        number = self.spec.number(value, self.enum)
        return str(number) + ("U" if number > 0x7fffffff else "")

    def limits(self):
        """(least, greatest) of a number; each in C and as a number."""
        lo, hi = self.get("min", 0), self.get("max", (1 << BITS[self.type]) - 1)
        if self.enum:
            last = list(self.enum["entries"])[-1]
            return ("0", 0), (f"LLE_{upper(self.get('enum'))}_MAX", len(self.enum["entries"]) - 1)
        if "range" in self.facts:
            lo, hi = (int(x) if x.isdigit() else x for x in self.facts["range"].split(".."))
        return (self.literal(lo), self.spec.number(lo)), (self.literal(hi), self.spec.number(hi))

    def usual(self):
        """The default as tc shows it, or None."""
        for word in self.words:
            if word.usual and word.type == "FIXED":
                return word.word
            if word.usual and word.zero:
                return word.zero
        key = "usual" if "usual" in self.facts else "default"
        if key not in self.facts or not self.words:
            return None
        if self.words[0].type == "NAME":
            return self.words[0].names()[self.number(key)]
        value = self.facts[key]
        return str(value if not str(value).isupper() else self.spec["constants"].get(value, value))

    def usage(self):
        if "usage" in self.facts:
            return " ] [ ".join(self.facts["usage"])
        parts = []
        for w in self.words:
            parts.append(w.word + (" " + w.argument() if w.arg else "*" if w.usual else ""))
        return " | ".join(parts)


class Spec(dict):
    def __init__(self, path):
        super().__init__(yaml.safe_load(path.read_text(encoding="utf-8")))
        self.sets = {s: [Option(self, SETS[s][0], n, f) for n, f in self[s].items()] for s in SETS}
        for s, options in self.sets.items():
            ids = sorted(o.get("id") for o in options)
            if ids != list(range(ids[0], ids[0] + len(ids))):
                raise SystemExit(f"{s}: ids are not 1, 2, 3 ...: {ids}")
        for s in ("files", "port-stats", "prio-stats", "prio-files"):
            for n, f in self[s].items():
                if set(f) - COUNTER or not f.get("doc"):
                    raise SystemExit(f"{n}: unknown {set(f) - COUNTER}, or no doc")
                if "drop" in f:
                    f.setdefault("unit", "packets")
                    f.setdefault("changes", "with each drop; only increases")
        self.drops = {f["drop"]: n for n, f in self["prio-stats"].items() if "drop" in f}

    def number(self, value, enum=None):
        if isinstance(value, int):
            return int(value)
        if enum and value in enum["entries"]:
            return list(enum["entries"]).index(value)
        if value in self["constants"]:
            return self.number(self["constants"][value])
        if value.isupper():
            return 0	# a constant of another header
        if value.endswith("%"):
            return min(int(float(value[:-1]) / 100 * 2**32), 2**32 - 1)
        amount, unit = re.fullmatch(r"([0-9.]+)([a-z]*)", value).groups()
        return int(float(amount) * (UNITS[unit] if unit else 1))


# Text

def wrap(text, first, rest, width=80):
    """Lines of at most @width columns, with tabs of 8."""
    lines = textwrap.wrap(" ".join(text.split()), width - 7 * max(first.count("\t"), rest.count("\t")),
                          initial_indent=first, subsequent_indent=rest, break_on_hyphens=False,
                          break_long_words=False)
    return lines or [first.rstrip()]


def plain(text):
    return re.sub(r"``(.+?)``|\*([^ *]+?)\*", lambda m: m[1] or m[2], text)


def clause(doc):
    """A doc as part of a kernel-doc line: no capital, no full stop at the end."""
    doc = plain(doc).strip().rstrip(".")
    return doc if doc[1:2].isupper() or doc[1:2].isdigit() or doc[1:2] == "_" else doc[0].lower() + doc[1:]


def kernel_doc(head, members, tail=""):
    lines = ["/**", *wrap(head, " * ", " *\t")]
    for name, doc in members:
        lines += wrap(f"@{name}: {doc}", " * ", " *\t")
    if tail:
        lines += [" *", *wrap(tail, " * ", " * ")]
    return lines + [" */"]


def member(name, facts):
    """The member of struct lle_prio_stats."""
    return "drop_" + c(facts["drop"]) if "drop" in facts else name


HEAD = """/* SPDX-License-Identifier: GPL-2.0{} */
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */"""
SOURCE = HEAD.format("").replace("/*", "//", 1).replace(" */", "", 1).split("\n")


# uapi

def uapi(spec):
    out = [HEAD.format(" WITH Linux-syscall-note"), "#ifndef _UAPI_LINUX_PKT_SCH_LOSSLESS_GENERATED_H",
           "#define _UAPI_LINUX_PKT_SCH_LOSSLESS_GENERATED_H", ""]
    for name, value in spec["constants"].items():
        number = spec.number(value)
        out.append(f"#define {name}\t{number}{'ULL' if number > 2**32 - 1 or 'RATE' in name else 'U'}"
                   f"{'' if isinstance(value, int) else f'	/* {value} */'}")
    for name, enum in spec["enums"].items():
        last, prefix = f"LLE_{upper(name)}_MAX", enum["prefix"]
        out += ["", *kernel_doc(f"enum lle_{c(name)} - {clause(enum['doc'])}",
                                [(prefix + upper(e), clause(d)) for e, d in enum["entries"].items()] +
                                [("__" + last, "internal use")]),
                f"enum lle_{c(name)} {{", *(f"\t{prefix}{upper(e)}," for e in enum["entries"]),
                f"\t__{last}", "};", "", f"#define {last} (__{last} - 1)"]
    for s, (prefix, doc) in SETS.items():
        options = sorted(spec.sets[s], key=lambda o: o.get("id"))
        pad = [("PAD", "alignment of 64 bit attributes")] if s == "options" else []
        docs = [(o.attr, ", ".join([o.type] + ["dump only"] * bool(o.get("dump-only"))) + ": " + clause(o.get("doc")))
                for o in options]
        out += ["", *kernel_doc(f"enum - {doc}", [(prefix + "UNSPEC", "not used")] +
                                [(prefix + n, d) for n, d in pad] + docs + [(f"__{prefix}MAX", "internal use")]),
                "enum {", f"\t{prefix}UNSPEC,", *(f"\t{prefix}{n}," for n, _ in pad), *(f"\t{o.attr}," for o in options),
                f"\t__{prefix}MAX", "};", "", f"#define {prefix}MAX (__{prefix}MAX - 1)"]
    reasons = [("LLE_DROP_" + upper(r), clause(spec["prio-stats"][n]["doc"]) + f" ({n})") for r, n in spec.drops.items()]
    out += ["", *kernel_doc("enum lle_drop_reason - reason of a drop; each has its own counter",
                            reasons + [("__LLE_DROP_MAX", "internal use")],
                            "The ingress side decides the first three and LLE_DROP_STORM_RX. They count at the port that "
                            "received the packet, the others at its egress port, or at the host's port at which it "
                            "waited."),
            "enum lle_drop_reason {", *(f"\t{r}," for r, _ in reasons), "\t__LLE_DROP_MAX", "};", "",
            "#define LLE_NUM_DROP __LLE_DROP_MAX"]
    port = spec["port-stats"]
    out += ["", *kernel_doc("struct lle_port_stats - statistics of a port that belong to no priority",
                            [(n, clause(f["doc"])) for n, f in port.items()],
                            "One attribute for all, for the reason that struct lle_prio_stats gives."),
            "struct lle_port_stats {", *(f"\t__u64 {n};" for n in port), "};"]
    prio = {member(n, f): f for n, f in spec["prio-stats"].items()}
    flags = [n for n, f in prio.items() if f.get("type") == "u8"]
    out += ["", *kernel_doc("struct lle_prio_stats - statistics of one priority of a port",
                            [("prio", "the priority")] + [(n, clause(prio[n]["doc"])) for n in flags] +
                            [("reserved", "0")] + [(n, clause(f["doc"])) for n, f in prio.items() if n not in flags],
                            "One attribute for all members, since those of all priorities have to fit into a message "
                            "of one page. New members come last; readers take what they know, and missing ones for 0."),
            "struct lle_prio_stats {", "\t__u8 prio;", *(f"\t__u8 {n};" for n in flags),
            f"\t__u8 reserved[{7 - len(flags)}];", *(f"\t__u64 {n};" for n in prio if n not in flags),
            "};", "", "#endif /* _UAPI_LINUX_PKT_SCH_LOSSLESS_GENERATED_H */"]
    return out


# Kernel

def policy(option, ranges):
    """The entry of an option in the netlink policy."""
    t = option.type
    if option.get("dump-only"):
        return "{ .type = NLA_REJECT }"
    if t in ("flag", "nest"):
        return "{ .type = NLA_%s }" % ("FLAG" if t == "flag" else "NESTED")
    if t == "binary":
        if "exact-len" in option.facts:
            return f"NLA_POLICY_EXACT_LEN({option.get('exact-len')})"
        return f"{{ .type = NLA_BINARY, .len = {option.get('max-len')} }}"
    if t == "bitfield32":
        return f"NLA_POLICY_BITFIELD32({option.get('mask')})"
    (lo, low), (hi, high) = option.limits()
    nla, whole = "NLA_" + t.upper(), high == (1 << BITS[t]) - 1
    if low == 0 and whole:
        return f"{{ .type = {nla} }}"
    if high > 0x7fff and not whole:
        name = ranges.setdefault((lo, hi), f"lossless_{c(option.name)}_range")
        return f"NLA_POLICY_FULL_RANGE({nla}, &{name})"
    if whole:
        return f"NLA_POLICY_MIN({nla}, {lo})"
    return f"NLA_POLICY_MAX({nla}, {hi})" if low == 0 else f"NLA_POLICY_RANGE({nla}, {lo}, {hi})"


def kernel(spec):
    ranges, policies, out = {}, [], [*SOURCE, "#include <net/netlink.h>", "", '#include "options_gen.h"', ""]
    for s, (prefix, _) in SETS.items():
        name = "lossless_policy" if s == "options" else f"lossless_{s}_policy"
        policies += [f"const struct nla_policy {name}[{prefix}MAX + 1] = {{",
                     *(f"\t[{o.attr}] = {policy(o, ranges)}," for o in spec.sets[s]), "};", ""]
    for (lo, hi), name in ranges.items():
        least = "" if lo == "0" else f"\t.min = {lo},\n"
        out += [f"static const struct netlink_range_validation {name} = {{\n{least}\t.max = {hi},", "};", ""]
    out += policies
    options = [o for o in spec.sets["options"] if "member" in o.facts]
    out += ["void lossless_options_defaults(struct lossless_config *c)", "{",
            *(f"\tc->{o.get('member')} = {o.literal(o.get('default'))};" for o in options
              if "default" in o.facts and o.literal(o.get("default")) != "0"), "}", ""]
    for name, arg, items in (("options", "struct lossless_config *c", options),
                             ("wred", "struct lle_wred_params *c",
                              [o for o in spec.sets["wred"] if "member" in o.facts])):
        out += [f"void lossless_{name}_get({arg}, struct nlattr *const tb[])", "{"]
        for o in items:
            out += [f"\tif (tb[{o.attr}])", f"\t\tc->{o.get('member')} = nla_get_{o.type}(tb[{o.attr}]);"]
        out += ["}", ""]
    for name, arg, items in (("options", "const struct lle_port_params *p", options),
                             ("wred", "const struct lle_wred_params *p",
                              [o for o in spec.sets["wred"] if "member" in o.facts])):
        puts = []
        for o in items:
            if o.get("dump") == "by-hand":
                continue
            member = "p->" + o.get("member").removeprefix("port.")
            put = (f"nla_put_u64_64bit(skb, {o.attr}, {member}, TCA_LOSSLESS_PAD)" if o.type == "u64" else
                   f"nla_put_{o.type}(skb, {o.attr}, {member})")
            puts.append(f"({member} && {put})" if o.get("dump") == "nonzero" else put)
        out += [f"int lossless_{name}_put(struct sk_buff *skb, {arg})", "{",
                "\tif (" + " ||\n\t    ".join(puts) + ")", "\t\treturn -EMSGSIZE;", "\treturn 0;", "}", ""]
    return out[:-1]


def kernel_header(spec):
    return [HEAD.format(""), "#ifndef LLE_OPTIONS_GEN_H", "#define LLE_OPTIONS_GEN_H", "", '#include "config.h"', "",
            "/* netlink policies: what is out of range is refused before anything changes */",
            "extern const struct nla_policy lossless_policy[TCA_LOSSLESS_MAX + 1];",
            "extern const struct nla_policy lossless_wred_policy[TCA_LOSSLESS_WRED_MAX + 1];", "",
            "/* sets defaults other than 0 */",
            "void lossless_options_defaults(struct lossless_config *c);", "",
            "/* takes the options in @tb; members of the other options stay */",
            "void lossless_options_get(struct lossless_config *c, struct nlattr *const tb[]);",
            "void lossless_wred_get(struct lle_wred_params *c, struct nlattr *const tb[]);", "",
            "/* dump options that are members of @p. Return: 0 or -EMSGSIZE */",
            "int lossless_options_put(struct sk_buff *skb, const struct lle_port_params *p);",
            "int lossless_wred_put(struct sk_buff *skb, const struct lle_wred_params *p);", "",
            "#endif /* LLE_OPTIONS_GEN_H */"]


def counters(spec):
    """Lists of counters, for the kernel."""
    out = [HEAD.format(""), "#ifndef LLE_COUNTERS_GEN_H", "#define LLE_COUNTERS_GEN_H", "",
           "/* X(file, member of struct lle_prio_stats, attribute in LOSSLESS_A_PRIO_STATS_) */",
           "#define LLE_PRIO_COUNTERS(X)"]
    for n, f in sorted(spec["prio-stats"].items(), key=lambda i: i[1]["attr"]):
        out.append(f"\tX({n}, {member(n, f)}, {'DROP_' + upper(f['drop']) if 'drop' in f else upper(n)})")
    out += ["", "/* X(reason in LLE_DROP_, member of struct lle_prio_stats, file) */", "#define LLE_PRIO_DROPS(X)",
            *(f"\tX({upper(r)}, drop_{c(r)}, {n})" for r, n in spec.drops.items())]
    for name, s in (("PRIO", "prio-files"), ("PORT", "files")):
        out += ["", f"/* X(file in /sys{' of a priority' if s == 'prio-files' else ''}, function that reads it) */",
                f"#define LLE_{name}_FILES(X)", *(f"\tX({n}, {f['read']})" for n, f in spec[s].items())]
    for i, line in enumerate(out):
        if (line.startswith("#define LLE_") and line.endswith("(X)") or line.startswith("\tX(")) and \
                i + 1 < len(out) and out[i + 1].startswith("\tX("):
            out[i] += " \\"
    return out + ["", "#endif /* LLE_COUNTERS_GEN_H */"]


# tc

def text_rows(spec, s):
    """(label, [(counter, format, with a unit?)]) of each line of text."""
    for label, layout in spec["rows"][s].items():
        parts, before, fields = re.split(r"(\{.*?\})", " ".join(layout.split(" "))), "", []
        for part in parts:
            if part.startswith("{"):
                name, _, form = part[1:-1].partition(":")
                if name not in spec[s]:
                    raise SystemExit(f"rows: there is no counter {name}")
                width = form.rstrip("s")
                fields.append([name, before + "%" + width + ("s" if form.endswith("s") else "llu"), form.endswith("s")])
                before = ""
            elif part and fields:
                end = len(part) if part == parts[-1] else part.find(" ")
                fields[-1][1] += part[:end]
                before = part[end:]
            else:
                before = part
        yield label, fields


def show_entry(option):
    """The entry of an option in the tables of q_lossless_show.c."""
    if option.get("show") == "by-hand":
        return f"\t{{ .show = lossless_show_{c(option.name)} }},"
    word = next((w for w in option.words if w.arg), option.words[0] if option.words else None)
    kind = option.get("unit", "number").upper() if not word else \
        "FIXED" if not word.arg and not option.enum else word.type if word.arg else "NAME"
    label = word.word if word else option.name
    form = {"NUMBER": "%llu", "PERCENT": "%g%%"}.get(kind, "%s")
    parts = [f".attr = {option.attr}", f".type = LOSSLESS_{kind}", f'.key = "{option.get("key", c(label))}"',
             '.fmt = "%s"' % option.get("text", f"{label} " if kind == "FIXED" else f"{label} {form} ")]
    if kind == "NAME":
        parts.append(f".names = lossless_names_{names_of(option)}, .max = {option.limits()[1][0]}")
    zero = next((w.word for w in option.words if w.type == "FIXED" and w.value == "0"), None) if word and word.arg else None
    zero = f"{word.word} {word.zero} " if word and word.zero and not zero else zero and zero + " "
    if option.get("hide") == "text":
        zero = ""
    if option.get("hide") == "default":
        parts.append(f".hide = true, .usual = {option.literal(option.get('usual', option.get('default', 0)))}")
    elif zero is not None:
        parts.append(f'.zero = "{zero}"')
    return "\t{ " + ", ".join(parts) + " },"


def names_of(option):
    return c(option.get("enum", "switch"))


def words(spec, s):
    out = []
    for o in spec.sets[s]:
        for w in o.words:
            (lo, low), (hi, _) = o.limits()
            names = "NULL"
            if w.type == "FIXED":
                lo, hi = w.value, "0"
            elif w.type == "NAME":
                names = f"lossless_names_{names_of(o)}"
            elif "least" in o.facts:
                lo = o.literal(o.get("least"))
            elif low == 0 and (w.zero or any(x.type == "FIXED" and x.value == "0" for x in o.words)):
                lo = "1"
            zero = f'"{w.zero}"' if w.zero else "NULL"
            if o.type == "u64" and w.type == "RX_RATE":
                hi = "LLE_RX_UNLIMITED"
            out.append(f'\t{{ "{w.word}", {o.attr}, {BITS[o.type] // 8}, LOSSLESS_{w.type}, {lo}, {hi}, {zero}, {names} }},')
    return out + ["\t{ NULL, 0, 0, LOSSLESS_FIXED, 0, 0, NULL, NULL }"]


def usage(spec, width=70):
    """The lines of help."""
    lines, line = [], ""
    for o in spec.sets["options"]:
        if not o.words and "usage" not in o.facts:
            continue
        # lines break before a bracket
        for item in re.split(r" (?=\[)", f"[ {o.usage()} ]"):
            if line and len(line) + 1 + len(item) > width:
                lines.append(line)
                line = "  " * (line.count("[") > line.count("]"))
            line += ("" if not line.strip() else " ") + item
    return lines + [line]


def tc_words(spec):
    out = [*SOURCE, '#include "q_lossless.h"', "", 'const char *const lossless_names_switch[] = { "off", "on" };']
    for name, enum in spec["enums"].items():
        out += [f"const char *const lossless_names_{c(name)}[] = {{",
                *(f'\t[{enum["prefix"]}{upper(e)}] = "{e}",' for e in enum["entries"]), "};"]
    for s, table in (("options", "lossless_words"), ("wred", "lossless_wred_words")):
        out += ["", f"const struct lossless_word {table}[] = {{", *words(spec, s), "};"]
    numbers = [f"{o.words[0].word} {o.usual()}" for o in spec.sets["options"]
               if o.words and o.words[0].type not in ("NAME", "FIXED") and not any(w.usual for w in o.words) and o.usual()]
    out += ["", "const char lossless_usage[] =", '\t"Usage: ... lossless\\n"', *(f'\t"\t{u}\\n"' for u in usage(spec)),
            *(f'\t"{t}\\n"' for t in wrap("Defaults: *, 8 bands, priorities 7 and 6 strict, 5 to 0 equal, PFC and WRED off, "
                                           "DSCP/8 as priority; " + ", ".join(numbers) + ".", "", "", 76))]
    out[-1] += ";"
    return out


def tc_header(spec):
    """Included by q_lossless.h, after its structs."""
    return [HEAD.format(""), *(f"extern const char *const lossless_names_{c(n)}[];" for n in ["switch", *spec["enums"]]), "",
            "extern const struct lossless_word lossless_words[];", "extern const struct lossless_word lossless_wred_words[];",
            "extern const char lossless_usage[];", "",
            *(f"extern const struct lossless_show lossless_line_{n}[];" for n in [*spec["show"], "wred"]),
            *(f"extern const struct lossless_row lossless_{n}_rows[];" for n in ("port", "prio")), "",
            "/* by hand */",
            *(f"void lossless_show_{c(o.name)}(const struct rtattr *tb[]);" for o in spec.sets["options"]
              if o.get("show") == "by-hand" and o.name != "wred")]


def tc_lines(spec):
    out = [*SOURCE, '#include "q_lossless.h"']
    by_name = {o.name: o for o in spec.sets["options"]}
    for line, names in spec["show"].items():
        out += ["", f"const struct lossless_show lossless_line_{line}[] = {{",
                *(show_entry(by_name[n]) for n in names), "\t{}", "};"]
    out += ["", "const struct lossless_show lossless_line_wred[] = {",
            *(show_entry(o) for o in spec.sets["wred"] if o.type != "flag"), "\t{}", "};"]
    for s, struct in (("port-stats", "lle_port_stats"), ("prio-stats", "lle_prio_stats")):
        out += ["", f"const struct lossless_row lossless_{c(s).removesuffix('_stats')}_rows[] = {{"]
        for label, fields in text_rows(spec, s):
            out += [f'\t{{ "{label}", {{', *(f'\t\tLOSSLESS_FIELD({struct}, {n}, "{form}", {str(size).lower()}),'
                                             for n, form, size in fields), "\t} },"]
        out += ["\t{ NULL }", "};"]
    return out


# losslessctl and losslessd

def client(spec):
    out = [HEAD.format(""), "#ifndef LLE_COUNTER_NAMES_GEN_H", "#define LLE_COUNTER_NAMES_GEN_H", "",
           "/* X(key in JSON, member of struct lle_prio_stats) */", "#define LLE_PRIO_KEYS(X) \\"]
    keys = []
    for n, f in spec["prio-stats"].items():
        if "drop" in f or f.get("type") == "u8":
            continue
        unit = {"bytes": "_bytes", "microseconds": "_us"}.get(f["unit"], "")
        keys.append(f"\tX({n}{'' if n.endswith(unit) else unit}, {n})")
    out += [k + " \\" for k in keys[:-1]] + keys[-1:]
    metrics = [f'\tX({f["metric"]}, {n}, "{plain(f["doc"])}")' for n, f in spec["prio-stats"].items() if "metric" in f]
    out += ["", "/* X(metric, member, help) */", "#define LLE_PRIO_METRICS(X) \\",
            *(m + " \\" for m in metrics[:-1]), metrics[-1], "",
            "/* X(reason in LLE_DROP_, member, name in tc, sysfs and losslessctl) */", "#define LLE_PRIO_DROPS(X) \\",
            *(f"\tX({upper(r)}, drop_{c(r)}, {n}) \\" for r, n in spec.drops.items()), "",
            "#endif /* LLE_COUNTER_NAMES_GEN_H */"]
    return out


# YNL specs: spec/netlink has what is written by hand

def ynl_name(n, f):
    return "drop-" + f["drop"] if "drop" in f else n.replace("_", "-")


def ynl_enum(spec, name):
    enum = spec["enums"][name]
    return {"name": name, "type": "enum", "doc": enum["doc"],
            "entries": [{"name": e, "doc": doc} for e, doc in enum["entries"].items()]}


def ynl_struct(spec, s, doc):
    members = list(spec[s].items())
    if s == "prio-stats":
        flags = [i for i in members if i[1].get("type") == "u8"]
        members = [("prio", {"type": "u8", "doc": "The priority."}), *flags,
                   ("pad", {"type": "pad", "len": 7 - len(flags), "doc": "Alignment; 0."}),
                   *(i for i in members if i not in flags)]
    return {"name": s, "type": "struct", "doc": doc, "members": [
        {"name": ynl_name(n, f), "type": f.get("type", "u64"), **{k: f[k] for k in ("len",) if k in f}, "doc": f["doc"]}
        for n, f in members]}


def ynl_checks(option):
    checks = {k: option.get(k) for k in ("max-len", "exact-len") if k in option.facts}
    if option.type in BITS and not option.enum and not option.get("dump-only"):
        (_, low), (_, high) = option.limits()
        checks |= {"min": low} if low > 0 else {}
        checks |= {"max": high} if high < (1 << BITS[option.type]) - 1 else {}
    return {"checks": checks} if checks else {}


def ynl_set(spec, s, name, doc):
    pad = [{"name": "pad", "type": "pad", "doc": "Alignment of attributes of 64 bits."}] if s == "options" else []
    return {"name": name, "name-prefix": SETS[s][0].lower().replace("_", "-"), "doc": doc, "attributes": pad + [
        {"name": o.name, "type": o.type, **{k: o.get(k) for k in ("enum", "sub-type") if k in o.facts},
         **({"multi-attr": True, "nested-attributes": f"{o.get('nest')}-attrs"} if o.get("nest") else {}),
         **ynl_checks(o), "doc": ("Dump only: " if o.get("dump-only") else "") + o.get("doc")}
        for o in sorted(spec.sets[s], key=lambda o: o.get("id"))]}


def ynl_made(spec):
    """By NAME of {made: NAME}, what comes there."""
    enums = {"enum " + n: [ynl_enum(spec, n)] for n in spec["enums"]}
    return enums | {
        "enums": [e for found in enums.values() for e in found],
        "structs": [ynl_struct(spec, "port-stats", "Statistics of a port that belong to no priority."),
                    ynl_struct(spec, "prio-stats", "Statistics of one priority of a port.")],
        "sets": [ynl_set(spec, "options", "lossless-attrs", "Options of the qdisc."),
                 ynl_set(spec, "wred", "wred-attrs", "WRED of one priority.")],
        "counters": [{"name": ynl_name(n, f), "type": f.get("type", "u64"), "doc": f["doc"]}
                     for n, f in sorted(spec["prio-stats"].items(), key=lambda i: i[1]["attr"])]}


def ynl_filled(value, made):
    """@value with what is made; the other keys of {made: NAME} belong to each entry."""
    if isinstance(value, dict):
        return {k: ynl_filled(v, made) for k, v in value.items()}
    if not isinstance(value, list):
        return value
    out = []
    for entry in value:
        more = dict(entry) if isinstance(entry, dict) else {}
        name = more.pop("made", None)
        out += [found | more for found in made[name]] if name else [ynl_filled(entry, made)]
    return out


def ynl_lines(value, indent=""):
    """Lines of YAML, as in the specs of the kernel."""
    out = []
    for k, v in value.items():
        key = f"{indent}{k}: "
        if not indent and isinstance(v, (dict, list)):
            out.append("")
        if isinstance(v, dict):
            out += [key.rstrip(), *ynl_lines(v, indent + "  ")]
        elif isinstance(v, list) and isinstance(v[0], dict):
            out += [key.rstrip(), *(x for entry in v for x in (f"{indent}  -", *ynl_lines(entry, indent + "    ")))]
        elif isinstance(v, list):
            line = f"{key}[{', '.join(v)}]"
            out += [line] if len(line) <= 80 else [key.rstrip(), *(f"{indent}  - {x}" for x in v)]
        elif k == "doc":
            v = " ".join(plain(v).split())
            folds = re.search(r": | #|^[\"'%@&*!|>{}\[\]]", v) or len(key + v) > 80
            out += [key + ">-", *wrap(v, indent + "  ", indent + "  ")] if folds else [key + v]
        else:
            out.append(key + (f'"{v}"' if v in ("on", "off") else str(v).lower() if isinstance(v, bool) else str(v)))
    return out


def ynl(spec, name):
    text = (TOP / "spec/netlink" / name).read_text(encoding="utf-8")
    return [text.split("\n")[0], "---", *ynl_lines(ynl_filled(yaml.safe_load(text), ynl_made(spec)))]


# ABI text

def abi(spec):
    out = []

    def entry(name, *paragraphs):
        out.extend([f"What:\t\t/sys/class/net/<iface>/lossless/{name}", "Date:\t\tNovember 2026", "KernelVersion:\t6.1",
                    "Contact:\tLLE maintainers", "Description:"])
        for text in paragraphs:
            out.extend(line for x in text.split("\n") for line in wrap(x, "\t\t", "\t\t"))
            out.append("")

    for folder, sets in (("", ["files"]), ("prio<N>/", ["prio-stats", "prio-files"])):
        entry(folder, *(" ".join(x.split()) for x in spec["directories"][folder].strip().split("\n\n")))
        for n, f in (item for s in sets for item in spec[s].items()):
            where = f" Counted at the {f['at']} port." if "at" in f else ""
            entry(folder + n, f"{f['doc'].strip()} {f.get('more', '').strip()}".strip() + where,
                  f"Unit: {f['unit']}\nChanges: {f['changes']}.")
    return out[:-1]


# Manual page: parts of tc-lossless(8)

def man_usage(text):
    """Words as they are, what they stand for in italics."""
    return re.sub(r"\b[A-Z][A-Z0-9]*\b", r"*\g<0>*", text)


def man_synopsis(spec):
    return ["::", "", "    tc qdisc { add | replace | change } dev DEV root [ handle H: ]", "      lossless",
            *("        " + line for line in usage(spec, 60))]


def man_text(text):
    """The definition of a term."""
    return textwrap.indent(text.strip(), "  ").split("\n")


def show_number(spec, kind, number):
    """A number as the words of tc have it."""
    if kind == "SIZE":
        units, step, names = number, 1024, ["b", "kb", "mb", "gb"]
    elif kind == "TIME":
        units, step, names = number, 1000, ["ns", "us", "ms", "s"]
    elif kind == "RATE":
        units, step, names = number * 8, 1000, ["bit", "kbit", "mbit", "gbit", "tbit"]
    elif kind == "PERCENT":
        return str(round(number / 2**32 * 100))
    else:
        return str(number)
    i = 0
    while units and units % step == 0 and i < len(names) - 1:
        units, i = units // step, i + 1
    return str(units) + (names[i] if units else "")


def man_range(spec, option):
    """The sentence about range and default."""
    word = next((w for w in option.words if w.arg), None)
    said = []
    if word and word.type in ("NUMBER", "SIZE", "TIME", "RATE", "PERCENT", "RX_RATE"):
        (_, low), (_, high) = option.limits()
        kind = word.type.removeprefix("RX_")
        if word.type == "RX_RATE":
            low, high = spec.number("LLE_RATE_MIN"), spec.number("LLE_RATE_MAX")
        elif "least" in option.facts:
            low = option.number("least")
        elif low == 0 and (word.zero or any(x.type == "FIXED" and x.value == "0" for x in option.words)):
            low = 1
        said.append(f"{show_number(spec, kind, low)} to {show_number(spec, kind, high)}")
    if option.usual() is not None:
        said.append(f"default {option.usual()}")
    text = "; ".join(said)
    return text[:1].upper() + text[1:] + "." if text else ""


def man_options(spec):
    out = []
    for o in spec.sets["options"]:
        if o.get("section"):
            out += ["", o.get("section"), "-" * len(o.get("section")), o.get("intro", ""), ""]
        if "man" not in o.facts:
            continue
        heads = [w.word + (" " + w.argument(False) if w.arg else "") for w in o.words if w.arg or not w.usual or o.enum] or \
            o.get("usage")
        out += [man_usage(", ".join(heads)), *man_text(f"{man_range(spec, o)} {o.get('man')}")]
    return out


def man_counters(spec, s, drops=False):
    out = []
    labels = {n: label for label, fields in text_rows(spec, s) for n, *_ in fields}
    for n, f in spec[s].items():
        if ("drop" in f) != drops:
            continue
        where = f" In the line *{labels[n]}*." if labels.get(n) else ""
        out += [n, *man_text(f"{f['doc']} {f.get('more', '')}{where}")]
    return out


# Promise: what stands in abi.txt keeps its place

def promise(spec):
    """Names in the order of the numbers and offsets of uapi, with types."""
    lists = {f"enum {n}": list(e["entries"]) for n, e in spec["enums"].items()}
    for s, options in spec.sets.items():
        lists[s] = [f"{o.name}:{o.get('id')}:{o.get('type')}" for o in sorted(options, key=lambda o: o.get("id"))]
    for s in ("port-stats", "prio-stats"):
        lists[s] = [":".join(map(str, filter(None, (n, f.get("attr"), f.get("type", "u64"))))) for n, f in spec[s].items()]
    file = TOP / "spec/abi.txt"
    for block in re.findall(r"^(\w.*?):\n((?:  .*\n)+)", file.read_text(encoding="utf-8") if file.exists() else "", re.M):
        if lists.get(block[0], [])[:len(block[1].split())] != block[1].split():
            raise SystemExit(f"spec/abi.txt: {block[0]} may only grow at its end")
    out = []
    for n, names in lists.items():
        out += [f"{n}:", *textwrap.wrap(" ".join(names), 100, initial_indent="  ", subsequent_indent="  ",
                                        break_on_hyphens=False)]
    return out


OUTPUTS = {
    "spec/abi.txt": promise,
    "include/uapi/linux/pkt_sch_lossless_generated.h": uapi,
    "qdisc/options_gen.c": kernel,
    "qdisc/options_gen.h": kernel_header,
    "kmod/lossless/counters_gen.h": counters,
    "build/gen/q_lossless_gen.h": tc_header,
    "build/gen/q_lossless_words_gen.c": tc_words,
    "build/gen/q_lossless_lines_gen.c": tc_lines,
    "build/gen/counter_names_gen.h": client,
    "build/gen/man-synopsis.rst": man_synopsis,
    "build/gen/man-options.rst": man_options,
    "build/gen/man-port.rst": lambda spec: man_counters(spec, "port-stats"),
    "build/gen/man-prio.rst": lambda spec: man_counters(spec, "prio-stats"),
    "build/gen/man-drops.rst": lambda spec: man_counters(spec, "prio-stats", True),
    "build/gen/sysfs-class-net-lossless": abi,
    "build/gen/lossless.yaml": lambda spec: ynl(spec, "lossless.yaml"),
    "build/gen/tc-lossless.yaml": lambda spec: ynl(spec, "tc-lossless.yaml"),
}

def main():
    check, build = sys.argv[1:] == ["-c"], sys.argv[1:] == ["-b"]
    spec = Spec(TOP / "spec/qdisc.yaml")
    made = {path: "\n".join(f(spec)) + "\n" for path, f in OUTPUTS.items() if path.startswith("build/") == build}
    differs = False
    for path, text in made.items():
        file = TOP / path
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        if old == text and not build:
            continue
        differs = True
        if check:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), path, path + ", made"))
        else:
            # two builds may run at once
            file.parent.mkdir(parents=True, exist_ok=True)
            new = file.with_name(f"{file.name}.{os.getpid()}")
            new.write_text(text, encoding="utf-8")
            new.replace(file)
    return check and differs


sys.exit(main())
