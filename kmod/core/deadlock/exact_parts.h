/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of algorithm exact call of each other.
 *
 * @d: the instance; @ingress, @egress: a port; @set: initiators; @now:
 * lle_exact_time(); @out: result: messages to send, and deadlocks.
 */
#ifndef LLE_CORE_EXACT_PARTS_H
#define LLE_CORE_EXACT_PARTS_H

#include "exact_condition.h"

/* --- trigger.c --- */

/*
 * The egress of @paused with most bytes of @ingress; the number of ports if all
 * of them together do not exceed @xon
 */
unsigned int lle_dl_trigger_cause(const struct lle_dl_map *m, u64 paused,
				  unsigned int ingress, u32 xon);

/* Until when an egress counts as paused; @since, @now: begin and end */
u32 lle_dl_trigger_blame_until(u32 since, u32 now);

/* Initial trigger of a new pause of @ingress, which keeps the cause */
struct lle_dl_id lle_dl_trigger_blame(struct lle_exact *d, unsigned int ingress,
				      u32 now);

/* --- exact_rival.c --- */

/*
 * The smallest initiator that a probe has met, of those with probes that have
 * come as far; sw 0: one has declared. @ingress forwards the probe, or gets its
 * own back.
 */
struct lle_dl_id lle_exact_rival_min(const struct lle_exact *d,
				     unsigned int ingress,
				     struct lle_dl_set set, u32 now);

/* Does an ingress also wait for others? On a loop it always does. */
bool lle_exact_rival_waits(const struct lle_exact *d, unsigned int ingress,
			   u32 now);

/* Forget the rivals of an ingress. */
void lle_exact_rival_reset(struct lle_exact_port *port);

/*
 * Must a pausing ingress that waits for itself, for the reason @proof, let
 * another initiator declare first? lle_exact_timer() may continue.
 */
bool lle_exact_rival_yield(struct lle_exact *d, unsigned int ingress,
			   const struct lle_exact_proof *proof, u32 now);

/* If a rival has declared, let an ingress that waits ask in any case. */
void lle_exact_rival_note(struct lle_exact *d, unsigned int ingress, u32 now);

/*
 * Renumber the own probe of a pausing ingress that has deferred. True: send it
 * again; false: the ingress may declare.
 */
bool lle_exact_rival_ask(struct lle_exact *d, unsigned int ingress, u32 now);

/* --- exact_send.c --- */

/*
 * Add a message of @type, enum lle_dl_type, with pause number and trigger, for
 * the caller to complete; NULL: no room. The next pause frame carries a probe,
 * if it has none.
 */
struct lle_dl_msg *lle_exact_send_message(struct lle_exact *d,
					  unsigned int ingress, u8 type,
					  struct lle_dl_out *out);

/* Drop the probe that waits for a pause frame if it has @id; NULL: any. */
void lle_exact_send_drop(struct lle_exact *d, unsigned int ingress,
			 const struct lle_dl_id *id);

/* Send {me(i)}. */
void lle_exact_send_own(struct lle_exact *d, unsigned int ingress, u32 now,
			struct lle_dl_out *out);

/* Has an ingress forwarded LLE_DL_CAP probes? */
bool lle_exact_send_capped(struct lle_exact *d, unsigned int ingress);

/*
 * Send a set without the ingress itself upstream, up to LLE_DL_HOPS, if not
 * capped. @proof: why it holds the ingress.
 */
void lle_exact_send_upstream(struct lle_exact *d, unsigned int ingress,
			     struct lle_dl_set set,
			     const struct lle_exact_proof *proof, u32 now,
			     struct lle_dl_out *out);

/* --- exact_declare.c --- */

/* Evaluate a hard ingress. @news: received set; NULL: anything has changed. */
void lle_exact_declare_eval(struct lle_exact *d, unsigned int ingress,
			    const struct lle_dl_set *news, u32 now,
			    struct lle_dl_out *out);

/* The same for the hard ingresses that wait at an egress, which got @news. */
void lle_exact_declare_eval_causal(struct lle_exact *d, unsigned int egress,
				   const struct lle_dl_set *news, u32 now,
				   struct lle_dl_out *out);

/* Ask or declare, after the wait of lle_exact_rival_yield(). */
void lle_exact_declare_waited(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out);

/* Repeat true probes of a hard ingress: first all, later one in turn. */
void lle_exact_declare_repeat(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out);

/* --- exact_cancel.c --- */

/* Make an egress forget withdrawn probes with @id; NULL: all. */
void lle_exact_cancel_retract(struct lle_exact *d, unsigned int egress,
			      const struct lle_dl_id *id, u32 now,
			      struct lle_dl_out *out);

/* Withdraw all probes of an ingress; true ones become due again. */
void lle_exact_cancel_all(struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_out *out);

/* Withdraw probes that are no longer true. */
void lle_exact_cancel_recheck(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out);

#endif /* LLE_CORE_EXACT_PARTS_H */
