# SPDX-License-Identifier: GPL-2.0
"""A fault for each check, planted into a sound fabric, is found; the sound fabric is silent."""
import pytest

from lle_twin import checks, reading

import fabric
from fabric import ROWS, audit, pair, source

PROFILE = "BUFFER_PROFILE/mine"
SPECTRUM = {"DEVICE_METADATA/localhost/hwsku": "ACS-MSN4700",
            "DEVICE_METADATA/localhost/platform": "x86_64-mlnx_msn4700-r0"}
ALL = {f"BUFFER_PG/{port}|3": {"profile": "mine"} for port in fabric.PORTS}


def mine(**fields):
    """A profile of all groups 3, as given."""
    return {PROFILE: {"pool": "ingress_lossless_pool", "size": "1248", "xon": "2288",
                      "xoff": "177632", "xon_offset": "2288", "dynamic_th": "0", **fields}, **ALL}


E0 = "Ethernet0"
# id -> what is set at the leaf: path -> value; "rows": pg_profile_lookup.ini; "asic"
PLANTED = {
    "H1": mine(xoff="20800"),
    "H2": {"rows": ROWS + "100000 2000m 1248 2288 199680 0 2288\n"},
    "H3": {"rows": ROWS + "25000 40m 1248 2288 177632 0 2288\n"},
    "H5": {"CABLE_LENGTH/AZURE/Ethernet8": "50m"},
    "H6": {"CABLE_LENGTH/AZURE/Ethernet8": "0m"},
    "H7": {"CABLE_LENGTH/AZURE/Ethernet0": "300m"},
    "H8": {"BUFFER_PG/Ethernet8|3-4": {"profile": "pg_lossless_40000_40m_profile"},
           "BUFFER_PROFILE/pg_lossless_40000_40m_profile": mine()[PROFILE]},
    "H9": {**SPECTRUM, "rows": "100000 40m 1248 19456 42000 0\n"},
    "H10": {**mine(xoff="60000"), "LOSSLESS_TRAFFIC_PATTERN/AZURE": {
        "mtu": "1024", "small_packet_percentage": "100"}},
    "H11": {**SPECTRUM, **mine(xoff="1300000")},
    "H12": {"BUFFER_POOL/ingress_lossless_pool/xoff": "1000000"},
    "H13": {"BUFFER_PG/Ethernet8|3": {"profile": "NULL"}},
    "P1": {"BUFFER_POOL/ingress_lossless_pool/size": "12875072"},
    "P2": {"BUFFER_PROFILE/egress_lossless_profile/static_th": "10000000"},
    "P3": {"BUFFER_PROFILE/ingress_lossy_profile/static_th": "10875072"},
    "P4": {"BUFFER_POOL/ingress_lossless_pool/mode": "static"},
    "P5": mine(dynamic_th="-8", xon_offset="4000"),
    "A1": {**mine(dynamic_th="-2"), **{f"BUFFER_PG/{port}|3": None for port in fabric.PORTS[3:]}},
    "A2": mine(dynamic_th="-6"),
    "X1": mine(xon="0", xon_offset="0"),
    "E1": {"WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold": "1000000"},
    "E2": {"QUEUE/Ethernet8|3/wred_profile": None},
    "E3": {"WRED_PROFILE/AZURE_LOSSLESS/ecn": "ecn_yellow"},
    "E4": {"WRED_PROFILE/AZURE_LOSSLESS/green_drop_probability": None},
    "M1": {"DSCP_TO_TC_MAP/AZURE/26": "3"},
    "M2": {"PORT_QOS_MAP/Ethernet8/pfc_enable": "0,3,4",
           "PORT_QOS_MAP/Ethernet8/pfcwd_sw_enable": "0,3,4"},
    "M3": {"TC_TO_PRIORITY_GROUP_MAP/AZURE/1": "3"},
    "M4": {"MAP_PFC_PRIORITY_TO_QUEUE/AZURE/4": "6"},
    "M6": {"PORT/Ethernet8/pfc_asym": "on"},
    "W1": {"PORT_QOS_MAP/Ethernet8/pfcwd_sw_enable": "3"},
    "W2": {"PFC_WD/GLOBAL/POLL_INTERVAL": "500"},
    "S1": {"SCHEDULER/scheduler.0/type": "STRICT"},
    "D1": {"valley": True},
    "C1": {"BUFFER_POOL/egress_lossy_pool/size": 9243812},
    "C2": {"applied": True},
}


def planted(change):
    """Findings of the sound fabric with a change."""
    leaf, spine = pair()
    change = dict(change)
    rows = change.pop("rows", ROWS)
    valley = change.pop("valley", False)
    applied = change.pop("applied", False)
    for path, value in change.items():
        fabric.put(leaf, path, value)
    first = source(leaf, rows)
    sources = [first, source(spine)]
    if valley:
        # a second leaf and spine close a ring
        sources = ring()
    if applied:
        first.applied = {name: {key: dict(fields) for key, fields in first.table(name).items()}
                         for name in ("BUFFER_POOL", "BUFFER_PROFILE")}
        first.applied["BUFFER_POOL"]["egress_lossy_pool"]["size"] = "1"
    return audit(*sources, valley=valley)


def ring():
    """Two leaves and two spines, all connected."""
    result = []
    for name, kind, others in (("leaf1", "LeafRouter", ("spine1", "spine2")),
                               ("leaf2", "LeafRouter", ("spine1", "spine2")),
                               ("spine1", "SpineRouter", ("leaf1", "leaf2")),
                               ("spine2", "SpineRouter", ("leaf1", "leaf2"))):
        own = 0 if name.endswith("1") else 1
        links = {fabric.PORTS[number]: (other, fabric.PORTS[own])
                 for number, other in enumerate(others)}
        result.append(source(fabric.tables(name, kind, links, others="LeafRouter")))
    return result


def test_the_sound_fabric_is_silent():
    assert not audit(*(source(data) for data in pair()))
    assert not audit(*ring())


def test_there_are_35_checks_and_a_fault_for_each():
    assert set(PLANTED) == set(checks.table()) and len(PLANTED) == 35


@pytest.mark.parametrize("name", PLANTED)
def test_planted(name):
    found = [finding for finding in planted(PLANTED[name]) if finding.id == name]
    assert found
    one = found[0]
    assert one.device and one.objects and one.text and one.formula and one.source
    assert one.severity == checks.table()[name].severity


def test_an_unknown_asic_lowers_and_does_not_hide():
    change = {**PLANTED["H1"], "DEVICE_METADATA/localhost/hwsku": "Nobody",
              "DEVICE_METADATA/localhost/platform": "nowhere"}
    assert "warning" in {one.severity for one in planted(change) if one.id == "H1"}


def test_equal_faults_of_ports_are_one_finding():
    found = [one for one in planted(PLANTED["H1"]) if one.id == "H1"]
    assert len(found) == 1 and len(found[0].objects) == 8


def test_lists_of_ports_and_ranges():
    leaf, _ = pair()
    leaf["BUFFER_PG"] = {",".join(fabric.PORTS) + "|3-4": {"profile": "mine"}}
    fabric.put(leaf, PROFILE, mine(xoff="20800")[PROFILE])
    found = audit(source(leaf), only=["H1"])
    assert len(found[0].objects) == 8 and found[0].objects[0].endswith("pg 3,4")


def test_references_of_all_releases():
    for text in "AZURE", "[TABLE|AZURE]", "TABLE:AZURE", "[TABLE_TABLE:AZURE]":
        assert reading.name_of(text) == "AZURE"
    assert reading.names_of("[A|x],[A|y]") == reading.names_of("x,y") == ["x", "y"]
