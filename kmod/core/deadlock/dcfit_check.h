/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_CHECK_H
#define LLE_CORE_DCFIT_CHECK_H

#include "dcfit.h"

/**
 * lle_dcfit_say() - an ingress says what is stored where its packets wait
 * @d: the instance
 * @ingress: the port
 * @rides: its pause frame, that is about to leave, says some of it
 * @out: what has to be done
 */
void lle_dcfit_say(struct lle_dcfit *d, unsigned int ingress, bool rides,
		   struct lle_dl_out *out);

/**
 * lle_dcfit_trigger_rx() - a checking message of an initial trigger
 * @d: the instance
 * @egress: where it has come, or where a host pauses
 * @trig: the trigger
 * @hops: that it has come
 * @out: what has to be done
 */
void lle_dcfit_trigger_rx(struct lle_dcfit *d, unsigned int egress,
			  struct lle_dl_id trig, unsigned int hops,
			  struct lle_dl_out *out);

/**
 * lle_dcfit_middle_rx() - a checking message of a middle switch
 * @d: the instance
 * @egress: where it has come
 * @msg: the message
 * @out: what has to be done
 */
void lle_dcfit_middle_rx(struct lle_dcfit *d, unsigned int egress,
			 const struct lle_dl_msg *msg, struct lle_dl_out *out);

#endif /* LLE_CORE_DCFIT_CHECK_H */
