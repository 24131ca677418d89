/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_CONGESTION_H
#define LLE_TYPES_CONGESTION_H

#include "../../core/notification/cn.h"
#include "../../core/notification/hold.h"
#include "../../core/pfc/budget.h"

/* A port that has nothing to tell its neighbour */
#define LLE_CN_NEVER		U64_MAX

/**
 * struct lle_rcm_config - regional congestion mitigation, as set
 * @on: there is
 * @host_cn: the host that the port faces obeys congestion notifications
 * @sample: enum lle_crd_sample
 * @cfr: enum lle_cfr_rule
 * @rcc: enum lle_rcc_rule
 * @depth: D of CFR
 * @wq: w_q
 * @wremote_q32: w of equation 2, in 1/2^32
 * @qeq_bytes: Q_eq; 0: computed
 */
struct lle_rcm_config {
	bool on;
	bool host_cn;
	u8 sample;
	u8 cfr;
	u8 rcc;
	u8 depth;
	u8 wq;
	u32 wremote_q32;
	u32 qeq_bytes;
};

/**
 * struct lle_rcm_hold - a destination that the neighbour is to hold
 * @name: its number
 * @egress: number of the port at which it is congested
 */
struct lle_rcm_hold {
	u32 name;
	u8 egress;
};

/**
 * struct lle_rcm_upstream - what a port tells its neighbour of one priority
 * @due_ns: when the next message is due, or LLE_CN_NEVER
 * @sent_ns: when the last one was sent
 * @seq: its number
 * @progress: does anything move?
 * @fb: F_b' of the last congestion that was told
 * @count: number of holds
 * @hold: those
 */
struct lle_rcm_upstream {
	u64 due_ns;
	u64 sent_ns;
	u32 seq;
	struct lle_rcm_progress progress;
	u8 fb;
	u8 count;
	struct lle_rcm_hold hold[LLE_CN_NAMES];
};

/**
 * struct lle_rcm_port - regional congestion mitigation at the ingress side of a port
 * @budget: of what is isolated
 * @tells: its neighbour is told
 * @refresh_ns: time after which a message is repeated
 * @gap_ns: time between two at least
 * @hearing: budget of the messages that come by the port
 * @sent: messages sent
 * @heard: messages heard
 * @ignored: those that came too fast, too late, or for a priority that has no RCM
 * @upstream: by priority; NULL: it never had PFC
 *
 * Protected by the switch's lock. Once it is there it stays as long as the port.
 */
struct lle_rcm_port {
	struct lle_rcm_budget budget;
	bool tells;
	u64 refresh_ns;
	u64 gap_ns;
	struct lle_budget hearing;
	u64 sent;
	u64 heard;
	u64 ignored;
	struct lle_rcm_upstream *upstream[LLE_NUM_PRIO];
};

/**
 * enum lle_rcm_what - whose bytes have changed
 * @LLE_RCM_FLOW: a flow's that is isolated, of which neighbours know nothing
 * @LLE_RCM_DST: a destination's that is isolated
 * @LLE_RCM_ROOT: those behind a congested port that faces the host they go to
 */
enum lle_rcm_what {
	LLE_RCM_FLOW,
	LLE_RCM_DST,
	LLE_RCM_ROOT,
};

/**
 * struct lle_rcm_change - the bytes of something congested have changed
 * @what: of what
 * @fb: F_b' there
 * @held: the neighbour has been told to hold it
 * @queues: queues that have begun, or negative, ended; of what is isolated
 * @bytes: that wait now
 * @name: number of the destination
 */
struct lle_rcm_change {
	u8 what;
	u8 fb;
	bool held;
	s8 queues;
	u32 bytes;
	u32 name;
};

#endif /* LLE_TYPES_CONGESTION_H */
