/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DEADLOCK_MAP_H
#define LLE_CORE_DEADLOCK_MAP_H

#include "../core.h"

/* Each port of a set, bit p: port p; empties the set. */
#define lle_dl_for_each(port, set)					\
	for (; (set) && ((port) = __ffs64(set), true); (set) &= (set) - 1)

/**
 * struct lle_dl_sums - sums over the packets of an ingress
 * @held: bytes at held egresses
 * @xon: XON(i), fixed when the pause begins
 */
struct lle_dl_sums {
	u32 held;
	u32 xon;
};

/**
 * struct lle_dl_map - traffic mapping (paper section 3.2)
 * @paused: paused egresses, also by hosts
 * @held: egresses paused by a switch that has sent the number of the pause
 * @ports: number of ports
 * @bytes: [egress * ports + ingress]: B(i,p), without a frame on the link
 * @row: [egress]: its part of @bytes; NULL: held, so packets change @sums, too
 * @sums: [ingress]; NULL: the algorithm needs no sums
 */
struct lle_dl_map {
	u64 paused;
	u64 held;
	u32 ports;
	u32 *bytes;
	u32 **row;
	struct lle_dl_sums *sums;
};

static inline size_t lle_dl_map_size(unsigned int ports)
{
	return ports * sizeof(u32 *) + ports * ports * sizeof(u32);
}

/* @memory: lle_dl_map_size() zeroed bytes, aligned as a pointer */
void lle_dl_map_init(struct lle_dl_map *m, unsigned int ports, void *memory);

static inline u32 *lle_dl_map_pair(const struct lle_dl_map *m,
				   unsigned int egress, unsigned int ingress)
{
	return &m->bytes[egress * m->ports + ingress];
}

static inline bool lle_dl_map_exceeds(u32 bytes, u32 xon)
{
	return bytes > xon;
}

/* hard(i) of a pausing ingress: sum of B(i,p) over all held p  >  XON(i) */
static inline bool lle_dl_map_over(const struct lle_dl_map *m,
				   unsigned int ingress)
{
	return lle_dl_map_exceeds(m->sums[ingress].held, m->sums[ingress].xon);
}

/* xi_p: ingresses of @among with packets at an egress */
u64 lle_dl_map_causal(const struct lle_dl_map *m, unsigned int egress,
		      u64 among);

/* Hold a paused egress: add its bytes to the sums. */
void lle_dl_map_hold(struct lle_dl_map *m, unsigned int egress);

/* End the pause of an egress, and its hold. */
void lle_dl_map_resume(struct lle_dl_map *m, unsigned int egress);

#endif /* LLE_CORE_DEADLOCK_MAP_H */
