/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_ISOLATED_H
#define LLE_CORE_ISOLATED_H

#include "../core.h"

/* IDs (flows or destinations) that one queue of a port can isolate */
#define LLE_RCM_IDS		128
#define LLE_RCM_IDS_END		(LLE_RCM_IDS + 1)
#define LLE_RCM_BUCKETS		128
/* Their queues, one per ID and ingress with packets */
#define LLE_RCM_SUBS		(4 * LLE_RCM_IDS)
/* Ports of a switch, and the host itself */
#define LLE_RCM_INGRESSES (LLE_MAX_PORTS + 1)

#define LLE_RCM_WORDS		(LLE_RCM_IDS / 64)

/**
 * struct lle_rcm_sub - isolated packets of one ID and one ingress; young ones,
 *	then grown ones, each in order
 * @id: their ID
 * @ingress: their ingress
 * @next: next queue in the ring of the ID, or next free one
 * @barrier: sequence number; all other packets before it leave first
 * @front: sequence number; packets of the front before it leave first
 * @bytes: queued bytes
 * @young_bytes: queued young bytes
 * @asked: the upstream neighbour was asked to hold the ID
 */
struct lle_rcm_sub {
	u16 id;
	u16 ingress;
	u16 next;
	u32 barrier;
	u32 front;
	u32 bytes;
	u32 young_bytes;
	bool asked;
} __aligned(32);

/**
 * struct lle_rcm_id - an isolated flow or destination
 * @name: its number in struct lle_flow
 * @next: next ID in the bucket or free list
 * @last: queue that was served last; 0: it has no queue
 * @young_bytes: queued young bytes
 * @local_until_ns: until then this port identifies it
 * @remote_until_ns: until then the list of a neighbour counts
 * @held_until_ns: when its hold expires; 0: it is not held
 * @cn_seq: sequence number of the last notification that listed it
 * @passed_bytes: bytes that bypassed its queues since @passed_since_ns
 * @passed_since_ns: start of that count
 */
struct lle_rcm_id {
	u32 name;
	u16 next;
	u16 last;
	u32 young_bytes;
	u64 local_until_ns;
	u64 remote_until_ns;
	u64 held_until_ns;
	u32 cn_seq;
	u32 passed_bytes;
	u64 passed_since_ns;
};

/**
 * struct lle_rcm_ids - isolated packets at one queue of a port
 * @count: number of IDs
 * @free: first free ID; 0: all in use
 * @free_sub: first free queue; 0: all in use
 * @turn: ID that was served last
 * @bytes: queued bytes
 * @young_bytes: queued young bytes
 * @used: bit n: ID n + 1 is in use
 * @ready: bit n: ID n + 1 has packets and is not held
 * @young: bit n: it also has young packets
 * @bucket: first ID of each hash chain; 0: empty
 * @id: IDs, from 1 on
 * @sub: queues, from 1 on
 * @sub_of: queue of an ID and ingress; 0: no packets
 */
struct lle_rcm_ids {
	u16 count;
	u16 free;
	u16 free_sub;
	u16 turn;
	u32 bytes;
	u32 young_bytes;
	u64 used[LLE_RCM_WORDS];
	u64 ready[LLE_RCM_WORDS];
	u64 young[LLE_RCM_WORDS];
	u16 bucket[LLE_RCM_BUCKETS];
	struct lle_rcm_id id[LLE_RCM_IDS_END];
	struct lle_rcm_sub sub[LLE_RCM_SUBS + 1];
	u16 sub_of[LLE_RCM_IDS_END][LLE_RCM_INGRESSES];
};

/**
 * struct lle_rcm_others - packets that are not isolated: the front, then the
 *	back, which is grown
 * @bytes: their bytes
 * @first: sequence number of the first one; if empty, @next
 * @front: the same for the front
 * @next: sequence number of the next arrival
 */
struct lle_rcm_others {
	u32 bytes;
	u32 first;
	u32 front;
	u32 next;
};

void lle_isolated_init(struct lle_rcm_ids *ids);

/*
 * Insert a queue into the ring of its ID, to be served last; @barrier: number
 * of the next other packet. Returns the queue; 0: all are in use.
 */
unsigned int lle_isolated_add(struct lle_rcm_ids *ids, unsigned int id,
			      unsigned int ingress, u32 barrier);

/* Remove an empty queue. */
void lle_isolated_remove(struct lle_rcm_ids *ids, unsigned int sub);

/* Account @len young bytes that a queue gets, or sends. */
void lle_isolated_push_young(struct lle_rcm_ids *ids, unsigned int sub,
			     u32 len);
void lle_isolated_pop_young(struct lle_rcm_ids *ids, unsigned int sub, u32 len);

