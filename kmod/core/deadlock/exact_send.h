/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_SEND_H
#define LLE_CORE_EXACT_SEND_H

#include "exact_hold.h"

/**
 * lle_exact_say() - a message that says only which pause it is, and why
 * @d: the instance
 * @ingress: by which port
 * @type: enum lle_dl_type
 * @out: result, but for a probe that goes with the next pause frame
 *
 * Return: it, to be completed; NULL: there is no room for it.
 */
struct lle_dl_msg *lle_exact_say(struct lle_exact *d, unsigned int ingress,
				 u8 type, struct lle_dl_out *out);

/**
 * lle_exact_unseat() - no probe of an ingress waits for a pause frame any more
 * @d: the instance
 * @ingress: the port
 * @id: if it has this initiator; NULL: whatever it has
 */
void lle_exact_unseat(struct lle_exact *d, unsigned int ingress,
		      const struct lle_dl_id *id);

/**
 * lle_exact_probe_own() - SEND(i,{me(i)}): an initiator probes
 * @d: the instance
 * @ingress: the port
 * @out: what has to be done
 */
void lle_exact_probe_own(struct lle_exact *d, unsigned int ingress,
			 struct lle_dl_out *out);

/**
 * lle_exact_send_capped() - has an ingress sent CAP probes of others since it has
 *	last refreshed?
 * @d: the instance
 * @ingress: the port
 */
bool lle_exact_send_capped(struct lle_exact *d, unsigned int ingress);

/**
 * lle_exact_forward() - SEND(i,U): an ingress says what it has been told
 * @d: the instance
 * @ingress: the port
 * @set: what holds it; itself is dropped from it
 * @proof: why
 * @out: what has to be done
 *
 * Not farther than LLE_DL_HOPS. The caller has looked at lle_exact_send_capped().
 */
void lle_exact_forward(struct lle_exact *d, unsigned int ingress,
		       struct lle_dl_set set,
		       const struct lle_exact_proof *proof,
		       struct lle_dl_out *out);

#endif /* LLE_CORE_EXACT_SEND_H */
