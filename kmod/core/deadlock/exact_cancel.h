/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_CANCEL_H
#define LLE_CORE_DCFIT_CANCEL_H

#include "exact_eval.h"

/**
 * lle_dcfit_retract() - an egress forgets probes that are not true any more
 * @d: the instance
 * @egress: the port
 * @id: those with this initiator; NULL: all
 * @now: lle_dcfit_time()
 * @out: what has to be done
 */
void lle_dcfit_retract(struct lle_dcfit *d, unsigned int egress,
		       const struct lle_dcfit_id *id, u32 now,
		       struct lle_dcfit_out *out);

/**
 * lle_dcfit_cancel_all() - take back all that an ingress has said, as it is not known
 *	any more; what is true is due to be said again
 * @d: the instance
 * @ingress: the port
 * @out: what has to be done
 */
void lle_dcfit_cancel_all(struct lle_dcfit *d, unsigned int ingress,
			  struct lle_dcfit_out *out);

/**
 * lle_dcfit_recheck() - take back what is not true any more of an ingress
 * @d: the instance
 * @ingress: the port
 * @now: lle_dcfit_time()
 * @out: what has to be done
 */
void lle_dcfit_recheck(struct lle_dcfit *d, unsigned int ingress, u32 now,
		       struct lle_dcfit_out *out);

#endif /* LLE_CORE_DCFIT_CANCEL_H */
