/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls the algorithm of the mode, exact or dcfit. Functions have the names of
 * core/deadlock/exact.h and exact_walk.h, and do the same or as their
 * counterparts of dcfit, which knows no times and no BROKEN.
 */
#ifndef LLE_DEADLOCK_MODE_H
#define LLE_DEADLOCK_MODE_H

#include "../../core/deadlock/dcfit_walk.h"
#include "../types/deadlock.h"

static_assert(!offsetof(struct lle_exact, map) &&
	      !offsetof(struct lle_dcfit, map));

static inline size_t lle_mode_size(enum lle_deadlock_mode mode,
				   const struct lle_dl_params *p)
{
	return mode == LLE_DEADLOCK_DCFIT ? lle_dcfit_size(p) :
					    lle_exact_size(p);
}

static inline size_t lle_mode_state_size(enum lle_deadlock_mode mode,
					 const struct lle_dl_params *p)
{
	return mode == LLE_DEADLOCK_DCFIT ? lle_dcfit_state_size(p) :
					    lle_exact_state_size(p);
}

static inline void lle_mode_init(struct lle_deadlock *dl, void *memory,
				 const struct lle_dl_params *p)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		dl->algorithm[p->prio].dcfit = lle_dcfit_init(memory, p);
	else
		dl->algorithm[p->prio].exact = lle_exact_init(memory, p);
}

static inline void lle_mode_configure(struct lle_deadlock *dl,
				      unsigned int prio, u64 fabric,
				      u64 guard_ns, u64 hop_ns)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_configure(dl->algorithm[prio].dcfit, fabric);
	else
		lle_exact_configure(dl->algorithm[prio].exact, fabric, guard_ns,
				    hop_ns, dl->action == LLE_DEADLOCK_ALERT);
}

/* Mode dcfit has no arbitration. */
static inline void lle_mode_full(struct lle_deadlock *dl, unsigned int prio,
				 bool full)
{
	if (dl->mode == LLE_DEADLOCK_EXACT)
		dl->algorithm[prio].exact->full = full;
}

static inline const struct lle_dl_stats *
lle_mode_stats(const struct lle_deadlock *dl, unsigned int prio)
{
	return dl->mode == LLE_DEADLOCK_DCFIT ?
		       dl->algorithm[prio].dcfit->stats :
		       dl->algorithm[prio].exact->stats;
}

static inline bool lle_mode_is_due(const struct lle_deadlock *dl,
				   unsigned int prio)
{
	return dl->mode == LLE_DEADLOCK_DCFIT ?
		       lle_dcfit_is_due(dl->algorithm[prio].dcfit) :
		       lle_exact_is_due(dl->algorithm[prio].exact);
}

/* Ingresses that repeat their pauses. */
static inline u64 lle_mode_pausing(const struct lle_deadlock *dl,
				   unsigned int prio)
{
	const struct lle_exact *d = dl->algorithm[prio].exact;

	return dl->mode == LLE_DEADLOCK_DCFIT ?
		       lle_dcfit_pausing(dl->algorithm[prio].dcfit) :
		       d->pausing & d->fabric;
}

static inline void lle_mode_enq_held(struct lle_deadlock *dl, unsigned int prio,
				     unsigned int egress, unsigned int ingress,
				     u32 len)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_enq_held(dl->algorithm[prio].dcfit, egress, ingress,
				   len);
	else
		lle_exact_enq_held(dl->algorithm[prio].exact, egress, ingress,
				   len);
}

static inline void lle_mode_deq_held(struct lle_deadlock *dl, unsigned int prio,
				     unsigned int egress, unsigned int ingress,
				     u32 len)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_deq_held(dl->algorithm[prio].dcfit, egress, ingress,
				   len);
	else
		lle_exact_deq_held(dl->algorithm[prio].exact, egress, ingress,
				   len);
}

static inline void lle_mode_pause_tx(struct lle_deadlock *dl, unsigned int prio,
				     unsigned int ingress, u32 xon_bytes,
				     u64 now_ns)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_pause_tx(dl->algorithm[prio].dcfit, ingress,
				   xon_bytes);
	else
		lle_exact_pause_tx(dl->algorithm[prio].exact, ingress,
				   xon_bytes, now_ns);
}

static inline void lle_mode_resume_tx(struct lle_deadlock *dl,
				      unsigned int prio, unsigned int ingress,
				      bool broken)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_resume_tx(dl->algorithm[prio].dcfit, ingress);
	else
		lle_exact_resume_tx(dl->algorithm[prio].exact, ingress, broken);
}

static inline bool lle_mode_ride(struct lle_deadlock *dl, unsigned int prio,
				 unsigned int ingress, bool pause,
				 struct lle_dl_msg *msg)
{
	return dl->mode == LLE_DEADLOCK_DCFIT ?
		       lle_dcfit_ride(dl->algorithm[prio].dcfit, ingress, pause,
				      msg) :
		       lle_exact_ride(dl->algorithm[prio].exact, ingress, pause,
				      msg);
}

