# SPDX-License-Identifier: GPL-2.0
"""SONiC's tables: fields with their ranges, and tables that fields refer to.

Source: sonic-buildimage src/sonic-yang-models, sonic-swss doc/swss-schema.md. Tables that are not
here are not of QoS, and are ignored.
"""
BIG = 2**40                     # bytes: no packet memory is larger
SIZE = (0, BIG)
RATE = (0, 2**50)
BOOL = ("true", "false", "True", "False", "on", "off")


def ref(table):
    return ("ref", table)


def refs(table):
    return ("refs", table)


WRED = {"ecn": ("ecn_none", "ecn_green", "ecn_yellow", "ecn_red", "ecn_green_yellow",
                "ecn_green_red", "ecn_yellow_red", "ecn_all")}
for _colour in ("green", "yellow", "red"):
    WRED |= {f"{_colour}_min_threshold": SIZE, f"{_colour}_max_threshold": SIZE,
             f"{_colour}_drop_probability": (0, 100), f"wred_{_colour}_enable": BOOL}

# field -> (low, high), a tuple of words, a reference, or None: any text
FIELDS = {
    "BUFFER_POOL": {"type": ("ingress", "egress", "both"), "mode": ("static", "dynamic"),
                    "size": SIZE, "xoff": SIZE, "percentage": (0, 100)},
    "BUFFER_PROFILE": {"pool": ref("BUFFER_POOL"), "size": SIZE, "xon": SIZE, "xon_offset": SIZE,
                       "xoff": SIZE, "dynamic_th": (-8, 8), "static_th": SIZE,
                       "headroom_type": ("static", "dynamic"),
                       "packet_discard_action": ("drop", "trim")},
    "BUFFER_PG": {"profile": ref("BUFFER_PROFILE")},
    "BUFFER_QUEUE": {"profile": ref("BUFFER_PROFILE")},
    "BUFFER_PORT_INGRESS_PROFILE_LIST": {"profile_list": refs("BUFFER_PROFILE")},
    "BUFFER_PORT_EGRESS_PROFILE_LIST": {"profile_list": refs("BUFFER_PROFILE")},
    "WRED_PROFILE": WRED,
    "SCHEDULER": {"type": ("DWRR", "WRR", "STRICT"), "weight": (1, 100), "priority": (0, 9),
                  "meter_type": ("packets", "bytes"), "cir": RATE, "pir": RATE, "cbs": RATE,
                  "pbs": RATE},
    "QUEUE": {"scheduler": ref("SCHEDULER"), "wred_profile": ref("WRED_PROFILE")},
    "PORT_QOS_MAP": {
        "dscp_to_tc_map": ref("DSCP_TO_TC_MAP"), "dot1p_to_tc_map": ref("DOT1P_TO_TC_MAP"),
        "tc_to_queue_map": ref("TC_TO_QUEUE_MAP"),
        "tc_to_pg_map": ref("TC_TO_PRIORITY_GROUP_MAP"),
        "pfc_to_pg_map": ref("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
        "pfc_to_queue_map": ref("MAP_PFC_PRIORITY_TO_QUEUE"), "scheduler": ref("SCHEDULER"),
        "tc_to_dot1p_map": ref("TC_TO_DOT1P_MAP"), "tc_to_dscp_map": ref("TC_TO_DSCP_MAP"),
        "dscp_to_fc_map": None, "exp_to_fc_map": None, "mpls_tc_to_tc_map": None,
        "pfc_enable": "priorities", "pfcwd_sw_enable": "priorities"},
    "PFC_WD": {"action": ("drop", "forward", "alert"), "detection_time": (100, 5000),
               "restoration_time": (0, 60000), "POLL_INTERVAL": (100, 3000),
               "BIG_RED_SWITCH": ("enable", "disable"), "pfc_stat_history": ("enable", "disable")},
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"default_dynamic_th": (-8, 8),
                                          "over_subscribe_ratio": (0, 1000), "max_headroom": SIZE},
    "LOSSLESS_TRAFFIC_PATTERN": {"mtu": (64, 9216), "small_packet_percentage": (0, 100)},
}
# map -> (highest key, highest value)
MAPS = {"DSCP_TO_TC_MAP": (63, 15), "DOT1P_TO_TC_MAP": (7, 15), "TC_TO_QUEUE_MAP": (15, 63),
        "TC_TO_PRIORITY_GROUP_MAP": (15, 7), "MAP_PFC_PRIORITY_TO_QUEUE": (7, 63),
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": (7, 7), "TC_TO_DSCP_MAP": (15, 63),
        "TC_TO_DOT1P_MAP": (15, 7)}
# names of other releases
SAME = {"PFC_PRIORITY_TO_QUEUE_MAP": "MAP_PFC_PRIORITY_TO_QUEUE",
        "PFC_TO_QUEUE_MAP": "MAP_PFC_PRIORITY_TO_QUEUE",
        "PFC_PRIORITY_TO_QUEUE": "MAP_PFC_PRIORITY_TO_QUEUE",
        "TC_TO_PG_MAP": "TC_TO_PRIORITY_GROUP_MAP"}
# read for ports and wiring
OTHERS = ("PORT", "CABLE_LENGTH", "DEVICE_METADATA", "DEVICE_NEIGHBOR",
          "DEVICE_NEIGHBOR_METADATA", "PEER_SWITCH", "TUNNEL", "PORTCHANNEL_MEMBER")
TABLES = {*FIELDS, *MAPS, *OTHERS}
