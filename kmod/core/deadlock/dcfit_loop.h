/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_LOOP_H
#define LLE_CORE_DCFIT_LOOP_H

#include "dcfit.h"
#include "set.h"

/* The same pauses, whatever their Seq is. */
static inline bool lle_dcfit_kin(struct lle_dl_id a, struct lle_dl_id b)
{
	return lle_dl_id_kin(a, b) && a.host == b.host;
}

static inline bool lle_dcfit_same(struct lle_dl_id a, struct lle_dl_id b)
{
	return lle_dcfit_kin(a, b) && a.seq == b.seq;
}

/* An ingress of this switch, and no host. */
static inline bool lle_dcfit_own(const struct lle_dcfit *d, struct lle_dl_id id)
{
	return id.sw == d->sw && !id.host;
}

/* An ingress as an initiator: the pause that it is in. */
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

/**
 * lle_dcfit_trigger() - initial trigger of the pause of an ingress (D9)
 * @d: the instance
 * @ingress: the port; pauses
 *
 * Return: it; sw 0: not known.
 */
struct lle_dl_id lle_dcfit_trigger(const struct lle_dcfit *d,
				   unsigned int ingress);

/**
 * lle_dcfit_send() - a message in a frame of its own
 * @d: the instance
 * @ingress: by which port
 * @msg: what is particular about it
 * @out: result
 */
void lle_dcfit_send(struct lle_dcfit *d, unsigned int ingress,
		    const struct lle_dl_msg *msg, struct lle_dl_out *out);

/**
 * lle_dcfit_close() - begin the second round, if the first one is complete
 * @d: the instance
 * @egress: where it has come back
 * @id: an initiator of this switch
 * @trig: the initial trigger
 * @out: what has to be done
 */
void lle_dcfit_close(struct lle_dcfit *d, unsigned int egress,
		     struct lle_dl_id id, struct lle_dl_id trig,
		     struct lle_dl_out *out);

/**
 * lle_dcfit_consistency_rx() - a temporal consistency check
 * @d: the instance
 * @egress: where it has come; is paused
 * @msg: the message
 * @out: what has to be done
 */
void lle_dcfit_consistency_rx(struct lle_dcfit *d, unsigned int egress,
			      const struct lle_dl_msg *msg,
			      struct lle_dl_out *out);

#endif /* LLE_CORE_DCFIT_LOOP_H */