/* Functions that have an @out in exact.h pass @dl->out. */
static inline void lle_mode_run(struct lle_deadlock *dl, unsigned int prio,
				u64 now_ns)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_run(dl->algorithm[prio].dcfit, &dl->out);
	else
		lle_exact_run(dl->algorithm[prio].exact, now_ns, &dl->out);
}

static inline void lle_mode_refresh(struct lle_deadlock *dl, unsigned int prio,
				    unsigned int ingress, u64 now_ns)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_refresh(dl->algorithm[prio].dcfit, ingress, &dl->out);
	else
		lle_exact_refresh(dl->algorithm[prio].exact, ingress, now_ns,
				  &dl->out);
}

static inline bool lle_mode_news(struct lle_deadlock *dl, unsigned int prio,
				 unsigned int ingress)
{
	return dl->mode == LLE_DEADLOCK_EXACT &&
	       lle_exact_news(dl->algorithm[prio].exact, ingress);
}

static inline void lle_mode_pause_rx(struct lle_deadlock *dl, unsigned int prio,
				     unsigned int egress,
				     const struct lle_dl_msg *msg, u64 until_ns,
				     u64 now_ns)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_pause_rx(dl->algorithm[prio].dcfit, egress, msg,
				   &dl->out);
	else
		lle_exact_pause_rx(dl->algorithm[prio].exact, egress, msg,
				   until_ns, now_ns, &dl->out);
}

static inline void lle_mode_resume_rx(struct lle_deadlock *dl,
				      unsigned int prio, unsigned int egress,
				      bool broken, u64 since_ns, u64 now_ns)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_resume_rx(dl->algorithm[prio].dcfit, egress,
				    &dl->out);
	else
		lle_exact_resume_rx(dl->algorithm[prio].exact, egress, broken,
				    since_ns, now_ns, &dl->out);
}

static inline void lle_mode_message_rx(struct lle_deadlock *dl,
				       unsigned int egress,
				       const struct lle_dl_msg *msg, u64 now_ns)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_message_rx(dl->algorithm[msg->prio].dcfit, egress,
				     msg, &dl->out);
	else
		lle_exact_message_rx(dl->algorithm[msg->prio].exact, egress,
				     msg, now_ns, &dl->out);
}

static inline void lle_mode_timer(struct lle_deadlock *dl, unsigned int prio,
				  u64 now_ns)
{
	if (dl->mode != LLE_DEADLOCK_DCFIT)
		lle_exact_timer(dl->algorithm[prio].exact, now_ns, &dl->out);
}

static inline u64 lle_mode_timer_wait(const struct lle_deadlock *dl,
				      unsigned int prio, u64 now_ns)
{
	return dl->mode == LLE_DEADLOCK_DCFIT ?
		       U64_MAX :
		       lle_exact_timer_wait(dl->algorithm[prio].exact, now_ns);
}

static inline void lle_mode_report(const struct lle_deadlock *dl,
				   unsigned int prio, unsigned int ingress,
				   u64 now_ns, struct lle_dl_report *report)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_report(dl->algorithm[prio].dcfit, ingress, report);
	else
		lle_exact_report(dl->algorithm[prio].exact, ingress, now_ns,
				 report);
}

static inline void lle_mode_walk_begin(const struct lle_deadlock *dl,
				       unsigned int prio, unsigned int ingress,
				       struct lle_dl_msg *msg)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_walk_begin(dl->algorithm[prio].dcfit, ingress, msg);
	else
		lle_exact_walk_begin(dl->algorithm[prio].exact, ingress, msg);
}

static inline u64 lle_mode_walk_next(const struct lle_deadlock *dl,
				     unsigned int egress,
				     const struct lle_dl_msg *msg)
{
	return dl->mode == LLE_DEADLOCK_DCFIT ?
		       lle_dcfit_walk_next(dl->algorithm[msg->prio].dcfit,
					   egress) :
		       lle_exact_walk_next(dl->algorithm[msg->prio].exact,
					   egress, msg);
}

static inline void lle_mode_walk_hop(const struct lle_deadlock *dl,
				     unsigned int prio, unsigned int egress,
				     unsigned int ingress,
				     struct lle_dl_hop *hop)
{
	if (dl->mode == LLE_DEADLOCK_DCFIT)
		lle_dcfit_walk_hop(dl->algorithm[prio].dcfit, egress, ingress,
				   hop);
	else
		lle_exact_walk_hop(dl->algorithm[prio].exact, egress, ingress,
				   hop);
}

static inline int lle_mode_trigger_egress(const struct lle_deadlock *dl,
					  unsigned int prio,
					  struct lle_dl_id trigger)
{
	return dl->mode == LLE_DEADLOCK_DCFIT ?
		       lle_dcfit_trigger_egress(dl->algorithm[prio].dcfit,
						trigger) :
		       lle_exact_trigger_egress(dl->algorithm[prio].exact,
						trigger);
}

#endif /* LLE_DEADLOCK_MODE_H */