/* ID of a flow or destination; 0: it is not isolated */
static inline unsigned int lle_isolated_find(const struct lle_rcm_ids *ids,
					     u32 name)
{
	unsigned int id = ids->bucket[name % LLE_RCM_BUCKETS];

	while (id && ids->id[id].name != name)
		id = ids->id[id].next;
	return id;
}

/*
 * Walk over the IDs. @id: the last one, maybe dropped since; 0: start. Returns
 * the next one; 0: end.
 */
unsigned int lle_isolated_each(const struct lle_rcm_ids *ids, unsigned int id);

/* Isolate a flow or destination. Returns its ID; 0: all are in use. */
unsigned int lle_isolated_make(struct lle_rcm_ids *ids, u32 name);

/* End the isolation of an ID without packets. */
void lle_isolated_drop(struct lle_rcm_ids *ids, unsigned int id);

/* Hold an ID until @until_ns; 0: release it. */
void lle_isolated_hold(struct lle_rcm_ids *ids, unsigned int id, u64 until_ns);

/*
 * Account a packet to be isolated; @barrier: number of the next other packet.
 * Returns its queue; 0: none is free: it joins the other packets, as do all of
 * its ID and ingress.
 */
static inline unsigned int lle_isolated_push(struct lle_rcm_ids *ids,
					     unsigned int id,
					     unsigned int ingress, bool young,
					     u32 len, u32 barrier)
{
	unsigned int sub = ids->sub_of[id][ingress];

	if (unlikely(!sub)) {
		sub = lle_isolated_add(ids, id, ingress, barrier);
		if (!sub)
			return 0;
	}
	ids->sub[sub].bytes += len;
	ids->bytes += len;
	if (young)
		lle_isolated_push_young(ids, sub, len);
	return sub;
}

/* Packets of @sub wait for packet @seq, which bypassed it and may have left. */
static inline void lle_isolated_wait(struct lle_rcm_ids *ids, unsigned int sub,
				     u32 seq, const struct lle_rcm_others *others)
{
	struct lle_rcm_sub *s = &ids->sub[sub];

	/* is it still in the front? */
	if (seq - others->front < others->next - others->front &&
	    (s32)(seq + 1 - s->front) > 0)
		s->front = seq + 1;
}

/*
 * Account the first packet of a queue, which leaves; after the last one do not
 * access the queue. The next queue and ID have the next turn.
 */
static inline void lle_isolated_pop(struct lle_rcm_ids *ids, unsigned int sub,
				    bool young, u32 len)
{
	struct lle_rcm_sub *s = &ids->sub[sub];

	ids->turn = s->id;
	ids->bytes -= len;
	s->bytes -= len;
	if (young)
		lle_isolated_pop_young(ids, sub, len);
	if (likely(s->bytes))
		ids->id[s->id].last = sub;
	else
		lle_isolated_remove(ids, sub);
}

/* Queue of an ID with the next turn */
static inline unsigned int lle_isolated_sub(const struct lle_rcm_ids *ids,
					    unsigned int id, bool young)
{
	unsigned int sub = ids->sub[ids->id[id].last].next;

	/* one has young packets: the ID was chosen for it */
	while (young && !ids->sub[sub].young_bytes)
		sub = ids->sub[sub].next;
	return sub;
}

/*
 * Choose a queue: round robin over IDs, then ingresses; 0: no queue may send.
 * Skips IDs with a later @remote_until_ns, and IDs with a barrier at their next
 * queue: until it ends, other packets can be sent.
 */
static inline unsigned int
lle_isolated_next(const struct lle_rcm_ids *ids, bool young,
		  const struct lle_rcm_others *others, u64 not_held_after_ns)
{
	const u64 *ready = young ? ids->young : ids->ready;
	unsigned int from = ids->turn % LLE_RCM_IDS, word = from / 64, n, id, sub;
	u64 left = ready[word] & U64_MAX << from % 64;

	/* the first word twice: IDs before @from have the last turn */
	for (n = 0; n <= LLE_RCM_WORDS; n++) {
		for (; left; left &= left - 1) {
			id = word * 64 + __ffs64(left) + 1;
			sub = lle_isolated_sub(ids, id, young);
			if ((s32)(others->first - ids->sub[sub].barrier) >= 0 &&
			    (s32)(others->front - ids->sub[sub].front) >= 0 &&
			    ids->id[id].remote_until_ns <= not_held_after_ns)
				return sub;
		}
		word = (word + 1) % LLE_RCM_WORDS;
		left = ready[word];
	}
	return 0;
}

#endif /* LLE_CORE_ISOLATED_H */
