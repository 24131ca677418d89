# SPDX-License-Identifier: GPL-2.0
"""Reads files of a switch into its tables: table -> key -> field -> text.

Formats: config_db.json, buffers.json, qos.json; a dump of a redis database, or a list of
swssconfig; pg_profile_lookup.ini; a table of such rows, PLATFORM<tab>ROW; the output of
`devlink -j sb` and `dcb -j`; with templates, buffers.json.j2 and qos.json.j2.
"""
import json
import os
import re

from . import schema
from .errors import Unreadable

LARGEST = 64 << 20
LONGEST = 4096              # of a key or value
NAME = re.compile(r"\[?(?:[A-Z0-9_]+[|:])?([^\[\]|]*)\]?$")


class Row:
    """Of pg_profile_lookup.ini: headroom for a speed and a cable."""

    def __init__(self, words):
        self.speed, self.cable = int(words[0]), int(words[1].removesuffix("m"))
        self.size, self.xon, self.xoff = (int(word) for word in words[2:5])
        self.threshold = int(words[5])
        self.xon_offset = int(words[6]) if len(words) > 6 else 0

    def name(self):
        return f"{self.speed} {self.cable}m"


class Source:
    """All files of a switch."""

    def __init__(self, name=""):
        self.name = name
        self.files = []
        self.tables = {}
        self.rows = []
        self.faults = []        # (object, have, need) of values that SONiC refuses
        self.applied = None     # tables of a dump of what is in force

    def table(self, name):
        return self.tables.get(name, {})

    def merge(self, tables):
        for name, entries in tables.items():
            own = self.tables.setdefault(name, {})
            for key, fields in entries.items():
                own.setdefault(key, {}).update(fields)


def line_of(text, *keys):
    """The line of a key, found by its names in order."""
    at = 0
    for key in keys:
        found = text.find(json.dumps(key, ensure_ascii=False), at)
        at = found if found >= 0 else at
    return text.count("\n", 0, at) + 1


def load(path):
    """The text of a file."""
    try:
        if os.path.getsize(path) > LARGEST:
            raise Unreadable(f"larger than {LARGEST >> 20} MiB", path)
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        raise Unreadable(error.strerror or "cannot be read", path) from None
    except UnicodeDecodeError as error:
        raise Unreadable(f"not UTF-8 at byte {error.start}", path) from None
    except ValueError as error:
        raise Unreadable(str(error), repr(path)) from None


def unique(pairs):
    """An object; of a key that is twice the parts are merged, as redis does."""
    result = {}
    for key, value in pairs:
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] |= value
        else:
            result[key] = value
    return result


def parse(text, path):
    """JSON, also as templates render it: with a comma behind the last element."""
    def refused(word):
        raise ValueError(f"{word} is not a number")
    try:
        try:
            return json.loads(text, object_pairs_hook=unique, parse_constant=refused)
        except json.JSONDecodeError:
            return json.loads(re.sub(r",(\s*[}\]])", r"\1", text), object_pairs_hook=unique,
                              parse_constant=refused)
    except json.JSONDecodeError as error:
        if re.search(r"\{[%{#]", text):
            raise Unreadable("a template that is not rendered: use --template", path,
                             error.lineno) from None
        raise Unreadable(error.msg, path, error.lineno) from None
    except RecursionError:
        raise Unreadable("nested too deep", path) from None
    except ValueError as error:
        raise Unreadable(str(error)[:100], path) from None


class Tables:
    """Turns the object of a file into tables of text."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.faults = []

    def fail(self, why, *keys):
        raise Unreadable(why, self.path, line_of(self.text, *keys), "|".join(keys))

    def word(self, value, *keys):
        """A value as text. Numbers and booleans have to be strings."""
        if isinstance(value, list):
            return ",".join(self.word(part, *keys) for part in value)
        if isinstance(value, dict):
            self.fail("an object, where a text has to be", *keys)
        if not isinstance(value, str):
            text = "" if value is None else str(value).lower() if isinstance(value, bool) \
                else str(value)
            if keys[0] in schema.FIELDS or keys[0] in schema.MAPS:
                self.faults.append(("|".join(keys), json.dumps(value), "a string"))
            value = text
        if len(value) > LONGEST and "," not in value:
            self.fail(f"a text of {len(value)} characters", *keys)
        return value.strip()

    def entry(self, table, key, fields):
        if fields is None:
            return {}
        if not isinstance(fields, dict):
            self.fail("not an object", table, key)
        return {name: self.word(value, table, key, name) for name, value in fields.items()}

    def of(self, data):
        """The tables of CONFIG_DB."""
        result = {}
        for name, entries in data.items():
            table = schema.SAME.get(name, name)
            if table not in schema.TABLES:
                continue
            if not isinstance(entries, dict):
                self.fail("not an object", name)
            if table in ("PFC_WD", "DEVICE_METADATA") or any(
                    isinstance(value, dict) for value in entries.values()) or not entries:
                rows = entries
            else:
                # one entry without a key, as old releases write it
                rows = {"": entries}
            result[table] = {key: self.entry(table, key, fields) for key, fields in rows.items()}
        return result

    def of_dump(self, entries):
        """Those of APPL_DB: TABLE:key -> fields, as redis-dump and swssconfig write them."""
        result = {}
        for key, fields in entries:
            table, _, rest = key.partition(":" if ":" in key and
                                           "|" not in key.partition(":")[0] else "|")
            table = table.removesuffix("_TABLE")
            table = schema.SAME.get(table, table)
            if table not in schema.TABLES:
                continue
            if isinstance(fields, dict) and isinstance(fields.get("value"), dict):
                fields = fields["value"]
            rest = rest.replace(":", "|")
            result.setdefault(table, {})[rest] = self.entry(table, rest, fields)
        return result


def is_dump(data):
    return isinstance(data, dict) and any(
        re.match(r"[A-Z0-9_]+(:|\|)", key) for key in data)


def tables_of(data, path, text):
    """(tables, faults) of parsed JSON."""
    reader = Tables(path, text)
    if isinstance(data, list) and data and all(isinstance(part, dict) for part in data):
        entries = [(key, fields) for part in data for key, fields in part.items() if key != "OP"]
        return reader.of_dump(entries), reader.faults
    if not isinstance(data, dict):
        raise Unreadable("not an object of tables", path, 1)
    result = reader.of_dump(data.items()) if is_dump(data) else reader.of(data)
    return result, reader.faults


def lookup(text, path):
    """Rows of pg_profile_lookup.ini."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            try:
                row = Row(words)
                sizes = row.speed - 1, row.cable, row.size, row.xoff, row.xon, row.xon_offset
                if min(*sizes, row.threshold + 8) < 0 or max(*sizes, row.threshold) > schema.BIG:
                    raise ValueError
            except (ValueError, IndexError):
                raise Unreadable("not a row of speed, cable, size, xon, xoff, threshold", path,
                                 number, words[0][:40]) from None
            rows.append(row)
    return rows


