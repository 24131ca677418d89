/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_MICE_H
#define LLE_CORE_MICE_H

#include "../core.h"

/* Places for flows. Flows in the same place are treated as one flow. */
#define LLE_MICE		1024

#define LLE_MICE_GROWN		U32_MAX

/**
 * struct lle_mice_place - a flow to an isolated destination
 * @seen_ns: time of its last packet
 * @bytes: bytes that have bypassed the isolated queue since the flow began;
 *	LLE_MICE_GROWN: no more may
 * @seq: sequence number of the last packet that did
 * @waits: its isolated packets
 */
struct lle_mice_place {
	u64 seen_ns;
	u32 bytes;
	u32 seq;
	u32 waits;
};

/**
 * struct lle_mice - flows at one queue of a port
 * @place: places, by lle_mice_place()
 */
struct lle_mice {
	struct lle_mice_place place[LLE_MICE];
};

/**
 * struct lle_mice_others - packets of the queue that are not isolated
 * @first: sequence number of the first one queued; if none, that of the next
 * @next: sequence number of the next to arrive
 */
struct lle_mice_others {
	u32 first;
	u32 next;
};

/* Place of a flow, by its number */
static inline unsigned int lle_mice_place(u32 flow)
{
	return flow % LLE_MICE;
}

/**
 * lle_mice_has_grown() - tell whether a flow is known to have grown
 * @m: state
 * @place: place of the flow of an arriving packet
 * @idle_ns: as lle_mice_pass()
 * @now_ns: the time
 *
 * Return: true: isolate the packet; lle_mice_pass() need not be called.
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
 * lle_mice_pass() - tell whether a packet bypasses its isolated destination
 * @m: state
 * @place: place of its flow
 * @len: its bytes
 * @most_bytes: limit of each flow; 0: none may now, and this flow no longer
 * @idle_ns: time without packets after which a flow begins anew, if none of
 *	its packets is isolated
 * @next: sequence number that the packet will have if it does
 * @now_ns: the time
 *
 * Source: least attained service, as in PIAS (NSDI 2015), in two steps.
 */
bool lle_mice_pass(struct lle_mice *m, unsigned int place, u32 len,
		   u32 most_bytes, u64 idle_ns, u32 next, u64 now_ns);

/**
 * lle_mice_push() - count a packet that is isolated
 * @m: state
 * @place: place of its flow
 * @others: packets of the queue that are not isolated
 *
 * Return: number of the first other packet that need not leave before it.
 */
static inline u32 lle_mice_push(struct lle_mice *m, unsigned int place,
				const struct lle_mice_others *others)
{
	struct lle_mice_place *e = &m->place[place];
	u32 waits = others->next - others->first;

	e->waits++;
	/* is the last packet that bypassed the queue still here? */
	return e->seq - others->first < waits ? e->seq + 1 : others->first;
}

/**
 * lle_mice_pop() - count an isolated packet that leaves
 * @m: state
 * @place: place of its flow
 */
static inline void lle_mice_pop(struct lle_mice *m, unsigned int place)
{
	m->place[place].waits--;
}

#endif /* LLE_CORE_MICE_H */
