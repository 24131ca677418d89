/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_RCM_H
#define LLE_CORE_RCM_H

#include "cfr.h"
#include "../notification/cn.h"
#include "crd.h"
#include "../path/flow.h"
#include "mice.h"
#include "rcc.h"
#include "isolated.h"
#include "../path/sar.h"

/* lle_rcm_next(): nothing may be sent for now */
#define LLE_RCM_WAIT		U32_MAX

/**
 * struct lle_rcm_params - regional congestion mitigation at a port
 * @crd: when it is congested
 * @rcc: how its window is
 * @hold_ns: how long a hold lasts that is not repeated
 * @linger_ns: how long an ID is isolated that is not identified any more
 * @mark_ns: how long others at a port that faces a host are not marked
 * @wait_ns: how long a packet that is isolated waits without being marked
 * @pass_bytes: of a flow, and of a destination in @linger_ns, that go past it
 * @fbr_weight_q8: w of equation 2, in 1/256
 * @depth: D of CFR
 * @rule: enum lle_cfr_rule
 * @by_dst: IDs are destinations; else they are flows, as of a port that faces a host
 */
struct lle_rcm_params {
	struct lle_crd_params crd;
	struct lle_rcc_params rcc;
	u64 hold_ns;
	u64 linger_ns;
	u64 mark_ns;
	u64 wait_ns;
	u32 pass_bytes;
	u32 fbr_weight_q8;
	u8 depth;
	u8 rule;
	bool by_dst;
};

/**
 * struct lle_rcm_stats - what RCM of a priority of a port has done
 * @identified: IDs that it has found itself
 * @overflows: times that there was no room for one more
 * @regions: times that it has become the root of a region
 * @root_ns: time that it was one, of those that have ended
 */
struct lle_rcm_stats {
	u64 identified;
	u64 overflows;
	u64 regions;
	u64 root_ns;
};

/**
 * struct lle_rcm - regional congestion mitigation at one queue of a port
 * @busy: it is looked at each packet
 * @heard_any: a neighbour has sent a message
 * @fbr: F_br of the last message
 * @heard: its sequence number
 * @heard_ns: when it came
 * @heard_run: messages with holds that have come without a break
 * @class_until_ns: until when all that a neighbour asks to hold is held; 0: it is not
 * @sweep_ns: when to look for what has expired
 * @new_bytes: that have come since the last sample of CRD
 * @root_until_ns: until when the port is a root, as it was congested
 * @crd: congestion of the port itself
 * @cfr: who it is
 * @rcc: the window
 * @ids: what is isolated
 * @mice: flows of which little has come
 * @stats: what it has done
 */
struct lle_rcm {
	bool busy;
	bool heard_any;
	u8 fbr;
	u32 heard;
	u64 heard_ns;
	u8 heard_run;
	u64 class_until_ns;
	u64 sweep_ns;
	u32 new_bytes;
	u64 root_until_ns;
	struct lle_crd crd;
	struct lle_cfr cfr;
	struct lle_rcc rcc;
	struct lle_rcm_ids ids;
	struct lle_mice mice;
	struct lle_rcm_stats *stats;
};

/**
 * lle_rcm_params_init() - compute what is derived from the parameters
 * @p: parameters
 */
void lle_rcm_params_init(struct lle_rcm_params *p);

/**
 * lle_rcm_init() - no congestion
 * @r: state
 * @p: parameters
 * @stats: what it has done so far, which goes on
 */
void lle_rcm_init(struct lle_rcm *r, const struct lle_rcm_params *p,
		  struct lle_rcm_stats *stats);

/**
 * lle_rcm_is_idle() - is there nothing to do for a packet?
 * @r: state
 * @p: parameters
 * @queue_bytes: that wait, with the packet
 *
 * The virtual queue is never longer than the real one, so it need not be kept while that
 * is short.
 */
static inline bool lle_rcm_is_idle(const struct lle_rcm *r,
				   const struct lle_rcm_params *p,
				   u32 queue_bytes)
{
	return !r->busy && queue_bytes < p->crd.onset_bytes;
}

/* What a flow is called at a port. */
static inline u32 lle_rcm_name(const struct lle_rcm_params *p,
			       const struct lle_flow *flow)
{
	return p->by_dst ? flow->dst : flow->flow;
}

/**
 * lle_rcm_find() - is a flow isolated?
 * @r: state
 * @p: parameters
 * @flow: the flow
 *
 * Return: its ID; 0: it is not.
 */
static inline unsigned int lle_rcm_find(const struct lle_rcm *r,
					const struct lle_rcm_params *p,
					const struct lle_flow *flow)
{
	if (!r->ids.count)
		return 0;
	return lle_rcm_ids_find(&r->ids, lle_rcm_name(p, flow));
}

/**
 * lle_rcm_pass() - does a packet go past what is isolated of its destination?
 * @r: state
 * @p: parameters
 * @id: of lle_rcm_find(); a destination
 * @place: lle_mice_place() of its flow
 * @len: its bytes
 * @next: number that it will have among the others if it does
 * @now_ns: as lle_rcm_arrive()
 */
bool lle_rcm_pass(struct lle_rcm *r, const struct lle_rcm_params *p,
		  unsigned int id, unsigned int place, u32 len, u32 next,
		  u64 now_ns);

/**
 * lle_rcm_push() - a packet is isolated
 * @r: state
 * @p: parameters
 * @id: of lle_rcm_find(); not 0
 * @place: lle_mice_place() of its flow
 * @ingress: by which it came
 * @len: its bytes
 * @others: packets of the queue that are not
 *
 * Return: as of lle_rcm_ids_push().
 */
