/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_DECLARE_H
#define LLE_CORE_EXACT_DECLARE_H

#include "exact_send.h"

/**
 * lle_exact_declare_eval() - evaluate a hard ingress after a change
 * @d: instance
 * @ingress: port
 * @news: received set; NULL: anything may have changed
 * @now: lle_exact_time()
 * @out: messages to send, deadlocks
 */
void lle_exact_declare_eval(struct lle_exact *d, unsigned int ingress,
			    const struct lle_dl_set *news, u32 now,
			    struct lle_dl_out *out);

/**
 * lle_exact_declare_own() - declare if a pause waits for itself
 * @d: instance
 * @ingress: port that has sent its own probe
 * @now: lle_exact_time()
 * @out: messages to send, deadlocks
 */
void lle_exact_declare_own(struct lle_exact *d, unsigned int ingress, u32 now,
			   struct lle_dl_out *out);

/**
 * lle_exact_declare_waited() - ask or declare, after lle_exact_rival_yield()
 * @d: instance
 * @ingress: pausing port that has deferred
 * @now: lle_exact_time(), end of the wait
 * @out: messages to send, deadlocks
 */
void lle_exact_declare_waited(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out);

/**
 * lle_exact_declare_repeat() - repeat true probes: first all, later one in turn
 * @d: instance
 * @ingress: hard port
 * @now: lle_exact_time()
 * @out: messages to send, deadlocks
 */
void lle_exact_declare_repeat(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out);

/**
 * lle_exact_declare_eval_causal() - evaluate the hard ingresses that wait at an
 * egress
 * @d: instance
 * @egress: port
 * @news: as lle_exact_declare_eval(), received by the egress
 * @now: lle_exact_time()
 * @out: messages to send, deadlocks
 */
void lle_exact_declare_eval_causal(struct lle_exact *d, unsigned int egress,
				   const struct lle_dl_set *news, u32 now,
				   struct lle_dl_out *out);

#endif /* LLE_CORE_EXACT_DECLARE_H */
