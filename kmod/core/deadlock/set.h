/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DEADLOCK_SET_H
#define LLE_CORE_DEADLOCK_SET_H

#include "wire.h"

/**
 * struct lle_dl_set - U: one or two initiators, the smaller one first
 * @id: initiators; unused: sw 0
 */
struct lle_dl_set {
	struct lle_dl_id id[LLE_DL_IDS];
};

static inline struct lle_dl_set lle_dl_set_one(struct lle_dl_id id)
{
	return (struct lle_dl_set) { .id = { id } };
}

/* The two have different ingresses, or are the same pause. */
static inline struct lle_dl_set lle_dl_set_two(struct lle_dl_id a,
					       struct lle_dl_id b)
{
	if (lle_dl_id_same(a, b))
		return lle_dl_set_one(a);
	if (lle_dl_id_less(b, a))
		return (struct lle_dl_set) { .id = { b, a } };
	return (struct lle_dl_set) { .id = { a, b } };
}

static inline unsigned int lle_dl_set_num(struct lle_dl_set set)
{
	return !!set.id[0].sw + !!set.id[1].sw;
}

static inline bool lle_dl_set_has(struct lle_dl_set set, struct lle_dl_id id)
{
	return lle_dl_id_same(set.id[0], id) || lle_dl_id_same(set.id[1], id);
}

static inline bool lle_dl_set_within(struct lle_dl_set a, struct lle_dl_set b)
{
	return lle_dl_set_has(b, a.id[0]) &&
	       (!a.id[1].sw || lle_dl_set_has(b, a.id[1]));
}

static inline bool lle_dl_set_same(struct lle_dl_set a, struct lle_dl_set b)
{
	return lle_dl_id_same(a.id[0], b.id[0]) &&
	       lle_dl_id_same(a.id[1], b.id[1]);
}

static inline bool lle_dl_set_same_ingresses(struct lle_dl_set a,
					     struct lle_dl_set b)
{
	return lle_dl_id_same_ingress(a.id[0], b.id[0]) &&
	       lle_dl_id_same_ingress(a.id[1], b.id[1]);
}

/* A pause cannot end before itself, so its own ID adds nothing. */
static inline struct lle_dl_set lle_dl_set_without(struct lle_dl_set set,
						   struct lle_dl_id id)
{
	if (lle_dl_id_same(set.id[1], id))
		return lle_dl_set_one(set.id[0]);
	if (lle_dl_id_same(set.id[0], id))
		return lle_dl_set_one(set.id[1]);
	return set;
}

static inline bool lle_dl_set_less(struct lle_dl_set a, struct lle_dl_set b)
{
	if (!lle_dl_id_same_ingress(a.id[0], b.id[0]))
		return lle_dl_id_less(a.id[0], b.id[0]);
	return lle_dl_id_less(a.id[1], b.id[1]);
}

#endif /* LLE_CORE_DEADLOCK_SET_H */
