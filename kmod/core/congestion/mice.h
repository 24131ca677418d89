/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_MICE_H
#define LLE_CORE_MICE_H

#include "../core.h"

/* Places for flows. Those that have one in common are treated as one flow. */
#define LLE_MICE		1024

#define LLE_MICE_GROWN		U32_MAX

/**
 * struct lle_mice_place - a flow whose destination is isolated
 * @seen_ns: when its last packet has come
 * @bytes: that have gone past what is isolated, since the flow has begun;
 *	LLE_MICE_GROWN: no more will
 * @seq: number among the others of the last packet that did
 * @waits: its packets that are isolated
 */
struct lle_mice_place {
	u64 seen_ns;
	u32 bytes;
	u32 seq;
	u32 waits;
};

/**
 * struct lle_mice - first packets of flows, at one queue of a port
 * @place: by the flow's number
 */
struct lle_mice {
	struct lle_mice_place place[LLE_MICE];
};

/**
 * struct lle_mice_others - packets of the queue that are not isolated
 * @first: number of the first that waits; of the next to come
 * @next: of the next to come
 */
struct lle_mice_others {
	u32 first;
	u32 next;
};

/* Of a flow's number */
static inline unsigned int lle_mice_place(u32 flow)
{
	return flow % LLE_MICE;
}

/**
 * lle_mice_has_grown() - a packet comes that does not go past, as is known already
 * @m: state
 * @place: of its flow
 * @idle_ns: as of lle_mice_pass(), which need not be asked
 * @now_ns: the time
 */
static inline bool lle_mice_has_grown(struct lle_mice *m, unsigned int place,
				      u64 idle_ns, u64 now_ns)
{
	struct lle_mice_place *e = &m->place[place];

	if (e->bytes != LLE_MICE_GROWN || now_ns - e->seen_ns >= idle_ns)
		return false;
	e->seen_ns = now_ns;
	return true;
}

/**
 * lle_mice_pass() - a packet comes whose destination is isolated: does it go past?
 * @m: state
 * @place: of its flow
 * @len: its bytes
 * @most_bytes: how many of each flow do; 0: none does now, and this one not any more
 * @idle_ns: a flow that was not seen for so long begins anew, if nothing of it is isolated
 * @next: number that it will have among the others, if it goes past
 * @now_ns: the time
 *
 * Source: least attained service, as of PIAS (NSDI 2015), in two steps.
 */
bool lle_mice_pass(struct lle_mice *m, unsigned int place, u32 len,
		   u32 most_bytes, u64 idle_ns, u32 next, u64 now_ns);

/**
 * lle_mice_push() - a packet is isolated
 * @m: state
 * @place: of its flow
 * @others: of the queue
 *
 * Return: number of the first of the others that does not have to leave before it.
 */
static inline u32 lle_mice_push(struct lle_mice *m, unsigned int place,
				const struct lle_mice_others *others)
{
	struct lle_mice_place *e = &m->place[place];
	u32 waits = others->next - others->first;

	e->waits++;
	/* is the last one that went past among those that wait? */
	return e->seq - others->first < waits ? e->seq + 1 : others->first;
}

/**
 * lle_mice_pop() - it has left
 * @m: state
 * @place: of its flow
 */
static inline void lle_mice_pop(struct lle_mice *m, unsigned int place)
{
	m->place[place].waits--;
}

#endif /* LLE_CORE_MICE_H */
