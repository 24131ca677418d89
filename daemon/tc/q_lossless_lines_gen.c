// SPDX-License-Identifier: GPL-2.0
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */
#include "q_lossless.h"

const struct lossless_show lossless_line_link[] = {
	{ .attr = TCA_LOSSLESS_RATE64, .type = LOSSLESS_RATE, .key = "rate", .fmt = "rate %s ", .zero = "unlimited " },
	{ .attr = TCA_LOSSLESS_DELAY_NS, .type = LOSSLESS_TIME, .key = "delay", .fmt = "delay %s " },
	{ .attr = TCA_LOSSLESS_OVERHEAD, .type = LOSSLESS_SIZE, .key = "overhead", .fmt = "overhead %s " },
	{ .attr = TCA_LOSSLESS_BURST, .type = LOSSLESS_SIZE, .key = "burst", .fmt = "burst %s " },
	{ .attr = TCA_LOSSLESS_LIMIT, .type = LOSSLESS_SIZE, .key = "limit", .fmt = "limit %s ", .zero = "nolimit " },
	{ .show = lossless_show_gso },
	{ .attr = TCA_LOSSLESS_BANDS, .type = LOSSLESS_NUMBER, .key = "bands", .fmt = "bands %llu " },
	{ .attr = TCA_LOSSLESS_STRICT, .type = LOSSLESS_NUMBER, .key = "strict", .fmt = "strict %llu " },
	{ .show = lossless_show_quanta },
	{ .show = lossless_show_priomap },
	{}
};

const struct lossless_show lossless_line_rx[] = {
	{ .show = lossless_show_pfc_en },
	{ .attr = TCA_LOSSLESS_PAUSE_QUANTA, .type = LOSSLESS_NUMBER, .key = "pause_quanta", .fmt = "pause-quanta %llu " },
	{ .attr = TCA_LOSSLESS_TRUST, .type = LOSSLESS_NAME, .key = "trust", .fmt = "trust %s ", .names = lossless_names_trust, .max = LLE_TRUST_MAX },
	{ .show = lossless_show_dscp_prio },
	{ .attr = TCA_LOSSLESS_FACING, .type = LOSSLESS_NAME, .key = "facing", .fmt = "%s ", .names = lossless_names_facing, .max = LLE_FACING_MAX },
	{ .show = lossless_show_role },
	{}
};

const struct lossless_show lossless_line_buffer[] = {
	{ .attr = TCA_LOSSLESS_SWITCH, .type = LOSSLESS_NUMBER, .key = "switch", .fmt = "switch %llu " },
	{ .attr = TCA_LOSSLESS_DEADLOCK, .type = LOSSLESS_NAME, .key = "deadlock", .fmt = "deadlock %s ", .names = lossless_names_deadlock_action, .max = LLE_DEADLOCK_ACTION_MAX, .hide = true, .usual = 0 },
	{ .attr = TCA_LOSSLESS_DEADLOCK_TRIGGER, .type = LOSSLESS_NAME, .key = "deadlock_trigger", .fmt = "deadlock-trigger %s ", .names = lossless_names_deadlock_trigger, .max = LLE_DEADLOCK_TRIGGER_MAX, .hide = true, .usual = 0 },
	{ .attr = TCA_LOSSLESS_BUFFER, .type = LOSSLESS_SIZE, .key = "buffer", .fmt = "buffer %s " },
	{ .attr = TCA_LOSSLESS_SHARED, .type = LOSSLESS_SIZE, .key = "shared_size", .fmt = "(%s shared) " },
	{ .attr = TCA_LOSSLESS_RESERVED, .type = LOSSLESS_SIZE, .key = "reserved", .fmt = "reserved %s " },
	{ .show = lossless_show_to_alpha },
	{ .attr = TCA_LOSSLESS_XOFF, .type = LOSSLESS_SIZE, .key = "xoff", .fmt = "xoff %s ", .zero = "dynamic " },
	{ .attr = TCA_LOSSLESS_XON_DELTA, .type = LOSSLESS_SIZE, .key = "xon_delta", .fmt = "xon-delta %s ", .zero = "xon-delta auto " },
	{ .attr = TCA_LOSSLESS_XON_DELTA_NOW, .type = LOSSLESS_SIZE, .key = "xon_delta_now", .fmt = "(%s) " },
	{ .attr = TCA_LOSSLESS_HEADROOM, .type = LOSSLESS_SIZE, .key = "headroom", .fmt = "headroom %s ", .zero = "headroom auto " },
	{ .attr = TCA_LOSSLESS_HEADROOM_NOW, .type = LOSSLESS_SIZE, .key = "headroom_now", .fmt = "(%s" },
	{ .attr = TCA_LOSSLESS_HEADROOM_NEED, .type = LOSSLESS_SIZE, .key = "headroom_need", .fmt = ", %s needed) " },
	{ .attr = TCA_LOSSLESS_REACTION_NS, .type = LOSSLESS_TIME, .key = "reaction", .fmt = "reaction %s " },
	{}
};

