/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_CONGESTION_H
#define LLE_TYPES_CONGESTION_H

#include "../../core/notification/cn.h"
#include "../../core/notification/hold.h"
#include "../../core/pfc/budget.h"

/* Time of a notification that is not due at all */
#define LLE_CN_NEVER		U64_MAX

/**
 * struct lle_rcm_config - regional congestion mitigation (RCM), as set
 * @on: RCM is on
 * @host_cn: the host that the port faces obeys congestion notifications
 * @sample: enum lle_crd_sample
 * @cfr: enum lle_cfr_rule
 * @rcc: enum lle_rcc_rule
 * @depth: D of CFR, in packets
 * @wq: w_q
 * @wremote_q32: w of equation 2, in 1/2^32
 * @qeq_bytes: Q_eq in bytes; 0: computed
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
 * struct lle_rcm_hold - a destination that the upstream neighbour is to hold
 * @name: number of the destination
 * @egress: slot of the port at which it is congested
 */
struct lle_rcm_hold {
	u32 name;
	u8 egress;
};

/**
 * struct lle_rcm_upstream - notifications of one priority to the neighbour
 * @due_ns: time of the next notification, or LLE_CN_NEVER
 * @sent_ns: time of the last one
 * @seq: sequence number of the last one
 * @progress: whether queued packets of the ingress port leave
 * @fb: F_b' of the last change
 * @count: number of holds
 * @hold: the holds
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
 * struct lle_rcm_port - RCM at the ingress side of a port
 * @budget: limits of the isolated bytes
 * @tells: the port sends notifications
 * @refresh_ns: time after which a notification is repeated
 * @gap_ns: least time between two notifications of a priority
 * @hearing: budget of the notifications that arrive
 * @sent: notifications sent
 * @heard: notifications accepted
 * @ignored: notifications that came too fast, too late, or for a priority
 *	without RCM
 * @upstream: by priority; NULL: it never had PFC and RCM
 *
 * Protected by the switch's lock. Once allocated it stays as long as the port.
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
 * enum lle_rcm_what - kind of the bytes that have changed
 * @LLE_RCM_FLOW: of an isolated flow, which neighbours do not know
 * @LLE_RCM_DST: of an isolated destination
 * @LLE_RCM_ROOT: of all packets to the host behind a congested port
 */
enum lle_rcm_what {
	LLE_RCM_FLOW,
	LLE_RCM_DST,
	LLE_RCM_ROOT,
};

/**
 * struct lle_rcm_change - a change of the queued bytes of a congested ID
 * @what: enum lle_rcm_what
 * @fb: F_b' of the egress port
 * @held: the neighbour has been told to hold it
 * @queues: number of isolated queues that have begun; negative: that have ended
 * @bytes: bytes that are queued now
 * @name: number of the flow or destination
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
