/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DEADLOCK_MAP_H
#define LLE_CORE_DEADLOCK_MAP_H

#include "../core.h"

/* Each port of a set, bit p: port p. The set is empty afterwards. */
#define lle_dl_for_each(port, set)					\
	for (; (set) && ((port) = __ffs64(set), true); (set) &= (set) - 1)

/**
 * struct lle_dl_sums - sums over all packets of an ingress
 * @held: bytes at held egresses
 * @xon: bytes at which its pause ends, XON(i); fixed when it begins
 */
struct lle_dl_sums {
	u32 held;
	u32 xon;
};

/**
 * struct lle_dl_map - traffic mapping (paper section 3.2)
 * @paused: egresses that are paused, by a host too
 * @held: those of them with a switch as neighbour that has said which pause
 *	this is
 * @ports: number of ports
 * @bytes: [egress * ports + ingress]: B(i,p), bytes queued, without a frame
 *	that has been handed to the link
 * @row: [egress]: its part of @bytes; NULL: it is held, so packets change
 *	@sums as well
 * @sums: [ingress]; NULL: the algorithm needs none
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
 * lle_dl_map_size() - compute the memory of the counters
 * @ports: number of ports
 */
static inline size_t lle_dl_map_size(unsigned int ports)
{
	return ports * sizeof(u32 *) + ports * ports * sizeof(u32);
}

/**
 * lle_dl_map_init() - initialise a map: nothing is queued or paused
 * @m: the map; all 0
 * @ports: number of ports
 * @memory: lle_dl_map_size() bytes; all 0, aligned as a pointer
 */
void lle_dl_map_init(struct lle_dl_map *m, unsigned int ports, void *memory);

static inline u32 *lle_dl_map_pair(const struct lle_dl_map *m,
				   unsigned int egress, unsigned int ingress)
{
	return &m->bytes[egress * m->ports + ingress];
}

/**
 * lle_dl_map_enq() - count a packet that is queued
 * @m: the map
 * @egress: the port at which it is queued
 * @ingress: the port at which it arrived
 * @len: bytes of the packet
 *
 * Return: false: the egress is held, and the packet has not been counted.
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
 * lle_dl_map_deq() - count a packet that leaves or is dropped
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
 * lle_dl_over() - test whether bytes keep an ingress above XON
 * @bytes: the bytes
 * @xon: bytes at which the ingress resumes its neighbour
 */
static inline bool lle_dl_over(u32 bytes, u32 xon)
{
	return bytes > xon;
}

/**
 * lle_dl_map_over() - test whether held egresses keep an ingress above XON
 * @m: the map
 * @ingress: the port
 *
 * hard(i) of a pausing ingress: sum of B(i,p) over all held p  >  XON(i).
 */
static inline bool lle_dl_map_over(const struct lle_dl_map *m,
				   unsigned int ingress)
{
	return lle_dl_over(m->sums[ingress].held, m->sums[ingress].xon);
}

/**
 * lle_dl_map_causal() - get the ingresses with packets at an egress, xi_p
 * @m: the map
 * @egress: the port
 * @among: the ingresses to look at
 */
u64 lle_dl_map_causal(const struct lle_dl_map *m, unsigned int egress,
		      u64 among);

/**
 * lle_dl_map_hold() - hold a paused egress: add its bytes to the sums
 * @m: the map
 * @egress: the port
 */
void lle_dl_map_hold(struct lle_dl_map *m, unsigned int egress);

/**
 * lle_dl_map_resume() - end the pause of an egress, and its being held
 * @m: the map
 * @egress: the port
 */
void lle_dl_map_resume(struct lle_dl_map *m, unsigned int egress);

#endif /* LLE_CORE_DEADLOCK_MAP_H */
