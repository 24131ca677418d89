/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_ISOLATED_H
#define LLE_CORE_ISOLATED_H

#include "../core.h"

/* Flows or destinations that are isolated at a time in one queue of a port */
#define LLE_RCM_IDS		128
#define LLE_RCM_IDS_END		(LLE_RCM_IDS + 1)
#define LLE_RCM_BUCKETS		128
/* Queues of those, one for each ingress that has packets of one */
#define LLE_RCM_SUBS		(4 * LLE_RCM_IDS)
/* Ports of a switch, and the host itself */
#define LLE_RCM_INGRESSES (LLE_MAX_PORTS + 1)

#define LLE_RCM_WORDS		(LLE_RCM_IDS / 64)

/**
 * struct lle_rcm_sub - packets of one ID that have come by one ingress, in order
 * @id: of which
 * @ingress: by which
 * @next: in the ring of the ID, or of those that are free
 * @barrier: it may send once all of the other packets have left that came before this one
 * @bytes: that wait
 * @told: the neighbour at the ingress has been told to hold the ID
 */
struct lle_rcm_sub {
	u16 id;
	u16 ingress;
	u16 next;
	u32 barrier;
	u32 bytes;
	bool told;
};

/**
 * struct lle_rcm_id - a flow or destination whose packets are isolated
 * @name: of it
 * @next: in the chain of its bucket, or of those that are free
 * @last: queue that was served last; 0: it has none
 * @bytes: that wait in all of its queues
 * @local_until_ns: until when this port itself says that it is congested
 * @remote_until_ns: until when a neighbour does
 * @held_until_ns: until when it may not send at all; 0: it may
 * @heard: the last message that asked to hold it
 * @passed_bytes: of mice, that have gone past it
 * @passed_since_ns: since then
 */
struct lle_rcm_id {
	u32 name;
	u16 next;
	u16 last;
	u32 bytes;
	u64 local_until_ns;
	u64 remote_until_ns;
	u64 held_until_ns;
	u32 heard;
	u32 passed_bytes;
	u64 passed_since_ns;
};

/**
 * struct lle_rcm_ids - what is isolated at one queue
 * @count: IDs
 * @free: first ID that is not in use; 0: none
 * @free_sub: first queue that is not in use; 0: none
 * @turn: ID that has sent last
 * @bytes: that wait, of all
 * @used: bit n: ID n + 1 is in use
 * @ready: bit n: it has packets and is not held
 * @bucket: first ID of a chain; 0: none
 * @id: from 1 on
 * @sub: from 1 on
 * @sub_of: by ID and ingress; 0: none
 */
struct lle_rcm_ids {
	u16 count;
	u16 free;
	u16 free_sub;
	u16 turn;
	u32 bytes;
	u64 used[LLE_RCM_WORDS];
	u64 ready[LLE_RCM_WORDS];
	u16 bucket[LLE_RCM_BUCKETS];
	struct lle_rcm_id id[LLE_RCM_IDS_END];
	struct lle_rcm_sub sub[LLE_RCM_SUBS + 1];
	u16 sub_of[LLE_RCM_IDS_END][LLE_RCM_INGRESSES];
};

/**
 * lle_rcm_ids_init() - nothing is isolated
 * @ids: state
 */
void lle_rcm_ids_init(struct lle_rcm_ids *ids);

/**
 * lle_rcm_ids_find() - is it isolated?
 * @ids: state
 * @name: of a flow or destination
 *
 * Return: its ID; 0: it is not.
 */
unsigned int lle_rcm_ids_find(const struct lle_rcm_ids *ids, u32 name);

/**
 * lle_rcm_ids_each() - all that are isolated, one by one
 * @ids: state
 * @id: the one before, which may be gone; 0: none
 *
 * Return: the next one; 0: there is none.
 */
unsigned int lle_rcm_ids_each(const struct lle_rcm_ids *ids, unsigned int id);

/**
 * lle_rcm_ids_make() - from now on it is isolated
 * @ids: state
 * @name: of a flow or destination
 *
 * Return: its ID, which may have been there; 0: there is no room.
 */
unsigned int lle_rcm_ids_make(struct lle_rcm_ids *ids, u32 name);

/**
 * lle_rcm_ids_drop() - it is not isolated any more
 * @ids: state
 * @id: of it; without packets
 */
void lle_rcm_ids_drop(struct lle_rcm_ids *ids, unsigned int id);

/**
 * lle_rcm_ids_hold() - whether it may send
 * @ids: state
 * @id: of it
 * @until_ns: it may not until then; 0: it may
 */
void lle_rcm_ids_hold(struct lle_rcm_ids *ids, unsigned int id, u64 until_ns);

/**
 * lle_rcm_ids_push() - a packet is queued
 * @ids: state
 * @id: of which it is
 * @ingress: by which it came
 * @len: its bytes
 * @barrier: sequence number that the next packet of the others will have
 *
 * Return: queue that it goes to the end of; 0: there is no room for another queue, and it
 * goes to the others, as did all packets of it before that are still here.
 */
unsigned int lle_rcm_ids_push(struct lle_rcm_ids *ids, unsigned int id,
			      unsigned int ingress, u32 len, u32 barrier);

/**
 * lle_rcm_ids_wait() - a queue is to wait for more of the others
 * @ids: state
 * @sub: the queue
 * @barrier: number of the first of them that it does not have to wait for
 */
void lle_rcm_ids_wait(struct lle_rcm_ids *ids, unsigned int sub, u32 barrier);

/**
 * lle_rcm_ids_pop() - the first packet of a queue leaves
 * @ids: state
 * @sub: the queue; may not be looked at afterwards if that was the last packet
 * @len: its bytes
 *
 * The next turn is the next queue's, and the next ID's.
 */
void lle_rcm_ids_pop(struct lle_rcm_ids *ids, unsigned int sub, u32 len);

/**
 * lle_rcm_ids_next() - whose turn it is: by IDs, then by ingresses
 * @ids: state
 * @seq: sequence number of the first of the other packets, or of the next to come
 * @not_held_after_ns: leave out what a neighbour asks to hold beyond this; U64_MAX: nothing
 *
 * An ID of which another ingress waits at the barrier is passed over: as long as it does,
 * others can send.
 *
 * Return: the queue; 0: there is none.
 */
unsigned int lle_rcm_ids_next(const struct lle_rcm_ids *ids, u32 seq,
			      u64 not_held_after_ns);

#endif /* LLE_CORE_ISOLATED_H */
