/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DCFIT as in the paper, for comparison: mode dcfit. An initial trigger puts its ID
 * into its pauses, who pauses because of it hands it on, and when it comes back there
 * is a loop of pauses; a second round asks whether all of them still last. A switch
 * that hears of one trigger by two ports starts the same for itself.
 *
 * It says "deadlock" where an ingress may still drain elsewhere, and misses some. The
 * other mode (exact.h) does neither. Repaired is only what keeps it from working at
 * all; D and A are the numbers of its rules and of their holes:
 *
 *  1. The RESUME tag is cleared by the next pause, too: otherwise who has resumed
 *     once is never consistent again (A3). As a resume also deletes what is stored,
 *     the tag is no more than: the port is not paused (D5, D6, D19).
 *  2. A packet that makes an ingress wait at a paused egress, and a pause of an ingress
 *     whose packets wait at several, say what is stored there (A4).
 *  3. A refresh of a pause says again what its ingress has said (A5); hence nobody
 *     forwards what it has forwarded before.
 *
 * Who is blamed for a pause is as there (A2).
 *
 * And bounded: 64 hops, and so many messages of an ingress between two refreshes, as
 * IDs may circle (A30).
 */
#ifndef LLE_CORE_DCFIT_H
#define LLE_CORE_DCFIT_H

#include "exact.h"

/**
 * struct lle_dcfit_port - a port, as ingress and as egress
 * @trig: egress: initial trigger of its pause, {S_tri,P_tri,Seq}
 * @mid: egress: middle switch whose message has come, {S_middle,P_middle,Seq}
 * @seq: ingress: which of its pauses, Seq; a host: how many it has sent
 * @loop: ingress: hops of the loop that it has declared; 0: has not
 * @sent: ingress: messages in frames of their own since the last refresh
 * @fabric: its peer is a switch that speaks DCFIT
 * @pausing: ingress: pauses its peer
 * @initial: ingress: and is an initial trigger
 * @due: ingress: has something to say
 * @fresh: ingress: the frame of its pause says some of it
 * @later: egress: another one has heard of @trig before, so this is a middle switch
 */
struct lle_dcfit_port {
	struct lle_dl_id trig;
	struct lle_dl_id mid;
	u16 seq;
	u8 loop;
	u8 sent;
	u8 fabric : 1;
	u8 pausing : 1;
	u8 initial : 1;
	u8 due : 1;
	u8 fresh : 1;
	u8 later : 1;
} __packed;

/**
 * struct lle_dcfit - state of a priority of a switch
 * @map: traffic mapping; egresses that are paused, and held. Without sums
 * @stats: counters; probes are messages in frames of their own
 * @sw: number of the switch
 * @prio: the priority
 * @due: some port is
 * @port: by number
 */
struct lle_dcfit {
	struct lle_dl_map map;
	struct lle_dl_stats *stats;
	u16 sw;
	u8 prio;
	bool due;
	struct lle_dcfit_port port[];
};

/* Their counterparts in exact.h have the same names but for "paper". */
size_t lle_dcfit_size(const struct lle_dl_params *p);

/**
 * lle_dcfit_state_size() - how much of it is state (D31)
 * @p: its parameters
 *
 * Return: bytes, without counters and the pointers to them. Whether a bit of the traffic
 * mapping is set is known from its counter.
 */
size_t lle_dcfit_state_size(const struct lle_dl_params *p);

struct lle_dcfit *lle_dcfit_init(void *memory, const struct lle_dl_params *p);

void lle_dcfit_enq_held(struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, u32 len);
void lle_dcfit_deq_held(struct lle_dcfit *d, unsigned int egress,
			unsigned int ingress, u32 len);

static inline void lle_dcfit_enq(struct lle_dcfit *d, unsigned int egress,
				 unsigned int ingress, u32 len)
{
	if (!lle_dl_map_enq(&d->map, egress, ingress, len))
		lle_dcfit_enq_held(d, egress, ingress, len);
}

static inline void lle_dcfit_deq(struct lle_dcfit *d, unsigned int egress,
				 unsigned int ingress, u32 len)
{
	if (!lle_dl_map_deq(&d->map, egress, ingress, len))
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

/**
 * lle_dcfit_pausing() - ingresses that pause a switch
 * @d: the instance
 */
u64 lle_dcfit_pausing(const struct lle_dcfit *d);

void lle_dcfit_report(const struct lle_dcfit *d, unsigned int ingress,
		      struct lle_dl_report *report);

#endif /* LLE_CORE_DCFIT_H */