def platforms(text, path):
    """Sources of a table of rows: PLATFORM<tab>ROW."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, tab, row = line.partition("\t")
        if not line.strip() or line.startswith("#"):
            continue
        name = re.sub(r"^device/|/pg_profile_lookup\.ini$", "", name.strip())
        if not tab:
            raise Unreadable("not PLATFORM<tab>ROW", path, number)
        if name not in found:
            found[name] = Source(name)
            found[name].files.append(path)
        try:
            found[name].rows += lookup(row.replace("\t", " "), path)
        except Unreadable as error:
            raise Unreadable(error.why, path, number, error.key) from None
    return list(found.values())


def hostname(tables):
    entries = tables.get("DEVICE_METADATA", {})
    return next((fields["hostname"] for fields in entries.values() if fields.get("hostname")), "")


def same_switch(source, tables):
    """Are the tables of a further file those of the same switch?"""
    if "DEVICE_METADATA" in tables and "DEVICE_METADATA" in source.tables:
        return hostname(tables) == hostname(source.tables) and \
            not set(tables) & set(source.tables) - {"DEVICE_METADATA"}
    return not {"BUFFER_POOL", "PORT_QOS_MAP", "PORT"} & set(tables) & set(source.tables)


def read(paths, template=None):
    """The switches of all files: a folder has one; a file that repeats tables begins one."""
    from . import linux
    sources = []

    def current(fresh=False, name=""):
        if fresh or not sources:
            sources.append(Source(name))
        return sources[-1]

    for path in paths:
        inside = sorted(os.path.join(path, name) for name in os.listdir(path)
                        if re.search(r"\.(json|ini|j2)$", name)) if os.path.isdir(path) else [path]
        if os.path.isdir(path):
            current(True, os.path.basename(os.path.normpath(path)))
        for file in inside:
            stem = re.sub(r"[._-]?(config_db|buffers?|qos|pg_profile_lookup)?(\.json|\.ini)?"
                          r"(\.j2)?$", "", os.path.basename(file))
            text = load(file)
            if file.endswith(".tsv"):
                sources += platforms(text, file)
                continue
            if file.endswith(".ini"):
                rows = lookup(text, file)
                source = current(bool(sources and sources[-1].rows), stem)
                source.rows = rows
                source.files.append(file)
                source.name = source.name or stem
                continue
            if file.endswith(".j2"):
                if template is None:
                    raise Unreadable("a template: use --template", file, 1)
                text = template(file)
            data = parse(text, file)
            if linux.is_output(data):
                tables, faults = linux.tables(data, file), []
            else:
                tables, faults = tables_of(data, file, text)
            fresh = bool(sources) and not os.path.isdir(path) and \
                not same_switch(sources[-1], tables)
            source = current(fresh, stem)
            source.name = hostname(tables) or source.name or stem
            source.files.append(file)
            source.faults += faults
            source.merge(tables)
    return [source for source in sources if source.files]


def name_of(reference):
    """The name in a reference: [TABLE|name], TABLE:name or name."""
    found = NAME.match(reference.strip())
    return found[1] if found else reference.strip()


def names_of(references):
    """A comma list of references."""
    text = references.strip()
    if text.startswith("["):
        return [name_of(part) for part in re.findall(r"\[[^\]]*\]", text)]
    return [name_of(part) for part in text.split(",") if part.strip()]


def numbers_of(text, highest=63):
    """3,4 or 0-2 or 3: numbers; None if it is no such list."""
    result = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d{1,3})(?:-(\d{1,3}))?\s*", part)
        if not found or int(found[2] or found[1]) > highest:
            return None
        result += range(int(found[1]), int(found[2] or found[1]) + 1)
    return result
