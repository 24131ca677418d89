/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LLE_CORE_DCFIT_TABLE_H
#define LLE_CORE_DCFIT_TABLE_H

#include "exact.h"
#include "set.h"

/**
 * struct lle_dcfit_entry - a probe that an egress has received
 * @sent: ingresses that have sent it on, in their pause, sm
 * @set: its initiators; empty: the entry is free
 * @min_sw: the smallest initiator on its way; 0: one has declared
 * @min_port: its port
 * @hops: it has come
 * @egress: the port
 * @verified: it was sent again after a defer time
 */
struct lle_dcfit_entry {
	u64 sent;
	struct lle_dcfit_set set;
	u16 min_sw;
	u8 min_port;
	u8 hops;
	u8 egress;
	bool verified;
};

/* The first one in use from @e on. */
static inline struct lle_dcfit_entry *
lle_dcfit_entry_from(const struct lle_dcfit *d,
		     const struct lle_dcfit_entry *e)
{
	unsigned int n;

	for (n = e - d->entry; n < d->pool; n++)
		if (d->entry[n].set.id[0].sw)
			return &d->entry[n];
	return NULL;
}

#define lle_dcfit_for_each_entry(d, e)					\
	for ((e) = lle_dcfit_entry_from(d, (d)->entry); (e);		\
	     (e) = lle_dcfit_entry_from(d, (e) + 1))

/* me(i): the pause that ingress i is in, as an initiator. */
static inline struct lle_dcfit_id lle_dcfit_me(const struct lle_dcfit *d,
					       unsigned int ingress)
{
	return (struct lle_dcfit_id){
		.sw = d->sw,
		.port = ingress,
		.seq = d->port[ingress].seq,
	};
}

static inline struct lle_dcfit_id
lle_dcfit_entry_min(const struct lle_dcfit_entry *e)
{
	return (struct lle_dcfit_id){ .sw = e->min_sw, .port = e->min_port };
}

/**
 * lle_dcfit_set_stale() - an initiator of a set is an earlier pause of our own
 * @d: the instance
 * @set: the set
 */
bool lle_dcfit_set_stale(const struct lle_dcfit *d, struct lle_dcfit_set set);

/**
 * lle_dcfit_store() - an egress has received a probe (D13)
 * @d: the instance
 * @egress: the port
 * @set: its initiators
 * @msg: the probe
 *
 * Not if it is older than what is known, or says less.
 */
void lle_dcfit_store(struct lle_dcfit *d, unsigned int egress,
		     struct lle_dcfit_set set, const struct lle_dcfit_msg *msg);

/**
 * lle_dcfit_take() - an egress forgets probes (D5)
 * @d: the instance
 * @egress: the port
 * @id: those with this initiator; NULL: all
 * @gone: what they were, LLE_DCFIT_PER_EGRESS at most
 *
 * Return: number of @gone.
 */
unsigned int lle_dcfit_take(struct lle_dcfit *d, unsigned int egress,
			    const struct lle_dcfit_id *id,
			    struct lle_dcfit_set *gone);

/**
 * lle_dcfit_sent() - ingresses that have sent a set on
 * @d: the instance
 * @set: the set
 *
 * Return: bit i: an entry says so of ingress i.
 */
u64 lle_dcfit_sent(const struct lle_dcfit *d, struct lle_dcfit_set set);

/**
 * lle_dcfit_sent_set() - an ingress has sent a set on, or has taken it back
 * @d: the instance
 * @set: the set
 * @ingress: the port
 * @sent: which of the two
 */
void lle_dcfit_sent_set(struct lle_dcfit *d, struct lle_dcfit_set set,
			unsigned int ingress, bool sent);

/**
 * lle_dcfit_unsend() - nothing has been sent on by an ingress
 * @d: the instance
 * @ingress: the port
 */
void lle_dcfit_unsend(struct lle_dcfit *d, unsigned int ingress);

/**
 * lle_dcfit_purge() - forget what is about earlier pauses of our own
 * @d: the instance
 */
void lle_dcfit_purge(struct lle_dcfit *d);

#endif /* LLE_CORE_DCFIT_TABLE_H */
