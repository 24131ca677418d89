/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_LAS_H
#define LLE_CORE_LAS_H

#include "../core.h"

/* Places for flows; those in one place count as one flow. */
#define LLE_LAS_PLACES		4096

/* Young bytes after which a grown packet is next, in largest packets */
#define LLE_LAS_RUN		8

/* Counting ends here, beyond all limits. */
#define LLE_LAS_GROWN		BIT(31)

/**
 * struct lle_las_params - least attained service at a queue
 * @limit_bytes: young bytes of a flow; 0: LAS is off
 * @mtu_bytes: largest packet
 * @idle_ns: time without packets after which a flow begins anew
 */
struct lle_las_params {
	u32 limit_bytes;
	u32 mtu_bytes;
	u64 idle_ns;
};

/**
 * struct lle_las_place - a flow
 * @seen: time of its last packet; unit of las.c
 * @bytes: bytes since it began, up to LLE_LAS_GROWN
 * @seq: sequence number of its last packet that bypassed an isolated queue
 * @waits: its queued packets that are grown or isolated
 */
struct lle_las_place {
	u32 seen;
	u32 bytes;
	u32 seq;
	u32 waits;
};

/**
 * struct lle_las - least attained service at one queue of a port
 * @isolated: the last packet sent was isolated
 * @run_bytes: young bytes sent since the last grown packet
 * @grown_bytes: queued grown bytes that are not isolated
 * @place: flows, by lle_las_place()
 */
struct lle_las {
	bool isolated;
	u32 run_bytes;
	u32 grown_bytes;
	struct lle_las_place place[LLE_LAS_PLACES];
};

static inline unsigned int lle_las_place(u32 flow)
{
	return flow % LLE_LAS_PLACES;
}

/* Count an arriving packet. True: it is young. */
bool lle_las_arrive(struct lle_las *l, const struct lle_las_params *p,
		    unsigned int place, u32 len, u64 now_ns);

/* May a packet, counted by lle_las_arrive(), bypass its isolated queue? */
static inline bool lle_las_may_pass(const struct lle_las *l, unsigned int place,
				    u32 most_bytes)
{
	const struct lle_las_place *e = &l->place[place];

	return e->bytes <= most_bytes && !e->waits;
}

/* Packet @seq bypasses its isolated queue. */
static inline void lle_las_pass(struct lle_las *l, unsigned int place, u32 seq)
{
	l->place[place].seq = seq;
}

/* A packet is queued, and grown or isolated. */
static inline void lle_las_push(struct lle_las *l, unsigned int place)
{
	l->place[place].waits++;
}

/* Such a packet leaves. */
static inline void lle_las_pop(struct lle_las *l, unsigned int place)
{
	l->place[place].waits--;
}

/* Have young packets had their share? */
static inline bool lle_las_is_grown_next(const struct lle_las *l,
					 const struct lle_las_params *p)
{
	return l->run_bytes >= LLE_LAS_RUN * p->mtu_bytes;
}

/* Account a packet that leaves; @young: it preceded grown ones. */
static inline void lle_las_sent(struct lle_las *l, bool isolated, bool young,
				u32 len)
{
	l->isolated = isolated;
	if (!young)
		l->run_bytes = 0;
	else if (l->run_bytes < LLE_LAS_GROWN)
		l->run_bytes += len;
}

#endif /* LLE_CORE_LAS_H */
