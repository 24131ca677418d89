/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_RIVAL_H
#define LLE_CORE_EXACT_RIVAL_H

#include "exact_condition.h"

/**
 * lle_exact_rival_min() - get the smallest initiator that a probe has met
 * @d: instance
 * @ingress: port that forwards the probe, or gets its own back
 * @set: initiators of the probe
 * @now: lle_exact_time()
 * Return: of those with probes that have come as far; sw 0: one has declared.
 */
struct lle_dl_id lle_exact_rival_min(const struct lle_exact *d,
				     unsigned int ingress,
				     struct lle_dl_set set, u32 now);

/**
 * lle_exact_rival_waits() - test whether an ingress also waits for others
 * @d: instance
 * @ingress: port; on a loop it always does
 * @now: lle_exact_time()
 */
bool lle_exact_rival_waits(const struct lle_exact *d, unsigned int ingress,
			   u32 now);

/**
 * lle_exact_rival_reset() - forget the rivals of an ingress
 * @port: ingress
 */
void lle_exact_rival_reset(struct lle_exact_port *port);

/**
 * lle_exact_rival_yield() - let another initiator declare first
 * @d: instance
 * @ingress: pausing port that waits for itself
 * @proof: why
 * @now: lle_exact_time()
 * Return: true: do not declare now; lle_exact_timer() may continue.
 */
bool lle_exact_rival_yield(struct lle_exact *d, unsigned int ingress,
			   const struct lle_exact_proof *proof, u32 now);

/**
 * lle_exact_rival_ask() - renumber the own probe of an ingress after a wait
 * @d: instance
 * @ingress: pausing port that has deferred
 * @now: lle_exact_time()
 * Return: true: send the own probe again; false: the ingress may declare.
 */
bool lle_exact_rival_ask(struct lle_exact *d, unsigned int ingress, u32 now);

#endif /* LLE_CORE_EXACT_RIVAL_H */
