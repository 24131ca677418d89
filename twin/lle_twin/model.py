# SPDX-License-Identifier: GPL-2.0
"""A switch as its configuration makes it: ports, pools, profiles, groups and queues.

Thresholds follow T = S / (1/alpha + n), with S shared bytes of a pool (of one layer) and n groups
at their threshold (Documentation/guide/shared-buffer.rst).
"""
import dataclasses
import functools
import math
import re

from . import asic as asics
from . import schema
from .reading import name_of, numbers_of

MTU = 1500                      # of lossless packets, if nothing says otherwise
PORT_MTU = 9100                 # SONiC's default
TIERS = {"ToRRouter": 0, "BackEndToRRouter": 0, "LeafRouter": 1, "BackEndLeafRouter": 1,
         "SpineRouter": 2, "CoreRouter": 3, "AZNGHub": 3, "Server": -1, "FabricSpineRouter": 2}


@dataclasses.dataclass
class Pool:
    name: str
    type: str
    mode: str
    size: int | None
    xoff: int


@dataclasses.dataclass
class Profile:
    name: str
    pool: Pool | None
    size: int
    xoff: int | None
    xon: int | None
    xon_offset: int | None
    dynamic_th: int | None
    static_th: int | None
    made: bool = False          # from pg_profile_lookup.ini

    def unlimited(self):
        return self.static_th == 0


@dataclasses.dataclass
class Port:
    name: str
    speed: int | None
    mtu: int
    cable: int | None
    lanes: int
    up: bool
    fields: dict
    qos: dict
    pfc: tuple
    watched: tuple
    neighbour: str
    neighbour_port: str

    def map(self, field):
        return name_of(self.qos.get(field, ""))


