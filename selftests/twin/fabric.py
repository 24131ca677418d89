# SPDX-License-Identifier: GPL-2.0
"""A sound fabric: a leaf with eight ports, of which two lead to a spine. Tests break it."""
import json

from lle_twin import checks, model, reading, wiring

PORTS = [f"Ethernet{4 * number}" for number in range(8)]
ROWS = """100000 40m 1248 2288 177632 0 2288
100000 300m 1248 2288 268736 0 2288
"""
IDENTITY = {str(number): str(number) for number in range(8)}


def tables(name, kind, links, hwsku="Force10-S6100", others="ToRRouter"):
    """CONFIG_DB of a switch. links: port -> (neighbour, its port)."""
    ports = PORTS
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": name, "hwsku": hwsku, "type": kind,
                                          "platform": "x86_64-dell_s6100_c2538-r0",
                                          "buffer_model": "traditional"}},
        "PORT": {port: {"speed": "100000", "mtu": "9100", "lanes": "1,2,3,4", "pfc_asym": "off",
                        "alias": f"eth{number}", "admin_status": "up"}
                 for number, port in enumerate(ports)},
        "CABLE_LENGTH": {"AZURE": {port: "40m" for port in ports}},
        "DEVICE_NEIGHBOR": {port: {"name": links.get(port, (f"host-{name}-{port}",))[0],
                                   "port": links.get(port, ("", "eth0"))[1]} for port in ports},
        "DEVICE_NEIGHBOR_METADATA": {
            **{f"host-{name}-{port}": {"type": "Server" if kind == "LeafRouter" else others}
               for port in ports if port not in links},
            **{peer: {"type": "LeafRouter" if kind == "SpineRouter" else "SpineRouter"}
               for peer, _ in links.values()}},
        "BUFFER_POOL": {
            "ingress_lossless_pool": {"size": "10875072", "type": "ingress", "mode": "dynamic",
                                      "xoff": "4194112"},
            "egress_lossless_pool": {"size": "15982720", "type": "egress", "mode": "static"},
            "egress_lossy_pool": {"size": "9243812", "type": "egress", "mode": "dynamic"}},
        "BUFFER_PROFILE": {
            "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0",
                                      "static_th": "1000000"},
            "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "1518",
                                        "static_th": "15982720"},
            "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "1518",
                                     "dynamic_th": "3"}},
        "BUFFER_PG": {f"{port}|0": {"profile": "ingress_lossy_profile"} for port in ports},
        "BUFFER_QUEUE": {f"{port}|{queues}": {"profile": profile} for port in ports
                         for queues, profile in (("3-4", "egress_lossless_profile"),
                                                 ("0-2", "egress_lossy_profile"),
                                                 ("5-6", "[BUFFER_PROFILE|egress_lossy_profile]"))},
        "DSCP_TO_TC_MAP": {"AZURE": {str(code): str({3: 3, 4: 4, 8: 0}.get(code, 1))
                                     for code in range(64)}},
        "TC_TO_QUEUE_MAP": {"AZURE": dict(IDENTITY)},
        "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {**dict.fromkeys("012567", "0"), "3": "3",
                                               "4": "4"}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": dict(IDENTITY)},
        "PORT_QOS_MAP": {port: {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE",
                                "tc_to_pg_map": "[TC_TO_PRIORITY_GROUP_MAP|AZURE]",
                                "pfc_to_queue_map": "AZURE", "pfc_enable": "3,4",
                                "pfcwd_sw_enable": "3,4"} for port in ports},
        "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "14"},
                      "scheduler.1": {"type": "DWRR", "weight": "15"}},
        "WRED_PROFILE": {"AZURE_LOSSLESS": {
            "wred_green_enable": "true", "ecn": "ecn_all", "green_min_threshold": "150000",
            "green_max_threshold": "1500000", "green_drop_probability": "5"}},
        "QUEUE": {**{f"{port}|{queue}": {"scheduler": "scheduler.1",
                                         "wred_profile": "AZURE_LOSSLESS"}
                     for port in ports for queue in "34"},
                  **{f"{port}|{queue}": {"scheduler": "scheduler.0"}
                     for port in ports for queue in "0156"}},
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"},
                   **{port: {"action": "drop", "restoration_time": "600",
                             "detection_time": "400"} for port in ports}},
    }


def pair():
    """(leaf, spine), connected by two links."""
    links = {"Ethernet0": ("spine1", "Ethernet0"), "Ethernet4": ("spine1", "eth1")}
    back = {port: ("leaf1", port) for port in links}
    return (tables("leaf1", "LeafRouter", links),
            tables("spine1", "SpineRouter", back, others="LeafRouter"))


def source(data, rows=ROWS):
    """A reading.Source of tables."""
    text = json.dumps(data)
    result = reading.Source(reading.hostname(data))
    result.files.append("config_db.json")
    found, result.faults = reading.tables_of(reading.parse(text, "x"), "x", text)
    result.merge(found)
    result.rows = reading.lookup(rows, "x")
    return result


def audit(*sources, only=(), valley=False, **options):
    """The findings of switches."""
    switches = [model.Switch(one, **options) for one in sources]
    return checks.run(wiring.Fabric(switches, valley=valley), only).findings


def put(data, path, value):
    """Sets TABLE/key/field; None removes."""
    *keys, last = path.split("/")
    for key in keys:
        data = data.setdefault(key, {})
    if value is None:
        data.pop(last, None)
    else:
        data[last] = value
