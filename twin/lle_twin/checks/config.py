# SPDX-License-Identifier: GPL-2.0
"""C: the configuration itself."""
import re

from . import ERROR, Found, Skip, check
from .. import schema
from ..reading import name_of, names_of


def field_faults(switch):
    """(object, have, need) of fields that the tables do not have, and of dangling references."""
    for table, fields in schema.FIELDS.items():
        for key, entry in switch.table(table).items():
            for name, value in entry.items():
                where = f"{table}|{key}.{name}"
                if name not in fields:
                    if table not in ("PFC_WD", "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
                                     "LOSSLESS_TRAFFIC_PATTERN"):
                        yield where, name, f"a field of {table}"
                    continue
                kind = fields[name]
                if isinstance(kind, tuple) and kind and kind[0] in ("ref", "refs"):
                    names = names_of(value) if kind[0] == "refs" else [name_of(value)]
                    for one in names:
                        if one not in ("", "NULL") and one not in switch.table(kind[1]) and \
                                (switch.table(kind[1]) or len(switch.source.files) == 1 and
                                 table.startswith("BUFFER_P") and kind[1] == "BUFFER_POOL") \
                                and not (one.startswith("pg_lossless_") and switch.rows):
                            yield where, one, f"an entry of {kind[1]}"
                elif isinstance(kind, tuple) and isinstance(kind[0], str):
                    if value not in kind and value.lower() not in kind:
                        yield where, value, " or ".join(kind)
                elif isinstance(kind, tuple):
                    switch.number(entry, name, f"{table}|{key}", kind)
    for table, (keys, values) in schema.MAPS.items():
        for name, entry in switch.table(table).items():
            for key, value in entry.items():
                ok = re.fullmatch(r"\d{1,3}", key) and int(key) <= keys and \
                    re.fullmatch(r"\d{1,3}", value) and int(value) <= values
                if not ok:
                    yield f"{table}|{name}", f"{key}: {value}", f"0-{keys}: 0-{values}"


@check("C1", ERROR, "the configuration is one that SONiC takes",
       "references exist, fields are known, numbers are strings in their ranges, templates are "
       "rendered",
       "sonic-buildimage src/sonic-yang-models")
def c1(switch):
    faults = list(field_faults(switch))
    for where, have, need in dict.fromkeys([*switch.faults, *faults]):
        yield Found(where, f"{have}, where SONiC has {need}", have, need)
    for table, entries in switch.source.tables.items():
        for key, entry in entries.items():
            for name, value in {"": key, **entry}.items():
                if re.search(r"\{[%{]", value):
                    yield Found(f"{table}|{key}", "a template that is not rendered", value[:40],
                                "a value")


@check("C2", ERROR, "what is configured is in force",
       "each field of CONFIG_DB's buffer tables has the same value in APPL_DB",
       "sonic-buildimage issue 28657 (a cold boot only logs the refusal)")
def c2(switch):
    applied = switch.source.applied
    if applied is None:
        yield Skip("there is no dump of what is in force (--applied)")
        return
    for table in ("BUFFER_POOL", "BUFFER_PROFILE"):
        for name, fields in switch.table(table).items():
            own = applied.get(table, {}).get(name)
            if own is None:
                yield Found(f"{table} {name}", "is configured, but not in force", "absent",
                            "present")
                continue
            for field, value in fields.items():
                have = own.get(field)
                if have is not None and name_of(have) != name_of(value):
                    yield Found(f"{table} {name}", f"{field} {value} is configured, {have} is in "
                                "force", have, value)
