// SPDX-License-Identifier: GPL-2.0
/*
 * Isolated flows and destinations (IDs), and their queues.
 *
 * Packets of one flow and ingress are never reordered. A queue begins with a
 * barrier: all other packets that arrived before its first one, maybe of the
 * same flow, leave first. Other packets never wait for an isolated queue, so
 * there is no deadlock. A queue ends when it is empty.
 */
#include "isolated.h"

static void lle_isolated_set(u64 *bits, unsigned int id, bool value)
{
	u64 bit = BIT_ULL((id - 1) % 64);

	if (value)
		bits[(id - 1) / 64] |= bit;
	else
		bits[(id - 1) / 64] &= ~bit;
}

unsigned int lle_isolated_each(const struct lle_rcm_ids *ids, unsigned int id)
{
	unsigned int word = id / 64;
	u64 left;

	if (id == LLE_RCM_IDS)
		return 0;
	left = ids->used[word] & ~(BIT_ULL(id % 64) - 1);
	while (!left) {
		if (++word == LLE_RCM_WORDS)
			return 0;
		left = ids->used[word];
	}
	return word * 64 + __ffs64(left) + 1;
}

static void lle_isolated_look(struct lle_rcm_ids *ids, unsigned int id)
{
	const struct lle_rcm_id *e = &ids->id[id];

	lle_isolated_set(ids->ready, id, e->last && !e->held_until_ns);
	lle_isolated_set(ids->young, id, e->young_bytes && !e->held_until_ns);
}

void lle_isolated_init(struct lle_rcm_ids *ids)
{
	unsigned int n;

	memset(ids, 0, sizeof(*ids));
	ids->free = 1;
	for (n = 1; n < LLE_RCM_IDS; n++)
		ids->id[n].next = n + 1;
	ids->free_sub = 1;
	for (n = 1; n < LLE_RCM_SUBS; n++)
		ids->sub[n].next = n + 1;
}

unsigned int lle_isolated_make(struct lle_rcm_ids *ids, u32 name)
{
	u16 *bucket = &ids->bucket[name % LLE_RCM_BUCKETS];
	unsigned int id = lle_isolated_find(ids, name);

	if (id)
		return id;
	id = ids->free;
	if (!id)
		return 0;
	ids->free = ids->id[id].next;
	ids->id[id] = (struct lle_rcm_id){
		.name = name, .next = *bucket,
	};
	*bucket = id;
	lle_isolated_set(ids->used, id, true);
	ids->count++;
	return id;
}

void lle_isolated_drop(struct lle_rcm_ids *ids, unsigned int id)
{
	struct lle_rcm_id *e = &ids->id[id];
	u16 *at = &ids->bucket[e->name % LLE_RCM_BUCKETS];

	while (*at != id)
		at = &ids->id[*at].next;
	*at = e->next;
	e->next = ids->free;
	ids->free = id;
	lle_isolated_set(ids->used, id, false);
	ids->count--;
}

void lle_isolated_hold(struct lle_rcm_ids *ids, unsigned int id, u64 until_ns)
{
	ids->id[id].held_until_ns = until_ns;
	lle_isolated_look(ids, id);
}

unsigned int lle_isolated_add(struct lle_rcm_ids *ids, unsigned int id,
			      unsigned int ingress, u32 barrier)
{
	struct lle_rcm_id *e = &ids->id[id];
	unsigned int sub = ids->free_sub;
	struct lle_rcm_sub *s = &ids->sub[sub];

	if (!sub)
		return 0;
	ids->free_sub = s->next;
	*s = (struct lle_rcm_sub){
		.id = id, .ingress = ingress,
		.barrier = barrier, .front = barrier,
	};
	if (e->last) {
		s->next = ids->sub[e->last].next;
		ids->sub[e->last].next = sub;
	} else {
		s->next = sub;
	}
	/* as if it had just been served */
	e->last = sub;
	ids->sub_of[id][ingress] = sub;
	lle_isolated_look(ids, id);
	return sub;
}

void lle_isolated_remove(struct lle_rcm_ids *ids, unsigned int sub)
{
	struct lle_rcm_sub *s = &ids->sub[sub];
	struct lle_rcm_id *e = &ids->id[s->id];
	unsigned int before = e->last;

	/* fast if it was just served: it follows e->last */
	while (ids->sub[before].next != sub)
		before = ids->sub[before].next;
	ids->sub[before].next = s->next;
	e->last = before == sub ? 0 : before;
	ids->sub_of[s->id][s->ingress] = 0;
	lle_isolated_look(ids, s->id);
	s->next = ids->free_sub;
	ids->free_sub = sub;
}

void lle_isolated_push_young(struct lle_rcm_ids *ids, unsigned int sub, u32 len)
{
	struct lle_rcm_sub *s = &ids->sub[sub];

	s->young_bytes += len;
	ids->young_bytes += len;
	ids->id[s->id].young_bytes += len;
	if (ids->id[s->id].young_bytes == len)
		lle_isolated_look(ids, s->id);
}

void lle_isolated_pop_young(struct lle_rcm_ids *ids, unsigned int sub, u32 len)
{
	struct lle_rcm_sub *s = &ids->sub[sub];

	s->young_bytes -= len;
	ids->young_bytes -= len;
	ids->id[s->id].young_bytes -= len;
	if (!ids->id[s->id].young_bytes)
		lle_isolated_look(ids, s->id);
}
