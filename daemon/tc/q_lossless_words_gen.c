// SPDX-License-Identifier: GPL-2.0
/* Do not edit directly, made by spec/gen.py from spec/qdisc.yaml */
#include "q_lossless.h"

const char *const lossless_names_switch[] = { "off", "on" };
const char *const lossless_names_trust[] = {
	[LLE_TRUST_DSCP] = "dscp",
	[LLE_TRUST_PCP] = "pcp",
	[LLE_TRUST_NONE] = "none",
};
const char *const lossless_names_facing[] = {
	[LLE_FACING_EDGE] = "edge",
	[LLE_FACING_FABRIC] = "fabric",
};
const char *const lossless_names_gso_mode[] = {
	[LLE_GSO_AUTO] = "auto",
	[LLE_GSO_SPLIT] = "split",
	[LLE_GSO_WHOLE] = "whole",
};
const char *const lossless_names_role[] = {
	[LLE_ROLE_SWITCH] = "switch",
	[LLE_ROLE_HOST] = "host",
};
const char *const lossless_names_deadlock_action[] = {
	[LLE_DEADLOCK_OFF] = "off",
	[LLE_DEADLOCK_ALERT] = "alert",
	[LLE_DEADLOCK_LOSSLESS] = "lossless",
	[LLE_DEADLOCK_DROP] = "drop",
};
const char *const lossless_names_deadlock_trigger[] = {
	[LLE_DEADLOCK_TRIGGER_RESOLVE] = "resolve",
	[LLE_DEADLOCK_TRIGGER_LEAVE] = "leave",
};