const struct lossless_show lossless_line_rcm[] = {
	{ .attr = TCA_LOSSLESS_RCM, .type = LOSSLESS_NAME, .key = "rcm", .fmt = "rcm %s ", .names = lossless_names_switch, .max = 1, .hide = true, .usual = 0 },
	{ .attr = TCA_LOSSLESS_RCM_QEQ, .type = LOSSLESS_SIZE, .key = "rcm_qeq", .fmt = "rcm-qeq %s ", .hide = true, .usual = 0 },
	{ .attr = TCA_LOSSLESS_RCM_HOST_CN, .type = LOSSLESS_NAME, .key = "rcm_host_cn", .fmt = "rcm-host-cn %s ", .names = lossless_names_switch, .max = 1, .hide = true, .usual = 0 },
	{ .attr = TCA_LOSSLESS_RCM_LAS, .type = LOSSLESS_NUMBER, .key = "rcm_las", .fmt = "rcm-las %llu ", .hide = true, .usual = 0 },
	{}
};

const struct lossless_show lossless_line_wred[] = {
	{ .attr = TCA_LOSSLESS_WRED_PRIO, .type = LOSSLESS_NUMBER, .key = "prio", .fmt = " wred %llu " },
	{ .attr = TCA_LOSSLESS_WRED_KMIN, .type = LOSSLESS_SIZE, .key = "kmin", .fmt = "kmin %s " },
	{ .attr = TCA_LOSSLESS_WRED_KMAX, .type = LOSSLESS_SIZE, .key = "kmax", .fmt = "kmax %s " },
	{ .attr = TCA_LOSSLESS_WRED_PMAX, .type = LOSSLESS_PERCENT, .key = "pmax", .fmt = "pmax %g%% " },
	{ .attr = TCA_LOSSLESS_WRED_NONECT, .type = LOSSLESS_SIZE, .key = "nonect", .fmt = "nonect %s ", .zero = "" },
	{ .attr = TCA_LOSSLESS_WRED_BUFMAX, .type = LOSSLESS_SIZE, .key = "bufmax", .fmt = "bufmax %s ", .zero = "" },
	{ .attr = TCA_LOSSLESS_WRED_ECN, .type = LOSSLESS_FIXED, .key = "ecn", .fmt = "ecn " },
	{}
};

const struct lossless_row lossless_port_rows[] = {
	{ "", {
		LOSSLESS_FIELD(lle_port_stats, shared_used, " shared %s", true),
		LOSSLESS_FIELD(lle_port_stats, shared_max, " max %s", true),
		LOSSLESS_FIELD(lle_port_stats, reaction_ns, " reaction %lluns", false),
		LOSSLESS_FIELD(lle_port_stats, rx_malformed, " rx-malformed %llu", false),
		LOSSLESS_FIELD(lle_port_stats, rx_link_pause, " rx-link-pause %llu", false),
		LOSSLESS_FIELD(lle_port_stats, rx_pfc_excess, " rx-pfc-excess %llu", false),
		LOSSLESS_FIELD(lle_port_stats, rx_bypass, " rx-bypass %llu", false),
		LOSSLESS_FIELD(lle_port_stats, unaccounted, " unaccounted %llu", false),
		LOSSLESS_FIELD(lle_port_stats, wire_bytes, " wire %s", true),
	} },
	{ NULL }
};

const struct lossless_row lossless_prio_rows[] = {
	{ "rx", {
		LOSSLESS_FIELD(lle_prio_stats, rx_packets, "%12llu", false),
		LOSSLESS_FIELD(lle_prio_stats, rx_bytes, " pkt %12llu bytes", false),
	} },
	{ "buffer", {
		LOSSLESS_FIELD(lle_prio_stats, occupancy, "%12s", true),
		LOSSLESS_FIELD(lle_prio_stats, occupancy_max, " max %s,", true),
		LOSSLESS_FIELD(lle_prio_stats, headroom, " headroom %s", true),
		LOSSLESS_FIELD(lle_prio_stats, headroom_max, " max %s", true),
	} },
	{ "tx", {
		LOSSLESS_FIELD(lle_prio_stats, tx_packets, "%12llu", false),
		LOSSLESS_FIELD(lle_prio_stats, tx_bytes, " pkt %12llu", false),
		LOSSLESS_FIELD(lle_prio_stats, ecn_marked, " bytes, marked %llu", false),
	} },
	{ "backlog", {
		LOSSLESS_FIELD(lle_prio_stats, backlog, "%12s", true),
		LOSSLESS_FIELD(lle_prio_stats, backlog_max, " max %s", true),
	} },
	{ "rx-pause", {
		LOSSLESS_FIELD(lle_prio_stats, rx_pause, "%12llu", false),
		LOSSLESS_FIELD(lle_prio_stats, rx_resume, " resume %llu,", false),
		LOSSLESS_FIELD(lle_prio_stats, rx_pause_transition, " transition %llu", false),
		LOSSLESS_FIELD(lle_prio_stats, rx_pause_duration, " duration %lluus", false),
		LOSSLESS_FIELD(lle_prio_stats, rx_paused, " now %llu", false),
	} },
	{ "tx-pause", {
		LOSSLESS_FIELD(lle_prio_stats, tx_pause, "%12llu", false),
		LOSSLESS_FIELD(lle_prio_stats, tx_resume, " resume %llu,", false),
		LOSSLESS_FIELD(lle_prio_stats, tx_pause_transition, " transition %llu", false),
		LOSSLESS_FIELD(lle_prio_stats, tx_pause_duration, " duration %lluus", false),
		LOSSLESS_FIELD(lle_prio_stats, tx_paused, " now %llu", false),
	} },
	{ NULL }
};
