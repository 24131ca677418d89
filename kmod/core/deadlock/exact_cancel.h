/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_CANCEL_H
#define LLE_CORE_EXACT_CANCEL_H

#include "exact_declare.h"

/**
 * lle_exact_retract() - make an egress forget probes that are no longer true
 * @d: the instance
 * @egress: the port
 * @id: those with this initiator; NULL: all
 * @now: lle_exact_time()
 * @out: messages to send
 */
void lle_exact_retract(struct lle_exact *d, unsigned int egress,
		       const struct lle_dl_id *id, u32 now,
		       struct lle_dl_out *out);

/**
 * lle_exact_cancel_all() - take back all probes of an ingress
 * @d: the instance
 * @ingress: the port
 * @out: messages to send
 *
 * Used when the record of them is lost. True ones are due to be sent again.
 */
void lle_exact_cancel_all(struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_out *out);

/**
 * lle_exact_recheck() - take back probes of an ingress that are no longer true
 * @d: the instance
 * @ingress: the port
 * @now: lle_exact_time()
 * @out: messages to send
 */
void lle_exact_recheck(struct lle_exact *d, unsigned int ingress, u32 now,
		       struct lle_dl_out *out);

#endif /* LLE_CORE_EXACT_CANCEL_H */
