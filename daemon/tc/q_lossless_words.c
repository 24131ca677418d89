// SPDX-License-Identifier: GPL-2.0
/* Keywords with one value, and the names that some values have. */
#include "q_lossless.h"

const char * const lossless_trusts[] = {
	[LLE_TRUST_DSCP] = "dscp",
	[LLE_TRUST_PCP] = "pcp",
	[LLE_TRUST_NONE] = "none",
};

const char * const lossless_roles[] = {
	[LLE_ROLE_SWITCH] = "switch",
	[LLE_ROLE_HOST] = "host",
};

const char *const lossless_deadlock_actions[] = {
	[LLE_DEADLOCK_OFF] = "off",
	[LLE_DEADLOCK_ALERT] = "alert",
	[LLE_DEADLOCK_LOSSLESS] = "lossless",
	[LLE_DEADLOCK_DROP] = "drop",
};

const char *const lossless_deadlock_modes[] = {
	[LLE_DEADLOCK_EXACT] = "exact",
	[LLE_DEADLOCK_DCFIT] = "dcfit",
};

const char *const lossless_deadlock_triggers[] = {
	[LLE_DEADLOCK_TRIGGER_RESOLVE] = "resolve",
	[LLE_DEADLOCK_TRIGGER_LEAVE] = "leave",
};

const char * const lossless_switches[] = { "off", "on" };

