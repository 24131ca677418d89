/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_SEND_H
#define LLE_CORE_EXACT_SEND_H

#include "exact_condition.h"

/**
 * lle_exact_say() - add a message with pause number and trigger only
 * @d: the instance
 * @ingress: the port that sends it
 * @type: enum lle_dl_type
 * @out: result, except for a probe that the next pause frame carries
 *
 * Return: the message, to be completed; NULL: no room.
 */
struct lle_dl_msg *lle_exact_say(struct lle_exact *d, unsigned int ingress,
				 u8 type, struct lle_dl_out *out);

/**
 * lle_exact_unseat() - drop the probe that waits for a pause frame
 * @d: the instance
 * @ingress: the port
 * @id: drop it if it has this initiator; NULL: in any case
 */
void lle_exact_unseat(struct lle_exact *d, unsigned int ingress,
		      const struct lle_dl_id *id);

/**
 * lle_exact_probe_own() - send {me(i)}, the probe of an initiator
 * @d: the instance
 * @ingress: the port
 * @now: lle_exact_time()
 * @out: messages to send
 */
void lle_exact_probe_own(struct lle_exact *d, unsigned int ingress, u32 now,
			 struct lle_dl_out *out);

/**
 * lle_exact_send_capped() - test whether an ingress has sent LLE_DL_CAP probes
 *	of other initiators since its last refresh
 * @d: the instance
 * @ingress: the port
 */
bool lle_exact_send_capped(struct lle_exact *d, unsigned int ingress);

/**
 * lle_exact_forward() - send a set that holds an ingress upstream
 * @d: the instance
 * @ingress: the port
 * @set: the set; the ingress itself is removed from it
 * @proof: why it holds the ingress
 * @now: lle_exact_time()
 * @out: messages to send
 *
 * Not farther than LLE_DL_HOPS. The caller checks lle_exact_send_capped().
 */
void lle_exact_forward(struct lle_exact *d, unsigned int ingress,
		       struct lle_dl_set set,
		       const struct lle_exact_proof *proof, u32 now,
		       struct lle_dl_out *out);

#endif /* LLE_CORE_EXACT_SEND_H */
