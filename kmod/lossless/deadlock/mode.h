/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The modes of DCFIT: what is called of which. Functions have the names of core/deadlock/exact.h
 * and core/deadlock/exact_walk.h, and do as those do or as their counterparts of mode paper, which
 * knows no times and no broken promises.
 */
#ifndef LLE_DEADLOCK_MODE_H
#define LLE_DEADLOCK_MODE_H

#include "../../core/deadlock/dcfit_walk.h"
#include "../types/deadlock.h"

static_assert(!offsetof(struct lle_dcfit, map) &&
	      !offsetof(struct lle_dcfit_paper, map));

static inline size_t lle_mode_size(enum lle_dcfit_mode mode,
				   const struct lle_dcfit_params *p)
{
	return mode == LLE_DCFIT_PAPER ? lle_dcfit_paper_size(p) :
					 lle_dcfit_size(p);
}

static inline size_t lle_mode_state_size(enum lle_dcfit_mode mode,
					 const struct lle_dcfit_params *p)
{
	return mode == LLE_DCFIT_PAPER ? lle_dcfit_paper_state_size(p) :
					 lle_dcfit_state_size(p);
}

static inline void lle_mode_init(struct lle_deadlock *dl, void *memory,
				 const struct lle_dcfit_params *p)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		dl->dcfit[p->prio].paper = lle_dcfit_paper_init(memory, p);
	else
		dl->dcfit[p->prio].certain = lle_dcfit_init(memory, p);
}

static inline void lle_mode_configure(struct lle_deadlock *dl,
				      unsigned int prio, u64 fabric,
				      u64 guard_ns, u64 hop_ns)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_configure(dl->dcfit[prio].paper, fabric);
	else
		lle_dcfit_configure(dl->dcfit[prio].certain, fabric, guard_ns,
				    hop_ns, dl->action == LLE_DCFIT_ALERT);
}

static inline const struct lle_dcfit_stats *
lle_mode_stats(const struct lle_deadlock *dl, unsigned int prio)
{
	return dl->mode == LLE_DCFIT_PAPER ? dl->dcfit[prio].paper->stats :
					     dl->dcfit[prio].certain->stats;
}

static inline bool lle_mode_is_due(const struct lle_deadlock *dl,
				   unsigned int prio)
{
	return dl->mode == LLE_DCFIT_PAPER ?
		       lle_dcfit_paper_is_due(dl->dcfit[prio].paper) :
		       lle_dcfit_is_due(dl->dcfit[prio].certain);
}

/* Ingresses whose pauses are repeated. */
static inline u64 lle_mode_pausing(const struct lle_deadlock *dl,
				   unsigned int prio)
{
	const struct lle_dcfit *d = dl->dcfit[prio].certain;

	return dl->mode == LLE_DCFIT_PAPER ?
		       lle_dcfit_paper_pausing(dl->dcfit[prio].paper) :
		       d->pausing & d->fabric;
}

static inline void lle_mode_enq_held(struct lle_deadlock *dl, unsigned int prio,
				     unsigned int egress, unsigned int ingress,
				     u32 len)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_enq_held(dl->dcfit[prio].paper, egress, ingress,
					 len);
	else
		lle_dcfit_enq_held(dl->dcfit[prio].certain, egress, ingress,
				   len);
}

static inline void lle_mode_deq_held(struct lle_deadlock *dl, unsigned int prio,
				     unsigned int egress, unsigned int ingress,
				     u32 len)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_deq_held(dl->dcfit[prio].paper, egress, ingress,
					 len);
	else
		lle_dcfit_deq_held(dl->dcfit[prio].certain, egress, ingress,
				   len);
}

static inline void lle_mode_pause_tx(struct lle_deadlock *dl, unsigned int prio,
				     unsigned int ingress, u32 xon_bytes,
				     u64 now_ns)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_pause_tx(dl->dcfit[prio].paper, ingress,
					 xon_bytes);
	else
		lle_dcfit_pause_tx(dl->dcfit[prio].certain, ingress, xon_bytes,
				   now_ns);
}

static inline void lle_mode_resume_tx(struct lle_deadlock *dl,
				      unsigned int prio, unsigned int ingress,
				      bool broken)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_resume_tx(dl->dcfit[prio].paper, ingress);
	else
		lle_dcfit_resume_tx(dl->dcfit[prio].certain, ingress, broken);
}

static inline bool lle_mode_ride(struct lle_deadlock *dl, unsigned int prio,
				 unsigned int ingress, bool pause,
				 struct lle_dcfit_msg *msg)
{
	return dl->mode == LLE_DCFIT_PAPER ?
		       lle_dcfit_paper_ride(dl->dcfit[prio].paper, ingress,
					    pause, msg) :
		       lle_dcfit_ride(dl->dcfit[prio].certain, ingress, pause,
				      msg);
}

