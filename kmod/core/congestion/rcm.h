/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_RCM_H
#define LLE_CORE_RCM_H

#include "cfr.h"
#include "../notification/cn.h"
#include "crd.h"
#include "../path/flow.h"
#include "rcc.h"
#include "isolated.h"
#include "las.h"
#include "../path/sar.h"

/* lle_rcm_packet_next(): first grown packet that is not isolated */
#define LLE_RCM_BACK		(LLE_RCM_SUBS + 1)
/* lle_rcm_packet_next(): no packet may be sent now */
#define LLE_RCM_WAIT		U32_MAX

/**
 * struct lle_rcm_params - regional congestion mitigation at a port
 * @crd: parameters of CRD
 * @rcc: parameters of RCC
 * @las: parameters of LAS
 * @hold_ns: lifetime of a hold
 * @linger_ns: how long an ID stays isolated after the last sign
 * @mark_ns: how long a host-facing port spares other packets from marks
 * @wait_ns: time after which an isolated packet is marked
 * @pass_bytes: limit of bytes that bypass an isolated queue, per flow, and per
 *	destination in @linger_ns
 * @by_dst: IDs are destinations; else flows, at a host-facing port
 */
struct lle_rcm_params {
	struct lle_crd_params crd;
	struct lle_rcc_params rcc;
	struct lle_las_params las;
	u64 hold_ns;
	u64 linger_ns;
	u64 mark_ns;
	u64 wait_ns;
	u32 pass_bytes;
	bool by_dst;
};

/**
 * struct lle_rcm_stats - counters of RCM, of one priority of a port
 * @identified: IDs that the port has identified
 * @regions: times that the port became a root
 * @root_ns: time as root, of regions that have ended
 */
struct lle_rcm_stats {
	u64 identified;
	u64 regions;
	u64 root_ns;
};

/**
 * struct lle_rcm - regional congestion mitigation at one queue of a port
 * @busy: RCM looks at each packet
 * @received_any: a notification was received
 * @fbr: F_br of the last notification
 * @cn_seq: its sequence number
 * @received_ns: its time
 * @received_run: notifications with holds in a row, up to LLE_RCM_SEVERAL
 * @class_until_ns: when the hold of all listed destinations expires; 0: off
 * @sweep_ns: when to look for expired holds and IDs
 * @new_bytes: arrived bytes since the last sample of CRD
 * @root_until_ns: end of the time as root after the last F_b > 0
 * @crd: congestion of the port itself
 * @cfr: IDs that cause it
 * @rcc: window
 * @ids: isolated IDs and their queues
 * @las: flows, by their attained service
 * @stats: counters
 */
struct lle_rcm {
	bool busy;
	bool received_any;
	u8 fbr;
	u32 cn_seq;
	u64 received_ns;
	u8 received_run;
	u64 class_until_ns;
	u64 sweep_ns;
	u32 new_bytes;
	u64 root_until_ns;
	struct lle_crd crd;
	struct lle_cfr cfr;
	struct lle_rcc rcc;
	struct lle_rcm_ids ids;
	struct lle_las las;
	struct lle_rcm_stats *stats;
};

/**
 * lle_rcm_params_init() - compute the derived parameters
 * @p: parameters
 */
void lle_rcm_params_init(struct lle_rcm_params *p);

/**
 * lle_rcm_init() - start without congestion
 * @r: state
 * @stats: counters, which continue
 */
void lle_rcm_init(struct lle_rcm *r, struct lle_rcm_stats *stats);

/* Nothing to do? The virtual queue never exceeds the real one, @queue_bytes. */
static inline bool lle_rcm_is_idle(const struct lle_rcm *r,
				   const struct lle_rcm_params *p,
				   u32 queue_bytes)
{
	return !r->busy && queue_bytes < p->crd.onset_bytes;
}

/**
 * lle_rcm_receive() - apply a notification of the downstream neighbour
 * @r: state
 * @p: parameters
 * @cn: the notification; not trusted
 * @now_ns: as lle_rcm_packet_arrive()
 *
 * Destinations that it does not list are released.
 * Return: false: older than the last one, ignored.
 */
bool lle_rcm_receive(struct lle_rcm *r, const struct lle_rcm_params *p,
		     const struct lle_cn *cn, u64 now_ns);

/* Is the last notification still valid? */
static inline bool lle_rcm_is_remote(const struct lle_rcm *r,
				     const struct lle_rcm_params *p, u64 now_ns)
{
	return r->received_any && now_ns - r->received_ns < p->hold_ns;
}

/*
 * Is a hold in force? @until_ns: its expiry; 0: no hold. While packets wait for
 * it, an expired hold ends with the next arrival or departure.
 */
static inline bool lle_rcm_lasts(u64 until_ns, bool waits, u64 now_ns)
{
	return until_ns && (waits || now_ns < until_ns);
}

/* Is a port a root that knows its flows? */
static inline bool lle_rcm_is_root(const struct lle_rcm *r, u64 now_ns)
{
	return now_ns < r->root_until_ns && lle_cfr_full(&r->cfr);
}

/*
 * May packets that are not isolated stay unmarked, as the congestion is not
 * theirs? Not if it lasts for @mark_ns at a host-facing port: then it has many
 * flows, which marks must slow down.
 */
static inline bool lle_rcm_spares(const struct lle_rcm *r,
				  const struct lle_rcm_params *p, u64 now_ns)
{
	return r->rcc.active &&
	       (p->by_dst || now_ns - r->rcc.since_ns <= p->mark_ns);
}

/**
 * lle_rcm_degree() - compute F_b', the degree that is sent upstream
 * @r: state
 * @p: parameters
 * @now_ns: the time
 *
 * Source: RCM equation 2.
 */
unsigned int lle_rcm_degree(const struct lle_rcm *r,
			    const struct lle_rcm_params *p, u64 now_ns);

/**
 * lle_rcm_path() - describe the path that begins at this port
 * @r: state
 * @p: parameters
 * @flow: the flow that may take it
 * @others_bytes: queued bytes that are not isolated
 * @now_ns: the time
 * @path: result, except @paused; congested if the port is, or after several
 *	notifications with holds in a row (RCM section 3.4)
 */
void lle_rcm_path(const struct lle_rcm *r, const struct lle_rcm_params *p,
		  const struct lle_flow *flow, u32 others_bytes, u64 now_ns,
		  struct lle_sar_path *path);

#endif /* LLE_CORE_RCM_H */