static inline unsigned int
lle_rcm_push(struct lle_rcm *r, const struct lle_rcm_params *p, unsigned int id,
	     unsigned int place, unsigned int ingress, u32 len,
	     const struct lle_mice_others *others)
{
	unsigned int sub = lle_rcm_ids_push(&r->ids, id, ingress, len,
					    others->next);

	if (sub && p->by_dst)
		lle_rcm_ids_wait(&r->ids, sub,
				 lle_mice_push(&r->mice, place, others));
	return sub;
}

/**
 * lle_rcm_arrive() - a packet arrives: is there congestion, and whose is it?
 * @r: state
 * @p: parameters
 * @flow: whose it is
 * @id: of lle_rcm_find(); 0 also if it goes past that
 * @len: its bytes
 * @others_bytes: that wait and are not isolated, without it
 * @now_ns: the time, not before that of any earlier call
 * @rnd: uniform random number
 *
 * What it decides holds from the next packet on.
 *
 * Return: F_b as quantized; 0: none. Source: RCM section 3.
 */
unsigned int lle_rcm_arrive(struct lle_rcm *r, const struct lle_rcm_params *p,
			    const struct lle_flow *flow, unsigned int id,
			    u32 len, u32 others_bytes, u64 now_ns, u32 rnd);

/**
 * lle_rcm_next() - who sends
 * @r: state
 * @p: parameters
 * @others_bytes: that wait and are not isolated
 * @seq: sequence number of the first of them; of the next that comes
 * @now_ns: as lle_rcm_arrive()
 *
 * Return: queue of lle_rcm_ids; 0: the others, if there are any; LLE_RCM_WAIT: there are
 * none, and nothing that is isolated may be sent now.
 */
unsigned int lle_rcm_next(struct lle_rcm *r, const struct lle_rcm_params *p,
			  u32 others_bytes, u32 seq, u64 now_ns);

/**
 * lle_rcm_wake_ns() - when to ask lle_rcm_next() again that has said LLE_RCM_WAIT
 * @r: state
 */
u64 lle_rcm_wake_ns(const struct lle_rcm *r);

/**
 * lle_rcm_sent() - a packet leaves, as lle_rcm_next() has said
 * @r: state
 * @p: parameters
 * @sub: queue that it was in; 0: of the others
 * @place: lle_mice_place() of its flow, if it was isolated
 * @len: its bytes
 */
void lle_rcm_sent(struct lle_rcm *r, const struct lle_rcm_params *p,
		  unsigned int sub, unsigned int place, u32 len);

/**
 * lle_rcm_hear() - a neighbour has sent what it holds
 * @r: state
 * @p: parameters
 * @cn: the message; hostile
 * @now_ns: as lle_rcm_arrive()
 *
 * It is all of the neighbour's state: what it does not ask to hold is not held any more.
 *
 * Return: false: it is older than what was heard before.
 */
bool lle_rcm_hear(struct lle_rcm *r, const struct lle_rcm_params *p,
		  const struct lle_cn *cn, u64 now_ns);

/**
 * lle_rcm_is_remote() - does a neighbour's message still count?
 * @r: state
 * @p: parameters
 * @now_ns: the time
 */
static inline bool lle_rcm_is_remote(const struct lle_rcm *r,
				     const struct lle_rcm_params *p, u64 now_ns)
{
	return r->heard_any && now_ns - r->heard_ns < p->hold_ns;
}

/**
 * lle_rcm_lasts() - is a hold in force?
 * @until_ns: when it expires; 0: there is none
 * @bytes: that wait for its end
 * @now_ns: the time
 *
 * Only a packet that comes, or that is to leave, ends a hold that has expired. Until then the
 * hold keeps the packets that wait. If none waits, the hold is over.
 */
static inline bool lle_rcm_lasts(u64 until_ns, u32 bytes, u64 now_ns)
{
	return until_ns && (bytes || now_ns < until_ns);
}

/**
 * lle_rcm_is_root() - is it congested, or was just now, and is it known by whom?
 * @r: state
 * @now_ns: the time
 */
static inline bool lle_rcm_is_root(const struct lle_rcm *r, u64 now_ns)
{
	return now_ns < r->root_until_ns && lle_cfr_full(&r->cfr);
}

/**
 * lle_rcm_spares() - are those not marked who share a port with what is isolated?
 * @r: state
 * @p: parameters
 * @now_ns: the time
 *
 * It is not their congestion; unless, at a port that faces the host that all go to, it
 * lasts, so that it is of many.
 */
static inline bool lle_rcm_spares(const struct lle_rcm *r,
				  const struct lle_rcm_params *p, u64 now_ns)
{
	return r->rcc.active &&
	       (p->by_dst || now_ns - r->rcc.since_ns <= p->mark_ns);
}

/**
 * lle_rcm_degree() - how congested it is, for neighbours upstream
 * @r: state
 * @p: parameters
 * @now_ns: the time
 *
 * Return: F_b'. Source: RCM equation 2.
 */
unsigned int lle_rcm_degree(const struct lle_rcm *r,
			    const struct lle_rcm_params *p, u64 now_ns);

/**
 * lle_rcm_path() - how a path looks that begins at this port
 * @r: state
 * @p: parameters
 * @flow: the flow that may take it
 * @others_bytes: that wait and are not isolated
 * @now_ns: the time
 * @path: set to it, but for @paused
 *
 * It is congested if the port is, or if a neighbour has said so again and again.
 * Source: RCM section 3.5.
 */
void lle_rcm_path(const struct lle_rcm *r, const struct lle_rcm_params *p,
		  const struct lle_flow *flow, u32 others_bytes, u64 now_ns,
		  struct lle_sar_path *path);

#endif /* LLE_CORE_RCM_H */
