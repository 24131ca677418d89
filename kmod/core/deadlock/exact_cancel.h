/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_CANCEL_H
#define LLE_CORE_EXACT_CANCEL_H

#include "exact_declare.h"

/**
 * lle_exact_cancel_retract() - make an egress forget withdrawn probes
 * @d: instance
 * @egress: port
 * @id: initiator of the probes; NULL: all
 * @now: lle_exact_time()
 * @out: messages to send
 */
void lle_exact_cancel_retract(struct lle_exact *d, unsigned int egress,
			      const struct lle_dl_id *id, u32 now,
			      struct lle_dl_out *out);

/**
 * lle_exact_cancel_all() - withdraw all probes of an ingress
 * @d: instance
 * @ingress: port; its true probes become due again
 * @out: messages to send
 */
void lle_exact_cancel_all(struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_out *out);

/**
 * lle_exact_cancel_recheck() - withdraw probes that are no longer true
 * @d: instance
 * @ingress: port
 * @now: lle_exact_time()
 * @out: messages to send
 */
void lle_exact_cancel_recheck(struct lle_exact *d, unsigned int ingress,
			      u32 now, struct lle_dl_out *out);

#endif /* LLE_CORE_EXACT_CANCEL_H */
