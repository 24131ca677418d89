/* SPDX-License-Identifier: GPL-2.0 */
/*
 * By hand: detection 100, restoration 200. "RDMA over Commodity Ethernet at
 * Scale", section 4.3: a queue that is stuck for the detection time is a storm,
 * until pauses are gone for the restoration time, or for ever (NIC).
 */
#ifndef LLE_VECTORS_WATCHDOG_H
#define LLE_VECTORS_WATCHDOG_H

#define NEVER	LLE_WATCHDOG_NEVER

static const struct watchdog_step {
	const char *name;
	u64 now_ns;
	u64 stuck_since_ns;
	u64 quiet_since_ns;
	enum lle_watchdog_verdict verdict;
	u64 next_ns;
} watchdog_switch_vectors[] = {
	{ "nothing", 1000, NEVER, 0, LLE_WATCHDOG_NONE, NEVER },
	{ "stuck", 1000, 1000, 1500, LLE_WATCHDOG_NONE, 1100 },
	{ "a moment too early", 1099, 1000, 1600, LLE_WATCHDOG_NONE, 1100 },
	{ "it moved", 1100, NEVER, 1099, LLE_WATCHDOG_NONE, NEVER },
	{ "stuck again: anew", 1101, 1100, 1600, LLE_WATCHDOG_NONE, 1200 },
	{ "exactly then", 1200, 1100, 1700, LLE_WATCHDOG_STORM, 1900 },
	{ "declared once", 1200, 1100, 1700, LLE_WATCHDOG_NONE, 1900 },
	{ "goes on", 1500, 1100, 2000, LLE_WATCHDOG_NONE, 2200 },
	{ "the peer resumes", 1600, NEVER, 1600, LLE_WATCHDOG_NONE, 1800 },
	{ "pauses again", 1799, NEVER, 2100, LLE_WATCHDOG_NONE, 2300 },
	{ "a moment too early", 2299, NEVER, 2100, LLE_WATCHDOG_NONE, 2300 },
	{ "exactly then", 2300, NEVER, 2100, LLE_WATCHDOG_RESTORE, NEVER },
	{ "restored once", 2300, NEVER, 2100, LLE_WATCHDOG_NONE, NEVER },
	{ "stuck since the storm", 2310, 2305, 2900, LLE_WATCHDOG_NONE, 2405 },
	{ "looked at late", 9000, 2305, 9500, LLE_WATCHDOG_STORM, 9700 },
	{ "and late again", 20000, NEVER, 9500, LLE_WATCHDOG_RESTORE, NEVER },
}, watchdog_nic_vectors[] = {
	{ "stuck", 0, 0, 500, LLE_WATCHDOG_NONE, 100 },
	{ "exactly then", 100, 0, 500, LLE_WATCHDOG_STORM, NEVER },
	{ "never again", 100000, NEVER, 500, LLE_WATCHDOG_NONE, NEVER },
}, watchdog_off_vectors[] = {
	{ "off", 100000, 0, 100500, LLE_WATCHDOG_NONE, NEVER },
};

#endif /* LLE_VECTORS_WATCHDOG_H */