class Switch:
    """Built of a reading.Source. faults: (object, have, need) of values that cannot be."""

    def __init__(self, source, forced="", mtu=None, reaction=None):
        self.source, self.name = source, source.name
        self.reaction = reaction
        self.faults = list(source.faults)
        self.table = source.table
        self.maps = {}
        meta = self.table("DEVICE_METADATA")
        self.meta = meta.get("localhost") or next(iter(meta.values()), {})
        self.hwsku = self.meta.get("hwsku", "")
        self.type = self.meta.get("type", "")
        words = " ".join((self.meta.get("platform", ""), self.hwsku)).strip() or source.name
        self.asic = asics.find(words, forced)
        self.dynamic = self.meta.get("buffer_model") == "dynamic" or bool(
            self.table("DEFAULT_LOSSLESS_BUFFER_PARAMETER"))
        pattern = next(iter(self.table("LOSSLESS_TRAFFIC_PATTERN").values()), {})
        self.mtu = mtu or self.number(pattern, "mtu", "LOSSLESS_TRAFFIC_PATTERN", (64, 9216)) or MTU
        self.small = self.number(pattern, "small_packet_percentage", "LOSSLESS_TRAFFIC_PATTERN",
                                 (0, 100)) or 0
        self.rows = {}
        for row in source.rows:
            self.rows.setdefault((row.speed, row.cable), row)
        self.pools = {name: Pool(name, fields.get("type", ""), fields.get("mode", ""),
                                 self.number(fields, "size", f"BUFFER_POOL|{name}"),
                                 self.number(fields, "xoff", f"BUFFER_POOL|{name}") or 0)
                      for name, fields in self.table("BUFFER_POOL").items()}
        self.profiles = {name: self.profile(name, fields)
                         for name, fields in self.table("BUFFER_PROFILE").items()}
        self.ports = self.read_ports()
        self.groups = self.bindings("BUFFER_PG", 7)
        self.queues = self.bindings("BUFFER_QUEUE", 63)
        self.schedule = self.entries("QUEUE", 63)
        self.make_lossless()

    # -- values

    def number(self, fields, name, where, limits=schema.SIZE):
        """A number in its range, else None and a fault."""
        text = fields.get(name)
        if text is None or text == "":
            return None
        if re.fullmatch(r"[+-]?\d{1,20}", text) and limits[0] <= int(text) <= limits[1]:
            return int(text)
        self.faults.append((f"{where}.{name}" if "|" in where else f"{where}|{name}", text,
                            f"{limits[0]} to {limits[1]}"))
        return None

    def priorities(self, fields, name, where):
        text = fields.get(name, "")
        found = numbers_of(text, 7) if text.strip() else []
        if found is None:
            self.faults.append((f"{where}.{name}", text, "priorities 0 to 7"))
            return ()
        return tuple(sorted(set(found)))

    def profile(self, name, fields):
        where = f"BUFFER_PROFILE|{name}"
        get = functools.partial(self.number, fields, where=where)
        return Profile(name, self.pools.get(name_of(fields.get("pool", ""))), get("size") or 0,
                       get("xoff"), get("xon"), get("xon_offset"),
                       self.number(fields, "dynamic_th", where, (-8, 8)), get("static_th"))

    # -- ports

    def read_ports(self):
        rows = self.table("PORT")
        qos = {}
        for key, fields in self.table("PORT_QOS_MAP").items():
            for name in key.split("|")[-1].split(","):
                qos[name.strip()] = {**qos.get(name.strip(), {}), **fields}
        common = qos.pop("global", {})
        self.common = common
        cables = {}
        for fields in self.table("CABLE_LENGTH").values():
            cables |= fields
        names = dict.fromkeys(rows or [*qos, *(key.split("|")[-2] for table in
                              ("BUFFER_PG", "BUFFER_QUEUE") for key in self.table(table)
                              if key.count("|") == 1 and "," not in key)])
        self.alias = {fields["alias"]: name for name, fields in rows.items()
                      if fields.get("alias")}
        neighbours = self.table("DEVICE_NEIGHBOR")
        ports = {}
        for name in [*names, *(name for name in qos if name not in names)]:
            fields = rows.get(name, {})
            own = {**common, **qos.get(name, {})}
            where = f"PORT|{name}"
            peer = neighbours.get(name) or neighbours.get(fields.get("alias", ""), {})
            ports[name] = Port(
                name, self.number(fields, "speed", where, (1, 10**7)),
                self.number(fields, "mtu", where, (64, 65535)) or PORT_MTU,
                self.cable(name, cables.get(name) or cables.get(fields.get("alias", ""))),
                len(fields.get("lanes", "").split(",")), fields.get("admin_status") != "down",
                fields, own, self.priorities(own, "pfc_enable", f"PORT_QOS_MAP|{name}"),
                self.priorities(own, "pfcwd_sw_enable", f"PORT_QOS_MAP|{name}"),
                peer.get("name", ""), peer.get("port", ""))
        return ports

    def cable(self, name, text):
        if text is None:
            return None
        found = re.fullmatch(r"(\d{1,7})m", text)
        if not found:
            self.faults.append((f"CABLE_LENGTH|{name}", text, "metres, as 40m"))
            return None
        return int(found[1])

    def lossless(self):
        """Ports with PFC that are up."""
        return [port for port in self.ports.values() if port.pfc and port.up]

    # -- groups and queues

    def entries(self, table, highest):
        """(port, number) -> fields, with ranges and lists of ports."""
        result = {}
        host = self.meta.get("hostname", "")
        for key, fields in self.table(table).items():
            *before, names, numbers = ["", *key.split("|")]
            listed = numbers_of(numbers, highest)
            if listed is None or not names:
                self.faults.append((f"{table}|{key}", numbers, f"port|0-{highest}"))
                continue
            # a system port of another line card (VOQ)
            if len(before) > 1 and host and before[1] != host:
                continue
            for name in names.split(","):
                for number in listed:
                    place = (name.strip(), number)
                    if len(before) > 1 and place in result:
                        continue
                    result[place] = {**result.get(place, {}), **fields}
        return result

    def bindings(self, table, highest):
        return {place: name_of(fields.get("profile", ""))
                for place, fields in self.entries(table, highest).items()}

    def make_lossless(self):
        """What buffermgrd makes of pfc_enable, speed, cable and pg_profile_lookup.ini."""
        pool = next((pool for pool in self.pools.values()
                     if pool.type in ("ingress", "both") and "lossless" in pool.name), None)
        self.missing = []       # (port, speed, cable) without a row
        for port in self.lossless():
            if not self.rows or port.speed is None or not port.cable:
                continue
            open_ = [prio for prio in port.pfc if (port.name, prio) not in self.groups]
            if not open_:
                continue
            row = self.rows.get((port.speed, port.cable))
            if row is None:
                self.missing.append(port)
                continue
            name = f"pg_lossless_{port.speed}_{port.cable}m_profile"
            if name not in self.profiles:
                # a column of two meanings: a static_th is larger than any dynamic_th
                static = pool is not None and pool.mode == "static" or row.threshold > 8
                self.profiles[name] = Profile(
                    name, pool, row.size, row.xoff, row.xon, row.xon_offset,
                    None if static else row.threshold, row.threshold if static else None, True)
            for prio in open_:
                self.groups[port.name, prio] = name

    def group(self, port, prio):
        """The profile of a priority group of a port, or None."""
        return self.profiles.get(self.groups.get((port.name, prio), ""))

    def queue(self, port, number):
        return self.profiles.get(self.queues.get((port.name, number), ""))

    def map(self, table, port, field):
        """number -> number of a port's map; {} without one, which means the identity."""
        name = port.map(field)
        if (table, name) not in self.maps:
            self.maps[table, name] = {
                int(key): int(value) for key, value in self.table(table).get(name, {}).items()
                if re.fullmatch(r"\d{1,3}", key) and re.fullmatch(r"\d{1,3}", value)}
        return self.maps[table, name]

    def tc_to_pg(self, port):
        return self.map("TC_TO_PRIORITY_GROUP_MAP", port, "tc_to_pg_map")

    def tc_to_queue(self, port):
        return self.map("TC_TO_QUEUE_MAP", port, "tc_to_queue_map")

    def pfc_to_queue(self, port):
        return self.map("MAP_PFC_PRIORITY_TO_QUEUE", port, "pfc_to_queue_map")

    def lossless_profiles(self):
        """profile -> [(port, priority)] of priorities with PFC."""
        result = {}
        for port in self.lossless():
            for prio in port.pfc:
                profile = self.group(port, prio)
                if profile:
                    result.setdefault(profile.name, []).append((port, prio))
        return {self.profiles[name].name: places for name, places in result.items()}

    def lossless_pool(self):
        """The ingress pool of the lossless groups."""
        for name in self.lossless_profiles():
            if self.profiles[name].pool:
                return self.profiles[name].pool
        found = [pool for pool in self.pools.values() if pool.type in ("ingress", "both")]
        return next((pool for pool in found if "lossless" in pool.name), found[0] if found else
                    None)

    # -- thresholds

    @functools.cached_property
    def reserved(self):
        """Bytes of all lossless groups that only they may use: minima, private headroom."""
        pool = self.lossless_pool()
        total = 0
        for name, places in self.lossless_profiles().items():
            profile = self.profiles[name]
            private = 0 if pool and pool.xoff else profile.xoff or 0
            total += len(places) * max(profile.size, private)
        return total

    def shared(self, pool):
        """S: bytes that groups of the pool share, in one layer; None if unknown."""
        if pool is None or pool.size is None:
            return None
        size = pool.size
        if self.asic.xoff == "in":
            size -= pool.xoff
        if self.asic.reserved == "in" and pool is self.lossless_pool():
            size -= self.reserved
        return max(0, size) / self.asic.layers

    def alpha(self, profile):
        """alpha of a dynamic profile, or None."""
        return None if profile.dynamic_th is None else self.asic.multiplier(profile.dynamic_th)

    def threshold(self, profile, groups=1):
        """T: shared bytes of each of n groups of a profile; None if unknown."""
        if profile.static_th is not None:
            return math.inf if profile.unlimited() else profile.static_th
        shared, alpha = self.shared(profile.pool), self.alpha(profile)
        if shared is None or alpha is None:
            return None
        return threshold(shared, alpha, groups)

    def congested(self):
        """n: lossless groups of all facing ports that one congested egress can pause."""
        ports = self.lossless()
        return max(1, len(ports) - 1)

    def neighbour_type(self, port):
        fields = self.table("DEVICE_NEIGHBOR_METADATA").get(port.neighbour, {})
        return fields.get("type", "")

    def tier(self):
        kind = self.type
        return TIERS.get(kind)

    def role(self, port):
        """Ports of one role have one configuration: neighbour's type, speed and cable."""
        return self.neighbour_type(port), port.speed


def threshold(shared, alpha, groups=1):
    """T = S / (1/alpha + n)."""
    if alpha == 0:
        return 0.0
    return shared / ((0 if math.isinf(alpha) else 1 / alpha) + groups)


def sequence(shared, alpha, count, minimum=0):
    """Occupancies of groups that fill one after the other, each up to its threshold."""
    free, result = shared, []
    for _ in range(count):
        own = free * alpha / (1 + alpha)
        result.append(minimum + own)
        free -= own
    return result


def two_levels(shared, port_alpha, alpha):
    """The same for one group if its port has a quota: B = S * p*a / (1 + a + p*a)."""
    both = port_alpha * alpha
    return shared * both / (1 + alpha + both)
