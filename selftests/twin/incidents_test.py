# SPDX-License-Identifier: GPL-2.0
"""Incidents of operators and vendors: each is found by the check that stands for it."""
import expand
import fabric
from fabric import ROWS, audit, pair, put, source
from planted_test import PROFILE, mine

TD3 = {"DEVICE_METADATA/localhost/hwsku": "Arista-7050CX3-32S-C32"}


def leaf(change, rows=ROWS, **options):
    data, _ = pair()
    for path, value in change.items():
        put(data, path, value)
    return audit(source(data, rows), **options)


def ids(found, severity="error"):
    return {one.id for one in found if one.severity == severity}


def test_1_new_model_with_alpha_1_64():
    """SIGCOMM 2016, 6.2.2: 1/64 where the other ToRs have 1/16."""
    def tor(name, alpha):
        data = fabric.tables(name, "ToRRouter", {})
        return source(data, ROWS.replace(" 0 2288\n", f" {alpha} 2288\n"))
    found = audit(*(tor(f"tor{n}", -6 if n == 4 else -4) for n in range(5)))
    assert [one.device for one in found if one.id == "A1" and one.severity == "error"] == \
        ["tor4"]
    assert "A2" in ids(found, "warning")


def test_2_frames_lost_at_400g_50m():
    """sonic-mgmt issue 20422: 8 to 10 lossless frames are lost."""
    change = {**mine(xoff="73728"), **{f"PORT/{port}/speed": "400000" for port in fabric.PORTS},
              **{f"CABLE_LENGTH/AZURE/{port}": "50m" for port in fabric.PORTS}}
    one = next(one for one in leaf(change) if one.id == "H1")
    assert one.severity == "error" and one.need > 86526 and "frames can be lost" in one.text


def test_3_pool_of_nh4210():
    """sonic-buildimage issue 28657."""
    own = fabric.source(expand.configs()["nh4210-f-o256"], "")
    own.name = "nh4210-f-o256"
    one = next(one for one in audit(own) if one.id == "P1")
    assert one.severity == "error" and "808546 cells of 636183" in one.text


def test_4_egress_pool_of_td3():
    """sonic-buildimage PR 21320: 32340992 < 32689152."""
    change = {**TD3, "BUFFER_POOL/ingress_lossless_pool/size": "32689152",
              "BUFFER_POOL/egress_lossless_pool/size": "32340992",
              "BUFFER_PROFILE/egress_lossless_profile/static_th": "32340992"}
    assert "P2" in ids(leaf(change))


def test_5_td3_behind_a_slow_neighbour():
    """sonic-buildimage PR 11901: enough for 802.3, not for a neighbour of 10 us."""
    change = {**TD3, **mine(xoff="101088"), "BUFFER_POOL/ingress_lossless_pool/size": "32441856",
              "BUFFER_POOL/egress_lossless_pool/size": "32441856",
              "BUFFER_PROFILE/egress_lossless_profile/static_th": "32441856"}
    assert "H1" not in ids(leaf(change))
    assert "H1" in ids(leaf(change, reaction=10000))


def test_6_wred_drops_below_xoff():
    """sonic-buildimage issue 27606."""
    assert "E3" in ids(leaf({"WRED_PROFILE/AZURE_LOSSLESS/ecn": "ecn_none"}))


def dual_tor(remap):
    """Two ToRs below two leaves; a standby ToR sends packets from above up again."""
    result = []
    for name, kind, others in (("tor1", "ToRRouter", ("leaf1", "leaf2")),
                               ("tor2", "ToRRouter", ("leaf1", "leaf2")),
                               ("leaf1", "LeafRouter", ("tor1", "tor2")),
                               ("leaf2", "LeafRouter", ("tor1", "tor2"))):
        own = 0 if name.endswith("1") else 1
        data = fabric.tables(name, kind, {fabric.PORTS[number]: (other, fabric.PORTS[own])
                                          for number, other in enumerate(others)})
        if kind == "ToRRouter":
            put(data, "DEVICE_METADATA/localhost/subtype", "DualToR")
            if remap:
                put(data, "TC_TO_PRIORITY_GROUP_MAP/AZURE_TUNNEL",
                    {**dict.fromkeys("012567", "0"), "3": "2", "4": "6"})
        if remap:
            for port in fabric.PORTS[:2]:
                for field in "pfc_enable", "pfcwd_sw_enable":
                    put(data, f"PORT_QOS_MAP/{port}/{field}", "2,3,4,6")
        result.append(source(data))
    return audit(*result, only=["D1"])


def test_7_deadlock_of_dual_tor():
    """SONiC PR 950; the remap to priorities 2 and 6 is the cure."""
    assert ids(dual_tor(False)) == {"D1"}
    assert not dual_tor(True)


def test_8_cable_without_a_row():
    """sonic-buildimage issue 1602, PR 25208, 25606."""
    assert "H5" in ids(leaf({"CABLE_LENGTH/AZURE/Ethernet8": "50m"}))
    change = {"BUFFER_PROFILE/pg_lossless_100000_5m_profile": mine()[PROFILE],
              "BUFFER_PG/Ethernet8|3-4": {"profile": "pg_lossless_100000_5m_profile"}}
    assert "H8" in ids(leaf(change))


def test_9_poll_above_detection():
    """sonic-buildimage issue 27865."""
    assert "W2" in ids(leaf({"PFC_WD/GLOBAL/POLL_INTERVAL": "600"}))
    assert "W2" in ids(leaf({"PFC_WD/GLOBAL/POLL_INTERVAL": "400"}), "warning")
