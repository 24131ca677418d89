/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_ROUND2_H
#define LLE_CORE_DCFIT_ROUND2_H

#include "dcfit.h"
#include "../../kmod/core/deadlock/set.h"

/* The same ingress or host, with any Seq. */
static inline bool lle_dcfit_same_ingress(struct lle_dl_id a,
					  struct lle_dl_id b)
{
	return lle_dl_id_same_ingress(a, b) && a.host == b.host;
}

static inline bool lle_dcfit_same(struct lle_dl_id a, struct lle_dl_id b)
{
	return lle_dcfit_same_ingress(a, b) && a.seq == b.seq;
}

/* An ingress of this switch, not a host */
static inline bool lle_dcfit_own(const struct lle_dcfit *d, struct lle_dl_id id)
{
	return id.sw == d->sw && !id.host;
}

static inline struct lle_dl_id lle_dcfit_me(const struct lle_dcfit *d,
					    unsigned int ingress)
{
	return (struct lle_dl_id) {
		.sw = d->sw,
		.port = ingress,
		.seq = d->port[ingress].seq,
	};
}

static inline bool lle_dcfit_waits(const struct lle_dcfit *d,
				   unsigned int egress, unsigned int ingress)
{
	return d->port[ingress].pausing && d->port[ingress].fabric &&
	       *lle_dl_map_pair(&d->map, egress, ingress);
}

/* Return: the initial trigger of a pause (section 3.1); sw 0: unknown. */
struct lle_dl_id lle_dcfit_trigger(const struct lle_dcfit *d,
				   unsigned int ingress);

/* Sends a message in its own frame, within the bounds; adds common members. */
void lle_dcfit_send(struct lle_dcfit *d, unsigned int ingress,
		    const struct lle_dl_msg *msg, struct lle_dl_out *out);

/* Begins the second round if @id, of an own ingress, is back at @egress. */
void lle_dcfit_close(struct lle_dcfit *d, unsigned int egress,
		     struct lle_dl_id id, struct lle_dl_id trig,
		     struct lle_dl_out *out);

/* Processes a temporal consistency check. @out: messages, deadlocks */
void lle_dcfit_consistency_rx(struct lle_dcfit *d, unsigned int egress,
			      const struct lle_dl_msg *msg,
			      struct lle_dl_out *out);

#endif /* LLE_CORE_DCFIT_ROUND2_H */
