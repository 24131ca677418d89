/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DEADLOCK_MAP_H
#define LLE_CORE_DEADLOCK_MAP_H

#include "../core.h"

/* Sets of ports are words, bit p: port p. Each of them; it is empty afterwards. */
#define lle_dl_for_each(port, set)					\
	for (; (set) && ((port) = __ffs64(set), true); (set) &= (set) - 1)

/**
 * struct lle_dl_sums - what is known of all packets of an ingress
 * @held: bytes at egresses that are held, pb[i]
 * @xon: bytes at which its pause ends; fixed when it begins
 */
struct lle_dl_sums {
	u32 held;
	u32 xon;
};

/**
 * struct lle_dl_map - traffic mapping (D1)
 * @paused: egresses that are paused, by a host too
 * @held: those whose peer is a switch of ours and has said which pause it is; mode
 *	paper: as @paused
 * @ports: number of ports
 * @bytes: [egress * ports + ingress]: queued at the egress, came by the ingress,
 *	cnt[p][i]; a frame that has taken the link is not in it. Not 0: bit (p, i) of
 *	the traffic mapping is set
 * @row: [egress]: its part of @bytes; NULL: it is held, so that each packet matters
 * @sums: [ingress]; NULL in mode dcfit, which has none
 */
struct lle_dl_map {
	u64 paused;
	u64 held;
	u32 ports;
	u32 *bytes;
	u32 **row;
	struct lle_dl_sums *sums;
};

/**
 * lle_dl_map_size() - memory that counts packets
 * @ports: number of ports
 */
static inline size_t lle_dl_map_size(unsigned int ports)
{
	return ports * sizeof(u32 *) + ports * ports * sizeof(u32);
}

/**
 * lle_dl_map_init() - nothing is queued, nobody is paused
 * @m: the map; all 0
 * @ports: number of ports
 * @memory: lle_dl_map_size(); all 0, aligned as a pointer
 */
void lle_dl_map_init(struct lle_dl_map *m, unsigned int ports, void *memory);

static inline u32 *lle_dl_map_pair(const struct lle_dl_map *m,
				   unsigned int egress, unsigned int ingress)
{
	return &m->bytes[egress * m->ports + ingress];
}

/**
 * lle_dl_map_enq() - a packet is queued
 * @m: the map
 * @egress: at this port
 * @ingress: by which it came
 * @len: its bytes
 *
 * Return: false: the egress is held, so it matters, and has not been counted.
 */
static inline bool lle_dl_map_enq(struct lle_dl_map *m, unsigned int egress,
				  unsigned int ingress, u32 len)
{
	u32 *row = m->row[egress];

	if (unlikely(!row))
		return false;
	row[ingress] += len;
	return true;
}

/**
 * lle_dl_map_deq() - a packet leaves, or is dropped
 * @m: as lle_dl_map_enq()
 * @egress: as lle_dl_map_enq()
 * @ingress: as lle_dl_map_enq()
 * @len: as lle_dl_map_enq()
 *
 * Return: as lle_dl_map_enq().
 */
static inline bool lle_dl_map_deq(struct lle_dl_map *m, unsigned int egress,
				  unsigned int ingress, u32 len)
{
	u32 *row = m->row[egress];

	if (unlikely(!row))
		return false;
	row[ingress] -= len;
	return true;
}

/**
 * lle_dl_over() - do that many bytes keep an ingress above XON?
 * @bytes: the bytes
 * @xon: at which it resumes its peer
 */
static inline bool lle_dl_over(u32 bytes, u32 xon)
{
	return bytes > xon;
}

/**
 * lle_dl_map_over() - is an ingress held above XON, wherever its peers are held?
 * @m: the map
 * @ingress: the port
 *
 * hard(i) of a pausing ingress: sum{ cnt[p][i] : p is held } > xon[i].
 */
static inline bool lle_dl_map_over(const struct lle_dl_map *m,
				   unsigned int ingress)
{
	return lle_dl_over(m->sums[ingress].held, m->sums[ingress].xon);
}

/**
 * lle_dl_map_causal() - ingresses with packets at an egress, xi_p (D3)
 * @m: the map
 * @egress: the port
 * @among: the ones that are looked at
 */
u64 lle_dl_map_causal(const struct lle_dl_map *m, unsigned int egress,
		      u64 among);

/**
 * lle_dl_map_hold() - from now on, what waits at a paused egress is held
 * @m: the map
 * @egress: the port
 */
void lle_dl_map_hold(struct lle_dl_map *m, unsigned int egress);

/**
 * lle_dl_map_resume() - an egress is not paused any more, hence not held
 * @m: the map
 * @egress: the port
 */
void lle_dl_map_resume(struct lle_dl_map *m, unsigned int egress);

#endif /* LLE_CORE_DEADLOCK_MAP_H */
