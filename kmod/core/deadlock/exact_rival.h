/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_RIVAL_H
#define LLE_CORE_EXACT_RIVAL_H

#include "exact_condition.h"

/**
 * lle_exact_min() - get the smallest initiator that a probe has met
 * @d: the instance
 * @ingress: the port that sends the probe on, or gets its own back
 * @set: initiators of the probe
 * @now: lle_exact_time()
 *
 * Return: the smallest ingress on the way, of those with probes that have come
 * as far; sw 0: one has declared.
 */
struct lle_dl_id lle_exact_min(const struct lle_exact *d, unsigned int ingress,
			       struct lle_dl_set set, u32 now);

/**
 * lle_exact_waits() - test whether an ingress waits for others, too
 * @d: the instance
 * @ingress: the port
 * @now: lle_exact_time()
 *
 * An ingress on a loop does, as all others on it send their probes through it.
 */
bool lle_exact_waits(const struct lle_exact *d, unsigned int ingress, u32 now);

/**
 * lle_exact_rival_reset() - forget what an ingress has waited for
 * @port: the ingress
 */
void lle_exact_rival_reset(struct lle_exact_port *port);

/**
 * lle_exact_yield() - let another initiator declare first
 * @d: the instance
 * @ingress: a pausing port that waits for itself
 * @proof: why
 * @now: lle_exact_time()
 *
 * Return: true: not to declare now. lle_exact_timer() goes on, unless one that
 * has declared is enough.
 */
bool lle_exact_yield(struct lle_exact *d, unsigned int ingress,
		     const struct lle_exact_proof *proof, u32 now);

/**
 * lle_exact_ask() - after a wait: give the probe of an ingress a new number?
 * @d: the instance
 * @ingress: a pausing port that has deferred
 * @now: lle_exact_time()
 *
 * Return: true: the own probe has a new number, and is to be sent again; false:
 * the ingress may declare now.
 */
bool lle_exact_ask(struct lle_exact *d, unsigned int ingress, u32 now);

#endif /* LLE_CORE_EXACT_RIVAL_H */
