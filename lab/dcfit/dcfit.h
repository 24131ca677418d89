/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Algorithm dcfit: DCFIT as in the paper, for comparison. An initial trigger
 * puts its ID into its pauses, and ports that pause because of it forward the
 * ID. If the ID returns, the pauses form a loop; a second round checks that all
 * of them last. A switch that receives one trigger at two egresses starts both
 * rounds for itself (section 3.4).
 *
 * It also declares loops in which an ingress may still drain elsewhere, and
 * misses some deadlocks. Three additions make it work:
 *
 * 1. The next pause also clears a port's RESUME tag, which otherwise is never
 * consistent again (section 3.2). As a resume deletes the stored IDs, the tag
 * just means "not paused".
 * 2. An ingress also sends the stored ID when a packet makes it wait at a
 * paused egress, and all IDs if it pauses while it waits at several: no pause
 * frame would carry these.
 * 3. Refreshes repeat messages, as frames are lost. So an egress need not
 * forward an ID twice.
 *
 * Initial triggers follow trigger.c, but an egress does not count as paused
 * after its pause. Hops, and messages between two refreshes, are bounded, as
 * IDs may circle.
 */
#ifndef LLE_CORE_DCFIT_H
#define LLE_CORE_DCFIT_H

#include "../../kmod/core/deadlock/exact.h"

/* A port, as ingress and as egress */
struct lle_dcfit_port {
	struct lle_dl_id trig;	/* egress: initial trigger, {S_tri,P_tri,Seq} */
	/* egress: middle switch of a received check, {S_middle,P_middle,Seq} */
	struct lle_dl_id mid;
	u16 seq;	/* ingress, or host of a port: number of its pause */
	u8 loop;	/* ingress: hops of its declared loop, or 0 */
	u8 sent;	/* ingress: own frames since the last refresh */
	u8 fabric : 1;	/* the neighbour is a switch that exchanges messages */
	u8 pausing : 1;	/* ingress: pauses its neighbour */
	u8 initial : 1;	/* ingress: is an initial trigger */
	u8 due : 1;	/* ingress: has messages to send */
	u8 fresh : 1;	/* ingress: its pause frame will carry one of them */
	u8 later : 1;	/* egress: @trig came at another egress, too */
} __packed;

/* State of a priority of a switch */
struct lle_dcfit {
	struct lle_dl_map map;	/* without sums; paused egresses are held */
	struct lle_dl_stats *stats;	/* probes: own frames */
	u16 sw;	/* number of the switch */
	u8 prio;	/* the priority */
	bool due;	/* a port is due */
	struct lle_dcfit_port port[];	/* by number */
};

/* Functions without kernel-doc: see lle_exact_*(). */
size_t lle_dcfit_size(const struct lle_dl_params *p);

/* Return: bytes of state (paper section 5), without counters. */
size_t lle_dcfit_state_size(const struct lle_dl_params *p);

struct lle_dcfit *lle_dcfit_init(void *memory, const struct lle_dl_params *p);

void lle_dcfit_enq_held(struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, u32 len);
void lle_dcfit_deq_held(struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, u32 len);

static inline void lle_dcfit_enq(struct lle_dcfit *d, unsigned int egress,
				 unsigned int ingress, u32 len)
{
	u32 *row = d->map.row[egress];

	if (row)
		row[ingress] += len;
	else
		lle_dcfit_enq_held(d, egress, ingress, len);
}

static inline void lle_dcfit_deq(struct lle_dcfit *d, unsigned int egress,
				 unsigned int ingress, u32 len)
{
	u32 *row = d->map.row[egress];

	if (row)
		row[ingress] -= len;
	else
		lle_dcfit_deq_held(d, egress, ingress, len);
}

void lle_dcfit_pause_tx(struct lle_dcfit *d, unsigned int ingress,
			u32 xon_bytes);
void lle_dcfit_resume_tx(struct lle_dcfit *d, unsigned int ingress);
bool lle_dcfit_ride(const struct lle_dcfit *d, unsigned int ingress, bool pause,
		    struct lle_dl_msg *msg);

static inline bool lle_dcfit_is_due(const struct lle_dcfit *d)
{
	return d->due;
}

void lle_dcfit_run(struct lle_dcfit *d, struct lle_dl_out *out);
void lle_dcfit_refresh(struct lle_dcfit *d, unsigned int ingress,
		       struct lle_dl_out *out);
void lle_dcfit_pause_rx(struct lle_dcfit *d, unsigned int egress,
			const struct lle_dl_msg *msg, struct lle_dl_out *out);
void lle_dcfit_resume_rx(struct lle_dcfit *d, unsigned int egress,
			 struct lle_dl_out *out);
void lle_dcfit_message_rx(struct lle_dcfit *d, unsigned int egress,
			  const struct lle_dl_msg *msg, struct lle_dl_out *out);
void lle_dcfit_configure(struct lle_dcfit *d, u64 fabric);

/* Return: the ingresses that pause a switch. */
u64 lle_dcfit_pausing(const struct lle_dcfit *d);

void lle_dcfit_report(const struct lle_dcfit *d, unsigned int ingress,
		      struct lle_dl_report *report);

#endif /* LLE_CORE_DCFIT_H */
