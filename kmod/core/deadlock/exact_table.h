/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_EXACT_TABLE_H
#define LLE_CORE_EXACT_TABLE_H

#include "exact.h"
#include "set.h"

/**
 * struct lle_exact_entry - a probe that an egress has received
 * @sent: ingresses that have forwarded it during their present pause
 * @set: initiators; empty: free entry
 * @min_sw: switch of the smallest initiator on its way; 0: one has declared
 * @min_port: port of that initiator
 * @hops: hops so far
 * @egress: port
 * @waits: its single initiator also waits for others
 */
struct lle_exact_entry {
	u64 sent;
	struct lle_dl_set set;
	u16 min_sw;
	u8 min_port;
	u8 hops;
	u8 egress;
	bool waits;
};

static inline struct lle_exact_entry *
lle_exact_entry_from(const struct lle_exact *d, const struct lle_exact_entry *e)
{
	unsigned int n;

	for (n = e - d->entry; n < d->pool; n++)
		if (d->entry[n].set.id[0].sw)
			return &d->entry[n];
	return NULL;
}

#define lle_exact_for_each_entry(d, e)	\
	for ((e) = lle_exact_entry_from(d, (d)->entry); (e); \
	     (e) = lle_exact_entry_from(d, (e) + 1))

static inline struct lle_dl_id
lle_exact_entry_min(const struct lle_exact_entry *e)
{
	return (struct lle_dl_id) { .sw = e->min_sw, .port = e->min_port };
}

/* Does a set name an earlier own pause or probe? */
bool lle_exact_table_is_stale(const struct lle_exact *d, struct lle_dl_set set);

/* Store a received probe, unless an entry is newer or says more. */
void lle_exact_table_store(struct lle_exact *d, unsigned int egress,
			   struct lle_dl_set set, const struct lle_dl_msg *msg);

/*
 * Remove probes of an egress (paper section 3.2) that have @id; NULL: all.
 * @gone: removed sets, at most LLE_EXACT_PER_EGRESS. Returns their number.
 */
unsigned int lle_exact_table_take(struct lle_exact *d, unsigned int egress,
				  const struct lle_dl_id *id,
				  struct lle_dl_set *gone);

/* Ingresses that have forwarded a set; bit i: ingress i */
u64 lle_exact_table_sent(const struct lle_exact *d, struct lle_dl_set set);

/* @sent: an ingress has forwarded it; false: has withdrawn, or must repeat it */
void lle_exact_table_set_sent(struct lle_exact *d, struct lle_dl_set set,
			      unsigned int ingress, bool sent);

/* An ingress has forwarded nothing. */
void lle_exact_table_clear_sent(struct lle_exact *d, unsigned int ingress);

/* Remove stale entries. */
void lle_exact_table_purge(struct lle_exact *d);

#endif /* LLE_CORE_EXACT_TABLE_H */