const struct lossless_word lossless_words[] = {
	{ "rate", TCA_LOSSLESS_RATE64, 8, LOSSLESS_RATE, LLE_RATE_MIN, LLE_RATE_MAX, NULL, NULL },
	{ "unlimited", TCA_LOSSLESS_RATE64, 8, LOSSLESS_FIXED, 0, 0, NULL, NULL },
	{ "delay", TCA_LOSSLESS_DELAY_NS, 8, LOSSLESS_TIME, 0, LLE_DELAY_MAX_NS, NULL, NULL },
	{ "overhead", TCA_LOSSLESS_OVERHEAD, 4, LOSSLESS_SIZE, 0, 256, NULL, NULL },
	{ "burst", TCA_LOSSLESS_BURST, 4, LOSSLESS_SIZE, 0, LLE_BUFFER_MAX, NULL, NULL },
	{ "limit", TCA_LOSSLESS_LIMIT, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX, NULL, NULL },
	{ "nolimit", TCA_LOSSLESS_LIMIT, 4, LOSSLESS_FIXED, 0, 0, NULL, NULL },
	{ "auto-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_AUTO, 0, NULL, NULL },
	{ "split-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_SPLIT, 0, NULL, NULL },
	{ "no-split-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_WHOLE, 0, NULL, NULL },
	{ "bands", TCA_LOSSLESS_BANDS, 1, LOSSLESS_NUMBER, 1, 8, NULL, NULL },
	{ "strict", TCA_LOSSLESS_STRICT, 1, LOSSLESS_NUMBER, 0, 8, NULL, NULL },
	{ "pause-quanta", TCA_LOSSLESS_PAUSE_QUANTA, 2, LOSSLESS_NUMBER, 1, 65535, NULL, NULL },
	{ "switch", TCA_LOSSLESS_SWITCH, 4, LOSSLESS_NUMBER, 0, 4294967295U, NULL, NULL },
	{ "buffer", TCA_LOSSLESS_BUFFER, 4, LOSSLESS_SIZE, LLE_BUFFER_MIN, LLE_BUFFER_MAX, NULL, NULL },
	{ "reserved", TCA_LOSSLESS_RESERVED, 4, LOSSLESS_SIZE, 0, LLE_BUFFER_MAX, NULL, NULL },
	{ "alpha", TCA_LOSSLESS_TO_ALPHA, 1, LOSSLESS_ALPHA, 0, LLE_TO_ALPHA_MAX, NULL, NULL },
	{ "xoff", TCA_LOSSLESS_XOFF, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX, NULL, NULL },
	{ "dynamic", TCA_LOSSLESS_XOFF, 4, LOSSLESS_FIXED, 0, 0, NULL, NULL },
	{ "xon-delta", TCA_LOSSLESS_XON_DELTA, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX, "auto", NULL },
	{ "headroom", TCA_LOSSLESS_HEADROOM, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX, "auto", NULL },
	{ "reaction", TCA_LOSSLESS_REACTION_NS, 4, LOSSLESS_TIME, 0, LLE_DELAY_MAX_NS, NULL, NULL },
	{ "deadlock", TCA_LOSSLESS_DEADLOCK, 1, LOSSLESS_NAME, 0, LLE_DEADLOCK_ACTION_MAX, NULL, lossless_names_deadlock_action },
	{ "deadlock-trigger", TCA_LOSSLESS_DEADLOCK_TRIGGER, 1, LOSSLESS_NAME, 0, LLE_DEADLOCK_TRIGGER_MAX, NULL, lossless_names_deadlock_trigger },
	{ "rcm", TCA_LOSSLESS_RCM, 1, LOSSLESS_NAME, 0, 1, NULL, lossless_names_switch },
	{ "rcm-host-cn", TCA_LOSSLESS_RCM_HOST_CN, 1, LOSSLESS_NAME, 0, 1, NULL, lossless_names_switch },
	{ "rcm-qeq", TCA_LOSSLESS_RCM_QEQ, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX, "auto", NULL },
	{ "rcm-las", TCA_LOSSLESS_RCM_LAS, 1, LOSSLESS_NUMBER, 0, 255, NULL, NULL },
	{ "trust", TCA_LOSSLESS_TRUST, 1, LOSSLESS_NAME, 0, LLE_TRUST_MAX, NULL, lossless_names_trust },
	{ "edge", TCA_LOSSLESS_FACING, 1, LOSSLESS_FIXED, LLE_FACING_EDGE, 0, NULL, NULL },
	{ "fabric", TCA_LOSSLESS_FACING, 1, LOSSLESS_FIXED, LLE_FACING_FABRIC, 0, NULL, NULL },
	{ "role", TCA_LOSSLESS_ROLE, 1, LOSSLESS_NAME, 0, LLE_ROLE_MAX, NULL, lossless_names_role },
	{ "rx-rate", TCA_LOSSLESS_RX_RATE64, 8, LOSSLESS_RX_RATE, 0, LLE_RX_UNLIMITED, NULL, NULL },
	{ NULL, 0, 0, LOSSLESS_FIXED, 0, 0, NULL, NULL }
};

const struct lossless_word lossless_wred_words[] = {
	{ "kmin", TCA_LOSSLESS_WRED_KMIN, 4, LOSSLESS_SIZE, 0, LLE_BUFFER_MAX, NULL, NULL },
	{ "kmax", TCA_LOSSLESS_WRED_KMAX, 4, LOSSLESS_SIZE, 0, LLE_BUFFER_MAX, NULL, NULL },
	{ "pmax", TCA_LOSSLESS_WRED_PMAX, 4, LOSSLESS_PERCENT, 1, 4294967295U, NULL, NULL },
	{ "nonect", TCA_LOSSLESS_WRED_NONECT, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX, NULL, NULL },
	{ "bufmax", TCA_LOSSLESS_WRED_BUFMAX, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX, NULL, NULL },
	{ "ecn", TCA_LOSSLESS_WRED_ECN, 1, LOSSLESS_FIXED, 1, 0, NULL, NULL },
	{ NULL, 0, 0, LOSSLESS_FIXED, 0, 0, NULL, NULL }
};

const char lossless_usage[] =
	"Usage: ... lossless\n"
	"	[ rate RATE | unlimited* ] [ delay TIME ] [ overhead BYTES ]\n"
	"	[ burst BYTES ] [ limit BYTES | nolimit* ]\n"
	"	[ auto-gso* | split-gso | no-split-gso ] [ bands N ] [ strict N ]\n"
	"	[ quanta B1 [ B2 ... ] ] [ priomap B0 [ B1 ... B7 ] ]\n"
	"	[ prio-pfc { all | PRIO }:{ on | off } ... ] [ pause-quanta N ]\n"
	"	[ switch ID ] [ buffer BYTES ] [ reserved BYTES ]\n"
	"	[ alpha { N | 1/N } ] [ xoff BYTES | dynamic* ]\n"
	"	[ xon-delta { BYTES | auto* } ] [ headroom { BYTES | auto* } ]\n"
	"	[ reaction TIME ] [ deadlock { off* | alert | lossless | drop } ]\n"
	"	[ deadlock-trigger { resolve* | leave } ] [ rcm { off* | on } ]\n"
	"	[ rcm-host-cn { off* | on } ] [ rcm-qeq { BYTES | auto* } ]\n"
	"	[ rcm-las N ] [ wred PRIO kmin BYTES kmax BYTES pmax PERCENT\n"
	"	  [ nonect BYTES ] [ bufmax BYTES ] [ ecn ] ... ] [ nowred [ PRIO ] ]\n"
	"	[ trust { dscp* | pcp | none } ]\n"
	"	[ dscp-prio { all | DSCP }:{ PRIO | default } ... ] [ edge* | fabric ]\n"
	"	[ role { switch* | host } ]\n"
	"	[ rx-rate { RATE | unlimited* | stopped } ] [ clearmax ]\n"
	"Defaults: *, 8 bands, priorities 7 and 6 strict, 5 to 0 equal, PFC and WRED\n"
	"off, DSCP/8 as priority; delay 0, overhead 24, burst 32kb, pause-quanta\n"
	"65535, switch 0, buffer 12mb, reserved 0, alpha 1/16, reaction 100us,\n"
	"rcm-las 0, rx-rate unlimited.\n";
