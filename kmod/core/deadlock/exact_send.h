/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_SEND_H
#define LLE_CORE_EXACT_SEND_H

#include "exact_condition.h"

/**
 * lle_exact_send_message() - add a message with pause number and trigger
 * @d: instance
 * @ingress: sending port
 * @type: enum lle_dl_type
 * @out: result, except for a probe that the next pause frame carries
 * Return: the message, to be completed; NULL: no room.
 */
struct lle_dl_msg *lle_exact_send_message(struct lle_exact *d,
					  unsigned int ingress, u8 type,
					  struct lle_dl_out *out);

/**
 * lle_exact_send_drop() - drop the probe that waits for a pause frame
 * @d: instance
 * @ingress: port
 * @id: only with this initiator; NULL: any
 */
void lle_exact_send_drop(struct lle_exact *d, unsigned int ingress,
			 const struct lle_dl_id *id);

/**
 * lle_exact_send_own() - send {me(i)}
 * @d: instance
 * @ingress: initiator
 * @now: lle_exact_time()
 * @out: messages to send
 */
void lle_exact_send_own(struct lle_exact *d, unsigned int ingress, u32 now,
			struct lle_dl_out *out);

/**
 * lle_exact_send_capped() - test whether LLE_DL_CAP probes were forwarded
 * @d: instance
 * @ingress: port
 */
bool lle_exact_send_capped(struct lle_exact *d, unsigned int ingress);

/**
 * lle_exact_send_upstream() - send a set upstream, up to LLE_DL_HOPS
 * @d: instance
 * @ingress: port for which lle_exact_send_capped() is false
 * @set: the set; the ingress itself is removed from it
 * @proof: why it holds the ingress
 * @now: lle_exact_time()
 * @out: messages to send
 */
void lle_exact_send_upstream(struct lle_exact *d, unsigned int ingress,
			     struct lle_dl_set set,
			     const struct lle_exact_proof *proof, u32 now,
			     struct lle_dl_out *out);

#endif /* LLE_CORE_EXACT_SEND_H */
