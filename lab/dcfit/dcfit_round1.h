/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_ROUND1_H
#define LLE_CORE_DCFIT_ROUND1_H

#include "dcfit.h"

/* Sends the IDs stored where an ingress waits. @rides: with a pause frame */
void lle_dcfit_say(struct lle_dcfit *d, unsigned int ingress, bool rides,
		   struct lle_dl_out *out);

/* Processes a check of an initial trigger. @hops: 0: from a host's pause */
void lle_dcfit_trigger_rx(struct lle_dcfit *d, unsigned int egress,
			  struct lle_dl_id trig, unsigned int hops,
			  struct lle_dl_out *out);

/* Processes a check of a middle switch. */
void lle_dcfit_middle_rx(struct lle_dcfit *d, unsigned int egress,
			 const struct lle_dl_msg *msg, struct lle_dl_out *out);

#endif /* LLE_CORE_DCFIT_ROUND1_H */
