/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_ROUND1_H
#define LLE_CORE_DCFIT_ROUND1_H

#include "dcfit.h"

/**
 * lle_dcfit_say() - send the IDs stored where an ingress waits
 * @d: instance
 * @ingress: port
 * @rides: a pause frame is about to leave and carries the trigger
 * @out: messages to send
 */
void lle_dcfit_say(struct lle_dcfit *d, unsigned int ingress, bool rides,
		   struct lle_dl_out *out);

/**
 * lle_dcfit_trigger_rx() - process a check of an initial trigger
 * @d: instance
 * @egress: port that received it, or that a host pauses
 * @trig: the trigger
 * @hops: hops of the check; 0: from a host
 * @out: messages to send
 */
void lle_dcfit_trigger_rx(struct lle_dcfit *d, unsigned int egress,
			  struct lle_dl_id trig, unsigned int hops,
			  struct lle_dl_out *out);

/**
 * lle_dcfit_middle_rx() - process a check of a middle switch
 * @d: instance
 * @egress: port that received it
 * @msg: the check
 * @out: messages to send
 */
void lle_dcfit_middle_rx(struct lle_dcfit *d, unsigned int egress,
			 const struct lle_dl_msg *msg, struct lle_dl_out *out);

#endif /* LLE_CORE_DCFIT_ROUND1_H */
