/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_TYPES_CONGESTION_H
#define LLE_TYPES_CONGESTION_H

#include "../../core/notification/cn.h"
#include "../../core/notification/hold.h"
#include "../../core/pfc/budget.h"

/* time of a notification that is not due */
#define LLE_CN_NEVER		U64_MAX

/*
 * RCM of a priority of a port, as congestion-state in
 * Documentation/netlink/specs/lossless.yaml, which explains the members.
 */
struct lle_congestion {
	u8 role;
	u8 fb;
	u8 fbr;
	u8 window;
	u8 class_held;
	u8 tells_class;
	u32 w_bytes;
	u32 wc_bytes;
	u32 virtual_bytes;
	u32 isolated_bytes;
	u32 ids;
	u32 held;
	u32 tells;
	u32 in_bytes;
	u32 room_bytes;
	u32 qeq_bytes;
	u64 identified;
	u64 cn_sent;
	u64 cn_received;
	u64 cn_ignored;
	u64 regions;
	u64 root_ns;
};

/* An isolated flow or destination, as congested there */
struct lle_congested {
	u32 name;
	u32 bytes;
	u8 local;
	u8 remote;
	u8 held;
	u8 asked;
};

/**
 * struct lle_rcm_config - regional congestion mitigation (RCM), as set
 * @on: RCM is on
 * @host_cn: the host at the port obeys congestion notifications
 * @las: young bytes of a flow, in Q_eq; 0: LAS is off
 * @qeq_bytes: Q_eq in bytes; 0: computed
 */
struct lle_rcm_config {
	bool on;
	bool host_cn;
	u8 las;
	u32 qeq_bytes;
};

/**
 * struct lle_rcm_hold - a destination that the upstream neighbour is to hold
 * @name: number of the destination
 * @egress: slot of the congested port
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
 * @progress: queued packets of the ingress port leave
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
 * struct lle_rcm_port - RCM at the ingress of a port; under the switch's lock
 * @budget: limits of the isolated bytes
 * @tells: the port sends notifications
 * @refresh_ns: time after which a notification is repeated
 * @gap_ns: least time between two notifications of a priority
 * @hearing: budget of received notifications
 * @sent: notifications sent
 * @accepted: notifications accepted
 * @ignored: notifications too fast, too late, or without RCM
 * @upstream: by priority; NULL: it never had PFC and RCM
 *
 * Allocated once, freed with the port.
 */
struct lle_rcm_port {
	struct lle_rcm_budget budget;
	bool tells;
	u64 refresh_ns;
	u64 gap_ns;
	struct lle_budget hearing;
	u64 sent;
	u64 accepted;
	u64 ignored;
	struct lle_rcm_upstream *upstream[LLE_NUM_PRIO];
};

/**
 * enum lle_rcm_what - kind of the bytes that have changed
 * @LLE_RCM_FLOW: of an isolated flow, unknown to neighbours
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
 * @held: the neighbour was requested to hold it
 * @queues: isolated queues begun; negative: ended
 * @bytes: bytes queued now
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
