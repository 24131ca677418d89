/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_CANCEL_H
#define LLE_CORE_EXACT_CANCEL_H

#include "exact_eval.h"

/**
 * lle_exact_retract() - an egress forgets probes that are not true any more
 * @d: the instance
 * @egress: the port
 * @id: those with this initiator; NULL: all
 * @now: lle_exact_time()
 * @out: what has to be done
 */
void lle_exact_retract(struct lle_exact *d, unsigned int egress,
		       const struct lle_dl_id *id, u32 now,
		       struct lle_dl_out *out);

/**
 * lle_exact_cancel_all() - take back all that an ingress has said, as it is not known
 *	any more; what is true is due to be said again
 * @d: the instance
 * @ingress: the port
 * @out: what has to be done
 */
void lle_exact_cancel_all(struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_out *out);

/**
 * lle_exact_recheck() - take back what is not true any more of an ingress
 * @d: the instance
 * @ingress: the port
 * @now: lle_exact_time()
 * @out: what has to be done
 */
void lle_exact_recheck(struct lle_exact *d, unsigned int ingress, u32 now,
		       struct lle_dl_out *out);

#endif /* LLE_CORE_EXACT_CANCEL_H */
