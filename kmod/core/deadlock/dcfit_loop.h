/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_PAPER_LOOP_H
#define LLE_CORE_DCFIT_PAPER_LOOP_H

#include "dcfit.h"
#include "set.h"

/* The same pauses, whatever their Seq is. */
static inline bool lle_dcfit_paper_kin(struct lle_dcfit_id a,
				       struct lle_dcfit_id b)
{
	return lle_dcfit_id_kin(a, b) && a.host == b.host;
}

static inline bool lle_dcfit_paper_same(struct lle_dcfit_id a,
					struct lle_dcfit_id b)
{
	return lle_dcfit_paper_kin(a, b) && a.seq == b.seq;
}

/* An ingress of this switch, and no host. */
static inline bool lle_dcfit_paper_own(const struct lle_dcfit_paper *d,
				       struct lle_dcfit_id id)
{
	return id.sw == d->sw && !id.host;
}

/* An ingress as an initiator: the pause that it is in. */
static inline struct lle_dcfit_id
lle_dcfit_paper_me(const struct lle_dcfit_paper *d, unsigned int ingress)
{
	return (struct lle_dcfit_id){
		.sw = d->sw,
		.port = ingress,
		.seq = d->port[ingress].seq,
	};
}

static inline bool
lle_dcfit_paper_waits(const struct lle_dcfit_paper *d, unsigned int egress,
		      unsigned int ingress)
{
	return d->port[ingress].pausing && d->port[ingress].fabric &&
	       *lle_dcfit_map_pair(&d->map, egress, ingress);
}

/**
 * lle_dcfit_paper_trigger() - initial trigger of the pause of an ingress (D9)
 * @d: the instance
 * @ingress: the port; pauses
 *
 * Return: it; sw 0: not known.
 */
struct lle_dcfit_id lle_dcfit_paper_trigger(const struct lle_dcfit_paper *d,
					    unsigned int ingress);

/**
 * lle_dcfit_paper_send() - a message in a frame of its own
 * @d: the instance
 * @ingress: by which port
 * @msg: what is particular about it
 * @out: result
 */
void lle_dcfit_paper_send(struct lle_dcfit_paper *d, unsigned int ingress,
			  const struct lle_dcfit_msg *msg,
			  struct lle_dcfit_out *out);

/**
 * lle_dcfit_paper_close() - begin the second round, if the first one is complete
 * @d: the instance
 * @egress: where it has come back
 * @id: an initiator of this switch
 * @trig: the initial trigger
 * @out: what has to be done
 */
void lle_dcfit_paper_close(struct lle_dcfit_paper *d, unsigned int egress,
			   struct lle_dcfit_id id, struct lle_dcfit_id trig,
			   struct lle_dcfit_out *out);

/**
 * lle_dcfit_paper_consistency_rx() - a temporal consistency check
 * @d: the instance
 * @egress: where it has come; is paused
 * @msg: the message
 * @out: what has to be done
 */
void lle_dcfit_paper_consistency_rx(struct lle_dcfit_paper *d,
				    unsigned int egress,
				    const struct lle_dcfit_msg *msg,
				    struct lle_dcfit_out *out);

#endif /* LLE_CORE_DCFIT_PAPER_LOOP_H */