const struct lossless_word lossless_words[] = {
	{ "rate", TCA_LOSSLESS_RATE64, 8, LOSSLESS_RATE, LLE_RATE_MIN,
	  LLE_RATE_MAX, NULL },
	{ "unlimited", TCA_LOSSLESS_RATE64, 8, LOSSLESS_FIXED, 0, 0, NULL },
	{ "delay", TCA_LOSSLESS_DELAY_NS, 8, LOSSLESS_TIME, 0, LLE_DELAY_MAX_NS,
	  NULL },
	{ "overhead", TCA_LOSSLESS_OVERHEAD, 4, LOSSLESS_SIZE, 0,
	  LLE_OVERHEAD_MAX, NULL },
	{ "burst", TCA_LOSSLESS_BURST, 4, LOSSLESS_SIZE, 0, LLE_BUFFER_MAX,
	  NULL },
	{ "limit", TCA_LOSSLESS_LIMIT, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX,
	  NULL },
	{ "nolimit", TCA_LOSSLESS_LIMIT, 4, LOSSLESS_FIXED, 0, 0, NULL },
	{ "auto-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_AUTO, 0,
	  NULL },
	{ "split-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_SPLIT, 0,
	  NULL },
	{ "no-split-gso", TCA_LOSSLESS_GSO, 1, LOSSLESS_FIXED, LLE_GSO_WHOLE,
	  0, NULL },
	{ "bands", TCA_LOSSLESS_BANDS, 1, LOSSLESS_NUMBER, 1, LLE_NUM_BAND,
	  NULL },
	{ "strict", TCA_LOSSLESS_STRICT, 1, LOSSLESS_NUMBER, 0, LLE_NUM_BAND,
	  NULL },
	{ "pause-quanta", TCA_LOSSLESS_PAUSE_QUANTA, 2, LOSSLESS_NUMBER, 1,
	  LLE_QUANTA_MAX, NULL },
	{ "switch", TCA_LOSSLESS_SWITCH, 4, LOSSLESS_NUMBER, 0, UINT32_MAX,
	  NULL },
	{ "buffer", TCA_LOSSLESS_BUFFER, 4, LOSSLESS_SIZE, LLE_BUFFER_MIN,
	  LLE_BUFFER_MAX, NULL },
	{ "deadlock", TCA_LOSSLESS_DEADLOCK, 1, LOSSLESS_NAME, 0,
	  LLE_DEADLOCK_ACTION_MAX, NULL, lossless_deadlock_actions },
	{ "deadlock-mode", TCA_LOSSLESS_DEADLOCK_MODE, 1, LOSSLESS_NAME, 0,
	  LLE_DEADLOCK_MODE_MAX, NULL, lossless_deadlock_modes },
	{ "deadlock-trigger", TCA_LOSSLESS_DEADLOCK_TRIGGER, 1, LOSSLESS_NAME,
	  0, LLE_DEADLOCK_TRIGGER_MAX, NULL, lossless_deadlock_triggers },
	{ "rcm", TCA_LOSSLESS_RCM, 1, LOSSLESS_NAME, 0, 1, NULL,
	  lossless_switches },
	{ "rcm-qeq", TCA_LOSSLESS_RCM_QEQ, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX,
	  "auto" },
	{ "rcm-host-cn", TCA_LOSSLESS_RCM_HOST_CN, 1, LOSSLESS_NAME, 0, 1, NULL,
	  lossless_switches },
	{ "rcm-las", TCA_LOSSLESS_RCM_LAS, 1, LOSSLESS_NUMBER, 0,
	  LLE_RCM_LAS_MAX, NULL },
	{ "reserved", TCA_LOSSLESS_RESERVED, 4, LOSSLESS_SIZE, 0,
	  LLE_BUFFER_MAX, NULL },
	{ "alpha", TCA_LOSSLESS_TO_ALPHA, 1, LOSSLESS_ALPHA, 0,
	  LLE_TO_ALPHA_MAX, NULL },
	{ "xoff", TCA_LOSSLESS_XOFF, 4, LOSSLESS_SIZE, 1, LLE_BUFFER_MAX,
	  NULL },
	{ "dynamic", TCA_LOSSLESS_XOFF, 4, LOSSLESS_FIXED, 0, 0, NULL },
	{ "xon-delta", TCA_LOSSLESS_XON_DELTA, 4, LOSSLESS_SIZE, 1,
	  LLE_BUFFER_MAX, "auto" },
	{ "headroom", TCA_LOSSLESS_HEADROOM, 4, LOSSLESS_SIZE, 1,
	  LLE_BUFFER_MAX, "auto" },
	{ "reaction", TCA_LOSSLESS_REACTION_NS, 4, LOSSLESS_TIME, 0,
	  LLE_DELAY_MAX_NS, NULL },
	{ "trust", TCA_LOSSLESS_TRUST, 1, LOSSLESS_NAME, 0, LLE_TRUST_MAX, NULL,
	  lossless_trusts },
	{ "role", TCA_LOSSLESS_ROLE, 1, LOSSLESS_NAME, 0, LLE_ROLE_MAX, NULL,
	  lossless_roles },
	{ "rx-rate", TCA_LOSSLESS_RX_RATE64, 8, LOSSLESS_RX_RATE, 0,
	  LLE_RX_UNLIMITED, NULL },
	{ "edge", TCA_LOSSLESS_FACING, 1, LOSSLESS_FIXED, LLE_FACING_EDGE, 0,
	  NULL },
	{ "fabric", TCA_LOSSLESS_FACING, 1, LOSSLESS_FIXED, LLE_FACING_FABRIC,
	  0, NULL },
	{ NULL, 0, 0, LOSSLESS_FIXED, 0, 0, NULL }
};

const struct lossless_word lossless_wred_words[] = {
	{ "kmin", TCA_LOSSLESS_WRED_KMIN, 4, LOSSLESS_SIZE,
	  0, LLE_BUFFER_MAX, NULL },
	{ "kmax", TCA_LOSSLESS_WRED_KMAX, 4, LOSSLESS_SIZE,
	  0, LLE_BUFFER_MAX, NULL },
	{ "pmax", TCA_LOSSLESS_WRED_PMAX, 4, LOSSLESS_PERCENT,
	  1, UINT32_MAX, NULL },
	{ "nonect", TCA_LOSSLESS_WRED_NONECT, 4, LOSSLESS_SIZE,
	  1, LLE_BUFFER_MAX, NULL },
	{ "bufmax", TCA_LOSSLESS_WRED_BUFMAX, 4, LOSSLESS_SIZE,
	  1, LLE_BUFFER_MAX, NULL },
	{ "ecn", TCA_LOSSLESS_WRED_ECN, 1, LOSSLESS_FIXED, 1, 0, NULL },
	{ NULL, 0, 0, LOSSLESS_FIXED, 0, 0, NULL }
};