/* The others fill @dl->out. */
static inline void lle_mode_run(struct lle_deadlock *dl, unsigned int prio,
				u64 now_ns)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_run(dl->dcfit[prio].paper, &dl->out);
	else
		lle_dcfit_run(dl->dcfit[prio].certain, now_ns, &dl->out);
}

static inline void lle_mode_refresh(struct lle_deadlock *dl, unsigned int prio,
				    unsigned int ingress, u64 now_ns)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_refresh(dl->dcfit[prio].paper, ingress,
					&dl->out);
	else
		lle_dcfit_refresh(dl->dcfit[prio].certain, ingress, now_ns,
				  &dl->out);
}

static inline bool lle_mode_news(struct lle_deadlock *dl, unsigned int prio,
				 unsigned int ingress)
{
	return dl->mode == LLE_DCFIT_CERTAIN &&
	       lle_dcfit_news(dl->dcfit[prio].certain, ingress);
}

static inline void lle_mode_pause_rx(struct lle_deadlock *dl, unsigned int prio,
				     unsigned int egress,
				     const struct lle_dcfit_msg *msg,
				     u64 until_ns, u64 now_ns)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_pause_rx(dl->dcfit[prio].paper, egress, msg,
					 &dl->out);
	else
		lle_dcfit_pause_rx(dl->dcfit[prio].certain, egress, msg,
				   until_ns, now_ns, &dl->out);
}

static inline void lle_mode_resume_rx(struct lle_deadlock *dl,
				      unsigned int prio, unsigned int egress,
				      bool broken, u64 since_ns, u64 now_ns)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_resume_rx(dl->dcfit[prio].paper, egress,
					  &dl->out);
	else
		lle_dcfit_resume_rx(dl->dcfit[prio].certain, egress, broken,
				    since_ns, now_ns, &dl->out);
}

static inline void lle_mode_message_rx(struct lle_deadlock *dl,
				       unsigned int egress,
				       const struct lle_dcfit_msg *msg,
				       u64 now_ns)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_message_rx(dl->dcfit[msg->prio].paper, egress,
					   msg, &dl->out);
	else
		lle_dcfit_message_rx(dl->dcfit[msg->prio].certain, egress, msg,
				     now_ns, &dl->out);
}

static inline void lle_mode_timer(struct lle_deadlock *dl, unsigned int prio,
				  u64 now_ns)
{
	if (dl->mode != LLE_DCFIT_PAPER)
		lle_dcfit_timer(dl->dcfit[prio].certain, now_ns, &dl->out);
}

static inline u64 lle_mode_timer_wait(const struct lle_deadlock *dl,
				      unsigned int prio, u64 now_ns)
{
	return dl->mode == LLE_DCFIT_PAPER ?
		       U64_MAX :
		       lle_dcfit_timer_wait(dl->dcfit[prio].certain, now_ns);
}

static inline void lle_mode_report(const struct lle_deadlock *dl,
				   unsigned int prio, unsigned int ingress,
				   u64 now_ns, struct lle_dcfit_report *report)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_report(dl->dcfit[prio].paper, ingress, report);
	else
		lle_dcfit_report(dl->dcfit[prio].certain, ingress, now_ns,
				 report);
}

static inline void lle_mode_walk_begin(const struct lle_deadlock *dl,
				       unsigned int prio, unsigned int ingress,
				       struct lle_dcfit_msg *msg)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_walk_begin(dl->dcfit[prio].paper, ingress, msg);
	else
		lle_dcfit_walk_begin(dl->dcfit[prio].certain, ingress, msg);
}

static inline u64 lle_mode_walk_next(const struct lle_deadlock *dl,
				     unsigned int egress,
				     const struct lle_dcfit_msg *msg)
{
	return dl->mode == LLE_DCFIT_PAPER ?
		       lle_dcfit_paper_walk_next(dl->dcfit[msg->prio].paper,
						 egress) :
		       lle_dcfit_walk_next(dl->dcfit[msg->prio].certain, egress,
					   msg);
}

static inline void lle_mode_walk_hop(const struct lle_deadlock *dl,
				     unsigned int prio, unsigned int egress,
				     unsigned int ingress,
				     struct lle_dcfit_hop *hop)
{
	if (dl->mode == LLE_DCFIT_PAPER)
		lle_dcfit_paper_walk_hop(dl->dcfit[prio].paper, egress, ingress,
					 hop);
	else
		lle_dcfit_walk_hop(dl->dcfit[prio].certain, egress, ingress,
				   hop);
}

static inline int lle_mode_trigger_egress(const struct lle_deadlock *dl,
					  unsigned int prio,
					  struct lle_dcfit_id trigger)
{
	return dl->mode == LLE_DCFIT_PAPER ?
		       lle_dcfit_paper_trigger_egress(dl->dcfit[prio].paper,
						      trigger) :
		       lle_dcfit_trigger_egress(dl->dcfit[prio].certain,
						trigger);
}

#endif /* LLE_DEADLOCK_MODE_H */
