# SPDX-License-Identifier: GPL-2.0
"""Output of devlink and dcb of a Linux switch (mlxsw), or of LLE's tools, as tables of SONiC."""
from .errors import Unreadable

POOLS, PORT_POOLS, BINDS = "pool", "port_pool", "tc_bind"


def is_output(data):
    """devlink -j sb ..., dcb -j pfc|buffer show, or a file that joins them by device."""
    return isinstance(data, dict) and bool({POOLS, PORT_POOLS, BINDS, "dcb"} & set(data))


def rows(data, key, path):
    """(handle, list of rows) of one part of devlink's output."""
    part = data.get(key, {})
    if not isinstance(part, dict):
        raise Unreadable("not an object", path, 0, key)
    for handle, entries in part.items():
        if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
            raise Unreadable("not a list of objects", path, 0, f"{key}|{handle}")
        yield str(handle).split("/")[-1], entries


def text(row, *names):
    """The first of the fields that a row has."""
    value = next((row[name] for name in names if name in row), None)
    return None if value is None or isinstance(value, (dict, list)) else str(value).lower()


def pool_name(number):
    return f"pool_{number}"


def tables(data, path):
    """Pools are named pool_N; thresholds of ports and TCs become profiles."""
    result = {"BUFFER_POOL": {}, "BUFFER_PROFILE": {}, "BUFFER_PG": {}, "BUFFER_QUEUE": {},
              "PORT_QOS_MAP": {}, "DEVICE_METADATA": {"localhost": {"platform": "mlxsw"}}}
    for _, entries in rows(data, POOLS, path):
        for row in entries:
            pool = {"type": text(row, "type"), "size": text(row, "size"),
                    "mode": text(row, "thtype", "threshold_type")}
            result["BUFFER_POOL"][pool_name(text(row, "pool"))] = {
                name: value for name, value in pool.items() if value is not None}
    for port, entries in rows(data, BINDS, path):
        for row in entries:
            pool, threshold = pool_name(text(row, "pool")), text(row, "threshold")
            dynamic = result["BUFFER_POOL"].get(pool, {}).get("mode") == "dynamic"
            # devlink-sb(8): to_alpha of 0-20, of which 10 is an alpha of 1
            if dynamic and (threshold or "").isdigit():
                threshold = str(int(threshold) - 10)
            name = f"{pool}_{threshold}"
            result["BUFFER_PROFILE"][name] = {"pool": pool, "size": "0", (
                "dynamic_th" if dynamic else "static_th"): threshold or "0"}
            table = "BUFFER_PG" if text(row, "type") == "ingress" else "BUFFER_QUEUE"
            result[table][f"{port}|{text(row, 'tc')}"] = {"profile": name}
    dcb = data.get("dcb", {})
    if not isinstance(dcb, dict):
        raise Unreadable("not an object", path, 0, "dcb")
    for port, parts in dcb.items():
        pfc = parts.get("pfc", parts) if isinstance(parts, dict) else {}
        prios = pfc.get("prio-pfc", pfc.get("prio_pfc", {})) if isinstance(pfc, dict) else {}
        if isinstance(prios, list):
            on = [str(number) for number, value in enumerate(prios) if value in (True, "on")]
        elif isinstance(prios, dict):
            on = [number for number, value in prios.items() if value in (True, "on")]
        else:
            on = []
        result["PORT_QOS_MAP"][port] = {"pfc_enable": ",".join(on)}
        buffer = parts.get("buffer") if isinstance(parts, dict) else None
        if isinstance(buffer, dict) and isinstance(buffer.get("buffer-size"), list):
            sizes, owner = buffer["buffer-size"], buffer.get("prio-buffer", [])
            for prio in on:
                number = owner[int(prio)] if isinstance(owner, list) and prio.isdigit() and \
                    int(prio) < len(owner) else None
                if isinstance(number, int) and 0 <= number < len(sizes):
                    result["BUFFER_PROFILE"][f"headroom_{port}_{prio}"] = {
                        "pool": "pool_0", "size": "0", "xoff": str(sizes[number]),
                        "dynamic_th": "0"}
                    result["BUFFER_PG"][f"{port}|{prio}"] = {"profile": f"headroom_{port}_{prio}"}
    return {name: entries for name, entries in result.items() if entries}
