/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_WALK_H
#define LLE_CORE_EXACT_WALK_H

#include "exact.h"

/**
 * struct lle_dl_hop - a switch on a loop, in host byte order
 * @sw: its number
 * @ingress: the port whose peer it pauses
 * @egress: the port at which packets from there wait
 * @bytes: that wait
 * @age_ns: for how long it has paused its peer
 * @trigger: the initial trigger of that pause
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
 * lle_exact_walk_begin() - what the initiator of a deadlock asks its neighbour
 * @d: the instance
 * @ingress: that was declared
 * @msg: result
 */
void lle_exact_walk_begin(const struct lle_exact *d, unsigned int ingress,
			  struct lle_dl_msg *msg);

/**
 * lle_exact_walk_next() - where a walk goes on
 * @d: the instance
 * @egress: by which port it has come
 * @msg: the message
 *
 * Return: bit i: by ingress i: all hard ones that have sent its probe on, or else all hard
 * ones.
 */
u64 lle_exact_walk_next(const struct lle_exact *d, unsigned int egress,
			const struct lle_dl_msg *msg);

/**
 * lle_exact_walk_hop() - what a switch adds to a walk
 * @d: the instance
 * @egress: by which port it has come
 * @ingress: by which one it goes on, or has begun
 * @hop: result, without its age
 */
void lle_exact_walk_hop(const struct lle_exact *d, unsigned int egress,
			unsigned int ingress, struct lle_dl_hop *hop);

/**
 * lle_exact_trigger_egress() - from where a trigger was heard of
 * @d: the instance
 * @trigger: initial trigger of some pause
 *
 * Also of a pause that is over, if it was the last one of the egress; and the trigger may
 * have begun another pause since.
 *
 * Return: an egress whose pause it has led to, or -1.
 */
int lle_exact_trigger_egress(const struct lle_exact *d,
			     struct lle_dl_id trigger);

/**
 * lle_dl_hop_parse() - read one
 * @wire: hostile
 * @hop: result
 */
void lle_dl_hop_parse(const struct lle_dl_wire_hop *wire,
		      struct lle_dl_hop *hop);

/**
 * lle_dl_hop_encode() - write one
 * @wire: result
 * @hop: the hop
 */
void lle_dl_hop_encode(struct lle_dl_wire_hop *wire,
		       const struct lle_dl_hop *hop);

#endif /* LLE_CORE_EXACT_WALK_H */
