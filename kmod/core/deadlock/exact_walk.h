/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_WALK_H
#define LLE_CORE_EXACT_WALK_H

#include "exact.h"

/**
 * struct lle_dl_hop - a switch on a loop, in host byte order
 * @sw: number of the switch
 * @ingress: port that pauses its neighbour
 * @egress: port where packets of @ingress wait
 * @bytes: bytes of these packets
 * @age_ns: age of the pause
 * @trigger: initial trigger of that pause
 */
struct lle_dl_hop {
	u16 sw;
	u8 ingress;
	u8 egress;
	u32 bytes;
	u64 age_ns;
	struct lle_dl_id trigger;
};

/**
 * lle_exact_walk_begin() - build the walk for a deadlock
 * @d: instance
 * @ingress: declared port
 * @msg: result, for its neighbour
 */
void lle_exact_walk_begin(const struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_msg *msg);

/**
 * lle_exact_walk_next() - find where a walk continues
 * @d: instance
 * @egress: port that received it
 * @msg: the walk
 * Return: hard ingresses with packets at @egress that have forwarded the probe
 * of the initiator; if none has, all hard ones there.
 */
u64 lle_exact_walk_next(const struct lle_exact *d, unsigned int egress,
			const struct lle_dl_msg *msg);

/**
 * lle_exact_walk_hop() - describe this switch as a hop of a walk
 * @d: instance
 * @egress: port that received the walk
 * @ingress: port through which it continues, or began
 * @hop: result, without its age
 */
void lle_exact_walk_hop(const struct lle_exact *d, unsigned int egress,
			unsigned int ingress, struct lle_dl_hop *hop);

/**
 * lle_exact_walk_egress() - find the egress toward an initial trigger
 * @d: instance
 * @ingress: port with a pause that it caused: declared, or it brings the question
 * @trigger: initial trigger of a pause, of any number
 * Return: the egress from which @ingress has it: each such pause began before the
 * next one, so the question does not go around the loop. If there is a later pause:
 * an egress with a last pause, maybe over, that it caused; or -1.
 */
int lle_exact_walk_egress(const struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_id trigger);

/**
 * lle_exact_walk_parse_hop() - read a hop
 * @wire: untrusted input
 * @hop: result
 */
void lle_exact_walk_parse_hop(const struct lle_dl_wire_hop *wire,
			      struct lle_dl_hop *hop);

/**
 * lle_exact_walk_encode_hop() - write a hop
 * @wire: result
 * @hop: hop
 */
void lle_exact_walk_encode_hop(struct lle_dl_wire_hop *wire,
			       const struct lle_dl_hop *hop);

#endif /* LLE_CORE_EXACT_WALK_H */
